//! Operations from bytes, for random histories and fuzzing. Small numbers give simple operations,
//! so that shrinking simplifies.

use crate::action::{Ending, Iterate, Key, Many, Rule, Sort};
use crate::op::{Misorder, Op, Pick};
use crate::path::Path;

/// The code of one operation.
pub type Code = [u8; 4];

/// Codes of operations that only containers with rows have; other containers skip them.
const ROWS: std::ops::Range<u8> = 128..150;

/// All operations in a byte string.
#[must_use]
pub fn ops(bytes: &[u8]) -> Vec<Op> {
    bytes.chunks(4).map(|chunk| op([0, 1, 2, 3].map(|i| chunk.get(i).copied().unwrap_or(0)))).collect()
}

/// The operation with this code. Every code has one.
#[must_use]
pub fn op([kind, a, b, c]: Code) -> Op {
    match if ROWS.contains(&kind) { kind } else { kind % 128 } {
        0..=19 => Op::Insert,
        20..=44 => Op::Remove(pick(a, b, c)),
        45..=47 => Op::InsertWith,
        48..=50 => Op::TryInsert,
        51..=53 => Op::InsertMany(a % 9, many(b, c)),
        // Often enough to fill several words of slots.
        54 => Op::Extend(a),
        55..=57 => Op::ReserveHandle,
        58..=61 => Op::Fill(pick(a, b, c)),
        62..=71 => Op::InsertAt(pick(a, b, c)),
        72..=76 => Op::Take(pick(a, b, c)),
        77 => Op::Drain(path(a, b), Ending::Drop),
        78 => Op::Drain(path(a, b), Ending::Forget),
        79 => Op::Extract(rule(a), usize::from(b % 8)),
        80 => Op::Extract(rule(a), usize::MAX),
        81 => Op::Retain(rule(a)),
        82 => Op::Clear,
        83..=85 => Op::Probe(pick(a, b, c)),
        86 => Op::Index(pick(a, b, c)),
        87 => Op::Change(pick(a, b, c)),
        88..=90 => Op::Disjoint([near(a), near(b), near(c)]),
        91..=93 => Op::Loans([near(a), near(b), near(c)]),
        94 => Op::HandleAt(u32::from(a)),
        95 => Op::HandleOf(pick(a, b, c)),
        96 => Op::Print,
        97..=105 => Op::Iterate(iterate(a), path(b, c)),
        106 => Op::ReleasePending,
        107 => Op::Reserve(amount(a, b)),
        108 => Op::TryReserve(amount(a, b)),
        109 => Op::ReserveExact(amount(a, b)),
        110 => Op::Shrink,
        111 if a % 4 == 0 => Op::WarmUp,
        111 => Op::Shrink,
        112 => Op::ShrinkTo(amount(a, b)),
        113 => Op::Recycle,
        // Bounded: random bits would otherwise claim gigabytes, since the limit would allow it.
        114 => Op::ReserveSlots(usize::from(a) * 32),
        115 => Op::Map,
        116 => Op::Collect(a % 9),
        117..=118 => Op::Snapshot,
        119..=120 => Op::Checkpoint,
        121..=122 => Op::Rollback,
        123 => Op::Swap,
        124..=125 => Op::Compare,
        126..=127 => Op::Fork,
        128..=133 => Op::Sort(sort(a), Key { modulus: u32::from(b) + 1 }),
        134..=136 => Op::Shuffle(a),
        137 => Op::Misorder(misorder(a), b),
        138..=140 => Op::SwapRows(a, b),
        141..=143 => Op::RemoveOrdered(pick(a, b, c)),
        144..=147 => Op::RemoveMany([near(a), near(b), near(c)]),
        _ => Op::Compact(rule(a), Key { modulus: u32::from(b) + 1 }),
    }
}

/// A random history; the same in every run.
#[must_use]
pub fn random(seed: u32, length: usize) -> Vec<Op> {
    let bytes: Vec<u8> =
        crate::forge::noise(u64::from(seed)).take(length.div_ceil(2)).flat_map(u64::to_le_bytes).collect();
    ops(&bytes)
}

fn pick(a: u8, b: u8, c: u8) -> Pick {
    match a % 32 {
        0..=9 => Pick::Issued(b),
        10..=19 => Pick::Live(b),
        20..=22 => Pick::Generation(b, signed(c)),
        23..=24 => Pick::Index(b, signed(c)),
        25..=27 => Pick::Beyond(u16::from(b) % 4, c % 5),
        // Around the index limit of `insert_at`.
        28 => Pick::Beyond(4_096 - 2 + u16::from(b) % 4, c % 3),
        29 => Pick::Tag(b, c),
        30 => Pick::Bits(u64::from_le_bytes([a, b, c, a, c, b, a, c]) >> (b % 64)),
        _ => Pick::Nil,
    }
}

/// Mostly live handles, so that lookups of several at once succeed.
fn near(a: u8) -> Pick {
    if a % 8 < 6 { Pick::Live(a / 8) } else { Pick::Issued(a / 8) }
}

fn signed(c: u8) -> i8 {
    i8::try_from(c % 7).unwrap_or(0) - 3
}

fn many(b: u8, c: u8) -> Many {
    match b % 3 {
        0 => Many::Collect,
        1 => Many::DropAfter(usize::from(c % 9)),
        _ => Many::FinishAfter(usize::from(c % 9)),
    }
}

fn rule(a: u8) -> Rule {
    let modulus = u32::from(a % 5) + 1;
    Rule { modulus, residue: u32::from(a / 5) % modulus }
}

fn sort(a: u8) -> Sort {
    [Sort::By, Sort::ByKey, Sort::UnstableBy, Sort::UnstableByKey, Sort::InPlaceBy][usize::from(a) % 5]
}

fn misorder(a: u8) -> Misorder {
    [Misorder::Short, Misorder::Long, Misorder::Twice, Misorder::High][usize::from(a) % 4]
}

fn path(a: u8, b: u8) -> Path {
    let (front, back) = (usize::from(b % 6), usize::from(b / 6 % 6));
    match a % 6 {
        0 => Path::Forward,
        1 => Path::Backward,
        2 => Path::Zigzag(b),
        3 => Path::Fold { front, back },
        4 => Path::Rfold { front, back },
        _ => Path::Part { front, back },
    }
}

fn iterate(a: u8) -> Iterate {
    const ALL: [Iterate; 9] = [
        Iterate::Iter,
        Iterate::IterMut,
        Iterate::Values,
        Iterate::ValuesMut,
        Iterate::Handles,
        Iterate::Ref,
        Iterate::RefMut,
        Iterate::IntoIter,
        Iterate::IntoValues,
    ];
    ALL[usize::from(a) % ALL.len()]
}

fn amount(a: u8, b: u8) -> usize {
    if b == u8::MAX { usize::MAX } else { usize::from(a) }
}
