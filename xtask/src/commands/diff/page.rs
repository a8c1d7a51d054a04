//! A comparison as one HTML page that needs nothing else: the states side by side, equal ones quiet, differences loud,
//! reasons beside them. It decides nothing. Invariant: all text is escaped, and the page fetches nothing.

use super::Compared;
use super::report::witness;
use std::fmt::Write;
use tabulex_spec::compare::Difference;
use tabulex_spec::syntax::{AlgorithmStep, Item, Place, State, TreeItem};

/// How it looks.
const STYLE: &str = include_str!("page.css");
/// What it does: search and keys.
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub(super) fn html(compared: &Compared) -> String {
    let Compared { left, right, comparison, .. } = compared;
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n<h1>{0}</h1>\n",
        escaped(&format!("{} against {}", left.name, right.name)),
    );
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
        let _ = writeln!(out, "<p class=\"sum\">{}</p>", escaped(&facts.summary));
    }
    out += "<p><label>Search states, rows and reasons: <input type=\"search\" placeholder=\"/ to search, j and k to go through the differences\"></label></p>\n";
    let names = blocks(&left.table.items).into_iter().chain(blocks(&right.table.items));
    let names: Vec<&str> = names.map(|(name, _)| name).collect();
    let declarations: Vec<&Difference> = comparison
        .differences
        .iter()
        .filter(|one| one.state.is_empty() && !names.iter().any(|name| is_in(one, name)))
        .collect();
    if !declarations.is_empty() {
        out += "<section tabindex=\"-1\"><h2>declarations</h2>\n";
        declarations.iter().for_each(|one| out += &difference(compared, one));
        out += "</section>\n";
    }
    let mut done: Vec<&str> = Vec::new();
    for name in names {
        if !done.contains(&name) {
            done.push(name);
            out += &state(compared, name);
        }
    }
    out + "<script>\n" + SCRIPT + "</script>\n</html>\n"
}

/// Whether the difference lies in the state, mode or algorithm.
fn is_in(one: &Difference, name: &str) -> bool {
    one.state == name || one.state.is_empty() && one.input.strip_prefix("algorithm ") == Some(name)
}

/// A state, mode or algorithm: both sides, and what differs.
fn state(compared: &Compared, name: &str) -> String {
    let differences: Vec<&Difference> =
        compared.comparison.differences.iter().filter(|one| is_in(one, name)).collect();
    let class = if differences.is_empty() { " class=\"same\"" } else { "" };
    let name = escaped(name);
    let mut out = format!(
        "<section id=\"{name}\"{class} tabindex=\"-1\"><h2>{name}</h2>\n<div class=\"pair\">"
    );
    for side in [&compared.left, &compared.right] {
        let found = blocks(&side.table.items).into_iter().find(|(other, _)| escaped(other) == name);
        let text = |(depth, place): &(usize, Place)| {
            let text = &side.source.text[place.start as usize..place.end as usize];
            // Facts have the document's line and hashes behind their rows.
            let bare = text.lines().map(|line| line.split("//@ ").next().unwrap_or(line));
            let words: Vec<&str> = bare.flat_map(str::split_whitespace).collect();
            format!("{:1$}{2}", "", 4 * depth, words.join(" "))
        };
        let rows: Vec<String> =
            found.iter().flat_map(|(_, places)| places.iter().map(text)).collect();
        let _ = write!(out, "<pre>{}</pre>", escaped(&rows.join("\n")));
    }
    out += "</div>\n";
    differences.iter().for_each(|one| out += &difference(compared, one));
    out + "</section>\n"
}

fn difference(compared: &Compared, one: &Difference) -> String {
    let class = if one.notes.is_empty() { "d loud" } else { "d" };
    let told = |text: &Option<String>| escaped(text.as_deref().unwrap_or("nothing"));
    let mut out = format!("<div class=\"{class}\"><p><code>{}</code>", escaped(&one.input));
    if !one.condition.is_empty() {
        let _ = write!(out, " where {}", escaped(&one.condition));
    }
    let _ = write!(
        out,
        "</p><div class=\"pair\"><pre>{}</pre><pre>{}</pre></div>",
        told(&one.left),
        told(&one.right)
    );
    for (_, reason) in &one.notes {
        let _ = write!(out, "<p class=\"why\">{}</p>", escaped(reason));
    }
    if let Some(found) = witness(compared, one) {
        let _ = write!(
            out,
            "<p>Input <code>{}</code></p><div class=\"pair\"><pre>{}</pre><pre>{}</pre></div>",
            escaped(&format!("{:?}", found.input)),
            escaped(&found.left.join("\n")),
            escaped(&found.right.join("\n")),
        );
    }
    out + "</div>\n"
}

/// What has rows or steps: its name, and for each of them how deep it lies and its place.
type Block<'t> = (&'t str, Vec<(usize, Place)>);

/// States, modes and algorithms.
fn blocks(items: &[Item]) -> Vec<Block<'_>> {
    items.iter().flat_map(of_item).collect()
}

fn of_item(item: &Item) -> Vec<Block<'_>> {
    let of_state = |state: &'_ State| state.rows.iter().map(|row| (0, row.place)).collect();
    match item {
        Item::State(state) => vec![(&state.name.value, of_state(state))],
        Item::Procedure { states, .. } => {
            states.iter().map(|state| (&state.name.value[..], of_state(state))).collect()
        }
        Item::Mode(mode) => {
            vec![(&mode.name.value, mode.rows.iter().map(|row| (0, row.place)).collect())]
        }
        Item::Tree(TreeItem::Algorithm { name, steps, .. }) => {
            let mut places = Vec::new();
            gather(steps, 0, &mut places);
            vec![(&name.value, places)]
        }
        _ => Vec::new(),
    }
}

fn gather(steps: &[AlgorithmStep], depth: usize, places: &mut Vec<(usize, Place)>) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                places.push((depth, words.place));
                gather(inner, depth + 1, places);
            }
            AlgorithmStep::Apart { inner, .. } => gather(inner, depth, places),
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
