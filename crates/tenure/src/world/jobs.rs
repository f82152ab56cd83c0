//! Births and deaths from several threads, with the same result whatever their number and timing.
#![allow(unsafe_code, reason = "walks disjoint words of one engine on several threads")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::World;
use crate::error::Full;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::{Pool, must_reserve, panic_full};
use crate::slots::{Chunks, FullKind, RawIter, Slots};

/// What a job leaves behind.
pub(super) struct JobQueue<E, K: ?Sized, L: Layout> {
    /// Reserved for the job, the first to be used last.
    handles: Vec<Handle<K, L>>,
    spawned: Vec<(Handle<K, L>, E)>,
    despawned: Vec<Handle<K, L>>,
}

impl<E, K: ?Sized, L: Layout> JobQueue<E, K, L> {
    const EMPTY: Self = Self { handles: Vec::new(), spawned: Vec::new(), despawned: Vec::new() };
}

/// The jobs of a world, one after the other. See [`World::with_jobs`].
pub struct Jobs<'a, E, K: ?Sized = E, L: Layout = Wide> {
    slots: *const Slots<E, L, Chunks<E>>,
    queues: core::iter::Enumerate<core::slice::IterMut<'a, JobQueue<E, K, L>>>,
    words: u32,
    words_per_job: u32,
}

/// A numbered piece of a world's entities, to change them, and a spawner for what is born and dies
/// there. See [`World::with_jobs`].
#[derive(Debug)]
pub struct Job<'a, E, K: ?Sized = E, L: Layout = Wide> {
    /// 0, 1, 2, …, by index of the entities.
    pub number: usize,
    /// The entities.
    pub live: JobLive<'a, E, K, L>,
    /// Lets others be born and die.
    pub spawner: JobSpawner<'a, E, K, L>,
}

/// The entities of a [`Job`].
///
/// Y1: no other job has these words, and nobody changes the engine while there are jobs.
pub struct JobLive<'a, E, K: ?Sized = E, L: Layout = Wide> {
    slots: *const Slots<E, L, Chunks<E>>,
    words: core::ops::Range<u32>,
    borrow: PhantomData<(&'a mut E, Handle<K, L>)>,
}

/// Births and deaths in a [`Job`]: they happen when all jobs are done, in the order of the jobs'
/// numbers.
pub struct JobSpawner<'a, E, K: ?Sized = E, L: Layout = Wide> {
    queue: &'a mut JobQueue<E, K, L>,
}

// SAFETY: Y1, it gives out jobs, which can go to other threads.
unsafe impl<E: Send, K: ?Sized, L: Layout> Send for Jobs<'_, E, K, L> {}
// SAFETY: Y1, its entities are nobody else's, and the engine is only read.
unsafe impl<E: Send, K: ?Sized, L: Layout> Send for JobLive<'_, E, K, L> {}

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// Divides the entities among jobs that can run on several threads, and then lets happen what
    /// they want.
    ///
    /// A job has all entities of `slots` neighbouring slots (rounded up to 64), and `spawns`
    /// handles that are reserved for it beforehand. So who is in which job, and which handle and
    /// which id a newborn gets, depends neither on timing nor on the number of threads. A birth too
    /// many is given back.
    ///
    /// There are jobs up to the last entity. A handle that is reserved takes a slot, used or not,
    /// until the jobs are done: declare as many spawns as a job may need, and not many more.
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
    ///                         job.spawner.spawn(0).unwrap();
    ///                         job.spawner.despawn(handle);
    ///                     }
    ///                 }
    ///             });
    ///         }
    ///     });
    /// });
    /// let report = world.end_frame();
    /// assert_eq!((report.born, report.died), (10, 10));
    /// ```
    ///
    /// With rayon: `jobs.collect::<Vec<_>>().into_par_iter().for_each(|mut job| …)`.
    ///
    /// If the closure panics, what the jobs had wanted until then happens all the same.
    ///
    /// # Panics
    ///
    /// When `slots` is 0, or there is no room for all spawns that are declared, or no memory for
    /// those that happen: these are dropped then.
    #[track_caller]
    #[doc(alias("threads", "spawn in parallel"))]
    pub fn with_jobs<R>(&mut self, slots: usize, spawns: usize, run: impl FnOnce(Jobs<'_, E, K, L>) -> R) -> R {
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
        let all_spawned = done.world.finish_jobs(core::mem::take(&mut done.jobs));
        assert!(all_spawned, "there is no memory for spawns");
        result
    }

    /// Handles for all spawns. Those there are, if there are not enough.
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

    /// Lets happen what the jobs have wanted, in the order of their numbers. `false` if there was
    /// no memory for somebody, who is dropped then.
    fn finish_jobs(&mut self, jobs: usize) -> bool {
        let jobs = jobs.min(self.queues.len());
        let mut all_spawned = true;
        for queue in &mut self.queues[..jobs] {
            let is_room = self.lifecycle.make_room_to_spawn(queue.spawned.len());
            for (handle, entity) in queue.spawned.drain(..) {
                if (is_room || self.lifecycle.make_room_to_spawn(1))
                    && self.lifecycle.fill_spawned(handle, entity).is_ok()
                {
                    continue;
                }
                // The handle may be known somewhere: it must not be issued again.
                self.lifecycle.release(handle);
                all_spawned = false;
            }
        }
        // The last one first: so they are used again in their order.
        for number in (0..jobs).rev() {
            for handle in self.queues[number].handles.drain(..) {
                self.lifecycle.change(|pool| pool.unreserve(handle));
            }
        }
        for number in 0..jobs {
            let mut despawned = core::mem::take(&mut self.queues[number].despawned);
            despawned.drain(..).for_each(|handle| _ = self.despawn(handle));
            self.queues[number].despawned = despawned;
        }
        all_spawned
    }
}

