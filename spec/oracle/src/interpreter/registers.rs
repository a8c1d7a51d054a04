//! The registers of a run: current tokens, temporary buffer, flags, numbers. Reads and writes of registers that do not
//! exist have no effect, so that an invalid table cannot make the interpreter panic.

use super::Options;
use super::configuration::Pending;
use super::declarations::Declaration;
use super::token::{Attribute, DeclaredField, Doctype, Span, Tag};
use std::collections::{BTreeMap, HashSet};
use tabulex_language::model::{
    DeclaredToken, Field, FieldId, Machine, StateId, TokenFlag, TokenId, TokenKind,
};

/// A text with its range in the input. The range is `None` until the text is changed or the range is started.
#[derive(Debug, Default)]
pub(super) struct SpannedText {
    text: String,
    span: Option<Span>,
}

impl SpannedText {
    /// Appends text that was read from a range of the input.
    fn append(&mut self, text: &str, source: Span) {
        self.text.push_str(text);
        let start = self.span.map_or(source.start, |span| span.start);
        self.span = Some(Span { start, end: source.end });
    }

    /// Replaces the text, and makes its range empty at `position`.
    fn set(&mut self, text: &str, position: usize) {
        self.text.clear();
        self.text.push_str(text);
        self.span = Some(Span::at(position));
    }

    /// Starts the range at a position, unless the range has already started.
    fn open(&mut self, position: usize) {
        self.span.get_or_insert(Span::at(position));
    }
}

/// The fields of a DOCTYPE: its name, and its public and system identifiers.
pub(super) const DOCTYPE_FIELDS: [Field; 3] =
    [Field::DoctypeName, Field::PublicIdentifier, Field::SystemIdentifier];

/// Placeholder for the range of an attribute value if the range was never started.
const UNSET_SPAN: Span = Span { start: usize::MAX, end: usize::MAX };

/// The current tag.
#[derive(Debug)]
struct OpenTag {
    is_end_tag: bool,
    name: SpannedText,
    attributes: Vec<Attribute>,
    /// Names of the attributes, for constant-time detection of duplicates.
    attribute_names: HashSet<String>,
    self_closing: bool,
}

/// The current attribute.
#[derive(Debug)]
struct OpenAttribute {
    name: SpannedText,
    value: SpannedText,
    /// Position at which the attribute was started.
    position: usize,
    is_dropped: bool,
}

impl OpenAttribute {
    fn finish(self) -> Attribute {
        let name_span = self.name.span.unwrap_or(Span::at(self.position));
        let value_span = self.value.span.unwrap_or(UNSET_SPAN);
        Attribute { name: self.name.text, value: self.value.text, name_span, value_span }
    }
}

/// The registers that rows read and write.
#[derive(Debug, Default)]
pub(super) struct Registers {
    tag: Option<OpenTag>,
    attribute: Option<OpenAttribute>,
    /// Texts of current tokens and declarations, without ranges. A part that is missing has no text.
    texts: BTreeMap<Field, String>,
    /// Force-quirks flag of the current DOCTYPE, if any.
    force_quirks: Option<bool>,
    /// Whether the current attribute declaration, if any, strips and collapses spaces in the attribute's values.
    pub(super) collapses: Option<bool>,
    pub(super) temporary_buffer: String,
    pub(super) last_start_tag: Option<String>,
    pub(super) return_state: Option<StateId>,
    pub(super) additional_allowed_character: Option<char>,
    pub(super) number: u32,
    /// Index of the most recently matched named character reference, if any.
    pub(super) reference: Option<usize>,
    pub(super) returned: String,
    /// For each declared flag, the index of its value. Flags that only the host sets keep their initial values, which
    /// count unless the host answers a query of the flag.
    pub(super) flags: Vec<u8>,
    /// For each declared kind, its current token, if any.
    declared_tokens: Vec<Option<OpenDeclared>>,
    pub(super) pushed: PushedStates,
}

