//! The modes of HTML: the file is valid on its own, and together with the other tables uses every form.

use tabulex_language::model::tree::{ModeRow, TokenPattern};
use tabulex_language::{Source, vocabulary};

#[test]
fn modes_of_html_are_valid() {
    let text = tabulex_tables::text("html.modes").unwrap();
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

/// Every form for modes, except those for fields of declared tokens, occurs in a built-in table. The suites run every
/// row of these tables.
#[test]
fn built_in_tables_use_every_form_of_tree_construction() {
    let modes = tabulex_tables::text("html.modes").unwrap();
    let tables = tabulex_tables::all();
    let tables = tables.iter().map(|(_, text)| &text[..]).chain([&modes[..]]);
    let mut is_algorithm = false;
    let is_outside_algorithm = |line: &&str| {
        // Steps of algorithms have a vocabulary of their own, so they are skipped.
        is_algorithm = line.starts_with("    algorithm ") || is_algorithm && *line != "    }";
        !is_algorithm && !line.trim_start().starts_with("//")
    };
    let lines: Vec<&str> = tables.flat_map(str::lines).filter(is_outside_algorithm).collect();
    for (limit, _) in vocabulary::tree::TREE_LIMITS {
        let prefix = format!("limit {limit} ");
        assert!(
            lines.iter().any(|line| line.trim().starts_with(&prefix)),
            "no table sets the limit `{limit}`"
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
    // Forms for fields of declared tokens are skipped, because the built-in tables do not use all of them.
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
        assert!(phrases.iter().any(fits), "no built-in table uses the form `{syntax}`");
    }
}

/// Returns the mode, the text and the resolved patterns of each row of the table.
fn resolved_rows(name: &str) -> Vec<(String, String, Vec<TokenPattern>)> {
    let text = tabulex_tables::text(name).unwrap();
    let loaded = tabulex_language::load(&Source::new(name, &text), &tabulex_tables::text);
    let machine = loaded.machine.unwrap();
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
    let rows_in_file = resolved_rows("html.modes");
    assert!(
        rows_in_file.len() > 200,
        "`html.modes` has only {} rows, expected more than 200",
        rows_in_file.len()
    );
    for (name, text) in tabulex_tables::all() {
        if text.contains("modes \"html.modes\";") {
            assert_eq!(resolved_rows(&name), rows_in_file, "rows of `{name}`");
        }
    }
}
