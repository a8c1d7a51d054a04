//! Small tables with one word left out, doubled or exchanged: what is said of each, and the code of those that are still
//! tables. Tables are edited by people who know no test; so nothing that is said or generated changes unseen. Invariant:
//! every word of every small table is edited; `UPDATE_EXPECT=1` writes the fingerprints, and what differs is written out
//! in full beside the other outputs of the build.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};
use support::{beside, hash, read, small_tables};
use tabulex_language::Source;

/// How many edits share a fingerprint.
const TOGETHER: usize = 32;

/// The words of a table: names, numbers and literals, and signs one by one; neither comments nor blanks.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_name = |character: char| character.is_alphanumeric() || "_-".contains(character);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            ' ' | '\n' => {
                at += 1;
                continue;
            }
            '"' | '\'' => {
                let mut is_escaped = false;
                let end = rest[1..].find(|character| {
                    let is_end = character == first && !is_escaped;
                    is_escaped = character == '\\' && !is_escaped;
                    is_end
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            _ if is_name(first) => rest.find(|one| !is_name(one)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        found.push(at..at + length);
        at += length;
    }
    found
}

/// The text with one word left out, doubled, or exchanged for the next one of its kind that is another.
fn edited(text: &str, words: &[Range<usize>], index: usize) -> String {
    let word = &text[words[index].clone()];
    let kind = |word: &str| {
        let first = word.chars().next().unwrap_or_default();
        if first.is_alphabetic() {
            'a'
        } else if first.is_numeric() {
            '0'
        } else {
            first
        }
    };
    let others = words[index..].iter().chain(&words[..index]).map(|other| &text[other.clone()]);
    let is_sign = !"a0\"'".contains(kind(word));
    let other = others.clone().find(|other| {
        *other != word && if is_sign { other.len() == 1 } else { kind(other) == kind(word) }
    });
    let instead = match index % 3 {
        0 => String::new(),
        1 => format!("{word} {word}"),
        _ => other.unwrap_or_default().to_owned(),
    };
    let Range { start, end } = words[index].clone();
    format!("{}{instead}{}", &text[..start], &text[end..])
}

/// All that comes of a table: its messages, and its code or nothing.
fn outcome(name: &str, text: String, beside: &dyn Fn(&str) -> Option<String>) -> String {
    let loaded = tabulex_language::load(&Source::new(name, text), beside);
    let messages = loaded.diagnostics.iter().map(|one| one.render(&loaded.source));
    let mut said = messages.collect::<Vec<String>>().join("\n");
    if let Some(machine) = loaded.machine {
        let compiled = tabulex_compiler::compile(&machine);
        let code = tabulex_compiler::generate::module(&compiled);
        let _ = writeln!(said, "\n{code}");
    }
    said
}

/// The fingerprints of a table's edits, and what they are made of.
fn fingerprints(path: &Path) -> (Vec<String>, Vec<String>) {
    let (name, text) = read(path);
    let words = words(&text);
    let outcome = |index| {
        let text = edited(&text, &words, index);
        let line = text[..words[index].start].lines().count();
        let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
        format!(
            "{name}, word {index}, line {line}: {shown}\n{}",
            outcome(&name, text, &|name| beside(path, name))
        )
    };
    let indices: Vec<usize> = (0..words.len()).collect();
    let groups = indices.chunks(TOGETHER).map(|group| {
        let whole: String = group.iter().map(|&index| outcome(index)).collect();
        (format!("{name} {:>4} {:016x}\n", group[0], hash(&whole)), whole)
    });
    groups.unzip()
}

/// The same of each table. As many threads as there are processors: their stacks are large, since code nests deeply, and
/// the memory of a test may be limited.
fn of_all(paths: &[PathBuf]) -> Vec<(Vec<String>, Vec<String>)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let indices = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let taken = indices.map_while(|index| Some((index, fingerprints(paths.get(index)?))));
        taken.collect::<Vec<_>>()
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    let mut found: Vec<_> = thread::scope(|scope| {
        let begin = |_| thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        let threads: Vec<_> = (0..count).map(begin).collect();
        let ended = threads.into_iter().map(|thread| thread.expect("a thread").join());
        ended.flat_map(|found| found.expect("no edit panics")).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, found)| found).collect()
}

#[test]
fn what_comes_of_edited_tables_is_as_committed() {
    let (lines, wholes): (Vec<_>, Vec<_>) = of_all(&small_tables()).into_iter().unzip();
    let (lines, wholes) = (lines.concat(), wholes.concat());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/edited.expect");
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(path, lines.concat()).expect("the fingerprints can be written");
    }
    let known: Vec<&str> = expected.split_inclusive('\n').collect();
    let differing = lines.iter().zip(&wholes).filter(|(line, _)| !known.contains(&&line[..]));
    let differing: String = differing.map(|(_, whole)| &whole[..]).collect();
    if lines.concat() != expected {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edited.txt");
        fs::write(&file, differing).expect("what differs can be written");
        panic!("changed, see {}; UPDATE_EXPECT=1 writes the fingerprints", file.display());
    }
}
