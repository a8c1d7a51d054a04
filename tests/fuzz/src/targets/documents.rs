//! Reading of standards' documents and profiles never panics, and gives positions within the document. The results are
//! not checked otherwise.

use super::Target;
use crate::feedback::note;
use crate::input_reader::InputReader;
use std::path::Path;
use std::sync::LazyLock;
use tabulex_documents::document::{Form, Ledger, Profile, facts, meaning, meaning_in_trees, read};
use tabulex_language::vocabulary::{ACTIONS, CONDITIONS, tree};
use tabulex_tests::random::Random;
use tabulex_tests::shared::workspace;

pub(super) const TARGET: Target = Target {
    name: "documents",
    about: "documents of every form, profiles and facts: reading them never panics",
    choices: 1,
    piece,
    run,
};

/// The profiles in `spec/documents`, sorted by path.
static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        Profile::parse(&text).unwrap()
    };
    let folder = workspace().join("spec/documents");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "profile"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
});

/// Wordings of all actions and conditions, with sample words in their slots.
static WORDINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let state_wordings = ACTIONS.iter().flat_map(|form| form.wordings);
    let state_wordings = state_wordings.chain(CONDITIONS.iter().flat_map(|form| form.wordings));
    let mode_wordings = tree::TREE_ACTIONS.iter().flat_map(|form| form.wordings);
    let mode_wordings =
        mode_wordings.chain(tree::TREE_CONDITIONS.iter().flat_map(|form| form.wordings));
    let fill_slots = |wording: &&str| wording.replace(['{', '}'], "");
    state_wordings.chain(mode_wordings).map(fill_slots).collect()
});

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(5) {
        0 | 1 => {
            let separator = *random.pick(&[". ", ", and ", ", then ", ": ", ""]);
            format!("{}{separator}", random.pick(&WORDINGS)).into_bytes()
        }
        _ => random.piece("documents").into(),
    }
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let choice = usize::from(reader.byte());
    let text = reader.into_text();
    let forms = [Form::Text, Form::Html, Form::Markdown];
    let profile_count = PROFILES.len();
    let profile = match choice % (profile_count + forms.len() + 1) {
        number if number < profile_count => PROFILES[number].clone(),
        number if number == profile_count => match Profile::parse(&text) {
            Ok(profile) => profile,
            Err(message) => {
                assert!(!message.is_empty(), "the error of a profile has no message");
                return note(message.len() % 16);
            }
        },
        number => Profile { form: forms[number - profile_count - 1], ..Profile::default() },
    };
    let line_count = profile.apply_errata(&text).0.lines().count() + 1;
    let reading = read(&text, &profile);
    note((choice, reading.states.len().min(9), reading.modes.len().min(9)));
    for state in &reading.states {
        assert!(
            state.line <= line_count,
            "state `{}` is at line {} of {line_count}",
            state.name,
            state.line
        );
        for row in &state.rows {
            assert!(
                row.line <= line_count,
                "a row of `{}` is at line {} of {line_count}",
                state.name,
                row.line
            );
            row.steps.split(';').for_each(|step| note(("step", step.trim())));
        }
    }
    for row in reading.modes.iter().flat_map(|mode| &mode.rows) {
        row.steps.split(';').for_each(|step| note(("step of a mode", step.trim())));
    }
    assert!(!Ledger::new(&reading).summary.is_empty());
    let facts_text = facts::write(&reading);
    // Neither the facts read from arbitrary text nor the text itself need be well-formed facts, but parsing them must
    // terminate.
    note(facts::parse(&facts_text).is_ok());
    note(facts::parse(&text).is_ok());
    for sentence in text.split_inclusive(". ").take(8) {
        note(("said", meaning(sentence)));
        note(("said of trees", meaning_in_trees(sentence)));
    }
}
