//! The two halves of a split: one mutates values, the other spawns and despawns meanwhile.
#![allow(unsafe_code, reason = "returns references to values while others are added")]

use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::iter::{Handles, LiveIter, LiveIterMut, LiveValues, LiveValuesMut};
use super::{Lifecycle, Spawned};
use crate::error::{Full, GetDisjointMutError, LoanError};
use crate::handle::Handle;
use crate::key::{HandleOf, Key, KeyExt};
use crate::layout::Layout;
use crate::pool::{Pool, panic_full};
use crate::slots::{Chunks, FullKind, RawIter, Slots};
use crate::status::{HandleError, Status, indexed_by_handle};

/// The values that existed when a [`StablePool`](crate::StablePool) or a [`World`](crate::World)
/// was split: they can be looked up, mutated and removed.
///
/// A system is a function that takes both halves:
///
/// ```
/// use tenure::{Live, Spawner, StablePool};
///
/// struct Tree { age: u32 }
///
/// fn grow(live: &mut Live<'_, Tree>, spawner: &Spawner<'_, Tree>) {
///     for tree in live.values_mut() {
///         tree.age += 1;
///         if tree.age == 2 {
///             spawner.spawn(Tree { age: 0 });
///         }
///     }
/// }
///
/// let mut forest = StablePool::from([Tree { age: 1 }]);
/// let (mut live, spawner) = forest.split();
/// grow(&mut live, &spawner);
/// drop((live, spawner));
/// assert_eq!(forest.len(), 2);
/// ```
///
/// It finds the values that had been spawned before the split, and not those that the `Spawner` of
/// this split spawns.
// X1: for every `&mut T` to a value that existed at the split: the `Live` that returned it is
// borrowed mutably as long as the reference exists (without a split: the pool or the world).
// Meanwhile only `Others` returns references to values of the same `Live`, and not to the value
// that is being mutated.
pub struct Live<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
}

/// Spawns values in a [`StablePool`](crate::StablePool) or a [`World`](crate::World) that is split,
/// and marks values for despawn.
///
/// The [`Live`] of the same split does not find the spawned values, and no iterator visits them
/// before the split ends.
// X2: for every value that it has spawned: the value is uncommitted and without the flag `EARLIER`
// (Q4) until the split ends. So the other half does not find the value, and no iterator visits it
// (N1).
pub struct Spawner<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
}

/// Every value but the one that is being mutated. See [`Live::for_each_mut`].
pub struct Others<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
    me: H,
    /// The address of the value that is being mutated.
    mine: NonNull<T>,
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Begins a split.
    pub(crate) fn split<H: Key<Kind = K, Layout = L>>(&mut self) -> (Live<'_, T, H>, Spawner<'_, T, H>) {
        self.begin_split();
        (Live { lifecycle: self }, Spawner { lifecycle: self })
    }

    /// Spawns a value that may hold its own handle.
    #[track_caller]
    pub(crate) fn spawn_with<H: Key<Kind = K, Layout = L>>(&self, make: impl FnOnce(H) -> T) -> H {
        match self.try_spawn_with(make) {
            Ok(handle) => handle,
            Err(full) => panic_full(full.kind()),
        }
    }

    /// Like `spawn_with`, but returns the closure if there is no room.
    #[track_caller]
    pub(crate) fn try_spawn_with<H, F>(&self, make: F) -> Result<H, Full<F>>
    where
        H: Key<Kind = K, Layout = L>,
        F: FnOnce(H) -> T,
    {
        match self.reserve_spawn() {
            Ok(reserved) => {
                let value = make(H::from_handle(reserved.handle));
                Ok(H::from_handle(reserved.fill(value)))
            }
            Err(full) => Err(full.map(|()| make)),
        }
    }

    /// Like `spawn_with`, for a closure that may fail. Then the reservation is cancelled.
    #[track_caller]
    pub(crate) fn spawn_with_result<H, X>(&self, make: impl FnOnce(H) -> Result<T, X>) -> Result<H, X>
    where
        H: Key<Kind = K, Layout = L>,
    {
        let reserved = match self.reserve_spawn() {
            Ok(reserved) => reserved,
            Err(full) => panic_full(full.kind()),
        };
        match make(H::from_handle(reserved.handle)) {
            Ok(value) => Ok(H::from_handle(reserved.fill(value))),
            Err(error) => {
                reserved.cancel();
                Err(error)
            }
        }
    }

    /// Reserves the handle of a value that is being made, and room for it.
    fn reserve_spawn(&self) -> Result<Reserved<'_, T, K, L>, Full<()>> {
        let reserved = self.reserve_handle().map(|handle| Reserved { lifecycle: self, handle })?;
        // After the handle, which may have added a slot: `fill` must not need more.
        if self.make_room_to_spawn(1).is_err() {
            reserved.cancel();
            return Err(Full::new((), FullKind::Memory));
        }
        Ok(reserved)
    }
}

