//! The modes of HTML: the file has no mistake by itself.

use tabulex_spec::Source;

#[test]
fn the_modes_of_html_have_no_mistake() {
    let text = tabulex_spec::embedded_file("html.modes").expect("it is there");
    let source = Source::new("html.modes", &text);
    let loaded = tabulex_spec::load(&source, &tabulex_spec::embedded_file);
    let messages: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&source)).collect();
    assert!(loaded.diagnostics.is_empty(), "{messages}");
    let construction = loaded.machine.and_then(|machine| machine.construction);
    assert_eq!(
        construction.map(|it| it.modes.len()),
        Some(23),
        "21 modes, the dispatcher, foreign content"
    );
}
