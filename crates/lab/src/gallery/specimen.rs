//! One handle with something wrong with it, and what the pool says about it.

use fastrand::Rng;
use tenure::{Handle, HandleError, Layout, Pool, Status, Wide};

use crate::battle::Creature;

/// What can be wrong with a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trick {
    /// Its creature has died.
    Stale,
    /// A bit of its generation was flipped.
    Generation,
    /// A bit of its index was flipped.
    Index,
    /// The bit that every handle has was cleared.
    LiveBit,
    /// It is 64 bits of chance.
    Noise,
    /// It was reserved, and nobody was born yet.
    TooEarly,
    /// Its slot has had all tenants that can be told apart.
    WornOut,
}

impl Trick {
    /// All of them, in the order of the key.
    pub(crate) const ALL: [Self; 7] =
        [Self::Stale, Self::Generation, Self::Index, Self::LiveBit, Self::Noise, Self::TooEarly, Self::WornOut];

    /// The one after it.
    pub(crate) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// What was done, in a few words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Stale => "the name of one who has died",
            Self::Generation => "a bit of the generation flipped",
            Self::Index => "a bit of the index flipped",
            Self::LiveBit => "the lowest bit cleared",
            Self::Noise => "64 bits of chance",
            Self::TooEarly => "reserved, and nobody born yet",
            Self::WornOut => "the last tenant of a worn-out slot",
        }
    }
}

/// A handle with something wrong with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specimen {
    /// What is wrong.
    pub(crate) trick: Trick,
    /// The bits that are looked up.
    pub(crate) bits: u64,
}

/// What the pool says about a specimen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Diagnosis {
    /// In a word.
    pub(crate) status: Status,
    /// In a sentence; `None` if the handle leads to somebody.
    pub(crate) error: Option<HandleError>,
    /// What stands in the slot that the index alone leads to.
    pub(crate) by_index: ByIndexAlone,
}

/// Where the index of a handle leads, when nobody compares generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByIndexAlone {
    /// To this creature.
    Somebody(&'static str),
    /// To a slot without a value.
    EmptySlot,
    /// Beyond the last slot.
    OutOfBounds,
}

impl ByIndexAlone {
    /// The same in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Somebody(kind) => format!("a {kind}, unnoticed"),
            Self::EmptySlot => "an empty slot".into(),
            Self::OutOfBounds => "out of bounds".into(),
        }
    }
}

impl Specimen {
    /// Makes one out of the pool's own handles. Who lives in the pool stays as it is; which slot is
    /// used next may not.
    pub(crate) fn prepare(trick: Trick, pool: &mut Pool<Creature>, rng: &mut Rng) -> Option<Self> {
        let model = any(pool, rng)?;
        let bits = match trick {
            Trick::Stale => visitor(pool, model)?.to_bits(),
            Trick::Generation => model.to_bits() ^ 1 << rng.u32(1..6),
            Trick::Index => model.to_bits() ^ 1 << rng.u32(48..60),
            Trick::LiveBit => model.to_bits() ^ 1,
            Trick::Noise => rng.u64(..),
            Trick::TooEarly => pool.reserve_handle().to_bits(),
            Trick::WornOut => wear_out(pool, model)?.to_bits(),
        };
        Some(Self { trick, bits })
    }

    /// The handle that the bits make.
    pub(crate) fn handle(&self) -> Handle<Creature> {
        Handle::from_bits(self.bits)
    }

    /// Asks the pool.
    pub(crate) fn diagnose(&self, pool: &Pool<Creature>) -> Diagnosis {
        let handle = self.handle();
        let index = (self.bits >> u32::BITS) as u32;
        let stats = pool.stats();
        let by_index = match pool.handle_at(index).and_then(|tenant| pool.get(tenant)) {
            Some(creature) => ByIndexAlone::Somebody(creature.kind.word()),
            None if (index as usize) < crate::heat::probe::slot_count(&stats) => ByIndexAlone::EmptySlot,
            None => ByIndexAlone::OutOfBounds,
        };
        Diagnosis { status: pool.status(handle), error: pool.try_get(handle).err(), by_index }
    }

    /// Puts back what was taken for it.
    pub(crate) fn discard(self, pool: &mut Pool<Creature>) {
        match self.trick {
            Trick::TooEarly => drop(pool.remove(self.handle())),
            // The specimen was the only handle to it.
            Trick::WornOut => drop(pool.recycle_retired()),
            _ => (),
        }
    }
}

fn any(pool: &Pool<Creature>, rng: &mut Rng) -> Option<Handle<Creature>> {
    let live = pool.len();
    (live > 0).then(|| pool.handles().nth(rng.usize(..live)))?
}

/// The name of one who came and went.
fn visitor(pool: &mut Pool<Creature>, like: Handle<Creature>) -> Option<Handle<Creature>> {
    let visitor = pool.get(like)?.clone();
    let name = pool.insert(visitor);
    pool.remove(name);
    Some(name)
}

/// As [`visitor`], in a slot that has no generation left for another.
fn wear_out(pool: &mut Pool<Creature>, like: Handle<Creature>) -> Option<Handle<Creature>> {
    let visitor = pool.get(like)?.clone();
    let slot = pool.reserve_handle();
    pool.remove(slot);
    let last = Handle::from_parts(slot.index(), Wide::MAX_TENANTS)?;
    pool.insert_at(last, visitor).ok()?;
    pool.remove(last);
    Some(last)
}
