//! An invalid handle, and the pool's diagnosis of it.

use fastrand::Rng;
use tenure::{Handle, HandleError, Layout, Pool, Status, Wide};

use crate::battle::Creature;

/// The kinds of invalid handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trick {
    /// Its creature was removed.
    Stale,
    /// A bit of its generation was flipped.
    Generation,
    /// A bit of its index was flipped.
    Index,
    /// The bit that every handle has was cleared.
    LiveBit,
    /// 64 random bits.
    Noise,
    /// It was reserved, and not filled yet.
    TooEarly,
    /// Its slot has used up its generations.
    WornOut,
}

impl Trick {
    /// All of them, in the order of the key.
    pub(crate) const ALL: [Self; 7] =
        [Self::Stale, Self::Generation, Self::Index, Self::LiveBit, Self::Noise, Self::TooEarly, Self::WornOut];

    /// The next one.
    pub(crate) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// A short description.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Stale => "the handle of a dead creature",
            Self::Generation => "a bit of the generation flipped",
            Self::Index => "a bit of the index flipped",
            Self::LiveBit => "the lowest bit cleared",
            Self::Noise => "64 random bits",
            Self::TooEarly => "reserved, and not filled yet",
            Self::WornOut => "the last tenant of a retired slot",
        }
    }
}

/// An invalid handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specimen {
    /// Its kind.
    pub(crate) trick: Trick,
    /// The bits that are looked up.
    pub(crate) bits: u64,
}

/// The pool's current diagnosis of a specimen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Diagnosis {
    /// The status.
    pub(crate) status: Status,
    /// The error; `None` if the handle resolves.
    pub(crate) error: Option<HandleError>,
    /// The content of the slot with the handle's index.
    pub(crate) by_index: ByIndexAlone,
}

/// The content of a slot, found by index alone, without comparing generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByIndexAlone {
    /// A creature.
    Creature(&'static str),
    /// No value.
    EmptySlot,
    /// The index is out of bounds.
    OutOfBounds,
}

impl ByIndexAlone {
    /// A short description.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Creature(kind) => format!("a {kind}, unnoticed"),
            Self::EmptySlot => "an empty slot".into(),
            Self::OutOfBounds => "out of bounds".into(),
        }
    }
}

impl Specimen {
    /// Makes one out of the pool's own handles. The creatures in the pool stay as they are; the
    /// next slot to be used may change.
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

    /// The handle with the bits.
    pub(crate) fn handle(&self) -> Handle<Creature> {
        Handle::from_bits(self.bits)
    }

    /// Looks the handle up.
    pub(crate) fn diagnose(&self, pool: &Pool<Creature>) -> Diagnosis {
        let handle = self.handle();
        let index = (self.bits >> u32::BITS) as u32;
        let stats = pool.stats();
        let by_index = match pool.handle_at(index).and_then(|tenant| pool.get(tenant)) {
            Some(creature) => ByIndexAlone::Creature(creature.kind.word()),
            None if (index as usize) < crate::heat::probe::slot_count(&stats) => ByIndexAlone::EmptySlot,
            None => ByIndexAlone::OutOfBounds,
        };
        Diagnosis { status: pool.status(handle), error: pool.try_get(handle).err(), by_index }
    }

    /// Restores what was changed for it.
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

/// The handle of a value that was inserted and removed.
fn visitor(pool: &mut Pool<Creature>, like: Handle<Creature>) -> Option<Handle<Creature>> {
    let visitor = pool.get(like)?.clone();
    let name = pool.insert(visitor);
    pool.remove(name);
    Some(name)
}

/// Like [`visitor`], in a slot that has no generation left.
fn wear_out(pool: &mut Pool<Creature>, like: Handle<Creature>) -> Option<Handle<Creature>> {
    let visitor = pool.get(like)?.clone();
    let slot = pool.reserve_handle();
    pool.remove(slot);
    let last = Handle::from_parts(slot.index(), Wide::MAX_TENANTS)?;
    pool.insert_at(last, visitor).ok()?;
    pool.remove(last);
    Some(last)
}
