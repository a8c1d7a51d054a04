//! The code of a row: conditions, actions, the jump behind them. Which row is taken is not decided here. Invariant:
//! `pos` is where the row's input begins, `end` where it ends, and `here` where the machine goes on.

use super::block::{window, window_end};
use super::condition::condition;
use super::fields::field;
use super::names::{label, loop_label, variant};
use super::ranges::{is_cleared_by, is_observable};
use crate::Compiled;
use crate::lower::{Block, BlockKind, Body, List, Next, Plan};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{
    Action, Field, Machine, StateId, Subject, Text, TokenFlag, TokenKind,
};

/// What a row consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumed {
    /// Nothing: the row does not look at the input.
    Nothing,
    /// The end of the input.
    EndOfFile,
    /// This ASCII byte.
    Byte(u8),
    /// An ASCII byte.
    Ascii,
    /// A character.
    Character,
    /// A lone CR, which stands for LF.
    CarriageReturn,
    /// U+0000, which stands for U+FFFD.
    Null,
    /// This byte, at which the window ends.
    Special(u8),
    /// Something that was matched ahead, `length` bytes long.
    Match,
    /// A lexical token, `length` bytes long.
    Lexeme,
    /// One ASCII byte, which lies before `pos` already.
    Before,
}

impl Consumed {
    pub(super) fn end(self) -> TokenStream {
        match self {
            Self::Nothing | Self::EndOfFile | Self::Before => quote! { pos },
            Self::Byte(_) | Self::Ascii | Self::CarriageReturn | Self::Null | Self::Special(_) => {
                quote! { pos + 1 }
            }
            Self::Character => quote! { pos + ::tabulex::scan::width(byte) },
            Self::Match | Self::Lexeme => quote! { pos + length },
        }
    }

    /// The character that it stands for, if that is another one.
    pub(super) fn stands_for(self) -> Option<char> {
        match self {
            Self::CarriageReturn => Some('\n'),
            Self::Null => Some(char::REPLACEMENT_CHARACTER),
            _ => None,
        }
    }

    /// The one byte that it is, if it is one that the table knows.
    pub(super) fn byte(self) -> Option<u8> {
        match self {
            Self::Byte(byte) | Self::Special(byte) => Some(byte),
            _ => None,
        }
    }
}

