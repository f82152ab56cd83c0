//! The entities of the goblin game, and what each does in its turn. See `goblin.rs` and
//! `goblin_threads.rs`.

use tenure::{Handle, World};

/// A handle of an entity, and the entity's number. The number is never used for a lookup: it proves
/// that the handle resolves to the right entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ref {
    pub(crate) handle: Handle<Entity>,
    pub(crate) number: u64,
}

/// An entity. No two ever have the same number.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) number: u64,
    pub(crate) x: i32,
    pub(crate) kind: Kind,
}

/// The kind of an entity, and the entities it refers to.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Spawns a goblin with two jars every few frames.
    Nest { tower: Ref },
    /// Shoots at the first goblin in its list.
    Tower { goblins: Vec<Ref> },
    /// Moves to the tower.
    Goblin { health: u32, jars: Vec<Ref> },
    /// Moves with its carrier, and breaks when the carrier is dead.
    Jar { carrier: Ref },
    /// Follows its target.
    Missile { target: Ref },
    /// Despawns after some frames.
    Spark { frames: u32 },
}

/// A message to another entity, delivered after all turns.
#[derive(Debug)]
pub(crate) enum News {
    Hit,
    Spotted(Ref),
    Carries(Ref),
}

/// The outcome of the turns of some entities.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    letters: Vec<(Ref, News)>,
    /// All entities that were spawned.
    pub(crate) spawned: Vec<Ref>,
    /// The number of lookups of dead entities.
    pub(crate) noticed: u64,
    pub(crate) story: Vec<String>,
}

/// What an entity can do in a turn. The caller provides the operations on the world.
pub(crate) struct Turn<'a> {
    pub(crate) frame: u64,
    pub(crate) me: Handle<Entity>,
    /// Returns number and position of an entity.
    pub(crate) find: &'a dyn Fn(Handle<Entity>) -> Option<(u64, i32)>,
    pub(crate) spawn: &'a mut dyn FnMut(Entity) -> Handle<Entity>,
    pub(crate) despawn: &'a mut dyn FnMut(Handle<Entity>),
    pub(crate) outcome: &'a mut Outcome,
    pub(crate) spawns: u64,
}

impl Turn<'_> {
    /// The position of an entity. `None` if it is dead.
    fn look(&mut self, target: Ref) -> Option<i32> {
        let found = (self.find)(target.handle);
        self.outcome.noticed += u64::from(found.is_none());
        let (number, x) = found?;
        assert_eq!(number, target.number, "{} resolves to another entity", target.handle);
        Some(x)
    }

    fn spawn_child(&mut self, x: i32, kind: Kind) -> Ref {
        // Unique, and independent of which other entities have a turn before or at the same time.
        let number = self.frame << 40 | u64::from(self.me.index()) << 8 | self.spawns;
        self.spawns += 1;
        let child = Ref { handle: (self.spawn)(Entity { number, x, kind }), number };
        self.outcome.spawned.push(child);
        child
    }

    fn send(&mut self, to: Ref, news: News) {
        self.outcome.letters.push((to, news));
    }

    fn say(&mut self, what: &str) {
        self.outcome.story.push(format!("frame {:>3}: {what}", self.frame));
    }

    /// Despawns the entity and spawns a spark in its place.
    fn die(&mut self, x: i32) {
        (self.despawn)(self.me);
        self.spawn_child(x, Kind::Spark { frames: 2 });
    }
}

