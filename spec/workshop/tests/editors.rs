//! Syntax highlighting for editors, generated from the grammar and the vocabulary and tested with VS Code's own library
//! and in Neovim. Each new word of the language must be highlighted; `UPDATE_EXPECT=1` updates the files.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabulex_language::vocabulary::tree::{
    DOCTYPE_TESTS, TREE_ACTIONS, TREE_CONDITIONS, TREE_LIMITS,
};
use tabulex_language::vocabulary::{
    ACTIONS, CONDITIONS, Form, FormPart, LIMITS, Product, Slot, TEXTS, keywords,
};

type Words = BTreeSet<&'static str>;

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The first words of forms, and all their other words.
fn of_forms<M>(forms: &'static [Form<M>], first: &mut Words, other: &mut Words) {
    // Names that the table defines are not words of the language.
    for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
        first.extend(form.first_word());
        let words = form.parts().filter_map(|part| match part {
            FormPart::Word(word) => Some(word),
            FormPart::Slot(_) => None,
        });
        other.extend(words.skip(usize::from(form.first_word().is_some())));
    }
}

/// Words of patterns that belong to the language but to no list of it.
const PATTERNS: &[&str] = &[
    "EOF",
    "else",
    "always",
    "nothing",
    "returned",
    "reference",
    "additional-allowed-character",
    "comment",
    "doctype",
    "processing-instruction",
    "short-end",
];

/// All highlighted words: those of the grammar, of actions, and others.
fn words() -> [Words; 3] {
    let (mut actions, mut others) = (Words::new(), Words::new());
    of_forms(ACTIONS, &mut actions, &mut others);
    of_forms(TREE_ACTIONS, &mut actions, &mut others);
    let mut asked = Words::new();
    of_forms(CONDITIONS, &mut asked, &mut others);
    of_forms(TREE_CONDITIONS, &mut asked, &mut others);
    of_forms(DOCTYPE_TESTS, &mut asked, &mut others);
    others.extend(asked);
    others.extend(Slot::ALL.iter().flat_map(|slot| slot.words()));
    others.extend(TEXTS.iter().map(|(word, _)| *word));
    others.extend(LIMITS.iter().map(|(word, _)| *word));
    others.extend(TREE_LIMITS.iter().map(|(word, _)| *word));
    let keywords: Words = keywords().into_iter().collect();
    actions.retain(|word| !keywords.contains(word));
    others.retain(|word| !keywords.contains(word) && !actions.contains(word));
    [keywords, actions, others]
}

/// Keywords of declarations that begin with a name.
fn declaring() -> Vec<&'static str> {
    const NAMED: &[&str] = &[
        "state",
        "lexical-mode",
        "mode",
        "procedure",
        "class",
        "lexeme",
        "steps",
        "action",
        "condition",
        "flag",
        "names",
        "scope",
        "adjust",
        "doctypes",
        "algorithm",
    ];
    let known = keywords();
    NAMED.iter().copied().filter(|word| known.contains(word)).collect()
}

/// First words of actions that are followed by the name of a state or a mode.
fn leading() -> Words {
    fn of<M>(forms: &'static [Form<M>], all: &mut Words) {
        for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
            let leads = |part| matches!(part, FormPart::Slot(Slot::State | Slot::Mode));
            if form.parts().nth(1).is_some_and(leads) {
                all.extend(form.first_word());
            }
        }
    }
    let mut all = Words::new();
    of(ACTIONS, &mut all);
    of(TREE_ACTIONS, &mut all);
    all
}

fn any<'a>(words: impl IntoIterator<Item = &'a &'a str>) -> String {
    let list: Vec<&str> = words.into_iter().copied().collect();
    format!("(?<![A-Za-z0-9-])({})(?![A-Za-z0-9-])", list.join("|"))
}

/// The grammar for VS Code and others with its format.
fn text_mate() -> String {
    const NAME: &str = "\\s+([A-Za-z][A-Za-z0-9-]*)";
    let [keywords, actions, others] = words();
    let named = |words: String, first: &str, name: &str| {
        let captures = json!({ "1": { "name": first }, "2": { "name": name } });
        json!({ "match": words + NAME, "captures": captures })
    };
    let matches = |words: String, name: &str| json!({ "match": words, "name": name });
    let escape = r#"\\(?:[0tnr\\'"]|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]{1,6}\})"#;
    let escapes = json!([{ "match": escape, "name": "constant.character.escape.tabulex" }]);
    let quoted = |quote: &str, name: &str| json!({ "begin": quote, "end": quote, "name": name, "patterns": escapes });
    let patterns = json!([
        matches("//.*$".into(), "comment.line.double-slash.tabulex"),
        quoted("\"", "string.quoted.double.tabulex"),
        quoted("'", "string.quoted.single.tabulex"),
        matches("(?<![A-Za-z0-9-])(0x[0-9A-Fa-f]+|[0-9]+)".into(), "constant.numeric.tabulex"),
        named(any(&declaring()), "keyword.declaration.tabulex", "entity.name.type.tabulex"),
        named(any(&leading()), "support.function.tabulex", "entity.name.type.tabulex"),
        named(any(&["error"]), "support.function.tabulex", "variable.other.constant.tabulex"),
        matches(any(PATTERNS), "constant.language.tabulex"),
        matches("machine!".into(), "entity.name.function.macro.tabulex"),
        matches(any(&keywords), "keyword.control.tabulex"),
        matches(any(&actions), "support.function.tabulex"),
        matches(any(&others), "support.constant.tabulex"),
        matches(r"=>|\.\.=?|[|=*+?@]".into(), "keyword.operator.tabulex"),
    ]);
    let whole = json!({
        "name": "tabulex table",
        "scopeName": "source.tabulex",
        "fileTypes": ["states", "modes"],
        "patterns": patterns,
    });
    format!("{whole:#}\n")
}