/// Finishes the jobs, also after a panic.
struct Done<'a, E, K: ?Sized, L: Layout> {
    world: &'a mut World<E, K, L>,
    jobs: usize,
}

impl<E, K: ?Sized, L: Layout> Drop for Done<'_, E, K, L> {
    fn drop(&mut self) {
        self.world.finish_jobs(self.jobs);
    }
}

impl<'a, E, K: ?Sized, L: Layout> Iterator for Jobs<'a, E, K, L> {
    type Item = Job<'a, E, K, L>;

    #[allow(clippy::cast_possible_truncation, reason = "there are no more jobs than words")]
    fn next(&mut self) -> Option<Job<'a, E, K, L>> {
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

impl<E, K: ?Sized, L: Layout> ExactSizeIterator for Jobs<'_, E, K, L> {}

impl<E, K: ?Sized, L: Layout> JobLive<'_, E, K, L> {
    /// Handles and entities, by index, to change the entities.
    pub fn iter_mut(&mut self) -> JobIterMut<'_, E, K, L> {
        JobIterMut { slots: self.slots, raw: RawIter::over(self.words.clone()), borrow: PhantomData }
    }
}

impl<E, K: ?Sized, L: Layout> JobSpawner<'_, E, K, L> {
    /// Lets an entity be born. Its handle leads to it when all jobs are done.
    ///
    /// # Errors
    ///
    /// [`Full`] gives the entity back when the job has had all its spawns, or there is no memory.
    pub fn spawn(&mut self, entity: E) -> Result<Handle<K, L>, Full<E>> {
        if self.queue.spawned.try_reserve(1).is_err() {
            return Err(Full::new(entity, FullKind::Memory));
        }
        match self.queue.handles.pop() {
            Some(handle) => {
                self.queue.spawned.push((handle, entity));
                Ok(handle)
            }
            None => Err(Full::new(entity, FullKind::Spawns)),
        }
    }

    /// Names an entity for death, of this job or another: see [`World::despawn`]. Twice is
    /// harmless.
    ///
    /// # Panics
    ///
    /// When there is no memory to note it.
    #[track_caller]
    pub fn despawn(&mut self, handle: Handle<K, L>) {
        must_reserve(self.queue.despawned.try_reserve(1));
        self.queue.despawned.push(handle);
    }
}

/// Handles and entities of a [`Job`], by index, to change the entities. See [`JobLive::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct JobIterMut<'a, E, K: ?Sized = E, L: Layout = Wide> {
    slots: *const Slots<E, L, Chunks<E>>,
    raw: RawIter<E>,
    borrow: PhantomData<(&'a mut E, Handle<K, L>)>,
}

impl<'a, E, K: ?Sized, L: Layout> Iterator for JobIterMut<'a, E, K, L> {
    type Item = (Handle<K, L>, &'a mut E);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (slot, mut entity) = self.raw.next(|| self.slots)?;
        // SAFETY: Y1 and R1, the entity is this job's, whose part is borrowed alone for `'a`, and
        // each is given out once.
        Some((Handle::from_slot(slot), unsafe { entity.as_mut() }))
    }
}

impl<E, K: ?Sized, L: Layout> core::iter::FusedIterator for JobIterMut<'_, E, K, L> {}

macro_rules! opaque {
    ($($name:ident),*) => {
        $(impl<E, K: ?Sized, L: Layout> fmt::Debug for $name<'_, E, K, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}

opaque!(Jobs, JobLive, JobSpawner, JobIterMut);
