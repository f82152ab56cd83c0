//! The members of a join.
#![allow(unsafe_code, reason = "gives out values of a borrowed container, each once")]
#![allow(missing_docs, reason = "users do not name these")]
#![expect(unnameable_types, reason = "sealed; a join is named by `<M as IntoMember<H>>::Member`")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Maybe;
use crate::dense::DensePool;
use crate::fixed::FixedPool;
use crate::key::Key;
use crate::layout::Layout;
use crate::lifecycle::Live;
use crate::pool::Pool;
use crate::side_map::SideMap;
use crate::slots::{Buffer, Chunks, Flat, Inline, Lookup, SlotRef, Slots, View};
use crate::stable::StablePool;
use crate::table::{Columns, RowRef, Table};
use crate::world::World;
use crate::zii::ZiiPool;

/// A member of a [`join`](super::join()): a reference to a container, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take part in this join",
    label = "not a container whose keys are `{H}`",
    note = "all members have the same keys, and are borrowed: `join((&pool, &mut side_map, Maybe(&side_map)))`"
)]
pub trait IntoMember<H: Key> {
    /// The member while the join iterates.
    type Member: Member;

    #[doc(hidden)]
    fn into_member(self) -> Self::Member;
}

/// A container that is iterated over together with others.
///
/// # Safety
///
/// J1: for every word, `live` returns the slots that are live in the member, and these stay live.
/// `item` may be called for an index once, if the slot is in `live` and `has` returns `true` for
/// the mark.
pub unsafe trait Member {
    /// The item of a handle.
    type Item;

    fn words(&self) -> u32;

    /// The first word from this one on that may have a live slot.
    #[inline]
    fn next_word(&self, from: u32) -> u32 {
        from
    }

    fn live(&self, word: u32) -> u64;

    /// # Safety
    /// The slot is live.
    unsafe fn has(&self, index: u32, mark: u32) -> bool;

    /// # Safety
    /// J1.
    unsafe fn item(&self, index: u32, mark: u32) -> Self::Item;
}

/// A member that determines the handles: the first of a join.
///
/// # Safety
///
/// As for [`Member`].
#[diagnostic::on_unimplemented(
    message = "the first member of a join cannot be `Maybe`, and a join cannot be empty",
    label = "does not determine which handles are live",
    note = "begin with a container: `join((&pool, Maybe(&side_map)))`"
)]
pub unsafe trait Lead: Member {
    /// # Safety
    /// The slot is live.
    unsafe fn mark(&self, index: u32) -> u32;
}

/// Finds the items of a member, given the payloads of its slots.
///
/// # Safety
///
/// J2: for any two different slots, the items that `find` returns for their payloads are different,
/// and can be held together.
pub unsafe trait Find<P> {
    type Item;

    /// # Safety
    /// `payload` points to the payload of a live slot of the member, which is borrowed; `find` is
    /// called once per slot.
    unsafe fn find(&self, payload: NonNull<P>) -> Self::Item;
}

/// Shared values.
#[derive(Debug)]
pub struct Shared<'a, P>(PhantomData<&'a P>);

/// Values of a container that is borrowed mutably.
#[derive(Debug)]
pub struct Unique<'a, P>(PhantomData<&'a mut P>);

/// Rows of a table that is borrowed shared.
#[derive(Debug)]
pub struct SharedRows<'a, C>(&'a C);

/// Rows of a dense pool that is borrowed mutably.
#[derive(Debug)]
pub struct UniqueRows<'a, T>(NonNull<T>, PhantomData<&'a mut [T]>);

// SAFETY: J2, because shared references can always be held together.
unsafe impl<'a, P> Find<P> for Shared<'a, P> {
    type Item = &'a P;

    #[inline]
    unsafe fn find(&self, payload: NonNull<P>) -> &'a P {
        // SAFETY: the caller guarantees that `payload` points to a live value; the member is
        // borrowed for `'a`.
        unsafe { payload.as_ref() }
    }
}

// SAFETY: J2, because every slot has a value of its own.
unsafe impl<'a, P> Find<P> for Unique<'a, P> {
    type Item = &'a mut P;

    #[inline]
    unsafe fn find(&self, mut payload: NonNull<P>) -> &'a mut P {
        // SAFETY: the caller guarantees that `payload` points to a live value, and that each slot
        // is visited once, so the reference is unique; the member is borrowed mutably for `'a`.
        unsafe { payload.as_mut() }
    }
}

