//! Words to actions, by the forms of the vocabulary. It looks no state's rows up. Invariant: words that
//! fit no form are reported with the forms that begin like them.

use super::Resolver;
use super::nearest::{nearest, nearest_or};
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_ACTION, UNKNOWN_FLAG, UNKNOWN_NAME};
use crate::model::{Action, EntityList, FlagId, Step, Text};
use crate::syntax::{Argument, Item, Note, Placed, Table, Words};
use crate::vocabulary::{
    self, ACTIONS, EMITTED, ENTITY_LISTS, FIELDS, Form, TEXTS, TOKEN_FLAGS, TOKENS,
};

impl Resolver {
    /// Actions that the table defines; they may name those that stand before them.
    pub(super) fn define_actions(&mut self, table: &Table) {
        for item in &table.items {
            if let Item::Action { name, steps, .. } = item {
                let same = |item: &&Item| matches!(item, Item::Action { name: other, .. } if other.value == name.value);
                let first = table.items.iter().find(same).map(|item| match item {
                    Item::Action { name, .. } => name.place,
                    _ => name.place,
                });
                self.unique(name, "action", |_| first.filter(|place| *place != name.place));
                let mut notes = Vec::new();
                let steps = self.steps(steps, &mut notes);
                self.actions.push((name.value.clone(), steps, notes));
            }
        }
    }

    /// The steps and notes of the action that the table defines by this name.
    pub(super) fn defined_action(&self, words: &Words) -> Option<(Vec<Step>, Vec<Note>)> {
        let [Placed { value: Argument::Name(name), .. }] = &words.arguments[..] else {
            return None;
        };
        let (_, steps, notes) = self.actions.iter().find(|(other, ..)| other == name)?;
        Some((steps.clone(), notes.clone()))
    }

