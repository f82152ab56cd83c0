//! Entities that come from another world, or are copies of others.

use super::holder::{Holder, Newcomer, sealed};
use crate::error::Full;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::status::HandleError;
use crate::world::World;

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
        self.make_room_to_spawn(count)
    }

    fn new_name(&mut self) -> Result<Handle<K, L>, Full<()>> {
        self.reserve_spawn()
    }

    fn release_name(&mut self, handle: Handle<K, L>) {
        self.release_spawn(handle);
    }

    fn move_in(&mut self, handle: Handle<K, L>, newcomer: Newcomer<E>) {
        self.fill_spawn(handle, newcomer.value, newcomer.permanent);
    }

    fn find(&self, handle: Handle<K, L>) -> Result<&E, HandleError> {
        self.try_get(handle)
    }

    fn each(&self, see: &mut dyn FnMut(Handle<K, L>, &E)) {
        self.iter_all().for_each(|(handle, entity)| see(handle, entity));
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(Handle<K, L>, &mut E)) {
        self.for_each_mut(change);
    }

    fn take_all(&mut self, take: &mut dyn FnMut(Handle<K, L>, Newcomer<E>)) {
        self.empty_into(|handle, value, permanent| take(handle, Newcomer { value, permanent }));
    }
}
