//! Names that only tables may hold: dialects in the generic runtime, states and error codes anywhere in the runtime.
//! Comments, documentation and tests of a module may name them. Invariant: the names are read from the tables.

use super::{Breach, File};
use crate::{Failure, root};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The part of the tree that the rules are about.
const RUNTIME: &str = "runtime/";

/// Parts of it that may name dialects: the face joins them, each leaf is one, the bridge to html5ever is one of HTML,
/// values are read of XML. The other parts are generic.
const FACE: &str = "runtime/src/";
const BRIDGE: &str = "runtime/markup5ever/";
const VALUES: &str = "runtime/serde/";
const LEAVES: &str = "runtime/dialects/";

/// Dialects whose names are those of languages as well: of namespaces, of a serialization. In the generic runtime they
/// count only as modules of the crate.
const LANGUAGES: &[&str] = &["html", "Html"];

/// What tables are called and declare.
#[derive(Default)]
struct Names {
    /// `html-2013`, `html_2013`, `tabulex_html_2013`, `Html2013`.
    dialects: BTreeSet<String>,
    /// `tag-open`, `eof-in-tag`.
    words: BTreeSet<String>,
    /// `TagOpen`, `EofInTag`.
    variants: BTreeSet<String>,
}

/// Reads the runtime.
pub(super) fn check(files: &[File]) -> Result<Vec<Breach>, Failure> {
    let mut names = Names::default();
    for path in root::tables()? {
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let id = id.unwrap_or_default();
        let module = id.replace('-', "_");
        names.dialects.extend([camel(&id), format!("tabulex_{module}"), module, id]);
        let Some(machine) = root::load(&path)?.1.machine else {
            continue;
        };
        let states = machine.states.iter().map(|state| &state.name);
        for name in states.chain(machine.errors.iter().map(|error| &error.name)) {
            names.variants.insert(camel(name));
            // A single word, such as `data`, is everybody's.
            if name.contains('-') {
                names.words.insert(name.clone());
            }
        }
    }
    let mut breaches = Vec::new();
    let is_of_runtime =
        |file: &&File| file.path.starts_with(RUNTIME) && file.path.contains("/src/");
    for file in files.iter().filter(is_of_runtime).filter(|file| file.is_house_rust()) {
        let tokens: TokenStream = file
            .text()
            .parse()
            .map_err(|error| format!("{}: no Rust tokens: {error}", file.path))?;
        let named = [FACE, LEAVES, BRIDGE, VALUES];
        let is_generic = !named.iter().any(|part| file.path.starts_with(part));
        let mut reader = Reader { names: &names, is_generic, file, breaches: &mut breaches };
        reader.read(tokens);
    }
    Ok(breaches)
}

/// `tag-open` as `TagOpen`.
fn camel(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

struct Reader<'a> {
    names: &'a Names,
    is_generic: bool,
    file: &'a File,
    breaches: &'a mut Vec<Breach>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            index += 1;
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    // `#![…]` has a mark between.
                    let is_mark = |token: &TokenTree| matches!(token, TokenTree::Punct(_));
                    let at = index + usize::from(tokens.get(index).is_some_and(is_mark));
                    index = after_attribute(&tokens, at).unwrap_or(index);
                }
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let line = ident.span().start().line;
                    let is_language =
                        LANGUAGES.contains(&&*name) && !is_module(&tokens[..index - 1]);
                    if self.is_generic && self.names.dialects.contains(&name) && !is_language {
                        self.breach(
                            line,
                            format!("the generic runtime names the dialect `{name}`"),
                        );
                    }
                    if self.names.variants.contains(&name) && is_variant(&tokens[..index - 1]) {
                        self.breach(line, format!("`{name}` is typed by hand"));
                    }
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let word = text.trim_matches('"');
                    let line = literal.span().start().line;
                    // As a text, such a name is that of a form to write trees in.
                    let is_dialect = self.names.dialects.contains(word);
                    if self.is_generic && is_dialect && !LANGUAGES.contains(&word) {
                        self.breach(line, format!("the generic runtime names the dialect {text}"));
                    }
                    if self.names.words.contains(word) {
                        self.breach(line, format!("{text} is typed by hand"));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn breach(&mut self, line: usize, what: String) {
        self.breaches.push(self.file.breach(line, what));
    }
}

/// Where to go on after the attribute whose brackets are at `at`: after documentation, and after an item that is for
/// tests only. Other attributes are read.
fn after_attribute(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let TokenTree::Group(group) = tokens.get(at)? else {
        return None;
    };
    let text = group.stream().to_string();
    if text.starts_with("doc") {
        return Some(at + 1);
    }
    if text.split_whitespace().collect::<String>() != "cfg(test)" {
        return None;
    }
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    Some(tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end + 1))
}

/// Whether what is before makes the next word a module of a crate: `crate::`, `tabulex::`.
fn is_module(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(parent), TokenTree::Punct(one), TokenTree::Punct(two)] = before
    else {
        return false;
    };
    (parent == "crate" || parent == "tabulex") && one.as_char() == ':' && two.as_char() == ':'
}

/// Whether what is before makes the next word a state or an error code: `State::`, `ErrorCode::`.
fn is_variant(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(kind), TokenTree::Punct(one), TokenTree::Punct(two)] = before else {
        return false;
    };
    (kind == "State" || kind == "ErrorCode") && one.as_char() == ':' && two.as_char() == ':'
}
