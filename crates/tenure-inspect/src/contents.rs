//! The contents of a container that the library has loaded: slots, and the frame of a world.

use crate::args::{Kind, LayoutName};
use crate::form::{self, POOL, Slot, SlotKind, WORLD};
use crate::heat::{Levels, SlotState};
use crate::load;
use crate::name::SlotName;
use crate::tape::{At, Tape, Value};

/// The contents of a container.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    pub(crate) kind: Kind,
    pub(crate) version: u64,
    /// The tag of all handles.
    pub(crate) tag: u32,
    /// The fixed number of slots, if any.
    pub(crate) limit: Option<u64>,
    /// By index.
    pub(crate) states: Vec<SlotState>,
    /// For a world.
    pub(crate) frame: Option<Box<Frame>>,
}

/// Counts of a world besides its entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) last_id: u64,
    pub(crate) permanent: u64,
    pub(crate) pending: u64,
    pub(crate) dying: u64,
    pub(crate) reserved: u64,
    pub(crate) freed: u64,
    pub(crate) staged: u64,
}

impl Frame {
    /// All counts, with their names.
    pub(crate) const fn rows(&self) -> [(&'static str, u64); 7] {
        [
            ("pending", self.pending),
            ("dying", self.dying),
            ("staged", self.staged),
            ("permanent", self.permanent),
            ("reserved", self.reserved),
            ("freed", self.freed),
            ("last id", self.last_id),
        ]
    }
}

impl Contents {
    /// Reads a container. `None` if the document is not what the library has loaded.
    pub(crate) fn of(tape: &Tape<'_>, at: At, kind: Kind, layout: LayoutName) -> Option<Self> {
        let pool = form::entities(tape, at).filter(|_| kind == Kind::World).unwrap_or(at);
        let number = |name| form::field(tape, pool, &POOL, name).and_then(|field| tape.uint(field));
        let tag = number("tag").unwrap_or(0).try_into().ok()?;
        let states = states(tape, form::slots(tape, at)?, kind, tag, load::most_tenants(layout))?;
        let (version, limit) = (number("version")?, number("limit"));
        let mut contents = Self { kind, version, tag, limit, states, frame: None };
        if kind == Kind::World {
            contents.put_frame(tape, at, layout);
        }
        Some(contents)
    }

    /// An uncommitted entity becomes live when the frame ends. Reserved and freed slots have no
    /// value.
    fn put_frame(&mut self, tape: &Tape<'_>, at: At, layout: LayoutName) {
        let list = move |name: &'static str| {
            let field = form::field(tape, at, &WORLD, name).filter(|&field| tape.value(field) == Value::List);
            field.into_iter().flat_map(move |field| tape.parts(field))
        };
        let count = |name: &'static str| list(name).count() as u64;
        let mut change = |index: Option<u64>, new: fn(u32) -> SlotState| {
            let index = index.and_then(|index| usize::try_from(index).ok());
            if let Some(state) = index.and_then(|index| self.states.get_mut(index)) {
                *state = new(state.generation());
            }
        };
        for handle in list("pending") {
            change(handle_index(tape, handle, layout), SlotState::Pending);
        }
        list("departed").for_each(|slot| change(tape.uint(slot), SlotState::Vacant));
        list("nursery").for_each(|slot| change(tape.uint(slot), |next| SlotState::Vacant(next.saturating_sub(1))));
        let last_id = form::field(tape, at, &WORLD, "last_id").and_then(|field| tape.uint(field));
        self.frame = Some(Box::new(Frame {
            last_id: last_id.unwrap_or_else(|| list("ids").filter_map(|id| tape.uint(id)).max().unwrap_or(0)),
            permanent: count("permanent"),
            pending: count("pending"),
            dying: count("dying"),
            reserved: count("nursery"),
            freed: count("departed"),
            staged: count("staged"),
        }));
    }

    /// The numbers of live, pending, vacant and retired slots.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for state in &self.states {
            *match state {
                SlotState::Live(_) => &mut counts.live,
                SlotState::Pending(_) => &mut counts.pending,
                SlotState::Vacant(_) => &mut counts.vacant,
                SlotState::Retired(_) => &mut counts.retired,
            } += 1;
        }
        counts
    }

    /// The lowest and the highest generation, if any slot has had a tenant. Retired slots do not
    /// count.
    pub(crate) fn generations(&self) -> Option<(u32, u32)> {
        let is_used = |state: &SlotState| !matches!(state, SlotState::Retired(_)) && state.generation() > 0;
        self.states.iter().any(is_used).then(|| Levels::of(&self.states).ends())
    }
}

/// The number of slots in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) live: u64,
    pub(crate) pending: u64,
    pub(crate) vacant: u64,
    pub(crate) retired: u64,
}

fn states(tape: &Tape<'_>, slots: At, kind: Kind, tag: u32, most_tenants: u32) -> Option<Vec<SlotState>> {
    let mut states = vec![SlotState::Vacant(0); tape.parts(slots).count()];
    for (place, at) in tape.parts(slots).enumerate() {
        let Slot { name, kind, .. } = form::slot(tape, at, kind, place, tag)?;
        let SlotName { index, generation, .. } = name;
        *states.get_mut(index as usize)? = match kind {
            SlotKind::Live => SlotState::Live(generation),
            SlotKind::Pending => SlotState::Pending(generation),
            SlotKind::Vacant if generation == most_tenants => SlotState::Retired(generation),
            SlotKind::Vacant => SlotState::Vacant(generation),
        };
    }
    Some(states)
}

/// The index of a handle of the container itself.
fn handle_index(tape: &Tape<'_>, at: At, layout: LayoutName) -> Option<u64> {
    let name = match tape.value(at) {
        Value::Text(text) => SlotName::of_handle(text).map(|(_, name)| name),
        Value::Uint(bits) => load::slot_of_bits(bits, layout),
        _ => None,
    };
    name.map(|name| name.index.into())
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;
    use crate::tape::tests::tape;

    #[test]
    fn slots_are_sorted_by_index() {
        let rows = r#"{"version":1,"slots":[{"2v3":7},{"0v1":8},"1v2048","3v1 pending","4v0"]}"#;
        let table = Contents::of(&tape(rows), Tape::ROOT, Kind::Table, LayoutName::Compact).unwrap();
        assert_eq!(table.states, [Live(1), Retired(2048), Live(3), Pending(1), Vacant(0)]);
        assert_eq!(table.counts(), Counts { live: 2, pending: 1, vacant: 1, retired: 1 });
        assert_eq!(table.generations(), Some((1, 3)));
    }

    #[test]
    fn the_frame_changes_the_states_of_slots() {
        let mut world: tenure::World<u32> = tenure::World::new();
        let first = world.spawn(1);
        world.end_frame();
        world.spawn(2);
        world.despawn(first);
        let _ = world.stage(3);
        let json = serde_json::to_string(&world).unwrap();
        let world = Contents::of(&tape(&json), Tape::ROOT, Kind::World, LayoutName::Wide).unwrap();
        assert_eq!(world.states[..3], [Live(1), Pending(1), Vacant(0)], "a dying entity is live until the sweep");
        let frame = *world.frame.unwrap();
        assert_eq!((frame.last_id, frame.dying, frame.permanent, frame.staged), (2, 1, 0, 1));
    }
}