/// A reserved handle whose value is being made. Dropped without one, it is released: the closure
/// that makes its value has panicked, or has removed the handle.
struct Reserved<'a, T, K: ?Sized, L: Layout> {
    lifecycle: &'a Lifecycle<T, K, L>,
    handle: Handle<K, L>,
}

impl<T, K: ?Sized, L: Layout> Reserved<'_, T, K, L> {
    /// Spawns the value under the handle.
    #[track_caller]
    fn fill(self, value: T) -> Handle<K, L> {
        let handle = self.handle;
        // The closure may have spawned others and used up the room that was made for this one.
        if self.lifecycle.make_room_to_spawn(1).is_err() {
            panic_full(FullKind::Memory);
        }
        match self.lifecycle.fill_spawned(handle, value) {
            Ok(()) => core::mem::forget(self),
            // The closure has removed the handle or filled it.
            Err(rejected) => panic!("{rejected}"),
        }
        handle
    }

    /// Cancels the reservation, so that the handle is issued again, unless the closure has filled
    /// or removed it.
    fn cancel(self) {
        self.lifecycle.change(|pool| {
            if pool.is_pending(self.handle) {
                pool.unreserve(self.handle);
            }
        });
        core::mem::forget(self);
    }
}

impl<T, K: ?Sized, L: Layout> Drop for Reserved<'_, T, K, L> {
    fn drop(&mut self) {
        self.lifecycle.release(self.handle);
    }
}

