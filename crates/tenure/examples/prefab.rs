//! A goblin camp that is copied, saved and loaded, with the references between its goblins kept
//! intact.
//!
//! Entities refer to each other by handle. Goblins that are copied by `clone` alone would obey the
//! chief of the *first* camp. `copy_group` relinks references within the group to the copies, and
//! keeps those to the outside. `merge` does so for a whole world.
//!
//! ```text
//! cargo run --release -p tenure --features derive,relink --example prefab
//! ```

use tenure::{Handle, Relink, World};

type Link = Handle<Entity>;

#[derive(Clone, Relink)]
struct Entity {
    name: String,
    role: Role,
}

#[derive(Clone, Relink)]
enum Role {
    River,
    Chief { drinks_from: Link, band: Vec<Link> },
    Goblin { chief: Link, carries: Option<Link> },
    Jar { filled_by: Option<Link> },
}

fn spawn(world: &World<Entity>, name: &str, role: Role) -> Link {
    world.spawn(Entity { name: name.to_owned(), role })
}

/// Spawns a chief, two goblins, and a jar that one of them carries. The chief comes first.
fn camp(world: &mut World<Entity>, river: Link) -> Vec<Link> {
    let chief = spawn(world, "chief", Role::Chief { drinks_from: river, band: Vec::new() });
    let jar = spawn(world, "jar", Role::Jar { filled_by: Some(chief) });
    let grik = spawn(world, "Grik", Role::Goblin { chief, carries: Some(jar) });
    let snag = spawn(world, "Snag", Role::Goblin { chief, carries: None });
    world[chief].role = Role::Chief { drinks_from: river, band: vec![grik, snag] };
    vec![chief, jar, grik, snag]
}

/// Checks that every goblin in the chief's band obeys this chief, and that the chief drinks from
/// this river.
fn check_camp(world: &World<Entity>, chief: Link, river: Link) {
    let Role::Chief { drinks_from, band } = &world[chief].role else {
        panic!("{} is not a chief", world[chief].name)
    };
    assert_eq!(*drinks_from, river);
    for &goblin in band.iter().filter(|goblin| !goblin.is_nil()) {
        let Role::Goblin { chief: obeys, carries } = world[goblin].role else { panic!("not a goblin") };
        assert_eq!(obeys, chief, "{} obeys another chief", world[goblin].name);
        if let Some(jar) = carries {
            assert!(matches!(world[jar].role, Role::Jar { filled_by: Some(by) } if by == chief));
        }
    }
}

/// Runs the example.
pub(crate) fn main() {
    let mut world = World::new();
    let river = spawn(&world, "river", Role::River);
    let first = camp(&mut world, river);
    world.end_frame();

    // The camp as a prefab: two copies. All camps drink from the same river.
    let mut chiefs = vec![first[0]];
    for _ in 0..2 {
        let copies = world.copy_group(&first).expect("there is room");
        chiefs.push(copies.new_handle(first[0]).expect("the chief is in the group"));
    }
    world.end_frame();
    chiefs.iter().for_each(|&chief| check_camp(&world, chief, river));
    println!("{} camps, {} entities, one river", chiefs.len(), world.len());

    // In the saved world one goblin was despawned, so a reference dangles.
    let mut saved = World::new();
    let pond = spawn(&saved, "pond", Role::River);
    let theirs = camp(&mut saved, pond);
    saved.end_frame();
    saved.despawn(theirs[3]);
    saved.end_frame();
    println!("dangling references before loading:");
    saved.audit().iter().for_each(|dangling| println!("  {dangling}"));

    // It is loaded into a world that is not empty: entities get new handles, and every reference is
    // relinked before the first frame.
    let loaded = world.merge(&mut saved).expect("there is room");
    let (chief, pond) = (loaded.new_handle(theirs[0]).unwrap(), loaded.new_handle(pond).unwrap());
    assert_eq!(loaded.cleared().len(), 1);
    println!("loaded {} entities; cleared:", loaded.pairs::<Handle<Entity>>().len());
    loaded.cleared().iter().for_each(|dangling| println!("  {dangling}"));
    world.end_frame();
    check_camp(&world, chief, pond);
    chiefs.iter().for_each(|&chief| check_camp(&world, chief, river));
    assert!(world.audit().is_empty(), "no reference dangles");
    println!("{} entities, and every reference resolves", world.len());
}
