//! Asteroids: a game whose systems are functions.
//!
//! A system takes the live entities of a frame, and its spawner where it spawns or despawns:
//! `fn fly(live: &mut Live<'_, Entity>, context: &Context<'_>)`. Ships aim at other entities while
//! those may be despawned, a collision changes two entities at once, and heat and names are kept
//! beside the world, in side maps. The game is saved in the middle of a frame and loaded again, and
//! it is rolled back to an earlier frame without allocating.
//!
//! ```text
//! cargo run --release -p tenure --features serde --example asteroids
//! ```

use serde::{Deserialize, Serialize};
use tenure::join::Maybe;
use tenure::{Handle, Live, SideMap, Spawner, World, join};

/// Everything in the world is one enum, so that one loop sees all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entity {
    kind: Kind,
    x: i32,
    speed: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Ship { target: Option<Handle<Entity>>, hits: u32 },
    Rock { size: i32 },
    Shot { by: Handle<Entity>, frames_left: u32 },
}

/// The width of the sky. What leaves it on one side comes back on the other.
const WIDTH: i32 = 400;

/// What a frame's systems share, besides the entities.
struct Context<'a> {
    spawner: &'a Spawner<'a, Entity>,
    frame: u64,
}

/// Every ship aims at the nearest rock. `others` is every entity but `entity`.
fn aim(live: &mut Live<'_, Entity>) {
    live.for_each_mut(|entity, others| {
        let x = entity.x;
        if let Kind::Ship { target, .. } = &mut entity.kind {
            let rocks = others.iter().filter(|(_, other)| matches!(other.kind, Kind::Rock { .. }));
            *target = rocks.min_by_key(|(_, rock)| (rock.x - x).abs()).map(|(handle, _)| handle);
        }
    });
}

/// Ships that are cool enough shoot at their target. A join visits ships and their heat together.
fn fire(live: &Live<'_, Entity>, heat: &mut SideMap<Handle<Entity>, u32>, context: &Context<'_>) {
    for (ship, (entity, heat)) in join((live, &mut *heat)) {
        let Kind::Ship { target: Some(target), .. } = entity.kind else { continue };
        // The target may have been despawned since `aim`: then it does not resolve.
        let Some(rock) = live.get(target) else { continue };
        if *heat > 0 {
            *heat -= 1;
            continue;
        }
        *heat = 2;
        let speed = if rock.x < entity.x { -9 } else { 9 };
        let shot = Kind::Shot { by: ship, frames_left: 12 };
        context.spawner.spawn(Entity { kind: shot, x: entity.x, speed });
    }
}

/// Everything moves; shots end. A despawned entity resolves until the frame ends.
fn fly(live: &mut Live<'_, Entity>, context: &Context<'_>) {
    for (handle, entity) in live.iter_mut() {
        entity.x = (entity.x + entity.speed).rem_euclid(WIDTH);
        if let Kind::Shot { frames_left, .. } = &mut entity.kind {
            *frames_left -= 1;
            if *frames_left == 0 {
                context.spawner.despawn(handle);
            }
        }
    }
}

/// Shots hit rocks: the shot is gone, the rock breaks in two, and the ship that fired counts it.
fn collide(live: &mut Live<'_, Entity>, context: &Context<'_>) {
    let shots: Vec<_> = live.iter().filter_map(|(shot, entity)| Some((shot, fired_by(entity)?))).collect();
    for (shot, ship) in shots {
        let Some(rock) = rock_at(live, live.get(shot).map_or(-1, |shot| shot.x)) else { continue };
        context.spawner.despawn(shot);
        // Two entities at once. If the ship is gone, the shot still breaks the rock.
        if let Ok([ship, rock]) = live.get_disjoint_mut([ship, rock]) {
            if let Kind::Ship { hits, .. } = &mut ship.kind {
                *hits += 1;
            }
            ship.speed -= rock.speed.signum(); // the blast pushes it
        }
        split_rock(live, rock, context);
    }
}

fn fired_by(entity: &Entity) -> Option<Handle<Entity>> {
    if let Kind::Shot { by, .. } = entity.kind { Some(by) } else { None }
}

fn rock_at(live: &Live<'_, Entity>, x: i32) -> Option<Handle<Entity>> {
    let hit = |entity: &Entity| matches!(entity.kind, Kind::Rock { size } if (entity.x - x).abs() <= size);
    live.iter().find(|(_, entity)| hit(entity)).map(|(rock, _)| rock)
}

/// A rock becomes half as large, and the other half is spawned. Small ones are removed at once, so
/// that a second shot of the same frame does not hit them.
fn split_rock(live: &mut Live<'_, Entity>, rock: Handle<Entity>, context: &Context<'_>) {
    let Some(entity) = live.get_mut(rock) else { return };
    let Kind::Rock { size } = &mut entity.kind else { return };
    *size /= 2;
    if *size > 1 {
        let half = Entity { speed: -entity.speed, ..entity.clone() };
        context.spawner.spawn(half);
    } else {
        live.remove(rock);
    }
}

/// New rocks come in from the edge.
fn drift_in(context: &Context<'_>) {
    if context.frame % 7 == 0 {
        let speed = if context.frame % 2 == 0 { 3 } else { -4 };
        context.spawner.spawn(Entity { kind: Kind::Rock { size: 8 }, x: 0, speed });
    }
}

/// The whole game: the world, and what is kept beside it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Game {
    world: World<Entity>,
    /// How many frames a ship has to wait until it can fire.
    heat: SideMap<Handle<Entity>, u32>,
    names: SideMap<Handle<Entity>, String>,
    frame: u64,
}

