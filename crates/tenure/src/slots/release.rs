//! Removing many: clear, retain, one after the other, and drop. A panic in a destructor or a
//! closure finds a valid engine, and what was begun is finished.
#![expect(unsafe_code, reason = "moves values out of live slots")]

use core::mem::needs_drop;
use core::ops::Range;
use core::ptr::NonNull;

use super::bits::{below, split};
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy};
use super::{Slots, after, unlikely};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// How many words the slots take up.
    pub(super) fn word_count(&self) -> u32 {
        self.slot_count().div_ceil(64)
    }

    /// The slots of a word that exist.
    pub(super) fn slots_of(&self, word: u32) -> Range<u32> {
        word * 64..self.slot_count().min((word * 64).saturating_add(64))
    }

    /// Which slots of a word exist, as bits.
    #[inline]
    pub(super) fn existing_bits(&self, word: u32) -> u64 {
        below(self.slot_count(), word)
    }

    /// Which slots of a word are live.
    #[inline]
    pub(super) fn live_bits(&self, word: u32) -> u64 {
        !(self.vacant_bits(word) | self.free.unmarked(word)) & self.existing_bits(word)
    }

    /// The first live slot at `from` or after it.
    #[inline]
    fn next_live(&self, from: u32) -> Option<u32> {
        let mut word = from / 64;
        let mut bits = self.live_bits(word) & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            if word >= self.word_count() {
                return None;
            }
            bits = self.live_bits(word);
        }
        Some(word * 64 + bits.trailing_zeros())
    }

    /// The last live slot before `end`.
    #[inline]
    pub(crate) fn last_live(&self, end: u32) -> Option<u32> {
        let mut word = self.word_count().min(end.div_ceil(64));
        while word > 0 {
            word -= 1;
            let bits = self.live_bits(word) & below(end, word);
            if bits != 0 {
                return Some(word * 64 + 63 - bits.leading_zeros());
            }
        }
        None
    }

    /// To visit all live slots from both ends while they are removed.
    pub(crate) fn ends(&self) -> Ends {
        Ends { front: 0, back: self.slot_count() }
    }

    /// Removes a live slot's value for an owner that will not use the slots again: nothing is
    /// listed.
    pub(crate) fn remove_for_good(&mut self, index: u32) -> Option<(u32, P)> {
        self.live_mark(index)?;
        // SAFETY: B1 and S1, the slot exists and is live.
        let (value, mark) = unsafe { self.lift(index) };
        self.hold(index);
        self.vacate(index, mark);
        Some((mark, value))
    }

    /// Removes the live value at `index` if `condemn` says so.
    #[inline]
    pub(crate) fn remove_if(&mut self, index: u32, condemn: impl FnOnce(u32, &mut P) -> bool) -> Option<(u32, P)> {
        let mark = self.live_mark(index)?;
        // SAFETY: B1 and S1, the slot exists and is live.
        if !condemn(mark, unsafe { self.get_unchecked_mut(index) }) {
            return None;
        }
        // SAFETY: B1 and S1, the slot exists and is live: `condemn` saw only the value.
        Some((mark, unsafe { self.evict(index) }))
    }

    /// Removes and drops the values that `condemn` names, word by word.
    #[inline]
    pub(crate) fn sweep(&mut self, mut condemn: impl FnMut(u32, u32, &mut P) -> bool) {
        for word in 0..self.word_count() {
            let live = self.live_bits(word);
            if live != 0 {
                self.batch(word).run(live, &mut condemn);
            }
        }
    }

    /// To remove many values at once, beginning in a word.
    pub(crate) fn batch(&mut self, word: u32) -> Batch<'_, P, L, B> {
        Batch { slots: self, word, noted: 0, gone: 0, retired: 0 }
    }

    /// Counts and lists slots of a word that have become vacant. Some are retired. (Out of line: it
    /// is called once per word, and the loops around it need the registers.)
    #[inline(never)]
    fn list_gone(&mut self, word: u32, gone: u64, retired: u64) {
        self.vacant += gone.count_ones();
        if retired != 0 {
            self.bits.add(self.buffer.bits_mut(), word, retired);
            self.retired += retired.count_ones();
        }
        let free = gone & !retired;
        if free.is_power_of_two() {
            self.free(word * 64 + free.trailing_zeros());
        } else if free != 0 {
            self.free_many(word, free);
        }
    }

    /// Removes every value, releases every pending slot, and lists all that is free, lowest first
    /// out.
    pub(crate) fn clear(&mut self) {
        if !needs_drop::<P>() {
            self.vacate_all();
            self.free_all();
            return;
        }
        let rest = FinishClear(self);
        rest.0.sweep(|_, _, _| true);
    }

    /// Makes every live slot vacant, and lists none of them. Only for values that need no dropping.
    fn vacate_all(&mut self) {
        self.vacant = self.slot_count();
        for word in 0..self.word_count() {
            let live = self.live_bits(word);
            if live != 0 {
                // SAFETY: B3 and E1, the word has a live slot, so it has its first one, and these
                // are live.
                let retired = unsafe { vacate_word::<P, L>(self.buffer.parts_mut().0.word(word as usize), live) };
                if retired != 0 {
                    self.retired += retired.count_ones();
                }
                self.bits.add(self.buffer.bits_mut(), word, live);
            }
        }
    }

    /// After everything was removed: no slot is pending, and the free list is made anew.
    fn free_all(&mut self) {
        if self.pending > 0 {
            self.release_all();
        }
        self.list_anew();
    }

    fn release_all(&mut self) {
        for index in 0..self.slot_count() {
            if let (mark, Some(Vacancy::Pending)) = self.state(index) {
                self.vacant -= 1;
                self.vacate(index, mark | 1);
            }
        }
        (self.pending, self.apart) = (0, 0);
    }

    /// After a copy that was not finished: nobody keeps slots here.
    fn free_kept(&mut self) {
        for index in 0..self.slot_count() {
            if self.state(index).1 == Some(Vacancy::Kept) {
                self.say_free(index);
            }
        }
    }

    /// Counts pending and retired slots anew, and makes the free list anew. Every vacant slot has
    /// its bit.
    pub(super) fn recount(&mut self) {
        let count = |slots: &Self, wanted| {
            let is_wanted = |&index: &u32| slots.state(index).1 == Some(wanted);
            u32::try_from((0..slots.slot_count()).filter(is_wanted).count()).unwrap_or(u32::MAX)
        };
        self.free_kept();
        (self.pending, self.apart) = (count(self, Vacancy::Pending), 0);
        self.retired = count(self, Vacancy::Retired);
        self.list_anew();
    }
}

