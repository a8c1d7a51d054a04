//! The parser from text to syntax tree, based on pest. It checks nothing but the grammar and the literals.

use crate::diagnostic::Diagnostic;
use crate::syntax::{
    Argument, Change, Conditions, FileId, Handling, Item, ItemBody, Note, NoteKind, ParsedClause,
    ParsedPattern, ParsedRow, ParsedState, ParsedStep, RowChange, Section, Span, Spanned, Table,
    Word, Words,
};
use pest::Parser as _;

// The derive generates an enum of the rules without docs; `grammar.pest` documents them.
#[allow(missing_docs)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar.pest"]
    pub(super) struct Grammar;
}

mod expression;
pub mod lexer;
mod literals;
mod node;
mod outline;
mod recover;
mod syntax_error;
mod tokens;
mod tree;

use grammar::{Grammar, Rule};
use node::{Node, children};
pub use outline::{Outline, outline};
use syntax_error::syntax_error;

/// Result of parsing a text with recovery from syntax errors.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// The table without the rows and declarations that contain syntax errors; `None` if nothing could be parsed.
    pub(crate) table: Option<Table>,
    /// Diagnostics of syntax errors.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Words of the skipped parts. Diagnostics about them elsewhere may be consequences of a syntax error.
    pub(crate) skipped_words: Vec<String>,
}

/// Parses a table file, `machine! { … }`. Returns no table if there is a syntax error.
pub fn file(text: &str) -> (Option<Table>, Vec<Diagnostic>) {
    let parsed = read_file(FileId::TABLE, text);
    (parsed.table.filter(|_| parsed.skipped_words.is_empty()), parsed.diagnostics)
}

/// Parses a table file, skipping rows and declarations that contain syntax errors. Returns an empty table if nothing
/// could be parsed.
pub fn lenient(text: &str) -> Table {
    read_file(FileId::TABLE, text).table.unwrap_or_default()
}

/// Parses a string or character literal. Returns `None` if the text is anything else.
pub fn literal(text: &str) -> Option<String> {
    let rule = if text.starts_with('"') { Rule::string } else { Rule::character };
    let pair = Grammar::parse(rule, text).ok()?.next().filter(|pair| pair.as_str() == text)?;
    let mut reader = SyntaxReader { diagnostics: Vec::new() };
    let node = Node { pair, file: FileId::TABLE };
    let value = match rule {
        Rule::string => reader.string(node),
        _ => reader.character(node).to_string(),
    };
    reader.diagnostics.is_empty().then_some(value)
}

/// Parses a table file, with recovery from syntax errors. All spans are in `file`.
pub(crate) fn read_file(file: FileId, text: &str) -> Parsed {
    parse(Rule::file, file, &tokens::blank_byte_order_mark(text))
}

/// Parses the contents of a `machine!` call's braces, with recovery from syntax errors.
pub(crate) fn read_inline(text: &str) -> Parsed {
    parse(Rule::inline, FileId::TABLE, text)
}

/// Number of errors after which parsing is given up.
const MAX_SYNTAX_ERRORS: usize = 32;

fn parse(rule: Rule, file: FileId, text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    if let Some(structural) = tokens::structural_error(file, text, rule == Rule::file) {
        parsed.diagnostics.push(structural);
        return parsed;
    }
    let mut remaining = text.to_owned();
    for (span, diagnostic) in tokens::bad_literals(file, text) {
        parsed.diagnostics.push(diagnostic);
        recover::blank_out(&mut remaining, span.start as usize, &mut parsed.skipped_words);
    }
    while parsed.diagnostics.len() < MAX_SYNTAX_ERRORS {
        let error = match Grammar::parse(rule, &remaining) {
            Ok(pairs) => {
                let mut reader = SyntaxReader { diagnostics: Vec::new() };
                let body = pairs
                    .flatten()
                    .find(|pair| pair.as_rule() == Rule::body)
                    .expect("both rules contain a body");
                let items = children(Node { pair: body, file }).map(|pair| reader.item(pair));
                parsed.table = Some(Table { items: items.collect() });
                parsed.diagnostics.extend(reader.diagnostics);
                return parsed;
            }
            Err(error) => error,
        };
        let (diagnostic, at) = {
            let tokens = lexer::code(&remaining);
            let place = syntax_error::error_position(&error, &tokens);
            let unit = recover::enclosing_item(&tokens, place.0);
            (syntax_error(&error, file, &remaining, &tokens, place, unit), place.1)
        };
        parsed.diagnostics.push(diagnostic);
        recover::blank_out(&mut remaining, at, &mut parsed.skipped_words);
        if lexer::code(&remaining).is_empty() {
            break;
        }
    }
    parsed
}

