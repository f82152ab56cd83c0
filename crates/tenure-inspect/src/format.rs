//! Detects the format of a file, and reads it.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;

use crate::args::Format;
use crate::progress::Progress;
use crate::snapshot;
use crate::tape::build::build;
use crate::tape::{Face, Tape, Value};

/// The limit on nesting. Formats have limits of their own, from 80 to 256.
const MOST_DEPTH: usize = 256;

/// Documents in TOML and YAML take much memory while they are read.
const MOST_TOML: usize = 64 << 20;
const MOST_YAML: usize = 32 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns `true` if such a file can be read only with the saved types, by its name.
pub(crate) fn needs_types(path: &Path) -> bool {
    ["postcard", "bincode", "bitcode"].iter().any(|extension| has_extension(path, extension))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The formats that may fit, the most likely first: by the name, then by the first bytes.
pub(crate) fn candidates(path: &Path, bytes: &[u8]) -> Vec<Format> {
    if bytes.starts_with(snapshot::MAGIC) {
        return vec![Format::Snapshot];
    }
    let mut formats: Vec<Format> = by_name(path).into_iter().collect();
    for format in by_content(bytes) {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    formats
}

fn by_name(path: &Path) -> Option<Format> {
    const EXTENSIONS: [(&str, Format); 10] = [
        ("json", Format::Json),
        ("ron", Format::Ron),
        ("toml", Format::Toml),
        ("yaml", Format::Yaml),
        ("yml", Format::Yaml),
        ("msgpack", Format::MessagePack),
        ("mpk", Format::MessagePack),
        ("mp", Format::MessagePack),
        ("cbor", Format::Cbor),
        ("snapshot", Format::Snapshot),
    ];
    EXTENSIONS.iter().find(|(extension, _)| has_extension(path, extension)).map(|&(_, format)| format)
}

/// A list or a map in `MessagePack` or CBOR begins with a byte that no text begins with.
fn by_content(bytes: &[u8]) -> Vec<Format> {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    match text.first() {
        Some(b'{' | b'"') => vec![Format::Json, Format::Ron],
        Some(b'[') => vec![Format::Json, Format::Ron, Format::Toml],
        Some(b'(' | b'/') => vec![Format::Ron],
        Some(b'-' | b'%') => vec![Format::Yaml],
        Some(b'#') if text.starts_with(b"#!") => vec![Format::Ron],
        Some(b'#') => vec![Format::Toml, Format::Yaml],
        Some(byte) if byte.is_ascii_graphic() => vec![Format::Ron, Format::Toml, Format::Yaml],
        _ => vec![Format::MessagePack, Format::Cbor],
    }
}

/// Reads a whole document.
///
/// # Errors
///
/// Why the document is not in this format, and where.
pub(crate) fn read<'a>(format: Format, bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    progress.begin(match format {
        Format::Json => "reading as JSON",
        Format::Ron => "reading as RON",
        Format::Toml => "reading as TOML",
        Format::Yaml => "reading as YAML",
        Format::MessagePack => "reading as MessagePack",
        Format::Cbor => "reading as CBOR",
        Format::Snapshot => "reading as a snapshot",
    });
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match format {
        Format::Json => read_json(bytes, progress),
        Format::Ron => read_ron(bytes, progress),
        Format::Toml => read_toml(bytes, progress),
        Format::Yaml => read_yaml(bytes, progress),
        Format::MessagePack => read_message_pack(bytes, progress),
        Format::Cbor => read_cbor(bytes, progress),
        Format::Snapshot => snapshot::read(bytes, progress),
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err("the text is in UTF-16, and not in UTF-8".into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let lines = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("at byte {}, line {}: the text is not UTF-8", error.valid_up_to(), lines + 1)
    })
}

fn read_json<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    let mut json = serde_json::Deserializer::from_str(text(bytes)?);
    let tape = build(&mut json, bytes, Face::Readable, progress).map_err(|error| error.to_string())?;
    json.end().map_err(|error| error.to_string())?;
    Ok(tape)
}

fn read_ron<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    let say = |error: ron::error::SpannedError| error.to_string();
    let text = text(bytes)?;
    let mut ron = ron::Deserializer::from_str(text).map_err(say)?;
    let tape = build(&mut ron, bytes, Face::Readable, progress).map_err(|error| say(ron.span_error(error)))?;
    ron.end().map_err(|error| say(ron.span_error(error)))?;
    Ok(tape)
}

