//! What leaves the program: text from elsewhere, and files.

use std::path::Path;
use std::{fs, io};

/// Text from elsewhere, such as a document or the name of a file, with everything escaped that
/// could steer a terminal, reorder what is read, or is not seen: control and format characters
/// (`\u{1b}`, `\u{202e}`, `\u{200b}`), separators of lines and paragraphs, spaces other than ` `,
/// and characters that Unicode does not define.
pub(crate) fn printable(text: &str) -> String {
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
pub(crate) fn name(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // The standard library knows what it would escape. A letter stands before it, because marks
    // that belong to a letter are escaped without one.
    ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c)
}

/// Whether writing `out` would overwrite `input`: the same path, another one to the same file, a
/// symbolic or a hard link.
///
/// # Errors
///
/// If there is a file at `out`, and it cannot be told.
pub(crate) fn overwrites(out: &Path, input: &Path) -> io::Result<bool> {
    // A pipe or a terminal is not opened to find out.
    let is_file = fs::metadata(out).is_ok_and(|metadata| metadata.is_file());
    Ok(is_file && same_file::is_same_file(out, input)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped() {
        for c in "\u{0}\u{7}\u{1b}\n\t\u{7f}\u{85}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\u{202a}\u{202e}\
                  \u{2060}\u{2066}\u{2069}\u{feff}\u{fff9}\u{e0001}\u{a0}\u{3000}\u{e000}\u{ffff}"
            .chars()
        {
            let shown = printable(&format!("a{c}b"));
            assert!(shown.is_ascii() && shown.starts_with("a\\") && shown.ends_with('b'), "{shown}");
        }
    }

    #[test]
    fn what_people_write_is_not() {
        for text in ["", "Grik's \"jar\" \\ 100 %", "Größe", "नमस्ते", "日本語", "e\u{301}", "🐉", "17v3#5"]
        {
            assert_eq!(printable(text), text);
        }
    }
}
