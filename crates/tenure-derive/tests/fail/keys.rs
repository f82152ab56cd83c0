//! Compiler errors for keys of another type: the types of `key_type!` do not mix, in any container.

use tenure::{DensePool, Pool, Row, SideMap, StablePool, Table, World, join, key_type};

key_type! {
    struct GoblinKey;
    struct MissileKey;
}

#[derive(Row)]
struct Goblin {
    health: u8,
}

fn main() {
    let mut goblins: Pool<u8, GoblinKey> = Pool::EMPTY;
    let missiles: Pool<u8, MissileKey> = Pool::EMPTY;
    let missile = MissileKey::NIL;

    goblins.get(missile);
    let _ = goblins.insert_at(missile, 1);
    let _ = goblins.fill(missile, 1);
    let _ = &goblins[missile];
    let _: GoblinKey = missile;
    let _ = GoblinKey::NIL == missile;

    let mut gold: SideMap<GoblinKey, u32> = SideMap::EMPTY;
    gold.get(missile);
    let _ = gold.insert(&goblins, missile, 1);
    let _ = gold.insert(&missiles, GoblinKey::NIL, 1);
    let _ = gold.insert_unowned(missile, 1);
    gold.retain_live(&missiles);
    let _ = join((&missiles, &gold));

    let mut world: World<u8, GoblinKey> = World::EMPTY;
    world.get(missile);
    world.despawn(missile);
    let _ = world.insert_at(missile, 1);
    let _ = world.fill(missile, 1);
    let _ = gold.entry(&World::<u8, MissileKey>::EMPTY, GoblinKey::NIL);
    let (mut live, spawner) = world.split();
    live.get(missile);
    live.remove(missile);
    spawner.despawn(missile);
    let _ = join((&live, &SideMap::<MissileKey, u32>::EMPTY));

    let mut stable: StablePool<u8, GoblinKey> = StablePool::EMPTY;
    stable.remove(missile);

    let dense: DensePool<u8, GoblinKey> = DensePool::EMPTY;
    dense.get(missile);

    let mut table: Table<Goblin, GoblinKey> = Table::EMPTY;
    table.get(missile);
    table.remove(missile);
    let _ = table.insert_at(missile, Goblin { health: 1 });
    let _ = table.fill(missile, Goblin { health: 1 });
    table.split_columns_mut().0.row_of(missile);
    let _ = gold.insert(&Table::<Goblin, MissileKey>::EMPTY, GoblinKey::NIL, 1);
}
