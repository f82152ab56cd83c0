//! The missile, the jar and the goblin: a game in frames, in which entities hold handles of others
//! that may be dead.
//!
//! A nest spawns goblins with jars, a tower spawns missiles that follow them. One loop over all
//! entities spawns and despawns directly, without a list of commands for later:
//! [`World::split`](tenure::World::split). A handle of a dead entity does not resolve, in
//! particular not to the entity that has its slot now.
//!
//! ```text
//! cargo run --release -p tenure --example goblin
//! ```

#[path = "goblin/game.rs"]
mod game;

use game::{Entity, Kind, Outcome, Ref, Turn};
use tenure::{Handle, World};

struct Game {
    world: World<Entity>,
    frame: u64,
    ever_spawned: Vec<Ref>,
    /// Goblins that are watched from outside of the world, so stale handles are removed after each
    /// frame.
    watched: Vec<Handle<Entity>>,
    lost: usize,
    noticed: u64,
}

impl Game {
    fn new() -> Self {
        let (world, ever_spawned) = game::world(1);
        Self { world, frame: 0, ever_spawned, watched: Vec::new(), lost: 0, noticed: 0 }
    }

    fn frame(&mut self) -> Vec<String> {
        self.frame += 1;
        let mut outcome = self.turns();
        game::deliver(&mut self.world, &mut outcome);
        self.ever_spawned.append(&mut outcome.spawned);
        self.noticed += outcome.noticed;

        let report = self.world.end_frame();
        assert_eq!((report.already_dead, report.already_dying), (0, 0), "every entity despawns itself, once");
        self.watch();
        let alive = game::check(&self.world, &self.ever_spawned);
        assert_eq!(alive, self.world.len(), "every live entity is found");
        outcome.story
    }

    /// Runs the turn of every entity. Each can read all others.
    fn turns(&mut self) -> Outcome {
        let mut outcome = Outcome::default();
        let (mut live, spawner) = self.world.split();
        live.for_each_mut(|entity, others| {
            let mut turn = Turn {
                frame: self.frame,
                me: others.me(),
                find: &|handle| others.get(handle).map(|other| (other.number, other.x)),
                spawn: &mut |entity| spawner.spawn(entity),
                despawn: &mut |handle| _ = spawner.despawn(handle),
                outcome: &mut outcome,
                spawns: 0,
            };
            game::act(entity, &mut turn);
        });
        outcome
    }

    fn watch(&mut self) {
        let world = &mut self.world;
        if world.dead().len() > 0 {
            self.lost += world.clear_stale(&mut self.watched, |_, _| {});
            self.watched.retain(|goblin| !goblin.is_nil());
        }
        let spawned = world.last_commit().spawned().collect::<Vec<_>>();
        self.watched.extend(spawned.into_iter().filter(|&handle| matches!(world[handle].kind, Kind::Goblin { .. })));
    }
}

/// Runs the example.
pub(crate) fn main() {
    let mut game = Game::new();
    for _ in 0..500 {
        for line in game.frame() {
            if game.frame < 30 {
                println!("{line}");
            }
        }
    }
    assert!(game.watched.iter().all(|&goblin| game.world.contains(goblin)), "every watched goblin is live");
    assert!(game.lost > 50 && game.noticed > 200, "dangling handles were found");
    println!(
        "After {} frames: {} entities were spawned, {} are live, in {} slots. {} lookups of dead entities returned `None`, {} stale handles were cleared, none resolved to another entity.",
        game.frame,
        game.ever_spawned.len(),
        game.world.len(),
        game.ever_spawned.iter().map(|it| it.handle.index() + 1).max().unwrap_or(0),
        game.noticed,
        game.lost,
    );
    let removed = game.world.clear_temporary();
    assert_eq!(game.world.len(), 2);
    println!(
        "{removed} temporary entities were removed. The nest and its tower are permanent, and so are their handles."
    );
}