/// The syntax file for Neovim and Vim.
fn vim() -> String {
    let [keywords, actions, others] = words();
    let mut text = "\" Colours of tables; written from the grammar and the vocabulary.\n\
        if exists(\"b:current_syntax\") | finish | endif\nsyntax iskeyword @,48-57,-\n"
        .to_owned();
    let mut line = |group: &str, words: &mut dyn Iterator<Item = &&str>| {
        let list: Vec<&str> = words.copied().filter(|it| *it != "contained").collect();
        text += &format!("syntax keyword {group} {}\n", list.join(" "));
    };
    line("tabulexKeyword", &mut keywords.iter());
    line("tabulexAction", &mut actions.iter());
    line("tabulexWord", &mut others.iter());
    line("tabulexPattern", &mut PATTERNS.iter());
    text += "syntax match tabulexComment \"//.*$\"\n\
        syntax region tabulexString start=+\"+ skip=+\\\\.+ end=+\"+\n\
        syntax match tabulexCharacter \"'\\(\\\\[^']*\\|\\\\'\\|[^'\\\\]\\)'\"\n\
        syntax match tabulexNumber \"\\<\\(0x\\x\\+\\|\\d\\+\\)\\>\"\n\
        syntax match tabulexOperator \"=>\\|\\.\\.=\\?\\||\"\n";
    let links = [
        ("Keyword", "Keyword"),
        ("Action", "Function"),
        ("Word", "Identifier"),
        ("Pattern", "Constant"),
        ("Comment", "Comment"),
        ("String", "String"),
        ("Character", "Character"),
        ("Number", "Number"),
        ("Operator", "Operator"),
    ];
    for (own, group) in links {
        text += &format!("highlight default link tabulex{own} {group}\n");
    }
    text + "let b:current_syntax = \"tabulex\"\n"
}

/// Compares a file with its expected text, or writes it.
fn expect(path: &Path, expected: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, expected).expect("the file can be written");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "{}: UPDATE_EXPECT=1 writes it anew", path.display());
}

#[test]
fn editor_files_match_vocabulary() {
    let editors = spec().join("editors");
    expect(&editors.join("vscode/syntaxes/tabulex.tmLanguage.json"), &text_mate());
    expect(&editors.join("neovim/syntax/tabulex.vim"), &vim());
    let [keywords, actions, others] = words();
    assert!(keywords.len() > 70 && actions.len() > 50 && others.len() > 60, "words are missing");
    let read = |file: &str| fs::read_to_string(editors.join(file)).expect("a file of VS Code");
    for file in ["vscode/package.json", "vscode/language-configuration.json"] {
        serde_json::from_str::<Value>(&read(file)).expect(file);
    }
}

#[test]
fn tables_are_highlighted_in_vs_code() {
    let editors = spec().join("editors");
    let is_there = Command::new("node").arg("--version").output().is_ok();
    if !is_there || !editors.join("node_modules/vscode-textmate").is_dir() {
        eprintln!(
            "tables were not coloured as in VS Code: apt-get install nodejs; npm install --prefix spec/editors"
        );
        return;
    }
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/small.states");
    let output = Command::new("node")
        .arg(editors.join("tests/colours.mjs"))
        .arg(json!(words().concat_all()).to_string())
        .arg(small)
        .args(["html.states", "html.modes", "sky.states"].map(|it| spec().join("tables").join(it)))
        .output()
        .expect("node runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let shown = String::from_utf8(output.stdout).expect("text");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/colours.expect");
    expect(&path, &shown);
}

trait Whole {
    /// All words in one list.
    fn concat_all(self) -> Vec<&'static str>;
}

impl Whole for [Words; 3] {
    fn concat_all(self) -> Vec<&'static str> {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn tables_are_highlighted_in_neovim() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("tables were not coloured in Neovim: apt-get install neovim");
        return;
    }
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/small.states");
    let plugin = spec().join("editors/neovim").canonicalize().expect("the plugin");
    // The highlight group of the first occurrence of a word.
    let ask = |word: &str| {
        let search = format!("vim.fn.search([[\\<{word}\\>]])");
        let group = "vim.fn.synIDattr(vim.fn.synID(vim.fn.line('.'), vim.fn.col('.'), 1), 'name')";
        format!("lua {search}; io.stderr:write({group})")
    };
    let asked =
        [("switch", "tabulexAction"), ("class", "tabulexKeyword"), ("EOF", "tabulexPattern")];
    for (word, group) in asked {
        let output = Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-n"])
            .arg("--cmd")
            .arg(format!("set runtimepath+={}", plugin.display()))
            .arg("--cmd")
            .arg("let g:tabulex_server = ['true']")
            .args(["--cmd", "filetype plugin on", "--cmd", "syntax on"])
            .arg(&small)
            .arg("-c")
            .arg(ask(word))
            .args(["-c", "qall!"])
            .output()
            .expect("nvim runs");
        let output =
            String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.contains(group), "{word}: {output}");
    }
}
