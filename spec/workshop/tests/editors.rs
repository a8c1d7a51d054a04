//! Generates syntax files for editors from the grammar and the vocabulary, and tests them with the library of VS Code
//! and in Neovim. The committed files must contain each word of the language; `UPDATE_EXPECT=1` updates the files.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabulex_language::vocabulary::tree::{
    DOCTYPE_TESTS, TREE_ACTIONS, TREE_CONDITIONS, TREE_LIMITS,
};
use tabulex_language::vocabulary::{
    ACTIONS, CONDITIONS, Form, FormPart, LIMITS, Product, Slot, TEXTS, first_word, form_parts,
    keywords,
};

type Words = BTreeSet<&'static str>;

fn spec_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the first words of forms to `first`, and all other words to `other`.
fn add_form_words<M>(forms: &'static [Form<M>], first: &mut Words, other: &mut Words) {
    // A form of `Product::Defined` is a name that a table defines, which is not a word of the language.
    for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
        first.extend(first_word(form.syntax));
        let words = form_parts(form.syntax).filter_map(|part| match part {
            FormPart::Word(word) => Some(word),
            FormPart::Slot(_) => None,
        });
        other.extend(words.skip(usize::from(first_word(form.syntax).is_some())));
    }
}

/// Words of patterns, which are not in any list of the vocabulary.
const PATTERN_WORDS: &[&str] = &[
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

/// Returns all words to highlight, in disjoint sets: keywords, first words of actions, and others.
fn words() -> [Words; 3] {
    let (mut actions, mut others) = (Words::new(), Words::new());
    add_form_words(ACTIONS, &mut actions, &mut others);
    add_form_words(TREE_ACTIONS, &mut actions, &mut others);
    let mut conditions = Words::new();
    add_form_words(CONDITIONS, &mut conditions, &mut others);
    add_form_words(TREE_CONDITIONS, &mut conditions, &mut others);
    add_form_words(DOCTYPE_TESTS, &mut conditions, &mut others);
    others.extend(conditions);
    others.extend(Slot::ALL.iter().flat_map(|slot| slot.words()));
    others.extend(TEXTS.iter().map(|(word, _)| *word));
    others.extend(LIMITS.iter().map(|(word, _)| *word));
    others.extend(TREE_LIMITS.iter().map(|(word, _)| *word));
    let keywords: Words = keywords().into_iter().collect();
    actions.retain(|word| !keywords.contains(word));
    others.retain(|word| !keywords.contains(word) && !actions.contains(word));
    [keywords, actions, others]
}

/// Returns the keywords that a declared name follows.
fn declaration_keywords() -> Vec<&'static str> {
    const DECLARATIONS: &[&str] = &[
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
    let keywords = keywords();
    DECLARATIONS.iter().copied().filter(|word| keywords.contains(word)).collect()
}

/// Returns the first words of actions that the name of a state or mode follows.
fn switching_words() -> Words {
    fn add_switching_words<M>(forms: &'static [Form<M>], words: &mut Words) {
        for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
            let names_target = |part| matches!(part, FormPart::Slot(Slot::State | Slot::Mode));
            if form_parts(form.syntax).nth(1).is_some_and(names_target) {
                words.extend(first_word(form.syntax));
            }
        }
    }
    let mut words = Words::new();
    add_switching_words(ACTIONS, &mut words);
    add_switching_words(TREE_ACTIONS, &mut words);
    words
}

fn whole_word_regex<'a>(words: impl IntoIterator<Item = &'a &'a str>) -> String {
    let list: Vec<&str> = words.into_iter().copied().collect();
    format!("(?<![A-Za-z0-9-])({})(?![A-Za-z0-9-])", list.join("|"))
}

/// Generates the TextMate grammar, for VS Code and other editors with that format.
fn text_mate_grammar() -> String {
    const NAME_REGEX: &str = "\\s+([A-Za-z][A-Za-z0-9-]*)";
    let [keywords, actions, others] = words();
    let rule_with_name = |words: String, word_scope: &str, name_scope: &str| {
        let captures = json!({ "1": { "name": word_scope }, "2": { "name": name_scope } });
        json!({ "match": words + NAME_REGEX, "captures": captures })
    };
    let rule = |words: String, scope: &str| json!({ "match": words, "name": scope });
    let escape = r#"\\(?:[0tnr\\'"]|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]{1,6}\})"#;
    let escapes = json!([{ "match": escape, "name": "constant.character.escape.tabulex" }]);
    let quoted_rule = |quote: &str, name: &str| json!({ "begin": quote, "end": quote, "name": name, "patterns": escapes });
    let patterns = json!([
        rule("//.*$".into(), "comment.line.double-slash.tabulex"),
        quoted_rule("\"", "string.quoted.double.tabulex"),
        quoted_rule("'", "string.quoted.single.tabulex"),
        rule("(?<![A-Za-z0-9-])(0x[0-9A-Fa-f]+|[0-9]+)".into(), "constant.numeric.tabulex"),
        rule_with_name(
            whole_word_regex(&declaration_keywords()),
            "keyword.declaration.tabulex",
            "entity.name.type.tabulex"
        ),
        rule_with_name(
            whole_word_regex(&switching_words()),
            "support.function.tabulex",
            "entity.name.type.tabulex"
        ),
        rule_with_name(
            whole_word_regex(&["error"]),
            "support.function.tabulex",
            "variable.other.constant.tabulex"
        ),
        rule(whole_word_regex(PATTERN_WORDS), "constant.language.tabulex"),
        rule("machine!".into(), "entity.name.function.macro.tabulex"),
        rule(whole_word_regex(&keywords), "keyword.control.tabulex"),
        rule(whole_word_regex(&actions), "support.function.tabulex"),
        rule(whole_word_regex(&others), "support.constant.tabulex"),
        rule(r"=>|\.\.=?|[|=*+?@]".into(), "keyword.operator.tabulex"),
    ]);
    let grammar = json!({
        "name": "tabulex table",
        "scopeName": "source.tabulex",
        "fileTypes": ["states", "modes"],
        "patterns": patterns,
    });
    format!("{grammar:#}\n")
}

