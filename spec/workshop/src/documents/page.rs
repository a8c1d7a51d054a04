//! Formats comparisons as a self-contained HTML page: the states of both sides next to each other, followed by their
//! differences with reasons. All text is escaped.

use super::comparison::Compared;
use super::report::{places, sentences};
use std::fmt::Write;
use tabulex_documents::compare::Difference;
use tabulex_language::syntax::{AlgorithmStep, Item, NoteKind, Span, State, TreeItem};

/// The page's style sheet.
const STYLE: &str = include_str!("page.css");
/// The page's script: search and keyboard navigation.
const SCRIPT: &str = include_str!("page.js");

/// Formats comparisons as an HTML page.
pub(super) fn html(all: &[Compared]) -> String {
    let title =
        |one: &Compared| escape_html(&format!("{} against {}", one.left.name, one.right.name));
    let titles = match all {
        [] | [_] | [_, _] => all.iter().map(title).collect::<Vec<_>>().join("; "),
        _ => format!("{} tables against their documents", all.len()),
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{titles}</title>\n<style>\n{STYLE}</style>\n",
    );
    out += "<p><label>Search states, rows and reasons: <input type=\"search\" placeholder=\"/ to search, j and k to go through the differences\"></label>\n<label class=\"only\"><input type=\"checkbox\"> differences only</label></p>\n";
    for one in all {
        let _ = writeln!(out, "<h1>{}</h1>", title(one));
        out += &comparison(one);
    }
    out + "<script>\n" + SCRIPT + "</script>\n</html>\n"
}

/// Formats one comparison.
fn comparison(compared: &Compared) -> String {
    let Compared { left, right, comparison, .. } = compared;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<p class=\"sum\">{} states, {} modes, {} rows, {} equal; {} steps of algorithms, {} equal; {} differences declared, {} undeclared; {} stale.</p>",
        comparison.states,
        comparison.modes,
        comparison.rows,
        comparison.equal,
        comparison.steps,
        comparison.equal_steps,
        comparison.declared(),
        comparison.undeclared().count(),
        comparison.stale.len(),
    );
    if let Some(facts) = &left.facts {
        let _ = writeln!(out, "<p class=\"sum\">Read: {}.</p>", escape_html(&facts.summary));
        out += &uncompared_contents(&facts.not_compared);
    }
    let _ = writeln!(
        out,
        "<div class=\"pair heads\"><b>{}</b><b>{}</b></div>",
        escape_html(&left.name),
        escape_html(&right.source.path),
    );
    let names = blocks(&left.table.items).into_iter().chain(blocks(&right.table.items));
    let names: Vec<String> = names.map(|(name, _)| name).collect();
    let declarations: Vec<&Difference> = comparison
        .differences
        .iter()
        .filter(|one| one.state.is_empty() && !names.iter().any(|name| concerns(one, name)))
        .collect();
    if !declarations.is_empty() {
        out += "<section tabindex=\"-1\"><h2>declarations</h2>\n";
        declarations.iter().for_each(|one| out += &difference(compared, one));
        out += "</section>\n";
    }
    let is_first = |&(offset, name): &(usize, &String)| !names[..offset].contains(name);
    let names: Vec<&String> =
        names.iter().enumerate().filter(is_first).map(|(_, name)| name).collect();
    let sections: String = names.iter().map(|name| state(compared, name)).collect();
    index(compared, &names) + &out + &sections
}

/// Formats the index: links to the states, modes and algorithms, with a class for those without differences.
fn index(compared: &Compared, names: &[&String]) -> String {
    let link = |name: &&String| {
        let differs = compared.comparison.differences.iter().any(|one| concerns(one, name));
        let class = if differs { "" } else { " class=\"same\"" };
        format!(
            "<li{class}><a href=\"#{}\">{}</a></li>\n",
            anchor(compared, name),
            escape_html(name)
        )
    };
    let items: String = names.iter().map(link).collect();
    let count = names.len();
    format!(
        "<details class=\"index\"><summary>{count} states, modes and algorithms</summary>\n<ul>\n{items}</ul></details>\n"
    )
}

/// Returns the anchor of a state, mode or algorithm, which depends only on the names of table and block.
fn anchor(compared: &Compared, name: &str) -> String {
    format!("{}-{}", compared.right.name, name.replace(' ', "-"))
}

/// Formats the list of sentences that are not compared: headings, lines and reasons.
fn uncompared_contents(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    // The hashes of the sentences, which follow the reason, are of no use to readers.
    let bare = |one: &str| one.rsplit_once(": ").map_or(one, |(reason, _)| reason).to_owned();
    let items = sentences.iter().map(|one| format!("<li>{}</li>\n", escape_html(&bare(one))));
    format!(
        "<details><summary>Not compared</summary>\n<ul>\n{}</ul></details>\n",
        items.collect::<String>()
    )
}

/// Whether a difference is in the state, mode or algorithm with this name.
fn concerns(one: &Difference, name: &str) -> bool {
    one.state == name || one.state.is_empty() && one.input == name
}

