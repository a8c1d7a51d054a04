//! Turns the sentences about lexical tokens into rows, one for each token that a mode names. Abstract tokens are
//! translated as the profile defines.

use super::notation::{Grammar, lexeme_name};
use super::sentences::{Act, Data, Handling};
use super::{Document, LexemeRow, Mode};
use crate::document::profile::Profile;
use crate::document::{DocumentRow, statement};
use std::collections::BTreeMap;

/// A row under construction.
struct RowDraft {
    bindings: Vec<String>,
    steps: Vec<String>,
    /// The last abstract token emitted before the next row, by name; empty if none.
    last: String,
    /// Mode to which the row switches.
    target: Option<String>,
    is_gap: bool,
}

/// Builds the rows of all modes.
pub(super) fn rows_of_modes(document: &Document, profile: &Profile) -> Vec<Vec<DocumentRow>> {
    // For each mode, the last abstract token emitted before the mode is first entered.
    let mut entered: BTreeMap<&str, String> = BTreeMap::new();
    let mut open: Vec<&Mode> = document.modes.first().into_iter().collect();
    entered.extend(open.iter().map(|mode| (&mode.name[..], String::new())));
    while let Some(mode) = open.pop() {
        let last = entered[&mode.name[..]].clone();
        for (row, lexeme) in named_tokens(mode) {
            let written = draft_row(document, profile, row, lexeme, &last);
            let target =
                document.modes.iter().find(|other| Some(&other.name) == written.target.as_ref());
            if let Some(target) = target.filter(|target| !entered.contains_key(&target.name[..])) {
                entered.insert(&target.name, written.last);
                open.push(target);
            }
        }
    }
    let rows = |mode: &Mode| {
        let last = entered.get(&mode.name[..]).cloned().unwrap_or_default();
        named_tokens(mode)
            .map(|(row, lexeme)| document_row(document, profile, row, lexeme, &last))
            .collect()
    };
    document.modes.iter().map(rows).collect()
}

fn named_tokens(mode: &Mode) -> impl Iterator<Item = (&LexemeRow, &String)> {
    mode.rows.iter().flat_map(|row| row.lexemes.iter().map(move |lexeme| (row, lexeme)))
}

fn document_row(
    document: &Document,
    profile: &Profile,
    row: &LexemeRow,
    lexeme: &str,
    last: &str,
) -> DocumentRow {
    let mut written = draft_row(document, profile, row, lexeme, last);
    if written.steps.is_empty() {
        written.steps.push("ignore;".to_owned());
    }
    let mut hashes = vec![row.hash];
    if matches!(row.handling, Handling::Default(_)) {
        hashes.extend(default(document, lexeme).map(|default| default.hash));
    }
    let bindings = match written.bindings.is_empty() {
        true => String::new(),
        false => format!(" ({})", written.bindings.join(", ")),
    };
    DocumentRow {
        patterns: format!("{}{bindings}", lexeme_name(lexeme)),
        steps: written.steps.join(" "),
        line: row.line,
        is_gap: written.is_gap,
        hashes,
        ..DocumentRow::default()
    }
}

fn default<'d>(document: &'d Document, lexeme: &str) -> Option<&'d LexemeRow> {
    document.defaults.iter().find(|row| row.lexemes.iter().any(|other| other == lexeme))
}

