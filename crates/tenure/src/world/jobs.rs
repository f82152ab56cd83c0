//! Spawning and despawning from several threads. The result does not depend on their number and
//! timing.
#![allow(unsafe_code, reason = "iterates over disjoint words of one engine on several threads")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::World;
use crate::error::{Full, Rejected};
use crate::handle::Handle;
use crate::key::{HandleOf, Key, KeyExt};
use crate::lifecycle::Lifecycle;
use crate::pool::{Pool, must_reserve, panic_full};
use crate::slots::{Chunks, FullKind, RawIter, Slots};

/// The spawns and despawns of a job.
pub(super) struct JobQueue<E, H: Key> {
    /// Handles that are reserved for the job. The next one is the last element.
    handles: Vec<HandleOf<H>>,
    spawned: Vec<(HandleOf<H>, E)>,
    despawned: Vec<HandleOf<H>>,
}

impl<E, H: Key> JobQueue<E, H> {
    const EMPTY: Self = Self { handles: Vec::new(), spawned: Vec::new(), despawned: Vec::new() };
}

/// An iterator over the jobs of a world, by number. See [`World::with_jobs`].
pub struct Jobs<'a, E, H: Key = Handle<E>> {
    slots: *const Slots<E, H::Layout, Chunks<E>>,
    queues: core::iter::Enumerate<core::slice::IterMut<'a, JobQueue<E, H>>>,
    words: u32,
    words_per_job: u32,
}

/// Mutable access to a part of a world's entities, and a spawner. See [`World::with_jobs`].
#[derive(Debug)]
pub struct Job<'a, E, H: Key = Handle<E>> {
    /// The number of the job: 0, 1, 2, …, in the order of the entities' indices.
    pub number: usize,
    /// The entities of this job.
    pub live: JobLive<'a, E, H>,
    /// Spawns and despawns entities.
    pub spawner: JobSpawner<'a, E, H>,
}

/// The entities of a [`Job`].
// Y1: for every two jobs: their `words` are disjoint. The engine is not mutated while there are
// jobs.
pub struct JobLive<'a, E, H: Key = Handle<E>> {
    slots: *const Slots<E, H::Layout, Chunks<E>>,
    words: core::ops::Range<u32>,
    borrow: PhantomData<(&'a mut E, H)>,
}

/// Spawns and despawns in a [`Job`]. They are applied when all jobs are done, in the order of the
/// jobs' numbers.
pub struct JobSpawner<'a, E, H: Key = Handle<E>> {
    queue: &'a mut JobQueue<E, H>,
}

// SAFETY: `Jobs` has a pointer to the engine, which by Y1 is only read, and yields jobs, which are
// `Send`.
unsafe impl<E: Send, H: Key> Send for Jobs<'_, E, H> {}
// SAFETY: by Y1 no other job has these words, so the mutable references do not alias; the engine
// itself is only read.
unsafe impl<E: Send, H: Key> Send for JobLive<'_, E, H> {}

