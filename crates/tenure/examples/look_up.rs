//! Lookups as functions of their own, so that `.ci/codegen` can count their instructions.

use std::hint::black_box;

use tenure::{Compact, Handle, Pool, Tagged};

// Values of different sizes: functions that compile to the same code would be merged into one.

#[inline(never)]
fn get_wide(pool: &Pool<u64>, handle: Handle<u64>) -> Option<&u64> {
    pool.get(handle)
}

#[inline(never)]
fn get_mut_wide(pool: &mut Pool<[u64; 3]>, handle: Handle<[u64; 3]>) -> Option<&mut [u64; 3]> {
    pool.get_mut(handle)
}

#[inline(never)]
fn get_compact(pool: &Pool<u64, Handle<u64, Compact>>, handle: Handle<u64, Compact>) -> Option<&u64> {
    pool.get(handle)
}

#[inline(never)]
fn get_tagged(pool: &Pool<u32, Handle<u32, Tagged<8>>>, handle: Handle<u32, Tagged<8>>) -> Option<&u32> {
    pool.get(handle)
}

fn main() {
    let (mut wide, mut large) = (Pool::new(), Pool::new());
    let mut compact: Pool<u64, Handle<u64, Compact>> = Pool::default();
    let mut tagged: Pool<u32, Handle<u32, Tagged<8>>> = Pool::with_tag(7);
    let (one, two, three, four) = (wide.insert(1), compact.insert(2), tagged.insert(3), large.insert([4; 3]));
    println!("{:?}", get_mut_wide(black_box(&mut large), black_box(four)));
    println!("{:?}", get_wide(black_box(&wide), black_box(one)));
    println!("{:?}", get_compact(black_box(&compact), black_box(two)));
    println!("{:?}", get_tagged(black_box(&tagged), black_box(three)));
}
