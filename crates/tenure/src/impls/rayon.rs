//! Parallel iterators, split by words of 64 slots.

use core::fmt;

use alloc::vec::Vec;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::plumbing::{
    Consumer, Folder, ProducerCallback, UnindexedConsumer, UnindexedProducer, bridge_unindexed,
};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::dense::DensePool;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::pool::{Iter, IterMut, Pool};
use crate::slots::{Buffer, Flat, View};
use crate::stable::{self, StablePool};
use crate::table::{Chunk, Columns, SlicesMut, Table};
use crate::world::World;

/// A parallel iterator over the handles and values of a pool. See [`Pool::par_iter`].
pub struct ParIter<'a, T, H: Key + Send = Handle<T>, V: View<T> = Flat<T>>(Iter<'a, T, H, V>);

/// A parallel iterator over the handles and values of a pool, mutably. See [`Pool::par_iter_mut`].
pub struct ParIterMut<'a, T, H: Key + Send = Handle<T>, V: View<T> = Flat<T>>(IterMut<'a, T, H, V>);

impl<T, H: Key + Send, B: Buffer<T>> Pool<T, H, B> {
    /// Returns a parallel iterator over the handles and values. Needs the feature `rayon`.
    ///
    /// The work is divided by words of 64 slots, so holes cost next to nothing. The order in which
    /// values are visited is not fixed; items that are collected into a `Vec` are in the order of
    /// the indices.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let pool: tenure::Pool<u64> = (0..10_000).collect();
    /// let sum: u64 = pool.par_iter().map(|(_handle, value)| value).sum();
    /// assert_eq!(sum, 49_995_000);
    /// ```
    #[must_use]
    #[doc(alias("iterate in parallel", "walk in parallel"))]
    pub fn par_iter(&self) -> ParIter<'_, T, H, B::View>
    where
        T: Sync,
    {
        ParIter(self.iter())
    }

    /// Like [`par_iter`](Self::par_iter), mutably.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut pool: tenure::Pool<u64> = (0..1_000).collect();
    /// pool.par_iter_mut().for_each(|(_handle, value)| *value *= 2);
    /// assert_eq!(pool.values().sum::<u64>(), 999_000);
    /// ```
    #[must_use]
    pub fn par_iter_mut(&mut self) -> ParIterMut<'_, T, H, B::View>
    where
        T: Send,
    {
        ParIterMut(self.iter_mut())
    }
}

impl<T, H: Key + Send> StablePool<T, H> {
    /// Returns a parallel iterator over the handles and values. Needs the feature `rayon`. It
    /// borrows the pool mutably: no value can be inserted while threads iterate.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut pool: tenure::StablePool<u64> = (0..10_000).collect();
    /// let sum: u64 = pool.par_iter().map(|(_handle, value)| value).sum();
    /// assert_eq!(sum, 49_995_000);
    /// ```
    #[must_use]
    pub fn par_iter(&mut self) -> stable::ParIter<'_, T, H>
    where
        T: Sync,
    {
        ParIter(self.pool().iter())
    }

    /// Like [`par_iter`](Self::par_iter), mutably.
    #[must_use]
    pub fn par_iter_mut(&mut self) -> stable::ParIterMut<'_, T, H>
    where
        T: Send,
    {
        ParIterMut(self.pool().iter_mut())
    }
}

impl<E, H: Key + Send> World<E, H> {
    /// Handles and entities, in parallel: what [`iter`](Self::iter) visits. Needs the feature
    /// `rayon`.
    ///
    /// The world is borrowed mutably: while threads iterate, nothing can be spawned. For spawns
    /// from several threads: [`with_jobs`](Self::with_jobs).
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut world: tenure::World<u64> = (0..10_000).collect();
    /// world.spawn(1_000_000); // not visited before the end of the frame
    /// let sum: u64 = world.par_iter().map(|(_handle, value)| value).sum();
    /// assert_eq!(sum, 49_995_000);
    /// ```
    #[must_use]
    #[doc(alias = "walk in parallel")]
    pub fn par_iter(&mut self) -> stable::ParIter<'_, E, H>
    where
        E: Sync,
    {
        ParIter(self.pool_mut().iter())
    }

