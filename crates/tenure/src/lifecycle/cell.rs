//! A cell whose content is changed through a shared reference. Debug builds check every access, as
//! a `RefCell` does; release builds check nothing.
#![allow(unsafe_code, reason = "changes content through a shared reference")]

#[cfg(debug_assertions)]
use core::cell::Cell;
use core::cell::UnsafeCell;

/// A cell that lends its content to closures.
///
/// - N4: while there is a `&mut` to the content, there is no other reference to it. A reference
///   lives for one call of [`look`](Self::look) or [`change`](Self::change). No caller's code runs
///   in `change`. Caller's code runs in `look` only while values are copied or saved, and then only
///   the engine is looked at. Such code can call `look` again, and `change` for the lists, but not
///   `change` for the engine: the containers refuse or skip every operation that needs it meanwhile
///   (`Lifecycle::copying`).
pub(super) struct GuardedCell<X> {
    content: UnsafeCell<X>,
    /// The number of shared references in use; -1 while an exclusive one is.
    #[cfg(debug_assertions)]
    open: Cell<isize>,
}

impl<X> GuardedCell<X> {
    pub(super) const fn new(content: X) -> Self {
        Self {
            content: UnsafeCell::new(content),
            #[cfg(debug_assertions)]
            open: Cell::new(0),
        }
    }

    /// Passes the content to a closure.
    #[inline]
    pub(super) fn look<R>(&self, look: impl FnOnce(&X) -> R) -> R {
        #[cfg(debug_assertions)]
        let _open = self.open_shared();
        // SAFETY: by N4 there is no `&mut` to the content, and none is created before `look`
        // returns.
        look(unsafe { &*self.content.get() })
    }

    /// Passes the content to a closure that runs no caller's code and does not panic (a panic hook
    /// is caller's code).
    #[inline]
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut X) -> R) -> R {
        #[cfg(debug_assertions)]
        let _open = self.open_exclusive();
        // SAFETY: by N4 there is no other reference to the content, and none is created before
        // `change` returns.
        change(unsafe { &mut *self.content.get() })
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self) -> &mut X {
        self.content.get_mut()
    }

    /// Returns the address of the content.
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *mut X {
        self.content.get()
    }
}

/// Marks a reference as in use until it is dropped.
#[cfg(debug_assertions)]
struct Open<'a> {
    open: &'a Cell<isize>,
    before: isize,
}

#[cfg(debug_assertions)]
impl<X> GuardedCell<X> {
    fn open_shared(&self) -> Open<'_> {
        let before = self.open.get();
        assert!(before >= 0, "N4: a shared access begins while an exclusive one is open");
        self.open.set(before + 1);
        Open { open: &self.open, before }
    }

    fn open_exclusive(&self) -> Open<'_> {
        let before = self.open.get();
        assert!(before == 0, "N4: an exclusive access begins while another one is open");
        self.open.set(-1);
        Open { open: &self.open, before }
    }
}

#[cfg(debug_assertions)]
impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.open.set(self.before);
    }
}
