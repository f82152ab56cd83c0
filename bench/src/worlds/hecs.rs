//! The frame with hecs and its `CommandBuffer`. As with `SlotMap`, a first pass reads and a second
//! one changes the entities.

use hecs::{CommandBuffer, Entity, World};

use super::frame::Frames;
use super::unit::{Now, Schedule, Seen, Unit};

type Body = Unit<Entity>;

pub struct Hecs {
    world: World,
    commands: CommandBuffer,
    schedule: Schedule,
    board: Vec<Entity>,
    spawned: Vec<(u32, Entity)>,
    seen: Vec<Seen>,
    frame: u32,
}

impl Hecs {
    pub fn new(count: usize) -> Self {
        let (mut world, schedule) = (World::new(), Schedule::new(count));
        let units = (0..count).map(|place| (Unit::first(place, Entity::DANGLING, &schedule),));
        let board: Vec<_> = world.spawn_batch(units).collect();
        world.query_mut::<&mut Body>().into_iter().for_each(|unit| unit.aim(&board));
        let commands = CommandBuffer::new();
        Hecs { world, commands, schedule, board, spawned: Vec::new(), seen: Vec::new(), frame: 0 }
    }
}

impl Frames for Hecs {
    /// Spawned entities are put on the board, so their handles are reserved:
    /// `CommandBuffer::spawn` does not return one.
    #[inline(never)]
    fn frame(&mut self) {
        let now = Now { number: self.frame, schedule: &self.schedule, board: &self.board };
        let view = self.world.view::<&Body>();
        let look = |unit: &Body| unit.look(|target| Some(view.get(target)?.power));
        self.seen.extend(self.world.query::<&Body>().iter().map(look));
        drop(view);
        let mut units = self.world.query::<(Entity, &mut Body)>();
        for ((entity, unit), seen) in units.iter().zip(self.seen.drain(..)) {
            let outcome = unit.step(seen, &now);
            if let Some(child) = outcome.child {
                let entity = self.world.reserve_entity();
                self.spawned.push((child.place, entity));
                self.commands.insert_one(entity, child);
            }
            if outcome.despawns {
                self.commands.despawn(entity);
            }
        }
        drop(units);
        self.commands.run_on(&mut self.world);
        for (place, entity) in self.spawned.drain(..) {
            self.board[place as usize] = entity;
        }
        self.frame += 1;
    }

    fn checksum(&mut self) -> (usize, u64) {
        let mut units = self.world.query::<&Body>();
        (self.world.len() as usize, units.iter().fold(0, |sum, unit| sum.wrapping_add(unit.checksum())))
    }
}