/// A token of a declared kind under construction.
#[derive(Debug)]
struct OpenDeclared {
    start: usize,
    first: u8,
    fields: Vec<SpannedText>,
}

/// The stack of states, and the number of states pushed beyond its capacity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PushedStates {
    /// States, the top one last.
    pub states: Vec<StateId>,
    /// Number of states pushed beyond the capacity.
    pub excess: u32,
}

impl PushedStates {
    /// Pushes a state, or counts it as excess if the stack holds `most` states. Returns whether it was pushed.
    pub(super) fn push(&mut self, state: StateId, most: usize) -> bool {
        let has_capacity = self.states.len() < most;
        match has_capacity {
            true => self.states.push(state),
            false => self.excess = self.excess.saturating_add(1),
        }
        has_capacity
    }

    /// Pops a state, or returns a copy of the top state while the stack has excess; `None` if the stack is empty.
    pub(super) fn pop(&mut self) -> Option<StateId> {
        if self.excess == 0 {
            return self.states.pop();
        }
        self.excess -= 1;
        self.states.last().copied()
    }
}

impl Registers {
    pub(super) fn new(machine: &Machine, options: &Options) -> Self {
        let mut flags = vec![0; machine.flags.len()];
        options.flags.iter().for_each(|(flag, value)| flags[usize::from(flag.0)] = *value);
        let declared_tokens = machine.tokens.iter().map(|_| None).collect();
        let last_start_tag = options.last_start_tag.clone();
        let mut registers = Self { last_start_tag, flags, declared_tokens, ..Self::default() };
        for (kind, index) in machine.tokens.iter().zip(0..).filter(|(kind, _)| kind.by_host) {
            let given_token = options.given.iter().find(|(name, _)| *name == kind.name);
            let fields = given_token.map(|(_, fields)| &fields[..]).unwrap_or_default();
            registers.create_given_token(TokenId(index), kind, fields);
        }
        registers
    }

    /// Creates a token of a kind that is not declared, and makes it the current one.
    pub(super) fn create(&mut self, kind: TokenKind) {
        match kind {
            // `create_declared` creates these tokens.
            TokenKind::Declared(_) => {}
            TokenKind::StartTag | TokenKind::EndTag => {
                self.attribute = None;
                self.tag = Some(OpenTag {
                    is_end_tag: kind == TokenKind::EndTag,
                    name: SpannedText::default(),
                    attributes: Vec::new(),
                    attribute_names: HashSet::new(),
                    self_closing: false,
                });
            }
            TokenKind::Comment => self.empty([Field::Comment]),
            TokenKind::Doctype => {
                DOCTYPE_FIELDS.iter().for_each(|field| drop(self.take(*field)));
                self.force_quirks = Some(false);
            }
            TokenKind::ProcessingInstruction => {
                self.empty([Field::ProcessingInstructionTarget, Field::ProcessingInstructionData]);
            }
            TokenKind::Entity => self.empty([Field::EntityName, Field::EntityValue]),
            TokenKind::AttributeList => {
                self.empty([Field::AttributeListName]);
                self.take_declaration();
            }
        }
    }

    /// Gives fields without ranges empty texts.
    fn empty<const N: usize>(&mut self, fields: [Field; N]) {
        self.texts.extend(fields.map(|field| (field, String::new())));
    }

    /// Removes and returns the text of a field without a range, if there is one.
    pub(super) fn take(&mut self, field: Field) -> Option<String> {
        self.texts.remove(&field)
    }

    /// Starts an attribute declaration without a default value.
    pub(super) fn start_declaration(&mut self) {
        self.take(Field::DeclarationDefault);
        self.empty([Field::DeclarationName, Field::DeclarationType]);
        self.collapses = Some(false);
    }

    /// Creates a token of a declared kind at a position and makes it the current one.
    pub(super) fn create_declared(&mut self, id: TokenId, kind: &DeclaredToken, start: usize) {
        let fields = kind.fields.iter().map(|_| SpannedText::default()).collect();
        let token = OpenDeclared { start, first: kind.first, fields };
        self.declared_tokens[usize::from(id.0)] = Some(token);
    }

