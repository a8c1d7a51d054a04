//! Converts the syntax tree to the model: looks up all names, and matches actions and conditions with the vocabulary.
//! It continues after a mistake, so that all mistakes are reported at once; a model is returned if and only if no
//! diagnostic is an error.

use crate::diagnostic::{
    BAD_PATTERN, BAD_REFERENCES, DUPLICATE_DECLARATION, DUPLICATE_NAME, DUPLICATE_STATE,
    Diagnostic, MISSING_DECLARATION, Severity, UNKNOWN_CLASS, UNKNOWN_ERROR, UNKNOWN_FLAG,
    UNKNOWN_LEXEME, UNKNOWN_MODE, UNKNOWN_NAME, UNKNOWN_STATE, UNKNOWN_SUBJECT,
};
use crate::model::{
    Action, CharacterSet, Class, Condition, ErrorCode, ErrorId, Machine, Pattern, Procedure,
    ProcedureId, Row, State, StateId, Step, Subject,
};
use crate::syntax::{self, Item, ItemBody, Span, Spanned, Table, Word};
use crate::vocabulary;
use declared::flag;
use std::collections::HashMap;

mod declaration;
mod declared;
mod encodings;
mod form;
mod lexeme;
mod slot;
mod steps;
mod tree;

use crate::nearest::nearest_or;
pub use form::{FormMatcher, MatchedForm};

/// Resolves all names of the table. `files` returns the text of a file next to the table, or `None` if there is no such
/// file. Returns a machine if and only if no diagnostic is an error.
pub fn resolve(
    table: &Table,
    files: &dyn Fn(&str) -> Option<String>,
) -> (Option<Machine>, Vec<Diagnostic>) {
    let mut resolver = Resolver::default();
    resolver.declare(table, files);
    let machine = resolver.resolve_machine(table);
    let has_errors =
        resolver.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (machine.filter(|_| !has_errors), resolver.diagnostics)
}

/// The declarations of a table, by name, while it is resolved.
#[derive(Default)]
struct Resolver {
    diagnostics: Vec<Diagnostic>,
    /// The declared names with their spans, in source order, by kind of declaration. Ids are indexes in these lists.
    names: HashMap<&'static str, Vec<(String, Span)>>,
    /// Conditions that the table defines; `None` if the definition is invalid.
    conditions: Vec<(String, Option<Condition>)>,
    /// Actions that the table defines: the steps and the notes of each.
    actions: Vec<(String, Vec<Step>, Vec<syntax::Note>)>,
    /// Names that the row being resolved gives to the data of its lexical token.
    bindings: Vec<String>,
    tree: tree::TreeNames,
    /// The machine, as far as it has been resolved.
    machine: Machine,
}

impl Resolver {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Declares all names (first pass).
    fn declare(&mut self, table: &Table, files: &dyn Fn(&str) -> Option<String>) {
        for item in &table.items {
            let Item { name, section, .. } = item;
            match &item.body {
                ItemBody::State(_) => self.declare_unique(name, "state"),
                ItemBody::Procedure(states) => {
                    self.declare_unique(name, "procedure");
                    if states.is_empty() {
                        let message = format!("the procedure `{}` has no states", name.value);
                        let diagnostic = Diagnostic::new(MISSING_DECLARATION, name.span, message);
                        self.report(diagnostic.help("write one: `state NAME { … }`"));
                    }
                    let start = StateId(self.declared("state").len() as u16);
                    let (name, span, section) = (name.value.clone(), name.span, section.clone());
                    self.machine.procedures.push(Procedure { name, span, section, start });
                    states.iter().for_each(|state| self.declare_unique(&state.name, "state"));
                }
                ItemBody::Class(_) => self.declare_unique(name, "class"),
                ItemBody::Errors(names) => self.declare_errors(names, false),
                ItemBody::HostErrors(names) => self.declare_errors(names, true),
                ItemBody::Flag { values, by_host, by_rows } => {
                    let (kind, flags) = match item.is_of_trees() {
                        true => ("flag of tree construction", &mut self.tree.construction.flags),
                        false => ("flag", &mut self.machine.flags),
                    };
                    flags.push(flag(name, values, *by_host, *by_rows));
                    self.declare_unique(name, kind);
                }
                ItemBody::Counter { most, .. } => self.declare_counter(name, most),
                ItemBody::Token { fields, by_host } => self.declare_token(name, fields, *by_host),
                ItemBody::Setting(value) if item.kind == "references" => {
                    self.declare_references(value, files);
                }
                _ => {}
            }
        }
        self.finish_flags(table);
        self.define_classes(table);
        self.declare_tree(table);
        self.declare_lexemes(table);
        self.define_conditions(table);
        self.define_actions(table);
    }

