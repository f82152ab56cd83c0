//! Tenure's `DensePool`: the subject of the grid of `--tables`.

use tenure::{DensePool, Handle, Table};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    DensePools = "DensePool", Role::Subject, DensePool<T>, get: DensePool<T>, others: Table<T, Handle<T>, Vec<T>>,
    handle: Handle<T>, remove: remove,
    values: |pool| pool.values(), values_mut: |pool| pool.values_mut(),
}