    /// The actions that the words mean; more than one for `reconsume STATE`.
    pub(super) fn action(&mut self, words: &Words) -> Vec<Placed<Action>> {
        let place = words.place;
        let arguments: Vec<&Argument> =
            words.arguments.iter().map(|argument| &argument.value).collect();
        let at = |index: usize| words.arguments[index].place;
        use Argument::{Character, Name, Number, Text as Quoted};
        let names: Vec<&str> = arguments
            .iter()
            .map(|argument| if let Name(name) = argument { name } else { "" })
            .collect();
        if let Some(value) = without_slots(&names).or_else(|| self.on_entities(words, &names)) {
            return vec![Placed { value, place }];
        }
        let value = match (&names[..], &arguments[..]) {
            (["switch", "return-state"], _) => Action::SwitchReturnState,
            (["switch", state], [_, Name(_)]) => Action::Switch(self.state_id(state, at(1))),
            (["reconsume"], _) => Action::Reconsume,
            (["reconsume", state], [_, Name(_)]) => {
                let switch = Action::Switch(self.state_id(state, at(1)));
                return vec![
                    Placed { value: switch, place },
                    Placed { value: Action::Reconsume, place },
                ];
            }
            (["error", code], [_, Name(_)]) => Action::Error(self.error_id(code, at(1))),
            (["error", code, "behind"], [_, Name(_), _]) => {
                Action::ErrorBehind(self.error_id(code, at(1)))
            }
            (["create", token], [_, Name(_)]) => {
                match self.word_of(TOKENS, token, at(1), "a token") {
                    Some(kind) => Action::Create(kind),
                    None => return Vec::new(),
                }
            }
            (["drop-duplicate-attribute", code], [_, Name(_)]) => {
                Action::DropDuplicateAttribute(self.error_id(code, at(1)))
            }
            (["append", _, "to", field], [_, text, _, Name(_)]) => {
                let text = self.text(text, at(1));
                let field = self.word_of(FIELDS, field, at(3), "a field");
                match (text, field) {
                    (Some(text), Some(field)) => Action::Append(text, field),
                    _ => return Vec::new(),
                }
            }
            (["set", field, _], [_, Name(_), Quoted(text)]) => {
                match self.word_of(FIELDS, field, at(1), "a field") {
                    Some(field) => Action::Set(field, text.clone()),
                    None => return Vec::new(),
                }
            }
            (["set", flag], [_, Name(_)]) => {
                match self.word_of(TOKEN_FLAGS, flag, at(1), "a flag of a token") {
                    Some(flag) => Action::SetTokenFlag(flag),
                    None => return Vec::new(),
                }
            }
            (["set", "return-state", state], [_, _, Name(_)]) => {
                Action::SetReturnState(self.state_id(state, at(2)))
            }
            (["set", "additional-allowed-character", _], [_, _, Character(character)]) => {
                Action::SetAdditionalAllowedCharacter(Some(*character))
            }
            (["set", "character-reference-code", data, "in-base", _], [.., Number(base)])
                if self.data(data).is_some() && matches!(base, 10 | 16) =>
            {
                Action::SetNumberToData(self.data(data).unwrap_or_default(), *base as u8)
            }
            (["match-reference", data], [_, Name(_)]) if self.data(data).is_some() => {
                self.need_references(place);
                Action::MatchReference(self.data(data).unwrap_or_default())
            }
            (["unset", "additional-allowed-character"], _) => {
                Action::SetAdditionalAllowedCharacter(None)
            }
            (["set", "character-reference-code", _], [_, _, Number(number)]) => {
                Action::SetNumber(*number)
            }
            (["set", _, value], [_, Name(_), Name(_)]) => match self.flag_value(words, 1, 2, value)
            {
                Some((flag, value)) => Action::SetFlag(flag, value),
                None => return Vec::new(),
            },
            (["add-digit", _], [_, Number(base @ (10 | 16))]) => Action::AddDigit(*base as u8),
            (["emit", register], [_, Name(_)]) if vocabulary::find(EMITTED, register).is_some() => {
                vocabulary::find(EMITTED, register).map(Action::EmitToken).expect("just found")
            }
            (["emit", _], [_, text]) => match self.text(text, at(1)) {
                Some(text) => Action::EmitText(text),
                None => return Vec::new(),
            },
            (["return", _], [_, text]) => match self.returned_text(text, at(1)) {
                Some(text) => Action::Return(text),
                None => return Vec::new(),
            },
            _ => {
                self.report(unknown(words, ACTIONS, UNKNOWN_ACTION, "action"));
                return Vec::new();
            }
        };
        vec![Placed { value, place }]
    }

    /// Reports a machine that has no named character references where some are asked for.
    pub(super) fn need_references(&mut self, place: crate::syntax::Place) {
        if self.references.is_none() {
            let message = "the machine has no named character references";
            self.report(
                Diagnostic::new(BAD_PATTERN, place, message)
                    .help("declare them with `references \"FILE\";`"),
            );
        }
    }

    /// A text that a procedure can return.
    fn returned_text(&mut self, argument: &Argument, place: crate::syntax::Place) -> Option<Text> {
        let text = self.text(argument, place)?;
        let can_be = matches!(
            text,
            Text::Current
                | Text::Literal(_)
                | Text::Number
                | Text::Reference
                | Text::TemporaryBuffer
        );
        if !can_be {
            let message = "a procedure cannot return this text";
            let help = "write a literal, `current`, `character-reference-code`, `reference` or \
                        `temporary-buffer`";
            self.report(Diagnostic::new(UNKNOWN_NAME, place, message).help(help));
            return None;
        }
        Some(text)
    }

    /// An action on a list of entities, if the words fit one; an unknown list is taken for the first one, and reported.
    fn on_entities(&mut self, words: &Words, names: &[&str]) -> Option<Action> {
        let arguments = &words.arguments;
        let escaped = match (names, arguments.get(3).map(|argument| &argument.value)) {
            (["append-entity" | "insert", list], _) if !list.is_empty() => "",
            (["insert", list, "escaping", _], Some(Argument::Text(escaped)))
                if !list.is_empty() =>
            {
                escaped
            }
            _ => return None,
        };
        let list = self.entity_list(names[1], arguments[1].place);
        let list = list.unwrap_or(EntityList::Entities);
        Some(match names[0] {
            "insert" => Action::Insert(list, escaped.to_owned()),
            _ => Action::AppendEntity(list),
        })
    }

