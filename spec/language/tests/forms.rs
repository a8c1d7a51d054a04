//! Resolution of every form of the vocabulary: with a sample in each slot, it must resolve to a value of its own.

use std::collections::BTreeSet;
use std::path::Path;
use tabulex_language::model::tree::{DoctypeQuestion, TreeAction, TreeCondition, TreeStep};
use tabulex_language::model::{Action, Condition, Machine, Register, Step, Text};
use tabulex_language::vocabulary::tree::{DOCTYPE_TESTS, TREE_ACTIONS, TREE_CONDITIONS};
use tabulex_language::vocabulary::{
    ACTIONS, CONDITIONS, Form, FormPart, Product, Slot, form_parts,
};
use tabulex_language::{Diagnostic, Source, parse, resolve};

/// A table with a declaration for each slot. `ROW` and `MODE` stand for steps, `DOCTYPE` for a test.
const TABLE: &str = r#"machine! {
    name sample;
    start data;
    references "sample.references";
    errors wrong;
    flag ready = no | yes;
    counter depth to 9 => error wrong;
    pushed-states to 9 => error wrong;
    token pair { key, value }
    class blank = ' ';
    names headings = "h1" | svg "title";
    action defined { ignore; }
    condition is-ready = ready is yes;
    lexeme any = '\0'..='\u{10FFFF}';
    lexeme number = "&" {'0'..='9'} ";";
    lexical-mode data (longest, else any) {
        number (digits) => ROW
        any             => emit current;
        EOF             => emit end-of-file;
    }
    tree start main;
    tree flag open = no | yes;
    tree condition is-open = open is yes;
    scope narrow = "table";
    pointers form;
    adjust names-of-tags = "a" => "A";
    doctypes old = DOCTYPE;
    tokenizer raw => switch data;
    steps close { pop; }
    mode main {
        comment => MODE
        EOF     => stop;
        else    => ignore;
    }
}"#;

/// Returns words that fill the slot in the table.
fn sample(slot: Slot) -> &'static str {
    match slot {
        Slot::State => "data",
        Slot::Error => "wrong",
        Slot::Token => "comment",
        Slot::TagKind => "end-tag",
        Slot::Text => "lexeme",
        Slot::Returned => "reference",
        Slot::Field => "attribute-name",
        Slot::Register => "tag",
        Slot::String | Slot::Printable => "\"text\"",
        Slot::Character => "'c'",
        Slot::Number => "0x80",
        Slot::Base => "16",
        Slot::TokenFlag => "self-closing",
        Slot::Flag => "ready",
        Slot::Counter => "depth",
        Slot::DeclaredToken => "pair",
        Slot::DeclaredField => "pair-key",
        Slot::Lexeme => "any",
        Slot::TreeFlag => "open",
        Slot::Value => "yes",
        Slot::Data => "digits",
        Slot::List => "entities",
        Slot::TagNames => "headings",
        Slot::Class => "blank",
        Slot::Mode => "main",
        Slot::Names => "svg \"title\"",
        Slot::Scope => "narrow",
        Slot::Pointer => "form",
        Slot::Adjustments => "names-of-tags",
        Slot::InsertedNamespace => "adjusted-current",
        Slot::Namespace => "math",
        Slot::DocumentMode => "quirks",
        Slot::StackPlace => "second",
        Slot::Doctypes => "old",
        Slot::Steps => "close",
        Slot::Word => "anything",
        Slot::TokenizerWord => "raw",
    }
}

/// Returns the syntax of a form with a sample in each slot.
fn fill_slots<M>(form: &Form<M>) -> String {
    let text = |part| match part {
        FormPart::Word(word) => word,
        FormPart::Slot(slot) => sample(slot),
    };
    form_parts(form.syntax).map(text).collect::<Vec<_>>().join(" ")
}

/// Resolves the table with these steps in its row and its mode.
fn resolve_steps(row: &str, mode: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    resolve_table(row, mode, "force-quirks")
}

