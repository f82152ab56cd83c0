//! A map from old handles to new ones.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use crate::handle::Handle;
use crate::layout::Layout;

/// The old handle and the new handle of a value.
pub(super) type Pair<K, L> = (Handle<K, L>, Handle<K, L>);

/// Pairs of old and new handles, sorted by the old ones after the last `push`.
pub(super) struct Renames<K: ?Sized, L: Layout> {
    pairs: Vec<Pair<K, L>>,
    /// The number of indices below the highest old one that do not occur.
    holes: usize,
}

impl<K: ?Sized, L: Layout> Renames<K, L> {
    pub(super) const EMPTY: Self = Self { pairs: Vec::new(), holes: 0 };

    pub(super) fn try_reserve(&mut self, count: usize) -> Result<(), TryReserveError> {
        self.pairs.try_reserve_exact(count)
    }

    pub(super) fn push(&mut self, old: Handle<K, L>, new: Handle<K, L>) {
        self.pairs.push((old, new));
    }

    /// Sorts the pairs. Must be called before the first `get`.
    pub(super) fn sort(&mut self) {
        // The pairs are usually sorted already, and then this is one pass. A stable sort would
        // allocate.
        self.pairs.sort_unstable_by_key(|(old, _)| *old);
        self.holes = self.pairs.last().map_or(0, |(old, _)| old.index() as usize + 1 - self.pairs.len());
    }

    /// Returns the new handle. Every index occurs at most once, so the position of a pair is at
    /// most `holes` below its index: without holes, it is found at once. Holes are usually spread
    /// evenly, so the search begins where the pair would be in that case, and widens.
    pub(super) fn get(&self, old: Handle<K, L>) -> Option<Handle<K, L>> {
        let index = old.index() as usize;
        let end = self.pairs.len().min(index.saturating_add(1));
        let begin = index.saturating_sub(self.holes).min(end);
        let (mut low, mut high, mut step) = (self.guess(old).clamp(begin, end), begin, 4);
        while low > begin && self.pairs.get(low).is_none_or(|(other, _)| *other > old) {
            (low, step) = (low.saturating_sub(step).max(begin), step * 2);
        }
        high = high.max(low);
        while high < end && self.pairs[high].0 < old {
            (high, step) = ((high + step).min(end), step * 2);
        }
        let candidates = &self.pairs[low..end.min(high + 1)];
        let position = candidates.binary_search_by_key(&old, |(old, _)| *old).ok()?;
        Some(candidates[position].1)
    }

    #[expect(clippy::cast_possible_truncation, reason = "not above the length")]
    fn guess(&self, old: Handle<K, L>) -> usize {
        let (length, indices) = (self.pairs.len() as u64, (self.pairs.len() + self.holes).max(1) as u64);
        (u64::from(old.index()) * length / indices).min(length) as usize
    }

    pub(super) fn as_slice(&self) -> &[Pair<K, L>] {
        &self.pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(index: u32) -> Handle<str> {
        Handle::from_parts(index, 1 + index % 3).unwrap()
    }

    #[test]
    fn all_are_found_and_no_others() {
        for step in [1, 2, 3, 7] {
            let mut renames = Renames::EMPTY;
            let old = || (0..50).map(|number| number * step + 5 * (number / 20));
            old().rev().for_each(|index| renames.push(handle(index), handle(index + 1)));
            renames.sort();
            for index in 0..500 {
                let expected = old().any(|other| other == index).then(|| handle(index + 1));
                assert_eq!(renames.get(handle(index)), expected, "{index} of every {step}");
                assert_eq!(renames.get(Handle::from_parts(index, 4).unwrap()), None);
            }
            assert_eq!(renames.get(Handle::NIL), None);
        }
    }

    /// A wrong guess only costs time, so the results of lookups do not show it.
    #[test]
    fn the_guess_is_close_where_holes_are_spread_evenly() {
        let mut renames = Renames::EMPTY;
        (0..1_000).for_each(|number| renames.push(handle(number * 3), handle(number)));
        renames.sort();
        assert!((0..1_000).all(|number| renames.guess(handle(number * 3)).abs_diff(number as usize) <= 1));
    }
}
