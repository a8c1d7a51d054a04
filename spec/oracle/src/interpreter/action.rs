//! Executes actions; `run` chooses rows and follows switches. An action reads the position only through `consumed_to`,
//! `mark` and the row's match.

use super::declarations::escape_as_references;
use super::run::{Destination, Run};
use super::token::{Span, Tag, Token};
use super::{Control, Error, Host, Options};
use std::borrow::Cow;
use tabulex_language::model::tree::TreeFlagId;
use tabulex_language::model::{
    Action, Edit, EntityList, ErrorId, Excess, Field, FieldId, FlagId, Register, RowId, StateId,
    Text, TokenId, TokenKind,
};

impl Run<'_, '_> {
    /// Consumes the row's match, unless the row reconsumes.
    pub(super) fn consume(&mut self, reconsumes: bool) {
        let span = self.matched.span;
        self.row_end = if reconsumes { span.start } else { span.end };
    }

    /// Runs an action, and records whether it emits.
    pub(super) fn perform(&mut self, action: &Action) {
        self.do_action(action);
        self.has_emitted |= action.emits();
    }

    /// Runs an action. `reconsume` and `as else` have no effect, as `run_row` has already applied them.
    fn do_action(&mut self, action: &Action) {
        match action {
            Action::Ignore | Action::Reconsume | Action::AsElse => {}
            Action::Switch(state) => self.destination = Destination::Switch(*state),
            Action::SwitchReturnState => {
                if let Some(state) = self.registers.return_state {
                    self.destination = Destination::Switch(state);
                }
            }
            Action::SwitchPushedState => {
                let state = self.registers.pushed.pop().unwrap_or(self.machine.start);
                self.destination = Destination::Switch(state);
            }
            Action::PushState(state) => self.push_state(*state),
            Action::Increase(flag) => self.increment(*flag),
            Action::Decrease(flag) => {
                let counter = &mut self.registers.flags[usize::from(flag.0)];
                *counter = counter.saturating_sub(1);
            }
            Action::EmitInside(token) => self.emit_declared(*token, true),
            Action::Error(error) => self.report(*error),
            Action::ErrorAfter(error) => self.report_at(*error, Span::at(self.matched.span.end)),
            Action::Create(TokenKind::Declared(id)) => {
                let (kind, start) = (self.machine.token(*id), self.matched.span.start);
                self.registers.create_declared(*id, kind, start);
            }
            Action::Create(kind) => self.registers.create(*kind),
            Action::StartAttribute => self.registers.start_attribute(self.consumed_to),
            Action::DropDuplicateAttribute(error) => {
                if self.registers.drop_duplicate_attribute() {
                    self.report(*error);
                }
            }
            Action::Append(text, field) => self.append(text, *field),
            Action::Set(field, text) => self.registers.set(*field, text, self.consumed_to),
            Action::Edit(field, edit) => {
                let text = self.registers.text(*field).to_owned();
                let edited = self.apply_edit(&text, edit);
                self.registers.replace(*field, edited, self.consumed_to);
            }
            Action::RememberPlace => self.remembered_position = Some(self.consumed_to),
            Action::GoBack => {
                let position = self
                    .remembered_position
                    .take()
                    .filter(|position| self.rewound_to.is_none_or(|it| it < *position));
                self.rewound_to = position.or(self.rewound_to);
                self.consumed_to = position.unwrap_or(self.consumed_to);
            }
            Action::SetTokenFlag(flag) => self.registers.set_token_flag(*flag),
            Action::SetFlag(flag, value) => self.registers.flags[usize::from(flag.0)] = *value,
            Action::SetReturnState(state) => self.registers.return_state = Some(*state),
            Action::SetAdditionalAllowedCharacter(character) => {
                self.registers.additional_allowed_character = *character;
            }
            Action::SetNumber(number) => self.registers.number = *number,
            Action::SetNumberToData(data, base) => {
                self.registers.number = self.number_of(*data, u32::from(*base));
            }
            Action::MatchReference(data) => {
                self.registers.reference = self.reference_of(*data).or(self.registers.reference);
            }
            Action::BeginToken => self.mark = self.matched.span.start,
            Action::BeginField(field) => {
                self.registers.open(Field::Declared(*field), self.matched.span.start);
            }
            Action::JoinSurrogates => self.join_surrogates(),
            Action::AddDigit(base) => self.add_digit(u32::from(*base)),
            Action::EmitText(text) => self.emit_text(text),
            Action::EmitToken(register) => self.emit_token(*register),
            Action::EmitEndOfFile => {
                // The end-of-file token has an empty range at the end, even if input since the last emission is in no
                // token.
                let span = Span::at(self.input.original(Span::at(self.consumed_to)).end);
                self.host.token(Token::EndOfFile { span });
                self.destination = Destination::Stop;
            }
            Action::Stop => self.destination = Destination::Stop,
            Action::EmitShortEndTag => {
                let span = self.take_span();
                self.pass_to_host(Token::ShortEndTag { span });
            }
            Action::StartDeclaration => self.registers.start_declaration(),
            Action::CollapseDeclaredValues => {
                self.registers.collapses.iter_mut().for_each(|it| *it = true);
            }
            Action::AppendDeclaration => {
                if let Some((tag, declaration)) = self.registers.take_declaration() {
                    self.declarations.add_attribute(&tag, declaration);
                }
            }
            Action::AppendEntity(list) => {
                let parts = [Field::EntityName, Field::EntityValue];
                if let [Some(name), Some(value)] = parts.map(|part| self.registers.take(part)) {
                    self.declarations.add_entity(*list, name, value);
                }
            }
            Action::Insert(list, escape) => self.insert(*list, escape),
            Action::ReturnNothing => self.destination = Destination::ReturnNothing,
            Action::Return(text) => {
                self.registers.returned = self.text(text).into_owned();
                self.destination = Destination::Return;
            }
        }
    }

