//! Code of actions that emit: expressions that have the sink's answer as their value.

use super::consumed::Consumed;
use super::names::error_code;
use super::row::Row;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, EmissionError, Excess, Register, Text, TokenKind};

/// Generates a statement that stores the character reference code or the last matched reference in a variable, and an
/// expression for `text`, which must depend on one of the two.
pub(super) fn copied_text(text: &Text) -> (TokenStream, TokenStream) {
    let digits = |base: u32| quote! { rt::digits(value, #base, &mut [0; 10]) };
    if let Text::Byte(index) = text {
        let index = usize::from(*index);
        (quote! { let value = core.number.to_le_bytes()[#index].into(); }, digits(10))
    } else if let Text::Decimal | Text::Hexadecimal = text {
        let base = if *text == Text::Decimal { 10 } else { 16 };
        (quote! { let value = core.number; }, digits(base))
    } else if *text == Text::Number {
        let text = quote! { value.encode_utf8(&mut [0; 4]) };
        (quote! { let value = core.number_character(); }, text)
    } else {
        (quote! { let value = core.reference_text(&REFERENCES); }, quote! { value })
    }
}

impl Row<'_, '_> {
    /// Generates the emission of a text; its value is the sink's answer. `before` are the preceding actions of the row.
    pub(super) fn emit_text(&self, text: &Text, before: &[Action]) -> TokenStream {
        match text {
            Text::Current | Text::Lexeme => match self.consumed.replacement() {
                Some(character) => {
                    let text = character.to_string();
                    quote! { core.emit_text(sink, #text, here) }
                }
                None if matches!(self.consumed, Consumed::Lexeme(_)) => {
                    let normalization = self.normalization();
                    quote! { core.emit_text(sink, &rt::lexeme::normalize(&input[pos..end], #normalization), here) }
                }
                None => quote! { core.emit_text(sink, &input[pos..end], here) },
            },
            Text::Matched => quote! { core.emit_text(sink, &input[pos..end], here) },
            Text::Data(data) => {
                let (slot, normalization) = (self.slot(*data), self.normalization());
                // An earlier emission of the row has moved `core.mark` to the end of the row, so the range of this
                // capture is set explicitly.
                if before.iter().any(Action::emits) {
                    return quote! {
                        let part = core.lexer.part(#slot, base);
                        core.mark = base + part.start;
                        let end_of_part = part.end;
                        let text = &rt::lexeme::normalize(&input[part], #normalization);
                        let control = core.emit_text(sink, text, end_of_part);
                        core.mark = base + here;
                        control
                    };
                }
                quote! {
                    let part = core.lexer.part(#slot, base);
                    core.emit_text(sink, &rt::lexeme::normalize(&input[part], #normalization), here)
                }
            }
            Text::Literal(text) if self.is_consumed(text) => {
                quote! { core.emit_text(sink, &input[pos..end], here) }
            }
            Text::Literal(text) => quote! { core.emit_text(sink, #text, here) },
            Text::TemporaryBuffer => quote! {
                core.emit_register(sink, input, here, |core| &core.temporary_buffer)
            },
            Text::Returned => quote! { core.emit_returned(sink, input, here) },
            Text::Lower => quote! {
                core.emit_text(sink, char::from(byte.to_ascii_lowercase()).encode_utf8(&mut [0; 4]), here)
            },
            Text::Number | Text::Decimal | Text::Hexadecimal | Text::Byte(_) | Text::Reference => {
                let (value, text) = copied_text(text);
                quote! { { #value core.emit_text(sink, #text, here) } }
            }
            Text::Field(field) => {
                let index = usize::from(field.index);
                quote! {{
                    let text = core.copied_field(source, #index).unwrap_or_default();
                    core.emit_text(sink, &text, here)
                }}
            }
            Text::LastStartTag => quote! {
                core.emit_register(sink, input, here, |core| &core.last_start_tag)
            },
        }
    }

    /// Generates the emission of a register's current token; the value is the sink's answer.
    pub(super) fn emit_token(&self, register: Register) -> TokenStream {
        match register {
            Register::Tag => {
                let errors =
                    self.machine().emission_errors.iter().map(|error| self.emission_error(error));
                let complete = self
                    .machine()
                    .inserts()
                    .then(|| quote! { let is_complete = core.complete_tag(source, here); });
                let flags = self.emission_flags(&[TokenKind::StartTag, TokenKind::EndTag]);
                let (finish, emit) = if matches!(self.consumed, Consumed::Byte(_)) {
                    (quote! { finish_tag }, quote! { emit_tag })
                } else {
                    (quote! { finish_tag_cold }, quote! { emit_tag_cold })
                };
                quote! {
                    core.#finish(); #complete #(#errors)* #flags core.#emit(sink, input, here)
                }
            }
            Register::ProcessingInstruction => {
                let flags = self.emission_flags(&[TokenKind::ProcessingInstruction]);
                quote! { #flags core.emit_processing_instruction(sink, input, here) }
            }
            Register::Doctype => {
                let flags = self.emission_flags(&[TokenKind::Doctype]);
                quote! { #flags core.emit_doctype(sink, input, here) }
            }
            Register::Comment => {
                let flags = self.emission_flags(&[TokenKind::Comment]);
                quote! { #flags core.emit_comment(sink, input, here) }
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
            | Register::Declaration => quote! { rt::Request::Continue },
            Register::Declared(token) => self.emit_declared(token, false),
        }
    }

    /// Whether the text is the single byte that the row consumes.
    pub(super) fn is_consumed(&self, text: &str) -> bool {
        self.consumed.byte().is_some_and(|byte| text.as_bytes() == [byte])
    }

    /// Generates code for the flags that the table sets whenever it emits a token of one of the given kinds.
    fn emission_flags(&self, kinds: &[TokenKind]) -> TokenStream {
        let flags = self.machine().emission_flags.iter();
        let assignments = flags.filter(|flag| kinds.contains(&flag.token)).map(|emission| {
            let (index, value) = (usize::from(emission.flag.0), emission.value);
            let assignment = quote! { core.flags[#index] = #value; };
            if emission.token == TokenKind::StartTag {
                quote! { if !core.tag.is_end { #assignment } }
            } else if emission.token == TokenKind::EndTag {
                quote! { if core.tag.is_end { #assignment } }
            } else {
                assignment
            }
        });
        quote! { #(#assignments)* }
    }

    fn emission_error(&self, error: &EmissionError) -> TokenStream {
        let code = error_code(self.machine(), error.error);
        let is_end = error.token == TokenKind::EndTag;
        let test = match error.with {
            Excess::Attributes => quote! { core.tag_has_attributes(#is_end) },
            Excess::SelfClosing => quote! { core.tag_is_self_closing(#is_end) },
            Excess::DeclaredAttributes if self.machine().inserts() => quote! { !is_complete },
            // Declared attributes are added to tags only in tables with rows that insert text, so this error cannot
            // occur in other tables.
            Excess::DeclaredAttributes => return TokenStream::new(),
        };
        let from = self.error_start();
        quote! {
            if K::ERRORS && #test { core.error(sink, input, #code, #from, end); }
        }
    }
}
