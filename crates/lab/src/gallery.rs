//! The gallery: the battle live in the terminal.
//!
//! [`state`] is the model, [`keys`] the input, [`view`] the output. Only this file uses a real
//! terminal.

mod keys;
mod specimen;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event;

use self::keys::Action;
use self::state::Gallery;
use crate::battle::Scale;
use crate::cli::{BattleArgs, Color};
use crate::paint;
use crate::story::{self, Verdict};

/// The time between two frames.
const FRAME: Duration = Duration::from_millis(50);
/// The range of the number of goblins, for all sizes of terminals.
const GOBLINS: std::ops::RangeInclusive<usize> = 100..=4_000;

/// Returns `true` if standard input and output are terminals.
pub(crate) fn is_possible() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Runs until the user quits, and then prints the counts.
pub(crate) fn run(args: &BattleArgs, color: Color) -> io::Result<Verdict> {
    let gallery = show(args, color)?;
    story::sum_up(gallery.battle(), &gallery.fought(), &mut paint::stdout(color))
}

/// Takes over the terminal, and restores it in every case: [`ratatui::try_init`] handles panics.
fn show(args: &BattleArgs, color: Color) -> io::Result<Gallery> {
    let mut terminal = ratatui::try_init()?;
    let shown = play(&mut terminal, args, paint::colours_wanted(color), &mut pressed);
    ratatui::try_restore()?;
    shown
}

/// The action of a key that is pressed within this time, if any.
fn pressed(wait: Duration) -> io::Result<Option<Action>> {
    Ok(if event::poll(wait)? { keys::action(&event::read()?) } else { None })
}

fn play<B: Backend>(
    terminal: &mut Terminal<B>,
    args: &BattleArgs,
    colours: bool,
    pressed: &mut impl FnMut(Duration) -> io::Result<Option<Action>>,
) -> io::Result<Gallery> {
    let size = terminal.size()?;
    let mut gallery = Gallery::new(scale(args, view::map_cells(size.width, size.height)));
    let end = args.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
    let is_over = |gallery: &Gallery| gallery.is_done() || end.is_some_and(|end| Instant::now() >= end);
    while !is_over(&gallery) {
        terminal.draw(|frame| view::draw(&gallery, colours, frame))?;
        attend(&mut gallery, Instant::now() + FRAME, pressed)?;
        gallery.tick();
    }
    Ok(gallery)
}

/// Handles keys until the frame is over. Their effect is visible in the next frame.
fn attend(
    gallery: &mut Gallery,
    until: Instant,
    pressed: &mut impl FnMut(Duration) -> io::Result<Option<Action>>,
) -> io::Result<()> {
    while !gallery.is_done() {
        let wait = until.saturating_duration_since(Instant::now());
        if let Some(action) = pressed(wait)? {
            gallery.act(action);
        }
        if Instant::now() >= until {
            break;
        }
    }
    Ok(())
}

/// As many creatures as the map has cells, unless a number was given.
fn scale(args: &BattleArgs, cells: usize) -> Scale {
    // One chicken for two goblins.
    let fitting = (cells * 2 / 3).clamp(*GOBLINS.start(), *GOBLINS.end());
    Scale::new(args.frames, args.enemies.map_or(fitting, |enemies| enemies as usize), args.seed)
}
