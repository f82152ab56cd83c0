//! Handles without their layout: the driver and the model are compiled once for all layouts.

use std::cmp::Ordering;
use std::fmt;

use tenure::{Handle, Layout};

use crate::tracked::Tracked;

/// A handle to a [`Tracked`] value: its bits exactly as passed to [`Handle::from_bits`], and their
/// meaning in its layout.
///
/// Names are compared by their meaning, as handles are: all bit patterns of nil are equal.
#[derive(Clone, Copy)]
pub struct Name {
    index: u32,
    tag: u32,
    generation: u32,
    bits: u64,
}

impl Name {
    /// As [`Handle::index`].
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// As [`Handle::generation`].
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// As [`Handle::tag`].
    #[must_use]
    pub const fn tag(self) -> u32 {
        self.tag
    }

    /// As [`Handle::is_nil`].
    #[must_use]
    pub const fn is_nil(self) -> bool {
        self.generation == 0
    }

    /// The handle that the container makes of the bits.
    #[must_use]
    pub fn handle<L: Layout>(self) -> Handle<Tracked, L> {
        // A 4-byte layout uses the low half of the bits.
        Handle::from_bits(L::Bits::try_from(self.bits).unwrap_or_default())
    }

    const fn parts(self) -> (u32, u32, u32) {
        (self.index, self.tag, self.generation)
    }
}

impl<L: Layout> From<Handle<Tracked, L>> for Name {
    fn from(handle: Handle<Tracked, L>) -> Self {
        Self {
            index: handle.index(),
            tag: handle.tag(),
            generation: handle.generation(),
            bits: handle.to_bits().into(),
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.generation, self.tag) {
            (0, _) => f.write_str("Tracked(nil)"),
            (generation, 0) => write!(f, "Tracked({}v{generation})", self.index),
            (generation, tag) => write!(f, "Tracked({}v{generation}#{tag})", self.index),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A [`Layout`] as a value: the widths of the parts of a handle.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Index, tag and generation together.
    word_bits: u32,
    tag_bits: u32,
    /// See [`Layout::GENERATION_BITS`].
    pub generation_bits: u32,
    /// See [`Layout::MAX_SLOTS`].
    pub max_slots: u32,
    /// See [`Layout::MAX_TENANTS`].
    pub max_tenants: u32,
}

impl Shape {
    /// The shape of a layout.
    #[must_use]
    pub const fn of<L: Layout>() -> Self {
        Self {
            word_bits: L::INDEX_BITS + L::TAG_BITS + L::GENERATION_BITS,
            tag_bits: L::TAG_BITS,
            generation_bits: L::GENERATION_BITS,
            max_slots: L::MAX_SLOTS,
            max_tenants: L::MAX_TENANTS,
        }
    }

    /// The number of bits below the index.
    #[must_use]
    pub const fn mark_bits(&self) -> u32 {
        self.tag_bits + self.generation_bits
    }

    /// `NIL`.
    #[must_use]
    pub const fn nil(&self) -> Name {
        Name { index: self.max_slots, tag: 0, generation: 0, bits: 0 }
    }

    /// A handle from any bits; 4-byte layouts use the low half.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "no part of a handle has more than 32 bits")]
    pub const fn from_bits(&self, bits: u64) -> Name {
        let bits = bits & low_bits(self.word_bits);
        let index = (bits >> self.mark_bits()) as u32;
        let count = bits & low_bits(self.generation_bits);
        if count % 2 == 0 || index == self.max_slots {
            return Name { bits, ..self.nil() };
        }
        let tag = (bits & low_bits(self.mark_bits())) >> self.generation_bits;
        Name { index, tag: tag as u32, generation: count.div_ceil(2) as u32, bits }
    }

    /// The handle with these parts, wrapped into the ranges of the layout.
    #[must_use]
    pub fn name(&self, index: u32, generation: u32, tag: u32) -> Name {
        let index = index.min(self.max_slots - 1);
        let generation = generation.clamp(1, self.max_tenants);
        let tag = u64::from(tag) & low_bits(self.tag_bits);
        let mark = (tag << self.generation_bits) | (u64::from(generation) * 2 - 1);
        self.from_bits((u64::from(index) << self.mark_bits()) | mark)
    }
}

/// A word whose `count` lowest bits are set.
const fn low_bits(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}
