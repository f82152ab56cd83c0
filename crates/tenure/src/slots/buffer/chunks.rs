//! Slots in chunks on the heap. They never move.
#![expect(unsafe_code, reason = "hands out pointers to slots, and takes memory from the heap and gives it back")]

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::cell::Cell;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::Range;
use core::ptr::NonNull;

use super::growable::{ledger, too_much};
use super::{Buffer, Sealed, Slot, View, index_in};
use crate::slots::slot::non_null;

/// Values that never move, in chunks on the heap. See [`StablePool`](crate::StablePool).
///
/// ```text
/// table:   | word 0 | word 1 | word 2 | word 3 | …        a pointer for each word
///              |        |        |        '-------------.
/// chunks:  | 64 slots | 64 slots | 64 slots |  | 64 slots | …   each a quarter of what is there before
/// ```
///
/// One pointer per word locates a slot without a search and without counting bits, whatever the
/// sizes of the chunks. It does not point to the word, but to where slot 0 would be if the chunk
/// extended down to it, so that the offset is the whole index. (Lookups wait for memory, and the
/// fewer instructions one takes, the more of them wait at the same time. A smaller table, with one
/// entry per 4,096 slots for large chunks, was slower.)
///
/// - C1: for every chunk in `chunks`: its words start where those of the chunk before it end, and
///   the first word is 0. The table ends with the last chunk.
/// - C2: for every word of every chunk: its entry in `table` points to the memory of the chunk.
/// - C3: `entries` points to the first entry of the table. (`table.as_ptr()` is two calls in an
///   unoptimised build: `get` of a `StablePool` in `cargo versus --debug`.)
pub struct Chunks<T> {
    entries: NonNull<WordPtr<T>>,
    table: Vec<WordPtr<T>>,
    chunks: Vec<Chunk<T>>,
    bits: Vec<u64>,
}

/// A pointer to where slot 0 would be.
type WordPtr<T> = *mut Slot<T>;

/// A range of words and their memory.
struct Chunk<T> {
    words: Range<u32>,
    block: Block<T>,
}

// SAFETY: the pointers must not be shared with another owner: by C2 they point to memory that only
// this buffer owns.
unsafe impl<T: Send> Send for Chunks<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Chunks<T> {}

/// The memory of a `Vec`, as a pointer, so that borrows of its content do not borrow the `Vec`.
struct Block<T> {
    first: NonNull<Slot<T>>,
    capacity: usize,
}

impl<T> Block<T> {
    /// Allocates memory for at least `slots` slots.
    fn new(slots: usize) -> Result<Self, TryReserveError> {
        let mut memory: Vec<MaybeUninit<Slot<T>>> = Vec::new();
        memory.try_reserve_exact(slots)?;
        let mut memory = ManuallyDrop::new(memory);
        Ok(Self { capacity: memory.capacity(), first: NonNull::from(memory.spare_capacity_mut()).cast() })
    }
}

impl<T> Drop for Block<T> {
    fn drop(&mut self) {
        // SAFETY: pointer and capacity must be those of a `Vec`: `new` took them from one. The
        // length is 0, so no slot is dropped: the engine has dropped their values.
        drop(unsafe { Vec::from_raw_parts(self.first.as_ptr().cast::<MaybeUninit<Slot<T>>>(), 0, self.capacity) });
    }
}

impl<T> Chunk<T> {
    /// Allocates a chunk of `words` words, the first of which is word `start`.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn new(start: usize, words: usize) -> Result<Self, TryReserveError> {
        let block = Block::new(words.checked_mul(64).ok_or_else(too_much)?)?;
        Ok(Self { words: start as u32..(start + words) as u32, block })
    }

    fn slots(&self) -> usize {
        self.words.len() * 64
    }

    /// Returns the positions of its entries in the table.
    fn entries(&self) -> Range<usize> {
        self.words.start as usize..self.words.end as usize
    }

    /// Returns the value of all its entries.
    fn entry(&self) -> WordPtr<T> {
        self.block.first.as_ptr().wrapping_sub(self.words.start as usize * 64)
    }
}

impl<T> Chunks<T> {
    fn words(&self) -> usize {
        self.table.len()
    }

