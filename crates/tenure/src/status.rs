//! The status of a handle, and why a lookup failed.

use core::fmt;

use crate::handle::{Handle, mark_to_tag};
use crate::layout::{Layout, Marks};
use crate::slots::Vacancy;

/// The status of a handle in a pool. See [`Pool::status`](crate::Pool::status).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It resolves to a value.
    Live,
    /// It was reserved and not filled yet, or its value was taken and can be filled in again.
    Pending,
    /// It resolves, but iterators do not visit the value before the commit. Only in a
    /// [`World`](crate::World), and in a split:
    /// [`Spawner::despawn`](crate::Spawner::despawn) returns it for a value that the split has
    /// spawned.
    Spawned,
    /// It resolves until the sweep: the value is marked for despawn. Only in a
    /// [`World`](crate::World), and in a split.
    Dying,
    /// Its value was removed. Its slot may have another tenant now.
    Removed,
    /// This pool has not issued it, at least not yet.
    NeverIssued,
    /// It is [`Handle::NIL`].
    Nil,
    /// It carries another pool's tag. Only in [`Tagged`](crate::Tagged) layouts.
    Foreign,
    /// Its slot has used up its generations and is retired.
    Retired,
}

impl Status {
    /// Returns `true` if the handle resolves and iterators visit the value: `Live` or `Dying`.
    ///
    /// An entity that is marked for despawn before its commit is `Dying`, too; iterators do not
    /// visit it.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Live | Self::Dying)
    }

    /// Returns `true` if `get` returns a value: `Live`, `Spawned` or `Dying`.
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let world = World::new();
    /// let orc = world.spawn("orc");
    /// assert_eq!(world.status(orc), Status::Spawned);
    /// assert!(world.status(orc).resolves() && world.get(orc).is_some());
    /// ```
    #[must_use]
    pub const fn resolves(self) -> bool {
        matches!(self, Self::Live | Self::Spawned | Self::Dying)
    }
}

/// Why a handle does not resolve. Generations count tenants: 1, 2, 3, …
///
/// ```
/// use tenure::{HandleError, Pool};
///
/// let mut pool = Pool::new();
/// let old = pool.insert("goblin");
/// pool.remove(old);
/// pool.insert("chicken");
///
/// let error = pool.try_get(old).unwrap_err();
/// assert!(matches!(error, HandleError::Removed { .. }));
/// assert_eq!(error.tenants_ago(), Some(1));
/// assert_eq!(error.to_string(), "0v1 was removed: slot 0 is at v2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandleError {
    /// It is [`Handle::NIL`].
    Nil,
    /// The pool has not issued it, at least not yet.
    #[non_exhaustive]
    NeverIssued {
        /// The handle's index.
        index: u32,
        /// The handle's generation.
        generation: u32,
    },
    /// Its value was removed.
    #[non_exhaustive]
    Removed {
        /// The handle's index.
        index: u32,
        /// The handle's generation.
        generation: u32,
        /// The slot's current tenant, or its last one if it is vacant.
        current: u32,
        /// Whether the slot has no tenant now.
        vacant: bool,
    },
    /// It has no value yet, or its value was taken.
    #[non_exhaustive]
    Pending {
        /// The handle's index.
        index: u32,
        /// The handle's generation.
        generation: u32,
    },
    /// Its slot is retired.
    #[non_exhaustive]
    Retired {
        /// The handle's index.
        index: u32,
        /// The handle's generation.
        generation: u32,
        /// The slot's last tenant.
        current: u32,
    },
    /// It carries another pool's tag.
    #[non_exhaustive]
    Foreign {
        /// The handle's tag.
        tag: u32,
        /// The pool's own tag.
        expected: u32,
    },
}

impl HandleError {
    /// Returns the same information without the details.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Nil => Status::Nil,
            Self::NeverIssued { .. } => Status::NeverIssued,
            Self::Removed { .. } => Status::Removed,
            Self::Pending { .. } => Status::Pending,
            Self::Retired { .. } => Status::Retired,
            Self::Foreign { .. } => Status::Foreign,
        }
    }

    /// Returns the number of tenants that the slot has had since: 0 if the handle's own value was
    /// the last one. `None` unless the value was removed.
    #[must_use]
    pub const fn tenants_ago(&self) -> Option<u32> {
        match self {
            Self::Removed { generation, current, .. } | Self::Retired { generation, current, .. } => {
                Some(*current - *generation)
            }
            _ => None,
        }
    }
}