    /// Removes the current token of a declared kind, and returns its start and fields; `None` if there is none.
    pub(super) fn take_declared(
        &mut self,
        id: TokenId,
        kind: &DeclaredToken,
    ) -> Option<(usize, Vec<DeclaredField>)> {
        let OpenDeclared { start, fields, .. } = self.declared_tokens[usize::from(id.0)].take()?;
        let to_field = |((name, _), text): (&(String, _), SpannedText)| DeclaredField {
            name: name.clone(),
            text: text.text,
            span: text.span.unwrap_or(Span::at(start)),
            is_missing: text.span.is_none(),
        };
        Some((start, kind.fields.iter().zip(fields).map(to_field).collect()))
    }

    fn declared_text(&self, field: FieldId) -> Option<&SpannedText> {
        let token = self.declared_tokens[usize::from(field.token.0)].as_ref()?;
        token.fields.get(usize::from(field.index - token.first))
    }

    fn declared_text_mut(&mut self, field: FieldId) -> Option<&mut SpannedText> {
        let token = self.declared_tokens[usize::from(field.token.0)].as_mut()?;
        token.fields.get_mut(usize::from(field.index - token.first))
    }

    /// Removes the current attribute declaration, and returns it with the tag's name; `None` if either is missing.
    pub(super) fn take_declaration(&mut self) -> Option<(String, Declaration)> {
        self.take(Field::DeclarationType);
        let [name, default] =
            [Field::DeclarationName, Field::DeclarationDefault].map(|field| self.take(field));
        let declaration = Declaration { name: name?, default, collapses: self.collapses.take()? };
        Some((self.texts.get(&Field::AttributeListName)?.clone(), declaration))
    }

    /// Finishes the current attribute, and starts a new one at a position.
    pub(super) fn start_attribute(&mut self, position: usize) {
        self.finish_attribute();
        let (name, value) = (SpannedText::default(), SpannedText::default());
        self.attribute = Some(OpenAttribute { name, value, position, is_dropped: false });
    }

    /// Adds the current attribute to the tag, unless it was dropped.
    fn finish_attribute(&mut self) {
        if let (Some(attribute), Some(tag)) = (self.attribute.take(), &mut self.tag)
            && !attribute.is_dropped
        {
            tag.attribute_names.insert(attribute.name.text.clone());
            tag.attributes.push(attribute.finish());
        }
    }

    /// Drops the current attribute, which stays the current one, if the current tag already has an attribute with its
    /// name. Returns whether the tag has one.
    pub(super) fn drop_duplicate_attribute(&mut self) -> bool {
        let (Some(attribute), Some(tag)) = (&mut self.attribute, &self.tag) else { return false };
        let is_duplicate = tag.attribute_names.contains(&attribute.name.text);
        attribute.is_dropped |= is_duplicate;
        is_duplicate
    }

    /// Appends text to a field, and extends the field's range to the end of `source`.
    pub(super) fn append(&mut self, text: &str, field: Field, source: Span) {
        if let Some(spanned) = self.spanned_field(field) {
            spanned.append(text, source);
        } else if let Some(plain) = self.unspanned_field(field) {
            plain.push_str(text);
        }
    }

    /// Replaces the text of a field, and makes its range, if it has one, empty at `position`.
    pub(super) fn set(&mut self, field: Field, text: &str, position: usize) {
        if let Some(spanned) = self.spanned_field(field) {
            spanned.set(text, position);
        } else if let Some(plain) = self.unspanned_field(field) {
            text.clone_into(plain);
        }
    }

