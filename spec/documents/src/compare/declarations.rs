//! Compares declarations: the start state and mode, flags, element construction, and token errors. A declaration that
//! only the table has needs a note, unless the document takes it for granted.

use super::{Comparison, Difference, Index, text};
use tabulex_language::syntax::{EncodingClue, Item, Note, Span, TreeItem};

/// A declaration: its text, span and notes.
type Declared<'t> = (String, Span, &'t [Note]);

/// Compares the declarations of both sides.
pub(super) fn compare(left: &Index<'_>, right: &Index<'_>, comparison: &mut Comparison) {
    // A document whose tree construction was not read has no declarations about it.
    let with_trees = left.has_modes() && right.has_modes();
    let (mine, mut yours) = (declared(left, with_trees), declared(right, with_trees));
    // Nor has one whose sections on bytes were not read.
    if !mine.iter().any(|(words, ..)| words.starts_with("encodings: ")) {
        yours.retain(|(words, ..)| !words.starts_with("encodings: "));
    }
    for (words, ..) in &mine {
        if !yours.iter().any(|(other, ..)| same(words, other)) {
            comparison.differences.push(difference(Some(words), None));
        }
    }
    for declared in &yours {
        let is_known = mine.iter().any(|(other, ..)| same(&declared.0, other));
        if !is_known {
            comparison.differences.push(difference(None, Some(declared)));
        } else if let [note, ..] = declared.2 {
            comparison.stale.push((declared.0.clone(), note.span, note.reason.clone()));
        }
    }
}

/// Whether two declarations are equal; an unnamed error equals any error.
fn same(one: &str, other: &str) -> bool {
    let bare = |text: &str| {
        text.split_once(" => error ").map(|(before, code)| (before.to_owned(), code.to_owned()))
    };
    match (bare(one), bare(other)) {
        (Some((one, code)), Some((two, other))) => {
            one == two && (code == other || code == "unnamed" || other == "unnamed")
        }
        _ => one == other,
    }
}

fn difference(left: Option<&String>, right: Option<&Declared<'_>>) -> Difference {
    Difference {
        state: String::new(),
        input: "declaration".to_owned(),
        condition: String::new(),
        left: left.cloned(),
        right: right.map(|(words, ..)| words.clone()),
        left_row: None,
        right_row: None,
        left_place: None,
        span: right.map(|(_, span, _)| *span),
        notes: right
            .map(|(.., notes)| notes.iter().map(|note| (note.kind, note.reason.clone())).collect())
            .unwrap_or_default(),
    }
}

/// Returns a clause of the declaration of encodings.
fn clue(clue: &EncodingClue) -> Declared<'_> {
    let EncodingClue { word, texts, meaning, notes } = clue;
    let texts: Vec<String> = texts.iter().map(|text| format!("{:?}", text.value)).collect();
    let meaning = meaning.as_ref().map_or(String::new(), |it| format!(" => {:?}", it.value));
    let words = format!("encodings: {} {}{meaning}", word.value, texts.join(" | "));
    (words, word.span, notes)
}

fn declared<'t>(index: &Index<'t>, with_trees: bool) -> Vec<Declared<'t>> {
    let mut found: Vec<Declared<'t>> = Vec::new();
    for item in &index.table.items {
        match item {
            Item::Start(name) => found.push((format!("start {}", name.value), name.span, &[])),
            Item::TreeStart(name) if with_trees => {
                found.push((format!("tree start {}", name.value), name.span, &[]));
            }
            // Elements that consist of a name need no declaration.
            Item::Elements(word, notes) if with_trees && word.value != "plain" => {
                found.push((format!("elements {}", word.value), word.span, notes));
            }
            Item::Tree(TreeItem::TextNodes(word, notes)) if with_trees => {
                found.push((format!("text-nodes {}", word.value), word.span, notes));
            }
            // The error for an unacknowledged self-closing flag is a step of an algorithm.
            Item::Tree(TreeItem::Unacknowledged { part, error, notes })
                if with_trees && part.value != "self-closing" =>
            {
                let words = format!("unacknowledged {} => error {}", part.value, error.value);
                found.push((words, part.span, notes));
            }
            Item::Newlines(word, notes) if word.value == "normalized" => {
                found.push(("newlines normalized".to_owned(), word.span, notes));
            }
            Item::References(file, notes) => {
                found.push((format!("references {:?}", file.value), file.span, notes));
            }
            Item::Flag { name, values, by_host, by_rows } => {
                let words = text::flag(values, (*by_host, *by_rows));
                found.push((format!("flag {} = {words}", name.value), name.span, &[]));
            }
            Item::Counter { name, most, error, notes } => {
                let words =
                    format!("counter {} to {} => error {}", name.value, most.value, error.value);
                found.push((words, name.span, notes));
            }
            Item::PushedStates { most, error, notes } => {
                let words = format!("pushed-states to {} => error {}", most.value, error.value);
                found.push((words, most.span, notes));
            }
            Item::Token { name, fields, .. } => {
                let fields: Vec<&str> = fields.iter().map(|field| &field.value[..]).collect();
                let words = format!("token {} {{ {} }}", name.value, fields.join(", "));
                found.push((words, name.span, &[]));
            }
            Item::Nulls(word, notes) if word.value == "replaced" => {
                found.push(("nulls replaced".to_owned(), word.span, notes));
            }
            Item::EmissionError { token, with, error, notes } => {
                let words = format!(
                    "emitting {} with {} => error {}",
                    token.value, with.value, error.value
                );
                found.push((words, token.span, notes));
            }
            Item::EmissionAction { token, action, notes } => {
                found.push((
                    format!("emitting {} => {}", token.value, text::words(action)),
                    token.span,
                    notes,
                ));
            }
            Item::InputError { patterns, error, notes, .. } => {
                let span = patterns.first().map_or(error.span, |pattern| pattern.span);
                let characters = text::characters(&index.characters(patterns));
                found.push((format!("input {characters} => error {}", error.value), span, notes));
            }
            Item::Encodings { clues, .. } => found.extend(clues.iter().map(clue)),
            _ => {}
        }
    }
    found
}