/// Generates the syntax file for Neovim and Vim.
fn vim_syntax() -> String {
    let [keywords, actions, others] = words();
    let mut text = "\" Colours of tables; written from the grammar and the vocabulary.\n\
        if exists(\"b:current_syntax\") | finish | endif\nsyntax iskeyword @,48-57,-\n"
        .to_owned();
    let mut add_keywords = |group: &str, words: &mut dyn Iterator<Item = &&str>| {
        let list: Vec<&str> = words.copied().filter(|it| *it != "contained").collect();
        text += &format!("syntax keyword {group} {}\n", list.join(" "));
    };
    add_keywords("tabulexKeyword", &mut keywords.iter());
    add_keywords("tabulexAction", &mut actions.iter());
    add_keywords("tabulexWord", &mut others.iter());
    add_keywords("tabulexPattern", &mut PATTERN_WORDS.iter());
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
    for (name, group) in links {
        text += &format!("highlight default link tabulex{name} {group}\n");
    }
    text + "let b:current_syntax = \"tabulex\"\n"
}

/// Asserts that a file has exactly the expected text. If `UPDATE_EXPECT` is set, first writes that text to the file.
fn assert_file_equals(path: &Path, expected: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, expected).unwrap();
    }
    let actual = fs::read_to_string(path).unwrap_or_default();
    assert!(
        actual == expected,
        "`{}` is out of date; set `UPDATE_EXPECT=1` to update it",
        path.display()
    );
}

#[test]
fn editor_files_match_vocabulary() {
    let editors = spec_folder().join("editors");
    assert_file_equals(
        &editors.join("vscode/syntaxes/tabulex.tmLanguage.json"),
        &text_mate_grammar(),
    );
    assert_file_equals(&editors.join("neovim/syntax/tabulex.vim"), &vim_syntax());
    let [keywords, actions, others] = words();
    assert!(
        keywords.len() > 70 && actions.len() > 50 && others.len() > 60,
        "expected more than 70 keywords, 50 actions and 60 other words, found {}, {} and {}",
        keywords.len(),
        actions.len(),
        others.len()
    );
    let read_file = |file: &str| fs::read_to_string(editors.join(file)).unwrap();
    for file in ["vscode/package.json", "vscode/language-configuration.json"] {
        serde_json::from_str::<Value>(&read_file(file)).expect(file);
    }
}

#[test]
fn tables_are_highlighted_in_vs_code() {
    let editors = spec_folder().join("editors");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !has_node || !editors.join("node_modules/vscode-textmate").is_dir() {
        eprintln!(
            "skipped: `node` or `vscode-textmate` is missing; install the package `nodejs`, and run `npm install --prefix spec/editors`"
        );
        return;
    }
    let small_table = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/small.states");
    let output = Command::new("node")
        .arg(editors.join("tests/colours.mjs"))
        .arg(json!(words().concat_words()).to_string())
        .arg(small_table)
        .args(
            ["html.states", "html.modes", "sky.states"]
                .map(|it| spec_folder().join("tables").join(it)),
        )
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let highlighting =
        String::from_utf8(output.stdout).expect("the output of `colours.mjs` is UTF-8");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/colours.expect");
    assert_file_equals(&path, &highlighting);
}

trait ConcatWords {
    /// Returns the words of all three sets in one list.
    fn concat_words(self) -> Vec<&'static str>;
}

impl ConcatWords for [Words; 3] {
    fn concat_words(self) -> Vec<&'static str> {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn tables_are_highlighted_in_neovim() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: `nvim` was not found; install the package `neovim`");
        return;
    }
    let small_table = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/server/small.states");
    let plugin = spec_folder().join("editors/neovim").canonicalize().unwrap();
    // Returns a command that prints the highlight group of the first occurrence of a word.
    let print_group = |word: &str| {
        let search_call = format!("vim.fn.search([[\\<{word}\\>]])");
        let group_at_cursor =
            "vim.fn.synIDattr(vim.fn.synID(vim.fn.line('.'), vim.fn.col('.'), 1), 'name')";
        format!("lua {search_call}; io.stderr:write({group_at_cursor})")
    };
    let expected_groups =
        [("switch", "tabulexAction"), ("class", "tabulexKeyword"), ("EOF", "tabulexPattern")];
    for (word, group) in expected_groups {
        let output = Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-n"])
            .arg("--cmd")
            .arg(format!("set runtimepath+={}", plugin.display()))
            .arg("--cmd")
            .arg("let g:tabulex_server = ['true']")
            .args(["--cmd", "filetype plugin on", "--cmd", "syntax on"])
            .arg(&small_table)
            .arg("-c")
            .arg(print_group(word))
            .args(["-c", "qall!"])
            .output()
            .unwrap();
        let output =
            String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(
            output.contains(group),
            "`{word}` is not in the highlight group `{group}`: {output}"
        );
    }
}
