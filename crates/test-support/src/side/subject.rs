//! `tenure::SideMap` as a container like the others: a pool of unit values issues the handles, and
//! the map has a value for each live one. Operations on only one of the two have a model of their
//! own: see [`SideOp`](super::SideOp).

use tenure::{Handle, Pool, Rejection, SideMap};

use crate::action::{Action, Ending, Iterate, Look, Out, Put, Room};
use crate::answer::{Answer, Census, Clash, Sight, Why};
use crate::fuse;
use crate::name::Name;
use crate::path::{Path, consume};
use crate::pool::Tags;
use crate::saved::{self, Format};
use crate::subject::{Adapter, Listing, Supports};
use crate::surface::{
    agrees, changed_value, collect, forget, handles, id_of, list, named, one_by_one, shown, shown_changed,
    shown_value, taken,
};
use crate::tracked::Tracked;

/// A side map under test, and the owner of its handles.
#[derive(Debug)]
pub struct SideSubject<L: Tags> {
    owner: Pool<(), Handle<Tracked, L>>,
    map: SideMap<Handle<Tracked, L>, Tracked>,
}

const fn lacks(action: &Action) -> bool {
    match action {
        Action::Put(_) | Action::Out(_) | Action::Iterate(..) => false,
        Action::Look(look) => matches!(look, Look::Loans(_) | Look::HandleOf(_)),
        Action::Room(room) => matches!(room, Room::ReserveExact(_) | Room::ShrinkTo(_) | Room::WarmUp),
        Action::Make(_) | Action::Rows(_) => true,
    }
}

impl<L: Tags> SideSubject<L> {
    /// Inserts a value for a handle that has just become live. If it is returned, the handle is
    /// removed again.
    fn give(&mut self, handle: Handle<Tracked, L>, value: Tracked) -> Result<Option<Tracked>, Tracked> {
        self.map.insert(&self.owner, handle, value).map_err(|back| {
            assert_eq!(back.reason(), Rejection::Full, "a live handle was rejected");
            self.owner.remove(handle);
            back.into_inner()
        })
    }

    fn insert(&mut self, value: Tracked) -> Result<Name, Tracked> {
        let Ok(handle) = self.owner.try_insert(()) else { return Err(value) };
        let older = self.give(handle, value)?;
        assert!(older.is_none(), "a new handle had a value");
        Ok(handle.into())
    }

    fn put(&mut self, put: &Put) -> Answer {
        match put {
            Put::Insert(id) => match self.insert(Tracked::new(*id)) {
                Ok(name) => Answer::Issued(name),
                Err(_) => panic!("the pool is full, or there is no memory for the side map"),
            },
            Put::InsertWith(id) => {
                let handle = self.owner.insert(());
                let entry = self.map.entry(&self.owner, handle).expect("the handle is live");
                let make = || {
                    fuse::burn();
                    Tracked::new(*id)
                };
                entry.or_insert_with(make);
                Answer::Issued(handle.into())
            }
            Put::TryInsert(id) => match self.insert(Tracked::new(*id)) {
                Ok(name) => Answer::Issued(name),
                Err(back) => Answer::Full(back.id()),
            },
            Put::Many(ids, how) => one_by_one(ids, Some(*how), &mut |value| self.insert(value)),
            Put::Extend(ids) => one_by_one(ids, None, &mut |value| self.insert(value)),
            Put::ReserveHandle => Answer::Issued(self.owner.reserve_handle().into()),
            Put::Fill(name, id) => {
                let filled = self.owner.fill(name.handle(), ());
                self.place(*name, Tracked::new(*id), filled.map_err(|rejected| rejected.reason()))
            }
            Put::InsertAt(name, id) => {
                let replaced = self.owner.insert_at(name.handle(), ()).map(drop);
                self.place(*name, Tracked::new(*id), replaced.map_err(|rejected| rejected.reason()))
            }
        }
    }