impl<E, H: Key> World<E, H> {
    /// Divides the committed entities among jobs that can run on several threads, calls the closure
    /// with them, and then applies the jobs' spawns and despawns: spawned entities resolve, and
    /// despawned ones are marked.
    ///
    /// A job has the entities of `slots` neighbouring slots (rounded up to a multiple of 64), and
    /// `spawns` handles that are reserved for it beforehand. So the entities of each job, and the
    /// handles and ids of spawned entities, depend neither on timing nor on the number of threads.
    /// For a job that spawns more than `spawns` entities, [`try_spawn`](JobSpawner::try_spawn)
    /// returns an error, and [`spawn`](JobSpawner::spawn) panics.
    ///
    /// There are as many jobs as are needed up to the last live entity: none in an empty world.
    /// Every reserved handle takes a slot until the jobs are done, whether it is used or not, so
    /// `spawns` should not be much larger than needed.
    ///
    /// With plain threads:
    ///
    /// ```
    /// use tenure::World;
    ///
    /// let mut world: World<u32> = World::new();
    /// for number in 0..1_000 {
    ///     world.spawn(number);
    /// }
    /// world.end_frame();
    ///
    /// world.with_jobs(256, 10, |jobs| {
    ///     std::thread::scope(|scope| {
    ///         for mut job in jobs {
    ///             scope.spawn(move || {
    ///                 for (handle, number) in job.live.iter_mut() {
    ///                     *number += 1;
    ///                     if *number % 100 == 0 {
    ///                         job.spawner.spawn(0);
    ///                         job.spawner.despawn(handle);
    ///                     }
    ///                 }
    ///             });
    ///         }
    ///     });
    /// });
    /// let report = world.end_frame();
    /// assert_eq!((report.spawned, report.despawned), (10, 10));
    /// ```
    ///
    /// With rayon: `jobs.collect::<Vec<_>>().into_par_iter().for_each(|mut job| …)`.
    ///
    /// If the closure panics, the spawns and despawns that were made until then are applied.
    ///
    /// # Panics
    ///
    /// When `slots` is 0, or there is no room for `spawns` handles per job, or there is no memory
    /// to spawn the jobs' entities. Entities for which there is no memory are dropped.
    #[track_caller]
    #[doc(alias("threads", "spawn in parallel"))]
    pub fn with_jobs<R>(&mut self, slots: usize, spawns: usize, run: impl FnOnce(Jobs<'_, E, H>) -> R) -> R {
        assert!(slots != 0, "a job must have at least one slot");
        let words = self.lifecycle.look(Pool::live_words);
        let words_per_job = u32::try_from(slots.div_ceil(64)).unwrap_or(u32::MAX);
        let jobs = words.div_ceil(words_per_job) as usize;
        if let Err(kind) = self.prepare_queues(jobs, spawns) {
            self.finish_jobs(jobs);
            panic_full(kind);
        }
        let mut done = Done { world: self, jobs };
        let world = &mut *done.world;
        let slots = world.lifecycle.slots();
        let result = run(Jobs { slots, queues: world.queues[..jobs].iter_mut().enumerate(), words, words_per_job });
        let all_spawned = done.world.finish_jobs(done.jobs);
        done.jobs = 0;
        assert!(all_spawned, "there is no memory for spawns");
        result
    }

    /// Reserves handles for all jobs. On an error, the queues have those that could be reserved.
    fn prepare_queues(&mut self, jobs: usize, spawns: usize) -> Result<(), FullKind> {
        let more = jobs.saturating_sub(self.queues.len());
        self.queues.try_reserve(more).map_err(|_| FullKind::Memory)?;
        self.queues.resize_with(self.queues.len() + more, || JobQueue::EMPTY);
        for queue in &mut self.queues[..jobs] {
            queue.handles.try_reserve(spawns).map_err(|_| FullKind::Memory)?;
            for _ in 0..spawns {
                let handle = self.lifecycle.reserve_handle().map_err(|full| full.kind())?;
                queue.handles.push(handle);
            }
            queue.handles.reverse();
        }
        Ok(())
    }

    /// Applies the spawns and despawns of the jobs, in the order of their numbers. Returns `false`
    /// if there was no memory for an entity, which is dropped then.
    fn finish_jobs(&mut self, jobs: usize) -> bool {
        let jobs = jobs.min(self.queues.len());
        let mut all_spawned = true;
        for queue in &mut self.queues[..jobs] {
            let is_room = self.lifecycle.make_room_to_spawn(queue.spawned.len()).is_ok();
            let mut spawned = Spawned::<E, H> { lifecycle: &self.lifecycle, queue: queue.spawned.drain(..) };
            for (handle, entity) in spawned.queue.by_ref() {
                let refused = if is_room || self.lifecycle.make_room_to_spawn(1).is_ok() {
                    self.lifecycle.fill_spawned(handle, entity).err().map(Rejected::into_inner)
                } else {
                    Some(entity)
                };
                if let Some(entity) = refused {
                    // The job may have stored the handle, so it must not be issued again.
                    self.lifecycle.release(handle);
                    all_spawned = false;
                    drop(entity);
                }
            }
        }
        // The last one first, so that they are issued again in the same order.
        for number in (0..jobs).rev() {
            for handle in self.queues[number].handles.drain(..) {
                self.lifecycle.change(|pool| {
                    if pool.is_pending(handle) {
                        pool.unreserve(handle);
                    }
                });
            }
        }
        for number in 0..jobs {
            let mut despawned = core::mem::take(&mut self.queues[number].despawned);
            despawned.drain(..).for_each(|handle| _ = self.lifecycle.despawn(handle));
            self.queues[number].despawned = despawned;
        }
        all_spawned
    }
}

/// Entities of a job that are not in the world yet. If the destructor of one panics, the others are
/// dropped, and their handles are released.
struct Spawned<'a, E, H: Key> {
    lifecycle: &'a Lifecycle<E, H::Kind, H::Layout>,
    queue: alloc::vec::Drain<'a, (HandleOf<H>, E)>,
}

