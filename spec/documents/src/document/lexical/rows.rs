//! Turns the sentences about lexical tokens into rows, one for each token that a mode names. Abstract tokens are
//! translated as the profile defines.

use super::notation::{Grammar, lexeme_name};
use super::sentences::{Act, Data, Handling};
use super::{Document, LexemeRow, Mode};
use crate::document::profile::Profile;
use crate::document::{DocumentRow, statement};
use std::collections::BTreeMap;

/// A row of a lexical mode under construction.
struct RowDraft {
    bindings: Vec<String>,
    steps: Vec<String>,
    /// The last abstract token emitted before the next row, by name; empty if none.
    last_token: String,
    /// Mode to which the row switches, if it does.
    target: Option<String>,
    is_gap: bool,
}

/// Builds the rows of all modes.
pub(super) fn rows_of_modes(document: &Document, profile: &Profile) -> Vec<Vec<DocumentRow>> {
    // For each mode, the last abstract token emitted before the mode is first entered.
    let mut last_tokens: BTreeMap<&str, String> = BTreeMap::new();
    let mut open: Vec<&Mode> = document.modes.first().into_iter().collect();
    last_tokens.extend(open.iter().map(|mode| (&mode.name[..], String::new())));
    while let Some(mode) = open.pop() {
        let last_token = last_tokens[&mode.name[..]].clone();
        for (row, lexeme) in named_tokens(mode) {
            let draft = draft_row(document, profile, row, lexeme, &last_token);
            let target =
                document.modes.iter().find(|other| Some(&other.name) == draft.target.as_ref());
            if let Some(target) =
                target.filter(|target| !last_tokens.contains_key(&target.name[..]))
            {
                last_tokens.insert(&target.name, draft.last_token);
                open.push(target);
            }
        }
    }
    let rows = |mode: &Mode| {
        let last_token = last_tokens.get(&mode.name[..]).cloned().unwrap_or_default();
        named_tokens(mode)
            .map(|(row, lexeme)| document_row(document, profile, row, lexeme, &last_token))
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
    last_token: &str,
) -> DocumentRow {
    let mut draft = draft_row(document, profile, row, lexeme, last_token);
    if draft.steps.is_empty() {
        draft.steps.push("ignore;".to_owned());
    }
    let mut hashes = vec![row.hash];
    if matches!(row.handling, Handling::Default(_)) {
        hashes.extend(default_row(document, lexeme).map(|default_row| default_row.hash));
    }
    let bindings = match draft.bindings.is_empty() {
        true => String::new(),
        false => format!(" ({})", draft.bindings.join(", ")),
    };
    DocumentRow {
        patterns: format!("{}{bindings}", lexeme_name(lexeme)),
        steps: draft.steps.join(" "),
        line: row.line,
        is_gap: draft.is_gap,
        hashes,
        ..DocumentRow::default()
    }
}

fn default_row<'d>(document: &'d Document, lexeme: &str) -> Option<&'d LexemeRow> {
    document.defaults.iter().find(|row| row.lexemes.iter().any(|other| other == lexeme))
}

fn draft_row(
    document: &Document,
    profile: &Profile,
    row: &LexemeRow,
    lexeme: &str,
    last_token: &str,
) -> RowDraft {
    let mut draft = RowDraft {
        bindings: Vec::new(),
        steps: Vec::new(),
        last_token: last_token.to_owned(),
        target: None,
        is_gap: false,
    };
    match &row.handling {
        Handling::Default(change) => {
            if let Some(default_row) = default_row(document, lexeme) {
                draft = draft_row(document, profile, default_row, lexeme, last_token);
            }
            if let Some(target) = change {
                draft.add_switch(target);
            }
        }
        Handling::Named(token, each) => {
            let name = match document.data.get(lexeme) {
                Some(Data::Text(word)) => lexeme_name(word),
                _ => "name".to_owned(),
            };
            let reference_steps = draft.emit(document, profile, token, "reference");
            let otherwise = draft.emit_each(document, profile, token, *each);
            draft.steps = vec![format!(
                "when {name} is-reference {{ match-reference {name}; {reference_steps} }} otherwise {{ {otherwise} }}"
            )];
            draft.bindings = vec![name];
        }
        Handling::Numbered(token, limit, each) => {
            let base = base(document, lexeme);
            let code = "character-reference-code";
            let reference_steps = draft.emit(document, profile, token, code);
            let otherwise = draft.emit_each(document, profile, token, *each);
            let step = format!(
                "when number in-base {base} is-at-most 0x{limit:X} {{ set {code} number in-base {base}; {reference_steps} }}"
            );
            draft.steps = vec![match otherwise.is_empty() {
                true => step,
                false => format!("{step} otherwise {{ {otherwise} }}"),
            }];
            draft.bindings = vec!["number".to_owned()];
        }
        Handling::Acts(acts) => {
            for act in acts {
                match act {
                    Act::Switch(target) => draft.add_switch(target),
                    Act::Emit(token) => {
                        let noun = document.abstract_tokens.get(token).cloned().flatten();
                        let data = noun.clone().unwrap_or("current".to_owned());
                        draft.bindings.extend(noun);
                        let steps = draft.emit(document, profile, token, &data);
                        draft.steps.push(steps);
                    }
                }
            }
        }
    }
    draft
}

/// Returns the base of the number in a lexical token: 16 if its digits include letters, else 10.
fn base(document: &Document, lexeme: &str) -> u32 {
    let definition = |name: &str| document.lexemes.iter().find(|one| one.name == name);
    let words = definition(lexeme).map(|one| one.grammar.words()).unwrap_or_default();
    let has_letters = |grammar: &Grammar| grammar.text().contains(&statement::character('a'));
    if words.iter().filter_map(|word| definition(word)).any(|one| has_letters(&one.grammar)) {
        16
    } else {
        10
    }
}

impl RowDraft {
    fn add_switch(&mut self, target: &str) {
        self.target = Some(target.to_owned());
        self.steps.push(format!("switch {target};"));
    }

    /// Returns the steps that emit an abstract token. If the output grammar allows the token repeatedly after the last
    /// one, it is emitted within the last one; otherwise it becomes the last one.
    fn emit(&mut self, document: &Document, profile: &Profile, token: &str, data: &str) -> String {
        let template = profile.tokens.iter().find(|(name, _)| name == token);
        let mut templates = template.map_or("", |(_, template)| template).split(" | ");
        let (alone, within) = (templates.next().unwrap_or_default(), templates.next());
        let output = document.output.as_ref();
        let is_within = output.is_some_and(|output| follows(output, &self.last_token, token));
        let template = within.filter(|_| is_within).unwrap_or(alone);
        if !is_within {
            self.last_token = token.to_owned();
        }
        template.replace("{}", data)
    }

    /// Returns the steps that emit an abstract token for the characters of a lexical token. If `each` is false, returns
    /// no steps, and marks the row as a gap in the document.
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
