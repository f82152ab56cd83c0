//! `tenure::World` as a container like the others: insertions are committed at once, and removals
//! are swept at once. Frames have a model of their own: see [`WorldOp`](super::WorldOp).

use tenure::{Handle, Layout, Status, World};

use crate::action::{Action, Iterate, Make, Out, Put};
use crate::answer::{Answer, Census, Sight};
use crate::fuse;
use crate::name::Name;
use crate::path::Path;
use crate::pool::Tags;
use crate::saved::{self, Format};
use crate::subject::{Adapter, Listing, Supports};
use crate::surface::{
    self, changed_value, collect, named, one_by_one, roamed, shown, shown_changed, shown_value, taken, values,
};
use crate::tracked::Tracked;

/// A world under test.
#[derive(Debug)]
pub struct WorldSubject<L: Tags>(pub World<Tracked, Handle<Tracked, L>>);

/// Operations that a world does not have. One that is added to it is removed from this list, and
/// gets an arm in one of the methods below.
const fn lacks(action: &Action) -> bool {
    match action {
        Action::Put(_) | Action::Look(_) | Action::Iterate(..) | Action::Room(_) => false,
        Action::Out(out) => matches!(out, Out::Extract(..)),
        Action::Make(make) => matches!(make, Make::Map),
        Action::Rows(_) => true,
    }
}

/// Commits what was spawned when it is dropped.
struct Committed<'a, L: Layout>(&'a mut World<Tracked, Handle<Tracked, L>>);

impl<L: Layout> Drop for Committed<'_, L> {
    fn drop(&mut self) {
        _ = self.0.commit();
    }
}

impl<L: Tags> WorldSubject<L> {
    fn insert(&mut self, value: Tracked) -> Result<Name, Tracked> {
        let name = self.0.try_spawn(value).map_err(tenure::Full::into_inner)?;
        self.commit();
        Ok(name.into())
    }

    /// Nothing is staged, so a commit needs no memory and cannot panic.
    fn commit(&mut self) {
        _ = self.0.commit();
    }

    fn put(&mut self, put: &Put) -> Answer {
        let answer = match put {
            Put::Insert(id) => {
                let next = self.0.next_handle();
                let name = self.0.spawn(Tracked::new(*id));
                if next == Some(name) {
                    Answer::Issued(name.into())
                } else {
                    Answer::Wrong(format!("next_handle said {next:?}, and {name} was issued"))
                }
            }
            Put::InsertWith(id) => surface::with_handle!(self.0, id, Tracked, spawn_with, spawn_with_result),
            Put::TryInsert(id) if id % 2 == 1 => surface::try_with_handle!(self.0, id, Tracked, try_spawn_with),
            Put::TryInsert(id) => match self.insert(Tracked::new(*id)) {
                Ok(name) => Answer::Issued(name),
                Err(back) => Answer::Full(back.id()),
            },
            Put::Many(ids, how) => return one_by_one(ids, Some(*how), &mut |value| self.insert(value)),
            Put::Extend(ids) => {
                // Also after a panic: what was spawned before it is listed by iterators.
                let world = Committed(&mut self.0);
                world.0.extend(values(ids));
                drop(world);
                return Answer::Many { names: Vec::new(), back: Vec::new() };
            }
            Put::ReserveHandle => Answer::Issued(self.0.reserve_handle().into()),
            Put::Fill(name, id) => match self.0.fill(name.handle(), Tracked::new(*id)) {
                Ok(()) => Answer::Placed(None),
                Err(rejected) => Answer::Rejected(rejected.reason(), rejected.into_inner().id()),
            },
            Put::InsertAt(name, id) => match self.0.insert_at(name.handle(), Tracked::new(*id)) {
                Ok(replaced) => Answer::Placed(replaced.as_ref().map(Tracked::id)),
                Err(rejected) => Answer::Rejected(rejected.reason(), rejected.into_inner().id()),
            },
        };
        self.commit();
        answer
    }

