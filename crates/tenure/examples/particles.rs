//! Particles in a box, in columns: a million rows that are sorted by their cell every 30 frames.
//!
//! Sorting brings neighbours together in memory. Some particles have a partner, by its handle, and
//! a list next to the table has a value per row: both stay correct through every sort and every
//! removal, and are checked.
//!
//! ```text
//! cargo run --release -p tenure --features derive --example particles
//! ```

use std::time::{Duration, Instant};

use tenure::{Handle, Row, Table};

/// Fields that are used together are one column.
#[derive(Clone, Copy, Debug)]
struct Vec2 {
    x: f32,
    y: f32,
}

#[derive(Row)]
struct Particle {
    position: Vec2,
    velocity: Vec2,
    cell: u32,
    /// Never changes: references are checked against it.
    number: u32,
    partner: Option<Handle<Particle>>,
    partner_number: u32,
}

/// Cells along one side of the box.
const CELLS: u32 = 256;
const SORT_EVERY: u32 = 30;

/// Particles, and side data by row.
#[derive(Debug)]
pub(crate) struct Simulation {
    particles: Table<Particle>,
    /// By row: the number of the particle. It follows the moves.
    numbers: Vec<u32>,
    random: u64,
}

impl Simulation {
    /// Makes `count` particles at random.
    #[must_use]
    pub(crate) fn new(count: u32) -> Self {
        let mut simulation = Self { particles: Table::with_capacity(count as usize), numbers: Vec::new(), random: 1 };
        let mut last: Option<(Handle<Particle>, u32)> = None;
        for number in 0..count {
            let (position, velocity) = (simulation.random_point(1.0), simulation.random_point(0.01));
            // The partner is a particle that was made before, if any.
            let (partner, partner_number) = last.map_or((None, 0), |(handle, number)| (Some(handle), number));
            let cell = cell_of(position);
            let particle = Particle { position, velocity, cell, number, partner, partner_number };
            let handle = simulation.particles.insert(particle);
            simulation.numbers.push(number);
            if simulation.random() < 0.3 {
                last = Some((handle, number));
            }
        }
        simulation
    }

    /// A number from 0 to 1. The same sequence in every run.
    #[allow(clippy::cast_precision_loss)]
    fn random(&mut self) -> f32 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn random_point(&mut self, size: f32) -> Vec2 {
        Vec2 { x: self.random() * size, y: self.random() * size }
    }

    /// Moves all particles: four columns as slices, without any lookup.
    fn advance(&mut self) {
        let ParticleColumnsMut { position, velocity, cell, .. } = self.particles.columns_mut();
        for ((position, velocity), cell) in position.iter_mut().zip(velocity).zip(cell) {
            bounce(&mut position.x, &mut velocity.x);
            bounce(&mut position.y, &mut velocity.y);
            *cell = cell_of(*position);
        }
    }

    /// Removes the particles in one corner, in one pass. Returns their number.
    fn vanish(&mut self) -> usize {
        let before = self.particles.len();
        self.particles.following(&mut self.numbers).retain(|_, particle| *particle.cell % CELLS > 1);
        before - self.particles.len()
    }

    fn sort_by_cell(&mut self) {
        self.particles.following(&mut self.numbers).sort_unstable_by_key(|particle| *particle.cell);
    }

    /// Checks that every partner is the one that was chosen, or dead, and that every number in the
    /// list is that of its row. Returns the number of live partners.
    ///
    /// # Panics
    ///
    /// If a partner is another particle.
    #[must_use]
    pub(crate) fn check(&self) -> usize {
        assert_eq!(self.numbers, self.particles.columns().number, "the numbers have not followed");
        let partners =
            self.particles.values().filter_map(|particle| Some(((*particle.partner)?, *particle.partner_number)));
        let mut living = 0;
        for (partner, number) in partners {
            if let Some(partner) = self.particles.get(partner) {
                assert_eq!(*partner.number, number, "a partner is another particle");
                living += 1;
            }
        }
        living
    }

    /// Runs, checks every reference after every sort and removal, and returns how long the parts
    /// took.
    ///
    /// # Panics
    ///
    /// If a reference is wrong.
    pub(crate) fn run(&mut self, frames: u32) -> [Duration; 3] {
        let mut spent = [Duration::ZERO; 3];
        for frame in 0..frames {
            spent[0] += timed(|| self.advance());
            if frame % SORT_EVERY == SORT_EVERY - 1 {
                spent[1] += timed(|| _ = self.vanish());
                let _ = self.check();
                spent[2] += timed(|| self.sort_by_cell());
                let _ = self.check();
                assert!(self.particles.columns().cell.is_sorted(), "the rows are not sorted by cell");
            }
        }
        spent
    }
}

fn bounce(position: &mut f32, velocity: &mut f32) {
    *position += *velocity;
    if !(0.0..1.0).contains(position) {
        *velocity = -*velocity;
        *position = position.clamp(0.0, 0.999_999);
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn cell_of(position: Vec2) -> u32 {
    let along = |coordinate: f32| ((coordinate * CELLS as f32) as u32).min(CELLS - 1);
    along(position.y) * CELLS + along(position.x)
}

fn timed(what: impl FnOnce()) -> Duration {
    let start = Instant::now();
    what();
    start.elapsed()
}

/// Runs a million particles for two seconds.
pub(crate) fn main() {
    let (count, frames) = (1_000_000, 120);
    println!("{count} particles, {frames} frames, sorted by cell every {SORT_EVERY} …");
    let mut simulation = Simulation::new(count);
    let [moving, vanishing, sorting] = simulation.run(frames);
    let sorts = frames / SORT_EVERY;
    println!("  {} are left, and {} of their partners are live", simulation.particles.len(), simulation.check());
    println!("  moving all:    {:>8.2?} a frame", moving / frames);
    println!("  removing some: {:>8.2?} each time", vanishing / sorts);
    println!("  sorting all:   {:>8.2?} each time", sorting / sorts);
    println!("Every reference was checked after every removal and every sort.");
}
