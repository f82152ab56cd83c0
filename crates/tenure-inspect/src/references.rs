//! References in values: what they resolve to, and which of them dangle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use crate::args::Kind;
use crate::contents::Contents;
use crate::form::{self, WORLD};
use crate::heat::SlotState;
use crate::load::{self, ChosenLayout};
use crate::name::SlotName;
use crate::output::printable;
use crate::pointer;
use crate::progress::Progress;
use crate::tape::{At, Face, Tape, Value};

/// A container of a document.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    pub(crate) at: At,
    /// A JSON pointer.
    pub(crate) path: String,
    /// Whether it was recognised by its shape only.
    pub(crate) is_guess: bool,
    pub(crate) layout: ChosenLayout,
    pub(crate) contents: Contents,
}

/// Counts of the references in a container, or outside of all containers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// All references.
    pub(crate) count: u64,
    /// Those that resolve in the container that they are in.
    pub(crate) here: u64,
    /// Those that resolve in one other container, by its number.
    pub(crate) elsewhere: BTreeMap<usize, u64>,
    /// Those that resolve in more than one container, or in one other than their own, which has
    /// removed such a handle.
    pub(crate) ambiguous: u64,
    /// Those that resolve in no container.
    pub(crate) dangling: u64,
    /// Some of these, or all.
    pub(crate) listed: Vec<Dangling>,
}

/// A reference that resolves in no container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dangling {
    /// Like `4v2.friends[3]`.
    pub(crate) place: String,
    /// The text in the document.
    pub(crate) handle: String,
    pub(crate) why: Why,
    /// The container that determined the reason, if it is another one.
    pub(crate) container: Option<usize>,
}

/// Why a reference dangles. The first reason in this order that any container gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    /// The value was removed.
    Removed,
    /// Its tag is not that of the container.
    OtherTag,
    /// The container has not issued such a handle.
    NeverIssued,
}

impl Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Removed => "removed",
            Self::OtherTag => "has another tag",
            Self::NeverIssued => "never issued",
        })
    }
}

/// The counts of all references of a document.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// One for each container.
    pub(crate) tallies: Vec<Tally>,
    /// References outside of containers.
    pub(crate) outside: Tally,
    /// Fields of `--refs` that no value has.
    pub(crate) unknown: BTreeSet<String>,
    /// Whether there were too many containers to search all of them for every reference.
    pub(crate) is_cut_short: bool,
}

/// A field that holds references, and the container that they refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) target: Option<usize>,
}

/// The name that stands for all fields, and for values that are references themselves.
pub(crate) const EVERYTHING: &str = "*";

/// What to search, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'t, 'a> {
    pub(crate) tape: &'t Tape<'a>,
    pub(crate) containers: &'t [Container],
    /// If empty, everything that reads like a handle counts.
    pub(crate) fields: &'t [Field],
    /// The number of dangling references to list for each container.
    pub(crate) most_listed: usize,
    /// Whether references outside of containers count.
    pub(crate) outside: bool,
    pub(crate) progress: &'t Progress,
}

/// The number of containers that are searched for every reference; if it resolves in none of these,
/// all are searched.
const MOST_SEARCHED: usize = 32;
/// The limit on searches of all containers.
const MOST_LOOKUPS: u64 = 200_000_000;
/// The number of slots between two updates of the progress bar.
const SLOTS_PER_TICK: usize = 256;
/// The limit on stored dangling references.
const MOST_KEPT: usize = 1_000_000;

impl References {
    /// Searches everything in these fields; without any, everything.
    pub(crate) fn of(question: Question<'_, '_>) -> Self {
        let mut search = Search::new(question);
        question.progress.begin("resolving references");
        for number in 0..question.containers.len() {
            search.visit_container(number);
        }
        if question.outside {
            search.own = None;
            search.place.clear();
            search.visit(Tape::ROOT, search.everywhere, None);
        }
        search.found
    }

