//! The registers of a run: current tokens, temporary buffer, flags, numbers. Reads and writes of registers that do not
//! exist have no effect, so that an invalid table cannot make the interpreter panic.

use super::Options;
use super::configuration::Pending;
use super::declarations::Declaration;
use super::token::{Attribute, DeclaredField, Doctype, Span, Tag};
use std::collections::HashSet;
use tabulex_language::model::token_steps::{DoctypePart, TokenCondition, TokenRoutine, TokenStep};
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
    /// Attributes of the previous tag, with which a new tag begins until the table's steps clear them.
    previous_attributes: Vec<Attribute>,
    attribute: Option<OpenAttribute>,
    /// Attribute that the steps of the table discarded. A later step may make it the current attribute again.
    discarded_attribute: Option<OpenAttribute>,
    pub(super) comment: Option<String>,
    doctype: Option<Doctype>,
    /// Current processing instruction, if any: target and data.
    pub(super) processing_instruction: Option<(String, String)>,
    /// Current entity, if any: name and value.
    pub(super) entity: Option<(String, String)>,
    /// Name of the elements whose attributes are being declared, if any.
    attribute_list_name: Option<String>,
    /// Current attribute declaration, if any.
    pub(super) declaration: Option<Declaration>,
    pub(super) temporary_buffer: String,
    pub(super) last_start_tag: Option<String>,
    pub(super) return_state: Option<StateId>,
    pub(super) additional_allowed_character: Option<char>,
    pub(super) number: u32,
    /// Index of the most recently matched named character reference, if any.
    pub(super) reference: Option<usize>,
    pub(super) returned: String,
    /// For each declared flag, the index of its value. Flags that only the host sets keep their initial values, as the
    /// host is queried instead.
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

    /// Creates a token of a kind that is not declared, and makes it the current one. The flags and optional parts of a
    /// tag or DOCTYPE are initially set; the steps of the table reset them.
    pub(super) fn create(&mut self, kind: TokenKind, machine: &Machine) {
        match kind {
            // `create_declared` creates these tokens.
            TokenKind::Declared(_) => {}
            TokenKind::StartTag | TokenKind::EndTag => {
                self.attribute = None;
                self.tag = Some(OpenTag {
                    is_end_tag: kind == TokenKind::EndTag,
                    name: SpannedText::default(),
                    attributes: std::mem::take(&mut self.previous_attributes),
                    attribute_names: HashSet::new(),
                    self_closing: true,
                });
                self.do_steps(machine.token_steps(TokenRoutine::CreateTag));
            }
            TokenKind::Comment => self.comment = Some(String::new()),
            TokenKind::Doctype => {
                let empty = || Some(String::new());
                self.doctype = Some(Doctype {
                    name: empty(),
                    public_identifier: empty(),
                    system_identifier: empty(),
                    force_quirks: true,
                    span: Span::default(),
                });
                self.do_steps(machine.token_steps(TokenRoutine::CreateDoctype));
            }
            TokenKind::ProcessingInstruction => {
                self.processing_instruction = Some(Default::default());
            }
            TokenKind::Entity => self.entity = Some(Default::default()),
            TokenKind::AttributeList => {
                self.attribute_list_name = Some(String::new());
                self.declaration = None;
            }
        }
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
        let declaration = self.declaration.take()?;
        Some((self.attribute_list_name.clone()?, declaration))
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

    /// Runs the table's steps for duplicates if the current tag already has an attribute with the current attribute's
    /// name. Returns whether the tag has one.
    pub(super) fn drop_duplicate_attribute(&mut self, machine: &Machine) -> bool {
        let (Some(attribute), Some(tag)) = (&self.attribute, &self.tag) else { return false };
        let is_duplicate = tag.attribute_names.contains(&attribute.name.text);
        if is_duplicate {
            let steps = machine.token_steps(TokenRoutine::DropDuplicateAttribute);
            self.discarded_attribute = None;
            self.do_steps(steps);
        }
        is_duplicate
    }

    /// Runs steps on the current tokens. Returns the value of the `return` that ends them, if any.
    fn do_steps(&mut self, steps: &[TokenStep]) -> Option<bool> {
        for step in steps {
            match step {
                TokenStep::Missing(part) => {
                    let doctype = self.doctype.as_mut()?;
                    *match part {
                        DoctypePart::Name => &mut doctype.name,
                        DoctypePart::PublicIdentifier => &mut doctype.public_identifier,
                        DoctypePart::SystemIdentifier => &mut doctype.system_identifier,
                    } = None;
                }
                TokenStep::Unset(TokenFlag::ForceQuirks) => {
                    self.doctype.as_mut()?.force_quirks = false;
                }
                TokenStep::Unset(TokenFlag::SelfClosing) => {
                    self.tag.as_mut()?.self_closing = false;
                }
                TokenStep::NoAttributes => self.tag.as_mut()?.attributes.clear(),
                TokenStep::When(condition, inner) => {
                    if self.token_condition_holds(*condition)
                        && let Some(returned) = self.do_steps(inner)
                    {
                        return Some(returned);
                    }
                }
                TokenStep::Return(holds) => return Some(*holds),
                TokenStep::DiscardAttribute => {
                    let attribute = self.attribute.take()?;
                    self.discarded_attribute =
                        Some(OpenAttribute { is_dropped: true, ..attribute });
                }
                TokenStep::KeepAttribute => self.attribute = Some(self.discarded_attribute.take()?),
                // Only the steps for reconsuming contain these; `Run::consume` runs them.
                TokenStep::SwitchState | TokenStep::GiveBack => {}
            }
        }
        None
    }

    fn token_condition_holds(&self, condition: TokenCondition) -> bool {
        match condition {
            TokenCondition::HasNameOfLastStartTag => match (&self.tag, &self.last_start_tag) {
                (Some(tag), Some(last)) => tag.name.text == *last,
                _ => false,
            },
            TokenCondition::NoStartTag => self.last_start_tag.is_none(),
        }
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
            Field::Comment => self.comment.as_ref(),
            Field::DoctypeName => self.doctype.as_ref().and_then(|it| it.name.as_ref()),
            Field::PublicIdentifier => {
                self.doctype.as_ref().and_then(|it| it.public_identifier.as_ref())
            }
            Field::SystemIdentifier => {
                self.doctype.as_ref().and_then(|it| it.system_identifier.as_ref())
            }
            Field::TemporaryBuffer => Some(&self.temporary_buffer),
            Field::ProcessingInstructionTarget => {
                self.processing_instruction.as_ref().map(|(target, _)| target)
            }
            Field::ProcessingInstructionData => {
                self.processing_instruction.as_ref().map(|(_, data)| data)
            }
            Field::EntityName => self.entity.as_ref().map(|(name, _)| name),
            Field::EntityValue => self.entity.as_ref().map(|(_, value)| value),
            Field::AttributeListName => self.attribute_list_name.as_ref(),
            Field::DeclarationName => self.declaration.as_ref().map(|it| &it.name),
            Field::DeclarationType => self.declaration.as_ref().map(|it| &it.kind),
            Field::DeclarationDefault => {
                self.declaration.as_ref().and_then(|it| it.default.as_ref())
            }
            Field::Declared(field) => self.declared_text(field).map(|it| &it.text),
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
        let doctype = self.doctype.as_mut();
        match field {
            Field::Comment => self.comment.as_mut(),
            Field::TemporaryBuffer => Some(&mut self.temporary_buffer),
            Field::DoctypeName => doctype.map(|doctype| doctype.name.get_or_insert_default()),
            Field::PublicIdentifier => {
                doctype.map(|doctype| doctype.public_identifier.get_or_insert_default())
            }
            Field::SystemIdentifier => {
                doctype.map(|doctype| doctype.system_identifier.get_or_insert_default())
            }
            Field::ProcessingInstructionTarget => {
                self.processing_instruction.as_mut().map(|(target, _)| target)
            }
            Field::ProcessingInstructionData => {
                self.processing_instruction.as_mut().map(|(_, data)| data)
            }
            Field::EntityName => self.entity.as_mut().map(|(name, _)| name),
            Field::EntityValue => self.entity.as_mut().map(|(_, value)| value),
            Field::AttributeListName => self.attribute_list_name.as_mut(),
            Field::DeclarationName => self.declaration.as_mut().map(|it| &mut it.name),
            Field::DeclarationType => self.declaration.as_mut().map(|it| &mut it.kind),
            Field::DeclarationDefault => {
                let declaration = self.declaration.as_mut();
                declaration.map(|it| it.default.get_or_insert_default())
            }
            Field::TagName | Field::AttributeName | Field::AttributeValue | Field::Declared(_) => {
                None
            }
        }
    }

    /// Sets the self-closing flag of the current tag, or the force-quirks flag of the current DOCTYPE.
    pub(super) fn set_token_flag(&mut self, flag: TokenFlag) {
        match flag {
            TokenFlag::SelfClosing => self.tag.iter_mut().for_each(|tag| tag.self_closing = true),
            TokenFlag::ForceQuirks => {
                self.doctype.iter_mut().for_each(|doctype| doctype.force_quirks = true);
            }
        }
    }

    /// Whether the current tag is an appropriate end tag.
    pub(super) fn is_appropriate_end_tag(&mut self, machine: &Machine) -> bool {
        let is_end_tag = self.tag.as_ref().is_some_and(|tag| tag.is_end_tag);
        let steps = machine.token_steps(TokenRoutine::AppropriateEndTag);
        is_end_tag && self.do_steps(steps) == Some(true)
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
        self.previous_attributes.clone_from(&attributes);
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
        self.doctype.take().map(|doctype| Doctype { span, ..doctype })
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
            comment: self.comment.clone(),
            doctype: self.doctype.as_ref().map(|doctype| {
                let Doctype { name, public_identifier, system_identifier, .. } = doctype.clone();
                ([name, public_identifier, system_identifier], doctype.force_quirks)
            }),
            processing_instruction: self.processing_instruction.clone(),
            entity: self.entity.clone(),
            declaration: (self.attribute_list_name.clone(), self.declaration.clone()),
            declared: self.declared_tokens.iter().map(field_texts).collect(),
        }
    }
}

/// Returns the texts of a declared token's fields, or `None` without a token.
fn field_texts(token: &Option<OpenDeclared>) -> Option<Vec<String>> {
    let fields = &token.as_ref()?.fields;
    Some(fields.iter().map(|field| field.text.clone()).collect())
}
