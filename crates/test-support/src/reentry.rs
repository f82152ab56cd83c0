//! Values that use the container that contains them, from every piece of their own code.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Once;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

type Hook = Rc<dyn Fn()>;

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Runs `what`; meanwhile every piece of a [`Reentrant`]'s code calls the hook, and so do panics.
/// Returns how often the hook was called.
///
/// Code that the hook itself runs does not call it again.
pub fn with_hook<R>(hook: impl Fn() + 'static, what: impl FnOnce() -> R) -> (R, usize) {
    install();
    let before = CALLS.get();
    let _end = Restore(HOOK.replace(Some(Rc::new(hook))));
    (what(), CALLS.get() - before)
}

/// Calls the hook, if there is one. Tests call it from closures.
pub fn call() {
    let hook = HOOK.with(|hook| hook.try_borrow_mut().ok().and_then(|mut hook| hook.take()));
    if let Some(hook) = hook {
        CALLS.set(CALLS.get() + 1);
        let _end = Restore(Some(Rc::clone(&hook)));
        hook();
    }
}

/// Restores the hook, also after a panic.
struct Restore(Option<Hook>);

impl Drop for Restore {
    fn drop(&mut self) {
        let before = HOOK.with(|hook| hook.replace(self.0.take()));
        // The hook may own the container, whose values call the hook when they are dropped.
        drop(before);
    }
}

/// A panic hook is the caller's code, too.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        crate::quiet::install();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            call();
            before(info);
        }));
    });
}

/// A number whose every trait calls the hook.
pub struct Reentrant(pub u32);

impl Clone for Reentrant {
    fn clone(&self) -> Self {
        call();
        Self(self.0)
    }
}

impl Default for Reentrant {
    fn default() -> Self {
        call();
        Self(0)
    }
}

impl Drop for Reentrant {
    fn drop(&mut self) {
        call();
    }
}

impl PartialEq for Reentrant {
    fn eq(&self, other: &Self) -> bool {
        call();
        self.0 == other.0
    }
}

impl Eq for Reentrant {}

impl PartialOrd for Reentrant {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reentrant {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        call();
        self.0.cmp(&other.0)
    }
}

impl Hash for Reentrant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        call();
        self.0.hash(state);
    }
}

impl fmt::Debug for Reentrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call();
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for Reentrant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        call();
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reentrant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        call();
        u32::deserialize(deserializer).map(Self)
    }
}
