//! Changing some values while others are born.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

use core::fmt;
use core::ptr::NonNull;

use super::StablePool;
use super::shared::{Newborn, Shared};
use super::walk::{LiveIter, LiveIterMut, LiveValues, LiveValuesMut};
use crate::error::{Full, FullKind};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::panic_full;

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
    /// What is born is not met by walks and does not resolve before both halves are gone. What is
    /// removed frees its slot then. Its handle is dead at once. [Forgetting](core::mem::forget) a
    /// half does no harm: the next use of the pool puts everything in its place.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    pub fn split(&mut self) -> (Live<'_, T, K, L>, Spawner<'_, T, K, L>) {
        self.shared.begin_split();
        (Live { shared: &self.shared, frame: Alone }, Spawner { shared: &self.shared, frame: Alone })
    }
}

/// What existed when a [`StablePool`] was [split](StablePool::split): to look at, change and
/// remove.
///
/// - X1: a `Live` is borrowed alone wherever it gives out `&mut T`, and nobody else but its
///   [`Others`] reads values that were admitted before the split.
///
/// `F` is the frame that the split is part of, if any: that of a [`World`](crate::World).
pub struct Live<'a, T, K: ?Sized = T, L: Layout = Wide, F: Frame<T, K, L> = Alone> {
    shared: &'a Shared<T, K, L>,
    frame: F,
}

/// Adds to a [`StablePool`] that is [split](StablePool::split).
///
/// - X2: what it has made is newborn (N1), so no look-up of the other half finds it, and every walk
///   steps over it, until the split ends.
pub struct Spawner<'a, T, K: ?Sized = T, L: Layout = Wide, F: Frame<T, K, L> = Alone> {
    pub(crate) shared: &'a Shared<T, K, L>,
    pub(crate) frame: F,
}

/// Everything but the value that is being changed. See [`Live::for_each_mut`].
pub struct Others<'a, T, K: ?Sized = T, L: Layout = Wide, F: Frame<T, K, L> = Alone> {
    shared: &'a Shared<T, K, L>,
    frame: F,
    me: Handle<K, L>,
    /// The value that is being changed.
    mine: NonNull<T>,
}

/// What a split is part of: nothing, or the frame of a world.
///
/// # Safety
///
/// X3: `find` gives no value that a [`Spawner`] of this split has made.
pub unsafe trait Frame<T, K: ?Sized, L: Layout>: Copy {
    /// Where the value of a handle is that could be found when the split began, and still can.
    fn find(self, shared: &Shared<T, K, L>, handle: Handle<K, L>) -> Option<NonNull<T>>;

    /// There is memory to note one birth more.
    fn expect_birth(self, shared: &Shared<T, K, L>) -> bool;

    /// Somebody is born: notes it.
    fn note_birth(self, handle: Handle<K, L>);

    /// A half of the split is gone.
    fn end_half(self, shared: &Shared<T, K, L>);
}

/// The split is all there is: when it ends, what was born is among the others.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

// SAFETY: X3, what is made in a split is newborn until it ends (X2).
unsafe impl<T, K: ?Sized, L: Layout> Frame<T, K, L> for Alone {
    #[inline]
    fn find(self, shared: &Shared<T, K, L>, handle: Handle<K, L>) -> Option<NonNull<T>> {
        shared.find_settled(handle)
    }

    #[inline]
    fn expect_birth(self, _shared: &Shared<T, K, L>) -> bool {
        true
    }

    #[inline]
    fn note_birth(self, _handle: Handle<K, L>) {}

    fn end_half(self, shared: &Shared<T, K, L>) {
        shared.end_half();
    }
}

impl<'a, T, K: ?Sized, L: Layout, F: Frame<T, K, L>> Live<'a, T, K, L, F> {
    pub(crate) fn new(shared: &'a Shared<T, K, L>, frame: F) -> Self {
        Self { shared, frame }
    }

    /// The value that a handle leads to, if it existed at the split.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        // SAFETY: X1 and X2, nobody has this value to change it while `self` is borrowed.
        self.frame.find(self.shared, handle).map(|value| unsafe { value.as_ref() })
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut T> {
        // SAFETY: X1 and X2, nobody else has this value while `self` is borrowed alone.
        self.frame.find(self.shared, handle).map(|mut value| unsafe { value.as_mut() })
    }

