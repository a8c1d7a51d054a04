//! From the tokens of the call to the text that they came from, and from diagnostics back to tokens. It reads no table
//! itself. Invariant: every diagnostic has the span of the token at its place.

use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tabulex_language::parse::Outline;
use tabulex_language::{Diagnostic, Severity, Source};

/// The code of the machine, or its mistakes.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = Vec::new();
    flatten(input, &mut tokens);
    let (source, folder) = match source(&tokens) {
        Ok(found) => found,
        Err(message) => return quote! { ::core::compile_error! { #message } },
    };
    let read = RefCell::new(Vec::new());
    let files = |name: &str| {
        // Tables that are extended, and their files, may be those of tabulex.
        let places = folder.iter().map(PathBuf::as_path).chain([Path::new(tabulex_tables::FOLDER)]);
        places.map(|place| place.join(name)).find_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            read.borrow_mut().push(path);
            Some(text)
        })
    };
    let loaded = tabulex_language::load_inline(&source, &files);
    // Cargo builds anew when one of the files changes.
    let watched: TokenStream = read
        .borrow()
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .map(|path| quote! { const _: &[u8] = ::core::include_bytes!(#path); })
        .collect();
    let mut code = TokenStream::new();
    for diagnostic in &loaded.diagnostics {
        code.extend(report(diagnostic, &source, &tokens));
    }
    let Some(machine) = loaded.machine else {
        code.extend(tabulex_compiler::skeleton(&outline(&source)));
        return code;
    };
    code.extend(watched);
    code.extend(tabulex_compiler::expand(&machine));
    code
}

/// The names that a refused table declares. A table that does not even name itself is taken to be called like its file.
fn outline(source: &Source) -> Outline {
    let mut outline = tabulex_language::parse::outline(&source.text);
    let path = Path::new(&source.path);
    if outline.name.is_none() && path.extension().is_some_and(|extension| extension == "states") {
        let is_name = |stem: &&str| {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            stem.starts_with(|first: char| first.is_ascii_alphabetic()) && stem.bytes().all(is_word)
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(is_name);
        outline.name = stem.map(str::to_owned);
    }
    outline
}

/// All tokens in the order of the text, those inside of groups included.
fn flatten(stream: TokenStream, tokens: &mut Vec<Span>) {
    for token in stream {
        match token {
            TokenTree::Group(group) => {
                tokens.push(group.span_open());
                flatten(group.stream(), tokens);
                tokens.push(group.span_close());
            }
            other => tokens.push(other.span()),
        }
    }
}

/// The text from the first token to the last, and the folder of its file.
fn source(tokens: &[Span]) -> Result<(Source, Option<PathBuf>), String> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Err("the table is empty: it needs at least `name`, `start` and a state".to_owned());
    };
    let Some(path) = first.local_file() else {
        return Err("a table must stand in a file, not come out of another macro".to_owned());
    };
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    let whole = std::fs::read_to_string(&path).map_err(cannot_read)?;
    // rustc may know the file by a path that leads through the leaf; what is brought in beside it needs a path of its own.
    let path = path.canonicalize().map_err(cannot_read)?;
    let (start, end) = (offset(&whole, first.start()), offset(&whole, last.end()));
    let text = whole.get(start..end).unwrap_or_default().to_owned();
    let at = first.start();
    let shown = path.to_string_lossy().into_owned();
    let source = Source { path: shown, text, lines_before: at.line - 1, columns_before: at.column };
    Ok((source, path.parent().map(Path::to_path_buf)))
}

/// The byte offset of a place in the text.
fn offset(text: &str, place: LineColumn) -> usize {
    let line: usize = text.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
    let rest = &text[line..];
    line + rest.char_indices().nth(place.column).map_or(rest.len(), |(offset, _)| offset)
}

/// An error at the token, or a warning: stable Rust lets a macro warn by way of a deprecated constant.
fn report(diagnostic: &Diagnostic, source: &Source, tokens: &[Span]) -> TokenStream {
    let text = diagnostic.text(source);
    let span = span_at(diagnostic, source, tokens);
    match diagnostic.severity {
        Severity::Error => quote_spanned! { span => ::core::compile_error! { #text } },
        Severity::Warning => quote_spanned! { span =>
            const _: () = {
                #[deprecated(note = #text)]
                const TABLE: () = ();
                TABLE
            };
        },
    }
}

/// The span of the token that begins at the diagnostic's place, or of the last one before it.
fn span_at(diagnostic: &Diagnostic, source: &Source, tokens: &[Span]) -> Span {
    let (line, column) = source.line_column(diagnostic.span.start);
    let at = LineColumn { line, column: column - 1 };
    let before = tokens.iter().take_while(|span| span.start() <= at).last();
    before.or(tokens.first()).copied().unwrap_or_else(Span::call_site)
}
