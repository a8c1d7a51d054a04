//! Compile errors and warnings at the tokens that they concern. To report a diagnostic in another file, the generated
//! code includes that file with the messages inserted before the tokens of its macro call, which then expands to the
//! messages alone.

use super::flatten;
use proc_macro2::{Delimiter, Group, Ident, LineColumn, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tabulex_language::syntax::FileId;
use tabulex_language::{Diagnostic, Severity, Source};

/// An error or a warning to report.
pub(super) struct Message {
    /// The name of the check, as a type name.
    check: String,
    /// Whether the message is a warning.
    is_warning: bool,
    /// A string literal with the text of the message.
    text: TokenTree,
}

impl Message {
    pub(super) fn new(diagnostic: &Diagnostic, source: &Source) -> Self {
        let capitalize = |word: &str| word[..1].to_uppercase() + &word[1..];
        Self {
            check: diagnostic.check.split('-').map(capitalize).collect(),
            is_warning: diagnostic.severity == Severity::Warning,
            text: Literal::string(&diagnostic.text(source)).into(),
        }
    }
}

/// Returns the start and end positions of a diagnostic in its file; the end is clipped to the first line.
pub(super) fn positions(diagnostic: &Diagnostic, source: &Source) -> (LineColumn, LineColumn) {
    let span = diagnostic.span;
    let position_of = |offset| {
        let file = source.file(span.file).unwrap_or(source);
        let (line, column) = file.line_column(offset);
        LineColumn { line, column: column - 1 }
    };
    let (start, end) = (position_of(span.start), position_of(span.end));
    let line_end = LineColumn { line: start.line, column: usize::MAX };
    (start, if end.line == start.line { end } else { line_end })
}

/// Generates an error or a warning at the tokens between two positions. On stable Rust a macro can warn only by a lint:
/// here by an unused value of a `must_use` trait that has the message as its reason.
pub(super) fn report(
    message: &Message,
    tokens: &[Span],
    start: LineColumn,
    end: LineColumn,
) -> TokenStream {
    let text = &message.text;
    let first_index = tokens.iter().rposition(|token| token.start() <= start).unwrap_or_default();
    let first_span = tokens.get(first_index).copied().unwrap_or_else(Span::call_site);
    let covered = tokens.iter().skip(first_index).take_while(|token| token.end() <= end);
    let last_span = covered.last().copied().unwrap_or(first_span);
    // rustc displays a call from its first token to its last, so a call with these two spans covers the range.
    if message.is_warning {
        let name = Ident::new(&message.check, first_span);
        let call = quote_spanned! { first_span => table };
        let mut arguments = Group::new(Delimiter::Parenthesis, TokenStream::new());
        arguments.set_span(last_span);
        return quote! {
            const _: fn() = || {
                #[must_use = #text]
                trait #name {}
                impl #name for () {}
                fn table() -> impl #name {}
                #call #arguments;
            };
        };
    }
    let call = quote_spanned! { first_span => ::core::compile_error! };
    let mut arguments = Group::new(Delimiter::Brace, quote! { #text });
    arguments.set_span(last_span);
    quote! { #call #arguments }
}

/// Generates code that reports the messages about included files: it includes each file again, with its messages
/// inserted before the tokens of the table.
pub(super) fn report_in_other_files(
    diagnostics: &[&Diagnostic],
    source: &Source,
    paths: &[PathBuf],
) -> TokenStream {
    let mut by_file: BTreeMap<FileId, Vec<TokenStream>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let Message { check, is_warning, text } = Message::new(diagnostic, source);
        let (start, end) = positions(diagnostic, source);
        let coordinates = [start.line, start.column, end.line, end.column];
        let coordinates = coordinates.map(Literal::usize_unsuffixed);
        let check = Ident::new(&check, Span::call_site());
        let message = quote! { (#check #is_warning #text #(#coordinates)*) };
        by_file.entry(diagnostic.span.file).or_default().push(message);
    }
    let included = by_file.into_iter().filter_map(|(file, messages)| {
        let path = paths.get(usize::from(file.0).checked_sub(1)?)?.to_string_lossy().into_owned();
        Some(quote! {
            const _: () = {
                #[allow(unused_imports)]
                use ::tabulex::*;
                #[allow(unused_imports)]
                use machine as mistakes;
                macro_rules! machine {
                    ($($table:tt)*) => { mistakes! { [#(#messages)*] $($table)* } }
                }
                ::core::include!(#path)
            };
        })
    });
    included.collect()
}

/// Returns the messages that [`report_in_other_files`] inserted before the tokens of the call; `None` for an ordinary
/// call.
pub(super) fn inserted_messages(input: &TokenStream) -> Option<TokenStream> {
    let mut tokens = input.clone().into_iter();
    let TokenTree::Group(messages) = tokens.next()? else { return None };
    if messages.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut spans = Vec::new();
    flatten(tokens.collect(), &mut spans);
    let reported = messages.stream().into_iter().filter_map(|message| {
        let TokenTree::Group(message) = message else { return None };
        let parts: Vec<TokenTree> = message.stream().into_iter().collect();
        let [check, is_warning, text, numbers @ ..] = &parts[..] else { return None };
        let numbers = numbers.iter().map(|part| part.to_string().parse());
        let numbers: Vec<usize> = numbers.collect::<Result<_, _>>().ok()?;
        let &[line, column, end_line, end_column] = &numbers[..] else { return None };
        let message = Message {
            check: check.to_string(),
            is_warning: is_warning.to_string() == "true",
            text: text.clone(),
        };
        let start = LineColumn { line, column };
        let end = LineColumn { line: end_line, column: end_column };
        Some(report(&message, &spans, start, end))
    });
    let reported: TokenStream = reported.collect();
    Some(quote! { { #reported } })
}