fn read_toml<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    expect_at_most(bytes, MOST_TOML)?;
    let text = text(bytes)?;
    let say = |error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start);
        let line = 1 + text.get(..offset).unwrap_or_default().matches('\n').count();
        format!("line {line}: {}", error.message())
    };
    build(toml::Deserializer::parse(text).map_err(say)?, bytes, Face::Readable, progress).map_err(say)
}

fn read_yaml<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    expect_at_most(bytes, MOST_YAML)?;
    let yaml = serde_norway::Deserializer::from_str(text(bytes)?);
    let tape = build(yaml, bytes, Face::Readable, progress).map_err(|error| error.to_string())?;
    match tape.value(Tape::ROOT) {
        Value::List | Value::Map => Ok(tape),
        _ => Err("the whole document is one plain value".into()),
    }
}

fn expect_at_most(bytes: &[u8], most: usize) -> Result<(), String> {
    if bytes.len() <= most {
        return Ok(());
    }
    Err(format!("the file has more than {} MB, which this format takes too much memory for", most >> 20))
}

fn read_message_pack<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    let mut pack = rmp_serde::Deserializer::from_read_ref(bytes);
    pack.set_max_depth(MOST_DEPTH);
    let tape = build(&mut pack, bytes, Face::Binary, progress).map_err(|error| say_packed(&error))?;
    expect_structure(&tape)?;
    // Any remaining bytes begin with some value.
    match <()>::deserialize(&mut pack) {
        Err(rmp_serde::decode::Error::InvalidMarkerRead(_)) => Ok(tape),
        _ => Err("bytes are left over after the end of the document".into()),
    }
}

/// The errors of the library for an unexpected end are those of the operating system.
fn say_packed(error: &rmp_serde::decode::Error) -> String {
    use rmp_serde::decode::Error;
    match error {
        Error::InvalidMarkerRead(_) | Error::InvalidDataRead(_) => "the file ends within a value".into(),
        Error::DepthLimitExceeded => format!("nested more than {MOST_DEPTH} deep"),
        other => other.to_string(),
    }
}

/// A single number is a byte that any file may begin with.
fn expect_structure(tape: &Tape<'_>) -> Result<(), String> {
    match tape.value(Tape::ROOT) {
        Value::List | Value::Map => Ok(()),
        _ => Err("at byte 0: neither a list nor a map begins here".into()),
    }
}

fn left_over(offset: usize, rest: usize) -> String {
    format!("at byte {offset}: the document ends here, and {rest} bytes are left over")
}

fn read_cbor<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    let mut counted = Counted { rest: bytes, progress };
    let tape: Tape<'static> =
        ciborium::from_reader(&mut counted).map_err(|error| say_cbor(&error, bytes.len() - counted.rest.len()))?;
    expect_structure(&tape)?;
    let rest = counted.rest.len();
    if rest == 0 { Ok(tape) } else { Err(left_over(bytes.len() - rest, rest)) }
}

fn say_cbor(error: &ciborium::de::Error<io::Error>, offset: usize) -> String {
    use ciborium::de::Error;
    match error {
        Error::Io(_) => format!("at byte {offset}: the file ends within a value"),
        Error::Syntax(offset) => format!("at byte {offset}: no value begins or continues with this byte"),
        Error::Semantic(Some(offset), why) => format!("at byte {offset}: {why}"),
        Error::Semantic(None, why) => format!("at byte {offset}: {why}"),
        Error::RecursionLimitExceeded => format!("at byte {offset}: nested more than {MOST_DEPTH} deep"),
    }
}

/// Bytes, and how many of them have been read.
struct Counted<'a, 'p> {
    rest: &'a [u8],
    progress: &'p Progress,
}

/// The number of bytes between two updates of the bar.
const STEP: u64 = 1 << 20;

