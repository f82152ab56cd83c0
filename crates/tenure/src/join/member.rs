//! What takes part in a join.
#![allow(unsafe_code, reason = "gives out values of a borrowed container, each once")]
#![allow(missing_docs, reason = "nobody names these")]
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
use crate::slots::{Buffer, Chunks, Flat, Inline, Lookup, Slots, View};
use crate::stable::StablePool;
use crate::table::{Columns, RowRef, Table};
use crate::world::World;
use crate::zii::ZiiPool;

/// What takes part in a [`join`](super::join()): references to containers, and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take part in this join",
    label = "not a container whose keys are `{H}`",
    note = "what is joined has the same keys, and is borrowed: `join((&pool, &mut side_map, Maybe(&side_map)))`"
)]
pub trait IntoMember<H: Key> {
    /// What it is while it is walked.
    type Member: Member;

    #[doc(hidden)]
    fn into_member(self) -> Self::Member;
}

/// Something that is walked together with others.
///
/// # Safety
///
/// J1: `live` tells the truth, and what is live stays so. `item` may be called for an index once,
/// if `live` says so and `has` the mark.
pub unsafe trait Member {
    /// What it gives for a handle.
    type Item;

    fn words(&self) -> u32;

    fn live(&self, word: u32) -> u64;

    /// # Safety
    /// The slot is live.
    unsafe fn has(&self, index: u32, mark: u32) -> bool;

    /// # Safety
    /// J1.
    unsafe fn item(&self, index: u32, mark: u32) -> Self::Item;
}

/// A member that says what the handles are: the first of a join.
///
/// # Safety
///
/// As [`Member`].
#[diagnostic::on_unimplemented(
    message = "a join does not begin with `Maybe`, nor with nothing",
    label = "does not say which handles are live",
    note = "the first of a join is a container: `join((&pool, Maybe(&side_map)))`"
)]
pub unsafe trait Lead: Member {
    /// # Safety
    /// The slot is live.
    unsafe fn mark(&self, index: u32) -> u32;
}

/// Where the values of a member are found, given the payload of its slots.
///
/// # Safety
///
/// J2: `find` gives different items for the payloads of different slots, which can be held
/// together.
pub unsafe trait Find<P> {
    type Item;

    /// # Safety
    /// `payload` points to that of a live slot of the member, which is borrowed; each slot comes
    /// once.
    unsafe fn find(&self, payload: NonNull<P>) -> Self::Item;
}

/// Values that are shared.
#[derive(Debug)]
pub struct Shared<'a, P>(PhantomData<&'a P>);

/// Values that are borrowed alone.
#[derive(Debug)]
pub struct Unique<'a, P>(PhantomData<&'a mut P>);

/// Rows of a table, which are shared.
#[derive(Debug)]
pub struct SharedRows<'a, C>(&'a C);

/// Rows of a dense pool, which is borrowed alone.
#[derive(Debug)]
pub struct UniqueRows<'a, T>(NonNull<T>, PhantomData<&'a mut [T]>);

// SAFETY: J2, shared values can always be held together.
unsafe impl<'a, P> Find<P> for Shared<'a, P> {
    type Item = &'a P;

    #[inline]
    unsafe fn find(&self, payload: NonNull<P>) -> &'a P {
        // SAFETY: the caller's; the member is borrowed for `'a`.
        unsafe { payload.as_ref() }
    }
}

// SAFETY: J2, every slot has a value of its own.
unsafe impl<'a, P> Find<P> for Unique<'a, P> {
    type Item = &'a mut P;

    #[inline]
    unsafe fn find(&self, mut payload: NonNull<P>) -> &'a mut P {
        // SAFETY: the caller's; the member is borrowed alone for `'a`, and each slot comes once.
        unsafe { payload.as_mut() }
    }
}

// SAFETY: J2, shared rows can always be held together.
unsafe impl<'a, C: Columns> Find<u32> for SharedRows<'a, C> {
    type Item = RowRef<'a, C>;

    #[inline]
    unsafe fn find(&self, row: NonNull<u32>) -> RowRef<'a, C> {
        // SAFETY: the caller's.
        let row = unsafe { *row.as_ref() };
        self.0.row(row as usize).unwrap_or_else(|| unreachable!("T1: every name leads to a row"))
    }
}

