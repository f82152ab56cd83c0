//! Worlds as holders.

use super::AnyHandle;
use super::holder::{Holder, Moved, sealed};
use crate::error::Full;
use crate::key::{HandleOf, Key};
use crate::status::HandleError;
use crate::world::World;

impl<E, H: Key> sealed::Sealed for World<E, H> {}

/// Values that move in are spawned: they are uncommitted until the next commit.
impl<E, H: Key<Kind: 'static>> Holder for World<E, H> {
    type Value = E;
    type Kind = H::Kind;
    type Layout = H::Layout;
    type Key = H;

    fn shown(handle: HandleOf<H>) -> AnyHandle {
        AnyHandle::of::<H>(handle)
    }

    /// Ends the frame, so that all entities are live and none is dying.
    #[track_caller]
    fn flush(&mut self) {
        self.end_frame();
    }

    fn count(&self) -> usize {
        let mut count = 0;
        self.for_each(&mut |_, _| count += 1);
        count
    }

    fn make_room(&mut self, count: usize) -> Result<(), Full<()>> {
        self.make_room_to_spawn(count)
    }

    fn new_name(&mut self) -> Result<HandleOf<H>, Full<()>> {
        self.reserve_spawn()
    }

    fn release_name(&mut self, handle: HandleOf<H>) {
        self.release_spawn(handle);
    }

    fn move_in(&mut self, handle: HandleOf<H>, moved: Moved<E>) {
        self.fill_spawn(handle, moved.value, moved.permanent);
    }

    fn find(&self, handle: HandleOf<H>) -> Result<&E, HandleError> {
        self.check_raw(handle)?;
        self.find_raw(handle).ok_or(HandleError::Nil)
    }

    fn each(&self, see: &mut dyn FnMut(HandleOf<H>, &E)) {
        self.for_each(see);
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(HandleOf<H>, &mut E)) {
        self.for_each_mut(change);
    }

    fn take_all(&mut self, take: &mut dyn FnMut(HandleOf<H>, Moved<E>)) {
        self.empty_into(|handle, value, permanent| take(handle, Moved { value, permanent }));
    }
}