impl Read for Counted<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        if self.progress.advance(count as u64) % STEP < count as u64 {
            self.progress.tick();
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: Format, bytes: &[u8]) -> Result<(), String> {
        super::read(format, bytes, &Progress::none()).map(|_| ())
    }

    #[test]
    fn formats_are_detected_by_their_first_bytes() {
        let first = |bytes: &[u8]| candidates(Path::new("-"), bytes)[0];
        assert_eq!(first(b" \n{\"a\": 1}"), Format::Json);
        assert_eq!(first(b"\xef\xbb\xbf{}"), Format::Json);
        assert_eq!(first(b"(a: 1)"), Format::Ron);
        assert_eq!(first(b"#![enable(implicit_some)]"), Format::Ron);
        assert_eq!(first(b"---\na: 1"), Format::Yaml);
        assert_eq!(first(b"\x82\xa1a\x01"), Format::MessagePack);
        assert_eq!(first(b"\x89tenure\n"), Format::Snapshot);
        assert!(candidates(Path::new("-"), b"[package]").contains(&Format::Toml));
        assert_eq!(candidates(Path::new("x.YML"), b"a: 1")[0], Format::Yaml);
    }

    #[test]
    fn depth_is_limited_in_every_format() {
        let deep = 100_000;
        for (format, open) in [(Format::Json, "["), (Format::Ron, "["), (Format::Yaml, "["), (Format::Toml, "a=[")] {
            let why = read(format, (open.to_owned() + &"[".repeat(deep)).as_bytes()).unwrap_err();
            assert!(why.len() < 300, "{why}");
        }
        assert!(read(Format::MessagePack, &vec![0x91; deep]).unwrap_err().contains("nested more than 256"));
        assert!(read(Format::Cbor, &vec![0x81; deep]).unwrap_err().contains("nested more than 256"));
        assert!(read(Format::Cbor, &vec![0xc1; deep]).is_err());
    }

    #[test]
    fn false_lengths_are_rejected() {
        for (format, lie) in [
            (Format::MessagePack, &b"\xdd\xff\xff\xff\xff\x01"[..]),
            (Format::MessagePack, b"\x91\xdb\xff\xff\xff\xffx"),
            (Format::Cbor, b"\x9b\x7f\xff\xff\xff\xff\xff\xff\xff\x01"),
            (Format::Cbor, b"\x81\x7b\x7f\xff\xff\xff\xff\xff\xff\xffx"),
            (Format::Cbor, b"\x81\x5b\x7f\xff\xff\xff\xff\xff\xff\xffx"),
        ] {
            assert!(read(format, lie).unwrap_err().contains("ends within a value"), "{lie:?}");
        }
    }

    #[test]
    fn expansion_of_aliases_is_limited() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for nth in 1..9 {
            let alias = format!("*a{}, ", nth - 1).repeat(9);
            bomb += &format!("a{nth}: &a{nth} [{}]\n", alias.trim_end_matches(", "));
        }
        let why = read(Format::Yaml, bomb.as_bytes()).unwrap_err();
        assert!(why.contains("expands") || why.contains("repetition"), "{why}");
    }

    #[test]
    fn tags_of_cbor_and_yaml_are_ignored() {
        let tagged = super::read(Format::Cbor, b"\xd9\xd9\xf7\x82\xc1\x01\x02", &Progress::none()).unwrap();
        assert_eq!(tagged.parts(Tape::ROOT).map(|at| tagged.uint(at)).collect::<Vec<_>>(), [Some(1), Some(2)]);
        let tagged = super::read(Format::Yaml, b"a: !Goblin {hp: 1}", &Progress::none()).unwrap();
        let goblin = tagged.get(Tape::ROOT, "a").unwrap();
        assert_eq!(tagged.get(goblin, "hp").and_then(|at| tagged.uint(at)), Some(1));
    }

    #[test]
    fn errors_have_a_position() {
        for (format, bytes, words) in [
            (Format::Json, &b"{\"a\":\n[1,"[..], "line 2"),
            (Format::Json, b"{\"a\":\n\"\xff\"}", "at byte 7, line 2: the text is not UTF-8"),
            (Format::Json, b"\xff\xfe{\0}\0", "UTF-16"),
            (Format::Ron, b"(a:\n[1,", "2:"),
            (Format::Toml, b"a = 1\nb = [", "line 2"),
            (Format::Yaml, b"a: 1\nb: [", "line"),
            (Format::Yaml, b"just words", "one plain value"),
            (Format::MessagePack, b"\x91\x01\x02", "bytes are left over"),
            (Format::MessagePack, b"\x82\x01", "ends within a value"),
            (Format::Cbor, b"\x81\x01\x02", "at byte 2"),
            (Format::Cbor, b"\x82\x01", "at byte 2: the file ends"),
        ] {
            let why = read(format, bytes).unwrap_err();
            assert!(why.contains(words), "{format:?} {words}: {why}");
        }
    }
}
