//! Expected panics, without their messages on the terminal.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a closure that may panic, without printing the message.
///
/// # Errors
///
/// The message of the panic.
pub fn catch<R>(what: impl FnOnce() -> R) -> Result<R, String> {
    install();
    let before = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(what));
    QUIET.set(before);
    result.map_err(|payload| message(&*payload))
}

/// Does the setup of the first [`catch`], so that later ones need no memory.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the fuse has blown").to_owned()
}
