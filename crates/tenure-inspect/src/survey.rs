//! Everything about a document, before it is printed.

use std::path::Path;

use crate::args::{Format, InspectArgs, Kind};
use crate::contents::Contents;
use crate::error::InspectError;
use crate::find::{self, Candidate, Candidates};
use crate::form;
use crate::format;
use crate::load;
use crate::paint::grouped;
use crate::pointer;
use crate::progress::Progress;
use crate::references::{Container, EVERYTHING, Field, Question, References};
use crate::tape::read::Refusal;
use crate::tape::{At, Tape};

/// The results.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) format: Format,
    pub(crate) containers: Vec<Container>,
    /// The containers to print, by number: all, or those at the path of `--at`.
    pub(crate) shown: Vec<usize>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) references: References,
    /// Notes for the reader.
    pub(crate) notes: Vec<String>,
}

/// A container that the library refuses.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    /// Whether it was recognised by its shape only, so that it may not be a container.
    pub(crate) is_guess: bool,
    pub(crate) why: String,
    /// The position in the document: a JSON pointer, and the line in formats with lines.
    pub(crate) place: String,
    pub(crate) line: Option<usize>,
}

/// The number of dangling references of a container that are listed without `--all`.
const SOME: usize = 20;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    format: Format,
    tape: Tape<'a>,
    candidates: Candidates,
    /// The formats that were tried before, and why they failed.
    tried: Vec<(Format, String)>,
}

impl<'a> Document<'a> {
    /// Reads a file in the first format that fits and has containers.
    pub(crate) fn open(args: &InspectArgs, bytes: &'a [u8], progress: &Progress) -> Result<Self, InspectError> {
        let formats = match args.format {
            Some(format) => vec![format],
            None if format::needs_types(&args.file) => return Err(InspectError::NeedsTypes(args.file.clone())),
            None => format::candidates(&args.file, bytes),
        };
        let (mut tried, mut without) = (Vec::new(), None);
        for format in formats {
            let tape = match format::read(format, bytes, progress) {
                Ok(tape) => tape,
                Err(why) => {
                    tried.push((format, why));
                    continue;
                }
            };
            progress.begin("finding containers");
            let candidates = find::find(&tape);
            let is_found = args.at.is_some() || !candidates.found.is_empty();
            let document = Self { format, tape, candidates, tried: tried.clone() };
            if is_found {
                return Ok(document);
            }
            without.get_or_insert(document);
        }
        without.ok_or_else(|| InspectError::NoFormat(args.file.clone(), tried))
    }
}

impl Survey {
    /// Inspects everything in a document.
    pub(crate) fn of(args: &InspectArgs, document: Document<'_>, progress: &Progress) -> Result<Self, InspectError> {
        let Document { format, tape, candidates, tried } = document;
        let (tape, Candidates { mut found, are_more }) = (&tape, candidates);
        let asked = args.at.as_deref().map(|path| asked(args, tape, path, &mut found)).transpose()?;
        let is_shown = |at: At| asked.is_none_or(|(begin, end)| (begin..end).contains(&at));
        let mut survey = Self {
            format,
            containers: Vec::new(),
            shown: Vec::new(),
            refused: Vec::new(),
            references: References::default(),
            notes: Vec::new(),
        };
        survey.note(are_more, &found);
        progress.begin("loading containers");
        for candidate in found {
            progress.at_part(candidate.at, tape.len());
            progress.tick();
            let shown = is_shown(candidate.at);
            survey.add(args, tape, candidate, shown, asked.is_some());
        }
        if survey.shown.is_empty() && survey.refused.iter().all(|refused| refused.is_guess) {
            return Err(survey.nothing(args, tape, &tried));
        }
        survey.follow(args, tape, progress)?;
        Ok(survey)
    }

    fn add(&mut self, args: &InspectArgs, tape: &Tape<'_>, candidate: Candidate, shown: bool, is_asked: bool) {
        let Candidate { at, path, is_guess, .. } = candidate;
        let given = if shown { args.kind } else { None };
        let kind = given.unwrap_or_else(|| form::kind(tape, at));
        let loaded = load::load(tape, at, kind, args.layout);
        let checked = loaded.and_then(|layout| match Contents::of(tape, at, kind, layout.name) {
            Some(contents) => Ok(Container { at, path: path.clone(), is_guess, layout, contents }),
            None => Err(Refusal { why: "a slot cannot be read".into(), at: None }),
        });
        match checked {
            Ok(container) => {
                if shown {
                    self.shown.push(self.containers.len());
                }
                self.containers.push(container);
            }
            Err(refusal) if shown => {
                let at = refusal.at.unwrap_or(at);
                let (place, line) = (tape.pointer_to(at), tape.line(at));
                self.refused.push(Refused {
                    path,
                    kind,
                    is_guess: is_guess && !is_asked,
                    why: refusal.why,
                    place,
                    line,
                });
            }
            Err(_) => {}
        }
    }

