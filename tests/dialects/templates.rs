//! HTML with `{{ }}`: trees, and the parts of texts and values with their ranges. Without expressions the results are
//! those of HTML.

use tabulex::tree::NodeRef;
use tabulex::{Dialect, Event, Limits, Options, Token, WriteNode as _};
use tabulex_language::Source;
use tabulex_tests::interpreted::Table;
use tabulex_tests::layers::first_difference;
use tabulex_tests::random::Random;
use tabulex_tests::setup::Setup;
use tabulex_tests::trees::{Input, difference_from, interpreted_by, parse};
use tabulex_tests::{inputs, shared};

mod machine {
    use tabulex::machine;

    include!("templates.states");
}

static TEMPLATES: Dialect = <machine::Templates as tabulex::Machine>::DIALECT;

fn table() -> Table {
    let source = Source::new("templates.states", include_str!("templates.states"));
    let loaded = tabulex_language::load(&source, &tabulex_tables::text);
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

/// Returns the source of each expression in an input, and its text including the braces.
fn parts(input: &str) -> Vec<(String, &str)> {
    let mut parts = Vec::new();
    for token in TEMPLATES.tokens(input) {
        if let Token::Declared(part) = token {
            let source = &part.fields[0];
            assert_eq!(&input[source.span.start..source.span.end], &*source.text, "{input}");
            parts.push((source.text.to_string(), &input[part.span.start..part.span.end]));
        }
    }
    parts
}

const PAGE: &str = "<title>{{ a }}</title><p class=\"x {{b}} y\" id={{c}} lang='{{d}}'>Dear {{ user.name }},\
    <style>p { color: {{ '}}' }} }</style><script>let x = {{ {e: {f: \"}}\"}} }};</script>\
    {{ `a ${ {g: `}}`}.g } }}` }}<table><tr>{{ row < 3 }}</table>";

#[test]
fn parts_have_ranges_everywhere() {
    let expected = [
        (" a ", "{{ a }}"),
        ("b", "{{b}}"),
        ("c", "{{c}}"),
        ("d", "{{d}}"),
        (" user.name ", "{{ user.name }}"),
        (" '}}' ", "{{ '}}' }}"),
        (" {e: {f: \"}}\"}} ", "{{ {e: {f: \"}}\"}} }}"),
        (" `a ${ {g: `}}`}.g } }}` ", "{{ `a ${ {g: `}}`}.g } }}` }}"),
        (" row < 3 ", "{{ row < 3 }}"),
    ];
    let expected: Vec<_> = expected.iter().map(|&(text, whole)| (text.to_owned(), whole)).collect();
    assert_eq!(parts(PAGE), expected);
}

/// Returns the name or text of each node after the body element in tree order, with its source text.
fn nodes(input: &str) -> Vec<String> {
    let parsed = parse(&TEMPLATES, &Input { text: input, ..Input::default() }, None);
    assert_eq!(parsed.errors, [], "{input}");
    let source_of = |node: NodeRef<'_>| node.span().map(|span| &input[span.start..span.end]);
    let describe = |node: NodeRef<'_>| {
        let name = node.local_name().map_or_else(|| node.text(), str::to_owned);
        format!("{name:?} {:?}", source_of(node).unwrap_or_default())
    };
    let nodes = parsed.tree.root().descendants();
    let body_nodes = nodes.skip_while(|node| node.local_name() != Some("body")).skip(1);
    body_nodes.map(describe).collect()
}

