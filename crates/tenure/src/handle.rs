//! Handles: small `Copy` keys that resolve to the value they were issued for, or to nothing.
#![allow(unsafe_code, reason = "reads words of a layout in `const` functions")]

mod hasher;
mod text;

use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

pub use self::hasher::{BuildHandleHasher, HandleHasher};
#[cfg(feature = "relink")]
pub(crate) use self::text::short_name;
pub use self::text::{ParseHandleError, fmt};
#[cfg(feature = "serde")]
pub(crate) use self::text::{SlotText, read_slot};

use crate::layout::{Layout, Marks, Wide};
use crate::slots::SlotRef;

type NonZeroOf<L> = <<L as Layout>::Bits as crate::layout::sealed::Word>::NonZero;

/// Identifies one value: a slot, and a tenant of that slot. The tenants of a slot are its
/// successive values.
///
/// `K` is the kind of the handle, usually the type of the value, so that the handle of an enemy
/// cannot be used in place of that of a missile. That needs no macro, and a type can hold handles
/// to itself. `L` is the [`Layout`]: 8 bytes by default, 4 with [`Compact`](crate::Compact).
///
/// Handles are plain words: `Copy`, `Eq`, `Ord` and `Hash` take one instruction each, and they are
/// `Send` and `Sync` whatever `K` is. Sorting handles sorts them by slot. `Option<Handle>` is as
/// small as `Handle`, and `None` is all zero bytes.
///
/// ```
/// use tenure::{Handle, Pool};
///
/// struct Node {
///     parent: Option<Handle<Node>>,
/// }
///
/// let mut tree = Pool::new();
/// let root = tree.insert(Node { parent: None });
/// let leaf = tree.insert(Node { parent: Some(root) });
/// assert_eq!(tree[leaf].parent, Some(root));
/// assert_eq!(size_of::<Option<Handle<Node>>>(), 8);
/// ```
#[repr(transparent)]
pub struct Handle<K: ?Sized, L: Layout = Wide> {
    /// H1: the lowest bit is set, so the generation is odd and never equals that of a vacant slot.
    /// H2: an index of all ones occurs in `NIL` only.
    word: NonZeroOf<L>,
    about: PhantomData<fn() -> K>,
}

impl<K: ?Sized, L: Layout> Handle<K, L> {
    /// The handle that does not resolve in any pool. It is the [`Default`], and `to_bits` returns 0
    /// for it.
    ///
    /// Where a handle may be missing, prefer `Option<Handle>`, which is as small. Nil is for fields
    /// that must hold a handle from the beginning, and for foreign code.
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// let pool: Pool<i32> = Pool::new();
    /// assert_eq!(pool.get(Handle::NIL), None);
    /// assert_eq!(Handle::<i32>::NIL.to_bits(), 0);
    /// ```
    #[doc(alias("null", "DANGLING"))]
    pub const NIL: Self = Self::wrap(<L::Bits as crate::layout::sealed::Word>::ALL_ONES);

    #[inline(always)]
    const fn wrap(word: NonZeroOf<L>) -> Self {
        Self { word, about: PhantomData }
    }

    /// Returns the handle that a pool issues for a tenant of a slot. No check is needed, because
    /// the mark of a tenant is odd and the index of a slot is below `MAX_SLOTS`.
    #[inline(always)]
    pub(crate) const fn from_slot(slot: SlotRef) -> Self {
        debug_assert!(slot.index < L::MAX_SLOTS && slot.mark & 1 == 1, "this is not a tenant of a slot");
        Self::from_odd(((slot.index as u64) << L::MARK_BITS) | slot.mark as u64)
    }

    /// Returns the slot and the tenant. By H1 the mark is odd.
    #[inline(always)]
    pub(crate) const fn slot(self) -> SlotRef {
        SlotRef { index: self.index(), mark: self.mark() }
    }

    /// Returns the handle of a word. Maintains H1 and H2 for any bits.
    #[inline]
    const fn from_word(bits: u64) -> Self {
        let odd = bits & 1 == 1;
        let index_fits = bits >> L::MARK_BITS < L::MAX_SLOTS as u64;
        if odd && index_fits { Self::from_odd(bits) } else { Self::NIL }
    }

