//! A table split into pieces: each declaration as a key with normalized lines, so that declarations outside rows can be
//! compared line by line, and the members that the other side must have, too. Each declaration is destructured with all
//! its fields by name, so that a new field does not compile before it is handled here.

mod tree;

use super::Index;
use super::text::{
    self, characters, conditions, expression, flag, patterns, sorted, steps, tokens, words,
};
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::syntax::{
    Change, EncodingClue, Item, Mode, ModeRow, Note, Pattern, Row, RowChange, Section, Span,
    Spanned, State, Step, Table, TokenPattern, Word,
};
use tabulex_language::vocabulary::tree::TREE_LIMITS;

/// Reads the text of a file next to the table.
pub type Beside<'b> = &'b dyn Fn(&str) -> Option<String>;

/// Which tables must have the members of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Need {
    /// None: a document does not speak of it.
    #[default]
    None,
    /// Both.
    Both,
    /// Both, if both have modes.
    Modes,
    /// Both, if both have lexical tokens.
    Lexemes,
    /// Both, if the document declares it.
    Declared,
    /// Both, if both declare it.
    Shared,
}

/// A part of a declaration that is compared by its meaning.
#[derive(Clone, Debug)]
pub(super) struct Member<'t> {
    pub(super) text: String,
    pub(super) span: Span,
    /// Notes for deviations from the document.
    pub(super) notes: &'t [Note],
}

/// A declaration, or all declarations of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece<'t> {
    /// Lines that are compared literally.
    pub(super) lines: Vec<String>,
    /// Rows and lexical tokens: compared by their effects where both sides have them.
    pub(super) compared: Vec<String>,
    /// Whether the order of the lines is significant.
    pub(super) is_ordered: bool,
    /// Span of the first declaration.
    pub(super) span: Span,
    /// Spans of individual lines.
    pub(super) places: Vec<(String, Span)>,
    pub(super) need: Need,
    pub(super) members: Vec<Member<'t>>,
    /// Whether one note stands for all members, and covers those that it names.
    pub(super) is_set: bool,
}

impl<'t> Piece<'t> {
    /// Makes the lines added last members.
    fn need(&mut self, need: Need, notes: &'t [Note], span: Span) -> &mut Self {
        self.need = need;
        let new = self.lines[self.members.len()..].iter();
        self.members.extend(new.map(|line| Member { text: line.clone(), span, notes }));
        self
    }

    /// Makes other texts than the lines members.
    fn need_meaning(
        &mut self,
        need: Need,
        notes: &'t [Note],
        span: Span,
        meaning: impl IntoIterator<Item = String>,
    ) -> &mut Self {
        self.need = need;
        self.members.extend(meaning.into_iter().map(|text| Member { text, span, notes }));
        self
    }
}

/// All pieces of a table, by key.
#[derive(Debug, Default)]
pub(super) struct Pieces<'t> {
    pub(super) all: BTreeMap<String, Piece<'t>>,
    /// Files of references, each with the key of its contents.
    references: Vec<(String, &'t Word)>,
}

impl<'t> Pieces<'t> {
    /// Splits a table into pieces.
    pub(super) fn new(index: &Index<'t>) -> Self {
        let mut pieces = Self::default();
        let Table { items } = index.table;
        items.iter().for_each(|item| pieces.item(item, index));
        pieces.order(items);
        pieces
    }

    /// Returns lines for the contents of the files of references: the number of names for each initial letter, with a
    /// hash of their characters.
    pub(super) fn of_references(&self, beside: Beside<'_>) -> Vec<(String, Vec<String>, Span)> {
        let lines = |file: &Word| {
            let entries = match tabulex_language::references::read(&beside(&file.value)?) {
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
        let of = |(key, file): &(String, &Word)| Some((key.clone(), lines(file)?, file.span));
        self.references.iter().filter_map(of).collect()
    }

    fn at(&mut self, key: &str, span: Span) -> &mut Piece<'t> {
        let fresh = || Piece { span, ..Piece::default() };
        self.all.entry(key.to_owned()).or_insert_with(fresh)
    }

    /// Adds lines whose order is not significant.
    fn set(
        &mut self,
        key: &str,
        span: Span,
        lines: impl IntoIterator<Item = String>,
    ) -> &mut Piece<'t> {
        let piece = self.at(key, span);
        piece.lines.extend(lines);
        piece
    }

