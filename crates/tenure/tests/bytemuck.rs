//! Handles as bytes. Needs the feature `bytemuck`.
#![cfg(feature = "bytemuck")]

use bytemuck::checked::{CheckedCastError, try_cast, try_cast_slice};
use bytemuck::{Zeroable, bytes_of, cast_slice};
use tenure::{Compact, Handle, Pool};

struct Enemy;

#[test]
fn a_slice_of_handles_is_a_slice_of_bytes() {
    let mut pool: Pool<(), Handle<Enemy, Compact>> = Pool::default();
    let handles: Vec<Handle<Enemy, Compact>> = (0..3).map(|_| pool.insert(())).collect();
    let words: &[u32] = cast_slice(&handles);
    assert_eq!(words, handles.iter().map(|handle| handle.to_bits()).collect::<Vec<_>>());
    assert_eq!(bytes_of(&handles[1]), handles[1].to_bits().to_ne_bytes());
    let back: &[Handle<Enemy, Compact>] = try_cast_slice(words).unwrap();
    assert_eq!(back, handles);
}

#[test]
fn none_is_zero() {
    let none = Option::<Handle<Enemy>>::zeroed();
    assert_eq!(none, None);
}

#[test]
fn nil_round_trips_as_bytes() {
    let bits: u64 = bytemuck::cast(Handle::<Enemy>::NIL);
    assert_eq!(bits, u64::MAX);
    assert_eq!(try_cast::<u64, Handle<Enemy>>(bits), Ok(Handle::NIL));
}

/// A handle with an even generation would match a vacant slot, whose payload is uninitialised.
#[test]
fn bit_patterns_of_no_handle_are_rejected() {
    for bits in [0, 2, 1 << 32, u64::MAX - 1, u64::MAX - 2, 0xFFFF_FFFF_0000_0001] {
        let refused = try_cast::<u64, Handle<Enemy>>(bits);
        assert_eq!(refused, Err(CheckedCastError::InvalidBitPattern), "{bits:#x}");
    }
    assert!(try_cast::<u64, Handle<Enemy>>(1).is_ok());
    assert!(try_cast::<u32, Handle<Enemy, Compact>>(0xFFFF_F001).is_err());
}