impl fmt::Display for HandleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nil => f.write_str("the handle is nil"),
            Self::NeverIssued { index, generation } => {
                write!(f, "{index}v{generation} was never issued by this pool")
            }
            Self::Removed { index, generation, current, vacant } => {
                write!(f, "{index}v{generation} was removed: ")?;
                write_slot(f, index, current, vacant)
            }
            Self::Pending { index, generation } => write!(f, "{index}v{generation} is pending: it has no value"),
            Self::Retired { index, generation, current } => {
                write!(f, "{index}v{generation} was removed: slot {index} retired after v{current}")
            }
            Self::Foreign { tag, expected } => {
                write!(f, "the handle has the tag #{tag}: it is from another pool, this one has #{expected}")
            }
        }
    }
}

fn write_slot(f: &mut fmt::Formatter<'_>, index: u32, current: u32, vacant: bool) -> fmt::Result {
    if vacant {
        write!(f, "slot {index} is vacant, v{current} was its last tenant")
    } else {
        write!(f, "slot {index} is at v{current}")
    }
}

impl core::error::Error for HandleError {}

/// The panic of `pool[handle]`.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn panic_not_live<H: crate::key::Key>(handle: H, error: HandleError) -> ! {
    match error {
        HandleError::Removed { index, current, vacant: false, .. } => {
            panic!("stale handle {handle:?}: slot {index} is at v{current}")
        }
        HandleError::Removed { index, current, .. } => {
            panic!("stale handle {handle:?}: slot {index} is vacant, v{current} was its last tenant")
        }
        _ => panic!("handle {handle:?} does not resolve: {error}"),
    }
}

/// Compares a handle with its slot: `None` if it is live.
///
/// `own` is any mark of the pool (for its tag); `slot` is the mark of the slot and why it is
/// vacant.
pub(crate) fn diagnose<K: ?Sized, L: Layout>(
    handle: Handle<K, L>,
    own: u32,
    slot: (u32, Option<Vacancy>),
) -> Option<HandleError> {
    let (mark, vacancy) = slot;
    let (index, generation) = (handle.index(), handle.generation());
    if handle.is_nil() {
        return Some(HandleError::Nil);
    }
    if (handle.mark() ^ own) & L::TAG != 0 {
        let expected = mark_to_tag::<L>(own);
        return Some(HandleError::Foreign { tag: handle.tag(), expected });
    }
    let current = last_tenant::<L>(mark, vacancy);
    match vacancy {
        _ if generation > current => Some(HandleError::NeverIssued { index, generation }),
        Some(Vacancy::Retired) => Some(HandleError::Retired { index, generation, current }),
        Some(Vacancy::Pending) if generation == current => Some(HandleError::Pending { index, generation }),
        None if generation == current => None,
        _ => {
            let vacant = !matches!(vacancy, None | Some(Vacancy::Pending));
            Some(HandleError::Removed { index, generation, current, vacant })
        }
    }
}

/// The generation of the tenant that a slot has, or had last. The mark of a pending or retired slot
/// is one below that of its tenant; that of a free slot is one above.
pub(crate) fn last_tenant<L: Layout>(mark: u32, vacancy: Option<Vacancy>) -> u32 {
    match vacancy {
        Some(Vacancy::Pending | Vacancy::Retired) => L::tenant(mark | 1),
        _ => L::tenant(mark),
    }
}

/// Implements indexing by handle, for types with `try_get` and `try_get_mut`.
#[cfg(feature = "alloc")]
macro_rules! indexed_by_handle {
    (impl [$($params:tt)*] $Type:ty => $Value:ty) => {
        impl<$($params)*> core::ops::Index<H> for $Type {
            type Output = $Value;

            /// # Panics
            ///
            /// If the handle does not resolve, at the caller's line, with the handle and the
            /// reason.
            #[inline]
            #[track_caller]
            fn index(&self, handle: H) -> &$Value {
                match self.try_get(handle) {
                    Ok(value) => value,
                    Err(error) => crate::status::panic_not_live(handle, error),
                }
            }
        }

        impl<$($params)*> core::ops::IndexMut<H> for $Type {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, handle: H) -> &mut $Value {
                match self.try_get_mut(handle) {
                    Ok(value) => value,
                    Err(error) => crate::status::panic_not_live(handle, error),
                }
            }
        }
    };
}

#[cfg(feature = "alloc")]
pub(crate) use indexed_by_handle;
