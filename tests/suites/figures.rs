//! Generated figures in `README.md`, `SECURITY.md` and `tests/CONFORMANCE.md`. Blocks are generated from the tables,
//! the facts of the documents and the recorded results; a stale block fails, and `UPDATE_EXPECT=1` updates it.

use crate::slow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex::Limits;
use tabulex_documents::compare::{Comparison, Index, compare};
use tabulex_documents::document::Profile;
use tabulex_documents::document::facts;
use tabulex_tests::interpreted::table;
use tabulex_tests::results::{Results, recorded};
use tabulex_tests::shared::workspace;

/// Files with generated blocks.
const TEXTS: &[&str] =
    &["README.md", "SECURITY.md", "tests/CONFORMANCE.md", "runtime/guides/coming-from.md"];

/// URL of the repository's files, for links from packages that lack them.
const FILES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// External suites: the dialect, the key in `results.json`, and a description.
const SUITES: &[(&str, &str, &str)] = &[
    (
        "html",
        "html5lib-living",
        "tokenizer tests of html5lib, with codes, lines and columns of errors",
    ),
    (
        "html",
        "wpt-trees-html",
        "trees of the Web Platform Tests of August 2026, with scripting off and on",
    ),
    ("html", "html5lib-trees", "trees of html5lib"),
    ("html-2013", "html5lib", "tokenizer tests of html5lib"),
    ("html-2013", "html5lib-2014", "tokenizer tests of html5lib of 2014, with error counts"),
    ("html-2013", "wpt-trees-html-2013", "trees of the Web Platform Tests of August 2026"),
    ("html-2007", "html5lib-2007", "tokenizer tests of html5lib of 2007, with error counts"),
    ("html-2007", "wpt-trees-html-2007", "trees of the Web Platform Tests of August 2026"),
    ("url", "url", "URLs of the Web Platform Tests of July 2026"),
    ("webvtt", "webvtt", "cue texts of vtt.js and the Web Platform Tests"),
    ("xml", "w3c-xmlconf-xml", "trees of the W3C"),
    ("xml-er", "xml-er", "trees of its author"),
    ("xml-er", "w3c-xmlconf, parsed", "documents of the W3C, which all parse"),
    ("xml-er", "w3c-xmlconf", "trees of the W3C"),
    ("xml-er", "xml5lib", "tokenizer tests of its successors"),
    ("xml-er", "xml5lib-trees", "trees of its successors"),
    ("sky", "sky", "dumps of trees of its authors"),
    ("microxml", "microxml", "cases of error recovery of its author, until December 2012"),
    ("microxml-2012-12", "microxml-2012-12", "the same cases"),
];

/// Effects of the limits in [`Limits`], with additions to their default values.
const LIMITS: &[(&str, &str, &str)] = &[
    ("depth", "", "deeper elements become siblings; no text is lost"),
    ("nodes", "", "further nodes are left out"),
    (
        "attributes",
        " of a tag; one for each 256 of `bytes` where that is fewer",
        "further ones of the tag are left out",
    ),
    (
        "token",
        " bytes, or up to an eighth more",
        "the token and the rest of the input are left out",
    ),
    ("errors", "", "further ones are counted"),
    ("bytes", "", "the rest of the input is left out"),
    (
        "replacement",
        " bytes, and 5 for each byte of input",
        "references and declared attributes are left out",
    ),
    (
        "reconstructed",
        ", and one for each 4 bytes of input",
        "the list of active formatting elements is cleared; no text is lost",
    ),
];

/// The measured tasks: a description, the section in the benchmark's results, and our name there.
const RATES: &[(&str, &str, &str)] = &[
    ("tokens of `html`", "html-tokens", "tabulex html"),
    ("trees of `html`", "html-trees", "tabulex html tree"),
    ("tokens of `xml-er`", "xml-tokens", "tabulex xml-er"),
    ("trees of `xml-er`", "xml-trees", "tabulex xml-er tree"),
];

