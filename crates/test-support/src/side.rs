//! Side maps: a container that issues handles, a map with values for some of them, and a model of
//! the map.

mod issuer;
mod subject;

use std::collections::BTreeMap;

pub use self::issuer::{Half, InHalfOfStable, InHalfOfWorld, InPool, InStable, InWorld, Issuer};
pub use self::subject::SideSubject;

use self::issuer::{Joined, NameIn};
use tenure::side_map::Entry;
use tenure::{Rejection, SideMap, Status};

use crate::name::{Name, Shape};
use crate::pool::Tags;
use crate::saved::{self, Format};
use crate::surface::agrees;
use crate::tracked::{Tracked, changed};
use crate::{alloc, effort, forge, fuse, ledger, quiet, small};

/// Operations on an owner and a map of it. Numbers pick one of the handles that were ever issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideOp {
    /// The owner issues a handle.
    Spawn,
    /// A handle of the owner is removed, or marked for despawn.
    Kill(u8),
    /// `insert_at`: restores the last tenant of a slot, or does nothing.
    Revive(u8),
    /// `reserve_handle`.
    Reserve,
    /// All handles of the owner are removed.
    KillAll,
    /// `recycle_retired`: the map must accept the lower generations.
    Recycle,
    /// `end_frame`, in a world.
    EndFrame,
    /// The owner is reset to the last `Checkpoint`, and the map is not.
    Rollback,
    /// Stores a copy of the owner.
    Checkpoint,
    /// A value for a handle, live or not.
    Insert(Aim),
    /// `insert_unowned`.
    InsertUnowned(Aim),
    /// `entry`, which is filled if it is vacant.
    Entry(Aim, Fill),
    /// `entry_unowned`, which is filled if it is vacant.
    EntryUnowned(Aim, Fill),
    /// Removes a value.
    Remove(Aim),
    /// Mutates all values, in a join with the owner.
    ChangeJoined,
    /// Drops the values of handles that are not live.
    RetainLive,
    /// Drops every second value, by id.
    RetainOdd,
    /// Drops all values.
    Clear,
    /// Drains all values.
    Drain,
    /// The map is replaced by a clone.
    Clone,
    /// The map is replaced by an older map, by `clone_from`.
    CloneFrom,
    /// `shrink_to_fit`.
    Shrink,
    /// The map is replaced by a new one, `with_capacity`.
    Renew(u8),
}

/// The handle of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A handle that was issued.
    Issued(u8),
    /// A handle near one that was issued.
    Forged(u8),
    /// A handle beyond the slots of the owner: the number determines index, generation and tag.
    Far(u8),
}

/// How an entry is filled, or its value is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// `or_insert`.
    With,
    /// `or_insert_with`.
    WithClosure,
    /// `or_default`.
    Default,
    /// `VacantEntry::insert` or `OccupiedEntry::into_mut`.
    Matched,
}

impl Fill {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::With, Self::WithClosure, Self::Default, Self::Matched];
}

impl SideOp {
    /// Every code is an operation.
    #[must_use]
    pub fn decode(code: [u8; 2]) -> Self {
        let [kind, pick] = code;
        let (issued, forged, far) = (Aim::Issued(pick), Aim::Forged(pick), Aim::Far(pick));
        let fill = Fill::ALL[usize::from(kind / 64)];
        match kind % 48 {
            0..=4 => Self::Spawn,
            5..=8 => Self::Kill(pick),
            9 => Self::Revive(pick),
            10 => Self::Reserve,
            11 => Self::KillAll,
            12 => Self::Recycle,
            13 => Self::Rollback,
            14 => Self::Checkpoint,
            15..=18 => Self::Insert(issued),
            19 => Self::Insert(forged),
            20 => Self::Insert(far),
            21 | 22 => Self::Entry(issued, fill),
            23 => Self::Entry(forged, fill),
            24..=26 => Self::InsertUnowned(issued),
            27 => Self::InsertUnowned(forged),
            28..=30 => Self::InsertUnowned(far),
            31 => Self::EntryUnowned(issued, fill),
            32 => Self::EntryUnowned(forged, fill),
            33 => Self::EntryUnowned(far, fill),
            34..=36 => Self::Remove(issued),
            37 => Self::Remove(far),
            38 => Self::ChangeJoined,
            39 => Self::RetainLive,
            40 => Self::RetainOdd,
            41 => [Self::Clear, Self::Drain, Self::Renew(pick)][usize::from(pick % 3)],
            42 => Self::Clone,
            43 => Self::CloneFrom,
            44 => Self::Shrink,
            _ => Self::EndFrame,
        }
    }
}