impl<E, H: Key> Drop for Spawned<'_, E, H> {
    fn drop(&mut self) {
        for (handle, entity) in &mut self.queue {
            self.lifecycle.release(handle);
            drop(entity);
        }
    }
}

/// Finishes the jobs when it is dropped, also after a panic.
struct Done<'a, E, H: Key> {
    world: &'a mut World<E, H>,
    jobs: usize,
}

impl<E, H: Key> Drop for Done<'_, E, H> {
    fn drop(&mut self) {
        self.world.finish_jobs(self.jobs);
    }
}

impl<'a, E, H: Key> Iterator for Jobs<'a, E, H> {
    type Item = Job<'a, E, H>;

    #[allow(clippy::cast_possible_truncation, reason = "there are no more jobs than words")]
    fn next(&mut self) -> Option<Job<'a, E, H>> {
        let (number, queue) = self.queues.next()?;
        let start = number as u32 * self.words_per_job;
        let words = start..self.words.min(start.saturating_add(self.words_per_job));
        let live = JobLive { slots: self.slots, words, borrow: PhantomData };
        Some(Job { number, live, spawner: JobSpawner { queue } })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.queues.size_hint()
    }
}

impl<E, H: Key> ExactSizeIterator for Jobs<'_, E, H> {}

impl<E, H: Key> JobLive<'_, E, H> {
    /// A mutable iterator over handles and entities, in index order.
    pub fn iter_mut(&mut self) -> JobIterMut<'_, E, H> {
        JobIterMut { slots: self.slots, raw: RawIter::over(self.words.clone()), borrow: PhantomData }
    }
}

impl<E, H: Key> JobSpawner<'_, E, H> {
    /// Spawns an entity and returns its handle, which resolves when all jobs are done.
    ///
    /// # Panics
    ///
    /// When the job has used all handles that were reserved for it, or there is no memory.
    #[track_caller]
    pub fn spawn(&mut self, entity: E) -> H {
        match self.try_spawn(entity) {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`spawn`](Self::spawn), but returns the entity in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when the job has used all handles that were reserved for it, or there is no memory.
    pub fn try_spawn(&mut self, entity: E) -> Result<H, Full<E>> {
        if self.queue.spawned.try_reserve(1).is_err() {
            return Err(Full::new(entity, FullKind::Memory));
        }
        match self.queue.handles.pop() {
            Some(handle) => {
                self.queue.spawned.push((handle, entity));
                Ok(H::from_handle(handle))
            }
            None => Err(Full::new(entity, FullKind::Spawns)),
        }
    }

    /// Marks an entity of this or another job for despawn when all jobs are done: see
    /// [`World::despawn`]. Marking it twice has no further effect.
    ///
    /// Returns nothing, unlike [`World::despawn`]: whether another job has marked the entity before
    /// would depend on timing. The [report](crate::world::FrameReport) counts the entities that
    /// were marked twice, and the handles that did not resolve.
    ///
    /// # Panics
    ///
    /// When there is no memory for the list.
    #[track_caller]
    pub fn despawn(&mut self, handle: H) {
        let handle = handle.handle();
        must_reserve(self.queue.despawned.try_reserve(1));
        self.queue.despawned.push(handle);
    }
}

/// A mutable iterator over the handles and entities of a [`Job`], in index order. See
/// [`JobLive::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct JobIterMut<'a, E, H: Key = Handle<E>> {
    slots: *const Slots<E, H::Layout, Chunks<E>>,
    raw: RawIter<E>,
    borrow: PhantomData<(&'a mut E, H)>,
}

impl<'a, E, H: Key> Iterator for JobIterMut<'a, E, H> {
    type Item = (H, &'a mut E);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (slot, mut entity) = self.raw.next(|| self.slots)?;
        // SAFETY: by R1 the entity is not removed while the iterator exists. By Y1 no other job has
        // its word; the `JobLive` is borrowed mutably for `'a`, and the iterator yields each entity
        // once, so there is no other reference to it.
        Some((H::from_slot(slot), unsafe { entity.as_mut() }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.raw.at_least(), Some(self.raw.at_most()))
    }
}

impl<E, H: Key> core::iter::FusedIterator for JobIterMut<'_, E, H> {}

macro_rules! opaque {
    ($($name:ident),*) => {
        $(impl<E, H: Key> fmt::Debug for $name<'_, E, H> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}

opaque!(Jobs, JobLive, JobSpawner, JobIterMut);