impl<T, H: Key> Live<'_, T, H> {
    /// Returns the value of a handle, if the handle resolved at the split and still does. O(1).
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.handle_at(0).unwrap();
    /// let (live, spawner) = world.split();
    /// let elf = spawner.spawn("elf");
    /// assert_eq!((live.get(orc), live.get(elf)), (Some(&"orc"), None));
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        self.find_raw(handle.handle())
    }

    #[inline]
    fn find_raw(&self, handle: HandleOf<H>) -> Option<&T> {
        // SAFETY: a shared reference needs that there is no `&mut` to the value while `self` is
        // borrowed: by X1 the other methods of `Live` return none, and by X2 `spawn_mut` has
        // returned none to a value that is found here.
        self.lifecycle.find_in_split(handle).map(|value| unsafe { value.as_ref() })
    }

    /// Like [`get`](Self::get), mutably.
    ///
    /// ```
    /// let mut world = tenure::World::from([10]);
    /// let handle = world.handle_at(0).unwrap();
    /// let (mut live, spawner) = world.split();
    /// let number = live.get_mut(handle).unwrap();
    /// spawner.spawn(*number); // the other half stays usable
    /// *number += 1;
    /// assert_eq!(live[handle], 11);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        self.find_raw_mut(handle.handle())
    }

    #[inline]
    fn find_raw_mut(&mut self, handle: HandleOf<H>) -> Option<&mut T> {
        // SAFETY: an exclusive reference needs that there is no other one to the value while `self`
        // is borrowed mutably: by X1 `Live` returns none, and by X2 `spawn_mut` has returned none
        // to a value that is found here.
        self.lifecycle.find_in_split(handle).map(|mut value| unsafe { value.as_mut() })
    }

    /// Returns `true` if the handle resolved at the split and still does.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: H) -> bool {
        self.lifecycle.find_in_split(handle.handle()).is_some()
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no value.
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let mut world = World::from(["orc"]);
    /// let orc = world.handle_at(0).unwrap();
    /// let (mut live, spawner) = world.split();
    /// assert_eq!(live.try_get(orc), Ok(&"orc"));
    /// live.remove(orc);
    /// assert_eq!(live.try_get(orc).unwrap_err().status(), Status::Removed);
    /// assert_eq!(live.try_get(spawner.spawn("elf")).unwrap_err().status(), Status::Pending);
    /// ```
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve here. For a value that was spawned by this split, the error
    /// is `HandleError::Pending`.
    pub fn try_get(&self, handle: H) -> Result<&T, HandleError> {
        let handle = handle.handle();
        self.find_raw(handle).ok_or_else(|| why_not(self.lifecycle, handle))
    }

    /// Like [`try_get`](Self::try_get), mutably.
    ///
    /// ```
    /// use tenure::{Handle, HandleError, World};
    ///
    /// let mut world = World::from([10]);
    /// let handle = world.handle_at(0).unwrap();
    /// let (mut live, _spawner) = world.split();
    /// *live.try_get_mut(handle).unwrap() += 1;
    /// assert_eq!(live[handle], 11);
    /// assert_eq!(live.try_get_mut(Handle::NIL), Err(HandleError::Nil));
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_get`](Self::try_get).
    pub fn try_get_mut(&mut self, handle: H) -> Result<&mut T, HandleError> {
        let (lifecycle, raw) = (self.lifecycle, handle.handle());
        self.find_raw_mut(raw).ok_or_else(|| why_not(lifecycle, raw))
    }

    /// Returns the status of a handle in this half: it [resolves](Status::resolves) if
    /// [`get`](Self::get) returns a value. The handle of a value that this split has spawned is
    /// `Pending`. O(1).
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let mut world = World::from(["orc"]);
    /// let orc = world.handle_at(0).unwrap();
    /// let (live, spawner) = world.split();
    /// spawner.despawn(orc);
    /// let elf = spawner.spawn("elf");
    /// assert_eq!((live.status(orc), live.status(elf)), (Status::Dying, Status::Pending));
    /// ```
    #[must_use]
    pub fn status(&self, handle: H) -> Status {
        let handle = handle.handle();
        match self.check_raw(handle) {
            Ok(()) => self.lifecycle.status(handle),
            Err(error) => error.status(),
        }
    }

    /// Returns the number of values that iterators visit. In a world, entities that were spawned
    /// before the split and are not committed do not count.
    ///
    /// ```
    /// let mut pool = tenure::StablePool::from([1, 2]);
    /// let (live, spawner) = pool.split();
    /// spawner.spawn(3);
    /// assert_eq!((live.len(), live.is_empty()), (2, false));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.lifecycle.look(Pool::len)
    }

    /// Returns `true` if iterators visit no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the handle of the value at an index, if [`get`](Self::get) finds it. O(1).
    ///
    /// ```
    /// let mut pool = tenure::StablePool::from(["orc"]);
    /// let (live, _spawner) = pool.split();
    /// let orc = live.handle_at(0).unwrap();
    /// assert_eq!(live[orc], "orc");
    /// ```
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.known(self.lifecycle.handle_at(index))
    }

    /// Returns the handle of a value, from its address. `None` if [`get`](Self::get) does not find
    /// the value. O(chunks), which is O(log capacity) unless many small capacities were reserved
    /// with `reserve_exact`.
    ///
    /// ```
    /// let mut pool = tenure::StablePool::from(["orc", "elf"]);
    /// let (live, _spawner) = pool.split();
    /// let elf = live.values().find(|name| **name == "elf").unwrap();
    /// assert_eq!(live.handle_of(elf), live.handle_at(1));
    /// ```
    #[must_use]
    pub fn handle_of(&self, value: &T) -> Option<H> {
        self.known(self.lifecycle.look(|pool| pool.handle_of(value)))
    }

    /// Returns a handle if it resolves in this half.
    fn known(&self, handle: Option<HandleOf<H>>) -> Option<H> {
        let handle = handle?;
        self.lifecycle.find_in_split(handle).map(|_| H::from_handle(handle))
    }

    /// Returns several values at once, mutably. O(N²): all pairs of handles are compared. For many
    /// handles, see [`borrow_many`](Self::borrow_many).
    ///
    /// ```
    /// let mut world = tenure::World::from([10, 20]);
    /// let mut handles = world.handles();
    /// let (left, right) = (handles.next().unwrap(), handles.next().unwrap());
    /// let (mut live, _spawner) = world.split();
    /// let [a, b] = live.get_disjoint_mut([left, right]).unwrap();
    /// std::mem::swap(a, b);
    /// assert_eq!(live.get(left), Some(&20));
    /// ```
    ///
    /// # Errors
    ///
    /// Which handle does not resolve and why, or which two are equal.
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut T; N], GetDisjointMutError> {
        let handles = handles.map(Key::handle);
        let found = handles.map(|handle| self.lifecycle.find_in_split(handle));
        if let Some(position) = found.iter().position(Option::is_none) {
            return Err(GetDisjointMutError::NotLive { position, error: why_not(self.lifecycle, handles[position]) });
        }
        for second in 0..N {
            if let Some(first) = (0..second).find(|&first| handles[first] == handles[second]) {
                return Err(GetDisjointMutError::Overlapping { first, second });
            }
        }
        // SAFETY: all handles are found, so `unwrap_unchecked` has a value. The references do not
        // alias: no two handles are equal, and by X1 and X2 there is no other reference to these
        // values while `self` is borrowed mutably.
        Ok(found.map(|value| unsafe { value.unwrap_unchecked().as_mut() }))
    }

    /// Borrows values one by one: several `&mut` whose handles are not known beforehand, each
    /// handle once. Allocates one bit per slot.
    ///
    /// ```
    /// let mut world = tenure::World::from([10, 20]);
    /// let mut handles = world.handles();
    /// let (left, right) = (handles.next().unwrap(), handles.next().unwrap());
    /// let (mut live, _spawner) = world.split();
    /// let loans = live.borrow_many();
    /// let (a, b) = (loans.get_mut(left).unwrap(), loans.get_mut(right).unwrap());
    /// std::mem::swap(a, b);
    /// assert!(loans.get_mut(left).is_err()); // borrowed already
    /// ```
    pub fn borrow_many(&mut self) -> LiveLoans<'_, T, H> {
        let slots = self.lifecycle.look(Pool::slot_count);
        LiveLoans {
            lifecycle: self.lifecycle,
            lent: alloc::vec![Cell::new(0); slots.div_ceil(64)],
            borrow: PhantomData,
        }
    }

    pub(crate) fn check_raw(&self, handle: HandleOf<H>) -> Result<(), HandleError> {
        match self.lifecycle.find_in_split(handle) {
            Some(_) => Ok(()),
            None => Err(why_not(self.lifecycle, handle)),
        }
    }

    /// Returns the address of the engine, for joins.
    pub(crate) fn engine(&self) -> *const Slots<T, H::Layout, Chunks<T>> {
        self.lifecycle.slots()
    }

    /// Removes a value and returns it. Its handle no longer resolves; its slot is freed when the
    /// split ends (in a world: when the frame ends). Returns `None` if the handle does not resolve
    /// here. A pending handle is released.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc", "elf"]);
    /// let orc = world.find(|name| *name == "orc").unwrap();
    /// let (mut live, spawner) = world.split();
    /// assert_eq!(live.remove(orc), Some("orc"));
    /// assert!(live.values().eq(&["elf"]) && !live.contains(orc)); // at once
    /// drop((live, spawner));
    /// assert_eq!(world.end_frame().despawned, 1);
    /// ```
    #[inline]
    pub fn remove(&mut self, handle: H) -> Option<T> {
        self.lifecycle.remove_in_split(handle.handle())
    }

    /// Returns an iterator over handles and values, in index order.
    pub fn iter(&self) -> LiveIter<'_, T, H> {
        LiveIter::new(self.lifecycle)
    }

    /// Returns a mutable iterator over handles and values, in index order.
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, T, H> {
        LiveIterMut::new(self.lifecycle)
    }

    /// Returns an iterator over values, in index order.
    pub fn values(&self) -> LiveValues<'_, T, H> {
        LiveValues::new(self.lifecycle)
    }

    /// Returns a mutable iterator over values, in index order.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, T, H> {
        LiveValuesMut::new(self.lifecycle)
    }

    /// Returns an iterator over the handles of all values that [`iter`](Self::iter) visits, by
    /// index.
    ///
    /// ```
    /// let mut world = tenure::World::from([1, 2, 3]);
    /// let (mut live, _spawner) = world.split();
    /// let handles: Vec<_> = live.handles().collect();
    /// for pair in handles.windows(2) {
    ///     let [left, right] = live.get_disjoint_mut([pair[0], pair[1]]).unwrap();
    ///     *right += *left;
    /// }
    /// assert!(live.values().eq(&[1, 3, 6]));
    /// ```
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, H> {
        Handles::new(self.lifecycle)
    }

    /// Returns the handle of the first value, in index order, for which the closure returns `true`.
    /// O(values + slots / 64).
    ///
    /// ```
    /// let mut world = tenure::World::from([3, 8, 5]);
    /// let (live, _spawner) = world.split();
    /// let large = live.find(|&number| number > 4).unwrap();
    /// assert_eq!(live[large], 8);
    /// ```
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&T) -> bool) -> Option<H> {
        self.iter().find(|(_, value)| accept(value)).map(|(handle, _)| handle)
    }

    /// Calls a closure for every value, in index order, mutably. The closure can look up all
    /// others.
    ///
    /// ```
    /// use tenure::{Handle, StablePool};
    ///
    /// struct Missile { x: f32, target: Option<Handle<Missile>> }
    ///
    /// let mut pool = StablePool::new();
    /// let prey = pool.insert(Missile { x: 10.0, target: None });
    /// pool.insert(Missile { x: 0.0, target: Some(prey) });
    ///
    /// let (mut live, _spawner) = pool.split();
    /// live.for_each_mut(|missile, others| {
    ///     if let Some(target) = missile.target.and_then(|target| others.get(target)) {
    ///         missile.x += (target.x - missile.x) / 2.0;
    ///     }
    /// });
    /// ```
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut T, &Others<'_, T, H>)) {
        let lifecycle = self.lifecycle;
        lifecycle.raw_iter().for_each(
            || lifecycle.slots(),
            |(slot, mut value)| {
                let others = Others { lifecycle, me: H::from_slot(slot), mine: value };
                // SAFETY: by X1 and X2 there is no other reference to this value: `self` is
                // borrowed mutably, the iteration visits each value once, and `others` does not
                // find it.
                change(unsafe { value.as_mut() }, &others);
            },
        );
    }
}

