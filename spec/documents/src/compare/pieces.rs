//! A table split into pieces: each declaration as a key with normalized lines, so that declarations outside rows can be
//! compared line by line. Each declaration is destructured with all its fields by name, so that a new field does not
//! compile before it is handled here.

mod tree;

use super::text::{conditions, expression, patterns, sorted, steps, tokens, words};
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::syntax::{
    Change, EncodingClue, Item, Mode, ModeRow, Pattern, Row, RowChange, Section, Span, Spanned,
    State, Table, TokenPattern, Word,
};

/// Reads the text of a file next to the table.
pub type Beside<'b> = &'b dyn Fn(&str) -> Option<String>;

/// A declaration, or all declarations of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
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
}

/// All pieces of a table, by key.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) all: BTreeMap<String, Piece>,
}

/// Splits facts, which have no files next to them: no document states the contents of a list that they name.
pub(super) fn pieces_of_facts(facts: &Table) -> Pieces {
    pieces(facts, &|_| None)
}

/// Splits a table into pieces.
pub(super) fn pieces(table: &Table, beside: Beside<'_>) -> Pieces {
    let mut pieces = Pieces::default();
    let Table { items } = table;
    items.iter().for_each(|item| pieces.item(item, beside));
    pieces.order(items);
    pieces
}

impl Pieces {
    fn at(&mut self, key: &str, span: Span) -> &mut Piece {
        let fresh = || Piece { span, ..Piece::default() };
        self.all.entry(key.to_owned()).or_insert_with(fresh)
    }

    /// Adds lines whose order is not significant.
    fn set(&mut self, key: &str, span: Span, lines: impl IntoIterator<Item = String>) {
        self.at(key, span).lines.extend(lines);
    }

    /// Adds lines whose order is significant.
    fn list(&mut self, key: &str, span: Span, lines: Vec<String>) {
        let piece = self.at(key, span);
        piece.is_ordered = true;
        piece.lines.extend(lines);
    }

