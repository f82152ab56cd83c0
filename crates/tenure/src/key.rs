//! Keys: handles, and user-defined types that wrap a handle.

use core::fmt::Debug;
use core::hash::Hash;

use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::SlotRef;

/// The type of a container's handles: a [`Handle`], or a type of your own that wraps one.
///
/// [`key_type!`](crate::key_type) defines such a type. If you need a different one, implement the
/// trait by hand, and `Display`, serde and other traits as you need them.
///
/// ```
/// use tenure::{Handle, Key, Pool};
///
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
/// struct TextureId(Handle<TextureId>);
///
/// impl Key for TextureId {
///     type Kind = TextureId;
///     type Layout = tenure::Wide;
///
///     fn from_handle(handle: Handle<TextureId>) -> Self {
///         Self(handle)
///     }
///
///     fn handle(self) -> Handle<TextureId> {
///         self.0
///     }
/// }
///
/// let mut textures: Pool<String, TextureId> = Pool::EMPTY;
/// let grass: TextureId = textures.insert("grass.png".into());
/// assert_eq!(textures[grass], "grass.png");
/// ```
///
/// Containers call [`handle`](Self::handle) before they change anything, and
/// [`from_handle`](Self::from_handle) at any time. Every handle is checked when it is used, so an
/// implementation that returns another handle finds another value, or none; it cannot cause
/// undefined behaviour. If one of the two panics, the container is valid.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    label = "a key is a `Handle<K>`, or a type made by `key_type!`",
    note = "a container's second parameter is its key: `Pool<Enemy, Handle<Enemy, Compact>>`, `Pool<Enemy, EnemyKey>`"
)]
pub trait Key: Copy + Eq + Ord + Hash + Debug {
    /// The kind of the handle: see [`Handle`].
    type Kind: ?Sized;
    /// The layout of the handle.
    type Layout: Layout;

    /// Wraps a handle.
    fn from_handle(handle: Handle<Self::Kind, Self::Layout>) -> Self;

    /// Returns the handle.
    fn handle(self) -> Handle<Self::Kind, Self::Layout>;
}

impl<K: ?Sized, L: Layout> Key for Handle<K, L> {
    type Kind = K;
    type Layout = L;

    #[inline(always)]
    fn from_handle(handle: Self) -> Self {
        handle
    }

    #[inline(always)]
    fn handle(self) -> Self {
        self
    }
}

/// The handle type that a key wraps.
pub(crate) type HandleOf<H> = Handle<<H as Key>::Kind, <H as Key>::Layout>;

/// Conversions between keys and slots.
pub(crate) trait KeyExt: Key {
    /// Returns the slot and the tenant of the key.
    #[inline(always)]
    fn slot(self) -> SlotRef {
        self.handle().slot()
    }

    /// Returns the key of a tenant of a slot.
    #[inline(always)]
    fn from_slot(slot: SlotRef) -> Self {
        Self::from_handle(Handle::from_slot(slot))
    }
}

impl<H: Key> KeyExt for H {}