// SAFETY: J2, because shared rows can always be held together.
unsafe impl<'a, C: Columns> Find<u32> for SharedRows<'a, C> {
    type Item = RowRef<'a, C>;

    #[inline]
    unsafe fn find(&self, row: NonNull<u32>) -> RowRef<'a, C> {
        // SAFETY: the caller guarantees that `row` points to the payload of a live slot.
        let row = unsafe { *row.as_ref() };
        self.0.row(row as usize).unwrap_or_else(|| unreachable!("T1: every live slot has a row"))
    }
}

// SAFETY: J2, because by T1 every slot has a row of its own.
unsafe impl<'a, T> Find<u32> for UniqueRows<'a, T> {
    type Item = &'a mut T;

    #[inline]
    unsafe fn find(&self, row: NonNull<u32>) -> &'a mut T {
        // SAFETY: the caller guarantees that `row` points to the payload of a live slot, which is
        // visited once. By T1 that row exists and belongs to no other slot, so the reference is
        // unique. The pool is borrowed mutably for `'a`.
        unsafe { self.0.add(*row.as_ref() as usize).as_mut() }
    }
}

/// A container that is borrowed while the join iterates.
pub struct Borrowed<'a, P, V, F> {
    lookup: Lookup<'a, P, V>,
    find: F,
}

impl<P, V, F> fmt::Debug for Borrowed<'_, P, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Borrowed").finish_non_exhaustive()
    }
}

// SAFETY: J1, because `lookup` is that of an engine that is borrowed and does not change (K1), and
// `find` upholds J2.
unsafe impl<P, V: View<P>, F: Find<P>> Member for Borrowed<'_, P, V, F> {
    type Item = F::Item;

    fn words(&self) -> u32 {
        self.lookup.words()
    }

    #[inline]
    fn live(&self, word: u32) -> u64 {
        self.lookup.live(word)
    }

    #[inline]
    unsafe fn has(&self, index: u32, mark: u32) -> bool {
        // SAFETY: the caller guarantees that the slot is live.
        unsafe { self.lookup.at(index).0 == mark }
    }

    #[inline]
    unsafe fn item(&self, index: u32, _mark: u32) -> F::Item {
        // SAFETY: the caller upholds J1: the slot is live, and `item` is called for it once.
        unsafe { self.find.find(self.lookup.at(index).1) }
    }
}

// SAFETY: as for `Member`.
unsafe impl<P, V: View<P>, F: Find<P>> Lead for Borrowed<'_, P, V, F> {
    #[inline]
    unsafe fn mark(&self, index: u32) -> u32 {
        // SAFETY: the caller guarantees that the slot is live.
        unsafe { self.lookup.at(index).0 }
    }
}

/// A stable pool or a world: values may be inserted while it is iterated over, so the engine is not
/// borrowed.
pub struct Raw<'a, P, L: Layout, F> {
    slots: *const Slots<P, L, Chunks<P>>,
    words: u32,
    find: F,
    borrow: PhantomData<&'a P>,
}

impl<'a, P, L: Layout, F> Raw<'a, P, L, F> {
    /// # Safety
    /// The engine exists for `'a`, no value is removed from it meanwhile, and its owner is borrowed
    /// as `F` requires.
    unsafe fn new(slots: *const Slots<P, L, Chunks<P>>, find: F) -> Self {
        // SAFETY: the caller guarantees that the engine exists.
        Self { slots, words: unsafe { (*slots).word_count() }, find, borrow: PhantomData }
    }

    /// The engine, for one call.
    #[inline]
    fn slots(&self) -> &Slots<P, L, Chunks<P>> {
        // SAFETY: the engine exists (contract of `new`), and by N4 nothing mutates it while the
        // reference exists: it ends with the call, and no caller's code runs meanwhile.
        unsafe { &*self.slots }
    }
}

impl<P, L: Layout, F> fmt::Debug for Raw<'_, P, L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw").finish_non_exhaustive()
    }
}