/// Files with measurements of other libraries.
const RESULTS: &str = "tests/bench/results/rates.md";
const PYTHON: &str = "runtime/bindings/python/measure/results.md";
const PROGRAMS: &str = "runtime/examples/README.md";

/// Another library, compared with tabulex for its users.
struct Peer {
    name: &'static str,
    /// URL path of its guide from the root of the repository, if it has one.
    guide: Option<&'static str>,
    /// Items of tabulex that replace its main items.
    replacements: &'static str,
    /// The advantages of tabulex, as a cell of the table.
    advantages: &'static str,
    missing_features: &'static str,
    /// Measurements: label, file of results, section (empty if the file has none), and row.
    figures: &'static [(&'static str, &'static str, &'static str, &'static str)],
}

const PEERS: &[Peer] = &[
    Peer {
        name: "scraper",
        guide: Some("runtime/guides/scraper.md"),
        replacements: "`html::parse()`, `select::Selector`, `Tree::root`, `NodeRef::attribute`, `NodeRef::text`; selectors parsed by the same crate",
        advantages: "positions of nodes and attributes, error codes, encodings, limits",
        missing_features: "the tree as one of `ego_tree`",
        figures: &[
            ("trees", RESULTS, "html-trees", "scraper"),
            ("links", PROGRAMS, "", "links.rs"),
            ("tables", PROGRAMS, "", "tables.rs"),
        ],
    },
    Peer {
        name: "html5ever",
        guide: Some("runtime/guides/html5ever.md"),
        replacements: "`html::parse()`, `html::tokens()`, `Parser::feed`, `Parser::with_sink`, `tree::TreeSink`, `Parser::pause_at_scripts`",
        advantages: "the standard's error codes, ranges, limits, encodings; existing sinks by `tabulex-markup5ever`",
        missing_features: "names that all trees share",
        figures: &[
            ("tokens", RESULTS, "html-tokens", "html5ever tokenizer"),
            ("trees", RESULTS, "html-trees", "html5ever with rcdom"),
        ],
    },
    Peer {
        name: "lol_html",
        guide: Some("runtime/guides/lol_html.md"),
        replacements: "`rewrite::rewrite_str()`, `rewrite::Rewriter`, `rewrite::Rules`; all other bytes are preserved",
        advantages: "each text as a whole, more selectors, end tags that are missing, handlers that borrow",
        missing_features: "an interface for C",
        figures: &[
            ("tokens", RESULTS, "html-tokens", "lol_html, * handler"),
            ("rewriting", PROGRAMS, "", "rewrite.rs"),
        ],
    },
    Peer {
        name: "ammonia",
        guide: None,
        replacements: "`Sanitizer::clean`, `Sanitizer::allow_element_with`, `Sanitizer::url_schemes`, `Sanitizer::link_rel`, `Sanitizer::allow_classes`, `Sanitizer::filter_attributes`",
        advantages: "the standard's Sanitizer API, with its configurations as JSON; the output parses to the same tree",
        missing_features: "lists of style properties, prefixes of ids (`filter_attributes` can do both)",
        figures: &[("sanitizing", PROGRAMS, "", "sanitize.rs")],
    },
    Peer {
        name: "quick-xml",
        guide: Some("runtime/guides/quick-xml.md"),
        replacements: "`xml::tokens()`, `TokenReader::next_token`, `xml::parse()`, `tabulex_serde::from_str`",
        advantages: "continues after each error and reports it; HTML's entities on request; trees",
        missing_features: "writers of events and of serde's types",
        figures: &[
            ("tokens", RESULTS, "xml-tokens", "quick-xml with attributes"),
            ("a map", PROGRAMS, "", "osm.rs"),
        ],
    },
    Peer {
        name: "roxmltree",
        guide: None,
        replacements: "`xml::parse()`, `NodeRef::descendants`, `NodeRef::children`, `NodeRef::attribute_in`, `NodeRef::span`",
        advantages: "documents that are not well-formed, trees that change, CSS selectors",
        missing_features: "a refusal of documents that are not well-formed (they have `errors`)",
        figures: &[
            ("trees", RESULTS, "xml-trees", "roxmltree"),
            ("a sitemap", PROGRAMS, "", "sitemap.rs"),
        ],
    },
    Peer {
        name: "BeautifulSoup",
        guide: Some("runtime/bindings/python/README.md#coming-from-beautifulsoup"),
        replacements: "`pytabulex.parse`, `Document.css`, `Node.get`, `Node.text`, `Node.next_sibling`, `Document.pretty`",
        advantages: "threads, ranges, error codes, Markdown, tables, edits that preserve other bytes",
        missing_features: "trees that change in place, search by regular expressions and functions",
        figures: &[("trees", PYTHON, "parse", "BeautifulSoup, html5lib")],
    },
    Peer {
        name: "selectolax",
        guide: Some("runtime/bindings/python/README.md#coming-from-selectolax"),
        replacements: "`pytabulex.parse`, `Document.css`, `Document.css_first`, `Node.attrs`, `Node.text`",
        advantages: "encodings, ranges, error codes, nodes that keep their document, columns of pages",
        missing_features: "trees that change in place",
        figures: &[
            ("trees", PYTHON, "parse", "selectolax"),
            ("links", PYTHON, "links", "selectolax"),
            ("text", PYTHON, "text", "selectolax"),
        ],
    },
    Peer {
        name: "lxml",
        guide: None,
        replacements: "`pytabulex.parse`, `Document.css`, `Document.links`, `Node.to_xml`",
        advantages: "the standard's trees, error codes, ranges, threads",
        missing_features: "XPath, XSLT, schemas, trees that change in place",
        figures: &[("trees", PYTHON, "parse", "lxml")],
    },
    Peer {
        name: "nh3",
        guide: None,
        replacements: "`pytabulex.Sanitizer`, `Sanitizer.clean`, with `allow_elements`, `url_schemes`, `link_rel`, `attribute_filter`",
        advantages: "the standard's Sanitizer API, with its configurations as JSON or a dictionary",
        missing_features: "lists of style properties, prefixes of ids (`attribute_filter` can do both)",
        figures: &[("sanitizing", PYTHON, "sanitize", "nh3")],
    },
];

