//! The value that all tests insert into containers.

use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{fuse, ledger};

thread_local! {
    static DEFAULT: Cell<u32> = const { Cell::new(0) };
}

/// A value with an id that the tests choose, recorded by the [ledger], whose `clone`, `clone_from`,
/// `eq` and `drop` burn the [fuse].
pub struct Tracked {
    id: u32,
    serial: u64,
}

impl Tracked {
    /// A new value.
    #[must_use]
    pub fn new(id: u32) -> Self {
        Self { id, serial: ledger::enter() }
    }

    /// The value's id. Reading a dropped value is recorded as a fault.
    #[must_use]
    pub fn id(&self) -> u32 {
        ledger::check(self.serial);
        self.id
    }

    /// Sets the id of the thread's next default values.
    pub fn set_default(id: u32) {
        DEFAULT.set(id);
    }

    /// Changes the id in a way that [`changed`] predicts. Returns the new one.
    pub fn change(&mut self) -> u32 {
        self.id = changed(self.id());
        self.id
    }
}

impl Tracked {
    /// Reports a double drop to the ledger, without undefined behaviour. For mutants.
    pub(crate) fn drop_twice(self) {
        ledger::leave(self.serial);
    }
}

/// The id of a value after [`Tracked::change`].
#[must_use]
pub const fn changed(id: u32) -> u32 {
    id ^ 0x4000_0000
}

impl Default for Tracked {
    fn default() -> Self {
        fuse::burn();
        Self::new(DEFAULT.get())
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        fuse::burn();
        Self::new(self.id())
    }

    fn clone_from(&mut self, original: &Self) {
        fuse::burn();
        self.id = original.id();
    }
}

impl Drop for Tracked {
    /// Recorded as dropped before it panics, as a value with fields would be.
    fn drop(&mut self) {
        ledger::leave(self.serial);
        fuse::burn();
    }
}

impl PartialEq for Tracked {
    fn eq(&self, other: &Self) -> bool {
        fuse::burn();
        self.id() == other.id()
    }
}

impl Eq for Tracked {}

impl fmt::Debug for Tracked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id().fmt(f)
    }
}

impl Serialize for Tracked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tracked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self::new)
    }
}
