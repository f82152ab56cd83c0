//! `tenure::DensePool`, in every layout. Its values are in rows.

use tenure::{DensePool, Handle};

use crate::action::{Action, Look};
use crate::answer::Answer;
use crate::pool::Tags;
use crate::subject::{Adapter, Supports};
use crate::surface;
use crate::tracked::Tracked;

/// A dense pool under test.
#[derive(Debug)]
pub struct DenseSubject<L: Tags>(pub DensePool<Tracked, Handle<Tracked, L>>);

impl<L: Tags> Adapter for DenseSubject<L> {
    type Layout = L;
    const SUPPORTS: Supports = Supports::ROWS;
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self(L::dense())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => surface::put!(self.0, put, Tracked),
            Action::Out(out) => surface::out_of_rows!(*self.0, out),
            Action::Look(Look::Probe(name)) if !surface::rows_agree!(self.0, name) => {
                Answer::Wrong(format!("the row of {name} has another handle, or is not found"))
            }
            Action::Look(look) => surface::look!(self.0, look),
            Action::Iterate(which, path) => surface::iterate!(self.0, *which, *path, surface::taken),
            Action::Room(room) => surface::room!(self.0, room),
            Action::Make(make) => {
                surface::make!(self.0, make, L::dense(), DensePool::<Tracked, Handle<Tracked, L>>::from_iter)
            }
            Action::Rows(rows) => surface::listened!(&mut *self.0, rearrange, rows),
        }
    }

    surface::see!();
}
