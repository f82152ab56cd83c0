//! Finds dangling references.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;

use super::any_handle::from_bits;
use super::holder::Holder;
use super::transfer::{KIND_TAKEN, kind_in};
use super::visit::{short_name_of, visit_named};
use super::{AnyHandle, Dangling, Path, Relink};
use crate::status::HandleError;

/// Finds dangling references in several pools: handles that do not resolve. For a single pool, use
/// [`Pool::audit`](crate::Pool::audit).
///
/// ```
/// use tenure::relink::Audit;
/// use tenure::{Handle, Pool, Relink};
///
/// #[derive(Relink)]
/// struct Goblin;
/// #[derive(Relink)]
/// struct Jar { carriers: Vec<Handle<Goblin>> }
///
/// let (mut goblins, mut jars) = (Pool::new(), Pool::new());
/// let (grik, snag) = (goblins.insert(Goblin), goblins.insert(Goblin));
/// jars.insert(Jar { carriers: vec![grik, snag] });
/// goblins.remove(snag);
///
/// let dangling = Audit::new().over(&goblins).over(&jars).value("selection", &[grik]).run();
/// assert_eq!(dangling.len(), 1);
/// assert_eq!(dangling[0].path, "Jar.carriers[1]");
/// ```
///
/// Handles of a kind whose pool is not part of the audit are not checked. Nil handles are not
/// listed. A handle that is [reserved](crate::Pool::reserve_handle), or whose value was
/// [taken](crate::Pool::take), is listed and [`is_pending`](Dangling::is_pending): it may still get
/// a value.
#[must_use = "nothing happens without `run`"]
#[derive(Default)]
pub struct Audit<'a> {
    parts: Vec<Box<dyn Part + 'a>>,
}

impl<'a> Audit<'a> {
    /// Creates an audit without pools and values.
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Adds all values of a pool or a world.
    ///
    /// # Panics
    ///
    /// When a pool with the same kind of handle was added before: it would be unknown to which of
    /// them a handle belongs.
    #[track_caller]
    pub fn over<H: Holder<Value: Relink>>(mut self, home: &'a H) -> Self {
        let is_new = self.parts.iter().all(|other| other.kind() != Some(kind_in::<H>()));
        assert!(is_new, "{KIND_TAKEN}");
        self.parts.push(Box::new(Home(home)));
        self
    }

    /// Adds a value that is not in a pool. Paths in the result begin with `name`.
    pub fn value<T: Relink + ?Sized>(mut self, name: &'a str, value: &'a T) -> Self {
        self.parts.push(Box::new(Loose { name, value }));
        self
    }

    /// Returns the dangling references, in the order in which the pools and values were added, and
    /// within a pool in the order of iteration.
    #[must_use]
    pub fn run(self) -> Vec<Dangling> {
        let mut dangling = Vec::new();
        for part in &self.parts {
            part.visit(&mut |holder, handle, path| {
                if let Some(error) = self.why_unresolved(handle) {
                    let path = alloc::format!("{path}");
                    dangling.push(Dangling { holder, new_holder: None, path, handle, error: Some(error) });
                }
            });
        }
        dangling
    }

    fn why_unresolved(&self, handle: AnyHandle) -> Option<HandleError> {
        self.parts.iter().find(|part| part.kind() == Some(handle.kind()))?.why_unresolved(handle)
    }
}

/// Called with the holder of a handle, the handle, and its path.
type See<'s> = dyn FnMut(Option<AnyHandle>, AnyHandle, &Path<'_>) + 's;

trait Part {
    fn kind(&self) -> Option<TypeId>;
    fn why_unresolved(&self, handle: AnyHandle) -> Option<HandleError>;
    fn visit(&self, see: &mut See<'_>);
}

struct Home<'a, H>(&'a H);

impl<H: Holder<Value: Relink>> Part for Home<'_, H> {
    fn kind(&self) -> Option<TypeId> {
        Some(kind_in::<H>())
    }

    fn why_unresolved(&self, handle: AnyHandle) -> Option<HandleError> {
        self.0.find(from_bits(handle.to_bits())).err()
    }

    fn visit(&self, see: &mut See<'_>) {
        self.0.each(&mut |holder, value| {
            let name = short_name_of::<H::Value>();
            visit_named(name, value, &mut |handle, path| see(Some(H::shown(holder)), handle, path));
        });
    }
}

struct Loose<'a, T: ?Sized> {
    name: &'a str,
    value: &'a T,
}

impl<T: Relink + ?Sized> Part for Loose<'_, T> {
    fn kind(&self) -> Option<TypeId> {
        None
    }

    fn why_unresolved(&self, _handle: AnyHandle) -> Option<HandleError> {
        None
    }

    fn visit(&self, see: &mut See<'_>) {
        visit_named(self.name, self.value, &mut |handle, path| see(None, handle, path));
    }
}

impl fmt::Debug for Audit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").field("parts", &self.parts.len()).finish()
    }
}
