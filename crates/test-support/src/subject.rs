//! What a container must be able to do to be tested: answer.

use tenure::{Handle, Layout};

use crate::action::Action;
use crate::answer::{Answer, Census, Sight};
use crate::saved::Format;
use crate::tracked::Tracked;

/// A handle to a [`Tracked`] value.
pub type Name<L> = Handle<Tracked, L>;

/// Handles and ids of values.
pub type Listing<L> = Vec<(Name<L>, u32)>;

/// A container under test. An adapter is a few lines: see [`PoolSubject`](crate::PoolSubject).
///
/// What a container cannot do it answers with [`Answer::Unsupported`], and says so in
/// [`SUPPORTS`](Self::SUPPORTS).
pub trait Subject: Sized {
    /// Of its handles.
    type Layout: Layout;

    /// What it cannot do is skipped. Whatever is supported and answered with `Unsupported` is a
    /// fault.
    const SUPPORTS: Supports = Supports::ALL;

    /// The tag of its handles.
    const TAG: u32 = 0;

    /// How many slots it can ever have, if the layout has more.
    const LIMIT: usize = usize::MAX;

    /// An empty container.
    fn new() -> Self;

    /// Does something and says what came of it. May panic where the container does.
    fn apply(&mut self, action: &Action<Self::Layout>) -> Answer<Self::Layout>;

    /// Everything that can be learnt about a handle through `&self`. Allocates nothing.
    fn see(&self, name: Name<Self::Layout>) -> Sight;

    /// Handles and ids of all values, in the order of a walk.
    fn listing(&self) -> Listing<Self::Layout>;

    /// Counts.
    fn census(&self) -> Census;

    /// Checks all internal invariants.
    ///
    /// # Errors
    ///
    /// What is broken.
    fn validate(&self) -> Result<(), String>;

    /// `clone`.
    fn duplicate(&self) -> Option<Self> {
        None
    }

    /// `clone_from`. `false` if unsupported.
    fn overwrite(&mut self, _original: &Self) -> bool {
        false
    }

    /// What is loaded from what is saved.
    fn reload(&self, _format: Format) -> Option<Result<Self, String>> {
        None
    }

    /// `==`.
    fn equals(&self, _other: &Self) -> Option<bool> {
        None
    }

    /// Where the value of a live handle lies, if it must stay there.
    fn address(&self, _name: Name<Self::Layout>) -> Option<usize> {
        None
    }
}

/// What a container can do beyond the core.
#[derive(Clone, Copy, Debug)]
pub struct Supports {
    /// `reserve`, `try_reserve`, `shrink_to_fit`.
    pub growth: bool,
    /// `clone`, `clone_from`, `==`.
    pub copies: bool,
    /// `shrink_to_fit` cuts off every free slot at the end that has generations enough left.
    pub cuts_tail: bool,
    /// Copies, `map_values` and `borrow_many` ask for memory.
    pub heap: bool,
    /// Values are in rows: walks go by row, the last row fills the gap of one that is removed, and
    /// rows can change places.
    pub rows: bool,
    /// Values are in one piece: `[]`, `handle_of`, `borrow_many`, `map_values`, and `{:?}` as a
    /// map.
    pub whole: bool,
}

impl Supports {
    /// What `Pool` can do.
    pub const ALL: Self = Self { growth: true, copies: true, cuts_tail: true, heap: true, rows: false, whole: true };

    /// What `DensePool` can do.
    pub const ROWS: Self = Self { rows: true, ..Self::ALL };
}
