//! Tree construction: compares compiled builders with the interpreter on random inputs of every dialect, and runs our
//! own cases of all but HTML, which has a suite of its own. Each row of each mode is taken by one of these cases.

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use tabulex::sky::Sky;
use tabulex::{Dialect, ParseError, WriteNode as _};
use tabulex_language::model::tree::{Elements, ModeRowId};
use tabulex_oracle::parallel;
use tabulex_tests::host_calls;
use tabulex_tests::inputs::{Alphabet, all_cuts, characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::known::Known;
use tabulex_tests::markup::{names, tree_input};
use tabulex_tests::random::Random;
use tabulex_tests::results;
use tabulex_tests::sample;
use tabulex_tests::shared::{report, shared, workspace};
use tabulex_tests::trees::{
    Input, difference, interpreted, is_html, parse, sky_dump, tree_dialect, tree_dialects,
};

#[test]
fn committed_cases_match_and_take_every_row() {
    for dialect in tree_dialects().filter(|dialect| !is_html(dialect)) {
        let path = workspace().join(format!("tests/cases/trees-{}.json", dialect.id()));
        let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let construction = table(dialect.id()).machine().construction.as_ref().unwrap();
        let mut rows_taken: HashSet<ModeRowId> = HashSet::new();
        for case in &cases {
            let parsing_context = case["flags"]["parsing-context"].as_u64().unwrap_or_default();
            let text = case["input"].as_str().unwrap();
            let input = Input { text, parsing_context: parsing_context as u8, ..Input::default() };
            let expected_lines: Vec<&str> = case["tree"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line.as_str().unwrap())
                .collect();
            let tree = parse(dialect, &input, None).tree;
            let found = match construction.elements {
                Elements::Xml => tree.root().to_qualified_dump(),
                _ => tree.root().to_dump(),
            };
            assert_eq!(found.trim_end().lines().collect::<Vec<_>>(), expected_lines, "{text:?}");
            // Long inputs, which have `"cuts": "few"`, are split only into characters, because all ways to split them
            // would take too long.
            let is_long = case["cuts"] == "few";
            let cuts = if is_long { vec![characters(text)] } else { all_cuts(text) };
            assert_eq!(difference(dialect, &input, &cuts), None, "{text:?}");
            check_reports(dialect, case, &input);
            rows_taken.extend(interpreted(dialect.id(), &input).1);
        }
        for id in construction.row_ids() {
            assert!(
                rows_taken.contains(&id),
                "{}: in mode `{}`, row {} is not taken by any case",
                dialect.id(),
                construction.mode(id.mode).name,
                id.row
            );
        }
        report(&format!(
            "trees of {}: {} cases take {} rows of modes",
            dialect.id(),
            cases.len(),
            construction.rows().count()
        ));
    }
}

/// Checks the results of a case besides the tree: errors, each as code and range; events, which must not depend on
/// splits; and calls of the host, each as word and name of the node.
fn check_reports(dialect: &Dialect, case: &Value, input: &Input<'_>) {
    let check = |key: &str, found: Vec<String>| {
        let Some(expected) = case[key].as_array() else { return };
        let expected: Vec<&str> = expected.iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(found, expected, "{key}: {case}");
    };
    let chunks = characters(input.text);
    for parsed in [parse(dialect, input, None), parse(dialect, input, Some(&chunks))] {
        let format_error =
            |error: &ParseError| format!("{} {}..{}", error.code, error.span.start, error.span.end);
        check("errors", parsed.errors.iter().map(format_error).collect());
        check("events", parsed.events.iter().map(ToString::to_string).collect());
    }
    if case["calls"].is_array() {
        assert_eq!(dialect.id(), "sky", "{case}");
        check("calls", host_calls::compiled::<Sky>(input.text));
        check("calls", host_calls::interpreted(table("sky"), input.text));
    }
}

/// Checks inputs with options that the formats of other suites lack, including failures that random inputs have found.
#[test]
fn inputs_with_options() {
    let path = workspace().join("tests/cases/tree-inputs.json");
    let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for case in &cases {
        let text = case["input"].as_str().unwrap();
        let input = Input {
            text,
            fragment: case["fragment"].as_str(),
            scripting: case["scripting"].as_bool().unwrap_or_default(),
            shadow_roots: case["shadow-roots"].as_bool().unwrap_or_default(),
            ..Input::default()
        };
        let dialect = tree_dialect(case["dialect"].as_str().unwrap());
        let parsed = parse(dialect, &input, None);
        if let Some(mode) = case["mode"].as_str() {
            assert_eq!(format!("{:?}", parsed.tree.mode()), mode, "{case}");
        }
        let found = parsed.tree.root().to_dump();
        let expected: Vec<&str> =
            case["tree"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(found.trim_end().lines().collect::<Vec<_>>(), expected, "{case}");
        assert_eq!(difference(dialect, &input, &all_cuts(text)), None, "{case}");
    }
}

/// Pieces of markup that patch documents, and pieces that move nodes.
const PATCH_PIECES: &[&str] = &[
    "<?marker name=\"y\"?>",
    "<?marker name=\"z\">",
    "<?start name=\"y\">",
    "<?start name=\"z\">",
    "<?end>",
    "<template for=y>",
    "<template for=z>",
    "<template for=y>t</template>",
    "<template for=z>t</template>",
    "</template>",
    "<template>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<table>",
    "<td>",
    "</table>",
    "</body>",
    "<head>",
    "</head>",
    "<frameset>",
    "<svg>",
    "<desc>",
    "<template shadowrootmode=open>",
    "<template shadowrootmode=Closed shadowrootdelegatesfocus shadowrootclonable>",
    "<template shadowrootmode=open shadowrootserializable shadowrootslotassignment=Manual>",
    "<x-y>",
    "x",
];
/// Pieces of markup with mirrored options, and pieces that move nodes.
const OPTION_PIECES: &[&str] = &[
    "<select>",
    "<select><button><selectedcontent></selectedcontent></button>",
    "<select multiple>",
    "<select size=2>",
    "</select>",
    "<button>",
    "</button>",
    "<selectedcontent>",
    "</selectedcontent>",
    "<option>x",
    "<option selected>y",
    "<option disabled>z",
    "</option>",
    "<optgroup>",
    "<optgroup disabled>",
    "</optgroup>",
    "<hr>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<table>",
    "<td>",
    "</table>",
    "<svg><desc>",
    "<template for=y>",
    "</template>",
    "<?start name=\"y\"?>",
];

/// Patching and mirroring find the first match in tree order without a traversal, which inputs with many patches and
/// mirrored options test.
#[test]
fn random_patches_and_mirrored_options() {
    let dialect = tree_dialect("html");
    let seeds = sample::seeds("places", 0..100_000, 2_000);
    for &seed in &seeds {
        let mut random = Random::new(seed);
        let pieces = if random.one_in(2) { PATCH_PIECES } else { OPTION_PIECES };
        let count = 4 + random.below(40);
        let text: String = (0..count).map(|_| *random.pick(pieces)).collect();
        let shadow_roots = random.one_in(2);
        let mismatch = |text: &str| {
            let input = Input { text, shadow_roots, ..Input::default() };
            difference(dialect, &input, &[cut(&mut Random::new(seed), text, 6)])
        };
        if mismatch(&text).is_some() {
            let shortest = shrink(&text, &|text| mismatch(text).is_some());
            panic!("{shortest:?}\n{}", mismatch(&shortest).unwrap());
        }
    }
    report(&format!("patches and mirrored options: {} random inputs", seeds.len()));
}

const RANDOM_INPUTS: u64 = 100_000;

#[test]
fn random_inputs() {
    let dialects: Vec<_> = tree_dialects().collect();
    parallel::map(&dialects, None, |dialect| random_inputs_of(dialect)).unwrap();
}

fn random_inputs_of(dialect: &Dialect) {
    let names = if is_html(dialect) { names(dialect.id()) } else { Vec::new() };
    let alphabet = Alphabet::new(table(dialect.id()));
    let seeds = sample::seeds(dialect.id(), 1..RANDOM_INPUTS + 1, 4_000);
    for &seed in &seeds {
        let mut random = Random::new(seed);
        let (text, input) = tree_input(&mut random, &alphabet, &names);
        let mismatch = |text: &str| {
            let cuts = [cut(&mut Random::new(seed), text, 6)];
            difference(dialect, &Input { text, ..input }, &cuts)
        };
        if mismatch(&text).is_some() {
            let shortest = shrink(&text, &|text| mismatch(text).is_some());
            panic!("{}: {shortest:?} {input:?}\n{}", dialect.id(), mismatch(&shortest).unwrap());
        }
    }
    report(&format!("trees of {}: {} random inputs", dialect.id(), seeds.len()));
}

#[test]
fn trees_of_the_sky_tests() {
    let Some(folder) = shared("testdata/sky") else {
        report("sky: 0 trees, suite absent");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sky"));
    files.sort();
    let dialect = tree_dialect("sky");
    let mut known = Known::read("sky");
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for file in &files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let input = String::from_utf8(fs::read(file).unwrap()).unwrap();
        let expected =
            fs::read_to_string(file.with_file_name(format!("{name}-expected.txt"))).unwrap();
        // The browser that produced the expected output printed console messages before the dump.
        let is_console_line =
            |line: &&str| line.starts_with("ERROR:") || line.starts_with("SOURCE:");
        let expected = expected.lines().skip_while(is_console_line).collect::<Vec<_>>().join("\n");
        let (text, input) = (&input[..], Input { text: &input, ..Input::default() });
        assert_eq!(difference(dialect, &input, &all_cuts(text)), None, "{name}");
        let tree = parse(dialect, &input, None).tree;
        let found = sky_dump(&tree, text.contains("dump-as-text"));
        if found.trim_end() == expected.trim_end() {
            passed += 1;
        } else if known.excuses(name) {
            excused += 1;
        } else {
            failures.push(format!("{name}\n- {expected}\n+ {found}"));
        }
    }
    report(&format!("sky: {} trees, {passed} passed, {excused} known to fail", files.len()));
    results::check_result("sky", files.len(), passed);
    let stale = known.stale();
    assert!(stale.is_empty(), "known failures that did not occur as listed: {stale:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
