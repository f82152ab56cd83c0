//! The two halves of a split: one to mutate values, one to spawn others meanwhile.
#![allow(unsafe_code, reason = "gives out references to values while others are added")]

use core::fmt;
use core::ptr::NonNull;

use super::iter::{LiveIter, LiveIterMut, LiveValues, LiveValuesMut};
use super::{Lifecycle, Spawned};
use crate::error::Full;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::panic_full;
use crate::slots::FullKind;
use crate::status::Status;

/// The values that existed when a [`StablePool`](crate::StablePool) or a [`World`](crate::World)
/// was split: to look up, mutate and remove.
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
/// - X1: a `Live` is borrowed mutably wherever it gives out `&mut T`. Only its [`Others`] give out
///   references to the same values meanwhile, and not to the one that is being mutated.
pub struct Live<'a, T, K: ?Sized = T, L: Layout = Wide> {
    lifecycle: &'a Lifecycle<T, K, L>,
}

/// Adds values to a [`StablePool`](crate::StablePool) or a [`World`](crate::World) that is split,
/// and marks values for despawn.
///
/// - X2: what it has spawned is uncommitted and not `EARLIER` (Q4) until the split ends, so the
///   other half does not find it, and no iterator visits it (N1).
pub struct Spawner<'a, T, K: ?Sized = T, L: Layout = Wide> {
    lifecycle: &'a Lifecycle<T, K, L>,
}

/// Every value but the one that is being mutated. See [`Live::for_each_mut`].
pub struct Others<'a, T, K: ?Sized = T, L: Layout = Wide> {
    lifecycle: &'a Lifecycle<T, K, L>,
    me: Handle<K, L>,
    /// The value that is being mutated.
    mine: NonNull<T>,
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Begins a split.
    pub(crate) fn split(&mut self) -> (Live<'_, T, K, L>, Spawner<'_, T, K, L>) {
        self.begin_split();
        (Live { lifecycle: self }, Spawner { lifecycle: self })
    }

    /// Spawns a value that may hold its own handle.
    #[track_caller]
    pub(crate) fn spawn_with(&self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        if !self.make_room_to_spawn(1) {
            panic_full(FullKind::Memory);
        }
        let handle = match self.reserve_handle() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        };
        let reserved = ReleaseLater { lifecycle: self, handle };
        let value = make(handle);
        // The closure may have spawned others, in the room that was made for this one.
        if !self.make_room_to_spawn(1) {
            panic_full(FullKind::Memory);
        }
        match self.fill_spawned(handle, value) {
            Ok(()) => core::mem::forget(reserved),
            // The closure has removed the handle.
            Err(rejected) => panic!("{rejected}"),
        }
        handle
    }
}

/// A reserved handle whose value is being made. Dropped without one, it is released.
struct ReleaseLater<'a, T, K: ?Sized, L: Layout> {
    lifecycle: &'a Lifecycle<T, K, L>,
    handle: Handle<K, L>,
}

impl<T, K: ?Sized, L: Layout> Drop for ReleaseLater<'_, T, K, L> {
    fn drop(&mut self) {
        self.lifecycle.release(self.handle);
    }
}

impl<T, K: ?Sized, L: Layout> Live<'_, T, K, L> {
    /// Returns the value of a handle, if it resolved at the split and still does.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        // SAFETY: by X1 and X2 there is no `&mut` to this value while `self` is borrowed.
        self.lifecycle.find_in_split(handle).map(|value| unsafe { value.as_ref() })
    }

    /// Like [`get`](Self::get), mutably.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut T> {
        // SAFETY: by X1 and X2 there is no other reference to this value while `self` is borrowed
        // mutably.
        self.lifecycle.find_in_split(handle).map(|mut value| unsafe { value.as_mut() })
    }

    /// Returns `true` if the handle resolved at the split and still does.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.lifecycle.find_in_split(handle).is_some()
    }

    /// Removes a value and returns it. Its handle no longer resolves; its slot is free when the
    /// split ends (in a world: the frame). `None` if the handle does not resolve here. A pending
    /// handle is released.
    #[inline]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.lifecycle.remove_in_split(handle)
    }

    /// An iterator over handles and values, by index.
    pub fn iter(&self) -> LiveIter<'_, T, K, L> {
        LiveIter::new(self.lifecycle)
    }

    /// A mutable iterator over handles and values, by index.
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, T, K, L> {
        LiveIterMut::new(self.lifecycle)
    }

    /// An iterator over values, by index.
    pub fn values(&self) -> LiveValues<'_, T, K, L> {
        LiveValues::new(self.lifecycle)
    }

    /// A mutable iterator over values, by index.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, T, K, L> {
        LiveValuesMut::new(self.lifecycle)
    }

    /// Calls a closure for every value, by index, mutably. The closure can look up all others.
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
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut T, &Others<'_, T, K, L>)) {
        let lifecycle = self.lifecycle;
        lifecycle.raw_iter().for_each(
            || lifecycle.slots(),
            |(slot, mut value)| {
                let others = Others { lifecycle, me: Handle::from_slot(slot), mine: value };
                // SAFETY: by X1 and X2 there is no other reference to this value: `self` is
                // borrowed mutably, and `others` does not find it.
                change(unsafe { value.as_mut() }, &others);
            },
        );
    }
}

