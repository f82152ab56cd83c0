//! Raw snapshots: arbitrary bytes are rejected, or give a table that API calls could have built.

use tenure::{Compact, Handle, Layout, Row, Table, Tagged, Wide};

/// A position.
#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f32,
    /// The vertical coordinate.
    pub y: f32,
}

/// A row in which not every bit pattern is valid for every column.
#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot)]
pub struct Spark {
    /// Where it is.
    #[row(nested)]
    pub at: Point,
    /// Not every byte is a `bool`.
    pub burns: bool,
    /// Not every integer is a handle.
    pub parent: Handle<Spark>,
    /// Not saved.
    #[row(skip)]
    pub scratch: Vec<u8>,
}

/// A table of sparks.
pub type Sparks<L> = Table<Spark, Handle<Spark, L>>;
/// Slots that retire after four tenants.
pub type FourTenants = Compact<29>;
/// Handles with a tag.
pub type WithTag = Tagged<4, Compact<16>>;

/// A spark that depends on the number.
#[must_use]
pub fn spark(number: u8) -> Spark {
    let parent = Handle::from_parts(u32::from(number), 1).unwrap_or_default();
    let at = Point { x: f32::from(number), y: -1.0 };
    Spark { at, burns: number % 2 == 1, parent, scratch: vec![number] }
}

/// Applies a history of operations, encoded as bytes, to the table.
pub fn act<L: Layout>(sparks: &mut Sparks<L>, bytes: &[u8]) {
    let mut taken = Vec::new();
    for &byte in bytes {
        let place = sparks.handles().nth(usize::from(byte >> 3));
        match (byte % 8, place) {
            (0..=3, _) => _ = sparks.try_insert(spark(byte)),
            (4 | 5, Some(handle)) => _ = sparks.remove(handle),
            (6, Some(handle)) => taken.extend(sparks.take(handle).map(|_| handle)),
            (7, Some(_)) => sparks.sort_by_key(|row| row.parent.index().wrapping_mul(u32::from(byte) | 1) % 64),
            _ => _ = taken.pop().map(|handle| sparks.fill(handle, spark(byte))),
        }
    }
}

/// Loads the bytes as a table of every layout. Returns the number of layouts that accepted them.
///
/// # Panics
///
/// If such a table is not valid, or differs after saving and loading.
#[must_use]
pub fn judge(bytes: &[u8]) -> usize {
    let taken = [judge_as::<Wide>(bytes), judge_as::<FourTenants>(bytes), judge_as::<WithTag>(bytes)];
    taken.into_iter().filter(|&taken| taken).count()
}

fn judge_as<L: Layout>(bytes: &[u8]) -> bool {
    let Ok(mut sparks) = Sparks::<L>::from_snapshot(bytes) else { return false };
    sparks.validate().expect("a loaded table is valid");
    let saved = sparks.to_snapshot();
    let mut again = Sparks::<L>::from_snapshot(&saved).expect("a saved table can be loaded");
    assert!(again.to_snapshot() == saved, "loading and saving changes nothing");
    // The future behaviour is the same, too.
    for sparks in [&mut sparks, &mut again] {
        act(sparks, b"\0\0\x04\x0e\0\0\0\x05\x06\0\x07\0");
        sparks.validate().expect("a loaded table can be used");
    }
    assert_eq!(sparks.raw_handles(), again.raw_handles());
    true
}

/// Loads bytes as a snapshot; and then a snapshot with some bytes replaced: the first bytes are a
/// history, the others say which bytes are replaced.
///
/// # Panics
///
/// Like [`judge`].
pub fn fuzz(bytes: &[u8]) {
    let _ = judge(bytes);
    let (history, changes) = bytes.split_at(bytes.len() / 2);
    let mut sparks = Sparks::<FourTenants>::default();
    act(&mut sparks, history);
    let mut saved = sparks.to_snapshot();
    assert!(judge(&saved) > 0);
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % saved.len();
        saved[place] = change[2];
    }
    let _ = judge(&saved);
}