    fn word(&mut self, key: &str, word: &Word) {
        self.set(key, word.span, [word.value.clone()]);
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

    fn item(&mut self, item: &Item, beside: Beside<'_>) {
        match item {
            Item::Name(name) => self.word("name", name),
            Item::Document(title, _) => self.word("document", title),
            Item::Start(state) => self.word("start", state),
            Item::Entry(states) => self.words("entry", states),
            Item::Newlines(word, _) => self.word("newlines", word),
            Item::Nulls(word, _) => self.word("nulls", word),
            Item::ByteOrderMark(word, _) => self.word("byte-order-mark", word),
            Item::Limit { name, number, notes: _ } => {
                self.set(&format!("limit {}", name.value), name.span, [number.value.to_string()]);
            }
            Item::InputError { patterns: wrong, error, .. } => {
                let line = format!("{} => {}", sorted(wrong), error.value);
                self.set("input", error.span, [line]);
            }
            Item::EmissionAction { token, action, notes: _ } => {
                self.list(&format!("emitting {}", token.value), token.span, vec![words(action)]);
            }
            Item::EmissionError { token, with, error, notes: _ } => {
                let line = format!("{} with {} => {}", token.value, with.value, error.value);
                self.set("emitting with", token.span, [line]);
            }
            Item::Class { name, patterns: members } => {
                self.set(&format!("class {}", name.value), name.span, [sorted(members)]);
            }
            Item::Errors(codes) => self.words("errors", codes),
            Item::HostErrors(codes) => self.words("errors by host", codes),
            Item::Flag { name, values, by_host, by_rows } => {
                let text = super::text::flag(values, (*by_host, *by_rows));
                self.set(&format!("flag {}", name.value), name.span, [text]);
            }
            Item::Counter { name, most, error, notes: _ } => {
                self.bounded(&format!("counter {}", name.value), most, error);
            }
            Item::PushedStates { most, error, notes: _ } => {
                self.bounded("pushed-states", most, error);
            }
            Item::Token { name, fields, .. } => self.token(name, fields),
            Item::Condition { name, conditions: parts } => {
                self.set(&format!("condition {}", name.value), name.span, [conditions(parts)]);
            }
            Item::Action { name, section, steps: does } => {
                let key = format!("action {}", name.value);
                self.section(&key, section.as_ref(), name.span);
                self.list(&key, name.span, steps(does));
            }
            Item::Encodings { section, clues } => self.encodings(section.as_ref(), clues),
            Item::References(file, _) => self.references(file, beside),
            Item::Lexeme { name, expression: matches, ahead, notes: _ } => {
                let ahead = ahead.as_ref().map(|ahead| format!("ahead {}", expression(ahead)));
                let lines = [expression(matches)].into_iter().chain(ahead);
                let piece = self.at(&format!("lexeme {}", name.value), name.span);
                piece.compared.extend(lines);
            }
            Item::Procedure { name, section, states } => {
                let key = format!("procedure {}", name.value);
                self.section(&key, section.as_ref(), name.span);
                self.list(&key, name.span, Vec::new());
                states.iter().for_each(|state| self.state(state, Some(&name.value)));
            }
            Item::State(state) => self.state(state, None),
            Item::TreeStart(mode) => self.word("tree start", mode),
            Item::Elements(kind, _) => self.word("elements", kind),
            Item::Names(members) => self.members("names", members),
            Item::Tree(item) => self.tree(item),
            Item::Steps { name, section, steps: does } => {
                let key = format!("steps {}", name.value);
                self.section(&key, section.as_ref(), name.span);
                self.list(&key, name.span, steps(does));
            }
            Item::Mode(mode) => self.mode(mode),
            Item::Extends { base, changes, .. } => {
                self.set(&format!("extends {}", base.value), base.span, []);
                changes.iter().for_each(|change| self.change(&base.value, change, beside));
            }
        }
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

    fn bounded(&mut self, key: &str, most: &Spanned<u32>, error: &Word) {
        self.set(key, most.span, [format!("to {} => {}", most.value, error.value)]);
    }

    /// Adds a token with its fields, ordered as sinks receive them.
    fn token(&mut self, name: &Word, fields: &[Word]) {
        let fields = fields.iter().map(|field| field.value.clone()).collect();
        self.list(&format!("token {}", name.value), name.span, fields);
    }

    fn words(&mut self, key: &str, all: &[Word]) {
        let span = all.first().map_or(Span::default(), |word| word.span);
        self.set(key, span, all.iter().map(|word| word.value.clone()));
    }

    fn encodings(&mut self, section: Option<&Section>, clues: &[EncodingClue]) {
        let span = clues.first().map_or(Span::default(), |clue| clue.word.span);
        self.section("encodings", section, span);
        for EncodingClue { word, texts, meaning, notes: _ } in clues {
            let texts: Vec<String> = texts.iter().map(|text| format!("{:?}", text.value)).collect();
            let meaning =
                meaning.as_ref().map_or(String::new(), |it| format!(" => {:?}", it.value));
            let line = format!("{} {}{meaning}", word.value, texts.join(" | "));
            self.list("encodings", span, vec![line]);
        }
    }

    /// Adds a list of references: the number of names for each initial letter, with a hash of their characters.
    fn references(&mut self, file: &Word, beside: Beside<'_>) {
        let key = "references";
        self.word(key, file);
        let read = beside(&file.value).map(|text| tabulex_language::references::read(&text));
        let entries = match read {
            Some(Ok(entries)) => entries,
            Some(Err(message)) => return self.set(key, file.span, [message]),
            None => return,
        };
        let mut letters: BTreeMap<char, (usize, String)> = BTreeMap::new();
        for (name, characters) in entries {
            let (count, text) = letters.entry(name.chars().next().unwrap_or_default()).or_default();
            *count += 1;
            *text += &format!("{name} {characters:?}\n");
        }
        let line = |(letter, (count, text)): (char, (usize, String))| {
            format!("{letter}: {count} names, {:08x}", fingerprint(&text))
        };
        self.set("references: what they hold", file.span, letters.into_iter().map(line));
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
    fn change(&mut self, base: &str, change: &Change, beside: Beside<'_>) {
        let mut inner = Self::default();
        let (word, span) = match change {
            Change::Replace(item, span) => {
                inner.item(item, beside);
                ("replace", *span)
            }
            Change::Add(item) => {
                inner.item(item, beside);
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
        for (key, Piece { lines, compared, is_ordered, span: _, places: _ }) in inner.all {
            let piece = self.at(&format!("extends {base}: {word} {key}"), span);
            piece.is_ordered |= is_ordered;
            piece.lines.extend(lines.into_iter().chain(compared));
        }
    }
}

/// Returns a mode's row as one line.
fn row_of_mode(ModeRow { span: _, text: _, patterns, guard, steps: does }: &ModeRow) -> String {
    super::text::row(&tokens(patterns), guard.as_ref(), does)
}

fn row(row: &Row) -> String {
    let Row { span: _, text: _, patterns: named, bindings, guard, steps: does } = row;
    let bound: Vec<&str> = bindings.iter().map(|word| &word.value[..]).collect();
    let bound = if bound.is_empty() { String::new() } else { format!(" ({})", bound.join(", ")) };
    super::text::row(&format!("{}{bound}", patterns(named)), guard.as_ref(), does)
}

/// Returns the names that a row binds to the data of its lexical token.
fn bound(row: &Row) -> Option<String> {
    let names: Vec<&str> = row.bindings.iter().map(|word| &word.value[..]).collect();
    let named: &[Spanned<Pattern>] = &row.patterns;
    (!names.is_empty()).then(|| format!("{} binds {}", patterns(named), names.join(", ")))
}
