//! Rules of the workspace that can be checked mechanically: no unfinished code, no machine-specific paths, no names
//! that belong to tables, only existing paths in ARCHITECTURE.md, and a reason for each dependency of the library.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
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

/// A violation of a rule, formatted as `path:line: message`.
type Violation = String;

impl File {
    fn violation(&self, line: usize, message: impl std::fmt::Display) -> Violation {
        format!("{}:{line}: {message}", self.path)
    }
}

/// Reads all text files of the workspace, except in the folders of git, cargo and npm.
fn files() -> Vec<File> {
    root::find().expect("tests run in the workspace");
    let mut files = Vec::new();
    let mut folders = vec![root::root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be listed").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            // `.git` is skipped by name, because in a secondary work tree it is a file.
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
    assert!(files.len() > 500, "only {} files were found, expected more than 500", files.len());
    files
}

fn assert_no_violations(violations: &[Violation]) {
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

/// Folders of code for all standards: the language, the executors, the reader of documents.
const GENERAL_CODE: [&str; 5] = [
    "spec/language/src/",
    "spec/oracle/src/",
    "spec/documents/src/",
    "macros/compiler/src/",
    "runtime/core/src/",
];

/// Beginnings of terms of standards other than HTML and XML, which must not occur in general code.
const OTHER_STANDARDS: [&str; 11] = [
    "authorit",
    "cue",
    "idna",
    "ipv4",
    "ipv6",
    "percent-encod",
    "punycode",
    "scheme",
    "userinfo",
    "vtt",
    "webvtt",
];

/// Finds a term of [`OTHER_STANDARDS`] at the beginning of a word, also of one within an identifier.
fn term_of_other_standard(line: &str) -> Option<&'static str> {
    let mut words = "-".to_owned();
    for character in line.chars() {
        let begins_word = character.is_uppercase() && !words.ends_with(char::is_uppercase);
        let separates = begins_word || !character.is_alphanumeric();
        words.extend((separates && !words.ends_with('-')).then_some('-'));
        words.extend(character.is_alphanumeric().then_some(character));
    }
    let words = words.to_lowercase();
    OTHER_STANDARDS.into_iter().find(|term| words.contains(&format!("-{term}")))
}

#[test]
fn terms_are_found_in_identifiers_and_prose() {
    let found = [
        ("/// Reads a cue.", "cue"),
        ("fn parse_cue_text() {}", "cue"),
        ("struct Ipv6Parser;", "ipv6"),
        ("// An IPv4 address", "ipv4"),
        ("let set = PERCENT_ENCODE_SET;", "percent-encod"),
        ("fn percentEncoded()", "percent-encod"),
        ("schemes", "scheme"),
    ];
    for (line, term) in found {
        assert_eq!(term_of_other_standard(line), Some(term), "{line}");
    }
    for line in ["rescue", "a schema", "let encoded = percent;"] {
        assert_eq!(term_of_other_standard(line), None, "{line}");
    }
}

#[test]
fn general_code_names_no_other_standard() {
    let mut violations = Vec::new();
    for file in
        files().iter().filter(|file| GENERAL_CODE.iter().any(|it| file.path.starts_with(it)))
    {
        for (text, line) in file.text.lines().zip(1..) {
            if let Some(term) = term_of_other_standard(text) {
                violations.push(file.violation(
                    line,
                    format!("`{term}` begins a term of one standard; it belongs in a table"),
                ));
            }
        }
    }
    assert_no_violations(&violations);
}

#[test]
fn paths_in_architecture_exist() {
    root::find().expect("tests run in the workspace");
    let text = fs::read_to_string(root::root().join("ARCHITECTURE.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let paths: BTreeSet<&str> = quoted
        .filter(|path| path.contains('/') && !path.contains([' ', '<', '*', '(', ':']))
        .collect();
    assert!(!paths.is_empty(), "no path was found in ARCHITECTURE.md");
    let absent: Vec<Violation> = paths
        .iter()
        .filter(|path| !root::root().join(path).exists())
        .map(|path| format!("ARCHITECTURE.md: `{path}` does not exist"))
        .collect();
    assert_no_violations(&absent);
}

/// Files for users who choose features or a package; each must name the dependencies under [`COPYLEFT_LICENSE`].
const LICENSE_NOTICES: [&str; 4] =
    ["README.md", "runtime/Cargo.toml", "runtime/src/lib.rs", "runtime/bindings/python/README.md"];

/// The only license allowed by deny.toml that obliges those who modify the code.
const COPYLEFT_LICENSE: &str = "MPL-2.0";

// `cargo deny` checks the licenses and sources of dependencies, but does not require reasons for them.
#[test]
fn each_dependency_of_the_library_has_a_reason() {
    root::find().expect("tests run in the workspace");
    let read_file = |name: &str| fs::read_to_string(root::root().join(name)).expect(name);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root::root());
    cargo.args(["tree", "--locked", "--all-features", "--prefix", "none"]);
    cargo.args(["--edges", "normal,build", "--target", "all", "--format", "{p}|{l}"]);
    let output = cargo.args(["--package", "tabulex"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree_output = String::from_utf8_lossy(&output.stdout).into_owned();
    // `cargo tree` prints a folder after the name of each package of the workspace, so such lines are skipped.
    let external = tree_output.lines().filter(|line| !line.contains("(/") && !line.contains(":\\"));
    let packages: BTreeSet<(&str, &str)> = external
        .filter_map(|line| Some((line.split_once(' ')?.0, line.split_once('|')?.1)))
        .collect();
    let used: BTreeSet<&str> = packages.iter().map(|(name, _)| *name).collect();
    let reasons: toml_edit::DocumentMut =
        read_file("xtask/dependencies.toml").parse().expect("xtask/dependencies.toml is TOML");
    let reasons: BTreeSet<&str> = reasons.iter().map(|(name, _)| name).collect();
    assert_eq!(used, reasons, "left: dependencies, right: entries of xtask/dependencies.toml");
    for (name, _) in packages.iter().filter(|(_, license)| license.contains(COPYLEFT_LICENSE)) {
        for file in LICENSE_NOTICES {
            let is_notice = |line: &str| line.contains(COPYLEFT_LICENSE) && line.contains(name);
            assert!(
                read_file(file).lines().any(is_notice),
                "{file} does not say that `{name}` is under {COPYLEFT_LICENSE}"
            );
        }
    }
}

/// Words that mark unfinished work in Rust files.
const UNFINISHED: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Folders under which paths are specific to one machine.
const LOCAL_FOLDERS: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/Use", "rs/")];

/// Beginnings of cargo settings for registries, with which the workspace would not build elsewhere.
const REGISTRIES: &[&str] = &["[source.", "[registries", "replace-with", "[registry]"];

/// The only registry that Cargo.lock may name.
const PUBLIC_REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[test]
fn no_file_contains_forbidden_words() {
    let mut violations = Vec::new();
    for file in files() {
        let is_toml = file.path.ends_with(".toml");
        for (index, line) in file.text.lines().enumerate() {
            let mut violation =
                |message: String| violations.push(file.violation(index + 1, message));
            if file.path.ends_with(".rs") {
                UNFINISHED.iter().filter(|word| contains_word(line, word)).for_each(|word| {
                    violation(format!("`{word}` marks unfinished work"));
                });
            }
            LOCAL_FOLDERS.iter().filter(|folder| contains_path(line, folder)).for_each(|folder| {
                violation(format!("a path in `{folder}` exists only on one machine"));
            });
            let is_other_registry = line.contains("registry+") && !line.contains(PUBLIC_REGISTRY);
            let is_setting = is_toml && REGISTRIES.iter().any(|word| line.trim().starts_with(word));
            if file.path.ends_with("Cargo.lock") && is_other_registry || is_setting {
                violation("names a registry other than crates.io".to_owned());
            }
        }
    }
    assert_no_violations(&violations);
}

/// Whether the line contains the word, rather than a longer word that includes it.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(offset, _)| {
        let is_word_character = |c: char| c.is_ascii_alphanumeric();
        !line[..offset].ends_with(is_word_character)
            && !line[offset + word.len()..].starts_with(is_word_character)
            || word.ends_with('(')
    })
}

/// Whether the line contains an absolute path that begins with the folder.
fn contains_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(offset, _)| {
        !line[..offset].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-/$}".contains(c))
    })
}

