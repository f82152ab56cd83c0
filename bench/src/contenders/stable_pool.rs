//! Tenure's `StablePool`: with `--memory` only.

use tenure::{Handle, StablePool};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    StablePools = "StablePool", Role::Shown, StablePool<T>, handle: Handle<T>, remove: remove,
    values: |pool| pool.values(), values_mut: |pool| pool.values_mut(),
}
