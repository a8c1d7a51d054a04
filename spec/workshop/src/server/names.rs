//! Finds the names in a table's text, declared and used, and the vocabulary's forms at each position. The kind of a
//! name follows from the slot of the form that contains the name.

use tabulex_language::model::tree::{TreeAction, TreeCondition};
use tabulex_language::model::{Action, Condition};
use tabulex_language::syntax::{
    Argument, Change, Conditions, ElementName, ElementRow, ElementSet, Item, LexemeExpression,
    ModeRow, Pattern, Row, RowChange, Span, Spanned, State, Step, Table, TokenPattern, TreeItem,
    Word, Words,
};
use tabulex_language::vocabulary::{Form, FormPart, HasForms, Product, Slot};

/// Kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    State,
    Mode,
    /// A class, a lexeme, or a procedure whose result a state matches: names in patterns and subjects.
    Class,
    Error,
    Flag,
    Counter,
    /// A kind of token that a table declares.
    Token,
    /// A field of a declared token. The text begins with the token's name, as in rows; the span covers only the
    /// field's name.
    Field,
    Action,
    Condition,
    Steps,
    /// A set of element names.
    Names,
    Scope,
    Pointer,
    Adjustments,
    Doctypes,
}

impl NameKind {
    /// Returns the closest symbol kind of the language server protocol, by number.
    pub(crate) fn symbol(self) -> u8 {
        match self {
            Self::State | Self::Mode => 5,
            Self::Action | Self::Condition | Self::Steps => 12,
            Self::Flag | Self::Counter | Self::Pointer => 13,
            Self::Field => 8,
            Self::Token => 23,
            Self::Class | Self::Names | Self::Scope | Self::Adjustments | Self::Doctypes => 14,
            Self::Error => 22,
        }
    }
}

/// An occurrence of a name.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) kind: NameKind,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) is_declaration: bool,
}

/// A declared kind of token, with the words for its fields.
#[derive(Clone, Debug)]
struct DeclaredToken {
    name: String,
    fields: Vec<String>,
}

impl Declared {
    /// Adds the declarations of a file.
    pub(crate) fn extend(&mut self, names: &Names) {
        for name in names.names.iter().filter(|it| it.is_declaration) {
            let text = name.text.clone();
            match name.kind {
                NameKind::Token => {
                    self.tokens.push(DeclaredToken { name: text, fields: Vec::new() });
                }
                // The fields of a token are declared after it and before the next token.
                NameKind::Field => {
                    self.tokens.last_mut().into_iter().for_each(|it| it.fields.push(text.clone()));
                }
                NameKind::Counter => self.counters.push(text),
                _ => {}
            }
        }
    }
}

/// A use of a form of the vocabulary.
#[derive(Clone, Debug)]
pub(crate) struct FormUse {
    pub(crate) span: Span,
    pub(crate) syntax: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) wordings: &'static [&'static str],
}

/// The names in a table's text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) names: Vec<Name>,
    pub(crate) uses: Vec<FormUse>,
    /// Words that may name declared tokens or their fields.
    ambiguous: Vec<AmbiguousWord>,
}

/// A word that may name a declared token or a field of one.
#[derive(Clone, Debug)]
struct AmbiguousWord {
    word: Word,
    /// Index of the use to replace if the word names a token, and the replacement; for `emit`, which accepts text and
    /// tokens.
    instead: Option<(usize, FormUse)>,
    /// Kind of the word if it names no declared token.
    otherwise: Option<NameKind>,
}

/// The tokens and counters that any file of a table declares, by which ambiguous words are resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    tokens: Vec<DeclaredToken>,
    counters: Vec<String>,
}

impl Names {
    /// Collects the names of a text, as far as it can be parsed.
    pub(crate) fn collect(text: &str) -> Self {
        let mut all = Self::default();
        let Table { items } = tabulex_language::parse::lenient(text);
        items.iter().for_each(|item| all.item(item));
        all
    }