fn read(name: &str) -> String {
    let text = fs::read_to_string(workspace().join(name));
    text.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Formats a number with thousands separators.
fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut written = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// Returns a Markdown table; with `numbers`, all columns but the first are right-aligned.
fn markdown(head: &[&str], numbers: bool, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let of_text = |cells: &[&str]| cells.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let mut ruler = vec![if numbers { "--:" } else { "---" }; head.len()];
    ruler[0] = "---";
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    line(&of_text(head)) + &line(&of_text(&ruler)) + &rows
}

/// The comparison of a dialect's table with its document, and numbers of sentences.
struct DocumentComparison {
    /// The dialect's id, with `-modes` if only its trees are compared.
    part: String,
    comparison: Comparison,
    read: u64,
    remarks: u64,
}

fn documents() -> Vec<DocumentComparison> {
    let folder = workspace().join("spec/documents");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "facts"));
    files.sort();
    files.iter().map(|file| read_comparison(file)).collect()
}

fn read_comparison(file: &Path) -> DocumentComparison {
    let part = file.file_stem().unwrap().to_string_lossy().into_owned();
    let profile =
        Profile::parse(&fs::read_to_string(file.with_extension("profile")).unwrap()).unwrap();
    let facts = facts::parse(&fs::read_to_string(file).unwrap()).unwrap();
    let text =
        read(&format!("spec/tables/{}", profile.table.unwrap_or_else(|| format!("{part}.states"))));
    let (table, _) = tabulex_language::parse::file(&text);
    let comparison = compare(&Index::new(&facts.table), &Index::new(&table.unwrap()));
    let count = |word: &str| {
        let before = facts.summary.split(word).next().unwrap();
        before.rsplit([' ', '(']).next().unwrap().parse().unwrap()
    };
    DocumentComparison { part, comparison, read: count(" read"), remarks: count(" remarks") }
}