    /// Returns the text of a field, or an empty string if the field does not exist or is missing.
    pub(super) fn text(&self, field: Field) -> &str {
        let text = match field {
            Field::TagName => self.tag.as_ref().map(|tag| &tag.name.text),
            Field::AttributeName => self.attribute.as_ref().map(|it| &it.name.text),
            Field::AttributeValue => self.attribute.as_ref().map(|it| &it.value.text),
            Field::TemporaryBuffer => Some(&self.temporary_buffer),
            Field::Declared(field) => self.declared_text(field).map(|it| &it.text),
            Field::Comment
            | Field::DoctypeName
            | Field::PublicIdentifier
            | Field::SystemIdentifier
            | Field::ProcessingInstructionTarget
            | Field::ProcessingInstructionData
            | Field::EntityName
            | Field::EntityValue
            | Field::AttributeListName
            | Field::DeclarationName
            | Field::DeclarationType
            | Field::DeclarationDefault => self.texts.get(&field),
        };
        text.map_or("", |text| text)
    }

    /// Replaces the text of a field. `None` empties the field and, if it has a range, makes it missing. Equal text
    /// keeps its range.
    pub(super) fn replace(&mut self, field: Field, text: Option<String>, position: usize) {
        match text {
            Some(text) if text == self.text(field) => {}
            Some(text) => self.set(field, &text, position),
            None => {
                self.set(field, "", position);
                if let Some(spanned) = self.spanned_field(field) {
                    spanned.span = None;
                }
            }
        }
    }

    /// Whether a field of a declared token is missing: its range has not started or was removed, or there is no current
    /// token.
    pub(super) fn is_missing(&self, field: FieldId) -> bool {
        self.declared_text(field).is_none_or(|it| it.span.is_none())
    }

    /// Creates a token of a declared kind with the texts that the host gives its fields before the run.
    pub(super) fn create_given_token(
        &mut self,
        id: TokenId,
        kind: &DeclaredToken,
        texts: &[Option<String>],
    ) {
        self.create_declared(id, kind, 0);
        for (text, index) in texts.iter().zip(kind.first..).take(kind.fields.len()) {
            if let Some(text) = text {
                self.set(Field::Declared(FieldId { token: id, index }), text, 0);
            }
        }
    }

    /// Whether a field of the current declared token equals `text`.
    pub(super) fn field_is(&self, field: FieldId, text: &str) -> bool {
        self.declared_text(field).is_some_and(|it| it.text == text)
    }

    /// Starts the range of a field at a position, unless the field has no range or the range has already started.
    pub(super) fn open(&mut self, field: Field, position: usize) {
        if let Some(spanned) = self.spanned_field(field) {
            spanned.open(position);
        }
    }

    /// Returns the text of a field that has a range; `None` for other fields and without a current token.
    fn spanned_field(&mut self, field: Field) -> Option<&mut SpannedText> {
        if let Field::Declared(field) = field {
            self.declared_text_mut(field)
        } else if field == Field::TagName {
            self.tag.as_mut().map(|tag| &mut tag.name)
        } else if field == Field::AttributeName {
            self.attribute.as_mut().map(|attribute| &mut attribute.name)
        } else if field == Field::AttributeValue {
            self.attribute.as_mut().map(|attribute| &mut attribute.value)
        } else {
            None
        }
    }

    /// Returns the text of a field that has no range. An optional part that is missing becomes an empty text. `None`
    /// for fields that have a range, and if the token that has the field does not exist.
    fn unspanned_field(&mut self, field: Field) -> Option<&mut String> {
        if field == Field::TemporaryBuffer {
            return Some(&mut self.temporary_buffer);
        }
        let is_optional_part = self.force_quirks.is_some() && DOCTYPE_FIELDS.contains(&field)
            || self.collapses.is_some() && field == Field::DeclarationDefault;
        if is_optional_part {
            self.texts.entry(field).or_default();
        }
        self.texts.get_mut(&field)
    }