/// Makes live slots of a word vacant without dropping their values, and says which are retired now.
///
/// # Safety
/// `slots` is the first slot of the word, and the slots whose bits are in `live` are live.
unsafe fn vacate_word<P, L: Layout>(slots: NonNull<Slot<P>>, mut live: u64) -> u64 {
    // SAFETY: B3 and S1, the caller's.
    let mark_at = |place: u32| unsafe { (*slots.add(place as usize).as_ptr()).mark };
    // SAFETY: B3 and S1, the caller's; marks beside odd ones are even.
    let vacate =
        |place: u32, mark, vacancy| unsafe { Slot::write_vacant(slots.add(place as usize).as_ptr(), mark, vacancy) };
    // A full word without a slot at its end is a plain loop. Those at their end are counted,
    // because counting compares several at once.
    let is_at_end = |place| u32::from(L::count(mark_at(place)) == L::COUNT);
    if live == u64::MAX && (0..64).map(is_at_end).sum::<u32>() == 0 {
        (0..64).for_each(|place| vacate(place, mark_at(place) + 1, Vacancy::Free));
        return 0;
    }
    let mut retired = 0;
    while live != 0 {
        let place = live.trailing_zeros();
        live &= live - 1;
        let (next, vacancy) = after::<L>(mark_at(place));
        vacate(place, next, vacancy);
        retired |= u64::from(vacancy == Vacancy::Retired) << place;
    }
    retired
}

