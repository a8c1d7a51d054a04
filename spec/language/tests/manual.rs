//! The lists of `spec/REFERENCE.md` must match the vocabulary and the checks from which they are generated.
//! `UPDATE_EXPECT=1` updates them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tabulex_language::diagnostic::CHECKS;
use tabulex_language::vocabulary::algorithm::{
    BYTE_QUESTIONS, BYTE_STEPS, BYTE_VALUES, COMMON_QUESTIONS, COMMON_VALUES, FLOW, QUESTIONS,
    STEPS, VALUES, WRITING_QUESTIONS, WRITING_STEPS, WRITING_VALUES,
};
use tabulex_language::vocabulary::tree::{
    DOCTYPE_TESTS, TREE_ACTIONS, TREE_CONDITIONS, TREE_LIMITS,
};
use tabulex_language::vocabulary::{self, ACTIONS, CONDITIONS, Slot, manual};

/// Text of `spec/REFERENCE.md`. With `UPDATE_EXPECT=1`, its lists are regenerated before any test reads it.
static MANUAL: LazyLock<String> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../REFERENCE.md");
    let current = fs::read_to_string(&path).unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        return current;
    }
    let generated = manual::fill(&current).unwrap();
    fs::write(&path, &generated).unwrap();
    generated
});

#[test]
fn manual_lists_match_vocabulary() {
    let current = &*MANUAL;
    let generated = manual::fill(current).unwrap();
    let differences: Vec<String> = current
        .lines()
        .zip(generated.lines())
        .filter(|(is, should_be)| is != should_be)
        .map(|(is, should_be)| format!("is:        {is}\nshould be: {should_be}"))
        .collect();
    assert!(
        *current == generated,
        "lists differ from the vocabulary; UPDATE_EXPECT=1 updates the lists\n\n{}",
        differences.join("\n")
    );
}

#[test]
fn every_form_and_check_is_listed_once() {
    let manual = &*MANUAL;
    let actions = ACTIONS.iter().map(|form| form.syntax);
    let conditions = CONDITIONS.iter().map(|form| form.syntax);
    let tree_actions = TREE_ACTIONS.iter().map(|form| form.syntax);
    let tree_conditions = TREE_CONDITIONS.iter().map(|form| form.syntax);
    let tests = DOCTYPE_TESTS.iter().map(|form| form.syntax);
    let checks = CHECKS.iter().map(|check| check.name);
    let slots: Vec<String> = Slot::ALL.iter().map(|slot| format!("<{}>", slot.name())).collect();
    let tree_words = tree_actions.chain(tree_conditions).chain(slots.iter().map(|slot| &slot[..]));
    let mut expected: BTreeMap<&str, usize> = BTreeMap::new();
    let steps = [FLOW, STEPS, BYTE_STEPS, WRITING_STEPS];
    let questions = [COMMON_QUESTIONS, QUESTIONS, BYTE_QUESTIONS, WRITING_QUESTIONS];
    let values = [COMMON_VALUES, VALUES, BYTE_VALUES, WRITING_VALUES];
    let steps = steps.into_iter().flatten().map(|phrase| phrase.syntax);
    let questions = questions.into_iter().flatten().map(|phrase| phrase.syntax);
    let values = values.into_iter().flatten().map(|phrase| phrase.syntax);
    // Values of one word are skipped, as some of them are words of other lists, too.
    let phrases = steps.chain(questions).chain(values.filter(|value| value.contains(' ')));
    for word in
        actions.chain(conditions).chain(tree_words).chain(tests).chain(checks).chain(phrases)
    {
        *expected.entry(word).or_default() += 1;
    }
    for (word, times) in expected {
        let row = format!("| `{word}` | ");
        let row_count = manual.lines().filter(|line| line.starts_with(&row)).count();
        assert_eq!(row_count, times, "rows of `{word}`");
    }
}

#[test]
fn rejects_missing_unknown_and_unterminated_lists() {
    let manual = &*MANUAL;
    for (line, replacement) in [
        ("<!-- generated: checks -->", "<!-- -->"),
        ("<!-- generated: checks -->", "<!-- generated: cheques -->"),
        ("<!-- generated: checks -->", "<!-- generated: actions -->"),
        ("<!-- end of checks -->", "<!-- -->"),
    ] {
        assert!(manual.contains(line), "the manual lacks `{line}`");
        assert!(
            manual::fill(&manual.replace(line, replacement)).is_err(),
            "`{replacement}` in place of `{line}` is accepted"
        );
    }
    let edited = manual.replacen("| `switch <state>` |", "| `go <state>` |", 1);
    assert_ne!(*manual, edited);
    assert_eq!(
        manual::fill(&edited),
        manual::fill(manual),
        "a row edited by hand is not regenerated"
    );
}

#[test]
fn the_manual_has_every_text_field_and_limit() {
    let manual = &*MANUAL;
    let section = |from: &str| {
        let parts = manual.split_once(from);
        let (_, rest) = parts.unwrap_or_else(|| panic!("the manual lacks `{from}`"));
        rest.split("\n#").next().unwrap_or_default().to_owned()
    };
    let (texts, fields, limits) =
        (section("### Texts"), section("### Fields"), section("| `limit NAME NUMBER;` |"));
    let texts = vocabulary::TEXTS.iter().map(|(word, _)| (*word, &texts));
    let fields = vocabulary::FIELDS.iter().map(|(word, _)| (*word, &fields));
    let text_limits = vocabulary::LIMITS.iter().map(|(word, _)| (*word, &limits));
    let tree_limits = TREE_LIMITS.iter().map(|(word, _)| (*word, &limits));
    for (word, section) in texts.chain(fields).chain(text_limits).chain(tree_limits) {
        assert!(
            section.contains(&format!("`{word}`")),
            "`{word}` is missing in its section of the manual"
        );
    }
}
