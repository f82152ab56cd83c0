//! The frame with `World`: in one pass, and in two passes, of which the first one only reads.

use tenure::{Handle, World};

use super::frame::Frames;
use super::unit::{Now, Schedule, Seen, Unit};

/// The entity. A type of its own, because its handles refer to entities of the same type.
pub struct Body(Unit<Handle<Body>>);

pub struct Ours {
    world: World<Body>,
    schedule: Schedule,
    board: Vec<Handle<Body>>,
    spawned: Vec<(u32, Handle<Body>)>,
    frame: u32,
}

impl Ours {
    pub fn new(count: usize) -> Self {
        let (mut world, schedule) = (World::new(), Schedule::new(count));
        let board: Vec<_> =
            (0..count).map(|place| world.spawn(Body(Unit::first(place, Handle::NIL, &schedule)))).collect();
        world.end_frame();
        world.values_mut().for_each(|body| body.0.aim(&board));
        Ours { world, schedule, board, spawned: Vec::new(), frame: 0 }
    }

    #[inline]
    fn end_frame(&mut self) {
        self.world.end_frame();
        for (place, handle) in self.spawned.drain(..) {
            self.board[place as usize] = handle;
        }
        self.frame += 1;
    }
}

/// A first pass reads the targets and stores what it has read; a second one changes the entities.
/// More lookups wait for memory at the same time. (With `for_each`, which iterates faster than
/// `for`, `zip` and `extend`: see the guide.)
pub struct OursInTwoPasses {
    ours: Ours,
    seen: Vec<Seen>,
}

impl OursInTwoPasses {
    pub fn new(count: usize) -> Self {
        OursInTwoPasses { ours: Ours::new(count), seen: Vec::new() }
    }
}

impl Frames for OursInTwoPasses {
    #[inline(never)]
    fn frame(&mut self) {
        let Ours { world, schedule, board, spawned, frame } = &mut self.ours;
        let now = Now { number: *frame, schedule, board };
        self.seen.reserve(world.len());
        world.values().for_each(|body| {
            self.seen.push(body.0.look(|target| Some(world.get(target)?.0.power)));
        });
        let (mut live, spawner) = world.split();
        let mut seen = self.seen.drain(..);
        live.for_each_mut(|body, others| {
            let Some(seen) = seen.next() else { return };
            let outcome = body.0.step(seen, &now);
            if let Some(child) = outcome.child {
                spawned.push((child.place, spawner.spawn(Body(child))));
            }
            if outcome.despawns {
                spawner.despawn(others.me());
            }
        });
        drop((live, spawner, seen));
        self.ours.end_frame();
    }

    fn checksum(&mut self) -> (usize, u64) {
        self.ours.checksum()
    }
}

impl Frames for Ours {
    #[inline(never)]
    fn frame(&mut self) {
        let now = Now { number: self.frame, schedule: &self.schedule, board: &self.board };
        let (mut live, spawner) = self.world.split();
        live.for_each_mut(|body, others| {
            let seen = body.0.look(|target| Some(others.get(target)?.0.power));
            let outcome = body.0.step(seen, &now);
            if let Some(child) = outcome.child {
                self.spawned.push((child.place, spawner.spawn(Body(child))));
            }
            if outcome.despawns {
                spawner.despawn(others.me());
            }
        });
        drop((live, spawner));
        self.end_frame();
    }

    fn checksum(&mut self) -> (usize, u64) {
        (self.world.len(), self.world.values().fold(0, |sum, body| sum.wrapping_add(body.0.checksum())))
    }
}