    /// Checks that the answer of the map is consistent with that of the owner.
    fn place(&mut self, name: Name, value: Tracked, owner: Result<(), Rejection>) -> Answer {
        match owner {
            // It has a value, which `fill` leaves unchanged.
            Err(reason) if self.owner.contains(name.handle()) => Answer::Rejected(reason, value.id()),
            Err(_) if self.map.entry(&self.owner, name.handle()).is_ok() => {
                Answer::Wrong(format!("{name} is not live, and has an entry"))
            }
            Err(reason) => match self.map.insert(&self.owner, name.handle(), value) {
                Ok(_) => Answer::Wrong(format!("{name} is not live, and has a value")),
                Err(back) => Answer::Rejected(reason, back.into_inner().id()),
            },
            Ok(()) => match self.give(name.handle(), value) {
                Ok(older) => Answer::Placed(older.map(|older| older.id())),
                Err(back) => Answer::Rejected(Rejection::Full, back.id()),
            },
        }
    }

    fn out(&mut self, out: &Out) -> Answer {
        match out {
            Out::Remove(name) => {
                let value = self.map.remove(name.handle());
                self.owner.remove(name.handle());
                Answer::Value(value.as_ref().map(id_of))
            }
            Out::Take(name) => {
                let value = self.map.remove(name.handle());
                let _ = self.owner.take(name.handle());
                Answer::Value(value.as_ref().map(id_of))
            }
            Out::Drain(path, ending) => self.drain(*path, *ending),
            Out::Retain(rule) => {
                self.map.retain(|_, value| {
                    fuse::burn();
                    rule.says(value.id())
                });
                self.owner.retain(|handle, ()| self.map.contains(handle));
                Answer::Done(true)
            }
            Out::Clear => {
                self.owner.clear();
                self.map.clear();
                Answer::Done(true)
            }
            Out::Extract(rule, limit) => {
                let removed = self.map.extract_if(|_, value| {
                    fuse::burn();
                    rule.says(value.id())
                });
                let items = collect(removed.take(*limit));
                let listed = list(&items);
                self.owner.retain(|handle, ()| self.map.contains(handle));
                drop(items);
                Answer::Items(listed)
            }
        }
    }

    fn drain(&mut self, path: Path, ending: Ending) -> Answer {
        let (items, rest) = match consume(self.map.drain(), path) {
            Ok(consumed) => consumed,
            Err(wrong) => return Answer::Wrong(wrong),
        };
        let is_forgotten = ending == Ending::Forget && rest.is_some();
        let listed = list(&items);
        match ending {
            Ending::Forget => forget(rest),
            Ending::Drop => drop(rest),
        }
        drop(items);
        if is_forgotten {
            self.owner.retain(|handle, ()| self.map.contains(handle));
        } else {
            self.owner.clear();
        }
        Answer::Items(listed)
    }

    fn look(&mut self, look: &Look) -> Answer {
        match look {
            Look::Index(name) => Answer::Value(Some(self.map[name.handle()].id())),
            Look::Change(name) => Answer::Value(Some(self.map[name.handle()].change())),
            Look::Print => Answer::Text(format!("{:?}", self.map)),
            Look::Probe(name) if !agrees(&mut self.map, name.handle()) => {
                Answer::Wrong(format!("get_unchecked returns another value of {name} than get"))
            }
            Look::Probe(name) => {
                let found = self.map.get_mut(name.handle()).map(|value| value.id());
                Answer::Probed(found, found.ok_or_else(|| self.why_not(*name).unwrap_or(Why::Unknown)))
            }
            Look::Disjoint(names) => match self.map.get_disjoint_mut(handles(names)) {
                Ok([first, middle, last]) => {
                    std::mem::swap(first, last);
                    Answer::Disjoint(Ok(collect([first.id(), middle.id(), last.id()])))
                }
                Err(error) => Answer::Disjoint(Err(match error.into() {
                    // The map only knows that there is no value, and the owner knows why.
                    Clash::NotLive(position, _) => {
                        Clash::NotLive(position, self.why_not(names[position]).unwrap_or(Why::Unknown))
                    }
                    clash => clash,
                })),
            },
            Look::HandleAt(index) => Answer::Name(self.map.handle_at(*index).map(Into::into)),
            _ => Answer::Unsupported,
        }
    }

