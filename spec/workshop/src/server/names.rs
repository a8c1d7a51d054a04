//! Finds the names in a table's text, declared and used, and the vocabulary's forms at each position. The kind of a
//! name follows from the slot of the form that contains the name.

use tabulex_language::model::tree::{TreeAction, TreeCondition};
use tabulex_language::model::{Action, Condition};
use tabulex_language::resolve::FormMatcher;
use tabulex_language::syntax::{
    Argument, DeclarationPart, Item, ItemBody, ParsedElementName, ParsedPattern,
    ParsedTokenPattern, Span, Spanned, Table, Word, Words,
};
use tabulex_language::vocabulary::{Family, Form, HasForms, Slot};

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
    /// Returns the kind of names that a keyword declares or that a slot of this name takes; `None` for other words.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "state" | "lexical-mode" => Self::State,
            "mode" => Self::Mode,
            "class" | "lexeme" | "procedure" => Self::Class,
            "errors" | "error" => Self::Error,
            "flag" | "tree flag" | "tree-flag" => Self::Flag,
            "counter" => Self::Counter,
            "token" | "register" | "declared-token" => Self::Token,
            "field" | "declared-field" => Self::Field,
            "action" => Self::Action,
            "condition" | "tree condition" => Self::Condition,
            "steps" => Self::Steps,
            "names" | "tag-names" => Self::Names,
            "scope" => Self::Scope,
            "pointer" => Self::Pointer,
            "adjust" | "adjustments" => Self::Adjustments,
            "doctypes" => Self::Doctypes,
            _ => return None,
        })
    }

    /// Returns the number of the closest symbol kind in the language server protocol.
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

/// A use of one of the vocabulary's forms.
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
}

impl Names {
    /// Collects the names of the files of a table, as far as their texts can be parsed. Declarations of one file may
    /// decide of which kind a name in another file is.
    pub(crate) fn collect(texts: &[&str]) -> Vec<Self> {
        let parsed: Vec<_> =
            texts.iter().map(|text| tabulex_language::parse::lenient(text)).collect();
        let declarations_of = |table: &Table| {
            let mut names = Self::default();
            let declarations = table.items.iter().flat_map(Item::declarations);
            declarations.for_each(|item| names.add_declarations(item));
            names
        };
        let mut files: Vec<Self> = parsed.iter().map(declarations_of).collect();
        let declared: Vec<Name> = files.iter().flat_map(|file| file.names.clone()).collect();
        let items = parsed.iter().flat_map(|table| &table.items).flat_map(Item::declarations);
        let mut matcher = FormMatcher::new(items.cloned().collect());
        for (names, table) in files.iter_mut().zip(&parsed) {
            let (declared, matcher) = (&declared[..], &mut matcher);
            let mut collector = UseCollector { declared, matcher, names: &mut *names };
            table.parts().for_each(|part| collector.add_uses(part));
            names.names.sort_by_key(|it| it.span.start);
        }
        files
    }

    fn add_declaration(&mut self, kind: NameKind, word: &Word) {
        let (text, span) = (word.value.clone(), word.span);
        self.names.push(Name { kind, text, span, is_declaration: true });
    }

    /// Adds the names that an item declares. The states of a procedure are items, too.
    fn add_declarations(&mut self, item: &Item) {
        if let (Some(kind), Some(name)) = (NameKind::of(&item.kind), item.own_name()) {
            self.add_declaration(kind, name);
        }
        match &item.body {
            ItemBody::Errors(names) | ItemBody::HostErrors(names) => {
                names.iter().for_each(|it| self.add_declaration(NameKind::Error, it));
            }
            ItemBody::Pointers(names) => {
                names.iter().for_each(|it| self.add_declaration(NameKind::Pointer, it));
            }
            ItemBody::Token { fields, .. } => {
                for field in fields {
                    let value = format!("{}-{}", item.name.value, field.value);
                    self.add_declaration(NameKind::Field, &Spanned { value, span: field.span });
                }
            }
            ItemBody::Procedure(states) => {
                states.iter().for_each(|it| self.add_declaration(NameKind::State, &it.name));
            }
            _ => {}
        }
    }
}

/// A collector of the names and forms that a file uses.
struct UseCollector<'c> {
    /// The declared names of all files of the table.
    declared: &'c [Name],
    matcher: &'c mut FormMatcher,
    names: &'c mut Names,
}

