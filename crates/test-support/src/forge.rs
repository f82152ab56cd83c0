//! Handles that nobody issued.

use std::any::Any;

use tenure::Layout;

use crate::subject::Name;

/// The handle with these parts, wrapped into what the layout has. Text is the only public way to one with a tag.
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
#[allow(clippy::cast_possible_truncation, reason = "a forged handle may have any bits")]
fn to_word<L: Layout>(bits: u64) -> L::Bits {
    let (wide, narrow): (&dyn Any, &dyn Any) = (&bits, &(bits as u32));
    wide.downcast_ref().or(narrow.downcast_ref()).copied().unwrap_or_default()
}

/// Bit patterns at every edge: all zero, all ones, single bits, even generations, first and last index and generation.
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
