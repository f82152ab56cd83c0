//! The results of a transfer: new handles, cleared references, and errors.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::iter::FusedIterator;
use core::slice;

use super::AnyHandle;
use super::renames::{Pair, Renames};
use crate::error::Full;
use crate::key::Key;
use crate::layout::Layout;
use crate::status::HandleError;

/// A dangling reference: a handle in a value that does not resolve.
///
/// ```
/// use tenure::{Handle, Pool, Relink};
///
/// #[derive(Relink)]
/// struct Goblin { boss: Option<Handle<Goblin>> }
///
/// let mut goblins = Pool::new();
/// let boss = goblins.insert(Goblin { boss: None });
/// let grik = goblins.insert(Goblin { boss: Some(boss) });
/// goblins.remove(boss);
///
/// let dangling = goblins.audit();
/// assert_eq!(dangling[0].holder, Some(grik.into()));
/// assert_eq!(dangling[0].path, "Goblin.boss");
/// assert_eq!(
///     dangling[0].to_string(),
///     "Goblin.boss of Goblin(1v1) is Goblin(0v1), which does not resolve: 0v1 was removed: slot 0 is vacant, v1 was its last tenant",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dangling {
    /// The handle of the value that has the reference, in the pool that it was in before. `None`
    /// if the value is not in a pool.
    pub holder: Option<AnyHandle>,
    /// The handle that the holder, or its copy, got in a transfer. `None` if it was not
    /// transferred.
    pub new_holder: Option<AnyHandle>,
    /// The path from the type to the reference: `Goblin.friends[3]`.
    pub path: String,
    /// The handle that does not resolve, as `holder` had it.
    pub handle: AnyHandle,
    /// Why it does not resolve. `None` if it resolves, and its value was
    /// [left behind](crate::Pool::copy_group_into) when the holder was copied into another pool.
    pub error: Option<HandleError>,
}

impl Dangling {
    /// Returns `true` if the value may still come: its handle is [reserved or
    /// taken](crate::Status::Pending), and neither filled nor released.
    ///
    /// ```
    /// use tenure::{Handle, Pool, Relink};
    ///
    /// #[derive(Relink)]
    /// struct Node { parent: Option<Handle<Node>> }
    ///
    /// let mut scene = Pool::new();
    /// let car = scene.insert(Node { parent: None });
    /// let wheel = scene.insert(Node { parent: Some(car) });
    /// let undo = scene.take(car).unwrap();
    ///
    /// let listed = scene.audit();
    /// assert!(listed.len() == 1 && listed[0].is_pending());
    /// assert!(scene.clear_dangling().is_empty()); // the undo may bring the car back
    /// scene.fill(car, undo).unwrap();
    /// assert_eq!(scene[wheel].parent, Some(car));
    /// ```
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self.error, Some(HandleError::Pending { .. }))
    }
}

impl fmt::Display for Dangling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(holder) = self.holder {
            write!(f, " of {holder}")?;
        }
        if let Some(new) = self.new_holder {
            write!(f, " (now {new})")?;
        }
        write!(f, " is {}, which ", self.handle)?;
        match self.error {
            Some(error @ HandleError::Pending { .. }) => write!(f, "has no value at the moment: {error}"),
            Some(error) => write!(f, "does not resolve: {error}"),
            None => f.write_str("was not copied with it"),
        }
    }
}

/// The result of a [`Transfer`](super::Transfer): the new handles, and the references that were
/// cleared.
#[must_use = "it has the references that were cleared"]
pub struct Relinked {
    pub(super) renames: Vec<Box<dyn Any + Send + Sync>>,
    pub(super) cleared: Vec<Dangling>,
}

impl Relinked {
    /// Returns the new handle of a value that was moved or copied, from its old one. `None` for
    /// other handles.
    #[must_use]
    pub fn new_handle<H: Key<Kind: 'static>>(&self, old: H) -> Option<H> {
        self.renames_of::<H::Kind, H::Layout>()?.get(old.handle()).map(H::from_handle)
    }

    /// Returns an iterator over the old and new handles of one kind, sorted by the old ones.
    ///
    /// For data outside the pool, as in a [`SideMap`](crate::SideMap):
    ///
    /// ```
    /// use tenure::{Pool, SideMap};
    ///
    /// let (mut here, mut there) = (Pool::from(["Snag"]), Pool::new());
    /// let grik = there.insert("Grik");
    /// let (mut gold, mut gold_there) = (SideMap::new(), SideMap::new());
    /// gold_there.insert(&there, grik, 7).unwrap();
    ///
    /// let merged = here.merge(&mut there).unwrap();
    /// for (old, new) in merged.pairs() {
    ///     if let Some(pieces) = gold_there.remove(old) {
    ///         gold.insert(&here, new, pieces).unwrap();
    ///     }
    /// }
    /// assert_eq!(gold[merged.new_handle(grik).unwrap()], 7);
    /// ```
    pub fn pairs<H: Key<Kind: 'static>>(&self) -> Pairs<'_, H> {
        let pairs: &[_] = self.renames_of::<H::Kind, H::Layout>().map_or(&[], Renames::as_slice);
        Pairs(pairs.iter())
    }

    /// Returns the references that were cleared: they did not resolve, or their value was not
    /// copied.
    #[must_use]
    pub fn cleared(&self) -> &[Dangling] {
        &self.cleared
    }

    fn renames_of<K: ?Sized + 'static, L: Layout>(&self) -> Option<&Renames<K, L>> {
        self.renames.iter().find_map(|renames| renames.downcast_ref())
    }
}

/// An iterator over old and new handles. See [`Relinked::pairs`].
#[must_use = "iterators are lazy"]
pub struct Pairs<'a, H: Key>(slice::Iter<'a, Pair<H::Kind, H::Layout>>);

impl<H: Key> Pairs<'_, H> {
    fn keys((old, new): &Pair<H::Kind, H::Layout>) -> (H, H) {
        (H::from_handle(*old), H::from_handle(*new))
    }
}

impl<H: Key> Iterator for Pairs<'_, H> {
    type Item = (H, H);

    #[inline]
    fn next(&mut self) -> Option<(H, H)> {
        self.0.next().map(Self::keys)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<H: Key> DoubleEndedIterator for Pairs<'_, H> {
    #[inline]
    fn next_back(&mut self) -> Option<(H, H)> {
        self.0.next_back().map(Self::keys)
    }
}

impl<H: Key> ExactSizeIterator for Pairs<'_, H> {}
impl<H: Key> FusedIterator for Pairs<'_, H> {}

impl<H: Key> Clone for Pairs<'_, H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Key> fmt::Debug for Pairs<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl fmt::Debug for Relinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relinked").field("cleared", &self.cleared).finish_non_exhaustive()
    }
}

/// Why a transfer failed. Nothing was moved or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransferError {
    /// There is no room for all values.
    Full(Full<()>),
    /// A handle of a value to be copied does not resolve.
    #[non_exhaustive]
    NotLive {
        /// The handle.
        handle: AnyHandle,
        /// Why it does not resolve.
        error: HandleError,
    },
}

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(full) => full.fmt(f),
            Self::NotLive { handle, error } => write!(f, "{handle} cannot be copied: {error}"),
        }
    }
}

impl core::error::Error for TransferError {}

impl From<Full<()>> for TransferError {
    fn from(full: Full<()>) -> Self {
        Self::Full(full)
    }
}