/// An owner, a map of it, and the expected content of the map.
struct Side<O: Issuer> {
    owner: O,
    kept: O,
    map: SideMap<NameIn<O>, Tracked>,
    right: BTreeMap<NameIn<O>, u32>,
    issued: Vec<NameIn<O>>,
    /// The handle for which each id was inserted.
    given: BTreeMap<u32, NameIn<O>>,
    next_id: u32,
}

/// Runs a history.
///
/// # Errors
///
/// The fault, and its operation.
pub fn run<O: Issuer>(ops: &[SideOp]) -> Result<(), String> {
    ledger::reset();
    let mut side = Side::<O>::new();
    for (step, &op) in ops.iter().enumerate() {
        side.apply(op).and_then(|()| side.check()).map_err(|error| format!("step {step}, {op:?}: {error}"))?;
    }
    drop(side);
    ledger::expect(0)
}

/// Runs a history, saving and loading owner and map after every step: the results must be the same.
///
/// # Errors
///
/// The fault, and its operation.
pub fn run_reloaded<O: Issuer>(ops: &[SideOp], format: Format) -> Result<(), String> {
    ledger::reset();
    let mut side = Side::<O>::new();
    for (step, &op) in ops.iter().enumerate() {
        side.apply(op)
            .and_then(|()| side.reload(format))
            .and_then(|()| side.check())
            .map_err(|error| format!("step {step}, {op:?}: {error}"))?;
    }
    Ok(())
}

/// Runs `setup`, and then `op` with a panic at each call of user code in turn. Returns the number
/// of panics.
///
/// # Errors
///
/// The fault, and the panic that caused it.
pub fn every_panic<O: Issuer>(setup: &[SideOp], op: SideOp) -> Result<u32, String> {
    for call in 0.. {
        let mut side = Side::<O>::after(setup)?;
        fuse::arm(call);
        let result = quiet::catch(|| side.apply(op));
        if !fuse::disarm() {
            return result?.map(|()| call);
        }
        side.is_sound().map_err(|error| format!("{op:?} with a panic at call {call}: {error}"))?;
    }
    unreachable!("an operation makes a finite number of calls")
}

/// Runs `setup`, and then `op`, an insertion or an entry, with each request for memory refused in
/// turn, alone or with all later ones: the value comes back, and nothing has changed. Returns the
/// number of refusals.
///
/// # Errors
///
/// The fault, and the refusal that caused it.
pub fn every_refusal<O: Issuer>(setup: &[SideOp], op: SideOp) -> Result<u64, String> {
    if !alloc::is_watched() {
        return Err("the watched allocator is not installed".into());
    }
    quiet::install();
    for nth in 0.. {
        let mut is_refused = false;
        for refuses_rest in [false, true] {
            if refuses_rest && matches!(op, SideOp::Entry(..) | SideOp::EntryUnowned(..)) {
                // It panics, and a panic needs memory.
                continue;
            }
            let mut side = Side::<O>::after(setup)?;
            let refused = side.refused(op, nth, refuses_rest);
            is_refused |= refused.map_err(|error| format!("{op:?}, request {nth}: {error}"))?;
        }
        if !is_refused {
            return Ok(nth);
        }
    }
    unreachable!("an operation makes a finite number of requests")
}

