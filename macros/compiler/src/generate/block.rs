//! The code of a block: pass a run in bulk, look at the next byte, take a row. What a row does is in `plan`.
//! Invariant: the code of a block never falls through its end; every way jumps or stops.

use super::condition::condition;
use super::lexeme;
use super::names::{loop_label, variant};
use super::plan::{self, Consumed};
use crate::Compiled;
use crate::lower::{AheadPattern, Block, Body, ByteArm, Candidate, Input, Next, Plan, Test};
use crate::skip::{Scanner, Skip};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Text};

/// The code of the block of this index.
pub(super) fn body(compiled: &Compiled<'_>, index: usize) -> TokenStream {
    let block = &compiled.lowered.blocks[index];
    match &block.body {
        Body::Input(input) => input_block(compiled, index, block, input),
        Body::Call(start) => {
            let caller = variant(&block.name);
            let jump = plan::jump_to_state(compiled, index, *start);
            quote! { core.call(State::#caller, pos); #jump }
        }
        Body::Number(arms, otherwise) => {
            let arms = arms.iter().map(|(ranges, plan)| {
                let ranges = ranges.iter().map(|(first, last)| quote! { #first..=#last });
                let code = plan::plan(compiled, index, plan, Consumed::Nothing);
                quote! { #(#ranges)|* => { #code } }
            });
            let otherwise = plan::plan(compiled, index, otherwise, Consumed::Nothing);
            let stay = loop_label(&block.name);
            quote! { #stay: loop { match core.number { #(#arms)* _ => { #otherwise } } } }
        }
        Body::Plan(plan) => {
            let code = plan::plan(compiled, index, plan, Consumed::Nothing);
            let stay = loop_label(&block.name);
            quote! { #stay: loop { #code } }
        }
    }
}

/// The input from `from` up to the next special byte, or as far as is searched at once.
pub(super) fn window(compiled: &Compiled<'_>, from: &TokenStream) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let (function, specials) = search("window", compiled);
    quote! {{
        let end = ::tabulex::scan::#function::<#specials>(input, #from);
        if K::ROWS { sink.looked_at(end.saturating_sub(#from)); }
        &bytes[..end]
    }}
}

/// The end of the window that begins at `pos`, where `end` ends it if no special byte does.
pub(super) fn window_end(compiled: &Compiled<'_>) -> TokenStream {
    let (function, specials) = search("next", compiled);
    quote! {{
        let nearer = ::tabulex::scan::#function::<#specials>(bytes, end, pos);
        if K::ROWS { sink.looked_at(nearer.saturating_sub(pos)); }
        nearer
    }}
}

/// The scanner for the special bytes, and these.
fn search(name: &str, compiled: &Compiled<'_>) -> (proc_macro2::Ident, TokenStream) {
    let specials = &compiled.specials;
    (quote::format_ident!("{name}_of_{}", specials.len()), quote! { #(#specials),* })
}

/// The window with which a run begins. What was searched before is not searched again: a sink may pause at every token.
pub(super) fn first_window(compiled: &Compiled<'_>) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let window = window(compiled, &quote! { unsearched });
    quote! {{
        let unsearched = core.unsearched(bytes.len(), from);
        let window = #window;
        core.keep_searched(from, window.len());
        window
    }}
}

fn input_block(compiled: &Compiled<'_>, index: usize, block: &Block, input: &Input) -> TokenStream {
    let stay = loop_label(&block.name);
    let state = variant(&block.name);
    let skip = compiled.skips[index].as_ref();
    let bulk = skip.filter(|_| compiled.passes_first(index)).map(|skip| bulk(block, skip));
    let lexemes = lexeme::tries(compiled, index, input, None);
    let ahead = ahead(compiled, index, input, &state);
    let arms = byte_arms(compiled, index, input);
    let edge = edge(compiled, index, input, &state, &stay);
    let cold = plan::cold();
    quote! {
        #stay: loop {
            #bulk
            let Some(&byte) = window.get(pos) else { #cold #edge };
            #lexemes
            #ahead
            #arms
        }
    }
}

/// Passes a run and does with it what the row does with each of its characters.
fn bulk(block: &Block, skip: &Skip) -> TokenStream {
    let scan = match &skip.scanner {
        Scanner::Everything => quote! { window.len() },
        Scanner::Find(stops) => {
            let function = quote::format_ident!("next_of_{}", stops.len());
            quote! { ::tabulex::scan::#function::<#(#stops),*>(bytes, window.len(), pos) }
        }
        Scanner::Table(lowest) => {
            let bytes = &skip.bytes;
            let scan = match lowest {
                Some(lowest) => quote! {
                    ::tabulex::scan::next_not_in_from::<#lowest>(bytes, window, pos, &RUN)
                },
                None => quote! { ::tabulex::scan::next_not_in(window, pos, &RUN) },
            };
            quote! {{
                static RUN: [bool; 256] = [#(#bytes),*];
                #scan
            }}
        }
    };
    let scan = match &skip.scanner {
        Scanner::Find(stops) if skip.is_often_empty() => {
            // An empty run costs no more than a look at where it stops, which is looked at anyway.
            quote! {
                if matches!(window.get(pos), None | Some(#(#stops)|*)) { pos } else { #scan }
            }
        }
        _ => scan,
    };
    let row = skip.list.row;
    let action = match &skip.list.actions[..] {
        [Action::EmitText(Text::Current)] => {
            let state = variant(&block.name);
            let obeyed = plan::obeyed(&quote! { State::#state });
            quote! {
                let control = core.emit_run(sink, input, start, pos);
                #obeyed
            }
        }
        [Action::Append(Text::Current, field)] => {
            let field = super::fields::field(*field);
            quote! { #field.append_run(source, start, pos); }
        }
        _ => TokenStream::new(),
    };
    quote! {
        let start = pos;
        pos = #scan;
        if pos != start {
            if K::ROWS {
                sink.row(#row);
                sink.looked_at(pos - start);
            }
            #action
        }
    }
}

/// Looks for strings and references that stand ahead, if the byte can begin one.
fn ahead(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    state: &proc_macro2::Ident,
) -> TokenStream {
    let suspend = suspend(state);
    // What stands ahead is looked for in the text in which it begins.
    let is_last = if compiled.machine.inserts() {
        quote! { is_last || core.is_replacing() }
    } else {
        quote! { is_last }
    };
    let tries = input.ahead.iter().map(|arm| {
        let code = candidates(compiled, index, std::slice::from_ref(&arm.candidate), Consumed::Match);
        let guard = tests(compiled, index, &arm.candidate, Consumed::Nothing);
        match &arm.what {
            AheadPattern::Text(text, ignoring_case) => quote! {
                if #guard {
                    match ::tabulex::scan::text_ahead(bytes, pos, #text, #ignoring_case, #is_last) {
                        ::tabulex::scan::Ahead::Found(length) => { #code }
                        ::tabulex::scan::Ahead::Unknown => { #suspend }
                        ::tabulex::scan::Ahead::Other => {}
                    }
                }
            },
            AheadPattern::Reference => quote! {
                if #guard {
                    match REFERENCES.ahead(bytes, pos, #is_last) {
                        ::tabulex::references::NameAhead::Found(length, name) => { core.reference = name; #code }
                        ::tabulex::references::NameAhead::Unknown => { #suspend }
                        ::tabulex::references::NameAhead::Other => {}
                    }
                }
            },
        }
    });
    let tries: Vec<TokenStream> = tries.collect();
    if tries.is_empty() {
        return TokenStream::new();
    }
    let firsts = first_bytes(input);
    let may_begin = if firsts.is_empty() {
        quote! { true }
    } else {
        quote! { matches!(byte, #(#firsts)|*) }
    };
    quote! { if #may_begin { #(#tries)* } }
}

/// The bytes with which the strings begin; empty if any byte can begin something.
fn first_bytes(input: &Input) -> Vec<u8> {
    let mut firsts = Vec::new();
    for arm in &input.ahead {
        match &arm.what {
            AheadPattern::Text(text, ignoring_case) => {
                let first = text.as_bytes()[0];
                firsts.push(first);
                if *ignoring_case {
                    firsts.extend([first.to_ascii_lowercase(), first.to_ascii_uppercase()]);
                }
            }
            AheadPattern::Reference => return Vec::new(),
        }
    }
    firsts.sort_unstable();
    firsts.dedup();
    firsts
}

fn byte_arms(compiled: &Compiled<'_>, index: usize, input: &Input) -> TokenStream {
    // The arm with the most bytes is the one behind all others.
    let rest = &input.otherwise;
    let likely = compiled.likely[index].map(|byte| {
        let cold = plan::cold();
        let code = candidates(compiled, index, input.byte(byte), Consumed::Byte(byte));
        quote! { if byte == #byte { #code } #cold }
    });
    let mut arms = Vec::new();
    for arm in &input.bytes {
        let bytes: Vec<u8> =
            arm.bytes.iter().copied().filter(|byte| !compiled.specials.contains(byte)).collect();
        if bytes.is_empty() {
            continue;
        }
        if arm.candidates == *rest || compiled.likely[index].is_some_and(|likely| bytes == [likely])
        {
            continue;
        }
        let consumed = if let [only] = bytes[..] { Consumed::Byte(only) } else { Consumed::Ascii };
        let begins_run = |skip: &&Skip| {
            !compiled.passes_first(index) && bytes.iter().all(|&byte| skip.bytes[usize::from(byte)])
        };
        let code = match compiled.skips[index].as_ref().filter(begins_run) {
            Some(skip) => {
                let block = &compiled.lowered.blocks[index];
                let (bulk, stay) = (bulk(block, skip), loop_label(&block.name));
                let rare = skip.list.is_rare().then(plan::cold);
                quote! { #rare #bulk continue #stay; }
            }
            None => match lower_case_run(compiled, index, arm, &bytes) {
                Some(code) => code,
                None => candidates(compiled, index, &arm.candidates, consumed),
            },
        };
        let patterns = ranges(&bytes);
        arms.push(quote! { #(#patterns)|* => { #code } });
    }
    let otherwise = candidates(compiled, index, rest, Consumed::Character);
    let wide = wide_arms(compiled, index, input, &otherwise);
    quote! { #likely match byte { #(#arms)* _ => { #wide } } }
}

/// Appends a run of letters in lower case at once, if that is all that the row does.
fn lower_case_run(
    compiled: &Compiled<'_>,
    index: usize,
    arm: &ByteArm,
    bytes: &[u8],
) -> Option<TokenStream> {
    let block = &compiled.lowered.blocks[index];
    let [Candidate { tests, plan: Plan::List(list) }] = &arm.candidates[..] else { return None };
    let [Action::Append(Text::Lower, field)] = list.actions[..] else { return None };
    if !tests.is_empty() || list.next != Next::Stay || list.reconsumes || block.is_content {
        return None;
    }
    let (row, field, patterns) = (list.row, super::fields::field(field), ranges(bytes));
    let stay = loop_label(&block.name);
    Some(quote! {
        let start = pos;
        while matches!(window.get(pos), Some(#(#patterns)|*)) { pos += 1; }
        if K::ROWS {
            sink.row(#row);
            sink.looked_at(pos - start);
        }
        #field.append_lower_case(source, start, pos);
        continue #stay;
    })
}

/// Characters above ASCII that rows name must be decoded.
fn wide_arms(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    otherwise: &TokenStream,
) -> TokenStream {
    if input.wide.is_empty() {
        return otherwise.clone();
    }
    let arms = input.wide.iter().map(|(set, rows)| {
        let ranges = set.ranges().iter().map(|(first, last)| quote! { #first..=#last });
        let code = candidates(compiled, index, rows, Consumed::Character);
        quote! { #(#ranges)|* => { #code } }
    });
    quote! {
        if byte >= 0x80 {
            match input[pos..].chars().next().unwrap_or_default() { #(#arms)* _ => {} }
        }
        #otherwise
    }
}

/// How many neighbours make a range. Fewer are told apart together with other single bytes, by how likely each is; a
/// range is asked for before them.
const RANGE: u8 = 8;

/// The bytes as patterns, ranges where many are neighbours.
pub(super) fn ranges(bytes: &[u8]) -> Vec<TokenStream> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for &byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
        .iter()
        .flat_map(|&(first, last)| match last - first {
            0..RANGE => (first..=last).map(|byte| quote! { #byte }).collect(),
            _ => vec![quote! { #first..=#last }],
        })
        .collect()
}

/// What happens where the window ends: at a special byte, at the end of the chunk, at the end of the input.
fn edge(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    state: &proc_macro2::Ident,
    stay: &TokenStream,
) -> TokenStream {
    let end_of_file = candidates(compiled, index, &input.end_of_file, Consumed::EndOfFile);
    let suspend = suspend(state);
    let widen = window(compiled, &quote! { pos });
    let mut arms = Vec::new();
    for &special in &compiled.specials {
        if special == b'\r' && compiled.machine.newlines_normalized {
            let lexemes = lexeme::tries(compiled, index, input, Some(b'\n'));
            let alone = candidates(compiled, index, input.byte(b'\n'), Consumed::CarriageReturn);
            if compiled.machine.inserts() {
                // What is inserted has been normalized when it was read.
                let rows = input.byte(special);
                let code = candidates(compiled, index, rows, Consumed::Special(special));
                arms.push(quote! { Some(&byte @ b'\r') if core.is_replacing() => { #code } });
            }
            arms.push(quote! {
                Some(b'\r') => match ::tabulex::scan::carriage_return(bytes, pos, is_last) {
                    ::tabulex::scan::CarriageReturn::BeforeLineFeed => {
                        pos += 1;
                        window = #widen;
                        continue #stay;
                    }
                    ::tabulex::scan::CarriageReturn::Unknown => { #suspend }
                    ::tabulex::scan::CarriageReturn::Alone => { let byte = b'\n'; #lexemes #alone }
                },
            });
        } else if special == 0 && compiled.machine.nulls_replaced {
            let rows = input.wide(char::REPLACEMENT_CHARACTER);
            let lexemes = lexeme::tries(compiled, index, input, Some(0));
            let code = candidates(compiled, index, rows, Consumed::Null);
            arms.push(quote! { Some(&byte @ 0) => { #lexemes #code } });
        } else {
            let lexemes = lexeme::tries(compiled, index, input, Some(special));
            let code = candidates(compiled, index, input.byte(special), Consumed::Special(special));
            arms.push(quote! { Some(&byte @ #special) => { #lexemes #code } });
        }
    }
    let others = if compiled.specials.is_empty() {
        TokenStream::new()
    } else {
        quote! { Some(_) => { window = #widen; continue #stay; } }
    };
    quote! {
        match bytes.get(pos) {
            #(#arms)*
            #others
            _ => {
                if !is_last { #suspend }
                #end_of_file
            }
        }
    }
}

/// Stops before the next character, to go on here when there is more input.
pub(super) fn suspend(state: &proc_macro2::Ident) -> TokenStream {
    quote! {
        core.state = State::#state;
        return ::tabulex::machine::Stop { reason: ::tabulex::machine::Reason::Input, consumed: pos };
    }
}

/// The rows, tried in order.
pub(super) fn candidates(
    compiled: &Compiled<'_>,
    index: usize,
    rows: &[Candidate],
    consumed: Consumed,
) -> TokenStream {
    let mut code = TokenStream::new();
    for candidate in rows {
        let plan = plan::plan(compiled, index, &candidate.plan, consumed);
        // A match ahead has asked its tests before it looked.
        if candidate.tests.is_empty() || matches!(consumed, Consumed::Match | Consumed::Lexeme) {
            code.extend(plan);
            break;
        }
        let tests = tests(compiled, index, candidate, consumed);
        code.extend(quote! { if #tests { #plan } });
    }
    code
}

fn tests(
    compiled: &Compiled<'_>,
    index: usize,
    candidate: &Candidate,
    consumed: Consumed,
) -> TokenStream {
    let tests = candidate.tests.iter().map(|test| match test {
        Test::IsAdditionalAllowedCharacter => quote! { byte == core.additional_allowed_character },
        Test::Condition(asked) => condition(compiled, index, asked, consumed),
    });
    let tests: Vec<TokenStream> = tests.collect();
    if tests.is_empty() {
        quote! { true }
    } else {
        quote! { #(#tests)&&* }
    }
}