/// Defines key types: new types that wrap a [`Handle`]. Your crate can implement foreign traits for
/// a key type, and it can be public while the value type is not.
///
/// ```
/// use tenure::{Compact, Pool, key_type};
///
/// key_type! {
///     /// Identifies an enemy.
///     pub struct EnemyKey: Enemy;
///     struct BulletKey: Bullet, Compact;
/// }
///
/// struct Enemy { health: i32 }
///
/// static ENEMIES: std::sync::Mutex<Pool<Enemy, EnemyKey>> = std::sync::Mutex::new(Pool::EMPTY);
///
/// let orc: EnemyKey = ENEMIES.lock().unwrap().insert(Enemy { health: 10 });
/// assert_eq!(orc.to_string(), "Enemy(0v1)");
/// assert_eq!(size_of::<Option<BulletKey>>(), 4);
/// ```
///
/// The name after the colon, which is optional, is the one that `Debug` and `Display` print. The
/// type after it is the layout. A key type has the same items as a [`Handle`]: `NIL`, `is_nil`, the
/// `const` functions, `Display`, `FromStr`, `Default` (nil), and `Relink`, serde and bytemuck if
/// these features of *tenure* are enabled.
///
/// Two key types do not mix:
///
/// ```compile_fail,E0308
/// # use tenure::{Pool, key_type};
/// key_type! { struct EnemyKey; struct BulletKey; }
/// let mut enemies: Pool<&str, EnemyKey> = Pool::EMPTY;
/// let bullets: Pool<&str, BulletKey> = Pool::EMPTY;
/// bullets.get(enemies.insert("orc"));
/// ```
#[macro_export]
#[doc(alias("new_key_type", "new_type_key"))]
macro_rules! key_type {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis struct $Name:ident; $($rest:tt)*) => {
        $crate::__key_type! { [$(#[$attribute])*] [$visibility] $Name, $Name, $crate::Wide }
        $crate::key_type! { $($rest)* }
    };
    ($(#[$attribute:meta])* $visibility:vis struct $Name:ident: $Shown:ident; $($rest:tt)*) => {
        $crate::__key_type! { [$(#[$attribute])*] [$visibility] $Name, $Shown, $crate::Wide }
        $crate::key_type! { $($rest)* }
    };
    ($(#[$attribute:meta])* $visibility:vis struct $Name:ident: $Shown:ident, $Layout:ty; $($rest:tt)*) => {
        $crate::__key_type! { [$(#[$attribute])*] [$visibility] $Name, $Shown, $Layout }
        $crate::key_type! { $($rest)* }
    };
}

/// Defines one key type. All paths are absolute, so that names in scope do not matter.
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type {
    ([$($attribute:tt)*] [$visibility:vis] $Name:ident, $Shown:ident, $Layout:ty) => {
        $($attribute)*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::cmp::PartialOrd,
            ::core::cmp::Ord,
            ::core::hash::Hash,
            ::core::default::Default,
        )]
        #[repr(transparent)]
        $visibility struct $Name($crate::Handle<$Name, $Layout>);

        #[allow(dead_code, reason = "a key type has the items of a handle, used or not")]
        impl $Name {
            /// The key that resolves in no container. See [`Handle::NIL`]($crate::Handle::NIL).
            $visibility const NIL: Self = Self($crate::Handle::NIL);

            /// Returns `true` if this is [`NIL`](Self::NIL).
            #[inline]
            #[must_use]
            $visibility const fn is_nil(self) -> bool {
                self.0.is_nil()
            }

            /// Returns the key with these bits. See
            /// [`Handle::from_bits`]($crate::Handle::from_bits).
            #[inline]
            #[must_use]
            $visibility const fn from_bits(bits: <$Layout as $crate::Layout>::Bits) -> Self {
                Self($crate::Handle::from_bits(bits))
            }

            /// Returns the bits of this key. See [`Handle::to_bits`]($crate::Handle::to_bits).
            #[inline]
            #[must_use]
            $visibility const fn to_bits(self) -> <$Layout as $crate::Layout>::Bits {
                self.0.to_bits()
            }

            /// Returns the key with this index and generation. See
            /// [`Handle::from_parts`]($crate::Handle::from_parts).
            #[inline]
            #[must_use]
            $visibility const fn from_parts(index: u32, generation: u32) -> ::core::option::Option<Self> {
                Self::from_parts_and_tag(index, generation, 0)
            }

            /// Like [`from_parts`](Self::from_parts), with the tag of a pool.
            #[inline]
            #[must_use]
            $visibility const fn from_parts_and_tag(
                index: u32,
                generation: u32,
                tag: u32,
            ) -> ::core::option::Option<Self> {
                match $crate::Handle::from_parts_and_tag(index, generation, tag) {
                    ::core::option::Option::Some(handle) => ::core::option::Option::Some(Self(handle)),
                    ::core::option::Option::None => ::core::option::Option::None,
                }
            }

            /// Returns the index of the slot. See [`Handle::index`]($crate::Handle::index).
            #[inline]
            #[must_use]
            $visibility const fn index(self) -> u32 {
                self.0.index()
            }

            /// Returns the number of the tenant of the slot: 1, 2, 3, …; 0 for nil. See
            /// [`Handle::generation`]($crate::Handle::generation).
            #[inline]
            #[must_use]
            $visibility const fn generation(self) -> u32 {
                self.0.generation()
            }

            /// Returns the tag of the pool that issued the key, or 0 if the layout has no tags. See
            /// [`Handle::tag`]($crate::Handle::tag).
            #[inline]
            #[must_use]
            $visibility const fn tag(self) -> u32 {
                self.0.tag()
            }
        }

        impl $crate::Key for $Name {
            type Kind = $Name;
            type Layout = $Layout;

            #[inline(always)]
            fn from_handle(handle: $crate::Handle<$Name, $Layout>) -> Self {
                Self(handle)
            }

            #[inline(always)]
            fn handle(self) -> $crate::Handle<$Name, $Layout> {
                self.0
            }
        }

        impl ::core::convert::From<$crate::Handle<$Name, $Layout>> for $Name {
            #[inline]
            fn from(handle: $crate::Handle<$Name, $Layout>) -> Self {
                Self(handle)
            }
        }

        impl ::core::convert::From<$Name> for $crate::Handle<$Name, $Layout> {
            #[inline]
            fn from(key: $Name) -> Self {
                key.0
            }
        }

        impl ::core::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private_key::fmt(self.0, ::core::stringify!($Shown), f)
            }
        }

        impl ::core::fmt::Debug for $Name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private_key::fmt(self.0, ::core::stringify!($Shown), f)
            }
        }

        impl ::core::str::FromStr for $Name {
            type Err = $crate::ParseHandleError;

            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::ParseHandleError> {
                ::core::str::FromStr::from_str(text).map(Self)
            }
        }

        $crate::__key_type_relink! { $Name }
        $crate::__key_type_serde! { $Name, $Layout }
        $crate::__key_type_bytemuck! { $Name, $Layout }
    };
}

/// Implements `Relink` for a key type. The features are those of this crate, and not those of the
/// crate that calls the macro.
#[cfg(feature = "relink")]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_relink {
    ($Name:ident) => {
        impl $crate::Relink for $Name {
            fn visit(&self, visitor: &mut $crate::relink::Visitor<'_>) {
                visitor.handle(*self);
            }

            fn relink(&mut self, relinker: &mut $crate::relink::Relinker<'_>) {
                relinker.handle(self);
            }

            fn relink_option(option: &mut ::core::option::Option<Self>, relinker: &mut $crate::relink::Relinker<'_>) {
                if let ::core::option::Option::Some(key) = option {
                    if !relinker.handle(key) {
                        *option = ::core::option::Option::None;
                    }
                }
            }
        }
    };
}

/// Does nothing: the feature `relink` is off.
#[cfg(not(feature = "relink"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_relink {
    ($Name:ident) => {};
}

/// Implements the traits of serde for a key type.
#[cfg(feature = "serde")]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_serde {
    ($Name:ident, $Layout:ty) => {
        impl $crate::__private_key::Serialize for $Name {
            fn serialize<S: $crate::__private_key::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private_key::Serialize::serialize(&self.0, serializer)
            }
        }

        impl<'de> $crate::__private_key::Deserialize<'de> for $Name {
            fn deserialize<D: $crate::__private_key::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::__private_key::Deserialize::deserialize(deserializer).map(Self)
            }
        }
    };
}

