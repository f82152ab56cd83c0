//! The creatures.

use super::referee::Serial;

/// The side of the square field.
pub(crate) const FIELD: i32 = 1_000;

/// The kind of a creature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Carries jars, and is a target.
    Goblin,
    /// Is never a target.
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

/// A position on the field, or a step. Integers, so that every platform fights the same battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// The horizontal coordinate.
    pub(crate) x: i32,
    /// The vertical coordinate.
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
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its position.
    pub(crate) at: Point,
    /// The step to its position in the next frame.
    pub(crate) pace: Point,
    /// The position of its name in the list of its kind.
    pub(crate) place: usize,
}

impl Creature {
    /// Moves one step, and turns at the edges of the field.
    pub(crate) fn advance(&mut self) {
        (self.at.x, self.pace.x) = bounce(self.at.x, self.pace.x);
        (self.at.y, self.pace.y) = bounce(self.at.y, self.pace.y);
    }
}

fn bounce(at: i32, pace: i32) -> (i32, i32) {
    let next = at + pace;
    if (0..=FIELD).contains(&next) { (next, pace) } else { (at, -pace) }
}
