//! Looking entities up, by handle and by id.
#![expect(unsafe_code, reason = "gives out lists that change through `&mut self` only, and declares get_unchecked")]

use super::{EntityId, World};
use crate::key::{HandleOf, Key};
use crate::lifecycle::Frame;
use crate::status::HandleError;

impl<E, H: Key> World<E, H> {
    /// Returns the entity that a handle resolves to: spawned, live or dying. O(1).
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let orc = world.spawn("orc");
    /// assert_eq!(world.get(orc), Some(&"orc"));
    /// world.discard(orc);
    /// assert_eq!(world.get(orc), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&E> {
        self.lifecycle.get(handle.handle())
    }

    /// Returns the entity of a handle without checking that it resolves.
    ///
    /// # Safety
    ///
    /// The handle resolves: [`contains`](Self::contains) returns `true`.
    ///
    /// ```
    /// let world = tenure::World::new();
    /// let handle = world.spawn(7);
    /// // SAFETY: the entity was spawned just now.
    /// assert_eq!(unsafe { *world.get_unchecked(handle) }, 7);
    /// ```
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: H) -> &E {
        // SAFETY: the caller's: `get` returns an entity.
        unsafe { self.get(handle).unwrap_unchecked() }
    }

    pub(crate) fn check_raw(&self, handle: HandleOf<H>) -> Result<(), HandleError> {
        if self.lifecycle.find(handle).is_some() {
            return Ok(());
        }
        Err(self.lifecycle.look(|pool| pool.why_not_live(handle)))
    }

    pub(crate) fn find_raw(&self, handle: HandleOf<H>) -> Option<&E> {
        self.lifecycle.get(handle)
    }

    /// Like [`get`](Self::get), mutably.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut E> {
        self.pool_mut().get_mut(handle)
    }

    /// Like [`get`](Self::get), but returns an error that says why the handle does not resolve.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// world.discard(orc);
    /// let error = world.try_get(orc).unwrap_err();
    /// assert_eq!(error.to_string(), "0v1 was removed: slot 0 is vacant, v1 was its last tenant");
    /// ```
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    pub fn try_get(&self, handle: H) -> Result<&E, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// Like [`try_get`](Self::try_get), mutably.
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    pub fn try_get_mut(&mut self, handle: H) -> Result<&mut E, HandleError> {
        if !self.contains(handle) {
            return Err(self.why_not_live(handle));
        }
        self.get_mut(handle).ok_or(HandleError::Nil)
    }

    fn why_not_live(&self, handle: H) -> HandleError {
        let handle = handle.handle();
        self.lifecycle.look(|pool| pool.why_not_live(handle))
    }

    /// Returns `true` if the handle resolves to an entity: spawned, live or dying.
    #[must_use]
    #[doc(alias("is_alive", "valid"))]
    pub fn contains(&self, handle: H) -> bool {
        self.lifecycle.find(handle.handle()).is_some()
    }

    /// Returns the handles that the last commit has committed, how many of them had a handle
    /// before, and the first ticket of the others.
    pub(super) fn last_committed(&self) -> (&[HandleOf<H>], usize, u64) {
        let (committed, with_handle, first_ticket) = self.lifecycle.look_at_lists(|lists| {
            let of_frame = |frame: &Frame<_, _>| {
                (core::ptr::from_ref(&frame.committed[..]), frame.committed_with_handle, frame.first_ticket)
            };
            lists.frame.as_ref().map_or((core::ptr::from_ref(&[][..]), 0, 0), of_frame)
        });
        // SAFETY: by Q5 the list and its memory stay as they are while `self` is borrowed: only
        // `&mut World` changes them.
        (unsafe { &*committed }, with_handle, first_ticket)
    }

    /// Returns the id of an entity, for logs and tools. `None` if the handle does not resolve.
    /// O(1).
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// let id = world.id_of(orc).unwrap();
    /// assert_eq!(world.by_id(id), Some(orc));
    ///
    /// world.discard(orc);
    /// assert_eq!((world.id_of(orc), world.by_id(id)), (None, None)); // the id is not reused
    /// ```
    #[must_use]
    pub fn id_of(&self, handle: H) -> Option<EntityId> {
        self.id_of_raw(handle.handle())
    }

    pub(super) fn id_of_raw(&self, handle: HandleOf<H>) -> Option<EntityId> {
        self.lifecycle.find(handle)?;
        self.look_at_frame(|frame| frame.id_of(handle.index()))
    }

    /// Returns the handle of the entity with an id. `None` if it was removed, or there is no such
    /// id.
    ///
    /// O(1) on average. The first call is O(slots): it builds a table of all ids, which spawns and
    /// removals update from then on.
    ///
    /// ```
    /// let world = tenure::World::new();
    /// let orc = world.spawn("orc");
    /// let id = world.id_of(orc).unwrap(); // for example, in a log
    /// assert_eq!(world.by_id(id), Some(orc));
    /// ```
    #[must_use]
    pub fn by_id(&self, id: EntityId) -> Option<H> {
        self.by_id_raw(id).map(H::from_handle)
    }

    pub(super) fn by_id_raw(&self, id: EntityId) -> Option<HandleOf<H>> {
        let slot = self.lifecycle.change_lists(|lists| lists.frame.as_mut()?.slot_of(id))?;
        self.lifecycle.handle_at(slot)
    }
}
