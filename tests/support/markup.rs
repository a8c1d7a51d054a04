//! Random HTML markup, made from the tag names in rows of a table's modes and determined by table and seed.

use crate::inputs::Alphabet;
use crate::interpreted::{Table, table};
use crate::random::Random;
use crate::trees::Input;
use std::collections::BTreeSet;
use tabulex_language::model::tree::DocumentMode;

/// The modes of documents.
pub const DOCUMENT_MODES: &[DocumentMode] =
    &[DocumentMode::NoQuirks, DocumentMode::LimitedQuirks, DocumentMode::Quirks];

/// Returns tag names for a dialect: those that the rows of its modes distinguish, and a few others.
///
/// # Panics
/// If the table of the dialect has no modes.
pub fn names(dialect: &str) -> Vec<String> {
    names_of(table(dialect))
}

/// Returns the tag names for a table, which need not be that of a dialect; see [`names`].
///
/// # Panics
/// If the table has no modes.
pub fn names_of(table: &Table) -> Vec<String> {
    let other_names =
        ["x-y", "span", "foreignObject", "desc", "mi", "mglyph", "g", "annotation-xml"];
    let mut names = pattern_names(table);
    names.extend(other_names.map(str::to_owned));
    names.into_iter().collect()
}

/// Returns the tag names in patterns of the modes.
///
/// # Panics
/// If the table has no modes.
pub fn pattern_names(table: &Table) -> BTreeSet<String> {
    let construction = table.machine().construction.as_ref().unwrap();
    let mut names = BTreeSet::new();
    for pattern in construction.rows().flat_map(|row| &row.patterns) {
        names.extend(pattern.value.tag_names().iter().cloned());
    }
    names
}

/// Returns a random text and the other properties of an input, for a dialect with trees: markup with the names if there
/// are any, otherwise pieces of the alphabet.
pub fn tree_input(
    random: &mut Random,
    alphabet: &Alphabet,
    names: &[String],
) -> (String, Input<'static>) {
    let mut input = Input::default();
    if names.is_empty() {
        input.parsing_context = alphabet.setup(random).flag("parsing-context");
        return (alphabet.input(random, 24), input);
    }
    let text = markup(random, names, 24);
    input.fragment = random.one_in(3).then(|| random.piece("contexts"));
    input.context_mode = Some(*random.pick(DOCUMENT_MODES));
    (input.scripting, input.shadow_roots) = (random.one_in(2), random.one_in(2));
    (text, input)
}

/// Returns markup of up to `max_count` tags and texts, mostly with the same few names, so that tags interact.
pub fn markup(random: &mut Random, names: &[String], max_count: usize) -> String {
    let frequent_names: Vec<&String> =
        (0..1 + random.below(6)).map(|_| random.pick(names)).collect();
    let mut text = String::new();
    for _ in 0..random.below(max_count) {
        let name =
            if random.one_in(5) { random.pick(names) } else { *random.pick(&frequent_names) };
        match random.below(8) {
            0..=3 => {
                let attributes = random.piece("attributes");
                let slash = if random.one_in(6) { "/" } else { "" };
                text += &format!("<{name}{attributes}{slash}>");
            }
            4 | 5 => text += &format!("</{name}>"),
            _ => text += random.piece("texts"),
        }
    }
    text
}
