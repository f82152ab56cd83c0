//! The path of a handle in a value: `Goblin.friends[3]`.

use core::fmt;

/// The path of a handle in a value. Prints as `Goblin.friends[3]`, `Quest.targets["boss"]` or
/// `Goblin.goal::Attack.target`.
///
/// A path is a linked list on the stack, one step per call: nothing is allocated unless it is
/// printed.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    before: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// The name of the whole value.
    Whole(&'a str),
    Field(&'a str),
    Variant(&'a str),
    Index(usize),
    Key(&'a dyn fmt::Debug),
}

impl<'a> Path<'a> {
    pub(super) fn whole(name: &'a str) -> Self {
        Self { before: None, step: Step::Whole(name) }
    }

    pub(super) fn then<'b>(&'b self, step: Step<'b>) -> Path<'b> {
        Path { before: Some(self), step }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(before) = self.before {
            before.fmt(f)?;
        }
        match self.step {
            Step::Whole(name) => f.write_str(name),
            Step::Field(name) => write!(f, ".{name}"),
            Step::Variant(name) => write!(f, "::{name}"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) => write!(f, "[{key:?}]"),
        }
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