/// The code of the plan; it ends with a jump on every way.
pub(super) fn plan(
    compiled: &Compiled<'_>,
    index: usize,
    plan: &Plan,
    consumed: Consumed,
) -> TokenStream {
    match plan {
        Plan::List(list) => Row { compiled, index, list, consumed }.code(),
        Plan::When(asked, then, otherwise) => {
            let asked = condition(compiled, index, asked, consumed);
            let then = self::plan(compiled, index, then, consumed);
            let otherwise = self::plan(compiled, index, otherwise, consumed);
            quote! { if #asked { #then } else { #otherwise } }
        }
    }
}

/// A jump to the state's block from the block of this index.
pub(super) fn jump_to_state(compiled: &Compiled<'_>, from: usize, to: StateId) -> TokenStream {
    let to = usize::from(to.0);
    let place = |block: usize| compiled.order.iter().position(|&other| other == block);
    if place(to) > place(from) {
        let label = label(&compiled.lowered.blocks[to].name);
        return quote! { break #label; };
    }
    let name = variant(&compiled.lowered.blocks[to].name);
    quote! { block = Block::#name; continue 'run; }
}

/// Does what the sink wants where that is not just to go on, as it is behind most tokens; `state` is the next one.
pub(super) fn obeyed(state: &TokenStream) -> TokenStream {
    let cold = cold();
    quote! {
        if !matches!(control, ::tabulex::Control::Continue) {
            #cold
            match control {
                ::tabulex::Control::Continue | ::tabulex::Control::SetFlag(..) => {}
                ::tabulex::Control::Switch(state) => { block = block_of(state); continue 'run; }
                ::tabulex::Control::Pause => {
                    core.state = #state;
                    return ::tabulex::machine::Stop { reason: ::tabulex::machine::Reason::Pause, consumed: pos };
                }
            }
        }
    }
}

/// Tells the compiler of the code that it need not be good at this place.
pub(super) fn cold() -> TokenStream {
    quote! { ::std::hint::cold_path(); }
}

/// A row that is being turned into code.
pub(super) struct Row<'c, 'm> {
    pub(super) compiled: &'c Compiled<'m>,
    pub(super) index: usize,
    pub(super) list: &'c List,
    pub(super) consumed: Consumed,
}

impl Row<'_, '_> {
    pub(super) fn machine(&self) -> &Machine {
        self.compiled.machine
    }

    pub(super) fn block(&self) -> &Block {
        &self.compiled.lowered.blocks[self.index]
    }

    fn code(&self) -> TokenStream {
        let (row, end) = (self.list.row, self.consumed.end());
        let here = if self.list.reconsumes || self.is_split() {
            quote! { pos }
        } else {
            quote! { end }
        };
        let mark = (self.block().is_content && self.consumed != Consumed::Nothing)
            .then(|| quote! { core.mark = base + pos; });
        let jump_to_ending = self.jump_to_ending();
        let all = &self.list.actions;
        let own = jump_to_ending.as_ref().map_or(all.len(), |(own, _)| *own);
        let mut actions = TokenStream::new();
        let mut emits = false;
        for (index, action) in all[..own].iter().enumerate() {
            if self.is_split() && *action == Action::EmitText(Text::Current) {
                actions.extend(quote! { let here = end; });
            }
            if let Some(emission) = self.emission(action) {
                actions.extend(if emits {
                    quote! { let control = control.and_then({ #emission }); }
                } else {
                    quote! { let control = { #emission }; }
                });
                emits = true;
            } else if emits && matches!(action, Action::Switch(_) | Action::SwitchReturnState) {
                actions.extend(quote! { let control = control.without_switch(); });
            } else {
                actions.extend(self.action(action, &all[..index], &all[index + 1..]));
            }
        }
        let rest = jump_to_ending.map_or_else(|| self.rest(emits), |(_, jump)| jump);
        let rare = self.is_rare().then(cold);
        quote! {
            #rare
            if K::ROWS { sink.row(#row); }
            let end = #end;
            let here = #here;
            #mark
            #actions
            #rest
        }
    }

    /// Whether the row is seldom taken as a row: by its nature, or because runs of what it takes are passed before.
    fn is_rare(&self) -> bool {
        let skip = self.compiled.skips[self.index].as_ref();
        self.list.is_rare() || skip.is_some_and(|skip| skip.list == *self.list)
    }

    /// What follows the actions.
    fn rest(&self, emits: bool) -> TokenStream {
        let moved = self.moved();
        let opened = self.opened();
        let control = emits.then(|| self.control());
        let insertion = self.may_insert().then(|| self.insertion());
        let jump = self.jump();
        quote! {
            #moved
            #opened
            #control
            #insertion
            #jump
        }
    }

    /// Whether the row emits a token before it emits the current character, which is then no part of the token.
    fn is_split(&self) -> bool {
        let actions = &self.list.actions;
        let token = actions.iter().position(|action| matches!(action, Action::EmitToken(_)));
        let current = actions.iter().rposition(|action| *action == Action::EmitText(Text::Current));
        !self.list.reconsumes
            && matches!((token, current), (Some(token), Some(current)) if token < current)
    }

    /// Whether the row consumes a lexical token.
    fn is_lexeme(&self) -> bool {
        let in_mode = matches!(&self.block().body, Body::Input(input) if input.lexemes.is_some());
        in_mode && !matches!(self.consumed, Consumed::Nothing | Consumed::EndOfFile)
    }

    /// What the states see instead of characters of the input.
    pub(super) fn replaced(&self) -> TokenStream {
        let (newlines, nulls) = (self.machine().newlines_normalized, self.machine().nulls_replaced);
        quote! { ::tabulex::lexeme::Replaced { newlines: #newlines, nulls: #nulls } }
    }

    /// What the row consumed, as the states see it.
    pub(super) fn lexeme(&self) -> TokenStream {
        let replaced = self.replaced();
        match self.consumed {
            Consumed::Lexeme => {
                quote! { &::tabulex::lexeme::seen(&input[pos..end], #replaced) }
            }
            _ => quote! { &input[pos..end] },
        }
    }

    /// Moves on to where the machine goes on.
    fn moved(&self) -> TokenStream {
        let consumes_special = matches!(
            self.consumed,
            Consumed::Special(_) | Consumed::CarriageReturn | Consumed::Null
        );
        let looks_ahead = matches!(self.consumed, Consumed::Match | Consumed::Lexeme);
        let behind_window = (looks_ahead && !self.compiled.specials.is_empty()).then(|| {
            let wider = window(self.compiled, &quote! { here });
            quote! { if here > window.len() { window = #wider; } }
        });
        let widen = (consumes_special && !self.list.reconsumes).then(|| {
            let wider = window(self.compiled, &quote! { here });
            quote! { window = #wider; }
        });
        if self.list.next != Next::Nothing {
            return quote! { #behind_window #widen pos = here; };
        }
        // What is given back may hold special bytes, at which the window must end again.
        let narrow = (!self.compiled.specials.is_empty()).then(|| {
            let nearer = window_end(self.compiled);
            quote! {
                let nearer = #nearer;
                if nearer < end { window = &bytes[..nearer]; }
            }
        });
        quote! { #widen pos = core.return_nothing(pos); #narrow }
    }

    /// What the sink said of the emitted tokens.
    pub(super) fn control(&self) -> TokenStream {
        let state = match self.list.next {
            Next::State(state) => self.state_name(state),
            Next::Stay => self.state_name(self.state()),
            Next::ReturnState => quote! { core.return_state },
            // The result is still to be handed to the caller; a pause comes with its next token.
            Next::Nothing | Next::Returned => return TokenStream::new(),
            // There is nothing left to pause before, or to switch for.
            Next::End => return TokenStream::new(),
        };
        obeyed(&state)
    }

    /// The state whose row it is.
    pub(super) fn state(&self) -> StateId {
        match self.block().kind {
            BlockKind::State(state) | BlockKind::Nothing(state) | BlockKind::Returned(state) => {
                state
            }
        }
    }

    pub(super) fn state_name(&self, state: StateId) -> TokenStream {
        let name = variant(&self.machine().state(state).name);
        quote! { State::#name }
    }

    pub(super) fn jump(&self) -> TokenStream {
        match self.list.next {
            Next::Stay => match self.block().kind {
                BlockKind::State(_) => {
                    let stay = loop_label(&self.block().name);
                    quote! { continue #stay; }
                }
                BlockKind::Nothing(state) | BlockKind::Returned(state) => {
                    jump_to_state(self.compiled, self.index, state)
                }
            },
            Next::State(state) => jump_to_state(self.compiled, self.index, state),
            Next::ReturnState => quote! { block = block_of(core.return_state); continue 'run; },
            Next::Nothing => self.return_to("nothing"),
            Next::Returned => self.return_to("returned"),
            Next::End => {
                let state = self.state_name(self.state());
                quote! {
                    core.state = #state;
                    return ::tabulex::machine::Stop { reason: ::tabulex::machine::Reason::End, consumed: pos };
                }
            }
        }
    }

    /// Goes to the block of the caller that takes the result.
    fn return_to(&self, suffix: &str) -> TokenStream {
        let procedure = self.machine().state(self.state()).procedure;
        let calls = |state: StateId| matches!(self.machine().state(state).subject, Subject::Result(called) if Some(called) == procedure);
        let arms = self.machine().state_ids().filter(|&state| calls(state)).map(|state| {
            let name = &self.machine().state(state).name;
            let (caller, block) = (variant(name), variant(&format!("{name}-{suffix}")));
            quote! { State::#caller => Block::#block, }
        });
        quote! { block = match core.caller { #(#arms)* other => block_of(other) }; continue 'run; }
    }

    /// Gives the fields to which the next state adds characters a range that begins here, if they have none.
    pub(super) fn opened(&self) -> TokenStream {
        match self.list.next {
            Next::State(state) => self.opened_by(state),
            Next::ReturnState => {
                let remembered =
                    self.machine().state_ids().filter(|&state| self.is_return_state(state));
                let arms = remembered.map(|state| {
                    let (name, opened) = (self.state_name(state), self.opened_by(state));
                    let enter = self
                        .machine()
                        .state(state)
                        .enter
                        .iter()
                        .map(|action| self.action(&action.value, &[], &[]));
                    quote! { #name => { #(#enter)* #opened } }
                });
                quote! { match core.return_state { #(#arms)* _ => {} } }
            }
            _ => TokenStream::new(),
        }
    }

    fn is_return_state(&self, state: StateId) -> bool {
        let mut found = false;
        for block in &self.compiled.lowered.blocks {
            block.for_each_list(&mut |list, _| {
                found |= list.actions.contains(&Action::SetReturnState(state))
            });
        }
        found
    }

    /// The code of an action that does not emit; `before` and `rest` are what stands around it in the row.
    fn action(&self, action: &Action, before: &[Action], rest: &[Action]) -> TokenStream {
        match action {
            Action::Error(error) => {
                let code = variant(&self.machine().errors[usize::from(error.0)].name);
                let from = self.error_start();
                quote! { if K::ERRORS { core.error(sink, input, ErrorCode::#code, #from, end); } }
            }
            Action::ErrorBehind(error) => {
                let code = variant(&self.machine().errors[usize::from(error.0)].name);
                quote! { if K::ERRORS { core.error(sink, input, ErrorCode::#code, end, end); } }
            }
            Action::DropDuplicateAttribute(error) => {
                let code = variant(&self.machine().errors[usize::from(error.0)].name);
                let from = self.error_start();
                quote! {
                    if core.tag.drop_duplicate_attribute(source) && K::ERRORS {
                        core.error(sink, input, ErrorCode::#code, #from, end);
                    }
                }
            }
            Action::Create(TokenKind::StartTag) => quote! { core.tag.create(false); },
            Action::Create(TokenKind::EndTag) => quote! { core.tag.create(true); },
            Action::Create(TokenKind::Comment) => quote! { core.comment.clear(); },
            Action::Create(TokenKind::Doctype) => quote! { core.doctype.create(); },
            Action::StartAttribute if self.gives_range(Field::AttributeName) => {
                quote! { core.tag.start_attribute(); }
            }
            Action::StartAttribute => quote! {
                core.tag.start_attribute();
                core.tag.mark_attribute(base, here);
            },
            Action::Append(text, name) => self.append(text, *name, before, rest),
            // The range of the temporary buffer is nobody's business.
            Action::Set(Field::TemporaryBuffer, text) if text.is_empty() => {
                quote! { core.temporary_buffer.clear(); }
            }
            Action::Set(name, text) => {
                let register = field(*name);
                quote! { #register.set(source, #text, here); }
            }
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
                quote! { core.additional_allowed_character = #byte; }
            }
            Action::SetNumber(number) => quote! { core.number = #number; },
            Action::SetNumberToData(slot, base) => {
                let base = u32::from(*base);
                quote! { core.number = ::tabulex::lexeme::number(&input[core.lexer.part(#slot, base)], #base); }
            }
            Action::MatchReference(slot) => quote! {
                if let Some(name) = REFERENCES.find(&input[core.lexer.part(#slot, base)]) {
                    core.reference = name;
                }
            },
            Action::AddDigit(base) => {
                let base = u32::from(*base);
                quote! { core.add_digit(#base, byte); }
            }
            Action::EmitEndOfFile => quote! { core.emit_end_of_file(sink, input); },
            Action::Return(text) => self.returned(text),
            _ => self.declaration(action),
        }
    }

    /// The code that returns the text.
    fn returned(&self, text: &Text) -> TokenStream {
        let returned = match text {
            Text::Literal(text) => quote! { Text(#text) },
            Text::Reference => quote! { Text(core.reference_text(&REFERENCES)) },
            Text::Number => quote! { Character(core.number_character()) },
            Text::TemporaryBuffer => quote! { TemporaryBuffer },
            _ => match self.consumed.stands_for() {
                Some(character) => quote! { Character(#character) },
                None => {
                    quote! { Character(input[pos..].chars().next().unwrap_or_default()) }
                }
            },
        };
        quote! { core.return_text(::tabulex::machine::Returned::#returned); }
    }

    /// Where the range of an error begins: at the last character that was consumed.
    pub(super) fn error_start(&self) -> TokenStream {
        match self.consumed {
            Consumed::Match => quote! { ::tabulex::surroundings::last_character(input, end) },
            Consumed::Before => quote! { (pos - 1) },
            _ => quote! { pos },
        }
    }

    fn append(&self, text: &Text, name: Field, before: &[Action], rest: &[Action]) -> TokenStream {
        let register = field(name);
        let replaced = self.replaced();
        // What a lexical token stands for comes from where it stands.
        let (from, to) = match self.is_lexeme() && !self.list.reconsumes {
            true => (quote! { pos }, quote! { end }),
            false => (quote! { here }, quote! { here }),
        };
        match text {
            Text::Current | Text::Lexeme if self.consumed == Consumed::Lexeme => {
                quote! { #register.append_part(source, pos..end, #replaced); }
            }
            Text::Matched => quote! { #register.append_run(source, pos, end); },
            Text::Data(slot) => quote! {
                let part = core.lexer.part(#slot, base);
                #register.append_part(source, part, #replaced);
            },
            Text::Current | Text::Lexeme => match self.consumed.stands_for() {
                Some(character) => {
                    let text = character.to_string();
                    quote! { #register.append_text(source, #text, pos, end); }
                }
                None if is_cleared_by(before, name) => {
                    quote! { #register.begin_run(base, pos, end); }
                }
                None => quote! { #register.append_run(source, pos, end); },
            },
            Text::Lower => quote! {
                #register.append_character(source, char::from(byte.to_ascii_lowercase()), pos, end);
            },
            Text::Literal(text) if self.is_consumed(text) && !self.list.reconsumes => {
                quote! { #register.append_run(source, pos, end); }
            }
            Text::Literal(text) => {
                let consumes = !self.list.reconsumes
                    && !matches!(self.consumed, Consumed::Nothing | Consumed::EndOfFile);
                let current_follows = matches!(rest.first(), Some(Action::Append(Text::Current, same)) if *same == name);
                if self.is_lexeme() {
                    quote! { #register.append_text(source, #text, #from, #to); }
                } else if !consumes || current_follows && self.consumed.stands_for().is_none() {
                    // A range that can be seen in a token does not depend on what stands before `pos`.
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
            Text::Number => quote! {
                let character = core.number_character();
                #register.append_character(source, character, #from, #to);
            },
            Text::Reference => quote! {
                #register.append_text(source, core.reference_text(&REFERENCES), #from, #to);
            },
            Text::LastStartTag => quote! {
                let text = core.last_start_tag(input).to_owned();
                #register.append_text(source, &text, here, here);
            },
        }
    }
}
