//! The targets of the fuzz program, by name. The tests replay bytes through the same function,
//! without a fuzzer.

use crate::mutants::{MUTANT, ROW_MUTANT};
use crate::pool::FourTenants;
use crate::rig::{self, Rig};
use crate::world::{TrackedPool, TrackedWorld};
use crate::{hostile, snapshot, text, world};

/// A function that takes arbitrary bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name on the command line, and of the corpus.
    pub name: &'static str,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// The bytes are a history: see [`Rig::replay`].
    History(&'static Rig),
    /// Panics if there is a fault.
    Bytes(fn(&[u8])),
}

impl Target {
    const fn history(name: &'static str, rig: &'static Rig) -> Self {
        Self { name, what: What::History(rig) }
    }

    const fn bytes(name: &'static str, check: fn(&[u8])) -> Self {
        Self { name, what: What::Bytes(check) }
    }

    /// Returns the target with this name, mutants included.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().chain(MUTANTS).find(|target| target.name == name)
    }

    /// Runs the target on these bytes.
    ///
    /// # Panics
    ///
    /// If there is a fault.
    pub fn check(&self, bytes: &[u8]) {
        match self.what {
            What::History(rig) => rig.replay(bytes).unwrap_or_else(|error| panic!("{error}")),
            What::Bytes(check) => check(bytes),
        }
    }
}

/// All targets. A new container adds its own.
pub static TARGETS: &[Target] = &[
    Target::history("pool_wide", &rig::WIDE),
    Target::history("pool_tiny", &rig::FOUR_TENANTS),
    Target::history("pool_full", &rig::THREE_SLOTS),
    Target::history("pool_tagged", &rig::TAGGED_COMPACT),
    Target::history("stable_tiny", &rig::STABLE_FOUR_TENANTS),
    Target::history("fixed", &rig::FIXED),
    Target::history("budget", &rig::BUDGET),
    Target::history("dense_tiny", &rig::DENSE_FOUR_TENANTS),
    Target::history("dense_tagged", &rig::DENSE_TAGGED),
    Target::history("table_tiny", &rig::TABLE_TWO_TENANTS),
    Target::history("table_tagged", &rig::TABLE_TAGGED),
    Target::history("world", &rig::WORLD_FOUR_TENANTS),
    Target::history("side_map", &rig::SIDE_TWO_TENANTS),
    Target::bytes("world_tiny", world::fuzz::<TrackedWorld<FourTenants>>),
    Target::bytes("split_tiny", world::fuzz::<TrackedPool<FourTenants>>),
    Target::bytes("snapshot", snapshot::fuzz),
    Target::bytes("load_json", hostile::fuzz_json),
    Target::bytes("load_postcard", hostile::fuzz_postcard),
    Target::bytes("handle_text", text::fuzz),
];

/// Containers with a planted bug, if one is [set](crate::mutants::with).
pub static MUTANTS: &[Target] = &[Target::history("mutant", &MUTANT), Target::history("row_mutant", &ROW_MUTANT)];