    fn declare_errors(&mut self, names: &[Word], by_host: bool) {
        for name in names {
            self.declare_unique(name, "error");
            let (name, span) = (name.value.clone(), name.span);
            self.machine.errors.push(ErrorCode { name, span, by_host });
        }
    }

    /// Records a declared name, and reports it if an earlier declaration of this kind has the name.
    fn declare_unique(&mut self, name: &Word, kind: &'static str) {
        let names = self.names.entry(kind).or_default();
        let earlier = names.iter().find(|(other, _)| *other == name.value).map(|&(_, span)| span);
        names.push((name.value.clone(), name.span));
        let Some(earlier) = earlier else { return };
        let (check, help) = match kind {
            "state" => {
                (DUPLICATE_STATE, "rename one of them, or move the rows of one into the other")
            }
            _ => (DUPLICATE_NAME, "remove one of them, or rename it"),
        };
        let message = format!("{kind} `{}` is declared more than once", name.value);
        let diagnostic = Diagnostic::new(check, name.span, message);
        self.report(diagnostic.and(earlier, "first declared here").help(help));
    }

    /// Returns the declared names of this kind, with their spans.
    fn declared(&self, kind: &str) -> &[(String, Span)] {
        self.names.get(kind).map_or(&[], |names| names)
    }

    /// Returns the index of the declaration of this kind and name; `None` if there is none.
    fn index_of(&self, kind: &str, name: &str) -> Option<usize> {
        self.declared(kind).iter().position(|(other, _)| other == name)
    }

    /// Returns the index of the declaration of this kind and name; `None`, after a report, if there is none.
    fn known_index(&mut self, kind: &'static str, name: &str, span: Span) -> Option<usize> {
        let index = self.index_of(kind, name);
        if index.is_none() {
            let (check, advice) = match kind {
                "state" => (UNKNOWN_STATE, "add it: `state NAME { … }`"),
                "mode" => (UNKNOWN_MODE, "add it: `mode NAME { … }`"),
                "error" => (UNKNOWN_ERROR, "declare it with `errors`"),
                "lexeme" => (UNKNOWN_LEXEME, "declare it with `lexeme`"),
                "flag" => (UNKNOWN_FLAG, "declare it with `flag`"),
                "flag of tree construction" => (UNKNOWN_FLAG, "declare it with `tree flag`"),
                "scope" => (UNKNOWN_NAME, "declare it with `scope`"),
                "pointer" => (UNKNOWN_NAME, "declare it with `pointers`"),
                "table of adjustments" => (UNKNOWN_NAME, "declare it with `adjust`"),
                "set of DOCTYPEs" => (UNKNOWN_NAME, "declare it with `doctypes`"),
                other => unreachable!("no name refers to a declaration of kind `{other}`"),
            };
            let message = match kind {
                "error" => format!("the error `{name}` is not declared"),
                "flag of tree construction" => {
                    format!("there is no flag `{name}` of tree construction")
                }
                _ => format!("there is no {kind} `{name}`"),
            };
            let names: Vec<&str> = self.declared(kind).iter().map(|(name, _)| &name[..]).collect();
            let help = nearest_or(name, &names, advice);
            self.report(Diagnostic::new(check, span, message).help(help));
        }
        index
    }

    fn declare_references(&mut self, file: &Word, files: &dyn Fn(&str) -> Option<String>) {
        let entries = match files(&file.value) {
            None => Err((
                format!("there is no file `{}` next to the table", file.value),
                "put it there, or remove `references`",
            )),
            Some(text) => crate::references::read(&text).map_err(|message| {
                (message, "the reference describes the format, under Named character references")
            }),
        };
        // An invalid file counts as an empty list, so that rows that use references cause no further errors.
        let entries = entries.unwrap_or_else(|(message, help)| {
            self.report(Diagnostic::new(BAD_REFERENCES, file.span, message).help(help));
            Vec::new()
        });
        self.machine.references = Some(entries);
    }

    /// Resolves the classes; a class may name earlier classes.
    fn define_classes(&mut self, table: &Table) {
        for item in &table.items {
            if let ItemBody::Class(patterns) = &item.body {
                let characters = self.resolve_characters(patterns);
                let (name, span) = (item.name.value.clone(), item.name.span);
                let class = Class { name, span, doc: String::new(), characters };
                self.machine.classes.push(class);
            }
        }
    }

