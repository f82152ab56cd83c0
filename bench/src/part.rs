//! The parts of the program other than the grid: each has some subjects, with one sheet per
//! subject.

use anyhow::{Result, ensure};

use crate::cli::Cli;
use crate::report::sheet::Sheet;

pub type Subject = fn(&Cli) -> Result<Sheet>;

pub struct Part {
    pub title: &'static str,
    /// The beginning of the names of its files.
    pub file: &'static str,
    pub subjects: &'static [(&'static str, Subject)],
}

impl Part {
    /// Measures all subjects, or those that match `--only`.
    pub fn measure(&self, cli: &Cli) -> Result<Vec<Sheet>> {
        let chosen = self.chosen(&cli.only);
        ensure!(!chosen.is_empty(), "no subject matches --only; the subjects are {}", self.names());
        chosen.into_iter().map(|subject| subject(cli)).collect()
    }

    fn chosen(&self, only: &[String]) -> Vec<Subject> {
        self.subjects.iter().filter(|(name, _)| is_chosen(name, only)).map(|(_, subject)| *subject).collect()
    }

    fn names(&self) -> String {
        self.subjects.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// Returns `true` if the name matches every `--only`. An `--only` with several words, separated by
/// commas, matches if one of them does.
fn is_chosen(name: &str, only: &[String]) -> bool {
    only.iter().all(|words| words.split(',').any(|word| name.contains(word.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_subjects() {
        let chosen = |part: &Part, only: &[String]| part.chosen(only).len();
        let (memory, tables) = (&crate::kinds::PART, &crate::tables::PART);
        assert_eq!([chosen(memory, &[]), chosen(memory, &["frames,pool".into()])], [4, 2]);
        assert_eq!([chosen(tables, &[]), chosen(tables, &["sorting".into()])], [5, 1]);
        assert_eq!(chosen(tables, &["no such thing".into()]), 0);
    }
}
