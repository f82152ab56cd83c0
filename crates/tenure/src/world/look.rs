//! Looking entities up, by handle and by id.
#![expect(unsafe_code, reason = "gives out references to entities while others are spawned")]

use super::{EntityId, World};
use crate::key::{HandleOf, Key};
use crate::lifecycle::Frame;
use crate::status::HandleError;

impl<E, H: Key> World<E, H> {
    /// The entity of a handle, be it pending, live or dying.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&E> {
        // SAFETY: by X1 entities are mutated with `&mut self` only.
        self.lifecycle.find(handle.handle()).map(|entity| unsafe { entity.as_ref() })
    }

    pub(crate) fn check_raw(&self, handle: HandleOf<H>) -> Result<(), HandleError> {
        if self.lifecycle.find(handle).is_some() {
            return Ok(());
        }
        Err(self.lifecycle.look(|pool| pool.why_not_live(handle)))
    }

    pub(crate) fn find_raw(&self, handle: HandleOf<H>) -> Option<&E> {
        // SAFETY: as in `get`.
        self.lifecycle.find(handle).map(|entity| unsafe { entity.as_ref() })
    }

    /// As [`get`](Self::get), to change the entity.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut E> {
        // SAFETY: by X1 there is no other reference to the entity: `self` is borrowed mutably.
        self.lifecycle.find(handle.handle()).map(|mut entity| unsafe { entity.as_mut() })
    }

    /// As [`get`](Self::get), with an error that says why there is no entity.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    pub fn try_get(&self, handle: H) -> Result<&E, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// As [`try_get`](Self::try_get), to change the entity.
    ///
    /// # Errors
    ///
    /// What became of the handle.
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

    /// Whether the handle leads to an entity, be it pending, live or dying.
    #[must_use]
    #[doc(alias("is_alive", "valid"))]
    pub fn contains(&self, handle: H) -> bool {
        self.lifecycle.find(handle.handle()).is_some()
    }

    /// The handles that the last commit has committed, how many of them had a handle before, and
    /// the first ticket of the others.
    pub(super) fn last_committed(&self) -> (&[HandleOf<H>], usize, u64) {
        let (born, with_handle, first_ticket) = self.lifecycle.look_at_lists(|lists| {
            let of_frame = |frame: &Frame<_, _>| {
                (core::ptr::from_ref(&frame.committed[..]), frame.committed_with_handle, frame.first_ticket)
            };
            lists.frame.as_ref().map_or((core::ptr::from_ref(&[][..]), 0, 0), of_frame)
        });
        // SAFETY: by Q5 the list and its memory stay as they are while `self` is borrowed: only
        // `&mut World` changes them.
        (unsafe { &*born }, with_handle, first_ticket)
    }

    /// The id of an entity, for logs, tools and the network. `None` if it is dead.
    #[must_use]
    pub fn id_of(&self, handle: H) -> Option<EntityId> {
        let handle = handle.handle();
        self.lifecycle.find(handle)?;
        self.look_at_frame(|frame| frame.id_of(handle.index()))
    }

    /// The entity that has an id, if it is not dead. A dead handle never falls back to an id: the
    /// two are asked separately.
    ///
    /// O(1), expected. The first time, it makes a table of all ids, which births and deaths keep up
    /// from then on.
    #[must_use]
    pub fn by_id(&self, id: EntityId) -> Option<H> {
        let slot = self.lifecycle.change_lists(|lists| lists.frame.as_mut()?.slot_of(id))?;
        self.lifecycle.handle_at(slot).map(H::from_handle)
    }
}
