//! Checks every numbered invariant.

use core::fmt;

use super::Slots;
use super::buffer::Buffer;
use super::slot::Vacancy;
use crate::layout::{Layout, Marks};

/// Which invariant is broken, and where. Nothing in safe code should ever produce one.
///
/// Given by `validate`, which is for tests, fuzzing and bug reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    rule: &'static str,
    index: Option<u32>,
}

impl Fault {
    /// Of a container as a whole.
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
    pub(crate) fn validate(&self) -> Result<(), Fault> {
        self.buffer.fault().map_or(Ok(()), |rule| Err(Fault { rule, index: None }))?;
        self.check_room()?;
        self.check_counts()?;
        for index in 0..self.slot_count() {
            self.check_slot(index)?;
        }
        self.free_fault().map_or(Ok(()), |rule| Err(Fault { rule, index: None }))
    }

    fn check_room(&self) -> Result<(), Fault> {
        let room = self.room as usize;
        check(self.buffer.len() <= room, "E2: there are more slots than room", None)?;
        check(room <= self.buffer.capacity(), "E2: there is less memory than room", None)?;
        check(self.room <= L::MAX_SLOTS, "E2: there is more room than the layout has indices", None)?;
        check(self.bits.words() >= room.div_ceil(64), "E2: the bits do not cover the room", None)?;
        check(self.floor & 1 == 0, "E5: the floor is odd", None)
    }

    fn check_counts(&self) -> Result<(), Fault> {
        self.bits.fault(self.buffer.bits()).map_or(Ok(()), |rule| Err(Fault { rule, index: None }))?;
        let vacant = |wanted: Vacancy| {
            let mut found = 0;
            for index in 0..self.slot_count() {
                found += u32::from(self.state(index).1 == Some(wanted));
            }
            found
        };
        let live = (0..self.slot_count()).filter(|&index| self.live_mark(index).is_some()).count();
        check(live == self.len(), "E3: the count of vacant slots is wrong", None)?;
        check(vacant(Vacancy::Pending) == self.pending, "E3: the count of pending slots is wrong", None)?;
        check(vacant(Vacancy::Retired) == self.retired, "E3: the count of retired slots is wrong", None)?;
        let mut words = 0..u32::try_from(self.bits.words()).unwrap_or(u32::MAX);
        let beyond = words.any(|word| self.vacant_bits(word) & !self.existing_bits(word) != 0);
        check(!beyond, "E1: a slot that does not exist is counted as vacant", None)
    }

    fn check_slot(&self, index: u32) -> Result<(), Fault> {
        let (mark, vacancy) = self.state(index);
        let here = Some(index);
        let live = self.live_bits(index / 64) >> (index % 64) & 1 == 1;
        check(live == vacancy.is_none(), "E1: the bit and the mark disagree", here)?;
        check(mark & !L::COUNT == self.floor & L::TAG, "E4: the mark has another tag", here)?;
        let free = vacancy == Some(Vacancy::Free);
        check(self.lists(index) == free, "E3: the free slots are not those that are listed", here)
    }
}
