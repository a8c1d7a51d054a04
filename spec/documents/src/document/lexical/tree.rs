//! Turns a document's grammar of the tree into the rows of a mode, one for each token that opens, closes or fills an
//! element.

use super::Document;
use super::notation::Grammar;
use crate::document::profile::Profile;
use crate::document::{DocumentRow, DocumentState, DocumentStep};
use tabulex_language::model::kebab_case;

/// The step that wraps content other than a single element; the document does not name the wrapper.
pub(super) const SINGLE_ELEMENT: &str = "wrap-unless-single-element \"unnamed\";";

/// Returns the step for distinct attribute names, with the line and the hash of its sentence.
pub(super) fn distinct_names(origin: (usize, u32)) -> DocumentStep {
    DocumentStep { origin: Some(origin), ..DocumentStep::step("attributes have distinct names") }
}

/// Returns the mode for the grammar of the tree, or `None` if the document has no such grammar.
pub(super) fn mode(document: &Document, profile: &Profile) -> Option<DocumentState> {
    let (title, line) = document.tree.clone()?;
    let root = document.parts.first()?;
    let hashes: Vec<u32> = document.parts.iter().map(|part| part.hash).collect();
    let mut rows = Vec::new();
    let mut add_row = |patterns: &str, steps: &str, hashes: &[u32]| {
        if !rows.iter().any(|row: &DocumentRow| row.patterns == patterns) {
            rows.push(DocumentRow {
                patterns: patterns.to_owned(),
                steps: steps.to_owned(),
                line: root.line,
                hashes: hashes.to_vec(),
                ..DocumentRow::default()
            });
        }
    };
    let alternatives = match &root.grammar {
        Grammar::Alternatives(parts) => &parts[..],
        single => std::slice::from_ref(single),
    };
    for alternative in alternatives {
        let parts = match alternative {
            Grammar::Sequence(parts) => &parts[..],
            single => std::slice::from_ref(single),
        };
        let start_kind = parts.first().and_then(|part| last_token(document, part));
        let start_kind = start_kind.and_then(|token| kind(profile, &token))?;
        let is_closed = parts.len() > 1
            && parts
                .last()
                .and_then(|part| last_token(document, part))
                .and_then(|it| kind(profile, &it))
                == Some("end");
        if !is_closed {
            add_row(start_kind, "append-element;", &hashes);
            continue;
        }
        add_row(start_kind, "insert-element;", &hashes);
        for word in parts[1..parts.len() - 1].iter().flat_map(Grammar::words) {
            if kind(profile, word) == Some("character") {
                add_row("character", "append-text;", &hashes);
            }
        }
        match document.same_name.is_empty() {
            true => add_row("end", "pop;", &hashes),
            false => add_row("end", "when current is token-name { pop; }", &document.same_name),
        }
    }
    if let Some((line, hash)) = document.single_element {
        let steps = format!("{SINGLE_ELEMENT} stop;");
        let patterns = "EOF".to_owned();
        rows.push(DocumentRow {
            patterns,
            guard: None,
            steps,
            line,
            is_gap: true,
            hashes: vec![hash],
        });
    }
    let name = kebab_case(&title);
    Some(DocumentState { name, section: title, line, rows, ..DocumentState::default() })
}

/// Returns the last token of a part of the grammar, or `None` if the part does not end with a single token.
fn last_token(document: &Document, grammar: &Grammar) -> Option<String> {
    match grammar {
        Grammar::Word(word) => match document.parts.iter().find(|part| part.name == *word) {
            Some(part) => last_token(document, &part.grammar),
            None => Some(word.clone()),
        },
        Grammar::Sequence(parts) => last_token(document, parts.last()?),
        _ => None,
    }
}

/// Returns the kind of token that tree construction receives for an abstract token, or `None` if it receives none.
fn kind(profile: &Profile, token: &str) -> Option<&'static str> {
    let (_, steps) = profile.tokens.iter().find(|(name, _)| name == token)?;
    if steps.contains("create end-tag") {
        Some("end")
    } else if steps.contains("set self-closing") {
        Some("empty")
    } else if steps.starts_with("emit tag") {
        Some("start")
    } else {
        steps.starts_with("emit {}").then_some("character")
    }
}
