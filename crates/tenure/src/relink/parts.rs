//! The parts of a transfer: pools whose values move, are copied, or stay, and values that are in no
//! pool.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::cell::RefCell;

use super::any_handle::{from_bits, to_bits};
use super::holder::{HandleIn, Holder, Moved};
use super::renames::Renames;
use super::transfer::{Following, kind_in};
use super::visit::{relink_named, short_name_of, visit_named};
use super::{AnyHandle, Path, Relink, TransferError};
use crate::error::Full;
use crate::key::{HandleOf, Key};
use crate::slots::FullKind;
use crate::status::HandleError;

/// One part of a transfer. The methods are in the order in which `Transfer::run` calls them, each
/// for all parts.
pub(super) trait Part {
    /// The kind of handle that this part resolves.
    fn kind(&self) -> Option<TypeId> {
        None
    }

    /// Does what can fail, and what runs the caller's code.
    fn prepare(&mut self) -> Result<(), TransferError> {
        Ok(())
    }

    /// Reserves the new handles.
    fn name(&mut self) -> Result<(), TransferError> {
        Ok(())
    }

    /// Returns `true` if `judge` must be called for all handles before any is changed.
    fn needs_survey(&self) -> bool {
        false
    }

    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>));

    /// Notes whether a handle of its kind is dangling.
    fn judge(&self, _link: AnyHandle) {}

    /// Changes the references in its values.
    fn relink(&self, following: &mut Following<'_, '_>);

    /// Returns the bits of the new handle for a handle of its kind. `None` if it is dangling.
    /// Values may be borrowed mutably during this call.
    fn follow(&self, link: AnyHandle) -> Option<u64> {
        Some(link.to_bits())
    }

    /// Returns why a handle does not resolve, if it does not.
    fn why_dead(&self, _link: AnyHandle) -> Option<HandleError> {
        None
    }

    /// Moves the values to their new handles. Cannot fail.
    fn move_in(&mut self) {}

    fn renames(&mut self) -> Option<Box<dyn Any + Send + Sync>> {
        None
    }
}

/// A holder with handles that are reserved for values of a transfer. Dropping it releases the
/// handles that have no value.
struct Names<'a, H: Holder> {
    home: &'a mut H,
    renames: Renames<H::Kind, H::Layout>,
}

impl<'a, H: Holder> Names<'a, H> {
    fn new(home: &'a mut H) -> Self {
        Self { home, renames: Renames::EMPTY }
    }

    fn make_room(&mut self, count: usize) -> Result<(), TransferError> {
        self.renames.try_reserve(count).map_err(|_| no_memory())?;
        Ok(self.home.make_room(count)?)
    }

    fn reserve(&mut self, old: HandleIn<H>) -> Result<(), Full<()>> {
        let new = self.home.new_name()?;
        self.renames.push(old, new);
        Ok(())
    }

    fn get(&self, old: HandleIn<H>) -> Option<HandleIn<H>> {
        self.renames.get(old)
    }

    fn fill(&mut self, old: HandleIn<H>, moved: Moved<H::Value>) {
        if let Some(new) = self.get(old) {
            self.home.move_in(new, moved);
        }
    }

    fn take_renames(&mut self) -> Box<dyn Any + Send + Sync> {
        Box::new(core::mem::replace(&mut self.renames, Renames::EMPTY))
    }
}

impl<H: Holder> Drop for Names<'_, H> {
    fn drop(&mut self) {
        for &(_, new) in self.renames.as_slice() {
            self.home.release_name(new);
        }
    }
}

fn handle_in<H: Holder>(link: AnyHandle) -> HandleIn<H> {
    from_bits(link.to_bits())
}

fn visit_all<H: Holder<Value: Relink>>(home: &H, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
    home.each(&mut |_, value| visit_named(short_name_of::<H::Value>(), value, see));
}

/// Relinks the value of a handle, or its copy, which will have the handle `new`.
fn relink_one<H: Holder<Value: Relink>>(
    handle: HandleIn<H>,
    new: Option<HandleIn<H>>,
    value: &mut H::Value,
    following: &mut Following<'_, '_>,
) {
    (following.holder, following.new_holder) = (Some(H::shown(handle)), new.map(H::shown));
    relink_named(short_name_of::<H::Value>(), value, following);
    (following.holder, following.new_holder) = (None, None);
}

/// All values of one holder move into another.
pub(super) struct Merging<'a, H: Holder> {
    into: Names<'a, H>,
    from: RefCell<&'a mut H>,
}

impl<'a, H: Holder> Merging<'a, H> {
    pub(super) fn new(into: &'a mut H, from: &'a mut H) -> Self {
        Self { into: Names::new(into), from: RefCell::new(from) }
    }
}

