//! Side maps: as pools, and then the values beyond the slots.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entry::{Entry, FarEntry};
use super::form::{Form, save};
use super::pool::push;
use crate::handle::{Handle, SlotText};
use crate::key::Key;
use crate::pool::{Growable, Pool};
use crate::side_map::{Far, SideMap};
use crate::slots::{Building, TenancyKind};

/// All slots of a side map by index, then the values beyond them.
struct Values<'a, H: Key, V>(&'a Pool<V, H>, &'a Far<V>);

impl<H: Key, V: Serialize> Serialize for Values<'_, H, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (slots, tag) = (&self.0.slots, self.0.tag());
        let mut values = serializer.serialize_seq(Some(slots.slot_count() as usize + self.1.iter().len()))?;
        for index in 0..slots.slot_count() {
            let value = slots.live_mark(index).and_then(|mark| slots.get(index, mark));
            values.serialize_element(&Entry::<&V, false>::new(index, tag, slots.tenancy(index), value))?;
        }
        for (handle, far) in self.1.handles::<H>() {
            let slot = SlotText { index: handle.index(), generation: handle.generation(), tag };
            values.serialize_element(&FarEntry(slot, far))?;
        }
        values.end()
    }
}

impl<H: Key, V: Serialize> Serialize for SideMap<H, V> {
    /// As a [`Pool`]. Slots without a value are written too, so that a small document cannot claim
    /// a large map.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (near, far) = self.parts();
        save(serializer, &near.slots.preamble_unlisted(), &Values(near, far))
    }
}

/// A side map that gets one value after the other.
struct Loading<H: Key, V> {
    near: Building<V, H::Layout, Growable<V>>,
    far: Vec<Entry<V, false>>,
}

impl<'de, H: Key, V: Deserialize<'de>> Deserialize<'de> for Loading<H, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LoadingVisitor(PhantomData))
    }
}

struct LoadingVisitor<H, V>(PhantomData<(H, V)>);

impl<'de, H: Key, V: Deserialize<'de>> Visitor<'de> for LoadingVisitor<H, V> {
    type Value = Loading<H, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("slots, by index")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut loading = Loading { near: Building::new(), far: Vec::new() };
        while let Some(entry) = entries.next_element::<Entry<V, false>>()? {
            let is_named_beyond = entry.is_named && entry.slot.index > loading.near.index();
            if !loading.far.is_empty() || entry.is_far || (is_named_beyond && entry.kind == TenancyKind::Live) {
                loading.far.push(entry);
            } else {
                push(&mut loading.near, entry).map_err(A::Error::custom)?;
            }
        }
        Ok(loading)
    }
}

impl<'de, H: Key, V: Deserialize<'de>> Deserialize<'de> for SideMap<H, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::<Loading<H, V>>::deserialize(deserializer)?;
        let preamble = form.preamble();
        let Loading { near, far } = form.slots;
        let values: Pool<V, H> = Pool::from_slots(near.finish(&preamble).map_err(D::Error::custom)?);
        if values.slots.pending_count() != 0 || preamble.limit.is_some() {
            return Err(D::Error::custom("a side map has no pending slots, and no limit"));
        }
        let mut map = Self::from_values(values);
        for entry in far {
            load_far(&mut map, entry, preamble.tag).map_err(D::Error::custom)?;
        }
        Ok(map)
    }
}

/// A value beyond the slots is live, has a handle of the layout, and comes after the others.
fn load_far<H: Key, V>(map: &mut SideMap<H, V>, entry: Entry<V, false>, tag: u32) -> Result<(), BadFar> {
    let Entry { slot, is_named, value, .. } = entry;
    if is_named && slot.tag != tag {
        return Err(BadFar(slot));
    }
    let handle = Handle::from_parts_and_tag(slot.index, slot.generation, tag).ok_or(BadFar(slot))?;
    let value = value.ok_or(BadFar(slot))?;
    if map.push_far(handle, value) { Ok(()) } else { Err(BadFar(slot)) }
}

/// No value of this handle can stand here.
struct BadFar(SlotText);

impl fmt::Display for BadFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {} is out of its place, not that of a value, or there is no memory for it", self.0)
    }
}
