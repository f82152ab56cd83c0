//! Values that move or are copied together, and whose references follow.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::any_handle::kind_of;
use super::holder::{HandleIn, Holder};
use super::parts::{Copying, CopyingInto, Loose, Merging, Part, Staying};
use super::visit::Rule;
use super::{AnyHandle, Dangling, Path, Relink, Relinked, TransferError};

/// Values that move or are copied together, from and into several pools, and whose references
/// follow.
///
/// Nothing happens before [`run`](Self::run). For a single pool there are shorter ways:
/// [`Pool::merge`](crate::Pool::merge), [`Pool::copy_group`](crate::Pool::copy_group) and
/// [`Pool::clear_dangling`](crate::Pool::clear_dangling).
///
/// Kinds of handles are told apart by their type. Handles of a kind that takes no part stay as they
/// are.
///
/// A goblin is copied with everything it carries:
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
/// assert_eq!(jars[its_jar].shelf, shelf); // there is only one
/// ```
///
/// # Panics in your code
///
/// If a `Clone` or a [`Relink`] of yours panics in [`run`](Self::run), what there was before is as
/// it was, in every pool that something was to move into or be copied in; the names that were meant
/// for the newcomers are dead. What was to move away from is still there, but some of its
/// references may have changed: do not use it any more. A map, a set or a heap *in* a value whose
/// keys were being changed is empty then; the same holds for values that stay, and for those given
/// by [`value`](Self::value).
#[must_use = "nothing happens without `run`"]
#[derive(Default)]
pub struct Transfer<'a> {
    parts: Vec<Box<dyn Part + 'a>>,
}

impl<'a> Transfer<'a> {
    /// A transfer of nothing.
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Everything in `from` moves into `into`, under a new name.
    ///
    /// What in `from` has no value (pending handles, and staged entities before they are committed)
    /// has nothing to move; a [world](crate::World::merge) ends its frame first.
    ///
    /// # Panics
    ///
    /// When handles of this kind take part already: of two pools with one kind of handle, nobody
    /// knows which one a handle leads to. Give them different kinds of keys.
    #[track_caller]
    pub fn merge<H: Holder>(self, into: &'a mut H, from: &'a mut H) -> Self
    where
        H::Value: Relink,
    {
        self.with_kind(Box::new(Merging::new(into, from)))
    }

    /// Some of the values in `home` are copied. References among them lead to the copies; others
    /// stay as they are.
    ///
    /// The copies are made in the order of the group. What is named twice is copied once.
    ///
    /// # Panics
    ///
    /// When handles of this kind take part already.
    #[track_caller]
    pub fn copy<H: Holder>(self, home: &'a mut H, group: &[HandleIn<H>]) -> Self
    where
        H::Value: Relink + Clone,
    {
        self.with_kind(Box::new(Copying::new(home, group)))
    }

    /// Some of the values in `from` are copied into another pool. References among them lead to the
    /// copies; all others are cleared in the copies, and reported: they mean nothing there.
    ///
    /// # Panics
    ///
    /// When handles of this kind take part already.
    #[track_caller]
    pub fn copy_into<H: Holder>(self, from: &'a H, group: &[HandleIn<H>], into: &'a mut H) -> Self
    where
        H::Value: Relink + Clone,
    {
        self.with_kind(Box::new(CopyingInto::new(from, group, into)))
    }

    /// Everything in `home` stays where it is, and references to what is not there are cleared.
    ///
    /// A handle that is pending ([reserved](crate::Pool::reserve_handle), or its value was
    /// [taken](crate::Pool::take)) is kept: an undo may bring the value back. To clear those, too,
    /// call [`release_pending`](crate::Pool::release_pending) first.
    ///
    /// # Panics
    ///
    /// When handles of this kind take part already.
    #[track_caller]
    pub fn clear_dangling<H: Holder>(self, home: &'a mut H) -> Self
    where
        H::Value: Relink,
    {
        self.with_kind(Box::new(Staying::new(home)))
    }

    /// The handles in a value that is in no pool follow too: the player's own entity, a selection.
    /// The name is how reports call the value.
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

    /// Does it: all of it, or nothing.
    ///
    /// Every reference among what moves follows before anything has moved, so nobody ever sees one
    /// that does not. Those that lead nowhere are cleared (to nil, or to `None` in an `Option`;
    /// entries of maps and sets go), and [reported](Relinked::cleared).
    ///
    /// # Errors
    ///
    /// When there is no room for all, or something that was to be copied is not there. Then
    /// everything is where it was.
    ///
    /// # Panics
    ///
    /// When a world is to be merged into another, and has no room to commit what was staged there.
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

    /// What stays can only be asked about handles as long as it is not being changed.
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

/// Lets references follow, and lists those that cannot.
pub(super) struct Following<'p, 'a> {
    parts: &'p [Box<dyn Part + 'a>],
    /// Whose references they are.
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

/// Which kind of handle a holder has.
pub(super) fn kind_in<H: Holder>() -> core::any::TypeId {
    kind_of::<H::Kind, H::Layout>()
}

impl fmt::Debug for Transfer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer").field("parts", &self.parts.len()).finish()
    }
}
