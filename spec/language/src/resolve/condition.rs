//! Words to conditions: those of the vocabulary, those that the table defines, and several joined. It asks none of them.
//! Invariant: a condition that has a mistake is reported once, where it is written.

use super::Resolver;
use super::action::unknown;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_CONDITION};
use crate::model::{CharacterSet, Condition, TokenKind};
use crate::syntax::{Argument, Conditions, Item, Place, Placed, Table, Words};
use crate::vocabulary::CONDITIONS;

impl Resolver {
    /// Conditions that the table defines; they may name those that stand before them.
    pub(super) fn define_conditions(&mut self, table: &Table) {
        for item in &table.items {
            if let Item::Condition { name, conditions } = item {
                let condition = self.conditions(conditions).map(|condition| condition.value);
                self.conditions.push((name.value.clone(), condition));
            }
        }
    }

    /// The condition that the words mean, all of them together.
    pub(super) fn conditions(&mut self, words: &Conditions) -> Option<Placed<Condition>> {
        let parts: Vec<Option<Condition>> =
            words.parts.iter().map(|part| self.condition(part)).collect();
        let mut parts: Vec<Condition> = parts.into_iter().collect::<Option<_>>()?;
        // One of them holds exactly when not all of them fail.
        let value = match (parts.len(), words.any) {
            (1, _) => parts.remove(0),
            (_, false) => Condition::All(parts),
            (_, true) => negated(Condition::All(parts.into_iter().map(negated).collect())),
        };
        Some(Placed { value, place: words.place })
    }

    fn condition(&mut self, words: &Words) -> Option<Condition> {
        let arguments: Vec<&Argument> =
            words.arguments.iter().map(|argument| &argument.value).collect();
        let at = |index: usize| words.arguments[index].place;
        use Argument::{Character, Name, Number, Text as Quoted};
        let names: Vec<&str> = arguments
            .iter()
            .map(|argument| if let Name(name) = argument { name } else { "" })
            .collect();
        let value = match (&names[..], &arguments[..]) {
            (["appropriate-end-tag"], _) => Condition::AppropriateEndTag,
            (["temporary-buffer", "is", _], [_, _, Quoted(text)]) => {
                Condition::TemporaryBufferIs(text.clone())
            }
            (["temporary-buffer", "is", _, "ignoring-case"], [_, _, Quoted(text), _]) => {
                Condition::TemporaryBufferIsIgnoringCase(text.clone())
            }
            (["reference-ends-with", _], [_, Character(character)]) => {
                Condition::ReferenceEndsWith(*character)
            }
            (["called-by", state], [_, Name(_)]) => {
                Condition::CalledBy(self.state_id(state, at(1)))
            }
            (["tag", "is", kind], [_, _, Name(_)]) => Condition::TagIs(self.tag_kind(kind, at(2))?),
            (["tag-name", "is", _], [_, _, Quoted(text)]) => Condition::TagNameIs(text.clone()),
            (["return-state", "is", state], [_, _, Name(_)]) => {
                Condition::ReturnStateIs(self.state_id(state, at(2)))
            }
            (["character-reference-code", "is", _], [_, _, Number(number)]) => {
                Condition::NumberIs(*number)
            }
            (["tag-name", "in", set], [_, _, Name(_)]) => {
                Condition::TagNameIn(self.names_of_tags(set, at(2)))
            }
            (["preceded-by", _], [_, Quoted(text)]) => {
                Condition::PrecededBy(self.text_before(text, at(1))?)
            }
            (["followed-by", _], [_, class]) => Condition::FollowedBy(self.one_of(class, at(1))?),
            (["last-start-tag-name-ahead", "before", _], [_, _, class]) => {
                Condition::LastStartTagAhead(self.one_of(class, at(2))?)
            }
            ([data, "is-reference"], _) if self.data(data).is_some() => {
                self.need_references(words.place);
                Condition::DataIsReference(self.data(data)?)
            }
            (
                [data, "in-base", _, "is-at-most", _],
                [_, _, Number(base @ (10 | 16)), _, Number(most)],
            ) if self.data(data).is_some() => {
                Condition::DataIsAtMost { data: self.data(data)?, base: *base as u8, most: *most }
            }
            (["declared", list], [_, Name(_)]) => {
                Condition::EntityDeclared(self.entity_list(list, at(1))?)
            }
            (["insertable", list], [_, Name(_)]) => {
                Condition::EntityInsertable(self.entity_list(list, at(1))?)
            }
            ([_, "is", value], [Name(_), _, Name(_)]) => {
                let (flag, value) = self.flag_value(words, 0, 2, value)?;
                Condition::FlagIs(flag, value)
            }
            ([name], _) if self.conditions.iter().any(|(other, _)| other == name) => {
                let defined = self.conditions.iter().find(|(other, _)| other == name);
                defined.and_then(|(_, condition)| condition.clone())?
            }
            _ => {
                self.report(unknown(words, CONDITIONS, UNKNOWN_CONDITION, "condition"));
                return None;
            }
        };
        Some(if words.negated { negated(value) } else { value })
    }

    fn tag_kind(&mut self, word: &str, place: Place) -> Option<TokenKind> {
        let kinds = [("start-tag", TokenKind::StartTag), ("end-tag", TokenKind::EndTag)];
        self.word_of(&kinds, word, place, "a kind of tag")
    }

    /// The names of a set, whatever their namespaces: tags have none.
    fn names_of_tags(&mut self, set: &str, place: Place) -> Vec<String> {
        let mut names: Vec<String> =
            self.name_set(set, place).into_iter().map(|name| name.local).collect();
        names.dedup();
        names
    }

    /// A string that is looked for behind: the bytes of the input must be its characters.
    fn text_before(&mut self, text: &str, place: Place) -> Option<String> {
        if !text.is_empty() && text.chars().all(|character| (' '..='~').contains(&character)) {
            return Some(text.to_owned());
        }
        let message = "`preceded-by` takes printable ASCII characters, at least one";
        self.report(Diagnostic::new(BAD_PATTERN, place, message));
        None
    }

    /// A class, or a single character.
    fn one_of(&mut self, argument: &Argument, place: Place) -> Option<CharacterSet> {
        match argument {
            Argument::Character(character) => Some(CharacterSet::range(*character, *character)),
            Argument::Name(name) => {
                let class = self.class(name, self.classes.len());
                if class.is_none() {
                    self.unknown_class(name, place, &[]);
                }
                class
            }
            _ => {
                let message = "only a class or a character can stand here";
                self.report(Diagnostic::new(BAD_PATTERN, place, message));
                None
            }
        }
    }
}

/// The opposite; two negations are none.
fn negated(condition: Condition) -> Condition {
    match condition {
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}
