//! Colours, and numbers that are easy to read.

use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// The one writer of the program. It drops the colours where they are not wanted.
#[must_use]
pub fn stdout(color: Color) -> impl Write {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    BufWriter::new(AutoStream::new(io::stdout().lock(), choice))
}

/// Whether a program that draws for itself should use colours on standard output.
#[must_use]
pub fn colours_wanted(color: Color) -> bool {
    match color {
        Color::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    }
}

/// Something with a colour around it. Width and alignment go to what is inside.
#[derive(Debug)]
pub struct Painted<T>(Style, T);

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.render())?;
        self.1.fmt(f)?;
        write!(f, "{}", self.0.render_reset())
    }
}

/// Something in a style of its own.
#[must_use]
pub fn styled<T>(style: Style, text: T) -> Painted<T> {
    Painted(style, text)
}

/// A heading.
#[must_use]
pub fn title<T>(text: T) -> Painted<T> {
    Painted(Style::new().bold(), text)
}

/// Something that is as it should be.
#[must_use]
pub fn good<T>(text: T) -> Painted<T> {
    Painted(AnsiColor::Green.on_default().bold(), text)
}

/// Something that went wrong.
#[must_use]
pub fn bad<T>(text: T) -> Painted<T> {
    Painted(AnsiColor::Red.on_default().bold(), text)
}

/// Something beside the point.
#[must_use]
pub fn dim<T>(text: T) -> Painted<T> {
    Painted(Style::new().dimmed(), text)
}

/// A count of mistakes: good when there are none.
#[must_use]
pub fn mistakes(count: u64, width: usize) -> Painted<String> {
    let text = format!("{:>width$}", grouped(count));
    if count == 0 { good(text) } else { bad(text) }
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How much of `whole` the `part` is, as a row of `width` cells. Anything above nothing shows.
#[must_use]
pub fn bar(part: u64, whole: u64, width: usize) -> String {
    let cells = (part * width as u64).div_ceil(whole.max(1)) as usize;
    let filled = cells.min(width);
    "█".repeat(filled) + &"·".repeat(width - filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")];
        assert!(cases.iter().all(|&(number, text)| grouped(number) == text));
    }

    #[test]
    fn a_bar_shows_the_share() {
        assert_eq!(bar(0, 10, 4), "····");
        assert_eq!(bar(1, 1000, 4), "█···");
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(0, 0, 4), "····");
    }

    #[test]
    fn colour_leaves_the_width_alone() {
        let painted = format!("{:>5}", good("ab"));
        assert!(painted.contains("   ab"), "{painted:?}");
    }
}
