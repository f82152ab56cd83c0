//! Containers with a planted bug: the rig must reject each of them.
//!
//! A mutant is a real pool behind a faulty adapter. Most bugs are those of shipped libraries.

mod rows;

use std::cell::Cell;
use std::hint::black_box;

pub use self::rows::{ROW_MUTANT, RowMutant};

use tenure::{Rejection, Status};

use crate::action::{Action, Ending, Iterate, Many, Out, Put, Room};
use crate::answer::{Answer, Census, Sight};
use crate::name::Name;
use crate::path::Path;
use crate::pool::{FourTenants, PoolSubject};
use crate::rig::Rig;
use crate::subject::{Adapter, Listing};
use crate::{Tracked, quiet};

macro_rules! bugs {
    ($(#[$doc:meta] $Bug:ident,)*) => {
        /// The bug of a mutant.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Bug {
            /// None: the rig must accept this one.
            #[default]
            None,
            $(#[$doc] $Bug,)*
        }

        impl Bug {
            /// Every planted bug.
            pub const ALL: &'static [Self] = &[$(Self::$Bug,)*];
        }
    };
}

bugs! {
    /// `clear` resets all generations.
    ClearRestarts,
    /// A slot whose generations are used up restarts with generation 1.
    GenerationsWrap,
    /// `drain` recycles retired slots.
    DrainRevives,
    /// `shrink_to_fit` forgets the generations of the slots that it truncates.
    ShrinkForgets,
    /// The next tenant gets the handle of the last one.
    HandleComesBack,
    /// Lookups do not compare generations.
    StaleReads,
    /// A free slot is in the free list twice, so that a live value is overwritten.
    DoubleListed,
    /// `take` frees the slot.
    TakeFrees,
    /// `insert_at` reports success for a handle that it rejected.
    AcceptsStale,
    /// `status` confuses `Removed` with `NeverIssued`.
    WrongReason,
    /// An `insert_many` that is dropped early forgets the remaining values.
    ManyForgetsRest,
    /// A removed value is not dropped.
    Leaks,
    /// A removed value is dropped twice.
    DropsTwice,
    /// A forgotten `drain` forgets the values, too.
    ForgottenDrainLeaks,
    /// `fold` misses the last value.
    FoldSkips,
    /// Iteration is in reverse order.
    WalksBackwards,
    /// `==` compares only lengths.
    ComparesLengths,
    /// The choice of the next slot depends on the capacity.
    OrderByCapacity,
    /// A clone loses the pending handles.
    CloneForgetsPending,
    /// `clone_from` uses free slots in another order than its original.
    CloneFromReorders,
    /// `retain` leaves a wrong `len` when the closure panics.
    RetainMiscounts,
    /// `clear` stops when a destructor panics.
    ClearStops,
    /// A panic in user code is swallowed.
    SwallowsPanics,
    /// `try_insert` loses the value when there is no memory.
    LosesValue,
    /// `remove` loses the slot when there is no memory to put it into the free list.
    RemoveNeedsMemory,
    /// Lookups allocate.
    LookUpAllocates,
    /// A rejected `insert_at` allocates.
    RefusalAllocates,
    /// Values move when another one is inserted.
    Moves,
    /// Two values have the same address.
    Overlaps,
    /// Every move is reported with an old position that is too high by one.
    MoveFromNextRow,
    /// The first move is reported with a new position that is too high by one.
    MoveToNextRow,
    /// The last move is not reported.
    MoveIsMissing,
    /// A row that stayed is reported as moved.
    MoveOfWhoStays,
    /// `remove` keeps the order of the rows.
    RemovalShifts,
    /// `remove_ordered` lets the last row fill the gap.
    OrderedRemovalSwaps,
    /// `retain` lets the last row fill every gap.
    RetainSwaps,
    /// `retain` removes rows before it has called the closure for all of them.
    RetainIsHasty,
    /// `insert_at` of a live handle moves its row to the end.
    ReplacedGoesLast,
    /// A sort leaves two rows with each other's handles.
    SortForgetsNames,
    /// A stable sort is not stable.
    EqualRowsChangePlaces,
    /// An invalid order moves rows.
    RefusedOrderMoves,
    /// A clone has its rows in another order.
    CloneReorders,
    /// A `clone_from` that panics leaves a row.
    HalfACloneStays,
    /// `==` does not compare the order of rows.
    EqualInAnyOrder,
}

thread_local! {
    static BUG: Cell<Bug> = const { Cell::new(Bug::None) };
}

/// Runs `what` with [`MUTANT`] having this bug.
pub fn with<R>(bug: Bug, what: impl FnOnce() -> R) -> R {
    BUG.set(bug);
    let result = what();
    BUG.set(Bug::None);
    result
}

/// The container whose bug is chosen by [`with`]. It is one type for all bugs, so that the rig is
/// compiled once for them.
pub static MUTANT: Rig = Rig::of::<Mutant>("a mutant");

/// A pool with the [`Bug`] that was set when it was made.
#[derive(Debug)]
pub struct Mutant {
    inner: PoolSubject<FourTenants>,
    bug: Bug,
    /// Removed handles, newest last.
    removed: Vec<Handle>,
    pending: Vec<Handle>,
    /// The error of the reported counts.
    lie: usize,
}

type Pool = tenure::Pool<Tracked, Handle>;
type Handle = tenure::Handle<Tracked, FourTenants>;

impl Mutant {
    fn pool(&mut self) -> &mut Pool {
        &mut self.inner.0
    }

    /// Makes the slot that was freed first the next one to be used. Changes nothing else.
    fn reorder(&mut self) {
        let oldest = self.removed.iter().copied().find(|&name| self.inner.0.status(name) == Status::Removed);
        if let Some(name) = oldest {
            if self.inner.0.insert_at(name, Tracked::new(0)).is_ok() {
                self.inner.0.remove(name);
            }
        }
    }

    fn remember(&mut self, action: &Action, answer: &Answer) {
        match (action, answer) {
            (Action::Out(Out::Remove(name)), Answer::Value(Some(_))) => self.removed.push(name.handle()),
            (Action::Put(Put::ReserveHandle), Answer::Issued(name)) => self.pending.push(name.handle()),
            _ => {}
        }
    }

    fn remove(&mut self, name: Handle) -> Answer {
        let bug = self.bug;
        if bug == Bug::RemoveNeedsMemory && Vec::<u64>::new().try_reserve(black_box(16)).is_err() {
            self.lie = 1;
            return Answer::Value(self.pool().take(name).as_ref().map(Tracked::id));
        }
        let value = self.pool().remove(name);
        let id = value.as_ref().map(Tracked::id);
        match (bug, value) {
            (Bug::Leaks, value) => std::mem::forget(value),
            (Bug::DropsTwice, Some(value)) => value.drop_twice(),
            (Bug::GenerationsWrap, _) => _ = self.pool().recycle_retired(),
            _ => {}
        }
        Answer::Value(id)
    }

    fn insert(&mut self, id: u32) -> Option<Answer> {
        let wanted = match self.bug {
            Bug::HandleComesBack => self.removed.pop(),
            Bug::DoubleListed if id % 5 == 0 => self.pool().handle_at(0),
            Bug::OrderByCapacity if self.inner.0.capacity() > 64 => {
                self.reorder();
                None
            }
            _ => None,
        }?;
        self.pool().insert_at(wanted, Tracked::new(id)).ok().map(|_| Answer::Issued(wanted.into()))
    }

    fn clear(&mut self) {
        match self.bug {
            Bug::ClearRestarts => self.inner = PoolSubject::new(),
            Bug::ClearStops => {
                while let Some(name) = self.pool().handles().next() {
                    self.pool().remove(name);
                }
            }
            _ => {}
        }
        self.pool().clear();
    }

    /// The answer of a mutant that does the wrong thing.
    fn instead(&mut self, action: &Action) -> Option<Answer> {
        match (self.bug, action) {
            (_, Action::Put(Put::Insert(id))) => self.insert(*id),
            (_, Action::Out(Out::Remove(name))) => Some(self.remove(name.handle())),
            (_, Action::Out(Out::Clear)) => {
                self.clear();
                Some(Answer::Done(true))
            }
            (Bug::TakeFrees, Action::Out(Out::Take(name))) => {
                Some(Answer::Value(self.pool().remove(name.handle()).as_ref().map(Tracked::id)))
            }
            (Bug::ShrinkForgets, Action::Room(Room::Shrink)) if self.pool().is_empty() => {
                self.inner = PoolSubject::new();
                Some(Answer::Done(true))
            }
            (Bug::ManyForgetsRest, Action::Put(Put::Many(ids, Many::DropAfter(count)))) => {
                let some = ids[..*count.min(&ids.len())].to_vec();
                Some(self.inner.apply(&Action::Put(Put::Many(some, Many::Collect))))
            }
            (Bug::RetainMiscounts, Action::Out(Out::Retain(_))) => {
                self.lie = 1;
                let answer = self.inner.apply(action);
                self.lie = 0;
                Some(answer)
            }
            (Bug::SwallowsPanics, _) => Some(quiet::catch(|| self.inner.apply(action)).unwrap_or(Answer::Done(true))),
            _ => None,
        }
    }

    /// The answer of a mutant that reports something else than it did, or does more than it should.
    fn spoil(&mut self, action: &Action, answer: Answer) -> Answer {
        match (self.bug, action, answer) {
            (Bug::LosesValue, _, Answer::Full(_)) => Answer::Full(0),
            (Bug::AcceptsStale, Action::Put(Put::InsertAt(..)), Answer::Rejected(Rejection::Stale, _)) => {
                Answer::Placed(None)
            }
            (Bug::RefusalAllocates, _, answer @ Answer::Rejected(..)) => {
                drop(black_box(Box::new(0_u64)));
                answer
            }
            (Bug::FoldSkips, Action::Iterate(Iterate::Values, Path::Fold { .. }), Answer::Items(mut items)) => {
                items.pop();
                Answer::Items(items)
            }
            (Bug::DrainRevives, Action::Out(Out::Drain(..)), answer) => {
                self.pool().recycle_retired();
                answer
            }
            (Bug::ForgottenDrainLeaks, Action::Out(Out::Drain(Path::Part { .. }, Ending::Forget)), answer) => {
                // The values own no memory, so only the ledger notices the leak.
                self.pool().drain().for_each(std::mem::forget);
                answer
            }
            (_, _, answer) => answer,
        }
    }
}

impl Adapter for Mutant {
    type Layout = FourTenants;

    fn new() -> Self {
        Self { inner: PoolSubject::new(), bug: BUG.get(), removed: Vec::new(), pending: Vec::new(), lie: 0 }
    }

    fn apply(&mut self, action: &Action) -> Answer {
        let answer = match self.instead(action) {
            Some(answer) => answer,
            None => self.inner.apply(action),
        };
        crate::alloc::pause(|| self.remember(action, &answer));
        self.spoil(action, answer)
    }

    fn see(&self, name: Name) -> Sight {
        let mut seen = self.inner.see(name);
        match self.bug {
            Bug::LookUpAllocates => drop(black_box(Box::new(0_u64))),
            Bug::WrongReason if seen.status == Status::NeverIssued => seen.status = Status::Removed,
            Bug::StaleReads => {
                if let Some(newer) = self.inner.0.handle_at(name.index()) {
                    seen = self.inner.see(newer.into());
                }
            }
            _ => {}
        }
        seen
    }

    fn listing(&self) -> Listing {
        let mut listing = self.inner.listing();
        if self.bug == Bug::WalksBackwards {
            listing.reverse();
        }
        listing
    }

    fn census(&self) -> Census {
        let mut census = self.inner.census();
        match self.bug {
            Bug::RetainMiscounts => census.len += self.lie,
            Bug::RemoveNeedsMemory => {
                census.vacant += self.lie;
                census.pending -= self.lie;
            }
            _ => {}
        }
        census
    }

    fn validate(&mut self) -> Result<(), String> {
        self.inner.validate()
    }

    /// False addresses: a pool may move its values.
    fn address(&self, name: Name) -> Option<usize> {
        match self.bug {
            Bug::Moves => Some(name.index() as usize + self.inner.0.len()),
            Bug::Overlaps => Some(name.index() as usize / 2),
            _ => Some(name.index() as usize),
        }
    }

    fn duplicate(&self) -> Option<Self> {
        let mut inner = self.inner.duplicate()?;
        if self.bug == Bug::CloneForgetsPending {
            for &name in &self.pending {
                if inner.0.status(name) == Status::Pending {
                    inner.0.remove(name);
                }
            }
        }
        Some(Self { inner, removed: self.removed.clone(), pending: self.pending.clone(), ..*self })
    }

    fn overwrite(&mut self, original: &Self) -> bool {
        self.removed.clone_from(&original.removed);
        self.pending.clone_from(&original.pending);
        self.inner.overwrite(&original.inner);
        if self.bug == Bug::CloneFromReorders {
            self.reorder();
        }
        true
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        if self.bug == Bug::ComparesLengths {
            return Some(self.inner.0.len() == other.inner.0.len());
        }
        self.inner.equals(&other.inner)
    }
}
