//! Trees of HTML: compiled parsers against the suites of other people and against the interpreter, whole and cut. What
//! the interpreter makes of the suites is the business of `modes`. Invariant: every case of a suite is counted, and every
//! difference is either listed with its reason or a failure.

use std::collections::BTreeSet;
use std::path::Path;
use tabulex::Parsed;
use tabulex_spec::model::tree::{ModeId, TagNames, TokenPattern};
use tabulex_tests::dat::{Case, cases, inputs, of_folder};
use tabulex_tests::inputs::{characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::shared::{package_folder, report, shared, workspace};
use tabulex_tests::trees::{Built, HTML_DIALECTS, HtmlDialect, Input, compiled, interpreted_html};

/// Cases of before processing instructions (2026-06-25), whose trees differ for that.
const BEFORE_INSTRUCTIONS: &[&str] = &["html5test-com:11", "tests1:39", "tests1:43", "tests1:46"];

/// Cases of before the changes of `select` (2023-05-02, 2025-07-21), in the copy that a package ships.
const BEFORE_SELECT: &str = "select";

fn dialect(name: &str) -> &'static HtmlDialect {
    HTML_DIALECTS.iter().find(|dialect| dialect.name == name).expect("a dialect of HTML")
}

/// The tree in the form of the suites; of a fragment, what is in the document's element.
fn dump(is_fragment: bool, parsed: &Parsed) -> String {
    let root = parsed.tree.root();
    let text = match is_fragment {
        false => root.to_dump(),
        true => {
            let root = parsed.tree.document_element().expect("a fragment has a root");
            root.children().map(|child| child.to_dump()).collect()
        }
    };
    text.trim_end_matches('\n').to_owned()
}

/// The first way of feeding that gives something else than the interpreter.
fn difference(dialect: &HtmlDialect, input: &Input<'_>, cuts: &[Vec<&str>]) -> Option<String> {
    let (expected, _) = interpreted_html(dialect.name, input);
    let told = |way: &str, found: Built| {
        if found == expected {
            return None;
        }
        let mut pairs = expected.lines.iter().zip(&found.lines);
        let line = pairs.find(|(a, b)| a != b);
        let lengths = (expected.lines.len(), found.lines.len());
        let missing: Vec<_> =
            expected.errors.iter().filter(|error| !found.errors.contains(error)).collect();
        let more: Vec<_> =
            found.errors.iter().filter(|error| !expected.errors.contains(error)).collect();
        Some(format!(
            "{way}: nodes {lengths:?}, first {line:#?}\nerrors missing {missing:?} more {more:?}"
        ))
    };
    told("whole", compiled(&(dialect.parse)(input, None))).or_else(|| {
        cuts.iter().find_map(|chunks| {
            told(&format!("{chunks:?}"), compiled(&(dialect.parse)(input, Some(chunks))))
        })
    })
}

/// Runs the cases whole, by single characters and at random cuts; tells those that differ.
fn run_suite(what: &str, folder: &Path, least: usize, excused: &dyn Fn(&str, &Case) -> bool) {
    let (mut passed, mut excuses, mut failed) = (0, 0, Vec::new());
    let html = dialect("html");
    let cases = of_folder(folder);
    for (id, case) in &cases {
        for input in inputs(case) {
            let found = dump(case.fragment.is_some(), &(html.parse)(&input, None));
            let mut random = Random::new(passed as u64 + 1);
            let cuts = [characters(&case.data), cut(&mut random, &case.data, 5)];
            let difference = difference(html, &input, &cuts);
            if found == case.document && difference.is_none() {
                passed += 1;
            } else if difference.is_none() && excused(id, case) {
                excuses += 1;
            } else {
                let expected = &case.document;
                failed.push(format!(
                    "{id} {:?} {difference:?}\nexpected\n{expected}\nfound\n{found}",
                    case.data
                ));
            }
        }
    }
    report(&format!(
        "{what}: {} cases, {passed} runs passed, {excuses} excused, {} failed",
        cases.len(),
        failed.len()
    ));
    assert!(failed.is_empty(), "{}", failed[..failed.len().min(8)].join("\n\n"));
    assert!(cases.len() >= least, "{} cases of at least {least}", cases.len());
}

#[test]
fn web_platform_tests() {
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        return report("wpt trees: 0 cases, suite absent; name its folder: TABULEX_SHARED=…");
    };
    run_suite("wpt trees", &folder, 1_916, &|_, _| false);
}

#[test]
fn html5lib_trees() {
    if let Some(folder) = shared("testdata/html5lib/tree-construction") {
        let excused = |id: &str, _: &Case| BEFORE_INSTRUCTIONS.contains(&id);
        return run_suite("html5lib trees", &folder, 1_780, &excused);
    }
    let folder = package_folder("markup5ever_rcdom", "html5lib-tests/tree-construction")
        .expect("the package that ships the suite");
    let excused = |id: &str, case: &Case| {
        BEFORE_INSTRUCTIONS.contains(&id) || case.data.contains(BEFORE_SELECT)
    };
    run_suite("html5lib trees of a package", &folder, 1_700, &excused);
}

