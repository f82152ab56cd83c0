//! The frame with `World`: one walk, in which all happens; and two, of which the first only looks.

use tenure::{Handle, World};

use super::frame::Frames;
use super::unit::{Fates, Now, Seen, Unit};

/// Handles lead to units of their own kind: a handle that holds its own type needs a name.
pub struct Body(Unit<Handle<Body>>);

pub struct Ours {
    world: World<Body>,
    fates: Fates,
    board: Vec<Handle<Body>>,
    born: Vec<(u32, Handle<Body>)>,
    frame: u32,
}

impl Ours {
    pub fn new(count: usize) -> Self {
        let (mut world, fates) = (World::new(), Fates::new(count));
        let board: Vec<_> =
            (0..count).map(|place| world.spawn(Body(Unit::first(place, Handle::NIL, &fates)))).collect();
        world.end_frame();
        world.values_mut().for_each(|body| body.0.aim(&board));
        Ours { world, fates, board, born: Vec::new(), frame: 0 }
    }

    #[inline]
    fn end_frame(&mut self) {
        self.world.end_frame();
        for (place, handle) in self.born.drain(..) {
            self.board[place as usize] = handle;
        }
        self.frame += 1;
    }
}

/// One walk looks at the others and notes what it has seen; a second one changes. More look-ups
/// wait for memory at the same time. (By `for_each`, which walks faster than `for`, `zip` and
/// `extend`: the guide says so.)
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
        let Ours { world, fates, board, born, frame } = &mut self.ours;
        let now = Now { number: *frame, fates, board };
        self.seen.reserve(world.len());
        world.values().for_each(|body| {
            self.seen.push(body.0.look(|target| Some(world.get(target)?.0.power)));
        });
        let (mut live, spawner) = world.split();
        let mut seen = self.seen.drain(..);
        live.for_each_mut(|body, others| {
            let Some(seen) = seen.next() else { return };
            let deeds = body.0.step(seen, &now);
            if let Some(child) = deeds.child {
                born.push((child.place, spawner.spawn(Body(child))));
            }
            if deeds.dies {
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
        let now = Now { number: self.frame, fates: &self.fates, board: &self.board };
        let (mut live, spawner) = self.world.split();
        live.for_each_mut(|body, others| {
            let seen = body.0.look(|target| Some(others.get(target)?.0.power));
            let deeds = body.0.step(seen, &now);
            if let Some(child) = deeds.child {
                self.born.push((child.place, spawner.spawn(Body(child))));
            }
            if deeds.dies {
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
