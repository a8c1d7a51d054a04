//! Lines of code that are `unsafe`, counted in files of Rust. It judges nothing. Invariant: a line is counted once, and
//! what is written by macros counts where the macro is written.

use crate::Failure;
use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::ops::AddAssign;
use std::path::Path;

/// Numbers of lines with code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// Those within `unsafe` blocks, functions, implementations and traits.
    pub(super) of_unsafe: usize,
    /// All, without comments and empty ones.
    pub(super) all: usize,
}

impl AddAssign for Lines {
    fn add_assign(&mut self, other: Self) {
        self.of_unsafe += other.of_unsafe;
        self.all += other.all;
    }
}

/// The lines of all files in a folder and below.
pub(super) fn in_folder(folder: &Path) -> Result<Lines, Failure> {
    let failure = |error| format!("cannot read {}: {error}", folder.display());
    let mut lines = Lines::default();
    for entry in fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        if path.is_dir() {
            lines += in_folder(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).map_err(failure)?;
            lines += of(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(lines)
}

/// The lines of a text.
fn of(text: &str) -> Result<Lines, String> {
    let tokens: TokenStream = text.parse().map_err(|error| format!("no Rust: {error}"))?;
    let (mut all, mut of_unsafe) = (BTreeSet::new(), BTreeSet::new());
    walk(tokens, false, &mut all, &mut of_unsafe);
    Ok(Lines { of_unsafe: of_unsafe.len(), all: all.len() })
}

/// Adds the lines of the tokens; what follows `unsafe` is unsafe up to the end of the next braces.
fn walk(
    tokens: TokenStream,
    is_unsafe: bool,
    all: &mut BTreeSet<usize>,
    of_unsafe: &mut BTreeSet<usize>,
) {
    let mut is_after_unsafe = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        // An attribute, such as a comment of documentation or a lint about unsafe code, is no code.
        if is_attribute(&token, tokens.peek()) {
            tokens.next();
            continue;
        }
        is_after_unsafe |= matches!(&token, TokenTree::Ident(ident) if ident == "unsafe");
        let is_here = is_unsafe || is_after_unsafe;
        let mut add = |LineColumn { line, .. }| {
            all.insert(line);
            if is_here {
                of_unsafe.insert(line);
            }
        };
        match token {
            TokenTree::Group(group) => {
                add(group.span_open().start());
                add(group.span_close().start());
                walk(group.stream(), is_here, all, of_unsafe);
                is_after_unsafe &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Punct(mark) => {
                add(mark.span().start());
                // A declaration without a body.
                is_after_unsafe &= mark.as_char() != ';';
            }
            other => add(other.span().start()),
        }
    }
}

/// Whether an attribute begins with the token.
fn is_attribute(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '#')
        && matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_once() {
        for (text, of_unsafe, all) in [
            ("fn f() {\n    // unsafe {}\n    g();\n}\n", 0, 3),
            ("fn f() {\n    unsafe {\n        g(); g();\n    }\n    g();\n}\n", 3, 6),
            ("unsafe fn f();\nfn g() {}\n", 1, 2),
            ("unsafe impl T for U {}\n\nfn g() { \"unsafe\" }\n", 1, 2),
            ("/// Is `unsafe`.\n#[allow(unsafe_code)]\nfn g() {}\n", 0, 1),
            ("macro_rules! m { () => { unsafe {\n f() } } }\n", 2, 2),
        ] {
            assert_eq!(of(text), Ok(Lines { of_unsafe, all }), "{text}");
        }
    }
}