impl<H: Holder<Value: Relink>> Part for Merging<'_, H> {
    fn kind(&self) -> Option<TypeId> {
        Some(kind_in::<H>())
    }

    fn prepare(&mut self) -> Result<(), TransferError> {
        let from = self.from.get_mut();
        from.flush();
        self.into.make_room(from.count())
    }

    fn name(&mut self) -> Result<(), TransferError> {
        let mut result = Ok(());
        self.from.get_mut().each(&mut |old, _| {
            if result.is_ok() {
                result = self.into.reserve(old);
            }
        });
        self.into.renames.sort();
        Ok(result?)
    }

    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
        visit_all(&**self.from.borrow(), see);
    }

    fn relink(&self, following: &mut Following<'_, '_>) {
        self.from.borrow_mut().each_mut(&mut |old, value| relink_one::<H>(old, self.into.get(old), value, following));
    }

    fn follow(&self, link: AnyHandle) -> Option<u64> {
        self.into.get(handle_in::<H>(link)).map(to_bits)
    }

    fn why_dead(&self, link: AnyHandle) -> Option<HandleError> {
        self.from.borrow().find(handle_in::<H>(link)).err()
    }

    fn move_in(&mut self) {
        self.from.get_mut().take_all(&mut |old, moved| self.into.fill(old, moved));
    }

    fn renames(&mut self) -> Option<Box<dyn Any + Send + Sync>> {
        Some(self.into.take_renames())
    }
}

const fn no_memory() -> Full<()> {
    Full::new((), FullKind::Memory)
}

/// The handles of a group, each once, in the order in which they were named. `None` if there is no
/// memory for them. Each key is asked once.
fn each_once<H: Key>(group: &[H]) -> Option<Vec<HandleOf<H>>> {
    let (mut places, mut once) = (Vec::new(), Vec::new());
    places.try_reserve_exact(group.len()).ok()?;
    once.try_reserve_exact(group.len()).ok()?;
    places.extend(group.iter().map(|key| key.handle()).zip(0_usize..));
    places.sort_unstable();
    places.dedup_by_key(|(handle, _)| *handle);
    places.sort_unstable_by_key(|&(_, place)| place);
    once.extend(places.into_iter().map(|(handle, _)| handle));
    Some(once)
}

fn all_resolve<H: Holder>(home: &H, group: &[HandleIn<H>]) -> Result<(), TransferError> {
    match group.iter().find_map(|&handle| Some((H::shown(handle), home.find(handle).err()?))) {
        Some((handle, error)) => Err(TransferError::NotLive { handle, error }),
        None => Ok(()),
    }
}

/// Copies with the handles of their originals.
type Copies<H> = Vec<(HandleIn<H>, <H as Holder>::Value)>;

fn copies_of<H: Holder<Value: Clone>>(home: &H, group: &[HandleIn<H>]) -> Result<Copies<H>, Full<()>> {
    let mut copies = Vec::new();
    copies.try_reserve_exact(group.len()).map_err(|_| no_memory())?;
    copies.extend(group.iter().filter_map(|&handle| Some((handle, home.find(handle).ok()?.clone()))));
    Ok(copies)
}

/// Some values are copied from one holder into another.
pub(super) struct CopyingInto<'a, H: Holder> {
    from: &'a H,
    into: Names<'a, H>,
    /// See [`each_once`].
    group: Option<Vec<HandleIn<H>>>,
    copies: RefCell<Copies<H>>,
}

impl<'a, H: Holder> CopyingInto<'a, H> {
    pub(super) fn new(from: &'a H, group: &[H::Key], into: &'a mut H) -> Self {
        Self { from, into: Names::new(into), group: each_once(group), copies: RefCell::default() }
    }
}

impl<H: Holder<Value: Relink + Clone>> Part for CopyingInto<'_, H> {
    fn kind(&self) -> Option<TypeId> {
        Some(kind_in::<H>())
    }

    fn prepare(&mut self) -> Result<(), TransferError> {
        let group = self.group.as_deref().ok_or_else(no_memory)?;
        all_resolve(self.from, group)?;
        self.into.make_room(group.len())?;
        *self.copies.get_mut() = copies_of(self.from, group)?;
        Ok(())
    }

    fn name(&mut self) -> Result<(), TransferError> {
        let result = self.group.iter().flatten().try_for_each(|&old| self.into.reserve(old));
        self.into.renames.sort();
        Ok(result?)
    }

    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
        self.copies.borrow().iter().for_each(|(_, copy)| visit_named(short_name_of::<H::Value>(), copy, see));
    }

    fn relink(&self, following: &mut Following<'_, '_>) {
        for (old, copy) in &mut *self.copies.borrow_mut() {
            relink_one::<H>(*old, self.into.get(*old), copy, following);
        }
    }

    fn follow(&self, link: AnyHandle) -> Option<u64> {
        self.into.get(handle_in::<H>(link)).map(to_bits)
    }

    fn why_dead(&self, link: AnyHandle) -> Option<HandleError> {
        self.from.find(handle_in::<H>(link)).err()
    }

    fn move_in(&mut self) {
        self.copies.get_mut().drain(..).for_each(|(old, copy)| self.into.fill(old, copy.into()));
    }

    fn renames(&mut self) -> Option<Box<dyn Any + Send + Sync>> {
        Some(self.into.take_renames())
    }
}

