//! Compares an answer with the expected one.

use std::fmt::Debug;

use super::{Model, State};
use crate::action::{Action, Make, Room};
use crate::answer::{Answer, Census};
use crate::name::Name;
use crate::tracked::changed;

/// The state of the container after an action, where the answer alone is not enough.
#[derive(Clone, Debug)]
pub struct After {
    /// Handles and ids of values that the action inserted.
    pub inserted: Vec<(Name, u32)>,
    /// The counts.
    pub census: Census,
}

impl Model {
    /// Compares an answer with the expected one, and applies the action to the model.
    ///
    /// # Errors
    ///
    /// The expected answer.
    pub fn judge(&mut self, action: &Action, answer: &Answer, after: &After) -> Result<(), String> {
        self.order.iter_mut().for_each(|order| order.moves.clear());
        let Answer::Moved(answer, said) = answer else {
            self.judge_plain(action, answer, after)?;
            if self.supports.trims {
                self.trim(after.census.slots());
            }
            return Ok(());
        };
        self.judge_plain(action, answer, after)?;
        let right = self.order.as_ref().map(|order| &order.moves);
        expect(&Some(said), &right).map_err(|error| format!("moves: {error}"))
    }

    fn judge_plain(&mut self, action: &Action, answer: &Answer, after: &After) -> Result<(), String> {
        match action {
            Action::Put(put) => self.judge_put(put, answer, after),
            Action::Out(out) => self.judge_out(out, answer),
            Action::Look(look) => self.judge_look(look, answer),
            Action::Iterate(which, path) => self.judge_iterate(*which, *path, answer),
            Action::Room(room) => self.judge_room(*room, answer, after),
            Action::Make(make) => self.judge_make(make, answer),
            Action::Rows(rows) => self.judge_rows(rows, answer),
        }
    }

    fn judge_room(&mut self, room: Room, answer: &Answer, after: &After) -> Result<(), String> {
        match room {
            Room::TryReserve(count) => {
                expect(answer, &Answer::Done(self.has_indices_for(count)))?;
                self.check_capacity(count, after)
            }
            Room::Reserve(count) | Room::ReserveExact(count) if self.has_indices_for(count) => {
                expect(answer, &Answer::Done(true))?;
                self.check_capacity(count, after)
            }
            Room::Reserve(_) | Room::ReserveExact(_) => expect_panic(answer, "cannot grow"),
            Room::Shrink | Room::ShrinkTo(_) => {
                expect(answer, &Answer::Done(true))?;
                self.shrink_to(after.census.slots())
            }
            Room::WarmUp => expect(answer, &Answer::Done(true)),
            Room::Recycle => expect(answer, &Answer::Count(self.recycle())),
            Room::ReleasePending => expect(answer, &Answer::Count(self.release_pending())),
            Room::ReserveSlots(count) => {
                self.reach = self.reach.max(u32::try_from(count).unwrap_or(u32::MAX));
                expect(answer, &Answer::Done(true))
            }
        }
    }

    /// Returns `true` if there are indices for this many more values. No allocation has more than
    /// `isize::MAX` bytes, and every slot takes some: on 32 bits there are more indices than that.
    fn has_indices_for(&self, count: usize) -> bool {
        count <= self.room_left() && isize::try_from(count).is_ok()
    }

    fn check_capacity(&self, count: usize, after: &After) -> Result<(), String> {
        if !self.has_indices_for(count) {
            return Ok(());
        }
        let needed = if self.supports.rows {
            self.len() + count
        } else {
            self.slots.len() + count.saturating_sub(self.free_count())
        };
        let capacity = after.census.capacity;
        if capacity >= needed { Ok(()) } else { Err(format!("the capacity is {capacity}, expected {needed}")) }
    }

    /// Retired slots restart with generation 1, and their handles may be issued again: the caller
    /// has accepted that.
    fn recycle(&mut self) -> usize {
        let mut count = 0;
        for (slot, index) in self.slots.iter_mut().zip(0_u32..) {
            if slot.state == State::Retired {
                (slot.state, slot.newest) = (State::Free, 0);
                self.ever.retain(|name| name.index() != index);
                count += 1;
            }
        }
        count
    }

    fn judge_make(&mut self, make: &Make, answer: &Answer) -> Result<(), String> {
        match make {
            Make::Map => {
                for slot in &mut self.slots {
                    if let State::Live(id) = &mut slot.state {
                        *id = changed(*id);
                    }
                }
                expect(answer, &Answer::Done(true))
            }
            Make::Collect(ids) if ids.len() > self.limit => expect_panic(answer, "full"),
            Make::Collect(ids) => {
                let items = ids.iter().zip(0..).map(|(&id, index)| (Some(self.shape.name(index, 1, 0)), Some(id)));
                expect(answer, &Answer::Items(items.collect()))
            }
        }
    }
}

pub(super) fn expect<T: PartialEq + Debug>(answer: &T, right: &T) -> Result<(), String> {
    if answer == right { Ok(()) } else { Err(format!("answered {answer:?}, expected {right:?}")) }
}

pub(super) fn expect_panic(answer: &Answer, part: &str) -> Result<(), String> {
    match answer {
        Answer::Panicked(message) if message.contains(part) => Ok(()),
        other => Err(format!("answered {other:?}, expected a panic with `{part}`")),
    }
}
