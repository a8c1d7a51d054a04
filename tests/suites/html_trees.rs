//! Trees of HTML: the suites of other people, whole and cut. What tokens are right is the business of other suites.
//! Invariant: every case of a suite is counted, and every difference is either listed with its reason or a failure.

use std::path::{Path, PathBuf};
use tabulex::{FragmentContext, Options, Parsed, html};
use tabulex_tests::dat::{Case, cases};


use tabulex_tests::shared::{report, shared};

/// The tree of the case, in the form of the suites.
fn parse(case: &Case, options: Options, chunks: Option<&[&str]>) -> Parsed {
    let context = case.fragment.as_deref().map(FragmentContext::from);
    match (context, chunks) {
        (Some(context), None) => html::parse_fragment(&case.data, context, options),
        (None, None) => html::parse(&case.data, options),
        (context, Some(chunks)) => {
            let mut parser = match context {
                Some(context) => html::Parser::new_fragment(&context, &options),
                None => html::parser(options),
            };
            chunks.iter().for_each(|chunk| parser.feed(chunk));
            parser.finish()
        }
    }
}

fn dump(case: &Case, parsed: &Parsed) -> String {
    let root = parsed.tree.root();
    if case.fragment.is_none() {
        return root.to_dump().trim_end_matches('\n').to_owned();
    }
    let root = parsed.tree.document_element().expect("a fragment has a root");
    let children: String = root.children().map(|child| child.to_dump()).collect();
    children.trim_end_matches('\n').to_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dat"));
    files.sort();
    files
}

/// Runs every case of the folder with scripting off and on where it allows that; gives the failures, with the number of
/// runs.
fn run(folder: &Path) -> (usize, usize, Vec<(String, String)>) {
    let (mut count, mut runs, mut failures) = (0, 0, Vec::new());
    for file in files(folder) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        for case in cases(&text) {
            count += 1;
            for scripting in [false, true] {
                if case.scripting.is_some_and(|only| only != scripting) {
                    continue;
                }
                runs += 1;
                let id = format!("{name}:{} {}", case.index, if scripting { "on" } else { "off" });
                let options = Options::new().scripting(scripting);
                let parsed = parse(&case, options, None);
                let found = dump(&case, &parsed);
                if found != case.document {
                    failures.push((
                        id,
                        format!("{:?}\nexpected\n{}\nfound\n{found}", case.data, case.document),
                    ));
                }
            }
        }
    }
    (count, runs, failures)
}

#[test]
fn trees_of_the_web_platform_tests() {
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        report("wpt trees: 0 cases, suite absent; name its folder: TABULEX_SHARED=…");
        return;
    };
    let (count, runs, failures) = run(&folder);
    report(&format!("wpt trees: {count} cases, {runs} runs, {} failed", failures.len()));
    for (id, text) in failures.iter().take(30) {
        println!("{id}: {text}\n");
    }
    assert!(failures.is_empty());
}
