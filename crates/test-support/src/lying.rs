//! Keys whose methods lie or panic. Containers stay valid, whatever their keys do: every value is
//! dropped once, and `validate` passes.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use tenure::join::Maybe;
use tenure::relink::{Relinker, Visitor};
use tenure::{
    DensePool, FixedPool, Handle, Key, Pool, Rejected, Relink, SideMap, StablePool, Table, Wide, World, ZiiPool, join,
};

use crate::saved::{self, Format};
use crate::surface::{id_of, value};
use crate::table::Entry;
use crate::tracked::Tracked;
use crate::{forge, fuse, ledger, quiet};

thread_local! {
    static LIE: Cell<Lie> = const { Cell::new(Lie::None) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// How the keys of this thread behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// They return what they were made from.
    None,
    /// Every second call returns the handle of a neighbouring slot.
    Neighbour,
    /// Every third call returns a handle with another generation.
    Generation,
    /// Every third call returns nil.
    Nil,
    /// No two calls return the same handle.
    Changing,
}

impl Lie {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Neighbour, Self::Generation, Self::Nil, Self::Changing];
}

/// A key that lies as the thread's [`Lie`] says, and panics when the [fuse] blows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Liar(Handle<Liar>);

impl Liar {
    fn distort(handle: Handle<Self>) -> Handle<Self> {
        fuse::burn();
        let call = CALLS.replace(CALLS.get().wrapping_add(1));
        let parts = |index, generation| Handle::from_parts(index, generation).unwrap_or_default();
        match LIE.get() {
            Lie::Neighbour if call % 2 == 1 => parts(handle.index() ^ 1, handle.generation()),
            Lie::Generation if call % 3 == 2 => parts(handle.index(), handle.generation() ^ (1 + call % 2)),
            Lie::Nil if call % 3 == 1 => Handle::NIL,
            Lie::Changing => parts(call % 9, 1 + call / 9 % 3),
            _ => handle,
        }
    }
}

impl Key for Liar {
    type Kind = Self;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        Self(Self::distort(handle))
    }

    fn handle(self) -> Handle<Self> {
        Self::distort(self.0)
    }
}

impl Relink for Liar {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.handle(*self);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        relinker.handle(self);
    }
}

/// Random numbers, and the keys and ids so far.
struct Story {
    noise: Box<dyn Iterator<Item = u64>>,
    keys: Vec<Liar>,
    next_id: u32,
}

impl Story {
    fn new(seed: u32) -> Self {
        CALLS.set(seed);
        Self { noise: Box::new(forge::noise(u64::from(seed) + 1)), keys: Vec::new(), next_id: 0 }
    }

    /// A number below `limit`.
    fn below(&mut self, limit: u32) -> u32 {
        let number = self.noise.next().unwrap_or_default() >> 20;
        u32::try_from(number % u64::from(limit)).unwrap_or_default()
    }

