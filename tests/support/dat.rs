//! Parser of tree-construction tests in the html5lib format (`.dat`).

use crate::trees::Input;
use std::fs;
use std::path::Path;

/// A tree-construction test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The index in the file, counted from 0.
    pub index: usize,
    /// The input.
    pub data: String,
    /// The context of a fragment: `NAME`, `svg NAME` or `math NAME`.
    pub fragment: Option<String>,
    /// The only value of the scripting flag that the test applies to; `None` for both.
    pub scripting: Option<bool>,
    /// The lines of errors, unparsed.
    pub errors: Vec<String>,
    /// The errors with codes, unparsed: line and column, or a range of them, and the code. `None` if the test does not
    /// list them.
    pub new_errors: Option<Vec<String>>,
    /// The dump of the tree, without the final line end.
    pub document: String,
}

/// Parses the tests of a file.
///
/// # Panics
/// If the file is not in the format.
pub fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split_inclusive('\n') {
        let trimmed = line.strip_suffix('\n').unwrap_or(line);
        let is_section_start = is_heading(trimmed) && (trimmed != "#data" || section != "#data");
        if is_section_start {
            if trimmed == "#data" {
                finish(cases.last_mut());
                cases.push(Case { index: cases.len(), ..Case::default() });
            }
            let case = cases.last_mut().expect("the first heading is `#data`");
            match trimmed {
                "#script-on" => case.scripting = Some(true),
                "#script-off" => case.scripting = Some(false),
                "#new-errors" => case.new_errors = Some(Vec::new()),
                _ => {}
            }
            section = trimmed;
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match section {
            "#data" => case.data.push_str(line),
            "#document-fragment" => case.fragment = Some(trimmed.to_owned()),
            "#new-errors" => {
                case.new_errors.iter_mut().for_each(|all| all.push(trimmed.to_owned()))
            }
            "#document" => case.document.push_str(line),
            "#errors" => case.errors.push(trimmed.to_owned()),
            other => {
                assert!(trimmed.is_empty(), "unexpected line {trimmed:?} in the section `{other}`")
            }
        }
    }
    finish(cases.last_mut());
    cases
}

/// Reads the tests of all files in a folder, with names `FILE:INDEX`, except those that require running scripts.
///
/// # Panics
/// If a file cannot be read.
pub fn of_folder(folder: &Path) -> Vec<(String, Case)> {
    of_files(folder, |name| !name.starts_with(SCRIPTED))
}

/// Reads the tests of a folder that require running scripts: those in files or a subfolder whose name begins with
/// `scripted`.
///
/// # Panics
/// If a file cannot be read.
pub fn scripted(folder: &Path) -> Vec<(String, Case)> {
    let subfolder = folder.join(SCRIPTED);
    let mut cases = of_files(folder, |name| name.starts_with(SCRIPTED));
    if subfolder.exists() {
        cases.extend(of_files(&subfolder, |_| true));
    }
    cases
}

/// The prefix of files, and the name of the folder, with tests that require running scripts.
const SCRIPTED: &str = "scripted";

/// Reads the tests of the files in a folder that `is_wanted` selects by name.
fn of_files(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Case)> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dat"));
    files.sort();
    let mut all_cases = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if is_wanted(&name) {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            let named_cases =
                cases(&text).into_iter().map(|case| (format!("{name}:{}", case.index), case));
            all_cases.extend(named_cases);
        }
    }
    all_cases
}

/// Returns the inputs of a test, with scripting disabled and enabled as applicable.
pub fn inputs(case: &Case) -> Vec<Input<'_>> {
    let scripting_flags =
        [false, true].into_iter().filter(|&flag| case.scripting.is_none_or(|only| only == flag));
    let fragment = case.fragment.as_deref();
    scripting_flags
        .map(|scripting| Input { text: &case.data, fragment, scripting, ..Input::default() })
        .collect()
}

fn is_heading(line: &str) -> bool {
    let headings = [
        "#data",
        "#errors",
        "#new-errors",
        "#document-fragment",
        "#document",
        "#script-on",
        "#script-off",
    ];
    headings.contains(&line)
}

fn finish(case: Option<&mut Case>) {
    if let Some(case) = case {
        // Remove the line end after the data and the empty lines after the tree, which only separate sections.
        case.data.truncate(case.data.strip_suffix('\n').map_or(case.data.len(), str::len));
        let length = case.document.trim_end_matches('\n').len();
        case.document.truncate(length);
    }
}