    /// Returns the handle of a word whose lowest bit is set.
    #[inline(always)]
    const fn from_odd(bits: u64) -> Self {
        // SAFETY: the bits must not be zero. The lowest bit is set (H1).
        Self::wrap(unsafe { cast(bits | 1) })
    }

    /// Returns the handle with this [`index`](Self::index) and this
    /// [`generation`](Self::generation); its tag is 0. Returns `None` if the layout has no
    /// such handle.
    ///
    /// ```
    /// use tenure::{Compact, Handle};
    ///
    /// let handle: Handle<str> = Handle::from_parts(17, 3).unwrap();
    /// assert_eq!((handle.index(), handle.generation()), (17, 3));
    /// assert_eq!(Handle::<str, Compact>::from_parts(u32::MAX, 1), None);
    /// ```
    #[must_use]
    #[doc(alias = "from_raw_parts")]
    pub const fn from_parts(index: u32, generation: u32) -> Option<Self> {
        Self::from_parts_and_tag(index, generation, 0)
    }

    /// Like [`from_parts`](Self::from_parts), with the tag of a pool.
    #[must_use]
    pub const fn from_parts_and_tag(index: u32, generation: u32, tag: u32) -> Option<Self> {
        let generation_fits = 1 <= generation && generation <= L::MAX_TENANTS;
        let tag_fits = (tag as u64) < 1 << L::TAG_BITS;
        if index >= L::MAX_SLOTS || !generation_fits || !tag_fits {
            return None;
        }
        let count = (generation - 1) * 2 + 1;
        Some(Self::from_slot(SlotRef { index, mark: tag_to_mark::<L>(tag) | count }))
    }

    /// Returns the bits of this handle, for files, networks and foreign code. Nil is 0.
    ///
    /// The index is in the high bits, the generation in the low ones.
    /// [`from_bits`](Self::from_bits) is the inverse.
    #[inline]
    #[must_use]
    #[doc(alias("as_ffi", "save", "save and load", "serialize", "to_integral", "into_raw_parts"))]
    pub const fn to_bits(self) -> L::Bits {
        let bits = if self.is_nil() { 0 } else { self.word() };
        // SAFETY: `W` is `u64` or `u32`, and any bits are a value of it.
        unsafe { cast(bits) }
    }

    /// Returns the handle with these bits. Every bit pattern is safe: a handle that was never
    /// issued does not resolve.
    ///
    /// Bits with an even generation, or an index of all ones, become [`NIL`](Self::NIL).
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// let mut pool = Pool::new();
    /// let handle = pool.insert("saved");
    /// let bits: u64 = handle.to_bits();
    /// assert_eq!(Handle::from_bits(bits), handle);
    /// assert_eq!(pool.get(Handle::from_bits(0xDEAD_BEEF)), None);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias("from_ffi", "load", "save and load", "deserialize"))]
    pub const fn from_bits(bits: L::Bits) -> Self {
        Self::from_word(widen(bits))
    }

    /// Returns `true` if these bits are the representation of a handle in memory (nil is all ones
    /// there).
    #[cfg(feature = "bytemuck")]
    pub(crate) fn is_valid_word(bits: L::Bits) -> bool {
        Self::from_word(widen(bits)).word() == widen(bits)
    }

    /// Returns the word, as represented in memory.
    #[inline(always)]
    const fn word(self) -> u64 {
        widen(self.word)
    }

    /// Returns the index of the slot. Nil has the index of all ones, which no slot has.
    #[inline(always)]
    #[must_use]
    #[doc(alias = "slot")]
    #[allow(clippy::cast_possible_truncation, reason = "an index has at most 32 bits")]
    pub const fn index(self) -> u32 {
        (self.word() >> L::MARK_BITS) as u32
    }

    /// Returns the number of the tenant of the slot: 1 is the first, 2 the next, and so on. Nil has
    /// 0.
    #[inline]
    #[must_use]
    #[doc(alias = "version")]
    pub const fn generation(self) -> u32 {
        let count = self.mark() & L::COUNT;
        if self.is_nil() { 0 } else { count / 2 + count % 2 }
    }