/// Runs `setup`, and then inserts for handles that were not issued, without an owner.
///
/// # Errors
///
/// A description of the fault: the result, or the memory that a handle takes.
pub fn every_forgery<O: Issuer>(setup: &[SideOp]) -> Result<usize, String> {
    let shape = Shape::of::<O::Layout>();
    let mut names = forge::edges(&shape);
    names.extend(forge::random(shape, 100));
    let step = small::or(if effort::is_slow() { 4 } else { 1 }, 50);
    for &name in names.iter().step_by(step) {
        let mut side = Side::<O>::after(setup)?;
        side.forge(name).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(names.len())
}

impl<O: Issuer> Side<O> {
    fn new() -> Self {
        Self {
            owner: O::new(),
            kept: O::new(),
            map: SideMap::default(),
            right: BTreeMap::new(),
            issued: Vec::new(),
            given: BTreeMap::new(),
            next_id: 0,
        }
    }

    fn after(setup: &[SideOp]) -> Result<Self, String> {
        ledger::reset();
        let mut side = Self::new();
        setup.iter().try_for_each(|&op| side.apply(op))?;
        Ok(side)
    }

    fn reload(&mut self, format: Format) -> Result<(), String> {
        self.owner = self.owner.reload(format)?;
        self.map = saved::reload(&self.map, format)?;
        Ok(())
    }

    fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// A new id, for a value of this handle.
    fn id_for(&mut self, name: NameIn<O>) -> u32 {
        let id = self.new_id();
        self.given.insert(id, name);
        id
    }

    fn pick(&self, number: u8) -> NameIn<O> {
        let count = self.issued.len().max(1);
        self.issued.get(usize::from(number) % count).copied().unwrap_or_default()
    }

    fn aim(&self, aim: Aim) -> NameIn<O> {
        let shape = Shape::of::<O::Layout>();
        let name = match aim {
            Aim::Issued(pick) => return self.pick(pick),
            Aim::Forged(pick) => forge::moved(&shape, self.pick(pick).into(), 3, 2),
            Aim::Far(number) => {
                let [kind, more] = [u32::from(number) % 16, u32::from(number) / 16];
                let index = match kind {
                    0..=7 => shape.max_slots.saturating_sub(1 + kind),
                    // Gets a slot when the map has six values.
                    8 => 5_000,
                    _ => kind << 14,
                };
                // A few have another tag, in layouts that have tags.
                shape.name(index, 1 + more % 3, O::Layout::TAG + u32::from(more == 15))
            }
        };
        name.handle()
    }

    fn apply(&mut self, op: SideOp) -> Result<(), String> {
        match op {
            SideOp::Spawn => {
                let id = self.new_id();
                self.issued.extend(self.owner.spawn(Tracked::new(id)));
            }
            SideOp::Kill(pick) => self.owner.kill(self.pick(pick)),
            SideOp::Revive(pick) => self.owner.revive(self.pick(pick), Tracked::new(0)),
            SideOp::Reserve => self.issued.extend(self.owner.reserve()),
            SideOp::KillAll => self.owner.kill_all(),
            SideOp::Recycle => self.owner.recycle(),
            SideOp::EndFrame => self.owner.end_frame(),
            SideOp::Rollback => self.owner.set_to(&self.kept),
            SideOp::Checkpoint => self.kept.set_to(&self.owner),
            SideOp::Insert(aim) => return self.insert(self.aim(aim), true),
            SideOp::InsertUnowned(aim) => return self.insert(self.aim(aim), false),
            SideOp::Entry(aim, fill) => return self.entry(self.aim(aim), fill, true),
            SideOp::EntryUnowned(aim, fill) => return self.entry(self.aim(aim), fill, false),
            SideOp::Remove(aim) => return self.remove(self.aim(aim)),
            SideOp::ChangeJoined => self.right.extend(self.owner.change_joined(&mut self.map)),
            _ => self.apply_to_all(op),
        }
        Ok(())
    }

    fn apply_to_all(&mut self, op: SideOp) {
        match op {
            SideOp::RetainLive => {
                self.right.retain(|&name, _| self.owner.status(name).resolves());
                let dropped = self.map.len() - self.right.len();
                let counted = self.owner.ask(|owner| self.map.retain_live(owner));
                assert_eq!(counted, dropped, "the count of `retain_live` is wrong");
            }
            SideOp::RetainOdd => {
                self.right.retain(|_, id| *id % 2 == 1);
                self.map.retain(|_, value| value.id() % 2 == 1);
            }
            SideOp::Clear => {
                self.right.clear();
                self.map.clear();
            }
            SideOp::Drain => {
                self.right.clear();
                self.map.drain().for_each(drop);
            }
            SideOp::Clone => self.map = self.map.clone(),
            SideOp::CloneFrom => {
                let mut older = SideMap::default();
                older.clone_from(&self.map);
                self.map = older;
            }
            SideOp::Renew(count) => {
                let slots = usize::from(count).min(Shape::of::<O::Layout>().max_slots as usize);
                self.right.clear();
                self.map = SideMap::with_capacity(slots);
                assert!(self.map.capacity() >= slots, "`with_capacity` has reserved too little");
            }
            _ => self.map.shrink_to_fit(),
        }
    }

    /// Why the map must refuse a handle.
    fn refusal(&self, name: NameIn<O>, is_owned: bool) -> Option<Rejection> {
        let status = self.owner.status(name);
        let dead = match status {
            Status::Nil => Some(Rejection::Nil),
            _ if !is_owned || status.resolves() => None,
            Status::Foreign => Some(Rejection::Foreign),
            Status::NeverIssued => Some(Rejection::NeverIssued),
            Status::Pending => Some(Rejection::Pending),
            _ => Some(Rejection::Stale),
        };
        let is_foreign = || self.right.keys().any(|other| other.tag() != name.tag());
        let is_older = || self.at(name.index()).is_some_and(|(other, _)| other.generation() > name.generation());
        dead.or_else(|| is_foreign().then_some(Rejection::Foreign))
            .or_else(|| (!is_owned && is_older()).then_some(Rejection::Stale))
    }

    /// The handle and the id of the value at an index.
    fn at(&self, index: u32) -> Option<(NameIn<O>, u32)> {
        self.right.iter().find(|(name, _)| name.index() == index).map(|(&name, &id)| (name, id))
    }

    /// The value of a new tenant replaces that of an older one.
    fn set_right(&mut self, name: NameIn<O>, id: u32) -> Option<u32> {
        let before = self.right.get(&name).copied();
        self.right.retain(|other, _| other.index() != name.index());
        self.right.insert(name, id);
        before
    }

    fn insert(&mut self, name: NameIn<O>, is_owned: bool) -> Result<(), String> {
        let id = self.id_for(name);
        let inserted = self.call_insert(name, is_owned, id);
        self.judge_insert(name, is_owned, id, inserted)
    }

    /// The id of the value that was replaced, or the reason and the id of the value that came back.
    /// Asks for no memory but the map's.
    fn call_insert(&mut self, name: NameIn<O>, is_owned: bool, id: u32) -> Result<Option<u32>, (Rejection, u32)> {
        let value = Tracked::new(id);
        let result = match is_owned {
            true => self.owner.ask(|owner| self.map.insert(owner, name, value)),
            false => self.map.insert_unowned(name, value),
        };
        match result {
            Ok(older) => Ok(older.map(|value| value.id())),
            Err(back) => Err((back.reason(), back.into_inner().id())),
        }
    }

    fn judge_insert(
        &mut self,
        name: NameIn<O>,
        is_owned: bool,
        id: u32,
        got: Result<Option<u32>, (Rejection, u32)>,
    ) -> Result<(), String> {
        let right = match self.refusal(name, is_owned) {
            Some(reason) => Err((reason, id)),
            None => Ok(self.set_right(name, id)),
        };
        if got == right { Ok(()) } else { Err(format!("inserting for {name} returned {got:?}, expected {right:?}")) }
    }

    fn entry(&mut self, name: NameIn<O>, fill: Fill, is_owned: bool) -> Result<(), String> {
        let id = self.id_for(name);
        let found = self.call_entry(name, fill, is_owned, id);
        self.judge_entry(name, is_owned, id, found)
    }

    /// The id of the value in the entry. Asks for no memory but the map's.
    fn call_entry(&mut self, name: NameIn<O>, fill: Fill, is_owned: bool, id: u32) -> Option<u32> {
        let entry = match is_owned {
            true => self.owner.ask(|owner| self.map.entry(owner, name)),
            false => self.map.entry_unowned(name),
        };
        let entry = entry.ok()?;
        assert_eq!(entry.handle(), name, "the entry of another handle");
        let value = match (fill, entry) {
            (Fill::With, entry) => entry.or_insert(Tracked::new(id)),
            (Fill::WithClosure, entry) => entry.or_insert_with(|| {
                fuse::burn();
                Tracked::new(id)
            }),
            (Fill::Default, entry) => {
                Tracked::set_default(id);
                entry.or_default()
            }
            (Fill::Matched, Entry::Vacant(entry)) => entry.insert(Tracked::new(id)),
            (Fill::Matched, Entry::Occupied(entry)) => entry.into_mut(),
        };
        Some(value.id())
    }

    fn judge_entry(&mut self, name: NameIn<O>, is_owned: bool, id: u32, got: Option<u32>) -> Result<(), String> {
        let right = self.refusal(name, is_owned).is_none().then(|| self.right.get(&name).copied().unwrap_or(id));
        if let Some(right) = right {
            self.set_right(name, right);
        }
        if got == right { Ok(()) } else { Err(format!("the entry of {name} holds {got:?}, expected {right:?}")) }
    }

    fn remove(&mut self, name: NameIn<O>) -> Result<(), String> {
        let (got, right) = (self.map.remove(name).map(|value| value.id()), self.right.remove(&name));
        if got == right { Ok(()) } else { Err(format!("{got:?} was removed, expected {right:?}")) }
    }

    /// Returns `false` if the operation made fewer requests.
    fn refused(&mut self, op: SideOp, nth: u64, refuses_rest: bool) -> Result<bool, String> {
        let (aim, is_owned, fill) = match op {
            SideOp::Insert(aim) => (aim, true, None),
            SideOp::InsertUnowned(aim) => (aim, false, None),
            SideOp::Entry(aim, fill) => (aim, true, Some(fill)),
            SideOp::EntryUnowned(aim, fill) => (aim, false, Some(fill)),
            _ => return Err("neither an insertion nor an entry".into()),
        };
        let name = self.aim(aim);
        let id = self.id_for(name);
        ledger::reserve(10);
        let (result, asked) = alloc::count(|| {
            let call = || match fill {
                None => Ok(self.call_insert(name, is_owned, id)),
                Some(fill) => Err(quiet::catch(|| self.call_entry(name, fill, is_owned, id))),
            };
            if refuses_rest { alloc::refuse_from(nth, call) } else { alloc::refuse_nth(nth, call) }
        });
        match result {
            Ok(Err((Rejection::Full, back))) if asked > nth && back == id => {}
            Ok(inserted) => self.judge_insert(name, is_owned, id, inserted)?,
            Err(Err(message)) if asked > nth && message.contains("memory") => {}
            Err(Err(message)) => return Err(message),
            Err(Ok(found)) => self.judge_entry(name, is_owned, id, found)?,
        }
        self.check()?;
        Ok(asked > nth)
    }

    fn forge(&mut self, name: Name) -> Result<(), String> {
        let name = name.handle();
        let before = self.map.bytes();
        for is_owned in [true, false] {
            self.entry(name, Fill::Matched, is_owned)?;
            self.insert(name, is_owned)?;
            self.check()?;
        }
        // 4,096 slots, and as many for each of a few values as fit in 4,096 bytes, twice.
        let bytes = self.map.bytes() - before;
        if bytes > 500_000 { Err(format!("takes {bytes} bytes")) } else { self.remove(name) }
    }

    fn check(&mut self) -> Result<(), String> {
        let listing: Vec<_> = self.map.iter().map(|(name, value)| (name, value.id())).collect();
        let right: Vec<_> = self.right.iter().map(|(&name, &id)| (name, id)).collect();
        if listing != right {
            return Err(format!("the map has {listing:?}, expected {right:?}"));
        }
        self.check_lookups()?;
        self.check_joins()?;
        self.is_sound()
    }

    /// Looks up every handle that a value was ever inserted for.
    fn check_lookups(&mut self) -> Result<(), String> {
        for &name in self.given.values() {
            let (got, right) = (self.map.get(name).map(Tracked::id), self.right.get(&name).copied());
            let is_there = (self.map.contains(name), self.map.handle_at(name.index()) == Some(name));
            if got != right || is_there != (right.is_some(), right.is_some()) {
                return Err(format!("{name} resolves to {got:?}, and {is_there:?}; expected {right:?}"));
            }
            if !agrees(&mut self.map, name) {
                return Err(format!("get_unchecked returns another value of {name} than get"));
            }
        }
        Ok(())
    }

    /// Checks joins in which the owner leads, with and without optional values, and one in which
    /// the map leads.
    fn check_joins(&mut self) -> Result<(), String> {
        let handles = self.owner.handles();
        let id = |name: &NameIn<O>| self.right.get(name).copied();
        let all: Vec<_> = handles.iter().map(|name| (*name, id(name))).collect();
        let both = all.iter().filter_map(|&(name, id)| Some((name, id?))).collect();
        let led = self.right.iter().map(|(&name, &id)| (name, id, handles.contains(&name))).collect();
        let right = Joined { both, all, led };
        let got = self.owner.joined(&self.map);
        if got == right { Ok(()) } else { Err(format!("joins yield {got:?}, expected {right:?}")) }
    }

    /// Checks that the map is valid, bounded by the owner, and has every value under the handle it
    /// was inserted for.
    fn is_sound(&self) -> Result<(), String> {
        self.map.validate().map_err(|fault| format!("broken inside: {fault}"))?;
        for (name, value) in &self.map {
            let id = value.id().min(changed(value.id()));
            if self.given.get(&id) != Some(&name) {
                return Err(format!("{name} resolves to {id}, which was inserted for another handle"));
            }
        }
        ledger::expect(self.map.len() + self.owner.count() + self.kept.count())
    }
}
