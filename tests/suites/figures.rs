//! Generated figures in `README.md`, `SECURITY.md` and `tests/CONFORMANCE.md`. Blocks are generated from the tables,
//! the facts of the documents and the recorded results; a stale block fails, and `UPDATE_EXPECT=1` updates it.

use crate::slow;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tabulex::Limits;
use tabulex_documents::compare::{Comparison, Index, compare};
use tabulex_documents::document::Profile;
use tabulex_documents::document::facts;
use tabulex_tests::interpreted::table;
use tabulex_tests::results::{Results, recorded};
use tabulex_tests::shared::workspace;

/// Files with generated blocks.
const FILES_WITH_BLOCKS: &[&str] =
    &["README.md", "SECURITY.md", "tests/CONFORMANCE.md", "runtime/guides/coming-from.md"];

/// URL of the repository's files, for links from packages that lack them.
const REPOSITORY_FILES_URL: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The subjects of the generated figures, from `figures.json`: external suites, each with its dialect, its key in
/// `results.json` and a description; limits, each with an addition to its default value and its effect; rates, each
/// with a description, the section of results and the row of tabulex; and other libraries, each with its measurements:
/// label, file of results, section (empty if the file has none) and row.
static SUBJECTS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("figures.json")).expect("`figures.json` is JSON")
});

/// Returns the entries of a list in [`SUBJECTS`], each as its `N` texts.
fn subjects<const N: usize>(list: &Value) -> impl Iterator<Item = [&str; N]> {
    let entries = list.as_array().expect("this part of `figures.json` is a list").iter();
    entries.map(|entry| {
        std::array::from_fn(|index| {
            entry[index].as_str().expect("each entry of the list is a list of strings")
        })
    })
}

fn read(name: &str) -> String {
    let text = fs::read_to_string(workspace().join(name));
    text.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Formats a number with thousands separators.
fn format_number(value: u64) -> String {
    let digits = value.to_string();
    let mut formatted = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            formatted.push(',');
        }
        formatted.push(digit);
    }
    formatted
}

/// Returns a Markdown table; with `numbers`, all columns but the first are right-aligned.
fn markdown_table(
    head: &[&str],
    numbers: bool,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let format_row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let to_cells = |cells: &[&str]| cells.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let mut delimiters = vec![if numbers { "--:" } else { "---" }; head.len()];
    delimiters[0] = "---";
    let rows: String = rows.into_iter().map(|row| format_row(&row)).collect();
    format_row(&to_cells(head)) + &format_row(&to_cells(&delimiters)) + &rows
}

/// The comparison of a dialect's table with its document, and the numbers of the document's sentences that are read and
/// that are remarks.
struct DocumentComparison {
    /// The dialect's id, with `-modes` if only its trees are compared.
    name: String,
    comparison: Comparison,
    read: u64,
    remarks: u64,
}

fn document_comparisons() -> Vec<DocumentComparison> {
    let folder = workspace().join("spec/documents");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "facts"));
    files.sort();
    files.iter().map(|file| read_comparison(file)).collect()
}

fn read_comparison(file: &Path) -> DocumentComparison {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let profile =
        Profile::parse(&fs::read_to_string(file.with_extension("profile")).unwrap()).unwrap();
    let facts = facts::parse(&fs::read_to_string(file).unwrap()).unwrap();
    let text =
        read(&format!("spec/tables/{}", profile.table.unwrap_or_else(|| format!("{name}.states"))));
    let (table, _) = tabulex_language::parse::file(&text);
    let comparison = compare(&Index::new(&facts.table), &Index::new(&table.unwrap()));
    let count = |word: &str| {
        let preceding = facts.summary.split(word).next().unwrap();
        preceding.rsplit([' ', '(']).next().unwrap().parse().unwrap()
    };
    DocumentComparison { name, comparison, read: count(" read"), remarks: count(" remark") }
}

/// Returns the source text of the state `tag-name`, as a block of code.
fn tag_name() -> String {
    let text = read("spec/tables/html.states");
    let start = text.find("    state tag-name ").unwrap();
    let end = start + text[start..].find("\n    }\n").unwrap() + "\n    }\n".len();
    let lines = text[start..end]
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)));
    format!("```text\n{}```\n", lines.collect::<String>())
}

