//! A progress bar on a terminal. In pipes there is none.

use std::cell::Cell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Files up to this size are read before a bar would be visible.
pub(crate) const SMALL: u64 = 4 << 20;

/// The progress of reading and inspecting a file.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// In bytes of the file.
    position: Cell<u64>,
    /// The size of the file, if it is known.
    bytes: u64,
}

impl Progress {
    /// No bar.
    pub(crate) fn none() -> Self {
        Self::with(ProgressBar::hidden(), 0)
    }

    fn with(bar: ProgressBar, bytes: u64) -> Self {
        Self { bar, position: Cell::new(0), bytes }
    }

    /// A bar on standard error, if that is a terminal and the file is large.
    pub(crate) fn new(bytes: u64) -> Self {
        if bytes <= SMALL {
            return Self::with(ProgressBar::hidden(), bytes);
        }
        Self::with(drawn(Some(bytes), "{msg:<24} [{wide_bar}] {bytes:>10} / {total_bytes:<10}"), bytes)
    }

    /// For input whose size is not known: the number of bytes that were read, without a bar.
    pub(crate) fn without_end() -> Self {
        Self::with(drawn(None, "{msg:<24} {bytes:>10}"), 0)
    }

    /// Begins a part of the work.
    pub(crate) fn begin(&self, what: &'static str) {
        self.position.set(0);
        self.bar.set_message(what);
        self.bar.set_position(0);
    }

    /// Sets the number of bytes read. Takes no time.
    pub(crate) fn at(&self, byte: u64) {
        self.position.set(byte);
    }

    /// Sets the position to a share of the file: part `part` of `whole`. Takes no time.
    pub(crate) fn at_part(&self, part: usize, whole: usize) {
        self.at(self.bytes.saturating_mul(part as u64) / whole.max(1) as u64);
    }

    /// Adds to the number of bytes read. Returns the sum.
    pub(crate) fn advance(&self, bytes: u64) -> u64 {
        self.at(self.position.get() + bytes);
        self.position.get()
    }

    /// What is being done, and the number of bytes.
    #[cfg(test)]
    pub(crate) fn state(&self) -> (String, u64) {
        (self.bar.message(), self.position.get())
    }

    /// Updates the bar.
    pub(crate) fn tick(&self) {
        self.bar.set_position(self.position.get());
    }
}

/// A bar that is drawn if standard error is a terminal.
fn drawn(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("=> "));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

impl Drop for Progress {
    /// Removes the bar.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_share_of_the_file() {
        for bytes in [1_000, 10 * SMALL] {
            let progress = Progress::new(bytes);
            progress.at_part(1, 4);
            assert_eq!(progress.state().1, bytes / 4);
            progress.at_part(0, 0);
            assert_eq!(progress.state().1, 0);
        }
    }

    #[test]
    fn input_without_a_size_has_no_length() {
        let progress = Progress::without_end();
        progress.begin("reading standard input");
        progress.advance(7);
        progress.tick();
        assert_eq!((progress.bar.length(), progress.bar.position()), (None, 7));
    }
}
