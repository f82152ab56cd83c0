//! Raw snapshots. Needs the features `derive` and `snapshot`.
#![cfg(all(feature = "derive", feature = "snapshot"))]

use test_support::alloc::{self, Watched};
use test_support::snapshot::{self, FourTenants, Sparks, WithTag, spark};

use tenure::snapshot::SnapshotError;
use tenure::{DensePool, Handle, Layout, Row, Table, Wide};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Pseudo-random bytes.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = u64::from(seed) * 2 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn after<L: Layout>(mut sparks: Sparks<L>, history: &[u8]) -> Sparks<L> {
    snapshot::act(&mut sparks, history);
    sparks
}

/// Rows, vacant slots of several generations, and pending ones.
fn some() -> Sparks<FourTenants> {
    let mut sparks = after(Table::default(), &noise(7, 160));
    for _ in 0..4 {
        let handle = sparks.insert(spark(1));
        sparks.remove(handle);
    }
    sparks.raw_handles().to_vec().into_iter().step_by(3).for_each(|handle| _ = sparks.remove(handle));
    let stats = sparks.stats();
    assert!(sparks.len() > 2 && stats.free > 1 && stats.pending > 0 && stats.retired > 0, "{stats:?}");
    sparks
}

fn error_of<R: Row<Columns: tenure::snapshot::RawColumns>>(saved: &[u8]) -> String {
    Table::<R>::from_snapshot(saved).map(drop).unwrap_err().to_string()
}

fn loading_is_invisible<L: Layout>(empty: impl Fn() -> Sparks<L>) {
    let mut memory = vec![1; 10];
    for seed in 0..200 {
        let original = after(empty(), &noise(seed, seed as usize));
        original.write_snapshot(&mut memory);
        assert_eq!(memory, original.to_snapshot());
        let loaded = Sparks::<L>::from_snapshot(&memory).unwrap();
        loaded.validate().unwrap();
        assert_eq!(loaded, original);
        assert_eq!((loaded.tag(), loaded.stats().pending), (original.tag(), original.stats().pending));
        let future = noise(seed + 1000, 100);
        assert_eq!(after(loaded, &future), after(original, &future));
    }
}

#[test]
fn loading_is_invisible_in_every_layout() {
    loading_is_invisible::<Wide>(Table::default);
    loading_is_invisible::<FourTenants>(Table::default);
    loading_is_invisible::<WithTag>(|| Table::with_tag(5));
}

#[test]
fn snapshots_of_dense_pools() {
    let mut pool = DensePool::from(['a', 'b', 'c']);
    let b = pool.raw_handles()[1];
    pool.remove(b);
    let mut loaded = DensePool::<char>::from_snapshot(&pool.to_snapshot()).unwrap();
    assert_eq!(loaded, pool);
    assert_eq!(loaded.insert('d'), pool.insert('d'));

    let error = DensePool::<u64>::from_snapshot(&pool.to_snapshot()).unwrap_err();
    let message = "the column is of 8 bytes, and in the snapshot of 4 bytes";
    assert_eq!(error.to_string(), message);
}

#[test]
fn zero_sized_values_are_counted() {
    let pool = DensePool::from([(), (), ()]);
    assert_eq!(DensePool::<()>::from_snapshot(&pool.to_snapshot()).unwrap(), pool);
}

#[test]
fn bytes_need_no_alignment() {
    let saved = some().to_snapshot();
    let mut room = vec![0; 64 + saved.len()];
    for start in 0..64 {
        let place = &mut room[start..start + saved.len()];
        place.copy_from_slice(&saved);
        assert_eq!(Sparks::from_snapshot(place).unwrap(), some());
    }
}

#[test]
fn columns_begin_at_multiples_of_64() {
    let mut pool = DensePool::new();
    pool.insert([0xAB_u8; 5]);
    let saved = pool.to_snapshot();
    assert_eq!(saved.iter().position(|&byte| byte == 0xAB).unwrap() % 64, 0);
}

mod versions {
    use tenure::Row;

    #[derive(Row)]
    #[row(snapshot)]
    pub(crate) struct Old {
        pub x: f32,
        pub age: u32,
    }

    #[derive(Debug, PartialEq, Row)]
    #[row(snapshot)]
    pub(crate) struct Added {
        pub new: [u16; 3],
        pub age: u32,
        pub x: f32,
    }

