//! The missile, the jar and the goblin, with two threads.
//!
//! The same game as `goblin`, with many nests. Each frame is divided into jobs, and whichever
//! thread is free takes the next one. Every job has the handles for its newborn beforehand, so who
//! is born where does not depend on timing: two threads play the same game as one, to the last
//! handle.
//!
//! ```text
//! cargo run --release -p tenure --example goblin_threads
//! ```

#[path = "goblin/game.rs"]
mod game;

use std::collections::HashMap;
use std::sync::Mutex;

use game::{Deeds, Entity, Ref, Turn};
use tenure::world::Job;
use tenure::{BuildHandleHasher, Handle, World};

/// Where everybody was when the frame began, and with which number. A job has its own entities
/// alone, so it looks at the others here.
type Sight = HashMap<Handle<Entity>, (u64, i32), BuildHandleHasher>;

/// Slots of a job.
const SLOTS: usize = 128;
/// Not everybody has children in the same turn. Fewer than slots: what is reserved in one frame is
/// there in the next one.
const BIRTHS: usize = 96;

struct Game {
    world: World<Entity>,
    frame: u64,
    ever_born: Vec<Ref>,
    noticed: u64,
}

impl Game {
    fn new() -> Self {
        let (world, ever_born) = game::world(40);
        Self { world, frame: 0, ever_born, noticed: 0 }
    }

    fn frame(&mut self, threads: usize) {
        self.frame += 1;
        for mut deeds in turns(&mut self.world, self.frame, threads) {
            game::deliver(&mut self.world, &mut deeds);
            self.ever_born.append(&mut deeds.born);
            self.noticed += deeds.noticed;
        }
        self.world.end_frame();
        let alive = game::check(&self.world, &self.ever_born);
        assert_eq!(alive, self.world.len(), "everybody who lives is found");
    }

    /// Everybody: handle, id, number and position.
    fn state(&self) -> Vec<(u64, u64, u64, i32)> {
        let id = |handle| self.world.id_of(handle).map_or(0, tenure::EntityId::get);
        self.world.iter().map(|(handle, who)| (handle.to_bits(), id(handle), who.number, who.x)).collect()
    }
}

/// Everybody has a turn. Gives what came of it, by job.
fn turns(world: &mut World<Entity>, frame: u64, threads: usize) -> Vec<Deeds> {
    let sight: Sight = world.iter().map(|(handle, who)| (handle, (who.number, who.x))).collect();
    let done = Mutex::new(Vec::new());
    world.with_jobs(SLOTS, BIRTHS, |jobs| {
        let jobs = Mutex::new(jobs);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        // The lock is free again before the job begins.
                        let Some(job) = jobs.lock().expect("nobody panics").next() else { break };
                        let result = (job.number, work(job, frame, &sight));
                        done.lock().expect("nobody panics").push(result);
                    }
                });
            }
        });
    });
    let mut done = done.into_inner().expect("nobody panics");
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, deeds)| deeds).collect()
}

fn work(mut job: Job<'_, Entity>, frame: u64, sight: &Sight) -> Deeds {
    let mut deeds = Deeds::default();
    let spawner = std::cell::RefCell::new(job.spawner);
    for (me, entity) in job.live.iter_mut() {
        let mut turn = Turn {
            frame,
            me,
            find: &|who| sight.get(&who).copied(),
            spawn: &mut |newborn| spawner.borrow_mut().spawn(newborn),
            despawn: &mut |who| spawner.borrow_mut().despawn(who),
            deeds: &mut deeds,
            births: 0,
        };
        game::act(entity, &mut turn);
    }
    deeds
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
        "After {} frames: {} were born, {} live. {} references to the dead were noticed, none led to another entity. Two threads: the same, to the last handle.",
        together.frame,
        together.ever_born.len(),
        together.world.len(),
        together.noticed,
    );
}