/// Some values are copied.
pub(super) struct Copying<'a, H: Holder> {
    home: Names<'a, H>,
    /// See [`each_once`].
    group: Option<Vec<HandleIn<H>>>,
    copies: RefCell<Copies<H>>,
}

impl<'a, H: Holder> Copying<'a, H> {
    pub(super) fn new(home: &'a mut H, group: &[H::Key]) -> Self {
        Self { home: Names::new(home), group: each_once(group), copies: RefCell::default() }
    }
}

impl<H: Holder<Value: Relink + Clone>> Part for Copying<'_, H> {
    fn kind(&self) -> Option<TypeId> {
        Some(kind_in::<H>())
    }

    fn prepare(&mut self) -> Result<(), TransferError> {
        let group = self.group.as_deref().ok_or_else(no_memory)?;
        all_resolve(&*self.home.home, group)?;
        self.home.make_room(group.len())?;
        *self.copies.get_mut() = copies_of(&*self.home.home, group)?;
        Ok(())
    }

    fn name(&mut self) -> Result<(), TransferError> {
        let result = self.group.iter().flatten().try_for_each(|&old| self.home.reserve(old));
        self.home.renames.sort();
        Ok(result?)
    }

    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
        self.copies.borrow().iter().for_each(|(_, copy)| visit_named(short_name_of::<H::Value>(), copy, see));
    }

    fn relink(&self, following: &mut Following<'_, '_>) {
        for (old, copy) in &mut *self.copies.borrow_mut() {
            relink_one::<H>(*old, self.home.get(*old), copy, following);
        }
    }

    fn follow(&self, link: AnyHandle) -> Option<u64> {
        let old = handle_in::<H>(link);
        match self.home.get(old) {
            Some(copy) => Some(to_bits(copy)),
            None => self.home.home.why_dead(old).is_none().then_some(link.to_bits()),
        }
    }

    fn why_dead(&self, link: AnyHandle) -> Option<HandleError> {
        self.home.home.why_dead(handle_in::<H>(link))
    }

    fn move_in(&mut self) {
        self.copies.get_mut().drain(..).for_each(|(old, copy)| self.home.fill(old, copy.into()));
    }

    fn renames(&mut self) -> Option<Box<dyn Any + Send + Sync>> {
        Some(self.home.take_renames())
    }
}

/// All values stay, and their dangling references are cleared.
pub(super) struct Staying<'a, H: Holder> {
    home: RefCell<&'a mut H>,
    dead: RefCell<BTreeSet<u64>>,
}

impl<'a, H: Holder> Staying<'a, H> {
    pub(super) fn new(home: &'a mut H) -> Self {
        Self { home: RefCell::new(home), dead: RefCell::default() }
    }
}

impl<H: Holder<Value: Relink>> Part for Staying<'_, H> {
    fn kind(&self) -> Option<TypeId> {
        Some(kind_in::<H>())
    }

    fn needs_survey(&self) -> bool {
        true
    }

    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
        visit_all(&**self.home.borrow(), see);
    }

    fn judge(&self, link: AnyHandle) {
        if self.home.borrow().why_dead(handle_in::<H>(link)).is_some() {
            self.dead.borrow_mut().insert(link.to_bits());
        }
    }

    fn relink(&self, following: &mut Following<'_, '_>) {
        self.home.borrow_mut().each_mut(&mut |handle, value| relink_one::<H>(handle, None, value, following));
    }

    fn follow(&self, link: AnyHandle) -> Option<u64> {
        Some(link.to_bits()).filter(|bits| !self.dead.borrow().contains(bits))
    }

    fn why_dead(&self, link: AnyHandle) -> Option<HandleError> {
        self.home.borrow().why_dead(handle_in::<H>(link))
    }
}

/// A value that is not in a pool.
pub(super) struct Loose<'a, T: ?Sized> {
    name: &'a str,
    value: RefCell<&'a mut T>,
}

impl<'a, T: ?Sized> Loose<'a, T> {
    pub(super) fn new(name: &'a str, value: &'a mut T) -> Self {
        Self { name, value: RefCell::new(value) }
    }
}

impl<T: Relink + ?Sized> Part for Loose<'_, T> {
    fn visit(&self, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
        visit_named(self.name, &**self.value.borrow(), see);
    }

    fn relink(&self, following: &mut Following<'_, '_>) {
        relink_named(self.name, &mut **self.value.borrow_mut(), following);
    }
}