    pub(super) fn entity_list(
        &mut self,
        word: &str,
        place: crate::syntax::Place,
    ) -> Option<EntityList> {
        self.word_of(ENTITY_LISTS, word, place, "a list of entities")
    }

    fn text(&mut self, argument: &Argument, place: crate::syntax::Place) -> Option<Text> {
        match argument {
            Argument::Character(character) => Some(Text::Literal(character.to_string())),
            Argument::Text(text) => Some(Text::Literal(text.clone())),
            Argument::Name(name) if self.data(name).is_some() => self.data(name).map(Text::Data),
            Argument::Name(name) => self.word_of(TEXTS, name, place, "a text"),
            Argument::Number(_) => {
                self.word_of(TEXTS, "a number", place, "a text");
                None
            }
        }
    }

    pub(super) fn flag_value(
        &mut self,
        words: &Words,
        flag_at: usize,
        value_at: usize,
        value: &str,
    ) -> Option<(FlagId, u8)> {
        let flag = &words.arguments[flag_at];
        let Argument::Name(name) = &flag.value else { return None };
        let Some(index) = self.flags.iter().position(|flag| flag.name == *name) else {
            let names: Vec<&str> = self.flags.iter().map(|flag| &flag.name[..]).collect();
            let help = nearest_or(name, &names, "declare it with `flag`");
            let message = format!("there is no flag `{name}`");
            self.report(Diagnostic::new(UNKNOWN_FLAG, flag.place, message).help(help));
            return None;
        };
        let declared = &self.flags[index];
        if let Some(position) = declared.values.iter().position(|other| other == value) {
            return Some((FlagId(index as u8), position as u8));
        }
        let (place, help) =
            (declared.place, format!("its values are {}", declared.values.join(", ")));
        let message = format!("the flag `{name}` has no value `{value}`");
        self.report(
            Diagnostic::new(UNKNOWN_FLAG, words.arguments[value_at].place, message)
                .and(place, "it is declared")
                .help(help),
        );
        None
    }
}

/// The action of these words, if it has nothing but words.
fn without_slots(names: &[&str]) -> Option<Action> {
    Some(match names {
        ["ignore"] => Action::Ignore,
        ["emit", "short-end-tag"] => Action::EmitShortEndTag,
        ["start-declaration"] => Action::StartDeclaration,
        ["append-declaration"] => Action::AppendDeclaration,
        ["as", "else"] => Action::AsElse,
        ["start-attribute"] => Action::StartAttribute,
        ["emit", "end-of-file"] => Action::EmitEndOfFile,
        ["stop"] => Action::Stop,
        ["return", "nothing"] => Action::ReturnNothing,
        _ => return None,
    })
}

/// Words that fit no form: shows the forms that begin with the same word, or names the nearest first word.
pub(super) fn unknown(
    words: &Words,
    forms: &[Form],
    check: &'static crate::diagnostic::Check,
    what: &str,
) -> Diagnostic {
    let first = match words.arguments.first().map(|argument| &argument.value) {
        Some(Argument::Name(name)) => name.clone(),
        _ => String::new(),
    };
    let first_word = |form: &Form| form.syntax.split(' ').next().unwrap_or_default();
    let alike: Vec<String> = forms
        .iter()
        .filter(|form| first_word(form) == first)
        .map(|form| format!("`{}`", form.syntax))
        .collect();
    let diagnostic = Diagnostic::new(
        check,
        words.place,
        format!("there is no such {what}: it begins with `{first}`"),
    );
    if !alike.is_empty() {
        return diagnostic.help(format!("it is written {}", alike.join(" or ")));
    }
    let candidates: Vec<&str> = forms.iter().map(first_word).collect();
    match nearest(&first, &candidates) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.help(format!("the {what}s are listed in spec/README.md")),
    }
}
