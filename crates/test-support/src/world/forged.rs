//! Handles that were not issued, in the methods of splits, and of worlds in the middle of a frame.

use tenure::LoanError;

use super::{Frames, Home, Name, TrackedWorld, WorldOp, ensure, is_gone};
use crate::name::{self, Shape};
use crate::pool::Tags;
use crate::tracked::Tracked;
use crate::{alloc, forge, ledger, quiet};

/// Runs `setup`, and then passes handles that do not resolve to every method that takes one: forged
/// ones, and stale ones. Returns their number.
///
/// # Errors
///
/// A description of the fault.
pub fn every_forgery<C: Home>(setup: &[WorldOp]) -> Result<usize, String> {
    ledger::reset();
    quiet::install();
    let mut frames = Frames::<C>::new();
    frames.run(setup)?;
    let shape = Shape::of::<C::Layout>();
    let issued: Vec<name::Name> = frames.issued.iter().map(|&handle| handle.into()).collect();
    let mut names = forge::edges(&shape);
    names.extend(forge::neighbours(&shape, &issued, u32::try_from(issued.len()).unwrap_or(u32::MAX)));
    names.extend(forge::random(shape, 100));
    names.extend(issued);
    let mut count = 0;
    for name in names {
        let handle = name.handle();
        if !frames.alive.contains_key(&handle) && !frames.pending.contains(&handle) {
            frames.use_everywhere(handle).map_err(|error| format!("{name}: {error}"))?;
            count += 1;
        }
    }
    Ok(count)
}

impl<C: Home> Frames<C> {
    /// Passes a handle that does not resolve to every method that takes one. Lookups allocate
    /// nothing.
    fn use_everywhere(&mut self, forged: Name<C::Layout>) -> Result<(), String> {
        C::forge(self, forged)?;
        let partner = self.alive.keys().next().copied().unwrap_or_default();
        let neighbour = self.neighbour(forged);
        let (mut live, spawner) = self.home.split();
        let (is_found, asked) = alloc::count(|| {
            live.get(forged).is_some()
                || live.get_mut(forged).is_some()
                || live.contains(forged)
                || live.try_get(forged).is_ok()
                || live.try_get_mut(forged).is_ok()
                || !is_gone(live.status(forged))
                || live.handle_at(forged.index()) != neighbour
                || live.get_disjoint_mut([partner, forged]).is_ok()
                || live.remove(forged).is_some()
                || spawner.despawn(forged).resolves()
        });
        ensure(!is_found, || "a method of the split has found a value".into())?;
        ensure(asked == 0, || format!("methods of the split have allocated {asked} times"))?;
        let is_lent = !matches!(live.borrow_many().get_mut(forged), Err(LoanError::NotLive(_)));
        let mut is_seen = false;
        live.for_each_mut(|_, others| is_seen |= others.get(forged).is_some() || others.contains(forged));
        let is_indexed = quiet::catch(|| live[forged].id()).is_ok() || quiet::catch(|| live[forged].change()).is_ok();
        drop((live, spawner));
        ensure(!is_lent && !is_seen && !is_indexed, || "`borrow_many`, `Others` or `[]` has found a value".into())?;
        self.check()
    }

    /// The live handle of the same slot.
    fn neighbour(&self, handle: Name<C::Layout>) -> Option<Name<C::Layout>> {
        self.alive.keys().find(|other| other.index() == handle.index()).copied()
    }
}

impl<L: Tags> Frames<TrackedWorld<L>> {
    /// Passes a handle that does not resolve to every method of the world that takes one.
    pub(super) fn use_in_world(&mut self, forged: Name<L>) -> Result<(), String> {
        let partner = self.alive.keys().next().copied().unwrap_or_default();
        let neighbour = self.neighbour(forged);
        let value = self.new_value();
        let id = value.id();
        let mut lost = 0;
        let world = &mut self.home;
        let (is_found, asked) = alloc::count(|| {
            let status = world.status(forged);
            status.resolves()
                || world.despawn(forged) != status
                || world.make_permanent(forged)
                || world.is_permanent(forged)
                || world.id_of(forged).is_some()
                || world.contains(forged)
                || world.get(forged).is_some()
                || world.get_mut(forged).is_some()
                || world.try_get(forged).is_ok()
                || world.try_get_mut(forged).is_ok()
                || world.handle_at(forged.index()) != neighbour
                || world.clear_stale(&mut [forged, partner], |_, _| lost += 1) != lost
                || lost != usize::from(!forged.is_nil())
                || world.get_disjoint_mut([partner, forged]).is_ok()
                || world.take(forged).is_some()
                || world.discard(forged)
                || match world.fill(forged, value) {
                    Ok(()) => true,
                    Err(rejected) => rejected.into_inner().id() != id,
                }
        });
        ensure(!is_found, || "a method of the world has found a value".into())?;
        ensure(asked == 0, || format!("methods of the world have allocated {asked} times"))?;
        let is_lent = !matches!(world.borrow_many().get_mut(forged), Err(LoanError::NotLive(_)));
        let is_indexed =
            quiet::catch(|| world[forged].id()).is_ok() || quiet::catch(|| world[forged].change()).is_ok();
        ensure(!is_lent && !is_indexed, || "`World::borrow_many` or `[]` has found a value".into())?;
        self.insert_at_forged(forged)
    }

    /// `insert_at` rejects the handle, or it is a later one of a vacant slot. In a copy.
    fn insert_at_forged(&mut self, forged: Name<L>) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        let mut copy = self.home.clone();
        let (inserted, asked) = alloc::count(|| copy.insert_at(forged, value));
        match inserted {
            Ok(None) => {
                let is_right = self.may_be_issued(forged) && copy.get(forged).map(Tracked::id) == Some(id);
                ensure(is_right, || "`insert_at` has issued it".into())?;
                copy.validate().map_err(|fault| format!("broken inside after `insert_at`: {fault}"))?;
                ensure(copy.discard(forged), || "it was inserted, and is not live".into())?;
            }
            Ok(Some(older)) => return Err(format!("`insert_at` has replaced {older:?}")),
            Err(rejected) => {
                ensure(rejected.into_inner().id() == id, || "another value was returned".into())?;
                ensure(asked == 0, || format!("a rejected `insert_at` has allocated {asked} times"))?;
            }
        }
        ensure(copy.iter_all().eq(self.home.iter_all()), || "`insert_at` has changed another entity".into())
    }
}
