//! The book is complete: every chapter is listed and tested, links have targets, and every picture
//! is used.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use guide::CHAPTERS;

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn text(chapter: &str) -> String {
    fs::read_to_string(book().join(chapter)).unwrap_or_else(|error| panic!("{chapter}: {error}"))
}

/// Files below a folder of the book, as paths below `src`.
fn files(folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(book().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(book()).unwrap().to_str().unwrap().replace('\\', "/");
        if path.is_dir() {
            found.extend(files(&name));
        } else {
            found.insert(name);
        }
    }
    found
}

fn chapters() -> BTreeSet<String> {
    CHAPTERS.iter().map(|&chapter| chapter.to_owned()).collect()
}

/// The targets of `[text](target)`, `![text](target)` and `[text]: target`, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if in_code {
            continue;
        }
        found.extend(
            line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link.to_owned()),
        );
        found.extend(line.strip_prefix('[').and_then(|line| line.split_once("]: ")).map(|(_, link)| link.to_owned()));
    }
    found
}

/// What mdBook makes of a heading, to link to it.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|&c| c.is_alphanumeric() || c == '-' || c == '_').collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#') && line.contains("# "));
    headings.map(|heading| anchor(heading.trim_start_matches('#').trim())).collect()
}

/// A link of a chapter as a path below `src`.
fn resolve(chapter: &str, link: &str) -> String {
    let mut parts: Vec<&str> = chapter.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_chapter_is_in_the_summary_and_every_snippet_is_tested() {
    let listed: BTreeSet<String> = links(&text("SUMMARY.md")).into_iter().collect();
    let written: BTreeSet<String> =
        files("").into_iter().filter(|file| file.ends_with(".md") && file != "SUMMARY.md").collect();
    assert_eq!(written, listed, "chapters (left) and SUMMARY.md (right) differ");
    assert_eq!(written, chapters(), "chapters (left) and `chapters!` in lib.rs (right) differ");
}

#[test]
fn every_snippet_says_what_it_is() {
    let known = ["rust", "rust,should_panic", "rust,compile_fail", "text", "toml", "cpp", "odin"];
    for chapter in CHAPTERS {
        let text = text(chapter);
        let fences: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("```")).collect();
        assert!(fences.len() % 2 == 0, "{chapter}: a snippet does not end");
        for opening in fences.iter().step_by(2) {
            assert!(known.contains(opening), "{chapter}: a snippet begins with ```{opening}");
        }
    }
}

/// A reader does not have to scroll: `wide.css` makes the page as wide.
#[test]
fn snippets_fit_on_the_page() {
    for chapter in CHAPTERS {
        let text = text(chapter);
        // Every second piece is code.
        for line in text.split("\n```").skip(1).step_by(2).flat_map(str::lines) {
            assert!(line.chars().count() <= 100, "{chapter}: {line}");
        }
    }
}

#[test]
fn links_have_targets() {
    for chapter in CHAPTERS {
        for link in links(&text(chapter)) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { (*chapter).to_owned() } else { resolve(chapter, file) };
            assert!(book().join(&target).is_file(), "{chapter} links to {link}");
            assert!(place.is_empty() || anchors(&text(&target)).contains(place), "{chapter} links to {link}");
        }
    }
}

#[test]
fn links_into_the_reference_name_what_exists() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/tenure/src");
    let crate_page = fs::read_to_string(sources.join("lib.rs")).unwrap();
    for chapter in CHAPTERS {
        for link in links(&text(chapter)) {
            let Some(page) = link.strip_prefix("https://docs.rs/tenure/latest/tenure/") else { continue };
            let (folder, item) = page.rsplit_once('/').unwrap_or(("", page));
            let is_module = folder.is_empty() || crate_page.contains(&format!("pub mod {folder};"));
            // The page of what is re-exported from a public module is in that module.
            let exports = crate_page.lines().filter(|line| line.starts_with("pub use self::"));
            let is_item = match item.strip_prefix("struct.").and_then(|item| item.strip_suffix(".html")) {
                Some(name) => exports.clone().any(|line| {
                    let module =
                        line.strip_prefix("pub use self::").and_then(|line| line.split("::").next()).unwrap_or("");
                    let is_public = crate_page.contains(&format!("pub mod {module};"));
                    let words = line.split(|c: char| !c.is_alphanumeric());
                    words.clone().any(|word| word == name) && folder == if is_public { module } else { "" }
                }),
                None => item == "index.html",
            };
            assert!(is_module && is_item, "{chapter} links to {link}");
        }
    }
}

#[test]
fn every_picture_is_used_and_described() {
    let mut used = BTreeSet::new();
    for chapter in CHAPTERS {
        let links = links(&text(chapter)).into_iter().map(|link| resolve(chapter, &link));
        used.extend(links.filter(|link| link.ends_with(".svg")));
        assert!(!text(chapter).contains("![]("), "{chapter}: a picture without a description");
    }
    assert_eq!(files("pictures"), used, "pictures there are (left) and pictures shown (right) differ");
}
