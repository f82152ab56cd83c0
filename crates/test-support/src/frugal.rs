//! Containers that never allocate. Needs the [watched allocator](crate::alloc).

use crate::action::{Action, Iterate, Look};
use crate::op::Op;
use crate::rig::Rig;
use crate::run::Run;
use crate::{Answer, alloc, ledger, quiet};

/// Runs a history and checks that no step allocates. Making the container may.
///
/// # Errors
///
/// The first fault, and its step.
pub fn never_asks(rig: &Rig, ops: &[Op]) -> Result<(), String> {
    if !alloc::is_watched() {
        return Err("the watched allocator is not installed".into());
    }
    quiet::install();
    ledger::reset();
    ledger::reserve(100_000);
    let mut run = Run::new(rig);
    for (number, &op) in ops.iter().enumerate() {
        frugal_step(&mut run, op).map_err(|error| format!("step {number}, {op:?}: {error}"))?;
    }
    Ok(())
}

fn frugal_step(run: &mut Run, op: Op) -> Result<(), String> {
    let excused = match run.known.resolve(op) {
        Some(action) => {
            let answer = run.act(&action)?;
            run.check()?;
            is_ours(&action, &answer) || run.rig.supports.heap && needs_memory(&action)
        }
        None => {
            run.step(op)?;
            run.rig.supports.heap
        }
    };
    if excused || run.asked == 0 { Ok(()) } else { Err(format!("allocated {} times", run.asked)) }
}

/// Text and messages of panics are allocated for the caller.
fn is_ours(action: &Action, answer: &Answer) -> bool {
    matches!(answer, Answer::Panicked(_)) || matches!(action, Action::Look(Look::Print))
}

/// Copies, and the bits of `borrow_many`, are allowed to allocate.
fn needs_memory(action: &Action) -> bool {
    matches!(
        action,
        Action::Make(_) | Action::Iterate(Iterate::IntoIter | Iterate::IntoValues, _) | Action::Look(Look::Loans(_))
    )
}