impl<T, H: Key> Spawner<'_, T, H> {
    /// Spawns a value and returns its handle. The handle does not resolve in the [`Live`] of this
    /// split. O(1), amortised.
    ///
    /// ```
    /// let mut pool = tenure::StablePool::from([1, 2]);
    /// let (mut live, spawner) = pool.split();
    /// for number in live.values_mut() {
    ///     spawner.spawn(*number * 10); // the loop does not visit it
    /// }
    /// drop((live, spawner));
    /// assert!(pool.values().eq(&[1, 2, 10, 20]));
    /// ```
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[doc(alias = "insert")]
    pub fn spawn(&self, value: T) -> H {
        H::from_handle(self.must_spawn(value).0)
    }

    /// Like [`spawn`](Self::spawn), but returns the value in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_spawn(&self, value: T) -> Result<H, Full<T>> {
        self.lifecycle.spawn(value).map(|(handle, _)| H::from_handle(handle))
    }

    #[inline]
    #[track_caller]
    fn must_spawn(&self, value: T) -> Spawned<T, H::Kind, H::Layout> {
        match self.lifecycle.spawn(value) {
            Ok(spawned) => spawned,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`spawn`](Self::spawn), and also returns the value, mutably.
    ///
    /// ```
    /// let mut pool = tenure::StablePool::new();
    /// let (_live, spawner) = pool.split();
    /// let (_, first) = spawner.spawn_mut(1);
    /// let (_, second) = spawner.spawn_mut(2);
    /// std::mem::swap(first, second);
    /// ```
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[expect(clippy::mut_from_ref, reason = "each value is returned once, when it is spawned")]
    pub fn spawn_mut(&self, value: T) -> (H, &mut T) {
        let (handle, mut value) = self.must_spawn(value);
        // SAFETY: by X2 nothing else returns a reference to the value before the split ends. The
        // reference borrows this half, so it does not outlive the split.
        (H::from_handle(handle), unsafe { value.as_mut() })
    }

    /// Spawns a value that may hold its own handle. The closure may spawn, too.
    ///
    /// ```
    /// use tenure::{Handle, World};
    ///
    /// struct Node { me: Handle<Node>, child: Option<Handle<Node>> }
    ///
    /// let mut world = World::new();
    /// let (live, spawner) = world.split();
    /// let parent = spawner.spawn_with(|me| {
    ///     let child = spawner.spawn_with(|me| Node { me, child: None });
    ///     Node { me, child: Some(child) }
    /// });
    /// drop((live, spawner));
    /// assert_eq!(world[parent].me, parent);
    /// assert!(world.contains(world[parent].child.unwrap()));
    /// ```
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory, or the closure has
    /// [removed](Live::remove) its own handle.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(H) -> T) -> H {
        self.lifecycle.spawn_with(make)
    }

    /// Like [`spawn_with`](Self::spawn_with), but returns the closure in the error instead of
    /// panicking when there is no room.
    ///
    /// ```
    /// use tenure::StablePool;
    ///
    /// let mut pool = StablePool::new();
    /// let (live, spawner) = pool.split();
    /// let handle = spawner.try_spawn_with(|me| me.index()).unwrap();
    /// drop((live, spawner));
    /// assert_eq!(pool[handle], 0);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure is not called in this case.
    ///
    /// # Panics
    ///
    /// When the closure has [removed](Live::remove) its own handle, or has used up the memory.
    #[track_caller]
    pub fn try_spawn_with<F: FnOnce(H) -> T>(&self, make: F) -> Result<H, Full<F>> {
        self.lifecycle.try_spawn_with(make)
    }

    /// Like [`spawn_with`](Self::spawn_with), for a closure that returns a `Result`. If it returns
    /// `Err`, nothing is spawned, and a later spawn issues the same handle.
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let (live, spawner) = world.split();
    /// assert!(spawner.spawn_with_result(|_| "x".parse::<i32>()).is_err());
    /// let seven = spawner.spawn_with_result(|_| "7".parse::<i32>()).unwrap();
    /// drop((live, spawner));
    /// assert_eq!((world[seven], seven.index()), (7, 0));
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure.
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory, or the closure has
    /// [removed](Live::remove) its own handle and returns a value for it.
    #[track_caller]
    pub fn spawn_with_result<E>(&self, make: impl FnOnce(H) -> Result<T, E>) -> Result<H, E> {
        self.lifecycle.spawn_with_result(make)
    }

    /// Marks a value for despawn. Returns its status before this call.
    ///
    /// The value is removed and dropped when the split ends, in a world at the
    /// [sweep](crate::World::sweep). Until then it resolves and iterators visit it. The value may
    /// be borrowed at the moment, or may have been spawned by this split. Marking it twice has no
    /// further effect, and neither has marking a handle that does not resolve.
    ///
    /// ```
    /// use tenure::StablePool;
    ///
    /// let mut pool = StablePool::from([1, 2, 3]);
    /// let (mut live, spawner) = pool.split();
    /// for (handle, number) in live.iter_mut() {
    ///     *number *= 10;
    ///     if *number == 20 {
    ///         spawner.despawn(handle);
    ///     }
    /// }
    /// drop((live, spawner));
    /// assert!(pool.values().eq(&[10, 30]));
    /// ```
    ///
    /// # Panics
    ///
    /// In a stable pool, when there is no memory for the list. A world has reserved it when the
    /// entity was spawned.
    #[track_caller]
    #[doc(alias("remove", "delete", "kill"))]
    pub fn despawn(&self, handle: H) -> Status {
        match self.lifecycle.despawn(handle.handle()) {
            Ok(status) => status,
            Err(kind) => panic_full(kind),
        }
    }
}