    /// Returns the set of characters that the patterns match.
    fn resolve_characters(&mut self, patterns: &[Spanned<syntax::ParsedPattern>]) -> CharacterSet {
        let mut characters = CharacterSet::default();
        for pattern in patterns {
            match &pattern.value {
                syntax::ParsedPattern::Characters(first, last) => characters.insert(*first, *last),
                syntax::ParsedPattern::Name(name) => match self.class(name) {
                    Some(class) => characters.insert_all(&class),
                    None => self.report_unknown_class(name, pattern.span, &[]),
                },
                _ => self.report(Diagnostic::new(
                    BAD_PATTERN,
                    pattern.span,
                    "only characters, ranges and classes are allowed here",
                )),
            }
        }
        characters
    }

    /// Returns the characters of the class, if it is one of those resolved so far.
    fn class(&self, name: &str) -> Option<CharacterSet> {
        let class = self.machine.classes.iter().find(|class| class.name == name)?;
        Some(class.characters.clone())
    }

    fn report_unknown_class(&mut self, name: &str, span: Span, others: &[&str]) {
        let classes = self.declared("class");
        let names: Vec<&str> =
            classes.iter().map(|(name, _)| &name[..]).chain(others.iter().copied()).collect();
        let help = vocabulary::equivalent(vocabulary::PATTERN_SYNONYMS, name).map_or_else(
            || nearest_or(name, &names, "declare it with `class NAME = …;`"),
            |equivalent| format!("did you mean `{equivalent}`?"),
        );
        let later_span = classes.iter().find(|(other, _)| other == name).map(|&(_, span)| span);
        if let Some(later_span) = later_span {
            let message = format!("class `{name}` is used before its declaration");
            let help = "move its declaration before this class; classes cannot refer to each other in a cycle";
            let diagnostic = Diagnostic::new(UNKNOWN_CLASS, span, message);
            self.report(diagnostic.and(later_span, "declared here").help(help));
            return;
        }
        let message = format!("there is no class `{name}`");
        self.report(Diagnostic::new(UNKNOWN_CLASS, span, message).help(help));
    }

    fn state_id(&mut self, name: &str, span: Span) -> StateId {
        self.known_index("state", name, span).map(|index| StateId(index as u16)).unwrap_or_default()
    }

    fn error_id(&mut self, name: &str, span: Span) -> ErrorId {
        self.known_index("error", name, span).map(|index| ErrorId(index as u16)).unwrap_or_default()
    }

    /// Resolves the machine (second pass). Returns `None`, after a report, if its name is missing, or if it needs
    /// states and has none.
    fn resolve_machine(&mut self, table: &Table) -> Option<Machine> {
        let name = self.single(table, "name");
        let document = self.single(table, "document");
        let start = self.single(table, "start");
        self.machine.newlines_normalized = self.resolve_treatment(table, "newlines", "normalized");
        self.machine.nulls_replaced = self.resolve_treatment(table, "nulls", "replaced");
        self.machine.byte_order_mark_dropped =
            self.resolve_treatment(table, "byte-order-mark", "dropped");
        self.single(table, "references");
        // A table of tree construction alone needs neither `start` nor states.
        let state_count = self.declared("state").len();
        let has_states = state_count > 0 || self.declared("mode").is_empty();
        let help = "write it at the top: the id of the dialect, in kebab case";
        let name_declaration = (&name, "name …;", help);
        let help = "write it at the top: the state in which the machine starts";
        for (word, declaration, help) in [name_declaration, (&start, "start …;", help)] {
            if word.is_none() && (has_states || declaration.starts_with("name")) {
                let message = format!("the machine has no `{declaration}`");
                let span = Span::default();
                self.report(Diagnostic::new(MISSING_DECLARATION, span, message).help(help));
            }
        }
        if state_count == 0 && has_states {
            let message = "the machine has no states";
            let diagnostic = Diagnostic::new(MISSING_DECLARATION, Span::default(), message);
            self.report(diagnostic.help("write one: `state NAME { … }`"));
            return None;
        }
        self.resolve_declarations(table);
        self.resolve_limits(table);
        let states = self.resolve_states(table);
        let pushed_states = self.resolve_pushed_states(table, &states);
        let construction = self.resolve_construction(table);
        let encodings = self.resolve_encodings(table);
        let start = start.map(|word| self.state_id(&word.value, word.span)).unwrap_or_default();
        Some(Machine {
            name: name?.value,
            document: document.map(|word| word.value).unwrap_or_default(),
            address: table.items.iter().find_map(address),
            start,
            encodings,
            pushed_states,
            states,
            construction,
            ..std::mem::take(&mut self.machine)
        })
    }

