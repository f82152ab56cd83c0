//! The grid: operation × size of the value × number of values, and the selection by `--only`.

use crate::operation::{self, Operation};

/// One measurement, for all contenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub operation: Operation,
    pub size: Size,
    pub count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    B4,
    B8,
    B24,
    B64,
    B256,
    B640,
}

const COUNTS: [usize; 3] = [1_000, 10_000, MILLION];
const QUICK_COUNTS: [usize; 2] = [1_000, 10_000];

pub const MILLION: usize = 1_000_000;
/// What a container may take.
const MOST_BYTES: usize = 256 * MILLION;

impl Size {
    pub fn bytes(self) -> usize {
        match self {
            Size::B4 => 4,
            Size::B8 => 8,
            Size::B24 => 24,
            Size::B64 => 64,
            Size::B256 => 256,
            Size::B640 => 640,
        }
    }

    pub fn label(self) -> String {
        format!("{}B", self.bytes())
    }
}

impl Cell {
    pub fn label(self) -> String {
        format!("{} · {} · {}", self.operation.name(), self.size.label(), count_label(self.count))
    }

    /// Returns `true` if the word is a part of the name of the operation, or exactly the size or
    /// the count (otherwise `4B` would also match `24B` and `64B`).
    fn matches(self, word: &str) -> bool {
        let word = word.trim().replace('-', " ").to_lowercase();
        self.operation.name().contains(&word)
            || self.size.label().to_lowercase() == word
            || count_label(self.count).to_lowercase() == word
    }

    /// Returns `true` if the cell matches every `--only`. An `--only` with several words, separated
    /// by commas, matches if one of them does.
    fn chosen_by(self, only: &[String]) -> bool {
        only.iter().all(|words| words.split(',').any(|word| self.matches(word)))
    }
}

pub fn count_label(count: usize) -> String {
    match count {
        MILLION.. => format!("{}M", count / MILLION),
        1_000.. => format!("{}k", count / 1_000),
        _ => count.to_string(),
    }
}

/// Returns the cells of a run.
///
/// # Errors
///
/// The first word of `only` that matches no cell.
pub fn choose(quick: bool, only: &[String]) -> Result<Vec<Cell>, String> {
    let all = grid(if quick { &QUICK_COUNTS } else { &COUNTS });
    let mut words = only.iter().flat_map(|words| words.split(','));
    match words.find(|word| !all.iter().any(|cell| cell.matches(word))) {
        Some(unknown) => Err(unknown.to_owned()),
        None => Ok(all.into_iter().filter(|cell| cell.chosen_by(only)).collect()),
    }
}

fn grid(counts: &[usize]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for operation in operation::ALL {
        for &size in operation.sizes() {
            let counts =
                counts.iter().filter(|count| operation.fits(**count) && size.bytes() * **count <= MOST_BYTES);
            cells.extend(counts.map(|&count| Cell { operation, size, count }));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(only: &[&str]) -> usize {
        let only: Vec<String> = only.iter().map(|&word| word.to_owned()).collect();
        choose(false, &only).unwrap().len()
    }

    #[test]
    fn words_narrow_and_commas_widen() {
        assert_eq!(chosen(&["get"]), 2 * 4 * 3);
        assert_eq!(chosen(&["get", "8B"]), 2 * 3);
        assert_eq!(chosen(&["get", "8B", "1m"]), 2);
        assert_eq!(chosen(&["get,clone", "4B,8B", "1k"]), 3 * 2);
        assert_eq!(chosen(&["get-at-random", "4B"]), 3);
    }

    #[test]
    fn unknown_words_are_returned() {
        assert_eq!(choose(false, &["get,gte".into()]), Err("gte".into()));
        assert_eq!(choose(true, &["1M".into()]), Err("1M".into()));
    }

    #[test]
    fn counts_have_short_labels() {
        assert_eq!([1_000, 10_000, MILLION].map(count_label), ["1k", "10k", "1M"]);
    }
}
