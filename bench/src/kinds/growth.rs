//! Grows a container one by one, and empties it in random order. Every step is timed.

use std::hint::black_box;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::blocks::Blocks;
use crate::contender::Contender;
use crate::lap::Laps;
use crate::memory::{moved, peak, watch};
use crate::plan::Plan;
use crate::value::Value;

/// The figures of one run.
#[derive(Serialize, Deserialize)]
pub struct Growth {
    pub inserts: Blocks,
    /// Empty if the container does not support removing.
    pub removes: Blocks,
    /// All inserts together, without timing each, in milliseconds.
    pub total: f64,
    /// Bytes of blocks that the allocator moved.
    pub moved: f64,
    /// Bytes of values whose address changed during an insertion.
    pub values_moved: f64,
    /// The highest heap so far divided by the bytes of the slots in use, at the end.
    pub peak: f64,
    /// The highest such ratio, from a hundredth of the values on.
    pub worst_peak: f64,
}

/// Grows a new container to `count` values.
pub fn grow<C: Contender<T>, T: Value>(count: usize) -> Growth {
    let mut growth = Growth {
        inserts: Blocks::for_steps(count),
        removes: Blocks::default(),
        total: 0.0,
        moved: 0.0,
        values_moved: 0.0,
        peak: 0.0,
        worst_peak: 0.0,
    };
    let mut handles = Vec::with_capacity(count);
    let mut full = None;
    watch(|| full = Some(filled::<C, T>(&mut growth, &mut handles)));
    if let Some(full) = full.filter(|_| C::REMOVES) {
        growth.removes = empty(full, &Plan::new(count).shuffled(&handles));
    }
    drop(handles);
    growth.total = fill::<C, T>(count);
    growth
}

/// Returns the bytes of a slot: the value, and four more bytes if the container has handles.
fn slot_bytes<C: Contender<T>, T: Value>() -> usize {
    let mark = if C::REMOVES { 4 } else { 0 };
    (size_of::<T>() + mark).next_multiple_of(align_of::<T>())
}

fn filled<C: Contender<T>, T: Value>(growth: &mut Growth, handles: &mut Vec<C::Handle>) -> C {
    let mut c = C::new();
    let mut first = None;
    let count = handles.capacity();
    let mut laps = Laps::start();
    for i in 0..count {
        let value = T::new(i);
        laps.lap();
        let handle = c.insert(value);
        growth.inserts.note(i + 1, laps.lap());
        handles.push(handle);
        // If the address of the first value changed, all values were moved: they are in one block,
        // or in blocks that never move.
        let here = c.get(handles[0]).map(std::ptr::from_ref);
        if here != first && i > 0 {
            growth.values_moved += (i * size_of::<T>()) as f64;
        }
        first = here;
        growth.peak = peak() as f64 / ((i + 1) * slot_bytes::<C, T>()) as f64;
        if i >= count / 100 {
            growth.worst_peak = growth.worst_peak.max(growth.peak);
        }
    }
    growth.moved = moved() as f64;
    c
}

fn empty<C: Contender<T>, T: Value>(mut c: C, order: &[C::Handle]) -> Blocks {
    let mut removes = Blocks::for_steps(order.len());
    let mut laps = Laps::start();
    for (i, &handle) in order.iter().enumerate() {
        laps.lap();
        let value = c.remove(handle);
        removes.note(i + 1, laps.lap());
        black_box(value);
    }
    removes
}

fn fill<C: Contender<T>, T: Value>(count: usize) -> f64 {
    let start = Instant::now();
    let mut c = C::new();
    for i in 0..count {
        black_box(c.insert(T::new(i)));
    }
    let took = start.elapsed();
    drop(black_box(c));
    took.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Aligned64, Bytes64};

    #[test]
    fn slots_have_a_mark() {
        use tenure::StablePool;
        assert_eq!(slot_bytes::<Vec<Bytes64>, Bytes64>(), 64);
        assert_eq!(slot_bytes::<StablePool<Bytes64>, Bytes64>(), 68);
        assert_eq!(slot_bytes::<StablePool<u64>, u64>(), 16);
        assert_eq!(slot_bytes::<StablePool<Aligned64>, Aligned64>(), 128);
    }
}
