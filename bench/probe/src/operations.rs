//! The operations. Each prepares a container and times one function that is not inlined, whose name
//! begins with `measured`: a tool that counts instructions counts these only.

use std::hint::black_box;
use std::time::Instant;

use crate::containers::Container;

/// In cache.
const COUNT: usize = 20_000;
const LARGE_COUNT: usize = 1_000;
const ROUNDS: usize = 4;

/// What the containers hold: 8 bytes where instructions are counted, 32 where time is measured, 640
/// where values are discarded.
pub trait Value {
    fn new(i: usize) -> Self;
    fn key(&self) -> u64;
}

impl<const N: usize> Value for [u64; N] {
    #[inline(always)]
    fn new(i: usize) -> Self {
        [i as u64; N]
    }
    #[inline(always)]
    fn key(&self) -> u64 {
        self[0]
    }
}

/// What a run took, and for how many operations.
pub struct Timed {
    pub nanoseconds: f64,
    pub count: usize,
}

fn timed(count: usize, work: impl FnOnce()) -> Timed {
    let start = Instant::now();
    work();
    Timed { nanoseconds: start.elapsed().as_nanos() as f64, count }
}

fn full<C: Container<V>, V: Value>(count: usize) -> (C, Vec<C::Handle>) {
    let mut map = C::with_capacity(count);
    let handles = (0..count).map(|i| map.insert(V::new(i))).collect();
    (map, handles)
}

/// A fixed random order.
fn shuffled<H: Copy>(mut items: Vec<H>) -> Vec<H> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(i, (state >> 33) as usize % (i + 1));
    }
    items
}

pub fn insert<C: Container<V>, V: Value>() -> Timed {
    let mut map = C::with_capacity(COUNT);
    timed(COUNT, || measured_insert::<C, V>(&mut map))
}

#[inline(never)]
fn measured_insert<C: Container<V>, V: Value>(map: &mut C) {
    let mut i = 0;
    while i < COUNT {
        black_box(map.insert(V::new(i)));
        i += 1;
    }
}

pub fn get<C: Container<V>, V: Value>() -> Timed {
    let (map, handles) = full::<C, V>(COUNT);
    let handles = shuffled(handles);
    timed(COUNT, || measured_get::<C, V>(&map, &handles))
}

#[inline(never)]
fn measured_get<C: Container<V>, V: Value>(map: &C, handles: &[C::Handle]) {
    let (mut sum, mut i) = (0_u64, 0);
    while i < handles.len() {
        if let Some(value) = map.get(handles[i]) {
            sum ^= value.key();
        }
        i += 1;
    }
    black_box(sum);
}

pub fn index<C: Container<V>, V: Value>() -> Timed {
    let (map, handles) = full::<C, V>(COUNT);
    let handles = shuffled(handles);
    timed(COUNT, || measured_index::<C, V>(&map, &handles))
}

#[inline(never)]
fn measured_index<C: Container<V>, V: Value>(map: &C, handles: &[C::Handle]) {
    let (mut sum, mut i) = (0_u64, 0);
    while i < handles.len() {
        sum ^= map.at(handles[i]).key();
        i += 1;
    }
    black_box(sum);
}

pub fn remove_insert<C: Container<V>, V: Value>() -> Timed {
    let (mut map, handles) = full::<C, V>(COUNT);
    let mut handles = shuffled(handles);
    timed(COUNT, || measured_remove_insert::<C, V>(&mut map, &mut handles))
}

#[inline(never)]
fn measured_remove_insert<C: Container<V>, V: Value>(map: &mut C, handles: &mut [C::Handle]) {
    let mut i = 0;
    while i < handles.len() {
        black_box(map.remove(handles[i]));
        handles[i] = map.insert(V::new(i));
        i += 1;
    }
}

pub fn quarters<C: Container<V>, V: Value>() -> Timed {
    let (mut map, handles) = full::<C, V>(COUNT);
    let mut handles = shuffled(handles);
    timed(2 * COUNT, || {
        replace_quarters::<C, V>(&mut map, &mut handles);
        replace_quarters::<C, V>(&mut map, &mut handles);
    })
}

fn replace_quarters<C: Container<V>, V: Value>(map: &mut C, handles: &mut [C::Handle]) {
    for quarter in handles.chunks_mut(COUNT / ROUNDS) {
        measured_quarter::<C, V>(map, quarter);
    }
}

#[inline(never)]
fn measured_quarter<C: Container<V>, V: Value>(map: &mut C, handles: &mut [C::Handle]) {
    let mut i = 0;
    while i < handles.len() {
        black_box(map.remove(handles[i]));
        i += 1;
    }
    i = 0;
    while i < handles.len() {
        handles[i] = map.insert(V::new(i));
        i += 1;
    }
}

pub fn remove_in_order<C: Container<V>, V: Value>() -> Timed {
    let (mut map, handles) = full::<C, V>(COUNT);
    timed(COUNT, || measured_remove::<C, V>(&mut map, &handles))
}

#[inline(never)]
fn measured_remove<C: Container<V>, V: Value>(map: &mut C, handles: &[C::Handle]) {
    let mut i = 0;
    while i < handles.len() {
        black_box(map.remove(handles[i]));
        i += 1;
    }
}

pub fn iterate_for<C: Container<V>, V: Value>() -> Timed {
    let (map, _) = full::<C, V>(COUNT);
    timed(COUNT, || measured_for::<C, V>(&map))
}

#[inline(never)]
fn measured_for<C: Container<V>, V: Value>(map: &C) {
    let mut sum = 0_u64;
    map.visit(|value| sum ^= value.key());
    black_box(sum);
}

pub fn iterate_fold<C: Container<V>, V: Value>() -> Timed {
    let (map, _) = full::<C, V>(COUNT);
    timed(COUNT, || measured_fold::<C, V>(&map))
}

#[inline(never)]
fn measured_fold<C: Container<V>, V: Value>(map: &C) {
    let mut sum = 0_u64;
    map.fold(|value| sum ^= value.key());
    black_box(sum);
}

pub fn discard<C: Container<V>, V: Value>() -> Timed {
    let (mut map, handles) = full::<C, V>(LARGE_COUNT);
    timed(LARGE_COUNT, || measured_discard::<C, V>(&mut map, &handles))
}

#[inline(never)]
fn measured_discard<C: Container<V>, V: Value>(map: &mut C, handles: &[C::Handle]) {
    let mut i = 0;
    while i < handles.len() {
        map.discard(handles[i]);
        i += 1;
    }
}

pub fn drop_removed<C: Container<V>, V: Value>() -> Timed {
    let (mut map, handles) = full::<C, V>(LARGE_COUNT);
    timed(LARGE_COUNT, || measured_drop_removed::<C, V>(&mut map, &handles))
}

#[inline(never)]
fn measured_drop_removed<C: Container<V>, V: Value>(map: &mut C, handles: &[C::Handle]) {
    let mut i = 0;
    while i < handles.len() {
        drop(map.remove(handles[i]));
        i += 1;
    }
}
