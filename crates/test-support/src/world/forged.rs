//! Handles that were not issued, in the methods that only worlds and splits have.

use tenure::{Handle, Layout, LoanError};

use super::{Frames, WorldOp, ensure};
use crate::name::{Name, Shape};
use crate::tracked::Tracked;
use crate::{alloc, forge, ledger, quiet};

/// Runs `setup`, and then passes handles that do not resolve to every method that takes one: forged
/// ones, and stale ones. Returns their number.
///
/// # Errors
///
/// A description of the fault.
pub fn every_forgery<L: Layout>(setup: &[WorldOp]) -> Result<usize, String> {
    ledger::reset();
    quiet::install();
    let mut frames = Frames::<L>::new();
    frames.run(setup)?;
    let shape = Shape::of::<L>();
    let issued: Vec<Name> = frames.issued.iter().map(|&handle| handle.into()).collect();
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

impl<L: Layout> Frames<L> {
    /// Passes a handle that does not resolve to every method that takes one. Lookups allocate
    /// nothing.
    fn use_everywhere(&mut self, forged: Handle<Tracked, L>) -> Result<(), String> {
        let partner = self.alive.keys().next().copied().unwrap_or_default();
        let value = self.new_value();
        let id = value.id();
        let world = &mut self.world;
        let (is_found, asked) = alloc::count(|| {
            let status = world.status(forged);
            status.resolves()
                || world.despawn(forged) != status
                || world.make_permanent(forged)
                || world.is_permanent(forged)
                || world.id_of(forged).is_some()
                || world.get(forged).is_some()
                || world.get_mut(forged).is_some()
                || world.try_get_mut(forged).is_ok()
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

        let (mut live, spawner) = world.split();
        let (is_found, asked) = alloc::count(|| {
            live.get(forged).is_some()
                || live.get_mut(forged).is_some()
                || live.contains(forged)
                || live.try_get(forged).is_ok()
                || live.get_disjoint_mut([partner, forged]).is_ok()
                || live.remove(forged).is_some()
                || spawner.despawn(forged).resolves()
        });
        ensure(!is_found, || "a method of the split has found a value".into())?;
        ensure(asked == 0, || format!("methods of the split have allocated {asked} times"))?;
        let is_lent = !matches!(live.borrow_many().get_mut(forged), Err(LoanError::NotLive(_)));
        let mut is_seen = false;
        live.for_each_mut(|_, others| is_seen |= others.get(forged).is_some() || others.contains(forged));
        drop((live, spawner));
        ensure(!is_lent && !is_seen, || "`borrow_many` or `Others` has found a value".into())?;
        let is_lent = !matches!(self.world.borrow_many().get_mut(forged), Err(LoanError::NotLive(_)));
        ensure(!is_lent, || "`World::borrow_many` has found a value".into())?;
        self.check()
    }
}
