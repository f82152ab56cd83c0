//! What is saved of a world beside its entities, and making a world of it. Nothing that was saved
//! is believed.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;

use super::register::Register;
use super::{EntityId, FrameReport, World};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Chunks, Preamble, Slots, Tenancy, add_to};
use crate::stable::{Kept, Shared};

/// Who is who, and what is still to be done in the frame.
#[derive(Debug)]
pub(crate) struct SavedFrame<K: ?Sized, L: Layout> {
    /// Of all entities, pending ones too, by index. If they are missing, all get new ones.
    pub(crate) ids: Option<Vec<EntityId>>,
    pub(crate) last_id: u64,
    pub(crate) permanent: Vec<Handle<K, L>>,
    pub(crate) pending: Vec<Handle<K, L>>,
    pub(crate) kept: Kept,
    pub(crate) dying: Vec<Handle<K, L>>,
    pub(crate) born: Vec<Handle<K, L>>,
    pub(crate) born_with_handle: usize,
    pub(crate) dead: Vec<Handle<K, L>>,
    pub(crate) tickets: u64,
    pub(crate) first_ticket: u64,
    pub(crate) report: FrameReport,
}

/// Why no world can be made of what was saved: the field, and what is wrong there.
#[derive(Debug)]
pub(crate) enum FrameFlaw<K: ?Sized, L: Layout> {
    Tag,
    IdCount { ids: usize, entities: usize },
    IdTwice(EntityId),
    Dead(&'static str, Handle<K, L>),
    Twice(&'static str, Handle<K, L>),
    Kept(&'static str, u32),
    Number(&'static str),
    Memory,
}

impl<K: ?Sized, L: Layout> fmt::Display for FrameFlaw<K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag => f.write_str("tag: a world has none"),
            Self::IdCount { ids, entities } => write!(f, "ids: there are {ids} for {entities} entities"),
            Self::IdTwice(id) => write!(f, "ids: {id} is there twice"),
            Self::Dead(field, handle) => write!(f, "{field}: {handle} is not alive"),
            Self::Twice(field, handle) => write!(f, "{field}: {handle} is there twice"),
            Self::Kept(field, slot) => write!(f, "{field}: slot {slot} is not kept for anybody, or is there twice"),
            Self::Number(field) => write!(f, "{field}: the number does not fit the others"),
            Self::Memory => f.write_str("there is no memory for the world"),
        }
    }
}

/// What is counted up begins below this: no history gets to the end.
const FAR: u64 = 1 << 62;

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// What is to be saved beside the entities.
    pub(crate) fn saved_frame(&self) -> SavedFrame<K, L> {
        let register = self.register.borrow();
        let permanent = register.permanent().filter_map(|slot| self.shared.handle_at(slot)).collect();
        SavedFrame { permanent, ..register.save(self.shared.kept()) }
    }

    /// Whether nobody was born or staged, and nobody is to be born elsewhere, since the frame was
    /// saved.
    pub(crate) fn is_as(&self, frame: &SavedFrame<K, L>) -> bool {
        self.register.borrow().given() == (frame.last_id, frame.tickets) && self.shared.kept() == frame.kept
    }

    /// What is to be saved of the pool beside its slots.
    pub(crate) fn preamble(&self) -> Preamble {
        self.shared.look(|pool| pool.slots.preamble())
    }

    /// How many slots there are.
    pub(crate) fn slot_count(&self) -> u32 {
        self.shared.look(|pool| pool.slots.slot_count())
    }

    /// What is to be saved of a slot, and its entity. A slot that is kept for somebody counts as
    /// pending.
    pub(crate) fn saved_slot(&self, slot: u32) -> (Tenancy, Option<&E>) {
        let tenancy = self.shared.tenancy(slot);
        (tenancy, self.shared.handle_at(slot).and_then(|handle| self.get(handle)))
    }

    /// What is staged is looked at by the closure.
    pub(crate) fn with_staged<R>(&self, look: impl FnOnce(&[E]) -> R) -> R {
        look(&self.staged.borrow())
    }

