//! A frame in which every entity reads two others and changes itself, and some are spawned and
//! despawned.

use anyhow::{Result, ensure};

use super::bevy::Bevy;
use super::hecs::Hecs;
use super::slotmap::{ByKey, TwoPasses};
use super::unit::PERIOD;
use super::world::{Ours, OursInTwoPasses};
use crate::cells::count_label;
use crate::clock::repeated;
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::run::order;
use crate::stats::{Ratio, median};

/// A container of entities, and how to run a frame with it.
pub trait Frames {
    fn frame(&mut self);
    /// Returns the number of entities, and a sum over all that does not depend on their order.
    fn checksum(&mut self) -> (usize, u64);
}

type Make = fn(usize) -> Box<dyn Frames>;

/// The first [`OURS`] ways are those of Tenure. Each is compared with all others.
const WAYS: [(&str, Make); 6] = [
    ("World", |count| Box::new(Ours::new(count))),
    ("World, two passes", |count| Box::new(OursInTwoPasses::new(count))),
    ("SlotMap, two passes", |count| Box::new(TwoPasses::new(count))),
    ("SlotMap, by key", |count| Box::new(ByKey::new(count))),
    ("hecs", |count| Box::new(Hecs::new(count))),
    ("bevy_ecs", |count| Box::new(Bevy::new(count))),
];

const OURS: usize = 2;

/// The number of entities for which there is a target.
const COUNT: usize = 100_000;
/// The periods of warm-up: every entity has been replaced, and slots have been reused, before
/// timing starts.
const WARM_UP: u32 = 3;

pub fn sheet(quick: bool, rounds: usize) -> Result<Sheet> {
    let counts: &[usize] = if quick { &[1_000, 10_000] } else { &[1_000, 10_000, COUNT] };
    let most = counts[counts.len() - 1];
    let mut sheet = Sheet {
        title: "A frame that spawns 5 % and despawns 5 %",
        about: format!(
            "In every frame each entity of 64 bytes resolves two handles, some of them stale, and changes itself depending on \
             what it has read; one in {PERIOD} is despawned and one in {PERIOD} is spawned. World does this in one pass and, \
             like the others, in two. The others cannot read an entity while another is borrowed mutably: in two passes, the \
             first one stores what it reads; by key, every entity is looked up twice. SlotMap uses two lists of spawns and \
             despawns for the end of the frame, hecs its CommandBuffer, bevy_ecs its Commands. Before timing starts, all \
             must have the same checksum. Medians of {rounds} interleaved rounds; nanoseconds per entity and frame. \
             Ratio: World over the other; the target is for {} entities.",
            count_label(COUNT)
        ),
        ..Sheet::default()
    };
    let mut rows = Vec::new();
    for &count in counts {
        let figures = measure(count, steps(quick) / count, rounds)?;
        rows.push(Row::new(count_label(count), figures.iter().map(|rounds| Some(median(rounds))).collect()));
        if count == most {
            sheet.findings.extend(findings(count, &figures));
        }
    }
    let header: Vec<&str> = ["entities"].into_iter().chain(WAYS.map(|way| way.0)).collect();
    sheet.grids.push(Grid::new(&header, rows));
    Ok(sheet)
}

/// Returns the number of steps, of all entities together, in one timing.
fn steps(quick: bool) -> usize {
    if quick { 200_000 } else { 2_000_000 }
}

fn findings(count: usize, figures: &[Vec<f64>]) -> impl Iterator<Item = Finding> {
    let against = move |ours: usize, theirs: usize| {
        let ratio = Ratio::of_rounds(&ratios(&figures[ours], &figures[theirs]));
        let [(ours, _), (theirs, _)] = [WAYS[ours], WAYS[theirs]];
        Finding::new(format!("{} entities: {ours} over {theirs}", count_label(count)), ratio, Bound::AtMost(1.0))
    };
    (0..OURS).flat_map(move |ours| (OURS..WAYS.len()).map(move |theirs| against(ours, theirs)))
}

/// Runs `frames` frames of each way in every round, after a warm-up and a check that all ways have
/// the same checksum.
fn measure(count: usize, frames: usize, rounds: usize) -> Result<Vec<Vec<f64>>> {
    let mut worlds = WAYS.map(|(_, make)| make(count));
    for world in &mut worlds {
        (0..WARM_UP * PERIOD).for_each(|_| world.frame());
    }
    ensure_same(&mut worlds, count)?;
    let mut figures = vec![Vec::new(); worlds.len()];
    for round in 0..rounds {
        for way in order(worlds.len(), round) {
            figures[way].push(repeated(count * frames, || (0..frames).for_each(|_| worlds[way].frame())));
        }
    }
    Ok(figures)
}

fn ensure_same(worlds: &mut [Box<dyn Frames>], count: usize) -> Result<()> {
    let expected = (count, worlds[0].checksum().1);
    for (world, (name, _)) in worlds.iter_mut().zip(WAYS) {
        let found = world.checksum();
        ensure!(found == expected, "{name} has another result than World: {found:?} instead of {expected:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are comparable only for the same work.
    #[test]
    fn all_ways_have_the_same_checksum() {
        let mut worlds = WAYS.map(|(_, make)| make(200));
        let start = worlds[0].checksum();
        for _ in 0..PERIOD * 10 {
            worlds.iter_mut().for_each(|world| world.frame());
            ensure_same(&mut worlds, 200).unwrap();
        }
        assert_ne!(worlds[0].checksum(), start);
    }
}
