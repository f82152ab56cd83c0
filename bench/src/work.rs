//! The work of every operation, generic over the contender and the value.

use std::hint::black_box;

use crate::clock::{prepared, repeated};
use crate::contender::Contender;
use crate::memory::{Usage, watch};
use crate::operation::Operation;
use crate::plan::Plan;
use crate::value::Value;

/// Runs one cell once. Returns nanoseconds per operation, or bytes per value. `None` if the
/// contender does not support the operation.
pub fn measure<C: Contender<T>, T: Value>(operation: Operation, plan: &Plan) -> Option<f64> {
    if operation.removes() && !C::REMOVES {
        return None;
    }
    let figure = match operation {
        Operation::InsertGrowing => make_and_fill::<C, T>(plan, C::new),
        Operation::InsertReserved => make_and_fill::<C, T>(plan, || C::with_capacity(plan.count)),
        Operation::GetInOrder => get::<C, T>(plan, <[_]>::to_vec),
        Operation::GetAtRandom => get::<C, T>(plan, |handles| plan.shuffled(handles)),
        Operation::IndexAtRandom => index::<C, T>(plan),
        Operation::IterateFor => iterate_for(full::<C, T>(plan)),
        Operation::IterateFold => iterate_fold(full::<C, T>(plan)),
        Operation::IterateMutable => iterate_mutable(full::<C, T>(plan)),
        Operation::IterateMutableFold => iterate_mutable_fold(full::<C, T>(plan)),
        Operation::IterateHandles => iterate_handles(full::<C, T>(plan)),
        Operation::IterateHalf
        | Operation::IterateTenth
        | Operation::IterateHundredth
        | Operation::IterateTenThousandth => iterate_sparse::<C, T>(plan, operation.survivors(plan.count)),
        Operation::ReuseOneByOne => reuse_one_by_one::<C, T>(plan),
        Operation::ReuseByQuarters => reuse_by_quarters::<C, T>(plan),
        Operation::RemoveInOrder => remove_in_order::<C, T>(plan),
        Operation::Discard => discard::<C, T>(plan),
        Operation::Refill => refill::<C, T>(plan),
        Operation::RetainHalf => retain_half::<C, T>(plan),
        Operation::Clone => clone::<C, T>(plan),
        Operation::Clear => prepared(plan.count, || full::<C, T>(plan), C::clear),
        Operation::Drop => drop_full::<C, T>(plan),
        Operation::BytesReserved => bytes_reserved::<C, T>(plan),
        Operation::BytesQuarterRemoved => bytes_quarter_removed::<C, T>(plan),
        Operation::BytesGrown => grow::<C, T>(plan).live as f64 / plan.count as f64,
        Operation::BytesPeak => grow::<C, T>(plan).peak as f64 / plan.count as f64,
    };
    Some(figure)
}

// None of the functions is inlined into `measure`: they would share registers and alignment there,
// and a change to one operation would change the figures of another.

/// Creating the container is timed too: some containers touch their memory when they are created,
/// others when they are filled.
#[inline(never)]
fn make_and_fill<C: Contender<T>, T: Value>(plan: &Plan, new: impl Fn() -> C) -> f64 {
    prepared(plan.count, || None, |made| fill(made.insert(new()), plan.count))
}

#[inline(never)]
fn get<C: Contender<T>, T: Value>(plan: &Plan, order: impl Fn(&[C::Handle]) -> Vec<C::Handle>) -> f64 {
    let (mut c, handles) = full_with_handles::<C, T>(plan);
    let handles = order(&handles);
    assert!(handles.iter().all(|&handle| c.get(handle).is_some()));
    repeated(plan.count, || {
        let c = black_box(&mut c);
        let mut sum = 0_u64;
        for &handle in &handles {
            if let Some(value) = c.get(handle) {
                sum = sum.wrapping_add(value.key());
            }
        }
        black_box(sum);
    })
}

#[inline(never)]
fn index<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let (mut c, handles) = full_with_handles::<C, T>(plan);
    let handles = plan.shuffled(&handles);
    repeated(plan.count, || {
        let c = black_box(&mut c);
        let mut sum = 0_u64;
        for &handle in &handles {
            sum = sum.wrapping_add(c.at(handle).key());
        }
        black_box(sum);
    })
}

/// One value in a hundred stays, so that the container cannot notice that it is empty.
#[inline(never)]
fn remove_in_order<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let full = || {
        let (c, mut handles) = full_with_handles::<C, T>(plan);
        let mut position = 0;
        handles.retain(|_| {
            position += 1;
            position % 100 != 0
        });
        (c, handles)
    };
    prepared(plan.count, full, |(c, handles)| remove_all(c, handles))
}

#[inline(never)]
fn discard<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let full = || {
        let (c, handles) = full_with_handles::<C, T>(plan);
        (c, plan.shuffled(&handles))
    };
    prepared(plan.count, full, |(c, handles)| {
        for &handle in handles.iter() {
            c.discard(handle);
        }
    })
}

#[inline(never)]
fn iterate_for<C: Contender<T>, T: Value>(mut c: C) -> f64 {
    repeated(c.len(), || {
        let mut sum = 0_u64;
        for value in black_box(&mut c).values() {
            sum = sum.wrapping_add(value.key());
        }
        black_box(sum);
    })
}

#[inline(never)]
fn iterate_fold<C: Contender<T>, T: Value>(mut c: C) -> f64 {
    repeated(c.len(), || {
        black_box(black_box(&mut c).values().map(T::key).fold(0, u64::wrapping_add));
    })
}

