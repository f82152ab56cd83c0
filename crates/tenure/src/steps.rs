//! Counts the steps of loops that could become quadratic, in this crate's own tests. Otherwise
//! empty.

#[cfg(test)]
std::thread_local! {
    static STEPS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// One turn of a loop.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn step() {}

/// One turn of a loop.
#[cfg(test)]
pub(crate) fn step() {
    STEPS.set(STEPS.get() + 1);
}

/// What something returns, and how many steps it takes.
#[cfg(test)]
pub(crate) fn count<R>(what: impl FnOnce() -> R) -> (R, usize) {
    let before = STEPS.get();
    let result = what();
    (result, STEPS.get() - before)
}

#[cfg(test)]
mod tests {
    use super::count;
    use crate::{Handle, StablePool, World};

    /// Four times as much work takes at most about four times as many steps.
    #[track_caller]
    fn is_linear(work: impl Fn(usize)) {
        let [few, many] = [1_000, 4_000].map(|size| count(|| work(size)).1);
        assert!(few > 0, "nothing was counted");
        assert!(many <= few * 5, "{few} steps became {many}");
    }

    /// A world in which `size` entities were spawned one by one and not committed.
    fn uncommitted(size: usize) -> World<usize> {
        let world = World::new();
        for number in 0..size {
            world.spawn_with(|_| number);
        }
        world
    }

    fn all(world: &World<usize>) -> alloc::vec::Vec<Handle<usize>> {
        world.iter_all().map(|(handle, _)| handle).collect()
    }

    #[test]
    fn clearing_a_world_before_the_commit_is_linear() {
        is_linear(|size| {
            let mut world = uncommitted(size);
            assert_eq!(world.clear_all(), size);
            world.validate().unwrap();
        });
    }

    #[test]
    fn despawning_before_the_commit_is_linear() {
        is_linear(|size| {
            let mut world = uncommitted(size);
            // In the order of the list, and against it.
            let (lower, upper) = (all(&world), all(&world).split_off(size / 2));
            for &handle in upper.iter().rev().chain(&lower[..size / 2]).skip(1) {
                world.despawn(handle);
            }
            assert_eq!(world.end_frame().despawned, size - 1);
            assert_eq!(world.len(), 1);
            world.validate().unwrap();
        });
    }

    #[test]
    fn despawning_what_jobs_spawned_is_linear() {
        is_linear(|size| {
            let mut world = World::new();
            world.spawn(0);
            world.end_frame();
            world.with_jobs(64, size, |jobs| {
                for mut job in jobs {
                    for number in 0..size {
                        let handle = job.spawner.spawn(number);
                        job.spawner.despawn(handle);
                    }
                }
            });
            assert_eq!(world.end_frame().despawned, size);
            world.validate().unwrap();
        });
    }

    #[test]
    fn replacing_dying_and_uncommitted_entities_is_linear() {
        is_linear(|size| {
            let mut world = uncommitted(size);
            let handles = all(&world);
            handles.iter().for_each(|&handle| _ = world.despawn(handle));
            for &handle in &handles {
                assert!(world.discard(handle));
                world.spawn_with(|me| me.index() as usize);
            }
            world.validate().unwrap();
            assert_eq!(world.end_frame().spawned, size);
        });
    }

    #[test]
    fn removing_some_and_inserting_others_at_their_handles_is_linear() {
        is_linear(|size| {
            let mut world = uncommitted(2 * size);
            let handles = all(&world);
            let (removed, returning) = handles.split_at(size);
            for &handle in returning {
                assert!(world.discard(handle));
            }
            world.end_frame();
            removed.iter().for_each(|&handle| _ = world.despawn(handle));
            for (&handle, &other) in removed.iter().zip(returning) {
                assert!(world.discard(handle));
                assert!(world.insert_at(other, 1).is_ok());
            }
            world.validate().unwrap();
        });
    }

    #[cfg(feature = "serde")]
    #[test]
    fn despawning_in_a_loaded_world_is_linear() {
        is_linear(|size| {
            let world = uncommitted(size);
            all(&world).iter().for_each(|&handle| _ = world.despawn(handle));
            let text = serde_json::to_string(&world).unwrap();
            let mut loaded: World<usize> = serde_json::from_str(&text).unwrap();
            assert_eq!(loaded.end_frame().despawned, size);
            loaded.validate().unwrap();
        });
    }

    #[test]
    fn reserving_after_shrinking_is_linear() {
        is_linear(|size| {
            let mut pool: StablePool<usize> = (0..size).collect();
            pool.retain(|handle, _| handle.index() as usize == size - 1);
            pool.shrink_to_fit();
            for number in 0..size / 4 {
                pool.reserve(1);
                pool.extend([number]);
                pool.insert_many([number]).for_each(drop);
            }
            pool.validate().unwrap();
        });
    }
}
