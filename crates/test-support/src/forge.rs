//! Handles that nobody issued.

use std::any::Any;

use tenure::Layout;

use crate::action::{Action, Look, Out, Put};
use crate::op::Op;
use crate::run::Run;
use crate::subject::{Name, Subject};
use crate::{Answer, alloc, ledger, quiet};

/// The handle with these parts, wrapped into what the layout has. Text is the only public way to
/// one with a tag.
#[must_use]
pub fn name<L: Layout>(index: u32, generation: u32, tag: u32) -> Name<L> {
    let index = index.min(L::MAX_SLOTS - 1);
    let generation = generation.clamp(1, L::MAX_TENANTS);
    let tag = if L::TAG_BITS == 0 { 0 } else { tag & ((1 << L::TAG_BITS) - 1) };
    if tag == 0 {
        return Name::from_parts(index, generation).unwrap_or_default();
    }
    format!("{index}v{generation}#{tag}").parse().unwrap_or_default()
}

/// A neighbour of a handle.
#[must_use]
pub fn moved<L: Layout>(from: Name<L>, slots: i8, generations: i8) -> Name<L> {
    let index = from.index().saturating_add_signed(slots.into());
    let generation = from.generation().saturating_add_signed(generations.into());
    name(index, generation, from.tag())
}

/// A handle from any bits; 4-byte layouts take the low half.
#[must_use]
pub fn from_u64<L: Layout>(bits: u64) -> Name<L> {
    Name::from_bits(to_word::<L>(bits))
}

/// The bits of a handle as `u64`.
#[must_use]
pub fn to_u64<L: Layout>(name: Name<L>) -> u64 {
    if name.is_nil() {
        return 0;
    }
    let generation = u64::from(name.generation()) * 2 - 1;
    let mark = (u64::from(name.tag()) << L::GENERATION_BITS) | generation;
    (u64::from(name.index()) << (L::GENERATION_BITS + L::TAG_BITS)) | mark
}

/// The word of a layout. `Word` is sealed and has no conversions, but it is `u64` or `u32`.
#[expect(clippy::cast_possible_truncation, reason = "a forged handle may have any bits")]
fn to_word<L: Layout>(bits: u64) -> L::Bits {
    let (wide, narrow): (&dyn Any, &dyn Any) = (&bits, &(bits as u32));
    wide.downcast_ref().or(narrow.downcast_ref()).copied().unwrap_or_default()
}

/// Bit patterns at every edge: all zero, all ones, single bits, even generations, first and last
/// index and generation.
#[must_use]
pub fn edges<L: Layout>() -> Vec<Name<L>> {
    let mark_bits = L::GENERATION_BITS + L::TAG_BITS;
    let mut bits: Vec<u64> = vec![0, 1, 2, 3, u64::MAX, u64::MAX - 1, u64::from(u32::MAX), u64::from(u32::MAX) - 1];
    for bit in 0..64 {
        bits.extend([1_u64 << bit, (1 << bit) | 1, !(1 << bit), !(1 << bit) & !1]);
    }
    for index in [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, u64::from(L::MAX_SLOTS) - 1, u64::from(L::MAX_SLOTS)] {
        for generation in [0, 1, 2, 3, (1 << L::GENERATION_BITS) - 1, (1 << L::GENERATION_BITS) - 2] {
            bits.push((index << mark_bits) | generation);
        }
    }
    bits.into_iter().map(from_u64).collect()
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
pub fn random<L: Layout>(count: usize) -> impl Iterator<Item = Name<L>> {
    noise(0).take(count).map(from_u64)
}

/// Names that are nearly good: the neighbours of every issued handle, and what is just outside.
#[must_use]
pub fn neighbours<L: Layout>(issued: &[Name<L>], slots: u32) -> Vec<Name<L>> {
    let mut names = Vec::new();
    for &from in issued {
        for (away, generations) in [(0, -1), (0, 1), (0, 2), (-1, 0), (1, 0), (1, 1), (-1, 1)] {
            names.push(moved(from, away, generations));
        }
        names.push(name(from.index(), L::MAX_TENANTS, from.tag()));
        names.push(name(from.index(), from.generation(), from.tag() + 1));
    }
    let tag = issued.first().map_or(0, |name| name.tag());
    for index in [slots.saturating_sub(1), slots, slots + 1, slots + 4_095, slots + 4_096, L::MAX_SLOTS - 1] {
        names.extend([1, 2, L::MAX_TENANTS].map(|generation| name(index, generation, tag)));
    }
    names
}

/// Runs `setup`, and then uses forged and issued handles on every method that takes one.
///
/// # Errors
///
/// What is wrong.
pub fn every_forgery<S: Subject>(setup: &[Op]) -> Result<usize, String> {
    let run = Run::<S>::after(setup)?;
    let mut names = edges();
    names.extend(neighbours(&run.known.issued, run.known.slots));
    names.extend(random(100));
    names.extend(&run.known.issued);
    names.iter().try_for_each(|&name| use_everywhere(&run, name))?;
    Ok(names.len())
}

/// Uses a handle on every method that takes one. The model knows what is right; look-ups and
/// refusals ask for no memory, and make no slots.
fn use_everywhere<S: Subject>(base: &Run<S>, forged: Name<S::Layout>) -> Result<(), String> {
    let partner = base.known.live.first().copied().unwrap_or_default();
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
    ];
    ledger::reserve(10_000);
    quiet::install();
    for action in actions {
        use_once(base, &action).map_err(|error| format!("{forged} in {action:?}: {error}"))?;
    }
    see_without_memory(base, forged)
}

fn use_once<S: Subject>(base: &Run<S>, action: &Action<S::Layout>) -> Result<(), String> {
    let mut run = base.fork().ok_or("forged handles need clones")?;
    let slots = run.model.slot_count();
    let answer = run.act(action)?;
    run.check()?;
    // A message needs memory, and `borrow_many` one bit per slot.
    let may_ask = matches!(answer, Answer::Panicked(_) | Answer::Loans(_));
    let puts_in = matches!(answer, Answer::Placed(_));
    if !puts_in && !may_ask && run.asked > 0 {
        return Err(format!("{answer:?} asked for memory {} times", run.asked));
    }
    if !puts_in && run.model.slot_count() != slots {
        return Err("slots were made".into());
    }
    Ok(())
}

fn see_without_memory<S: Subject>(base: &Run<S>, forged: Name<S::Layout>) -> Result<(), String> {
    let (seen, asked) = alloc::count(|| base.main.see(forged));
    let right = base.model.sight(forged);
    if seen != right {
        return Err(format!("{forged} is seen as {seen:?}, right is {right:?}"));
    }
    if asked == 0 { Ok(()) } else { Err(format!("a look at {forged} asked for memory {asked} times")) }
}