/// By hand, because of `clone_from`: the derived one is `*self = source.clone()`, which allocates
/// all memory again. This one lets every field keep its memory.
impl Clone for Game {
    fn clone(&self) -> Self {
        let Self { world, heat, names, frame } = self;
        Self { world: world.clone(), heat: heat.clone(), names: names.clone(), frame: *frame }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { world, heat, names, frame } = source;
        self.world.clone_from(world);
        self.heat.clone_from(heat);
        self.names.clone_from(names);
        self.frame = *frame;
    }
}

impl Game {
    fn new() -> Self {
        let mut game = Self { world: World::new(), heat: SideMap::new(), names: SideMap::new(), frame: 0 };
        for (name, x) in [("Ada", 50), ("Grace", 150), ("Mary", 250)] {
            let ship = game.world.spawn(Entity { kind: Kind::Ship { target: None, hits: 0 }, x, speed: 1 });
            // A spawned entity resolves at once, so it can have side data at once.
            game.heat.insert(&game.world, ship, 0).expect("the ship was just spawned");
            game.names.insert(&game.world, ship, name.to_owned()).expect("the ship was just spawned");
        }
        game.world.end_frame();
        game
    }

    /// The first half of a frame: systems run, spawns and despawns are queued.
    fn run_systems(&mut self) {
        self.frame += 1;
        let (mut live, spawner) = self.world.split();
        let context = Context { spawner: &spawner, frame: self.frame };
        aim(&mut live);
        fire(&live, &mut self.heat, &context);
        fly(&mut live, &context);
        collide(&mut live, &context);
        drift_in(&context);
    }

    /// The second half: what was queued is applied, and side data of removed entities goes.
    fn end_frame(&mut self) {
        self.world.end_frame();
        if self.world.dead().len() > 0 {
            self.heat.retain_live(&self.world);
            self.names.retain_live(&self.world);
        }
    }

    fn play(&mut self, frames: usize) {
        for _ in 0..frames {
            self.run_systems();
            self.end_frame();
        }
    }

    /// One line per ship: `Maybe`, because not every entity of a join must have a name.
    fn scores(&self) -> Vec<(String, u32)> {
        let all = join((&self.world, Maybe(&self.names)));
        all.filter_map(|(_, (entity, name))| match entity.kind {
            Kind::Ship { hits, .. } => Some((name.cloned().unwrap_or_default(), hits)),
            _ => None,
        })
        .collect()
    }

    /// No reference resolves to anything but what it was made for.
    fn check(&self) {
        for (_, entity) in &self.world {
            let (Kind::Ship { target: Some(other), .. } | Kind::Shot { by: other, .. }) = entity.kind else {
                continue;
            };
            if let Some(found) = self.world.get(other) {
                let is_rock = matches!(found.kind, Kind::Rock { .. });
                assert_eq!(
                    is_rock,
                    matches!(entity.kind, Kind::Ship { .. }),
                    "a ship aims at rocks, a shot has a ship"
                );
            }
        }
        assert!(self.heat.handles().all(|ship| self.world.contains(ship)), "heat of ships that exist");
    }
}

/// A game whose frame is not over: spawns and despawns are queued.
pub(crate) fn in_the_middle_of_a_frame() -> Game {
    let mut game = Game::new();
    game.play(100);
    game.run_systems();
    game
}

/// A game that is saved in the middle of a frame and loaded goes on as if nothing had happened.
fn save_in_the_middle_of_a_frame() {
    let mut game = in_the_middle_of_a_frame();
    let save = serde_json::to_string(&game).expect("entities can be saved");
    let mut loaded: Game = serde_json::from_str(&save).expect("what was saved can be loaded");
    assert_eq!(loaded, game);
    for game in [&mut game, &mut loaded] {
        game.end_frame();
        game.play(50);
    }
    assert_eq!(loaded, game, "the same handles for the same entities, also for those spawned since");
    println!("saved in the middle of a frame: {} bytes of JSON", save.len());
}

/// A checkpoint every frame, into the memory of an older one.
fn roll_back() {
    let mut game = Game::new();
    game.play(200);
    let mut checkpoint = game.clone();
    let capacity = checkpoint.world.capacity();
    let address = std::ptr::from_ref(checkpoint.world.values().next().expect("there are ships"));

    game.play(30);
    let future = game.clone();
    game.clone_from(&checkpoint); // back to frame 200
    assert_eq!(game, checkpoint);
    game.play(30);
    assert_eq!(game, future, "the same frames give the same game");

    checkpoint.clone_from(&game);
    let first = std::ptr::from_ref(checkpoint.world.values().next().expect("there are ships"));
    assert!(first == address && checkpoint.world.capacity() >= capacity, "the memory was used again");
    println!("rolled back to frame 200, and played to frame {} again", game.frame);
}

/// Plays.
pub(crate) fn main() {
    let mut game = Game::new();
    for _ in 0..500 {
        game.play(1);
        game.check();
    }
    let scores = game.scores();
    assert!(scores.iter().all(|(name, _)| !name.is_empty()), "every ship still has its name");
    assert!(scores.iter().map(|(_, hits)| hits).sum::<u32>() > 20, "rocks were hit");
    let stats = game.world.stats();
    println!("after {} frames: {} entities in {} slots", game.frame, stats.live, stats.live + stats.free);
    for (name, hits) in scores {
        println!("{name}: {hits} hits");
    }
    save_in_the_middle_of_a_frame();
    roll_back();
}
