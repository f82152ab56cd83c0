//! The whole problem in four steps: one jar, one goblin, one chicken.

use tenure::HandleError;

use super::creature::{Creature, Kind, Point};
use super::referee::Referee;
use super::roster::Roster;

/// What one way of naming makes of the jar.
#[derive(Debug)]
pub(crate) struct OneJar {
    /// What the jar noted: the name of its carrier.
    pub(crate) noted: String,
    /// The name of the one who was born into the goblin's slot.
    pub(crate) newcomer: String,
    /// Who carries the jar in the end, if anybody does.
    pub(crate) carrier: Option<Kind>,
    /// Why nobody does.
    pub(crate) why: Option<HandleError>,
}

impl OneJar {
    /// A goblin picks up a jar and dies, a chicken is born: who carries the jar?
    pub(crate) fn play<R: Roster>() -> Self {
        let mut roster = R::default();
        let mut referee = Referee::default();
        let carrier = roster.admit(newborn(&mut referee, Kind::Goblin));
        roster.dismiss(carrier);
        let newcomer = roster.admit(newborn(&mut referee, Kind::Chicken));
        Self {
            noted: carrier.to_string(),
            newcomer: newcomer.to_string(),
            carrier: roster.find(carrier).map(|creature| creature.kind),
            why: roster.why(carrier),
        }
    }
}

fn newborn(referee: &mut Referee, kind: Kind) -> Creature {
    let nowhere = Point { x: 0, y: 0 };
    Creature { serial: referee.next_serial(), kind, at: nowhere, pace: nowhere, place: 0 }
}
