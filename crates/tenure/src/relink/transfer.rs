//! Moving or copying values together, with their references.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::any_handle::kind_of;
use super::holder::Holder;
use super::parts::{Copying, CopyingInto, Loose, Merging, Part, Staying};
use super::visit::Rule;
use super::{AnyHandle, Dangling, Path, Relink, Relinked, TransferError};

/// Moves or copies values of several pools together, and changes the references among them to the
/// new handles.
///
/// Nothing happens before [`run`](Self::run). For a single pool, use
/// [`Pool::merge`](crate::Pool::merge), [`Pool::copy_group`](crate::Pool::copy_group) or
/// [`Pool::clear_dangling`](crate::Pool::clear_dangling).
///
/// Here, two handles are of one kind if they have the same type `Handle<K, L>`. Handles of a kind
/// that is not part of the transfer stay as they are.
///
/// Copying a goblin and the jar that it carries:
///
/// ```
/// use tenure::relink::Transfer;
/// use tenure::{Handle, Pool, Relink};
///
/// #[derive(Clone, Relink)]
/// struct Goblin { jar: Handle<Jar> }
/// #[derive(Clone, Relink)]
/// struct Jar { carrier: Handle<Goblin>, shelf: Handle<Shelf> }
/// struct Shelf;
///
/// let (mut goblins, mut jars, mut shelves) = (Pool::new(), Pool::new(), Pool::new());
/// let (grik, jar) = (goblins.reserve_handle(), jars.reserve_handle());
/// let shelf = shelves.insert(Shelf);
/// goblins.fill(grik, Goblin { jar }).unwrap();
/// jars.fill(jar, Jar { carrier: grik, shelf }).unwrap();
///
/// let copies = Transfer::new().copy(&mut goblins, &[grik]).copy(&mut jars, &[jar]).run().unwrap();
/// let twin = copies.new_handle(grik).unwrap();
/// let its_jar = goblins[twin].jar;
/// assert_eq!(jars[its_jar].carrier, twin); // not Grik
/// assert_eq!(jars[its_jar].shelf, shelf); // not copied
/// ```
///
/// # Panics in your code
///
/// If an implementation of `Clone` or [`Relink`] panics in [`run`](Self::run), pools that values
/// were to be moved or copied into are as before, and the handles that were reserved for the new
/// values are released. The values of a pool that was to be merged into another are still in it,
/// but some of their references may have changed: do not use them. The same holds for values of
/// [`clear_dangling`](Self::clear_dangling) and [`value`](Self::value). A map, a set or a heap in a
/// value whose keys were being changed may be empty.
///
/// # Without memory
///
/// What grows with the number of values is requested before any value changes: if it is refused,
/// [`run`](Self::run) returns [`TransferError::Full`]. The process aborts, as with `Vec::push`, if
/// there is no memory for a part of the transfer, or for the report of a cleared reference.
#[must_use = "nothing happens without `run`"]
#[derive(Default)]
pub struct Transfer<'a> {
    parts: Vec<Box<dyn Part + 'a>>,
}

impl<'a> Transfer<'a> {
    /// Creates a transfer without parts.
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Moves all values of `from` into `into`, under new handles.
    ///
    /// Pending handles of `from` have no value to move, and are released. A
    /// [world](crate::World::merge) ends its frame first.
    ///
    /// # Panics
    ///
    /// When a pool with the same kind of handle was added before: it would be unknown to which of
    /// them a handle belongs. Give them different key types.
    #[track_caller]
    pub fn merge<H: Holder>(self, into: &'a mut H, from: &'a mut H) -> Self
    where
        H::Value: Relink,
    {
        self.with_kind(Box::new(Merging::new(into, from)))
    }

