//! Slots as a heat map: a cell for each slot, or for several, coloured by the number of its
//! tenants.
//!
//! A map is drawn from a slice of [`SlotState`]s. [`mod@print`] draws it on lines of text with the
//! characters of [`look`], [`svg`] as a part of a page, [`picture`] as a file; all with the same
//! [`Levels`].

pub mod look;
pub mod picture;
pub mod print;
pub mod svg;

/// The state of a slot. The number is the generation of its tenant, or of its last one; 0 if it
/// never had one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotState {
    /// Has no tenant, and can get one.
    Vacant(u32),
    /// Has a value.
    Live(u32),
    /// Has a tenant without a value.
    Pending(u32),
    /// Has used up its generations.
    Retired(u32),
}

impl SlotState {
    /// The generation of the tenant, or of the last one.
    #[must_use]
    pub const fn generation(self) -> u32 {
        match self {
            Self::Vacant(generation)
            | Self::Live(generation)
            | Self::Pending(generation)
            | Self::Retired(generation) => generation,
        }
    }
}

/// The number of colours, from cold to hot.
pub const LEVELS: u32 = 7;

/// The colour of each generation: equal steps from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    lowest: u32,
    highest: u32,
    /// The number of generations per colour.
    step: u32,
    count: u32,
}

impl Levels {
    /// Levels for these slots. Retired ones do not count: theirs is the highest generation of the
    /// layout.
    #[must_use]
    pub fn of(states: &[SlotState]) -> Self {
        let generations = || states.iter().filter(|state| !matches!(state, SlotState::Retired(_)));
        let generations = || generations().map(|state| state.generation()).filter(|&generation| generation > 0);
        let lowest = generations().min().unwrap_or(1);
        let highest = generations().max().unwrap_or(1);
        let step = (highest - lowest) / LEVELS + 1;
        Self { lowest, highest, step, count: (highest - lowest) / step + 1 }
    }

    /// The colour of a generation, below [`LEVELS`]. Few colours are spread over the whole range.
    #[must_use]
    pub fn level(self, generation: u32) -> u32 {
        let nth = (generation.saturating_sub(self.lowest) / self.step).min(self.count - 1);
        if self.count == 1 { 0 } else { nth * (LEVELS - 1) / (self.count - 1) }
    }

    /// The colours, and the generations of each: `v3`, or `v10–19`.
    pub fn names(self) -> impl Iterator<Item = (u32, String)> {
        (0..self.count).map(move |nth| {
            let first = self.lowest + nth * self.step;
            let last = first.saturating_add(self.step - 1).min(self.highest);
            let name = if first == last { format!("v{first}") } else { format!("v{first}–{last}") };
            (self.level(first), name)
        })
    }

    /// The lowest and the highest generation, `v1` and `v40`.
    #[must_use]
    pub fn ends(self) -> (u32, u32) {
        (self.lowest, self.highest)
    }
}

/// Groups the slots into cells of `each`. A cell shows the most notable slot: retired before
/// pending before live before vacant, and among equals the one with the most tenants.
#[must_use]
pub fn gather(states: &[SlotState], each: usize) -> Vec<SlotState> {
    states.chunks(each.max(1)).filter_map(|cell| cell.iter().copied().max()).collect()
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;

    #[test]
    fn colours_reach_from_the_lowest_to_the_highest() {
        let levels = Levels::of(&[Live(3), Vacant(9), Retired(u32::MAX), Vacant(0), Live(15)]);
        assert_eq!([3, 4, 5, 15].map(|generation| levels.level(generation)), [0, 0, 1, 6]);
        assert_eq!(levels.names().next(), Some((0, "v3–4".into())));
        assert_eq!(levels.names().last(), Some((6, "v15".into())));
        assert_eq!(levels.ends(), (3, 15));
    }

    #[test]
    fn few_generations_have_colours_that_differ() {
        let levels = Levels::of(&[Live(1), Live(2), Live(3)]);
        assert_eq!(levels.names().collect::<Vec<_>>(), [(0, "v1".into()), (3, "v2".into()), (6, "v3".into())]);
        assert_eq!(Levels::of(&[]).names().count(), 1);
        assert_eq!(Levels::of(&[Live(1), Live(u32::MAX)]).level(u32::MAX), 6);
    }

    #[test]
    fn a_cell_shows_its_most_notable_slot() {
        let states = [Vacant(9), Live(2), Live(5), Pending(1), Live(7), Vacant(1), Retired(8)];
        assert_eq!(gather(&states, 3), [Live(5), Pending(1), Retired(8)]);
        assert_eq!(gather(&states, 1), states);
        assert_eq!(gather(&[], 4), []);
    }
}