    /// Resolves the words whose kind depends on the declarations of all files.
    pub(crate) fn resolve_ambiguous(&mut self, declared: &Declared) {
        for AmbiguousWord { word, instead, otherwise } in std::mem::take(&mut self.ambiguous) {
            let own = |token: &&DeclaredToken| token.fields.contains(&word.value);
            if declared.tokens.iter().any(|token| token.name == word.value) {
                self.names(NameKind::Token, &word);
                if let Some((index, form)) = instead {
                    self.uses[index] = form;
                }
            } else if let Some(token) = declared.tokens.iter().find(own) {
                let middle = word.span.start + token.name.len() as u32;
                let name = Span { end: middle, ..word.span };
                self.names(NameKind::Token, &Spanned { value: token.name.clone(), span: name });
                let field = Span { start: middle + 1, ..word.span };
                self.names(NameKind::Field, &Spanned { value: word.value, span: field });
            } else if let Some(kind) = otherwise {
                self.names(kind, &word);
            }
        }
        // Counters are read and set like flags.
        let is_counter =
            |it: &Name| it.kind == NameKind::Flag && declared.counters.contains(&it.text);
        self.names
            .iter_mut()
            .filter(|it| is_counter(it))
            .for_each(|it| it.kind = NameKind::Counter);
    }

    fn add(&mut self, kind: NameKind, word: &Word, is_declaration: bool) {
        let (text, span) = (word.value.clone(), word.span);
        self.names.push(Name { kind, text, span, is_declaration });
    }

    fn declares(&mut self, kind: NameKind, word: &Word) {
        self.add(kind, word, true);
    }