    #[derive(Row)]
    #[row(snapshot)]
    pub(crate) struct Removed {
        pub x: f32,
    }

    #[derive(Row)]
    #[row(snapshot)]
    pub(crate) struct Retyped {
        pub x: f32,
        pub age: i32,
    }

    #[derive(Row)]
    #[row(snapshot)]
    pub(crate) struct Nested {
        #[row(nested)]
        pub old: Old,
    }
}

fn old() -> Table<versions::Old> {
    let row = |i: u8| versions::Old { x: f32::from(i), age: u32::from(i) + 10 };
    (1..=3).map(row).collect()
}

#[test]
fn an_added_column_is_filled_and_the_order_does_not_matter() {
    let loaded = Table::<versions::Added>::from_snapshot(&old().to_snapshot()).unwrap();
    loaded.validate().unwrap();
    assert_eq!(loaded.columns().x, [1.0, 2.0, 3.0]);
    assert_eq!(loaded.columns().age, [11, 12, 13]);
    assert_eq!(loaded.columns().new, [[0; 3]; 3]);
}

#[test]
fn mismatched_columns_are_named() {
    let saved = old().to_snapshot();
    assert_eq!(error_of::<versions::Removed>(&saved), "column `age` is in the snapshot only");
    let retyped = "column `age` is a `i32` of 4 bytes, and in the snapshot a `u32` of 4 bytes";
    assert_eq!(error_of::<versions::Retyped>(&saved), retyped);
    assert_eq!(error_of::<versions::Nested>(&saved), "column `x` is in the snapshot only");
    let nested: Table<_> = [versions::Nested { old: versions::Old { x: 1.0, age: 2 } }].into_iter().collect();
    assert_eq!(error_of::<versions::Old>(&nested.to_snapshot()), "column `old.x` is in the snapshot only");
}

#[test]
fn duplicate_columns_are_named() {
    let mut saved = nested_twice();
    let place = saved.windows(2).position(|pair| pair == b"yy").unwrap();
    saved[place..place + 2].copy_from_slice(b"xx");
    assert_eq!(error_of::<Twins>(&saved), "column `xx` occurs twice");
}

#[derive(Row)]
#[row(snapshot)]
struct Twins {
    xx: u8,
    yy: u8,
}

fn nested_twice() -> Vec<u8> {
    [Twins { xx: 1, yy: 2 }].into_iter().collect::<Table<_>>().to_snapshot()
}

#[test]
fn invalid_values_are_rejected_with_their_row() {
    let mut sparks: Sparks<Wide> = Table::default();
    (0..3).for_each(|_| _ = sparks.insert(spark(1)));
    let saved = sparks.to_snapshot();
    let bools = saved.windows(3).rposition(|three| three == [1, 1, 1]).unwrap();
    let mut broken = saved.clone();
    broken[bools + 2] = 2;
    let error = Sparks::<Wide>::from_snapshot(&broken).unwrap_err();
    assert_eq!(error, SnapshotError::Value { column: "burns".into(), row: 2 });
    assert_eq!(error.to_string(), "column `burns`, row 2: these bytes are not a valid value");

    let handle = saved.len() - 8;
    let mut broken = saved;
    broken[handle..].fill(0);
    let error = Sparks::<Wide>::from_snapshot(&broken).unwrap_err();
    assert_eq!(error.to_string(), "column `parent`, row 2: these bytes are not a valid value");
}

/// Returns the error for a snapshot with these bytes at this offset.
fn changed(offset: usize, bytes: &[u8]) -> String {
    let mut saved = some().to_snapshot();
    saved[offset..offset + bytes.len()].copy_from_slice(bytes);
    Sparks::<FourTenants>::from_snapshot(&saved).unwrap_err().to_string()
}

