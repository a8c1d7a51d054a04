//! Openings of files, and paths that ARCHITECTURE.md names. It does not judge what is said there. Invariant: a file of the
//! house says at its very beginning what it is.

use super::{Breach, File};
use crate::Failure;

/// The file whose paths must exist.
const MAP: &str = "ARCHITECTURE.md";

/// How a package takes the README into its documentation.
const README: &str = "#![doc = include_str!(";

/// Endings by which a word is taken for the name of a file.
const ENDINGS: &[&str] = &[".rs", ".md", ".toml", ".states", ".references", ".pest"];

/// Every file begins with its comment.
pub(super) fn openings(files: &[File]) -> Result<Vec<Breach>, Failure> {
    let house = files.iter().filter(|file| file.is_house_rust());
    // The README may come before, as the first page of a package's documentation.
    let opening = |file: &File| {
        let mut lines = file.text().lines().skip_while(|line| line.starts_with(README));
        lines.next().is_some_and(|line| line.starts_with("//!"))
    };
    let silent = house.filter(|file| !opening(file));
    Ok(silent.map(|file| file.breach(1, "does not begin with `//!`: what it is")).collect())
}

/// Every path in the map leads somewhere.
pub(super) fn named_paths(files: &[File]) -> Result<Vec<Breach>, Failure> {
    let map = files.iter().find(|file| file.path == MAP);
    let map = map.ok_or_else(|| format!("{MAP} is missing"))?;
    let mut breaches = Vec::new();
    for (index, line) in map.text().lines().enumerate() {
        let words = line.split(|c: char| c.is_whitespace() || "`(),;|".contains(c));
        for word in words.map(|word| word.trim_end_matches(['.', ':'])).filter(|word| is_path(word))
        {
            let prefix = format!("{}/", word.trim_end_matches('/'));
            let exists =
                files.iter().any(|file| file.path == word || file.path.starts_with(&prefix));
            if !exists {
                breaches.push(map.breach(index + 1, format!("{word} does not exist")));
            }
        }
    }
    Ok(breaches)
}

fn is_path(word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let is_folder = word.contains('/') && word.len() > 1;
    is_plain && (is_folder || ENDINGS.iter().any(|ending| word.ends_with(ending)))
}
