//! Worlds: the entities as a pool, and the state of the frame.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::form::{Fields, Put, Version, save, write};
use super::pool::Tenants;
use crate::key::{HandleOf, Key};
use crate::lifecycle::{ReservedSlots, SavedFrame};
use crate::slots::{Chunks, Slots};
use crate::world::{EntityId, FrameReport, World};

impl<E: Serialize, H: Key> Serialize for World<E, H> {
    /// Saves ids, uncommitted and dying entities, dead generations and the order of future handles,
    /// too: see [`saved_form`](crate::docs::saved_form).
    ///
    /// # Errors
    ///
    /// Also if an entity's `serialize` spawns or stages others, or reserves a handle. (Staging one
    /// in the `serialize` of a staged entity panics.)
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.saved_frame() {
            Some(frame) => write(serializer, &WorldFields { world: self, frame: &frame }),
            None => Err(S::Error::custom("a world without a frame")),
        }
    }
}

struct WorldFields<'a, E, H: Key> {
    world: &'a World<E, H>,
    frame: &'a SavedFrame<H::Kind, H::Layout>,
}

impl<E: Serialize, H: Key> Fields for WorldFields<'_, E, H> {
    const NAME: &'static str = "World";

    fn put_all<P: Put>(&self, fields: &mut P) -> Result<(), P::Error> {
        let Self { world, frame } = self;
        fields.put_always("entities", &Entities { world, frame })?;
        fields.put_always("ids", &frame.ids)?;
        fields.put("last_id", &frame.last_id)?;
        fields.put("permanent", &frame.permanent)?;
        fields.put("pending", &frame.spawned)?;
        fields.put("nursery", &frame.slots.block)?;
        fields.put("departed", &frame.slots.freed)?;
        fields.put("dying", &frame.dying)?;
        world.with_staged(|staged| fields.put_unless(staged.is_empty(), "staged", &AllStaged(staged)))?;
        fields.put("born", &frame.committed)?;
        fields.put("born_with_handle", &frame.committed_with_handle)?;
        fields.put("dead", &frame.dead)?;
        fields.put("tickets", &frame.tickets)?;
        fields.put("first_ticket", &frame.first_ticket)?;
        fields.put("report", &frame.report)
    }
}

/// The entities, including uncommitted ones.
struct Entities<'a, E, H: Key> {
    world: &'a World<E, H>,
    frame: &'a SavedFrame<H::Kind, H::Layout>,
}

impl<E: Serialize, H: Key> Serialize for Entities<'_, E, H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { world, frame } = *self;
        let at = |slot| world.saved_slot(slot);
        let (count, preamble) = (world.slot_count(), world.preamble());
        let saved = save(serializer, &preamble, &Tenants { count, tag: world.tag(), at })?;
        // The fields that follow are those of the frame before the entities were written, and the
        // slots are those that were free then: a handle that was reserved meanwhile takes one.
        let is_as_before = world.is_as(frame) && (world.slot_count(), world.preamble()) == (count, preamble);
        if is_as_before { Ok(saved) } else { Err(S::Error::custom("the world was changed while it was saved")) }
    }
}

/// All entities without a handle.
struct AllStaged<'a, E>(&'a [E]);

impl<E: Serialize> Serialize for AllStaged<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Staged))
    }
}

/// An entity without a handle. In binary formats a 0 precedes it: values may take no byte, and a
/// short document must not claim many.
struct Staged<E>(E);

impl<E: Serialize> Serialize for Staged<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.0.serialize(serializer)
        } else {
            (0_u8, &self.0).serialize(serializer)
        }
    }
}

impl<'de, E: Deserialize<'de>> Deserialize<'de> for Staged<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return E::deserialize(deserializer).map(Self);
        }
        match <(u8, E)>::deserialize(deserializer)? {
            (0, entity) => Ok(Self(entity)),
            (other, _) => Err(D::Error::custom(format_args!("staged: {other} instead of 0"))),
        }
    }
}

/// A list that grows as it is read. (A `Vec` would reserve up to a megabyte for the length that the
/// document claims.)
struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(List(list))
    }
}

/// The saved data. Nothing in it has been checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "World", bound(deserialize = "E: Deserialize<'de>"))]
struct Form<E, H: Key> {
    #[allow(dead_code, reason = "it is checked when it is read")]
    version: Version,
    entities: Slots<E, H::Layout, Chunks<E>>,
    #[serde(default)]
    ids: Option<List<EntityId>>,
    #[serde(default)]
    last_id: u64,
    #[serde(default)]
    permanent: List<HandleOf<H>>,
    #[serde(default)]
    pending: List<HandleOf<H>>,
    #[serde(default)]
    nursery: List<u32>,
    #[serde(default)]
    departed: List<u32>,
    #[serde(default)]
    dying: List<HandleOf<H>>,
    #[serde(default)]
    staged: List<Staged<E>>,
    #[serde(default)]
    born: List<HandleOf<H>>,
    #[serde(default)]
    born_with_handle: usize,
    #[serde(default)]
    dead: List<HandleOf<H>>,
    #[serde(default)]
    tickets: u64,
    #[serde(default)]
    first_ticket: u64,
    #[serde(default)]
    report: FrameReport,
}

impl<'de, E: Deserialize<'de>, H: Key> Deserialize<'de> for World<E, H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::<E, H>::deserialize(deserializer)?;
        let frame = SavedFrame {
            ids: form.ids.map(|ids| ids.0),
            last_id: form.last_id,
            permanent: form.permanent.0,
            spawned: form.pending.0,
            slots: ReservedSlots { block: form.nursery.0, freed: form.departed.0 },
            dying: form.dying.0,
            committed: form.born.0,
            committed_with_handle: form.born_with_handle,
            dead: form.dead.0,
            tickets: form.tickets,
            first_ticket: form.first_ticket,
            report: form.report,
        };
        let staged = form.staged.0.into_iter().map(|Staged(entity)| entity).collect();
        Self::from_saved(form.entities, staged, frame).map_err(D::Error::custom)
    }
}