    fn note(&mut self, are_more: bool, found: &[Candidate]) {
        if are_more {
            self.notes.push(format!(
                "only the first {} containers were inspected: use --at for others",
                grouped(found.len() as u64)
            ));
        }
        for twice in found.iter().filter(|candidate| candidate.is_twice).take(10) {
            self.notes.push(format!("{}: the key occurs twice", pointer::shown(&twice.path)));
        }
    }

    /// The error for a document without containers. If the document itself is nearly one, says what
    /// is missing.
    fn nothing(&self, args: &InspectArgs, tape: &Tape<'_>, tried: &[(Format, String)]) -> InspectError {
        let is_near = ["slots", "entities"].iter().any(|name| tape.get(Tape::ROOT, name).is_some());
        let refusal = is_near.then(|| load::load(tape, Tape::ROOT, form::kind(tape, Tape::ROOT), args.layout).err());
        let near =
            refusal.flatten().map(|refusal| format!("The document itself is not a container: {}", refusal.why));
        let guess = self.refused.first().map(|refused| {
            let path = pointer::shown(&refused.path);
            format!("{path} has the shape of a {}, and is refused: {}", refused.kind.name(), refused.why)
        });
        let failed = tried.first().map(|(format, why)| format!("It cannot be read as {}: {why}", format.name()));
        InspectError::NoContainer(args.file.clone(), self.format, near.or(guess).or(failed))
    }

    fn follow(&mut self, args: &InspectArgs, tape: &Tape<'_>, progress: &Progress) -> Result<(), InspectError> {
        let fields = args.refs.iter().map(|text| self.field(&args.file, text)).collect::<Result<Vec<_>, _>>()?;
        self.references = References::of(Question {
            tape,
            containers: &self.containers,
            fields: &fields,
            most_listed: if args.all { usize::MAX } else { SOME },
            outside: args.at.is_none(),
            progress,
        });
        // Hidden containers do not count.
        let mut is_shown = vec![false; self.containers.len()];
        self.shown.iter().for_each(|&number| is_shown[number] = true);
        for (tally, shown) in self.references.tallies.iter_mut().zip(is_shown) {
            if !shown {
                *tally = Default::default();
            }
        }
        if self.references.total().ambiguous > 0 {
            self.notes.push(
                "a reference is ambiguous if several containers have issued the same handle: \
                 --refs FIELD=PATH selects the container of a field"
                    .into(),
            );
        }
        if self.references.is_cut_short {
            self.notes.push("some references were looked up only in the 32 largest containers".into());
        }
        Ok(())
    }

    /// `FIELD` or `FIELD=PATH`.
    fn field(&self, file: &Path, text: &str) -> Result<Field, InspectError> {
        let Some((name, path)) = text.split_once('=').filter(|(name, _)| *name != EVERYTHING) else {
            return Ok(Field { name: text.to_owned(), target: None });
        };
        let steps = pointer::steps(path);
        let target = self.containers.iter().position(|container| pointer::steps(&container.path) == steps);
        match target {
            Some(number) => Ok(Field { name: name.to_owned(), target: Some(number) }),
            None => Err(InspectError::NoTarget(file.into(), text.to_owned())),
        }
    }
}

/// The path of `--at`, and where its value ends. If it contains no container, it is taken for one
/// itself.
fn asked(
    args: &InspectArgs,
    tape: &Tape<'_>,
    path: &str,
    found: &mut Vec<Candidate>,
) -> Result<(At, At), InspectError> {
    let begin = pointer::find(tape, path).map_err(|why| InspectError::NoPlace(args.file.clone(), why))?;
    let end = tape.after(begin);
    if !found.iter().any(|candidate| (begin..end).contains(&candidate.at)) {
        found.push(Candidate { at: begin, path: tape.pointer_to(begin), is_guess: false, is_twice: false });
    }
    // A container has others in its values: only the named one is printed.
    match found.iter().find(|candidate| candidate.at == begin) {
        Some(_) => Ok((begin, begin + 1)),
        None => Ok((begin, end)),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;

    #[test]
    fn the_progress_bar_follows_the_containers() {
        let pool = r#"{"version":1,"slots":[{"0v1":"7v1"}]}"#;
        let json = format!("[{}]", vec![pool; 100].join(","));
        let matches = InspectArgs::augment_args(Command::new("inspect")).get_matches_from(["inspect", "-"]);
        let args = InspectArgs::from_arg_matches(&matches).unwrap();
        let size = json.len() as u64;
        let progress = Progress::new(size);
        let document = Document::open(&args, json.as_bytes(), &progress).unwrap();
        assert_eq!(progress.state().0, "finding containers");
        let survey = Survey::of(&args, document, &progress).unwrap();
        assert_eq!(survey.references.total().dangling, 100);
        let (what, bytes) = progress.state();
        assert_eq!(what, "resolving references");
        assert!((size * 9 / 10..=size).contains(&bytes), "{bytes} of {size}");

        // Without a container, nothing is resolved.
        let document = Document::open(&args, b"[1,2,3]", &progress).unwrap();
        assert!(Survey::of(&args, document, &progress).is_err());
        assert_eq!(progress.state().0, "loading containers");
    }
}