/// Resolves the table with these steps and this test of DOCTYPEs.
fn resolve_table(row: &str, mode: &str, doctype: &str) -> (Option<Machine>, Vec<Diagnostic>) {
    let text = TABLE.replace("ROW", row).replace("MODE", mode).replace("DOCTYPE", doctype);
    let (table, diagnostics) = parse::file(&text);
    let source = Source::new("sample.states", &text[..]);
    let messages: String = diagnostics.iter().map(|one| one.render(&source)).collect();
    let table = table.unwrap_or_else(|| panic!("{row} {mode}\n{messages}"));
    resolve::resolve(&table, &|_| Some("amp;\t26\n".to_owned()))
}

fn machine(row: &str, mode: &str) -> Machine {
    let (machine, diagnostics) = resolve_steps(row, mode);
    machine.unwrap_or_else(|| panic!("{row} {mode} {diagnostics:?}"))
}

/// Returns the actions of steps that contain no branches.
fn actions_of<A: Clone, C>(steps: &[Step<A, C>]) -> Vec<A> {
    let action = |step: &Step<A, C>| match step {
        Step::Action(action) => action.value.clone(),
        Step::When { .. } => panic!("unexpected `when`"),
    };
    steps.iter().map(action).collect()
}

/// Returns the condition of steps that consist of one `when`.
fn condition_of<A: std::fmt::Debug, C: Clone + std::fmt::Debug>(steps: &[Step<A, C>]) -> C {
    match steps {
        [Step::When { condition, .. }] => condition.value.clone(),
        other => panic!("{other:?} is not a `when`"),
    }
}

fn actions(row: &str) -> Vec<Action> {
    actions_of(&machine(row, "ignore;").states[0].rows[0].steps)
}

fn condition(row: &str) -> Condition {
    condition_of(&machine(row, "ignore;").states[0].rows[0].steps)
}

fn tree_steps(mode: &str) -> Vec<TreeStep> {
    let mut construction = machine("ignore;", mode).construction.unwrap();
    construction.modes.remove(0).rows.remove(0).steps
}

fn tree_actions(mode: &str) -> Vec<TreeAction> {
    actions_of(&tree_steps(mode))
}

fn tree_condition(mode: &str) -> TreeCondition {
    condition_of(&tree_steps(mode))
}

/// Asserts that every form, with samples in its slots, resolves to a value that no other form resolves to. `defined` is
/// the name that the table defines, with its value.
fn assert_distinct_values<M: PartialEq + std::fmt::Debug>(
    forms: &'static [Form<M>],
    read: impl Fn(&str) -> Vec<M>,
    defined: Option<(&str, M)>,
) {
    let syntaxes: BTreeSet<&str> = forms.iter().map(|form| form.syntax).collect();
    assert_eq!(syntaxes.len(), forms.len(), "two forms have equal syntax");
    let mut values: Vec<M> = Vec::new();
    for form in forms {
        match form.makes {
            Product::One(_) => {
                let resolved = read(&fill_slots(form));
                assert_eq!(resolved.len(), 1, "`{}` resolves to {resolved:?}", form.syntax);
                assert!(!values.contains(&resolved[0]), "`{}` makes {resolved:?}", form.syntax);
                values.extend(resolved);
            }
            Product::Several(_) => {
                let resolved = read(&fill_slots(form));
                assert!(
                    resolved.len() > 1,
                    "`{}` resolves to {resolved:?}, expected several values",
                    form.syntax
                );
            }
            Product::Defined => {
                let (name, value) =
                    defined.as_ref().expect("`defined` is given for a form that the table defines");
                assert_eq!(read(name), std::slice::from_ref(value), "`{}`", form.syntax);
            }
        }
    }
}

#[test]
fn actions_resolve() {
    let read = |words: &str| actions(&format!("{words};"));
    assert_distinct_values(ACTIONS, read, Some(("defined", Action::Ignore)));
}

#[test]
fn conditions_resolve() {
    let read = |words: &str| vec![condition(&format!("when {words} {{ ignore; }}"))];
    let defined = condition("when ready is yes { ignore; }");
    assert_distinct_values(CONDITIONS, read, Some(("is-ready", defined)));
}