impl<T, H: Key> Others<'_, T, H> {
    /// Returns the value of a handle, if it resolved at the split, still does, and is not the value
    /// that is being mutated.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        let value = self.lifecycle.find_in_split(handle.handle()).filter(|value| *value != self.mine)?;
        // SAFETY: by X1 the `Live` is borrowed mutably by the iteration, whose only `&mut` is to
        // `mine`; by X2 `spawn_mut` has returned no reference to a value that is found here.
        Some(unsafe { value.as_ref() })
    }

    /// Returns `true` if the handle resolves to another value.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: H) -> bool {
        self.get(handle).is_some()
    }

    /// Returns an iterator over handles and values, in index order, without the value that is being
    /// mutated.
    ///
    /// ```
    /// let mut world = tenure::World::from([1, 2, 4]);
    /// let (mut live, _spawner) = world.split();
    /// live.for_each_mut(|number, others| *number = others.values().sum());
    /// assert!(live.values().eq(&[6, 10, 16]));
    /// ```
    pub fn iter(&self) -> OthersIter<'_, T, H> {
        // The value that is being mutated is committed, so `len` counts it.
        let (raw, all) = self.lifecycle.look(|pool| (pool.raw_iter(), pool.len()));
        OthersIter { lifecycle: self.lifecycle, raw, left: all - 1, mine: self.mine }
    }

    /// Returns an iterator over values, in index order, without the one that is being mutated.
    ///
    /// ```
    /// let mut world = tenure::World::from([1, 2, 4]);
    /// let (mut live, _spawner) = world.split();
    /// live.for_each_mut(|number, others| *number *= others.values().max().unwrap());
    /// assert!(live.values().eq(&[4, 8, 32]));
    /// ```
    pub fn values(&self) -> OthersValues<'_, T, H> {
        OthersValues(self.iter())
    }

    /// Returns the handle of the value that is being mutated.
    #[inline]
    #[must_use]
    pub fn me(&self) -> H {
        self.me
    }
}

