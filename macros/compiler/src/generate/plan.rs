//! Code of a row: conditions, actions, and the jump after them. In generated code, `pos` is the offset at which the
//! row's input begins, `end` the offset after that input, and `here` the offset at which the machine continues.

use super::action::ActionCode;
use super::condition::condition;
use super::consumed::Consumed;
use super::jump::cold;
use super::row::Row;
use crate::Compiled;
use crate::lower::{Candidate, Plan, Test};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Text};

/// Generates code that tries the candidate rows in order.
pub(super) fn candidates(
    compiled: &Compiled<'_>,
    index: usize,
    rows: &[Candidate],
    consumed: Consumed,
) -> TokenStream {
    let mut code = TokenStream::new();
    for candidate in rows {
        let plan = self::plan(compiled, index, &candidate.plan, consumed);
        // No tests are generated here for look-ahead rows, whose tests are evaluated before the match, or for rows of
        // lexical modes, which have no tests.
        if candidate.tests.is_empty() || matches!(consumed, Consumed::Match | Consumed::Lexeme(_)) {
            code.extend(plan);
            break;
        }
        let tests = tests(compiled, index, candidate, consumed);
        code.extend(quote! { if #(#tests)&&* { #plan } });
    }
    code
}

/// Generates the tests of a row, which must all succeed.
pub(super) fn tests(
    compiled: &Compiled<'_>,
    index: usize,
    candidate: &Candidate,
    consumed: Consumed,
) -> Vec<TokenStream> {
    let tests = candidate.tests.iter().map(|test| match test {
        Test::IsAdditionalAllowedCharacter => quote! { byte == core.additional_allowed_character },
        Test::Condition(question) => condition(compiled, index, question, consumed),
    });
    tests.collect()
}

/// Generates the code of a plan. Every path ends with a jump.
pub(super) fn plan(
    compiled: &Compiled<'_>,
    index: usize,
    plan: &Plan,
    consumed: Consumed,
) -> TokenStream {
    match plan {
        Plan::List(list) => Row { compiled, index, list, consumed }.code(),
        Plan::When(question, then, otherwise) => {
            let condition = condition(compiled, index, question, consumed);
            let then = self::plan(compiled, index, then, consumed);
            let otherwise = self::plan(compiled, index, otherwise, consumed);
            quote! { if #condition { #then } else { #otherwise } }
        }
    }
}

impl Row<'_, '_> {
    fn code(&self) -> TokenStream {
        let (row, length) = (self.list.row, self.consumed.length());
        let here = if self.list.reconsumes || self.is_split() {
            quote! { pos }
        } else {
            quote! { end }
        };
        let begins_range = self.block().is_content && self.consumed != Consumed::Nothing;
        let mark = begins_range.then(|| quote! { core.mark = base + pos; });
        let list_actions = &self.list.actions;
        let mut actions = TokenStream::new();
        let mut emits = false;
        for (index, action) in list_actions.iter().enumerate() {
            if self.is_split() && *action == Action::EmitText(Text::Current) {
                actions.extend(quote! { let here = end; });
            }
            match self.action(action, &list_actions[..index], &list_actions[index + 1..]) {
                ActionCode::Statements(code) => actions.extend(code),
                ActionCode::Emits(emission) if emits => {
                    actions.extend(quote! { let control = control.and_then({ #emission }); });
                }
                ActionCode::Emits(emission) => {
                    actions.extend(quote! { let control = { #emission }; });
                    emits = true;
                }
                ActionCode::Switches if emits => {
                    actions.extend(quote! { let control = control.without_switch(); });
                }
                ActionCode::Switches => {}
                ActionCode::SwitchesBy(code) => {
                    actions.extend(code);
                    let statement = quote! { let control = control.without_switch(); };
                    actions.extend(emits.then_some(statement));
                }
            }
        }
        let row_end = self.row_end(emits);
        let cold_mark = self.is_rare().then(cold);
        let comment = self.comment();
        quote! {
            #comment
            #cold_mark
            let end = core.row(sink, #row, pos, #length);
            let here = #here;
            #mark
            #actions
            #row_end
        }
    }

    /// Generates the code after the actions of a row; `emits` is whether any of them emits.
    fn row_end(&self, emits: bool) -> TokenStream {
        let set_position = self.set_position();
        let open_ranges = self.open_ranges();
        let control = emits.then(|| self.control());
        let insertion = self.may_insert().then(|| self.insertion());
        let jump = self.jump();
        quote! {
            #set_position
            #open_ranges
            #control
            #insertion
            #jump
        }
    }
}