    /// Returns the tag of the pool that issued this handle; 0 in layouts without tags, and for nil.
    #[inline]
    #[must_use]
    pub const fn tag(self) -> u32 {
        if self.is_nil() { 0 } else { mark_to_tag::<L>(self.mark()) }
    }

    /// Returns tag and generation, as the slot stores them: see [`Marks`].
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "a mark is the low 32 bits or fewer")]
    pub(crate) const fn mark(self) -> u32 {
        let word = self.word() as u32;
        if L::MARK_BITS == 32 { word } else { word & ((1 << L::MARK_BITS) - 1) }
    }

    /// Returns `true` if this is [`NIL`](Self::NIL).
    #[inline]
    #[must_use]
    #[doc(alias = "is_null")]
    pub const fn is_nil(self) -> bool {
        self.word() == Self::NIL.word()
    }

    /// Returns a handle of another kind with the same index and generation.
    ///
    /// Nothing is checked: in a pool that did not issue the handle, it may resolve to any value.
    /// Use it where two kinds share one pool on purpose.
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// struct Goblin;
    /// let mut names: Pool<()> = Pool::new();
    /// let goblin: Handle<Goblin> = names.insert(()).cast();
    /// assert!(names.contains(goblin.cast()));
    /// ```
    #[inline]
    #[must_use]
    pub const fn cast<U: ?Sized>(self) -> Handle<U, L> {
        Handle::wrap(self.word)
    }
}

/// Converts a word of a layout to a `u64`. (A trait's methods cannot be called in a `const fn`.)
#[inline(always)]
const fn widen<W: Copy>(word: W) -> u64 {
    let bits = Bits { word };
    // SAFETY: the field that is read must be initialised. Layouts are sealed, and so are their
    // words: `W` is `u64`, `u32`, or `NonZero` of one of them. Its size determines which, and all
    // its bytes are initialised.
    unsafe { if size_of::<W>() == 8 { bits.wide } else { bits.narrow as u64 } }
}

/// Converts a `u64` to a word of a layout. The upper half is cut off where the word is a `u32`.
///
/// # Safety
/// `W` is `u64`, `u32`, or `NonZero` of one of them, and the bits are a value of it.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
const unsafe fn cast<W: Copy>(bits: u64) -> W {
    let bits = if size_of::<W>() == 8 { Bits { wide: bits } } else { Bits { narrow: bits as u32 } };
    // SAFETY: the field of the same size was written, and the caller guarantees that its bits are a
    // value of `W`.
    unsafe { bits.word }
}

/// A word of a layout, or its bits. A union, because reading a field is not a call in an
/// unoptimised build (unlike `transmute_copy`: see `get` of `cargo versus --debug`).
#[repr(C)]
union Bits<W: Copy> {
    word: W,
    wide: u64,
    narrow: u32,
}

/// Returns a tag at its position in a mark.
pub(crate) const fn tag_to_mark<L: Layout>(tag: u32) -> u32 {
    if L::TAG_BITS == 0 { 0 } else { tag << L::GENERATION_BITS }
}

pub(crate) const fn mark_to_tag<L: Layout>(mark: u32) -> u32 {
    if L::TAG_BITS == 0 { 0 } else { (mark & L::TAG) >> L::GENERATION_BITS }
}

impl<K: ?Sized, L: Layout> Clone for Handle<K, L> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: ?Sized, L: Layout> Copy for Handle<K, L> {}

impl<K: ?Sized, L: Layout> Default for Handle<K, L> {
    /// Returns [`Handle::NIL`].
    #[inline]
    fn default() -> Self {
        Self::NIL
    }
}

impl<K: ?Sized, L: Layout> PartialEq for Handle<K, L> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl<K: ?Sized, L: Layout> Eq for Handle<K, L> {}

impl<K: ?Sized, L: Layout> PartialOrd for Handle<K, L> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: ?Sized, L: Layout> Ord for Handle<K, L> {
    /// Compares by index, then by generation. Nil comes last.
    #[inline]
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.word.cmp(&other.word)
    }
}

impl<K: ?Sized, L: Layout> Hash for Handle<K, L> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word.hash(state);
    }
}
