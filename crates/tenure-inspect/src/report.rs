//! The results as text.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::args::{Color, InspectArgs};
use crate::contents::Contents;
use crate::heat::print::Map;
use crate::heat::{Levels, SlotState};
use crate::load::Reason;
use crate::output::{self, Width, printable};
use crate::paint::{self, bad, bar, dim, good, grouped, title};
use crate::pointer;
use crate::references::{Container, Dangling, Tally};
use crate::survey::{Refused, Survey};

/// The number of containers that are printed without `--all`.
const SOME: usize = 20;
/// The width of bars.
const BAR: usize = 36;
/// The width of the names of rows.
const NAME: usize = 13;

/// Prints everything.
pub(crate) fn write(out: &mut impl Write, args: &InspectArgs, color: Color, survey: &Survey) -> io::Result<()> {
    let width = Width::of_output(io::stdout().is_terminal());
    let colours = paint::colours_wanted(color);
    let details = args.details || (survey.shown.len() == 1 && survey.refused.is_empty());
    let mut page = Page { out, width, survey };
    page.headline(args)?;
    let most = if args.all { usize::MAX } else { SOME };
    for &number in survey.shown.iter().take(most) {
        page.container(number, details, colours)?;
    }
    page.more(survey.shown.len().saturating_sub(most), "containers")?;
    survey.refused.iter().take(most).try_for_each(|refused| page.refused(refused))?;
    page.more(survey.refused.len().saturating_sub(most), "refused containers")?;
    page.outside()?;
    survey.notes.iter().try_for_each(|note| page.note(note))?;
    page.out.flush()
}

/// The title of a picture, which may be moved elsewhere, so without directories.
pub(crate) fn picture_title(path: &Path, container: &Container) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = if container.path.is_empty() { String::new() } else { format!(" {}", container.path) };
    let (kind, version) = (container.contents.kind.name(), container.contents.version);
    format!("{}: a {kind}, version {version} of the saved form", printable(&format!("{name}{place}")))
}

struct Page<'s, W> {
    out: &'s mut W,
    width: Width,
    survey: &'s Survey,
}

