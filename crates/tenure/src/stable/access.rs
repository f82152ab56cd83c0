//! A self-check of a cell, as a `RefCell` has it, in debug builds only. In release builds it is
//! empty.

#[cfg(debug_assertions)]
use core::cell::Cell;

/// The references to a cell's content that are open.
///
/// [`shared`](Self::shared) and [`exclusive`](Self::exclusive) are called where a reference is
/// made; the guard that they return is dropped where the reference ends.
#[derive(Debug)]
pub(super) struct Access {
    /// How many shared references there are; -1 while there is an exclusive one.
    #[cfg(debug_assertions)]
    open: Cell<isize>,
}

/// A reference is open as long as this is there.
pub(super) struct Open<'a> {
    #[cfg(debug_assertions)]
    access: &'a Access,
    #[cfg(debug_assertions)]
    before: isize,
    #[cfg(not(debug_assertions))]
    access: core::marker::PhantomData<&'a Access>,
}

impl Access {
    pub(super) const fn new() -> Self {
        Self {
            #[cfg(debug_assertions)]
            open: Cell::new(0),
        }
    }
}

#[cfg(debug_assertions)]
impl Access {
    pub(super) fn shared(&self) -> Open<'_> {
        let before = self.open.get();
        assert!(before >= 0, "N2: a shared access begins while an exclusive one is open");
        self.begin(before + 1)
    }

    pub(super) fn exclusive(&self) -> Open<'_> {
        let before = self.open.get();
        assert!(before == 0, "N2: an exclusive access begins while another one is open");
        self.begin(-1)
    }

    fn begin(&self, open: isize) -> Open<'_> {
        Open { access: self, before: self.open.replace(open) }
    }
}

#[cfg(debug_assertions)]
impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.access.open.set(self.before);
    }
}

#[cfg(not(debug_assertions))]
#[expect(clippy::unused_self, reason = "there is nothing to check")]
impl Access {
    #[inline(always)]
    pub(super) const fn shared(&self) -> Open<'_> {
        Open { access: core::marker::PhantomData }
    }

    #[inline(always)]
    pub(super) const fn exclusive(&self) -> Open<'_> {
        Open { access: core::marker::PhantomData }
    }
}
