//! Finds the names in a table's text, declared and used, and the vocabulary's forms at each position. The kind of a
//! name follows from the slot of the form that contains the name.

use tabulex_language::model::tree::{TreeAction, TreeCondition};
use tabulex_language::model::{Action, Condition};
use tabulex_language::syntax::{
    Argument, Change, DeclarationPart, Item, ItemBody, ParsedElementName, ParsedPattern,
    ParsedTokenPattern, Span, Spanned, Word, Words,
};
use tabulex_language::vocabulary::{Family, Form, FormPart, HasForms, Product, Slot};

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
                // The fields of a token are declared after it and before the next token, so they belong to the last
                // token.
                NameKind::Field => {
                    self.tokens.last_mut().into_iter().for_each(|it| it.fields.push(text.clone()));
                }
                NameKind::Counter => self.counters.push(text),
                _ => {}
            }
        }
    }
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
    /// Words that may name declared tokens or their fields.
    ambiguous: Vec<AmbiguousWord>,
}

/// A word that may name a declared token or a field of one.
#[derive(Clone, Debug)]
struct AmbiguousWord {
    word: Word,
    /// If the word is a text in a form that also accepts a token, such as `emit`: the index of the use to replace if
    /// the word names a token, and the new use.
    replacement: Option<(usize, FormUse)>,
    /// Kind of the word if it names no declared token.
    fallback: Option<NameKind>,
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
        let mut names = Self::default();
        let table = tabulex_language::parse::lenient(text);
        table.items.iter().for_each(|item| names.add_declarations(item));
        table.parts().for_each(|part| names.add_uses(part));
        names.names.sort_by_key(|it| it.span.start);
        names
    }

    /// Resolves the words whose kind depends on the declarations of all files.
    pub(crate) fn resolve_ambiguous(&mut self, declared: &Declared) {
        for AmbiguousWord { word, replacement, fallback } in std::mem::take(&mut self.ambiguous) {
            let has_field = |token: &&DeclaredToken| token.fields.contains(&word.value);
            if declared.tokens.iter().any(|token| token.name == word.value) {
                self.add_use(NameKind::Token, &word);
                if let Some((index, form)) = replacement {
                    self.uses[index] = form;
                }
            } else if let Some(token) = declared.tokens.iter().find(has_field) {
                let name_end = word.span.start + token.name.len() as u32;
                let name = Span { end: name_end, ..word.span };
                self.add_use(NameKind::Token, &Spanned { value: token.name.clone(), span: name });
                let field = Span { start: name_end + 1, ..word.span };
                self.add_use(NameKind::Field, &Spanned { value: word.value, span: field });
            } else if let Some(kind) = fallback {
                self.add_use(kind, &word);
            }
        }
        // Counters are read and set like flags, so their uses were collected as flags.
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

    fn add_declaration(&mut self, kind: NameKind, word: &Word) {
        self.add(kind, word, true);
    }

    fn add_use(&mut self, kind: NameKind, word: &Word) {
        self.add(kind, word, false);
    }

    /// Adds the names that an item declares. The states of a procedure and the changes of a base are items, too.
    fn add_declarations(&mut self, item: &Item) {
        if let (Some(kind), Some(name)) = (NameKind::of(item.kind), item.own_name()) {
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
            ItemBody::Extends { changes, .. } => {
                for change in changes {
                    if let Change::Replace(item, _) | Change::Add(item) = change {
                        self.add_declarations(item);
                    }
                }
            }
            _ => {}
        }
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
            // A word without a kind before it may be a declared token, so it is resolved once the declarations of all
            // files are known.
            if pattern.value.kind.is_none() {
                self.ambiguous.push(AmbiguousWord {
                    word,
                    replacement: None,
                    fallback: Some(kind),
                });
            } else {
                self.add_use(kind, &word);
            }
        }
    }

    /// Adds the names in an action or condition by the slots of the best matching form. A single word that matches no
    /// form names an action or condition that the table defines.
    fn add_word_uses<M: HasForms>(&mut self, words: &Words) {
        let matches =
            M::FORMS.iter().rev().filter_map(|form| Some((form, match_form(form, words)?)));
        let matches: Vec<_> = matches.collect();
        let Some((form, (_, slots))) = matches.iter().max_by_key(|(_, (known, _))| *known) else {
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
        let use_of = |form: &Form<M>| {
            let Form { syntax, meaning, wordings, .. } = form;
            FormUse { span: words.span, syntax, meaning, wordings }
        };
        self.uses.push(use_of(form));
        let use_index = self.uses.len() - 1;
        for (slot, argument) in slots {
            let Argument::Name(name) = &argument.value else { continue };
            let word = Spanned { value: name.clone(), span: argument.span };
            match NameKind::of(slot.name()) {
                Some(NameKind::Token | NameKind::Field) => {
                    self.ambiguous.push(AmbiguousWord { word, replacement: None, fallback: None })
                }
                Some(kind) => self.add_use(kind, &word),
                None if *slot == Slot::Text => {
                    let mut register_forms = matches.iter().filter(|(_, (_, slots))| {
                        slots.iter().any(|(slot, _)| *slot == Slot::Register)
                    });
                    let replacement =
                        register_forms.next().map(|(form, _)| (use_index, use_of(form)));
                    self.ambiguous.extend(replacement.map(|it| AmbiguousWord {
                        word,
                        replacement: Some(it),
                        fallback: None,
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
            (FormPart::Slot(slot), argument) if !slot.accepts(argument) => return None,
            (FormPart::Slot(slot), Argument::Name(name)) => {
                let accepted_words = slot.words();
                let is_known = accepted_words.contains(&&name[..]);
                if !accepted_words.is_empty() && !is_known && NameKind::of(slot.name()).is_none() {
                    return None;
                }
                known += usize::from(is_known);
                // An element name with a namespace consists of two words, neither of which is a name that a table
                // declares.
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