    /// Evaluates a text expression of the table to a string.
    fn text<'t>(&self, text: &'t Text) -> Cow<'t, str> {
        let character = self.matched.character.map(String::from).unwrap_or_default();
        Cow::Owned(match text {
            Text::Literal(literal) => return Cow::Borrowed(literal),
            Text::Current => character,
            Text::Lower => character.to_ascii_lowercase(),
            Text::Lexeme | Text::Matched => self.input.characters(self.matched.span),
            Text::Data(data) => self.data_text(*data),
            Text::TemporaryBuffer => self.registers.text(Field::TemporaryBuffer).to_owned(),
            Text::Returned => self.registers.returned.clone(),
            Text::LastStartTag => self.registers.last_start_tag.clone().unwrap_or_default(),
            Text::Number => char::from_u32(self.registers.number)
                .unwrap_or(char::REPLACEMENT_CHARACTER)
                .to_string(),
            Text::Decimal => self.registers.number.to_string(),
            Text::Hexadecimal => format!("{:x}", self.registers.number),
            Text::Byte(index) => {
                self.registers.number.to_le_bytes()[usize::from(*index)].to_string()
            }
            Text::Field(field) => self.registers.text(Field::Declared(*field)).to_owned(),
            Text::Reference => {
                self.reference().map(|(_, characters)| characters.clone()).unwrap_or_default()
            }
        })
    }

    /// Appends text to a field, with the range in the input from which the text comes: that of the current character,
    /// match or capture, even if reconsumed; for any other text in a lexical mode, that of the lexical token, unless
    /// reconsumed; else an empty range.
    fn append(&mut self, text: &Text, field: Field) {
        if matches!(text, Text::Field(field) if self.registers.is_missing(*field)) {
            return;
        }
        let is_current = matches!(text, Text::Current | Text::Lower);
        let source = if self.matched.character.is_some() && is_current || *text == Text::Matched {
            self.matched.span
        } else if let Text::Data(data) = text {
            self.captures.get(usize::from(*data)).copied().unwrap_or_default()
        } else if self.matched.is_lexeme && self.consumed_to == self.matched.span.end {
            self.matched.span
        } else {
            Span::at(self.consumed_to)
        };
        let characters = self.text(text);
        self.registers.append(&characters, field, source);
    }

    /// Returns the edited text, or `None` if the field becomes missing.
    fn apply_edit(&mut self, text: &str, edit: &Edit) -> Option<String> {
        Some(match edit {
            Edit::StripAndCollapse(class) => {
                let parts = text.split(|character| class.contains(character));
                parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
            }
            Edit::Escape(class, prefix) => {
                let mut escaped = String::new();
                for character in text.chars() {
                    if !class.contains(character) {
                        escaped.push(character);
                        continue;
                    }
                    for byte in character.to_string().bytes() {
                        escaped += &format!("{prefix}{byte:02X}");
                    }
                }
                escaped
            }
            Edit::Unescape(prefix) => unescape(text, *prefix),
            Edit::CutFromLast(from) => {
                text.rsplit_once(*from).map_or_else(String::new, |(before, _)| before.to_owned())
            }
            Edit::ReplaceFirst(from, to) => text.replacen(&**from, to, 1),
            Edit::Lowercase => text.to_ascii_lowercase(),
            Edit::ByHost(function) => return self.host.convert(function, text),
            Edit::Run(state) => return self.run_nested(text, *state),
            Edit::Unset => return None,
        })
    }

    /// Runs the machine from a state over a separate input, and reports the errors at the current row. Returns the
    /// first field of the first declared token, or `None` if there is no such token or the run got stuck.
    fn run_nested(&mut self, text: &str, state: StateId) -> Option<String> {
        let options =
            Options { state: Some(state), keeps_byte_order_mark: true, ..Options::default() };
        let mut host = NestedRunHost { outer: self.host, text: None, errors: Vec::new() };
        let result = self.interpreter.run(text, &options, &mut host);
        let NestedRunHost { text, errors, .. } = host;
        errors.into_iter().for_each(|error| self.report(error));
        text.filter(|_| result.is_ok())
    }

    /// Replaces the number register by the code point that it encodes, if its halves are a UTF-16 surrogate pair. Any
    /// other number stays.
    fn join_surrogates(&mut self) {
        let units = [(self.registers.number >> 16) as u16, self.registers.number as u16];
        let is_high_surrogate = (0xD800..=0xDBFF).contains(&units[0]);
        if let (true, Some(Ok(character))) = (is_high_surrogate, char::decode_utf16(units).next()) {
            self.registers.number = u32::from(character);
        }
    }

    fn push_state(&mut self, state: StateId) {
        let Some(stack) = self.machine.pushed_states else { return };
        if !self.registers.pushed.push(state, usize::from(stack.most)) {
            self.report(stack.error);
        }
    }

    fn increment(&mut self, flag: FlagId) {
        let declaration = &self.machine.flags[usize::from(flag.0)];
        let counter = &mut self.registers.flags[usize::from(flag.0)];
        let is_full = usize::from(*counter) + 1 >= declaration.values.len();
        match declaration.counter.filter(|_| is_full) {
            Some(error) => self.report(error),
            None => *counter += 1,
        }
    }

    /// Emits a token of a declared kind, with the range from its creation to the consumed input. If `is_inside`, the
    /// range of the surrounding token continues.
    fn emit_declared(&mut self, id: TokenId, is_inside: bool) {
        let kind = self.machine.token(id);
        let Some((start, mut fields)) = self.registers.take_declared(id, kind) else { return };
        let span = self.input.original(Span { start, end: self.consumed_to });
        if !is_inside {
            self.mark = self.consumed_to;
        }
        for (field, index) in fields.iter_mut().zip(kind.first..) {
            let has_range = self.machine.has_field_range(FieldId { token: id, index });
            let field_span = if has_range { field.span } else { Span::at(start) };
            field.span = self.input.original(field_span);
        }
        self.pass_to_host(Token::Declared { name: kind.name.clone(), fields, span, is_inside });
    }

    fn add_digit(&mut self, base: u32) {
        let digit = self.matched.character.and_then(|character| character.to_digit(base));
        let number = &mut self.registers.number;
        *number = number.saturating_mul(base).saturating_add(digit.unwrap_or(0));
    }

    /// Returns the range from the mark to the consumed input, and moves the mark to the end of the range.
    fn take_span(&mut self) -> Span {
        let Span { start, end } =
            self.input.original(Span { start: self.mark, end: self.consumed_to });
        self.mark = self.consumed_to;
        Span { start: start.min(end), end }
    }

    /// Inserts into the input, in place of the reference, the value of the entity that the temporary buffer names; does
    /// nothing if the entity is not declared. Characters in `escape` are inserted as numeric character references.
    fn insert(&mut self, list: EntityList, escape: &str) {
        let Some(value) = self.entity(list) else { return };
        let text = escape_as_references(value, escape);
        self.declarations.spend(text.len());
        // Errors are reported in order, so those of the input read so far must precede those of the inserted text.
        self.report_input_errors(self.original_end().saturating_sub(1));
        if self.input.nesting() == 0 {
            self.reported_errors.clear();
        }
        let range = Span { start: self.reference_start(), end: self.consumed_to };
        self.inserted_start = Some(self.input.insert(&text, range, self.consumed_to));
    }

    fn emit_text(&mut self, text: &Text) {
        if *text == Text::Current {
            // The current character is now part of an emission, so it counts as consumed.
            self.consumed_to = self.row_end;
        }
        // The row's earlier emission has consumed the whole match, so a capture needs its own range.
        let capture_span = if let (Text::Data(capture), true) = (text, self.has_emitted) {
            self.captures.get(usize::from(*capture)).copied()
        } else {
            None
        };
        if capture_span.is_some() {
            self.mark = self.consumed_to;
        }
        let text = self.text(text).into_owned();
        if text.is_empty() {
            return;
        }
        let span = match capture_span {
            Some(capture_span) => self.input.original(capture_span),
            None => self.take_span(),
        };
        self.pass_to_host(Token::Text { text, span });
    }

    fn emit_token(&mut self, register: Register) {
        if let Register::Declared(token) = register {
            return self.emit_declared(token, false);
        }
        let span = self.take_span();
        match register {
            Register::Tag => {
                let to_original = |span| self.input.original(span);
                let kind_and_tag = self.registers.take_tag(span, &to_original);
                let Some((kind, mut tag)) = kind_and_tag else { return };
                let limits = self.machine.replacement_limits;
                let attributes = &mut tag.attributes;
                let has_all_defaults = kind == TokenKind::EndTag
                    || self.declarations.add_defaults((&tag.name, attributes), span.end, limits);
                self.report_emission_errors(kind, &tag, has_all_defaults);
                self.set_flags(kind);
                let is_end_tag = kind == TokenKind::EndTag;
                self.pass_to_host(if is_end_tag {
                    Token::EndTag(tag)
                } else {
                    Token::StartTag(tag)
                });
            }
            Register::Comment => {
                let Some(data) = self.registers.take(Field::Comment) else { return };
                self.set_flags(TokenKind::Comment);
                self.pass_to_host(Token::Comment { data, span });
            }
            Register::ProcessingInstruction => {
                let parts = [Field::ProcessingInstructionTarget, Field::ProcessingInstructionData];
                let parts = parts.map(|part| self.registers.take(part));
                let [Some(target), Some(data)] = parts else { return };
                self.pass_to_host(Token::ProcessingInstruction { target, data, span });
            }
            Register::Doctype => {
                let Some(doctype) = self.registers.take_doctype(span) else { return };
                self.set_flags(TokenKind::Doctype);
                self.pass_to_host(Token::Doctype(doctype));
            }
            // The language has no syntax for emitting these registers.
            Register::Attribute
            | Register::TemporaryBuffer
            | Register::ReturnState
            | Register::AdditionalAllowedCharacter
            | Register::Number
            | Register::Reference
            | Register::Returned
            | Register::Entity
            | Register::AttributeList
            | Register::Declaration
            | Register::Declared(_) => {}
        }
    }

    /// Reports the errors that the table declares for emitted tags, such as attributes of an end tag.
    fn report_emission_errors(&mut self, kind: TokenKind, tag: &Tag, has_all_defaults: bool) {
        for excess in &self.machine.emission_errors {
            let applies = match excess.with {
                Excess::Attributes => !tag.attributes.is_empty(),
                Excess::SelfClosing => tag.self_closing,
                Excess::DeclaredAttributes => !has_all_defaults,
            };
            if applies && excess.token == kind {
                self.report(excess.error);
            }
        }
    }

    /// Sets the flags declared for emissions of tokens of this kind.
    fn set_flags(&mut self, kind: TokenKind) {
        for emission in self.machine.emission_flags.iter().filter(|it| it.token == kind) {
            self.registers.flags[usize::from(emission.flag.0)] = emission.value;
        }
    }

    /// Returns the tokenizer command that modes issue after a start tag with this name while all flags have their
    /// initial values; `None` if they issue none.
    fn command_after_start_tag(&self, name: &str) -> Option<Control> {
        let construction = self.machine.construction.as_ref()?;
        let tags = construction.switching_tags();
        let is_initial = |flag: Option<(TreeFlagId, u8)>| flag.is_none_or(|(_, value)| value == 0);
        let tag = tags.iter().find(|tag| tag.name == name && is_initial(tag.flag))?;
        construction.feedback[usize::from(tag.word.0)].effect.map(Control::from)
    }

    /// Applies the feedback of modes to a start tag, if requested, and passes the token to the host, which may set the
    /// state or a flag.
    fn pass_to_host(&mut self, token: Token) {
        let feedback = if let Token::StartTag(tag) = &token
            && self.switches
        {
            self.command_after_start_tag(&tag.name)
        } else {
            None
        };
        for control in feedback.into_iter().chain([self.host.token(token)]) {
            match control {
                Control::Continue => {}
                Control::Switch(state) => self.destination = Destination::Host(state),
                Control::SetFlag(flag, value) => self.registers.flags[usize::from(flag.0)] = value,
            }
        }
    }
}

