//! Code of a block, which passes a run in bulk, matches the next byte and runs a row (see `plan`). Every path of a
//! block ends with a jump or a stop.

use super::consumed::Consumed;
use super::jump::{cold, jump_to_state, request_exit};
use super::lexeme;
use super::names::{self, variant};
use super::patterns::{byte_literal, byte_set, ranges};
use super::plan::{self, candidates, tests};
use super::row::comment;
use super::window::{suspend, window};
use crate::Compiled;
use crate::lower::{AheadPattern, Block, Body, ByteArm, Candidate, Input, Plan};
use crate::skip::{Scanner, Skip};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Action, Text, Transfer};

/// Generates the code of the block at `index`.
pub(super) fn body(compiled: &Compiled<'_>, index: usize) -> TokenStream {
    let block = &compiled.lowered.blocks[index];
    match &block.body {
        Body::Input(input) => input_block(compiled, index, block, input),
        Body::Call(start) => {
            let caller = variant(&block.name);
            let jump = jump_to_state(compiled, index, *start);
            quote! { core.call(State::#caller, pos); #jump }
        }
        Body::Number(arms, otherwise) => {
            let arms = arms.iter().map(|(ranges, plan)| {
                let ranges = ranges.iter().map(|(first, last)| quote! { #first..=#last });
                let code = plan::plan(compiled, index, plan, Consumed::Nothing);
                quote! { #(#ranges)|* => { #code } }
            });
            let otherwise = plan::plan(compiled, index, otherwise, Consumed::Nothing);
            let label = names::label("stay", &block.name);
            quote! { #label: loop { match core.number { #(#arms)* _ => { #otherwise } } } }
        }
        Body::Plan(plan) => {
            let code = plan::plan(compiled, index, plan, Consumed::Nothing);
            let label = names::label("stay", &block.name);
            quote! { #label: loop { #code } }
        }
    }
}

fn input_block(compiled: &Compiled<'_>, index: usize, block: &Block, input: &Input) -> TokenStream {
    let label = names::label("stay", &block.name);
    let state = variant(&block.name);
    let skip = compiled.skips[index].as_ref();
    let bulk = skip.filter(|_| compiled.passes_first(index)).map(|skip| {
        let bulk = bulk(compiled, block, skip);
        let earlier = skip.earlier.iter().map(|candidate| {
            let tests = tests(compiled, index, candidate, Consumed::Nothing);
            quote! { !(#(#tests)&&*) }
        });
        match &skip.earlier[..] {
            [] => bulk,
            _ => quote! { if #(#earlier)&&* { #bulk } },
        }
    });
    let lexemes = lexeme::match_lexemes(compiled, index, input, None);
    let ahead = ahead(compiled, index, input, &state);
    let arms = byte_arms(compiled, index, input);
    let edge = edge(compiled, index, input, &state, &label);
    let cold = cold();
    quote! {
        #label: loop {
            #bulk
            let Some(&byte) = window.get(pos) else { #cold #edge };
            #lexemes
            #ahead
            #arms
        }
    }
}

/// Generates the scan of a run, and the actions of the run's row on it.
fn bulk(compiled: &Compiled<'_>, block: &Block, skip: &Skip) -> TokenStream {
    let comment = comment(compiled, &skip.list);
    let scan = match &skip.scanner {
        Scanner::Everything => quote! { window.len() },
        Scanner::Find(stops) => {
            let stops = stops.iter().map(|&stop| byte_literal(stop));
            quote! { rt::scan::next_of([#(#stops),*], bytes, window.len(), pos) }
        }
        Scanner::Table(lowest) => {
            let bytes = byte_set(&skip.bytes);
            let scan = match lowest {
                Some(lowest) => {
                    let lowest = byte_literal(*lowest);
                    quote! { rt::scan::next_not_in_by_blocks::<#lowest>(bytes, window, pos, &RUN) }
                }
                None if skip.bytes[usize::from(b'a')] => {
                    quote! {
                        static COMMON: rt::CommonRanges = rt::CommonRanges::new(&RUN);
                        rt::scan::next_not_in_ranges(window, pos, &RUN, &COMMON)
                    }
                }
                None => quote! { rt::scan::next_not_in(window, pos, &RUN) },
            };
            quote! {{
                static RUN: [bool; 256] = #bytes;
                #scan
            }}
        }
    };
    let scan = if let Scanner::Find(stops) = &skip.scanner
        && skip.is_often_empty()
    {
        // These runs are often empty. The next byte is matched in any case, so testing first whether it is a stop costs
        // little and often avoids the scan.
        let stops = stops.iter().map(|&stop| byte_literal(stop));
        quote! {
            if matches!(window.get(pos), None | Some(#(#stops)|*)) { pos } else { #scan }
        }
    } else {
        scan
    };
    let scan = match &skip.verbatim_stops {
        Some(stops) => {
            let stops: Vec<_> = stops.iter().map(|&stop| byte_literal(stop)).collect();
            quote! {
                if !K::ERRORS && sink.text_as_written() {
                    match bytes.get(pos) {
                        None | Some(#(#stops)|*) => pos,
                        Some(_) => rt::scan::next_of([#(#stops),*], bytes, bytes.len(), pos),
                    }
                } else {
                    #scan
                }
            }
        }
        None => scan,
    };
    let row = skip.list.row;
    let action = match &skip.list.actions[..] {
        [Action::EmitText(Text::Current)] => {
            let state = variant(&block.name);
            let request_exit = request_exit(&quote! { State::#state });
            quote! {
                let control = core.emit_run(sink, input, start, pos);
                #request_exit
            }
        }
        [Action::Append(Text::Current, field)] => {
            let field = super::fields::field(*field);
            quote! { #field.append_run(source, start, pos); }
        }
        _ => TokenStream::new(),
    };
    quote! {
        #comment
        let start = pos;
        pos = #scan;
        if pos != start {
            core.run(sink, #row, start, pos);
            #action
        }
    }
}

/// Generates the matching of strings and references by look-ahead, if the byte can begin a match.
fn ahead(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    state: &proc_macro2::Ident,
) -> TokenStream {
    let suspend = suspend(state);
    // A look-ahead match does not extend beyond the inserted text in which it begins, so the end of that text ends the
    // match.
    let is_last = if compiled.machine.inserts() {
        quote! { is_last || core.is_replacing() }
    } else {
        quote! { is_last }
    };
    let attempts = input.ahead.iter().map(|arm| {
        let code =
            candidates(compiled, index, std::slice::from_ref(&arm.candidate), Consumed::Match);
        let tests = tests(compiled, index, &arm.candidate, Consumed::Nothing);
        let attempt = match &arm.pattern {
            AheadPattern::Text(text, ignoring_case) => quote! {
                match rt::scan::text_ahead(bytes, pos, #text, #ignoring_case, #is_last) {
                    rt::scan::Ahead::Found(length) => { #code }
                    rt::scan::Ahead::Unknown => { #suspend }
                    rt::scan::Ahead::Other => {}
                }
            },
            AheadPattern::Reference => quote! {
                match REFERENCES.ahead(bytes, pos, #is_last) {
                    rt::scan::Ahead::Found((length, name)) => { core.reference = name; #code }
                    rt::scan::Ahead::Unknown => { #suspend }
                    rt::scan::Ahead::Other => {}
                }
            },
        };
        match &tests[..] {
            [] => attempt,
            tests => quote! { if #(#tests)&&* { #attempt } },
        }
    });
    let attempts: TokenStream = attempts.collect();
    let firsts: Vec<_> = first_bytes(input).into_iter().map(byte_literal).collect();
    match (attempts.is_empty(), &firsts[..]) {
        (true, _) | (false, []) => attempts,
        (false, firsts) => quote! { if matches!(byte, #(#firsts)|*) { #attempts } },
    }
}

/// Returns the first bytes of the look-ahead strings; empty if any byte can begin a match.
fn first_bytes(input: &Input) -> Vec<u8> {
    let mut firsts = Vec::new();
    for arm in &input.ahead {
        match &arm.pattern {
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
    // Bytes with the same candidates as the non-ASCII characters that no row mentions need no arm, because the default
    // arm matches them, too.
    let default_rows = &input.otherwise;
    let likely = compiled.likely[index].map(|byte| {
        let cold = cold();
        let code = candidates(compiled, index, input.byte(byte), Consumed::Byte(byte));
        let byte = byte_literal(byte);
        quote! { if byte == #byte { #code } #cold }
    });
    let mut arms = Vec::new();
    for arm in &input.bytes {
        let bytes: Vec<u8> =
            arm.bytes.iter().copied().filter(|byte| !compiled.specials.contains(byte)).collect();
        if bytes.is_empty() {
            continue;
        }
        if arm.candidates == *default_rows
            || compiled.likely[index].is_some_and(|likely| bytes == [likely])
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
                let (bulk, label) =
                    (bulk(compiled, block, skip), names::label("stay", &block.name));
                let cold_mark = skip.list.is_rare().then(cold);
                quote! { #cold_mark #bulk continue #label; }
            }
            None => match lower_case_run(compiled, index, arm, &bytes) {
                Some(code) => code,
                None => candidates(compiled, index, &arm.candidates, consumed),
            },
        };
        let patterns = ranges(&bytes);
        arms.push(quote! { #(#patterns)|* => { #code } });
    }
    let otherwise = candidates(compiled, index, default_rows, Consumed::Character);
    let default_arm = wide_arms(compiled, index, input, &otherwise);
    quote! { #likely match byte { #(#arms)* _ => { #default_arm } } }
}

/// Generates code that appends a whole run of letters at once, converted to lower case; `None` if the arm does anything
/// else.
fn lower_case_run(
    compiled: &Compiled<'_>,
    index: usize,
    arm: &ByteArm,
    bytes: &[u8],
) -> Option<TokenStream> {
    let block = &compiled.lowered.blocks[index];
    let [Candidate { tests, plan: Plan::List(list) }] = &arm.candidates[..] else { return None };
    let [Action::Append(Text::Lower, field)] = list.actions[..] else { return None };
    if !tests.is_empty() || list.next != Transfer::Nowhere || list.reconsumes || block.is_content {
        return None;
    }
    let (row, field, patterns) = (list.row, super::fields::field(field), ranges(bytes));
    let (label, comment) = (names::label("stay", &block.name), comment(compiled, list));
    let append = quote! { #field.append_lower_case(source, start, pos); };
    // A run of other letters, too, rarely has one to convert.
    let (start, track, append) = match bytes.iter().all(u8::is_ascii_uppercase) {
        true => (quote! {}, quote! {}, append),
        false => (
            quote! { let mut has_uppercase = false; },
            quote! { has_uppercase |= window[pos].is_ascii_uppercase(); },
            quote! {
                if has_uppercase { #append } else { #field.append_run(source, start, pos); }
            },
        ),
    };
    Some(quote! {
        #comment
        let start = pos;
        #start
        while matches!(window.get(pos), Some(#(#patterns)|*)) { #track pos += 1; }
        core.run(sink, #row, start, pos);
        #append
        continue #label;
    })
}

/// Generates code that decodes a non-ASCII character and compares it with those that rows mention, followed by the code
/// `otherwise`.
fn wide_arms(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    otherwise: &TokenStream,
) -> TokenStream {
    if input.beyond_ascii.is_empty() {
        return otherwise.clone();
    }
    let arms = input.beyond_ascii.iter().map(|(set, rows)| {
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

/// Generates the code for the end of the window: at a special byte, or at the end of the chunk or of the input.
fn edge(
    compiled: &Compiled<'_>,
    index: usize,
    input: &Input,
    state: &proc_macro2::Ident,
    label: &TokenStream,
) -> TokenStream {
    let end_of_file = candidates(compiled, index, &input.end_of_file, Consumed::EndOfFile);
    let suspend = suspend(state);
    let widen = window(compiled, &quote! { pos });
    let mut arms = Vec::new();
    for &special in &compiled.specials {
        if special == b'\r' && compiled.machine.newlines_normalized {
            let lexemes = lexeme::match_lexemes(compiled, index, input, Some(b'\n'));
            let line_end = candidates(compiled, index, input.byte(b'\n'), Consumed::LineEnd);
            if compiled.machine.inserts() {
                // Inserted text has already been normalized, so a CR in it is matched as it is.
                let rows = input.byte(special);
                let code = candidates(compiled, index, rows, Consumed::Special(special));
                arms.push(quote! { Some(&byte @ b'\r') if core.is_replacing() => { #code } });
            }
            arms.push(quote! {
                Some(b'\r') => match rt::scan::line_end(bytes, pos, is_last) {
                    None => { #suspend }
                    Some(width) => { let byte = b'\n'; #lexemes #line_end }
                },
            });
        } else if special == 0 && compiled.machine.nulls_replaced {
            let rows = input.beyond_ascii(char::REPLACEMENT_CHARACTER);
            let lexemes = lexeme::match_lexemes(compiled, index, input, Some(0));
            let code = candidates(compiled, index, rows, Consumed::Null);
            arms.push(quote! { Some(&byte @ 0) => { #lexemes #code } });
        } else {
            let lexemes = lexeme::match_lexemes(compiled, index, input, Some(special));
            let code = candidates(compiled, index, input.byte(special), Consumed::Special(special));
            let special = byte_literal(special);
            arms.push(quote! { Some(&byte @ #special) => { #lexemes #code } });
        }
    }
    let end = quote! { if !is_last { #suspend } #end_of_file };
    if compiled.specials.is_empty() {
        return end;
    }
    quote! {
        match bytes.get(pos) {
            #(#arms)*
            Some(_) => {}
            None => { #end }
        }
        window = #widen;
        continue #label;
    }
}
