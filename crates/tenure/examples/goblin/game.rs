//! Who lives in the game of the goblin, and what each does in its turn. See `goblin.rs` and
//! `goblin_threads.rs`.

use tenure::{Handle, World};

/// A reference to an entity, and the number of the one it was made for. The number is never used to
/// find anybody: it proves that the handle has found the right one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ref {
    pub(crate) handle: Handle<Entity>,
    pub(crate) number: u64,
}

/// Somebody. No two ever have the same number.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) number: u64,
    pub(crate) x: i32,
    pub(crate) kind: Kind,
}

/// What somebody is, and whom it refers to.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Lets a goblin with two jars be born, every few frames.
    Nest { tower: Ref },
    /// Shoots at the first goblin it knows.
    Tower { goblins: Vec<Ref> },
    /// Walks to the tower.
    Goblin { health: u32, jars: Vec<Ref> },
    /// Is where its carrier is, and breaks when that is gone.
    Jar { carrier: Ref },
    /// Follows its target.
    Missile { target: Ref },
    /// Burns for some frames.
    Spark { frames: u32 },
}

/// What happens to somebody else, after everybody had a turn.
#[derive(Debug)]
pub(crate) enum News {
    Hit,
    Spotted(Ref),
    Carries(Ref),
}

/// What came of the turns of some entities.
#[derive(Debug, Default)]
pub(crate) struct Deeds {
    letters: Vec<(Ref, News)>,
    /// Everybody who was born.
    pub(crate) born: Vec<Ref>,
    /// How many references were found to lead to nobody.
    pub(crate) noticed: u64,
    pub(crate) story: Vec<String>,
}

/// What somebody can do in a turn. Whoever runs the frame says how it is done.
pub(crate) struct Turn<'a> {
    pub(crate) frame: u64,
    pub(crate) me: Handle<Entity>,
    /// Number and position of somebody.
    pub(crate) find: &'a dyn Fn(Handle<Entity>) -> Option<(u64, i32)>,
    pub(crate) spawn: &'a mut dyn FnMut(Entity) -> Handle<Entity>,
    pub(crate) despawn: &'a mut dyn FnMut(Handle<Entity>),
    pub(crate) deeds: &'a mut Deeds,
    pub(crate) births: u64,
}

impl Turn<'_> {
    /// Where somebody is. `None` if it is dead.
    fn look(&mut self, who: Ref) -> Option<i32> {
        let found = (self.find)(who.handle);
        self.deeds.noticed += u64::from(found.is_none());
        let (number, x) = found?;
        assert_eq!(number, who.number, "{} leads to another entity", who.handle);
        Some(x)
    }

    fn bear(&mut self, x: i32, kind: Kind) -> Ref {
        // Unique, and independent of who else has a turn before or at the same time.
        let number = self.frame << 40 | u64::from(self.me.index()) << 8 | self.births;
        self.births += 1;
        let child = Ref { handle: (self.spawn)(Entity { number, x, kind }), number };
        self.deeds.born.push(child);
        child
    }

    fn tell(&mut self, who: Ref, news: News) {
        self.deeds.letters.push((who, news));
    }

    fn say(&mut self, what: &str) {
        self.deeds.story.push(format!("frame {:>3}: {what}", self.frame));
    }

    /// Nothing is left but a spark.
    fn die(&mut self, x: i32) {
        (self.despawn)(self.me);
        self.bear(x, Kind::Spark { frames: 2 });
    }
}

/// Gives an entity its turn.
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
                turn.bear(entity.x, Kind::Missile { target });
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
                turn.say("a goblin dies");
                turn.die(entity.x);
            }
        }
        Kind::Jar { carrier } => match turn.look(*carrier) {
            Some(x) if (turn.frame + entity.number) % 29 != 0 => entity.x = x,
            Some(x) => turn.die(x), // a bad jar
            None => {
                turn.say("a jar has lost its goblin, and breaks");
                turn.die(entity.x);
            }
        },
        Kind::Missile { target } => match turn.look(*target) {
            Some(x) if x.abs_diff(entity.x) <= 3 => {
                turn.tell(*target, News::Hit);
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

/// The goblin has its handle in the middle of the frame, so its jars can refer to it at once.
fn nest(x: i32, tower: Ref, turn: &mut Turn<'_>) {
    let goblin = turn.bear(x, Kind::Goblin { health: 3, jars: Vec::new() });
    for _ in 0..2 {
        let jar = turn.bear(x, Kind::Jar { carrier: goblin });
        turn.tell(goblin, News::Carries(jar));
    }
    turn.tell(tower, News::Spotted(goblin));
}

/// After all turns: the newborn resolve already, the dying still do.
pub(crate) fn deliver(world: &mut World<Entity>, deeds: &mut Deeds) {
    for (who, news) in deeds.letters.drain(..) {
        let entity =
            world.get_mut(who.handle).expect("whoever lived at the beginning of the frame resolves until it ends");
        assert_eq!(entity.number, who.number, "{} leads to another entity", who.handle);
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
    let mut born = Vec::new();
    for nest in 0..nests {
        let number = 2 * nest + 1;
        let tower = world.spawn(Entity { number, x: 30, kind: Kind::Tower { goblins: Vec::new() } });
        let tower = Ref { handle: tower, number };
        let nest = world.spawn(Entity { number: number + 1, x: 0, kind: Kind::Nest { tower } });
        born.extend([tower, Ref { handle: nest, number: number + 1 }]);
    }
    world.end_frame();
    for stays in &born {
        assert!(world.make_permanent(stays.handle));
    }
    (world, born)
}

/// Of all references that were ever made, each leads to its own entity or to nobody. Gives how many
/// lead to somebody.
pub(crate) fn check(world: &World<Entity>, ever_born: &[Ref]) -> usize {
    let found = ever_born.iter().filter_map(|who| world.get(who.handle).map(|entity| (entity.number, who.number)));
    found.map(|(number, right)| assert_eq!(number, right, "a reference leads to another entity")).count()
}
