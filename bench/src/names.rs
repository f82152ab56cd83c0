//! `Pool<()>`, which allocates handles without values, against an allocator written by hand:
//! `cargo versus --names`.

use std::fmt::Write;
use std::hint::black_box;

use tenure::{Handle, Pool};

use crate::cells::count_label;
use crate::clock::{prepared, repeated};
use crate::memory::watch;
use crate::plan::Plan;
use crate::stats::{Ratio, median};

/// An allocator of handles without values.
trait Names {
    const LABEL: &'static str;
    type Name: Copy;

    fn with_capacity(count: usize) -> Self;
    fn issue(&mut self) -> Self::Name;
    fn release(&mut self, name: Self::Name) -> bool;
    fn is_live(&self, name: Self::Name) -> bool;
}

impl Names for Pool<()> {
    const LABEL: &'static str = "Pool<()>";
    type Name = Handle<()>;

    fn with_capacity(count: usize) -> Self {
        Pool::with_capacity(count)
    }
    #[inline]
    fn issue(&mut self) -> Handle<()> {
        self.insert(())
    }
    #[inline]
    fn release(&mut self, name: Handle<()>) -> bool {
        self.remove(name).is_some()
    }
    #[inline]
    fn is_live(&self, name: Handle<()>) -> bool {
        self.contains(name)
    }
}

/// The minimal implementation: generations and a stack of free indices. Generations wrap around,
/// the handles cannot be iterated, and a given handle cannot be issued on request.
struct ByHand {
    generations: Vec<u32>,
    free: Vec<u32>,
}

impl Names for ByHand {
    const LABEL: &'static str = "by hand";
    type Name = (u32, u32);

    fn with_capacity(count: usize) -> Self {
        Self { generations: Vec::with_capacity(count), free: Vec::with_capacity(count) }
    }
    #[inline]
    fn issue(&mut self) -> (u32, u32) {
        if let Some(index) = self.free.pop() {
            let generation = &mut self.generations[index as usize];
            *generation = generation.wrapping_add(1);
            return (index, *generation);
        }
        self.generations.push(1);
        (self.generations.len() as u32 - 1, 1)
    }
    #[inline]
    fn release(&mut self, (index, generation): (u32, u32)) -> bool {
        match self.generations.get_mut(index as usize) {
            Some(current) if *current == generation => {
                *current = current.wrapping_add(1);
                self.free.push(index);
                true
            }
            _ => false,
        }
    }
    #[inline]
    fn is_live(&self, (index, generation): (u32, u32)) -> bool {
        self.generations.get(index as usize) == Some(&generation)
    }
}

/// Measures both allocators in interleaved rounds and returns a table.
pub fn report(rounds: usize) -> String {
    let mut text = format!("Handles without values: Pool<()> against an allocator by hand, {rounds} rounds\n");
    for count in [1_000, 1_000_000] {
        let plan = Plan::new(count);
        line(&mut text, "issue, reserved", &plan, rounds, issue::<Pool<()>>, issue::<ByHand>);
        line(&mut text, "release and issue", &plan, rounds, reuse::<Pool<()>>, reuse::<ByHand>);
        line(&mut text, "check at random", &plan, rounds, check::<Pool<()>>, check::<ByHand>);
    }
    let count = 1_000_000;
    let (pool, hand) = (bytes::<Pool<()>>(count), bytes::<ByHand>(count));
    let _ = writeln!(
        text,
        "  {:<18} {:>4} {:>9} {pool:>6.2}  {:>8} {hand:>6.2}",
        "bytes per handle",
        count_label(count),
        Pool::<()>::LABEL,
        ByHand::LABEL
    );
    text
}

type Measure = fn(&Plan) -> f64;

fn line(text: &mut String, what: &str, plan: &Plan, rounds: usize, pool: Measure, hand: Measure) {
    let pairs: Vec<(f64, f64)> = (0..rounds)
        .map(|round| if round % 2 == 0 { (pool(plan), hand(plan)) } else { swap(hand(plan), pool(plan)) })
        .collect();
    let ratios: Vec<f64> = pairs.iter().map(|(pool, hand)| hand / pool).collect();
    let (pool, hand): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let ratio = Ratio::of_rounds(&ratios);
    let _ = writeln!(
        text,
        "  {what:<18} {:>4} {:>9} {:>6.2}  {:>8} {:>6.2} ns  {:.2}× ({:.2}–{:.2})",
        count_label(plan.count),
        Pool::<()>::LABEL,
        median(&pool),
        ByHand::LABEL,
        median(&hand),
        ratio.middle,
        ratio.low,
        ratio.high,
    );
}

fn swap(hand: f64, pool: f64) -> (f64, f64) {
    (pool, hand)
}

#[inline(never)]
fn issue<N: Names>(plan: &Plan) -> f64 {
    prepared(
        plan.count,
        || N::with_capacity(plan.count),
        |names| {
            for _ in 0..plan.count {
                black_box(names.issue());
            }
        },
    )
}

#[inline(never)]
fn reuse<N: Names>(plan: &Plan) -> f64 {
    let (mut names, issued) = full::<N>(plan.count);
    let mut issued = plan.shuffled(&issued);
    repeated(plan.count, || {
        for name in &mut issued {
            black_box(names.release(*name));
            *name = names.issue();
        }
    })
}

#[inline(never)]
fn check<N: Names>(plan: &Plan) -> f64 {
    let (names, issued) = full::<N>(plan.count);
    let issued = plan.shuffled(&issued);
    repeated(plan.count, || {
        black_box(issued.iter().filter(|&&name| black_box(&names).is_live(name)).count());
    })
}

fn bytes<N: Names>(count: usize) -> f64 {
    let full = || {
        let mut names = N::with_capacity(count);
        for _ in 0..count {
            black_box(names.issue());
        }
        names
    };
    watch(full).live as f64 / count as f64
}

fn full<N: Names>(count: usize) -> (N, Vec<N::Name>) {
    let mut names = N::with_capacity(count);
    let issued = (0..count).map(|_| names.issue()).collect();
    (names, issued)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn works<N: Names>() {
        let (mut names, issued) = full::<N>(100);
        assert!(issued.iter().all(|&name| names.is_live(name)));
        assert!(names.release(issued[7]) && !names.release(issued[7]));
        let again = names.issue();
        assert!(names.is_live(again) && !names.is_live(issued[7]));
    }

    #[test]
    fn both_work() {
        works::<Pool<()>>();
        works::<ByHand>();
    }
}
