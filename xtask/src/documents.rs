//! Profiles and facts of the dialects' documents in `spec/documents`, and the documents themselves, if they are present
//! next to the workspace. Sentences are never written to `spec`, only to the cache in `target`.

use crate::{Failure, root};
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, Reading, names, read, table_of_reader};

/// Returns the folder of profiles and facts.
fn folder() -> PathBuf {
    root::root().join("spec/documents")
}

/// Returns the ids of dialects that have files with this extension, sorted.
pub(crate) fn dialects(ending: &str) -> Result<Vec<String>, Failure> {
    let entries =
        fs::read_dir(folder()).map_err(|error| format!("cannot read spec/documents: {error}"))?;
    let names =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(ending)?.to_owned())).collect();
    ids.sort();
    Ok(ids)
}

/// Returns the names of the lists in the folder of tables that are not tables, sorted.
pub(crate) fn lists() -> Result<Vec<String>, Failure> {
    let tables = root::root().join("spec/tables");
    let entries =
        fs::read_dir(tables).map_err(|error| format!("cannot read spec/tables: {error}"))?;
    let names =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let is_list = |name: &String| {
        [".text", ".sanitizer", ".selectors"].iter().any(|ending| name.ends_with(ending))
    };
    let mut names: Vec<String> = names.filter(is_list).collect();
    names.sort();
    Ok(names)
}

/// Returns the table that includes the file of modes; other files are returned unchanged.
pub(crate) fn top_of(file: &str) -> String {
    file.strip_suffix(".modes").map_or_else(|| file.to_owned(), |stem| format!("{stem}.states"))
}

/// Returns the profile of a dialect, which knows the sections that other profiles of the document read.
pub(crate) fn profile(dialect: &str) -> Result<Profile, Failure> {
    let own = own_profile(dialect)?;
    let others = dialects(".profile")?;
    let others: Result<Vec<Profile>, Failure> = others.iter().map(|one| own_profile(one)).collect();
    Ok(own.beside(&others?))
}

fn own_profile(dialect: &str) -> Result<Profile, Failure> {
    let path = folder().join(format!("{dialect}.profile"));
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("there is no document for {dialect}: {error}"))?;
    Profile::parse(&text).map_err(|message| format!("{}: {message}", root::shown(&path)))
}

/// Returns the folder of documents next to the workspace, or in the folder that `TABULEX_SHARED` names.
pub(crate) fn shared() -> PathBuf {
    let named = std::env::var_os("TABULEX_SHARED").map(PathBuf::from);
    named.unwrap_or_else(|| root::root().join("../shared")).join("documents")
}

/// Returns the document of a profile, if it is present.
pub(crate) fn at_hand(profile: &Profile) -> Option<PathBuf> {
    let is_there = |name: &String| shared().join(name).is_file();
    let names = [Some(&profile.file), profile.names.as_ref()];
    names.into_iter().flatten().all(is_there).then(|| shared().join(&profile.file))
}

/// The facts of a document, with its sentences by hash.
pub(crate) struct Text {
    pub(crate) facts: Facts,
    pub(crate) words: BTreeMap<u32, String>,
}

/// Reads a document, or its result from the cache.
pub(crate) fn text(dialect: &str, file: &Path, profile: &Profile) -> Result<Text, Failure> {
    let cache = root::home().cache.map(|cache| cache.join(format!("{dialect}.read")));
    let key = format!("{:016x}", key(file, profile)?);
    let kept = cache.as_ref().and_then(|cache| fs::read_to_string(cache).ok());
    if let Some((words, facts)) = kept.as_ref().and_then(|kept| parted(kept.strip_prefix(&key)?)) {
        return Ok(Text { facts: parsed(dialect, facts)?, words });
    }
    let reading = reading(file, profile)?;
    let facts = facts::write(&reading, profile);
    let words: BTreeMap<u32, String> =
        reading.sentences.into_iter().map(|one| (one.hash, one.words)).collect();
    if let Some(cache) = cache {
        let lines: String =
            words.iter().map(|(hash, words)| format!("{hash:08x} {words}\n")).collect();
        // A failure only costs time later.
        let _ = fs::create_dir_all(cache.with_file_name(""));
        let _ = fs::write(&cache, format!("{key}\n{lines}\n{facts}"));
    }
    Ok(Text { facts: parsed(dialect, &facts)?, words })
}

