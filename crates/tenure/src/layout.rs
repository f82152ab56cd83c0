//! How a handle's bits are divided between index, generation and tag.

use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::num::NonZero;

/// How the bits of a [`Handle`](crate::Handle) are divided into index, generation and tag.
///
/// Three layouts exist, and the trait is sealed: [`Wide`] (the default), [`Compact`] and
/// [`Tagged`]. A layout is chosen by type, so it costs nothing at run time:
///
/// ```
/// use tenure::{Compact, Handle, Pool};
///
/// let mut pool: Pool<&str, Handle<&str, Compact>> = Pool::default();
/// let handle: Handle<&str, Compact> = pool.insert("four bytes");
/// assert_eq!(size_of_val(&handle), 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no layout of handles",
    label = "the layouts are `Wide`, `Compact<INDEX>` and `Tagged<BITS, L>`",
    note = "the layout is the second parameter of a handle: `Pool<Enemy, Handle<Enemy, Compact>>`"
)]
pub trait Layout: sealed::Layout + Copy + Default + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// The word that [`Handle::to_bits`](crate::Handle::to_bits) gives: `u64` or `u32`.
    type Bits: Word;

    /// The number of bits of the index.
    const INDEX_BITS: u32;

    /// The number of bits of the pool's tag; 0 in layouts without tags.
    const TAG_BITS: u32;

    /// The number of bits of the generation, live bit included.
    const GENERATION_BITS: u32 = Self::Bits::BITS - Self::INDEX_BITS - Self::TAG_BITS;

    /// The number of slots that a pool of this layout can have. One index is kept back for nil.
    const MAX_SLOTS: u32 = low_bits(Self::INDEX_BITS);

    /// The number of tenants that one slot can have before it is retired.
    const MAX_TENANTS: u32 = low_bits(Self::GENERATION_BITS - 1).wrapping_add(1);
}

/// The word a handle is made of: `u64` or `u32`. Sealed.
pub trait Word:
    sealed::Word + Copy + Eq + Ord + Hash + Debug + Display + Default + Into<u64> + TryFrom<u64> + Send + Sync + 'static
{
    /// The number of bits of the word.
    const BITS: u32;
}

/// 8 bytes: 32 bits of index, 32 bits of generation. The default layout.
///
/// Room for 2³² − 1 slots, each with 2³¹ tenants before it is retired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wide;

/// 4 bytes: `INDEX` bits of index (20 unless named), the rest generation.
///
/// `Compact` has room for 1,048,575 slots with 2,048 tenants each. A slot that has had them all is
/// retired: see [`Pool::recycle_retired`](crate::Pool::recycle_retired). `INDEX` goes from 1 to 30.
///
/// ```
/// use tenure::{Compact, Layout};
///
/// assert_eq!(<Compact>::MAX_SLOTS, 1_048_575);
/// assert_eq!(<Compact>::MAX_TENANTS, 2_048);
/// assert_eq!(Compact::<16>::MAX_TENANTS, 32_768);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Compact<const INDEX: u32 = 20>;

/// The layout `L` with `BITS` of its generation bits carrying the tag of the pool.
///
/// The caller gives every pool its tag ([`Pool::with_tag`](crate::Pool::with_tag)). A handle of a
/// pool with another tag then fails the same single compare that finds stale handles, at no cost,
/// and [`status`](crate::Pool::status) says `Foreign`.
///
/// ```
/// use tenure::{Handle, Pool, Status, Tagged};
///
/// type Tags = Tagged<8>;
/// let mut left: Pool<i32, Handle<i32, Tags>> = Pool::with_tag(1);
/// let right: Pool<i32, Handle<i32, Tags>> = Pool::with_tag(2);
///
/// let handle = left.insert(7);
/// assert_eq!(left.get(handle), Some(&7));
/// assert_eq!(right.get(handle), None);
/// assert_eq!(right.status(handle), Status::Foreign);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tagged<const BITS: u32, L = Wide>(L);

impl Layout for Wide {
    type Bits = u64;
    const INDEX_BITS: u32 = 32;
    const TAG_BITS: u32 = 0;
}