fn span(pair: &Node<'_>) -> Span {
    let span = pair.pair.as_span();
    Span { file: pair.file, start: span.start() as u32, end: span.end() as u32 }
}

fn word(pair: Node<'_>) -> Word {
    Spanned { span: span(&pair), value: pair.as_str().to_owned() }
}

/// Returns the kind of a declaration: its first keyword and, after `tree`, the second one, too. `from` is an extension.
fn item_kind(pair: &Node<'_>) -> String {
    let mut keywords = pair.pair.clone().into_inner().map(|keyword| keyword.as_str());
    match keywords.next().unwrap_or_default() {
        "tree" => format!("tree {}", keywords.next().unwrap_or_default()),
        "from" => "extends".to_owned(),
        keyword => keyword.to_owned(),
    }
}

/// The parts of a declaration after its name, without its section and notes.
type Parts<'n> = std::iter::Peekable<std::vec::IntoIter<Node<'n>>>;

/// A function that parses a pattern of a row.
type PatternParser<P> = fn(&mut SyntaxReader, Node<'_>) -> Spanned<P>;

/// Converts matches of the grammar to the syntax tree, and collects diagnostics about literals.
struct SyntaxReader {
    diagnostics: Vec<Diagnostic>,
}

impl SyntaxReader {
    fn item(&mut self, pair: Node<'_>) -> Item {
        let (rule, span, kind) = (pair.as_rule(), span(&pair), item_kind(&pair));
        if let Rule::state | Rule::lexical_mode = rule {
            let state = self.state(pair);
            let (name, body) = (state.name.clone(), ItemBody::State(state));
            return Item { span, kind, name, section: None, notes: Vec::new(), body };
        }
        let (mut name, mut section) = (Word::default(), None);
        let (mut notes, mut parts) = (Vec::new(), Vec::new());
        for part in children(pair) {
            match part.as_rule() {
                Rule::own_name => name = word(part),
                Rule::place => section = Some(self.section(part)),
                Rule::note => notes.push(self.note(part)),
                _ => parts.push(part),
            }
        }
        let body = self.item_body(rule, parts.into_iter().peekable());
        Item { span, kind, name, section, notes, body }
    }

    fn item_body(&mut self, rule: Rule, mut parts: Parts<'_>) -> ItemBody {
        let mut next_part =
            || parts.next().expect("a declaration has the parts that the grammar requires");
        match rule {
            Rule::document => {
                let mut words = parts.map(|part| self.string_word(part));
                let title = words.next().expect("a document has a title");
                ItemBody::Document(title, words.next())
            }
            Rule::entry => ItemBody::Entry(parts.map(word).collect()),
            Rule::errors => ItemBody::Errors(parts.map(word).collect()),
            Rule::host_errors => ItemBody::HostErrors(parts.map(word).collect()),
            Rule::encodings => ItemBody::Encodings(parts.map(|part| self.clause(part)).collect()),
            Rule::limit => ItemBody::Limit(self.spanned_number(next_part())),
            Rule::class => ItemBody::Class(parts.map(|pattern| self.pattern(pattern)).collect()),
            Rule::input_error => {
                let error =
                    word(parts.next_back().expect("an `input` declaration names an error code"));
                let handling = parts.next_if(|part| part.as_rule() == Rule::handling);
                let handling = match handling.as_ref().map(Node::as_str) {
                    None => Handling::Reported,
                    Some("removed") => Handling::Removed,
                    Some(_) => Handling::Trimmed,
                };
                let patterns = parts.map(|pattern| self.pattern(pattern)).collect();
                ItemBody::InputError { patterns, handling, error }
            }
            Rule::emission_action => {
                let (token, action) = (word(next_part()), self.words(next_part()));
                ItemBody::EmissionAction { token, action }
            }
            Rule::emission_error => {
                let (token, with, error) =
                    (word(next_part()), word(next_part()), word(next_part()));
                ItemBody::EmissionError { token, with, error }
            }
            Rule::condition_definition | Rule::tree_condition => {
                ItemBody::Condition(self.conditions(next_part()))
            }
            Rule::flag | Rule::tree_flag => {
                let (hosts, words): (Vec<_>, Vec<_>) =
                    parts.partition(|part| part.as_rule() == Rule::by_host);
                let by_host = !hosts.is_empty();
                let by_rows = !by_host || hosts.into_iter().flat_map(children).next().is_some();
                let values = words.into_iter().map(word).collect();
                ItemBody::Flag { values, by_host, by_rows }
            }
            Rule::counter => {
                let (most, error) = (self.spanned_number(next_part()), word(next_part()));
                ItemBody::Counter { most, error }
            }
            Rule::pushed_states => {
                let (most, error) = (self.spanned_number(next_part()), word(next_part()));
                ItemBody::PushedStates { most, error }
            }
            Rule::declared_token => {
                let by_host = parts.next_if(|part| part.as_rule() == Rule::given).is_some();
                ItemBody::Token { fields: parts.map(word).collect(), by_host }
            }
            Rule::lexeme => {
                let expression = self.expression(next_part());
                let ahead = parts.next().map(|ahead| self.expression(ahead));
                ItemBody::Lexeme { expression, ahead }
            }
            Rule::procedure => ItemBody::Procedure(parts.map(|state| self.state(state)).collect()),
            Rule::steps | Rule::action_definition => {
                ItemBody::Steps(parts.map(|step| self.step(step)).collect())
            }
            Rule::extends | Rule::brought => {
                let base = word(next_part());
                let changes = parts.map(|part| self.change(part)).collect();
                ItemBody::Extends { base, changes, is_whole: rule == Rule::extends }
            }
            Rule::mode => {
                let row = |part| self.row(part, Self::token_pattern);
                ItemBody::Mode(parts.map(row).collect())
            }
            other => self.tree_item(other, parts),
        }
    }

    fn clause(&mut self, pair: Node<'_>) -> ParsedClause {
        let mut parts = children(pair);
        let word = word(parts.next().expect("a clue has a word"));
        let mut clause = ParsedClause { word, texts: Vec::new(), meaning: None, notes: Vec::new() };
        for part in parts {
            match part.as_rule() {
                Rule::string => clause.texts.push(self.string_word(part)),
                Rule::encoding_meaning => {
                    let text = children(part).next().expect("an encoding's meaning has a string");
                    clause.meaning = Some(self.string_word(text));
                }
                _ => clause.notes.push(self.note(part)),
            }
        }
        clause
    }

    fn change(&mut self, pair: Node<'_>) -> Change {
        let (rule, span) = (pair.as_rule(), span(&pair));
        let mut parts = children(pair);
        let mut next_part =
            || parts.next().expect("a change has the parts that the grammar requires");
        match rule {
            Rule::replaced_item => Change::Replace(Box::new(self.item(next_part())), span),
            Rule::added_item => Change::Add(Box::new(self.item(next_part()))),
            Rule::taken_items => {
                Change::Take { kind: word(next_part()), names: parts.map(word).collect() }
            }
            Rule::removed_items => {
                Change::Remove { kind: word(next_part()), names: parts.map(word).collect() }
            }
            Rule::changed_mode => {
                let mode = word(next_part());
                let changes =
                    parts.map(|part| self.row_change(part, Self::token_pattern)).collect();
                Change::ModeRows { mode, changes }
            }
            Rule::changed_algorithm => {
                let algorithm = word(next_part());
                let changes = parts.map(|part| self.step_change(part)).collect();
                Change::Steps { algorithm, changes }
            }
            _ => {
                let state = word(next_part());
                let changes = parts.map(|part| self.row_change(part, Self::pattern)).collect();
                Change::Rows { state, changes }
            }
        }
    }

    fn row_change<P>(&mut self, pair: Node<'_>, pattern: PatternParser<P>) -> RowChange<P> {
        let rule = pair.as_rule();
        let mut parts = children(pair);
        if let Rule::removed_row | Rule::removed_mode_row = rule {
            return RowChange::Remove(parts.map(|part| pattern(self, part)).collect());
        }
        let row = self.row(parts.next().expect("a change has a row"), pattern);
        match rule {
            Rule::added_row | Rule::added_mode_row => RowChange::Add(row),
            _ => RowChange::Replace(row),
        }
    }

    fn spanned_number(&mut self, number: Node<'_>) -> Spanned<u32> {
        Spanned { span: span(&number), value: self.number(&number) }
    }

    fn section(&mut self, pair: Node<'_>) -> Section {
        let mut strings = children(pair).map(|part| self.string(part));
        Section { number: strings.next().unwrap_or_default(), anchor: strings.next() }
    }

    fn state(&mut self, pair: Node<'_>) -> ParsedState {
        let mut parts = children(pair);
        let name = word(parts.next().expect("a state has a name"));
        let mut state = ParsedState { name, ..ParsedState::default() };
        for part in parts {
            match part.as_rule() {
                Rule::place => state.section = Some(self.section(part)),
                Rule::subject => state.subject = children(part).next().map(word),
                Rule::hook => {
                    let mut inner = children(part);
                    let is_enter = inner
                        .next()
                        .is_some_and(|keyword| keyword.as_rule() == Rule::keyword_enter);
                    let steps: Vec<ParsedStep> = inner.map(|step| self.step(step)).collect();
                    if is_enter { state.enter.extend(steps) } else { state.leave.extend(steps) }
                }
                Rule::name => state.otherwise = Some(word(part)),
                _ => state.rows.push(self.row(part, Self::pattern)),
            }
        }
        state
    }

    /// Parses a row. The function `pattern` parses each of its patterns.
    fn row<P>(&mut self, pair: Node<'_>, pattern: PatternParser<P>) -> ParsedRow<P> {
        let mut row = ParsedRow {
            span: span(&pair),
            text: pair.as_str().trim_end().to_owned(),
            patterns: Vec::new(),
            bindings: Vec::new(),
            guard: None,
            steps: Vec::new(),
        };
        for part in children(pair) {
            match part.as_rule() {
                Rule::pattern | Rule::token_pattern | Rule::element_name => {
                    row.patterns.push(pattern(self, part));
                }
                Rule::bindings => row.bindings = children(part).map(word).collect(),
                Rule::guard => row.guard = Some(self.guard(part)),
                _ => row.steps.push(self.step(part)),
            }
        }
        row
    }

    fn step(&mut self, pair: Node<'_>) -> ParsedStep {
        let part = children(pair).next().expect("a step has one part");
        match part.as_rule() {
            Rule::action => ParsedStep::Action(self.words(part)),
            Rule::note => ParsedStep::Note(self.note(part)),
            _ => {
                let mut inner = children(part);
                let condition = self.conditions(inner.next().expect("`when` has a condition"));
                let mut next_block = || {
                    inner.next().into_iter().flat_map(children).map(|it| self.step(it)).collect()
                };
                let (then, otherwise) = (next_block(), next_block());
                ParsedStep::When { condition, then, otherwise }
            }
        }
    }

    fn note(&mut self, pair: Node<'_>) -> Note {
        let span = span(&pair);
        let mut inner = children(pair);
        let keyword = inner.next().expect("a note begins with its keyword");
        let kind = if keyword.as_rule() == Rule::keyword_fills {
            NoteKind::Fills
        } else {
            NoteKind::Deviates
        };
        let reason = inner.next().map(|reason| self.string(reason)).unwrap_or_default();
        Note { kind, reason, span }
    }

    fn conditions(&mut self, pair: Node<'_>) -> Conditions {
        let mut conditions = Conditions { span: span(&pair), any: false, parts: Vec::new() };
        for part in children(pair) {
            match part.as_rule() {
                Rule::keyword_or => conditions.any = true,
                _ => conditions.parts.push(self.words(part)),
            }
        }
        if let (Some(first), Some(last)) = (conditions.parts.first(), conditions.parts.last()) {
            conditions.span = Span { end: last.span.end, ..first.span };
        }
        conditions
    }

    fn words(&mut self, pair: Node<'_>) -> Words {
        let mut words = Words { span: span(&pair), negated: false, arguments: Vec::new() };
        for part in children(pair) {
            match part.as_rule() {
                Rule::negation => words.negated = true,
                _ => words.arguments.push(self.argument(part)),
            }
        }
        if let (Some(first), Some(last)) = (words.arguments.first(), words.arguments.last()) {
            words.span = Span { end: last.span.end, ..first.span };
        }
        words
    }

    fn argument(&mut self, pair: Node<'_>) -> Spanned<Argument> {
        let part = children(pair).next().expect("an argument has one part");
        let span = span(&part);
        let value = match part.as_rule() {
            Rule::name => Argument::Name(part.as_str().to_owned()),
            Rule::character => Argument::Character(self.character(part)),
            Rule::string => Argument::Text(self.string(part)),
            _ => Argument::Number(self.number(&part)),
        };
        Spanned { value, span }
    }

    /// Parses a character or a range of characters, and returns its ends. Reports a range whose ends are reversed.
    fn characters(&mut self, pair: Node<'_>) -> (char, char) {
        let span = span(&pair);
        let mut ends: Vec<char> = match pair.as_rule() {
            Rule::character => vec![self.character(pair)],
            _ => children(pair).map(|end| self.character(end)).collect(),
        };
        let last = ends.pop().unwrap_or_default();
        let first = ends.pop().unwrap_or(last);
        if first > last {
            let message = "the range is empty: its first character comes after its last".to_owned();
            self.bad_literal(span, message, "swap the ends: `FIRST..=LAST`");
        }
        (first, last)
    }

    fn pattern(&mut self, pair: Node<'_>) -> Spanned<ParsedPattern> {
        let part = children(pair).next().expect("a pattern has one part");
        let span = span(&part);
        let value = match part.as_rule() {
            Rule::character | Rule::range => {
                let (first, last) = self.characters(part);
                ParsedPattern::Characters(first, last)
            }
            Rule::text => {
                let mut inner = children(part);
                let text = inner.next().map(|text| self.string(text)).unwrap_or_default();
                if text.is_empty() {
                    let help = "write the text to match; `else` matches anything else";
                    self.bad_literal(span, "an empty string cannot be a pattern".to_owned(), help);
                }
                ParsedPattern::Text { text, ignoring_case: inner.next().is_some() }
            }
            Rule::number => {
                let number = self.number(&part);
                ParsedPattern::Numbers(number, number)
            }
            Rule::number_range => {
                let mut ends = children(part).map(|end| self.number(&end));
                ParsedPattern::Numbers(
                    ends.next().unwrap_or_default(),
                    ends.next().unwrap_or(u32::MAX),
                )
            }
            // In a mode, a string is an element name.
            Rule::string => ParsedPattern::Text { text: self.string(part), ignoring_case: false },
            _ => ParsedPattern::Name(part.as_str().to_owned()),
        };
        Spanned { value, span }
    }
}
