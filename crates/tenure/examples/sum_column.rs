//! Sums of one column as functions of their own, so that `.ci/codegen` can compare their
//! instructions.

use std::hint::black_box;

use tenure::{DensePool, Row, Table};

#[derive(Clone, Row)]
struct Body {
    position: [f32; 3],
    energy: f32,
}

#[inline(never)]
#[expect(clippy::ptr_arg, reason = "the other functions take a container, too")]
fn sum_vec(column: &Vec<f32>) -> f32 {
    column.iter().sum()
}

#[inline(never)]
fn sum_table(table: &Table<Body>) -> f32 {
    table.columns().energy.iter().sum()
}

#[inline(never)]
fn sum_dense_pool(pool: &DensePool<f32>) -> f32 {
    pool.values().sum()
}

/// Another loop on purpose: every handle is looked up. The comparison must find the difference.
#[inline(never)]
fn sum_by_handle(pool: &DensePool<f32>) -> f32 {
    pool.handles().map(|handle| pool[handle]).sum()
}

fn main() {
    let body = |energy: f32| Body { position: [0.0; 3], energy };
    let column: Vec<f32> = (0_u8..100).map(f32::from).collect();
    let table: Table<Body> = column.iter().copied().map(body).collect();
    let pool: DensePool<f32> = column.iter().copied().collect();
    println!("{} {}", call(sum_vec, &column), call(sum_table, &table));
    println!("{} {}", call(sum_dense_pool, &pool), call(sum_by_handle, &pool));
}

/// Through a pointer: a function that is called directly may get pointer and length instead of the
/// container, and be merged with another.
fn call<C>(sum: fn(&C) -> f32, container: &C) -> f32 {
    black_box(sum)(container)
}