    fn names(&mut self, kind: NameKind, word: &Word) {
        self.add(kind, word, false);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Start(state) => self.names(NameKind::State, state),
            Item::Entry(states) => states.iter().for_each(|it| self.names(NameKind::State, it)),
            Item::InputError { patterns, error, .. } => {
                self.patterns(patterns);
                self.names(NameKind::Error, error);
            }
            Item::EmissionAction { action, .. } => self.words::<Action>(action),
            Item::EmissionError { error, .. } => self.names(NameKind::Error, error),
            Item::Class { name, patterns } => {
                self.declares(NameKind::Class, name);
                self.patterns(patterns);
            }
            Item::Errors(codes) | Item::HostErrors(codes) => {
                codes.iter().for_each(|it| self.declares(NameKind::Error, it));
            }
            Item::Flag { name, .. } => self.declares(NameKind::Flag, name),
            Item::Counter { name, error, .. } => {
                self.declares(NameKind::Counter, name);
                self.names(NameKind::Error, error);
            }
            Item::PushedStates { error, .. } => self.names(NameKind::Error, error),
            Item::Condition { name, conditions } => {
                self.declares(NameKind::Condition, name);
                self.conditions::<Condition>(conditions);
            }
            Item::Action { name, steps, .. } => {
                self.declares(NameKind::Action, name);
                self.steps::<Action, Condition>(steps);
            }
            Item::Lexeme { name, expression, ahead, .. } => {
                self.declares(NameKind::Class, name);
                self.expression(expression);
                ahead.iter().for_each(|it| self.expression(it));
            }
            Item::Procedure { name, states, .. } => {
                self.declares(NameKind::Class, name);
                states.iter().for_each(|it| self.state(it));
            }
            Item::State(state) => self.state(state),
            Item::TreeStart(mode) => self.names(NameKind::Mode, mode),
            Item::Names(members) => self.members(NameKind::Names, members),
            Item::Tree(item) => self.tree(item),
            Item::Steps { name, steps, .. } => {
                self.declares(NameKind::Steps, name);
                self.steps::<TreeAction, TreeCondition>(steps);
            }
            Item::Mode(mode) => {
                self.declares(NameKind::Mode, &mode.name);
                mode.rows.iter().for_each(|row| self.mode_row(row));
            }
            Item::Extends { changes, .. } => changes.iter().for_each(|it| self.change(it)),
            Item::Name(_)
            | Item::Document(..)
            | Item::Newlines(..)
            | Item::Nulls(..)
            | Item::ByteOrderMark(..)
            | Item::Limit { .. }
            | Item::Encodings { .. }
            | Item::References(..)
            | Item::Elements(..) => {}
            Item::Token { name, fields, .. } => {
                self.declares(NameKind::Token, name);
                for field in fields {
                    let value = format!("{}-{}", name.value, field.value);
                    self.declares(NameKind::Field, &Spanned { value, span: field.span });
                }
            }
        }
    }

    fn tree(&mut self, item: &TreeItem) {
        match item {
            TreeItem::Flag { name, .. } => self.declares(NameKind::Flag, name),
            TreeItem::Condition { name, conditions } => {
                self.declares(NameKind::Condition, name);
                self.conditions::<TreeCondition>(conditions);
            }
            TreeItem::Dispatch { mode, condition } => {
                self.names(NameKind::Mode, mode);
                self.conditions::<TreeCondition>(condition);
            }
            TreeItem::Scope(members) => self.members(NameKind::Scope, members),
            TreeItem::Pointers(names) => {
                names.iter().for_each(|it| self.declares(NameKind::Pointer, it))
            }
            TreeItem::Adjustments { name, .. } => self.declares(NameKind::Adjustments, name),
            TreeItem::Doctypes { name, .. } => self.declares(NameKind::Doctypes, name),
            TreeItem::Unacknowledged { error, .. } => self.names(NameKind::Error, error),
            TreeItem::Reset { rows, .. } | TreeItem::Fragment { rows, .. } => self.elements(rows),
            TreeItem::Fostering { names, .. } => names.iter().for_each(|it| self.element(it)),
            TreeItem::Feedback { action, .. } => self.words::<Action>(action),
            TreeItem::Answer { flag, condition, .. } => {
                self.names(NameKind::Flag, flag);
                self.conditions::<TreeCondition>(condition);
            }
            TreeItem::IntegrationPoints(points) => {
                points.iter().for_each(|it| self.element(&it.name));
            }
            TreeItem::Modes(_)
            | TreeItem::SelectedContent(..)
            | TreeItem::Template(_)
            | TreeItem::TextNodes(..)
            | TreeItem::Algorithm { .. } => {}
        }
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Replace(item, _) | Change::Add(item) => self.item(item),
            Change::Take { kind, names } | Change::Remove { kind, names } => {
                let kind = keyword_kind(&kind.value);
                names.iter().for_each(|it| kind.iter().for_each(|&kind| self.names(kind, it)));
            }
            Change::Rows { state, changes } => {
                self.names(NameKind::State, state);
                for change in changes {
                    match change {
                        RowChange::Replace(row) | RowChange::Add(row) => self.row(row),
                        RowChange::Remove(patterns) => self.patterns(patterns),
                    }
                }
            }
            Change::Steps { .. } => {}
            Change::ModeRows { mode, changes } => {
                self.names(NameKind::Mode, mode);
                for change in changes {
                    match change {
                        RowChange::Replace(row) | RowChange::Add(row) => self.mode_row(row),
                        RowChange::Remove(patterns) => {
                            patterns.iter().for_each(|it| self.token(it));
                        }
                    }
                }
            }
        }
    }

    fn state(&mut self, state: &State) {
        self.declares(NameKind::State, &state.name);
        state.subject.iter().for_each(|it| self.names(NameKind::Class, it));
        state.otherwise.iter().for_each(|it| self.names(NameKind::Class, it));
        self.steps::<Action, Condition>(&state.enter);
        self.steps::<Action, Condition>(&state.leave);
        state.rows.iter().for_each(|row| self.row(row));
    }

    fn row(&mut self, row: &Row) {
        self.patterns(&row.patterns);
        row.guard.iter().for_each(|it| self.conditions::<Condition>(it));
        self.steps::<Action, Condition>(&row.steps);
    }

    fn mode_row(&mut self, row: &ModeRow) {
        row.patterns.iter().for_each(|it| self.token(it));
        row.guard.iter().for_each(|it| self.conditions::<TreeCondition>(it));
        self.steps::<TreeAction, TreeCondition>(&row.steps);
    }

    fn elements(&mut self, rows: &[ElementRow]) {
        for row in rows {
            row.patterns.iter().for_each(|it| self.element(it));
            row.guard.iter().for_each(|it| self.conditions::<TreeCondition>(it));
            self.steps::<TreeAction, TreeCondition>(&row.steps);
        }
    }

    fn members(&mut self, kind: NameKind, members: &ElementSet) {
        self.declares(kind, &members.name);
        members.members.iter().chain(&members.except).for_each(|it| self.element(it));
    }

    fn element(&mut self, name: &Spanned<ElementName>) {
        if let ElementName::Set(set) = &name.value {
            self.names(NameKind::Names, &Spanned { value: set.clone(), span: name.span });
        }
    }

    fn patterns(&mut self, patterns: &[Spanned<Pattern>]) {
        for pattern in patterns {
            if let Pattern::Name(name) = &pattern.value {
                self.names(NameKind::Class, &Spanned { value: name.clone(), span: pattern.span });
            }
        }
    }

    /// Adds the name in a token pattern of a mode's row: a set of element names or of characters, at the pattern's end.
    fn token(&mut self, pattern: &Spanned<TokenPattern>) {
        if let Some(Pattern::Name(name)) = &pattern.value.pattern {
            let start = pattern.span.end.saturating_sub(name.len() as u32);
            let span = Span { start, ..pattern.span };
            let is_of_characters = pattern.value.kind.as_deref() == Some("character");
            let kind = if is_of_characters { NameKind::Class } else { NameKind::Names };
            let word = Spanned { value: name.clone(), span };
            // A word without a kind before it may be a declared token.
            if pattern.value.kind.is_none() {
                self.ambiguous.push(AmbiguousWord { word, instead: None, otherwise: Some(kind) });
            } else {
                self.names(kind, &word);
            }
        }
    }

    fn expression(&mut self, expression: &Spanned<LexemeExpression>) {
        match &expression.value {
            LexemeExpression::Characters(..) | LexemeExpression::Text(_) => {}
            LexemeExpression::Name(name) => {
                self.names(
                    NameKind::Class,
                    &Spanned { value: name.clone(), span: expression.span },
                );
            }
            LexemeExpression::Sequence(parts) | LexemeExpression::Alternatives(parts) => {
                parts.iter().for_each(|it| self.expression(it));
            }
            LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(inner) => {
                self.expression(inner)
            }
        }
    }

    fn steps<A: HasForms, C: HasForms>(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Action(words) => self.words::<A>(words),
                Step::Note(_) => {}
                Step::When { condition, then, otherwise } => {
                    self.conditions::<C>(condition);
                    self.steps::<A, C>(then);
                    self.steps::<A, C>(otherwise);
                }
            }
        }
    }

    fn conditions<C: HasForms>(&mut self, conditions: &Conditions) {
        conditions.parts.iter().for_each(|words| self.words::<C>(words));
    }

    /// Adds the names in an action or condition by the slots of the best matching form. A single word that matches no
    /// form names an action or condition that the table defines.
    fn words<M: HasForms>(&mut self, words: &Words) {
        let fits = M::FORMS.iter().rev().filter_map(|form| Some((form, match_form(form, words)?)));
        let fits: Vec<_> = fits.collect();
        let Some((form, (_, slots))) = fits.iter().max_by_key(|(_, (known, _))| *known) else {
            if let [Spanned { value: Argument::Name(name), span }] = &words.arguments[..] {
                let kind = if M::KIND.contains("condition") {
                    NameKind::Condition
                } else {
                    NameKind::Action
                };
                self.names(kind, &Spanned { value: name.clone(), span: *span });
            }
            return;
        };
        let of_form = |form: &Form<M>| {
            let Form { syntax, meaning, wordings, .. } = form;
            FormUse { span: words.span, syntax, meaning, wordings }
        };
        self.uses.push(of_form(form));
        let last = self.uses.len() - 1;
        for (slot, argument) in slots {
            let Argument::Name(name) = &argument.value else { continue };
            let word = Spanned { value: name.clone(), span: argument.span };
            match slot_kind(*slot) {
                Some(NameKind::Token | NameKind::Field) => {
                    self.ambiguous.push(AmbiguousWord { word, instead: None, otherwise: None })
                }
                Some(kind) => self.names(kind, &word),
                None if *slot == Slot::Text => {
                    let mut emitting = fits.iter().filter(|(_, (_, slots))| {
                        slots.iter().any(|(slot, _)| *slot == Slot::Register)
                    });
                    let instead = emitting.next().map(|(form, _)| (last, of_form(form)));
                    self.ambiguous.extend(instead.map(|it| AmbiguousWord {
                        word,
                        instead: Some(it),
                        otherwise: None,
                    }));
                }
                None => {}
            }
        }
    }
}

