//! The missile, the jar and the goblin, with two threads.
//!
//! The same game as `goblin`, with many nests. Each frame is divided into jobs, and each thread
//! takes the next one when it has finished. Every job has its handles reserved before it starts, so
//! handles do not depend on timing: two threads play the same game as one, to the last handle.
//!
//! ```text
//! cargo run --release -p tenure --example goblin_threads
//! ```

#[path = "goblin/game.rs"]
mod game;

use std::collections::HashMap;
use std::sync::Mutex;

use game::{Entity, Outcome, Ref, Turn};
use tenure::world::Job;
use tenure::{BuildHandleHasher, Handle, World};

/// Number and position of every entity at the beginning of the frame. A job can access only its own
/// entities, so it looks up others here.
type Sight = HashMap<Handle<Entity>, (u64, i32), BuildHandleHasher>;

/// Slots of a job.
const SLOTS: usize = 128;
/// Spawns per job: not every entity spawns in the same turn. Fewer than slots, because slots that
/// are reserved in one frame exist in the next one.
const SPAWNS: usize = 96;

struct Game {
    world: World<Entity>,
    frame: u64,
    ever_spawned: Vec<Ref>,
    noticed: u64,
}

impl Game {
    fn new() -> Self {
        let (world, ever_spawned) = game::world(40);
        Self { world, frame: 0, ever_spawned, noticed: 0 }
    }

    fn frame(&mut self, threads: usize) {
        self.frame += 1;
        for mut outcome in turns(&mut self.world, self.frame, threads) {
            game::deliver(&mut self.world, &mut outcome);
            self.ever_spawned.append(&mut outcome.spawned);
            self.noticed += outcome.noticed;
        }
        self.world.end_frame();
        let alive = game::check(&self.world, &self.ever_spawned);
        assert_eq!(alive, self.world.len(), "every live entity is found");
    }

    /// Handle, id, number and position of every entity.
    fn state(&self) -> Vec<(u64, u64, u64, i32)> {
        let id = |handle| self.world.id_of(handle).map_or(0, tenure::EntityId::get);
        self.world.iter().map(|(handle, entity)| (handle.to_bits(), id(handle), entity.number, entity.x)).collect()
    }
}

/// Runs the turn of every entity. Returns the outcomes in the order of the jobs.
fn turns(world: &mut World<Entity>, frame: u64, threads: usize) -> Vec<Outcome> {
    let sight: Sight = world.iter().map(|(handle, entity)| (handle, (entity.number, entity.x))).collect();
    let done = Mutex::new(Vec::new());
    world.with_jobs(SLOTS, SPAWNS, |jobs| {
        let jobs = Mutex::new(jobs);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        // The lock is released before the job starts.
                        let Some(job) = jobs.lock().expect("no thread panics").next() else { break };
                        let result = (job.number, work(job, frame, &sight));
                        done.lock().expect("no thread panics").push(result);
                    }
                });
            }
        });
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn work(mut job: Job<'_, Entity>, frame: u64, sight: &Sight) -> Outcome {
    let mut outcome = Outcome::default();
    let spawner = std::cell::RefCell::new(job.spawner);
    for (me, entity) in job.live.iter_mut() {
        let mut turn = Turn {
            frame,
            me,
            find: &|handle| sight.get(&handle).copied(),
            spawn: &mut |entity| spawner.borrow_mut().spawn(entity),
            despawn: &mut |handle| spawner.borrow_mut().despawn(handle),
            outcome: &mut outcome,
            spawns: 0,
        };
        game::act(entity, &mut turn);
    }
    outcome
}

/// Plays the same game with one thread and with two.
pub(crate) fn main() {
    let (mut alone, mut together) = (Game::new(), Game::new());
    for _ in 0..200 {
        alone.frame(1);
        together.frame(2);
        assert_eq!(alone.state(), together.state(), "frame {}: the same world", alone.frame);
    }
    assert_eq!(alone.noticed, together.noticed);
    assert!(alone.world.len() > 3 * SLOTS, "there is work for several jobs");
    println!(
        "After {} frames: {} entities were spawned, {} are live. {} lookups of dead entities returned `None`, no handle resolved to another entity. Two threads: the same, to the last handle.",
        together.frame,
        together.ever_spawned.len(),
        together.world.len(),
        together.noticed,
    );
}
