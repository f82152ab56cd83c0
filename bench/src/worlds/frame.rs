//! One frame, in all ways: everybody looks at two others and changes, some are born and some die.

use anyhow::{Result, ensure};

use super::bevy::Bevy;
use super::hecs::Hecs;
use super::slotmap::{ByKey, TwoPasses};
use super::unit::SEASON;
use super::world::{Ours, OursInTwoPasses};
use crate::cells::count_label;
use crate::clock::repeated;
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::run::order;
use crate::stats::{Ratio, median};

/// Entities that live through frames.
pub trait Frames {
    fn frame(&mut self);
    /// How many there are, and a sum over all that does not depend on their order.
    fn checksum(&mut self) -> (usize, u64);
}

type Make = fn(usize) -> Box<dyn Frames>;

/// The first ones are ours, and are compared with all that follow.
const WAYS: [(&str, Make); 6] = [
    ("World", |count| Box::new(Ours::new(count))),
    ("World, two passes", |count| Box::new(OursInTwoPasses::new(count))),
    ("SlotMap, two passes", |count| Box::new(TwoPasses::new(count))),
    ("SlotMap, by key", |count| Box::new(ByKey::new(count))),
    ("hecs", |count| Box::new(Hecs::new(count))),
    ("bevy_ecs", |count| Box::new(Bevy::new(count))),
];

const OURS: usize = 2;

/// The number of entities that the target is for.
const COUNT: usize = 100_000;
/// So many seasons pass before anything is timed, so that slots have been used again, and everybody
/// was replaced.
const SEASONS_BEFORE: u32 = 3;

pub fn sheet(quick: bool, rounds: usize) -> Result<Sheet> {
    let counts: &[usize] = if quick { &[1_000, 10_000] } else { &[1_000, 10_000, COUNT] };
    let most = counts[counts.len() - 1];
    let mut sheet = Sheet {
        title: "A frame in which 5 % are born and 5 % die",
        about: format!(
            "Frames in which every entity of 64 bytes resolves two handles, some of them stale, and changes by what it has seen; one in \
             {SEASON} dies and one in {SEASON} is born. World does it in one walk, and, as the others must, in two. They cannot look at others \
             while one is changed: in two passes, the first notes what it sees; by key, every value is looked up twice. \
             SlotMap has two lists of births and deaths for the end of the frame, hecs its CommandBuffer, bevy_ecs its \
             Commands. Before anything is timed, all have come to the same checksum. Medians of {rounds} interleaved rounds; nanoseconds per entity and \
             frame. Ratio: World over the other; the target is for {} entities.",
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

/// How many entities take a step in one timing.
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

/// So many frames of each in every round, after some in which all must have come to the same.
fn measure(count: usize, frames: usize, rounds: usize) -> Result<Vec<Vec<f64>>> {
    let mut worlds = WAYS.map(|(_, make)| make(count));
    for world in &mut worlds {
        (0..SEASONS_BEFORE * SEASON).for_each(|_| world.frame());
    }
    ensure_same(&mut worlds, count)?;
    let mut figures = vec![Vec::new(); worlds.len()];
    for round in 0..rounds {
        for who in order(worlds.len(), round) {
            figures[who].push(repeated(count * frames, || (0..frames).for_each(|_| worlds[who].frame())));
        }
    }
    Ok(figures)
}

fn ensure_same(worlds: &mut [Box<dyn Frames>], count: usize) -> Result<()> {
    let expected = (count, worlds[0].checksum().1);
    for (world, (name, _)) in worlds.iter_mut().zip(WAYS) {
        let found = world.checksum();
        ensure!(found == expected, "{name} has done something else: {found:?}, not {expected:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All must do the same, or their times mean nothing.
    #[test]
    fn all_come_to_the_same() {
        let mut worlds = WAYS.map(|(_, make)| make(200));
        let start = worlds[0].checksum();
        for _ in 0..SEASON * 10 {
            worlds.iter_mut().for_each(|world| world.frame());
            ensure_same(&mut worlds, 200).unwrap();
        }
        assert_ne!(worlds[0].checksum(), start);
    }
}