    /// Whether the handle leads to a value that existed at the split.
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.frame.find(self.shared, handle).is_some()
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
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut T, &Others<'_, T, K, L, F>)) {
        let (shared, frame) = (self.shared, self.frame);
        let walk = shared.look(|pool| pool.slots.roam());
        walk.for_each(
            || shared.slots(),
            |(index, mark, mut value)| {
                let others = Others { shared, frame, me: Handle::issued(index, mark), mine: value };
                // SAFETY: X1 and X2, nobody else has this value: `self` is borrowed alone, and the
                // others do not find it.
                change(unsafe { value.as_mut() }, &others);
            },
        );
    }
}

impl<T, K: ?Sized, L: Layout> Live<'_, T, K, L> {
    /// Takes a value out. Its handle is dead at once; its slot is free when the split ends. `None`
    /// if it is dead already. A pending handle is released.
    #[inline]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.shared.remove_in_split(handle)
    }
}

impl<'a, T, K: ?Sized, L: Layout, F: Frame<T, K, L>> Spawner<'a, T, K, L, F> {
    pub(crate) fn new(shared: &'a Shared<T, K, L>, frame: F) -> Self {
        Self { shared, frame }
    }

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
        self.bear(value).map(|(handle, _)| handle)
    }

    #[inline]
    fn bear(&self, value: T) -> Result<Newborn<T, K, L>, Full<T>> {
        if !self.frame.expect_birth(self.shared) {
            return Err(Full::new(value, FullKind::Memory));
        }
        let newborn = self.shared.spawn(value)?;
        self.frame.note_birth(newborn.0);
        Ok(newborn)
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
    #[expect(clippy::mut_from_ref, reason = "each value is given out once, when it is made")]
    pub fn spawn_mut(&self, value: T) -> (Handle<K, L>, &'a mut T) {
        match self.bear(value) {
            // SAFETY: X2, nobody else finds the value before the split ends, and then only its bit
            // is written; the pool is borrowed for `'a`.
            Ok((handle, mut value)) => (handle, unsafe { value.as_mut() }),
            Err(full) => panic!("{full}"),
        }
    }

    /// Puts in a value that may hold its own handle. The closure may spawn, too.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or the closure has [removed](Live::remove) its
    /// own handle.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        if !self.frame.expect_birth(self.shared) {
            panic_full(FullKind::Memory);
        }
        let handle = match self.shared.reserve_newborn() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        };
        let unborn = Unborn { shared: self.shared, handle };
        let value = make(handle);
        // The closure may have let others be born, in the room that was made for this one.
        if !self.frame.expect_birth(self.shared) {
            panic_full(FullKind::Memory);
        }
        match self.shared.fill_newborn(handle, value) {
            Ok(()) => core::mem::forget(unborn),
            // Without memory for its list; or the closure has removed it.
            Err(rejected) => panic!("{rejected}"),
        }
        self.frame.note_birth(handle);
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

impl<T, K: ?Sized, L: Layout, F: Frame<T, K, L>> Others<'_, T, K, L, F> {
    /// The value that a handle leads to, if it existed at the split and is not the one that is
    /// being changed.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        let value = self.frame.find(self.shared, handle).filter(|value| *value != self.mine)?;
        // SAFETY: X1 and X2, `Live` is lent alone to the walk, which has given out nothing but
        // `mine`.
        Some(unsafe { value.as_ref() })
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
        impl<T, K: ?Sized, L: Layout, F: Frame<T, K, L>> Drop for $name<'_, T, K, L, F> {
            fn drop(&mut self) {
                self.frame.end_half(self.shared);
            }
        }

        impl<T, K: ?Sized, L: Layout, F: Frame<T, K, L>> fmt::Debug for $name<'_, T, K, L, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

half!(Live);
half!(Spawner);

impl<T, K: ?Sized, L: Layout, F: Frame<T, K, L>> fmt::Debug for Others<'_, T, K, L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Others").field("me", &self.me).finish_non_exhaustive()
    }
}