// SAFETY: J1, because the bits of the engine have the live slots, and no value is removed (R1);
// `find` upholds J2.
unsafe impl<P, L: Layout, F: Find<P>> Member for Raw<'_, P, L, F> {
    type Item = F::Item;

    fn words(&self) -> u32 {
        self.words
    }

    #[inline]
    fn live(&self, word: u32) -> u64 {
        self.slots().live_in(word)
    }

    #[inline]
    unsafe fn has(&self, index: u32, mark: u32) -> bool {
        // SAFETY: the caller guarantees that the slot is live.
        unsafe { self.slots().at(index).0 == mark }
    }

    #[inline]
    unsafe fn item(&self, index: u32, _mark: u32) -> F::Item {
        // SAFETY: the caller upholds J1: the slot is live, and `item` is called for it once.
        unsafe { self.find.find(self.slots().at(index).1) }
    }
}

// SAFETY: as for `Member`.
unsafe impl<P, L: Layout, F: Find<P>> Lead for Raw<'_, P, L, F> {
    #[inline]
    unsafe fn mark(&self, index: u32) -> u32 {
        // SAFETY: the caller guarantees that the slot is live.
        unsafe { self.slots().at(index).0 }
    }
}

/// Containers with a lifecycle: the member is their engine.
macro_rules! raw_members {
    ($($Type:ty, $Find:ident;)*) => {
        $(impl<'a, T, H: Key> IntoMember<H> for $Type {
            type Member = Raw<'a, T, H::Layout, $Find<'a, T>>;

            fn into_member(self) -> Self::Member {
                // SAFETY: R1, because `self` borrows the owner of the engine or one half of a split
                // of it, and values are removed through `&mut` only. By X1 they are mutated through
                // `&mut` only.
                unsafe { Raw::new(self.engine(), $Find(PhantomData)) }
            }
        })*
    };
}

raw_members! {
    &'a StablePool<T, H>, Shared;
    &'a mut StablePool<T, H>, Unique;
    &'a World<T, H>, Shared;
    &'a mut World<T, H>, Unique;
    &'a Live<'_, T, H>, Shared;
    &'a mut Live<'_, T, H>, Unique;
}

// SAFETY: J1, because every slot counts as live here: `item` accepts any slot, and calls `item` of
// the member only for slots that are live there and that it `has`.
unsafe impl<M: Member> Member for Maybe<M> {
    type Item = Option<M::Item>;

    fn words(&self) -> u32 {
        u32::MAX
    }

    #[inline]
    fn live(&self, _word: u32) -> u64 {
        u64::MAX
    }

    #[inline]
    unsafe fn has(&self, _index: u32, _mark: u32) -> bool {
        true
    }

    #[inline]
    unsafe fn item(&self, index: u32, mark: u32) -> Option<M::Item> {
        let is_live = self.0.live(index / 64) >> (index % 64) & 1 == 1;
        // SAFETY: J1, because the slot is live in the member, `has` returns `true` for the mark,
        // and the caller calls `item` for an index once.
        unsafe { (is_live && self.0.has(index, mark)).then(|| self.0.item(index, mark)) }
    }
}

macro_rules! tuple {
    ($First:ident $($Other:ident)*) => {
        #[allow(non_snake_case, reason = "a variable for each type")]
        // SAFETY: J1, because a slot that is live in all members is live in each, and `item` of
        // each is called only for slots that it has.
        unsafe impl<$First: Member, $($Other: Member),*> Member for ($First, $($Other,)*) {
            type Item = ($First::Item, $($Other::Item,)*);

            fn words(&self) -> u32 {
                let ($First, $($Other,)*) = self;
                $First.words()$(.min($Other.words()))*
            }

            #[inline]
            fn next_word(&self, from: u32) -> u32 {
                let ($First, $($Other,)*) = self;
                $First.next_word(from)$(.max($Other.next_word(from)))*
            }

            #[inline]
            fn live(&self, word: u32) -> u64 {
                let ($First, $($Other,)*) = self;
                $First.live(word) $(& $Other.live(word))*
            }

            #[inline]
            unsafe fn has(&self, index: u32, mark: u32) -> bool {
                let ($First, $($Other,)*) = self;
                // SAFETY: the caller guarantees that the slot is live in all members.
                unsafe { $First.has(index, mark) $(&& $Other.has(index, mark))* }
            }

            #[inline]
            unsafe fn item(&self, index: u32, mark: u32) -> Self::Item {
                let ($First, $($Other,)*) = self;
                // SAFETY: the caller upholds J1 for all members.
                unsafe { ($First.item(index, mark), $($Other.item(index, mark),)*) }
            }
        }

        // SAFETY: as for `Member`.
        unsafe impl<$First: Lead, $($Other: Member),*> Lead for ($First, $($Other,)*) {
            #[inline]
            unsafe fn mark(&self, index: u32) -> u32 {
                // SAFETY: the caller guarantees that the slot is live.
                unsafe { self.0.mark(index) }
            }
        }

        #[allow(non_snake_case, reason = "a variable for each type")]
        impl<H: Key, $First: IntoMember<H>, $($Other: IntoMember<H>),*> IntoMember<H> for ($First, $($Other,)*) {
            type Member = ($First::Member, $($Other::Member,)*);

            fn into_member(self) -> Self::Member {
                let ($First, $($Other,)*) = self;
                ($First.into_member(), $($Other.into_member(),)*)
            }
        }
    };
}

