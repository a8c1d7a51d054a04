//! Mechanical rules of the workspace: no unfinished code, no machine-specific paths, no names that belong to tables,
//! only existing paths in ARCHITECTURE.md, and a reason for each dependency of the library.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use xtask_tables::root;

/// A text file of the source tree.
struct File {
    /// Path relative to the root, with `/`.
    path: String,
    text: String,
}

/// A violation, as `path:line: message`.
type Breach = String;

impl File {
    fn breach(&self, line: usize, what: impl std::fmt::Display) -> Breach {
        format!("{}:{line}: {what}", self.path)
    }
}

/// All text files, without those of git and cargo.
fn files() -> Vec<File> {
    root::find().expect("tests run in the workspace");
    let mut files = Vec::new();
    let mut folders = vec![root::root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder is listed").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            // In a secondary work tree of git, `.git` is a file.
            if name == "target" || name == ".git" || name == "node_modules" {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ => {
                    let Ok(text) = fs::read_to_string(&path) else { continue };
                    files.push(File { path: root::display_path(&path).replace('\\', "/"), text });
                }
            }
        }
    }
    assert!(files.len() > 500, "the source tree is there");
    files
}

fn assert_none(breaches: &[Breach]) {
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn no_file_contains_forbidden_words() {
    assert_none(&words(&files()));
}

#[test]
fn runtime_names_nothing_that_tables_declare() {
    assert_none(&names_of_tables(&files()));
}

/// Code that is the same for all standards: the language, the executors, the reader of documents.
const GENERAL: [&str; 5] = [
    "spec/language/src/",
    "spec/oracle/src/",
    "spec/documents/src/",
    "macros/compiler/src/",
    "runtime/core/src/",
];

/// Words of standards beside HTML and XML.
const OTHER_STANDARDS: [&str; 7] =
    ["authority", "cue", "ipv4", "ipv6", "percent-encode", "scheme", "webvtt"];

#[test]
fn general_code_names_no_other_standard() {
    let mut breaches = Vec::new();
    for file in files().iter().filter(|file| GENERAL.iter().any(|it| file.path.starts_with(it))) {
        for (text, line) in file.text.lines().zip(1..) {
            let text = text.to_lowercase().replace('_', "-");
            let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '-');
            if let Some(word) = words.find(|word| OTHER_STANDARDS.contains(word)) {
                breaches.push(file.breach(
                    line,
                    format!("`{word}` is a word of one standard, and belongs in its table"),
                ));
            }
        }
    }
    assert_none(&breaches);
}

#[test]
fn paths_in_architecture_exist() {
    root::find().expect("tests run in the workspace");
    let text = fs::read_to_string(root::root().join("ARCHITECTURE.md")).expect("it is there");
    let quoted = text.split('`').skip(1).step_by(2);
    let paths: BTreeSet<&str> = quoted
        .filter(|path| path.contains('/') && !path.contains([' ', '<', '*', '(', ':']))
        .collect();
    assert!(!paths.is_empty(), "ARCHITECTURE.md names paths");
    let absent: Vec<Breach> = paths
        .iter()
        .filter(|path| !root::root().join(path).exists())
        .map(|path| format!("ARCHITECTURE.md: `{path}` does not exist"))
        .collect();
    assert_none(&absent);
}

/// Files in which users choose features, each of which must mention the ones with code under [`TOLD_LICENCE`].
const TOLD_IN: [&str; 3] = ["README.md", "runtime/Cargo.toml", "runtime/src/lib.rs"];

/// A license with obligations for those who modify the code, unlike the others that deny.toml allows.
const TOLD_LICENCE: &str = "MPL-2.0";

/// Licenses, sources and advisories are covered by `cargo deny`.
#[test]
fn each_dependency_of_the_library_has_a_reason() {
    root::find().expect("tests run in the workspace");
    let read = |name: &str| fs::read_to_string(root::root().join(name)).expect(name);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root::root()).args([
        "tree",
        "--locked",
        "--all-features",
        "--prefix",
        "none",
    ]);
    cargo.args(["--edges", "normal,build", "--target", "all", "--format", "{p}|{l}"]);
    let output = cargo.args(["--package", "tabulex"]).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    // Packages of the workspace are followed by their folder.
    let others = listed.lines().filter(|line| !line.contains("(/") && !line.contains(":\\"));
    let packages: BTreeSet<(&str, &str)> = others
        .filter_map(|line| Some((line.split_once(' ')?.0, line.split_once('|')?.1)))
        .collect();
    let used: BTreeSet<&str> = packages.iter().map(|(name, _)| *name).collect();
    let reasons: toml_edit::DocumentMut =
        read("xtask/dependencies.toml").parse().expect("the reasons are TOML");
    let reasons: BTreeSet<&str> = reasons.iter().map(|(name, _)| name).collect();
    assert_eq!(used, reasons, "left: dependencies, right: those with a reason");
    for (name, _) in packages.iter().filter(|(_, licence)| licence.contains(TOLD_LICENCE)) {
        for text in TOLD_IN {
            let states_license = |line: &str| line.contains(TOLD_LICENCE) && line.contains(name);
            assert!(
                read(text).lines().any(states_license),
                "{text}: {name} is under {TOLD_LICENCE}"
            );
        }
    }
}

/// Marks of unfinished work in Rust files.
const UNFINISHED: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Machine-specific root folders.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/Use", "rs/")];

/// Marks of private registries in files that cargo reads.
const REGISTRIES: &[&str] = &["[source.", "[registries", "replace-with", "[registry]"];

