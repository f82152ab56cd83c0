//! Checks the invariants of buffers, bits, engine and free list.

use core::fmt;

use super::Slots;
use super::buffer::Buffer;
use super::slot::Vacancy;
use crate::layout::{Layout, Marks};

/// A broken invariant and its location. Safe code should never produce one.
///
/// Returned by `validate`, which is for tests, fuzzing and bug reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    rule: &'static str,
    index: Option<u32>,
}

impl Fault {
    /// Creates a fault of a container as a whole.
    #[cfg(feature = "alloc")]
    pub(crate) const fn of_container(rule: &'static str) -> Self {
        Self { rule, index: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "slot {index}: {}", self.rule),
            None => f.write_str(self.rule),
        }
    }
}

impl core::error::Error for Fault {}

fn check(holds: bool, rule: &'static str, index: Option<u32>) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault { rule, index }) }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Checks the invariants B, C, D, E and F, and that `uncommitted` slots are uncommitted (N1).
    pub(crate) fn validate(&self, uncommitted: u32) -> Result<(), Fault> {
        self.validate_slots(uncommitted)?;
        for index in 0..self.slot_count() {
            let is_free = self.state(index).1 == Some(Vacancy::Free);
            let is_listed = self.occupancy.is_listed(self.buffer.bits(), index);
            check(is_listed == is_free, "F1: a free slot is not listed, or another one is", Some(index))?;
        }
        self.occupancy.fault(self.buffer.bits()).map_or(Ok(()), |rule| Err(Fault { rule, index: None }))
    }

    /// Checks the invariants of an engine without a free list: B, C, D, E, F1 and U1.
    #[cfg(feature = "alloc")]
    pub(crate) fn validate_unlisted(&self) -> Result<(), Fault> {
        self.validate_slots(0)?;
        self.occupancy.fault_unlisted(self.buffer.bits()).map_or(Ok(()), |rule| Err(Fault { rule, index: None }))
    }

    /// Checks the invariants B, C, D and E, and that `uncommitted` slots are uncommitted (N1).
    fn validate_slots(&self, uncommitted: u32) -> Result<(), Fault> {
        self.buffer.fault().map_or(Ok(()), |rule| Err(Fault { rule, index: None }))?;
        self.check_room()?;
        let data = self.buffer.bits();
        self.occupancy.bits.fault(data).map_or(Ok(()), |rule| Err(Fault { rule, index: None }))?;
        let mut counted = Counted::default();
        for index in 0..self.slot_count() {
            self.check_slot(index, &mut counted)?;
        }
        self.check_counts(&counted, uncommitted)
    }

    fn check_room(&self) -> Result<(), Fault> {
        let usable = self.occupancy.usable_capacity;
        let words = self.occupancy.bits.words();
        check(self.slot_count() <= usable, "E2: there are more slots than room", None)?;
        check(usable as usize <= self.buffer.capacity(), "E2: there is less memory than room", None)?;
        check(usable <= L::MAX_SLOTS, "E2: there is more room than the layout has indices", None)?;
        check(words >= usable.div_ceil(64) as usize, "E2: the bits do not cover the room", None)?;
        check(self.base_mark & 1 == 0, "E5: the base mark is odd", None)?;
        let mut words = 0..u32::try_from(words).unwrap_or(u32::MAX);
        let bits = self.buffer.bits();
        let beyond =
            words.any(|word| self.occupancy.bits.vacant(bits, word) & !self.occupancy.existing_bits(word) != 0);
        check(!beyond, "E1: a slot that does not exist has a vacant bit", None)
    }

    fn check_slot(&self, index: u32, counted: &mut Counted) -> Result<(), Fault> {
        let (mark, vacancy) = self.state(index);
        let here = Some(index);
        let live = self.live_bits(index / 64) >> (index % 64) & 1 == 1;
        let held = self.occupancy.is_held(self.buffer.bits(), index);
        match vacancy {
            None if live => check(!held, "E1: a live slot is held", here)?,
            None => check(held, "N1: an uncommitted slot is not held", here)?,
            Some(_) => check(!live, "E1: a slot without a value has no vacant bit", here)?,
        }
        counted.vacant += u32::from(!live);
        counted.uncommitted += u32::from(vacancy.is_none() && !live);
        counted.retired += u32::from(vacancy == Some(Vacancy::Retired));
        counted.free += u32::from(vacancy == Some(Vacancy::Free));
        check(mark & !L::COUNT == self.base_mark & L::TAG, "E4: the mark has another tag", here)
    }

    fn check_counts(&self, counted: &Counted, uncommitted: u32) -> Result<(), Fault> {
        let census = &self.occupancy.census;
        check(counted.vacant == census.vacant(), "E3: the count of vacant slots is wrong", None)?;
        check(counted.retired == census.retired(), "E3: the count of retired slots is wrong", None)?;
        check(counted.free == census.free(), "E3: the count of pending slots is wrong", None)?;
        check(counted.uncommitted == uncommitted, "N1: the count of uncommitted slots is wrong", None)
    }
}

/// Counts that are taken from the slots themselves.
#[derive(Default)]
struct Counted {
    vacant: u32,
    uncommitted: u32,
    retired: u32,
    free: u32,
}
