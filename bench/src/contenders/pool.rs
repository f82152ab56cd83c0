//! Tenure's `Pool`: the subject of the grid.

use tenure::{Handle, Pool};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    Pools = "Pool", Role::Subject, Pool<T>, handle: Handle<T>, remove: remove,
    values: |pool| pool.values(), values_mut: |pool| pool.values_mut(), discard: discard,
}
