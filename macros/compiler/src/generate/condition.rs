//! Code that evaluates the conditions of rows. A condition that cannot be decided yet suspends the machine before the
//! row.

use super::consumed::Consumed;
use super::fields::{entity_list, field};
use super::lexeme::{self, LexemeTest, condition_automaton};
use super::names::variant;
use super::patterns::{byte_literal, character_set, one_of};
use super::window::suspend;
use crate::Compiled;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use tabulex_language::model::{Condition, Field, TokenKind};

/// Generates a condition of a row in the block at `index`. `consumed` is the input that the row consumes.
pub(super) fn condition(
    compiled: &Compiled<'_>,
    index: usize,
    value: &Condition,
    consumed: Consumed,
) -> TokenStream {
    let machine = compiled.machine;
    match value {
        Condition::Not(inner) => {
            let inner = condition(compiled, index, inner, consumed);
            quote! { !(#inner) }
        }
        Condition::All(parts) => {
            // Parts that take longer, look ahead or record a refused insertion are evaluated last.
            let (slow, fast): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_slow(part));
            let parts = fast.into_iter().chain(slow);
            let parts = parts.map(|part| condition(compiled, index, part, consumed));
            quote! { (#((#parts))&&*) }
        }
        Condition::AppropriateEndTag => quote! { core.is_appropriate_end_tag(input) },
        Condition::FieldIs(declared, text) => {
            let register = field(Field::Declared(*declared));
            is_text(&register, text)
        }
        Condition::FieldMissing(declared) => {
            let register = field(Field::Declared(*declared));
            quote! { !#register.is_set() }
        }
        Condition::Matches(name, lexeme) => {
            let register = field(*name);
            match lexeme::test(machine, *lexeme) {
                LexemeTest::Texts(texts) => {
                    let first: BTreeSet<_> = texts.iter().map(|text| text.bytes().next()).collect();
                    let literals = texts.iter().map(|text| Literal::byte_string(text.as_bytes()));
                    let test = quote! { matches!(#register.bytes(source), #(#literals)|*) };
                    if texts.len() < 3 || first.len() > 2 || first.contains(&None) {
                        return test;
                    }
                    // One comparison rejects most texts.
                    let first = first.into_iter().flatten().map(byte_literal);
                    quote! { (matches!(#register.bytes(source).first(), Some(#(#first)|*)) && #test) }
                }
                // This arm saved 1 % of the instructions for absolute URLs.
                LexemeTest::Contains(set, expected) if set.ranges() == [('\u{80}', char::MAX)] => {
                    quote! { #register.bytes(source).is_ascii() != #expected }
                }
                LexemeTest::Contains(set, expected) => {
                    let set = character_set(&set);
                    quote! {{
                        const SET: rt::CharacterSet = #set;
                        #register.has_one_of(source, &SET) == #expected
                    }}
                }
                LexemeTest::Automaton => lexeme::matches(machine, *lexeme, &register),
            }
        }
        Condition::Ahead(lexeme) => {
            let (length, automaton) = (consumed.length(), condition_automaton(*lexeme));
            let test = quote! { #automaton.is_ahead(&input[pos + #length..], is_last) };
            test_or_suspend(compiled, index, &test)
        }
        Condition::TemporaryBufferIs(text) => is_text(&field(Field::TemporaryBuffer), text),
        Condition::TemporaryBufferIsIgnoringCase(text) => {
            quote! { core.temporary_buffer.text(source).eq_ignore_ascii_case(#text) }
        }
        Condition::FlagIs(flag, value) => {
            let index = usize::from(flag.0);
            let flag = &machine.flags[index];
            if flag.is_queried_from_host() {
                let name = &flag.name;
                quote! { sink.flag(#name) == #value }
            } else {
                quote! { core.flags[#index] == #value }
            }
        }
        Condition::CalledBy(state) => {
            let state = variant(&machine.state(*state).name);
            quote! { core.caller == State::#state }
        }
        Condition::ReferenceEndsWith(character) => {
            let byte = u8::try_from(*character).unwrap_or(u8::MAX);
            let byte = byte_literal(byte);
            quote! { REFERENCES.ends_with(core.reference, #byte) }
        }
        Condition::TagIs(kind) => {
            let is_end = *kind == TokenKind::EndTag;
            quote! { core.tag.is_end == #is_end }
        }
        Condition::TagNameIs(name) => quote! { core.tag.name.text(source) == #name },
        Condition::ReturnStateIs(state) => {
            let state = variant(&machine.state(*state).name);
            quote! { matches!(core.return_state, State::#state) }
        }
        Condition::EntityDeclared(list) => {
            let list = entity_list(*list);
            quote! { core.is_declared(#list, source) }
        }
        Condition::EntityInsertable(list) => {
            let list = entity_list(*list);
            quote! { core.is_insertable(#list, source, pos) }
        }
        Condition::NumberIs(number) => quote! { core.number == #number },
        Condition::TagNameIn(names) => {
            quote! { matches!(core.tag.name.text(source), #(#names)|*) }
        }
        Condition::PrecededBy(text) => quote! { core.is_preceded_by(input, pos, #text) },
        Condition::PrecededByOne(set) => {
            let is_member = one_of(set);
            quote! { core.is_preceded_by_one(input, pos, #is_member) }
        }
        Condition::DataIsReference(data) => {
            let slot = lexeme::slot(compiled, index, consumed, *data);
            quote! { REFERENCES.find(&input[core.lexer.part(#slot, base)]).is_some() }
        }
        Condition::DataIsAtMost { data, base, most } => {
            let (slot, base) = (lexeme::slot(compiled, index, consumed, *data), u32::from(*base));
            quote! { rt::lexeme::number(&input[core.lexer.part(#slot, base)], #base) <= #most }
        }
        Condition::FollowedBy(set) => {
            let (length, is_member) = (consumed.length(), one_of(set));
            let test = quote! { core.is_followed_by(input, pos + #length, is_last, #is_member) };
            test_or_suspend(compiled, index, &test)
        }
        Condition::LastStartTagAhead(set) => {
            let is_member = one_of(set);
            test_or_suspend(
                compiled,
                index,
                &quote! { core.is_last_start_tag_ahead(input, pos, is_last, #is_member) },
            )
        }
    }
}

/// Whether a condition is evaluated after the other parts of a conjunction, because it compares a field with a text,
/// looks ahead, or records an insertion that the limits refuse.
fn is_slow(condition: &Condition) -> bool {
    condition.parts().into_iter().any(|part| {
        if let Condition::FieldIs(_, text) | Condition::TemporaryBufferIs(text) = part {
            return !text.is_empty();
        }
        matches!(
            part,
            Condition::Matches(..)
                | Condition::Ahead(_)
                | Condition::FollowedBy(_)
                | Condition::LastStartTagAhead(_)
                | Condition::EntityInsertable(_)
        )
    })
}

/// Generates the comparison of a register's text with a literal.
fn is_text(register: &TokenStream, text: &str) -> TokenStream {
    let bytes = Literal::byte_string(text.as_bytes());
    match text {
        "" => quote! { #register.is_empty() },
        _ => quote! { #register.is(source, #bytes) },
    }
}

/// Generates code that evaluates a condition, and suspends the machine before the row while the condition is undecided.
fn test_or_suspend(compiled: &Compiled<'_>, index: usize, question: &TokenStream) -> TokenStream {
    let suspend = suspend(&variant(&compiled.lowered.blocks[index].name));
    quote! {
        match #question {
            rt::scan::Ahead::Found(()) => true,
            rt::scan::Ahead::Other => false,
            rt::scan::Ahead::Unknown => { #suspend }
        }
    }
}
