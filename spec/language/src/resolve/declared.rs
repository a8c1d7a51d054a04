//! Declared kinds of tokens, counters and the stack of states: their names, and their words in rows. Names of tokens
//! and fields are unique, also among those of the vocabulary, and their number is limited by the model.

use super::Resolver;
use crate::diagnostic::{
    DUPLICATE_DECLARATION, DUPLICATE_NAME, Diagnostic, MISSING_DECLARATION, TOO_MANY, UNKNOWN_FLAG,
    UNKNOWN_NAME,
};
use crate::model::{
    Action, DeclaredToken, ErrorId, Field, FieldId, Flag, FlagId, PushedStates, Spanned, State,
    TokenId, TokenKind,
};
use crate::nearest::{nearest, nearest_or};
use crate::syntax::{ItemBody, Span, Table, Word};
use crate::vocabulary::{EMITTED, FIELDS, TOKENS, find};

/// Maximum number of declared kinds of tokens.
const MAX_TOKENS: usize = 48;
/// Maximum number of fields of all declared kinds together.
const MAX_FIELDS: usize = u8::MAX as usize;
/// Maximum number of flags and counters.
const MAX_FLAGS: usize = 8;
/// Words after `emit` that do not name a kind of token; no declared kind may have such a name.
const RESERVED_EMIT_WORDS: [&str; 2] = ["end-of-file", "short-end-tag"];

/// Creates a flag from its declaration.
pub(super) fn flag(name: &Word, values: &[Word], by_host: bool, by_rows: bool) -> Flag {
    let values = values.iter().map(|value| value.value.clone()).collect();
    Flag { name: name.value.clone(), span: name.span, values, by_host, by_rows, counter: None }
}

impl Resolver {
    /// Declares a counter, which is a flag with numeric values.
    pub(super) fn declare_counter(&mut self, name: &Word, most: &Spanned<u32>) {
        self.declare_unique(name, "flag");
        if most.value > u32::from(u8::MAX) {
            let message = format!("the maximum of a counter is at most {}", u8::MAX);
            self.report(
                Diagnostic::new(TOO_MANY, most.span, message)
                    .help("write a smaller number, or test a text with `temporary-buffer is`"),
            );
        }
        let values = (0..=most.value.min(255)).map(|number| number.to_string()).collect();
        // The error may be declared after the counter, so `finish_flags` resolves it.
        let counter = Some(ErrorId::default());
        self.machine.flags.push(Flag { values, counter, ..flag(name, &[], false, true) });
    }

    /// Resolves the errors of counters once all codes are declared, and reports excess flags.
    pub(super) fn finish_flags(&mut self, table: &Table) {
        for item in &table.items {
            if let ItemBody::Counter { error, .. } = &item.body {
                let id = self.error_id(&error.value, error.span);
                let span = item.name.span;
                let counter = self.machine.flags.iter_mut().find(|flag| flag.span == span);
                counter.into_iter().for_each(|flag| flag.counter = Some(id));
            }
        }
        if let Some(flag) = self.machine.flags.get(MAX_FLAGS) {
            let message = format!("a table has at most {MAX_FLAGS} flags and counters");
            let help = "use states in place of some of them";
            self.report(Diagnostic::new(TOO_MANY, flag.span, message).help(help));
        }
    }

    /// Declares a kind of token with its fields.
    pub(super) fn declare_token(&mut self, name: &Word, fields: &[Word], by_host: bool) {
        self.declare_unique(name, "token");
        let is_built_in = find(TOKENS, &name.value).is_some()
            || find(EMITTED, &name.value).is_some()
            || RESERVED_EMIT_WORDS.contains(&&name.value[..]);
        if is_built_in {
            let message = format!("`{}` is a built-in kind of token", name.value);
            let diagnostic = Diagnostic::new(DUPLICATE_NAME, name.span, message);
            self.report(diagnostic.help("give this kind of token another name"));
        }
        let first_field = self.machine.tokens.iter().map(|token| token.fields.len()).sum::<usize>();
        if self.machine.tokens.len() == MAX_TOKENS || first_field + fields.len() > MAX_FIELDS {
            let message = format!(
                "a table declares at most {MAX_TOKENS} kinds of tokens, with at most {MAX_FIELDS} fields in total"
            );
            let diagnostic = Diagnostic::new(TOO_MANY, name.span, message);
            self.report(diagnostic.help("merge some kinds of tokens or some fields"));
            return;
        }
        let mut token = DeclaredToken {
            name: name.value.clone(),
            span: name.span,
            fields: Vec::new(),
            first: first_field as u8,
            by_host,
        };
        for field in fields {
            self.declare_field(&mut token, field);
        }
        self.machine.tokens.push(token);
    }

