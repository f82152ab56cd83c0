//! What takes part in a join.
#![expect(unsafe_code, reason = "gives out values of a borrowed container, each once")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Maybe;
use crate::dense::DensePool;
use crate::fixed::FixedPool;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::side_map::SideMap;
use crate::slots::{Buffer, Flat, Inline, Lookup, View};
use crate::stable::{Inner, StablePool};
use crate::table::{Columns, Recycling, RowRef, Table};
use crate::zii::ZiiPool;

/// What takes part in a [`join`](super::join()): references to containers, and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take part in this join",
    label = "no container whose handles are about `{K}`",
    note = "what is joined has the same `K` and layout, and is borrowed: `join((&pool, &mut side_map, Maybe(&side_map)))`"
)]
pub trait IntoMember<K: ?Sized, L: Layout> {
    /// What it is while it is walked.
    type Member: Member;

    #[doc(hidden)]
    fn into_member(self) -> Self::Member;
}

/// Something that is walked together with others.
///
/// # Safety
///
/// J1: `live` tells the truth, and does not change. `item` may be called for an index once, if
/// `live` says so and `has` the mark.
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
        #[expect(non_snake_case, reason = "a variable for each type")]
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

        #[expect(non_snake_case, reason = "a variable for each type")]
        impl<K: ?Sized, L: Layout, $First: IntoMember<K, L>, $($Other: IntoMember<K, L>),*> IntoMember<K, L> for ($First, $($Other,)*) {
            type Member = ($First::Member, $($Other::Member,)*);

            fn into_member(self) -> Self::Member {
                let ($First, $($Other,)*) = self;
                ($First.into_member(), $($Other.into_member(),)*)
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);

impl<K: ?Sized, L: Layout, M: IntoMember<K, L>> IntoMember<K, L> for Maybe<M> {
    type Member = Maybe<M::Member>;

    fn into_member(self) -> Self::Member {
        Maybe(self.0.into_member())
    }
}

impl<'a, T, K: ?Sized, L: Layout, B: Buffer<T>> IntoMember<K, L> for &'a Pool<T, K, L, B> {
    type Member = Walked<'a, T, B::View, Shared<'a, T>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.slots.lookup(), find: Shared(PhantomData) }
    }
}

impl<'a, T, K: ?Sized, L: Layout, B: Buffer<T>> IntoMember<K, L> for &'a mut Pool<T, K, L, B> {
    type Member = Walked<'a, T, B::View, Unique<'a, T>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.slots.lookup_mut(), find: Unique(PhantomData) }
    }
}

impl<'a, R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> IntoMember<K, L> for &'a Table<R, K, L, P, C> {
    type Member = Walked<'a, u32, Flat<u32>, SharedRows<'a, C>>;

    fn into_member(self) -> Self::Member {
        Walked { lookup: self.names().slots.lookup(), find: SharedRows(self.columns_whole()) }
    }
}

impl<'a, T, K: ?Sized, L: Layout> IntoMember<K, L> for &'a mut DensePool<T, K, L> {
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
        $(impl<'a, $($params)*> IntoMember<K, L> for $Type {
            type Member = <$Inner as IntoMember<K, L>>::Member;

            fn into_member(self) -> Self::Member {
                let $it = self;
                <$Inner>::into_member($inner)
            }
        })*
    };
}

walks_as! {
    [K: ?Sized, V, L: Layout] &'a SideMap<K, V, L>, as &'a Pool<V, K, L>: |map| map.values_pool();
    [K: ?Sized, V, L: Layout] &'a mut SideMap<K, V, L>, as &'a mut Pool<V, K, L>: |map| map.values_pool_mut();
    [T, K: ?Sized, L: Layout] &'a DensePool<T, K, L>, as &'a Table<T, K, L, Recycling, Vec<T>>: |pool| pool;
    [T, K: ?Sized, L: Layout] &'a mut StablePool<T, K, L>, as &'a mut Inner<T, K, L>: |pool| pool.pool();
    [T, const N: usize, K: ?Sized, L: Layout] &'a FixedPool<T, N, K, L>, as &'a Pool<T, K, L, Inline<T, N>>: |pool| pool;
    [T, const N: usize, K: ?Sized, L: Layout] &'a mut FixedPool<T, N, K, L>, as &'a mut Pool<T, K, L, Inline<T, N>>: |pool| pool;
    [T: Default, K: ?Sized, L: Layout] &'a ZiiPool<T, K, L>, as &'a Pool<T, K, L>: |pool| pool;
    [T: Default, K: ?Sized, L: Layout] &'a mut ZiiPool<T, K, L>, as &'a mut Pool<T, K, L>: |pool| pool;
}