    /// Sets the self-closing flag of the current tag, or the force-quirks flag of the current DOCTYPE.
    pub(super) fn set_token_flag(&mut self, flag: TokenFlag) {
        match flag {
            TokenFlag::SelfClosing => self.tag.iter_mut().for_each(|tag| tag.self_closing = true),
            TokenFlag::ForceQuirks => self.force_quirks.iter_mut().for_each(|it| *it = true),
        }
    }

    /// Whether the current tag is an appropriate end tag.
    pub(super) fn is_appropriate_end_tag(&self) -> bool {
        let tag = self.tag.as_ref().filter(|tag| tag.is_end_tag);
        tag.is_some_and(|tag| self.last_start_tag.as_ref() == Some(&tag.name.text))
    }

    /// Whether the current tag is of this kind: a start tag or an end tag.
    pub(super) fn tag_is(&self, kind: TokenKind) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.is_end_tag == (kind == TokenKind::EndTag))
    }

    /// Whether the current tag has this name.
    pub(super) fn tag_name_is(&self, name: &str) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.name.text == name)
    }

    /// Finishes, removes and returns the current tag, if any, and records the name of a start tag as that of the last
    /// one. `to_original` maps ranges to the original input.
    pub(super) fn take_tag(
        &mut self,
        span: Span,
        to_original: &dyn Fn(Span) -> Span,
    ) -> Option<(TokenKind, Tag)> {
        self.finish_attribute();
        let OpenTag { is_end_tag, name, mut attributes, self_closing, .. } = self.tag.take()?;
        let name_span = name.span.map_or(Span::at(span.start), to_original);
        for attribute in &mut attributes {
            attribute.name_span = to_original(attribute.name_span);
            attribute.value_span = match attribute.value_span {
                UNSET_SPAN => Span::at(attribute.name_span.end),
                value_span => to_original(value_span),
            };
        }
        let tag = Tag { name: name.text, name_span, attributes, self_closing, span };
        if is_end_tag {
            return Some((TokenKind::EndTag, tag));
        }
        self.last_start_tag = Some(tag.name.clone());
        Some((TokenKind::StartTag, tag))
    }

    /// Removes the current DOCTYPE, and returns it with the given range; `None` if there is none.
    pub(super) fn take_doctype(&mut self, span: Span) -> Option<Doctype> {
        let force_quirks = self.force_quirks.take()?;
        let [name, public_identifier, system_identifier] =
            DOCTYPE_FIELDS.map(|field| self.take(field));
        Some(Doctype { name, public_identifier, system_identifier, force_quirks, span })
    }

    /// Returns whether the current tag is an end tag, and its name; `None` without a current tag.
    pub(super) fn current_tag(&self) -> Option<(bool, String)> {
        self.tag.as_ref().map(|tag| (tag.is_end_tag, tag.name.text.clone()))
    }

    /// Returns the contents of tokens under construction.
    pub(super) fn pending(&self) -> Pending {
        let finished_attributes = self.tag.iter().flat_map(|tag| &tag.attributes);
        let to_pair = |name: &String, value: &String| (name.clone(), value.clone());
        let finished_pairs =
            finished_attributes.map(|attribute| to_pair(&attribute.name, &attribute.value));
        let current_attribute = self.attribute.as_ref();
        let current_pair =
            current_attribute.map(|attribute| to_pair(&attribute.name.text, &attribute.value.text));
        Pending {
            attributes: (
                finished_pairs.chain(current_pair).collect(),
                current_attribute.is_some_and(|attribute| attribute.is_dropped),
            ),
            self_closing: self.tag.as_ref().is_some_and(|tag| tag.self_closing),
            texts: self.texts.clone(),
            force_quirks: self.force_quirks,
            collapses: self.collapses,
            declared: self.declared_tokens.iter().map(field_texts).collect(),
        }
    }
}

/// Returns the texts of a declared token's fields, or `None` without a token.
fn field_texts(token: &Option<OpenDeclared>) -> Option<Vec<String>> {
    let fields = &token.as_ref()?.fields;
    Some(fields.iter().map(|field| field.text.clone()).collect())
}