    /// The sum of all counts.
    pub(crate) fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.tallies.iter().chain([&self.outside]) {
            total.count += tally.count;
            total.ambiguous += tally.ambiguous;
            total.dangling += tally.dangling;
        }
        total
    }
}

/// A reference in the document.
#[derive(Clone, Copy, Debug)]
enum Reference<'t> {
    /// With the name around it.
    Text(Option<&'t str>, SlotName),
    Bits(u64),
}

struct Search<'t, 'a> {
    question: Question<'t, 'a>,
    /// Whether a reference may be in any field.
    everywhere: bool,
    /// Whether `--refs` names fields, so that numbers in them are handles.
    is_certain: bool,
    /// The container whose values are visited.
    own: Option<usize>,
    /// The current path.
    place: String,
    /// The containers that are searched first: the largest ones.
    searched: Vec<usize>,
    /// The containers by position, to skip them.
    positions: BTreeMap<At, usize>,
    /// The containers by the name of their field.
    names: BTreeMap<String, Vec<usize>>,
    lookups: u64,
    kept: usize,
    found: References,
}

impl<'t, 'a> Search<'t, 'a> {
    fn new(question: Question<'t, 'a>) -> Self {
        let Question { containers, fields, .. } = question;
        let mut searched: Vec<_> = (0..containers.len()).collect();
        searched.sort_by_key(|&number| std::cmp::Reverse(containers[number].contents.states.len()));
        searched.truncate(MOST_SEARCHED);
        let mut names = BTreeMap::<_, Vec<_>>::new();
        for (number, container) in containers.iter().enumerate() {
            names
                .entry(type_like(&pointer::last_name(&container.path).unwrap_or_default()))
                .or_default()
                .push(number);
        }
        let unknown = fields.iter().map(|field| &field.name).filter(|name| *name != EVERYTHING).cloned().collect();
        let tallies = vec![Tally::default(); containers.len()];
        Self {
            question,
            everywhere: fields.is_empty() || fields.iter().any(|field| field.name == EVERYTHING),
            is_certain: !fields.is_empty(),
            own: None,
            place: String::new(),
            searched,
            positions: containers.iter().enumerate().map(|(number, container)| (container.at, number)).collect(),
            names,
            lookups: 0,
            kept: 0,
            found: References { tallies, unknown, ..References::default() },
        }
    }

    fn visit_container(&mut self, number: usize) {
        let (tape, container) = (self.question.tape, &self.question.containers[number]);
        let Container { at, contents, .. } = container;
        self.own = Some(number);
        let slots = form::slots(tape, *at).into_iter().flat_map(|slots| tape.parts(slots).enumerate());
        for (place, slot) in slots {
            if place % SLOTS_PER_TICK == 0 {
                self.question.progress.at_part(slot, tape.len());
                self.question.progress.tick();
            }
            let slot = form::slot(tape, slot, contents.kind, place, contents.tag);
            if let Some((name, value)) = slot.and_then(|slot| slot.value.map(|value| (slot.name, value))) {
                self.place = name.to_string();
                self.visit(value, self.everywhere, None);
            }
        }
        if contents.kind == Kind::World {
            self.visit_staged(*at);
        }
    }

    /// Entities without a handle. In binary formats a 0 precedes each.
    fn visit_staged(&mut self, at: At) {
        let tape = self.question.tape;
        let Some(staged) = form::field(tape, at, &WORLD, "staged") else { return };
        let is_readable = load::is_readable(tape, at);
        for (nth, entity) in tape.parts(staged).enumerate() {
            let value = if is_readable { Some(entity) } else { tape.parts(entity).nth(1) };
            self.place = format!("staged[{nth}]");
            value.into_iter().for_each(|value| self.visit(value, self.everywhere, None));
        }
    }