tuple!(M1);
tuple!(M1 M2);
tuple!(M1 M2 M3);
tuple!(M1 M2 M3 M4);
tuple!(M1 M2 M3 M4 M5);
tuple!(M1 M2 M3 M4 M5 M6);
tuple!(M1 M2 M3 M4 M5 M6 M7);
tuple!(M1 M2 M3 M4 M5 M6 M7 M8);

impl<H: Key, M: IntoMember<H>> IntoMember<H> for Maybe<M> {
    type Member = Maybe<M::Member>;

    fn into_member(self) -> Self::Member {
        Maybe(self.0.into_member())
    }
}

impl<'a, T, H: Key, B: Buffer<T>> IntoMember<H> for &'a Pool<T, H, B> {
    type Member = Borrowed<'a, T, B::View, Shared<'a, T>>;

    fn into_member(self) -> Self::Member {
        Borrowed { lookup: self.slots.lookup(), find: Shared(PhantomData) }
    }
}

impl<'a, T, H: Key, B: Buffer<T>> IntoMember<H> for &'a mut Pool<T, H, B> {
    type Member = Borrowed<'a, T, B::View, Unique<'a, T>>;

    fn into_member(self) -> Self::Member {
        Borrowed { lookup: self.slots.lookup_mut(), find: Unique(PhantomData) }
    }
}

impl<'a, R, H: Key, C: Columns<Row = R>> IntoMember<H> for &'a Table<R, H, C> {
    type Member = Borrowed<'a, u32, Flat<u32>, SharedRows<'a, C>>;

    fn into_member(self) -> Self::Member {
        Borrowed { lookup: self.row_of_slot().slots.lookup(), find: SharedRows(self.columns_whole()) }
    }
}

impl<'a, T, H: Key> IntoMember<H> for &'a mut DensePool<T, H> {
    type Member = Borrowed<'a, u32, Flat<u32>, UniqueRows<'a, T>>;

    fn into_member(self) -> Self::Member {
        let (row_of_slot, column) = self.parts_mut();
        let values = NonNull::from(column.as_mut_slice()).cast();
        Borrowed { lookup: row_of_slot.slots.lookup(), find: UniqueRows(values, PhantomData) }
    }
}

/// A side map: its slots, and the values beyond them.
///
/// J3: `far` is sorted by index, no index occurs twice, and none is below `slots`, the number of
/// slots of `near` (V1, V2). Each pointer is that of a value of the map, which is borrowed for `'a`
/// as `F` says.
pub struct Sided<'a, V, F> {
    near: Borrowed<'a, V, Flat<V>, F>,
    slots: u32,
    far: Vec<(SlotRef, NonNull<V>)>,
}

impl<V, F> Sided<'_, V, F> {
    /// The value beyond the slots at an index.
    #[cold]
    fn find_far(&self, index: u32) -> Option<(u32, NonNull<V>)> {
        let position = self.far.binary_search_by_key(&index, |(slot, _)| slot.index).ok()?;
        Some((self.far[position].0.mark, self.far[position].1))
    }

    /// Where the values beyond the slots begin that are not below an index.
    fn first_far(&self, index: u32) -> &[(SlotRef, NonNull<V>)] {
        &self.far[self.far.partition_point(|(slot, _)| slot.index < index)..]
    }

    #[cold]
    fn far_bits(&self, word: u32) -> u64 {
        let values = self.first_far(word.saturating_mul(64));
        values
            .iter()
            .take_while(|(slot, _)| slot.index / 64 == word)
            .fold(0, |bits, (slot, _)| bits | 1 << (slot.index % 64))
    }
}