#[inline(never)]
fn iterate_mutable<C: Contender<T>, T: Value>(mut c: C) -> f64 {
    repeated(c.len(), || {
        for value in black_box(&mut c).values_mut() {
            value.bump();
        }
    })
}

#[inline(never)]
fn iterate_mutable_fold<C: Contender<T>, T: Value>(mut c: C) -> f64 {
    repeated(c.len(), || black_box(&mut c).values_mut().for_each(T::bump))
}

#[inline(never)]
fn iterate_handles<C: Contender<T>, T: Value>(mut c: C) -> f64 {
    repeated(c.len(), || {
        let mut sum = 0_u64;
        for (handle, value) in black_box(&mut c).iter() {
            black_box(handle);
            sum = sum.wrapping_add(value.key());
        }
        black_box(sum);
    })
}

fn iterate_sparse<C: Contender<T>, T: Value>(plan: &Plan, survivors: usize) -> f64 {
    let (mut c, handles) = full_with_handles::<C, T>(plan);
    // Removed in order of insertion, which is fast. The time of an iteration depends on where the
    // survivors are, and not on the order of the removals.
    for (handle, alive) in handles.into_iter().zip(plan.alive(survivors)) {
        if !alive {
            c.remove(handle);
        }
    }
    assert_eq!(c.len(), survivors);
    iterate_for(c)
}

#[inline(never)]
fn reuse_one_by_one<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    reuse(plan, |c: &mut C, handles| {
        for (i, handle) in handles.iter_mut().enumerate() {
            black_box(c.remove(*handle));
            *handle = c.insert(T::new(i));
        }
    })
}

#[inline(never)]
fn reuse_by_quarters<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    reuse(plan, |c: &mut C, handles| {
        remove_all(c, handles);
        for (i, handle) in handles.iter_mut().enumerate() {
            *handle = c.insert(T::new(i));
        }
    })
}

/// Replaces the values of a full container, one random quarter after the other.
#[inline(always)]
fn reuse<C: Contender<T>, T: Value>(plan: &Plan, replace: impl Fn(&mut C, &mut [C::Handle])) -> f64 {
    let (mut c, handles) = full_with_handles::<C, T>(plan);
    let mut handles = plan.shuffled(&handles);
    let quarter = plan.count / 4;
    let mut next = (0..4).cycle();
    let figure = repeated(quarter, || {
        let start = next.next().unwrap_or(0) * quarter;
        replace(&mut c, &mut handles[start..start + quarter]);
    });
    assert_eq!(c.len(), plan.count);
    figure
}

#[inline(never)]
fn refill<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let emptied = || {
        let (mut c, handles) = full_with_handles::<C, T>(plan);
        remove_all(&mut c, &plan.shuffled(&handles));
        assert_eq!(c.len(), 0);
        c
    };
    prepared(plan.count, emptied, |c| fill(c, plan.count))
}

#[inline(never)]
fn retain_half<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    // All contenders iterate over a container without holes in order of insertion, so that each
    // removes the same values.
    let mut coins = plan.coins.iter().copied().cycle();
    prepared(plan.count, || full::<C, T>(plan), |c| c.retain(|_| coins.next().unwrap_or(false)))
}

#[inline(never)]
fn clone<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let c = full::<C, T>(plan);
    prepared(plan.count, || None, |copy| *copy = Some(black_box(&c).clone()))
}

/// Public because it is the only operation that is measured with values that have destructors.
#[inline(never)]
pub fn drop_full<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    prepared(plan.count, || Some(full::<C, T>(plan)), |state| drop(state.take()))
}

fn bytes_reserved<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    watch(|| full::<C, T>(plan)).live as f64 / plan.count as f64
}

fn bytes_quarter_removed<C: Contender<T>, T: Value>(plan: &Plan) -> f64 {
    let quarter = plan.count / 4;
    let mut handles = Vec::with_capacity(plan.count); // Outside `watch`, so that it is not counted.
    let usage = watch(|| {
        let mut c = C::with_capacity(plan.count);
        handles.extend((0..plan.count).map(|i| c.insert(T::new(i))));
        for &i in &plan.shuffle[..quarter] {
            c.remove(handles[i as usize]);
        }
        c
    });
    usage.live as f64 / (plan.count - quarter) as f64
}

fn grow<C: Contender<T>, T: Value>(plan: &Plan) -> Usage {
    watch(|| {
        let mut c = C::new();
        fill(&mut c, plan.count);
        c
    })
}

fn full<C: Contender<T>, T: Value>(plan: &Plan) -> C {
    let mut c = C::with_capacity(plan.count);
    fill(&mut c, plan.count);
    c
}

fn full_with_handles<C: Contender<T>, T: Value>(plan: &Plan) -> (C, Vec<C::Handle>) {
    let mut c = C::with_capacity(plan.count);
    let handles = (0..plan.count).map(|i| c.insert(T::new(i))).collect();
    (c, handles)
}

#[inline]
fn fill<C: Contender<T>, T: Value>(c: &mut C, count: usize) {
    for i in 0..count {
        black_box(c.insert(T::new(i)));
    }
}

#[inline]
fn remove_all<C: Contender<T>, T: Value>(c: &mut C, handles: &[C::Handle]) {
    for &handle in handles {
        black_box(c.remove(handle));
    }
}
