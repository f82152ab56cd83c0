//! Which rows stay when many go at once.

use alloc::vec::Vec;

use crate::slots::{add_to, below};

/// So many rows are a block: two bytes say where in it a row is. All columns are packed by what is
/// here, so it should be small.
const BLOCK: usize = 1 << 16;

/// Which rows stay and which go: what [`Columns::pack`](super::Columns::pack) and
/// [`Follow::packed`](super::Follow::packed) are told.
///
/// O2: the numbers of the rows that stay go up, and are below the number of rows before.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Where the rows that stay are in their blocks.
    places: Vec<u16>,
    /// How many of them are in every block.
    counts: Vec<usize>,
    gone: Gone,
}

impl Kept {
    /// From a verdict about every row: whether it stays.
    ///
    /// ```
    /// let kept = tenure::table::Kept::new(&[true, false, true]);
    /// assert!(kept.rows().eq([0, 2]));
    /// assert_eq!((kept.len(), kept.before()), (2, 3));
    /// ```
    ///
    /// # Panics
    ///
    /// When there are more rows than a table can have.
    #[must_use]
    #[track_caller]
    pub fn new(stays: &[bool]) -> Self {
        assert!(u32::try_from(stays.len()).is_ok(), "no table has so many rows");
        let mut gone = Gone::none_of(stays.len());
        stays.iter().enumerate().filter(|&(_, stays)| !stays).for_each(|(row, _)| gone.add(row));
        gone.into_kept()
    }

    /// The numbers of the rows that stay. They go up. (Walking by `for_each` is fastest.)
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let mut left = &self.places[..];
        let blocks = self.counts.iter().enumerate().map(move |(block, &count)| {
            let (places, later) = left.split_at(count);
            left = later;
            (block * BLOCK, places)
        });
        blocks.flat_map(|(first, places)| places.iter().map(move |&place| first + usize::from(place)))
    }

    /// How many rows stay.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no row stays.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many rows there were before.
    #[inline]
    #[must_use]
    pub fn before(&self) -> usize {
        self.gone.before
    }

    /// The numbers of the rows that go. They go up, too.
    #[inline]
    pub(super) fn for_each_dead(&self, mut dead: impl FnMut(usize)) {
        for (word, &bits) in self.gone.bits.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                dead(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// How many rows stay where they are: all before the first that goes.
    pub(super) fn unmoved(&self) -> usize {
        let mut words = self.gone.bits.iter().enumerate().filter(|&(_, &bits)| bits != 0);
        words.next().map_or(self.len(), |(word, bits)| word * 64 + bits.trailing_zeros() as usize)
    }
}

/// The places of the bits of every byte, from the lowest on. What is behind them does not count.
const PLACES: [[u16; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < all.len() {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                all[byte][count] = place;
                count += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    all
};

/// Adds the places of the bits of a word, of which the first is `first`. Without a branch: a
/// processor cannot guess who stays.
#[inline]
fn add_places(places: &mut Vec<u16>, first: u16, bits: u64) {
    let mut found = [0; 64 + 8];
    let ends = counts(bits).wrapping_mul(u64::from_le_bytes([1; 8])).to_le_bytes();
    let mut start = 0;
    for ((byte, end), first) in bits.to_le_bytes().into_iter().zip(ends).zip((first..).step_by(8)) {
        let next = PLACES[usize::from(byte)].map(|place| first + place);
        found[start..start + 8].copy_from_slice(&next);
        start = usize::from(end);
    }
    places.extend_from_slice(&found[..start]);
}

/// How many bits every byte has.
fn counts(bits: u64) -> u64 {
    let twos = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Some of so many rows, which are to go.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    /// A bit for every row. Those behind the last one are 0.
    bits: Vec<u64>,
    before: usize,
}

impl Gone {
    /// None of so many rows, which are no more than a `u32` can count.
    pub(super) fn none_of(rows: usize) -> Self {
        Self { bits: alloc::vec![0; rows.div_ceil(64)], before: rows }
    }

    /// A bit for every row, 64 in a word.
    pub(super) fn words(&mut self) -> impl Iterator<Item = &mut u64> {
        self.bits.iter_mut()
    }

    /// # Panics
    ///
    /// When there is no such row.
    #[inline]
    pub(super) fn add(&mut self, row: usize) {
        assert!(row < self.before, "no such row");
        add_to(&mut self.bits, row as u32);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bits.iter().all(|&bits| bits == 0)
    }

    /// The others stay.
    pub(super) fn into_kept(self) -> Kept {
        let mut places = Vec::with_capacity(self.before);
        let mut counts = Vec::with_capacity(self.before.div_ceil(BLOCK));
        for (block, words) in self.bits.chunks(BLOCK / 64).enumerate() {
            let older = places.len();
            for (word, &gone) in words.iter().enumerate() {
                let rows = below(self.before as u32, (block * (BLOCK / 64) + word) as u32);
                add_places(&mut places, (word * 64) as u16, rows & !gone);
            }
            counts.push(places.len() - older);
        }
        Kept { places, counts, gone: self }
    }
}