fn draft_row(
    document: &Document,
    profile: &Profile,
    row: &LexemeRow,
    lexeme: &str,
    last: &str,
) -> RowDraft {
    let mut written = RowDraft {
        bindings: Vec::new(),
        steps: Vec::new(),
        last: last.to_owned(),
        target: None,
        is_gap: false,
    };
    match &row.handling {
        Handling::Default(change) => {
            if let Some(default) = default(document, lexeme) {
                written = draft_row(document, profile, default, lexeme, last);
            }
            if let Some(target) = change {
                written.switch(target);
            }
        }
        Handling::Named(token, each) => {
            let name = match document.data.get(lexeme) {
                Some(Data::Text(word)) => lexeme_name(word),
                _ => "name".to_owned(),
            };
            let found = written.emit(document, profile, token, "reference");
            let otherwise = written.emit_each(document, profile, token, *each);
            written.steps = vec![format!(
                "when {name} is-reference {{ match-reference {name}; {found} }} otherwise {{ {otherwise} }}"
            )];
            written.bindings = vec![name];
        }
        Handling::Numbered(token, limit, each) => {
            let base = base(document, lexeme);
            let code = "character-reference-code";
            let found = written.emit(document, profile, token, code);
            let otherwise = written.emit_each(document, profile, token, *each);
            let step = format!(
                "when number in-base {base} is-at-most 0x{limit:X} {{ set {code} number in-base {base}; {found} }}"
            );
            written.steps = vec![match otherwise.is_empty() {
                true => step,
                false => format!("{step} otherwise {{ {otherwise} }}"),
            }];
            written.bindings = vec!["number".to_owned()];
        }
        Handling::Acts(acts) => {
            for act in acts {
                match act {
                    Act::Switch(target) => written.switch(target),
                    Act::Emit(token) => {
                        let named = document.abstract_tokens.get(token).cloned().flatten();
                        let data = named.clone().unwrap_or("current".to_owned());
                        written.bindings.extend(named);
                        let steps = written.emit(document, profile, token, &data);
                        written.steps.push(steps);
                    }
                }
            }
        }
    }
    written
}

/// Returns the base of the number in a lexical token: 16 if its digits include letters, else 10.
fn base(document: &Document, lexeme: &str) -> u32 {
    let find = |name: &str| document.lexemes.iter().find(|one| one.name == name);
    let words = find(lexeme).map(|one| one.grammar.words()).unwrap_or_default();
    let has_letters = |grammar: &Grammar| grammar.text().contains(&statement::character('a'));
    if words.iter().filter_map(|word| find(word)).any(|one| has_letters(&one.grammar)) {
        16
    } else {
        10
    }
}

impl RowDraft {
    fn switch(&mut self, target: &str) {
        self.target = Some(target.to_owned());
        self.steps.push(format!("switch {target};"));
    }

    /// Returns the steps that emit an abstract token, and records it as the last one. A token that the output grammar
    /// allows repeatedly after the last one is emitted within that one.
    fn emit(&mut self, document: &Document, profile: &Profile, token: &str, data: &str) -> String {
        let template = profile.tokens.iter().find(|(name, _)| name == token);
        let mut templates = template.map_or("", |(_, template)| template).split(" | ");
        let (alone, within) = (templates.next().unwrap_or_default(), templates.next());
        let output = document.output.as_ref();
        let is_within = output.is_some_and(|output| follows(output, &self.last, token));
        let template = within.filter(|_| is_within).unwrap_or(alone);
        if !is_within {
            self.last = token.to_owned();
        }
        template.replace("{}", data)
    }

    /// Returns the steps that emit an abstract token for the characters of a lexical token, if `each`; else marks the
    /// row as a gap in the document.
    fn emit_each(
        &mut self,
        document: &Document,
        profile: &Profile,
        token: &str,
        each: bool,
    ) -> String {
        self.is_gap |= !each;
        if each { self.emit(document, profile, token, "lexeme") } else { String::new() }
    }
}

/// Whether the grammar has `one` followed by any number of `other`.
fn follows(grammar: &Grammar, one: &str, other: &str) -> bool {
    match grammar {
        Grammar::Sequence(parts) => {
            let is_one = |part: &Grammar| *part == Grammar::Word(one.to_owned());
            let is_other = |part: &Grammar| matches!(part, Grammar::Repeated(inner, '*') if **inner == Grammar::Word(other.to_owned()));
            parts.windows(2).any(|two| is_one(&two[0]) && is_other(&two[1]))
                || parts.iter().any(|part| follows(part, one, other))
        }
        Grammar::Alternatives(parts) => parts.iter().any(|part| follows(part, one, other)),
        Grammar::Repeated(part, _) | Grammar::Data(part) => follows(part, one, other),
        _ => false,
    }
}