#[test]
fn tree_actions_resolve() {
    assert_distinct_values(TREE_ACTIONS, |words| tree_actions(&format!("{words};")), None);
}

#[test]
fn doctype_tests_resolve() {
    let read = |words: &str| -> Vec<DoctypeQuestion> {
        let (machine, diagnostics) = resolve_table("ignore;", "ignore;", words);
        let machine = machine.unwrap_or_else(|| panic!("{words} {diagnostics:?}"));
        let mut construction = machine.construction.unwrap();
        construction
            .doctypes
            .remove(0)
            .tests
            .remove(0)
            .into_iter()
            .map(|one| one.question)
            .collect()
    };
    assert_distinct_values(DOCTYPE_TESTS, read, None);
}

#[test]
fn tree_conditions_resolve() {
    let read = |words: &str| vec![tree_condition(&format!("when {words} {{ ignore; }}"))];
    let defined = tree_condition("when open is yes { ignore; }");
    assert_distinct_values(TREE_CONDITIONS, read, Some(("is-open", defined)));
}

/// A fixed word of a form, or a word of a closed list, takes precedence over a word in a slot.
#[test]
fn prefers_form_with_most_matching_words() {
    assert_eq!(actions("emit tag;"), [Action::EmitToken(Register::Tag)]);
    assert_eq!(actions("emit lexeme;"), [Action::EmitText(Text::Lexeme)]);
    assert!(matches!(actions("set return-state data;")[..], [Action::SetReturnState(_)]));
    assert_eq!(tree_actions("using insertion-mode;"), [TreeAction::UsingInsertionMode]);
    let token_name = tree_condition("when current is token-name { ignore; }");
    assert_eq!(token_name, TreeCondition::CurrentIsTokenName);
}

#[test]
fn reports_all_invalid_slots() {
    let (machine, diagnostics) = resolve_steps("append nothing to nowhere;", "ignore;");
    assert!(machine.is_none());
    let messages: Vec<&str> = diagnostics.iter().map(|one| &one.message[..]).collect();
    assert_eq!(messages, ["`nothing` is not a text", "`nowhere` is not a field"]);
}

/// Every slot occurs in a form.
#[test]
fn every_slot_is_used() {
    let mut used_slots: Vec<Slot> = Vec::new();
    fn collect_slots<M>(forms: &[Form<M>], used_slots: &mut Vec<Slot>) {
        for form in forms.iter().filter(|form| !matches!(form.makes, Product::Defined)) {
            let slot = |part| if let FormPart::Slot(slot) = part { Some(slot) } else { None };
            used_slots.extend(form_parts(form.syntax).filter_map(slot));
        }
    }
    collect_slots(ACTIONS, &mut used_slots);
    collect_slots(CONDITIONS, &mut used_slots);
    collect_slots(TREE_ACTIONS, &mut used_slots);
    collect_slots(TREE_CONDITIONS, &mut used_slots);
    for slot in Slot::ALL {
        assert!(used_slots.contains(slot), "no form has the slot `<{}>`", slot.name());
    }
}

/// Returns the resolved patterns of each row of a test table's first mode, in debug format.
fn rows_of_mode(name: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/ok");
    let text_of = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let source = Source::new(name, text_of(name).unwrap());
    let loaded = tabulex_language::load(&source, &text_of);
    let machine = loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mode = &machine.construction.unwrap().modes[0];
    mode.rows
        .iter()
        .map(|row| format!("{:?}", row.patterns.iter().map(|one| &one.value).collect::<Vec<_>>()))
        .collect()
}

#[test]
fn rows_of_modes_are_added_replaced_and_removed() {
    let rows = rows_of_mode("extended-modes.states");
    assert_eq!(
        rows,
        [
            r#"[StartTag(These(["c"]))]"#,
            r#"[StartTag(These(["b"]))]"#,
            r#"[EndTag(These(["b"]))]"#,
            r#"[StartTag(These(["q"]))]"#,
            r#"[EndTag(These(["a"]))]"#,
            "[EndOfFile]",
            "[Else]",
        ]
    );
}
