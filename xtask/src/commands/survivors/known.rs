//! What is known of changes from before: the survivors that are listed, each with its reason, and how earlier runs ended.
//! It tries none. Invariant: a change is known by its file, its line's text and what is changed there, not by a number.

use super::build;
use super::points::Point;
use crate::root::root;
use crate::{Failure, Outcome, step};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// File, text of the line, change.
pub(super) type Key = [String; 3];

/// What a change is known by.
pub(super) fn key(point: &Point) -> Key {
    [point.file.clone(), point.text.clone(), point.about.clone()]
}

/// The survivors that no test can notice, or none by what it gives, each with the reason; and functions all of whose
/// changes are such, by file and name.
pub(super) struct Listed {
    changes: BTreeMap<Key, String>,
    functions: BTreeSet<[String; 2]>,
}

impl Listed {
    /// Reads the list.
    pub(super) fn read() -> Result<Self, Failure> {
        let path = root().join("tests/survivors.json");
        let mut listed = Self { changes: BTreeMap::new(), functions: BTreeSet::new() };
        for entry in entries(&path)? {
            let reason = entry["reason"].as_str().unwrap_or_default();
            if reason.is_empty() {
                return Err(format!("tests/survivors.json: no reason: {entry}"));
            }
            let is_new = match entry["function"].as_str() {
                Some(function) => {
                    let file = entry["file"].as_str().unwrap_or_default().to_owned();
                    listed.functions.insert([file, function.to_owned()])
                }
                None => listed.changes.insert(key_of(&entry), reason.to_owned()).is_none(),
            };
            if !is_new {
                return Err(format!("tests/survivors.json: twice: {entry}"));
            }
        }
        Ok(listed)
    }

    /// Whether the change is in a function that changes only room or work, whatever is changed in it.
    pub(super) fn is_within(&self, point: &Point) -> bool {
        self.functions.contains(&[point.file.clone(), point.function.clone()])
    }

    /// The reason for which the change may survive.
    pub(super) fn reason(&self, point: &Point) -> Option<&str> {
        self.changes.get(&key(point)).map(String::as_str)
    }

    /// Whether all entries of these files are changes that there are; those that are none are said.
    pub(super) fn are_all_there(&self, points: &[Point]) -> bool {
        let files: BTreeSet<&str> = points.iter().map(|point| &point.file[..]).collect();
        let keys: BTreeSet<Key> = points.iter().map(key).collect();
        let mut is_well = true;
        for key in self.changes.keys() {
            if files.contains(&key[0][..]) && !keys.contains(key) {
                step::say(&format!("listed, and no change of the code: {key:?}\n"));
                is_well = false;
            }
        }
        let of = |point: &Point| [point.file.clone(), point.function.clone()];
        let functions: BTreeSet<[String; 2]> = points.iter().map(of).collect();
        for function in &self.functions {
            if files.contains(&function[0][..]) && !functions.contains(function) {
                step::say(&format!("listed, and no function with a change: {function:?}\n"));
                is_well = false;
            }
        }
        is_well
    }
}

/// How earlier runs ended: the test that noticed a change, or none.
#[derive(Default)]
pub(super) struct Earlier(pub(super) BTreeMap<Key, Option<String>>);

impl Earlier {
    /// Reads what the last runs left; nothing if there was none.
    pub(super) fn read() -> Self {
        let entries = entries(&file()).unwrap_or_default();
        let end = |entry: Value| (key_of(&entry), entry["noticed"].as_str().map(str::to_owned));
        Self(entries.into_iter().map(end).collect())
    }

    /// Writes it, one line each.
    pub(super) fn write(&self) -> Outcome {
        let lines = self.0.iter().map(|([file, text, about], noticed)| {
            json!({"file": file, "line": text, "change": about, "noticed": noticed}).to_string()
        });
        let text = format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"));
        let path = file();
        fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(true)
    }
}

/// The changes of a package that did not compile when they were tried last, so that the next run need not find them again.
/// One that compiles now is left out of it.
pub(super) struct Refused(pub(super) BTreeSet<Key>, PathBuf);

impl Refused {
    /// Reads what the last run left; nothing if there was none.
    pub(super) fn read(package: &str) -> Self {
        let file = build::folder().join(format!("refused-{package}.json"));
        Self(entries(&file).unwrap_or_default().iter().map(key_of).collect(), file)
    }

    /// Writes it.
    pub(super) fn write(&self) -> Outcome {
        let entry =
            |[file, line, change]: &Key| json!({"file": file, "line": line, "change": change});
        let text = json!(self.0.iter().map(entry).collect::<Vec<_>>()).to_string();
        fs::write(&self.1, text)
            .map_err(|error| format!("cannot write {}: {error}", self.1.display()))?;
        Ok(true)
    }
}

fn file() -> PathBuf {
    build::folder().join("results.json")
}

fn entries(path: &std::path::Path) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn key_of(entry: &Value) -> Key {
    ["file", "line", "change"].map(|name| entry[name].as_str().unwrap_or_default().to_owned())
}
