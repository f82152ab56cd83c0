//! The interface of a container under test.

use std::any::Any;
use std::fmt::Debug;

use tenure::Layout;

use crate::action::{Action, Look, Make, Room};
use crate::alloc;
use crate::answer::{Answer, Census, Sight};
use crate::name::Name;
use crate::saved::Format;

/// Handles and ids of values.
pub type Listing = Vec<(Name, u32)>;

/// Implemented for a container under test. An adapter is a few lines: see
/// [`PoolSubject`](crate::PoolSubject).
///
/// An operation that the container does not have returns [`Answer::Unsupported`], and is declared
/// in [`SUPPORTS`](Self::SUPPORTS).
pub trait Adapter: Debug + Sized + 'static {
    /// The layout of its handles.
    type Layout: Layout;

    /// Operations that are not supported are skipped. A supported one that returns `Unsupported` is
    /// a fault.
    const SUPPORTS: Supports = Supports::ALL;

    /// The tag of its handles.
    const TAG: u32 = 0;

    /// The highest number of slots, if it is lower than the layout's.
    const LIMIT: usize = usize::MAX;

    /// An empty container.
    fn new() -> Self;

    /// Runs an action and returns its result. Panics where the container does.
    fn apply(&mut self, action: &Action) -> Answer;

    /// Everything that methods with `&self` report about a handle. Allocates nothing.
    fn see(&self, name: Name) -> Sight;

    /// Handles and ids of all values, in the order of iteration.
    fn listing(&self) -> Listing;

    /// Counts.
    fn census(&self) -> Census;

    /// Checks all internal invariants.
    ///
    /// # Errors
    ///
    /// The invariant that is violated.
    fn validate(&mut self) -> Result<(), String>;

    /// `clone`.
    fn duplicate(&self) -> Option<Self> {
        None
    }

    /// `clone_from`. `false` if unsupported.
    fn overwrite(&mut self, _original: &Self) -> bool {
        false
    }

    /// Saves and loads the container.
    fn reload(&self, _format: Format) -> Option<Result<Self, String>> {
        None
    }

    /// `==`.
    fn equals(&self, _other: &Self) -> Option<bool> {
        None
    }

    /// The address of the value of a live handle, if it must not change.
    fn address(&self, _name: Name) -> Option<usize> {
        None
    }
}

/// A container under test, of any type: the driver is compiled once for all of them. Implemented
/// through [`Adapter`].
///
/// Where another container is passed, it must be of the same type.
#[allow(missing_docs, clippy::missing_errors_doc, reason = "the methods are those of `Adapter`")]
pub trait Subject: Debug {
    fn apply(&mut self, action: &Action) -> Answer;
    fn see(&self, name: Name) -> Sight;
    fn listing(&self) -> Listing;
    fn census(&self) -> Census;
    fn validate(&mut self) -> Result<(), String>;
    fn duplicate(&self) -> Option<Box<dyn Subject>>;
    fn overwrite(&mut self, original: &dyn Subject) -> bool;
    fn reload(&self, format: Format) -> Option<Result<Box<dyn Subject>, String>>;
    fn equals(&self, other: &dyn Subject) -> Option<bool>;
    fn address(&self, name: Name) -> Option<usize>;

    /// Swaps the two containers in memory.
    fn exchange(&mut self, other: &mut dyn Subject);

    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// The box belongs to the rig: its memory is neither counted nor refused.
pub(crate) fn boxed<A: Adapter>(adapter: A) -> Box<dyn Subject> {
    alloc::pause(|| Box::new(adapter))
}

impl<A: Adapter> Subject for A {
    fn apply(&mut self, action: &Action) -> Answer {
        Adapter::apply(self, action)
    }

    fn see(&self, name: Name) -> Sight {
        Adapter::see(self, name)
    }

    fn listing(&self) -> Listing {
        Adapter::listing(self)
    }

    fn census(&self) -> Census {
        Adapter::census(self)
    }

    fn validate(&mut self) -> Result<(), String> {
        Adapter::validate(self)
    }

    fn duplicate(&self) -> Option<Box<dyn Subject>> {
        Adapter::duplicate(self).map(boxed)
    }

    fn overwrite(&mut self, original: &dyn Subject) -> bool {
        original.as_any().downcast_ref().is_some_and(|original| Adapter::overwrite(self, original))
    }

    fn reload(&self, format: Format) -> Option<Result<Box<dyn Subject>, String>> {
        Adapter::reload(self, format).map(|loaded| loaded.map(boxed))
    }

    fn equals(&self, other: &dyn Subject) -> Option<bool> {
        Adapter::equals(self, other.as_any().downcast_ref()?)
    }

    fn address(&self, name: Name) -> Option<usize> {
        Adapter::address(self, name)
    }

    fn exchange(&mut self, other: &mut dyn Subject) {
        if let Some(other) = other.as_any_mut().downcast_mut() {
            std::mem::swap(self, other);
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Optional operations and properties of a container.
#[derive(Clone, Copy, Debug)]
pub struct Supports {
    /// `reserve`, `try_reserve`, `shrink_to_fit`.
    pub growth: bool,
    /// `clone`, `clone_from`.
    pub copies: bool,
    /// `==`.
    pub equality: bool,
    /// `shrink_to_fit` truncates all free slots at the end that have enough generations left.
    pub cuts_tail: bool,
    /// Any action may truncate free slots at the end, if a new slot would continue with the same
    /// generation.
    pub trims: bool,
    /// Copies, `map_values` and `borrow_many` allocate.
    pub heap: bool,
    /// Values are in rows: iteration is by row, the last row fills the gap of a removed one, and
    /// rows can be reordered.
    pub rows: bool,
    /// Values are stored as a whole: `[]`, `handle_of`, `borrow_many`, `map_values`, and `{:?}` as
    /// a map.
    pub whole: bool,
    /// A drain is not double-ended.
    pub one_way: bool,
    /// Insertions within the capacity do not allocate.
    pub reserves: bool,
    /// `clear` and `drain` continue when a destructor panics. Otherwise the next call removes the
    /// rest.
    pub finishes: bool,
    /// `remove` and `clear` may request memory, and continue without it where it is refused.
    pub removal_asks: bool,
    /// Returns `true` for each other action that the container does not have.
    pub lacks: fn(&Action) -> bool,
}

impl Supports {
    /// The operations of `Pool`.
    pub const ALL: Self = Self {
        growth: true,
        copies: true,
        equality: true,
        cuts_tail: true,
        trims: false,
        heap: true,
        rows: false,
        whole: true,
        one_way: false,
        reserves: true,
        finishes: true,
        removal_asks: false,
        lacks: |_| false,
    };

    /// The operations of `DensePool`.
    pub const ROWS: Self = Self { rows: true, one_way: true, ..Self::ALL };

    /// Returns `true` if the container has the action.
    #[must_use]
    pub fn has(&self, action: &Action) -> bool {
        let is_known = match action {
            Action::Room(Room::WarmUp) if self.rows => false,
            Action::Room(room) => self.growth || !room.is_growth(),
            Action::Rows(_) => self.rows,
            Action::Look(Look::Index(_) | Look::Change(_) | Look::Loans(_) | Look::HandleOf(_) | Look::Print)
            | Action::Make(Make::Map) => self.whole,
            _ => true,
        };
        is_known && !(self.lacks)(action)
    }
}
