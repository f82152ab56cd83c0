//! The missile, the jar and the goblin: a game in frames, in which everybody refers to somebody who
//! may be dead by now.
//!
//! A nest sends goblins with jars, a tower sends missiles after them. In one walk over everybody,
//! missiles and goblins are born and die, and nothing is written down to be done after the loop:
//! [`World::split`](tenure::World::split). Whoever holds a handle of a dead one finds nobody, and
//! never the one who has its slot now.
//!
//! ```text
//! cargo run --release -p tenure --example goblin
//! ```

#[path = "goblin/game.rs"]
mod game;

use game::{Deeds, Entity, Kind, Ref, Turn};
use tenure::{Handle, World};

struct Game {
    world: World<Entity>,
    frame: u64,
    ever_born: Vec<Ref>,
    /// Goblins that the audience looks at. It is not in the world, so it is cleared of the dead
    /// after each frame.
    watched: Vec<Handle<Entity>>,
    lost: usize,
    noticed: u64,
}

impl Game {
    fn new() -> Self {
        let (world, ever_born) = game::world(1);
        Self { world, frame: 0, ever_born, watched: Vec::new(), lost: 0, noticed: 0 }
    }

    fn frame(&mut self) -> Vec<String> {
        self.frame += 1;
        let mut deeds = self.turns();
        game::deliver(&mut self.world, &mut deeds);
        self.ever_born.append(&mut deeds.born);
        self.noticed += deeds.noticed;

        let report = self.world.end_frame();
        assert_eq!((report.already_dead, report.already_dying), (0, 0), "everybody dies in its own turn, once");
        self.watch();
        let alive = game::check(&self.world, &self.ever_born);
        assert_eq!(alive, self.world.len(), "and everybody who lives is found");
        deeds.story
    }

    /// Everybody has a turn, and can look at everybody else.
    fn turns(&mut self) -> Deeds {
        let mut deeds = Deeds::default();
        let (mut live, spawner) = self.world.split();
        live.for_each_mut(|entity, others| {
            let mut turn = Turn {
                frame: self.frame,
                me: others.me(),
                find: &|who| others.get(who).map(|other| (other.number, other.x)),
                spawn: &mut |newborn| spawner.spawn(newborn),
                despawn: &mut |who| _ = spawner.despawn(who),
                deeds: &mut deeds,
                births: 0,
            };
            game::act(entity, &mut turn);
        });
        deeds
    }

    fn watch(&mut self) {
        let world = &mut self.world;
        if world.dead().len() > 0 {
            self.lost += world.clear_stale(&mut self.watched, |_, _| {});
            self.watched.retain(|goblin| !goblin.is_nil());
        }
        let born = world.last_commit().spawned().collect::<Vec<_>>();
        self.watched.extend(born.into_iter().filter(|&who| matches!(world[who].kind, Kind::Goblin { .. })));
    }
}

/// Plays.
pub(crate) fn main() {
    let mut game = Game::new();
    for _ in 0..500 {
        for line in game.frame() {
            if game.frame < 30 {
                println!("{line}");
            }
        }
    }
    assert!(game.watched.iter().all(|&goblin| game.world.contains(goblin)), "who is watched lives");
    assert!(game.lost > 50 && game.noticed > 200, "many died, and it was noticed");
    println!(
        "After {} frames: {} were born, {} live, in {} slots. {} references to the dead were noticed, {} were scrubbed, none led to another entity.",
        game.frame,
        game.ever_born.len(),
        game.world.len(),
        game.ever_born.iter().map(|who| who.handle.index() + 1).max().unwrap_or(0),
        game.noticed,
        game.lost,
    );
    let died = game.world.clear_temporary();
    assert_eq!(game.world.len(), 2);
    println!("The {died} others are cleared away. The nest and its tower are permanent, and so are their handles.");
}