    /// Resolves a declaration such as `newlines normalized` or `newlines kept`. Returns whether its word is `treated`,
    /// such as `normalized`; false without a declaration. Reports a word that is neither `treated` nor `kept`.
    fn resolve_treatment(&mut self, table: &Table, keyword: &str, treated: &str) -> bool {
        let Some(word) = self.single(table, keyword) else { return false };
        let words = [(treated, ()), ("kept", ())];
        self.word_of(&words, &word.value, word.span, &format!("a way to treat `{keyword}`"));
        word.value == treated
    }

    /// Returns the value of the first declaration that begins with these words, or the title of the document; `None` if
    /// there is none. Reports further ones.
    fn single(&mut self, table: &Table, keyword: &str) -> Option<Word> {
        let mut words = table.items.iter().filter_map(|item| match &item.body {
            ItemBody::Document(title, _) if keyword == "document" => Some(title),
            _ => item.setting(keyword),
        });
        let first = words.next()?;
        for word in words {
            let message = format!("`{keyword}` is declared more than once");
            self.report(
                Diagnostic::new(DUPLICATE_DECLARATION, word.span, message)
                    .and(first.span, "first declared here")
                    .help("remove one of them"),
            );
        }
        Some(first.clone())
    }

    fn resolve_states(&mut self, table: &Table) -> Vec<State> {
        let (mut states, mut procedure_count) = (Vec::new(), 0);
        for item in &table.items {
            match &item.body {
                ItemBody::State(state) => states.push(self.resolve_state(state, None)),
                ItemBody::Procedure(inner) => {
                    let id = ProcedureId(procedure_count);
                    procedure_count += 1;
                    states.extend(inner.iter().map(|state| self.resolve_state(state, Some(id))));
                }
                _ => {}
            }
        }
        states
    }

    fn resolve_state(
        &mut self,
        state: &syntax::ParsedState,
        procedure: Option<ProcedureId>,
    ) -> State {
        let subject = self.resolve_subject(state);
        let enter = self.resolve_hook(&state.enter);
        let leave = self.resolve_hook(&state.leave);
        let rows = state.rows.iter().map(|row| self.resolve_row(row, subject)).collect();
        let (name, span, section) =
            (state.name.value.clone(), state.name.span, state.section.clone());
        let doc = String::new();
        State { name, span, doc, section, procedure, subject, enter, leave, rows }
    }

    fn resolve_subject(&mut self, state: &syntax::ParsedState) -> Subject {
        if let Some(otherwise) = &state.otherwise {
            return self.lexical_subject(otherwise);
        }
        let Some(word) = &state.subject else {
            let is_always = |row: &syntax::ParsedRow| matches!(&row.patterns[..], [Spanned { value: syntax::ParsedPattern::Name(name), .. }] if name == "always");
            return if state.rows.iter().any(is_always) { Subject::Always } else { Subject::Input };
        };
        if word.value == "character-reference-code" {
            return Subject::Number;
        }
        if let Some(index) = self.index_of("procedure", &word.value) {
            return Subject::Result(ProcedureId(index as u8));
        }
        let procedures = self.declared("procedure").iter().map(|(name, _)| &name[..]);
        let names: Vec<&str> = procedures.chain(["character-reference-code"]).collect();
        let help = "`on` takes a procedure of the table or `character-reference-code`";
        let help = nearest_or(&word.value, &names, help);
        let message = format!("`{}` is neither a procedure nor a register", word.value);
        self.report(Diagnostic::new(UNKNOWN_SUBJECT, word.span, message).help(help));
        // The subject is guessed from the rows, so that `nothing` and `returned` are not reported as unknown classes.
        let is_result = |pattern: &Spanned<syntax::ParsedPattern>| {
            let words = ["nothing", "returned"];
            matches!(&pattern.value, syntax::ParsedPattern::Name(name) if words.contains(&&name[..]))
        };
        let mut patterns = state.rows.iter().flat_map(|row| &row.patterns);
        match patterns.any(is_result) {
            true => Subject::Result(ProcedureId(0)),
            false => Subject::Input,
        }
    }

    fn resolve_hook(&mut self, steps: &[syntax::ParsedStep]) -> Vec<Spanned<Action>> {
        let mut actions = Vec::new();
        for step in steps {
            match step {
                syntax::ParsedStep::Action(words) => actions.extend(self.action(words)),
                syntax::ParsedStep::Note(_) => {}
                syntax::ParsedStep::When { condition, .. } => self.report(
                    Diagnostic::new(
                        BAD_PATTERN,
                        condition.span,
                        "`enter` and `leave` cannot have conditions",
                    )
                    .help("put the condition into the rows that switch"),
                ),
            }
        }
        actions
    }

