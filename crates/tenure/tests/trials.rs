//! What programs that were written from the documentation alone could not do, and can do now.
#![cfg(all(feature = "derive", feature = "serde"))]

use tenure::table::Chunk;
use tenure::{DensePool, FixedPool, Handle, Pool, Row, SideMap, StablePool, Table, World};

#[derive(Clone, Debug, Row)]
struct Creature {
    x: f32,
    mate: Handle<Creature>,
}

fn herd() -> Table<Creature> {
    let mut herd = Table::new();
    let first = herd.insert(Creature { x: 0.0, mate: Handle::NIL });
    let second = herd.insert(Creature { x: 10.0, mate: first });
    herd.insert(Creature { x: 4.0, mate: second });
    herd
}

/// Every creature steers towards its mate: lookups by handle while a column is changed.
#[test]
fn a_table_is_looked_up_while_its_columns_are_changed() {
    let mut table = herd();
    let (rows, CreatureColumnsMut { x, mate }) = table.split_columns_mut();
    for row in 0..x.len() {
        if let Some(other) = rows.row_of(mate[row]) {
            x[row] += (x[other] - x[row]) / 2.0;
        }
    }
    assert_eq!(table.columns().x, [0.0, 5.0, 4.5]);
}

/// The same in pieces, which may be on several threads: only the row's number is known there.
#[test]
fn a_table_is_looked_up_while_its_chunks_are_changed() {
    let mut table = herd();
    for Chunk { rows, columns, .. } in table.chunks_mut(2) {
        let CreatureColumnsMut { x, mate } = columns;
        for (x, mate) in x.iter_mut().zip(mate) {
            *x = rows.row_of(*mate).map_or(-1.0, |row| f32::from(u8::try_from(row).unwrap()));
        }
    }
    assert_eq!(table.columns().x, [-1.0, 0.0, 1.0]);
}

/// A scene is saved while the undo list holds nodes, and loaded without the list.
#[test]
fn slots_of_a_lost_undo_list_are_released() {
    macro_rules! check {
        ($($Type:ident)*) => {$({
            let mut scene = $Type::from(["car", "wheel"]);
            let car = scene.handle_at(0).unwrap();
            assert_eq!(scene.take(car), Some("car"));
            let save = serde_json::to_string(&scene).unwrap();
            let mut loaded: $Type<&str> = serde_json::from_str(&save).unwrap();
            assert_eq!(loaded.stats().pending, 1);
            assert!(loaded.pending_handles().eq([car]));
            assert_eq!(loaded.release_pending(), 1);
            assert_eq!((loaded.stats().pending, loaded.fill(car, "car").is_err()), (0, true));
            loaded.validate().unwrap();
        })*};
    }
    check!(Pool StablePool DensePool World);
}

mod list {
    //! A public list whose nodes are private: its keys are types of their own.
    use tenure::{Pool, key_type};

    key_type! {
        /// A place in a list.
        pub struct Place: Node;
    }

    struct Node(String, Option<Place>);

    pub(super) struct List {
        nodes: Pool<Node, Place>,
        head: Option<Place>,
    }

    impl List {
        pub(super) fn new() -> Self {
            Self { nodes: Pool::EMPTY, head: None }
        }

        pub(super) fn push(&mut self, text: &str) -> Place {
            let place = self.nodes.insert(Node(text.into(), self.head));
            self.head = Some(place);
            place
        }

        pub(super) fn next(&self, place: Place) -> Option<&str> {
            self.nodes.get(self.nodes.get(place)?.1?).map(|node| node.0.as_str())
        }
    }
}

#[test]
fn a_public_key_does_not_show_the_private_type() {
    let mut list = list::List::new();
    let first = list.push("a");
    let second = list.push("b");
    assert_eq!((list.next(second), list.next(first), second.to_string()), (Some("a"), None, "Node(1v1)".into()));
}

struct Tag;

/// With a key of one's own, every container can be made: in a `static`, and with a capacity.
#[test]
fn containers_with_other_handles_are_made_in_every_way() {
    static IN_STATIC: FixedPool<u8, 4, Handle<Tag>> = FixedPool::EMPTY;
    assert!(IN_STATIC.is_empty());
    let mut pool: Pool<u8, Handle<Tag>> = Pool::with_capacity_and_key(10);
    let seven = pool.insert(7);
    let mut names: SideMap<Handle<Tag>, &str> = SideMap::with_capacity(10);
    names.insert(&pool, seven, "seven").unwrap();
    assert_eq!((pool[seven], names[seven]), (7, "seven"));
    assert!(World::<u8, Handle<Tag>>::with_capacity_and_key(10).is_empty());
    assert!(DensePool::<u8, Handle<Tag>>::EMPTY.is_empty());
}

/// A client mirrors the world of a server under the server's handles.
#[test]
fn a_client_mirrors_a_world() {
    let (mut server, mut client) = (World::new(), World::<String>::new());
    let orcs: Vec<_> = (0..5).map(|number| server.spawn(format!("orc {number}"))).collect();
    server.end_frame();
    server.despawn(orcs[2]);
    server.end_frame();
    let late = server.spawn("late".into());
    server.end_frame();
    for (handle, entity) in &server {
        client.insert_at(Handle::from_bits(handle.to_bits()), entity.clone()).unwrap();
    }
    client.end_frame();
    assert_eq!(client[late], "late");
    assert_eq!(client.get(orcs[2]), None);
    assert!(client.iter().eq(server.iter()));
}