/// Returns the source text of the state `tag-name`, as a block of code.
fn tag_name() -> String {
    let text = read("spec/tables/html.states");
    let from = text.find("    state tag-name ").expect("the table has the state");
    let to =
        from + text[from..].find("\n    }\n").expect("the state has an end") + "\n    }\n".len();
    let lines = text[from..to]
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)));
    format!("```text\n{}```\n", lines.collect::<String>())
}

fn dialects(results: &Results) -> String {
    let documents = documents();
    let records = tabulex::record_dialects().iter().map(|dialect| dialect.id);
    let ids = tabulex::dialects().iter().map(|dialect| dialect.id()).chain(records);
    let rows = ids.map(|id| {
        let machine = table(id).machine();
        let modes = machine.construction.as_ref().map_or(0, |model| model.modes.len());
        let of_part = |part: String| documents.iter().find(|it| it.part == part);
        let parts = [of_part(id.to_owned()), of_part(format!("{id}-modes"))];
        let equal = parts
            .into_iter()
            .flatten()
            .map(|it| format!("{} of {}", it.comparison.equal, it.comparison.rows));
        let suites = SUITES.iter().filter(|(of, ..)| *of == id);
        let [runs, passed] = suites.fold([0, 0], |[runs, passed], (_, suite, _)| {
            let [suite_runs, suite_passed] = results[*suite];
            [runs + suite_runs, passed + suite_passed]
        });
        vec![
            format!("`{id}`"),
            machine.document.clone(),
            format!("{}, {modes}", machine.states.len()),
            equal.collect::<Vec<_>>().join("; "),
            format!("{} of {}", number(passed as u64), number(runs as u64)),
        ]
    });
    let head = [
        "dialect",
        "document",
        "states, tree modes",
        "rows equal to the document's",
        "runs of tests by others that pass",
    ];
    markdown(&head, false, rows)
}

fn sentences() -> String {
    let rows = documents().into_iter().map(|it| {
        let Comparison { rows, equal, steps, equal_steps, .. } = it.comparison;
        let cells = [
            it.read,
            it.remarks,
            rows as u64,
            equal as u64,
            steps as u64,
            equal_steps as u64,
            it.comparison.declared() as u64,
        ];
        let name = match it.part.strip_suffix("-modes") {
            Some(dialect) => format!("`{dialect}`, trees"),
            None => format!("`{}`", it.part),
        };
        std::iter::once(name).chain(cells.map(number)).collect()
    });
    let head = [
        "dialect",
        "sentences read",
        "remarks",
        "rows",
        "equal",
        "steps of algorithms",
        "equal",
        "differences declared",
    ];
    markdown(&head, true, rows)
}

fn suites(results: &Results) -> String {
    let rows = SUITES.iter().map(|(dialect, suite, what)| {
        let [runs, passed] = results[*suite].map(|it| number(it as u64));
        let listed = format!("suites/known/{suite}.json");
        let others = workspace().join("tests").join(&listed).exists();
        let others = if others { format!("[listed]({listed})") } else { String::new() };
        vec![format!("`{dialect}`"), (*what).to_owned(), runs, passed, others]
    });
    markdown(&["dialect", "suite", "runs", "passed", "the others"], false, rows)
}

fn generated(results: &Results) -> String {
    let rows = tabulex::dialects().iter().map(|dialect| {
        let of = |what| number(results[&format!("{}, generated {what}", dialect.id())][0] as u64);
        vec![format!("`{}`", dialect.id()), of("tokens"), of("trees")]
    });
    markdown(&["dialect", "cases of tokens", "of trees"], true, rows)
}

