//! The gallery without a terminal: the effects of keys, and the content of the screen.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tenure::Status;

use clap::Parser;

use super::keys::Action;
use super::specimen::Trick;
use super::state::Gallery;
use super::{play, view};
use crate::battle::Scale;
use crate::cli::Cli;
use crate::heat::SlotState;

fn gallery() -> Gallery {
    Gallery::new(Scale::new(1, 280, 7))
}

fn after(frames: u32) -> Gallery {
    let mut gallery = gallery();
    (0..frames).for_each(|_| gallery.tick());
    gallery
}

fn screen(gallery: &Gallery, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(gallery, true, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| row(y) + "\n").collect()
}

/// Presses the key until the trick is shown.
fn corrupt(gallery: &mut Gallery, trick: Trick) {
    let on_the_table = |gallery: &Gallery| gallery.specimen().is_some_and(|(specimen, _)| specimen.trick == trick);
    while !on_the_table(gallery) {
        gallery.act(Action::Corrupt);
    }
}

fn status(gallery: &Gallery) -> Option<Status> {
    gallery.specimen().map(|(_, diagnosis)| diagnosis.status)
}

#[test]
fn a_pause_stops_the_battle_and_a_step_is_one_frame() {
    let mut gallery = after(5);
    gallery.act(Action::Pause);
    gallery.tick();
    assert_eq!((gallery.frame(), gallery.is_running()), (5, false));
    gallery.act(Action::Step);
    assert_eq!((gallery.frame(), gallery.is_running()), (6, false));
    gallery.act(Action::Pause);
    gallery.tick();
    assert_eq!((gallery.frame(), gallery.is_running()), (7, true));
}

#[test]
fn a_step_stops_what_runs() {
    let mut gallery = after(5);
    gallery.act(Action::Step);
    gallery.tick();
    assert_eq!(gallery.frame(), 6);
}

#[test]
fn intensity_changes_the_number_of_removals() {
    let fallen = |action: Action| {
        let mut gallery = gallery();
        (0..9).for_each(|_| gallery.act(action));
        (0..60).for_each(|_| gallery.tick());
        (gallery.churn(), gallery.battle().by_handle.referee().total().fell)
    };
    let ((least, few), (most, many)) = (fallen(Action::LessChurn), fallen(Action::MoreChurn));
    assert_eq!((least, few, most), (0, 0, 400));
    assert!(many > 1_000, "{many}");
}

#[test]
fn the_tide_leaves_slots_vacant() {
    let vacant = |frames| after(frames).slots().iter().filter(|slot| matches!(slot, SlotState::Vacant(_))).count();
    assert_eq!(vacant(0), 0);
    assert!(vacant(200) > 100);
}

#[test]
fn a_corrupted_handle_is_diagnosed() {
    let mut gallery = after(100);
    let cases = [
        (Trick::Stale, Status::Removed),
        (Trick::Index, Status::NeverIssued),
        (Trick::LiveBit, Status::Nil),
        (Trick::TooEarly, Status::Pending),
        (Trick::WornOut, Status::Retired),
    ];
    for (trick, expected) in cases {
        corrupt(&mut gallery, trick);
        assert_eq!(status(&gallery), Some(expected), "{trick:?}");
        let (_, diagnosis) = gallery.specimen().unwrap();
        assert_eq!(diagnosis.error.map(|error| error.status()), Some(expected), "{trick:?}");
    }
    for trick in [Trick::Generation, Trick::Noise] {
        corrupt(&mut gallery, trick);
        assert!(matches!(status(&gallery), Some(Status::Removed | Status::NeverIssued | Status::Nil)), "{trick:?}");
    }
}

#[test]
fn slots_used_for_specimens_are_restored() {
    let mut gallery = after(100);
    let others = |gallery: &Gallery| {
        gallery.slots().iter().filter(|slot| matches!(slot, SlotState::Pending(_) | SlotState::Retired(_))).count()
    };
    corrupt(&mut gallery, Trick::TooEarly);
    assert_eq!(others(&gallery), 1);
    for _ in 0..3 * Trick::ALL.len() {
        gallery.act(Action::Corrupt);
        gallery.tick();
    }
    corrupt(&mut gallery, Trick::Stale);
    assert_eq!(others(&gallery), 0);
}

#[test]
fn no_trick_changes_the_battle() {
    let mut gallery = gallery();
    for _ in 0..300 {
        gallery.act(Action::Corrupt);
        gallery.tick();
    }
    assert_eq!(gallery.battle().handle_in_step, 300);
    assert_eq!(gallery.battle().by_handle.roster().validate(), Ok(()));
}

#[test]
fn a_restart_resets_the_battle() {
    let mut gallery = after(50);
    gallery.act(Action::Corrupt);
    gallery.act(Action::Restart);
    assert_eq!((gallery.frame(), status(&gallery)), (0, None));
    gallery.act(Action::Quit);
    assert!(gallery.is_done());
}

#[test]
fn everything_is_on_a_small_screen() {
    let mut gallery = after(100);
    corrupt(&mut gallery, Trick::Stale);
    let screen = screen(&gallery, 80, 24);
    for words in [
        "frame 100",
        "running",
        "■■■",
        "vacant",
        "pending",
        "retired",
        "spawned",
        "died",
        "stale handles caught",
        "wrong creature found",
        "churn",
        "Removed",
        "was removed: slot",
        "space pause",
        "c corrupt",
        "q quit",
    ] {
        assert!(screen.contains(words), "{words:?} is not on\n{screen}");
    }
}

#[test]
fn the_screen_explains_stale_handles() {
    assert!(screen(&after(3), 80, 24).contains("caught: a lookup of a dead creature returned None"));
    let mut gallery = after(3);
    gallery.act(Action::Help);
    assert!(screen(&gallery, 80, 24).contains("Stale handle caught"));
}

#[test]
fn any_size_is_drawn() {
    let mut gallery = after(20);
    for help in [false, true] {
        corrupt(&mut gallery, Trick::WornOut);
        for (width, height) in [(1, 1), (3, 2), (20, 5), (40, 10), (60, 16), (79, 23), (80, 24), (200, 60), (400, 9)]
        {
            let screen = screen(&gallery, width, height);
            assert!(width < 20 || height < 2 || screen.contains("quit") || help, "{width}×{height}\n{screen}");
        }
        gallery.act(Action::Help);
    }
}

#[test]
fn many_creatures_share_cells() {
    let crowd = Gallery::new(Scale::new(1, 20_000, 7));
    let screen = screen(&crowd, 80, 24);
    assert!(screen.contains("slots: v1 ■"), "{screen}");
}

#[test]
fn keys_reach_the_gallery_until_the_user_quits() {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut keys = [Action::Step, Action::Step, Action::Corrupt, Action::Quit, Action::Restart].into_iter();
    let gallery = play(&mut terminal, &Cli::parse_from(["lab"]).battle, true, &mut |_| Ok(keys.next())).unwrap();
    assert!(gallery.is_done());
    assert_eq!((gallery.frame(), status(&gallery)), (2, Some(Status::Removed)));
    assert_eq!(keys.next(), Some(Action::Restart));
}

#[test]
fn the_map_is_full_at_the_start_and_has_a_cell_per_creature() {
    for (width, height) in [(60, 18), (80, 24), (120, 40)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut leave = |_| Ok(Some(Action::Quit));
        let gallery = play(&mut terminal, &Cli::parse_from(["lab"]).battle, true, &mut leave).unwrap();
        let (cells, slots) = (view::map_cells(width, height), gallery.slots().len());
        assert!(slots <= cells && cells - slots < 3, "{width}×{height}: {slots} of {cells}");
    }
}
