//! Resolves the values of slots: names, literals, and words of closed lists. Invalid words are reported with a
//! suggestion.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_FLAG, UNKNOWN_NAME};
use crate::model::tree::{
    AdjustmentsId, DoctypesId, ElementName, Namespace, PointerId, ScopeId, StepsId, TreeFlagId,
};
use crate::model::{CharacterSet, Flag, FlagId, Register, Text};
use crate::nearest::nearest;
use crate::syntax::{Argument, Span, Spanned};
use crate::vocabulary::{
    self, EMITTED, ENTITY_LISTS, Slot, TAG_KINDS, TEXTS, TOKEN_FLAGS, Value, tree,
};

impl Resolver {
    /// Returns the number of the arguments that fill the slot, whether or not they are valid; `None` if the first does
    /// not fit.
    pub(super) fn match_slot(&self, slot: Slot, arguments: &[Spanned<Argument>]) -> Option<usize> {
        let argument = &arguments[0].value;
        let name = argument.name();
        let has_namespace = slot == Slot::Names && name.is_some_and(|it| namespace(it).is_some());
        let next_argument = arguments.get(1).map(|next_argument| &next_argument.value);
        let count =
            if has_namespace && matches!(next_argument, Some(Argument::Text(_))) { 2 } else { 1 };
        let is_token = |name: &str| self.token_id(name).is_some();
        let fits = slot.accepts(argument)
            && match slot {
                Slot::Base => matches!(argument, Argument::Number(2..=36)),
                Slot::Register => {
                    name.is_some_and(|it| vocabulary::find(EMITTED, it).is_some() || is_token(it))
                }
                Slot::Data => name.is_some_and(|name| self.data_index(name).is_some()),
                Slot::Steps => name.is_some_and(|name| self.steps_index(name).is_some()),
                Slot::DeclaredToken => name.is_some_and(is_token),
                // If no flag is declared, no word can name one, so the words must match another form.
                Slot::TreeFlag => !self.tree_flags().is_empty(),
                // The words of other slots are resolved later, so that unknown ones are reported.
                _ => true,
            };
        fits.then_some(count)
    }

    /// Resolves the arguments of a slot. `previous` is the value of the preceding slot, if any. Returns `None` for an
    /// invalid argument.
    pub(super) fn resolve_value(
        &mut self,
        slot: Slot,
        arguments: &[Spanned<Argument>],
        previous: Option<&Value>,
    ) -> Option<Value> {
        let Spanned { value: argument, span } = &arguments[0];
        let (name, span) = (argument.name().unwrap_or_default(), *span);
        Some(match slot {
            Slot::State => Value::State(self.state_id(name, span)),
            Slot::Error => Value::Error(self.error_id(name, span)),
            Slot::Token => Value::Token(self.token_kind(name, span)?),
            Slot::TagKind => {
                Value::TagKind(self.word_of(TAG_KINDS, name, span, "a kind of tag")?)
            }
            Slot::Text => Value::Text(self.resolve_text(argument, span)?),
            Slot::Returned => Value::Returned(self.returned_text(argument, span)?),
            Slot::Field => Value::Field(self.field(name, span)?),
            Slot::Register => Value::Register(match self.token_id(name) {
                Some(token) => Register::Declared(token),
                None => vocabulary::find(EMITTED, name)?,
            }),
            Slot::DeclaredToken => Value::DeclaredToken(self.token_id(name)?),
            Slot::DeclaredField => Value::DeclaredField(self.declared_field(name, span)?),
            Slot::Lexeme => Value::Lexeme(self.lexeme_id(name, span)?),
            Slot::Counter => Value::Counter(self.counter_id(name, span)?),
            Slot::String => Value::String(argument.text()?.to_owned()),
            Slot::Printable => Value::Printable(self.resolve_printable(argument.text()?, span)?),
            Slot::Character => Value::Character(character_of(argument)?),
            Slot::Number => Value::Number(number_of(argument)?),
            Slot::Base => Value::Base(u8::try_from(number_of(argument)?).ok()?),
            Slot::TokenFlag => {
                Value::TokenFlag(self.word_of(TOKEN_FLAGS, name, span, "a flag of a token")?)
            }
            Slot::Flag => Value::Flag(self.flag_id(name, span)?),
            Slot::TreeFlag => {
                let index = self.known_index("flag of tree construction", name, span)?;
                Value::TreeFlag(TreeFlagId(index as u8))
            }
            Slot::Value => {
                let digits = number_of(argument).map(|number| number.to_string());
                Value::Value(self.value_of_flag(
                    previous,
                    digits.as_deref().unwrap_or(name),
                    span,
                )?)
            }
            Slot::Data => Value::Data(self.data_index(name)?),
            Slot::List => {
                Value::List(self.word_of(ENTITY_LISTS, name, span, "a list of entities")?)
            }
            Slot::TagNames => Value::TagNames(self.names_of_tags(name, span)),
            Slot::Class => Value::Class(self.characters_of(argument, span)?),
            Slot::Mode => Value::Mode(self.mode_id(name, span)),
            Slot::Names => Value::Names(self.names_in(arguments)?),
            Slot::Scope => Value::Scope(ScopeId(self.known_index("scope", name, span)? as u8)),
            Slot::Pointer => {
                Value::Pointer(PointerId(self.known_index("pointer", name, span)? as u8))
            }
            Slot::Adjustments => {
                let index = self.known_index("table of adjustments", name, span)?;
                Value::Adjustments(AdjustmentsId(index as u8))
            }
            Slot::InsertedNamespace => {
                let (words, what) = (tree::INSERTED_NAMESPACES, "a namespace of inserted elements");
                Value::InsertedNamespace(self.word_of(words, name, span, what)?)
            }
            Slot::Namespace => {
                Value::Namespace(self.word_of(tree::NAMESPACES, name, span, "a namespace")?)
            }
            Slot::DocumentMode => {
                let (words, what) = (tree::DOCUMENT_MODES, "a mode of a document");
                Value::DocumentMode(self.word_of(words, name, span, what)?)
            }
            Slot::StackPlace => {
                let (words, what) = (tree::STACK_PLACES, "a place on the stack");
                Value::StackPlace(self.word_of(words, name, span, what)?)
            }
            Slot::Doctypes => {
                let index = self.known_index("set of DOCTYPEs", name, span)?;
                Value::Doctypes(DoctypesId(index as u8))
            }
            Slot::Steps => Value::Steps(StepsId(self.steps_index(name)? as u8)),
            Slot::Word => Value::Word(name.to_owned()),
            Slot::TokenizerWord => Value::TokenizerWord(self.feedback_id(name, span)),
        })
    }

