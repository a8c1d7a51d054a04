//! Code at the end of a row, which sets the new position, checks the sink's requests, and jumps to the next block or
//! stops.

use super::action::ActionCode;
use super::consumed::Consumed;
use super::names::{self, variant};
use super::row::Row;
use super::window::{window, window_end};
use crate::Compiled;
use crate::lower::{Block, BlockKind};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, StateId, Subject, Transfer};

/// Generates a jump from the block with index `from` to a state's block.
pub(super) fn jump_to_state(compiled: &Compiled<'_>, from: usize, to: StateId) -> TokenStream {
    let to = usize::from(to.0);
    if compiled.goes_forward(from, to) {
        let label = names::label("s", &compiled.lowered.blocks[to].name);
        return quote! { break #label; };
    }
    let name = variant(&compiled.lowered.blocks[to].name);
    quote! { block = Block::#name; continue 'run; }
}

/// Generates an exit from the blocks if the sink requests a switch or a pause, which it rarely does. `state` is the
/// next state of the machine.
pub(super) fn request_exit(state: &TokenStream) -> TokenStream {
    quote! {
        if !matches!(control, rt::Request::Continue) {
            core.state = #state;
            break 'handle_requests control;
        }
    }
}

/// Generates the code that carries out the sink's requests. All exits share it, as rustc's compile time grows with the
/// square of a function's size.
pub(super) fn handle_requests() -> TokenStream {
    let cold = cold();
    quote! {
        #cold
        match control {
            rt::Request::Continue => block = block_of(core.state),
            rt::Request::Switch(state) => block = block_of(state),
            rt::Request::Pause => break 'run rt::Reason::Pause,
        }
    }
}

/// Generates a call that marks the code after it as cold. The call is emitted into the generated code itself, because
/// it has no effect inside an inlined function of the runtime; there, tokens take 13 % more instructions.
pub(super) fn cold() -> TokenStream {
    quote! { rt::cold(); }
}

impl Row<'_, '_> {
    /// Generates code that sets the position at which the machine continues, and moves the window if necessary.
    pub(super) fn set_position(&self) -> TokenStream {
        // `return nothing` and `go-back` move `pos` back, possibly to before a special byte in the window, which must
        // then end at that byte. Only what is read again is searched: a new window would search the rest of the chunk.
        let narrow = (!self.compiled.specials.is_empty()).then(|| {
            let nearer = window_end(self.compiled);
            quote! {
                let nearer = #nearer;
                if nearer < end { window = &bytes[..nearer]; }
            }
        });
        let past_window = (!self.compiled.specials.is_empty()).then(|| {
            let next_window = window(self.compiled, &quote! { here });
            quote! { if here > window.len() { window = #next_window; } }
        });
        if self.list.next != Transfer::ReturnNothing && self.list.actions.contains(&Action::GoBack)
        {
            // If `go-back` has no effect, the machine continues after what the row consumed, possibly after the window.
            return quote! { pos = here; #past_window #narrow };
        }
        let consumes_special =
            matches!(self.consumed, Consumed::Special(_) | Consumed::LineEnd | Consumed::Null);
        let looks_ahead = matches!(self.consumed, Consumed::Match | Consumed::Lexeme(_));
        let after_window = past_window.filter(|_| looks_ahead);
        let widen = (consumes_special && !self.list.reconsumes).then(|| {
            let next_window = window(self.compiled, &quote! { here });
            quote! { window = #next_window; }
        });
        if self.list.next != Transfer::ReturnNothing {
            return quote! { #after_window #widen pos = here; };
        }
        quote! { #widen pos = core.return_nothing(pos); #narrow }
    }

    /// Generates the check of the sink's answer to the emitted tokens.
    pub(super) fn control(&self) -> TokenStream {
        match self.list.next {
            Transfer::To(_)
            | Transfer::Nowhere
            | Transfer::ToReturnState
            | Transfer::ToPushedState => request_exit(&self.next_state()),
            // The caller gets the result first; a pause takes effect at the caller's next token.
            Transfer::ReturnNothing | Transfer::ReturnText => TokenStream::new(),
            // The machine has ended, so it can neither pause nor switch.
            Transfer::Ends => TokenStream::new(),
        }
    }

    pub(super) fn jump(&self) -> TokenStream {
        match self.list.next {
            Transfer::Nowhere => match self.block().kind {
                BlockKind::State(_) => {
                    let label = names::label("stay", &self.block().name);
                    quote! { continue #label; }
                }
                BlockKind::Nothing(state) | BlockKind::Returned(state) => {
                    jump_to_state(self.compiled, self.index, state)
                }
            },
            Transfer::To(state) => jump_to_state(self.compiled, self.index, state),
            Transfer::ToReturnState => {
                quote! { block = block_of(core.return_state); continue 'run; }
            }
            Transfer::ToPushedState => {
                quote! { block = block_of(core.popped_state); continue 'run; }
            }
            Transfer::ReturnNothing => self.return_to("nothing"),
            Transfer::ReturnText => self.return_to("returned"),
            Transfer::Ends => {
                let state = self.state_name(self.state());
                quote! {
                    core.state = #state;
                    break 'run rt::Reason::End;
                }
            }
        }
    }

    /// Generates the jump to the block of the caller that receives the result; `suffix` is that of the block's name.
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

    /// Generates code that starts the range of each field to which the next state appends, unless the field has one.
    pub(super) fn open_ranges(&self) -> TokenStream {
        match self.list.next {
            Transfer::To(state) => self.open_ranges_of(state),
            Transfer::ToReturnState => {
                let return_states =
                    self.machine().state_ids().filter(|&state| self.is_return_state(state));
                self.open_ranges_by_register(return_states, &quote! { core.return_state })
            }
            Transfer::ToPushedState => {
                let pushed_targets = self.machine().pushed_targets().into_iter();
                // If the popped state is the current one, no state is entered.
                let others = pushed_targets.filter(|&state| state != self.state());
                self.open_ranges_by_register(others, &quote! { core.popped_state })
            }
            // The current state and the callers have already started their ranges; at the end, no state is entered.
            Transfer::Nowhere | Transfer::ReturnNothing | Transfer::ReturnText | Transfer::Ends => {
                TokenStream::new()
            }
        }
    }

    /// Generates the `enter` actions and the start of ranges for one of several states, selected by a register.
    fn open_ranges_by_register(
        &self,
        states: impl Iterator<Item = StateId>,
        register: &TokenStream,
    ) -> TokenStream {
        let mut arms: Vec<(Vec<TokenStream>, TokenStream)> = Vec::new();
        for state in states {
            let (name, opened) = (self.state_name(state), self.open_ranges_of(state));
            let enter = &self.machine().state(state).enter;
            let enter = enter.iter().map(|action| match self.action(&action.value, &[], &[]) {
                ActionCode::Statements(code) => code,
                ActionCode::Emits(emission) => quote! { let _ = { #emission }; },
                ActionCode::Switches | ActionCode::SwitchesBy(_) => TokenStream::new(),
            });
            let code: TokenStream = enter.chain([opened]).collect();
            let code_text = code.to_string();
            match arms.iter_mut().find(|(_, other)| other.to_string() == code_text) {
                Some((names, _)) => names.push(name),
                None if code.is_empty() => {}
                None => arms.push((vec![name], code)),
            }
        }
        let arms = arms.iter().map(|(names, code)| quote! { #(#names)|* => { #code } });
        let arms: TokenStream = arms.collect();
        match arms.is_empty() {
            true => arms,
            false => quote! { match #register { #arms _ => {} } },
        }
    }

    fn is_return_state(&self, state: StateId) -> bool {
        let mut lists = self.compiled.lowered.blocks.iter().flat_map(Block::lists);
        lists.any(|(list, _)| list.actions.contains(&Action::SetReturnState(state)))
    }
}
