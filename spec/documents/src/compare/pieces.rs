//! Splits a table into pieces: each declaration becomes a key with normalized lines, so that declarations outside rows
//! can be compared line by line, and with members that the other side must also have. Patterns name all fields of the
//! syntax, so that the code does not compile while a new field is not covered.

mod tree;

use super::Index;
use super::text::{
    characters, conditions, element, expression, flag, patterns, row, row_changes, sorted, steps,
    tokens, words,
};
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::syntax::{
    Change, Item, ItemBody, Note, ParsedClause, ParsedRow, ParsedState, Section, Span, Table, Word,
};
use tabulex_language::vocabulary::tree::TREE_LIMITS;

/// Function that reads the text of a file next to the table; returns `None` if the file cannot be read.
pub type FileReader<'b> = &'b dyn Fn(&str) -> Option<String>;

/// The requirement on two compared tables to have equal members of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Need {
    /// No requirement, as documents do not specify the declaration.
    #[default]
    None,
    /// Both tables must have each member.
    Both,
    /// Both tables must have each member if both have modes.
    Modes,
    /// The requirement of `Modes`; a note on the declaration covers all members.
    Set,
    /// Both tables must have each member if both have the declaration; a note on the declaration covers all members.
    Shared,
    /// Both tables must have each member if both have lexical tokens.
    Lexemes,
    /// Both tables must have each member if the document has the declaration.
    Declared,
}

/// A part of a declaration, normalized so that parts with equal meanings have equal texts.
#[derive(Clone, Debug)]
pub(super) struct Member<'t> {
    pub(super) text: String,
    pub(super) span: Span,
    /// Notes on differences from the document.
    pub(super) notes: &'t [Note],
}

/// A declaration, or all declarations of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece<'t> {
    /// Lines that are compared literally.
    pub(super) lines: Vec<String>,
    /// Lines for rows and lexical tokens, which are compared by effect if both sides have the declaration.
    pub(super) compared: Vec<String>,
    /// Whether the order of the lines is significant.
    pub(super) is_ordered: bool,
    /// Span of the first declaration.
    pub(super) span: Span,
    /// Individual lines, each with its span.
    pub(super) line_spans: Vec<(String, Span)>,
    pub(super) need: Need,
    pub(super) members: Vec<Member<'t>>,
}

impl Piece<'_> {
    /// Whether a note on the declaration covers all members.
    pub(super) fn is_set(&self) -> bool {
        matches!(self.need, Need::Set | Need::Shared)
    }
}

/// All pieces of a table, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces<'t> {
    pub(super) all: BTreeMap<String, Piece<'t>>,
    /// Files of named character references, each after the key for its contents.
    references: Vec<(String, &'t Word)>,
}

impl<'t> Pieces<'t> {
    /// Splits a table into pieces.
    pub(super) fn new(index: &Index<'t>) -> Self {
        let mut pieces = Self::default();
        let Table { items } = index.table;
        items.iter().for_each(|item| pieces.add_item(item, index));
        pieces.add_order(items);
        pieces
    }

    /// Summarizes the contents of the files of references: a line per initial letter with the number of names and a
    /// hash of the names and their characters.
    pub(super) fn reference_lines(
        &self,
        read_file: FileReader<'_>,
    ) -> Vec<(String, Vec<String>, Span)> {
        let summarize = |file: &Word| {
            let entries = match tabulex_language::references::read(&read_file(&file.value)?) {
                Ok(entries) => entries,
                Err(message) => return Some(vec![message]),
            };
            let mut letters: BTreeMap<char, (usize, String)> = BTreeMap::new();
            for (name, characters) in entries {
                let letter = name.chars().next().unwrap_or_default();
                let (count, text) = letters.entry(letter).or_default();
                *count += 1;
                *text += &format!("{name} {characters:?}\n");
            }
            let line = |(letter, (count, text)): (char, (usize, String))| {
                format!("{letter}: {count} names, {:08x}", fingerprint(&text))
            };
            Some(letters.into_iter().map(line).collect())
        };
        let summary =
            |(key, file): &(String, &Word)| Some((key.clone(), summarize(file)?, file.span));
        self.references.iter().filter_map(summary).collect()
    }