#[test]
fn expressions_between_tags_are_elements_and_values_stay_text() {
    let input =
        "<!DOCTYPE html><body><p title=\"a {{ b }} c\">x{{ d }}y<table><tr>{{e}}<td></table>";
    let parsed = parse(&TEMPLATES, &Input { text: input, ..Input::default() }, None);
    let dump = parsed.tree.root().to_dump();
    assert!(dump.contains("title=\"a {{ b }} c\""), "{dump}");
    let in_table = "<tr>\n|           <expression>\n|             \"e\"\n|           <td>";
    assert!(dump.contains("<expression>\n|         \" d \"") && dump.contains(in_table), "{dump}");
    let nodes = nodes(input);
    for node in [
        "\"x\" \"x\"",
        "\"p\" \"<p title=\\\"a {{ b }} c\\\">\"",
        "\"y\" \"y\"",
        "\"expression\" \"{{ d }}\"",
        "\" d \" \" d \"",
    ] {
        assert!(nodes.iter().any(|other| other == node), "{node}: {nodes:?}");
    }
}

#[test]
fn reports_unclosed_parts_by_name() {
    let deep_braces = format!("{{{{{}", "{".repeat(40));
    for (input, expected) in [
        ("{{ a", "eof-in-expression"),
        ("{{ '}}", "eof-in-expression"),
        ("<p class='{{", "eof-in-expression"),
        ("<title>{{ {", "eof-in-expression"),
        (&deep_braces, "too-many-braces"),
    ] {
        let mut tokens = TEMPLATES.tokens(input);
        while tokens.next().is_some() {}
        let codes: Vec<&str> = tokens.take_errors().iter().map(|error| error.code).collect();
        assert!(codes.contains(&expected), "{input:?}: {codes:?}");
    }
}

/// An expression beyond the depth limit is reported at its own position.
#[test]
fn reports_too_deep_expressions_at_their_position() {
    let options = Options::new().limits(Limits::new().depth(4));
    let parsed = TEMPLATES.parser(&options).unwrap().parse("<p><b>text{{x}}");
    assert_eq!(parsed.events, [Event::Flattened { offset: 10, limit: 4 }]);
}

#[test]
fn parses_pages_without_expressions_as_html() {
    let html = tabulex_tests::compiled::dialect("html");
    for input in ["<p class={a}>{ }} {", "<title>{</title>}}<script>{a}</script>", "<a {{=b>"] {
        let (html_tokens, template_tokens): (Vec<_>, Vec<_>) =
            (html.tokens(input).collect(), TEMPLATES.tokens(input).collect());
        assert_eq!(template_tokens, html_tokens, "{input}");
    }
}

#[test]
fn compiled_and_interpreted_agree_for_all_chunks() {
    let table = table();
    for text in [PAGE, "<p a={{`${'\\'", "<title>{{a}</title>", "a{{{}}}b{{\"\\\"}}\"}}<b>{{"] {
        let input = Input { text, ..Input::default() };
        let (expected, _) = interpreted_by(&table, &input);
        let cuts = if text.len() < 60 { inputs::all_cuts(text) } else { vec![vec![text]] };
        assert_eq!(difference_from(&expected, &TEMPLATES, &input, &cuts), None, "{text}");
    }
    let pieces = [
        "{{",
        "}}",
        "{",
        "}",
        "'",
        "\"",
        "`",
        "${",
        "\\",
        "<p a=",
        "<table>",
        "<tr>",
        "<b>",
        "</p>",
        "<head>",
        "<template>",
        "<svg>",
        "<frameset>",
        "<col>",
        "<noscript>",
        "<p a='",
        "<p a=\"",
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        ">",
        " ",
        "x",
        "&amp;",
        "\r\n",
        "\0",
    ];
    let mut random = Random::new(5);
    for seed in 0..1500 {
        let input: String = (0..random.below(12)).map(|_| *random.pick(&pieces)).collect();
        let setup = Setup { follows_modes: random.one_in(2), ..Setup::default() };
        let difference = first_difference(&TEMPLATES, &table, &setup, &input, seed);
        assert_eq!(difference, None, "{input:?}");
        let input = Input { text: &input, ..Input::default() };
        let (expected, _) = interpreted_by(&table, &input);
        let cuts = vec![vec![input.text]];
        assert_eq!(difference_from(&expected, &TEMPLATES, &input, &cuts), None, "{input:?}");
    }
    shared::report("templates: 1500 random inputs");
}
