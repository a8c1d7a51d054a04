//! The cases of rustc's messages about tables, and what trybuild leaves out of them. It runs nothing. Invariant: a case
//! is a file `err/*.rs` with what rustc prints beside it, or a file `ok/*.rs`.

// Not by a dependency on the package of tests: whatever this package depends on is compiled anew with the cases.
#[path = "../support/random.rs"]
pub mod random;
#[path = "../support/sample.rs"]
pub mod sample;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tabulex_language::{Diagnostic, Source};

/// The folder of this package.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The files of the folder with the extension, sorted.
pub fn cases(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(FOLDER).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder can be listed");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut cases: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    cases.sort();
    cases
}

/// The names of the files, without their extensions.
pub fn stems(paths: &[PathBuf]) -> BTreeSet<String> {
    paths.iter().map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into()).collect()
}

/// What trybuild wrote, with lines and columns of the table. It leaves them out for files other than the case itself
/// when it writes, but accepts them when it compares; so the next run puts what is filled in here to the test.
pub fn with_numbers(case: &Path, said: &str) -> String {
    let table = format!("{}.states", case.file_stem().unwrap_or_default().to_string_lossy());
    let folder = Path::new(FOLDER).join("../../spec/language/test_data/err");
    let Ok(text) = std::fs::read_to_string(folder.join(&table)) else { return said.to_owned() };
    let source = Source::new(table, text);
    let files = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let loaded = tabulex_language::load(&source, &files);
    let (source, mut left) = (loaded.source, loaded.diagnostics);
    let lines: Vec<&str> = said.lines().collect();
    let mut numbered = String::new();
    let (mut first, mut row, mut arrow) = (1, 0, usize::MAX);
    for (index, line) in lines.iter().enumerate() {
        if let Some(heading) = line.find(": [").map(|at| &line[at + 2..]) {
            let starts = |found: &Diagnostic| found.text(&source).lines().next() == Some(heading);
            let found = left.iter().position(starts).map(|index| left.remove(index));
            first = found.map_or(1, |found| {
                let file = source.file(found.span.file).unwrap_or(&source);
                file.line_column(found.span.start).0
            });
        }
        let all = std::iter::once(&source).chain(&source.files);
        let shown_in = all.into_iter().find(|file| line.ends_with(&format!("/{}", file.path)));
        // Of a file that is reached from the root of the workspace trybuild never accepts numbers.
        let shown_in = shown_in.filter(|_| !line.contains("$WORKSPACE"));
        if let Some(file) = shown_in {
            // Below the arrow: a bar, the line of the table, the caret.
            arrow = index;
            let shown = |below: usize| lines[index + below].split_once("| ").expect("a bar").1;
            let mut rows = file.text.lines().enumerate().skip(first - 1);
            row = rows.find(|(_, text)| *text == shown(2)).expect("a line of the table").0 + 1;
            let column = shown(3).find('^').expect("a caret") + 1;
            numbered += &format!("{line}:{row}:{column}");
        } else if index == arrow.saturating_add(2) {
            numbered += &format!("{row} {}", line.trim_start());
        } else {
            numbered += line;
        }
        numbered.push('\n');
    }
    let messages: Vec<String> = numbered.split("\n\n").map(with_margin).collect();
    messages.join("\n\n")
}

/// The message with the margin that rustc leaves for its longest number of a line; trybuild takes it away where the place
/// is shown right below the first line.
fn with_margin(message: &str) -> String {
    let digits = |line: &str| line.bytes().take_while(u8::is_ascii_digit).count();
    let width = message.lines().map(digits).max().unwrap_or(0);
    let arrow = message.lines().find(|line| line.trim_start().starts_with("--> "));
    let margin = arrow.map_or(width, |line| line.len() - line.trim_start().len());
    let Some(missing) = width.checked_sub(margin).filter(|missing| *missing > 0) else {
        return message.to_owned();
    };
    let lines = message.split('\n').map(|line| match digits(line) {
        0 if line.starts_with(' ') => " ".repeat(missing) + line,
        0 => line.to_owned(),
        own => " ".repeat(width - own) + line,
    });
    lines.collect::<Vec<_>>().join("\n")
}