    /// A world, if everything fits.
    pub(crate) fn from_saved(
        slots: Slots<E, L, Chunks<E>>,
        staged: Vec<E>,
        frame: SavedFrame<K, L>,
    ) -> Result<Self, FrameFlaw<K, L>> {
        let shared = Shared::new(Pool::from_slots(slots));
        check_numbers(&frame, staged.len())?;
        let register = Register::load(frame, &shared)?;
        shared.look(|pool| if pool.tag() == 0 { Ok(()) } else { Err(FrameFlaw::Tag) })?;
        if register.pending.is_empty() {
            shared.settle();
        }
        Ok(Self {
            shared,
            register: RefCell::new(register),
            staged: RefCell::new(staged),
            desks: Vec::new(),
            copying: Cell::new(0),
        })
    }
}

/// Whether nothing that is counted can overflow, or say that something was before it could be.
fn check_numbers<K: ?Sized, L: Layout>(frame: &SavedFrame<K, L>, staged: usize) -> Result<(), FrameFlaw<K, L>> {
    let FrameReport { frame: number, born, died, already_dead, named_twice } = frame.report;
    let committed = frame.born.len().saturating_sub(frame.born_with_handle);
    let is_near = |count: usize| count <= usize::MAX / 4;
    let checks = [
        ("last_id", frame.last_id < FAR),
        ("ids", frame.ids.iter().flatten().all(|id| id.get() < FAR)),
        ("tickets", frame.tickets < FAR && frame.tickets >= staged as u64),
        (
            "first_ticket",
            frame.first_ticket.saturating_add(committed as u64) <= frame.tickets.saturating_sub(staged as u64),
        ),
        ("born_with_handle", frame.born_with_handle <= frame.born.len()),
        ("report", number < FAR && [born, died, already_dead, named_twice].into_iter().all(is_near)),
    ];
    match checks.into_iter().find(|(_, holds)| !holds) {
        Some((field, _)) => Err(FrameFlaw::Number(field)),
        None => Ok(()),
    }
}

/// Each handle of a list is alive, and there once.
fn all_alive<E, K: ?Sized, L: Layout>(
    field: &'static str,
    handles: &[Handle<K, L>],
    shared: &Shared<E, K, L>,
) -> Result<(), FrameFlaw<K, L>> {
    let slots = shared.look(|pool| pool.slots.slot_count()) as usize;
    let mut seen = alloc::vec![0_u64; slots.div_ceil(64)];
    for &handle in handles {
        if shared.find(handle).is_none() {
            return Err(FrameFlaw::Dead(field, handle));
        }
        if !add_to(&mut seen, handle.index()) {
            return Err(FrameFlaw::Twice(field, handle));
        }
    }
    Ok(())
}

impl<K: ?Sized, L: Layout> Register<K, L> {
    fn load<E>(frame: SavedFrame<K, L>, shared: &Shared<E, K, L>) -> Result<Self, FrameFlaw<K, L>> {
        let lists = [("permanent", &frame.permanent), ("pending", &frame.pending), ("dying", &frame.dying)];
        lists.into_iter().try_for_each(|(field, list)| all_alive(field, list, shared))?;
        let slots = shared.look(|pool| pool.slots.slot_count());
        let mut register = Self::EMPTY;
        if !register.expect_births(shared.look(Pool::len), slots as usize) {
            return Err(FrameFlaw::Memory);
        }
        let alive = (0..slots).filter_map(|slot| shared.handle_at(slot));
        register.give_ids(alive, frame.ids.as_deref(), frame.last_id)?;
        frame.permanent.iter().for_each(|&handle| register.make_permanent(handle));
        frame.dying.iter().for_each(|&handle| _ = register.condemn(handle));
        shared.reopen(&frame.pending, &frame.kept).map_err(|(field, slot)| FrameFlaw::Kept(field, slot))?;
        // Who was being made when the world was saved is not made any more.
        shared.with(|pool| pool.slots.release_waiting());
        let mut register = register.with_lists_of(frame);
        // The lists are others now: room that Q1 asks for is made there.
        if register.expect_births(0, slots as usize) { Ok(register) } else { Err(FrameFlaw::Memory) }
    }
}
