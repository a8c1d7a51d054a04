//! Trees of whole pages: they equal those of html5ever, and survive serialization and parsing. Each page is counted,
//! and a failing one is listed with the change or rule of the standard that explains it.

pub(crate) mod peer;
mod reparsing;

use std::fs;
use std::path::{Path, PathBuf};
use tabulex::encoding::{Encoding, Hints, decode};
use tabulex::{Options, Parsed, html};
use tabulex_oracle::parallel;
use tabulex_tests::dat::{Case, inputs, of_folder};
use tabulex_tests::known::Known;
use tabulex_tests::nodes::{self, Line};
use tabulex_tests::sample;
use tabulex_tests::shared::{package_folder, report, shared};
use tabulex_tests::trees::Input;

/// A page, with the encoding from its HTTP headers.
struct Page {
    /// Folder and file name.
    name: String,
    path: PathBuf,
    hints: Hints,
}

/// Returns the pages of the corpus, largest first, so that no worker ends with a large one.
fn pages(corpus: &Path) -> Vec<Page> {
    let mut pages = Vec::new();
    for folder in ["pages", "large", "encodings"] {
        let entries = fs::read_dir(corpus.join(folder)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| path.is_file()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let hints = match folder {
                // These files are named after the encoding in the HTTP headers.
                "encodings" => {
                    let label = stem.replace("-arabic", "");
                    Hints::new().transport(
                        Encoding::for_label(&label)
                            .expect("files in `encodings` are named after encodings"),
                    )
                }
                _ => Hints::new(),
            };
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
            pages.push(Page { name, path, hints });
        }
    }
    pages.sort_by_key(|page| {
        std::cmp::Reverse(fs::metadata(&page.path).map_or(0, |metadata| metadata.len()))
    });
    pages
}

/// Calls `work` with each parsed page and its text, on all processors, and checks the failures against the list of known
/// ones, whose entries consist of the page's name and the short description.
fn on_pages(suite: &str, list: &str, work: &(dyn Fn(&Parsed, &str) -> Option<PageFailure> + Sync)) {
    let Some(corpus) = shared("corpus/html") else {
        return report(&format!("{suite}: 0 pages, corpus absent"));
    };
    let pages = pages(&corpus);
    assert!(pages.len() >= 250, "the corpus has only {} pages, expected at least 250", pages.len());
    let pages = sample::of(suite, pages, 30);
    let mut known_failures = Known::read(list);
    known_failures.retain(|entry| pages.iter().any(|page| entry.starts_with(&page.name)));
    let failures = parallel::map(&pages, None, |page| {
        let bytes = fs::read(&page.path).unwrap();
        let parsed = html::parse_bytes(&bytes, options().encoding(page.hints.clone()));
        work(&parsed, &decode(&bytes, parsed.encoding.encoding))
    });
    let failures = failures.unwrap();
    let passed = failures.iter().filter(|failure| failure.is_none()).count();
    let mut failed = Vec::new();
    for (page, failure) in pages.iter().zip(failures) {
        let Some(PageFailure { short, full }) = failure else { continue };
        if !known_failures.excuses(&format!("{}: {short}", page.name)) {
            failed.push(format!("{}: {short}\n{full}", page.name));
        }
    }
    end(suite, pages.len(), passed, &known_failures, &failed);
}

struct PageFailure {
    /// The number of differing lines, as text.
    short: String,
    /// The first difference, as text.
    full: String,
}

impl PageFailure {
    fn between(expected: &[Line], found: &[Line]) -> Option<Self> {
        let full = nodes::difference(expected, found)?;
        let differing_pairs =
            expected.iter().zip(found).filter(|(expected, found)| expected != found).count();
        let count = differing_pairs + expected.len().abs_diff(found.len());
        Some(Self { short: format!("{count} of {} lines", expected.len()), full })
    }
}

/// Prints the counts. Panics if there are unknown failures, or known failures that passed.
fn end(suite: &str, runs: usize, passed: usize, known: &Known, failed: &[String]) {
    report(&format!(
        "{suite}: {runs} runs, {passed} passed, {} known to fail, {} failed",
        runs - passed - failed.len(),
        failed.len()
    ));
    let (stale, shown) = (known.stale(), &failed[..failed.len().min(8)]);
    assert!(
        stale.is_empty() && failed.is_empty(),
        "known failures that did not occur as listed: {stale:#?}\nunknown failures:\n{}",
        shown.join("\n")
    );
}

fn options() -> Options {
    Options::new().depth_limit(usize::MAX).errors(false)
}

/// Returns the cases of html5lib from the sources of a dependency, which are always present.
fn suite_of_a_package() -> Vec<(String, Case)> {
    let folder = package_folder("markup5ever_rcdom", "html5lib-tests/tree-construction")
        .expect("the package `markup5ever_rcdom`, which contains the suite, is unpacked; if not, run `cargo fetch`");
    of_folder(&folder)
}

/// Returns the lines of the document's mode and nodes.
fn document_lines(parsed: &Parsed) -> Vec<Line> {
    let mut lines = vec![nodes::mode_line(parsed.tree.mode())];
    lines.extend(nodes::lines(parsed.tree.root()));
    lines
}

/// Returns the lines of the nodes of a fragment.
fn fragment_lines(parsed: &Parsed) -> Vec<Line> {
    nodes::lines(parsed.tree.document_element().expect("a fragment has a root"))
}

#[test]
fn pages_match_html5ever() {
    on_pages("pages beside html5ever", "html5ever-pages", &|parsed, text| {
        // tabulex drops a byte order mark from the document, but html5ever, as `peer` sets it, would keep it as a
        // character.
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let peer_lines = peer::lines(&Input { text, ..Input::default() });
        PageFailure::between(&peer_lines, &document_lines(parsed))
    });
}

#[test]
fn suite_inputs_match_html5ever() {
    let mut known_failures = Known::read("html5ever-inputs");
    let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
    for (_, case) in suite_of_a_package() {
        for input in inputs(&case) {
            runs += 1;
            let options = options().scripting(input.scripting);
            let our_lines = match input.fragment {
                None => document_lines(&html::parse(input.text, options)),
                Some(context) => {
                    fragment_lines(&html::parse_fragment(input.text, context, options))
                }
            };
            match nodes::difference(&peer::lines(&input), &our_lines) {
                None => passed += 1,
                Some(_) if known_failures.excuses(&input.written()) => {}
                Some(difference) => failed.push(format!("{:?}: {difference}", input.written())),
            }
        }
    }
    end("inputs beside html5ever", runs, passed, &known_failures, &failed);
    assert!(runs >= 3_400, "{runs} runs");
}
