//! The results as JSON for scripts.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::args::InspectArgs;
use crate::load::Reason;
use crate::references::{Container, Dangling, Tally};
use crate::survey::{Refused, Survey};

/// Writes one object.
pub(crate) fn write(out: &mut impl Write, args: &InspectArgs, survey: &Survey) -> io::Result<()> {
    let total = survey.references.total();
    let containers = survey.shown.iter();
    let containers: Vec<_> =
        containers.map(|&nth| container(survey, &survey.containers[nth], &survey.references.tallies[nth])).collect();
    let document = json!({
        "file": args.file.to_string_lossy(),
        "format": survey.format.name(),
        "containers": containers,
        "refused": survey.refused.iter().map(refused).collect::<Vec<_>>(),
        "outside": tally(survey, &survey.references.outside),
        "references": total.count,
        "ambiguous": total.ambiguous,
        "dangling": total.dangling,
        "notes": survey.notes,
    });
    writeln!(out, "{}", ascii(&serde_json::to_string_pretty(&document)?))?;
    out.flush()
}

/// Escapes characters that are not ASCII, which occur in strings only: no character controls a
/// terminal.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && c != '\u{7f}' {
            text.push(c);
        } else {
            text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

fn container(survey: &Survey, container: &Container, found: &Tally) -> Value {
    let Container { path, is_guess, layout, contents, .. } = container;
    let counts = contents.counts();
    let frame = contents.frame.as_deref().map(|frame| {
        let rows = frame.rows().map(|(name, count)| (name.replace(' ', "_"), Value::from(count)));
        Value::Object(rows.into_iter().collect())
    });
    json!({
        "path": path,
        "kind": contents.kind.name(),
        "guess": is_guess,
        "version": contents.version,
        "layout": layout.name.name(),
        "layout_is": match layout.reason {
            Reason::Given => "given",
            Reason::Usual => "assumed",
            Reason::Fits(_) => "guessed",
        },
        "tag": contents.tag,
        "limit": contents.limit,
        "slots": contents.states.len(),
        "live": counts.live,
        "pending": counts.pending,
        "vacant": counts.vacant,
        "retired": counts.retired,
        "generations": contents.generations(),
        "frame": frame,
        "references": tally(survey, found),
    })
}

fn tally(survey: &Survey, found: &Tally) -> Value {
    let elsewhere = found.elsewhere.iter();
    let elsewhere: Vec<_> =
        elsewhere.map(|(&nth, count)| json!({"path": survey.containers[nth].path, "count": count})).collect();
    json!({
        "count": found.count,
        "here": found.here,
        "elsewhere": elsewhere,
        "ambiguous": found.ambiguous,
        "dangling": found.dangling,
        "listed": found.listed.iter().map(|dangling| listed(survey, dangling)).collect::<Vec<_>>(),
    })
}

fn listed(survey: &Survey, dangling: &Dangling) -> Value {
    let Dangling { place, handle, why, container } = dangling;
    let container = container.map(|nth| &survey.containers[nth].path);
    json!({ "place": place, "handle": handle, "why": why.to_string(), "container": container })
}

fn refused(refused: &Refused) -> Value {
    let Refused { path, kind, is_guess, why, place, line } = refused;
    json!({ "path": path, "kind": kind.name(), "guess": is_guess, "why": why, "place": place, "line": line })
}