/// Formats a state, mode or algorithm: the rows or steps of both sides, then the differences.
fn state(compared: &Compared, name: &str) -> String {
    let differences: Vec<&Difference> =
        compared.comparison.differences.iter().filter(|one| concerns(one, name)).collect();
    let class = if differences.is_empty() { " class=\"same\"" } else { "" };
    let mut out = format!(
        "<section id=\"{0}\"{class} tabindex=\"-1\"><h2><a href=\"#{0}\">{1}</a></h2>\n<div class=\"pair\">",
        anchor(compared, name),
        escape_html(name),
    );
    for side in [&compared.left, &compared.right] {
        let found = blocks(&side.table.items).into_iter().find(|(other, _)| other == name);
        let text = |line: &Line| {
            let Line { span, depth, is_left_out } = line;
            let text = &side.source.text[span.start as usize..span.end as usize];
            // In facts, each row is followed by the document's line and hashes, which are not shown.
            let bare = text.lines().map(|line| line.split("//@ ").next().unwrap_or(line));
            let words: Vec<&str> = bare.flat_map(str::split_whitespace).collect();
            let (words, class) =
                (escape_html(&words.join(" ")), if *is_left_out { "out" } else { "" });
            format!("<span class=\"{class}\" style=\"--depth:{depth}\">{words}</span>")
        };
        let rows: Vec<String> =
            found.iter().flat_map(|(_, lines)| lines.iter().map(text)).collect();
        let _ = write!(out, "<pre>{}</pre>", rows.concat());
    }
    out += "</div>\n";
    differences.iter().for_each(|one| out += &difference(compared, one));
    out + "</section>\n"
}

fn difference(compared: &Compared, one: &Difference) -> String {
    let class = if one.notes.is_empty() { "d loud" } else { "d" };
    let shown = |text: &Option<String>| escape_html(text.as_deref().unwrap_or("nothing"));
    let mut out = format!("<div class=\"{class}\"><p><code>{}</code>", escape_html(&one.input));
    if !one.condition.is_empty() {
        let _ = write!(out, " where {}", escape_html(&one.condition));
    }
    let (mine, yours) = places(compared, one);
    let _ = write!(
        out,
        "</p><div class=\"pair\"><pre>{}</pre><pre>{}</pre><i>{}</i><i>{}</i></div>",
        shown(&one.left),
        shown(&one.right),
        escape_html(&mine),
        escape_html(&yours),
    );
    for (_, reason) in &one.notes {
        let _ = write!(out, "<p class=\"why\">{}</p>", escape_html(reason));
    }
    for sentence in sentences(compared, one) {
        let _ = write!(out, "<p>“{}”</p>", escape_html(sentence));
    }
    let index = compared.comparison.differences.iter().position(|other| other == one);
    if let Some(witness) = index.and_then(|index| compared.witnesses.get(index)?.as_ref()) {
        let _ = write!(
            out,
            "<p>Input <code>{}</code>{}</p><pre>{}</pre>",
            escape_html(&format!("{:?}", witness.input)),
            escape_html(&witness.how),
            escape_html(&witness.gives.join("\n")),
        );
    }
    out + "</div>\n"
}

/// A row or step to be shown: its span, its nesting depth, and whether it is a step of the document that the table
/// omits.
struct Line {
    span: Span,
    depth: usize,
    is_left_out: bool,
}

/// A state, mode or algorithm by name, with its rows or steps.
type NamedLines = (String, Vec<Line>);

/// Returns the states, modes and algorithms. The names of algorithms begin with `algorithm`.
fn blocks(items: &[Item]) -> Vec<NamedLines> {
    items.iter().flat_map(item_blocks).collect()
}

fn item_blocks(item: &Item) -> Vec<NamedLines> {
    let line = |span: Span| Line { span, depth: 0, is_left_out: false };
    let of_state = |state: &State| {
        (state.name.value.clone(), state.rows.iter().map(|row| line(row.span)).collect())
    };
    match item {
        Item::State(state) => vec![of_state(state)],
        Item::Procedure { states, .. } => states.iter().map(of_state).collect(),
        Item::Mode(mode) => {
            vec![(mode.name.value.clone(), mode.rows.iter().map(|row| line(row.span)).collect())]
        }
        Item::Tree(TreeItem::Algorithm { name, steps, .. }) => {
            let mut lines = Vec::new();
            collect_steps(steps, (0, false), &mut lines);
            vec![(format!("algorithm {}", name.value), lines)]
        }
        _ => Vec::new(),
    }
}

fn collect_steps(
    steps: &[AlgorithmStep],
    (depth, is_left_out): (usize, bool),
    lines: &mut Vec<Line>,
) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                lines.push(Line { span: words.span, depth, is_left_out });
                collect_steps(inner, (depth + 1, is_left_out), lines);
            }
            AlgorithmStep::Noted { note, inner } => {
                collect_steps(inner, (depth, note.kind == NoteKind::Deviates), lines);
            }
        }
    }
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
