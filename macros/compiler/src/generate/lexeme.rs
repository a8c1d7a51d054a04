//! Code that matches lexical tokens, and the tables of their automata. A byte that begins no token costs one lookup.

use super::consumed::Consumed;
use super::names::{snake, variant};
use super::patterns::{byte_classes, ranges};
use super::plan::candidates;
use super::window::suspend;
use crate::Compiled;
use crate::lower::{Body, Input};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use tabulex_language::automaton::{Automaton, LexemePart};
use tabulex_language::model::{
    CharacterSet, Condition, Lexeme, LexemeExpression, LexemeId, Machine,
};

/// Generates the matching of the block's lexical tokens at a byte, which is `known_byte` if that is given. If no token
/// matches, control falls through.
pub(super) fn match_lexemes(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    known_byte: Option<u8>,
) -> TokenStream {
    let Some(lexemes) = &input.lexemes else { return TokenStream::new() };
    let bytes: Vec<u8> = (0..=255).filter(|&byte| lexemes.first[usize::from(byte)]).collect();
    if bytes.is_empty() || known_byte.is_some_and(|byte| !bytes.contains(&byte)) {
        return TokenStream::new();
    }
    let arms = lexemes.candidates.iter().zip(0_u8..).map(|(candidate, lexeme)| {
        let consumed = Consumed::Lexeme(lexeme);
        let code = candidates(compiled, index, std::slice::from_ref(candidate), consumed);
        quote! { rt::scan::Ahead::Found((#lexeme, length)) => { #code } }
    });
    let block = &compiled.lowered.blocks[index];
    let (name, suspend) = (automaton_name(&block.name), suspend(&variant(&block.name)));
    let match_token = quote! {
        match core.lexer.read(&#name, input, base, pos, is_last) {
            #(#arms)*
            rt::scan::Ahead::Unknown => { #suspend }
            _ => {}
        }
    };
    match known_byte {
        Some(_) => match_token,
        None => {
            let patterns = ranges(&bytes);
            quote! { if matches!(byte, #(#patterns)|*) { #match_token } }
        }
    }
}

/// Returns the slot in which the runtime records a capture of the lexical token that a row of the block at `index`
/// consumes; one without a record for a capture that matches no characters.
pub(super) fn slot(compiled: &Compiled<'_>, index: usize, consumed: Consumed, data: u8) -> u8 {
    let Consumed::Lexeme(lexeme) = consumed else { return u8::MAX };
    let Body::Input(Input { lexemes: Some(lexemes), .. }) = &compiled.lowered.blocks[index].body
    else {
        return u8::MAX;
    };
    let parts = &lexemes.automaton.parts[usize::from(lexeme)];
    parts.get(&LexemePart::Data(data)).copied().unwrap_or(u8::MAX)
}

fn automaton_name(block: &str) -> Ident {
    Ident::new(&format!("LEXEMES_{}", snake(block).to_uppercase()), Span::mixed_site())
}

/// Generates the automata of all lexical modes.
pub(super) fn automata(compiled: &Compiled<'_>) -> TokenStream {
    let blocks = compiled.lowered.blocks.iter().zip(0_u16..);
    let tables = blocks.filter_map(|(block, mode)| {
        let Body::Input(Input { lexemes: Some(lexemes), .. }) = &block.body else { return None };
        let lexeme_automaton = &lexemes.automaton;
        let is_plain =
            |lexeme: &&usize| !lexeme_automaton.parts[**lexeme].contains_key(&LexemePart::Ahead);
        let accepts = lexeme_automaton
            .states
            .iter()
            .map(|state| state.accepts.iter().find(is_plain).map_or(0, |&lexeme| lexeme as u8 + 1));
        let (name, accepts) = (automaton_name(&block.name), accepts.collect::<Vec<_>>());
        Some(automaton(compiled.machine, &name, lexeme_automaton, mode, &accepts))
    });
    quote! { #(#tables)* }
}

/// Generates the tables of an automaton; `accepts` has, for each state, the index plus 1 of the lexeme that is complete
/// there, or 0.
fn automaton(
    machine: &Machine,
    name: &Ident,
    automaton: &Automaton,
    mode: u16,
    accepts: &[u8],
) -> TokenStream {
    let (mut classes, mut beyond_ascii) = ([0_u8; 128], Vec::new());
    for (class, number) in automaton.classes.iter().zip(1_u8..) {
        for byte in (0..0x80_u8).filter(|&byte| class.contains(char::from(byte))) {
            classes[usize::from(byte)] = number;
        }
        let above_ascii = class.ranges().iter().filter(|(_, last)| !last.is_ascii());
        beyond_ascii.extend(above_ascii.map(|&(first, last)| (first.max('\u{80}'), last, number)));
    }
    if machine.nulls_replaced {
        let has_replacement = |class: &CharacterSet| class.contains(char::REPLACEMENT_CHARACTER);
        let class = automaton.classes.iter().position(has_replacement);
        classes[0] = class.map_or(0, |class| class as u8 + 1);
    }
    beyond_ascii.sort_unstable();
    let beyond_ascii =
        beyond_ascii.iter().map(|(first, last, number)| quote! { (#first, #last, #number) });
    let class_count = automaton.classes.len() + 1;
    let next = automaton.states.iter().flat_map(|state| {
        std::iter::once(0).chain(state.next.iter().map(|next| next.unwrap_or(0)))
    });
    let ahead_of = |lexeme: &usize| automaton.parts[*lexeme].get(&LexemePart::Ahead).copied();
    let has_look_ahead = automaton.parts.iter().any(|parts| parts.contains_key(&LexemePart::Ahead));
    let accepts_ahead = automaton.states.iter().filter(|_| has_look_ahead).map(|state| {
        let ahead = state.accepts.iter().filter_map(|lexeme| {
            let (index, slot) = (*lexeme as u8, ahead_of(lexeme)?);
            Some(quote! { (#index, #slot) })
        });
        quote! { &[#(#ahead),*] }
    });
    let is_last = automaton.states.iter().map(|state| state.next.iter().all(Option::is_none));
    let inside = automaton.states.iter().map(|state| state.inside as u8);
    let newlines_normalized = machine.newlines_normalized;
    let classes = byte_classes(&classes);
    let automaton = format_ident!("Automaton");
    quote! {
        static #name: rt::#automaton = rt::#automaton {
            mode: #mode,
            classes: &#classes,
            beyond_ascii: &[#(#beyond_ascii),*],
            class_count: #class_count,
            next: &[#(#next),*],
            accepts: &[#(#accepts),*],
            accepts_ahead: &[#(#accepts_ahead),*],
            is_last: &[#(#is_last),*],
            inside: &[#(#inside),*],
            newlines_normalized: #newlines_normalized,
        };
    }
}

/// Generates the test of a text by the automaton of a lexeme. A last byte that ends no match rejects the text first.
pub(super) fn matches(machine: &Machine, id: LexemeId, register: &TokenStream) -> TokenStream {
    let automaton = tabulex_language::automaton::build(&[machine.lexeme(id)]);
    let mut ends = [false; 256];
    ends[0] = machine.nulls_replaced;
    for state in &automaton.states {
        for (next, class) in state.next.iter().zip(&automaton.classes) {
            if next.is_some_and(|next| !automaton.states[usize::from(next)].accepts.is_empty()) {
                (0..0x80)
                    .for_each(|byte| ends[usize::from(byte)] |= class.contains(char::from(byte)));
                let has_wide = class.ranges().iter().any(|(_, last)| !last.is_ascii());
                ends[0x80..].iter_mut().for_each(|is_end| *is_end |= has_wide);
            }
        }
    }
    let automaton = condition_automaton(id);
    let bytes: Vec<u8> = (0..=0xFF).filter(|&byte| ends[usize::from(byte)]).collect();
    if bytes.len() == ends.len() {
        return quote! { #automaton.matches(#register.text(source)) };
    }
    let bytes = ranges(&bytes);
    quote! {
        (matches!(#register.bytes(source).last(), None #(| Some(#bytes))*)
            && #automaton.matches(#register.text(source)))
    }
}

/// Returns the name of the automaton of a lexeme that conditions test.
pub(super) fn condition_automaton(lexeme: LexemeId) -> Ident {
    format_ident!("LEXEME_{}", lexeme.0)
}

/// The maximum number of texts of a lexeme that is compared with each of them rather than matched by an automaton.
const MAX_COMPARED_TEXTS: usize = 16;

/// The fastest test for whether a text is a lexeme.
pub(super) enum LexemeTest {
    /// The text equals one of these.
    Texts(Vec<String>),
    /// Whether the text contains a character of the set has this answer.
    Contains(CharacterSet, bool),
    /// The automaton of the lexeme matches the text.
    Automaton,
}

/// Returns the test for whether a text is a lexeme.
pub(super) fn test(machine: &Machine, lexeme: LexemeId) -> LexemeTest {
    let Lexeme { expression, ahead: None, .. } = machine.lexeme(lexeme) else {
        return LexemeTest::Automaton;
    };
    // Only an automaton reads U+0000 in a text as the character that replaces it.
    if machine.nulls_replaced {
        return LexemeTest::Automaton;
    }
    if let Some(texts) = expression.texts(MAX_COMPARED_TEXTS) {
        return LexemeTest::Texts(texts);
    }
    let any = CharacterSet::range('\0', char::MAX);
    if let Some(set) = repeated_set(expression) {
        return LexemeTest::Contains(any.difference(set), false);
    }
    if let LexemeExpression::Sequence(parts) = expression
        && let [before, LexemeExpression::Characters(set), after] = &parts[..]
        && [before, after].map(repeated_set) == [Some(&any); 2]
    {
        return LexemeTest::Contains(set.clone(), true);
    }
    LexemeTest::Automaton
}

/// Returns the set of an expression that matches the texts of characters of a set, of any length.
fn repeated_set(expression: &LexemeExpression) -> Option<&CharacterSet> {
    let LexemeExpression::Repeated { inner, at_least_once: false, many: true } = expression else {
        return None;
    };
    let LexemeExpression::Characters(set) = &**inner else { return None };
    Some(set)
}

/// Generates the automata of the lexemes that conditions test.
pub(super) fn condition_automata(machine: &Machine) -> TokenStream {
    let mut lexeme_ids = BTreeSet::new();
    for part in machine.conditions().flat_map(Condition::parts) {
        let uses_automaton =
            |lexeme: &LexemeId| matches!(test(machine, *lexeme), LexemeTest::Automaton);
        if let Condition::Matches(_, lexeme) = part {
            lexeme_ids.extend(Some(*lexeme).filter(uses_automaton));
        } else if let Condition::Ahead(lexeme) = part {
            lexeme_ids.insert(*lexeme);
        }
    }
    let automata = lexeme_ids.into_iter().map(|id| {
        let lexeme = machine.lexeme(id);
        let lexeme_automaton = tabulex_language::automaton::build(&[lexeme]);
        let mut accepts: Vec<u8> = lexeme_automaton
            .states
            .iter()
            .map(|state| u8::from(!state.accepts.is_empty()))
            .collect();
        accepts[0] |= u8::from(lexeme.expression.can_be_empty());
        automaton(machine, &condition_automaton(id), &lexeme_automaton, 0, &accepts)
    });
    quote! { #(#automata)* }
}