// SAFETY: J2 and T1, every slot has a row of its own.
unsafe impl<'a, T> Find<u32> for UniqueRows<'a, T> {
    type Item = &'a mut T;

    #[inline]
    unsafe fn find(&self, row: NonNull<u32>) -> &'a mut T {
        // SAFETY: the caller's; T1, the row exists and is no other slot's. The pool is borrowed
        // alone for `'a`.
        unsafe { self.0.add(*row.as_ref() as usize).as_mut() }
    }
}

/// A container that is walked.
pub struct Walked<'a, P, V, F> {
    lookup: Lookup<'a, P, V>,
    find: F,
}

impl<P, V, F> fmt::Debug for Walked<'_, P, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walked").finish_non_exhaustive()
    }
}

// SAFETY: J1, `lookup` is that of an engine that is borrowed and does not change (K1), and `find`
// keeps J2.
unsafe impl<P, V: View<P>, F: Find<P>> Member for Walked<'_, P, V, F> {
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
        // SAFETY: the caller's.
        unsafe { self.lookup.at(index).0 == mark }
    }

    #[inline]
    unsafe fn item(&self, index: u32, _mark: u32) -> F::Item {
        // SAFETY: the caller's.
        unsafe { self.find.find(self.lookup.at(index).1) }
    }
}

// SAFETY: as `Member`.
unsafe impl<P, V: View<P>, F: Find<P>> Lead for Walked<'_, P, V, F> {
    #[inline]
    unsafe fn mark(&self, index: u32) -> u32 {
        // SAFETY: the caller's.
        unsafe { self.lookup.at(index).0 }
    }
}

/// A stable pool or a world: values may be added while it is iterated over, so the engine is not
/// borrowed.
pub struct Raw<'a, P, L: Layout, F> {
    slots: *const Slots<P, L, Chunks<P>>,
    words: u32,
    find: F,
    borrow: PhantomData<&'a P>,
}

impl<'a, P, L: Layout, F> Raw<'a, P, L, F> {
    /// # Safety
    /// The engine exists for `'a`, nothing removes values from it meanwhile, and its owner is
    /// borrowed as `F` says.
    unsafe fn new(slots: *const Slots<P, L, Chunks<P>>, find: F) -> Self {
        // SAFETY: the caller's.
        Self { slots, words: unsafe { (*slots).word_count() }, find, borrow: PhantomData }
    }

    /// The engine, for one call.
    #[inline]
    fn slots(&self) -> &Slots<P, L, Chunks<P>> {
        // SAFETY: R1 and N4, the engine exists, and nothing changes it before this call's reference
        // ends: no caller's code runs meanwhile.
        unsafe { &*self.slots }
    }
}

impl<P, L: Layout, F> fmt::Debug for Raw<'_, P, L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw").finish_non_exhaustive()
    }
}

// SAFETY: J1, the bits of the engine say what is live, and nothing is removed (R1); `find` keeps
// J2.
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
        // SAFETY: the caller's.
        unsafe { self.slots().at(index).0 == mark }
    }

    #[inline]
    unsafe fn item(&self, index: u32, _mark: u32) -> F::Item {
        // SAFETY: the caller's.
        unsafe { self.find.find(self.slots().at(index).1) }
    }
}

// SAFETY: as `Member`.
unsafe impl<P, L: Layout, F: Find<P>> Lead for Raw<'_, P, L, F> {
    #[inline]
    unsafe fn mark(&self, index: u32) -> u32 {
        // SAFETY: the caller's.
        unsafe { self.slots().at(index).0 }
    }
}

