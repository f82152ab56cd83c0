//! The memory that `shrink_to_fit` frees after nearly all values were removed.

use tenure::{Pool, StablePool};

use crate::cells::{MILLION, count_label};
use crate::contender::Contender;
use crate::memory::{live, watch};
use crate::plan::Plan;
use crate::report::sheet::{Grid, Row, Sheet};
use crate::value::{Bytes8, Bytes64, Value};

/// One in this many values is left.
const ONE_IN: usize = 100;

trait Shrink<T: Value>: Contender<T> {
    fn shrink(&mut self);
}

impl<T: Value> Shrink<T> for Pool<T> {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

impl<T: Value> Shrink<T> for StablePool<T> {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

/// Returns for each value whether it is left.
type Survivors = fn(&Plan) -> Vec<bool>;

fn random(plan: &Plan) -> Vec<bool> {
    plan.alive(plan.count / ONE_IN)
}

fn lowest(plan: &Plan) -> Vec<bool> {
    (0..plan.count).map(|i| i < plan.count / ONE_IN).collect()
}

/// Returns the bytes of the heap before and after shrinking.
fn shrink<C: Shrink<T>, T: Value>(plan: &Plan, survivors: Survivors) -> (usize, usize) {
    let alive = survivors(plan);
    let mut handles = Vec::with_capacity(plan.count);
    let mut bytes = (0, 0);
    watch(|| {
        let mut c = C::new();
        handles.extend((0..plan.count).map(|i| c.insert(T::new(i))));
        for &i in &plan.shuffle {
            if !alive[i as usize] {
                c.remove(handles[i as usize]);
            }
        }
        bytes.0 = live();
        c.shrink();
        bytes.1 = live();
        c
    });
    bytes
}

fn row<C: Shrink<T>, T: Value>(name: &str, plan: &Plan) -> Row {
    let (before, scattered) = shrink::<C, T>(plan, random);
    let (_, gathered) = shrink::<C, T>(plan, lowest);
    let share = |after: usize| Some(100.0 * (before - after) as f64 / before as f64);
    let megabytes = |bytes: usize| Some(bytes as f64 / 1e6);
    let figures =
        vec![megabytes(before), megabytes(scattered), share(scattered), megabytes(gathered), share(gathered)];
    Row::new(format!("{name}, {} bytes", size_of::<T>()), figures)
}

pub fn sheet(quick: bool) -> Sheet {
    let plan = Plan::new(if quick { 10_000 } else { MILLION });
    let rows = vec![
        row::<Pool<Bytes8>, Bytes8>("Pool", &plan),
        row::<StablePool<Bytes8>, Bytes8>("StablePool", &plan),
        row::<Pool<Bytes64>, Bytes64>("Pool", &plan),
        row::<StablePool<Bytes64>, Bytes64>("StablePool", &plan),
    ];
    let header = ["MB", "grown", "random 1 % left", "freed, %", "lowest 1 % left", "freed, %"];
    Sheet {
        title: "Shrinking after 99 % were removed",
        about: format!(
            "Inserts {} values one by one, removes 99 % in random order, and calls `shrink_to_fit`. Megabytes of the heap.",
            count_label(plan.count)
        ),
        grids: vec![Grid::new(&header, rows)],
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_hundred_is_left() {
        let plan = Plan::new(1_000);
        for survivors in [random as Survivors, lowest] {
            assert_eq!(survivors(&plan).iter().filter(|alive| **alive).count(), 10);
        }
        assert!(lowest(&plan)[9] && !lowest(&plan)[10]);
    }
}
