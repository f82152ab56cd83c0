//! Who takes part.

use super::referee::Serial;

/// The side of the square field.
pub(crate) const FIELD: i32 = 1_000;

/// What a creature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Carries jars, and is fired at.
    Goblin,
    /// Is not fired at, ever.
    Chicken,
}

impl Kind {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Goblin => "goblin",
            Self::Chicken => "chicken",
        }
    }
}

/// A place on the field, or a step. Whole numbers, so that every platform fights the same battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: i32,
    /// Upwards.
    pub(crate) y: i32,
}

impl Point {
    /// One step of at most `speed` towards a goal.
    pub(crate) fn toward(self, goal: Self, speed: i32) -> Self {
        let step = |from: i32, to: i32| from + (to - from).clamp(-speed, speed);
        Self { x: step(self.x, goal.x), y: step(self.y, goal.y) }
    }
}

/// A goblin or a chicken.
#[derive(Clone, Debug)]
pub(crate) struct Creature {
    /// For the referee only.
    pub(crate) serial: Serial,
    /// What it is.
    pub(crate) kind: Kind,
    /// Where it is.
    pub(crate) at: Point,
    /// Where it will be in the next frame, seen from here.
    pub(crate) pace: Point,
    /// Where its name stands in the list of its kind.
    pub(crate) place: usize,
}

impl Creature {
    /// Walks on, and turns at the edges of the field.
    pub(crate) fn walk(&mut self) {
        (self.at.x, self.pace.x) = bounce(self.at.x, self.pace.x);
        (self.at.y, self.pace.y) = bounce(self.at.y, self.pace.y);
    }
}

fn bounce(at: i32, pace: i32) -> (i32, i32) {
    let next = at + pace;
    if (0..=FIELD).contains(&next) { (next, pace) } else { (at, -pace) }
}
