//! The output of the program: foreign text, lines that fit a terminal, and files.

use std::path::Path;
use std::{env, fs, io};

use unicode_width::UnicodeWidthStr;

/// Foreign text, such as a document or the name of a file, with all characters escaped that could
/// control a terminal, reorder text, or are invisible: control and format characters (`\u{1b}`,
/// `\u{202e}`, `\u{200b}`), separators of lines and paragraphs, spaces other than ` `, and
/// characters that Unicode does not define.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    shown
}

/// The name of a file, with its directories, as [`printable`] text.
#[must_use]
pub fn name(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // The standard library decides which characters are escaped. A letter precedes the character,
    // because combining marks are escaped without one.
    ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c)
}

/// Returns `true` if writing `out` would overwrite `input`: the same path, another path to the same
/// file, a symbolic or a hard link.
///
/// # Errors
///
/// If there is a file at `out`, and it cannot be determined.
pub fn overwrites(out: &Path, input: &Path) -> io::Result<bool> {
    // A pipe or a terminal is not opened for the comparison.
    let is_file = fs::metadata(out).is_ok_and(|metadata| metadata.is_file());
    Ok(is_file && same_file::is_same_file(out, input)?)
}

/// The number of terminal columns of a text.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A text padded with spaces to `width` columns.
#[must_use]
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The maximum width of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// In columns.
    columns: usize,
    /// Whether lines are wrapped and texts cut. In a pipe they are not, so that nothing is lost.
    cuts: bool,
}

impl Width {
    /// The default width.
    const USUAL: usize = 80;

    /// The width of the terminal, or of the variable `COLUMNS`, from 40 to 120 columns.
    #[must_use]
    pub fn of_output(is_terminal: bool) -> Self {
        let variable = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let found = variable.or_else(|| if is_terminal { terminal() } else { None });
        match found {
            None if !is_terminal => Self { columns: usize::MAX, cuts: false },
            found => Self { columns: found.unwrap_or(Self::USUAL).clamp(40, 120), cuts: true },
        }
    }

    /// The columns that are left when `taken` are used; always some.
    #[must_use]
    pub fn without(self, taken: usize) -> usize {
        if self.cuts { self.columns.saturating_sub(taken).max(12) } else { usize::MAX }
    }

    /// A text that leaves `free` columns free, with `…` in its middle if it is cut.
    #[must_use]
    pub fn cut(self, text: &str, free: usize) -> String {
        let room = self.without(free);
        if columns(text) <= room {
            return text.to_owned();
        }
        let half = (room - 1) / 2;
        let end: Vec<char> = fitting(text.chars().rev(), half);
        let start: Vec<char> = fitting(text.chars(), room - 1 - half);
        start.into_iter().chain(['…']).chain(end.into_iter().rev()).collect()
    }

    /// A beginning and parts with commas, on as many lines as needed. The caller writes `indent`
    /// columns before each line.
    #[must_use]
    pub fn wrap(self, begin: &str, parts: &[String], indent: usize) -> Vec<String> {
        let last = parts.len().saturating_sub(1);
        let comma = |(nth, part): (usize, &String)| if nth < last { format!("{part},") } else { part.clone() };
        let words: Vec<_> = parts.iter().enumerate().map(comma).collect();
        self.wrap_words(begin, &words, indent)
    }

    /// The same for words without commas.
    #[must_use]
    pub fn wrap_words(self, begin: &str, words: &[String], indent: usize) -> Vec<String> {
        let room = self.columns.saturating_sub(indent).max(12);
        let mut lines = vec![begin.to_owned()];
        for word in words {
            for word in self.pieces(word, room) {
                let line = lines.last_mut().map_or(0, |line| columns(line));
                match lines.last_mut() {
                    Some(last) if line == 0 => last.push_str(&word),
                    Some(last) if line + 1 + columns(&word) <= room => {
                        last.push(' ');
                        last.push_str(&word);
                    }
                    _ => lines.push(word),
                }
            }
        }
        lines
    }

    /// Splits a part that is wider than a line between its words.
    fn pieces(self, part: &str, room: usize) -> Vec<String> {
        if columns(part) <= room {
            return vec![part.to_owned()];
        }
        part.split_whitespace().map(|word| self.cut(word, self.columns - room.min(self.columns))).collect()
    }
}

/// As many characters as fit.
fn fitting(text: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut taken = 0;
    text.take_while(|c| {
        taken += columns(c.encode_utf8(&mut [0; 4]));
        taken <= room
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_control_a_terminal_are_escaped() {
        for c in "\u{0}\u{7}\u{1b}\n\t\u{7f}\u{85}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\u{202a}\u{202e}\
                  \u{2060}\u{2066}\u{2069}\u{feff}\u{fff9}\u{e0001}\u{a0}\u{3000}\u{e000}\u{ffff}"
            .chars()
        {
            let shown = printable(&format!("a{c}b"));
            assert!(shown.is_ascii() && shown.starts_with("a\\") && shown.ends_with('b'), "{shown}");
        }
    }

    #[test]
    fn ordinary_text_is_not_escaped() {
        for text in ["", "Grik's \"jar\" \\ 100 %", "Größe", "नमस्ते", "日本語", "e\u{301}", "🐉", "17v3#5"]
        {
            assert_eq!(printable(text), text);
        }
    }

    const EIGHTY: Width = Width { columns: 80, cuts: true };

    #[test]
    fn lines_are_wrapped_between_parts() {
        let parts = vec!["12345678901234567890".to_owned(); 9];
        let lines = EIGHTY.wrap("", &parts, 15);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| columns(line) <= 65) && lines[0].ends_with(','), "{lines:?}");
        assert_eq!(EIGHTY.wrap("a:", &["b".into(), "c".into()], 0), ["a: b, c"]);
    }

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        let long = "/world/".to_owned() + &"x".repeat(200) + "/end";
        let cut = EIGHTY.cut(&long, 20);
        assert!(columns(&cut) == 60 && cut.starts_with("/world/") && cut.ends_with("/end"), "{cut}");
        assert_eq!(columns(&EIGHTY.cut(&"日本語".repeat(40), 21)) / 2, 28, "wide characters count twice");
        assert_eq!(Width { cuts: false, ..EIGHTY }.cut(&long, 20), long);
        let lines = EIGHTY.wrap("", &[long], 15);
        assert!(lines.iter().all(|line| columns(line) <= 65), "{lines:?}");
    }
}
