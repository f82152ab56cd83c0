//! Slots in chunks on the heap: they never move.
#![allow(unsafe_code, reason = "hands out pointers to slots, and takes memory from the heap and gives it back")]

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::cell::Cell;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::Range;
use core::ptr::NonNull;

use super::growable::{ledger, too_much};
use super::{Absent, Buffer, Slot, View, index_in};
use crate::slots::slot::Vacancy;

/// Values that never move, in chunks on the heap. See [`StablePool`](crate::StablePool).
///
/// ```text
/// table:   | word 0 | word 1 | word 2 | word 3 | …        a pointer for each word
///              |        |        |        '-------------.
/// chunks:  | 64 slots | 64 slots | 64 slots |  | 64 slots | …   each a quarter of what is there before
/// ```
///
/// One pointer per word finds a slot without a search and without counting bits, whatever the sizes of the chunks. It does not lead to the word, but to where slot
/// 0 would be if the chunk went on downwards: so an index is not taken apart. (Look-ups wait for memory, and the fewer instructions one takes, the more of
/// them wait at the same time. A table that is smaller, because large chunks have an entry per 4,096 slots, made them slower.)
///
/// - C1: `chunks` lie one behind the other: each begins with the word at which the one before ends, and the table ends with the last.
/// - C2: the table's entries of a chunk lead to its memory, or are `away` when the chunk is not there.
/// - C3: a chunk that is not there knows the marks of its slots.
pub struct Chunks<T> {
    table: Vec<Entry<T>>,
    chunks: Vec<Chunk<T>>,
    bits: Vec<u64>,
    len: usize,
    /// How many chunks are not there.
    gaps: usize,
}

/// Where slot 0 would be, or [`away`].
type Entry<T> = *mut Slot<T>;

/// The entry of a chunk that is not there. Slots have even addresses, and their size is even: it is no other entry, and leads to no null.
const fn away<T>() -> Entry<T> {
    core::ptr::without_provenance_mut(1)
}

/// Some neighbouring words.
struct Chunk<T> {
    words: Range<u32>,
    memory: Memory<T>,
}

enum Memory<T> {
    /// All slots, in the memory of a `Vec`.
    There(Block<T>),
    /// The mark of each word's slots.
    Level(Vec<u32>),
    /// The mark of each slot; one more if it is retired.
    Single(Vec<u32>),
}

// SAFETY: C2, the pointers lead to memory that the buffer alone owns.
unsafe impl<T: Send> Send for Chunks<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Chunks<T> {}

/// The memory of a `Vec`, as a pointer: what is borrowed from it is not borrowed from the `Vec`.
struct Block<T> {
    first: NonNull<Slot<T>>,
    capacity: usize,
}

impl<T> Block<T> {
    /// For so many slots at least.
    fn new(slots: usize) -> Result<Self, TryReserveError> {
        let mut memory: Vec<MaybeUninit<Slot<T>>> = Vec::new();
        memory.try_reserve_exact(slots)?;
        let mut memory = ManuallyDrop::new(memory);
        Ok(Self { capacity: memory.capacity(), first: NonNull::from(memory.spare_capacity_mut()).cast() })
    }
}

impl<T> Drop for Block<T> {
    fn drop(&mut self) {
        // SAFETY: the memory is that of a `Vec` with this capacity. The slots do not count: the engine has dropped their values.
        drop(unsafe { Vec::from_raw_parts(self.first.as_ptr().cast::<MaybeUninit<Slot<T>>>(), 0, self.capacity) });
    }
}

impl<T> Chunk<T> {
    fn slots(&self) -> usize {
        self.words.len() * 64
    }

    fn is_there(&self) -> bool {
        matches!(self.memory, Memory::There(_))
    }

    /// Where its entries are in the table.
    fn entries(&self) -> Range<usize> {
        self.words.start as usize..self.words.end as usize
    }

    /// What stands in all of them.
    fn entry(&self) -> Entry<T> {
        match &self.memory {
            Memory::There(block) => block.first.as_ptr().wrapping_sub(self.words.start as usize * 64),
            Memory::Level(_) | Memory::Single(_) => away(),
        }
    }
}

impl<T> Chunks<T> {
    fn words(&self) -> usize {
        self.table.len()
    }

    /// The entry of the word of a slot.
    #[inline]
    fn entry(&self, index: usize) -> Entry<T> {
        debug_assert!(index / 64 < self.table.len());
        // SAFETY: C1, callers pass indices below the capacity.
        unsafe { *self.table.as_ptr().add(index / 64) }
    }

    /// Which chunk has a word.
    fn chunk_at(&self, word: u32) -> Option<usize> {
        let place = self.chunks.partition_point(|chunk| chunk.words.end <= word);
        (place < self.chunks.len()).then_some(place)
    }

    /// Puts other memory into the place of a chunk's, and points the table to it.
    fn link(&mut self, place: usize, memory: Memory<T>) {
        let chunk = &mut self.chunks[place];
        chunk.memory = memory;
        self.table[chunk.entries()].fill(chunk.entry());
    }