    /// `wanted`: whether a reference may be here; `target`: the container that it refers to.
    fn visit(&mut self, at: At, wanted: bool, target: Option<usize>) {
        if self.positions.contains_key(&at) {
            return;
        }
        let tape = self.question.tape;
        match tape.value(at) {
            Value::Text(text) if wanted => self.visit_text(text, target),
            Value::Uint(bits) if wanted => self.visit_number(bits, target),
            Value::List => {
                for (nth, item) in tape.parts(at).enumerate() {
                    self.step(format_args!("[{nth}]"), |search| search.visit(item, wanted, target));
                }
            }
            Value::Map => {
                for (key, value) in tape.entries(at) {
                    self.visit_entry(key, value, wanted, target);
                }
            }
            _ => {}
        }
    }

    /// Handles may be keys of a map, too.
    fn visit_entry(&mut self, key: At, value: At, wanted: bool, target: Option<usize>) {
        let tape = self.question.tape;
        let Some(name) = tape.text(key) else {
            let name = tape.key(key);
            return self.step(format_args!(".{name}"), |search| {
                search.visit(key, wanted, target);
                search.visit(value, wanted, target);
            });
        };
        let field = self.question.fields.iter().find(|field| field.name == name);
        if field.is_some() {
            self.found.unknown.remove(name);
        }
        let (inner_wanted, inner_target) = (wanted || field.is_some(), field.map_or(target, |field| field.target));
        self.step(format_args!(".{}", Escaped(name)), |search| {
            if wanted {
                search.visit_text(name, target);
            }
            search.visit(value, inner_wanted, inner_target);
        });
    }

    fn step(&mut self, step: fmt::Arguments<'_>, go: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        // Writing into a string cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.place, step);
        go(self);
        self.place.truncate(length);
    }

    fn visit_text(&mut self, text: &str, target: Option<usize>) {
        if let Some((name, slot)) = SlotName::of_handle(text) {
            self.check(Reference::Text(name, slot), target, || printable(text));
        }
    }

    /// In human-readable formats, a handle is never a number. Elsewhere any number may be one, and
    /// counts as one if that is certain, or very likely.
    fn visit_number(&mut self, bits: u64, target: Option<usize>) {
        let is_handle = match self.question.tape.face {
            _ if bits == 0 => false,
            Face::Readable => false,
            Face::Snapshot => true,
            Face::Binary => self.is_certain || self.was_issued(bits),
        };
        if is_handle {
            self.check(Reference::Bits(bits), target, || bits_shown(bits));
        }
    }

    /// Returns `true` if a container has issued such a handle. Small numbers are ignored, because
    /// they occur everywhere.
    fn was_issued(&self, bits: u64) -> bool {
        let issued = |&number: &usize| {
            let container = &self.question.containers[number];
            let slot = load::slot_of_bits(bits, container.layout.name);
            slot.is_some_and(|slot| {
                let state = container.contents.states.get(slot.index as usize);
                slot.tag == container.contents.tag && state.is_some_and(|state| slot.generation <= state.generation())
            })
        };
        bits > u64::from(u32::MAX) && self.own.iter().chain(&self.searched).any(issued)
    }

    fn check(&mut self, reference: Reference<'_>, target: Option<usize>, shown: impl FnOnce() -> String) {
        let answer = self.resolve(reference, target);
        let own = self.own;
        let tally = match own {
            Some(own) => &mut self.found.tallies[own],
            None => &mut self.found.outside,
        };
        tally.count += 1;
        match answer {
            Answer::In(number) if own == Some(number) => tally.here += 1,
            Answer::In(number) => *tally.elsewhere.entry(number).or_default() += 1,
            Answer::InSeveral => tally.ambiguous += 1,
            Answer::Nowhere(why, container) => {
                tally.dangling += 1;
                if tally.listed.len() < self.question.most_listed && self.kept < MOST_KEPT {
                    self.kept += 1;
                    let place = self.place.strip_prefix('.').unwrap_or(&self.place).to_owned();
                    let container = container.filter(|_| container != own);
                    tally.listed.push(Dangling { place, handle: shown(), why, container });
                }
            }
        }
    }

