//! Every history up to a length, over a small alphabet of operations.

use crate::ledger;
use crate::op::Op;
use crate::rig::Rig;
use crate::run::Run;

/// Runs every sequence of at most `depth` operations. Returns their number.
///
/// A prefix is run once and continued in clones, so this also checks that a clone behaves like its
/// original.
///
/// # Errors
///
/// The first history that fails, and the reason.
pub fn every_history(rig: &Rig, alphabet: &[Op], depth: usize) -> Result<u64, String> {
    ledger::reset();
    let mut path = Vec::new();
    extend(&Run::new(rig), alphabet, depth, &mut path).map_err(|error| format!("after {path:?}: {error}"))
}

fn extend(from: &Run, alphabet: &[Op], depth: usize, path: &mut Vec<Op>) -> Result<u64, String> {
    let mut count = 0;
    if depth == 0 {
        return Ok(count);
    }
    for &op in alphabet {
        path.push(op);
        let mut next = from.fork().ok_or("exhaustive search needs clones")?;
        next.step(op)?;
        count += 1 + extend(&next, alphabet, depth - 1, path)?;
        path.pop();
    }
    Ok(count)
}
