//! Expansion of the macro: conversion of the call's tokens to their source text, and of diagnostics to compile errors
//! at the corresponding tokens.

mod report;

use proc_macro2::{Ident, LineColumn, Span, TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tabulex_language::extend::suggest_bases;
use tabulex_language::parse::Outline;
use tabulex_language::{Severity, Source, syntax::FileId};

/// Returns the code of the machine and its compile warnings, or placeholder items and the compile errors.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if let Some(messages) = report::inserted_messages(&input) {
        return messages;
    }
    let mut tokens = Vec::new();
    flatten(input, &mut tokens);
    let (source, folder) = match source(&tokens) {
        Ok(found) => found,
        Err(message) => return quote! { ::core::compile_error! { #message } },
    };
    let read_files = RefCell::new(Vec::new());
    let files = |name: &str| {
        // A file beside the table takes precedence over a built-in table with the same name.
        let folders = folder.iter().map(PathBuf::as_path);
        let folders = folders.chain([Path::new(tabulex_tables::FOLDER)]);
        folders.map(|folder| folder.join(name)).find_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            read_files.borrow_mut().push((name.to_owned(), path));
            Some(text)
        })
    };
    let mut loaded = tabulex_language::load_inline(&source, &files);
    suggest_bases(&mut loaded.diagnostics, &loaded.source, &tabulex_tables::names);
    if let Some(machine) = &loaded.machine {
        let diagnostics = tabulex_compiler::natives::check(machine);
        let has_error = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        loaded.diagnostics.extend(diagnostics);
        loaded.machine = loaded.machine.filter(|_| !has_error);
    }
    let read_files = read_files.into_inner();
    // `include_bytes!` makes Cargo rebuild the crate when one of the files read for the table changes.
    let watched: TokenStream = read_files
        .iter()
        .map(|(_, path)| path.to_string_lossy().into_owned())
        .map(|path| quote! { const _: &[u8] = ::core::include_bytes!(#path); })
        .collect();
    loaded.source.path = displayed_path(&tokens, &source);
    let mut paths = Vec::new();
    for file in &mut loaded.source.files {
        let read_file = read_files.iter().find(|(name, _)| *name == file.path);
        let path = read_file.map(|(_, path)| path.clone()).unwrap_or_default();
        file.path = relative_path(&path);
        paths.push(path);
    }
    let mut code = TokenStream::new();
    let (own, others): (Vec<_>, Vec<_>) =
        loaded.diagnostics.iter().partition(|diagnostic| diagnostic.span.file == FileId::TABLE);
    for diagnostic in own {
        let (start, end) = report::positions(diagnostic, &loaded.source);
        code.extend(report::report(
            &report::Message::new(diagnostic, &loaded.source),
            &tokens,
            start,
            end,
        ));
    }
    code.extend(report::report_in_other_files(&others, &loaded.source, &paths));
    let Some(machine) = loaded.machine else {
        let outline = outline(&source);
        let items = tabulex_compiler::skeleton(&outline);
        code.extend(in_module(outline.name.as_deref(), items));
        return code;
    };
    code.extend(watched);
    code.extend(in_module(Some(&machine.name), tabulex_compiler::expand(&machine)));
    code
}

/// Puts the items into a module named after the table, and re-exports them beside it. If a user's module has several
/// tables, `State` is ambiguous, but `NAME::State` is not.
fn in_module(name: Option<&str>, items: TokenStream) -> TokenStream {
    let Some(name) = name else { return items };
    let module = Ident::new(&name.replace('-', "_"), Span::mixed_site());
    quote! {
        #[doc(hidden)]
        #[allow(clippy::module_inception)]
        pub mod #module { #items }
        #[allow(unused_imports, ambiguous_glob_reexports)]
        pub use self::#module::*;
    }
}

/// Returns the path of the table as rustc displays it.
fn displayed_path(tokens: &[Span], source: &Source) -> String {
    tokens.first().map_or_else(|| source.path.clone(), Span::file)
}

/// Returns a path relative to rustc's working directory, as rustc displays paths.
fn relative_path(path: &Path) -> String {
    let root = std::env::current_dir().and_then(|root| root.canonicalize()).unwrap_or_default();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned()
}

/// Returns the names that a rejected table declares. A table without a name gets the name of its `.states` file, if
/// that is a valid name.
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

/// Collects the spans of all tokens in source order, including those in groups.
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

/// Returns the source text from the first to the last token, and the folder of the file.
///
/// # Errors
/// A message, if there are no tokens, or they are not from a file that can be read.
fn source(tokens: &[Span]) -> Result<(Source, Option<PathBuf>), String> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Err("the table is empty: write `name NAME;` and its states or modes".to_owned());
    };
    let Some(path) = first.local_file() else {
        return Err("a table must be written in a file, not generated by another macro".to_owned());
    };
    let cannot_read = |error| format!("cannot read `{}`: {error}", path.display());
    let file_text = std::fs::read_to_string(&path).map_err(cannot_read)?;
    // rustc may know the file by a symbolic link, but the files that the table names are beside the link's target.
    let path = path.canonicalize().map_err(cannot_read)?;
    let (start, end) = (offset(&file_text, first.start()), offset(&file_text, last.end()));
    let text = file_text.get(start..end).unwrap_or_default().to_owned();
    let position = first.start();
    let mut source = Source::new(path.to_string_lossy().into_owned(), text);
    (source.lines_before, source.columns_before) = (position.line - 1, position.column);
    Ok((source, path.parent().map(Path::to_path_buf)))
}

/// Converts a line and column to a byte offset.
fn offset(text: &str, position: LineColumn) -> usize {
    let line_start: usize = text.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
    let line_text = &text[line_start..];
    line_start
        + line_text
            .char_indices()
            .nth(position.column)
            .map_or(line_text.len(), |(offset, _)| offset)
}