/// An iterator over all values but one. See [`Others::iter`].
#[must_use = "iterators are lazy"]
pub struct OthersIter<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
    raw: RawIter<T>,
    left: usize,
    mine: NonNull<T>,
}

impl<'a, T, H: Key> Iterator for OthersIter<'a, T, H> {
    type Item = (H, &'a T);

    fn next(&mut self) -> Option<(H, &'a T)> {
        loop {
            let (slot, value) = self.raw.next(|| self.lifecycle.slots())?;
            if value != self.mine {
                self.left -= 1;
                // SAFETY: by X1 the `Live` is borrowed mutably by the iteration, whose only `&mut`
                // is to `mine`; by X2 `spawn_mut` has returned no reference to a value that is
                // found here.
                return Some((H::from_slot(slot), unsafe { &*value.as_ptr() }));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T, H: Key> ExactSizeIterator for OthersIter<'_, T, H> {}
impl<T, H: Key> FusedIterator for OthersIter<'_, T, H> {}

impl<T, H: Key> Clone for OthersIter<'_, T, H> {
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), ..*self }
    }
}

impl<T, H: Key> fmt::Debug for OthersIter<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OthersIter").field("left", &self.left).finish_non_exhaustive()
    }
}

/// An iterator over all values but one, without handles. See [`Others::values`].
#[must_use = "iterators are lazy"]
pub struct OthersValues<'a, T, H: Key = Handle<T>>(OthersIter<'a, T, H>);

