//! A handle of any kind, for lists with handles of several kinds.

use core::any::TypeId;
use core::fmt;

use crate::handle::Handle;
use crate::layout::Layout;
use crate::layout::sealed::Word as _;

/// A [`Handle`] of any kind, with its kind at run time.
///
/// ```
/// use tenure::relink::AnyHandle;
/// use tenure::{Handle, Pool};
///
/// let goblin = Pool::new().insert("goblin");
/// let any = AnyHandle::from(goblin);
/// assert_eq!(any.downcast(), Some(goblin));
/// assert_eq!(any.downcast::<u8, tenure::Wide>(), None); // another kind
/// assert_eq!(any.to_string(), goblin.to_string());
/// ```
#[derive(Clone, Copy)]
pub struct AnyHandle {
    kind: TypeId,
    bits: u64,
    show: fn(u64, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl AnyHandle {
    /// Returns the handle, if it is of this kind.
    #[must_use]
    pub fn downcast<K: ?Sized + 'static, L: Layout>(self) -> Option<Handle<K, L>> {
        (self.kind == kind_of::<K, L>()).then(|| from_bits(self.bits))
    }

    /// Returns the `TypeId` of the handle's type.
    #[must_use]
    pub fn kind(self) -> TypeId {
        self.kind
    }

    /// Returns the handle's bits, as [`Handle::to_bits`] does.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        self.bits
    }
}

pub(super) fn kind_of<K: ?Sized + 'static, L: Layout>() -> TypeId {
    TypeId::of::<Handle<K, L>>()
}

pub(super) fn from_bits<K: ?Sized, L: Layout>(bits: u64) -> Handle<K, L> {
    Handle::from_bits(L::Bits::from_u64(bits))
}

pub(super) fn to_bits<K: ?Sized, L: Layout>(handle: Handle<K, L>) -> u64 {
    handle.to_bits().to_u64()
}

fn show<K: ?Sized, L: Layout>(bits: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Display::fmt(&from_bits::<K, L>(bits), f)
}

impl<K: ?Sized + 'static, L: Layout> From<Handle<K, L>> for AnyHandle {
    fn from(handle: Handle<K, L>) -> Self {
        Self { kind: kind_of::<K, L>(), bits: to_bits(handle), show: show::<K, L> }
    }
}

impl PartialEq for AnyHandle {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.bits) == (other.kind, other.bits)
    }
}

impl Eq for AnyHandle {}

impl fmt::Display for AnyHandle {
    /// Prints the handle: `Goblin(17v3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.show)(self.bits, f)
    }
}

impl fmt::Debug for AnyHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
