//! Removal.

use super::{Drain, ExtractIf, Pool};
#[cfg(feature = "alloc")]
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::Buffer;

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Removes a value and returns it. Its handle, and every copy of it, is stale from now on.
    ///
    /// Returns `None` if the handle does not resolve, so removing twice is harmless. A
    /// [pending](crate::Status::Pending) handle is released, and has no value to return. O(1).
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let orc = pool.insert("orc");
    /// assert_eq!(pool.remove(orc), Some("orc"));
    /// assert_eq!(pool.remove(orc), None); // harmless
    /// ```
    #[inline]
    #[doc(alias("delete", "free", "despawn", "erase", "destroy", "kill", "try_remove"))]
    pub fn remove(&mut self, handle: H) -> Option<T> {
        self.slots.remove(handle.slot())
    }

    /// Removes a value and drops it in place. Returns `true` if there was one.
    ///
    /// Like `drop(pool.remove(handle))`, but does not move the value out first, which is faster for
    /// large values. A [pending](crate::Status::Pending) handle is released. O(1).
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let page = pool.insert([0_u8; 4_096]);
    /// assert!(pool.discard(page));
    /// assert!(!pool.discard(page)); // harmless
    /// ```
    #[inline]
    #[doc(alias("remove in place", "drop_in_place", "delete"))]
    pub fn discard(&mut self, handle: H) -> bool {
        self.slots.discard(handle.slot())
    }

    /// Removes a value and keeps its slot: the handle is [pending](crate::Status::Pending) until
    /// [`fill`](Self::fill) inserts a value again. So an undo can restore the same handle. O(1).
    ///
    /// When the undo step is discarded, call [`remove`](Self::remove) with the handle: until then
    /// its slot stays reserved.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::new();
    /// let goblin = pool.insert("goblin");
    ///
    /// let kept = pool.take(goblin).unwrap();
    /// assert!(!pool.contains(goblin));
    /// pool.insert("chicken"); // does not get the goblin's slot
    ///
    /// pool.fill(goblin, kept).unwrap();
    /// assert_eq!(pool[goblin], "goblin");
    /// ```
    #[doc(alias("undo", "detach"))]
    #[must_use = "its slot is kept for it; to let it go, call `remove`"]
    #[inline]
    pub fn take(&mut self, handle: H) -> Option<T> {
        self.slots.take(handle.slot())
    }

    /// Keeps the values for which the closure returns `true` and drops the others, in index order.
    ///
    /// If the closure or a destructor panics, values that were removed before stay removed, and the
    /// remaining ones are kept.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u32> = (0..10).collect();
    /// pool.retain(|_handle, value| *value % 2 == 0);
    /// assert_eq!(pool.values().sum::<u32>(), 20);
    /// ```
    #[doc(alias("remove while iterating", "filter", "iterate and remove"))]
    pub fn retain(&mut self, mut keep: impl FnMut(H, &mut T) -> bool) {
        self.slots.remove_where(|slot, value| !keep(H::from_slot(slot), value));
    }

    /// Like [`retain`](Self::retain), with plain handles.
    #[cfg(feature = "alloc")]
    pub(crate) fn retain_raw(&mut self, mut keep: impl FnMut(Handle<H::Kind, H::Layout>, &mut T) -> bool) {
        self.slots.remove_where(|slot, value| !keep(Handle::from_slot(slot), value));
    }

    /// Removes all values and releases pending handles. Keeps the memory.
    ///
    /// All handles issued so far are stale (unless [`insert_at`](Self::insert_at) restores one). If
    /// a destructor panics, the other values are still removed before the panic continues (a second
    /// panic aborts, as with `Vec`).
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// Releases every [pending](crate::Status::Pending) handle: those that were reserved or taken,
    /// and not filled. Returns their number. Visits all slots if there is one.
    ///
    /// ```
    /// let mut pool = tenure::Pool::from(["goblin"]);
    /// let goblin = pool.find(|_| true).unwrap();
    /// let _undo = pool.take(goblin);
    /// assert_eq!(pool.release_pending(), 1); // the undo step is dropped
    /// assert!(pool.fill(goblin, "goblin").is_err());
    /// ```
    pub fn release_pending(&mut self) -> usize {
        self.slots.release_pending()
    }

    /// Removes all values and yields them with their handles, in index order. Dropping the iterator
    /// [clears](Self::clear) the pool.
    ///
    /// ```
    /// let mut pool: tenure::Pool<&str> = ["a", "b"].into_iter().collect();
    /// let values: Vec<_> = pool.drain().map(|(_handle, value)| value).collect();
    /// assert_eq!(values, ["a", "b"]);
    /// assert!(pool.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T, H, B> {
        Drain::new(&mut self.slots)
    }

    /// Removes the values for which the closure returns `true`, and yields them with their handles.
    ///
    /// Lazy: values that the iterator has not visited when it is dropped stay in the pool.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u32> = (0..6).collect();
    /// let odd: Vec<u32> = pool.extract_if(|_handle, value| *value % 2 == 1).map(|(_handle, value)| value).collect();
    /// assert_eq!(odd, [1, 3, 5]);
    /// assert_eq!(pool.len(), 3);
    /// ```
    #[doc(alias("remove while iterating", "drain_filter", "iterate and remove"))]
    pub fn extract_if<F>(&mut self, should_remove: F) -> ExtractIf<'_, T, F, H, B>
    where
        F: FnMut(H, &mut T) -> bool,
    {
        ExtractIf::new(&mut self.slots, should_remove)
    }

    /// Removes many values, which need no dropping. Fastest if the handles of neighbouring slots
    /// are next to each other.
    #[cfg(feature = "alloc")]
    pub(crate) fn removing(&mut self) -> impl FnMut(H) {
        let mut batch = self.slots.batch(0);
        move |handle| batch.remove(handle.slot())
    }
}
