//! Words that no file may hold: marks of unfinished work, paths of one machine, registries other than the public one.
//! The words are put together here, so that this file does not hold them. Invariant: every text of the tree is read.

use super::{Breach, File};
use crate::Failure;

/// Marks of unfinished work, for Rust files.
const UNFINISHED: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Folders at the root of a machine, which exist on no other one.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/Use", "rs/")];

/// Marks of registries that only some can reach, for files that cargo reads.
const REGISTRIES: &[&str] = &["[source.", "[registries", "replace-with", "[registry]"];

/// The one registry that Cargo.lock may name.
const PUBLIC: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Reads all files.
pub(super) fn check(files: &[File]) -> Result<Vec<Breach>, Failure> {
    let mut breaches = Vec::new();
    for file in files {
        let is_cargos = file.path.ends_with(".toml");
        for (index, line) in file.text().lines().enumerate() {
            let mut breach = |what: String| breaches.push(file.breach(index + 1, what));
            if file.path.ends_with(".rs") {
                UNFINISHED.iter().filter(|word| holds(line, word)).for_each(|word| {
                    breach(format!("`{word}` marks unfinished work"));
                });
            }
            FOLDERS.iter().filter(|folder| holds_path(line, folder)).for_each(|folder| {
                breach(format!("`{folder}` is a path of one machine"));
            });
            let is_other_registry = line.contains("registry+") && !line.contains(PUBLIC);
            let is_named = is_cargos && REGISTRIES.iter().any(|word| line.trim().starts_with(word));
            if file.path.ends_with("Cargo.lock") && is_other_registry || is_named {
                breach("names a registry that is not for everybody".to_owned());
            }
        }
    }
    Ok(breaches)
}

/// Whether the word is in the line, not as a part of a longer one.
fn holds(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let is_inside = |c: char| c.is_ascii_alphanumeric();
        !line[..at].ends_with(is_inside) && !line[at + word.len()..].starts_with(is_inside)
            || word.ends_with('(')
    })
}

/// Whether an absolute path that begins with the folder is in the line.
fn holds_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-/$}".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_paths_are_told_from_longer_ones() {
        assert!(holds(concat!("// FIX", "ME: x"), UNFINISHED[3]));
        assert!(!holds(concat!("XX", "XX"), UNFINISHED[4]));
        assert!(holds_path(concat!("\"/wo", "rk/x\""), FOLDERS[0]));
        assert!(!holds_path(concat!("a/wo", "rk/x"), FOLDERS[0]));
    }
}