impl<const INDEX: u32> Layout for Compact<INDEX> {
    type Bits = u32;
    const INDEX_BITS: u32 = {
        assert!(INDEX >= 1 && INDEX <= 30, "Compact<INDEX>: INDEX goes from 1 to 30");
        INDEX
    };
    const TAG_BITS: u32 = 0;
}

impl<const BITS: u32, L: Layout> Layout for Tagged<BITS, L> {
    type Bits = L::Bits;
    const INDEX_BITS: u32 = L::INDEX_BITS;
    const TAG_BITS: u32 = {
        assert!(
            BITS >= 1 && BITS <= L::GENERATION_BITS - 2,
            "Tagged<BITS, L>: at least 1 bit of tag, and at least 2 bits of generation must be left"
        );
        L::TAG_BITS + BITS
    };
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
}

impl Word for u32 {
    const BITS: u32 = u32::BITS;
}

/// A `u32` whose `count` lowest bits are set. `count` is at most 32.
const fn low_bits(count: u32) -> u32 {
    if count == 32 { u32::MAX } else { (1 << count) - 1 }
}

/// What only this crate may use of a layout: the arithmetic of *marks*.
///
/// A **mark** is the low part of a handle: tag and generation together, as one `u32`. Slots store a
/// mark too, so tag, tenant and liveness are compared at once.
///
/// ```text
/// handle:  | index        | tag | generation, live bit lowest |
///                         '---------------- mark -------------'
/// ```
pub(crate) trait Marks: Layout {
    /// The number of bits of a mark.
    const MARK_BITS: u32 = Self::TAG_BITS + Self::GENERATION_BITS;
    /// The bits of a mark that count tenants, live bit included. Also the count of the last tenant.
    const COUNT: u32 = low_bits(Self::GENERATION_BITS);
    /// The bits of a mark that carry the tag.
    const TAG: u32 = low_bits(Self::MARK_BITS) & !Self::COUNT;

    /// The count in a mark: odd when a tenant is meant, even when vacant.
    fn count(mark: u32) -> u32 {
        mark & Self::COUNT
    }

    /// Which tenant a mark means: 1, 2, 3, …; for a vacant mark the last tenant, or 0.
    fn tenant(mark: u32) -> u32 {
        let count = Self::count(mark);
        count / 2 + count % 2
    }
}

impl<L: Layout> Marks for L {}

pub(crate) mod sealed {
    use super::{Debug, Hash, NonZero};

    pub trait Layout {}

    impl Layout for super::Wide {}
    impl<const INDEX: u32> Layout for super::Compact<INDEX> {}
    impl<const BITS: u32, L: super::Layout> Layout for super::Tagged<BITS, L> {}

    /// What a word can do in foreign crates' terms.
    #[cfg(feature = "bytemuck")]
    pub trait Plain: bytemuck::AnyBitPattern {}
    #[cfg(feature = "bytemuck")]
    impl<W: bytemuck::AnyBitPattern> Plain for W {}
    #[cfg(not(feature = "bytemuck"))]
    pub trait Plain {}
    #[cfg(not(feature = "bytemuck"))]
    impl<W> Plain for W {}

    pub trait Word: Sized + Plain {
        type NonZero: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
        const ALL_ONES: Self::NonZero;

        fn from_u64(bits: u64) -> Self;
        fn to_u64(self) -> u64;
        fn pack(self) -> Option<Self::NonZero>;
        fn unpack(packed: Self::NonZero) -> Self;
    }

    macro_rules! word {
        ($($word:ty),*) => {$(
            impl Word for $word {
                type NonZero = NonZero<$word>;
                const ALL_ONES: NonZero<$word> = NonZero::<$word>::MAX;

                #[inline]
                #[allow(clippy::cast_possible_truncation, reason = "callers pass what fits")]
                fn from_u64(bits: u64) -> Self {
                    bits as $word
                }
                #[inline]
                fn to_u64(self) -> u64 {
                    u64::from(self)
                }
                #[inline]
                fn pack(self) -> Option<NonZero<$word>> {
                    NonZero::new(self)
                }
                #[inline]
                fn unpack(packed: NonZero<$word>) -> Self {
                    packed.get()
                }
            }
        )*};
    }
    word!(u64, u32);
}
