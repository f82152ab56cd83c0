//! The saved form of an engine, and building an engine from it slot by slot. All saved data is
//! checked.
#![allow(unsafe_code, reason = "writes the tag of slots")]
#![cfg_attr(
    not(all(feature = "serde", feature = "snapshot")),
    allow(dead_code, reason = "a pool can be built slot by slot without them")
)]

use core::fmt;

use super::buffer::Buffer;
use super::occupancy::{FreeListError, NONE};
use super::slot::Vacancy;
use super::{FullKind, SlotRef, Slots};
use crate::handle::{mark_to_tag, tag_to_mark};
use crate::layout::{Layout, Marks};

/// The current or last tenant of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tenancy {
    /// The generation 1, 2, 3, …, or 0 if the slot has had no tenant.
    pub(crate) generation: u32,
    pub(crate) kind: TenancyKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TenancyKind {
    /// The tenant was removed.
    Vacant,
    Live,
    /// The tenant has no value yet.
    Pending,
}

impl Tenancy {
    pub(crate) const fn is_pending(self) -> bool {
        matches!(self.kind, TenancyKind::Pending)
    }
}

/// The saved state that is not in the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preamble {
    pub(crate) tag: u32,
    /// The number of tenants that new slots count as having had.
    pub(crate) floor: u32,
    /// See [`Slots::allow_indices_below`].
    pub(crate) reach: u32,
    /// The greatest number of slots, if it is limited.
    pub(crate) limit: Option<u32>,
    /// The free slot that is used next.
    pub(crate) next: Option<u32>,
    /// The word whose free slots are used after `next`.
    pub(crate) word: Option<u32>,
}

/// Why a container cannot be built from saved data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadError {
    #[cfg(feature = "alloc")]
    Beyond {
        index: u32,
        count: usize,
    },
    #[cfg(feature = "alloc")]
    Twice(u32),
    Index {
        index: u32,
        place: u32,
    },
    /// The layout has fewer generations, or the generation is 0.
    Generation {
        index: u32,
        generation: u32,
    },
    Full {
        index: u32,
        kind: FullKind,
    },
    Floor(u32),
    Tag(u32),
    TagOf {
        index: u32,
        tag: u32,
        expected: u32,
    },
    Limit {
        limit: u32,
        slots: u32,
    },
    NoLimit,
    NextNotFree(u32),
    Word(Option<u32>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            #[cfg(feature = "alloc")]
            Self::Beyond { index, count } => write!(f, "slot {index}: there are only {count} slots"),
            #[cfg(feature = "alloc")]
            Self::Twice(index) => write!(f, "slot {index} occurs twice"),
            Self::Index { index, place } => write!(f, "slot {index} found where slot {place} was expected"),
            Self::Generation { index, generation } => {
                write!(f, "slot {index}: the layout of the handles has no tenant v{generation} here")
            }
            Self::Full { index, kind } => write!(f, "slot {index}: {kind}"),
            Self::Floor(floor) => write!(f, "floor: slots cannot begin after v{floor}"),
            Self::Tag(tag) => write!(f, "tag: the layout of the handles has no tag {tag}"),
            Self::TagOf { index, tag, expected } => write!(f, "slot {index}: the tag is {tag}, and not {expected}"),
            Self::Limit { limit, slots } => write!(f, "limit: {slots} slots are more than {limit}"),
            Self::NoLimit => f.write_str("limit: this kind of container has none"),
            Self::NextNotFree(index) => write!(f, "next: slot {index} is not free"),
            Self::Word(Some(word)) => write!(f, "word: no slot of word {word} comes after the next one"),
            Self::Word(None) => f.write_str("word: missing, although slots are free besides the next one"),
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns what is saved of an existing slot.
    pub(crate) fn tenancy(&self, index: u32) -> Tenancy {
        let (mark, vacancy) = self.state(index);
        let (generation, kind) = match vacancy {
            None => (L::tenant(mark), TenancyKind::Live),
            Some(Vacancy::Free) => (L::tenant(mark), TenancyKind::Vacant),
            Some(Vacancy::Retired) => (L::MAX_TENANTS, TenancyKind::Vacant),
            // The frame saves which of these slots are reserved or freed.
            Some(_) => (L::tenant(mark | 1), TenancyKind::Pending),
        };
        Tenancy { generation, kind }
    }

    /// Returns what is saved besides the slots.
    pub(crate) fn preamble(&self) -> Preamble {
        let free = self.occupancy.free();
        let next = Some(free.next()).filter(|&next| next != NONE);
        Preamble {
            tag: mark_to_tag::<L>(self.base_mark),
            floor: L::tenant(self.base_mark),
            reach: self.index_limit,
            limit: self.buffer.chosen_limit().and_then(|limit| u32::try_from(limit).ok()),
            next,
            word: (free.open != 0).then_some(free.open_word),
        }
    }
}

/// The tag that the saved slots have in common: the index of the first slot with a tag, and that
/// tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedTag(Option<(u32, u32)>);

impl SavedTag {
    pub(crate) const NONE: Self = Self(None);

    /// Checks the tag of a saved slot against the tag of the slots before it.
    #[cfg(feature = "serde")]
    pub(crate) fn expect(&mut self, index: u32, tag: u32) -> Result<(), LoadError> {
        let (_, expected) = *self.0.get_or_insert((index, tag));
        Self(Some((index, tag))).check(expected)
    }

    /// Returns an error if the saved tag is not `expected`.
    pub(crate) fn check(self, expected: u32) -> Result<(), LoadError> {
        match self.0 {
            Some((index, tag)) if tag != expected => Err(LoadError::TagOf { index, tag, expected }),
            _ => Ok(()),
        }
    }
}