#[test]
fn false_headers_are_rejected_with_a_reason() {
    let length = some().to_snapshot().len();
    let all = u32::MAX.to_ne_bytes();
    assert_eq!(changed(0, b"PNG"), "not a snapshot of a table: the first bytes differ");
    let other_order = 0x0102_0304_u32.swap_bytes().to_ne_bytes();
    assert_eq!(
        changed(8, &other_order),
        "the snapshot was written on a machine with the other byte order (endianness)"
    );
    assert_eq!(changed(12, &2_u32.to_ne_bytes()), "version 2 of snapshots: this library reads version 1");
    let expected = format!("the snapshot should have {} bytes, and has {length}", 1_u64 << 60);
    assert_eq!(changed(16, &(1_u64 << 60).to_ne_bytes()), expected);
    assert!(changed(24, &all).ends_with(": the slots of the rows would end after the end of the snapshot"));
    assert!(changed(28, &all).ends_with(": the vacant slots would end after the end of the snapshot"));
    assert!(changed(32, &all).ends_with(": the pending slots would end after the end of the snapshot"));
    assert_eq!(changed(36, &all), "tag: the layout of the handles has no tag 4294967295");
    assert_eq!(changed(48, &1000_u32.to_ne_bytes()), "next: slot 1000 is not free");
    assert_eq!(changed(52, &1000_u32.to_ne_bytes()), "word: no slot of word 1000 comes after the next one");
    let columns = changed(56, &(1_u64 << 60).to_ne_bytes());
    assert!(columns.starts_with("at byte ") && columns.contains("the description of column "), "{columns}");
    let name = "at byte 96: the description of column 0 would end after the end of the snapshot";
    assert_eq!(changed(64, &(1_u64 << 60).to_ne_bytes()), name);
    let size = "column `at.x` would end after the end of the snapshot";
    assert!(changed(80, &u64::MAX.to_ne_bytes()).ends_with(size));
    assert_eq!(changed(96, &[0xFF]), "at byte 96: the name of a column, or of its type, is not UTF-8");
}

#[test]
fn false_slots_are_rejected_with_a_reason() {
    // After the header and four columns: 64 + 4 × 32 and their names.
    let (end, rows) = (234, 256);
    assert_eq!(changed(rows - 1, &[1]), "at byte 234: the gap before the next part is not zero");
    assert!(some().to_snapshot()[end..rows].iter().all(|&byte| byte == 0));

    let (first, second) = (some().raw_handles()[0].index(), some().raw_handles()[1].index());
    let stats = some().stats();
    let count = stats.live + stats.free + stats.pending + stats.retired;
    assert_eq!(changed(rows, &1000_u32.to_ne_bytes()), format!("slot 1000: there are only {count} slots"));
    assert_eq!(changed(rows, &second.to_ne_bytes()), format!("slot {second} occurs twice"));
    let no_tenant = |generation| format!("slot {first}: the layout of the handles has no tenant v{generation} here");
    assert_eq!(changed(rows + 4, &0_u32.to_ne_bytes()), no_tenant(0));
    assert_eq!(changed(rows + 4, &5_u32.to_ne_bytes()), no_tenant(5));
}

#[test]
fn trailing_bytes_are_rejected() {
    let mut saved = some().to_snapshot();
    saved.push(0);
    let length = saved.len() as u64;
    assert!(matches!(Sparks::<FourTenants>::from_snapshot(&saved), Err(SnapshotError::Length { .. })));
    saved[16..24].copy_from_slice(&length.to_ne_bytes());
    let error = Sparks::<FourTenants>::from_snapshot(&saved).unwrap_err();
    assert_eq!(error, SnapshotError::Surplus { offset: saved.len() - 1 });
}

#[test]
fn every_truncation_is_rejected() {
    let saved = some().to_snapshot();
    for length in 0..saved.len() {
        let mut cut = saved[..length].to_vec();
        assert_eq!(snapshot::judge(&cut), 0);
        // The same, with a correct length in the header.
        if let Some(place) = cut.get_mut(16..24) {
            place.copy_from_slice(&(length as u64).to_ne_bytes());
        }
        assert_eq!(snapshot::judge(&cut), 0);
    }
}

#[test]
fn every_bit_flip_is_rejected_or_gives_a_valid_table() {
    let saved = after(Sparks::<FourTenants>::default(), &noise(7, 60)).to_snapshot();
    let mut taken = 0;
    for place in 0..saved.len() {
        for flip in [1, 2, 4, 0x10, 0x80, 0xFF] {
            let mut broken = saved.clone();
            broken[place] ^= flip;
            taken += usize::from(snapshot::judge(&broken) > 0);
        }
    }
    assert!(taken > 100, "flips within values are accepted");
}

#[test]
fn noise_is_rejected_or_gives_a_valid_table() {
    (0..300).for_each(|seed| snapshot::fuzz(&noise(seed, 2 * seed as usize)));
}