/// The folder whose code must not name what tables declare.
const RUNTIME: &str = "runtime/";

/// Paths in the runtime that may name dialects: the facade, the packages of dialects, the bridge to html5ever,
/// deserialization from XML, and the HTML part of the Python package. All other paths are generic.
const MAY_NAME_DIALECTS: [&str; 5] = [
    "runtime/src/",
    "runtime/dialects/",
    "runtime/extras/markup5ever/",
    "runtime/extras/serde/",
    "runtime/bindings/python/src/markup.rs",
];

/// Names of dialects that are also used for namespaces, output formats or types of values. In the generic runtime, they
/// are rejected only as modules of the crate.
const LANGUAGES: &[&str] = &["html", "Html", "url", "Url", "xml", "Xml"];

/// The names of dialects, and of the states and errors that their tables declare.
#[derive(Default)]
struct TableNames {
    /// Names of dialects in all forms: `html-2013`, `html_2013`, `tabulex_html_2013`, `Html2013`.
    dialects: BTreeSet<String>,
    /// Names of states and errors in kebab case: `tag-open`, `eof-in-tag`.
    kebab_case: BTreeSet<String>,
    /// Names of states and errors in camel case: `TagOpen`, `EofInTag`.
    camel_case: BTreeSet<String>,
}

#[test]
fn runtime_names_nothing_that_tables_declare() {
    let mut names = TableNames::default();
    let (files, home) = (files(), root::home());
    for id in home.dialects() {
        let machine = home.table(&id).unwrap().machine;
        let module = id.replace('-', "_");
        names.dialects.extend([to_camel_case(&id), format!("tabulex_{module}"), module, id]);
        let Some(machine) = machine else { continue };
        let states = machine.states.iter().map(|state| &state.name);
        for name in states.chain(machine.errors.iter().map(|error| &error.name)) {
            names.camel_case.insert(to_camel_case(name));
            // Single words such as `data` have other meanings, too, so they are searched for only in camel case.
            if name.contains('-') {
                names.kebab_case.insert(name.clone());
            }
        }
    }
    let mut violations = Vec::new();
    let is_of_runtime =
        |file: &&File| file.path.starts_with(RUNTIME) && file.path.contains("/src/");
    let is_code = |file: &&File| file.path.ends_with(".rs") && !file.path.ends_with("_tests.rs");
    for file in files.iter().filter(is_of_runtime).filter(is_code) {
        let tokens: TokenStream = file.text.parse().expect(&file.path);
        let is_generic = !MAY_NAME_DIALECTS.iter().any(|path| file.path.starts_with(path));
        let mut checker =
            NameChecker { names: &names, is_generic, file, violations: &mut violations };
        checker.check(tokens);
    }
    assert_no_violations(&violations);
}

