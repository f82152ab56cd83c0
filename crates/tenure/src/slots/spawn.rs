//! Tenants that are born and die while the others are borrowed: nobody meets them, and their slots
//! are used by nobody else, until that is over.
#![expect(unsafe_code, reason = "writes values into slots that count as vacant")]

use core::ptr::NonNull;

use super::bits::{below, split};
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy};
use super::{Place, Roam, Slots, after, unlikely};
use crate::error::FullKind;
use crate::layout::Layout;
use crate::steps::step;

/// Slots of one word in which the next ones are born, lowest first: so a birth is a matter of a few
/// lines.
///
/// N4: the slots in `left` are kept (N1), and `slots` points to the first slot of the word, until
/// the engine is told to [close](Slots::close) the nursery.
pub(crate) struct Nursery<P> {
    left: u64,
    word: u32,
    slots: NonNull<Slot<P>>,
}

// SAFETY: N4, the slots are the engine's, which goes to the same thread.
unsafe impl<P: Send> Send for Nursery<P> {}

impl<P> Nursery<P> {
    pub(crate) const EMPTY: Self = Self { left: 0, word: 0, slots: NonNull::dangling() };

    /// The next place, and where the value goes, which the caller writes at once: the slot is
    /// newborn. `None` if there is no place.
    ///
    /// (The value stays out of here: a loop in which somebody is born must keep its own state in
    /// registers.)
    #[inline]
    pub(crate) fn spawn(&mut self) -> Option<(Place, NonNull<P>)> {
        if self.left == 0 {
            unlikely();
            return None;
        }
        let place = self.left.trailing_zeros();
        self.left &= self.left - 1;
        // SAFETY: N4, the slot is kept: it exists, is vacant, and is nobody else's. The mark of a
        // tenant is odd, and the caller writes its value (S1).
        unsafe {
            let slot = self.slots.add(place as usize).as_ptr();
            (*slot).mark |= 1;
            let value = NonNull::new_unchecked(Slot::value_ptr(slot));
            Some((Place { index: self.word * 64 + place, mark: (*slot).mark }, value))
        }
    }

    /// Its word, and the slots that have been kept and not used.
    pub(crate) fn rest(&self) -> (u32, u64) {
        (self.word, self.left)
    }
}

