//! A battle whose rules are written once, and whose creatures are referred to in three ways.
//!
//! | roster | a name is | purpose |
//! |---|---|---|
//! | [`ByHandle`] | a `tenure::Handle` | the subject |
//! | [`ByIndex`] | the slot's number | a common alternative |
//! | [`BySerial`] | a number that is never reused | the reference: slow, and correct |
//!
//! The rules use names only through the [`Roster`](roster::Roster) trait, and draw all random
//! numbers from one seed. So the battles are the same event by event, until a name resolves to the
//! wrong creature.

mod by_handle;
mod by_index;
mod by_serial;
mod creature;
mod one_jar;
mod referee;
mod roster;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use self::by_handle::ByHandle;
pub(crate) use self::by_index::ByIndex;
pub(crate) use self::by_serial::BySerial;
pub(crate) use self::creature::{Creature, FIELD, Kind};
pub(crate) use self::one_jar::OneJar;
pub(crate) use self::referee::{Catch, Counts, Holder, Mishap};
pub(crate) use self::rules::{Field, Scale};

/// The same battle on three fields, fought in step.
pub(crate) struct Battle {
    /// Names are handles.
    pub(crate) by_handle: Field<ByHandle>,
    /// Names are indices.
    pub(crate) by_index: Field<ByIndex>,
    /// Names are never reused.
    by_serial: Field<BySerial>,
    /// For how many frames the battle by handle equalled the reference.
    pub(crate) handle_in_step: u32,
    /// For how many frames the battle by index equalled the reference.
    pub(crate) index_in_step: u32,
}

impl Battle {
    /// All creatures in place, before the first frame.
    pub(crate) fn new(scale: Scale) -> Self {
        Self {
            by_handle: Field::new(scale),
            by_index: Field::new(scale),
            by_serial: Field::new(scale),
            handle_in_step: 0,
            index_in_step: 0,
        }
    }

    /// Changes the numbers of creatures from the next frame on, on all fields.
    pub(crate) fn rescale(&mut self, scale: Scale) {
        self.by_handle.rescale(scale);
        self.by_index.rescale(scale);
        self.by_serial.rescale(scale);
    }

    /// Fights one frame on all fields.
    pub(crate) fn frame(&mut self) {
        self.by_handle.frame();
        self.by_index.frame();
        self.by_serial.frame();
        // A fingerprint covers all events so far: once two battles differ, they never become equal
        // again.
        let truth = self.by_serial.referee().fingerprint();
        self.handle_in_step += u32::from(self.by_handle.referee().fingerprint() == truth);
        self.index_in_step += u32::from(self.by_index.referee().fingerprint() == truth);
    }
}