/// Replaces each `prefix` and the two hexadecimal digits after it by the byte of their value, and decodes the bytes as
/// UTF-8.
fn unescape(text: &str, prefix: char) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let after_character = &rest[character.len_utf8()..];
        let digits =
            after_character.get(..2).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if character == prefix => {
                bytes.push(byte);
                rest = &after_character[2..];
            }
            _ => {
                bytes.extend(character.to_string().bytes());
                rest = after_character;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Host of a nested run over a field's text. Keeps the first field of the first declared token, and the errors.
struct NestedRunHost<'h> {
    outer: &'h mut dyn Host,
    /// First field of the first declared token; `None` before such a token.
    text: Option<String>,
    errors: Vec<ErrorId>,
}

impl Host for NestedRunHost<'_> {
    fn token(&mut self, token: Token) -> Control {
        if let (Token::Declared { fields, .. }, None) = (token, &self.text) {
            self.text = Some(fields.into_iter().next().map(|field| field.text).unwrap_or_default());
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        self.errors.push(error.error);
    }

    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        self.outer.convert(function, text)
    }

    fn before_row(&mut self, row: RowId) {
        self.outer.before_inner_row(row);
    }

    fn before_inner_row(&mut self, row: RowId) {
        self.outer.before_inner_row(row);
    }
}
