//! The frame with hecs and its `CommandBuffer`. As with `SlotMap`, one walk looks and a second one
//! changes.

use hecs::{CommandBuffer, Entity, World};

use super::frame::Frames;
use super::unit::{Fates, Now, Seen, Unit};

type Body = Unit<Entity>;

pub struct Hecs {
    world: World,
    commands: CommandBuffer,
    fates: Fates,
    board: Vec<Entity>,
    born: Vec<(u32, Entity)>,
    seen: Vec<Seen>,
    frame: u32,
}

impl Hecs {
    pub fn new(count: usize) -> Self {
        let (mut world, fates) = (World::new(), Fates::new(count));
        let units = (0..count).map(|place| (Unit::first(place, Entity::DANGLING, &fates),));
        let board: Vec<_> = world.spawn_batch(units).collect();
        world.query_mut::<&mut Body>().into_iter().for_each(|unit| unit.aim(&board));
        let commands = CommandBuffer::new();
        Hecs { world, commands, fates, board, born: Vec::new(), seen: Vec::new(), frame: 0 }
    }
}

impl Frames for Hecs {
    /// Newborns go on the board, so their handles are reserved; `CommandBuffer::spawn` would not
    /// give them.
    #[inline(never)]
    fn frame(&mut self) {
        let now = Now { number: self.frame, fates: &self.fates, board: &self.board };
        let view = self.world.view::<&Body>();
        let look = |unit: &Body| unit.look(|target| Some(view.get(target)?.power));
        self.seen.extend(self.world.query::<&Body>().iter().map(look));
        drop(view);
        let mut units = self.world.query::<(Entity, &mut Body)>();
        for ((entity, unit), seen) in units.iter().zip(self.seen.drain(..)) {
            let deeds = unit.step(seen, &now);
            if let Some(child) = deeds.child {
                let newborn = self.world.reserve_entity();
                self.born.push((child.place, newborn));
                self.commands.insert_one(newborn, child);
            }
            if deeds.dies {
                self.commands.despawn(entity);
            }
        }
        drop(units);
        self.commands.run_on(&mut self.world);
        for (place, entity) in self.born.drain(..) {
            self.board[place as usize] = entity;
        }
        self.frame += 1;
    }

    fn checksum(&mut self) -> (usize, u64) {
        let mut units = self.world.query::<&Body>();
        (self.world.len() as usize, units.iter().fold(0, |sum, unit| sum.wrapping_add(unit.checksum())))
    }
}
