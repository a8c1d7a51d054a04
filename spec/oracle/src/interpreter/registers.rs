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

/// The fields of a DOCTYPE: its name, and its public and system identifiers.
pub(super) const DOCTYPE_FIELDS: [Field; 3] =
    [Field::DoctypeName, Field::PublicIdentifier, Field::SystemIdentifier];

/// Placeholder for the range of an attribute value if the range was never started.
const UNSET_SPAN: Span = Span { start: usize::MAX, end: usize::MAX };

/// The current tag, except its name.
#[derive(Debug)]
struct OpenTag {
    is_end_tag: bool,
    attributes: Vec<Attribute>,
    /// Names of the attributes, for constant-time detection of duplicates.
    attribute_names: HashSet<String>,
    self_closing: bool,
}

/// The current attribute, except its name and value.
#[derive(Debug)]
struct OpenAttribute {
    /// Position at which the attribute was started.
    position: usize,
    is_dropped: bool,
}

/// The registers that rows read and write.
#[derive(Debug, Default)]
pub(super) struct Registers {
    tag: Option<OpenTag>,
    attribute: Option<OpenAttribute>,
    /// Texts of the temporary buffer, and of current tokens and declarations. A part that is missing has no text.
    texts: BTreeMap<Field, SpannedText>,
    /// Force-quirks flag of the current DOCTYPE, if any.
    force_quirks: Option<bool>,
    /// Whether the current attribute declaration, if any, strips and collapses spaces in the attribute's values.
    pub(super) collapses: Option<bool>,
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
    /// For each declared kind, the start of its current token, if any.
    declared_starts: Vec<Option<usize>>,
    pub(super) pushed: PushedStates,
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
        let declared_starts = vec![None; machine.tokens.len()];
        let last_start_tag = options.last_start_tag.clone();
        let mut registers = Self { last_start_tag, flags, declared_starts, ..Self::default() };
        registers.empty([Field::TemporaryBuffer]);
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
                self.finish_attribute();
                self.empty([Field::TagName]);
                self.tag = Some(OpenTag {
                    is_end_tag: kind == TokenKind::EndTag,
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

    /// Gives fields empty texts, whose ranges have not started.
    fn empty(&mut self, fields: impl IntoIterator<Item = Field>) {
        self.texts.extend(fields.into_iter().map(|field| (field, SpannedText::default())));
    }

    /// Removes and returns the text of a field, if there is one.
    pub(super) fn take(&mut self, field: Field) -> Option<String> {
        self.texts.remove(&field).map(|it| it.text)
    }

    /// Starts an attribute declaration without a default value.
    pub(super) fn start_declaration(&mut self) {
        self.take(Field::DeclarationDefault);
        self.empty([Field::DeclarationName, Field::DeclarationType]);
        self.collapses = Some(false);
    }

    /// Creates a token of a declared kind at a position and makes it the current one.
    pub(super) fn create_declared(&mut self, id: TokenId, kind: &DeclaredToken, start: usize) {
        self.empty(fields_of(id, kind));
        self.declared_starts[usize::from(id.0)] = Some(start);
    }

    /// Removes the current token of a declared kind, and returns its start and fields; `None` if there is none.
    pub(super) fn take_declared(
        &mut self,
        id: TokenId,
        kind: &DeclaredToken,
    ) -> Option<(usize, Vec<DeclaredField>)> {
        let start = self.declared_starts[usize::from(id.0)].take()?;
        let to_field = |((name, _), field): (&(String, _), Field)| {
            let SpannedText { text, span } = self.texts.remove(&field).unwrap_or_default();
            DeclaredField {
                name: name.clone(),
                text,
                span: span.unwrap_or(Span::at(start)),
                is_missing: span.is_none(),
            }
        };
        Some((start, kind.fields.iter().zip(fields_of(id, kind)).map(to_field).collect()))
    }

    /// Removes the current attribute declaration, and returns it with the tag's name; `None` if either is missing.
    pub(super) fn take_declaration(&mut self) -> Option<(String, Declaration)> {
        self.take(Field::DeclarationType);
        let [name, default] =
            [Field::DeclarationName, Field::DeclarationDefault].map(|field| self.take(field));
        let declaration = Declaration { name: name?, default, collapses: self.collapses.take()? };
        Some((self.texts.get(&Field::AttributeListName)?.text.clone(), declaration))
    }

    /// Finishes the current attribute, and starts a new one at a position.
    pub(super) fn start_attribute(&mut self, position: usize) {
        self.finish_attribute();
        self.empty([Field::AttributeName, Field::AttributeValue]);
        self.attribute = Some(OpenAttribute { position, is_dropped: false });
    }

    /// Removes the current attribute, if any, and adds it to the tag, unless it was dropped.
    fn finish_attribute(&mut self) {
        let Some(OpenAttribute { position, is_dropped }) = self.attribute.take() else { return };
        let [name, value] = [Field::AttributeName, Field::AttributeValue]
            .map(|field| self.texts.remove(&field).unwrap_or_default());
        if let Some(tag) = self.tag.as_mut().filter(|_| !is_dropped) {
            tag.attribute_names.insert(name.text.clone());
            tag.attributes.push(Attribute {
                name: name.text,
                value: value.text,
                name_span: name.span.unwrap_or(Span::at(position)),
                value_span: value.span.unwrap_or(UNSET_SPAN),
            });
        }
    }

    /// Drops the current attribute, which stays the current one, if the current tag already has an attribute with its
    /// name. Returns whether the tag has one.
    pub(super) fn drop_duplicate_attribute(&mut self) -> bool {
        let (Some(attribute), Some(tag)) = (&mut self.attribute, &self.tag) else { return false };
        let name = self.texts.get(&Field::AttributeName);
        let is_duplicate = name.is_some_and(|name| tag.attribute_names.contains(&name.text));
        attribute.is_dropped |= is_duplicate;
        is_duplicate
    }

    /// Appends text to a field, and extends the field's range to the end of `source`.
    pub(super) fn append(&mut self, text: &str, field: Field, source: Span) {
        if let Some(spanned) = self.text_mut(field) {
            spanned.text.push_str(text);
            let start = spanned.span.map_or(source.start, |span| span.start);
            spanned.span = Some(Span { start, end: source.end });
        }
    }

    /// Replaces the text of a field, and makes its range empty at `position`.
    pub(super) fn set(&mut self, field: Field, text: &str, position: usize) {
        if let Some(spanned) = self.text_mut(field) {
            *spanned = SpannedText { text: text.to_owned(), span: Some(Span::at(position)) };
        }
    }

    /// Returns the text of a field, or an empty string if the field does not exist or is missing.
    pub(super) fn text(&self, field: Field) -> &str {
        self.texts.get(&field).map_or("", |it| &it.text)
    }

    /// Replaces the text of a field. `None` empties the field and removes its range. Equal text keeps its range.
    pub(super) fn replace(&mut self, field: Field, text: Option<String>, position: usize) {
        match text {
            Some(text) if text == self.text(field) => {}
            Some(text) => self.set(field, &text, position),
            None => {
                if let Some(spanned) = self.text_mut(field) {
                    *spanned = SpannedText::default();
                }
            }
        }
    }

    /// Whether a field of a declared token is missing: its range has not started or was removed, or there is no current
    /// token.
    pub(super) fn is_missing(&self, field: FieldId) -> bool {
        self.texts.get(&Field::Declared(field)).is_none_or(|it| it.span.is_none())
    }

    /// Creates a token of a declared kind with the texts that the host gives its fields before the run.
    pub(super) fn create_given_token(
        &mut self,
        id: TokenId,
        kind: &DeclaredToken,
        texts: &[Option<String>],
    ) {
        self.create_declared(id, kind, 0);
        for (text, field) in texts.iter().zip(fields_of(id, kind)) {
            if let Some(text) = text {
                self.set(field, text, 0);
            }
        }
    }

    /// Whether a field exists and equals `text`.
    pub(super) fn field_is(&self, field: Field, text: &str) -> bool {
        self.texts.get(&field).is_some_and(|it| it.text == text)
    }

    /// Starts the range of a field at a position, unless the range has already started.
    pub(super) fn open(&mut self, field: Field, position: usize) {
        if let Some(spanned) = self.texts.get_mut(&field) {
            spanned.span.get_or_insert(Span::at(position));
        }
    }

    /// Returns the text of a field. An optional part that is missing becomes an empty text. `None` if the token that
    /// has the field does not exist.
    fn text_mut(&mut self, field: Field) -> Option<&mut SpannedText> {
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
        self.tag_is(TokenKind::EndTag)
            && self.last_start_tag.as_deref() == Some(self.text(Field::TagName))
    }

    /// Whether the current tag is of this kind: a start tag or an end tag.
    pub(super) fn tag_is(&self, kind: TokenKind) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.is_end_tag == (kind == TokenKind::EndTag))
    }

