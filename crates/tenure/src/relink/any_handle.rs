//! A handle of any kind, for lists with handles of several kinds.

use core::any::TypeId;
use core::fmt;

use crate::handle::Handle;
use crate::key::{HandleOf, Key};
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
///
/// A key of another type is shown as its own `Debug` shows it:
///
/// ```
/// use tenure::relink::AnyHandle;
/// use tenure::{Pool, key_type};
///
/// key_type! { struct EnemyKey: Enemy; }
///
/// let mut enemies: Pool<&str, EnemyKey> = Pool::EMPTY;
/// let orc = enemies.insert("orc");
/// assert_eq!(AnyHandle::from(orc).to_string(), "Enemy(0v1)");
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

/// Shows a handle as its key does. A [`Handle`] is its own key.
fn show<H: Key>(bits: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Debug::fmt(&H::from_handle(from_bits(bits)), f)
}

impl AnyHandle {
    /// Returns the handle of a key, which is shown as the key is.
    pub(super) fn of<H: Key<Kind: 'static>>(handle: HandleOf<H>) -> Self {
        Self { kind: kind_of::<H::Kind, H::Layout>(), bits: to_bits(handle), show: show::<H> }
    }
}

impl<H: Key<Kind: 'static>> From<H> for AnyHandle {
    fn from(key: H) -> Self {
        Self::of::<H>(key.handle())
    }
}

impl PartialEq for AnyHandle {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.bits) == (other.kind, other.bits)
    }
}

impl Eq for AnyHandle {}

impl fmt::Display for AnyHandle {
    /// Prints the handle, `Goblin(17v3)`, or what the key's `Debug` prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.show)(self.bits, f)
    }
}

impl fmt::Debug for AnyHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
