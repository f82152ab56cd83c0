//! Keys, which are handles with slotmap's numbers.

use core::fmt;
use core::hash::{Hash, Hasher};

use tenure::Handle;

/// What is in a key: a Tenure handle.
///
/// slotmap numbers slots from 1 on, and the first tenant of a slot has the version 1, the next one
/// 3, and so on. [`as_ffi`](Self::as_ffi), `Debug` and the saved form have these numbers.
///
/// Ordered by index, then by version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct KeyData(Handle<KeyData>);

/// The slot that no handle of a real pool has: the key with the index 0 of slotmap.
const INDEX_ZERO: u32 = u32::MAX - 1;

impl KeyData {
    pub(crate) const NULL: Self = Self(Handle::NIL);

    #[inline]
    pub(crate) const fn from_handle(handle: Handle<KeyData>) -> Self {
        Self(handle)
    }

    #[inline]
    pub(crate) const fn handle(self) -> Handle<KeyData> {
        self.0
    }

    /// The key of slotmap's numbers. An even version is raised to the next odd one.
    #[inline]
    pub(crate) const fn from_parts(idx: u32, version: u32) -> Self {
        if idx == u32::MAX {
            return Self::NULL;
        }
        let index = if idx == 0 { INDEX_ZERO } else { idx - 1 };
        Self(Handle::from_bits((index as u64) << 32 | (version | 1) as u64))
    }

    /// slotmap's index.
    #[inline]
    pub(crate) const fn idx(self) -> u32 {
        match self.0.index() {
            u32::MAX => u32::MAX,
            INDEX_ZERO => 0,
            index => index + 1,
        }
    }

    /// slotmap's version: 1, 3, 5, ….
    #[inline]
    pub(crate) const fn version(self) -> u32 {
        version_of(self.0.generation())
    }

    /// Returns the key as a number, for foreign code. [`from_ffi`](Self::from_ffi) is the way back.
    ///
    /// The same number as in slotmap: the version in the upper half, the index in the lower one.
    ///
    /// ```
    /// # use tenure_slotmap::{Key, KeyData, SlotMap};
    /// let mut map = SlotMap::new();
    /// let key = map.insert("value");
    /// assert_eq!(key.data().as_ffi(), 1 << 32 | 1);
    /// assert_eq!(map[KeyData::from_ffi(1 << 32 | 1).into()], "value");
    /// ```
    #[inline]
    pub const fn as_ffi(self) -> u64 {
        // taffy converts a key for every lookup. The bits of a handle are the halves of the number
        // in the other order, and the index is less by one (row `lay it out`).
        if self.0.index() < INDEX_ZERO {
            return self.0.to_bits().rotate_left(32) + 1;
        }
        (self.version() as u64) << 32 | self.idx() as u64
    }

    /// Returns the key of a number that [`as_ffi`](Self::as_ffi) gave. Every other number is safe,
    /// too: a map finds the value of exactly this key, or none.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are meant")]
    pub const fn from_ffi(value: u64) -> Self {
        if (value as u32).wrapping_sub(1) < INDEX_ZERO {
            return Self(Handle::from_bits((value - 1).rotate_left(32) | 1));
        }
        Self::from_parts(value as u32, (value >> 32) as u32)
    }
}

/// The version of a tenant; of none, that of the null key.
#[inline]
pub(crate) const fn version_of(generation: u32) -> u32 {
    if generation == 0 { 1 } else { (generation - 1) * 2 + 1 }
}

impl fmt::Debug for KeyData {
    /// `17v3`, or `null`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nil() { f.write_str("null") } else { write!(f, "{}v{}", self.idx(), self.version()) }
    }
}

impl Default for KeyData {
    /// The null key.
    fn default() -> Self {
        Self::NULL
    }
}

impl Hash for KeyData {
    /// Hashes [`as_ffi`](Self::as_ffi), as slotmap does: hash maps keep their order.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.as_ffi());
    }
}

