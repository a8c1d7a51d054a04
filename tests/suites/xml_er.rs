//! XML-ER and XML on external documents: the tests of the author and of successors, those of the W3C, real files, and
//! adversarial documents. Each document is counted, and one that differs is listed with its reason.

use std::fs;
use std::path::Path;
use tabulex::__private::steps_of;
use tabulex::tree::Tree;
use tabulex::{Construction, Options, WriteNode as _, xml, xml_er};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::known::Known;
use tabulex_tests::random::Random;
use tabulex_tests::results;
use tabulex_tests::shared::{report, shared};
use tabulex_tests::trees::{Input, compiled, difference, tree_dialect};
use tabulex_tests::xml_dumps::{braced_dump, canonical, read_dumped_trees};

fn parse(input: &str) -> Tree {
    xml_er::parse(input, Options::new()).tree
}

fn parse_in_chunks<D: Construction>(chunks: &[&str]) -> tabulex::Parsed {
    let mut parser = tabulex::Parser::<D>::new(&Options::new());
    chunks.iter().for_each(|chunk| parser.feed(chunk));
    parser.finish()
}

/// Asserts that the interpreter and the compiled parser agree on the tree, whole and split.
fn assert_agreement(dialect: &str, text: &str, seed: u64) {
    let cuts = [cut(&mut Random::new(seed), text, 7), characters(text)];
    let input = Input { text, ..Input::default() };
    assert_eq!(difference(tree_dialect(dialect), &input, &cuts), None, "{text:?}");
}

