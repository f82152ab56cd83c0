//! `key_type!` in a crate that forbids `unsafe`, with every feature of tenure.
#![forbid(unsafe_code)]

use tenure::{Compact, Pool, key_type};

key_type! {
    struct PlainKey;
    struct CompactKey: Enemy, Compact;
}

#[test]
fn a_crate_that_forbids_unsafe_code_can_define_keys() {
    let mut pool: Pool<u32, PlainKey> = Pool::EMPTY;
    let key = pool.insert(7);
    assert_eq!(bytemuck::cast::<_, u64>(key), key.to_bits());
    let mut small: Pool<u32, CompactKey> = Pool::EMPTY;
    assert_eq!(small.insert(7).to_string(), "Enemy(0v1)");
}