    fn declare_field(&mut self, token: &mut DeclaredToken, field: &Word) {
        let word = token.field_word(&field.value);
        let earlier = self.machine.tokens.iter().chain([&*token]).find_map(|token| {
            let mut fields = token.fields.iter();
            fields.find(|(name, _)| token.field_word(name) == word).map(|&(_, span)| span)
        });
        if find(FIELDS, &word).is_some() {
            let message = format!("`{word}` is a built-in field");
            let diagnostic = Diagnostic::new(DUPLICATE_NAME, field.span, message);
            self.report(diagnostic.help("give the kind of token or the field another name"));
        } else if let Some(earlier) = earlier {
            let message = format!("the field `{word}` is declared more than once");
            let diagnostic = Diagnostic::new(DUPLICATE_NAME, field.span, message);
            self.report(
                diagnostic
                    .and(earlier, "first declared here")
                    .help("give the kind of token or the field another name"),
            );
        }
        token.fields.push((field.value.clone(), field.span));
    }

    /// Returns the id of the declared kind of token with this name; `None` if there is none.
    pub(super) fn token_id(&self, name: &str) -> Option<TokenId> {
        let index = self.machine.tokens.iter().position(|token| token.name == name)?;
        Some(TokenId(index as u8))
    }

    /// Resolves a kind of token that can be created. Returns `None`, after a report, for an unknown name.
    pub(super) fn token_kind(&mut self, name: &str, span: Span) -> Option<TokenKind> {
        let tokens = self.machine.tokens.iter().zip(0..);
        let names: Vec<(String, TokenKind)> = tokens
            .map(|(token, id)| (token.name.clone(), TokenKind::Declared(TokenId(id))))
            .collect();
        let declared = names.iter().map(|(name, kind)| (&name[..], *kind));
        let all: Vec<(&str, TokenKind)> = declared.chain(TOKENS.iter().copied()).collect();
        self.word_of(&all, name, span, "a token")
    }

    /// Resolves a field of the vocabulary, or a declared one. Returns `None`, after a report, for an unknown name.
    pub(super) fn field(&mut self, name: &str, span: Span) -> Option<Field> {
        if self.machine.tokens.is_empty() {
            return self.word_of(FIELDS, name, span, "a field");
        }
        let fields = self.declared_fields();
        let declared = fields.iter().map(|(word, field)| (&word[..], Field::Declared(*field)));
        let all: Vec<(&str, Field)> = declared.chain(FIELDS.iter().copied()).collect();
        if find(&all, name).is_none()
            && let Some(help) = self.field_help(name)
        {
            let message = format!("`{name}` is not a field");
            self.report(Diagnostic::new(UNKNOWN_NAME, span, message).help(help));
            return None;
        }
        self.word_of(&all, name, span, "a field")
    }

    /// Returns the fields of declared tokens, with their words in rows.
    pub(super) fn declared_fields(&self) -> Vec<(String, FieldId)> {
        let tokens = self.machine.tokens.iter().zip(0..);
        let fields = tokens.flat_map(|(token, id)| {
            let fields = token.fields.iter().zip(token.first..);
            fields.map(move |((field, _), index)| {
                (token.field_word(field), FieldId { token: TokenId(id), index })
            })
        });
        fields.collect()
    }

    /// Returns a suggestion if the name is that of a field without its token, of a token without a field, or of a
    /// counter.
    fn field_help(&self, name: &str) -> Option<String> {
        let quoted_words = |token: &DeclaredToken| -> Vec<String> {
            let words = token.fields.iter().map(|(field, _)| token.field_word(field));
            words.map(|word| format!("`{word}`")).collect()
        };
        let kind = self.machine.tokens.iter().find(|it| it.name == name && !it.fields.is_empty());
        if let Some(kind) = kind {
            return Some(format!(
                "`{name}` is a kind of token; name one of its fields: {}",
                quoted_words(kind).join(", ")
            ));
        }
        if self.machine.flags.iter().any(|flag| flag.name == name && flag.counter.is_some()) {
            return Some(format!("`{name}` is a counter; set it to a number: `set {name} 0`"));
        }
        let has_field = |it: &&DeclaredToken| it.fields.iter().any(|(field, _)| field == name);
        let matches: Vec<String> = self
            .machine
            .tokens
            .iter()
            .filter(has_field)
            .map(|it| format!("`{}`", it.field_word(name)))
            .collect();
        (!matches.is_empty()).then(|| format!("did you mean {}?", matches.join(" or ")))
    }