impl UseCollector<'_> {
    fn is_declared(&self, kind: NameKind, text: &str) -> bool {
        self.declared.iter().any(|it| it.kind == kind && it.text == text)
    }

    fn add_use(&mut self, kind: NameKind, word: &Word) {
        let (text, span) = (word.value.clone(), word.span);
        // Counters are read and set by the forms of flags.
        let is_counter = kind == NameKind::Flag && self.is_declared(NameKind::Counter, &text);
        let kind = if is_counter { NameKind::Counter } else { kind };
        self.names.names.push(Name { kind, text, span, is_declaration: false });
    }

    /// Adds the declared token that a word names, or the field of one and the token before it. Returns whether the word
    /// names either.
    fn add_token_use(&mut self, word: &Word) -> bool {
        if self.is_declared(NameKind::Token, &word.value) {
            self.add_use(NameKind::Token, word);
            return true;
        }
        let is_field = |it: &Name| it.kind == NameKind::Field && it.text == word.value;
        let Some(index) = self.declared.iter().position(is_field) else { return false };
        // The fields of a token are declared after it and before the next token.
        let mut before = self.declared[..index].iter();
        let Some(token) = before.rfind(|it| it.kind == NameKind::Token) else { return false };
        let name_end = word.span.start + token.text.len() as u32;
        let name = Span { end: name_end, ..word.span };
        self.add_use(NameKind::Token, &Spanned { value: token.text.clone(), span: name });
        let field = Span { start: name_end + 1, ..word.span };
        self.add_use(NameKind::Field, &Spanned { value: word.value.clone(), span: field });
        true
    }

    /// Adds the names that a part of a declaration uses.
    fn add_uses(&mut self, part: DeclarationPart<'_>) {
        match part {
            DeclarationPart::Note(_) => {}
            DeclarationPart::Name(keyword, word) => {
                NameKind::of(keyword).into_iter().for_each(|kind| self.add_use(kind, word));
            }
            DeclarationPart::Words(Family::Actions, words) => self.add_word_uses::<Action>(words),
            DeclarationPart::Words(Family::Conditions, words) => {
                self.add_word_uses::<Condition>(words)
            }
            DeclarationPart::Words(Family::TreeActions, words) => {
                self.add_word_uses::<TreeAction>(words)
            }
            DeclarationPart::Words(Family::TreeConditions, words) => {
                self.add_word_uses::<TreeCondition>(words)
            }
            DeclarationPart::Words(Family::DoctypeTests, _) => {}
            DeclarationPart::Pattern(Spanned { value: ParsedPattern::Name(value), span }) => {
                self.add_use(NameKind::Class, &Spanned { value: value.clone(), span: *span });
            }
            DeclarationPart::Pattern(_) => {}
            DeclarationPart::Lexeme(name, span) => {
                self.add_use(NameKind::Class, &Spanned { value: name.to_owned(), span });
            }
            DeclarationPart::Token(pattern) => self.add_pattern_use(pattern),
            DeclarationPart::Element(Spanned { value: ParsedElementName::Set(set), span }) => {
                self.add_use(NameKind::Names, &Spanned { value: set.clone(), span: *span });
            }
            DeclarationPart::Element(_) => {}
        }
    }

    /// Adds the name in a token pattern of a mode's row: a set of element names or of characters, at the pattern's end.
    fn add_pattern_use(&mut self, pattern: &Spanned<ParsedTokenPattern>) {
        if let Some(ParsedPattern::Name(name)) = &pattern.value.pattern {
            let start = pattern.span.end.saturating_sub(name.len() as u32);
            let span = Span { start, ..pattern.span };
            let is_of_characters = pattern.value.kind.as_deref() == Some("character");
            let kind = if is_of_characters { NameKind::Class } else { NameKind::Names };
            let word = Spanned { value: name.clone(), span };
            // A word without a kind before it may be a declared token.
            if pattern.value.kind.is_some() || !self.add_token_use(&word) {
                self.add_use(kind, &word);
            }
        }
    }

    /// Adds the names in an action or condition by the slots of the best matching form. A single word that matches no
    /// form names an action or condition that the table defines.
    fn add_word_uses<M: HasForms>(&mut self, words: &Words) {
        let Some((form, slots)) = self.matcher.best_match::<M>(words) else {
            if let [Spanned { value: Argument::Name(name), span }] = &words.arguments[..] {
                let kind = if M::KIND.contains("condition") {
                    NameKind::Condition
                } else {
                    NameKind::Action
                };
                self.add_use(kind, &Spanned { value: name.clone(), span: *span });
            }
            return;
        };
        let Form { syntax, meaning, wordings, .. } = form;
        self.names.uses.push(FormUse { span: words.span, syntax, meaning, wordings });
        for (slot, arguments) in slots {
            // Of an element name with a namespace, neither word is a name that a table declares.
            let [Spanned { value: Argument::Name(name), span }] = arguments else { continue };
            let word = Spanned { value: name.clone(), span: *span };
            let kind = NameKind::of(slot.name());
            if slot == Slot::Text || matches!(kind, Some(NameKind::Token | NameKind::Field)) {
                self.add_token_use(&word);
            } else if let Some(kind) = kind {
                self.add_use(kind, &word);
            }
        }
    }
}
