//! Changing some values while others are born.
#![allow(unsafe_code, reason = "gives out references to values while others are added")]

use core::fmt;

use super::StablePool;
use super::shared::Shared;
use super::walk::{LiveIter, LiveIterMut, LiveValues, LiveValuesMut};
use crate::error::Full;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};

impl<T, K: ?Sized, L: Layout> StablePool<T, K, L> {
    /// Two halves: what is live now, to look at and to change, and a spawner for what is new.
    ///
    /// Both can be used at the same time, in one loop, without a list of things to do later:
    ///
    /// ```
    /// use tenure::{Handle, StablePool};
    ///
    /// struct Effect { age: u32, spark: Option<Handle<Effect>> }
    ///
    /// let mut effects = StablePool::new();
    /// effects.insert(Effect { age: 0, spark: None });
    ///
    /// let (mut live, spawner) = effects.split();
    /// for effect in live.values_mut() {
    ///     effect.spark = Some(spawner.spawn(Effect { age: 0, spark: None })); // three months later, by somebody else
    ///     effect.age += 1; // the pool has grown, and `effect` is still where it was
    /// }
    /// drop((live, spawner));
    /// assert_eq!(effects.len(), 2);
    /// ```
    ///
    /// What is born is not met by walks and does not resolve before both halves are gone. What is removed frees its slot then. Its handle is dead at once.
    /// [Forgetting](core::mem::forget) a half does no harm: the next use of the pool puts everything in its place.
    #[doc(alias("spawn while iterating", "command buffer", "deferred"))]
    pub fn split(&mut self) -> (Live<'_, T, K, L>, Spawner<'_, T, K, L>) {
        self.shared.begin_split();
        (Live { shared: &self.shared }, Spawner { shared: &self.shared })
    }
}

/// What existed when a [`StablePool`] was [split](StablePool::split): to look at, change and remove.
///
/// - X1: a `Live` is borrowed alone wherever it gives out `&mut T`, and nobody else but its [`Others`] reads values that were admitted before the split.
pub struct Live<'a, T, K: ?Sized = T, L: Layout = Wide> {
    shared: &'a Shared<T, K, L>,
}

/// Adds to a [`StablePool`] that is [split](StablePool::split).
///
/// - X2: what it has made is newborn (N1), so no look-up of the other half finds it, and every walk steps over it, until the split ends.
pub struct Spawner<'a, T, K: ?Sized = T, L: Layout = Wide> {
    shared: &'a Shared<T, K, L>,
}

/// Everything but the value that is being changed. See [`Live::for_each_mut`].
pub struct Others<'a, T, K: ?Sized = T, L: Layout = Wide> {
    shared: &'a Shared<T, K, L>,
    me: Handle<K, L>,
}

impl<T, K: ?Sized, L: Layout> Live<'_, T, K, L> {
    /// The value that a handle leads to, if it existed at the split.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        // SAFETY: X1 and X2, nobody has this value to change it while `self` is borrowed.
        self.shared.find_settled(handle).map(|value| unsafe { value.as_ref() })
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut T> {
        // SAFETY: X1 and X2, nobody else has this value while `self` is borrowed alone.
        self.shared.find_settled(handle).map(|mut value| unsafe { value.as_mut() })
    }

    /// Whether the handle leads to a value that existed at the split.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.shared.find_settled(handle).is_some()
    }

    /// Takes a value out. Its handle is dead at once; its slot is free when the split ends. `None` if it is dead already. A
    /// pending handle is released when the split ends.
    #[inline]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.shared.remove_in_split(handle)
    }

    /// Handles and values, by index.
    pub fn iter(&self) -> LiveIter<'_, T, K, L> {
        LiveIter::new(self.shared)
    }

    /// Handles and values, by index, to change the values.
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, T, K, L> {
        LiveIterMut::new(self.shared)
    }

    /// Values, by index.
    pub fn values(&self) -> LiveValues<'_, T, K, L> {
        LiveValues::new(self.shared)
    }

    /// Values, by index, to change them.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, T, K, L> {
        LiveValuesMut::new(self.shared)
    }

    /// Changes every value, by index, while it can look at all the others.
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
        let shared = self.shared;
        self.iter_mut().for_each(|(me, value)| change(value, &Others { shared, me }));
    }
}

impl<'a, T, K: ?Sized, L: Layout> Spawner<'a, T, K, L> {
    /// Puts a value in and returns its handle, which leads nowhere until the split ends.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[doc(alias = "insert")]
    pub fn spawn(&self, value: T) -> Handle<K, L> {
        self.spawn_mut(value).0
    }

    /// As [`spawn`](Self::spawn), with an error that gives the value back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_spawn(&self, value: T) -> Result<Handle<K, L>, Full<T>> {
        self.shared.spawn(value).map(|(handle, _)| handle)
    }

    /// As [`spawn`](Self::spawn), and the value, to change it as long as the split lasts.
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
    /// When the pool is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[allow(clippy::mut_from_ref, reason = "each value is given out once, when it is made")]
    pub fn spawn_mut(&self, value: T) -> (Handle<K, L>, &'a mut T) {
        match self.shared.spawn(value) {
            // SAFETY: X2, nobody else finds the value before the split ends, and then only its bit is written; the pool is borrowed for `'a`.
            Ok((handle, mut value)) => (handle, unsafe { value.as_mut() }),
            Err(full) => panic!("{full}"),
        }
    }

    /// Puts in a value that may hold its own handle. The closure may spawn, too.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or the closure has [removed](Live::remove) its own handle.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        let handle = match self.shared.reserve_newborn() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        };
        let unborn = Unborn { shared: self.shared, handle };
        let value = make(handle);
        match self.shared.fill_newborn(handle, value) {
            Ok(()) => core::mem::forget(unborn),
            // Without memory for its list; or the closure has removed it.
            Err(rejected) => panic!("{rejected}"),
        }
        handle
    }
}

/// A reserved handle whose value is being made. Dropped without one, it is released.
struct Unborn<'a, T, K: ?Sized, L: Layout> {
    shared: &'a Shared<T, K, L>,
    handle: Handle<K, L>,
}

impl<T, K: ?Sized, L: Layout> Drop for Unborn<'_, T, K, L> {
    fn drop(&mut self) {
        self.shared.remove_in_split(self.handle);
    }
}

impl<T, K: ?Sized, L: Layout> Others<'_, T, K, L> {
    /// The value that a handle leads to, if it existed at the split and is not the one that is being changed.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        if handle.index() == self.me.index() {
            return None;
        }
        // SAFETY: X1 and X2, `Live` is lent alone to the walk, which has given out nothing but the value of `me`.
        self.shared.find_settled(handle).map(|value| unsafe { value.as_ref() })
    }

    /// Whether the handle leads to another value.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.get(handle).is_some()
    }

    /// The handle of the value that is being changed.
    #[inline]
    #[must_use]
    pub fn me(&self) -> Handle<K, L> {
        self.me
    }
}

macro_rules! half {
    ($name:ident) => {
        impl<T, K: ?Sized, L: Layout> Drop for $name<'_, T, K, L> {
            fn drop(&mut self) {
                self.shared.end_half();
            }
        }

        impl<T, K: ?Sized, L: Layout> fmt::Debug for $name<'_, T, K, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

half!(Live);
half!(Spawner);

impl<T, K: ?Sized, L: Layout> fmt::Debug for Others<'_, T, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Others").field("me", &self.me).finish_non_exhaustive()
    }
}
