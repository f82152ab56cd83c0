//! What was found, as text.

use std::io::{self, Write};
use std::path::Path;

use super::contents::{Contents, Frame};
use super::references::References;
use crate::cli::Kind;
use crate::heat::print;
use crate::heat::terminal::HeatMap;
use crate::heat::{Levels, SlotState};
use crate::output::{self, printable};
use crate::paint::{bad, bar, dim, good, grouped, title};

/// How many references are listed unless all are asked for.
const SOME: usize = 20;
/// How wide bars are.
const BAR: usize = 40;

/// What is told beside the contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Without them, digits tell generations apart.
    pub(super) colours: bool,
    /// Whether every reference that leads to nothing is listed.
    pub(super) all: bool,
}

/// Tells everything.
pub(super) fn tell(
    out: &mut impl Write,
    path: &Path,
    contents: &Contents,
    references: &References,
    manner: Manner,
) -> io::Result<()> {
    writeln!(out, "{}", title(format!("{}: {}", output::name(path), summary(contents))))?;
    counts(out, contents)?;
    if !contents.states.is_empty() {
        let heat = HeatMap { states: &contents.states, marked: None, colours: manner.colours };
        map(out, heat)?;
        generations(out, heat)?;
    }
    tell_references(out, references, manner.all)?;
    out.flush()
}

/// The title of a picture, which may go elsewhere without its directories.
pub(super) fn picture_title(path: &Path, contents: &Contents) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{}: {}", printable(&name), summary(contents))
}

fn summary(contents: &Contents) -> String {
    format!("{}, version {} of the saved form", kind(contents.kind), contents.version)
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Pool => "a pool",
        Kind::Table => "a table",
        Kind::World => "a world",
    }
}

fn counts(out: &mut impl Write, contents: &Contents) -> io::Result<()> {
    let mut rows = vec![
        ("slots", contents.states.len() as u64, ""),
        ("live", contents.count(|state| matches!(state, SlotState::Live(_))), ""),
        ("pending", contents.count(|state| matches!(state, SlotState::Pending(_))), ""),
        ("vacant", contents.count(|state| matches!(state, SlotState::Vacant(_))), ""),
        ("retired", contents.count(|state| matches!(state, SlotState::Retired(_))), ""),
    ];
    rows.extend(contents.limit.map(|limit| ("limit", limit.into(), "slots at most")));
    rows.extend((contents.tag != 0).then(|| ("tag", contents.tag.into(), "of all handles")));
    rows.extend(contents.frame.iter().flat_map(frame));
    for (name, count, note) in rows {
        let space = if note.is_empty() { "" } else { "  " };
        writeln!(out, "  {name:<10} {:>13}{space}{}", grouped(count), dim(note))?;
    }
    Ok(())
}

fn frame(frame: &Frame) -> [(&'static str, u64, &'static str); 7] {
    [
        ("births", frame.pending.len() as u64, "pending: live when the frame ends"),
        ("dying", frame.dying.len() as u64, "live until the frame ends"),
        ("staged", frame.staged.len() as u64, "without a handle yet"),
        ("permanent", frame.permanent.len() as u64, ""),
        ("last id", frame.last_id, ""),
        ("nursery", frame.nursery.len() as u64, "vacant, and kept for the next births"),
        ("departed", frame.departed.len() as u64, "vacant when the frame ends"),
    ]
}

fn map(out: &mut impl Write, map: HeatMap<'_>) -> io::Result<()> {
    writeln!(out, "\n{}", title("Slots"))?;
    for (first, line) in print::lines(map) {
        writeln!(out, "  {:>10}  {line}", dim(grouped(first as u64)))?;
    }
    writeln!(out, "  {:>10}  {}", "", print::legend(&map))
}

/// With the signs and colours of the map.
fn generations(out: &mut impl Write, map: HeatMap<'_>) -> io::Result<()> {
    let bars = bars(map.states);
    let most = bars.iter().map(|bar| bar.slots).max().unwrap_or(0);
    let width = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    writeln!(out, "\n{}", title("Generations"))?;
    for Bar { name, level, slots } in bars {
        let sign = level.map_or(" ".into(), |level| print::sign(map, level));
        writeln!(out, "  {sign} {name:<width$}  {} {:>13}", bar(slots, most, BAR), grouped(slots))?;
    }
    Ok(())
}

/// How many slots are of a range of generations.
#[derive(Debug, PartialEq, Eq)]
struct Bar {
    name: String,
    /// Of the colour.
    level: Option<u32>,
    slots: u64,
}

fn bars(states: &[SlotState]) -> Vec<Bar> {
    let levels = Levels::of(states);
    let count = |kind: &dyn Fn(SlotState) -> bool| states.iter().filter(|state| kind(**state)).count() as u64;
    let is_retired = |state| matches!(state, SlotState::Retired(_));
    let has_level = |state: SlotState, level| {
        !is_retired(state) && state.generation() > 0 && levels.level(state.generation()) == level
    };
    let without_level = |name: &str, slots| Bar { name: name.into(), level: None, slots };
    let never = without_level("no tenant yet", count(&|state| state.generation() == 0));
    let retired = without_level("retired", count(&is_retired));
    let used = levels.names().map(|(level, name)| {
        let slots = count(&|state| has_level(state, level));
        Bar { name, level: Some(level), slots }
    });
    [never].into_iter().chain(used).chain([retired]).filter(|bar| bar.slots > 0).collect()
}

fn tell_references(out: &mut impl Write, references: &References, all: bool) -> io::Result<()> {
    let (count, dangling) = (references.count as u64, &references.dangling);
    writeln!(out, "\n{}", title("References"))?;
    if count == 0 {
        return writeln!(out, "  none");
    }
    if dangling.is_empty() {
        return writeln!(out, "  {}", good(format!("{}, and each leads to somebody here", grouped(count))));
    }
    let nowhere = format!("{} of {} lead to nothing here", grouped(dangling.len() as u64), grouped(count));
    writeln!(out, "  {}", bad(nowhere))?;
    let listed = if all { dangling.len() } else { dangling.len().min(SOME) };
    let width = dangling[..listed].iter().map(|dangling| dangling.place.chars().count()).max().unwrap_or(0);
    for dangling in &dangling[..listed] {
        writeln!(out, "  {:<width$}  {:<12}  {}", dangling.place, dangling.handle, dim(dangling.why))?;
    }
    if listed < dangling.len() {
        writeln!(out, "  and {} more: --all lists them", grouped((dangling.len() - listed) as u64))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;

    #[test]
    fn every_slot_is_in_one_bar() {
        let states = [Live(1), Vacant(1), Vacant(0), Pending(9), Live(40), Retired(u32::MAX), Live(3)];
        let bars: Vec<_> = bars(&states).into_iter().map(|bar| (bar.name, bar.level, bar.slots)).collect();
        let expected = [
            ("no tenant yet", None, 1),
            ("v1–6", Some(0), 3),
            ("v7–12", Some(1), 1),
            ("v37–40", Some(6), 1),
            ("retired", None, 1),
        ];
        assert_eq!(bars, expected.map(|(name, level, slots)| (name.to_owned(), level, slots)));
    }
}