    /// Returns the table entry of the word of a slot.
    #[inline(always)]
    fn entry(&self, index: usize) -> WordPtr<T> {
        // SAFETY: the entry must exist: the caller guarantees that the index is below the capacity,
        // so C1 and C3 hold for it.
        unsafe { *self.entries.as_ptr().wrapping_add(index / 64) }
    }

    /// Restores C3 after the table has changed.
    fn note_table(&mut self) {
        // SAFETY: the pointer must not be null: that of a `Vec` never is. It is not made from a
        // slice, because such a pointer would become invalid with the next access to the table
        // itself.
        self.entries = unsafe { non_null(self.table.as_mut_ptr()) };
    }

    /// Returns the position of the chunk that has a word.
    fn chunk_at(&self, word: u32) -> Option<usize> {
        let chunk = self.chunks.partition_point(|chunk| chunk.words.end <= word);
        (chunk < self.chunks.len()).then_some(chunk)
    }

    /// Allocates the chunks of `words` words in total that are not there yet. Each has a quarter of
    /// the words before it, even when many are requested at once: a chunk that is too large is
    /// seldom empty.
    fn more_chunks(&self, words: usize) -> Result<Vec<Chunk<T>>, TryReserveError> {
        let (mut chunks, mut end) = (Vec::new(), self.words());
        while end < words {
            chunks.try_reserve(1)?;
            let chunk = Chunk::new(end, (end / 4).max(1).min(words - end))?;
            end = chunk.words.end as usize;
            chunks.push(chunk);
        }
        Ok(chunks)
    }

    /// Drops the chunks that start at or after word `words`. They hold no slots. Allocates nothing.
    fn cut_chunks(&mut self, words: usize) {
        while self.chunks.last().is_some_and(|chunk| chunk.words.start as usize >= words) {
            self.chunks.pop();
        }
        self.table.truncate(self.chunks.last().map_or(0, |chunk| chunk.words.end as usize));
    }
}

/// The capacity of the table is this number times a power of two; likewise that of the bits. Each
/// is copied when it grows. With steps of a quarter, never both in one step.
const TABLE_ROOM: usize = 2;
const BITS_ROOM: usize = 3;

/// Allocates an empty list with room for `count` items, if `list` has not enough: for exactly
/// `count` if the list is empty, and otherwise for `least` times a power of two.
fn more_room<X>(list: &Vec<X>, count: usize, least: usize) -> Result<Option<Vec<X>>, TryReserveError> {
    if count <= list.capacity() {
        return Ok(None);
    }
    let doubled = count.div_ceil(least).checked_next_power_of_two().and_then(|times| times.checked_mul(least));
    let mut larger = Vec::new();
    larger.try_reserve_exact(if list.is_empty() { count } else { doubled.unwrap_or(count) })?;
    Ok(Some(larger))
}

/// Moves the items of a list into a larger one, if there is one.
fn move_into<X>(list: &mut Vec<X>, larger: Option<Vec<X>>) {
    if let Some(mut larger) = larger {
        larger.append(list);
        *list = larger;
    }
}

/// A pointer to the table of a [`StablePool`](crate::StablePool), which has one entry for each word
/// of 64 slots.
pub struct ChunkTable<T>(NonNull<WordPtr<T>>);

impl<T> Clone for ChunkTable<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ChunkTable<T> {}

impl<T> View<T> for ChunkTable<T> {
    #[inline]
    unsafe fn word(self, word: usize) -> NonNull<Slot<T>> {
        // SAFETY: the entry must exist, and the result must not be null: the caller guarantees that
        // the word exists, so by C1 and C3 it has an entry, and by C2 that locates its first slot.
        unsafe { NonNull::new_unchecked((*self.0.as_ptr().add(word)).wrapping_add(word * 64)) }
    }
}

// SAFETY: the trait requires B1 to B4. B1 and B3: C1 and C2. B2: growing adds chunks and moves
// none; new bits are written as 0. B4: chunks are dropped by `cut_chunks` only.
unsafe impl<T> Buffer<T> for Chunks<T> {
    const EMPTY: Sealed<Self> =
        Sealed::new(Self { entries: NonNull::dangling(), table: Vec::new(), chunks: Vec::new(), bits: Vec::new() });