/// False numbers at every position: memory stays below a small multiple of the size of the
/// snapshot.
#[test]
fn false_numbers_allocate_nothing() {
    let saved = some().to_snapshot();
    for place in (0..saved.len().min(600)).step_by(4) {
        for lie in [1_u32 << 28, u32::MAX, 0x1000] {
            let mut broken = saved.clone();
            broken[place..place + 4].copy_from_slice(&lie.to_ne_bytes());
            let (_, growth) = alloc::growth(|| Sparks::<FourTenants>::from_snapshot(&broken));
            let peak = growth.peak;
            assert!(
                alloc::is_watched() && peak <= 8 * saved.len() as isize,
                "{peak} bytes for {} at {place}",
                saved.len()
            );
        }
    }
}

/// Snapshots of version 1, written on several machines. They must stay readable on every machine
/// with their byte order; other machines report why they reject them.
#[test]
fn version_1_is_read_from_every_machine_of_the_same_byte_order() {
    const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/saved/v1");
    let machines = [("x86_64", "little"), ("x86", "little"), ("s390x", "big")];
    let here = if cfg!(target_endian = "little") { "little" } else { "big" };
    for (machine, order) in machines {
        let file = format!("{PLACE}/sparks.{machine}.snapshot");
        if machine != std::env::consts::ARCH {
            // Written on another machine.
        } else if std::env::var_os("SNAPSHOT").is_some_and(|what| what == "overwrite") {
            std::fs::write(&file, golden().to_snapshot()).unwrap();
        } else {
            assert_eq!(std::fs::read(&file).unwrap(), golden().to_snapshot(), "this machine writes the same bytes");
        }
        let loaded = Sparks::<Wide>::from_snapshot(&std::fs::read(&file).unwrap());
        if order == here {
            let mut loaded = loaded.unwrap_or_else(|error| panic!("{machine}: {error}"));
            loaded.validate().unwrap();
            assert_eq!(loaded, golden(), "{machine}");
            assert_eq!(loaded.insert(spark(9)), golden().insert(spark(9)), "{machine}");
        } else {
            assert_eq!(loaded.unwrap_err(), SnapshotError::ByteOrder, "{machine}");
        }
    }
}

/// The alignment of a `u64` is 8 on x86-64, and 4 on i686.
#[test]
fn the_alignment_of_a_column_does_not_matter() {
    let saved = DensePool::from([1_u64, 2, 3]).to_snapshot();
    // After the header, the lengths of two names, and the size.
    let place = 64 + 3 * 8..64 + 4 * 8;
    assert_eq!(saved[place.clone()], (align_of::<u64>() as u64).to_ne_bytes());
    for alignment in [0, 1, 4, 8, 16, 3, u64::MAX] {
        let mut other = saved.clone();
        other[place.clone()].copy_from_slice(&alignment.to_ne_bytes());
        assert_eq!(DensePool::from_snapshot(&other), Ok(DensePool::from([1_u64, 2, 3])), "{alignment}");
    }
}

/// A value whose size on this machine is another: the size is compared, whatever the name of the
/// type.
#[test]
fn another_size_is_rejected() {
    let mut words: Table<Words> = Table::default();
    words.insert(Words { word: 7 });
    let mut saved = words.to_snapshot();
    let size = size_of::<usize>() as u64;
    assert_eq!(saved[64 + 2 * 8..64 + 3 * 8], size.to_ne_bytes());
    // As on a machine whose pointers are half as large. The surplus bytes of the one value are
    // removed.
    saved[64 + 2 * 8..64 + 3 * 8].copy_from_slice(&(size / 2).to_ne_bytes());
    let length = saved.len() - size_of::<usize>() / 2;
    saved.truncate(length);
    saved[16..24].copy_from_slice(&(length as u64).to_ne_bytes());
    let expected =
        format!("column `word` is a `usize` of {size} bytes, and in the snapshot a `usize` of {} bytes", size / 2);
    assert_eq!(error_of::<Words>(&saved), expected);
}

#[derive(Row)]
#[row(snapshot)]
struct Words {
    word: usize,
}

/// Four sparks: one was removed, one is pending, and one was inserted into the slot of the removed
/// one.
fn golden() -> Sparks<Wide> {
    let mut sparks = Sparks::default();
    let [a, b, c, d] = [1, 2, 3, 4].map(|number| sparks.insert(spark(number)));
    sparks.remove(b);
    let _ = sparks.take(c);
    sparks.insert(spark(5));
    sparks.remove(a);
    *sparks.get_mut(d).unwrap().parent = Handle::NIL;
    sparks
}
