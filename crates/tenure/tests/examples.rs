//! The examples check their own references; here they run as tests, the large one with fewer rows.
#![expect(clippy::duplicate_mod, reason = "two examples share a game")]

#[path = "../examples/asteroids.rs"]
mod asteroids;
#[path = "../examples/deck.rs"]
mod deck;
#[path = "../examples/goblin.rs"]
mod goblin;
#[path = "../examples/goblin_threads.rs"]
mod goblin_threads;
#[path = "../examples/particles.rs"]
#[expect(dead_code, reason = "its `main` takes seconds")]
mod particles;
#[path = "../examples/prefab.rs"]
mod prefab;
#[path = "../examples/rollback.rs"]
mod rollback;
#[path = "../examples/upload.rs"]
mod upload;

#[test]
fn asteroids_with_systems_saves_and_rollback() {
    asteroids::main();
}

#[test]
fn deck_of_cards() {
    deck::main();
}

#[test]
fn missile_jar_and_goblin() {
    goblin::main();
}

#[test]
fn missile_jar_and_goblin_with_two_threads() {
    goblin_threads::main();
}

#[test]
fn prefabs_and_loading() {
    prefab::main();
}

#[test]
fn rollback_undo_and_a_client() {
    rollback::main();
}

#[test]
fn upload_to_a_gpu() {
    upload::main();
}

#[test]
fn particles_sorted_by_cell() {
    let mut simulation = particles::Simulation::new(20_000);
    simulation.run(90);
    assert!(simulation.check() > 10_000, "most partners are live");
}