fn limits() -> String {
    let defaults = Limits::new();
    assert!(LIMITS.iter().map(|(name, ..)| name).eq(Limits::NAMES), "each limit has its row");
    let rows = LIMITS.iter().map(|(name, more, effect)| {
        let default = number(defaults.get(name).unwrap());
        vec![format!("`{name}`"), format!("{default}{more}"), (*effect).to_owned()]
    });
    markdown(&["limit", "default", "what happens when it is reached"], false, rows)
}

/// Returns a table of the bounds for an input of 1 MB.
fn bounds() -> String {
    let cells =
        [format!("{} s", slow::MAX_TIME.as_secs()), format!("{} MB", slow::MAX_MEMORY >> 20)];
    let head = ["", "processor time, at most", "memory, at most"];
    markdown(&head, false, [std::iter::once("1 MB of any input".to_owned()).chain(cells).collect()])
}

/// Returns the rows of a section of benchmark results, cell by cell.
fn measured(results: &str, section: &str) -> Vec<Vec<String>> {
    let (_, rest) = results.split_once(&format!("\n### {section}\n")).expect(section);
    let rest = rest.split("\n### ").next().unwrap_or_default();
    let rows = rest.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// Returns a table of speeds relative to contestants that have an aim, and the conditions of the measurement.
fn speed() -> String {
    let (rates, heap) = (read("tests/bench/results/rates.md"), read("tests/bench/results/heap.md"));
    let rows = RATES.iter().map(|(what, section, ours)| {
        let rows = measured(&rates, section);
        let of = |name: &str| rows.iter().find(|row| row[0] == name).expect(name);
        let peers = rows.iter().filter(|row| !row[3].is_empty());
        let peers = peers.map(|row| format!("{} {}", row[0], row[2].trim_end_matches('x')));
        let errors = of(&format!("{ours}, errors"))[2].trim_end_matches('x').to_owned();
        let held = measured(&heap, section).into_iter().find(|row| row[0] == *ours).expect(ours);
        vec![
            (*what).to_owned(),
            of(ours)[1].clone(),
            peers.collect::<Vec<_>>().join(", "),
            errors,
            held[1].clone(),
        ]
    });
    let head = [
        "",
        "MB/s",
        "times as fast as",
        "time with all errors",
        "bytes of heap for each of the input",
    ];
    let conditions = rates.lines().nth(2).expect("the results begin with their conditions");
    let on = |section: &str| {
        rates
            .split_once(&format!("### {section}\n\n"))
            .unwrap()
            .1
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    let mut text = markdown(&head, false, rows);
    let _ = write!(
        text,
        "\nMeasured {conditions} Of HTML: {}; of XML: {}.\n",
        on("html-tokens"),
        on("xml-tokens")
    );
    text
}

/// Returns a table of other libraries, with replacements and relative speed.
fn peers() -> String {
    let figure = |&(what, file, section, row): &(&str, &str, &str, &str)| {
        let text = read(file);
        let ratio = if section.is_empty() {
            let line =
                text.lines().find(|line| line.starts_with(&format!("| [{row}]"))).expect(row);
            line.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap_or_default().to_owned()
        } else {
            let rows = measured(&text, section);
            rows.into_iter().find(|cells| cells[0] == row).expect(row).swap_remove(2)
        };
        format!("{what} {}", ratio.trim_end_matches('x'))
    };
    let rows = PEERS.iter().map(|peer| {
        let name = match peer.guide {
            Some(guide) => format!("[{}]({FILES}{guide})", peer.name),
            None => peer.name.to_owned(),
        };
        let texts = [peer.replacements, peer.advantages, peer.missing_features].map(str::to_owned);
        let figures: Vec<_> = peer.figures.iter().map(figure).collect();
        [name].into_iter().chain(texts).chain([figures.join(", ")]).collect()
    });
    markdown(&["library", "here", "better here", "missing here", "times as fast"], false, rows)
}

/// Returns a text with its blocks regenerated, each between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.
fn regenerate_blocks(text: &str) -> String {
    let results = recorded();
    let (mut regenerated, mut lines) = (String::new(), text.lines());
    while let Some(line) = lines.next() {
        regenerated += &format!("{line}\n");
        let name = line.strip_prefix("<!-- generated: ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(name) = name else { continue };
        let block = match name {
            "tag-name" => tag_name(),
            "dialects" => dialects(&results),
            "sentences" => sentences(),
            "suites" => suites(&results),
            "derived-suites" => generated(&results),
            "limits" => limits(),
            "bounds" => bounds(),
            "speed" => speed(),
            "peers" => peers(),
            other => panic!("unknown block `{other}`"),
        };
        let end = format!("<!-- end of {name} -->");
        assert!(lines.any(|line| line == end), "the block `{name}` has no end");
        regenerated += &format!("\n{block}\n{end}\n");
    }
    regenerated
}

/// Returns the README of a package, with relative links turned into links to the repository, since the package lacks their
/// targets.
fn for_package(readme: &str) -> String {
    let mut parts = readme.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_elsewhere = part.starts_with("https:") || part.starts_with('#');
        text += &format!("]({}{part}", if is_elsewhere { "" } else { FILES });
    }
    text
}

/// Asserts that a file has the expected text, or writes it if `UPDATE_EXPECT` is set.
fn expect_file(name: &str, expected: &str) {
    let path = workspace().join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, expected).unwrap();
    }
    let written = read(name);
    let differing =
        written.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(written == expected, "`{name}` is stale; `UPDATE_EXPECT=1` updates it: {differing:#?}");
}