impl<V, F> fmt::Debug for Sided<'_, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sided").finish_non_exhaustive()
    }
}

// SAFETY: J1, slots are those of `near`, which keeps it, and indices from `slots` on are those of
// `far`, which does not change; J3, every index is in one of them. `find` keeps J2.
unsafe impl<V, F: Find<V>> Member for Sided<'_, V, F> {
    type Item = F::Item;

    fn words(&self) -> u32 {
        self.far.last().map_or_else(|| self.near.words(), |(last, _)| last.index / 64 + 1)
    }

    #[inline]
    fn next_word(&self, from: u32) -> u32 {
        if self.far.is_empty() || from < self.near.words() {
            return from;
        }
        self.first_far(from.saturating_mul(64)).first().map_or(u32::MAX, |(slot, _)| slot.index / 64)
    }

    #[inline]
    fn live(&self, word: u32) -> u64 {
        let near = self.near.live(word);
        if self.far.is_empty() { near } else { near | self.far_bits(word) }
    }

    #[inline]
    unsafe fn has(&self, index: u32, mark: u32) -> bool {
        if index < self.slots {
            // SAFETY: the caller's.
            return unsafe { self.near.has(index, mark) };
        }
        self.find_far(index).is_some_and(|(far, _)| far == mark)
    }

    #[inline]
    unsafe fn item(&self, index: u32, mark: u32) -> F::Item {
        if index < self.slots {
            // SAFETY: the caller's.
            return unsafe { self.near.item(index, mark) };
        }
        let (_, value) = self.find_far(index).unwrap_or_else(|| unreachable!("J1: the slot is live"));
        // SAFETY: J3, the value exists and is borrowed as `F` says; J1, each index comes once.
        unsafe { self.near.find.find(value) }
    }
}

// SAFETY: as `Member`.
unsafe impl<V, F: Find<V>> Lead for Sided<'_, V, F> {
    #[inline]
    unsafe fn mark(&self, index: u32) -> u32 {
        if index < self.slots {
            // SAFETY: the caller's.
            return unsafe { self.near.mark(index) };
        }
        self.find_far(index).map_or(0, |(mark, _)| mark)
    }
}

impl<'a, V, H: Key> IntoMember<H> for &'a SideMap<H, V> {
    type Member = Sided<'a, V, Shared<'a, V>>;

    fn into_member(self) -> Self::Member {
        let (near, far) = self.parts();
        let far = far.iter().map(|far| (far.slot, NonNull::from(&far.value)));
        Sided { slots: near.slots.slot_count(), far: far.collect(), near: near.into_member() }
    }
}

impl<'a, V, H: Key> IntoMember<H> for &'a mut SideMap<H, V> {
    type Member = Sided<'a, V, Unique<'a, V>>;

    fn into_member(self) -> Self::Member {
        let (near, far) = self.parts_mut();
        let far = far.iter_mut().map(|far| (far.slot, NonNull::from(&mut far.value)));
        Sided { slots: near.slots.slot_count(), far: far.collect(), near: near.into_member() }
    }
}

/// Containers with a pool inside join as that pool.
macro_rules! joins_as {
    ($([$($params:tt)*] $Type:ty, as $Inner:ty: |$it:ident| $inner:expr;)*) => {
        $(impl<'a, $($params)*> IntoMember<H> for $Type {
            type Member = <$Inner as IntoMember<H>>::Member;

            fn into_member(self) -> Self::Member {
                let $it = self;
                <$Inner>::into_member($inner)
            }
        })*
    };
}

joins_as! {
    [T, H: Key] &'a DensePool<T, H>, as &'a Table<T, H, Vec<T>>: |pool| pool;
    [T, const N: usize, H: Key] &'a FixedPool<T, N, H>, as &'a Pool<T, H, Inline<T, N>>: |pool| pool;
    [T, const N: usize, H: Key] &'a mut FixedPool<T, N, H>, as &'a mut Pool<T, H, Inline<T, N>>: |pool| pool;
    [T: Default, H: Key] &'a ZiiPool<T, H>, as &'a Pool<T, H>: |pool| pool;
    [T: Default, H: Key] &'a mut ZiiPool<T, H>, as &'a mut Pool<T, H>: |pool| pool;
}