/// An engine that is built slot by slot. Until it is finished, no free slot is listed and no mark
/// has a tag.
pub(crate) struct Building<P, L: Layout, B: Buffer<P>> {
    slots: Slots<P, L, B>,
    tag: SavedTag,
}

impl<P, L: Layout, B: Buffer<P>> Building<P, L, B> {
    pub(crate) const fn new() -> Self {
        Self { slots: Slots::EMPTY, tag: SavedTag::NONE }
    }

    /// Makes room for `slots` slots at once. A failure is ignored here: `make_room` reports it for
    /// the first slot without room.
    #[cfg(feature = "alloc")]
    pub(crate) fn reserve(&mut self, slots: usize) {
        let _ = self.slots.try_reserve(slots, true);
    }

    /// Returns the index of the next slot.
    pub(crate) fn index(&self) -> u32 {
        self.slots.slot_count()
    }

    /// Checks the saved index of the next slot.
    #[cfg(feature = "serde")]
    pub(crate) fn expect_index(&self, index: u32) -> Result<(), LoadError> {
        if index == self.index() { Ok(()) } else { Err(LoadError::Index { index, place: self.index() }) }
    }

    /// Checks the saved tag of the next slot.
    #[cfg(feature = "serde")]
    pub(crate) fn expect_tag(&mut self, tag: u32) -> Result<(), LoadError> {
        self.tag.expect(self.slots.slot_count(), tag)
    }

    /// Appends a slot with a value.
    pub(crate) fn push_live(&mut self, generation: u32, value: P) -> Result<(), LoadError> {
        let mark = self.tenants_mark(generation)?;
        let index = self.make_room()?;
        self.slots.append(SlotRef { index, mark }, value);
        Ok(())
    }

    /// Appends a slot without a value. Its tenant is pending or was removed.
    pub(crate) fn push_vacant(&mut self, tenancy: Tenancy) -> Result<(), LoadError> {
        let generation = tenancy.generation;
        let (mark, vacancy) = match generation {
            _ if tenancy.is_pending() => (self.tenants_mark(generation)? - 1, Vacancy::Pending),
            0 => (0, Vacancy::Free),
            _ => super::after::<L>(self.tenants_mark(generation)?),
        };
        let index = self.make_room()?;
        self.slots.append_free(index + 1);
        self.slots.write_vacant(index, mark, vacancy);
        let Slots { occupancy, buffer, .. } = &mut self.slots;
        occupancy.load_vacant(buffer.bits_mut(), index, vacancy);
        Ok(())
    }

    fn tenants_mark(&self, generation: u32) -> Result<u32, LoadError> {
        if (1..=L::MAX_TENANTS).contains(&generation) {
            Ok((generation - 1) * 2 + 1)
        } else {
            Err(LoadError::Generation { index: self.index(), generation })
        }
    }

    /// Makes room for the next slot and returns its index.
    fn make_room(&mut self) -> Result<u32, LoadError> {
        let index = self.index();
        if index == self.slots.occupancy.usable_capacity {
            self.slots.grow(1).map_err(|kind| LoadError::Full { index, kind })?;
        }
        Ok(index)
    }

    /// Returns the engine if the preamble is consistent with the slots. If the preamble has no next
    /// slot, the lowest free slot is used first.
    pub(crate) fn finish(mut self, preamble: &Preamble) -> Result<Slots<P, L, B>, LoadError> {
        let Preamble { tag, floor, reach, limit, next, word } = *preamble;
        self.tag.check(tag)?;
        if u64::from(tag) >= 1 << L::TAG_BITS {
            return Err(LoadError::Tag(tag));
        }
        // `shrink_to_fit` stops at half of all generations.
        if floor > L::COUNT / 4 {
            return Err(LoadError::Floor(floor));
        }
        let slots = &mut self.slots;
        slots.set_tag(tag_to_mark::<L>(tag), floor);
        slots.index_limit = reach;
        if let Some(limit) = limit {
            slots.limit_to(limit)?;
        }
        match (next, word) {
            (Some(next), word) => {
                let Slots { occupancy, buffer, .. } = slots;
                occupancy.list_as(buffer.bits_mut(), next, word).map_err(|error| match error {
                    FreeListError::Next => LoadError::NextNotFree(next),
                    FreeListError::Word => LoadError::Word(word),
                })?;
            }
            (None, None) => slots.rebuild_free_list(),
            (None, word) => return Err(LoadError::Word(word)),
        }
        Ok(self.slots)
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Adds the tag to all marks, which have none yet. New slots start after `floor` tenants.
    fn set_tag(&mut self, tag: u32, floor: u32) {
        self.base_mark = tag | (floor * 2);
        if tag == 0 {
            return;
        }
        for index in 0..self.slot_count() {
            // SAFETY: the pointer must be valid and the mark initialised: the slot exists, because
            // it was written just now, and B1 holds. S1 is kept: a tag does not change whether a
            // mark is odd.
            unsafe { (*self.buffer.slot_mut(index as usize)).mark |= tag };
        }
    }

    /// Limits the number of slots, whether or not they have memory yet.
    fn limit_to(&mut self, limit: u32) -> Result<(), LoadError> {
        let slots = self.slot_count();
        if limit < slots {
            return Err(LoadError::Limit { limit, slots });
        }
        // Release the excess memory: the usable capacity must not exceed the limit.
        if self.occupancy.usable_capacity > limit {
            self.give_back(0);
        }
        self.buffer.set_limit(limit as usize);
        self.buffer.chosen_limit().map_or(Err(LoadError::NoLimit), |_| Ok(()))
    }
}