/// Converts kebab case to camel case: `tag-open` to `TagOpen`.
fn to_camel_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// A checker that searches a file's tokens for names that tables declare.
struct NameChecker<'a> {
    names: &'a TableNames,
    is_generic: bool,
    file: &'a File,
    violations: &'a mut Vec<Violation>,
}

impl NameChecker<'_> {
    fn check(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            index += 1;
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    // In `#![…]`, an exclamation mark precedes the brackets and is skipped.
                    let is_punctuation = |token: &TokenTree| matches!(token, TokenTree::Punct(_));
                    let group_index =
                        index + usize::from(tokens.get(index).is_some_and(is_punctuation));
                    index = after_attribute(&tokens, group_index).unwrap_or(index);
                }
                TokenTree::Group(group) => self.check(group.stream()),
                TokenTree::Ident(ident) => {
                    let (name, before) = (ident.to_string(), &tokens[..index - 1]);
                    let is_language =
                        LANGUAGES.contains(&&*name) && !ends_in_path(before, ["crate", "tabulex"]);
                    let is_declared = self.names.camel_case.contains(&name)
                        && ends_in_path(before, ["State", "ErrorCode"]);
                    self.check_name(&name, ident.span(), is_language, is_declared);
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let word = text.trim_matches('"');
                    // A string such as "html" denotes an output format rather than the dialect.
                    let is_language = LANGUAGES.contains(&word);
                    let is_declared = self.names.kebab_case.contains(word);
                    self.check_name(word, literal.span(), is_language, is_declared);
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn check_name(&mut self, name: &str, span: Span, is_language: bool, is_declared: bool) {
        let mut report = |message| {
            self.violations.push(self.file.violation(span.start().line, message));
        };
        if self.is_generic && self.names.dialects.contains(name) && !is_language {
            report(format!("the generic runtime names the dialect `{name}`"));
        }
        if is_declared {
            report(format!("`{name}` is declared by a table; the runtime must not name it"));
        }
    }
}

/// Returns the index at which to continue after an attribute with its brackets at `index`: after a doc comment, or
/// after the item of `cfg(test)`. Returns `None` for other attributes, whose tokens are checked.
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
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    Some(tokens[index..].iter().position(is_end).map_or(tokens.len(), |end| index + end + 1))
}

/// Whether the tokens before a word are one of these names and `::`.
fn ends_in_path(before: &[TokenTree], names: [&str; 2]) -> bool {
    let [.., TokenTree::Ident(name), TokenTree::Punct(one), TokenTree::Punct(two)] = before else {
        return false;
    };
    names.iter().any(|expected| name == expected) && one.as_char() == ':' && two.as_char() == ':'
}