/// A key of a map: [`DefaultKey`], or a type made by [`new_key_type!`](crate::new_key_type).
///
/// # Safety
///
/// slotmap asks implementations to behave exactly as the [`KeyData`] that they wrap, and the trait
/// is unsafe for that. No unsafe code relies on it here: a key that lies finds another value, or
/// none.
#[expect(unsafe_code, reason = "declared as in slotmap")]
pub unsafe trait Key:
    From<KeyData> + Copy + Clone + Default + Eq + PartialEq + Ord + PartialOrd + Hash + fmt::Debug
{
    /// Returns the key that no map has a value for.
    ///
    /// ```
    /// # use tenure_slotmap::{DefaultKey, Key, SlotMap};
    /// let map: SlotMap<DefaultKey, i32> = SlotMap::new();
    /// assert_eq!(map.get(DefaultKey::null()), None);
    /// ```
    fn null() -> Self {
        KeyData::NULL.into()
    }

    /// Returns `true` if this is the [null](Self::null) key. A key whose value was removed is not.
    fn is_null(&self) -> bool {
        self.data() == KeyData::NULL
    }

    /// Returns what is in the key.
    fn data(&self) -> KeyData;
}

/// Makes key types, so that the key of one map cannot be used on another.
///
/// ```
/// use tenure_slotmap::{SlotMap, new_key_type};
///
/// new_key_type! {
///     /// The key of a player.
///     pub struct PlayerKey;
///     struct ItemKey;
/// }
///
/// let mut players: SlotMap<PlayerKey, &str> = SlotMap::with_key();
/// let anna = players.insert("Anna");
/// assert_eq!(players[anna], "Anna");
/// let items: SlotMap<ItemKey, u32> = SlotMap::with_key();
/// # let _ = items;
/// ```
#[macro_export]
macro_rules! new_key_type {
    ($($(#[$attribute:meta])* $visibility:vis struct $Name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Copy, Clone, Default, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
        #[repr(transparent)]
        $visibility struct $Name($crate::KeyData);

        impl $crate::__impl::From<$crate::KeyData> for $Name {
            #[inline]
            fn from(data: $crate::KeyData) -> Self {
                $Name(data)
            }
        }

        // SAFETY: the type wraps the data, and derives everything from it.
        unsafe impl $crate::Key for $Name {
            #[inline]
            fn data(&self) -> $crate::KeyData {
                self.0
            }
        }

        $crate::__serialize_key! { $Name }
    )*};
}

/// Saves a key type as its [`KeyData`], with the feature `serde` of this crate. Hidden in slotmap,
/// too; it works for every type that implements [`Key`].
#[cfg(feature = "serde")]
#[macro_export]
#[doc(hidden)]
macro_rules! __serialize_key {
    ($Type:ty) => {
        impl $crate::__impl::Serialize for $Type {
            fn serialize<Z: $crate::__impl::Serializer>(&self, to: Z) -> $crate::__impl::Result<Z::Ok, Z::Error> {
                $crate::__impl::Serialize::serialize(&<$Type as $crate::Key>::data(self), to)
            }
        }

        impl<'de> $crate::__impl::Deserialize<'de> for $Type {
            fn deserialize<Z: $crate::__impl::Deserializer<'de>>(from: Z) -> $crate::__impl::Result<Self, Z::Error> {
                <$crate::KeyData as $crate::__impl::Deserialize<'de>>::deserialize(from)
                    .map(<$Type as $crate::__impl::From<$crate::KeyData>>::from)
            }
        }
    };
}

/// Without the feature a key type is not saved.
#[cfg(not(feature = "serde"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __serialize_key {
    ($Type:ty) => {};
}

mod default {
    #![expect(unsafe_code, reason = "the trait is unsafe to implement, as slotmap's is")]

    new_key_type! {
        /// The key of a map that names no other.
        pub struct DefaultKey;
    }
}

pub use self::default::DefaultKey;

/// The handle in a key.
#[inline]
pub(crate) fn handle<K: Key>(key: K) -> Handle<KeyData> {
    key.data().handle()
}

/// The key of a handle.
#[inline]
pub(crate) fn key<K: Key>(handle: Handle<KeyData>) -> K {
    KeyData::from_handle(handle).into()
}