fn dialect_table(results: &Results) -> String {
    let documents = document_comparisons();
    let record_ids = tabulex::record_dialects().iter().map(|dialect| dialect.id);
    let ids = tabulex::dialects().iter().map(|dialect| dialect.id()).chain(record_ids);
    let rows = ids.map(|id| {
        let machine = table(id).machine();
        let mode_count = machine.construction.as_ref().map_or(0, |model| model.modes.len());
        let find_comparison = |name: String| documents.iter().find(|it| it.name == name);
        let comparisons = [find_comparison(id.to_owned()), find_comparison(format!("{id}-modes"))];
        let equal_rows = comparisons
            .into_iter()
            .flatten()
            .map(|it| format!("{} of {}", it.comparison.equal, it.comparison.rows));
        let dialect_suites = subjects(&SUBJECTS["suites"]).filter(|&[of, _, _]| of == id);
        let [runs, passed] = dialect_suites.fold([0, 0], |[runs, passed], [_, suite, _]| {
            let [suite_runs, suite_passed] = results[suite];
            [runs + suite_runs, passed + suite_passed]
        });
        vec![
            format!("`{id}`"),
            machine.document.clone(),
            format!("{}, {mode_count}", machine.states.len()),
            equal_rows.collect::<Vec<_>>().join("; "),
            match runs {
                0 => String::new(),
                _ => format!("{} of {}", format_number(passed as u64), format_number(runs as u64)),
            },
        ]
    });
    let headings = [
        "dialect",
        "document",
        "states, tree modes",
        "rows equal to the document's",
        "runs of tests by others that pass",
    ];
    markdown_table(&headings, false, rows)
}

fn sentence_table() -> String {
    let rows = document_comparisons().into_iter().map(|it| {
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
        let name = match it.name.strip_suffix("-modes") {
            Some(dialect) => format!("`{dialect}`, trees"),
            None => format!("`{}`", it.name),
        };
        std::iter::once(name).chain(cells.map(format_number)).collect()
    });
    let headings = [
        "dialect",
        "sentences read",
        "remarks",
        "rows",
        "equal",
        "steps of algorithms",
        "equal",
        "differences declared",
    ];
    markdown_table(&headings, true, rows)
}

fn suite_table(results: &Results) -> String {
    let rows = subjects(&SUBJECTS["suites"]).map(|[dialect, suite, what]| {
        let [runs, passed] = results[suite].map(|it| format_number(it as u64));
        let list_path = format!("suites/known/{suite}.json");
        let has_list = workspace().join("tests").join(&list_path).exists();
        let link = if has_list { format!("[listed]({list_path})") } else { String::new() };
        vec![format!("`{dialect}`"), what.to_owned(), runs, passed, link]
    });
    markdown_table(&["dialect", "suite", "runs", "passed", "the others"], false, rows)
}

fn derived_suite_table(results: &Results) -> String {
    let rows = tabulex::dialects().iter().map(|dialect| {
        let case_count = |what| {
            let result = results.get(&format!("{}, generated {what}", dialect.id()));
            result.map(|&[case_count, _]| format_number(case_count as u64)).unwrap_or_default()
        };
        vec![format!("`{}`", dialect.id()), case_count("tokens"), case_count("trees")]
    });
    markdown_table(&["dialect", "cases of tokens", "of trees"], true, rows)
}

fn limit_table() -> String {
    let defaults = Limits::new();
    let entries = || subjects(&SUBJECTS["limits"]);
    assert!(
        entries().map(|[name, _, _]| name).eq(Limits::NAMES.iter().copied()),
        "the limits of `figures.json` differ from those of `Limits` in names or order"
    );
    let rows = entries().map(|[name, more, effect]| {
        let default = format_number(defaults.get(name).unwrap());
        vec![format!("`{name}`"), format!("{default}{more}"), effect.to_owned()]
    });
    markdown_table(&["limit", "default", "what happens when it is reached"], false, rows)
}

/// Returns a table of the bounds on processor time and memory for an input of 1 MB.
fn bound_table() -> String {
    let cells =
        [format!("{} s", slow::MAX_TIME.as_secs()), format!("{} MB", slow::MAX_MEMORY >> 20)];
    let headings = ["", "processor time, at most", "memory, at most"];
    markdown_table(
        &headings,
        false,
        [std::iter::once("1 MB of any input".to_owned()).chain(cells).collect()],
    )
}