/// Every cut in two, and characters alone.
fn everywhere(input: &str) -> Vec<Vec<&str>> {
    let places = input.char_indices().map(|(at, _)| vec![&input[..at], &input[at..]]);
    places.chain([characters(input)]).collect()
}

#[test]
fn own_cases_at_every_cut() {
    let path = workspace().join("tests/cases/trees-html.dat");
    let all = cases(&std::fs::read_to_string(path).expect("our own cases"));
    for dialect in HTML_DIALECTS {
        for case in &all {
            for input in inputs(case) {
                let found = difference(dialect, &input, &everywhere(&case.data));
                assert_eq!(found, None, "{}: {:?}", dialect.name, case.data);
                let input = Input { shadow_roots: true, ..input };
                let found = difference(dialect, &input, &[]);
                assert_eq!(found, None, "{}: {:?} with shadow roots", dialect.name, case.data);
            }
        }
        report(&format!("own cases of {}'s trees: {} at every cut", dialect.name, all.len()));
    }
}

/// Tag names that the rows of the modes tell apart, and a few that they do not.
fn names(dialect: &str) -> Vec<String> {
    let construction = table(dialect).machine().construction.as_ref().expect("modes");
    let mut names: BTreeSet<String> =
        ["x-y", "span", "foreignObject", "desc", "mi", "mglyph", "g", "annotation-xml"]
            .map(str::to_owned)
            .into();
    for index in 0..construction.modes.len() {
        for row in &construction.mode(ModeId(index as u8)).rows {
            for pattern in &row.patterns {
                if let TokenPattern::StartTag(TagNames::These(these))
                | TokenPattern::EndTag(TagNames::These(these)) = &pattern.value
                {
                    names.extend(these.iter().cloned());
                }
            }
        }
    }
    names.into_iter().collect()
}

/// Markup of a few names, so that they meet again.
fn markup(random: &mut Random, names: &[String]) -> String {
    const PIECES: &[&str] = &[
        "x",
        " ",
        "\n",
        "a b",
        "\0",
        "&amp;",
        "&#x0D;",
        "<!--c-->",
        "<!doctype html>",
        "<?t d?>",
        "<![CDATA[ y ]]>",
        "\u{E9}",
        "\r\n",
        "<!DOCTYPE html SYSTEM 'q'>",
        "<?marker name='m'?>",
        "<?start name=m?>",
        "<?start name=\"m\"?>",
        "<?end?>",
    ];
    const ATTRIBUTES: &[&str] = &[
        "",
        "",
        "",
        " a",
        " a=1",
        " a=2 b",
        " type=hidden",
        " color=red",
        " encoding=text/html",
        " xlink:href=u xml:lang=l",
        " definitionurl=d viewbox=v",
        " shadowrootmode=open",
        " for=m",
        " selected",
        " a a",
    ];
    let few: Vec<&String> = (0..1 + random.below(6)).map(|_| random.pick(names)).collect();
    let mut text = String::new();
    for _ in 0..random.below(24) {
        let name = if random.one_in(5) { random.pick(names) } else { *random.pick(&few) };
        match random.below(8) {
            0..=3 => {
                let attributes = random.pick(ATTRIBUTES);
                let slash = if random.one_in(6) { "/" } else { "" };
                text += &format!("<{name}{attributes}{slash}>");
            }
            4 | 5 => text += &format!("</{name}>"),
            _ => text += *random.pick(PIECES),
        }
    }
    text
}

/// How many random inputs a dialect takes.
const RANDOM_INPUTS: u64 = 4_000;

#[test]
fn random_inputs() {
    const CONTEXTS: &[&str] = &[
        "div",
        "td",
        "tr",
        "table",
        "template",
        "select",
        "svg g",
        "svg desc",
        "math mi",
        "form",
        "html",
        "head",
        "body",
        "frameset",
        "caption",
        "colgroup",
        "title",
        "script",
        "svg title",
    ];
    for dialect in HTML_DIALECTS {
        let names = names(dialect.name);
        for seed in 1..=RANDOM_INPUTS {
            let mut random = Random::new(seed);
            let text = markup(&mut random, &names);
            let fragment = random.one_in(3).then(|| *random.pick(CONTEXTS));
            let (scripting, shadow_roots) = (random.one_in(2), random.one_in(2));
            let differs = |text: &str| {
                let input = Input { text, fragment, scripting, shadow_roots };
                let cuts = [cut(&mut Random::new(seed), text, 6)];
                difference(dialect, &input, &cuts)
            };
            if differs(&text).is_some() {
                let shortest = shrink(&text, &|text| differs(text).is_some());
                let told = differs(&shortest).unwrap();
                panic!(
                    "{}: {shortest:?} in {fragment:?} scripting {scripting} shadow {shadow_roots}\n{told}",
                    dialect.name
                );
            }
        }
        report(&format!("trees of {}: {RANDOM_INPUTS} random inputs", dialect.name));
    }
}