/// A slot of a form, with the argument in that position.
type FilledSlot<'w> = (Slot, &'w Spanned<Argument>);

/// Returns the number of keywords matched and the filled slots, if the words match the form.
fn match_form<'w, M>(form: &Form<M>, words: &'w Words) -> Option<(usize, Vec<FilledSlot<'w>>)> {
    if matches!(form.makes, Product::Defined) {
        return None;
    }
    let (mut known, mut slots, mut rest) = (0, Vec::new(), &words.arguments[..]);
    for part in form.parts() {
        let (first, after) = rest.split_first()?;
        rest = after;
        match (part, &first.value) {
            (FormPart::Word(word), Argument::Name(name)) if word == name => known += 1,
            (FormPart::Word(_), _) => return None,
            (FormPart::Slot(slot), argument) if !accepts(slot, argument) => return None,
            (FormPart::Slot(slot), Argument::Name(name)) => {
                let closed = slot.words();
                let is_known = closed.contains(&&name[..]);
                if !closed.is_empty() && !is_known && slot_kind(slot).is_none() {
                    return None;
                }
                known += usize::from(is_known);
                // An element name with a namespace consists of two words.
                if slot == Slot::Names
                    && matches!(rest, [Spanned { value: Argument::Text(_), .. }, ..])
                {
                    rest = &rest[1..];
                    continue;
                }
                slots.push((slot, first));
            }
            (FormPart::Slot(slot), _) => slots.push((slot, first)),
        }
    }
    rest.is_empty().then_some((known, slots))
}

