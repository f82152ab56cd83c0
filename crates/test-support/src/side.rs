//! Side maps: a pool that issues handles, a map with values for some of them, and a model of the
//! map.

mod subject;

use std::collections::BTreeMap;

pub use self::subject::SideSubject;

use tenure::join::Maybe;
use tenure::{Handle, Pool, Rejection, SideMap, Status, join};

use crate::name::Shape;
use crate::pool::Tags;
use crate::saved::{self, Format};
use crate::tracked::{Tracked, changed};
use crate::{alloc, forge, fuse, ledger, quiet};

/// Operations on a pool and a map of it. Numbers pick one of the handles that were ever issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideOp {
    /// The pool issues a handle.
    Spawn,
    /// A handle of the pool is removed.
    Kill(u8),
    /// `insert_at`: restores the last tenant of a slot, or does nothing.
    Revive(u8),
    /// `reserve_handle`.
    Reserve,
    /// All handles of the pool are removed.
    KillAll,
    /// `recycle_retired`: the map must accept the lower generations.
    Recycle,
    /// The pool is reset to the last `Checkpoint`, and the map is not.
    Rollback,
    /// Stores a copy of the pool.
    Checkpoint,
    /// A value for a handle, live or not.
    Insert(u8),
    /// A value for a handle that was not issued.
    InsertForged(u8),
    /// `entry(…).or_insert(…)`.
    Entry(u8),
    /// Removes a value.
    Remove(u8),
    /// Mutates all values, in a join with the pool.
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
}

impl SideOp {
    /// Every code is an operation.
    #[must_use]
    pub fn decode(code: [u8; 2]) -> Self {
        let [kind, pick] = code;
        match kind % 32 {
            0..=4 => Self::Spawn,
            5..=8 => Self::Kill(pick),
            9 => Self::Revive(pick),
            10 => Self::Reserve,
            11 => Self::KillAll,
            12 => Self::Recycle,
            13 => Self::Rollback,
            14 => Self::Checkpoint,
            15..=19 => Self::Insert(pick),
            20 => Self::InsertForged(pick),
            21 => Self::Entry(pick),
            22..=24 => Self::Remove(pick),
            25 => Self::ChangeJoined,
            26 => Self::RetainLive,
            27 => Self::RetainOdd,
            28 => [Self::Clear, Self::Drain][usize::from(pick % 2)],
            29 => Self::Clone,
            30 => Self::CloneFrom,
            _ => Self::Shrink,
        }
    }
}

/// A pool, a map of it, and the expected content of the map.
struct Side<L: Tags> {
    pool: Pool<Tracked, Handle<Tracked, L>>,
    kept: Pool<Tracked, Handle<Tracked, L>>,
    map: SideMap<Handle<Tracked, L>, Tracked>,
    right: BTreeMap<Handle<Tracked, L>, u32>,
    issued: Vec<Handle<Tracked, L>>,
    /// The handle for which each id was inserted.
    given: BTreeMap<u32, Handle<Tracked, L>>,
    next_id: u32,
}

/// Runs a history.
///
/// # Errors
///
/// The fault, and its operation.
pub fn run<L: Tags>(ops: &[SideOp]) -> Result<(), String> {
    ledger::reset();
    let mut side = Side::<L>::new();
    for (step, &op) in ops.iter().enumerate() {
        side.apply(op).and_then(|()| side.check()).map_err(|error| format!("step {step}, {op:?}: {error}"))?;
    }
    drop(side);
    ledger::expect(0)
}

