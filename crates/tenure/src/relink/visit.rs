//! The two visitors: one reads the handles in a value, the other changes them.

use core::fmt;

use super::any_handle::from_bits;
use super::path::Step;
use super::{AnyHandle, Path, Relink};
use crate::handle::{Handle, short_name};
use crate::key::Key;
use crate::layout::Layout;

/// Visits the handles in a value. See [`Relink::visit`].
pub struct Visitor<'a> {
    see: &'a mut dyn FnMut(AnyHandle, &Path<'_>),
    path: Path<'a>,
}

/// Changes the handles in a value. See [`Relink::relink`].
pub struct Relinker<'a> {
    rule: &'a mut dyn Rule,
    path: Path<'a>,
}

/// What a [`Relinker`] does with handles. It is not called for nil.
pub(super) trait Rule {
    /// Returns the bits of the new handle. `None` if the handle does not resolve.
    fn follow(&self, link: AnyHandle) -> Option<u64>;

    /// Reports a handle that is cleared because it does not resolve.
    fn report(&mut self, link: AnyHandle, path: &Path<'_>);
}

/// Calls a closure for every handle in a value, with its path. Nil handles are skipped.
///
/// ```
/// use tenure::relink::references;
/// use tenure::{Handle, Pool, Relink};
///
/// #[derive(Relink)]
/// struct Jar { carrier: Option<Handle<str>> }
///
/// let mut names: Pool<(), Handle<str>> = Pool::default();
/// let jar = Jar { carrier: Some(names.insert(())) };
/// references(&jar, |handle, path| assert_eq!(format!("{path} is {handle}"), "Jar.carrier is str(0v1)"));
/// ```
pub fn references<T: Relink + ?Sized>(value: &T, mut see: impl FnMut(AnyHandle, &Path<'_>)) {
    visit_named(short_name_of::<T>(), value, &mut see);
}

pub(super) fn visit_named<T: Relink + ?Sized>(name: &str, value: &T, see: &mut dyn FnMut(AnyHandle, &Path<'_>)) {
    value.visit(&mut Visitor { see, path: Path::whole(name) });
}

pub(super) fn relink_named<T: Relink + ?Sized>(name: &str, value: &mut T, rule: &mut dyn Rule) {
    value.relink(&mut Relinker { rule, path: Path::whole(name) });
}

pub(super) fn short_name_of<T: ?Sized>() -> &'static str {
    short_name(core::any::type_name::<T>())
}

/// Methods that return a visitor for a part of the value.
macro_rules! steps {
    ($Visitor:ident, $does:ident) => {
        /// Returns a visitor for a field. A tuple's fields are called `0`, `1`, ….
        pub fn at_field<'b>(&'b mut self, name: &'b str) -> $Visitor<'b> {
            self.at(Step::Field(name))
        }

        /// Returns a visitor for the variant of an enum.
        pub fn at_variant<'b>(&'b mut self, name: &'b str) -> $Visitor<'b> {
            self.at(Step::Variant(name))
        }

        /// Returns a visitor for an element of a sequence.
        pub fn at_index(&mut self, index: usize) -> $Visitor<'_> {
            self.at(Step::Index(index))
        }

        /// Returns a visitor for the value of a key in a map.
        pub fn at_key<'b>(&'b mut self, key: &'b dyn fmt::Debug) -> $Visitor<'b> {
            self.at(Step::Key(key))
        }

        fn at<'b>(&'b mut self, step: Step<'b>) -> $Visitor<'b> {
            $Visitor { $does: &mut *self.$does, path: self.path.then(step) }
        }
    };
}

impl Visitor<'_> {
    steps!(Visitor, see);

    /// Visits a handle, or a key that wraps one.
    pub fn handle<H: Key<Kind: 'static>>(&mut self, key: H) {
        let handle = key.handle();
        if !handle.is_nil() {
            (self.see)(AnyHandle::of::<H>(handle), &self.path);
        }
    }
}

impl Relinker<'_> {
    steps!(Relinker, rule);

    /// Changes a handle, or a key that wraps one, to the new one. Returns `false` if it does not
    /// resolve: it is set to nil, and reported.
    pub fn handle<H: Key<Kind: 'static>>(&mut self, key: &mut H) -> bool {
        let handle = key.handle();
        if handle.is_nil() {
            return true;
        }
        let link = AnyHandle::of::<H>(handle);
        let new = self.rule.follow(link);
        *key = H::from_handle(new.map_or(Handle::NIL, from_bits));
        if new.is_none() {
            self.rule.report(link, &self.path);
        }
        new.is_some()
    }

    /// Returns `true` if relinking would change a handle in the value.
    pub fn changes<T: Relink + ?Sized>(&self, value: &T) -> bool {
        let mut changes = false;
        references(value, |link, _| changes |= self.rule.follow(link) != Some(link.to_bits()));
        changes
    }

    /// Relinks the key of a map or an element of a set. Returns `false` if a handle in it does not
    /// resolve: this is reported, the key is not changed, and the caller should remove its entry.
    pub fn key<T: Relink + fmt::Debug>(&mut self, key: &mut T) -> bool {
        let mut is_lost = false;
        references(&*key, |link, _| is_lost |= self.rule.follow(link).is_none());
        if is_lost {
            self.report_lost(key);
        } else {
            key.relink(self);
        }
        !is_lost
    }

    /// Reports the handles in a key that do not resolve.
    fn report_lost<T: Relink + fmt::Debug>(&mut self, key: &T) {
        let Relinker { rule, path } = self.at_key(key);
        let mut see = |link: AnyHandle, path: &Path<'_>| {
            if rule.follow(link).is_none() {
                rule.report(link, path);
            }
        };
        key.visit(&mut Visitor { see: &mut see, path });
    }
}

impl<K: ?Sized + 'static, L: Layout> Relink for Handle<K, L> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.handle(*self);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        relinker.handle(self);
    }

    /// A handle that does not resolve becomes `None`.
    fn relink_option(option: &mut Option<Self>, relinker: &mut Relinker<'_>) {
        if option.as_mut().is_some_and(|handle| !relinker.handle(handle)) {
            *option = None;
        }
    }
}

impl fmt::Debug for Visitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor").field("path", &self.path).finish_non_exhaustive()
    }
}

impl fmt::Debug for Relinker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relinker").field("path", &self.path).finish_non_exhaustive()
    }
}