    fn iterate(&mut self, which: Iterate, path: Path) -> Answer {
        let items = match which {
            Iterate::Iter => taken(self.map.iter().map(shown), path),
            Iterate::Ref => taken((&self.map).into_iter().map(shown), path),
            Iterate::IterMut => taken(self.map.iter_mut().map(shown_changed), path),
            Iterate::RefMut => taken((&mut self.map).into_iter().map(shown_changed), path),
            Iterate::Values => taken(self.map.values().map(shown_value), path),
            Iterate::ValuesMut => taken(self.map.values_mut().map(changed_value), path),
            Iterate::Handles => taken(self.map.handles().map(named), path),
            Iterate::IntoIter => taken(self.map.clone().into_iter().map(shown), path),
            Iterate::IntoValues => taken(self.map.clone().into_values().map(shown_value), path),
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }

    fn room(&mut self, room: Room) -> Answer {
        match room {
            Room::Reserve(count) => {
                self.owner.reserve(count);
                // For the slots of the owner: `reserve` counts slots, of which a small layout may
                // have no more.
                self.map.reserve_slots(self.owner.capacity());
                self.has_room_for(count)
            }
            Room::TryReserve(count) => {
                match self.owner.try_reserve(count).and_then(|()| self.map.try_reserve_slots(self.owner.capacity())) {
                    Ok(()) => self.has_room_for(count),
                    Err(_) => Answer::Done(false),
                }
            }
            Room::Shrink => {
                self.owner.shrink_to_fit();
                self.map.shrink_to_fit();
                Answer::Done(true)
            }
            Room::Recycle => Answer::Count(self.owner.recycle_retired()),
            Room::ReleasePending => Answer::Count(self.owner.release_pending()),
            Room::ReserveSlots(count) => {
                self.owner.allow_indices_below(count);
                Answer::Done(true)
            }
            _ => Answer::Unsupported,
        }
    }

    fn has_room_for(&self, count: usize) -> Answer {
        let (capacity, needed) = (self.map.capacity(), self.map.len() + count);
        if capacity >= needed {
            Answer::Done(true)
        } else {
            Answer::Wrong(format!("the map has room for {capacity} values, expected {needed}"))
        }
    }

    fn why_not(&self, name: Name) -> Option<Why> {
        self.owner.try_get(name.handle()).err().map(Into::into)
    }
}

impl<L: Tags> Adapter for SideSubject<L> {
    type Layout = L;
    const SUPPORTS: Supports = Supports { reserves: false, lacks, ..Supports::ALL };
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self { owner: L::owner(), map: SideMap::EMPTY }
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => self.put(put),
            Action::Out(out) => self.out(out),
            Action::Look(look) => self.look(look),
            Action::Iterate(which, path) => self.iterate(*which, *path),
            Action::Room(room) => self.room(*room),
            Action::Make(_) | Action::Rows(_) => Answer::Unsupported,
        }
    }

    fn see(&self, name: Name) -> Sight {
        Sight {
            get: self.map.get(name.handle()).map(Tracked::id),
            contains: self.map.contains(name.handle()),
            status: self.owner.status(name.handle()),
            why_not: self.why_not(name),
        }
    }

    fn listing(&self) -> Listing {
        self.map.iter().map(|(name, value)| (name.into(), value.id())).collect()
    }

    /// The slots are the owner's.
    fn census(&self) -> Census {
        let counts = Census::new(self.map.len(), self.map.is_empty(), &self.owner.stats());
        Census { live: self.map.len(), capacity: self.owner.capacity(), ..counts }
    }

    fn validate(&mut self) -> Result<(), String> {
        self.owner.validate().and_then(|()| self.map.validate()).map_err(|fault| fault.to_string())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(Self { owner: self.owner.clone(), map: self.map.clone() })
    }

    fn overwrite(&mut self, original: &Self) -> bool {
        self.owner.clone_from(&original.owner);
        self.map.clone_from(&original.map);
        true
    }

    fn reload(&self, format: Format) -> Option<Result<Self, String>> {
        let owner = saved::reload(&self.owner, format);
        Some(owner.and_then(|owner| Ok(Self { owner, map: saved::reload(&self.map, format)? })))
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        Some(self.map == other.map)
    }
}
