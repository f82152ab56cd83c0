//! Panics in user code, at every call: the k-th call of user code that an action makes panics, for
//! every k.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, Ending, Make, Out, Put, Rows, Rule};
use crate::model::extract;
use crate::name::Name;
use crate::op::Op;
use crate::rig::Rig;
use crate::run::{Run, answer_of};
use crate::subject::{Listing, Subject, Supports};
use crate::tracked::changed;
use crate::{Answer, effort, fuse, ledger, quiet};

/// Runs `setup`, then `op` with a panic at its first call of user code; then all again with a panic
/// at the second call; and so on (see [`effort`]), until there is no panic. Returns the number of
/// the first call that the operation does not make.
///
/// # Errors
///
/// The fault, and the call that caused it.
pub fn every_panic(rig: &Rig, setup: &[Op], op: Op) -> Result<u32, String> {
    for call in effort::calls() {
        let mut run = if call == 0 { Run::after(rig, setup)? } else { Run::again(rig, setup)? };
        let blown = match run.known.resolve(op) {
            Some(action) => one_panic(&mut run, &action, call),
            None => one_panic_in_copy(&mut run, op, call),
        };
        if !blown.map_err(|error| format!("{op:?} with a panic at call {call}: {error}"))? {
            return Ok(call);
        }
    }
    unreachable!("an action makes a finite number of calls")
}

/// Returns `false` if the action ended before that call.
fn one_panic(run: &mut Run, action: &Action, call: u32) -> Result<bool, String> {
    let (before, room, leaks) = (run.main.listing(), run.model.room_left(), run.model.leaks(action));
    fuse::arm(call);
    let answer = answer_of(&mut *run.main, action);
    if !fuse::disarm() {
        run.judge(action, &answer)?;
        return run.check().map(|()| false);
    }
    if !matches!(answer, Answer::Panicked(_)) {
        return Err(format!("the panic was swallowed: {answer:?}"));
    }
    run.elsewhere += leaks;
    let after = is_sound(run)?;
    check_members(&before, &after, &new_ids(action))?;
    if let Some(right) = survivors(action, &before, call, &run.rig.supports) {
        if after != right {
            return Err(format!("{after:?} is left, expected {right:?}"));
        }
    }
    if let Some(count) = inserted(action, call, room) {
        if after.len() != before.len() + count {
            return Err(format!("{} values are left, expected {}", after.len(), before.len() + count));
        }
    }
    recovers(run).map(|()| true)
}

/// Checks what holds for every container after a panic.
fn is_sound(run: &mut Run) -> Result<Listing, String> {
    let listing = sound_listing(&run.rig, &mut *run.main)?;
    let ids: BTreeMap<_, _> = listing.iter().copied().collect();
    for &name in &run.known.issued {
        let id = ids.get(&name).copied();
        let seen = run.main.see(name);
        if seen.get != id || seen.contains != id.is_some() {
            return Err(format!("{name} is reported as {seen:?}, iteration yields {id:?}"));
        }
    }
    sound_listing(&run.rig, &mut *run.spare.0)?;
    run.expect_alive(listing.len())?;
    Ok(listing)
}

/// Checks that the container is valid, has the right length, iterates by index unless by row, and
/// that every value is readable.
pub(crate) fn sound_listing(rig: &Rig, subject: &mut dyn Subject) -> Result<Listing, String> {
    subject.validate().map_err(|fault| format!("broken inside: {fault}"))?;
    let (listing, census) = (subject.listing(), subject.census());
    let counts = [census.len, census.live];
    if counts != [listing.len(); 2] || census.is_empty != listing.is_empty() {
        return Err(format!("{census:?}, but iteration yields {}", listing.len()));
    }
    if !rig.supports.rows && !listing.is_sorted_by(|(left, _), (right, _)| left.index() < right.index()) {
        return Err(format!("iteration is not by index: {listing:?}"));
    }
    Ok(listing)
}