impl<'a, T, H: Key> Iterator for OthersValues<'a, T, H> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(|(_, value)| value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T, H: Key> ExactSizeIterator for OthersValues<'_, T, H> {}
impl<T, H: Key> FusedIterator for OthersValues<'_, T, H> {}

impl<T, H: Key> Clone for OthersValues<'_, T, H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, H: Key> fmt::Debug for OthersValues<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OthersValues").field("left", &self.len()).finish_non_exhaustive()
    }
}

/// Borrows values of a [`Live`], each handle once. See [`Live::borrow_many`].
// L2: for every slot whose value was returned: its bit in `lent` is set. Bits are never cleared.
#[must_use = "it borrows nothing unless `get_mut` is called"]
pub struct LiveLoans<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
    lent: Vec<Cell<u64>>,
    borrow: PhantomData<&'a mut T>,
}

impl<'a, T, H: Key> LiveLoans<'a, T, H> {
    /// Returns the value of a handle, mutably. It can be held together with the values of other
    /// handles.
    ///
    /// # Errors
    ///
    /// When the value was returned before, or the handle does not resolve.
    pub fn get_mut(&self, handle: H) -> Result<&'a mut T, LoanError> {
        let handle = handle.handle();
        let Some(mut value) = self.lifecycle.find_in_split(handle) else {
            return Err(LoanError::NotLive(why_not(self.lifecycle, handle)));
        };
        // Slots that were added after `borrow_many` have no bit. Their values did not exist at the
        // split, so they are not found above.
        let Some(word) = self.lent.get(handle.index() as usize / 64) else {
            return Err(LoanError::NotLive(why_not(self.lifecycle, handle)));
        };
        let bit = 1 << (handle.index() % 64);
        if word.get() & bit != 0 {
            return Err(LoanError::AlreadyLent);
        }
        word.set(word.get() | bit);
        // SAFETY: by X1 and X2 there is no other reference to this value: the `Live` is borrowed
        // mutably for `'a`, and by L2 the value is returned once.
        Ok(unsafe { value.as_mut() })
    }
}

