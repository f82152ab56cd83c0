//! A progress bar on a terminal. In pipes there is none.

use std::cell::Cell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Files up to this size are read before a bar would be visible.
const SMALL: u64 = 4 << 20;

/// The progress of reading a file.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// In bytes.
    position: Cell<u64>,
}

impl Progress {
    /// No bar.
    pub(crate) fn none() -> Self {
        Self { bar: ProgressBar::hidden(), position: Cell::new(0) }
    }

    /// A bar on standard error, if that is a terminal and the file is large.
    pub(crate) fn new(bytes: u64) -> Self {
        if bytes <= SMALL {
            return Self::none();
        }
        // Draws nothing if standard error is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg:<24} [{wide_bar}] {bytes:>10} / {total_bytes:<10}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, position: Cell::new(0) }
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

    /// Adds to the number of bytes read. Returns the sum.
    pub(crate) fn advance(&self, bytes: u64) -> u64 {
        self.at(self.position.get() + bytes);
        self.position.get()
    }

    /// Updates the bar.
    pub(crate) fn tick(&self) {
        self.bar.set_position(self.position.get());
    }
}

impl Drop for Progress {
    /// Removes the bar.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