    type Of<Q> = Chunks<Q>;
    type View = ChunkTable<T>;
    type Refusal = TryReserveError;
    type Ledger = Vec<Cell<u64>>;

    #[inline]
    fn capacity(&self) -> usize {
        self.words() * 64
    }

    #[inline]
    fn limit(&self) -> usize {
        // A whole number of words, even where an address has 32 bits.
        usize::MAX / 64 * 64
    }

    #[inline(always)]
    fn slot(&self, index: usize) -> *const Slot<T> {
        self.entry(index).wrapping_add(index)
    }

    #[inline(always)]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<T> {
        self.slot(index).cast_mut()
    }

    #[inline]
    fn bits(&self) -> &[u64] {
        &self.bits
    }

    #[inline]
    fn bits_mut(&mut self) -> &mut [u64] {
        &mut self.bits
    }

    #[inline]
    fn slot_and_bits_mut(&mut self, index: usize) -> (*mut Slot<T>, &mut [u64]) {
        (self.slot_mut(index), &mut self.bits)
    }

    #[inline]
    fn parts(&self) -> (Self::View, &[u64]) {
        (ChunkTable(self.entries), &self.bits)
    }

    #[inline]
    fn parts_mut(&mut self) -> (Self::View, &[u64]) {
        self.parts()
    }

    /// Returns a quarter more: memory that is reserved and not used stays below a quarter of that
    /// in use.
    fn amortized_capacity(&self, slots: usize) -> usize {
        slots.max(self.capacity().saturating_add(self.capacity() / 4))
    }

    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), TryReserveError> {
        let words = slots.div_ceil(64);
        let chunks = self.more_chunks(words)?;
        let table = more_room(&self.table, words, TABLE_ROOM)?;
        let larger_bits = more_room(&self.bits, bits, BITS_ROOM)?;
        self.chunks.try_reserve(chunks.len())?;
        // From here on nothing fails, and nothing allocates.
        move_into(&mut self.table, table);
        move_into(&mut self.bits, larger_bits);
        for chunk in chunks {
            self.table.resize(chunk.words.end as usize, chunk.entry());
            self.chunks.push(chunk);
        }
        self.bits.resize(bits, 0);
        self.note_table();
        Ok(())
    }

    fn too_much() -> TryReserveError {
        too_much()
    }

    fn least_capacity(&self, slots: usize) -> usize {
        let last = slots.checked_sub(1).and_then(|last| self.chunk_at(u32::try_from(last / 64).ok()?));
        last.map_or(0, |chunk| self.chunks[chunk].words.end as usize * 64)
    }

    fn shrink_to(&mut self, slots: usize, bits: usize) {
        self.cut_chunks(slots.div_ceil(64));
        self.table.shrink_to_fit();
        self.note_table();
        self.chunks.shrink_to_fit();
        self.bits.truncate(bits);
        self.bits.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.block.capacity * size_of::<Slot<T>>()).sum::<usize>()
            + self.chunks.capacity() * size_of::<Chunk<T>>()
            + self.table.capacity() * size_of::<WordPtr<T>>()
            + self.bits.capacity() * size_of::<u64>()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        let in_chunk = |chunk: &Chunk<T>| {
            let nth = index_in::<T>(chunk.block.first.addr().get(), chunk.slots(), address)?;
            Some(chunk.words.start as usize * 64 + nth)
        };
        self.chunks.iter().find_map(in_chunk)
    }

    fn ledger(&self, slots: usize) -> Vec<Cell<u64>> {
        ledger(slots)
    }

    fn fault(&self) -> Option<&'static str> {
        let mut end = 0;
        for chunk in &self.chunks {
            let follows = chunk.words.start == end;
            end = chunk.words.end;
            let entries = self.table.get(chunk.entries()).unwrap_or_default();
            if !follows || entries.is_empty() {
                return Some("C1: the chunks do not follow each other");
            }
            if entries.iter().any(|entry| *entry != chunk.entry()) {
                return Some("C2: the table and the chunks disagree");
            }
        }
        if self.entries.as_ptr().cast_const() != self.table.as_ptr() {
            return Some("C3: the pointer to the table is not that of the table");
        }
        if end as usize != self.words() { Some("C1: the table does not end with the last chunk") } else { None }
    }
}
