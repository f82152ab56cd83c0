//! Kinds of memory: `cargo versus --memory`. One file per subject.

mod against_pool;
mod blocks;
mod frames;
mod growing;
mod growth;
mod shrinking;

use anyhow::{Result, ensure};

pub use growing::child;
pub use growth::{Growth, grow};

use crate::cli::Cli;
use crate::report::sheet::Sheet;

pub type Subject = fn(&Cli) -> Result<Sheet>;

/// Growing comes first: its processes shall have the machine for themselves, before this one has grown.
const SUBJECTS: [(&str, Subject); 4] = [
    ("growing", |cli| growing::sheet(cli.quick)),
    ("against pool", |cli| Ok(against_pool::sheet(cli.quick, cli.rounds()))),
    ("frames", |cli| Ok(frames::sheet(cli.quick, cli.rounds()))),
    ("shrinking", |cli| Ok(shrinking::sheet(cli.quick))),
];

/// All subjects, or those that answer to `--only`.
pub fn measure(cli: &Cli) -> Result<Vec<Sheet>> {
    let chosen: Vec<Subject> =
        SUBJECTS.iter().filter(|(name, _)| is_chosen(name, &cli.only)).map(|it| it.1).collect();
    ensure!(!chosen.is_empty(), "no subject answers to --only; there are {}", SUBJECTS.map(|it| it.0).join(", "));
    chosen.into_iter().map(|subject| subject(cli)).collect()
}

/// Every `--only` must agree; inside one, any of the words between commas.
pub fn is_chosen(name: &str, only: &[String]) -> bool {
    only.iter().all(|words| words.split(',').any(|word| name.contains(word.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_subjects() {
        let chosen = |only: &[String]| SUBJECTS.iter().filter(|it| is_chosen(it.0, only)).count();
        assert_eq!([chosen(&[]), chosen(&["frames,pool".into()]), chosen(&["walk".into()])], [4, 2, 0]);
    }
}