/// What holds a lifecycle: its engine, for a join.
macro_rules! raw_members {
    ($($Type:ty, $Find:ident;)*) => {
        $(impl<'a, T, H: Key> IntoMember<H> for $Type {
            type Member = Raw<'a, T, H::Layout, $Find<'a, T>>;

            fn into_member(self) -> Self::Member {
                // SAFETY: R1, what is borrowed here owns the engine or one half of a split of it;
                // values are removed through `&mut` only. X1: they are mutated through `&mut` only.
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

// SAFETY: J1, it says of every slot that it may be asked for, and asks the member only for what
// that has.
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
        // SAFETY: J1, the slot is live in the member, and has the mark; it comes once.
        unsafe { (is_live && self.0.has(index, mark)).then(|| self.0.item(index, mark)) }
    }
}

macro_rules! tuple {
    ($First:ident $($Other:ident)*) => {
        #[allow(non_snake_case, reason = "a variable for each type")]
        // SAFETY: J1, what is live in all is live in each, and each is asked only for what it has.
        unsafe impl<$First: Member, $($Other: Member),*> Member for ($First, $($Other,)*) {
            type Item = ($First::Item, $($Other::Item,)*);

            fn words(&self) -> u32 {
                let ($First, $($Other,)*) = self;
                $First.words()$(.min($Other.words()))*
            }

            #[inline]
            fn live(&self, word: u32) -> u64 {
                let ($First, $($Other,)*) = self;
                $First.live(word) $(& $Other.live(word))*
            }

            #[inline]
            unsafe fn has(&self, index: u32, mark: u32) -> bool {
                let ($First, $($Other,)*) = self;
                // SAFETY: the caller's.
                unsafe { $First.has(index, mark) $(&& $Other.has(index, mark))* }
            }

            #[inline]
            unsafe fn item(&self, index: u32, mark: u32) -> Self::Item {
                let ($First, $($Other,)*) = self;
                // SAFETY: the caller's.
                unsafe { ($First.item(index, mark), $($Other.item(index, mark),)*) }
            }
        }

        // SAFETY: as `Member`.
        unsafe impl<$First: Lead, $($Other: Member),*> Lead for ($First, $($Other,)*) {
            #[inline]
            unsafe fn mark(&self, index: u32) -> u32 {
                // SAFETY: the caller's.
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
    type Member = Walked<'a, T, B::View, Shared<'a, T>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.slots.lookup(), find: Shared(PhantomData) }
    }
}

impl<'a, T, H: Key, B: Buffer<T>> IntoMember<H> for &'a mut Pool<T, H, B> {
    type Member = Walked<'a, T, B::View, Unique<'a, T>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.slots.lookup_mut(), find: Unique(PhantomData) }
    }
}

impl<'a, R, H: Key, C: Columns<Row = R>> IntoMember<H> for &'a Table<R, H, C> {
    type Member = Walked<'a, u32, Flat<u32>, SharedRows<'a, C>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.row_of_slot().slots.lookup(), find: SharedRows(self.columns_whole()) }
    }
}

impl<'a, T, H: Key> IntoMember<H> for &'a mut DensePool<T, H> {
    type Member = Walked<'a, u32, Flat<u32>, UniqueRows<'a, T>>;

    fn into_member(self) -> Self::Member {
        let (names, column) = self.parts_mut();
        let values = NonNull::from(column.as_mut_slice()).cast();
        Walked { lookup: names.slots.lookup(), find: UniqueRows(values, PhantomData) }
    }
}

/// What has a pool inside walks as that.
macro_rules! walks_as {
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

walks_as! {
    [V, H: Key] &'a SideMap<H, V>, as &'a Pool<V, H>: |map| map.values_pool();
    [V, H: Key] &'a mut SideMap<H, V>, as &'a mut Pool<V, H>: |map| map.values_pool_mut();
    [T, H: Key] &'a DensePool<T, H>, as &'a Table<T, H, Vec<T>>: |pool| pool;
    [T, const N: usize, H: Key] &'a FixedPool<T, N, H>, as &'a Pool<T, H, Inline<T, N>>: |pool| pool;
    [T, const N: usize, H: Key] &'a mut FixedPool<T, N, H>, as &'a mut Pool<T, H, Inline<T, N>>: |pool| pool;
    [T: Default, H: Key] &'a ZiiPool<T, H>, as &'a Pool<T, H>: |pool| pool;
    [T: Default, H: Key] &'a mut ZiiPool<T, H>, as &'a mut Pool<T, H>: |pool| pool;
}
