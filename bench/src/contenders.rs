//! The contenders. To add one: a file in `contenders/`, and a line in [`all`].

mod adapt;
mod dense_pool;
mod facade;
mod generational_arena;
mod hecs;
mod pool;
mod slab;
mod slotmap;
mod stable_pool;
mod thunderdome;
mod vec;

use crate::cells::{Cell, Size};
use crate::contender::{Family, Role};
use crate::kinds::{Growth, grow};
use crate::operation::Operation;
use crate::plan::Plan;
use crate::value::{Aligned64, Bytes4, Bytes8, Bytes24, Bytes64, Bytes256, Bytes640, Value, WithDrop};
use crate::work::{drop_full, measure};

/// A contender, without its type.
pub struct Entry {
    pub name: &'static str,
    pub role: Role,
    measure: fn(Cell, &Plan) -> Option<f64>,
    grow: fn(bool, usize) -> Growth,
}

impl Entry {
    /// Runs the cell once. Returns nanoseconds per operation, or bytes per value. `None` if the
    /// contender does not support the operation.
    pub fn measure(&self, cell: Cell, plan: &Plan) -> Option<f64> {
        (self.measure)(cell, plan)
    }

    /// Grows a container one by one to `count` values of 64 bytes, aligned to 64 if `aligned`.
    pub fn grow(&self, aligned: bool, count: usize) -> Growth {
        (self.grow)(aligned, count)
    }
}

/// Returns all contenders of the grid, in the order of the report's columns.
pub fn all() -> Vec<Entry> {
    vec![
        entry::<pool::Pools>(),
        entry::<vec::Vecs>(),
        entry::<slotmap::SlotMaps>(),
        entry::<slotmap::HopSlotMaps>(),
        entry::<thunderdome::Arenas>(),
        entry::<generational_arena::Arenas>(),
        entry::<slotmap::DenseSlotMaps>(),
        entry::<slab::Slabs>(),
    ]
}

/// Returns `DensePool` and other containers that keep their values contiguous.
pub fn dense() -> Vec<Entry> {
    vec![
        entry::<dense_pool::DensePools>(),
        entry::<vec::Vecs>(),
        Entry { role: Role::Rival, ..entry::<slotmap::DenseSlotMaps>() },
        entry::<hecs::Worlds>(),
    ]
}

/// Returns `SlotMap`, by slotmap and on Tenure.
pub fn facade() -> Vec<Entry> {
    vec![entry::<facade::SlotMaps>(), entry::<slotmap::SlotMaps>()]
}

/// Returns `DenseSlotMap`, by slotmap and on Tenure.
pub fn dense_facade() -> Vec<Entry> {
    vec![entry::<facade::DenseSlotMaps>(), Entry { role: Role::Rival, ..entry::<slotmap::DenseSlotMaps>() }]
}

/// Returns `StablePool`, and then all contenders of the grid.
pub fn with_stable_pool() -> Vec<Entry> {
    [entry::<stable_pool::StablePools>()].into_iter().chain(all()).collect()
}

fn entry<F: Family>() -> Entry {
    Entry { name: F::NAME, role: F::ROLE, measure: measure_sized::<F>, grow: grow_aligned::<F> }
}

fn grow_aligned<F: Family>(aligned: bool, count: usize) -> Growth {
    if aligned { grow::<F::Of<Aligned64>, _>(count) } else { grow::<F::Of<Bytes64>, _>(count) }
}

fn measure_sized<F: Family>(cell: Cell, plan: &Plan) -> Option<f64> {
    match cell.size {
        Size::B4 => measure_valued::<F, Bytes4>(cell.operation, plan),
        Size::B8 => measure_valued::<F, Bytes8>(cell.operation, plan),
        Size::B24 => measure_valued::<F, Bytes24>(cell.operation, plan),
        Size::B64 => measure_valued::<F, Bytes64>(cell.operation, plan),
        Size::B256 => measure_valued::<F, Bytes256>(cell.operation, plan),
        Size::B640 => measure_valued::<F, Bytes640>(cell.operation, plan),
    }
}

fn measure_valued<F: Family, T: Value>(operation: Operation, plan: &Plan) -> Option<f64> {
    if operation == Operation::Drop {
        return Some(drop_full::<F::Of<WithDrop<T>>, _>(plan));
    }
    measure::<F::Of<T>, _>(operation, plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Contender;

    /// Times are comparable only for the same work.
    fn does_the_work<F: Family>() {
        let mut c = F::Of::<u64>::with_capacity(100);
        let handles: Vec<_> = (0..100).map(|i| c.insert(i)).collect();
        assert_eq!(c.values().sum::<u64>(), 4950, "{}", F::NAME);
        let pairs: Vec<(_, u64)> = c.iter().map(|(handle, value)| (handle, *value)).collect();
        assert!(pairs.into_iter().all(|(handle, value)| c.get(handle) == Some(&value)));
        c.values_mut().for_each(|value| *value += 1);
        assert_eq!(c.get(handles[7]), Some(&8));
        if F::Of::<u64>::REMOVES {
            assert_eq!(c.remove(handles[0]), Some(1));
            assert_eq!((c.len(), c.get(handles[0])), (99, None));
            assert_eq!(c.values().sum::<u64>(), 5049);
        }
        let mut copy = c.clone();
        copy.retain(|value| *value > 50);
        assert_eq!((copy.len(), copy.values().count()), (50, 50));
        c.clear();
        assert_eq!((c.len(), c.values().count()), (0, 0));
        assert_eq!(F::Of::<u64>::new().len(), 0);
    }

    #[test]
    fn contenders_do_the_work() {
        does_the_work::<pool::Pools>();
        does_the_work::<stable_pool::StablePools>();
        does_the_work::<dense_pool::DensePools>();
        does_the_work::<hecs::Worlds>();
        does_the_work::<vec::Vecs>();
        does_the_work::<slotmap::SlotMaps>();
        does_the_work::<slotmap::HopSlotMaps>();
        does_the_work::<slotmap::DenseSlotMaps>();
        does_the_work::<facade::SlotMaps>();
        does_the_work::<facade::DenseSlotMaps>();
        does_the_work::<thunderdome::Arenas>();
        does_the_work::<generational_arena::Arenas>();
        does_the_work::<slab::Slabs>();
    }

    #[test]
    fn every_cell_runs() {
        let plan = Plan::new(1_000);
        for operation in crate::operation::ALL.into_iter().filter(|operation| operation.fits(plan.count)) {
            let cell = Cell { operation, size: Size::B8, count: plan.count };
            for entry in all().into_iter().chain(dense()).chain(facade()).chain(dense_facade()) {
                let skipped = entry.role == Role::Limit && operation.removes();
                let figure = entry.measure(cell, &plan);
                assert_eq!(figure.is_none(), skipped, "{} on {}", cell.label(), entry.name);
                assert!(figure.is_none_or(|figure| figure.is_finite() && figure >= 0.0));
            }
        }
    }

    #[test]
    fn one_subject_and_some_rivals() {
        for entries in [all(), dense(), facade(), dense_facade()] {
            let roles: Vec<Role> = entries.iter().map(|entry| entry.role).collect();
            assert_eq!(roles.iter().filter(|role| **role == Role::Subject).count(), 1);
            assert!(roles.contains(&Role::Rival));
        }
    }
}