#[test]
fn generated_figures_are_current() {
    for name in TEXTS {
        expect_file(name, &regenerate_blocks(&read(name)));
    }
    expect_file("runtime/README.md", &for_package(&read("README.md")));
    let help = read("tests/suites/help/parse.txt");
    for (name, ..) in LIMITS {
        let default = Limits::new().get(name).unwrap();
        let line = help.lines().find(|line| line.starts_with(&format!("{name} ")));
        assert!(
            line.is_some_and(|line| line.contains(&format!("({default}"))),
            "help of {name}: {line:?}"
        );
    }
}

/// Numbers occur only in generated blocks, as others could become stale unnoticed.
#[test]
fn numbers_occur_only_in_generated_blocks() {
    for name in TEXTS {
        let text = read(name);
        let (mut in_block, mut in_code) = (false, false);
        for line in text.lines() {
            in_block |= line.starts_with("<!-- generated: ");
            in_block &= !line.starts_with("<!-- end of ");
            in_code ^= line.starts_with("```");
            // Digits in names, versions and code do not count.
            let prose: String = line.split('`').step_by(2).collect();
            let words = prose.split(|it: char| it.is_whitespace() || "()[]".contains(it));
            let mut counted = words.filter(|word| {
                let digits = word.trim_matches(|it: char| !it.is_ascii_alphanumeric());
                let digits = digits.replace([',', '.'], "");
                digits.len() > 1
                    && digits.parse::<u64>().is_ok_and(|it| !(1990..2100).contains(&it))
            });
            let found = counted.next();
            assert!(in_block || in_code || found.is_none(), "{name}: {found:?} in {line:?}");
        }
    }
}

