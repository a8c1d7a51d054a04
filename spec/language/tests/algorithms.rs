//! Spans of the steps of algorithms, and changes of single steps in tables that extend others.

use tabulex_language::model::tree::algorithm::RunStep;
use tabulex_language::{Diagnostic, Source};

/// Each step of an algorithm has a span in the table. An algorithm that returns a parameter has one more step, without
/// a span.
#[test]
fn steps_of_algorithms_have_spans() {
    for (name, text) in tabulex_tables::all() {
        let loaded = tabulex_language::load(&Source::new(name, &text), &tabulex_tables::text);
        let machine = loaded.machine.unwrap();
        for algorithm in machine.construction.iter().flat_map(|it| &it.algorithms) {
            let steps = RunStep::all(&algorithm.steps).into_iter();
            let spans: Vec<_> = steps.map(|step| algorithm.step_span(step)).collect();
            let (step_spans, final_spans) = spans.split_at(algorithm.step_spans.len());
            let (algorithm_name, machine_name) = (&algorithm.name, &machine.name);
            // Only the algorithms in the table's own text or in its file of modes are tested here. The others come from
            // further included files, or are standard ones, which have no spans.
            let is_modes_file = |file: &&Source| text.contains(&format!("modes \"{}\"", file.path));
            let modes = loaded.source.files.iter().filter(is_modes_file);
            let mut texts = modes.map(|file| &file.text).chain([&loaded.source.text]);
            if texts.any(|text| text.contains(&format!("algorithm {algorithm_name} "))) {
                assert!(
                    !step_spans.is_empty() && final_spans.len() <= 1,
                    "`{algorithm_name}` of `{machine_name}` has {} steps with a span and {} without",
                    step_spans.len(),
                    final_spans.len()
                );
            }
            assert!(
                step_spans.iter().copied().eq(algorithm.step_spans.iter().copied().map(Some)),
                "`{algorithm_name}` of `{machine_name}`: the spans are not those of the steps in preorder"
            );
            assert!(
                step_spans.is_sorted_by_key(|span| span.map(|span| (span.file, span.start))),
                "`{algorithm_name}` of `{machine_name}`: the spans are not sorted"
            );
        }
    }
}

/// A change of a step within `extends` has the effect of an edit of the table.
#[test]
fn changed_steps_equal_edited_steps() {
    let modes = tabulex_tables::text("html.modes").unwrap();
    let algorithms = |name: &str, text: &str, modes: &str| {
        let files = |file: &str| match file {
            "html.modes" => Some(modes.to_owned()),
            _ => tabulex_tables::text(file),
        };
        let loaded = tabulex_language::load(&Source::new(name, text), &files);
        let render = |one: &Diagnostic| one.render(&loaded.source);
        let messages: String = loaded.diagnostics.iter().map(render).collect();
        let construction = loaded.machine.and_then(|machine| machine.construction);
        let algorithms = construction.unwrap_or_else(|| panic!("{messages}")).algorithms;
        algorithms.iter().map(|one| format!("{} {:?}", one.name, one.steps)).collect::<Vec<_>>()
    };
    let html = tabulex_tables::text("html.states").unwrap();
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
        assert_eq!(modes.matches(from).count(), 1, "occurrences of `{from}`");
        let edited = algorithms("html.states", &html, &modes.replacen(from, to, 1));
        assert_ne!(edited, unchanged, "the edit to `{to}` has no effect");
        assert_eq!(algorithms("own.states", &text, &modes), edited, "`{change}`");
    }
}
