//! Records every [`Tracked`](crate::Tracked) value ever made, and whether it was dropped exactly
//! once.

use std::cell::RefCell;

struct Ledger {
    /// Serial number of the first entry of `alive`. Older values are not recorded any more.
    base: u64,
    alive: Vec<bool>,
    count: usize,
    fault: Option<String>,
}

thread_local! {
    static LEDGER: RefCell<Ledger> =
        const { RefCell::new(Ledger { base: 0, alive: Vec::new(), count: 0, fault: None }) };
}

/// Resets the ledger: values that exist now are not recorded any more.
pub fn reset() {
    LEDGER.with_borrow_mut(|ledger| {
        ledger.base += ledger.alive.len() as u64;
        ledger.alive.clear();
        ledger.count = 0;
        ledger.fault = None;
    });
}

/// Reserves room for this many values, so that making them allocates nothing.
pub fn reserve(values: usize) {
    LEDGER.with_borrow_mut(|ledger| ledger.alive.reserve(values));
}

/// The number of values that exist.
#[must_use]
pub fn alive() -> usize {
    LEDGER.with_borrow(|ledger| ledger.count)
}

/// The first fault: a value dropped twice, or read after it was dropped.
#[must_use]
pub fn fault() -> Option<String> {
    LEDGER.with_borrow(|ledger| ledger.fault.clone())
}

/// Checks that exactly `expected` values exist, and that there was no fault so far.
///
/// # Errors
///
/// The fault.
pub fn expect(expected: usize) -> Result<(), String> {
    if let Some(fault) = fault() {
        return Err(fault);
    }
    match alive() {
        right if right == expected => Ok(()),
        more if more > expected => Err(format!("leak: {more} values exist, {expected} are in containers")),
        less => Err(format!("{less} values exist, but {expected} are in containers")),
    }
}

/// Records a fault.
pub(crate) fn report(what: String) {
    LEDGER.with_borrow_mut(|ledger| ledger.blame(what));
}

pub(crate) fn enter() -> u64 {
    LEDGER.with_borrow_mut(|ledger| {
        let number = ledger.base + ledger.alive.len() as u64;
        ledger.alive.push(true);
        ledger.count += 1;
        number
    })
}

pub(crate) fn leave(number: u64) {
    // A value in a static may outlive the thread's ledger.
    let _ = LEDGER.try_with(|ledger| ledger.borrow_mut().leave(number));
}

pub(crate) fn check(number: u64) {
    LEDGER.with_borrow_mut(|ledger| {
        if ledger.entry(number).is_some_and(|alive| !*alive) {
            ledger.blame(format!("value number {number} was read after it was dropped"));
        }
    });
}

impl Ledger {
    fn entry(&mut self, number: u64) -> Option<&mut bool> {
        let place = number.checked_sub(self.base)?;
        self.alive.get_mut(usize::try_from(place).ok()?)
    }

    fn leave(&mut self, number: u64) {
        let Some(entry) = self.entry(number) else { return };
        if std::mem::replace(entry, false) {
            self.count -= 1;
        } else {
            self.blame(format!("value number {number} was dropped twice"));
        }
    }

    fn blame(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }
}
