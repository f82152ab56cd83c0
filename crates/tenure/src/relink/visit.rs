//! The two visitors: one looks at the handles in a value, the other changes them.

use core::fmt;

use super::any_handle::from_bits;
use super::path::Step;
use super::{AnyHandle, Path, Relink};
use crate::handle::{Handle, short_name};
use crate::layout::Layout;

/// Looks at the handles in a value. See [`Relink::visit`].
pub struct Visitor<'a> {
    see: &'a mut dyn FnMut(AnyHandle, &Path<'_>),
    path: Path<'a>,
}

/// Changes the handles in a value. See [`Relink::relink`].
pub struct Relinker<'a> {
    rule: &'a mut dyn Rule,
    path: Path<'a>,
}

/// What a [`Relinker`] does with handles. Nil is not asked about.
pub(super) trait Rule {
    /// Where a handle leads from now on. `None` if nowhere.
    fn follow(&self, link: AnyHandle) -> Option<u64>;

    /// A handle is cleared, because it leads nowhere.
    fn report(&mut self, link: AnyHandle, path: &Path<'_>);
}

/// Shows all handles in a value, with the path to each. Nil handles are not shown.
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

/// Ways to a part of the value.
macro_rules! steps {
    ($Visitor:ident, $does:ident) => {
        /// For the field of this name. A tuple's fields are called `0`, `1`, ….
        pub fn at_field<'b>(&'b mut self, name: &'b str) -> $Visitor<'b> {
            self.at(Step::Field(name))
        }

        /// For the variant of an enum.
        pub fn at_variant<'b>(&'b mut self, name: &'b str) -> $Visitor<'b> {
            self.at(Step::Variant(name))
        }

        /// For an element of a sequence.
        pub fn at_index(&mut self, index: usize) -> $Visitor<'_> {
            self.at(Step::Index(index))
        }

        /// For the value of a key.
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

    /// Shows a handle.
    pub fn handle<K: ?Sized + 'static, L: Layout>(&mut self, handle: Handle<K, L>) {
        if !handle.is_nil() {
            (self.see)(handle.into(), &self.path);
        }
    }
}

impl Relinker<'_> {
    steps!(Relinker, rule);

    /// Lets a handle lead to where it leads from now on. Says `false` if that is nowhere: the
    /// handle was cleared, and that is reported.
    pub fn handle<K: ?Sized + 'static, L: Layout>(&mut self, handle: &mut Handle<K, L>) -> bool {
        if handle.is_nil() {
            return true;
        }
        let link = AnyHandle::from(*handle);
        let new = self.rule.follow(link);
        *handle = new.map_or(Handle::NIL, from_bits);
        if new.is_none() {
            self.rule.report(link, &self.path);
        }
        new.is_some()
    }

    /// Whether a handle in the value will not be what it was.
    pub fn changes<T: Relink + ?Sized>(&self, value: &T) -> bool {
        let mut changes = false;
        references(value, |link, _| changes |= self.rule.follow(link) != Some(link.to_bits()));
        changes
    }

    /// For the key of a map or an element of a set: as [`Relink::relink`], but says `false` if a
    /// handle in it leads nowhere. That is reported, the key is as it was, and its entry should go.
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

    /// Reports what in a key leads nowhere, by the key as it was.
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

    /// A handle that leads nowhere is none.
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