/// Returns the rows of a section of benchmark results, each as its cells.
fn section_rows(results: &str, section: &str) -> Vec<Vec<String>> {
    let (_, section_text) = results.split_once(&format!("\n### {section}\n")).expect(section);
    let section_text = section_text.split("\n### ").next().unwrap_or_default();
    let rows = section_text.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// Returns a table of speeds relative to contestants that have an aim, and the conditions of the measurement.
fn speed_table() -> String {
    let (rates, heap) = (read("tests/bench/results/rates.md"), read("tests/bench/results/heap.md"));
    let rows = subjects(&SUBJECTS["rates"]).map(|[what, section, ours]| {
        let rows = section_rows(&rates, section);
        let row_of = |name: &str| rows.iter().find(|row| row[0] == name).expect(name);
        let peer_rows = rows.iter().filter(|row| !row[3].is_empty());
        let peer_ratios =
            peer_rows.map(|row| format!("{} {}", row[0], row[2].trim_end_matches('x')));
        let error_ratio = row_of(&format!("{ours}, errors"))[2].trim_end_matches('x').to_owned();
        let heap_row =
            section_rows(&heap, section).into_iter().find(|row| row[0] == ours).expect(ours);
        vec![
            what.to_owned(),
            row_of(ours)[1].clone(),
            peer_ratios.collect::<Vec<_>>().join(", "),
            error_ratio,
            heap_row[1].clone(),
        ]
    });
    let headings = [
        "",
        "MB/s",
        "times as fast as",
        "time with all errors",
        "bytes of heap for each of the input",
    ];
    let conditions =
        rates.lines().nth(2).expect("the third line of `rates.md` states the conditions");
    let describe_documents = |section: &str| {
        rates
            .split_once(&format!("### {section}\n\n"))
            .unwrap()
            .1
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    let mut text = markdown_table(&headings, false, rows);
    let _ = write!(
        text,
        "\nMeasured {conditions} Of HTML: {}; of XML: {}.\n",
        describe_documents("html-tokens"),
        describe_documents("xml-tokens")
    );
    text
}

/// Returns a table of other libraries, with replacements and relative speed.
fn peer_table() -> String {
    let format_figure = |[what, file, section, row]: [&str; 4]| {
        let text = read(file);
        let ratio = if section.is_empty() {
            let line =
                text.lines().find(|line| line.starts_with(&format!("| [{row}]"))).expect(row);
            line.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap_or_default().to_owned()
        } else {
            let rows = section_rows(&text, section);
            rows.into_iter().find(|cells| cells[0] == row).expect(row).swap_remove(2)
        };
        format!("{what} {}", ratio.trim_end_matches('x'))
    };
    let rows =
        SUBJECTS["peers"].as_array().expect("`peers` in `figures.json` is a list").iter().map(
            |peer| {
                let text = |key: &str| peer[key].as_str().unwrap_or_default().to_owned();
                let name = match peer["guide"].as_str() {
                    Some(guide) => format!("[{}]({REPOSITORY_FILES_URL}{guide})", text("name")),
                    None => text("name"),
                };
                let cells = ["replacements", "advantages", "missing"].map(text);
                let figures: Vec<_> = subjects(&peer["figures"]).map(format_figure).collect();
                [name].into_iter().chain(cells).chain([figures.join(", ")]).collect()
            },
        );
    markdown_table(
        &["library", "here", "better here", "missing here", "times as fast"],
        false,
        rows,
    )
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
            "dialects" => dialect_table(&results),
            "sentences" => sentence_table(),
            "suites" => suite_table(&results),
            "derived-suites" => derived_suite_table(&results),
            "limits" => limit_table(),
            "bounds" => bound_table(),
            "speed" => speed_table(),
            "peers" => peer_table(),
            other => panic!("no function generates the block `{other}`"),
        };
        let end_marker = format!("<!-- end of {name} -->");
        assert!(
            lines.any(|line| line == end_marker),
            "the block `{name}` has no line `{end_marker}`"
        );
        regenerated += &format!("\n{block}\n{end_marker}\n");
    }
    regenerated
}

/// Returns the README of a package, with relative links turned into links to the repository, since the package lacks their
/// targets.
fn readme_for_package(readme: &str) -> String {
    let mut parts = readme.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_url_or_anchor = part.starts_with("https:") || part.starts_with('#');
        text += &format!("]({}{part}", if is_url_or_anchor { "" } else { REPOSITORY_FILES_URL });
    }
    text
}

/// Asserts that a file has the expected text, or writes it if `UPDATE_EXPECT` is set.
fn expect_file(name: &str, expected: &str) {
    let path = workspace().join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, expected).unwrap();
    }
    let actual = read(name);
    let first_difference =
        actual.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(
        actual == expected,
        "`{name}` is stale; `UPDATE_EXPECT=1` updates it: {first_difference:#?}"
    );
}