/// Returns the cache key of a reading: the document, the list next to it, the profile, the reader's table and this
/// program.
fn key(file: &Path, profile: &Profile) -> Result<u64, Failure> {
    let mut hasher = DefaultHasher::new();
    let list = profile.names.as_ref().map(|name| file.with_file_name(name));
    for file in list.as_deref().into_iter().chain([file]) {
        let bytes = fs::read(file)
            .map_err(|error| format!("cannot read {}: {error}", root::shown(file)))?;
        bytes.hash(&mut hasher);
    }
    (format!("{profile:?}"), table_of_reader()).hash(&mut hasher);
    let program = std::env::current_exe().and_then(fs::metadata);
    let program = program.map_err(|error| format!("cannot find this program: {error}"))?;
    (program.len(), program.modified().ok()).hash(&mut hasher);
    Ok(hasher.finish())
}

/// Returns the parts of a cached reading after its key: sentences by hash, and facts.
fn parted(kept: &str) -> Option<(BTreeMap<u32, String>, &str)> {
    let (words, facts) = kept.strip_prefix('\n')?.split_once("\n\n")?;
    let one = |line: &str| {
        let (hash, words) = line.split_once(' ')?;
        Some((u32::from_str_radix(hash, 16).ok()?, words.to_owned()))
    };
    Some((words.lines().map(one).collect::<Option<_>>()?, facts))
}

/// Reads a document, bypassing the cache.
pub(crate) fn reading(file: &Path, profile: &Profile) -> Result<Reading, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", root::shown(file)))?;
    let mut reading = read(&text, profile);
    if let Some(name) = &profile.names {
        let list = file.with_file_name(name);
        let text = fs::read_to_string(&list)
            .map_err(|error| format!("cannot read {}: {error}", root::shown(&list)))?;
        reading.names = names(&text)?;
    }
    Ok(reading)
}

/// Returns the committed facts of a dialect.
pub(crate) fn facts(dialect: &str) -> Result<Facts, Failure> {
    let path = folder().join(format!("{dialect}.facts"));
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", root::shown(&path)))?;
    parsed(dialect, &text)
}

fn parsed(dialect: &str, text: &str) -> Result<Facts, Failure> {
    facts::parse(text).map_err(|message| format!("the facts of {dialect}:\n{message}"))
}

/// Writes the facts of a dialect.
pub(crate) fn write(dialect: &str, text: &str) -> Result<(), Failure> {
    let path = folder().join(format!("{dialect}.facts"));
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", root::shown(&path)))
}

/// Returns the accepted entries of a dialect; empty if there are none yet.
pub(crate) fn accepted(dialect: &str) -> String {
    fs::read_to_string(folder().join(format!("{dialect}.accepted"))).unwrap_or_default()
}

/// Writes the accepted entries of a dialect.
pub(crate) fn accept(dialect: &str, text: &str) -> Result<(), Failure> {
    let path = folder().join(format!("{dialect}.accepted"));
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", root::shown(&path)))
}

/// Adds a sentence to the remarks in the profile of a dialect.
pub(crate) fn remark(dialect: &str, hash: u32) -> Result<(), Failure> {
    let path = folder().join(format!("{dialect}.profile"));
    let wrong = |error| format!("cannot write {}: {error}", root::shown(&path));
    let text = fs::read_to_string(&path).map_err(wrong)?;
    // Appended to the last line of remarks, unless that is full.
    let last = text.rfind("\nremarks: ").map(|at| at + 1);
    let end = last.and_then(|at| Some(at + text[at..].find('\n')?));
    let is_full = last.zip(end).is_none_or(|(at, end)| end - at > 110);
    let at = end.map_or(text.len(), |end| end + usize::from(is_full));
    let added = if is_full { format!("remarks: {hash:08x}\n") } else { format!(" {hash:08x}") };
    fs::write(&path, [&text[..at], &added, &text[at..]].concat()).map_err(wrong)
}