/// Runs the turn of an entity.
pub(crate) fn act(entity: &mut Entity, turn: &mut Turn<'_>) {
    match &mut entity.kind {
        Kind::Nest { tower } => {
            if (turn.frame + entity.number) % 5 == 0 {
                nest(entity.x, *tower, turn);
            }
        }
        Kind::Tower { goblins } => {
            goblins.retain(|&goblin| turn.look(goblin).is_some());
            if let Some(&target) = goblins.first().filter(|_| (turn.frame + entity.number / 2) % 2 == 0) {
                turn.spawn_child(entity.x, Kind::Missile { target });
            }
        }
        Kind::Goblin { health, jars } => {
            let carried = jars.len();
            jars.retain(|&jar| turn.look(jar).is_some());
            if jars.len() < carried {
                turn.say("a goblin notices that a jar is gone");
            }
            entity.x += 1;
            if *health == 0 || entity.x > 30 {
                turn.say("a goblin is despawned");
                turn.die(entity.x);
            }
        }
        Kind::Jar { carrier } => match turn.look(*carrier) {
            Some(x) if (turn.frame + entity.number) % 29 != 0 => entity.x = x,
            Some(x) => turn.die(x), // breaks by itself
            None => {
                turn.say("a jar has lost its goblin, and breaks");
                turn.die(entity.x);
            }
        },
        Kind::Missile { target } => match turn.look(*target) {
            Some(x) if x.abs_diff(entity.x) <= 3 => {
                turn.send(*target, News::Hit);
                turn.die(x);
            }
            Some(x) => entity.x += 3 * (x - entity.x).signum(),
            None => {
                turn.say("a missile has lost its target, and fizzles out");
                turn.die(entity.x);
            }
        },
        Kind::Spark { frames: 0 } => (turn.despawn)(turn.me),
        Kind::Spark { frames } => *frames -= 1,
    }
}

/// The goblin's handle exists in the middle of the frame, so its jars can refer to it at once.
fn nest(x: i32, tower: Ref, turn: &mut Turn<'_>) {
    let goblin = turn.spawn_child(x, Kind::Goblin { health: 3, jars: Vec::new() });
    for _ in 0..2 {
        let jar = turn.spawn_child(x, Kind::Jar { carrier: goblin });
        turn.send(goblin, News::Carries(jar));
    }
    turn.send(tower, News::Spotted(goblin));
}

/// After all turns: spawned entities resolve already, and dying ones still do.
pub(crate) fn deliver(world: &mut World<Entity>, outcome: &mut Outcome) {
    for (to, news) in outcome.letters.drain(..) {
        let entity = world.get_mut(to.handle).expect("entities resolve until the end of the frame");
        assert_eq!(entity.number, to.number, "{} resolves to another entity", to.handle);
        match (&mut entity.kind, news) {
            (Kind::Goblin { health, .. }, News::Hit) => *health = health.saturating_sub(1),
            (Kind::Goblin { jars, .. }, News::Carries(jar)) => jars.push(jar),
            (Kind::Tower { goblins }, News::Spotted(goblin)) => goblins.push(goblin),
            (kind, news) => unreachable!("{news:?} is not for a {kind:?}"),
        }
    }
}

/// A world with some nests, each with a tower. They are permanent.
pub(crate) fn world(nests: u64) -> (World<Entity>, Vec<Ref>) {
    let mut world = World::new();
    let mut spawned = Vec::new();
    for nest in 0..nests {
        let number = 2 * nest + 1;
        let tower = world.spawn(Entity { number, x: 30, kind: Kind::Tower { goblins: Vec::new() } });
        let tower = Ref { handle: tower, number };
        let nest = world.spawn(Entity { number: number + 1, x: 0, kind: Kind::Nest { tower } });
        spawned.extend([tower, Ref { handle: nest, number: number + 1 }]);
    }
    world.end_frame();
    for stays in &spawned {
        assert!(world.make_permanent(stays.handle));
    }
    (world, spawned)
}

/// Checks that every reference ever made resolves to its own entity or to nothing. Returns the
/// number of those that resolve.
pub(crate) fn check(world: &World<Entity>, ever_spawned: &[Ref]) -> usize {
    let found = ever_spawned.iter().filter_map(|to| world.get(to.handle).map(|entity| (entity.number, to.number)));
    found.map(|(number, right)| assert_eq!(number, right, "a handle resolves to another entity")).count()
}
