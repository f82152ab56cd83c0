//! The expected results of every container, in the simplest code possible.
//!
//! The model remembers every handle that was ever issued. It does not model the order in which free
//! slots are reused: the container must choose a free slot with its next generation. Twins check
//! that the choice depends only on the calls (see [`Run`](crate::Run)).

mod iterate;
mod judge;
mod look;
mod out;
mod put;
mod rows;
mod shrink;

use std::collections::BTreeSet;

pub use self::judge::After;
pub(crate) use self::out::extract;
use self::rows::Order;

use tenure::Status;

use crate::answer::{Census, Sight, Why};
use crate::name::{Name, Shape};
use crate::rig::Rig;
use crate::subject::Supports;

/// One slot: its last tenant, and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tenancy {
    /// The generation of the last tenant; 0 if there was none.
    newest: u32,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live(u32),
    Pending,
    Free,
    Retired,
}

/// The expected state of a container.
#[derive(Clone, Debug)]
pub struct Model {
    slots: Vec<Tenancy>,
    /// The value of `newest` for slots that do not exist yet.
    floor: u32,
    /// `insert_at` accepts every index below this.
    reach: u32,
    shape: Shape,
    tag: u32,
    /// The highest possible number of slots.
    limit: usize,
    supports: Supports,
    /// The order of iteration, if it is by row and not by index.
    order: Option<Order>,
    /// Every handle that was ever live, except those of recycled slots.
    ever: BTreeSet<Name>,
}

/// How far above the last slot `insert_at` may go.
const FAR: u64 = 4_096;

impl Model {
    /// The model of an empty container.
    #[must_use]
    pub fn of(rig: &Rig) -> Self {
        let Rig { shape, tag, supports, .. } = *rig;
        let limit = rig.limit.min(shape.max_slots as usize);
        let order = supports.rows.then(Order::new);
        Self { slots: Vec::new(), floor: 0, reach: 0, shape, tag, limit, supports, order, ever: BTreeSet::new() }
    }

    /// Live handles and the ids of their values, in the order of iteration.
    #[must_use]
    pub fn live(&self) -> Vec<(Name, u32)> {
        if let Some(order) = &self.order {
            return order.names.iter().filter_map(|&name| Some((name, self.id(name)?))).collect();
        }
        let slots = self.slots.iter().zip(0..);
        slots
            .filter_map(|(slot, index)| match slot.state {
                State::Live(id) => Some((self.name(index, slot.newest), id)),
                _ => None,
            })
            .collect()
    }

    /// Pending handles.
    #[must_use]
    pub fn pending(&self) -> Vec<Name> {
        let slots = self.slots.iter().zip(0..).filter(|(slot, _)| slot.state == State::Pending);
        slots.map(|(slot, index)| self.name(index, slot.newest)).collect()
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count(|state| matches!(state, State::Live(_)))
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many slots there are.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    fn count(&self, wanted: impl Fn(State) -> bool) -> usize {
        self.slots.iter().filter(|slot| wanted(slot.state)).count()
    }

    fn free_count(&self) -> usize {
        self.count(|state| state == State::Free)
    }

    /// The number of values that can be inserted before there are no slots left.
    pub(crate) fn room_left(&self) -> usize {
        self.free_count() + (self.limit - self.slots.len())
    }

    /// Returns `true` if there is less room than the layout has indices: all of it exists from the
    /// start.
    fn is_limited(&self) -> bool {
        self.limit < self.shape.max_slots as usize
    }

    /// The handle of a tenant.
    fn name(&self, index: u32, generation: u32) -> Name {
        self.shape.name(index, generation, self.tag)
    }

    fn tenancy(&self, index: u32) -> Tenancy {
        let missing = Tenancy { newest: self.floor, state: State::Free };
        self.slots.get(index as usize).copied().unwrap_or(missing)
    }

    /// The slot of a handle, if the tag is this container's and the handle is that of the newest
    /// tenant.
    fn newest(&mut self, name: Name) -> Option<&mut Tenancy> {
        if name.is_nil() || name.tag() != self.tag {
            return None;
        }
        let slot = self.slots.get_mut(name.index() as usize)?;
        (slot.newest == name.generation()).then_some(slot)
    }

    fn id(&self, name: Name) -> Option<u32> {
        match self.why_not(name) {
            Some(_) => None,
            None => match self.tenancy(name.index()).state {
                State::Live(id) => Some(id),
                _ => None,
            },
        }
    }

    /// Why a handle does not resolve; `None` if it is live.
    #[must_use]
    pub fn why_not(&self, name: Name) -> Option<Why> {
        if name.is_nil() {
            return Some(Why::Nil);
        }
        if name.tag() != self.tag {
            return Some(Why::Foreign { tag: name.tag(), expected: self.tag });
        }
        let (index, generation) = (name.index(), name.generation());
        let Tenancy { newest: current, state } = self.tenancy(index);
        match state {
            _ if generation > current => Some(Why::NeverIssued { index, generation }),
            State::Retired => Some(Why::Retired { index, generation, current }),
            State::Pending if generation == current => Some(Why::Pending { index, generation }),
            State::Live(_) if generation == current => None,
            _ => Some(Why::Removed { index, generation, current, vacant: state == State::Free }),
        }
    }

    /// The expected results of all `&self` methods for a handle.
    #[must_use]
    pub fn sight(&self, name: Name) -> Sight {
        let why_not = self.why_not(name);
        let status = why_not.and_then(Why::status).unwrap_or(Status::Live);
        Sight { get: self.id(name), contains: why_not.is_none(), status, why_not }
    }

    /// All counts. The capacity is predicted only where it is limited; otherwise it is copied from
    /// `seen`.
    #[must_use]
    pub fn census(&self, seen: &Census) -> Census {
        let end = self.slots.iter().rposition(|slot| matches!(slot.state, State::Live(_))).map_or(0, |last| last + 1);
        Census {
            len: self.len(),
            is_empty: self.is_empty(),
            live: self.len(),
            vacant: self.free_count(),
            pending: self.count(|state| state == State::Pending),
            retired: self.count(|state| state == State::Retired),
            holes: if self.supports.rows { 0 } else { end - self.len() },
            highest_generation: self.slots.iter().map(|slot| slot.newest).max().unwrap_or(0),
            capacity: if self.is_limited() { self.limit } else { seen.capacity },
        }
    }
}