/// N1: some slots have the bit of a vacant one and are counted as vacant and pending, and none of
/// them is listed as free: so no walk meets them, and nobody takes them for free. They are
/// - *kept*: for a [`Nursery`]. No value, and an even mark. They still say that they are free:
///   nobody asks as long as the nursery has any, because no word is opened meanwhile.
/// - *newborn*: a value, and an odd mark;
/// - *departed*: no value, an even mark, and the vacancy `Kept`, by a tenant who is gone.
///
/// Their owner (`stable/shared.rs`) knows them, and closes, admits and buries before anything else
/// is done than these functions, looking up, roaming, and reserving.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Keeps the next slot to be used, and all others of its word that are free. Also says which.
    #[cold]
    pub(crate) fn open_nursery(&mut self) -> Result<(Nursery<P>, u64), FullKind> {
        let is_new = self.place()?.index == self.slot_count();
        let (word, bits) = if is_new { self.append_word() } else { self.unlist_word() };
        self.bits.add(self.buffer.bits_mut(), word, bits);
        self.pending += bits.count_ones();
        self.apart += bits.count_ones();
        Ok((self.nursery(word, bits), bits))
    }

    /// A nursery of slots of one word, which exist.
    pub(crate) fn nursery(&mut self, word: u32, left: u64) -> Nursery<P> {
        // SAFETY: B3, the word is there.
        let slots = unsafe { self.buffer.parts_mut().0.word(word as usize) };
        Nursery { left, word, slots }
    }

    /// Appends free slots up to the end of the word. There is room for one at least.
    fn append_word(&mut self) -> (u32, u64) {
        let (count, word) = (self.slot_count(), self.slot_count() / 64);
        self.append_free(self.room.min((word * 64).saturating_add(64)));
        (word, self.existing_bits(word) & !below(count, word))
    }

    /// Lists the slots of a nursery that were kept and not used. Those that were made for it are
    /// forgotten.
    pub(crate) fn close(&mut self, word: u32, left: u64) {
        if left == 0 {
            return;
        }
        self.forget_pending(left.count_ones());
        self.bits.remove(self.buffer.bits_mut(), word, left);
        // SAFETY: B3 and N1, kept slots exist.
        unsafe { say(self.buffer.parts_mut().0.word(word as usize), left, Vacancy::Free) };
        let left = self.cut_unused(word, left);
        if left != 0 {
            self.free_many(word, left);
        }
    }

    /// Forgets free slots at the end that are neither listed nor have had a tenant (E5). Says which
    /// are left.
    fn cut_unused(&mut self, word: u32, mut left: u64) -> u64 {
        while left != 0 {
            let last = 63 - left.leading_zeros();
            if word * 64 + last + 1 != self.slot_count() || self.mark_at(word * 64 + last) != self.floor {
                break;
            }
            self.cut_last();
            left &= !(1 << last);
        }
        left
    }

    /// The newborn of a word are among all from now on.
    pub(crate) fn admit(&mut self, word: u32, newborn: u64) {
        if newborn != 0 {
            self.vacant -= newborn.count_ones();
            self.forget_pending(newborn.count_ones());
            self.bits.remove(self.buffer.bits_mut(), word, newborn);
        }
    }

    /// Gives a pending tenant its value: it is newborn.
    pub(crate) fn fill_newborn(&mut self, index: u32, mark: u32, value: P) {
        debug_assert!(self.is_pending(index, mark));
        // SAFETY: B1 and N1, the slot exists and is vacant. Pending, it has its bit and is counted.
        unsafe { Slot::write_live(self.buffer.slot_mut(index as usize), mark, value) };
    }

    /// Moves the value of a live tenant, which is not the last one its slot can have, out. Its
    /// handle is dead from now on.
    #[inline]
    pub(crate) fn depart(&mut self, index: u32, mark: u32) -> P {
        debug_assert!(self.is_settled(index, mark) && !Self::is_last(mark));
        self.vacant += 1;
        self.pending += 1;
        self.hold(index);
        let slot = self.buffer.slot_mut(index as usize);
        // SAFETY: B1 and S1, callers pass live slots, and the value is read once. The mark beside
        // an odd one is even.
        unsafe {
            let value = Slot::value_ptr(slot).read();
            Slot::write_vacant(slot, mark + 1, Vacancy::Kept);
            value
        }
    }

    /// Whether a slot is retired after this tenant.
    #[inline]
    pub(crate) fn is_last(mark: u32) -> bool {
        after::<L>(mark).1 == Vacancy::Retired
    }

    /// Lists slots that have departed. They have their bits already: only their words are listed.
    pub(crate) fn bury(&mut self, departed: impl Iterator<Item = u32>) {
        let mut listed = None;
        for index in departed {
            self.forget_pending(1);
            self.say_free(index);
            // Often neighbours have departed: their word is listed once.
            if listed != Some(split(index).0) {
                listed = self.list_marked(index);
            }
        }
        self.apart = 0;
        self.use_listed();
    }

    /// Whether this tenant is live, and not newborn.
    #[inline]
    pub(crate) fn is_settled(&self, index: u32, mark: u32) -> bool {
        self.contains(index, mark) && self.is_admitted(index)
    }

    /// Whether the tenant of a slot, who has a value, is not newborn.
    #[inline]
    pub(crate) fn is_admitted(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        self.vacant_bits(word) & bit == 0
    }

    /// Those of some slots of a word that hold a value.
    pub(crate) fn with_value(&self, word: u32, mut bits: u64) -> u64 {
        let mut live = 0;
        while bits != 0 {
            step();
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            if self.live_mark(word * 64 + bit.trailing_zeros()).is_some() {
                live |= bit;
            }
        }
        live
    }

    /// Where the value of a tenant is, if it is live or newborn.
    #[inline]
    pub(crate) fn find(&self, index: u32, mark: u32) -> Option<NonNull<P>> {
        // SAFETY: B1, the slot exists.
        if self.has(index) { unsafe { self.find_there(index, mark) } } else { None }
    }

    /// The same, without asking whether there is such a slot.
    ///
    /// # Safety
    /// The slot exists.
    #[inline]
    pub(crate) unsafe fn find_there(&self, index: u32, mark: u32) -> Option<NonNull<P>> {
        if self.mark_at(index) != mark {
            unlikely();
            return None;
        }
        Some(self.value_ptr(index))
    }

    /// The same, if it is not newborn.
    #[inline]
    pub(crate) fn find_settled(&self, index: u32, mark: u32) -> Option<NonNull<P>> {
        self.find(index, mark).filter(|_| self.is_admitted(index))
    }

    /// Where the value of a slot that exists is.
    #[inline]
    fn value_ptr(&self, index: u32) -> NonNull<P> {
        debug_assert!(self.has(index));
        // SAFETY: B1, callers pass slots that exist. Only an address is taken, and none is null.
        unsafe { NonNull::new_unchecked(Slot::value_ptr(self.buffer.slot(index as usize).cast_mut())) }
    }

    /// A walk that does not borrow the engine.
    pub(crate) fn roam(&self) -> Roam<P> {
        Roam::over(0..self.word_count())
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// After a copy, in which newborn slots have no bit and count as live: those among some of a
    /// word get their bit. (The kept have it.)
    pub(crate) fn hold_newborn(&mut self, word: u32, mut bits: u64) {
        while bits != 0 {
            let index = word * 64 + bits.trailing_zeros();
            bits &= bits - 1;
            if self.live_mark(index).is_some() {
                self.vacant += 1;
                self.hold(index);
            }
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Lets every pending slot go. Those that are kept, or newborn, are not among them.
    pub(crate) fn release_waiting(&mut self) {
        for index in 0..self.slot_count() {
            if let (mark, Some(Vacancy::Pending)) = self.state(index) {
                self.release(index, mark | 1);
            }
        }
    }
}

/// What was saved in the middle of a frame.
#[cfg(feature = "serde")]
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// A live tenant is newborn again.
    pub(crate) fn unadmit(&mut self, index: u32) {
        debug_assert!(self.live_mark(index).is_some() && self.is_admitted(index));
        self.vacant += 1;
        self.pending += 1;
        self.hold(index);
    }

    /// Keeps a slot that is pending. `false` if it is not.
    pub(crate) fn keep(&mut self, index: u32) -> bool {
        let is_pending = self.state(index).1 == Some(Vacancy::Pending);
        if is_pending {
            // SAFETY: B1 and N1, the slot exists and is vacant. Pending, it has its bit and is
            // counted.
            unsafe { Slot::write_vacancy(self.buffer.slot_mut(index as usize), Vacancy::Kept) };
        }
        is_pending
    }
}

/// Writes why some slots of a word are vacant.
///
/// # Safety
/// `slots` is the first slot of the word. Those whose bits are in `vacant` exist, and are.
unsafe fn say<P>(slots: NonNull<Slot<P>>, mut vacant: u64, why: Vacancy) {
    while vacant != 0 {
        // SAFETY: B3, the caller's.
        unsafe { Slot::write_vacancy(slots.add(vacant.trailing_zeros() as usize).as_ptr(), why) };
        vacant &= vacant - 1;
    }
}