    /// Finishes, removes and returns the current tag, if any, and records the name of a start tag as that of the last
    /// one. `to_original` maps ranges to the original input.
    pub(super) fn take_tag(
        &mut self,
        span: Span,
        to_original: &dyn Fn(Span) -> Span,
    ) -> Option<(TokenKind, Tag)> {
        self.finish_attribute();
        let OpenTag { is_end_tag, mut attributes, self_closing, .. } = self.tag.take()?;
        let name = self.texts.remove(&Field::TagName).unwrap_or_default();
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
        let tag = self.tag.as_ref()?;
        Some((tag.is_end_tag, self.text(Field::TagName).to_owned()))
    }

    /// Returns the contents of tokens under construction.
    pub(super) fn pending(&self) -> Pending {
        let finished = self.tag.iter().flat_map(|tag| &tag.attributes);
        let finished_pairs = finished.map(|it| (it.name.clone(), it.value.clone()));
        let text = |field| self.text(field).to_owned();
        let current = self.attribute.as_ref();
        let current_pair =
            current.map(|_| (text(Field::AttributeName), text(Field::AttributeValue)));
        let is_separate = |field: &Field| {
            matches!(
                field,
                Field::TagName
                    | Field::AttributeName
                    | Field::AttributeValue
                    | Field::TemporaryBuffer
                    | Field::Declared(_)
            )
        };
        let others = self.texts.iter().filter(|(field, _)| !is_separate(field));
        let declared_texts = |(start, id): (&Option<usize>, u8)| {
            let is_its = |field: &Field| matches!(field, Field::Declared(it) if it.token.0 == id);
            let texts = self.texts.iter().filter(|(field, _)| is_its(field));
            start.map(|_| texts.map(|(_, it)| it.text.clone()).collect())
        };
        Pending {
            attributes: (
                finished_pairs.chain(current_pair).collect(),
                current.is_some_and(|attribute| attribute.is_dropped),
            ),
            self_closing: self.tag.as_ref().is_some_and(|tag| tag.self_closing),
            texts: others.map(|(field, it)| (*field, it.text.clone())).collect(),
            force_quirks: self.force_quirks,
            collapses: self.collapses,
            declared: self.declared_starts.iter().zip(0..).map(declared_texts).collect(),
        }
    }
}

/// Returns the fields of tokens of a declared kind.
fn fields_of(token: TokenId, kind: &DeclaredToken) -> impl Iterator<Item = Field> {
    let indexes = (kind.first..=u8::MAX).take(kind.fields.len());
    indexes.map(move |index| Field::Declared(FieldId { token, index }))
}
