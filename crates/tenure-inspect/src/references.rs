//! References in values: what they refer to, and which of them dangle.

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
use crate::tape::{At, Face, Tape, Value};

/// A container of a document.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    pub(crate) at: At,
    /// A JSON pointer.
    pub(crate) path: String,
    /// Whether only its shape says that it is one.
    pub(crate) is_guess: bool,
    pub(crate) layout: ChosenLayout,
    pub(crate) contents: Contents,
}

/// What was found out about the references in a container, or outside of all containers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many there are.
    pub(crate) count: u64,
    /// Those that resolve in the container that they are in.
    pub(crate) here: u64,
    /// Those that resolve in one other container, by its number.
    pub(crate) elsewhere: BTreeMap<usize, u64>,
    /// Those that resolve in more than one container, or in one other than the one that they are
    /// in, which has removed such a handle.
    pub(crate) ambiguous: u64,
    /// Those that resolve in none.
    pub(crate) dangling: u64,
    /// Some of these, or all.
    pub(crate) listed: Vec<Dangling>,
}

/// A reference that resolves in no container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dangling {
    /// Like `4v2.friends[3]`.
    pub(crate) place: String,
    /// As it is written.
    pub(crate) handle: String,
    pub(crate) why: Why,
    /// The container that says so, if it is another one.
    pub(crate) container: Option<usize>,
}

/// Why a reference dangles. The first one that any container says is the reason.
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

/// What was found out about all references of a document.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// One for each container.
    pub(crate) tallies: Vec<Tally>,
    /// Those outside of containers.
    pub(crate) outside: Tally,
    /// Names of fields that were asked for, and that no value has.
    pub(crate) unknown: BTreeSet<String>,
    /// Whether there were too many containers to look into each for every reference.
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

/// What to look for, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'t, 'a> {
    pub(crate) tape: &'t Tape<'a>,
    pub(crate) containers: &'t [Container],
    /// Without any, everything that reads like a handle counts.
    pub(crate) fields: &'t [Field],
    /// How many dangling references are listed for each container.
    pub(crate) most_listed: usize,
    /// Whether references outside of containers count.
    pub(crate) outside: bool,
}

/// How many containers are looked into for every reference; for one that resolves in none of
/// these, all are.
const MOST_SEARCHED: usize = 32;
/// How often all are.
const MOST_LOOKUPS: u64 = 200_000_000;
/// How many dangling references are kept in all.
const MOST_KEPT: usize = 1_000_000;

impl References {
    /// Looks at everything in these fields; without any, at everything.
    pub(crate) fn of(question: Question<'_, '_>) -> Self {
        let mut walk = Walk::new(question);
        for number in 0..question.containers.len() {
            walk.visit_container(number);
        }
        if question.outside {
            walk.own = None;
            walk.place.clear();
            walk.visit(Tape::ROOT, walk.everywhere, None);
        }
        walk.found
    }

    /// All tallies in one.
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

/// A reference as it is written.
#[derive(Clone, Copy, Debug)]
enum Reference<'t> {
    /// With the name around it.
    Text(Option<&'t str>, SlotName),
    Bits(u64),
}

struct Walk<'t, 'a> {
    question: Question<'t, 'a>,
    /// Whether a reference may stand anywhere.
    everywhere: bool,
    /// Whether the command line names fields, so that numbers in them are handles.
    is_certain: bool,
    /// The container whose values are visited.
    own: Option<usize>,
    /// Where it is now.
    place: String,
    /// The containers that are looked into first, the largest ones.
    searched: Vec<usize>,
    /// The containers by position, to pass over them.
    positions: BTreeMap<At, usize>,
    /// By the name of a field that they stand in.
    names: BTreeMap<String, Vec<usize>>,
    lookups: u64,
    kept: usize,
    found: References,
}

impl<'t, 'a> Walk<'t, 'a> {
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

    /// Entities without a handle. In binary formats a 0 comes first.
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

    /// `wanted`: whether a reference may stand here; `target`: which container it refers to.
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
                    self.step(format_args!("[{nth}]"), |walk| walk.visit(item, wanted, target));
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

    /// Handles may be the keys of a map, too.
    fn visit_entry(&mut self, key: At, value: At, wanted: bool, target: Option<usize>) {
        let tape = self.question.tape;
        let Some(name) = tape.text(key) else {
            let name = tape.key(key);
            return self.step(format_args!(".{name}"), |walk| {
                walk.visit(key, wanted, target);
                walk.visit(value, wanted, target);
            });
        };
        let field = self.question.fields.iter().find(|field| field.name == name);
        if field.is_some() {
            self.found.unknown.remove(name);
        }
        let (inner_wanted, inner_target) = (wanted || field.is_some(), field.map_or(target, |field| field.target));
        self.step(format_args!(".{}", Escaped(name)), |walk| {
            if wanted {
                walk.visit_text(name, target);
            }
            walk.visit(value, inner_wanted, inner_target);
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

    /// In formats that people read, a handle is never a number. Elsewhere it may be any number, and
    /// is taken for one if it is certain, or very likely.
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

    /// Whether a container has issued such a handle. Small numbers could be anything.
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

    /// A container that is named, by the command line or by the reference, is the only one that is
    /// asked.
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

    /// The containers whose field is named like the type that a reference names.
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

/// What a reference refers to.
enum Answer {
    In(usize),
    InSeveral,
    /// The container that says why.
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

/// Bits, and what they are in the usual layout.
fn bits_shown(bits: u64) -> String {
    let slot = load::slot_of_bits(bits, crate::args::LayoutName::Wide);
    slot.map_or_else(|| bits.to_string(), |slot| format!("{bits} ({slot})"))
}

/// Whether a field named `enemies` holds values of a type `Enemy`: both become `enem`.
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