    /// Copies some of the values of `home`. In the copies, references to these values become
    /// references to their copies; others stay if they resolve or are pending, and are cleared and
    /// reported if not.
    ///
    /// The copies are inserted in the order of the group. A handle that occurs twice is copied
    /// once.
    ///
    /// # Panics
    ///
    /// When a pool with the same kind of handle was added before.
    #[track_caller]
    pub fn copy<H: Holder>(self, home: &'a mut H, group: &[H::Key]) -> Self
    where
        H::Value: Relink + Clone,
    {
        self.with_kind(Box::new(Copying::new(home, group)))
    }

    /// Copies some of the values of `from` into another pool. References among them become
    /// references to the copies; all others of this kind are cleared in the copies, and reported:
    /// they mean nothing there.
    ///
    /// # Panics
    ///
    /// When handles of this kind take part already.
    #[track_caller]
    pub fn copy_into<H: Holder>(self, from: &'a H, group: &[H::Key], into: &'a mut H) -> Self
    where
        H::Value: Relink + Clone,
    {
        self.with_kind(Box::new(CopyingInto::new(from, group, into)))
    }

    /// Clears the dangling references in the values of `home`, which stay where they are.
    ///
    /// A handle that is pending ([reserved](crate::Pool::reserve_handle), or its value was
    /// [taken](crate::Pool::take)) is kept: an undo may bring the value back. To clear those, too,
    /// call [`release_pending`](crate::Pool::release_pending) first.
    ///
    /// # Panics
    ///
    /// When a pool with the same kind of handle was added before.
    #[track_caller]
    pub fn clear_dangling<H: Holder>(self, home: &'a mut H) -> Self
    where
        H::Value: Relink,
    {
        self.with_kind(Box::new(Staying::new(home)))
    }

    /// Changes the handles in a value that is not in a pool, such as the player's handle or a
    /// selection. Paths in reports begin with `name`.
    pub fn value<T: Relink + ?Sized>(mut self, name: &'a str, value: &'a mut T) -> Self {
        self.parts.push(Box::new(Loose::new(name, value)));
        self
    }

    #[track_caller]
    fn with_kind(mut self, part: Box<dyn Part + 'a>) -> Self {
        let is_new = self.parts.iter().all(|other| other.kind() != part.kind());
        assert!(is_new, "{KIND_TAKEN}");
        self.parts.push(part);
        self
    }

    /// Runs the transfer: all of it, or nothing. (If it fails, a world that was to be merged has
    /// still ended its frame.)
    ///
    /// References are changed before any value moves, so no pool ever has a value with an old
    /// reference. References that do not resolve are cleared and [reported](Relinked::cleared):
    /// they become nil, or `None` in an `Option`; elements of sets, and entries of maps whose key
    /// has the handle, are removed.
    ///
    /// # Errors
    ///
    /// When there is no room for all values, or a handle of a value to be copied does not resolve.
    /// Nothing has moved in this case.
    ///
    /// # Panics
    ///
    /// When a world that is to be merged into another has no room to commit its staged entities.
    #[track_caller]
    pub fn run(mut self) -> Result<Relinked, TransferError> {
        self.parts.iter_mut().try_for_each(|part| part.prepare())?;
        self.parts.iter_mut().try_for_each(|part| part.name())?;
        self.survey();
        let cleared = self.relink();
        self.parts.iter_mut().for_each(|part| part.move_in());
        let renames = self.parts.iter_mut().filter_map(|part| part.renames()).collect();
        Ok(Relinked { renames, cleared })
    }

    /// Finds the dangling handles of parts that stay: they cannot be looked up while their values
    /// are being changed.
    fn survey(&self) {
        if self.parts.iter().any(|part| part.needs_survey()) {
            let mut judge = |link: AnyHandle, _: &Path<'_>| {
                if let Some(part) = part_of(&self.parts, link) {
                    part.judge(link);
                }
            };
            self.parts.iter().for_each(|part| part.visit(&mut judge));
        }
    }

    fn relink(&self) -> Vec<Dangling> {
        let mut following = Following { parts: &self.parts, holder: None, new_holder: None, cleared: Vec::new() };
        self.parts.iter().for_each(|part| part.relink(&mut following));
        let mut cleared = following.cleared;
        for dangling in &mut cleared {
            let part = part_of(&self.parts, dangling.handle);
            dangling.error = part.and_then(|part| part.why_dead(dangling.handle));
        }
        cleared
    }
}

fn part_of<'p, 'a>(parts: &'p [Box<dyn Part + 'a>], link: AnyHandle) -> Option<&'p (dyn Part + 'a)> {
    parts.iter().find(|part| part.kind() == Some(link.kind())).map(|part| &**part)
}

/// Changes references, and lists those that do not resolve.
pub(super) struct Following<'p, 'a> {
    parts: &'p [Box<dyn Part + 'a>],
    /// The handle of the value that has the references.
    pub(super) holder: Option<AnyHandle>,
    pub(super) new_holder: Option<AnyHandle>,
    cleared: Vec<Dangling>,
}

impl Rule for Following<'_, '_> {
    fn follow(&self, link: AnyHandle) -> Option<u64> {
        match part_of(self.parts, link) {
            Some(part) => part.follow(link),
            None => Some(link.to_bits()),
        }
    }

    fn report(&mut self, handle: AnyHandle, path: &Path<'_>) {
        let path = alloc::format!("{path}");
        let (holder, new_holder) = (self.holder, self.new_holder);
        self.cleared.push(Dangling { holder, new_holder, path, handle, error: None });
    }
}

pub(super) const KIND_TAKEN: &str =
    "a pool with this kind of handle takes part already: give one of them a key type of its own";

/// The kind of a holder's handles.
pub(super) fn kind_in<H: Holder>() -> core::any::TypeId {
    kind_of::<H::Kind, H::Layout>()
}

impl fmt::Debug for Transfer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer").field("parts", &self.parts.len()).finish()
    }
}
