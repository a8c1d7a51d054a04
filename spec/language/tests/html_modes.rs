//! The modes of HTML: the file is valid on its own, and together with the other tables uses every form.

use tabulex_language::model::tree::algorithm::RunStep;
use tabulex_language::model::tree::{ModeRow, TokenPattern};
use tabulex_language::{Source, vocabulary};

#[test]
fn modes_of_html_are_valid() {
    let text = tabulex_tables::text("html.modes").expect("it is there");
    let source = Source::new("html.modes", &text);
    let loaded = tabulex_language::load(&source, &tabulex_tables::text);
    let messages: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    assert!(loaded.diagnostics.is_empty(), "{messages}");
    let construction = loaded.machine.and_then(|machine| machine.construction);
    assert_eq!(
        construction.map(|it| it.modes.len()),
        Some(23),
        "21 modes, the dispatcher, foreign content"
    );
}

/// Every form for modes occurs in a table of the package. The suites run every row of these tables.
#[test]
fn built_in_tables_use_every_form_of_tree_construction() {
    let modes = tabulex_tables::text("html.modes").expect("it is there");
    let tables = tabulex_tables::all();
    let tables = tables.iter().map(|(_, text)| &text[..]).chain([&modes[..]]);
    let mut is_algorithm = false;
    let is_row = |line: &&str| {
        // Steps of algorithms have a vocabulary of their own.
        is_algorithm = line.starts_with("    algorithm ") || is_algorithm && *line != "    }";
        !is_algorithm && !line.trim_start().starts_with("//")
    };
    let lines: Vec<&str> = tables.flat_map(str::lines).filter(is_row).collect();
    for (limit, _) in vocabulary::tree::TREE_LIMITS {
        let begin = format!("limit {limit} ");
        assert!(
            lines.iter().any(|line| line.trim().starts_with(&begin)),
            "no table says `{limit}`"
        );
    }
    let text = lines.join("\n").replace("=>", ";");
    let text = text.replace(" when ", ";").replace(" and ", ";").replace(" or ", ";");
    let phrases: Vec<Vec<&str>> = text
        .split([';', '{', '}', '|', '='])
        .map(|phrase| phrase.split_whitespace().skip_while(|word| *word == "not").collect())
        .collect();
    let actions = vocabulary::tree::TREE_ACTIONS.iter().map(|form| form.syntax);
    let conditions = vocabulary::tree::TREE_CONDITIONS.iter().map(|form| form.syntax);
    // Forms for fields of declared tokens are for custom dialects; no standard declares any.
    let has_declared_field = |syntax: &&str| syntax.contains("<declared-field>");
    for syntax in actions.chain(conditions).filter(|syntax| !has_declared_field(syntax)) {
        let words: Vec<&str> = syntax.split(' ').collect();
        let fits = |phrase: &Vec<&str>| {
            phrase.len() == words.len()
                && words
                    .iter()
                    .zip(phrase)
                    .all(|(form, word)| form.starts_with('<') || form == word)
        };
        assert!(phrases.iter().any(fits), "no table says `{syntax}`");
    }
}

/// Returns the patterns of each row, with names of classes and sets replaced by their contents.
fn patterns(name: &str) -> Vec<(String, String, Vec<TokenPattern>)> {
    let text = tabulex_tables::text(name).expect("it is there");
    let loaded = tabulex_language::load(&Source::new(name, &text), &tabulex_tables::text);
    let machine = loaded.machine.expect("a table without mistakes");
    let modes = machine.construction.map(|it| it.modes).unwrap_or_default();
    let rows = modes.into_iter().flat_map(|mode| {
        let patterns = |row: &ModeRow| row.patterns.iter().map(|one| one.value.clone()).collect();
        let rows = mode.rows.iter().map(|row| (mode.name.clone(), row.text.clone(), patterns(row)));
        rows.collect::<Vec<_>>()
    });
    rows.collect()
}

/// The file of modes is compared with the standard on its own, so machines must not change the meaning of its rows.
#[test]
fn machines_run_modes_from_file() {
    let alone = patterns("html.modes");
    assert!(alone.len() > 200, "{}", alone.len());
    for (name, text) in tabulex_tables::all() {
        if text.contains("modes \"html.modes\";") {
            assert_eq!(patterns(&name), alone, "{name}");
        }
    }
}

/// Each step of an algorithm has its place in the table. An algorithm that returns a parameter has one step more.
#[test]
fn steps_of_algorithms_have_places() {
    for (name, text) in tabulex_tables::all() {
        let loaded = tabulex_language::load(&Source::new(name, &text), &tabulex_tables::text);
        let machine = loaded.machine.expect("the table has no errors");
        for algorithm in machine.construction.iter().flat_map(|it| &it.algorithms) {
            let mut places = Vec::new();
            RunStep::for_each(&algorithm.steps, &mut |step| places.push(algorithm.step_span(step)));
            let (known, unknown) = places.split_at(algorithm.step_spans.len());
            let name = &algorithm.name;
            assert!(unknown.len() <= 1 || known.is_empty(), "{name}");
            assert!(
                known.iter().copied().eq(algorithm.step_spans.iter().copied().map(Some)),
                "{name}"
            );
            assert!(
                known.is_sorted_by_key(|span| span.map(|span| (span.file, span.start))),
                "{name}"
            );
        }
    }
}

/// A change of a step within `extends` has the effect of an edit of the table.
#[test]
fn changed_steps_equal_edited_steps() {
    let modes = tabulex_tables::text("html.modes").expect("it is there");
    let algorithms = |name: &str, text: &str, modes: &str| {
        let files = |file: &str| match file {
            "html.modes" => Some(modes.to_owned()),
            _ => tabulex_tables::text(file),
        };
        let loaded = tabulex_language::load(&Source::new(name, text), &files);
        let render = |one: &tabulex_language::Diagnostic| one.render(&loaded.source);
        let messages: String = loaded.diagnostics.iter().map(render).collect();
        let construction = loaded.machine.and_then(|machine| machine.construction);
        let algorithms = construction.unwrap_or_else(|| panic!("{messages}")).algorithms;
        algorithms.iter().map(|one| format!("{} {:?}", one.name, one.steps)).collect::<Vec<_>>()
    };
    let html = tabulex_tables::text("html.states").expect("it is there");
    let unchanged = algorithms("html.states", &html, &modes);
    for (algorithm, change, from, to) in [
        ("adoption-agency", "remove append last-node to node;", "append last-node to node;", ""),
        (
            "adoption-agency",
            "replace when furthest-block is not set { return; }",
            "when furthest-block is not set {\n                pop-until formatting-element;\n                \
             remove formatting-element from formatting;\n                return;\n            }",
            "return;",
        ),
        (
            "reconstruct-formatting",
            "add before let new-element insert-like entry { error; }",
            "let new-element insert-like entry;",
            "error; let new-element insert-like entry;",
        ),
        (
            "reconstruct-formatting",
            "add after when formatting is empty { error; when formatting is empty { return; } }",
            "when formatting is empty {\n            return;\n        }\n        when last",
            "when formatting is empty { return; } error; when formatting is empty { return; } when last",
        ),
    ] {
        let text = format!(
            "machine! {{ name own; extends html {{ in algorithm {algorithm} {{ {change} }} }} }}"
        );
        assert_eq!(modes.matches(from).count(), 1, "{from}");
        let edited = algorithms("html.states", &html, &modes.replacen(from, to, 1));
        assert_ne!(edited, unchanged, "{change}");
        assert_eq!(algorithms("own.states", &text, &modes), edited, "{change}");
    }
}