    fn out(&mut self, out: &Out) -> Answer {
        match out {
            Out::Remove(name) if name.index() % 2 == 1 || self.0.status(name.handle()) == Status::Pending => {
                let id = self.0.get(name.handle()).map(Tracked::id);
                let dropped = self.0.discard(name.handle());
                self.commit();
                if dropped == id.is_some() {
                    Answer::Value(id)
                } else {
                    Answer::Wrong(format!("discard said {dropped}"))
                }
            }
            Out::Take(name) => {
                let taken = self.0.take(name.handle()).as_ref().map(Tracked::id);
                self.commit();
                Answer::Value(taken)
            }
            Out::Retain(rule) => {
                self.0.retain(|_, value| {
                    fuse::burn();
                    rule.says(value.id())
                });
                self.commit();
                Answer::Done(true)
            }
            Out::Remove(name) => {
                let id = self.0.get(name.handle()).map(Tracked::id);
                self.0.despawn(name.handle());
                let _ = self.0.sweep();
                Answer::Value(id)
            }
            Out::Clear => {
                self.0.clear_all();
                self.0.release_pending();
                Answer::Done(true)
            }
            Out::Drain(path, ending) => {
                let (answer, is_forgotten) = surface::drain!(self.0, *path, *ending, surface::consume_forward);
                if !is_forgotten {
                    self.0.release_pending();
                }
                answer
            }
            Out::Extract(..) => Answer::Unsupported,
        }
    }

    /// Iterators over a world are not double-ended. Mutable ones are consumed first, and the items
    /// on the path are mutated.
    fn iterate(&mut self, which: Iterate, path: Path) -> Answer {
        let items = match which {
            Iterate::Iter => roamed(self.0.iter().map(shown), path),
            Iterate::Ref => roamed((&self.0).into_iter().map(shown), path),
            Iterate::Values => roamed(self.0.values().map(shown_value), path),
            Iterate::Handles => roamed(self.0.handles().map(named), path),
            Iterate::IterMut => {
                roamed(self.0.iter_mut(), path).map(|items| collect(items.into_iter().map(shown_changed)))
            }
            Iterate::RefMut => {
                roamed((&mut self.0).into_iter(), path).map(|items| collect(items.into_iter().map(shown_changed)))
            }
            Iterate::ValuesMut => {
                roamed(self.0.values_mut(), path).map(|items| collect(items.into_iter().map(changed_value)))
            }
            Iterate::IntoIter => taken(self.0.clone().into_iter().map(shown), path),
            Iterate::IntoValues => taken(self.0.clone().into_values().map(shown_value), path),
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }
}

impl<L: Tags> Adapter for WorldSubject<L> {
    type Layout = L;
    const TAG: u32 = L::TAG;
    const SUPPORTS: Supports = Supports {
        trims: true,
        one_way: true,
        reserves: false,
        finishes: false,
        removal_asks: true,
        lacks,
        ..Supports::ALL
    };

    fn new() -> Self {
        Self(L::world())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => self.put(put),
            Action::Out(out) => self.out(out),
            Action::Look(look) => surface::look!(self.0, look),
            Action::Iterate(which, path) => self.iterate(*which, *path),
            Action::Room(room) => surface::slot_room!(self.0, room),
            Action::Make(Make::Collect(ids)) => {
                surface::gather!(ids, World::<Tracked, Handle<Tracked, L>>::from_iter)
            }
            Action::Make(Make::Map) | Action::Rows(_) => Answer::Unsupported,
        }
    }

    fn see(&self, name: Name) -> Sight {
        let handle = name.handle();
        Sight {
            get: self.0.get(handle).map(Tracked::id),
            contains: self.0.contains(handle),
            status: self.0.status(handle),
            why_not: self.0.try_get(handle).err().map(Into::into),
        }
    }

    fn listing(&self) -> Listing {
        self.0.iter().map(|(name, value)| (name.into(), value.id())).collect()
    }

    fn census(&self) -> Census {
        let counts = Census::new(self.0.len(), self.0.is_empty(), &self.0.stats());
        Census { capacity: self.0.capacity(), ..counts }
    }

    fn validate(&mut self) -> Result<(), String> {
        self.0.validate().map_err(|fault| fault.to_string())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(Self(self.0.clone()))
    }

    fn overwrite(&mut self, original: &Self) -> bool {
        self.0.clone_from(&original.0);
        true
    }

    fn reload(&self, format: Format) -> Option<Result<Self, String>> {
        Some(saved::reload(&self.0, format).map(Self))
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        Some(self.0 == other.0)
    }

    fn address(&self, name: Name) -> Option<usize> {
        self.0.get(name.handle()).map(|value| (&raw const *value).addr())
    }
}
