//! The character and the style of a cell on a terminal.

use anstyle::{Ansi256Color, Style};

use super::{LEVELS, Levels, SlotState};

/// From cold to hot, of the 256 colours of terminals.
const COLOURS: [u8; LEVELS as usize] = [62, 98, 133, 168, 209, 215, 221];
/// A slot with a value.
pub const LIVE: char = '■';
/// A slot without one.
pub const VACANT: char = '·';
/// A pending slot.
pub const PENDING: char = '?';
/// A retired slot.
pub const RETIRED: char = '×';

/// The meanings of the characters for slots that are not live.
pub const MEANINGS: [(char, &str); 3] = [(VACANT, "vacant"), (PENDING, "pending"), (RETIRED, "retired")];

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The character.
    pub sign: char,
    /// Its colour and weight.
    pub style: Style,
}

/// Live slots of this level. Without colours they are a digit.
#[must_use]
pub fn live(level: u32, colours: bool) -> Look {
    if colours {
        let colour = Ansi256Color(COLOURS[level as usize % COLOURS.len()]);
        return Look { sign: LIVE, style: Style::new().fg_color(Some(colour.into())) };
    }
    Look { sign: char::from_digit(level + 1, 10).unwrap_or(LIVE), style: Style::new() }
}

/// A slot.
#[must_use]
pub fn cell(state: SlotState, levels: Levels, colours: bool) -> Look {
    match state {
        SlotState::Live(generation) => live(levels.level(generation), colours),
        SlotState::Vacant(_) => Look { sign: VACANT, style: Style::new().dimmed() },
        SlotState::Pending(_) => Look { sign: PENDING, style: Style::new().bold() },
        SlotState::Retired(_) => Look { sign: RETIRED, style: Style::new().bold() },
    }
}