/// Compares the trees of a suite with their dumps.
fn check_dumps(folder: &str, known: &str, dump: impl Fn(&Tree) -> String) {
    let Some(folder) = shared(folder) else {
        report(&format!("{folder}: absent"));
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dat"));
    files.sort();
    let (name, mut known) = (known, Known::read(known));
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for file in &files {
        for test in read_dumped_trees(&fs::read_to_string(file).unwrap()) {
            assert_agreement("xml-er", &test.input, 1);
            let found = dump(&parse(&test.input));
            if found == test.dump {
                passed += 1;
            } else if known.excuses(&test.input) {
                excused += 1;
            } else {
                failures.push(format!("{:?}\n- {}\n+ {found}", test.input, test.dump));
            }
        }
    }
    let failed = failures.len();
    report(&format!("{}: {passed} trees passed, {excused} differ as listed", folder.display()));
    assert!(failures.is_empty(), "{failed} failed\n{}", failures.join("\n"));
    let stale = known.stale();
    assert!(stale.is_empty(), "known differences that did not occur as listed: {stale:?}");
    results::check_result(name, passed + excused, passed);
}

#[test]
fn trees_of_the_author() {
    check_dumps("testdata/xml-er", "xml-er", |tree| tree.root().to_qualified_dump());
}

#[test]
fn trees_of_the_successors() {
    check_dumps("testdata/xml5lib/tree-construction", "xml5lib-trees", braced_dump);
}

/// A document of the W3C's suite.
struct ListedDocument {
    id: String,
    path: std::path::PathBuf,
    output: Option<std::path::PathBuf>,
}

/// Returns the documents in the suite's list, which is read by the parser under test.
fn listed_documents(folder: &Path) -> Vec<ListedDocument> {
    let list = fs::read_to_string(folder.join("cleaned/xmlconf-flattened.xml")).unwrap();
    let tree = parse(&list);
    let mut documents = Vec::new();
    for node in tree.root().descendants().filter(|node| node.local_name() == Some("TEST")) {
        let bases = node.ancestors().filter_map(|above| above.attribute("xml:base"));
        let base: Vec<&str> = bases.collect();
        let base =
            base.into_iter().rev().fold(folder.join("xmlconf"), |path, base| path.join(base));
        let is_standalone = node.attribute("ENTITIES") == Some("none");
        let is_well_formed = matches!(node.attribute("TYPE"), Some("valid" | "invalid"));
        let output = node.attribute("OUTPUT").filter(|_| is_standalone && is_well_formed);
        documents.push(ListedDocument {
            id: node.attribute("ID").unwrap_or_default().to_owned(),
            path: base.join(node.attribute("URI").unwrap_or_default()),
            output: output.map(|output| base.join(output)),
        });
    }
    documents
}

/// Decodes a document: UTF-16 with a byte order mark, else UTF-8.
fn decode(bytes: &[u8]) -> String {
    let decode_utf_16 = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFE, 0xFF, ..] => decode_utf_16(u16::from_be_bytes),
        [0xFF, 0xFE, ..] => decode_utf_16(u16::from_le_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Compares the trees of a dialect with the canonical forms in the suite, and counts them under `name`.
fn check_w3c_documents<D: Construction>(name: &str, expected: fn(String) -> String) {
    let Some(folder) = shared("testdata/w3c-xmlconf/build/dist") else {
        report(&format!("{name}: 0 documents, suite absent"));
        return;
    };
    let dialect = D::NAME;
    let mut known = Known::read(name);
    let (mut parsed_count, mut passed, mut excused, mut failures) = (0, 0, 0, Vec::new());
    for (number, document) in listed_documents(&folder).iter().enumerate() {
        let bytes = fs::read(&document.path).unwrap_or_else(|error| {
            panic!("{}: cannot read `{}`: {error}", document.id, document.path.display())
        });
        let input = decode(&bytes);
        let whole = tabulex::parse::<D>(&input, &Options::new());
        let chunks = cut(&mut Random::new(number as u64), &input, 7);
        assert!(
            compiled(&parse_in_chunks::<D>(&chunks)) == compiled(&whole),
            "{}: the tree depends on the chunks",
            document.id
        );
        if input.len() < 5_000 {
            assert_agreement(dialect, &input, number as u64);
        }
        parsed_count += 1;
        let Some(output) = &document.output else { continue };
        let output = decode(&fs::read(output).unwrap());
        let expected = expected(output.trim_start_matches('\u{FEFF}').to_owned());
        let found = canonical(&whole.tree);
        if found == expected {
            passed += 1;
        } else if known.excuses(&document.id) {
            excused += 1;
        } else {
            failures.push(format!("{}\n- {expected}\n+ {found}", document.id));
        }
    }
    report(&format!(
        "{name}: {parsed_count} documents; {passed} as expected, {excused} differ as listed"
    ));
    let failed = failures.len();
    assert!(failures.is_empty(), "{failed} failed\n{}", failures.join("\n"));
    let stale = known.stale();
    assert!(stale.is_empty(), "known differences that did not occur as listed: {stale:?}");
    results::check_result(&format!("{name}, parsed"), parsed_count, parsed_count);
    results::check_result(name, passed + excused, passed);
}

#[test]
fn w3c_documents() {
    check_w3c_documents::<xml_er::XmlEr>("w3c-xmlconf", |output| output);
}

/// Drops from the expected output the document type declarations, which list notations, since Canonical XML has none.
#[test]
fn w3c_documents_as_xml() {
    check_w3c_documents::<xml::Xml>("w3c-xmlconf-xml", |output| {
        let (before, after) = output.split_once("<!DOCTYPE").unwrap_or((&output, ""));
        before.to_owned() + after.split_once("]>\n").map_or("", |(_, root)| root)
    });
}

/// Real files give the same tree whole and with random splits, and have no errors other than `unexpected-doctype`.
#[test]
fn real_files() {
    let Some(folder) = shared("corpus/xml") else {
        report("xml-er: 0 real files, corpus absent");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let input = fs::read_to_string(file).unwrap();
        let whole = xml_er::parse(&input, Options::new());
        let max_cuts = input.len() / 5_000;
        let chunked = parse_in_chunks::<xml_er::XmlEr>(&cut(
            &mut Random::new(number as u64),
            &input,
            max_cuts,
        ));
        assert!(chunked.tree.root().is_like(&whole.tree.root()), "{}", file.display());
        assert!(compiled(&chunked) == compiled(&whole), "{}", file.display());
        let unexpected: Vec<_> =
            whole.errors.iter().filter(|error| error.code != "unexpected-doctype").collect();
        assert!(unexpected.is_empty(), "{}: {:?}", file.display(), unexpected.first());
        let node_count = whole.tree.root().descendants().count();
        report(&format!(
            "xml-er: {} bytes, {node_count} nodes, equal trees from chunks",
            input.len()
        ));
    }
}

/// Returns documents with `count` repetitions of a construct, which must parse in linear time.
fn large(count: usize) -> Vec<(&'static str, String)> {
    let repeat = |part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    let subset = |inside: String, after: String| format!("<!DOCTYPE a [{inside}]><a>{after}</a>");
    let entity = |n: usize| format!("<!ENTITY e{n} 'x{n}'>");
    vec![
        ("attributes", format!("<a{}/>", repeat(&|n| format!(" b{n}='{n}'")))),
        ("one attribute again and again", format!("<a{}/>", " b='c'".repeat(count))),
        ("bindings", format!("<a{}/>", repeat(&|n| format!(" xmlns:p{n}='u{n}' p{n}:b='c'")))),
        ("entities", subset(repeat(&entity), repeat(&|n| format!("&e{n};")))),
        (
            "parameter entities",
            subset(repeat(&|n| format!("<!ENTITY % e{n} ''>%e{n};")), String::new()),
        ),
        (
            "declarations",
            subset(
                repeat(&|n| format!("<!ATTLIST b{n} c CDATA 'd'>")),
                repeat(&|n| format!("<b{n}/>")),
            ),
        ),
        (
            "declarations of one element",
            subset(repeat(&|n| format!("<!ATTLIST b c{n} CDATA 'd'>")), "<b/>".to_owned()),
        ),
        (
            "bindings of open elements",
            format!("<a>{}", repeat(&|n| format!("<p{n}:b xmlns:p{n}='u'>"))),
        ),
        ("end tags without elements", format!("<a>{}", repeat(&|n| format!("<b{n}></c{n}>")))),
        ("texts before the root", "x&amp;".repeat(count)),
    ]
}

#[test]
fn large_documents_take_linear_time() {
    let options = Options::new().errors(false);
    let work = |input: &str| {
        let [steps, created] =
            steps_of(&xml_er::DIALECT, &options, None, &mut [input].into_iter()).unwrap();
        (steps as f64, input.len() as f64 + created as f64)
    };
    for ((name, small), (_, big)) in large(2_000).into_iter().zip(large(8_000)) {
        let ((steps, size), (more_steps, more_size)) = (work(&small), work(&big));
        let [by_steps, by_size] = [more_steps / steps, more_size / size];
        assert!(
            by_steps < 1.05 * by_size,
            "{name}: {by_steps:.2} times the steps for {by_size:.2} times the size"
        );
    }
}
