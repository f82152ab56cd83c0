//! Births and deaths from several threads, with the same result whatever their number and timing.
#![expect(unsafe_code, reason = "walks disjoint words of one engine on several threads")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::World;
use crate::error::{Full, FullKind};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::{must_reserve, panic_full};
use crate::slots::{Chunks, Roam, Slots};

/// What a job leaves behind.
pub(super) struct Desk<E, K: ?Sized, L: Layout> {
    /// Reserved for the job, the first to be used last.
    handles: Vec<Handle<K, L>>,
    born: Vec<(Handle<K, L>, E)>,
    condemned: Vec<Handle<K, L>>,
}

impl<E, K: ?Sized, L: Layout> Desk<E, K, L> {
    const EMPTY: Self = Self { handles: Vec::new(), born: Vec::new(), condemned: Vec::new() };
}

/// The jobs of a world, one after the other. See [`World::with_jobs`].
pub struct Jobs<'a, E, K: ?Sized = E, L: Layout = Wide> {
    slots: *const Slots<E, L, Chunks<E>>,
    desks: core::iter::Enumerate<core::slice::IterMut<'a, Desk<E, K, L>>>,
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
    desk: &'a mut Desk<E, K, L>,
}

// SAFETY: Y1, it gives out jobs, which can go to other threads.
unsafe impl<E: Send, K: ?Sized, L: Layout> Send for Jobs<'_, E, K, L> {}
// SAFETY: Y1, its entities are nobody else's, and the engine is only read.
unsafe impl<E: Send, K: ?Sized, L: Layout> Send for JobLive<'_, E, K, L> {}

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// Divides the entities among jobs that can run on several threads, and then lets happen what
    /// they want.
    ///
    /// A job has all entities of `slots` neighbouring slots (rounded up to 64), and `births`
    /// handles that are reserved for it beforehand. So who is in which job, and which handle and
    /// which id a newborn gets, depends neither on timing nor on the number of threads. A birth too
    /// many is given back.
    ///
    /// There are jobs up to the last entity. A handle that is reserved takes a slot, used or not,
    /// until the jobs are done: declare as many births as a job may need, and not many more.
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
    /// When `slots` is 0, or there is no room for all births that are declared, or no memory for
    /// those that happen: these are dropped then.
    #[track_caller]
    #[doc(alias("threads", "spawn in parallel"))]
    pub fn with_jobs<R>(&mut self, slots: usize, births: usize, run: impl FnOnce(Jobs<'_, E, K, L>) -> R) -> R {
        assert!(slots != 0, "a job must have at least one slot");
        let words =
            self.shared.look(|pool| pool.slots.last_live(pool.slots.slot_count())).map_or(0, |last| last / 64 + 1);
        let words_per_job = u32::try_from(slots.div_ceil(64)).unwrap_or(u32::MAX);
        let jobs = words.div_ceil(words_per_job) as usize;
        if let Err(kind) = self.prepare_desks(jobs, births) {
            self.finish_jobs(jobs);
            panic_full(kind);
        }
        let mut done = Done { world: self, jobs };
        let world = &mut *done.world;
        let slots = &raw const world.shared.unsettled().slots;
        let result = run(Jobs { slots, desks: world.desks[..jobs].iter_mut().enumerate(), words, words_per_job });
        let all_born = done.world.finish_jobs(core::mem::take(&mut done.jobs));
        assert!(all_born, "there is no memory for births");
        result
    }

    /// Handles for all births. Those there are, if there are not enough.
    fn prepare_desks(&mut self, jobs: usize, births: usize) -> Result<(), FullKind> {
        let more = jobs.saturating_sub(self.desks.len());
        self.desks.try_reserve(more).map_err(|_| FullKind::Memory)?;
        self.desks.resize_with(self.desks.len() + more, || Desk::EMPTY);
        for desk in &mut self.desks[..jobs] {
            desk.handles.try_reserve(births).map_err(|_| FullKind::Memory)?;
            for _ in 0..births {
                let handle = self.shared.reserve_newborn().map_err(|full| full.kind())?;
                desk.handles.push(handle);
            }
            desk.handles.reverse();
        }
        Ok(())
    }

    /// Lets happen what the jobs have wanted, in the order of their numbers. `false` if there was
    /// no memory for somebody, who is dropped then.
    fn finish_jobs(&mut self, jobs: usize) -> bool {
        let jobs = jobs.min(self.desks.len());
        let mut all_born = true;
        for desk in &mut self.desks[..jobs] {
            let slots = self.shared.look(|pool| pool.slots.slot_count()) as usize;
            let register = self.register.get_mut();
            let is_room = register.expect_births(desk.born.len(), slots);
            for (handle, entity) in desk.born.drain(..) {
                let is_room = is_room || register.expect_births(1, slots);
                if is_room && self.shared.fill_newborn(handle, entity).is_ok() {
                    register.note_birth(handle, false);
                } else {
                    // Somebody may have the handle: it must not come back.
                    self.shared.remove_in_split(handle);
                    all_born = false;
                }
            }
        }
        // The last one first: so they are used again in their order.
        for number in (0..jobs).rev() {
            for handle in self.desks[number].handles.drain(..) {
                self.shared.with(|pool| pool.slots.unreserve(handle.index(), handle.mark()));
            }
        }
        for number in 0..jobs {
            let mut condemned = core::mem::take(&mut self.desks[number].condemned);
            condemned.drain(..).for_each(|handle| _ = self.despawn(handle));
            self.desks[number].condemned = condemned;
        }
        all_born
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

    #[expect(clippy::cast_possible_truncation, reason = "there are no more jobs than words")]
    fn next(&mut self) -> Option<Job<'a, E, K, L>> {
        let (number, desk) = self.desks.next()?;
        let start = number as u32 * self.words_per_job;
        let words = start..self.words.min(start.saturating_add(self.words_per_job));
        let live = JobLive { slots: self.slots, words, borrow: PhantomData };
        Some(Job { number, live, spawner: JobSpawner { desk } })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.desks.size_hint()
    }
}