/// Checks that every value has the handle that it had before, or is new.
fn check_members(before: &Listing, after: &Listing, new: &[u32]) -> Result<(), String> {
    let before: BTreeSet<_> = before.iter().copied().collect();
    for &(name, id) in after {
        let same = before.contains(&(name, id)) || before.contains(&(name, changed(id)));
        if !same && !new.contains(&id) {
            return Err(format!("{name} resolves to {id}, which is not new and had another handle"));
        }
    }
    Ok(())
}

fn new_ids(action: &Action) -> Vec<u32> {
    match action {
        Action::Put(Put::Many(ids, _) | Put::Extend(ids)) => ids.clone(),
        Action::Put(Put::Fill(_, id) | Put::InsertAt(_, id)) => vec![*id],
        _ => Vec::new(),
    }
}

/// The expected content after a panic at this call; `None` if several outcomes are allowed.
fn survivors(action: &Action, before: &Listing, call: u32, supports: &Supports) -> Option<Listing> {
    let by_row = supports.rows;
    match action {
        Action::Out(Out::Clear | Out::Drain(_, Ending::Drop)) if !supports.finishes => None,
        // These finish even when a destructor panics; and `map_values` consumes the container.
        Action::Out(Out::Clear | Out::Drain(_, Ending::Drop)) | Action::Make(Make::Map) => Some(Vec::new()),
        Action::Put(Put::InsertWith(_) | Put::TryInsert(_))
        | Action::Make(Make::Collect(_))
        | Action::Iterate(..) => Some(before.clone()),
        // The closure is called for all rows before the first one is removed.
        Action::Out(Out::Retain(_)) if by_row && (call as usize) < before.len() => Some(before.clone()),
        Action::Out(Out::Retain(rule)) if by_row => Some(kept(before, *rule)),
        Action::Out(Out::Retain(rule)) => Some(decided(before, call, *rule)),
        Action::Out(Out::Extract(rule, limit)) => Some(extracted(before, call, *rule, *limit, by_row)),
        // No row has moved when a closure panics. Removed rows are dropped at the end.
        Action::Rows(Rows::Sort(..) | Rows::ApplyOrder(_) | Rows::Swap(..)) => Some(before.clone()),
        Action::Rows(Rows::RemoveMany(names)) if (call as usize) < names.len() => Some(before.clone()),
        Action::Rows(Rows::RemoveMany(names)) => Some(without(before, names)),
        Action::Rows(Rows::RemoveOrdered(name)) => Some(without(before, &[*name])),
        Action::Rows(Rows::Compact(..)) if (call as usize) < before.len() => Some(before.clone()),
        _ => None,
    }
}

fn kept(before: &Listing, rule: Rule) -> Listing {
    before.iter().copied().filter(|&(_, id)| rule.says(id)).collect()
}

fn without(before: &Listing, names: &[Name]) -> Listing {
    before.iter().copied().filter(|(name, _)| !names.contains(name)).collect()
}

/// Values that `extract_if` has yielded before the panic are removed. They are dropped at the end
/// of the iteration.
fn extracted(before: &Listing, call: u32, rule: Rule, limit: usize, by_row: bool) -> Listing {
    let mut calls = 0..call;
    extract(before.clone(), by_row, limit, |id| calls.next().is_some() && rule.says(id)).1
}

/// Decisions made before the panic are applied, and the other values are kept. Every value takes
/// one call of the closure, and every removal one call of a destructor.
fn decided(before: &Listing, call: u32, keep: Rule) -> Listing {
    let mut left = i64::from(call);
    let mut after = Vec::new();
    for &(name, id) in before {
        let asked = left > 0;
        left -= 1;
        if asked && !keep.says(id) {
            left -= 1;
            // Below zero: the destructor panicked, and the closure is not called again.
            continue;
        }
        after.push((name, id));
    }
    after
}

/// The number of values that were inserted before the iterator panicked.
fn inserted(action: &Action, call: u32, room: usize) -> Option<usize> {
    match action {
        Action::Put(Put::Many(..) | Put::Extend(_)) => Some(room.min(call as usize)),
        _ => None,
    }
}

