//! The frame with `bevy_ecs` and its `Commands`, as a system. As with hecs, a first pass reads and
//! a second one changes the entities.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemId;

use super::frame::Frames;
use super::unit::{Now, Schedule, Seen, Unit};

#[derive(Component)]
struct Body(Unit<Entity>);

#[derive(Resource)]
struct Board {
    schedule: Schedule,
    board: Vec<Entity>,
    spawned: Vec<(u32, Entity)>,
    seen: Vec<Seen>,
    frame: u32,
}

pub struct Bevy {
    world: World,
    frame: SystemId,
}

impl Bevy {
    pub fn new(count: usize) -> Self {
        let (mut world, schedule) = (World::new(), Schedule::new(count));
        let units: Vec<_> =
            (0..count).map(|place| Body(Unit::first(place, Entity::PLACEHOLDER, &schedule))).collect();
        let board: Vec<_> = world.spawn_batch(units).collect();
        world.query::<&mut Body>().iter_mut(&mut world).for_each(|mut body| body.0.aim(&board));
        world.insert_resource(Board { schedule, board, spawned: Vec::new(), seen: Vec::new(), frame: 0 });
        let frame = world.register_system(frame);
        Bevy { world, frame }
    }
}

fn frame(mut bodies: Query<(Entity, &mut Body)>, mut commands: Commands, mut resource: ResMut<Board>) {
    let Board { schedule, board, spawned, seen, frame } = &mut *resource;
    for (place, entity) in spawned.drain(..) {
        board[place as usize] = entity;
    }
    let now = Now { number: *frame, schedule, board };
    let look = |body: &Body| body.0.look(|target| Some(bodies.get(target).ok()?.1.0.power));
    seen.extend(bodies.iter().map(|(_, body)| look(body)));
    for ((entity, mut body), seen) in bodies.iter_mut().zip(seen.drain(..)) {
        let outcome = body.0.step(seen, &now);
        if let Some(child) = outcome.child {
            spawned.push((child.place, commands.spawn(Body(child)).id()));
        }
        if outcome.despawns {
            commands.entity(entity).despawn();
        }
    }
    *frame += 1;
}

impl Frames for Bevy {
    /// Runs the system. Its commands are applied afterwards.
    #[inline(never)]
    fn frame(&mut self) {
        self.world.run_system(self.frame).expect("the system is registered");
    }

    fn checksum(&mut self) -> (usize, u64) {
        let mut bodies = self.world.query::<&Body>();
        let sums = bodies.iter(&self.world).map(|body| body.0.checksum());
        sums.fold((0, 0), |(count, sum), one| (count + 1, sum.wrapping_add(one)))
    }
}
