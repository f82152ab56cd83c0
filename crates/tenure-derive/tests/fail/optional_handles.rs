//! Optional handles in raw snapshots.

use tenure::{Handle, Row};

#[derive(Row)]
#[row(snapshot)]
struct Particle {
    age: u32,
    plain: Handle<Particle>,
    parent: Option<Handle<Particle>>,
    others: [std::option::Option<tenure::Handle<Particle, tenure::Compact>>; 2],
}

/// Without snapshots, and in a skipped field, an optional handle is an ordinary column or field.
#[derive(Row)]
struct Free {
    parent: Option<Handle<Free>>,
}

#[derive(Row)]
#[row(snapshot)]
struct Skipping {
    age: u32,
    #[row(skip)]
    parent: Option<Handle<Free>>,
}

fn main() {}
