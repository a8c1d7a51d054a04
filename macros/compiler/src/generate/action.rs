//! Code of a row's actions. `emission` has the code of actions that emit, `insertion` that of actions that insert text,
//! and `jump` the transfer of control. The `match` over actions is exhaustive, so that none is overlooked.

use super::consumed::Consumed;
use super::emission::copied_text;
use super::fields::{entity_list, field};
use super::names::error_code;
use super::patterns::{byte_literal, character_set, one_of};
use super::ranges::{is_cleared_by, is_observable};
use super::row::Row;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Edit, ErrorId, Field, Text, TokenFlag, TokenKind};

pub(super) enum ActionCode {
    /// Statements, possibly none.
    Statements(TokenStream),
    /// An expression that emits a token or text, and evaluates to the sink's answer.
    Emits(TokenStream),
    /// A switch of state that needs no code. It overrides a switch that the sink requested earlier.
    Switches,
    /// A switch of state by statements, which also overrides a switch that the sink requested earlier.
    SwitchesBy(TokenStream),
}

impl Row<'_, '_> {
    /// Generates the code of an action. `before` and `rest` are the actions before and after it in the row.
    pub(super) fn action(&self, action: &Action, before: &[Action], rest: &[Action]) -> ActionCode {
        ActionCode::Statements(match action {
            // Lowering has already determined the row's destination from these actions.
            Action::Switch(_) | Action::SwitchReturnState => return ActionCode::Switches,
            Action::Reconsume | Action::Stop | Action::ReturnNothing => TokenStream::new(),
            // `ignore` has no effect, and lowering has replaced `as else` with the steps of the `else` row.
            Action::Ignore | Action::AsElse => TokenStream::new(),
            Action::EmitText(text) => return ActionCode::Emits(self.emit_text(text, before)),
            Action::EmitToken(register) => return ActionCode::Emits(self.emit_token(*register)),
            Action::EmitShortEndTag => {
                return ActionCode::Emits(quote! { core.emit_short_end_tag(sink, here) });
            }
            Action::EmitEndOfFile => quote! { core.emit_end_of_file(sink, here); },
            Action::SwitchPushedState => {
                return ActionCode::SwitchesBy(quote! { core.pop_state(); });
            }
            Action::EmitInside(token) => {
                return ActionCode::Emits(self.emit_declared(*token, true));
            }
            Action::PushState(state) => self.push_state(*state),
            Action::Increase(flag) => self.increment(*flag),
            Action::Decrease(flag) => self.decrement(*flag),
            Action::Error(error) => self.error(*error),
            Action::ErrorAfter(error) => {
                let code = error_code(self.machine(), *error);
                quote! { core.error(sink, input, #code, end, end); }
            }
            Action::DropDuplicateAttribute(error) => {
                let (code, from) = (error_code(self.machine(), *error), self.error_start());
                quote! {
                    if core.tag.drop_duplicate_attribute(source) && K::ERRORS {
                        core.error(sink, input, #code, #from, end);
                    }
                }
            }
            Action::Create(kind) => match kind {
                TokenKind::StartTag => quote! { core.tag.create(false); },
                TokenKind::EndTag => quote! { core.tag.create(true); },
                TokenKind::Comment => quote! { core.comment.clear(); },
                TokenKind::Doctype => quote! { core.doctype.create(); },
                TokenKind::ProcessingInstruction => {
                    quote! { core.processing_instruction.create(); }
                }
                TokenKind::Entity => quote! { core.declarations.create_entity(); },
                TokenKind::AttributeList => quote! { core.declarations.tag_name.clear(); },
                TokenKind::Declared(token) => {
                    let kind = usize::from(token.0);
                    quote! { core.create_declared(#kind, pos); }
                }
            },
            Action::StartAttribute if self.starts_range(Field::AttributeName) => {
                quote! { core.tag.start_attribute(); }
            }
            Action::StartAttribute => quote! {
                core.tag.start_attribute();
                core.tag.mark_attribute(base, here);
            },
            Action::Append(text, name) => self.append(text, *name, before, rest),
            // The range of the temporary buffer is never read, so clearing its text suffices.
            Action::Set(Field::TemporaryBuffer, text) if text.is_empty() => {
                quote! { core.temporary_buffer.clear(); }
            }
            Action::Set(name, text) => {
                let register = field(*name);
                quote! { #register.set(source, #text, here); }
            }
            Action::Edit(name, edit) => self.edit(*name, edit),
            Action::RememberPlace => quote! { core.remember_offset(here); },
            Action::GoBack => quote! { let here = core.go_back(here); },
            Action::SetTokenFlag(TokenFlag::SelfClosing) => {
                quote! { core.tag.self_closing = true; }
            }
            Action::SetTokenFlag(TokenFlag::ForceQuirks) => {
                quote! { core.doctype.force_quirks = true; }
            }
            Action::SetFlag(flag, value) => {
                let index = usize::from(flag.0);
                quote! { core.flags[#index] = #value; }
            }
            Action::SetReturnState(state) => {
                let state = self.state_name(*state);
                quote! { core.return_state = #state; }
            }
            Action::SetAdditionalAllowedCharacter(character) => {
                let byte =
                    character.and_then(|character| u8::try_from(character).ok()).unwrap_or(0xFF);
                let byte = byte_literal(byte);
                quote! { core.additional_allowed_character = #byte; }
            }
            Action::SetNumber(number) => quote! { core.number = #number; },
            Action::SetNumberToData(data, base) => {
                let (slot, base) = (self.slot(*data), u32::from(*base));
                quote! { core.number = rt::lexeme::number(&input[core.lexer.part(#slot, base)], #base); }
            }
            Action::MatchReference(data) => {
                let slot = self.slot(*data);
                quote! {
                    if let Some(name) = REFERENCES.find(&input[core.lexer.part(#slot, base)]) {
                        core.reference = name;
                    }
                }
            }
            Action::BeginToken => quote! { core.mark = base + pos; },
            Action::BeginField(id) => {
                let register = field(Field::Declared(*id));
                quote! { #register.open(base, pos); }
            }
            Action::JoinSurrogates => quote! { core.join_surrogates(); },
            Action::AddDigit(base) => add_digit(*base),
            Action::Return(text) => self.return_text(text),
            Action::StartDeclaration => quote! { core.declarations.start_declaration(); },
            Action::CollapseDeclaredValues => quote! { core.declarations.collapses = true; },
            Action::AppendDeclaration => quote! { core.declarations.append_declaration(source); },
            Action::AppendEntity(list) => {
                let list = entity_list(*list);
                quote! { core.declarations.append_entity(source, #list); }
            }
            Action::Insert(list, escape) => self.insert(*list, escape),
        })
    }

    /// Generates the report of an error at the input that the row consumes.
    pub(super) fn error(&self, error: ErrorId) -> TokenStream {
        let (code, from) = (error_code(self.machine(), error), self.error_start());
        let error = quote! { core.error(sink, input, #code, #from, end); };
        // Finding the last character of a match takes time, so the error's range is computed only if errors are
        // reported.
        if let Consumed::Match = self.consumed {
            quote! { if K::ERRORS { #error } }
        } else {
            error
        }
    }

    /// Generates code that makes a text the result of a procedure.
    fn return_text(&self, text: &Text) -> TokenStream {
        let returned = if let Text::Literal(text) = text {
            quote! { Text(#text) }
        } else if *text == Text::Reference {
            quote! { Text(core.reference_text(&REFERENCES)) }
        } else if *text == Text::Number {
            quote! { Character(core.number_character()) }
        } else if *text == Text::TemporaryBuffer {
            quote! { TemporaryBuffer }
        } else if let Some(character) = self.consumed.replacement() {
            // Of the other texts, only the current character can be returned: the language has no syntax for the rest.
            quote! { Character(#character) }
        } else {
            quote! { Character(input[pos..].chars().next().unwrap_or_default()) }
        };
        quote! { core.return_text(rt::Returned::#returned); }
    }

    /// Generates code that appends to the field `name` the character that the row consumes.
    fn append_current(&self, name: Field, before: &[Action]) -> TokenStream {
        let register = field(name);
        match self.consumed.replacement() {
            Some(character) => {
                let text = character.to_string();
                quote! { #register.append_text(source, #text, pos, end); }
            }
            None if is_cleared_by(before, name) => {
                quote! { #register.begin_run(base, pos, end); }
            }
            None => quote! { #register.append_run(source, pos, end); },
        }
    }

    /// Whether the field has no observable range, so that its text may be any equal part of the input.
    fn is_joined(&self, name: Field) -> bool {
        matches!(name, Field::Declared(field) if !self.machine().has_field_range(field))
    }

    fn append(&self, text: &Text, name: Field, before: &[Action], rest: &[Action]) -> TokenStream {
        let (register, normalization) = (field(name), self.normalization());
        // Text that is appended in place of a lexical token has the token's range, unless the row reconsumes the token.
        let (from, to) = match self.is_lexeme() && !self.list.reconsumes {
            true => (quote! { pos }, quote! { end }),
            false => (quote! { here }, quote! { here }),
        };
        match text {
            Text::Current | Text::Lexeme if matches!(self.consumed, Consumed::Lexeme(_)) => {
                quote! { #register.append_part(source, pos..end, #normalization); }
            }
            Text::Matched => quote! { #register.append_run(source, pos, end); },
            Text::Data(data) => {
                let slot = self.slot(*data);
                quote! {
                    let part = core.lexer.part(#slot, base);
                    #register.append_part(source, part, #normalization);
                }
            }
            Text::Current | Text::Lexeme => self.append_current(name, before),
            Text::Lower if self.consumed == Consumed::Ascii => {
                let append_lowercase = self.append_current(name, before);
                quote! {
                    if byte.is_ascii_uppercase() {
                        #register.append_lower_case(source, pos, end);
                    } else {
                        #append_lowercase
                    }
                }
            }
            Text::Lower => quote! {
                #register.append_lower_case(source, pos, end);
            },
            Text::Literal(text) if self.is_joined(name) => {
                // The text appended next often follows an equal literal in the input.
                let next_text = rest.iter().find_map(|action| {
                    if let Action::Append(text, same) = action
                        && *same == name
                    {
                        return Some(text);
                    }
                    None
                });
                let at = if let Some(Text::TemporaryBuffer) = next_text {
                    quote! { core.temporary_buffer.start_or(base, pos) }
                } else if let Some(Text::Field(next)) = next_text {
                    let next = field(Field::Declared(*next));
                    quote! { #next.start_or(base, pos) }
                } else {
                    quote! { pos }
                };
                quote! { let at = #at; #register.join_literal(&source, #text, at); }
            }
            Text::Literal(text) if self.is_consumed(text) && !self.list.reconsumes => quote! {
                #register.append_run(source, pos, end);
            },
            Text::Literal(text) => {
                let consumes = !self.list.reconsumes
                    && !matches!(self.consumed, Consumed::Nothing | Consumed::EndOfFile);
                let current_follows = matches!(rest.first(), Some(Action::Append(Text::Current, same)) if *same == name);
                if self.is_lexeme() {
                    quote! { #register.append_text(source, #text, #from, #to); }
                } else if !consumes || current_follows && self.consumed.replacement().is_none() {
                    // Tokens expose the range of an observable field. If the field is unset, `append_before` could
                    // begin its range before `pos`, at input that equals `text`; opening the field first prevents that.
                    let open = is_observable(name).then(|| quote! { #register.open(base, here); });
                    quote! { #open #register.append_before(source, #text, pos, here); }
                } else {
                    quote! { #register.append_text(source, #text, #from, #to); }
                }
            }
            Text::TemporaryBuffer if name == Field::TemporaryBuffer => quote! {
                let text = core.temporary_buffer.text(source).to_owned();
                #register.append_text(source, &text, #from, #to);
            },
            Text::TemporaryBuffer if self.is_joined(name) => quote! {
                #register.join(&source, &core.temporary_buffer, here);
            },
            Text::TemporaryBuffer => quote! {
                #register.append_register(source, &core.temporary_buffer, #from, #to);
            },
            Text::Returned if name == Field::TemporaryBuffer => quote! {
                let returned = core.returned;
                let text = returned.text(&core.temporary_buffer, source, &mut [0; 4]).to_owned();
                #register.append_text(source, &text, #from, #to);
            },
            Text::Returned => quote! {
                let (returned, mut buffer) = (core.returned, [0; 4]);
                let text = returned.text(&core.temporary_buffer, source, &mut buffer);
                #register.append_text(source, text, #from, #to);
            },
            Text::Number | Text::Decimal | Text::Hexadecimal | Text::Byte(_) | Text::Reference => {
                let (value, text) = copied_text(text);
                quote! { #value #register.append_text(source, #text, #from, #to); }
            }
            Text::Field(other) => {
                let index = usize::from(other.index);
                if let Field::Declared(name) = name {
                    let name = usize::from(name.index);
                    return quote! { core.declared.append_field(&source, (#name, #index), here); };
                }
                quote! {
                    let other = &core.declared.fields[#index];
                    if other.is_set() {
                        #register.append_text(source, other.text(source), #from, #to);
                    }
                }
            }
            Text::LastStartTag => quote! {
                let text = core.last_start_tag.text(source).to_owned();
                #register.append_text(source, &text, here, here);
            },
        }
    }
}

impl Row<'_, '_> {
    /// Generates the edit of a field.
    fn edit(&self, name: Field, edit: &Edit) -> TokenStream {
        let register = field(name);
        let edited = match edit {
            Edit::StripAndCollapse(class) => {
                let is_member = one_of(class);
                quote! { Some(rt::edits::strip_and_collapse(text, #is_member)) }
            }
            Edit::Escape(class, by) => {
                let set = character_set(class);
                return quote! {
                    if !#register.is_empty() {
                        const SET: rt::CharacterSet = #set;
                        #register.escape(source, here, &SET, #by);
                    }
                };
            }
            Edit::Unescape(by) => quote! { Some(rt::edits::unescape(text, #by)) },
            Edit::CutFromLast(from) if from.is_ascii() && self.is_joined(name) => {
                let from = byte_literal(*from as u8);
                return quote! { #register.cut_from_last(source, #from); };
            }
            Edit::CutFromLast(from) => quote! { Some(rt::edits::cut_from_last(text, #from)) },
            Edit::ReplaceFirst(from, to) => {
                quote! { Some(rt::edits::replace_first(text, #from, #to)) }
            }
            Edit::Lowercase => quote! { Some(rt::edits::lowercase(text)) },
            Edit::ByHost(function) => quote! { sink.convert(#function, text) },
            Edit::Unset => return quote! { #register.clear(); },
            Edit::Run(state) => {
                let (state, from) = (self.state_name(*state), self.error_start());
                return quote! {
                    core.run_on_field(sink, input, |core| &mut #register, #state, here, (#from, end));
                };
            }
        };
        quote! { #register.edit(source, here, |text| #edited); }
    }
}

/// Generates code that adds the current character to the number as a digit.
fn add_digit(base: u8) -> TokenStream {
    let base = u32::from(base);
    quote! { core.add_digit(#base, byte); }
}