/// Whether the slot accepts this kind of argument.
fn accepts(slot: Slot, argument: &Argument) -> bool {
    match slot {
        Slot::String | Slot::Printable => matches!(argument, Argument::Text(_)),
        Slot::Character => matches!(argument, Argument::Character(_)),
        Slot::Number | Slot::Base => matches!(argument, Argument::Number(_)),
        Slot::Value => matches!(argument, Argument::Name(_) | Argument::Number(_)),
        Slot::Text | Slot::Returned | Slot::Class | Slot::Names => true,
        Slot::State
        | Slot::Error
        | Slot::Token
        | Slot::TagKind
        | Slot::Field
        | Slot::Register
        | Slot::TokenFlag
        | Slot::Flag
        | Slot::Counter
        | Slot::DeclaredToken
        | Slot::DeclaredField
        | Slot::Lexeme
        | Slot::Data
        | Slot::List
        | Slot::TagNames
        | Slot::TreeFlag
        | Slot::Mode
        | Slot::Scope
        | Slot::Pointer
        | Slot::Adjustments
        | Slot::InsertedNamespace
        | Slot::Namespace
        | Slot::DocumentMode
        | Slot::StackPlace
        | Slot::Doctypes
        | Slot::Steps
        | Slot::Word
        | Slot::TokenizerWord => matches!(argument, Argument::Name(_)),
    }
}

/// Returns the kind of names that a keyword declares, or `None` if the server does not index them.
fn keyword_kind(keyword: &str) -> Option<NameKind> {
    Some(match keyword {
        "state" | "lexical-mode" => NameKind::State,
        "mode" => NameKind::Mode,
        "class" | "lexeme" | "procedure" => NameKind::Class,
        "errors" => NameKind::Error,
        "flag" => NameKind::Flag,
        "counter" => NameKind::Counter,
        "token" => NameKind::Token,
        "action" => NameKind::Action,
        "condition" => NameKind::Condition,
        "steps" => NameKind::Steps,
        "names" => NameKind::Names,
        "scope" => NameKind::Scope,
        "adjust" => NameKind::Adjustments,
        "doctypes" => NameKind::Doctypes,
        _ => return None,
    })
}

/// Returns the kind of names that fit a slot, or `None` if the slot takes no declared name.
pub(crate) fn slot_kind(slot: Slot) -> Option<NameKind> {
    match slot {
        Slot::State => Some(NameKind::State),
        Slot::Mode => Some(NameKind::Mode),
        Slot::Error => Some(NameKind::Error),
        Slot::Flag | Slot::TreeFlag => Some(NameKind::Flag),
        Slot::Counter => Some(NameKind::Counter),
        Slot::Class | Slot::Lexeme => Some(NameKind::Class),
        Slot::Steps => Some(NameKind::Steps),
        Slot::TagNames | Slot::Names => Some(NameKind::Names),
        Slot::Scope => Some(NameKind::Scope),
        Slot::Pointer => Some(NameKind::Pointer),
        Slot::Adjustments => Some(NameKind::Adjustments),
        Slot::Doctypes => Some(NameKind::Doctypes),
        Slot::Token | Slot::Register | Slot::DeclaredToken => Some(NameKind::Token),
        Slot::Field | Slot::DeclaredField => Some(NameKind::Field),
        Slot::TagKind
        | Slot::Text
        | Slot::Returned
        | Slot::String
        | Slot::Printable
        | Slot::Character
        | Slot::Number
        | Slot::Base
        | Slot::TokenFlag
        | Slot::Value
        | Slot::Data
        | Slot::List
        | Slot::InsertedNamespace
        | Slot::Namespace
        | Slot::DocumentMode
        | Slot::StackPlace
        | Slot::Word
        | Slot::TokenizerWord => None,
    }
}
