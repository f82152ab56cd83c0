//! Changing some entities while others are born and die.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

use core::cell::RefCell;
use core::fmt;
use core::ptr::NonNull;

use super::World;
use super::register::Register;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::stable::{Frame, Live, Shared, Spawner};
use crate::status::Status;

/// The frame of a [`World`], as its [`Live`] and its [`Spawner`] know it.
pub struct InFrame<'a, K: ?Sized, L: Layout> {
    register: &'a RefCell<Register<K, L>>,
    /// Whether who is born now may be borrowed by whom has let it be born.
    fresh: bool,
}

impl<'a, K: ?Sized, L: Layout> InFrame<'a, K, L> {
    pub(super) fn new(register: &'a RefCell<Register<K, L>>, fresh: bool) -> Self {
        Self { register, fresh }
    }

    pub(super) fn status<E>(self, shared: &Shared<E, K, L>, handle: Handle<K, L>) -> Status {
        if shared.find(handle).is_none() {
            shared.look(|pool| pool.status(handle))
        } else if self.register.borrow().is_dying(handle) {
            Status::Dying
        } else {
            alive(shared, handle)
        }
    }

    pub(super) fn despawn<E>(self, shared: &Shared<E, K, L>, handle: Handle<K, L>) -> Status {
        if shared.find(handle).is_none() {
            return self.despawn_dead(shared, handle);
        }
        let mut register = self.register.borrow_mut();
        if register.condemn(handle) {
            alive(shared, handle)
        } else {
            register.report.named_twice += 1;
            Status::Dying
        }
    }

    /// Also who is still being made cannot be named.
    #[cold]
    #[inline(never)]
    fn despawn_dead<E>(self, shared: &Shared<E, K, L>, handle: Handle<K, L>) -> Status {
        self.register.borrow_mut().report.already_dead += 1;
        shared.look(|pool| pool.status(handle))
    }
}

/// What somebody is who has a value and is not dying.
fn alive<E, K: ?Sized, L: Layout>(shared: &Shared<E, K, L>, handle: Handle<K, L>) -> Status {
    if shared.is_admitted(handle) { Status::Live } else { Status::Pending }
}

impl<K: ?Sized, L: Layout> Clone for InFrame<'_, K, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: ?Sized, L: Layout> Copy for InFrame<'_, K, L> {}

impl<K: ?Sized, L: Layout> fmt::Debug for InFrame<'_, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InFrame").finish_non_exhaustive()
    }
}

// SAFETY: X3 and Q4, who is born in a split is not `OLD` until the next split begins or it is
// committed; both come after this split.
unsafe impl<E, K: ?Sized, L: Layout> Frame<E, K, L> for InFrame<'_, K, L> {
    #[inline]
    fn find(self, shared: &Shared<E, K, L>, handle: Handle<K, L>) -> Option<NonNull<E>> {
        // SAFETY: as N2, the register is borrowed for this line, in which no code of the caller's
        // runs; nobody has borrowed it alone for longer than a call of a function here.
        let can_be_old = unsafe { &*self.register.as_ptr() }.can_be_old(handle);
        // SAFETY: Q4, there is a value in the slot.
        if can_be_old { unsafe { shared.find_in_used(handle) } } else { None }
    }

    fn expect_birth(self, shared: &Shared<E, K, L>) -> bool {
        let slots = shared.look(|pool| pool.slots.slot_count());
        self.register.borrow_mut().expect_birth(slots as usize)
    }

    fn note_birth(self, handle: Handle<K, L>) {
        self.register.borrow_mut().note_birth(handle, self.fresh);
    }

    fn end_half(self, _shared: &Shared<E, K, L>) {}
}

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// Two halves: the entities of this frame, to look at and to change, and a spawner that lets
    /// others be born and die at the same time.
    ///
    /// ```
    /// use tenure::{Handle, World};
    ///
    /// struct Thing { fuse: u32, effect: Option<Handle<Thing>> }
    ///
    /// fn do_cool_thing(fuse: u32) -> Thing { Thing { fuse, effect: None } }
    ///
    /// let mut world = World::new();
    /// world.spawn(do_cool_thing(1));
    /// world.end_frame();
    ///
    /// let (mut live, spawner) = world.split();
    /// for (handle, thing) in live.iter_mut() {
    ///     thing.effect = Some(spawner.spawn(do_cool_thing(9))); // three months later, by somebody else
    ///     thing.fuse -= 1; // and `thing` is still what it was
    ///     if thing.fuse == 0 {
    ///         spawner.despawn(handle);
    ///     }
    /// }
    /// drop((live, spawner));
    /// let report = world.end_frame();
    /// assert_eq!((report.born, report.died), (1, 1));
    /// ```
    ///
    /// In `Live`, handles resolve as in the world, but for those that this split has made;
    /// [`Live::for_each_mut`] lets entities look at each other.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    #[expect(clippy::type_complexity, reason = "two halves, each with its frame")]
    pub fn split(&mut self) -> (Live<'_, E, K, L, InFrame<'_, K, L>>, Spawner<'_, E, K, L, InFrame<'_, K, L>>) {
        self.register.get_mut().end_split();
        let frame = InFrame::new(&self.register, true);
        (Live::new(&self.shared, frame), Spawner::new(&self.shared, frame))
    }
}

impl<E, K: ?Sized, L: Layout> Spawner<'_, E, K, L, InFrame<'_, K, L>> {
    /// Names an entity for death: see [`World::despawn`]. It may be one that is borrowed at the
    /// moment, or one that was just born.
    pub fn despawn(&self, handle: Handle<K, L>) -> Status {
        self.frame.despawn(self.shared, handle)
    }
}