impl<W: Write> Page<'_, W> {
    fn headline(&mut self, args: &InspectArgs) -> io::Result<()> {
        let total = self.survey.references.total();
        let name = self.width.cut(&output::name(&args.file), 10);
        let (format, containers) = (self.survey.format.name(), self.survey.shown.len() as u64);
        let plural =
            |count: u64, word: &str| format!("{} {word}{}", grouped(count), if count == 1 { "" } else { "s" });
        let parts = [format.to_owned(), plural(containers, "container"), plural(total.count, "reference")];
        let dangling = (total.dangling > 0).then(|| format!("{} dangling", grouped(total.dangling)));
        let parts: Vec<_> = parts.into_iter().chain(dangling).collect();
        for (nth, line) in self.width.wrap(&format!("{name}:"), &parts, 2).iter().enumerate() {
            writeln!(self.out, "{}{}", if nth == 0 { "" } else { "  " }, title(line))?;
        }
        Ok(())
    }

    fn container(&mut self, number: usize, details: bool, colours: bool) -> io::Result<()> {
        let (container, tally) = (&self.survey.containers[number], &self.survey.references.tallies[number]);
        let Container { path, is_guess, contents, .. } = container;
        let path = self.width.cut(&printable(pointer::shown(path)), 40);
        writeln!(self.out, "\n{}", title(format!("{path}: {}, version {}", contents.kind.name(), contents.version)))?;
        if *is_guess {
            self.row("found", &["by its shape, which is a guess: no field has a name here".into()])?;
        }
        self.layout(container)?;
        self.slots(contents)?;
        if let Some(frame) = &contents.frame {
            let counts = frame.rows().map(|(name, count)| match name {
                "last id" => format!("{name} {}", grouped(count)),
                _ => format!("{} {name}", grouped(count)),
            });
            self.row("frame", &counts)?;
        }
        self.references(tally, true)?;
        if details {
            self.details(contents, colours)?;
        }
        if details || contents.states.is_empty() { self.dangling(tally) } else { self.some_dangling(tally) }
    }

    fn layout(&mut self, container: &Container) -> io::Result<()> {
        let name = container.layout.name.name();
        match &container.layout.reason {
            Reason::Given => self.row("layout", &[name]),
            Reason::Usual => self.row("layout", &[format!("{name} (assumed: it fits)")]),
            Reason::Fits(why) => {
                let why = printable(why);
                self.row("layout", &[format!("{name} (a guess: it fits, and wide does not"), format!("{why})")])
            }
        }
    }

    fn slots(&mut self, contents: &Contents) -> io::Result<()> {
        let counts = contents.counts();
        let slots = grouped(contents.states.len() as u64);
        let mut parts = vec![
            format!("{slots}: {} live", grouped(counts.live)),
            format!("{} pending", grouped(counts.pending)),
            format!("{} vacant", grouped(counts.vacant)),
            format!("{} retired", grouped(counts.retired)),
        ];
        parts.extend(contents.limit.map(|limit| format!("limit {}", grouped(limit))));
        parts.extend((contents.tag != 0).then(|| format!("tag {}", contents.tag)));
        self.row("slots", &parts)?;
        let generations = match contents.generations() {
            None => "none".into(),
            Some((lowest, highest)) if lowest == highest => format!("v{lowest}"),
            Some((lowest, highest)) => format!("v{lowest} to v{highest}"),
        };
        self.row("generations", &[generations])
    }

    fn references(&mut self, tally: &Tally, has_container: bool) -> io::Result<()> {
        if tally.count == 0 {
            return self.row("references", &["none".into()]);
        }
        let mut parts = Vec::new();
        parts.extend((has_container && tally.here > 0).then(|| format!("{} here", grouped(tally.here))));
        for (&number, &count) in tally.elsewhere.iter().take(8) {
            let path = self.width.cut(&printable(pointer::shown(&self.survey.containers[number].path)), 30);
            parts.push(format!("{} in {path}", grouped(count)));
        }
        let others: u64 = tally.elsewhere.values().skip(8).sum();
        parts.extend((others > 0).then(|| format!("{} in other containers", grouped(others))));
        parts.extend((tally.ambiguous > 0).then(|| format!("{} ambiguous", grouped(tally.ambiguous))));
        parts.push(format!("{} dangling", grouped(tally.dangling)));
        parts[0] = format!("{}: {}", grouped(tally.count), parts[0]);
        self.row("references", &parts)
    }

    fn details(&mut self, contents: &Contents, colours: bool) -> io::Result<()> {
        if contents.states.is_empty() {
            return Ok(());
        }
        let map = Map { states: &contents.states, colours };
        writeln!(self.out, "\n  {}", title("slots"))?;
        for (first, line) in map.lines() {
            writeln!(self.out, "  {:>10}  {line}", dim(grouped(first as u64)))?;
        }
        writeln!(self.out, "  {:>10}  {}", "", map.legend())?;
        self.generations(map)
    }

    /// With the characters and colours of the map.
    fn generations(&mut self, map: Map<'_>) -> io::Result<()> {
        let bars = bars(map.states);
        let most = bars.iter().map(|bar| bar.slots).max().unwrap_or(0);
        let width = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        writeln!(self.out, "\n  {}", title("generations"))?;
        for Bar { name, level, slots } in bars {
            let sign = level.map_or(" ".into(), |level| map.sign(level));
            writeln!(self.out, "  {sign} {name:<width$}  {} {:>13}", bar(slots, most, BAR), grouped(slots))?;
        }
        Ok(())
    }

    /// The first few, if more than one container is printed.
    fn some_dangling(&mut self, tally: &Tally) -> io::Result<()> {
        const FEW: usize = 3;
        for dangling in tally.listed.iter().take(FEW) {
            let why = self.why(dangling);
            let place = self.width.cut(&dangling.place, NAME + 2 + dangling.handle.len() + why.len() + 5);
            let row = format!("{place}  {}  {why}", dangling.handle);
            self.row("", &[row])?;
        }
        let more = tally.dangling.saturating_sub(FEW as u64);
        if more == 0 { Ok(()) } else { self.row("", &[format!("and {} more: --details lists them", grouped(more))]) }
    }

    fn dangling(&mut self, tally: &Tally) -> io::Result<()> {
        if tally.dangling == 0 {
            let all = tally.count > 0 && tally.ambiguous == 0;
            return if all { writeln!(self.out, "\n  {}", good("every reference resolves")) } else { Ok(()) };
        }
        writeln!(self.out, "\n  {}", bad(format!("{} dangling", grouped(tally.dangling))))?;
        let rows: Vec<_> = tally.listed.iter().map(|dangling| (dangling, self.why(dangling))).collect();
        let longest = |column: &dyn Fn(&(&Dangling, String)) -> usize| rows.iter().map(column).max().unwrap_or(0);
        let handles = longest(&|(dangling, _)| output::columns(&dangling.handle)).min(30);
        let places = longest(&|(dangling, _)| output::columns(&dangling.place));
        let room = longest(&|(_, why)| output::columns(why)) + handles + 6;
        for (dangling, why) in &rows {
            let place = output::padded(&self.width.cut(&dangling.place, room), places.min(self.width.without(room)));
            let handle = output::padded(&self.width.cut(&dangling.handle, 50), handles);
            writeln!(self.out, "  {place}  {handle}  {}", dim(why))?;
        }
        let more = tally.dangling - rows.len() as u64;
        if more == 0 { Ok(()) } else { writeln!(self.out, "  and {} more: --all lists them", grouped(more)) }
    }

    fn why(&self, dangling: &Dangling) -> String {
        let container = dangling.container.map(|number| &self.survey.containers[number].path);
        match container {
            Some(path) => {
                let path = self.width.cut(&printable(pointer::shown(path)), 55);
                format!("{} in {path}", dangling.why)
            }
            None => dangling.why.to_string(),
        }
    }

    fn refused(&mut self, refused: &Refused) -> io::Result<()> {
        let path = self.width.cut(&printable(pointer::shown(&refused.path)), 40);
        let (kind, sure) = (refused.kind.name(), if refused.is_guess { "looks like a " } else { "" });
        writeln!(self.out, "\n{}", bad(format!("{path}: {sure}{kind}, refused")))?;
        self.row("reason", &[printable(&refused.why)])?;
        let line = refused.line.map(|line| format!("line {line}"));
        let place = self.width.cut(&printable(pointer::shown(&refused.place)), NAME + 20);
        self.row("place", &[place].into_iter().chain(line).collect::<Vec<_>>())
    }

    fn outside(&mut self) -> io::Result<()> {
        let survey = self.survey;
        let tally = &survey.references.outside;
        if tally.count == 0 {
            return Ok(());
        }
        writeln!(self.out, "\n{}", title("outside of containers"))?;
        self.references(tally, false)?;
        self.some_dangling(tally)
    }

    fn note(&mut self, note: &str) -> io::Result<()> {
        writeln!(self.out)?;
        let words: Vec<_> = printable(note).split(' ').map(str::to_owned).collect();
        self.width
            .wrap_words("note:", &words, 6)
            .iter()
            .enumerate()
            .try_for_each(|(nth, line)| writeln!(self.out, "{}{line}", if nth == 0 { "" } else { "      " }))
    }

    fn more(&mut self, count: usize, what: &str) -> io::Result<()> {
        if count == 0 {
            Ok(())
        } else {
            writeln!(self.out, "\nand {} more {what}: --all lists them", grouped(count as u64))
        }
    }

    /// A name, and parts that are wrapped between commas.
    fn row(&mut self, name: &str, parts: &[String]) -> io::Result<()> {
        let lines = self.width.wrap("", parts, NAME + 2);
        for (nth, line) in lines.iter().enumerate() {
            writeln!(self.out, "  {:<NAME$}{line}", if nth == 0 { name } else { "" })?;
        }
        Ok(())
    }
}

/// The number of slots in a range of generations.
#[derive(Debug, PartialEq, Eq)]
struct Bar {
    name: String,
    /// The level of the colour.
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