    fn piece_mut(&mut self, key: &str, span: Span) -> &mut Piece<'t> {
        let new_piece = || Piece { span, ..Piece::default() };
        self.all.entry(key.to_owned()).or_insert_with(new_piece)
    }

    /// Adds lines in no significant order, and, unless `need` is `None`, members with the same texts.
    fn add_set(
        &mut self,
        key: &str,
        span: Span,
        lines: impl IntoIterator<Item = String>,
        need: Need,
        notes: &'t [Note],
    ) {
        let lines: Vec<String> = lines.into_iter().collect();
        self.piece_mut(key, span).lines.extend(lines.iter().cloned());
        if need != Need::None {
            self.add_members(key, span, lines, need, notes);
        }
    }

    /// Adds members to a piece, without lines.
    fn add_members(
        &mut self,
        key: &str,
        span: Span,
        members: impl IntoIterator<Item = String>,
        need: Need,
        notes: &'t [Note],
    ) {
        let piece = self.piece_mut(key, span);
        piece.need = need;
        piece.members.extend(members.into_iter().map(|text| Member { text, span, notes }));
    }

    /// Adds lines in a significant order.
    fn add_list(&mut self, key: &str, span: Span, lines: Vec<String>) {
        let piece = self.piece_mut(key, span);
        piece.lines.extend(lines);
        piece.is_ordered = true;
    }

    fn add_word(&mut self, key: &str, word: &Word, need: Need, notes: &'t [Note]) {
        self.add_set(key, word.span, [word.value.clone()], need, notes);
    }

    /// Adds a reference to a section of the document; all sections are one piece.
    fn add_section(&mut self, of: &str, section: Option<&Section>, span: Span) {
        if let Some(Section { number, anchor }) = section {
            let anchor = anchor.iter().map(|anchor| format!("{of} # {anchor}"));
            let lines: Vec<String> =
                [format!("{of} @ {number}")].into_iter().chain(anchor).collect();
            let line_spans = lines.iter().map(|line| (line.clone(), span)).collect::<Vec<_>>();
            let piece = self.piece_mut("sections", span);
            piece.lines.extend(lines);
            piece.line_spans.extend(line_spans);
        }
    }

    fn add_item(&mut self, item: &'t Item, index: &Index<'t>) {
        let Item { span: _, kind, name, section, notes, body } = item;
        let key = format!("{kind} {}", name.value);
        if item.own_name().is_some() {
            self.add_section(&key, section.as_ref(), name.span);
        }
        match body {
            ItemBody::Setting(value) => self.add_setting(kind, value, notes),
            ItemBody::Document(title, _) => self.add_word("document", title, Need::None, &[]),
            ItemBody::Entry(states) => self.add_words("entry", states),
            ItemBody::Limit(number) => {
                let is_of_trees = TREE_LIMITS.iter().any(|(word, _)| *word == name.value);
                let need = if is_of_trees { Need::Modes } else { Need::None };
                self.add_set(&key, name.span, [number.value.to_string()], need, notes);
            }
            ItemBody::InputError { patterns: wrong, error, .. } => {
                let [line, meaning] = [sorted(wrong), characters(&index.characters(wrong))]
                    .map(|wrong| [format!("{wrong} => {}", error.value)]);
                self.add_set("input", error.span, line, Need::None, &[]);
                let span = wrong.first().map_or(error.span, |pattern| pattern.span);
                self.add_members("input", span, meaning, Need::Both, notes);
            }
            ItemBody::EmissionAction { token, action } => {
                let key = format!("emitting {}", token.value);
                self.add_set(&key, token.span, [words(action)], Need::Both, notes);
                self.add_list(&key, token.span, Vec::new());
            }
            ItemBody::EmissionError { token, with, error } => {
                let line = format!("{} with {} => {}", token.value, with.value, error.value);
                self.add_set("emitting with", token.span, [line], Need::Both, notes);
            }
            ItemBody::Class(patterns) => {
                self.add_set(&key, name.span, [sorted(patterns)], Need::None, &[]);
            }
            ItemBody::Errors(codes) => self.add_words("errors", codes),
            ItemBody::HostErrors(codes) => self.add_words("errors by host", codes),
            ItemBody::Flag { values, by_host, by_rows } => {
                let need = if item.is_of_trees() { Need::Shared } else { Need::Both };
                let line = flag(values, (*by_host, *by_rows));
                self.add_set(&key, name.span, [line], need, &[]);
            }
            ItemBody::Counter { most, error } => {
                let line = format!("to {} => {}", most.value, error.value);
                self.add_set(&key, name.span, [line], Need::Both, notes);
            }
            ItemBody::PushedStates { most, error } => {
                let line = format!("to {} => {}", most.value, error.value);
                self.add_set("pushed-states", most.span, [line], Need::Both, notes);
            }
            ItemBody::Token { fields, .. } => {
                // The order of the fields is significant, because sinks receive them in this order.
                let fields: Vec<String> = fields.iter().map(|field| field.value.clone()).collect();
                self.add_members(&key, name.span, [fields.join(", ")], Need::Both, &[]);
                self.add_list(&key, name.span, fields);
            }
            ItemBody::Condition(parts) => {
                let need = if item.is_of_trees() { Need::Shared } else { Need::None };
                self.add_set(&key, name.span, [conditions(parts)], need, &[]);
            }
            ItemBody::Steps(parts) => self.add_list(&key, name.span, steps(parts)),
            ItemBody::Encodings(clauses) => self.add_encodings(section.as_ref(), clauses),
            ItemBody::Lexeme { expression: matches, ahead } => {
                let look_ahead = ahead.as_ref().map(|ahead| format!("ahead {}", expression(ahead)));
                let lines: Vec<String> =
                    [expression(matches)].into_iter().chain(look_ahead).collect();
                self.add_members(&key, name.span, [lines.join(" ")], Need::Lexemes, notes);
                self.piece_mut(&key, name.span).compared.extend(lines);
            }
            ItemBody::Procedure(states) => {
                self.add_list(&key, name.span, Vec::new());
                states.iter().for_each(|state| self.add_state(state, Some(&name.value)));
            }
            ItemBody::State(state) => self.add_state(state, None),
            ItemBody::Names(set) | ItemBody::Scope(set) => {
                self.add_element_set(&key, name, set, notes, index);
            }
            ItemBody::Dispatch { mode, condition } => {
                let line = format!("{} when {}", mode.value, conditions(condition));
                self.add_set("tree dispatch", mode.span, [line], Need::Modes, &[]);
            }
            ItemBody::Pointers(names) => self.add_words("pointers", names),
            ItemBody::IntegrationPoints(points) => {
                let span = points.first().map_or(Span::default(), |point| point.name.span);
                let lines = points.iter().map(tree::integration_point);
                self.add_set("integration-points", span, lines, Need::Modes, &[]);
            }
            ItemBody::Adjustments(entries) => {
                let lines = entries.iter().map(tree::adjustment);
                self.add_set(&key, name.span, lines, Need::Modes, &[]);
            }
            ItemBody::Doctypes { ignoring_case, tests } => {
                let test = |test: &Vec<_>| {
                    let mut parts: Vec<String> = test.iter().map(words).collect();
                    parts.sort();
                    parts.join(" and ")
                };
                let case_line = ignoring_case.then(|| "ignoring case".to_owned());
                let lines = tests.iter().map(test).chain(case_line);
                self.add_set(&key, name.span, lines, Need::Set, notes);
            }
            ItemBody::Unacknowledged(error) => {
                // Documents state the error for `self-closing` where they describe the emission of tokens, which may not be
                // compared with the table of modes.
                let is_step = name.value == "self-closing";
                let need = if is_step { Need::None } else { Need::Modes };
                let line = format!("{} => {}", name.value, error.value);
                self.add_set("unacknowledged", name.span, [line], need, notes);
            }
            ItemBody::Reset(rows) => {
                let span = rows.first().map_or(Span::default(), |row| row.span);
                self.add_section("reset", section.as_ref(), span);
                self.add_rows("reset", rows);
            }
            ItemBody::Fragment { root, rows } => {
                self.add_section("fragment", section.as_ref(), root.span);
                self.add_word("fragment root", root, Need::None, &[]);
                self.add_rows("fragment", rows);
            }
            ItemBody::SelectedContent(clauses) => {
                let span = clauses.first().map_or(Span::default(), |clause| clause.word.span);
                let lines = clauses.iter().flat_map(|ParsedClause { word, texts, .. }| {
                    texts.iter().map(move |text| format!("{} {:?}", word.value, text.value))
                });
                self.add_set("selected-content", span, lines, Need::Set, notes);
            }
            ItemBody::Fostering { names, beside } => {
                self.add_set("foster", beside.span, names.iter().map(element), Need::None, &[]);
                self.add_members("foster", beside.span, index.elements(names), Need::Modes, &[]);
                self.add_word("foster beside", beside, Need::Modes, &[]);
            }
            ItemBody::Algorithm(steps) => {
                let mut lines = Vec::new();
                tree::add_steps(steps, 0, &mut lines);
                self.add_list(&key, name.span, lines);
            }
            ItemBody::Feedback(action) => {
                let line = format!("{} => {}", name.value, words(action));
                self.add_set("tokenizer", name.span, [line], Need::None, &[]);
            }
            ItemBody::Answer { value, condition } => {
                let condition = conditions(condition);
                let line = format!("{} {} when {condition}", name.value, value.value);
                self.add_list("tell", name.span, vec![line]);
            }
            ItemBody::Mode(rows) => {
                let piece = self.piece_mut(&key, name.span);
                piece.compared.extend(rows.iter().map(|it| row(it, tokens)));
            }
            ItemBody::Extends { base, changes, .. } => {
                self.piece_mut(&format!("extends {}", base.value), base.span);
                changes.iter().for_each(|change| self.add_change(&base.value, change, index));
            }
        }
    }

    fn add_setting(&mut self, keyword: &str, value: &'t Word, notes: &'t [Note]) {
        let need = match keyword {
            "name" | "byte-order-mark" | "modes" => Need::None,
            // `plain` is the default, which documents do not state, so it is not compared.
            "elements" if value.value == "plain" => Need::None,
            "elements" | "template" | "text-nodes" | "tree start" => Need::Modes,
            _ => Need::Both,
        };
        self.add_word(keyword, value, need, notes);
        if keyword == "references" {
            self.references.push(("references: what they hold".to_owned(), value));
        }
    }

    /// Adds the order of the states and of the modes, which should be that of the document.
    fn add_order(&mut self, items: &[Item]) {
        for item in items {
            let (key, names): (&str, Vec<&Word>) = match &item.body {
                ItemBody::Mode(_) => ("order of modes", vec![&item.name]),
                // The order of items other than states and modes is not significant.
                _ => ("order of states", item.states().iter().map(|state| &state.name).collect()),
            };
            for name in names {
                self.add_list(key, name.span, vec![name.value.clone()]);
            }
        }
    }

    fn add_words(&mut self, key: &str, words: &[Word]) {
        let span = words.first().map_or(Span::default(), |word| word.span);
        self.add_set(key, span, words.iter().map(|word| word.value.clone()), Need::None, &[]);
    }

    fn add_encodings(&mut self, section: Option<&Section>, clauses: &'t [ParsedClause]) {
        let span = clauses.first().map_or(Span::default(), |clause| clause.word.span);
        self.add_section("encodings", section, span);
        for ParsedClause { word, texts, meaning, notes } in clauses {
            let meaning =
                meaning.as_ref().map_or(String::new(), |it| format!(" => {:?}", it.value));
            for text in texts {
                let line = format!("{} {:?}{meaning}", word.value, text.value);
                self.add_members("encodings", word.span, [line.clone()], Need::Declared, notes);
                self.add_list("encodings", span, vec![line]);
            }
        }
    }

    fn add_state(&mut self, state: &ParsedState, procedure: Option<&str>) {
        let ParsedState { name, section, subject, otherwise, enter, leave, rows } = state;
        let key = format!("state {}", name.value);
        self.add_section(&key, section.as_ref(), name.span);
        let mut lines: Vec<String> = procedure.iter().map(|name| format!("in {name}")).collect();
        lines.extend(subject.iter().map(|subject| format!("on {}", subject.value)));
        lines.extend(otherwise.iter().map(|lexeme| format!("else {}", lexeme.value)));
        for (word, block_steps) in [("enter", enter), ("leave", leave)] {
            let block_steps = steps(block_steps);
            lines.extend(
                (!block_steps.is_empty()).then(|| format!("{word} => {}", block_steps.join(" "))),
            );
        }
        lines.extend(rows.iter().filter_map(bindings_text));
        self.add_list(&key, name.span, lines);
        let rows = rows.iter().map(|it| row(it, patterns));
        self.piece_mut(&key, name.span).compared.extend(rows);
    }

    /// Adds a change of the base table as pieces of its own, with keys that begin with `extends`.
    fn add_change(&mut self, base: &str, change: &'t Change, index: &Index<'t>) {
        let mut changed_pieces = Self::default();
        let (word, span) = match change {
            Change::Replace(item, span) => {
                changed_pieces.add_item(item, index);
                ("replace", *span)
            }
            Change::Add(item) => {
                changed_pieces.add_item(item, index);
                ("add", Span::default())
            }
            Change::Take { kind, names } => {
                changed_pieces.add_words(&kind.value, names);
                ("take", kind.span)
            }
            Change::Remove { kind, names } => {
                changed_pieces.add_words(&kind.value, names);
                ("remove", kind.span)
            }
            Change::Rows { state, changes } => {
                let lines = row_changes(changes, patterns);
                changed_pieces.add_list(&state.value, state.span, lines);
                ("rows", state.span)
            }
            Change::ModeRows { mode, changes } => {
                changed_pieces.add_list(&mode.value, mode.span, row_changes(changes, tokens));
                ("mode rows", mode.span)
            }
            Change::Steps { algorithm, changes } => {
                let lines = changes.iter().flat_map(tree::step_change).collect();
                changed_pieces.add_list(&algorithm.value, algorithm.span, lines);
                ("steps", algorithm.span)
            }
        };
        for (key, Piece { lines, compared, is_ordered, .. }) in changed_pieces.all {
            let piece = self.piece_mut(&format!("extends {base}: {word} {key}"), span);
            piece.is_ordered |= is_ordered;
            piece.lines.extend(lines.into_iter().chain(compared));
        }
        let references = changed_pieces.references.into_iter();
        let key = |key: String| format!("extends {base}: {word} {key}");
        self.references.extend(references.map(|(inner, file)| (key(inner), file)));
    }
}

/// Returns a line for the names that a row binds to captures of its lexical token, or `None` if the row binds none.
fn bindings_text(row: &ParsedRow) -> Option<String> {
    let names: Vec<&str> = row.bindings.iter().map(|word| &word.value[..]).collect();
    (!names.is_empty()).then(|| format!("{} binds {}", patterns(&row.patterns), names.join(", ")))
}