/// The only registry that Cargo.lock may name.
const PUBLIC: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn words(files: &[File]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for file in files {
        let is_cargos = file.path.ends_with(".toml");
        for (index, line) in file.text.lines().enumerate() {
            let mut breach = |what: String| breaches.push(file.breach(index + 1, what));
            if file.path.ends_with(".rs") {
                UNFINISHED.iter().filter(|word| holds(line, word)).for_each(|word| {
                    breach(format!("`{word}` marks unfinished work"));
                });
            }
            FOLDERS.iter().filter(|folder| holds_path(line, folder)).for_each(|folder| {
                breach(format!("`{folder}` is a path of one machine"));
            });
            let is_other_registry = line.contains("registry+") && !line.contains(PUBLIC);
            let is_named = is_cargos && REGISTRIES.iter().any(|word| line.trim().starts_with(word));
            if file.path.ends_with("Cargo.lock") && is_other_registry || is_named {
                breach("names a registry that is not for everybody".to_owned());
            }
        }
    }
    breaches
}

/// Whether the line contains the word, not as part of a longer one.
fn holds(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(offset, _)| {
        let is_inside = |c: char| c.is_ascii_alphanumeric();
        !line[..offset].ends_with(is_inside) && !line[offset + word.len()..].starts_with(is_inside)
            || word.ends_with('(')
    })
}

/// Whether the line contains an absolute path that begins with the folder.
fn holds_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(offset, _)| {
        !line[..offset].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-/$}".contains(c))
    })
}

/// The part of the tree that the rules apply to.
const RUNTIME: &str = "runtime/";

/// Parts of it that may name dialects: the facade, the dialects' own packages, the bridge to html5ever,
/// deserialization from XML, and what concerns HTML alone in the Python package. The other parts are generic.
const FACE: &str = "runtime/src/";
const BRIDGE: &str = "runtime/extras/markup5ever/";
const VALUES: &str = "runtime/extras/serde/";
const LEAVES: &str = "runtime/dialects/";
const PYTHON: &str = "runtime/bindings/python/src/markup.rs";

/// Dialects with names that also denote languages: namespaces, a serialization, the values of attributes. In the generic runtime they count only
/// as modules of the crate.
const LANGUAGES: &[&str] = &["html", "Html", "url", "Url", "xml", "Xml"];

/// The names of tables, and of their states and errors.
#[derive(Default)]
struct Names {
    /// Names of dialects, in forms such as `html-2013`, `html_2013`, `tabulex_html_2013`, `Html2013`.
    dialects: BTreeSet<String>,
    /// Names of states and errors in kebab case: `tag-open`, `eof-in-tag`.
    words: BTreeSet<String>,
    /// Names of states and errors in camel case: `TagOpen`, `EofInTag`.
    variants: BTreeSet<String>,
}

fn names_of_tables(files: &[File]) -> Vec<Breach> {
    let mut names = Names::default();
    let home = root::home();
    for id in home.dialects() {
        let machine = home.table(&id).expect("a table is read").machine;
        let module = id.replace('-', "_");
        names.dialects.extend([camel(&id), format!("tabulex_{module}"), module, id]);
        let Some(machine) = machine else { continue };
        let states = machine.states.iter().map(|state| &state.name);
        for name in states.chain(machine.errors.iter().map(|error| &error.name)) {
            names.variants.insert(camel(name));
            // Single words, such as `data`, are too common.
            if name.contains('-') {
                names.words.insert(name.clone());
            }
        }
    }
    let mut breaches = Vec::new();
    let is_of_runtime =
        |file: &&File| file.path.starts_with(RUNTIME) && file.path.contains("/src/");
    let is_code = |file: &&File| file.path.ends_with(".rs") && !file.path.ends_with("_tests.rs");
    for file in files.iter().filter(is_of_runtime).filter(is_code) {
        let tokens: TokenStream = file.text.parse().expect(&file.path);
        let named = [FACE, LEAVES, BRIDGE, VALUES, PYTHON];
        let is_generic = !named.iter().any(|part| file.path.starts_with(part));
        let mut reader = Reader { names: &names, is_generic, file, breaches: &mut breaches };
        reader.read(tokens);
    }
    breaches
}

/// Camel case: `TagOpen` for `tag-open`.
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
                    // `#![…]` has an exclamation mark in between.
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
                    // As a string, such a name denotes an output format.
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

/// Returns the index at which to continue after the attribute whose brackets are at `index`: after the attribute if it is
/// documentation, after its item if it is `cfg(test)`. Returns `None` for other attributes, whose tokens are checked.
fn after_attribute(tokens: &[TokenTree], index: usize) -> Option<usize> {
    let TokenTree::Group(group) = tokens.get(index)? else {
        return None;
    };
    let text = group.stream().to_string();
    if text.starts_with("doc") {
        return Some(index + 1);
    }
    if text.split_whitespace().collect::<String>() != "cfg(test)" {
        return None;
    }
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    Some(tokens[index..].iter().position(ends).map_or(tokens.len(), |end| index + end + 1))
}

/// Whether the preceding tokens make the next word a module of a crate: `crate::`, `tabulex::`.
fn is_module(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(parent), TokenTree::Punct(one), TokenTree::Punct(two)] = before
    else {
        return false;
    };
    (parent == "crate" || parent == "tabulex") && one.as_char() == ':' && two.as_char() == ':'
}

/// Whether the preceding tokens make the next word a state or an error code: `State::`, `ErrorCode::`.
fn is_variant(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(kind), TokenTree::Punct(one), TokenTree::Punct(two)] = before else {
        return false;
    };
    (kind == "State" || kind == "ErrorCode") && one.as_char() == ':' && two.as_char() == ':'
}
