//! The whole problem in four steps: one jar, one goblin, one chicken.

use tenure::HandleError;

use super::creature::{Creature, Kind, Point};
use super::referee::Referee;
use super::roster::Roster;

/// The jar, with one kind of names.
#[derive(Debug)]
pub(crate) struct OneJar {
    /// The name of its carrier, as stored in the jar.
    pub(crate) noted: String,
    /// The name of the chicken that was inserted into the goblin's slot.
    pub(crate) chicken: String,
    /// The creature that the jar's name resolves to in the end, if any.
    pub(crate) carrier: Option<Kind>,
    /// Why it does not resolve.
    pub(crate) why: Option<HandleError>,
}

impl OneJar {
    /// A goblin picks up a jar and is removed, a chicken is inserted: which creature carries the
    /// jar?
    pub(crate) fn play<R: Roster>() -> Self {
        let mut roster = R::default();
        let mut referee = Referee::default();
        let carrier = roster.insert(creature(&mut referee, Kind::Goblin));
        roster.remove(carrier);
        let chicken = roster.insert(creature(&mut referee, Kind::Chicken));
        Self {
            noted: carrier.to_string(),
            chicken: chicken.to_string(),
            carrier: roster.find(carrier).map(|creature| creature.kind),
            why: roster.why(carrier),
        }
    }
}

fn creature(referee: &mut Referee, kind: Kind) -> Creature {
    let nowhere = Point { x: 0, y: 0 };
    Creature { serial: referee.next_serial(), kind, at: nowhere, pace: nowhere, place: 0 }
}