impl<E, K: ?Sized, L: Layout> ExactSizeIterator for Jobs<'_, E, K, L> {}

impl<E, K: ?Sized, L: Layout> JobLive<'_, E, K, L> {
    /// Handles and entities, by index, to change the entities.
    pub fn iter_mut(&mut self) -> JobIterMut<'_, E, K, L> {
        JobIterMut { slots: self.slots, roam: Roam::over(self.words.clone()), borrow: PhantomData }
    }
}

impl<E, K: ?Sized, L: Layout> JobSpawner<'_, E, K, L> {
    /// Lets an entity be born. Its handle leads to it when all jobs are done.
    ///
    /// # Errors
    ///
    /// [`Full`] gives the entity back when the job has had all its births, or there is no memory.
    pub fn spawn(&mut self, entity: E) -> Result<Handle<K, L>, Full<E>> {
        if self.desk.born.try_reserve(1).is_err() {
            return Err(Full::new(entity, FullKind::Memory));
        }
        match self.desk.handles.pop() {
            Some(handle) => {
                self.desk.born.push((handle, entity));
                Ok(handle)
            }
            None => Err(Full::new(entity, FullKind::Births)),
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
        must_reserve(self.desk.condemned.try_reserve(1));
        self.desk.condemned.push(handle);
    }
}

/// Handles and entities of a [`Job`], by index, to change the entities. See [`JobLive::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct JobIterMut<'a, E, K: ?Sized = E, L: Layout = Wide> {
    slots: *const Slots<E, L, Chunks<E>>,
    roam: Roam<E>,
    borrow: PhantomData<(&'a mut E, Handle<K, L>)>,
}

impl<'a, E, K: ?Sized, L: Layout> Iterator for JobIterMut<'a, E, K, L> {
    type Item = (Handle<K, L>, &'a mut E);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (index, mark, mut entity) = self.roam.next(|| self.slots)?;
        // SAFETY: Y1 and R1, the entity is this job's, whose part is borrowed alone for `'a`, and
        // each is given out once.
        Some((Handle::issued(index, mark), unsafe { entity.as_mut() }))
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