    fn resolve_row(&mut self, row: &syntax::ParsedRow, subject: Subject) -> Row {
        self.bindings = row.bindings.iter().map(|binding| binding.value.clone()).collect();
        let patterns: Vec<Spanned<Pattern>> = row
            .patterns
            .iter()
            .filter_map(|pattern| self.resolve_pattern(pattern, subject))
            .collect();
        self.check_bindings(row, &patterns);
        let row: Row = self.row_with(row, patterns);
        if let (Some(guard), Subject::Lexemes(_)) = (&row.guard, subject) {
            let message = "a row of a lexical mode has no guard";
            self.report(
                Diagnostic::new(BAD_PATTERN, guard.span, message)
                    .help("test the condition with `when` among the steps"),
            );
        }
        row
    }

    /// Reports a look-ahead string with a line end or U+FFFD in a table that normalizes newlines or replaces nulls: the
    /// string is compared with the input before these replacements.
    fn check_look_ahead(&mut self, text: &str, span: Span) {
        let (newlines, nulls) = (self.machine.newlines_normalized, self.machine.nulls_replaced);
        if newlines && text.contains(['\r', '\n'])
            || nulls && text.contains(char::REPLACEMENT_CHARACTER)
        {
            let message = "a look-ahead string cannot contain a line end or U+FFFD";
            let help = "match them as characters, in a state after this one";
            self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
        }
    }

    fn resolve_pattern(
        &mut self,
        pattern: &Spanned<syntax::ParsedPattern>,
        subject: Subject,
    ) -> Option<Spanned<Pattern>> {
        let span = pattern.span;
        let value = match (&pattern.value, subject) {
            (syntax::ParsedPattern::Characters(first, last), Subject::Input) => {
                Pattern::Characters(CharacterSet::range(*first, *last))
            }
            (syntax::ParsedPattern::Text { text, ignoring_case }, Subject::Input) => {
                self.check_look_ahead(text, span);
                Pattern::Text { text: text.clone(), ignoring_case: *ignoring_case }
            }
            (syntax::ParsedPattern::Numbers(first, last), Subject::Number) => {
                Pattern::Numbers(*first, *last)
            }
            (syntax::ParsedPattern::Name(name), _) => {
                return self.resolve_named_pattern(name, span, subject);
            }
            _ => {
                let (message, help) = match subject {
                    Subject::Input => (
                        "the rows of this state match characters",
                        "write a character, a string, a class, `EOF` or `else`",
                    ),
                    Subject::Result(_) => {
                        ("the rows of this state match a result", "write `nothing` or `returned`")
                    }
                    Subject::Number => (
                        "the rows of this state match a number",
                        "write a number, a range of numbers or `else`",
                    ),
                    Subject::Lexemes(_) => {
                        ("the rows of a lexical mode match lexemes", "write a lexeme or `EOF`")
                    }
                    Subject::Always => {
                        ("a state with an `always` row matches no input", "remove the pattern")
                    }
                };
                self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
                return None;
            }
        };
        Some(Spanned { value, span })
    }

    fn resolve_named_pattern(
        &mut self,
        name: &str,
        span: Span,
        subject: Subject,
    ) -> Option<Spanned<Pattern>> {
        if let Subject::Lexemes(otherwise) = subject {
            return self.lexical_pattern(name, span, otherwise);
        }
        let words: &[(&str, Pattern)] = match subject {
            Subject::Input => &[
                ("EOF", Pattern::EndOfFile),
                ("else", Pattern::Else),
                ("reference", Pattern::Reference),
                ("additional-allowed-character", Pattern::AdditionalAllowedCharacter),
            ],
            Subject::Result(_) => &[("nothing", Pattern::Nothing), ("returned", Pattern::Returned)],
            Subject::Number => &[("else", Pattern::Else)],
            Subject::Always => &[("always", Pattern::Always)],
            Subject::Lexemes(_) => &[],
        };
        if let Some(value) = vocabulary::find(words, name) {
            if value == Pattern::Reference {
                self.require_references(span);
            }
            return Some(Spanned { value, span });
        }
        match self.class(name).filter(|_| subject == Subject::Input) {
            Some(class) => Some(Spanned { value: Pattern::Characters(class), span }),
            None => {
                let others: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                self.report_unknown_class(name, span, &others);
                None
            }
        }
    }
}

/// Returns the address of the document, if the declaration gives one.
fn address(item: &Item) -> Option<String> {
    match &item.body {
        ItemBody::Document(_, address) => address.as_ref().map(|word| word.value.clone()),
        _ => None,
    }
}