/// Runs a history, saving and loading pool and map after every step: the results must be the same.
///
/// # Errors
///
/// The fault, and its operation.
pub fn run_reloaded<L: Tags>(ops: &[SideOp], format: Format) -> Result<(), String> {
    ledger::reset();
    let mut side = Side::<L>::new();
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
pub fn every_panic<L: Tags>(setup: &[SideOp], op: SideOp) -> Result<u32, String> {
    for call in 0.. {
        ledger::reset();
        let mut side = Side::<L>::new();
        setup.iter().try_for_each(|&op| side.apply(op))?;
        fuse::arm(call);
        let result = quiet::catch(|| side.apply(op));
        if !fuse::disarm() {
            return result?.map(|()| call);
        }
        side.is_sound().map_err(|error| format!("{op:?} with a panic at call {call}: {error}"))?;
    }
    unreachable!("an operation makes a finite number of calls")
}

/// Runs `setup`; then an insertion is refused memory, and must return its value. Returns `true` if
/// memory was requested.
///
/// # Errors
///
/// A description of the fault.
pub fn refused_insert<L: Tags>(setup: &[SideOp]) -> Result<bool, String> {
    let mut side = Side::<L>::new();
    setup.iter().try_for_each(|&op| side.apply(op))?;
    let Some(&name) = side.issued.iter().rev().find(|&&name| side.pool.contains(name)) else { return Ok(false) };
    let value = Tracked::new(77);
    let result = alloc::refuse_all(|| side.map.insert(&side.pool, name, value));
    let refused = match result {
        Err(back) if back.reason() != Rejection::Full => return Err(format!("{back:?}")),
        Err(back) => back.into_inner().id() == 77,
        Ok(_) => {
            side.set_right(name, 77);
            side.given.insert(77, name);
            false
        }
    };
    side.check().map(|()| refused)
}

impl<L: Tags> Side<L> {
    fn new() -> Self {
        let (pool, kept) = (L::pool(), L::pool());
        Self {
            pool,
            kept,
            map: SideMap::default(),
            right: BTreeMap::new(),
            issued: Vec::new(),
            given: BTreeMap::new(),
            next_id: 0,
        }
    }

    fn reload(&mut self, format: Format) -> Result<(), String> {
        self.pool = saved::reload(&self.pool, format)?;
        self.map = saved::reload(&self.map, format)?;
        Ok(())
    }

    fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    fn pick(&self, number: u8) -> Handle<Tracked, L> {
        let count = self.issued.len().max(1);
        self.issued.get(usize::from(number) % count).copied().unwrap_or_default()
    }

    /// A handle that was possibly never issued.
    fn near(&self, handle: Handle<Tracked, L>) -> Handle<Tracked, L> {
        forge::moved(&Shape::of::<L>(), handle.into(), 3, 2).handle()
    }

    fn apply(&mut self, op: SideOp) -> Result<(), String> {
        match op {
            SideOp::Spawn => self.spawn(),
            SideOp::Kill(pick) => drop(self.pool.remove(self.pick(pick))),
            SideOp::Revive(pick) => drop(self.pool.insert_at(self.pick(pick), Tracked::new(0))),
            SideOp::Reserve => self.issued.extend(self.pool.try_reserve_handle()),
            SideOp::KillAll => self.pool.clear(),
            SideOp::Recycle => drop(self.pool.recycle_retired()),
            SideOp::Rollback => self.pool.clone_from(&self.kept),
            SideOp::Checkpoint => self.kept.clone_from(&self.pool),
            SideOp::Insert(pick) => return self.insert(self.pick(pick)),
            SideOp::InsertForged(pick) => return self.insert(self.near(self.pick(pick))),
            SideOp::Entry(pick) => return self.entry(self.pick(pick)),
            SideOp::Remove(pick) => return self.remove(self.pick(pick)),
            SideOp::ChangeJoined => self.change_joined(),
            _ => self.apply_to_all(op),
        }
        Ok(())
    }

    fn apply_to_all(&mut self, op: SideOp) {
        match op {
            SideOp::RetainLive => {
                self.right.retain(|&name, _| self.pool.contains(name));
                let dropped = self.map.len() - self.right.len();
                assert_eq!(self.map.retain_live(&self.pool), dropped, "the count of `retain_live` is wrong");
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
            _ => self.map.shrink_to_fit(),
        }
    }

    fn spawn(&mut self) {
        let id = self.new_id();
        self.issued.extend(self.pool.try_insert(Tracked::new(id)));
    }

    /// The value of a new tenant replaces that of an older one.
    fn set_right(&mut self, name: Handle<Tracked, L>, id: u32) -> Option<u32> {
        let before = self.right.get(&name).copied();
        self.right.retain(|other, _| other.index() != name.index());
        self.right.insert(name, id);
        before
    }

    fn insert(&mut self, name: Handle<Tracked, L>) -> Result<(), String> {
        let id = self.new_id();
        self.given.insert(id, name);
        match self.map.insert(&self.pool, name, Tracked::new(id)) {
            Ok(older) if self.pool.contains(name) => {
                let (got, right) = (older.map(|value| value.id()), self.set_right(name, id));
                if got == right { Ok(()) } else { Err(format!("{got:?} was replaced, expected {right:?}")) }
            }
            Ok(_) => Err(format!("{name} was accepted, and is not live")),
            Err(_) if self.pool.contains(name) => Err(format!("{name} was rejected, and is live")),
            Err(back) => self.check_refusal(name, back.reason(), &back.into_inner(), id),
        }
    }

    fn check_refusal(
        &self,
        name: Handle<Tracked, L>,
        reason: Rejection,
        back: &Tracked,
        id: u32,
    ) -> Result<(), String> {
        let right = match self.pool.status(name) {
            Status::Nil => Rejection::Nil,
            Status::Foreign => Rejection::Foreign,
            Status::NeverIssued => Rejection::NeverIssued,
            Status::Pending => Rejection::Pending,
            _ => Rejection::Stale,
        };
        if (reason, back.id()) == (right, id) { Ok(()) } else { Err(format!("{reason:?} instead of {right:?}")) }
    }

    fn entry(&mut self, name: Handle<Tracked, L>) -> Result<(), String> {
        let id = self.new_id();
        self.given.insert(id, name);
        let Ok(entry) = self.map.entry(&self.pool, name) else {
            return if self.pool.contains(name) { Err(format!("{name} has no entry")) } else { Ok(()) };
        };
        let got = entry.or_insert_with(|| Tracked::new(id)).id();
        let right = self.right.get(&name).copied().unwrap_or(id);
        self.set_right(name, right);
        if got == right { Ok(()) } else { Err(format!("the entry holds {got}, expected {right}")) }
    }

    fn remove(&mut self, name: Handle<Tracked, L>) -> Result<(), String> {
        let (got, right) = (self.map.remove(name).map(|value| value.id()), self.right.remove(&name));
        if got == right { Ok(()) } else { Err(format!("{got:?} was removed, expected {right:?}")) }
    }

    fn change_joined(&mut self) {
        for (name, (_, value)) in join((&mut self.pool, &mut self.map)) {
            self.right.insert(name, value.change());
        }
    }

    fn check(&self) -> Result<(), String> {
        let listing: Vec<_> = self.map.iter().map(|(name, value)| (name, value.id())).collect();
        let right: Vec<_> = self.right.iter().map(|(&name, &id)| (name, id)).collect();
        if listing != right {
            return Err(format!("the map has {listing:?}, expected {right:?}"));
        }
        self.check_joins()?;
        self.is_sound()
    }

    /// Checks joins with and without optional values.
    fn check_joins(&self) -> Result<(), String> {
        let id = |name: Handle<Tracked, L>| self.right.get(&name).copied();
        let both = join((&self.pool, &self.map)).map(|(name, (_, value))| (name, Some(value.id())));
        if !both.eq(self.pool.handles().map(|name| (name, id(name))).filter(|(_, id)| id.is_some())) {
            return Err("a join does not yield exactly the common handles".into());
        }
        let all = join((&self.pool, Maybe(&self.map))).map(|(name, (_, value))| (name, value.map(Tracked::id)));
        if !all.eq(self.pool.handles().map(|name| (name, id(name)))) {
            return Err("a join with optional values does not yield exactly the pool's handles".into());
        }
        Ok(())
    }

    /// Checks that the map is valid, bounded by the pool, and has every value under the handle it
    /// was inserted for.
    fn is_sound(&self) -> Result<(), String> {
        self.map.validate().map_err(|fault| format!("broken inside: {fault}"))?;
        for (name, value) in &self.map {
            let id = value.id().min(changed(value.id()));
            if self.given.get(&id) != Some(&name) {
                return Err(format!("{name} resolves to {id}, which was inserted for another handle"));
            }
        }
        ledger::expect(self.map.len() + self.pool.len() + self.kept.len())
    }
}
