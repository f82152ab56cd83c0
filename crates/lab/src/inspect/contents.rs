//! What is in a document that was loaded: slots, values, and the frame of a world.

use serde::Deserialize;
use serde::de::Error;
use serde_json::Value;

use super::load::Loaded;
use super::name::SlotName;
use crate::cli::Kind;
use crate::heat::SlotState;

/// What is in a container.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) kind: Kind,
    pub(super) version: u32,
    /// Of all handles.
    pub(super) tag: u32,
    /// How many slots there may be, if that is fixed.
    pub(super) limit: Option<u32>,
    /// By index.
    pub(super) states: Vec<SlotState>,
    /// The values of slots, with the names of these.
    tenants: Vec<(String, Value)>,
    /// Of a world.
    pub(super) frame: Option<Frame>,
}

/// What a world knows beside its entities.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Frame {
    pub(super) last_id: u64,
    pub(super) permanent: Vec<String>,
    pub(super) pending: Vec<String>,
    pub(super) dying: Vec<String>,
    pub(super) nursery: Vec<u32>,
    pub(super) departed: Vec<u32>,
    pub(super) staged: Vec<Value>,
}

/// A saved pool, or what a table or a world has of one.
#[derive(Deserialize)]
struct Form {
    version: u32,
    #[serde(default)]
    tag: u32,
    limit: Option<u32>,
    slots: Vec<Value>,
}

impl Contents {
    /// Reads what the library has written.
    pub(super) fn of(loaded: Loaded) -> Result<Self, serde_json::Error> {
        let Loaded { kind, mut document, most_tenants } = loaded;
        let entities = document.get_mut("entities").map(Value::take);
        let (form, frame) = match entities {
            Some(entities) => (entities, Some(serde_json::from_value::<Frame>(document)?)),
            None => (document, None),
        };
        let Form { version, tag, limit, slots } = serde_json::from_value(form)?;
        let states = vec![SlotState::Vacant(0); slots.len()];
        let mut contents = Self { kind, version, tag, limit, states, tenants: Vec::new(), frame: None };
        for slot in slots {
            contents.put(slot, most_tenants).ok_or_else(|| Error::custom("a slot reads like no other"))?;
        }
        if let Some(frame) = frame {
            contents.put_frame(frame);
        }
        Ok(contents)
    }

    /// `"17v3"`, `"17v3 pending"` or `{"17v3": value}`.
    fn put(&mut self, slot: Value, most_tenants: u32) -> Option<()> {
        let (name, state) = match slot {
            Value::Object(fields) => {
                let (name, value) = fields.into_iter().next()?;
                self.tenants.push((name.clone(), value));
                (name, SlotState::Live as fn(u32) -> SlotState)
            }
            Value::String(text) => match text.strip_suffix(" pending") {
                Some(name) => (name.into(), SlotState::Pending as _),
                None if SlotName::read(&text)?.generation == most_tenants => (text, SlotState::Retired as _),
                None => (text, SlotState::Vacant as _),
            },
            _ => return None,
        };
        let SlotName { index, generation, .. } = SlotName::read(&name)?;
        *self.states.get_mut(index as usize)? = state(generation);
        Some(())
    }

    /// Entities are live or will be when the frame ends. Slots that the world keeps aside have
    /// nobody whom a handle leads to.
    fn put_frame(&mut self, frame: Frame) {
        let mut change = |index: u32, new: fn(u32) -> SlotState| {
            if let Some(state) = self.states.get_mut(index as usize) {
                *state = new(state.generation());
            }
        };
        frame
            .pending
            .iter()
            .filter_map(|name| SlotName::read(name))
            .for_each(|name| change(name.index, SlotState::Pending));
        frame.departed.iter().for_each(|&index| change(index, SlotState::Vacant));
        frame.nursery.iter().for_each(|&index| change(index, |next| SlotState::Vacant(next.saturating_sub(1))));
        self.frame = Some(frame);
    }

    /// All values with their places: `17v3`, or `staged[0]` for entities without a handle.
    pub(super) fn values(&self) -> impl Iterator<Item = (String, &Value)> {
        let staged = self.frame.iter().flat_map(|frame| frame.staged.iter().enumerate());
        let staged = staged.map(|(nth, value)| (format!("staged[{nth}]"), value));
        self.tenants.iter().map(|(name, value)| (name.clone(), value)).chain(staged)
    }

    /// How many slots are like this.
    pub(super) fn count(&self, kind: fn(&SlotState) -> bool) -> u64 {
        self.states.iter().filter(|state| kind(state)).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::load;
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;
    use crate::cli::LayoutName;

    fn contents(text: &str, kind: Kind) -> Contents {
        Contents::of(load::check(text, kind, LayoutName::Compact).unwrap()).unwrap()
    }

    #[test]
    fn slots_stand_by_index_whatever_the_order() {
        let rows = r#"{"version":1,"slots":[{"2v3":7},{"0v1":8},"1v2048","3v1 pending","4v0"]}"#;
        let table = contents(rows, Kind::Table);
        assert_eq!(table.states, [Live(1), Retired(2048), Live(3), Pending(1), Vacant(0)]);
        assert_eq!(table.values().map(|(place, _)| place).collect::<Vec<_>>(), ["2v3", "0v1"]);
    }

    #[test]
    fn a_world_is_as_its_frame_says() {
        let mut world: tenure::World<u32> = tenure::World::new();
        let first = world.spawn(1);
        world.end_frame();
        world.spawn(2);
        world.despawn(first);
        let _ = world.stage(3);
        let world = contents(&serde_json::to_string(&world).unwrap(), Kind::World);
        assert_eq!(world.states[..3], [Live(1), Pending(1), Vacant(0)], "whoever is dying lives until the sweep");
        assert_eq!(world.values().map(|(place, _)| place).collect::<Vec<_>>(), ["0v1", "1v1", "staged[0]"]);
        let frame = world.frame.unwrap();
        assert_eq!((frame.last_id, frame.dying.len(), frame.permanent.len()), (2, 1, 0));
    }
}