    /// Like [`par_iter`](Self::par_iter), with mutable references.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut world: tenure::World<u64> = (0..1_000).collect();
    /// world.par_iter_mut().for_each(|(_handle, value)| *value *= 2);
    /// assert_eq!(world.values().sum::<u64>(), 999_000);
    /// ```
    #[must_use]
    pub fn par_iter_mut(&mut self) -> stable::ParIterMut<'_, E, H>
    where
        E: Send,
    {
        ParIterMut(self.pool_mut().iter_mut())
    }
}

macro_rules! parallel {
    ($par:ident, [$($borrow:tt)*], $iter:ident, $item:ty, $bound:ident) => {
        impl<'a, T: $bound, H: Key + Send, V: View<T>> ParallelIterator for $par<'a, T, H, V> {
            type Item = $item;

            fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
                bridge_unindexed(self, consumer)
            }
        }

        impl<T, H: Key + Send, V: View<T>> fmt::Debug for $par<'_, T, H, V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($par)).field(&self.0).finish()
            }
        }

        impl<'a, T: $bound, H: Key + Send, V: View<T>> UnindexedProducer for $par<'a, T, H, V> {
            type Item = $item;

            fn split(self) -> (Self, Option<Self>) {
                let (low, high) = self.0.split();
                (Self(low), high.map(Self))
            }

            fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
                folder.consume_iter(self.0)
            }
        }

        impl<'a, T: $bound, H: Key + Send, B: Buffer<T>> IntoParallelIterator for $($borrow)* Pool<T, H, B> {
            type Item = $item;
            type Iter = $par<'a, T, H, B::View>;

            fn into_par_iter(self) -> Self::Iter {
                $par(self.$iter())
            }
        }
    };
}

parallel!(ParIter, [&'a], iter, (H, &'a T), Sync);
parallel!(ParIterMut, [&'a mut], iter_mut, (H, &'a mut T), Send);

impl<T: Send, H: Key + Send, B: Buffer<T>> IntoParallelIterator for Pool<T, H, B> {
    type Item = (H, T);
    type Iter = rayon::vec::IntoIter<(H, T)>;

    /// Moves the values into a `Vec` first, because there are holes between them.
    fn into_par_iter(self) -> Self::Iter {
        self.into_iter().collect::<Vec<_>>().into_par_iter()
    }
}

/// A parallel iterator over the handles and values of a dense pool. See [`DensePool::par_iter`].
pub struct DenseParIter<'a, T, H: Key + Send = Handle<T>> {
    handles: &'a [HandleOf<H>],
    values: &'a [T],
}

/// A parallel iterator over the handles and values of a dense pool, mutably. See
/// [`DensePool::par_iter_mut`].
pub struct DenseParIterMut<'a, T, H: Key + Send = Handle<T>> {
    handles: &'a [HandleOf<H>],
    values: &'a mut [T],
}

impl<T, H: Key + Send> Clone for DenseParIter<'_, T, H> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<T, H: Key + Send> DensePool<T, H> {
    /// Returns a parallel iterator over the handles and values, in the order of their rows. Needs
    /// the feature `rayon`.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let pool: tenure::DensePool<u64> = (0..10_000).collect();
    /// let sum: u64 = pool.par_iter().map(|(_handle, value)| value).sum();
    /// assert_eq!(sum, 49_995_000);
    /// ```
    ///
    /// Its type has a name, so that a struct can hold it:
    ///
    /// ```
    /// use rayon::iter::{IndexedParallelIterator, ParallelIterator};
    /// use tenure::dense::ParIter;
    ///
    /// struct Batch<'a> { lights: ParIter<'a, f32> }
    ///
    /// let pool: tenure::DensePool<f32> = [1.0, 0.5].into_iter().collect();
    /// let batch = Batch { lights: pool.par_iter() };
    /// assert_eq!(batch.lights.len(), 2);
    /// ```
    #[must_use]
    pub fn par_iter(&self) -> DenseParIter<'_, T, H>
    where
        T: Sync,
    {
        DenseParIter { handles: self.raw_handles(), values: self.as_slice() }
    }

    /// Like [`par_iter`](Self::par_iter), mutably.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    ///
    /// let mut pool: tenure::DensePool<u64> = (0..1_000).collect();
    /// pool.par_iter_mut().for_each(|(_handle, value)| *value *= 2);
    /// assert_eq!(pool.values().sum::<u64>(), 999_000);
    /// ```
    #[must_use = "iterators are lazy"]
    pub fn par_iter_mut(&mut self) -> DenseParIterMut<'_, T, H>
    where
        T: Send,
    {
        let (handles, values) = self.handles_and_values_mut();
        DenseParIterMut { handles, values }
    }
}