    /// Resolves a field of a declared token. Returns `None`, after a report, for an unknown name.
    pub(super) fn declared_field(&mut self, name: &str, span: Span) -> Option<FieldId> {
        let fields = self.declared_fields();
        if let Some((_, field)) = fields.iter().find(|(word, _)| word == name) {
            return Some(*field);
        }
        let message = format!("`{name}` is not a field of a token that the table declares");
        let words: Vec<&str> = fields.iter().map(|(word, _)| &word[..]).collect();
        let help = match self.field_help(name).or_else(|| nearest(name, &words)) {
            Some(help) => help,
            None if fields.is_empty() => {
                "declare a kind of token with the field: `token NAME { FIELD }`".to_owned()
            }
            None => format!("there are {}", words.join(", ")),
        };
        self.report(Diagnostic::new(UNKNOWN_NAME, span, message).help(help));
        None
    }

    /// Resolves a counter. Returns `None`, after a report, for an unknown name or another flag, whose values cannot be
    /// incremented.
    pub(super) fn counter_id(&mut self, name: &str, span: Span) -> Option<FlagId> {
        let counters = || self.machine.flags.iter().filter(|flag| flag.counter.is_some());
        if counters().any(|flag| flag.name == name) {
            return self.flag_id(name, span);
        }
        if self.machine.flags.iter().any(|flag| flag.name == name) {
            let message = format!("`{name}` is a flag, not a counter");
            let help = "set a flag with `set FLAG VALUE`, or declare a counter: `counter NAME to N => error CODE;`";
            self.report(Diagnostic::new(UNKNOWN_FLAG, span, message).help(help));
            return None;
        }
        let names: Vec<&str> = counters().map(|flag| &flag.name[..]).collect();
        let help = nearest_or(name, &names, "declare it: `counter NAME to N => error CODE;`");
        let message = format!("there is no counter `{name}`");
        self.report(Diagnostic::new(UNKNOWN_FLAG, span, message).help(help));
        None
    }

    /// Resolves the declaration of the stack of states. Without one, returns `None`, and reports an action that uses
    /// the stack, if there is any.
    pub(super) fn resolve_pushed_states(
        &mut self,
        table: &Table,
        states: &[State],
    ) -> Option<PushedStates> {
        let mut stack: Option<PushedStates> = None;
        for item in &table.items {
            let ItemBody::PushedStates { most, error } = &item.body else { continue };
            if let Some(first) = stack {
                let message = "`pushed-states` is declared more than once";
                self.report(
                    Diagnostic::new(DUPLICATE_DECLARATION, most.span, message)
                        .and(first.span, "first declared here")
                        .help("remove one of them"),
                );
            }
            let id = self.error_id(&error.value, error.span);
            let capacity = u16::try_from(most.value).unwrap_or_else(|_| {
                let message = format!("the stack of states holds at most {} states", u16::MAX);
                let diagnostic = Diagnostic::new(TOO_MANY, most.span, message);
                self.report(diagnostic.help("write a smaller number"));
                u16::MAX
            });
            stack = Some(PushedStates { most: capacity, error: id, span: most.span });
        }
        if stack.is_none() {
            self.require_stack(states);
        }
        stack
    }

    fn require_stack(&mut self, states: &[State]) {
        let uses_stack =
            |action: &Action| matches!(action, Action::PushState(_) | Action::SwitchPushedState);
        let mut actions = states.iter().flat_map(State::spanned_actions);
        if let Some(&Spanned { span, .. }) = actions.find(|action| uses_stack(&action.value)) {
            let message = "the table does not limit the depth of its stack of states";
            let diagnostic = Diagnostic::new(MISSING_DECLARATION, span, message);
            self.report(diagnostic.help("declare it: `pushed-states to N => error CODE;`"));
        }
    }
}