/// Collects the words that follow a keyword of a definition, or begin a line, in the sources below a folder.
fn defined_names(folder: &Path, extension: &str, names: &mut BTreeSet<String>) {
    const KEYWORDS: &[&str] =
        &["fn", "struct", "enum", "trait", "mod", "type", "macro_rules!", "as", "def", "class"];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            defined_names(&path, extension, names);
        } else if path.extension().is_some_and(|it| it == extension) {
            let text = fs::read_to_string(path).unwrap();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let is_definition =
                    |index: usize| index == 0 || KEYWORDS.contains(&words[index - 1]);
                for index in (0..words.len()).filter(|index| is_definition(*index)) {
                    let is_part = |it: char| it.is_alphanumeric() || it == '_';
                    names.extend(words[index].split(|it| !is_part(it)).next().map(str::to_owned));
                }
            }
        }
    }
}

/// Returns the names in the code of the second column of a text's tables: functions, methods, and parts of paths.
fn mapped_names(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let cells =
        rows.filter_map(|row| row.replace("\\|", "").split(" | ").nth(1).map(str::to_owned));
    let mut names = Vec::new();
    for code in cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
    {
        // Strings are values of arguments.
        let code: String = code.split('"').step_by(2).collect();
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        for (start, word) in code
            .split(|it| !is_part(it))
            .map(|word| (word.as_ptr() as usize - code.as_ptr() as usize, word))
        {
            let (before, after) = (&code[..start], &code[start + word.len()..]);
            let is_name = before.ends_with("::") || before.ends_with('.') || after.starts_with('(');
            if is_name && word.starts_with(|it: char| it.is_alphabetic()) {
                names.push(word.to_owned());
            }
        }
    }
    names
}

/// Names in tables of guides exist in the sources.
#[test]
fn names_in_guides_exist() {
    // Names of the standard library, which the sources do not define.
    const FOREIGN: &[&str] = &["collect", "Write"];
    for (extension, sources, guides) in [
        ("rs", "runtime", "runtime/guides"),
        ("pyi", "runtime/bindings/python/python", "runtime/bindings/python"),
    ] {
        let mut defined = BTreeSet::new();
        defined_names(&workspace().join(sources), extension, &mut defined);
        let mut count = 0;
        for entry in fs::read_dir(workspace().join(guides)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_guide =
                name.ends_with(".md") && !["manual.md", "reference.md"].contains(&&*name);
            let names = if is_guide {
                mapped_names(&fs::read_to_string(&path).unwrap())
            } else {
                Vec::new()
            };
            count += names.len();
            let missing = names
                .iter()
                .filter(|name| !defined.contains(*name) && !FOREIGN.contains(&&***name));
            assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{name}");
        }
        assert!(count > 20, "{guides}: {count} names");
    }
}

/// Collects the Markdown files of the repository.
fn texts(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            texts(&path, paths);
        } else if name.ends_with(".md") && !path.is_symlink() {
            paths.push(path);
        }
    }
}

#[test]
fn links_and_paths_point_to_files() {
    let mut files = Vec::new();
    texts(&workspace(), &mut files);
    assert!(files.len() > 15, "{files:?}");
    let folders = ["spec/", "macros/", "runtime/", "tests/", "xtask/"];
    let mut dead = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let links = links.map(|link| {
            link.strip_prefix(FILES).map_or(file.with_file_name(link), |it| workspace().join(it))
        });
        let is_path = |it: &&str| {
            folders.iter().any(|folder| it.starts_with(folder))
                && !it.contains(['*', '<', ' ', '{'])
        };
        let paths =
            text.split('`').skip(1).step_by(2).filter(is_path).map(|path| workspace().join(path));
        let is_elsewhere = |path: &Path| path.to_string_lossy().contains(':');
        let all = links.chain(paths).filter(|path| !is_elsewhere(path) && !path.exists());
        dead.extend(all.map(|path| format!("{}: {}", file.display(), path.display())));
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    let manual = read("spec/README.md");
    for entry in fs::read_dir(workspace().join("spec")).unwrap() {
        let entry = entry.unwrap();
        let row = format!("| `{}` | ", entry.file_name().to_string_lossy());
        assert!(!entry.path().is_dir() || manual.contains(&row), "the manual lacks {row}");
    }
}