#[test]
fn generated_figures_are_current() {
    for name in FILES_WITH_BLOCKS {
        expect_file(name, &regenerate_blocks(&read(name)));
    }
    expect_file("runtime/README.md", &readme_for_package(&read("README.md")));
    let help = read("tests/suites/help/parse.txt");
    for [name, ..] in subjects::<3>(&SUBJECTS["limits"]) {
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
    for name in FILES_WITH_BLOCKS {
        let text = read(name);
        let (mut in_block, mut in_code) = (false, false);
        for line in text.lines() {
            in_block |= line.starts_with("<!-- generated: ");
            in_block &= !line.starts_with("<!-- end of ");
            in_code ^= line.starts_with("```");
            // Text in backquotes is skipped: digits there belong to code or names and are not measurements.
            let prose: String = line.split('`').step_by(2).collect();
            let words = prose.split(|it: char| it.is_whitespace() || "()[]".contains(it));
            let mut numbers = words.filter(|word| {
                let digits = word.trim_matches(|it: char| !it.is_ascii_alphanumeric());
                let digits = digits.replace([',', '.'], "");
                digits.len() > 1
                    && digits.parse::<u64>().is_ok_and(|it| !(1990..2100).contains(&it))
            });
            let first_number = numbers.next();
            assert!(
                in_block || in_code || first_number.is_none(),
                "{name}: {first_number:?} in {line:?}"
            );
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
                    let is_name_character = |it: char| it.is_alphanumeric() || it == '_';
                    names.extend(
                        words[index].split(|it| !is_name_character(it)).next().map(str::to_owned),
                    );
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
        // Remove the contents of string literals, whose words are not names in the sources.
        let code: String = code.split('"').step_by(2).collect();
        let is_name_character = |it: char| it.is_alphanumeric() || it == '_';
        for (start, word) in code
            .split(|it| !is_name_character(it))
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
    // The guides also mention these names of the standard library, which the sources do not define.
    const STANDARD_NAMES: &[&str] = &["collect", "Write"];
    for (extension, sources, guides) in [
        ("rs", "runtime", "runtime/guides"),
        ("pyi", "runtime/bindings/python/python", "runtime/bindings/python"),
    ] {
        let mut known_names = BTreeSet::new();
        defined_names(&workspace().join(sources), extension, &mut known_names);
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
            let missing_names = names
                .iter()
                .filter(|name| !known_names.contains(*name) && !STANDARD_NAMES.contains(&&***name));
            assert_eq!(missing_names.collect::<Vec<_>>(), [""; 0], "{name}");
        }
        assert!(count > 20, "{guides}: {count} names");
    }
}

/// Collects the Markdown files below a folder.
fn collect_markdown_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            collect_markdown_files(&path, paths);
        } else if name.ends_with(".md") && !path.is_symlink() {
            paths.push(path);
        }
    }
}

#[test]
fn links_and_paths_point_to_files() {
    let mut files = Vec::new();
    collect_markdown_files(&workspace(), &mut files);
    assert!(files.len() > 15, "{files:?}");
    let folders = ["spec/", "macros/", "runtime/", "tests/", "xtask/"];
    let mut dead_links = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let links = links.map(|link| {
            link.strip_prefix(REPOSITORY_FILES_URL)
                .map_or(file.with_file_name(link), |it| workspace().join(it))
        });
        let is_path = |it: &&str| {
            folders.iter().any(|folder| it.starts_with(folder))
                && !it.contains(['*', '<', ' ', '{'])
        };
        let paths =
            text.split('`').skip(1).step_by(2).filter(is_path).map(|path| workspace().join(path));
        let is_url = |path: &Path| path.to_string_lossy().contains(':');
        let dead_paths = links.chain(paths).filter(|path| !is_url(path) && !path.exists());
        dead_links.extend(dead_paths.map(|path| format!("{}: {}", file.display(), path.display())));
    }
    assert!(dead_links.is_empty(), "{}", dead_links.join("\n"));
    let readme = read("spec/README.md");
    for entry in fs::read_dir(workspace().join("spec")).unwrap() {
        let entry = entry.unwrap();
        let row = format!("| `{}` | ", entry.file_name().to_string_lossy());
        assert!(
            !entry.path().is_dir() || readme.contains(&row),
            "`spec/README.md` lacks a row with {row:?}"
        );
    }
}