macro_rules! parallel_by_row {
    ($par:ident, $shown:literal, [$($borrow:tt)*], $method:ident, $item:ty, $bound:ident) => {
        impl<'a, T: $bound, H: Key + Send> $par<'a, T, H> {
            /// Returns the iterator of rayon that does the work.
            fn zipped(self) -> impl IndexedParallelIterator<Item = $item> {
                self.handles.par_iter().map(|&handle| H::from_handle(handle)).zip(self.values.$method())
            }
        }

        impl<'a, T: $bound, H: Key + Send> ParallelIterator for $par<'a, T, H> {
            type Item = $item;

            fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
                self.zipped().drive_unindexed(consumer)
            }

            fn opt_len(&self) -> Option<usize> {
                Some(self.values.len())
            }
        }

        impl<'a, T: $bound, H: Key + Send> IndexedParallelIterator for $par<'a, T, H> {
            fn len(&self) -> usize {
                self.values.len()
            }

            fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result {
                self.zipped().drive(consumer)
            }

            fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output {
                self.zipped().with_producer(callback)
            }
        }

        impl<T, H: Key + Send> fmt::Debug for $par<'_, T, H> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct($shown).field("left", &self.values.len()).finish_non_exhaustive()
            }
        }

        impl<'a, T: $bound, H: Key + Send> IntoParallelIterator for $($borrow)* DensePool<T, H> {
            type Item = $item;
            type Iter = $par<'a, T, H>;

            fn into_par_iter(self) -> Self::Iter {
                self.$method()
            }
        }
    };
}

parallel_by_row!(DenseParIter, "ParIter", [&'a], par_iter, (H, &'a T), Sync);
parallel_by_row!(DenseParIterMut, "ParIterMut", [&'a mut], par_iter_mut, (H, &'a mut T), Send);

impl<R, H: Key + Send, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns a parallel iterator over pieces of `size` rows, each with its columns mutably: see
    /// [`chunks_mut`](Self::chunks_mut). Needs the feature `rayon`.
    ///
    /// The pieces are the same for every number of threads. Allocates a list of them.
    ///
    /// ```
    /// use rayon::iter::ParallelIterator;
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Particle { x: f32, v: f32 }
    ///
    /// let mut table: Table<Particle> = (0..10_000).map(|i| Particle { x: 0.0, v: i as f32 }).collect();
    /// table.par_chunks_mut(1_024).for_each(|chunk| {
    ///     let ParticleColumnsMut { x, v } = chunk.columns;
    ///     x.iter_mut().zip(v).for_each(|(x, v)| *x += *v);
    /// });
    /// assert_eq!(table.columns().x[9_999], 9_999.0);
    /// ```
    ///
    /// # Panics
    ///
    /// If `size` is 0.
    #[track_caller]
    #[doc(alias("iterate in parallel", "walk in parallel"))]
    #[must_use = "iterators are lazy"]
    pub fn par_chunks_mut<'a>(&'a mut self, size: usize) -> rayon::vec::IntoIter<Chunk<'a, C, H>>
    where
        SlicesMut<'a, C>: Send,
    {
        self.chunks_mut(size).collect::<Vec<_>>().into_par_iter()
    }
}
