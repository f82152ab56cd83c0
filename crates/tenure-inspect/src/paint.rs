//! Colours, and numbers that are easy to read.

use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// The only writer of the program. It removes colours where they are not wanted.
#[must_use]
pub fn stdout(color: Color) -> impl Write {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    BufWriter::new(AutoStream::new(io::stdout().lock(), choice))
}

/// Returns `true` if a program that draws by itself should use colours on standard output.
#[must_use]
pub fn colours_wanted(color: Color) -> bool {
    match color {
        Color::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    }
}

/// A value with a colour. Width and alignment apply to the value.
#[derive(Debug)]
pub struct Painted<T>(Style, T);

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.render())?;
        self.1.fmt(f)?;
        write!(f, "{}", self.0.render_reset())
    }
}

/// A value in a style of its own.
#[must_use]
pub fn styled<T>(style: Style, text: T) -> Painted<T> {
    Painted(style, text)
}

/// A heading.
#[must_use]
pub fn title<T>(text: T) -> Painted<T> {
    Painted(Style::new().bold(), text)
}

/// A correct value.
#[must_use]
pub fn good<T>(text: T) -> Painted<T> {
    Painted(AnsiColor::Green.on_default().bold(), text)
}

/// A wrong value.
#[must_use]
pub fn bad<T>(text: T) -> Painted<T> {
    Painted(AnsiColor::Red.on_default().bold(), text)
}

/// A secondary value.
#[must_use]
pub fn dim<T>(text: T) -> Painted<T> {
    Painted(Style::new().dimmed(), text)
}

/// A count of mistakes: green if there are none.
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

/// The share of `part` in `whole`, as a row of `width` cells. Every share above zero is visible.
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
