//! Positions in a document: JSON pointers, and paths with dots.

use crate::tape::{At, Tape, Value};

/// Adds a step to a pointer.
pub(crate) fn push(pointer: &mut String, step: &str) {
    pointer.push('/');
    for c in step.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// A pointer as it is printed: the document itself is `/`.
pub(crate) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// The last step of a pointer that is a name and not a number.
pub(crate) fn last_name(pointer: &str) -> Option<String> {
    let is_name = |step: &&str| !step.is_empty() && !step.bytes().all(|byte| byte.is_ascii_digit());
    pointer.rsplit('/').find(is_name).map(unescape)
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The steps of a path: `/world/pools/2`, `world.pools[2]` or `world.pools.2`. The document itself
/// is the empty path, or `/`.
pub(crate) fn steps(path: &str) -> Vec<String> {
    if let Some(pointer) = path.strip_prefix('/') {
        return if pointer.is_empty() { Vec::new() } else { pointer.split('/').map(unescape).collect() };
    }
    let dotted = path.split('.').flat_map(|step| step.split('['));
    dotted.map(|step| step.strip_suffix(']').unwrap_or(step).to_owned()).filter(|step| !step.is_empty()).collect()
}

/// Finds a path in a document.
///
/// # Errors
///
/// The step that does not exist, and the keys that do.
pub(crate) fn find(tape: &Tape<'_>, path: &str) -> Result<At, String> {
    let (mut at, mut found) = (Tape::ROOT, String::new());
    for step in steps(path) {
        at = find_step(tape, at, &step).map_err(|why| format!("{}: {why}", shown(&found)))?;
        push(&mut found, &step);
    }
    Ok(at)
}

fn find_step(tape: &Tape<'_>, at: At, step: &str) -> Result<At, String> {
    match tape.value(at) {
        Value::List => {
            let nth = step.parse().map_err(|_| format!("a list has no `{step}`: it has numbers from 0 up"))?;
            let item = tape.parts(at).nth(nth);
            item.ok_or_else(|| format!("a list of {}: it has no item {nth}", tape.parts(at).count()))
        }
        Value::Map => {
            let mut found = tape.entries(at).filter(|&(key, _)| tape.key(key) == step);
            match (found.next(), found.next()) {
                (Some((_, value)), None) => Ok(value),
                (Some(_), Some(_)) => Err(format!("the key `{step}` occurs twice")),
                (None, _) => Err(format!("no `{step}` here: there {}", known(tape, at))),
            }
        }
        _ => Err(format!("neither a list nor a map, so it has no `{step}`")),
    }
}

/// A few of the keys of a map.
fn known(tape: &Tape<'_>, at: At) -> String {
    let keys: Vec<_> = tape.entries(at).take(8).map(|(key, _)| format!("`{}`", tape.key(key))).collect();
    let more = if tape.entries(at).nth(8).is_some() { ", …" } else { "" };
    if keys.is_empty() { "is nothing".into() } else { format!("are {}{more}", keys.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_in_three_ways() {
        for path in ["/world/pools/2", "world.pools[2]", "world.pools.2"] {
            assert_eq!(steps(path), ["world", "pools", "2"], "{path}");
        }
        assert_eq!(steps("/a~1b/c~0d"), ["a/b", "c~d"]);
        assert!(steps("").is_empty() && steps("/").is_empty());
        assert_eq!(steps("[1].x"), ["1", "x"]);
    }

    #[test]
    fn a_pointer_reads_as_it_was_written() {
        let mut pointer = String::new();
        for step in ["a/b", "c~d", "7"] {
            push(&mut pointer, step);
        }
        assert_eq!(pointer, "/a~1b/c~0d/7");
        assert_eq!(steps(&pointer), ["a/b", "c~d", "7"]);
        assert_eq!(last_name(&pointer).as_deref(), Some("c~d"));
        assert_eq!(last_name("/0/1"), None);
    }
}