    /// Adds lines whose order is significant.
    fn list(&mut self, key: &str, span: Span, lines: Vec<String>) -> &mut Piece<'t> {
        let piece = self.set(key, span, lines);
        piece.is_ordered = true;
        piece
    }

    fn word(&mut self, key: &str, word: &Word) -> &mut Piece<'t> {
        self.set(key, word.span, [word.value.clone()])
    }

    /// Adds a reference to a section of the document; all sections are one piece.
    fn section(&mut self, of: &str, section: Option<&Section>, span: Span) {
        if let Some(Section { number, anchor }) = section {
            let anchor = anchor.iter().map(|anchor| format!("{of} # {anchor}"));
            let lines: Vec<String> =
                [format!("{of} @ {number}")].into_iter().chain(anchor).collect();
            let places = lines.iter().map(|line| (line.clone(), span)).collect::<Vec<_>>();
            self.set("sections", span, lines);
            self.at("sections", span).places.extend(places);
        }
    }

    fn item(&mut self, item: &'t Item, index: &Index<'t>) {
        match item {
            Item::Name(name) => {
                self.word("name", name);
            }
            Item::Document(title, _) => {
                self.word("document", title);
            }
            Item::Start(state) => {
                self.word("start", state).need(Need::Both, &[], state.span);
            }
            Item::Entry(states) => self.words("entry", states),
            Item::Newlines(word, notes) => {
                self.word("newlines", word).need(Need::Both, notes, word.span);
            }
            Item::Nulls(word, notes) => {
                self.word("nulls", word).need(Need::Both, notes, word.span);
            }
            Item::ByteOrderMark(word, _) => {
                self.word("byte-order-mark", word);
            }
            Item::Limit { name, number, notes } => {
                let key = format!("limit {}", name.value);
                let piece = self.set(&key, name.span, [number.value.to_string()]);
                if TREE_LIMITS.iter().any(|(word, _)| *word == name.value) {
                    piece.need(Need::Modes, notes, name.span);
                }
            }
            Item::InputError { patterns: wrong, error, notes, .. } => {
                let line = format!("{} => {}", sorted(wrong), error.value);
                let set = characters(&index.characters(wrong));
                let meaning = [format!("{set} => {}", error.value)];
                let span = wrong.first().map_or(error.span, |pattern| pattern.span);
                let piece = self.set("input", error.span, [line]);
                piece.need_meaning(Need::Both, notes, span, meaning);
            }
            Item::EmissionAction { token, action, notes } => {
                let key = format!("emitting {}", token.value);
                self.list(&key, token.span, vec![words(action)]).need(
                    Need::Both,
                    notes,
                    token.span,
                );
            }
            Item::EmissionError { token, with, error, notes } => {
                let line = format!("{} with {} => {}", token.value, with.value, error.value);
                let piece = self.set("emitting with", token.span, [line]);
                piece.need(Need::Both, notes, token.span);
            }
            Item::Class { name, patterns: members } => {
                self.set(&format!("class {}", name.value), name.span, [sorted(members)]);
            }
            Item::Errors(codes) => self.words("errors", codes),
            Item::HostErrors(codes) => self.words("errors by host", codes),
            Item::Flag { name, values, by_host, by_rows } => {
                let text = flag(values, (*by_host, *by_rows));
                let piece = self.set(&format!("flag {}", name.value), name.span, [text]);
                piece.need(Need::Both, &[], name.span);
            }
            Item::Counter { name, most, error, notes } => {
                self.bounded(&format!("counter {}", name.value), most, error, notes);
            }
            Item::PushedStates { most, error, notes } => {
                self.bounded("pushed-states", most, error, notes);
            }
            Item::Token { name, fields, .. } => {
                // The fields are ordered as sinks receive them.
                let fields: Vec<String> = fields.iter().map(|field| field.value.clone()).collect();
                let meaning = [fields.join(", ")];
                let piece = self.list(&format!("token {}", name.value), name.span, fields);
                piece.need_meaning(Need::Both, &[], name.span, meaning);
            }
            Item::Condition { name, conditions: parts } => {
                self.set(&format!("condition {}", name.value), name.span, [conditions(parts)]);
            }
            Item::Action { name, section, steps } => self.named("action", name, section, steps),
            Item::Encodings { section, clues } => self.encodings(section.as_ref(), clues),
            Item::References(file, notes) => {
                self.word("references", file).need(Need::Both, notes, file.span);
                self.references.push(("references: what they hold".to_owned(), file));
            }
            Item::Lexeme { name, expression: matches, ahead, notes } => {
                let ahead = ahead.as_ref().map(|ahead| format!("ahead {}", expression(ahead)));
                let lines: Vec<String> = [expression(matches)].into_iter().chain(ahead).collect();
                let piece = self.at(&format!("lexeme {}", name.value), name.span);
                piece.need_meaning(Need::Lexemes, notes, name.span, [lines.join(" ")]);
                piece.compared.extend(lines);
            }
            Item::Procedure { name, section, states } => {
                let key = format!("procedure {}", name.value);
                self.section(&key, section.as_ref(), name.span);
                self.list(&key, name.span, Vec::new());
                states.iter().for_each(|state| self.state(state, Some(&name.value)));
            }
            Item::State(state) => self.state(state, None),
            Item::TreeStart(mode) => {
                self.word("tree start", mode).need(Need::Modes, &[], mode.span);
            }
            // Elements that consist of a name need no declaration.
            Item::Elements(kind, notes) => {
                let piece = self.word("elements", kind);
                if kind.value != "plain" {
                    piece.need(Need::Modes, notes, kind.span);
                }
            }
            Item::Names(members) => self.members("names", members, index),
            Item::Tree(item) => self.tree(item, index),
            Item::Steps { name, section, steps } => self.named("steps", name, section, steps),
            Item::Mode(mode) => self.mode(mode),
            Item::Extends { base, changes, .. } => {
                self.set(&format!("extends {}", base.value), base.span, []);
                changes.iter().for_each(|change| self.change(&base.value, change, index));
            }
        }
    }

    /// Adds steps that the table names.
    fn named(&mut self, kind: &str, name: &Word, section: &Option<Section>, does: &[Step]) {
        let key = format!("{kind} {}", name.value);
        self.section(&key, section.as_ref(), name.span);
        self.list(&key, name.span, steps(does));
    }

    /// Records the order of states and modes, which follows the document's sections.
    fn order(&mut self, items: &[Item]) {
        for item in items {
            let (key, names): (&str, Vec<&Word>) = match item {
                Item::State(state) => ("order of states", vec![&state.name]),
                Item::Procedure { states, .. } => {
                    ("order of states", states.iter().map(|state| &state.name).collect())
                }
                Item::Mode(mode) => ("order of modes", vec![&mode.name]),
                // The order of other items is not significant.
                _ => continue,
            };
            for name in names {
                self.list(key, name.span, vec![name.value.clone()]);
            }
        }
    }

    fn bounded(&mut self, key: &str, most: &Spanned<u32>, error: &Word, notes: &'t [Note]) {
        let line = format!("to {} => {}", most.value, error.value);
        self.set(key, most.span, [line]).need(Need::Both, notes, most.span);
    }

    fn words(&mut self, key: &str, all: &[Word]) {
        let span = all.first().map_or(Span::default(), |word| word.span);
        self.set(key, span, all.iter().map(|word| word.value.clone()));
    }

    fn encodings(&mut self, section: Option<&Section>, clues: &'t [EncodingClue]) {
        let span = clues.first().map_or(Span::default(), |clue| clue.word.span);
        self.section("encodings", section, span);
        for EncodingClue { word, texts, meaning, notes } in clues {
            let texts: Vec<String> = texts.iter().map(|text| format!("{:?}", text.value)).collect();
            let meaning =
                meaning.as_ref().map_or(String::new(), |it| format!(" => {:?}", it.value));
            let line = format!("{} {}{meaning}", word.value, texts.join(" | "));
            self.list("encodings", span, vec![line]).need(Need::Declared, notes, word.span);
        }
    }

    fn state(&mut self, state: &State, procedure: Option<&str>) {
        let State { name, section, subject, otherwise, enter, leave, rows } = state;
        let key = format!("state {}", name.value);
        self.section(&key, section.as_ref(), name.span);
        let mut lines: Vec<String> = procedure.iter().map(|name| format!("in {name}")).collect();
        lines.extend(subject.iter().map(|subject| format!("on {}", subject.value)));
        lines.extend(otherwise.iter().map(|lexeme| format!("else {}", lexeme.value)));
        for (word, does) in [("enter", enter), ("leave", leave)] {
            let does = steps(does);
            lines.extend((!does.is_empty()).then(|| format!("{word} => {}", does.join(" "))));
        }
        lines.extend(rows.iter().filter_map(bound));
        self.list(&key, name.span, lines);
        self.at(&key, name.span).compared.extend(rows.iter().map(row));
    }

    fn mode(&mut self, mode: &Mode) {
        let Mode { name, section, rows } = mode;
        let key = format!("mode {}", name.value);
        self.section(&key, section.as_ref(), name.span);
        let piece = self.at(&key, name.span);
        piece.compared.extend(rows.iter().map(row_of_mode));
    }

    /// Adds a change of the base as a piece of its own.
    fn change(&mut self, base: &str, change: &'t Change, index: &Index<'t>) {
        let mut inner = Self::default();
        let (word, span) = match change {
            Change::Replace(item, span) => {
                inner.item(item, index);
                ("replace", *span)
            }
            Change::Add(item) => {
                inner.item(item, index);
                ("add", Span::default())
            }
            Change::Take { kind, names } => {
                inner.words(&kind.value, names);
                ("take", kind.span)
            }
            Change::Remove { kind, names } => {
                inner.words(&kind.value, names);
                ("remove", kind.span)
            }
            Change::Rows { state, changes } => {
                let line = |change: &RowChange| match change {
                    RowChange::Replace(with) => format!("replace {}", row(with)),
                    RowChange::Add(with) => format!("add {}", row(with)),
                    RowChange::Remove(which) => format!("remove {}", patterns(which)),
                };
                inner.list(&state.value, state.span, changes.iter().map(line).collect());
                ("rows", state.span)
            }
            Change::ModeRows { mode, changes } => {
                let line = |change: &RowChange<ModeRow, TokenPattern>| match change {
                    RowChange::Replace(with) => format!("replace {}", row_of_mode(with)),
                    RowChange::Add(with) => format!("add {}", row_of_mode(with)),
                    RowChange::Remove(which) => format!("remove {}", tokens(which)),
                };
                inner.list(&mode.value, mode.span, changes.iter().map(line).collect());
                ("mode rows", mode.span)
            }
        };
        for (key, Piece { lines, compared, is_ordered, .. }) in inner.all {
            let piece = self.at(&format!("extends {base}: {word} {key}"), span);
            piece.is_ordered |= is_ordered;
            piece.lines.extend(lines.into_iter().chain(compared));
        }
        let references = inner.references.into_iter();
        let key = |key: String| format!("extends {base}: {word} {key}");
        self.references.extend(references.map(|(inner, file)| (key(inner), file)));
    }
}

/// Returns a mode's row as one line.
fn row_of_mode(ModeRow { span: _, text: _, patterns, guard, steps: does }: &ModeRow) -> String {
    text::row(&tokens(patterns), guard.as_ref(), does)
}

fn row(row: &Row) -> String {
    let Row { span: _, text: _, patterns: named, bindings, guard, steps: does } = row;
    let bound: Vec<&str> = bindings.iter().map(|word| &word.value[..]).collect();
    let bound = if bound.is_empty() { String::new() } else { format!(" ({})", bound.join(", ")) };
    text::row(&format!("{}{bound}", patterns(named)), guard.as_ref(), does)
}

/// Returns the names that a row binds to the data of its lexical token.
fn bound(row: &Row) -> Option<String> {
    let names: Vec<&str> = row.bindings.iter().map(|word| &word.value[..]).collect();
    let named: &[Spanned<Pattern>] = &row.patterns;
    (!names.is_empty()).then(|| format!("{} binds {}", patterns(named), names.join(", ")))
}