    /// Adds chunks until there are so many words. Each is a quarter of what is there, also when much is asked for at once: a chunk that
    /// is too large is seldom empty.
    fn add_chunks(&mut self, words: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.table, words, TABLE_ROOM)?;
        while self.words() < words {
            self.add_chunk((self.words() / 4).max(1).min(words - self.words()))?;
        }
        Ok(())
    }

    /// Adds a chunk of so many words, for which the table has room.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn add_chunk(&mut self, words: usize) -> Result<(), TryReserveError> {
        self.chunks.try_reserve(1)?;
        let block = Block::new(words.checked_mul(64).ok_or_else(too_much)?)?;
        let start = self.words() as u32;
        self.table.resize(self.words() + words, away());
        self.chunks.push(Chunk { words: start..start + words as u32, memory: Memory::Level(Vec::new()) });
        self.link(self.chunks.len() - 1, Memory::There(block));
        Ok(())
    }

    /// Forgets the chunks that begin after so many words. They hold nothing.
    fn cut_chunks(&mut self, words: usize) {
        while self.chunks.last().is_some_and(|chunk| chunk.words.start as usize >= words) {
            let cut = self.chunks.pop();
            self.gaps -= usize::from(!cut.is_some_and(|chunk| chunk.is_there()));
        }
        self.table.truncate(self.chunks.last().map_or(0, |chunk| chunk.words.end as usize));
        self.table.shrink_to_fit();
        self.chunks.shrink_to_fit();
    }

    /// The marks of a chunk that is about to go; `None` if there is no memory for them.
    fn marks_of(&self, words: &Range<u32>, hot: u32) -> Option<Memory<T>> {
        let end = (words.end as usize * 64).min(self.len);
        let slots = words.start as usize * 64..end;
        let note = |index: usize| {
            // SAFETY: C2 and B1, the chunk is there, and slots below `len` are initialised. None is live or the next one to be used,
            // whose mark alone would count.
            let (mark, vacancy) = unsafe { Slot::state(self.slot(index), false) };
            mark | u32::from(vacancy == Some(Vacancy::Retired))
        };
        let is_hot = slots.clone().any(|index| note(index) > hot);
        let mut marks = Vec::new();
        if is_hot {
            marks.try_reserve_exact(words.len() * 64).ok()?;
            marks.extend(slots.map(note));
            return Some(Memory::Single(marks));
        }
        marks.try_reserve_exact(words.len()).ok()?;
        marks.extend(slots.step_by(64).map(note));
        Some(Memory::Level(marks))
    }
}

/// The table has room for twice, four times, … so many entries, the bits for so many words. Each copies what it has when it needs
/// more: with steps of a quarter, never both in one.
const TABLE_ROOM: usize = 2;
const BITS_ROOM: usize = 3;

/// Room for `count` items in all: exactly so many at first, and then what `least` becomes by doubling.
fn reserve<X>(list: &mut Vec<X>, count: usize, least: usize) -> Result<(), TryReserveError> {
    if count <= list.capacity() {
        return Ok(());
    }
    let doubled = count.div_ceil(least).checked_next_power_of_two().and_then(|times| times.checked_mul(least));
    let room = if list.is_empty() { count } else { doubled.unwrap_or(count) };
    list.try_reserve_exact(room - list.len())
}

/// The table.
pub struct Table<T>(NonNull<Entry<T>>);

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Table<T> {}

impl<T> View<T> for Table<T> {
    #[inline]
    unsafe fn word(self, word: usize) -> NonNull<Slot<T>> {
        // SAFETY: C1, the caller says that there is such a word. C2, what its entry leads to is its first slot, or an odd address.
        unsafe { NonNull::new_unchecked((*self.0.as_ptr().add(word)).wrapping_add(word * 64)) }
    }
}

// SAFETY: B1 and B3: C1 and C2. B2: growing adds chunks and moves none; new bits are written as 0. B4: chunks are dropped by
// `cut_chunks`, and their memory is replaced by `forget_chunk`.
unsafe impl<T> Buffer<T> for Chunks<T> {
    const EMPTY: Self = Self { table: Vec::new(), chunks: Vec::new(), bits: Vec::new(), len: 0, gaps: 0 };
    const IN_CHUNKS: bool = true;

    type Of<Q> = Chunks<Q>;
    type View = Table<T>;
    type Refusal = TryReserveError;
    type Ledger = Vec<Cell<u64>>;

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn capacity(&self) -> usize {
        self.words() * 64
    }

    #[inline]
    fn limit(&self) -> usize {
        // A whole number of words, also where an address has 32 bits.
        usize::MAX / 64 * 64
    }

    #[inline]
    unsafe fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    #[inline]
    fn slot(&self, index: usize) -> *const Slot<T> {
        self.entry(index).wrapping_add(index)
    }

    #[inline]
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
    fn parts(&self) -> (Self::View, &[u64]) {
        (Table(NonNull::from(self.table.as_slice()).cast()), &self.bits)
    }

    #[inline]
    fn parts_mut(&mut self) -> (Self::View, &[u64]) {
        self.parts()
    }