impl<T, H: Key> fmt::Debug for LiveLoans<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveLoans").finish_non_exhaustive()
    }
}

/// Returns why a handle does not resolve in a split: `Pending` for a value that the split has
/// spawned.
#[cold]
fn why_not<T, K: ?Sized, L: Layout>(lifecycle: &Lifecycle<T, K, L>, handle: Handle<K, L>) -> HandleError {
    if lifecycle.find(handle).is_some() {
        return HandleError::Pending { index: handle.index(), generation: handle.generation() };
    }
    lifecycle.look(|pool| pool.why_not_live(handle))
}

macro_rules! half {
    ($($name:ident),*) => {$(
        impl<T, H: Key> Drop for $name<'_, T, H> {
            fn drop(&mut self) {
                self.lifecycle.end_half();
            }
        }

        impl<T, H: Key> fmt::Debug for $name<'_, T, H> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

half!(Live, Spawner);

indexed_by_handle! { impl [T, H: Key] Live<'_, T, H> => T }

impl<'a, T, H: Key> IntoIterator for &'a Live<'_, T, H> {
    type Item = (H, &'a T);
    type IntoIter = LiveIter<'a, T, H>;

    fn into_iter(self) -> LiveIter<'a, T, H> {
        self.iter()
    }
}

/// ```
/// let mut world = tenure::World::from([1, 2, 3]);
/// let (mut live, spawner) = world.split();
/// for (handle, number) in &mut live {
///     *number *= 10;
///     if *number == 20 {
///         spawner.despawn(handle);
///     }
/// }
/// assert!(live.values().eq(&[10, 20, 30]));
/// drop((live, spawner));
/// world.end_frame();
/// assert!(world.values().eq(&[10, 30]));
/// ```
impl<'a, T, H: Key> IntoIterator for &'a mut Live<'_, T, H> {
    type Item = (H, &'a mut T);
    type IntoIter = LiveIterMut<'a, T, H>;

    fn into_iter(self) -> LiveIterMut<'a, T, H> {
        self.iter_mut()
    }
}

impl<'a, T, H: Key> IntoIterator for &'a Others<'_, T, H> {
    type Item = (H, &'a T);
    type IntoIter = OthersIter<'a, T, H>;

    fn into_iter(self) -> OthersIter<'a, T, H> {
        self.iter()
    }
}

impl<T, H: Key> fmt::Debug for Others<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Others").field("me", &self.me).finish_non_exhaustive()
    }
}