/// Does nothing: the feature `serde` is off.
#[cfg(not(feature = "serde"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_serde {
    ($Name:ident, $Layout:ty) => {};
}

/// Implements the traits of bytemuck for a key type. They are unsafe to implement, and the user's
/// crate may forbid `unsafe`: lints do not look into macros of other crates, so there is no `allow`
/// here, which such a crate would refuse. `tests/keys_forbid.rs` forbids it.
#[cfg(feature = "bytemuck")]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_bytemuck {
    ($Name:ident, $Layout:ty) => {
        // SAFETY: the type is `repr(transparent)` over a handle, which has these properties.
        unsafe impl $crate::__private_key::NoUninit for $Name {}

        // SAFETY: the type is `repr(transparent)` over a handle, which has this property.
        unsafe impl $crate::__private_key::ZeroableInOption for $Name {}

        // SAFETY: the type is `repr(transparent)` over a handle, and the same bits are valid for
        // both.
        unsafe impl $crate::__private_key::CheckedBitPattern for $Name {
            type Bits = <$Layout as $crate::Layout>::Bits;

            fn is_valid_bit_pattern(bits: &Self::Bits) -> bool {
                <$crate::Handle<$Name, $Layout> as $crate::__private_key::CheckedBitPattern>::is_valid_bit_pattern(
                    bits,
                )
            }
        }
    };
}

/// Does nothing: the feature `bytemuck` is off.
#[cfg(not(feature = "bytemuck"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __key_type_bytemuck {
    ($Name:ident, $Layout:ty) => {};
}