    /// Resolves a word of a closed list. Returns `None`, after a report, for any other word.
    pub(super) fn word_of<T: Clone>(
        &mut self,
        words: &[(&str, T)],
        word: &str,
        span: Span,
        kind: &str,
    ) -> Option<T> {
        let value = vocabulary::find(words, word);
        if value.is_none() {
            let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
            let verb = if names.len() == 1 { "must be" } else { "is one of" };
            let list = format!("{kind} {verb} {}", names.join(", "));
            let help = nearest(word, &names)
                .map_or_else(|| list.clone(), |correction| format!("{correction} {list}"));
            self.report(
                Diagnostic::new(UNKNOWN_NAME, span, format!("`{word}` is not {kind}")).help(help),
            );
        }
        value
    }

    /// Resolves a text that a procedure can return. Returns `None`, after a report, for any other text.
    fn returned_text(&mut self, argument: &Argument, span: Span) -> Option<Text> {
        let text = self.resolve_text(argument, span)?;
        if let Text::Current
        | Text::Literal(_)
        | Text::Number
        | Text::Reference
        | Text::TemporaryBuffer = text
        {
            return Some(text);
        }
        let message = "a procedure cannot return this text";
        let help = "write a literal, `current`, `character-reference-code`, `reference` or \
                    `temporary-buffer`";
        self.report(Diagnostic::new(UNKNOWN_NAME, span, message).help(help));
        None
    }

    fn resolve_text(&mut self, argument: &Argument, span: Span) -> Option<Text> {
        match argument {
            Argument::Character(character) => Some(Text::Literal(character.to_string())),
            Argument::Text(text) => Some(Text::Literal(text.clone())),
            Argument::Name(name) if self.data_index(name).is_some() => {
                self.data_index(name).map(Text::Data)
            }
            Argument::Name(name) => self.text_of_name(name, span),
            Argument::Number(number) => self.word_of(TEXTS, &number.to_string(), span, "a text"),
        }
    }

    /// Resolves a text of the vocabulary or a declared field. Returns `None` for an unknown word, which is reported
    /// with the nearest kind of token or an equivalent, if there is one.
    fn text_of_name(&mut self, name: &str, span: Span) -> Option<Text> {
        if let Some((_, field)) = self.declared_fields().iter().find(|(word, _)| word == name) {
            return Some(Text::Field(*field));
        }
        let kinds: Vec<&str> = self.machine.tokens.iter().map(|token| &token.name[..]).collect();
        let synonym = vocabulary::equivalent(vocabulary::VALUE_SYNONYMS, name);
        let synonym = synonym.map(|equivalent| format!("did you mean `{equivalent}`?"));
        let suggestion = nearest(name, &kinds).or(synonym);
        let suggestion = suggestion.filter(|_| vocabulary::find(TEXTS, name).is_none());
        let Some(help) = suggestion else { return self.word_of(TEXTS, name, span, "a text") };
        let message = format!("`{name}` is neither a text nor a kind of token");
        self.report(Diagnostic::new(UNKNOWN_NAME, span, message).help(help));
        None
    }