/// How far two ends have come on their way through the slots: what is outside has been decided.
#[derive(Debug)]
pub(crate) struct Ends {
    front: u32,
    back: u32,
}

impl Ends {
    /// The next live slot from the front.
    #[inline]
    pub(crate) fn next<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.next_live(self.front).filter(|&index| index < self.back)?;
        self.front = index + 1;
        Some(index)
    }

    /// The next live slot from the back.
    #[inline]
    pub(crate) fn next_back<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.last_live(self.back).filter(|&index| index >= self.front)?;
        self.back = index;
        Some(index)
    }
}

/// The removals in one word. They are counted and listed when it is dropped, also after a panic;
/// until then nobody but the caller's closure and the values' destructors run, and they see values
/// only.
pub(crate) struct Batch<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    word: u32,
    /// Slots of it that are live, and condemned.
    noted: u64,
    /// Slots of it that were live and are vacant, and neither counted nor listed.
    gone: u64,
    /// Those of them that are retired, and not free.
    retired: u64,
}

impl<P, L: Layout, B: Buffer<P>> Batch<'_, P, L, B> {
    /// The first slot of the word. Good until the engine is used again.
    #[inline]
    fn first(&mut self) -> NonNull<Slot<P>> {
        // SAFETY: B3, the word has a live slot, so it has its first one.
        unsafe { self.slots.buffer.parts_mut().0.word(self.word as usize) }
    }

    /// Asks about every live slot of the word. A word without holes is a plain loop.
    #[inline]
    fn run(mut self, mut live: u64, condemn: &mut impl FnMut(u32, u32, &mut P) -> bool) {
        let first = self.first();
        if live == u64::MAX {
            for place in 0..64 {
                // SAFETY: E1, the slot is live: its bit says so, and no slot is looked at twice.
                unsafe { self.remove_if(first, place, condemn) };
            }
            return;
        }
        while live != 0 {
            // SAFETY: E1, as above.
            unsafe { self.remove_if(first, live.trailing_zeros(), condemn) };
            live &= live - 1;
        }
    }

    /// Values without destructors are only noted here, without a branch, and go all at once: what
    /// `condemn` will say cannot be predicted, and a wrong guess costs more than all the rest.
    ///
    /// # Safety
    /// `first` is the first slot of the word, and the slot at `place` is live.
    #[inline(always)]
    unsafe fn remove_if(
        &mut self,
        first: NonNull<Slot<P>>,
        place: u32,
        condemn: &mut impl FnMut(u32, u32, &mut P) -> bool,
    ) {
        // SAFETY: B3 and S1, the caller's. Marks beside odd ones are even. The value is read once:
        // the slot is vacant from then on, before the destructor runs.
        unsafe {
            let slot = first.add(place as usize).as_ptr();
            let mark = (*slot).mark;
            let condemned = condemn(self.word * 64 + place, mark, &mut *Slot::value_ptr(slot));
            if !needs_drop::<P>() {
                self.noted |= u64::from(condemned) << place;
            } else if condemned {
                let value = Slot::value_ptr(slot).read();
                let (next, vacancy) = after::<L>(mark);
                Slot::write_vacant(slot, next, vacancy);
                self.gone |= 1 << place;
                self.retired |= u64::from(vacancy == Vacancy::Retired) << place;
                drop(value);
            }
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Batch<'_, P, L, B> {
    /// Removes a live value, by index and mark. Those of one word are listed at once where they
    /// follow each other.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32, mark: u32) {
        const { assert!(!needs_drop::<P>()) };
        let (word, bit) = split(index);
        if word != self.word {
            self.list();
            self.word = word;
        }
        if self.slots.contains(index, mark) {
            let (next, vacancy) = after::<L>(mark);
            if vacancy == Vacancy::Retired {
                unlikely();
                self.retired |= bit;
            }
            self.gone |= bit;
            // SAFETY: B1 and H1, the slot exists, and is live; one beside an odd mark is even. Its
            // value needs no dropping.
            unsafe { Slot::write_vacant(self.slots.buffer.slot_mut(index as usize), next, vacancy) };
        }
    }

    /// Makes what is noted vacant. Only for values that need no dropping.
    #[inline]
    fn vacate_noted(&mut self) {
        let noted = core::mem::take(&mut self.noted);
        if noted != 0 {
            // SAFETY: B3 and E1, these slots are live: each was asked about, and none has been made
            // vacant.
            self.retired = unsafe { vacate_word::<P, L>(self.first(), noted) };
            self.gone = noted;
        }
    }

    /// Counts and lists what is gone. (The engine alone is called, so that all else stays in
    /// registers.)
    #[inline]
    fn list(&mut self) {
        let (gone, retired) = (core::mem::take(&mut self.gone), core::mem::take(&mut self.retired));
        if gone != 0 {
            self.slots.list_gone(self.word, gone, retired);
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Batch<'_, P, L, B> {
    #[inline]
    fn drop(&mut self) {
        self.vacate_noted();
        self.list();
    }
}

/// Finishes a `clear`, also when a destructor panicked.
struct FinishClear<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

impl<P, L: Layout, B: Buffer<P>> Drop for FinishClear<'_, P, L, B> {
    fn drop(&mut self) {
        if self.0.len() > 0 {
            self.0.sweep(|_, _, _| true);
        }
        self.0.free_all();
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Slots<P, L, B> {
    fn drop(&mut self) {
        if needs_drop::<P>() {
            // Dropped twice: the second time does what is left when a destructor panicked, and else
            // nothing.
            let mut values = Values { word: 0, live: self.live_bits(0), slots: self };
            values.drop_all();
        }
    }
}

/// The values of an engine that nobody will look at again: they are dropped where they are.
struct Values<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    word: u32,
    /// What is left of the word.
    live: u64,
}

impl<P, L: Layout, B: Buffer<P>> Values<'_, P, L, B> {
    fn drop_all(&mut self) {
        while self.word < self.slots.word_count() {
            self.drop_word();
            self.word += 1;
            self.live = self.slots.live_bits(self.word);
        }
    }

    fn drop_word(&mut self) {
        if self.live == 0 {
            return;
        }
        // SAFETY: B3 and E1, the word has a live slot, so it has its first one.
        let slots = unsafe { self.slots.buffer.parts_mut().0.word(self.word as usize) };
        if self.live == u64::MAX {
            self.live = 0;
            // SAFETY: B3, S1 and E1, the 64 slots exist and are live. Dropping a slice goes on
            // after a panic.
            unsafe { NonNull::slice_from_raw_parts(slots.cast::<Tenant<P>>(), 64).drop_in_place() };
        }
        while self.live != 0 {
            let place = self.live.trailing_zeros();
            self.live &= self.live - 1;
            // SAFETY: B3, S1 and E1, the bit said that the slot exists and is live. It is cleared
            // now, so the value is dropped once, whatever its destructor does.
            unsafe { Slot::value_ptr(slots.add(place as usize).as_ptr()).drop_in_place() };
        }
    }
}

/// A slot that is known to be live: dropping it drops the value.
#[repr(transparent)]
struct Tenant<P>(Slot<P>);

impl<P> Drop for Tenant<P> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: S1, made only of live slots.
        unsafe { Slot::value_ptr(&raw mut self.0).drop_in_place() };
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Values<'_, P, L, B> {
    fn drop(&mut self) {
        self.drop_all();
    }
}
