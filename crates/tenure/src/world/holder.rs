//! Entities that come from another world, or are copies of others.

use super::World;
use crate::error::{Full, FullKind};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::relink::{Holder, Newcomer, sealed};
use crate::status::HandleError;

impl<E, K: ?Sized, L: Layout> sealed::Sealed for World<E, K, L> {}

/// Newcomers are spawned: they are pending until the commit.
impl<E, K: ?Sized + 'static, L: Layout> Holder for World<E, K, L> {
    type Value = E;
    type Kind = K;
    type Layout = L;

    /// The frame ends: who is left is live, and not dying.
    #[track_caller]
    fn settle(&mut self) {
        self.end_frame();
    }

    fn count(&self) -> usize {
        self.iter_all().count()
    }

    fn make_room(&mut self, count: usize) -> Result<(), Full<()>> {
        self.shared.free_kept();
        let pool = self.shared.unsettled();
        pool.make_room(count)?;
        let slots = pool.slots.slot_count() as usize;
        if self.shared.expect_newborn(count) && self.register.get_mut().expect_births(count, slots) {
            Ok(())
        } else {
            Err(Full::new((), FullKind::Memory))
        }
    }

    fn new_name(&mut self) -> Result<Handle<K, L>, Full<()>> {
        self.shared.reserve_newborn()
    }

    fn release_name(&mut self, handle: Handle<K, L>) {
        if !self.contains(handle) {
            self.shared.remove_in_split(handle);
        }
    }

    fn move_in(&mut self, handle: Handle<K, L>, newcomer: Newcomer<E>) {
        if self.shared.fill_newborn(handle, newcomer.value).is_err() {
            debug_assert!(false, "there is room, and the handle was reserved");
            return;
        }
        let register = self.register.get_mut();
        register.note_birth(handle, false);
        if newcomer.permanent {
            register.make_permanent(handle);
        }
    }

    fn find(&self, handle: Handle<K, L>) -> Result<&E, HandleError> {
        self.try_get(handle)
    }

    fn each(&self, see: &mut dyn FnMut(Handle<K, L>, &E)) {
        self.iter_all().for_each(|(handle, entity)| see(handle, entity));
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(Handle<K, L>, &mut E)) {
        self.iter_mut().for_each(|(handle, entity)| change(handle, entity));
        for position in 0..self.register.get_mut().pending.len() {
            let handle = self.register.get_mut().pending[position];
            if let Some(entity) = self.get_mut(handle) {
                change(handle, entity);
            }
        }
    }

    fn take_all(&mut self, take: &mut dyn FnMut(Handle<K, L>, Newcomer<E>)) {
        self.empty_into(|handle, value, permanent| take(handle, Newcomer { value, permanent }));
    }
}
