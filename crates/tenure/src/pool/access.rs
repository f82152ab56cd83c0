//! Looking values up.

use super::{Handles, IntoValues, Iter, IterMut, Loans, Pool, Values, ValuesMut};
use crate::error::GetDisjointMutError;
use crate::handle::Handle;
use crate::layout::{Layout, Marks};
use crate::slots::{Buffer, Conflict, SlotRef};
use crate::status::{HandleError, Status, diagnose};

impl<T, K: ?Sized, L: Layout, B: Buffer<T>> Pool<T, K, L, B> {
    /// The value that a handle leads to. A bounds check and one compare; never panics.
    #[inline]
    #[must_use]
    #[doc(alias("resolve", "upgrade"))]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        self.slots.get(handle.index(), handle.mark())
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut T> {
        self.slots.get_mut(handle.index(), handle.mark())
    }

    /// As [`get`](Self::get), with an error that says why there is no value.
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
    /// What became of the handle.
    #[inline]
    #[doc(alias = "find out why a handle failed")]
    pub fn try_get(&self, handle: Handle<K, L>) -> Result<&T, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// As [`try_get`](Self::try_get), to change the value.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    #[inline]
    pub fn try_get_mut(&mut self, handle: Handle<K, L>) -> Result<&mut T, HandleError> {
        if !self.contains(handle) {
            return Err(self.why_not_live(handle));
        }
        self.get_mut(handle).ok_or(HandleError::Nil)
    }

    /// Whether the handle leads to a value.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive", "valid", "alive"))]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.slots.contains(handle.index(), handle.mark())
    }

    /// What became of a handle.
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
    pub fn status(&self, handle: Handle<K, L>) -> Status {
        self.diagnose(handle).map_or(Status::Live, |error| error.status())
    }

    /// What is wrong with a handle; `None` if it is live.
    pub(super) fn diagnose(&self, handle: Handle<K, L>) -> Option<HandleError> {
        diagnose(handle, self.slots.base_mark(), self.slots.state(handle.index()))
    }

    /// What is wrong with a handle that is not live.
    #[cold]
    pub(crate) fn why_not_live(&self, handle: Handle<K, L>) -> HandleError {
        self.diagnose(handle).unwrap_or(HandleError::Nil)
    }

    /// Whether a handle has another pool's tag. Nil has none.
    pub(crate) fn is_foreign(&self, handle: Handle<K, L>) -> bool {
        (handle.mark() ^ self.slots.base_mark()) & L::TAG != 0
    }

    /// Several values at once, to change them.
    ///
    /// Compares all pairs, so it is meant for a few handles; for many, see
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
    /// Which handle leads nowhere and why, or which two are the same.
    #[doc(alias("get2_mut", "get_many_mut", "get_disjoint", "get two &mut at once"))]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<K, L>; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        let base_mark = self.slots.base_mark();
        self.slots.get_disjoint_mut(handles.map(Handle::slot)).map_err(|conflict| match conflict {
            Conflict::Same(first, second) => GetDisjointMutError::Overlapping { first, second },
            Conflict::NotLive(position, slot) => {
                let error = diagnose(handles[position], base_mark, slot).unwrap_or(HandleError::Nil);
                GetDisjointMutError::NotLive { position, error }
            }
        })
    }

    /// Lends values one by one while the pool is borrowed: several `&mut` that are found as you go,
    /// each handle once.
    ///
    /// Allocates and clears one bit per slot (on the stack in a [`FixedPool`](crate::FixedPool); a
    /// [`StablePool`](crate::StablePool) takes back the memory that `shrink_to_fit` gave away).
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
    /// assert!(loans.get_mut(head).is_err()); // lent already
    /// ```
    #[doc(alias = "get two &mut at once")]
    pub fn borrow_many(&mut self) -> Loans<'_, T, K, L, B> {
        Loans::new(&mut self.slots)
    }

    /// The handle of the value at an index, if there is one.
    #[must_use]
    #[doc(alias("get_by_slot", "get_unknown_gen"))]
    pub fn handle_at(&self, index: u32) -> Option<Handle<K, L>> {
        self.slots.live_mark(index).map(|mark| Handle::from_slot(SlotRef { index, mark }))
    }

    /// The handle of a value, from its address. `None` when it does not lie in this pool. O(1).
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let handle = pool.insert("goblin");
    /// let goblin = &pool[handle];
    /// assert_eq!(pool.handle_of(goblin), Some(handle));
    /// assert_eq!(pool.handle_of(&"goblin"), None); // an equal value, elsewhere
    /// ```
    #[must_use]
    pub fn handle_of(&self, value: &T) -> Option<Handle<K, L>> {
        self.slots.find_address(value).map(Handle::from_slot)
    }

    /// Handles and values, by index.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K, L, B::View> {
        Iter::new(self.slots.iter())
    }

    /// Handles and values, by index, to change the values.
    #[inline]
    #[doc(alias("query_mut", "each"))]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K, L, B::View> {
        IterMut::new(self.slots.iter_mut())
    }

    /// Values, by index.
    ///
    /// `for_each`, `sum`, `collect` and all that is built on `fold` walk full words of 64 slots as
    /// plain loops, and are faster than a `for` loop.
    #[inline]
    pub fn values(&self) -> Values<'_, T, B::View> {
        Values::new(self.slots.iter())
    }

    /// Values, by index, to change them.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T, B::View> {
        ValuesMut::new(self.slots.iter_mut())
    }

    /// Handles of all values, by index.
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, K, L, B::View> {
        Handles::new(self.slots.iter())
    }

    /// The values alone, by index.
    pub fn into_values(self) -> IntoValues<T, K, L, B> {
        IntoValues::new(self.into_iter())
    }

    /// The same handles, leading to other values.
    ///
    /// Pending handles, dead generations and the order of future handles stay. What the handles are
    /// about stays too: name it as `K` if it shall not change with the values.
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// struct Score;
    /// let mut points: Pool<u32, Score> = Pool::with_layout();
    /// let handle: Handle<Score> = points.insert(7);
    /// let words: Pool<String, Score> = points.map_values(|points| format!("{points} points"));
    /// assert_eq!(words[handle], "7 points");
    /// ```
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> Pool<U, K, L, B::Of<U>> {
        Pool::from_slots(self.slots.map(convert))
    }
}