/// Checks that the container can be emptied and used as before.
fn recovers(run: &mut Run) -> Result<(), String> {
    for empty in [Out::Clear, Out::Drain(crate::path::Path::Forward, Ending::Drop)] {
        let empty = Action::Out(empty);
        if !run.rig.supports.has(&empty) {
            continue;
        }
        for id in 0..3 {
            answer_of(&mut *run.main, &Action::Put(Put::TryInsert(id)));
        }
        let size = sound_listing(&run.rig, &mut *run.main)?.len();
        run.expect_alive(size)?;
        answer_of(&mut *run.main, &empty);
        let left = sound_listing(&run.rig, &mut *run.main)?;
        if !left.is_empty() {
            return Err(format!("{left:?} is left after clear or drain"));
        }
        run.expect_alive(0)?;
    }
    Ok(())
}

/// Panics in `clone`, `clone_from` and `==`. Returns `false` if the operation ended before that
/// call.
fn one_panic_in_copy(run: &mut Run, op: Op, call: u32) -> Result<bool, String> {
    let (main, spare) = (run.main.listing(), run.spare.0.listing());
    fuse::arm(call);
    let result = quiet::catch(|| run.step(op));
    if !fuse::disarm() {
        return result.and_then(|result| result).map(|()| false);
    }
    if result.is_ok() {
        return Err("the panic was swallowed".into());
    }
    let (main_after, spare_after) =
        (sound_listing(&run.rig, &mut *run.main)?, sound_listing(&run.rig, &mut *run.spare.0)?);
    run.expect_alive(main_after.len())?;
    // `Op::Snapshot` replaces the spare before it drops the old one.
    let overwritten = (op == Op::Rollback, matches!(op, Op::Checkpoint | Op::Snapshot));
    check_copy(&main, &main_after, overwritten.0.then_some(&spare))?;
    check_copy(&spare, &spare_after, overwritten.1.then_some(&main))?;
    let half = match op {
        Op::Rollback => main_after,
        Op::Checkpoint => spare_after,
        _ => Vec::new(),
    };
    if run.rig.supports.rows && !half.is_empty() {
        return Err(format!("{half:?} is left after clone_from of rows"));
    }
    recovers(run).map(|()| true)
}

/// Checks that the container is unchanged, or a mixture of both if it was the destination of
/// `clone_from`.
fn check_copy(before: &Listing, after: &Listing, original: Option<&Listing>) -> Result<(), String> {
    let Some(original) = original else {
        return if before == after { Ok(()) } else { Err(format!("{before:?} became {after:?}")) };
    };
    // `clone_from` of a value may be done before the handle of its slot is updated: ids and handles
    // are compared separately.
    let names: BTreeSet<_> = before.iter().chain(original).map(|(name, _)| *name).collect();
    let ids: BTreeSet<_> = before.iter().chain(original).map(|(_, id)| *id).collect();
    match after.iter().find(|(name, id)| !names.contains(name) || !ids.contains(id)) {
        Some(stranger) => Err(format!("{stranger:?} comes from neither of the two")),
        None => Ok(()),
    }
}

/// Drops a container whose k-th destructor panics, for every k: everything else must be dropped.
///
/// # Errors
///
/// The values that were leaked, or dropped twice.
pub fn every_panic_in_drop(rig: &Rig, setup: &[Op]) -> Result<u32, String> {
    for call in effort::calls() {
        let run = if call == 0 { Run::after(rig, setup)? } else { Run::again(rig, setup)? };
        let others = run.elsewhere + run.spare.0.listing().len();
        let Run { main, spare: _kept, .. } = run;
        fuse::arm(call);
        let result = quiet::catch(|| drop(main));
        let blown = fuse::disarm();
        if blown != result.is_err() {
            return Err("the panic was swallowed".into());
        }
        ledger::expect(others).map_err(|error| format!("drop with a panic at call {call}: {error}"))?;
        if !blown {
            return Ok(call);
        }
    }
    unreachable!("the number of values is finite")
}
