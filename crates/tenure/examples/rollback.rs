//! Going back in time: a checkpoint of every frame (rollback networking), undo in an editor, and a
//! client that uses the server's handles.
//!
//! ```text
//! cargo run --release -p tenure --example rollback
//! ```

use std::collections::VecDeque;

use tenure::{Handle, Pool, Rejection, World};

/// How many frames late the other player's input may be.
const LATE: usize = 8;

#[derive(Clone, Debug, PartialEq)]
struct Ship {
    x: i64,
    shield: i64,
    target: Handle<Ship>,
}

/// The input of a player in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Input {
    thrust: i64,
    fire: bool,
}

/// The same inputs give the same world, whatever happened in between.
fn step(world: &mut World<Ship>, [mine, theirs]: [Input; 2]) {
    let (mut live, spawner) = world.split();
    for (handle, ship) in &mut live {
        ship.x += mine.thrust - theirs.thrust + 1;
        let is_missile = !ship.target.is_nil();
        if is_missile && theirs.fire {
            ship.shield -= 1;
        }
        if mine.fire && !is_missile && ship.x % 2 == 0 {
            spawner.spawn(Ship { x: ship.x, shield: 3, target: handle });
        }
        if ship.shield < 0 {
            spawner.despawn(handle);
        }
    }
    drop((live, spawner));
    world.end_frame();
}

/// A game that guesses the other player's input, and replays from the last certain frame when the
/// guess was wrong.
struct Session {
    world: World<Ship>,
    /// The world before each of the last frames, and the inputs of that frame. Their memory is
    /// reused.
    past: VecDeque<(World<Ship>, [Input; 2])>,
}

impl Session {
    fn advance(&mut self, inputs: [Input; 2]) {
        let mut checkpoint = if self.past.len() < LATE { World::new() } else { self.past.pop_front().unwrap().0 };
        // Allocates nothing once the checkpoint has been as large as the world.
        checkpoint.clone_from(&self.world);
        self.past.push_back((checkpoint, inputs));
        step(&mut self.world, inputs);
    }

    /// The other player's input was another, this many frames ago.
    fn correct(&mut self, frames_ago: usize, theirs: Input) {
        let first = self.past.len() - frames_ago;
        self.past[first].1[1] = theirs;
        self.world.clone_from(&self.past[first].0);
        for frame in first..self.past.len() {
            let inputs = self.past[frame].1;
            self.past[frame].0.clone_from(&self.world);
            step(&mut self.world, inputs);
        }
    }
}

fn fleet() -> World<Ship> {
    let mut world = World::new();
    for x in 0..20 {
        world.spawn(Ship { x, shield: 5, target: Handle::NIL });
    }
    world.end_frame();
    world
}

/// All handles and ships.
fn picture(world: &World<Ship>) -> Vec<(Handle<Ship>, Ship)> {
    world.iter().map(|(handle, ship)| (handle, ship.clone())).collect()
}

/// Two players whose inputs are late get the same world as one that had all inputs in time.
fn rollback() {
    let input = |frame: usize, salt: usize| Input {
        thrust: i64::try_from((frame * 7 + salt) % 5).unwrap_or(0),
        fire: (frame * salt + frame / 3) % 4 == 0,
    };
    let mut session = Session { world: fleet(), past: VecDeque::new() };
    let mut certain = fleet();
    for frame in 0..200 {
        session.advance([input(frame, 2), Input::default()]); // a guess: no input
        if frame >= 5 {
            session.correct(6, input(frame - 5, 3)); // the actual input, five frames late
        }
        step(&mut certain, [input(frame, 2), input(frame, 3)]);
    }
    for late in (1..=5).rev() {
        session.correct(late, input(200 - late, 3));
    }
    assert_eq!(picture(&session.world), picture(&certain), "the same handles resolve to the same ships");
    assert!(certain.handles().any(|ship| ship.generation() > 9), "missiles were spawned and despawned");
    println!("rollback: {} ships after 200 frames, each replayed five times", session.world.len());
}

/// An editor: a deleted value keeps its handle, so that an undo need not repair any reference.
fn undo() {
    let mut scene = Pool::new();
    let lamp = scene.insert("lamp");
    let deleted = scene.take(lamp).unwrap(); // the slot stays pending: the handle is not reissued
    assert_eq!(scene.get(lamp), None);
    scene.insert("table");
    scene.fill(lamp, deleted).unwrap(); // undo
    assert_eq!(scene[lamp], "lamp");

    let _deleted = scene.take(lamp);
    scene.remove(lamp); // the undo step is dropped: the slot becomes free
    assert_eq!(scene.fill(lamp, "lamp").unwrap_err().reason(), Rejection::Stale);
    println!("undo: the lamp has its old handle again");
}

/// A client that receives handles from a server stores its own copies under the same handles.
fn client_and_server() {
    let mut server = Pool::new();
    let mut client = Pool::new();
    let first = server.insert("goblin");
    server.remove(first);
    let second = server.insert("missile"); // the same slot, the next tenant
    let wire: u64 = second.to_bits();

    client.insert_at(Handle::from_bits(wire), "missile").unwrap();
    assert_eq!(client[second], "missile");
    let late = client.insert_at(first, "goblin").unwrap_err(); // a packet that arrived too late
    assert_eq!((late.reason(), late.into_inner()), (Rejection::Stale, "goblin"));
    println!("client and server: one handle for one missile");
}

pub(crate) fn main() {
    rollback();
    undo();
    client_and_server();
}