impl<T, K: ?Sized, L: Layout> Spawner<'_, T, K, L> {
    /// Spawns a value and returns its handle. [`Live`] resolves it when the split has ended.
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[doc(alias = "insert")]
    pub fn spawn(&self, value: T) -> Handle<K, L> {
        self.must_spawn(value).0
    }

    /// Like [`spawn`](Self::spawn), but returns the value in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_spawn(&self, value: T) -> Result<Handle<K, L>, Full<T>> {
        self.lifecycle.spawn(value).map(|(handle, _)| handle)
    }

    #[inline]
    #[track_caller]
    fn must_spawn(&self, value: T) -> Spawned<T, K, L> {
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
    #[expect(clippy::mut_from_ref, reason = "each value is given out once, when it is spawned")]
    pub fn spawn_mut(&self, value: T) -> (Handle<K, L>, &mut T) {
        let (handle, mut value) = self.must_spawn(value);
        // SAFETY: by X2 nothing else finds the value before the split ends, and then both halves
        // are gone; the reference borrows this half.
        (handle, unsafe { value.as_mut() })
    }

    /// Spawns a value that may hold its own handle. The closure may spawn, too.
    ///
    /// # Panics
    ///
    /// When the container is full, or there is no memory, or the closure has
    /// [removed](Live::remove) its own handle.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        self.lifecycle.spawn_with(make)
    }

    /// Marks a value for despawn. Returns its status before.
    ///
    /// The value is removed and dropped when the split ends, in a world at the
    /// [sweep](crate::World::sweep). Until then it resolves and iterators visit it. It may be one
    /// that is borrowed at the moment, or one that was just spawned. Marking it twice is harmless,
    /// and so is marking a handle that does not resolve.
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
    /// In a stable pool, when there is no memory to note it. In a world there always is.
    #[track_caller]
    #[doc(alias("remove", "delete", "kill"))]
    pub fn despawn(&self, handle: Handle<K, L>) -> Status {
        match self.lifecycle.despawn(handle) {
            Ok(status) => status,
            Err(kind) => panic_full(kind),
        }
    }
}

impl<T, K: ?Sized, L: Layout> Others<'_, T, K, L> {
    /// Returns the value of a handle, if it resolved at the split, still does, and is not the value
    /// that is being mutated.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        let value = self.lifecycle.find_in_split(handle).filter(|value| *value != self.mine)?;
        // SAFETY: by X1 and X2 the `Live` is borrowed mutably by the iteration, which has given out
        // nothing but `mine`.
        Some(unsafe { value.as_ref() })
    }

    /// Returns `true` if the handle resolves to another value.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.get(handle).is_some()
    }

    /// The handle of the value that is being mutated.
    #[inline]
    #[must_use]
    pub fn me(&self) -> Handle<K, L> {
        self.me
    }
}

macro_rules! half {
    ($($name:ident),*) => {$(
        impl<T, K: ?Sized, L: Layout> Drop for $name<'_, T, K, L> {
            fn drop(&mut self) {
                self.lifecycle.end_half();
            }
        }

        impl<T, K: ?Sized, L: Layout> fmt::Debug for $name<'_, T, K, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

half!(Live, Spawner);

impl<T, K: ?Sized, L: Layout> fmt::Debug for Others<'_, T, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Others").field("me", &self.me).finish_non_exhaustive()
    }
}
