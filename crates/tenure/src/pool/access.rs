//! Lookup and iteration.

use super::{Handles, IntoValues, Iter, IterMut, Loans, PendingHandles, Pool, Values, ValuesMut};
use crate::error::GetDisjointMutError;
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::layout::{Layout, Marks};
use crate::slots::{Buffer, Conflict, SlotRef, Slots};
use crate::status::{HandleError, Status, diagnose};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Returns the value that a handle resolves to. A bounds check and one comparison; never
    /// panics.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let orc = pool.insert("orc");
    /// assert_eq!(pool.get(orc), Some(&"orc"));
    /// pool.remove(orc);
    /// assert_eq!(pool.get(orc), None);
    /// ```
    #[inline(always)]
    #[must_use]
    #[doc(alias("resolve", "upgrade"))]
    pub fn get(&self, handle: H) -> Option<&T> {
        let slot = handle.slot();
        self.slots.get(slot.index, slot.mark)
    }

    /// Like [`get`](Self::get), mutably.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let health = pool.insert(10);
    /// if let Some(points) = pool.get_mut(health) {
    ///     *points -= 3;
    /// }
    /// assert_eq!(pool[health], 7);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        let slot = handle.slot();
        self.slots.get_mut(slot.index, slot.mark)
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no value.
    ///
    /// ```
    /// use tenure::{Handle, HandleError, Pool};
    ///
    /// let pool: Pool<i32> = Pool::new();
    /// assert_eq!(pool.try_get(Handle::NIL), Err(HandleError::Nil));
    /// ```
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    #[inline]
    #[doc(alias = "find out why a handle failed")]
    pub fn try_get(&self, handle: H) -> Result<&T, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// Like [`try_get`](Self::try_get), mutably.
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    #[inline]
    pub fn try_get_mut(&mut self, handle: H) -> Result<&mut T, HandleError> {
        if !self.contains(handle) {
            return Err(self.why_not_live(handle));
        }
        self.get_mut(handle).ok_or(HandleError::Nil)
    }

    /// Returns `true` if the handle resolves.
    #[inline(always)]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive", "valid", "alive"))]
    pub fn contains(&self, handle: H) -> bool {
        let slot = handle.slot();
        self.slots.contains(slot.index, slot.mark)
    }

    /// Returns the status of a handle.
    ///
    /// ```
    /// use tenure::{Pool, Status};
    ///
    /// let mut pool = Pool::new();
    /// let goblin = pool.insert("goblin");
    /// assert_eq!(pool.status(goblin), Status::Live);
    /// pool.remove(goblin);
    /// assert_eq!(pool.status(goblin), Status::Removed);
    /// ```
    #[must_use]
    #[doc(alias = "find out why a handle failed")]
    pub fn status(&self, handle: H) -> Status {
        self.diagnose(handle.handle()).map_or(Status::Live, |error| error.status())
    }

    /// Returns why a handle does not resolve; `None` if it is live.
    pub(super) fn diagnose(&self, handle: Handle<H::Kind, H::Layout>) -> Option<HandleError> {
        diagnose(handle, self.slots.base_mark(), self.slots.state(handle.index()))
    }

    /// Checks that a handle resolves.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn check_raw(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        let slot = handle.slot();
        if self.slots.contains(slot.index, slot.mark) {
            return Ok(());
        }
        Err(self.diagnose(handle).unwrap_or(HandleError::Nil))
    }

    /// Returns why a handle that is not live does not resolve.
    #[cold]
    pub(crate) fn why_not_live(&self, handle: H) -> HandleError {
        self.diagnose(handle.handle()).unwrap_or(HandleError::Nil)
    }

    /// Returns `true` if a handle has another pool's tag. Nil has none.
    pub(crate) fn is_foreign(&self, handle: Handle<H::Kind, H::Layout>) -> bool {
        (handle.slot().mark ^ self.slots.base_mark()) & <H::Layout as Marks>::TAG != 0
    }

    /// Returns several values at once, mutably.
    ///
    /// O(N²): all pairs of handles are compared. For many handles, see
    /// [`borrow_many`](Self::borrow_many).
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::new();
    /// let (left, right) = (pool.insert(1), pool.insert(2));
    /// let [a, b] = pool.get_disjoint_mut([left, right]).unwrap();
    /// std::mem::swap(a, b);
    /// assert_eq!((pool[left], pool[right]), (2, 1));
    /// assert!(pool.get_disjoint_mut([left, left]).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Which handle does not resolve and why, or which two are the same.
    #[doc(alias("get2_mut", "get_many_mut", "get_disjoint", "get two &mut at once"))]
    #[inline]
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut T; N], GetDisjointMutError> {
        let handles = handles.map(Key::handle);
        self.slots.get_disjoint_mut(handles.map(Handle::slot)).map_err(|slots| not_disjoint(slots, handles))
    }

    /// Borrows values one by one: several `&mut` whose handles are not known beforehand, each
    /// handle once.
    ///
    /// Allocates and clears one bit per slot (on the stack in a [`FixedPool`](crate::FixedPool)).
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// struct Node { value: u32, next: Option<Handle<Node>> }
    ///
    /// let mut pool = Pool::new();
    /// let tail = pool.insert(Node { value: 2, next: None });
    /// let head = pool.insert(Node { value: 1, next: Some(tail) });
    ///
    /// let loans = pool.borrow_many();
    /// let first = loans.get_mut(head).unwrap();
    /// let second = loans.get_mut(first.next.unwrap()).unwrap(); // while `first` is held
    /// std::mem::swap(&mut first.value, &mut second.value);
    /// assert!(loans.get_mut(head).is_err()); // borrowed already
    /// ```
    #[doc(alias = "get two &mut at once")]
    pub fn borrow_many(&mut self) -> Loans<'_, T, H, B> {
        Loans::new(&mut self.slots)
    }

    /// Returns the handle of the value at an index, if there is one. O(1).
    ///
    /// ```
    /// let pool = tenure::Pool::from(["orc", "elf"]);
    /// assert_eq!(pool[pool.handle_at(1).unwrap()], "elf");
    /// assert_eq!(pool.handle_at(2), None);
    /// ```
    #[must_use]
    #[doc(alias("get_by_slot", "get_unknown_gen"))]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.slots.live_mark(index).map(|mark| H::from_slot(SlotRef { index, mark }))
    }

    /// Returns the handle of a value, by its address. `None` if the value is not in this pool.
    /// O(1).
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let handle = pool.insert("goblin");
    /// let goblin = &pool[handle];
    /// assert_eq!(pool.handle_of(goblin), Some(handle));
    /// assert_eq!(pool.handle_of(&"goblin"), None); // an equal value, elsewhere
    /// ```
    #[must_use]
    pub fn handle_of(&self, value: &T) -> Option<H> {
        self.slots.find_address(value).map(H::from_slot)
    }

    /// Returns the handle of the first value, in index order, for which the closure returns `true`.
    ///
    /// ```
    /// let pool = tenure::Pool::from([3, 8, 5]);
    /// let large = pool.find(|&number| number > 4).unwrap();
    /// assert_eq!(pool[large], 8);
    /// ```
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&T) -> bool) -> Option<H> {
        self.iter().find(|(_, value)| accept(value)).map(|(handle, _)| handle)
    }

    /// Returns an iterator over the handles that are [pending](Status::Pending): reserved or taken,
    /// and not filled. By index; visits all slots.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let goblin = pool.reserve_handle();
    /// pool.insert("orc");
    /// assert!(pool.pending_handles().eq([goblin]));
    /// assert_eq!(pool.release_pending(), 1);
    /// ```
    pub fn pending_handles(&self) -> PendingHandles<'_, T, H, B> {
        PendingHandles { pool: self, next: 0 }
    }

    /// Returns the first pending handle at an index or after it, for [`PendingHandles`].
    pub(crate) fn next_pending(&self, from: u32) -> Option<SlotRef> {
        self.slots.next_pending(from)
    }

    /// Returns an iterator over handles and values, in index order.
    ///
    /// ```
    /// let pool = tenure::Pool::from(["orc", "elf"]);
    /// for (handle, name) in &pool {
    ///     assert_eq!(pool[handle], *name);
    /// }
    /// assert_eq!(pool.iter().len(), 2);
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, H, B::View> {
        Iter::new(self.slots.iter())
    }

    /// Returns a mutable iterator over handles and values, in index order.
    ///
    /// ```
    /// let mut pool = tenure::Pool::from([1, 2]);
    /// for (_handle, number) in &mut pool {
    ///     *number *= 10;
    /// }
    /// assert!(pool.values().eq(&[10, 20]));
    /// ```
    #[inline]
    #[doc(alias("query_mut", "each"))]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, H, B::View> {
        IterMut::new(self.slots.iter_mut())
    }

    /// Returns an iterator over values, in index order.
    ///
    /// `for_each`, `sum`, `count` and all methods that are built on `fold` iterate over full words
    /// of 64 slots as plain loops, and are faster than a `for` loop. (`collect` into a `Vec` is not
    /// built on it.)
    #[inline]
    pub fn values(&self) -> Values<'_, T, B::View> {
        Values::new(self.slots.iter())
    }

    /// Returns a mutable iterator over values, in index order.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T, B::View> {
        ValuesMut::new(self.slots.iter_mut())
    }

    /// Returns an iterator over the handles of all values, in index order.
    ///
    /// ```
    /// let mut pool = tenure::Pool::from([1, 2, 3]);
    /// let handles: Vec<_> = pool.handles().collect();
    /// for handle in handles {
    ///     pool.remove(handle); // the pool is not borrowed
    /// }
    /// assert!(pool.is_empty());
    /// ```
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, H, B::View> {
        Handles::new(self.slots.iter())
    }

    /// Returns an owning iterator over the values, in index order.
    pub fn into_values(self) -> IntoValues<T, H, B> {
        IntoValues::new(self.into_iter())
    }

    /// Returns a pool in which the same handles resolve to other values.
    ///
    /// Pending handles, used generations and the order of future handles stay the same. So does the
    /// key `H`: handles of the type `Handle<T>` keep this type although the values have another
    /// one.
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// struct Score;
    /// let mut points: Pool<u32, Handle<Score>> = Pool::EMPTY;
    /// let handle: Handle<Score> = points.insert(7);
    /// let words: Pool<String, Handle<Score>> = points.map_values(|points| format!("{points} points"));
    /// assert_eq!(words[handle], "7 points");
    /// ```
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> Pool<U, H, B::Of<U>> {
        Pool::from_slots(self.slots.map(convert))
    }
}

/// Returns why values cannot be borrowed together.
#[cold]
#[inline(never)]
fn not_disjoint<T, K: ?Sized, L: Layout, B: Buffer<T>, const N: usize>(
    slots: &Slots<T, L, B>,
    handles: [Handle<K, L>; N],
) -> GetDisjointMutError {
    match slots.conflict(&handles.map(Handle::slot)) {
        Conflict::Same(first, second) => GetDisjointMutError::Overlapping { first, second },
        Conflict::NotLive(position, slot) => {
            let error = diagnose(handles[position], slots.base_mark(), slot).unwrap_or(HandleError::Nil);
            GetDisjointMutError::NotLive { position, error }
        }
    }
}