    /// Resolves a flag of states. Returns `None`, after a report, for an unknown name.
    pub(super) fn flag_id(&mut self, name: &str, span: Span) -> Option<FlagId> {
        if self.declared_fields().iter().any(|(field, _)| field == name) {
            let message = format!("there is no flag `{name}`");
            let help =
                format!("`{name}` is a field, which is compared with a string: `{name} is \"\"`");
            self.report(Diagnostic::new(UNKNOWN_FLAG, span, message).help(help));
            return None;
        }
        self.known_index("flag", name, span).map(|index| FlagId(index as u8))
    }

    /// Resolves a value of the flag to its index. Returns `None`, after a report, if the flag lacks the value.
    pub(super) fn flag_value(&mut self, id: FlagId, value: &str, span: Span) -> Option<u8> {
        let flag = self.machine.flags[usize::from(id.0)].clone();
        self.index_of_value(&flag, value, span)
    }

    /// Resolves a value of the preceding flag. Returns `None` if no flag precedes or, after a report, if the flag lacks
    /// the value.
    fn value_of_flag(&mut self, flag: Option<&Value>, value: &str, span: Span) -> Option<u8> {
        if let Some(Value::Flag(id)) = flag {
            return self.flag_value(*id, value, span);
        }
        let Some(Value::TreeFlag(id)) = flag else { return None };
        let flag = self.tree_flags()[usize::from(id.0)].clone();
        self.index_of_value(&flag, value, span)
    }

    fn index_of_value(&mut self, flag: &Flag, value: &str, span: Span) -> Option<u8> {
        let Flag { name, span: declaration, values, counter, .. } = flag;
        if let Some(index) = values.iter().position(|other| other == value) {
            return Some(index as u8);
        }
        let words: Vec<&str> = values.iter().map(|value| &value[..]).collect();
        let (kind, allowed) = match counter {
            Some(_) => ("counter", format!("it counts from 0 to {}", values.len() - 1)),
            None => ("flag", format!("its values are {}", values.join(", "))),
        };
        let message = format!("the {kind} `{name}` has no value `{value}`");
        let is_number = value.parse::<u32>().is_ok();
        let correction = (!is_number).then(|| nearest(value, &words)).flatten();
        let suggestion = correction
            .map_or_else(|| allowed.clone(), |correction| format!("{correction} {allowed}"));
        self.report(
            Diagnostic::new(UNKNOWN_FLAG, span, message)
                .and(*declaration, "declared here")
                .help(suggestion),
        );
        None
    }

    /// Returns the local names in a set, as tags have no namespaces.
    pub(super) fn names_of_tags(&mut self, set: &str, span: Span) -> Vec<String> {
        let mut names: Vec<String> =
            self.name_set(set, span).into_iter().map(|name| name.local).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Resolves a string that is compared with the preceding input byte by byte. Returns `None`, after a report, if the
    /// string is empty or is not printable ASCII.
    fn resolve_printable(&mut self, text: &str, span: Span) -> Option<String> {
        if !text.is_empty() && text.chars().all(|character| (' '..='~').contains(&character)) {
            return Some(text.to_owned());
        }
        let message =
            "`preceded-by` requires a string of printable ASCII characters that is not empty";
        let help = "write the preceding characters: `preceded-by \"<!-\"`";
        self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
        None
    }

    /// Resolves a class or a single character. Returns `None`, after a report, for any other argument.
    fn characters_of(&mut self, argument: &Argument, span: Span) -> Option<CharacterSet> {
        match argument {
            Argument::Character(character) => Some(CharacterSet::range(*character, *character)),
            Argument::Name(name) => {
                let class = self.class(name);
                if class.is_none() {
                    self.report_unknown_class(name, span, &[]);
                }
                class
            }
            Argument::Text(_) | Argument::Number(_) => {
                let message = "only a class or a character is allowed here";
                let help = "write a character such as `'a'`, or the name of a class";
                self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
                None
            }
        }
    }

    /// Resolves element names: a name as a string, possibly after a namespace, or a set of names. Returns `None` for
    /// other arguments.
    fn names_in(&mut self, arguments: &[Spanned<Argument>]) -> Option<Vec<ElementName>> {
        let first = &arguments[0];
        match (&first.value, arguments.get(1)) {
            (Argument::Name(word), Some(local)) => {
                let (namespace, local) = (namespace(word)?, local.value.text()?.to_owned());
                Some(vec![ElementName { namespace, local }])
            }
            (Argument::Name(set), None) => Some(self.name_set(set, first.span)),
            (argument, _) => Some(vec![ElementName::own(argument.text()?)]),
        }
    }
}

fn namespace(word: &str) -> Option<Namespace> {
    vocabulary::find(tree::NAMESPACES, word)
}

fn character_of(argument: &Argument) -> Option<char> {
    if let Argument::Character(character) = argument { Some(*character) } else { None }
}

fn number_of(argument: &Argument) -> Option<u32> {
    if let Argument::Number(number) = argument { Some(*number) } else { None }
}