    /// If the command line or the reference names a container, only that one is searched.
    fn resolve(&mut self, reference: Reference<'_>, target: Option<usize>) -> Answer {
        if let Some(target) = target {
            return self.ask(reference, [target].into_iter());
        }
        if let Some(named) = self.named(reference) {
            return self.ask(reference, named.iter().copied());
        }
        let own = self.own;
        let others = self.searched.iter().copied().filter(|&number| Some(number) != own);
        match self.ask(reference, own.into_iter().chain(others)) {
            Answer::Nowhere(why, container) if self.searched.len() < self.question.containers.len() => {
                self.ask_all(reference).unwrap_or(Answer::Nowhere(why, container))
            }
            answer => answer,
        }
    }

    /// The containers in fields named like the type in the reference.
    fn named(&self, reference: Reference<'_>) -> Option<&Vec<usize>> {
        match reference {
            Reference::Text(Some(name), _) => self.names.get(&type_like(name)),
            _ => None,
        }
    }

    fn ask_all(&mut self, reference: Reference<'_>) -> Option<Answer> {
        self.lookups += self.question.containers.len() as u64;
        if self.lookups > MOST_LOOKUPS {
            self.found.is_cut_short = true;
            return None;
        }
        Some(self.ask(reference, 0..self.question.containers.len()))
    }

    fn ask(&self, reference: Reference<'_>, numbers: impl Iterator<Item = usize>) -> Answer {
        let (mut found, mut reason) = (None, None);
        for number in numbers {
            match why_dangling(&self.question.containers[number], reference) {
                None if found.is_some() => return Answer::InSeveral,
                None => found = Some(number),
                Some(why) if reason.is_none_or(|(before, _)| why < before) => reason = Some((why, number)),
                Some(_) => {}
            }
        }
        match (found, reason) {
            // It may be stale in its own container, or refer to the other one.
            (Some(_), Some((Why::Removed, number))) if Some(number) == self.own => Answer::InSeveral,
            (Some(number), _) => Answer::In(number),
            (None, Some((why, number))) => Answer::Nowhere(why, Some(number)),
            (None, None) => Answer::Nowhere(Why::NeverIssued, None),
        }
    }
}

/// The result of a search.
enum Answer {
    In(usize),
    InSeveral,
    /// The container that determined the reason.
    Nowhere(Why, Option<usize>),
}

fn why_dangling(container: &Container, reference: Reference<'_>) -> Option<Why> {
    let slot = match reference {
        Reference::Text(_, slot) => slot,
        Reference::Bits(bits) => match load::slot_of_bits(bits, container.layout.name) {
            Some(slot) => slot,
            None => return Some(Why::NeverIssued),
        },
    };
    let state = container.contents.states.get(slot.index as usize);
    match state {
        _ if slot.tag != container.contents.tag => Some(Why::OtherTag),
        Some(SlotState::Live(current) | SlotState::Pending(current)) if *current == slot.generation => None,
        Some(state) if slot.generation <= state.generation() => Some(Why::Removed),
        _ => Some(Why::NeverIssued),
    }
}

/// Bits, and their meaning in the default layout.
fn bits_shown(bits: u64) -> String {
    let slot = load::slot_of_bits(bits, crate::args::LayoutName::Wide);
    slot.map_or_else(|| bits.to_string(), |slot| format!("{bits} ({slot})"))
}

/// A common form of the name of a field and of a type: `enemies` and `Enemy` both become `enem`.
fn type_like(name: &str) -> String {
    let bare = name.rsplit("::").next().unwrap_or(name);
    let mut plain: String = bare.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for ending in ["ies", "es", "s", "y", "e"] {
        if plain.len() > ending.len() + 1 && plain.ends_with(ending) {
            plain.truncate(plain.len() - ending.len());
            break;
        }
    }
    plain
}

/// A name of a field, as [`printable`] text.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.0.bytes().all(|byte| byte.is_ascii_graphic());
        if is_plain { f.write_str(self.0) } else { f.write_str(&printable(self.0)) }
    }
}