    /// A quarter more: what is reserved and not used stays below a quarter of what is used.
    fn ample(&self, slots: usize) -> usize {
        slots.max(self.capacity().saturating_add(self.capacity() / 4))
    }

    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), TryReserveError> {
        let before = self.words();
        let grown = self.add_chunks(slots.div_ceil(64)).and_then(|()| reserve(&mut self.bits, bits, BITS_ROOM));
        grown.inspect_err(|_| self.cut_chunks(before))?;
        self.bits.resize(bits, 0);
        Ok(())
    }

    fn too_much() -> TryReserveError {
        too_much()
    }

    fn least(&self, slots: usize) -> usize {
        let last = slots.checked_sub(1).and_then(|last| self.chunk_at(u32::try_from(last / 64).ok()?));
        last.map_or(0, |place| self.chunks[place].words.end as usize * 64)
    }

    fn shrink_to(&mut self, slots: usize, bits: usize) {
        self.cut_chunks(slots.div_ceil(64));
        self.bits.truncate(bits);
        self.bits.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        let chunk = |chunk: &Chunk<T>| match &chunk.memory {
            Memory::There(block) => block.capacity * size_of::<Slot<T>>(),
            Memory::Level(marks) | Memory::Single(marks) => marks.capacity() * size_of::<u32>(),
        };
        self.chunks.iter().map(chunk).sum::<usize>()
            + self.chunks.capacity() * size_of::<Chunk<T>>()
            + self.table.capacity() * size_of::<Entry<T>>()
            + self.bits.capacity() * size_of::<u64>()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        let in_chunk = |chunk: &Chunk<T>| {
            let Memory::There(block) = &chunk.memory else { return None };
            let nth = index_in::<T>(block.first.addr().get(), chunk.slots(), address)?;
            Some(chunk.words.start as usize * 64 + nth)
        };
        self.chunks.iter().find_map(in_chunk).filter(|&index| index < self.len)
    }

    fn ledger(&self) -> Vec<Cell<u64>> {
        ledger(self.len)
    }

    #[inline]
    fn has_gaps(&self) -> bool {
        self.gaps != 0
    }

    fn fault(&self) -> Option<&'static str> {
        let mut end = 0;
        let mut gaps = 0;
        for chunk in &self.chunks {
            let follows = chunk.words.start == end;
            end = chunk.words.end;
            gaps += usize::from(!chunk.is_there());
            let entries = self.table.get(chunk.entries()).unwrap_or_default();
            if !follows || entries.is_empty() {
                return Some("C1: the chunks do not follow each other");
            }
            if entries.iter().any(|entry| *entry != chunk.entry()) {
                return Some("C2: the table and the chunks disagree");
            }
        }
        if end as usize != self.words() || gaps != self.gaps {
            Some("C1: the table does not end with the last chunk")
        } else {
            None
        }
    }

    #[inline]
    fn is_there(&self, index: usize) -> bool {
        self.entry(index) != away()
    }

    #[inline]
    fn absent(&self, index: usize) -> Option<Absent> {
        if self.is_there(index) { None } else { self.look_up_absent(index) }
    }

    fn restore(&mut self, index: usize) -> Result<(), TryReserveError> {
        let Some(place) = u32::try_from(index / 64).ok().and_then(|word| self.chunk_at(word)) else { return Ok(()) };
        if self.chunks[place].is_there() {
            return Ok(());
        }
        let block = Block::<T>::new(self.chunks[place].slots())?;
        self.gaps -= 1;
        let start = self.chunks[place].words.start as usize * 64;
        for index in start..(start + self.chunks[place].slots()).min(self.len) {
            let Some(Absent { mark, retired }) = self.look_up_absent(index) else { continue };
            let vacancy = if retired { Vacancy::Retired } else { Vacancy::Free };
            // SAFETY: the memory is new and long enough; the mark of a slot that is not live is even.
            unsafe { Slot::write_vacant(block.first.as_ptr().add(index - start), mark, vacancy) };
        }
        self.link(place, Memory::There(block));
        Ok(())
    }

    fn chunk_of(&self, word: u32) -> Option<Range<u32>> {
        let chunk = &self.chunks[self.chunk_at(word)?];
        chunk.is_there().then(|| chunk.words.clone())
    }

    unsafe fn forget_chunk(&mut self, word: u32, hot: u32) {
        let Some(place) = self.chunk_at(word) else { return };
        let words = self.chunks[place].words.clone();
        if let Some(marks) = self.marks_of(&words, hot) {
            self.gaps += 1;
            self.link(place, marks);
        }
    }
}

impl<T> Chunks<T> {
    #[cold]
    fn look_up_absent(&self, index: usize) -> Option<Absent> {
        let chunk = &self.chunks[self.chunk_at(u32::try_from(index / 64).ok()?)?];
        let nth = index - chunk.words.start as usize * 64;
        let noted = match &chunk.memory {
            Memory::There(_) => return None,
            Memory::Level(marks) => *marks.get(nth / 64)?,
            Memory::Single(marks) => *marks.get(nth)?,
        };
        Some(Absent { mark: noted & !1, retired: noted & 1 == 1 })
    }
}