    fn key(&mut self) -> Liar {
        let nth = self.below(u32::try_from(self.keys.len()).unwrap_or(1).max(1)) as usize;
        self.keys.get(nth).copied().unwrap_or(Liar(Handle::NIL))
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// Runs one step with lying keys, in two of three cases with a panic at one of the first calls
    /// of user code.
    fn step(&mut self, lie: Lie, run: impl FnOnce(&mut Self)) {
        let (panics, call) = (self.below(3) > 0, self.below(8));
        LIE.set(lie);
        if panics {
            fuse::arm(call);
        }
        let _ = quiet::catch(|| run(self));
        let _ = fuse::disarm();
        LIE.set(Lie::None);
    }
}

/// Checks that the container is valid, and that exactly its values exist.
fn check(valid: Result<(), impl Debug>, values: usize) -> Result<(), String> {
    valid.map_err(|fault| format!("broken inside: {fault:?}"))?;
    ledger::expect(values)
}

/// One step with the methods that pools and tables have in common.
macro_rules! common {
    ($pool:expr, $Value:ty, $kind:expr, $story:expr) => {{
        let (key, other, id) = ($story.key(), $story.key(), $story.id());
        match $kind {
            0 | 1 => {
                let key = $pool.insert(value::<$Value>(id));
                $story.keys.push(key);
            }
            2 => drop($pool.try_insert(value::<$Value>(id))),
            3 => _ = $pool.insert_with(|_| value::<$Value>(id)),
            4 => {
                let many = $pool.insert_many([id, id].map(value::<$Value>));
                $story.keys.extend(many);
            }
            5 => $pool.extend([value::<$Value>(id)]),
            6 => drop($pool.fill(key, value::<$Value>(id))),
            7 => drop($pool.insert_at(key, value::<$Value>(id))),
            8 => drop($pool.remove(key)),
            9 => drop($pool.discard(key)),
            10 => drop($pool.drain().next()),
            11 => drop($pool.extract_if(|_, value| id_of(&value) % 3 == 0).collect::<Vec<_>>()),
            12 => $pool.retain(|_, value| id_of(&value) % 4 != 0),
            13 => _ = $pool.get_disjoint_mut([key, other]).map(|_| ()),
            14 => _ = ($pool.get(key).is_some(), $pool.get_mut(key).is_some(), $pool.try_get(other).is_ok()),
            15 => _ = ($pool.status(key), $pool.contains(other), $pool.handle_at(id % 9)),
            16 => $story.keys.extend($pool.iter().map(|(key, _)| key)),
            17 => _ = $pool.iter_mut().map(|(key, _)| key).collect::<Vec<_>>(),
            18 => _ = $pool.release_pending(),
            19 => drop($pool.clone().into_iter().collect::<Vec<_>>()),
            20 => _ = $pool.insert_with_result(|key| Err::<$Value, _>(key)),
            21 if id % 4 == 0 => $pool.clear(),
            22 => drop($pool.take(key)),
            23 => _ = $pool.reserve_handle(),
            24 => reload($pool, id),
            _ => _ = ($pool.next_handle(), $pool.handles().count()),
        }
    }};
}

/// The number of kinds of steps in [`common`], and of all kinds.
const COMMON: u32 = 26;
const KINDS: u32 = 34;

/// Replaces a container by what is loaded from its saved form.
fn reload<C: serde::Serialize + serde::de::DeserializeOwned>(container: &mut C, id: u32) {
    if let Ok(loaded) = saved::reload(container, Format::ALL[id as usize % 3]) {
        *container = loaded;
    }
}

/// Returns `true` if a step of this kind may make a handle pending.
fn reserves(kind: u32) -> bool {
    matches!(kind, 22 | 23)
}

/// A container whose methods are those of [`common`], and what only it has. It holds `$extra`
/// values without a handle.
macro_rules! stories {
    ($(
        $name:ident: $Pool:ty, $Value:ty, $new:expr, $extra:literal,
        |$pool:ident, $story:ident, $more:ident| $else:expr;
    )*) => {$(
        fn $name(lie: Lie, seed: u32, steps: u32) -> Result<(), String> {
            ledger::reset();
            let mut container: $Pool = $new;
            let mut story = Story::new(seed);
            for step in 0..steps {
                let kind = story.below(KINDS);
                let before = container.stats().pending;
                let $pool = &mut container;
                story.step(lie, |$story| match kind.checked_sub(COMMON) {
                    None => common!($pool, $Value, kind, $story),
                    Some($more) => $else,
                });
                let after = container.stats().pending;
                let error = |error| format!("{}, {lie:?}, seed {seed}, step {step} of kind {kind}: {error}", stringify!($name));
                check(container.validate(), container.len() + $extra).map_err(error)?;
                if after > before && !reserves(kind) {
                    return Err(error(format!("{before} pending handles became {after}")));
                }
            }
            drop(container);
            ledger::expect(0)
        }
    )*};
}

stories! {
    pool: Pool<Tracked, Liar>, Tracked, Pool::EMPTY, 0, |pool, story, more| match more {
        0 | 1 => {
            let loans = pool.borrow_many();
            let (one, other) = (story.key(), story.key());
            _ = (loans.get_mut(one).is_ok(), loans.get_mut(other).is_ok(), loans.get_mut(one).is_ok());
        }
        2 => _ = pool.find(|value| value.id() % 5 == 0),
        3 => _ = pool.values().next().and_then(|value| pool.handle_of(value)),
        4 => pool.shrink_to_fit(),
        _ => {
            let taken = std::mem::take(pool);
            *pool = taken.map_values(|value| value);
        }
    };
    stable: StablePool<Tracked, Liar>, Tracked, StablePool::EMPTY, 0, |pool, story, more| match more {
        0 | 1 => {
            let (mut live, spawner) = pool.split();
            let (one, other, id) = (story.key(), story.key(), story.id());
            story.keys.push(spawner.spawn(Tracked::new(id)));
            spawner.despawn(one);
            drop(live.remove(other));
            _ = (live.get_mut(one).is_some(), live.get_disjoint_mut([one, other]).is_ok());
        }
        2 | 3 => {
            let (mut live, spawner) = pool.split();
            let (one, id) = (story.key(), story.id());
            spawner.spawn_with(|_| Tracked::new(id));
            live.for_each_mut(|_, others| _ = (others.get(one).is_some(), others.iter().count()));
            let loans = live.borrow_many();
            _ = (loans.get_mut(one).is_ok(), loans.get_mut(one).is_ok());
        }
        4 => pool.shrink_to_fit(),
        _ => {
            let loans = pool.borrow_many();
            let one = story.key();
            _ = (loans.get_mut(one).is_ok(), loans.get_mut(one).is_ok());
        }
    };
    fixed: FixedPool<Tracked, 12, Liar>, Tracked, FixedPool::EMPTY, 0, |pool, story, _more| {
        let loans = pool.borrow_many();
        let (one, other) = (story.key(), story.key());
        _ = (loans.get_mut(one).is_ok(), loans.get_mut(other).is_ok(), loans.get_mut(one).is_ok());
    };
    zii: ZiiPool<Tracked, Liar>, Tracked, ZiiPool::default(), 2, |pool, story, more| match more {
        0 | 1 => _ = pool.resolve(story.key()).id(),
        2 | 3 => _ = pool.resolve_mut(story.key()).change(),
        4 => pool.shrink_to_fit(),
        5 => {
            let clone = pool.clone();
            pool.clone_from(&clone);
        }
        _ => {
            let taken = std::mem::take(pool);
            *pool = taken.map_values(|value| value);
        }
    };
    dense: DensePool<Tracked, Liar>, Tracked, DensePool::EMPTY, 0, |pool, story, more| match more {
        0 => drop(pool.remove_ordered(story.key())),
        1 => _ = pool.remove_many([story.key(), story.key(), story.key()]),
        2 => pool.sort_by_key(|value| value.id() % 5),
        3 => pool.compact_by_key(|_, value| (value.id() % 5 != 0).then_some(value.id() % 3)),
        4 => _ = pool.row_of(story.key()),
        _ => {
            let loans = pool.borrow_many();
            let one = story.key();
            _ = (loans.get_mut(one).is_ok(), loans.get_mut(one).is_ok());
        }
    };
    table: Table<Entry, Liar>, Entry, Table::EMPTY, 0, |table, story, more| match more {
        0 => drop(table.remove_ordered(story.key())),
        1 => _ = table.remove_many([story.key(), story.key(), story.key()]),
        2 => table.sort_by_key(|row| id_of(&row) % 5),
        3 => table.compact_by_key(|_, row| (id_of(&row) % 5 != 0).then_some(id_of(&row) % 3)),
        4 => {
            let (one, other) = (story.key(), story.key());
            let (rows, _columns) = table.split_columns_mut();
            _ = (rows.row_of(one), rows.contains(other), rows.handle_of_row(1));
        }
        5 => {
            let mut moves = Vec::new();
            drop(table.on_move(|from, to| moves.push((from, to))).remove(story.key()));
        }
        _ => follow(table, story),
    };
}

/// A column of the caller follows the rows: it has as many values as the table, unless there was a
/// panic.
fn follow(table: &mut Table<Entry, Liar>, story: &mut Story) {
    let mut column: Vec<usize> = (0..table.len()).collect();
    let mut rows = table.following(&mut column);
    match story.below(9) {
        0 => drop(rows.remove(story.key())),
        1 => drop(rows.remove_ordered(story.key())),
        2 => _ = rows.remove_many([story.key(), story.key()]),
        3 => _ = rows.discard(story.key()),
        4 => rows.retain(|key, row| key == story.key() || id_of(&row) % 4 != 0),
        5 => drop(rows.extract_if(|_, row| id_of(&row) % 3 == 0).collect::<Vec<_>>()),
        6 => rows.sort_by_key(|row| id_of(&row) % 5),
        7 => rows.compact_by_key(|_, row| (id_of(&row) % 5 != 0).then_some(id_of(&row) % 3)),
        _ => drop(rows.drain().next()),
    }
    if column.len() != table.len() {
        ledger::report(format!("a column has {} values, and its table {} rows", column.len(), table.len()));
    }
}

/// A value with keys, for relinking.
#[derive(Clone, Relink)]
struct Linked {
    #[relink(skip)]
    _value: Tracked,
    best: Option<Liar>,
    others: [Liar; 2],
    known: BTreeMap<Liar, Liar>,
}

/// Two containers of values that refer to each other: values are merged and copied.
macro_rules! linked {
    ($($name:ident: $Pool:ty, $insert:ident, $all:ident, |$pool:ident| $settle:expr;)*) => {$(
        fn $name(lie: Lie, seed: u32, steps: u32) -> Result<(), String> {
            ledger::reset();
            let (mut here, mut there) = (<$Pool>::EMPTY, <$Pool>::EMPTY);
            let mut story = Story::new(seed);
            for step in 0..steps {
                let kind = story.below(13);
                story.step(lie, |story| {
                    let (key, other, id) = (story.key(), story.key(), story.id());
                    let new = || Linked {
                        _value: Tracked::new(id),
                        best: Some(key),
                        others: [other, key],
                        known: BTreeMap::from([(other, key)]),
                    };
                    match kind {
                        0..=2 => {
                            let key = here.$insert(new());
                            story.keys.push(key);
                        }
                        3 | 4 => _ = there.$insert(new()),
                        5 => _ = here.discard(key),
                        6 | 7 => {
                            if let Ok(moved) = here.merge(&mut there) {
                                story.keys.extend(moved.new_handle(key));
                                story.keys.extend(moved.pairs::<Liar>().map(|(_, new)| new));
                            }
                        }
                        8 => drop(here.copy_group(&[key, other, key])),
                        9 => drop(here.copy_group_into(&[key, other], &mut there)),
                        10 => drop(here.audit()),
                        11 => drop(here.clear_dangling()),
                        _ => {
                            _ = there.reserve_handle();
                            let $pool = &mut here;
                            $settle;
                        }
                    }
                });
                let error = |error| format!("{}, {lie:?}, seed {seed}, step {step} of kind {kind}: {error}", stringify!($name));
                check(here.validate().and(there.validate()), here.$all().count() + there.$all().count()).map_err(error)?;
                if here.stats().pending > 0 {
                    return Err(error("a reserved handle was not released".into()));
                }
            }
            drop((here, there));
            ledger::expect(0)
        }
    )*};
}

linked! {
    linked_pool: Pool<Linked, Liar>, insert, iter, |pool| pool.shrink_to_fit();
    linked_stable: StablePool<Linked, Liar>, insert, iter, |pool| pool.shrink_to_fit();
    linked_dense: DensePool<Linked, Liar>, insert, iter, |pool| pool.shrink_to_fit();
    linked_world: World<Linked, Liar>, spawn, iter_all, |world| _ = world.end_frame();
}

fn world(lie: Lie, seed: u32, steps: u32) -> Result<(), String> {
    ledger::reset();
    let mut world: World<Tracked, Liar> = World::EMPTY;
    let mut story = Story::new(seed);
    for step in 0..steps {
        let kind = story.below(26);
        story.step(lie, |story| world_step(&mut world, kind, story));
        check(world.validate(), world.iter_all().count())
            .map_err(|error| format!("world, {lie:?}, seed {seed}, step {step} of kind {kind}: {error}"))?;
    }
    drop(world);
    ledger::expect(0)
}

fn world_step(world: &mut World<Tracked, Liar>, kind: u32, story: &mut Story) {
    let (key, other, id) = (story.key(), story.key(), story.id());
    let new = || Tracked::new(id);
    match kind {
        0..=2 => {
            let key = world.spawn(new());
            story.keys.push(key);
        }
        3 => _ = world.spawn_with(|_| new()),
        4 => _ = world.despawn(key),
        5 | 6 => _ = world.end_frame(),
        7 => {
            let ticket = world.stage(new());
            story.keys.extend(world.commit().handle(ticket));
        }
        8 => drop(world.insert_at(key, new())),
        9 => drop(world.take(key)),
        10 => drop(world.fill(key, new())),
        11 => _ = world.discard(key),
        12 => world.retain(|_, value| value.id() % 4 != 0),
        13 => drop(world.drain().next()),
        14 => _ = world.get_disjoint_mut([key, other]).is_ok(),
        15 => {
            let loans = world.borrow_many();
            _ = (loans.get_mut(key).is_ok(), loans.get_mut(other).is_ok(), loans.get_mut(key).is_ok());
        }
        16 => {
            let (mut live, spawner) = world.split();
            story.keys.push(spawner.spawn_mut(new()).0);
            spawner.despawn(key);
            drop(live.remove(other));
            live.iter_mut().for_each(|(key, _)| _ = spawner.despawn(key));
        }
        17 => {
            let (mut live, spawner) = world.split();
            spawner.spawn_with(|_| new());
            live.for_each_mut(|_, others| _ = (others.get(key).is_some(), others.iter().count()));
            _ = (live.get_disjoint_mut([key, other]).is_ok(), live.borrow_many().get_mut(key).is_ok());
        }
        18 => world.sweep_with(|_, value| drop(value)),
        19 => {
            _ = (world.make_permanent(key), world.id_of(other), world.clear_temporary(), world.release_pending());
        }
        20 => world.with_jobs(64, 1, |jobs| {
            for mut job in jobs {
                job.live.iter_mut().for_each(|(key, _)| job.spawner.despawn(key));
                drop(job.spawner.try_spawn(new()));
            }
        }),
        21 => {
            let mut keys = [key, other, key];
            _ = world.clear_stale(&mut keys, |_, lost| story.keys.push(lost));
            story.keys.extend(world.id_of(other).and_then(|id| world.by_id(id)));
        }
        22 | 23 => {
            _ = world.frame(|live, spawner| {
                story.keys.push(spawner.spawn(new()));
                spawner.despawn(key);
                _ = (live.get_mut(other).is_some(), live.status(key));
            });
        }
        24 => reload(world, id),
        _ => _ = (world.reserve_handle(), world.iter().count(), world.handle_at(id % 9)),
    }
}

/// A side map whose owner has the same keys.
fn side_map(lie: Lie, seed: u32, steps: u32) -> Result<(), String> {
    ledger::reset();
    let mut owner: Pool<(), Liar> = Pool::EMPTY;
    let mut map: SideMap<Liar, Tracked> = SideMap::EMPTY;
    let mut story = Story::new(seed);
    for step in 0..steps {
        let kind = story.below(23);
        story.step(lie, |story| side_step(&mut owner, &mut map, kind, story));
        let error = |error| format!("side map, {lie:?}, seed {seed}, step {step} of kind {kind}: {error}");
        owner.validate().map_err(|fault| error(fault.to_string()))?;
        check(map.validate(), map.len()).map_err(error)?;
    }
    drop(map);
    ledger::expect(0)
}

fn side_step(owner: &mut Pool<(), Liar>, map: &mut SideMap<Liar, Tracked>, kind: u32, story: &mut Story) {
    let (key, other, id) = (story.key(), story.key(), story.id());
    let new = || Tracked::new(id);
    let dropped = |result: Result<Option<Tracked>, Rejected<Tracked>>| drop(result);
    match kind {
        0..=2 => {
            let key = owner.insert(());
            story.keys.push(key);
        }
        3 => _ = owner.remove(key),
        4..=6 => dropped(map.insert(owner, key, new())),
        7 => _ = map.entry(owner, key).map(|entry| entry.or_insert_with(new).id()),
        8 => _ = map.entry(owner, key).map(|entry| entry.and_modify(|value| _ = value.change()).handle()),
        9 => drop(map.remove(key)),
        10 => _ = map.get_disjoint_mut([key, other]).is_ok(),
        11 => map.retain(|_, value| value.id() % 4 != 0),
        12 => _ = map.retain_live(owner),
        13 => drop(map.extract_if(|_, value| value.id() % 3 == 0).collect::<Vec<_>>()),
        14 => drop(map.drain().next()),
        15 => dropped(map.insert_unowned(key, new())),
        17 => _ = map.entry_unowned(key).map(|entry| entry.or_insert_with(new).id()),
        18 => _ = map.entry_unowned(key).map(|entry| entry.or_default().change()),
        19 => story.keys.extend(join((&mut *owner, &mut *map)).map(|(key, (_, value))| (key, value.change()).0)),
        20 => _ = join((&*map, Maybe(&*owner), &*map)).map(|(key, _)| key).collect::<Vec<_>>(),
        21 => {
            reload(owner, id);
            reload(map, id);
        }
        16 => drop(map.clone().into_iter().collect::<Vec<_>>()),
        _ => _ = (map.get_mut(key).is_some(), map.contains(other), map.handle_at(id % 9), map.handles().count()),
    }
}

/// Runs a random history with keys that lie and panic, in every container.
///
/// # Errors
///
/// The fault: a container that is not valid, or a value that was leaked or dropped twice.
pub fn every_container(lie: Lie, seed: u32, steps: u32) -> Result<(), String> {
    let of_slots = [pool, stable, fixed, zii, dense, table, world, side_map];
    let of_links = [linked_pool, linked_stable, linked_dense, linked_world];
    of_slots.iter().chain(&of_links).try_for_each(|story| story(lie, seed, steps))
}
