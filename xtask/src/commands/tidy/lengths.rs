//! Lengths of files and functions. A function is measured from its first line to its closing brace, without comments
//! above it. Invariant: what is longer than the limit is in the list of exceptions, with its reason.

use super::exceptions::{EXCEPTIONS, Exception};
use super::{Breach, File};
use crate::Failure;
use syn::spanned::Spanned as _;
use syn::{Block, ImplItem, Item, Signature, TraitItem};

/// Lines of a file.
const FILE: usize = 600;
/// Lines of a function: a screen.
const FUNCTION: usize = 80;

/// Something that has a length.
struct Measured {
    function: Option<String>,
    line: usize,
    lines: usize,
}

/// Measures all files of the house.
pub(super) fn check(files: &[File]) -> Result<Vec<Breach>, Failure> {
    let mut breaches = Vec::new();
    let mut needed = vec![false; EXCEPTIONS.len()];
    for file in files.iter().filter(|file| file.is_house_rust()) {
        for measured in measure(file)? {
            let limit = if measured.function.is_some() { FUNCTION } else { FILE };
            if measured.lines <= limit {
                continue;
            }
            let exception =
                EXCEPTIONS.iter().position(|exception| is_for(exception, file, &measured));
            if let Some(index) = exception {
                needed[index] = true;
            }
            let allowed = exception.map_or(limit, |index| EXCEPTIONS[index].lines);
            if measured.lines > allowed {
                let what =
                    measured.function.map_or("the file".to_owned(), |name| format!("`{name}`"));
                let lines = measured.lines;
                breaches.push(file.breach(
                    measured.line,
                    format!("{what} has {lines} lines, more than {allowed}"),
                ));
            }
        }
    }
    for (exception, _) in EXCEPTIONS.iter().zip(needed).filter(|(_, needed)| !needed) {
        breaches.push(Breach {
            path: exception.path.to_owned(),
            line: 0,
            what: format!("the exception ({}) is no longer needed", exception.reason),
        });
    }
    Ok(breaches)
}

fn is_for(exception: &Exception, file: &File, measured: &Measured) -> bool {
    exception.path == file.path && exception.function == measured.function.as_deref()
}

fn measure(file: &File) -> Result<Vec<Measured>, Failure> {
    let lines = file.text().lines().count();
    let mut found = vec![Measured { function: None, line: 1, lines }];
    let syntax = syn::parse_file(file.text())
        .map_err(|error| format!("{}:{}: {error}", file.path, error.span().start().line))?;
    functions(&syntax.items, &mut found);
    Ok(found)
}

fn functions(items: &[Item], found: &mut Vec<Measured>) {
    for item in items {
        match item {
            Item::Fn(item) => found.push(function(&item.sig, &item.block)),
            Item::Impl(item) => found.extend(item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(item) => Some(function(&item.sig, &item.block)),
                _ => None,
            })),
            Item::Trait(item) => found.extend(item.items.iter().filter_map(|item| match item {
                TraitItem::Fn(item) => Some(function(&item.sig, item.default.as_ref()?)),
                _ => None,
            })),
            Item::Mod(item) => {
                let inner = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                functions(inner, found);
            }
            _ => {}
        }
    }
}

fn function(signature: &Signature, block: &Block) -> Measured {
    let first = signature.span().start().line;
    let last = block.brace_token.span.close().end().line;
    Measured { function: Some(signature.ident.to_string()), line: first, lines: last + 1 - first }
}
