//! The states of the slots of a pool, determined by looking up handles.

use tenure::{Handle, HandleError, Layout, Stats};

use super::SlotState;

/// How many slots there are.
pub(crate) const fn slot_count(stats: &Stats) -> usize {
    stats.live + stats.free + stats.pending + stats.retired
}

/// All slots of a container without tags. `why` returns why a handle is not live: `|handle|
/// pool.try_get(handle).err()`.
pub(crate) fn states<K, L: Layout>(
    stats: &Stats,
    why: impl Fn(Handle<K, L>) -> Option<HandleError>,
) -> Vec<SlotState> {
    (0..slot_count(stats)).map(|index| state(index as u32, &why)).collect()
}

/// Looks up the first tenant. If there were others since, the error has the generation of the last
/// one, which is looked up next.
fn state<K, L: Layout>(index: u32, why: &impl Fn(Handle<K, L>) -> Option<HandleError>) -> SlotState {
    let ask = |generation| Handle::from_parts(index, generation).and_then(why);
    match ask(1) {
        None => SlotState::Live(1),
        Some(HandleError::Removed { current, vacant: true, .. }) => SlotState::Vacant(current),
        Some(HandleError::Removed { current, .. }) if ask(current).is_none() => SlotState::Live(current),
        Some(HandleError::Removed { current, .. }) => SlotState::Pending(current),
        Some(HandleError::Pending { generation, .. }) => SlotState::Pending(generation),
        Some(HandleError::Retired { current, .. }) => SlotState::Retired(current),
        Some(_) => SlotState::Vacant(0),
    }
}

#[cfg(test)]
mod tests {
    use tenure::{Compact, Pool};

    use super::*;

    #[test]
    fn every_state_of_a_slot_is_found() {
        let mut pool: Pool<&str, Handle<&str, Compact<30>>> = Pool::default();
        let handles = ["stays", "goes", "goes and comes", "is taken", "wears out"].map(|name| pool.insert(name));
        pool.remove(handles[1]);
        pool.insert_at(Handle::from_parts(5, 2).unwrap(), "far").unwrap();
        let _ = pool.take(handles[3]);
        pool.remove(handles[4]);
        pool.insert_at(Handle::from_parts(4, Compact::<30>::MAX_TENANTS).unwrap(), "the last").unwrap();
        pool.remove(Handle::from_parts(4, Compact::<30>::MAX_TENANTS).unwrap());
        pool.remove(handles[2]);
        pool.insert("comes");
        let second = Handle::from_parts(5, 2).unwrap();
        let _ = pool.take(second);

        use SlotState::{Live, Pending, Retired, Vacant};
        let states = states(&pool.stats(), |handle| pool.try_get(handle).err());
        assert_eq!(states, [Live(1), Vacant(1), Live(2), Pending(1), Retired(2), Pending(2)]);
    }
}
