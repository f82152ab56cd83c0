//! The promise, measured: with serial numbers, and against a battle whose names are never reused.

use super::creature::Kind;
use super::referee::{Counts, Jars};
use super::*;

/// Small and crowded: slots are reused all the time.
fn skirmish(seed: u64) -> Scale {
    Scale::new(80, 300, seed)
}

/// Fights a battle, and calls `look` after every frame.
fn fight(scale: Scale, mut look: impl FnMut(u32, &Battle)) -> Battle {
    let mut battle = Battle::new(scale);
    for frame in 1..=scale.frames {
        battle.frame();
        look(frame, &battle);
    }
    battle
}

fn mistakes(counts: Counts) -> u64 {
    counts.misled + counts.wrong_hits + counts.chickens_hit
}

#[test]
fn by_handle_there_are_no_mistakes() {
    for seed in 0..40 {
        let battle = fight(skirmish(seed), |frame, battle| {
            assert_eq!(mistakes(battle.by_handle.referee().now()), 0, "seed {seed}, frame {frame}");
            assert_eq!(battle.by_handle.inspect_jars(), Jars::default(), "seed {seed}, frame {frame}");
        });
        let total = battle.by_handle.referee().total();
        assert!(total.hits > 0 && total.caught > 0, "seed {seed} tested nothing: {total:?}");
        assert_eq!(battle.by_handle.roster().validate(), Ok(()), "seed {seed}");
    }
}

#[test]
fn by_handle_the_battle_equals_the_reference_event_by_event() {
    for seed in 0..40 {
        let battle = fight(skirmish(seed), |_, _| ());
        assert_eq!(battle.handle_in_step, 80, "seed {seed}");
        assert_eq!(battle.by_handle.referee().total(), battle.by_serial.referee().total(), "seed {seed}");
    }
}

#[test]
fn by_index_names_resolve_to_wrong_creatures() {
    for seed in 0..40 {
        let battle = fight(skirmish(seed), |_, _| ());
        let (total, jars) = (battle.by_index.referee().total(), battle.by_index.inspect_jars());
        assert!(total.wrong_hits > 0 && total.chickens_hit > 0, "seed {seed}: {total:?}");
        assert!(jars.with_another > 0, "seed {seed}: {jars:?}");
    }
}

#[test]
fn the_battles_are_equal_until_a_name_resolves_wrongly() {
    for seed in 0..40 {
        let mut innocent = 0;
        let battle = fight(skirmish(seed), |frame, battle| {
            if battle.by_index.referee().total().misled == 0 {
                innocent = frame;
            }
        });
        assert_eq!(battle.index_in_step, innocent, "seed {seed}");
    }
}

#[test]
fn spawns_balance_removals_on_all_fields() {
    fight(skirmish(1), |frame, battle| {
        let all = [battle.by_handle.referee(), battle.by_index.referee(), battle.by_serial.referee()];
        assert!(all.iter().all(|referee| referee.now().spawned == referee.now().fell), "frame {frame}");
    });
}

#[test]
fn a_seed_determines_the_battle() {
    let prints = |seed| {
        let battle = fight(skirmish(seed), |_, _| ());
        [battle.by_handle.referee().fingerprint(), battle.by_index.referee().fingerprint()]
    };
    assert_eq!(prints(3), prints(3));
    assert_ne!(prints(3), prints(4));
}

#[test]
fn a_battle_may_be_tiny() {
    for goblins in 1..=3 {
        let battle = fight(Scale::new(200, goblins, 5), |_, _| ());
        assert_eq!((battle.handle_in_step, mistakes(battle.by_handle.referee().total())), (200, 0));
    }
}

#[test]
fn only_the_handle_of_the_jar_does_not_resolve() {
    assert_eq!(OneJar::play::<ByIndex>().carrier, Some(Kind::Chicken));
    assert_eq!(OneJar::play::<BySerial>().carrier, None);
    let by_handle = OneJar::play::<ByHandle>();
    assert_eq!(by_handle.carrier, None);
    assert_eq!(by_handle.why.and_then(|why| why.tenants_ago()), Some(1));
}
