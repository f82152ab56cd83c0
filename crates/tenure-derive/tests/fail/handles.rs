//! Compiler errors for handles of the wrong kind, and for types in the wrong place.

use tenure::join::Maybe;
use tenure::{Compact, DensePool, Handle, Pool, SideMap, Table, join};

struct Goblin;
struct Missile;

struct NoRow;

fn layout(_: Handle<Goblin, u32>) {}

fn row(_: Table<NoRow>) {}

fn main() {
    let goblins: Pool<Goblin> = Pool::new();
    let missiles: Pool<Missile> = Pool::new();
    let missile: Handle<Missile> = Handle::NIL;

    goblins.get(missile);
    let _ = &goblins[missile];
    let _ = &goblins[0];
    let small: Handle<Missile, Compact> = missile;

    let mut gold: SideMap<Handle<Goblin>, u32> = SideMap::new();
    let _ = gold.insert(&missiles, Handle::NIL, 1);
    let _ = join((&goblins, &SideMap::<Handle<Missile>, u32>::new()));
    let _ = join((Maybe(&gold), &goblins));

    let mut dense = DensePool::from([1, 2]);
    let _ = dense.following(|from, to| {});
}
