//! The number of slots in each state.

/// Counts of slots, and the transitions between their states.
///
/// A slot is *live* or *vacant*. A vacant slot is *free*, *retired*, or *pending*: it belongs to a
/// handle without a value, or to a split (`deferred.rs`).
///
/// - E3: `slots` is the number of slots that exist, `vacant` is the number of those without a
///   committed value, and `pending` and `retired` are the numbers of vacant slots in these states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Census {
    slots: u32,
    vacant: u32,
    pending: u32,
    retired: u32,
}

impl Census {
    pub(super) const EMPTY: Self = Self { slots: 0, vacant: 0, pending: 0, retired: 0 };

    /// Returns the number of slots that exist.
    #[inline(always)]
    pub(super) const fn slots(&self) -> u32 {
        self.slots
    }

    #[inline(always)]
    pub(super) const fn live(&self) -> u32 {
        self.slots - self.vacant
    }

    #[inline(always)]
    pub(super) const fn vacant(&self) -> u32 {
        self.vacant
    }

    #[inline(always)]
    pub(super) const fn pending(&self) -> u32 {
        self.pending
    }

    #[inline(always)]
    pub(super) const fn retired(&self) -> u32 {
        self.retired
    }

    #[inline(always)]
    pub(super) const fn free(&self) -> u32 {
        self.vacant - self.pending - self.retired
    }

    /// Returns `true` if some vacant slots are not free.
    #[inline(always)]
    pub(super) const fn holds_any(&self) -> bool {
        self.pending + self.retired != 0
    }

    #[inline(always)]
    pub(super) fn add_live(&mut self, count: u32) {
        self.slots += count;
    }

    pub(super) fn add_free(&mut self, count: u32) {
        self.slots += count;
        self.vacant += count;
    }

    /// Removes the last slot, which is free.
    pub(super) fn cut_free(&mut self) {
        self.slots -= 1;
        self.vacant -= 1;
    }

    #[inline(always)]
    pub(super) fn free_to_live(&mut self) {
        self.vacant -= 1;
    }

    #[inline(always)]
    pub(super) fn free_to_pending(&mut self, count: u32) {
        self.pending += count;
    }

    #[inline(always)]
    pub(super) fn live_to_free(&mut self, count: u32) {
        self.vacant += count;
    }

    pub(super) fn live_to_retired(&mut self, count: u32) {
        self.vacant += count;
        self.retired += count;
    }

    #[inline(always)]
    pub(super) fn live_to_pending(&mut self) {
        self.vacant += 1;
        self.pending += 1;
    }

    #[inline(always)]
    pub(super) fn pending_to_live(&mut self, count: u32) {
        self.vacant -= count;
        self.pending -= count;
    }

    #[inline(always)]
    pub(super) fn pending_to_free(&mut self, count: u32) {
        self.pending -= count;
    }

    pub(super) fn pending_to_retired(&mut self) {
        self.pending -= 1;
        self.retired += 1;
    }

    /// Counts retired slots as pending, while slots are overwritten by those of another engine.
    pub(super) fn count_retired_as_pending(&mut self) {
        self.pending += core::mem::take(&mut self.retired);
    }

    pub(super) fn retired_to_live(&mut self) {
        self.vacant -= 1;
        self.retired -= 1;
    }

    #[cfg(feature = "alloc")]
    pub(super) fn retired_to_pending(&mut self) {
        self.retired -= 1;
        self.pending += 1;
    }

    pub(super) fn retired_to_free(&mut self, count: u32) {
        self.retired -= count;
    }
}
