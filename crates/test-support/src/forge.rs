//! Handles that were not issued.

use crate::action::{Action, Look, Out, Put, Rows};
use crate::name::{Name, Shape};
use crate::op::Op;
use crate::rig::Rig;
use crate::run::Run;
use crate::{Answer, alloc, effort, ledger, quiet};

/// A handle near another one.
#[must_use]
pub fn moved(shape: &Shape, from: Name, slots: i8, generations: i8) -> Name {
    let index = from.index().saturating_add_signed(slots.into());
    let generation = from.generation().saturating_add_signed(generations.into());
    shape.name(index, generation, from.tag())
}

/// Bit patterns at every edge: all zero, all ones, single bits, even generations, first and last
/// index and generation.
#[must_use]
pub fn edges(shape: &Shape) -> Vec<Name> {
    let (mark_bits, generation_bits, slots) = (shape.mark_bits(), shape.generation_bits, u64::from(shape.max_slots));
    let mut bits: Vec<u64> = vec![0, 1, 2, 3, u64::MAX, u64::MAX - 1, u64::from(u32::MAX), u64::from(u32::MAX) - 1];
    for bit in 0..64 {
        bits.extend([1_u64 << bit, (1 << bit) | 1, !(1 << bit), !(1 << bit) & !1]);
    }
    for index in [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, slots - 1, slots] {
        for generation in [0, 1, 2, 3, (1 << generation_bits) - 1, (1 << generation_bits) - 2] {
            bits.push((index << mark_bits) | generation);
        }
    }
    bits.into_iter().map(|bits| shape.from_bits(bits)).collect()
}

/// Random numbers; the same in every run.
pub fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x9E37_79B9_7F4A_7C15;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

/// Random bit patterns; the same in every run.
pub fn random(shape: Shape, count: usize) -> impl Iterator<Item = Name> {
    noise(0).take(count).map(move |bits| shape.from_bits(bits))
}

/// Handles that are almost valid: the neighbours of every issued handle, and those just outside.
#[must_use]
pub fn neighbours(shape: &Shape, issued: &[Name], slots: u32) -> Vec<Name> {
    let mut names = Vec::new();
    for &from in issued {
        for (away, generations) in [(0, -1), (0, 1), (0, 2), (-1, 0), (1, 0), (1, 1), (-1, 1)] {
            names.push(moved(shape, from, away, generations));
        }
        names.push(shape.name(from.index(), shape.max_tenants, from.tag()));
        names.push(shape.name(from.index(), from.generation(), from.tag() + 1));
    }
    let tag = issued.first().map_or(0, |name| name.tag());
    for index in [slots.saturating_sub(1), slots, slots + 1, slots + 4_095, slots + 4_096, shape.max_slots - 1] {
        names.extend([1, 2, shape.max_tenants].map(|generation| shape.name(index, generation, tag)));
    }
    names
}

/// Runs `setup`, and then passes forged and issued handles to every method that takes one.
///
/// # Errors
///
/// A description of the fault.
pub fn every_forgery(rig: &Rig, setup: &[Op]) -> Result<usize, String> {
    let run = Run::after(rig, setup)?;
    let mut names = edges(&rig.shape);
    names.extend(neighbours(&rig.shape, &run.known.issued, run.known.slots));
    names.extend(random(rig.shape, 100));
    names.extend(&run.known.issued);
    // Every panic is unwound, which takes long under a sanitizer: every fourth handle there.
    let step = if effort::is_slow() { 4 } else { 1 };
    names.iter().step_by(step).try_for_each(|&name| use_everywhere(&run, name))?;
    Ok(names.len())
}

/// Passes a handle to every method that takes one. The model predicts the results; lookups and
/// rejections allocate nothing and add no slots.
fn use_everywhere(base: &Run, forged: Name) -> Result<(), String> {
    let partner = base.known.live.first().copied().unwrap_or(base.known.nil());
    let trio = [partner, forged, forged];
    let actions = [
        Action::Out(Out::Remove(forged)),
        Action::Out(Out::Take(forged)),
        Action::Put(Put::Fill(forged, u32::MAX)),
        Action::Put(Put::InsertAt(forged, u32::MAX)),
        Action::Look(Look::Probe(forged)),
        Action::Look(Look::Index(forged)),
        Action::Look(Look::Change(forged)),
        Action::Look(Look::Disjoint(trio)),
        Action::Look(Look::Loans(trio)),
        Action::Look(Look::HandleAt(forged.index())),
        Action::Look(Look::HandleOf(forged)),
        Action::Rows(Rows::RemoveOrdered(forged)),
        Action::Rows(Rows::RemoveMany(trio)),
    ];
    ledger::reserve(10_000);
    quiet::install();
    for action in actions {
        use_once(base, &action).map_err(|error| format!("{forged} in {action:?}: {error}"))?;
    }
    see_without_memory(base, forged)
}

fn use_once(base: &Run, action: &Action) -> Result<(), String> {
    let mut run = base.fork().ok_or("forged handles need clones")?;
    let slots = run.model.slot_count();
    let answer = run.act(action)?;
    run.check()?;
    // A message needs memory, and `borrow_many` needs one bit per slot. What removes rows in order
    // notes which ones stay.
    let may_ask = matches!(answer, Answer::Panicked(_) | Answer::Loans(_))
        || removes_rows(action, &answer)
        || run.rig.supports.removal_asks && matches!((action, &answer), (Action::Out(_), Answer::Value(Some(_))));
    let puts_in = matches!(answer, Answer::Placed(_));
    if !puts_in && !may_ask && run.asked > 0 {
        return Err(format!("{answer:?} allocated {} times", run.asked));
    }
    if !puts_in && run.model.slot_count() != slots {
        return Err("slots were added".into());
    }
    Ok(())
}

/// Returns `true` if the action has removed rows in order, or may have.
fn removes_rows(action: &Action, answer: &Answer) -> bool {
    match (action, answer) {
        (Action::Rows(_), Answer::Moved(answer, _)) => removes_rows(action, answer),
        (Action::Rows(Rows::RemoveOrdered(_)), answer) => *answer != Answer::Value(None),
        (action, _) => matches!(action, Action::Rows(Rows::RemoveMany(_))),
    }
}

fn see_without_memory(base: &Run, forged: Name) -> Result<(), String> {
    let (seen, asked) = alloc::count(|| base.main.see(forged));
    let right = base.model.sight(forged);
    if seen != right {
        return Err(format!("{forged} is reported as {seen:?}, expected {right:?}"));
    }
    if asked == 0 { Ok(()) } else { Err(format!("a lookup of {forged} allocated {asked} times")) }
}
