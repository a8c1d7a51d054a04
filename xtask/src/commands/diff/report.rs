//! A comparison as text for people, and as JSON. It decides nothing. Invariant: both list the same differences.

use super::inputs::shows;
use super::{Compared, Side};
use crate::Failure;
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::IsTerminal as _;
use tabulex_documents::compare::accepted::Changed;
use tabulex_documents::compare::{Difference, Index};
use tabulex_documents::document::wording::Said;
use tabulex_language::syntax::{NoteKind, Span};
use tabulex_oracle::search::{self, Differences, Errors};

/// As text.
pub(super) fn text(compared: &Compared, all: bool) -> String {
    let Compared { left, right, comparison, .. } = compared;
    let mut out = format!("{} against {}\n", left.name, right.name);
    if let Some(facts) = &left.facts {
        let _ = writeln!(out, "  read: {}", facts.summary);
        for left_out in &facts.not_compared {
            let what = left_out.rsplit_once(": ").map_or("", |(what, _)| what);
            let _ = writeln!(out, "  {}: {what}", strong("not compared"));
        }
        for unread in &facts.unread {
            let _ = writeln!(out, "  {}: {unread}", strong("unread"));
        }
        for erratum in &facts.stale_errata {
            let _ = writeln!(out, "  {}: {erratum}", strong("stale erratum"));
        }
    }
    let undeclared = comparison.undeclared().count();
    let steps = match comparison.steps {
        0 => String::new(),
        count => format!(", {count} steps of algorithms: {} equal", comparison.equal_steps),
    };
    let more = if all || comparison.declared() == 0 { "" } else { " (--all shows them)" };
    let accepted = match (compared.accepted, compared.changed.len()) {
        (0, 0) => String::new(),
        (count, 0) => format!("; {count} entries as accepted"),
        (_, count) => format!("; {count} entries not as accepted"),
    };
    let _ = writeln!(
        out,
        "  {} states, {} modes, {} rows: {} equal{steps}; {} differences declared{more}, {undeclared} undeclared; {} stale declarations{accepted}",
        comparison.states,
        comparison.modes,
        comparison.rows,
        comparison.equal,
        comparison.declared(),
        comparison.stale.len(),
    );
    for difference in comparison.undeclared() {
        out += &one(compared, difference);
    }
    for changed in &compared.changed {
        out += &not_as_accepted(right, changed);
    }
    for (state, span, reason) in &comparison.stale {
        let _ = writeln!(out, "  {}: {state}, {}: {reason}", strong("stale"), shown(right, *span));
    }
    for (word, what, places) in [
        ("worded otherwise, or new", "a sentence of ", &compared.worded),
        ("gone", "a sentence of ", &compared.gone),
        ("marked up otherwise", "", &compared.laid_out),
    ] {
        out += &places_of(word, what, places, all);
    }
    if let Some(found) = &compared.found {
        out += &inputs(found, &compared.names());
    }
    if all {
        for difference in comparison.differences.iter().filter(|one| !one.notes.is_empty()) {
            out += &one(compared, difference);
        }
    }
    if let Some(proposed) = proposed(compared) {
        out += &proposed;
    }
    out + "\n"
}

/// Sentences or sections that the committed facts were not read of, or only they.
fn places_of(word: &str, what: &str, places: &[Said], all: bool) -> String {
    let most = if all { usize::MAX } else { 20 };
    let mut out = String::new();
    for Said { place, line, hash: _ } in places.iter().take(most) {
        let _ = writeln!(out, "  {}: {what}{place}, line {line}", strong(word));
    }
    if places.len() > most {
        let _ = writeln!(out, "  {word}: {} more (--all shows them)", places.len() - most);
    }
    out
}

/// An entry: what was accepted and what is so now.
fn not_as_accepted(right: &Side, changed: &Changed) -> String {
    let Changed { key, before, now, span } = changed;
    let place = span.map_or(String::new(), |span| format!(", {}", shown(right, span)));
    let mut out = format!("  {}: {key}{place}\n", strong("not as accepted"));
    // What is the same in both is not shown, unless only the order differs.
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|line| !other.contains(line)).cloned().collect()
    };
    let (mut was, mut is) = (only(before, now), only(now, before));
    if was.is_empty() && is.is_empty() {
        (was, is) = (before.clone(), now.clone());
    }
    for (word, lines, all) in [("accepted", was, before), ("now", is, now)] {
        let _ = writeln!(out, "    {word}");
        match all.len() - lines.len() {
            0 if all.is_empty() => out += "      nothing\n",
            0 => {}
            more => {
                let _ = writeln!(out, "      ({more} more lines, the same in both)");
            }
        }
        for line in lines {
            let _ = writeln!(out, "      {line}");
        }
    }
    out
}

/// What the search for inputs gave.
fn inputs(differences: &Differences, names: &[String; 2]) -> String {
    let Differences { found, reached, is_proven_equal, errors } = differences;
    let errors = match errors {
        Errors::Number => "another number of errors",
        Errors::Codes => "other errors",
        Errors::Places => "errors elsewhere",
    };
    let how = match (is_proven_equal, reached.is_whole) {
        (true, _) => format!(
            "none gives other tokens or {errors}, and none can: all pairs of configurations were met"
        ),
        (_, true) => "all pairs of configurations were met".to_owned(),
        _ => "the bound of the search was reached".to_owned(),
    };
    let mut out = format!(
        "  inputs: {} run, {} pairs of configurations gone on from; {how}; {} behave differently\n",
        reached.inputs,
        reached.configurations,
        found.len(),
    );
    let other_tokens = found.iter().find(|difference| !difference.only_errors);
    if let Some(difference) = other_tokens {
        let _ = writeln!(out, "  the shortest with other tokens:");
        out += &input(difference, names);
    } else if let Some(difference) = found.first() {
        let _ = writeln!(out, "  no input gives other tokens; the shortest with other errors:");
        out += &input(difference, names);
    }
    out
}

fn strong(word: &str) -> String {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if !forbidden && std::io::stdout().is_terminal() {
        format!("\x1b[1;31m{word}\x1b[0m")
    } else {
        word.to_owned()
    }
}

/// One difference with both places.
fn one(compared: &Compared, difference: &Difference) -> String {
    let Difference { state, input: cell, condition, left, right, notes, .. } = difference;
    let name = [&state[..], &cell[..]]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(": ");
    let (mine, yours) = places(compared, difference);
    let word = if notes.is_empty() { strong("different") } else { "declared".to_owned() };
    let mut out = format!("  {word}: {name}\n");
    if !condition.is_empty() {
        let _ = writeln!(out, "    where      {condition}");
    }
    let text_of = |text: &Option<String>| text.clone().unwrap_or("nothing".to_owned());
    let _ = writeln!(out, "    {:<10} {}", mine, text_of(left));
    let _ = writeln!(out, "    {:<10} {}", yours, text_of(right));
    for (kind, reason) in notes {
        let kind = if *kind == NoteKind::Fills { "fills" } else { "deviates" };
        let _ = writeln!(out, "    {kind:<10} {reason}");
    }
    match witness(compared, difference) {
        Some(witness) => out += &input(witness, &compared.names()),
        None if compared.found.is_some() && !state.is_empty() && compared.left.facts.is_none() => {
            out += "    alike      no input was found on which it alone shows\n";
        }
        None => {}
    }
    out
}

pub(super) fn places(compared: &Compared, difference: &Difference) -> (String, String) {
    let row_span = |row| Index::new(&compared.left.table).row_span(row);
    let mine = difference.left_row.map(row_span).or(difference.left_place);
    let is_document = compared.left.facts.is_some();
    let nowhere = if is_document { "document" } else { &compared.left.name[..] };
    let mine = mine.map_or(nowhere.to_owned(), |span| {
        match compared.left.facts.as_ref().and_then(|facts| facts.document_line(span)) {
            Some(line) => format!("document, line {line}"),
            None => shown(&compared.left, span),
        }
    });
    let nowhere = if is_document { "table" } else { &compared.right.name[..] };
    (mine, difference.span.map_or(nowhere.to_owned(), |span| shown(&compared.right, span)))
}

fn shown(side: &Side, span: Span) -> String {
    let (line, column) = side.source.line_column(span.start);
    format!("{}:{line}:{column}", side.source.path)
}

/// The shortest input that takes the rows of the difference on both sides, and if there is one, those of no other
/// difference.
pub(super) fn witness<'c>(
    compared: &'c Compared,
    difference: &Difference,
) -> Option<&'c search::Difference> {
    let others = |found: &search::Difference| {
        let all = compared.comparison.differences.iter().filter(|one| !one.state.is_empty());
        all.filter(|one| *one != difference && shows(found, one)).count()
    };
    let found = compared.found.as_ref()?.found.iter().filter(|found| shows(found, difference));
    let best = found.min_by_key(|found| (others(found), found.input.chars().count()));
    // Between machines many rows lead to others that differ: such an input says nothing of this one.
    best.filter(|found| compared.left.facts.is_some() || others(found) == 0)
}

fn input(found: &search::Difference, [left, right]: &[String; 2]) -> String {
    let mut out = format!("    input      {:?} in {}", found.input, found.start.state);
    for (flag, value) in &found.start.flags {
        let _ = write!(out, ", {flag} is {value}");
    }
    let _ = writeln!(
        out,
        "\n      {left:<8} {}\n      {right:<8} {}",
        found.left.join(" | "),
        found.right.join(" | ")
    );
    out
}

/// Rows, states and modes that only the document has, in the words of the table language.
fn proposed(compared: &Compared) -> Option<String> {
    compared.left.facts.as_ref()?;
    let index = Index::new(&compared.left.table);
    let mut lines = Vec::new();
    for difference in compared.comparison.undeclared().filter(|one| !one.state.is_empty()) {
        if let Some(row) = difference.left_row {
            let span = index.row_span(row);
            let text = &compared.left.source.text[span.start as usize..span.end as usize];
            let line = format!("    // {}\n        {text}", difference.state);
            if !lines.contains(&line) {
                lines.push(line);
            }
        } else if difference.left.is_some() {
            let all = &compared.left.source.text;
            let begins = ["state", "lexical-mode", "mode"]
                .map(|kind| all.find(&format!("\n    {kind} {} ", difference.state)));
            let at = begins.into_iter().flatten().next()? + 1;
            let end = all[at..].find("\n    }\n")? + at + 6;
            lines.push(all[at..end].to_owned());
        }
    }
    let bare = |text: &String| {
        text.lines()
            .map(|line| line.split(" //@ ").next().unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n")
    };
    (!lines.is_empty()).then(|| {
        let rows: Vec<String> = lines.iter().map(bare).collect();
        format!("  rows as the document has them:\n{}\n", rows.join("\n"))
    })
}

/// As JSON: one object, whatever is compared.
pub(super) fn json(all: &[Compared]) -> Result<String, Failure> {
    let value = json!({
        "version": 1,
        "isWell": all.iter().all(Compared::is_well),
        "comparisons": all.iter().map(comparison).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn comparison(compared: &Compared) -> Value {
    let differences: Vec<Value> =
        compared.comparison.differences.iter().map(|one| difference(compared, one)).collect();
    let stale: Vec<Value> = compared
        .comparison
        .stale
        .iter()
        .map(|(state, span, reason)| json!({"state": state, "place": shown(&compared.right, *span), "reason": reason}))
        .collect();
    let changed: Vec<Value> = compared
        .changed
        .iter()
        .map(|Changed { key, before, now, span }| {
            let place = span.map(|span| shown(&compared.right, span));
            json!({"about": key, "place": place, "before": before, "now": now})
        })
        .collect();
    json!({
        "left": compared.left.name,
        "right": compared.right.name,
        "read": compared.left.facts.as_ref().map(|facts| &facts.summary),
        "unread": compared.left.facts.as_ref().map(|facts| &facts.unread),
        "states": compared.comparison.states,
        "modes": compared.comparison.modes,
        "rows": compared.comparison.rows,
        "equal": compared.comparison.equal,
        "steps": compared.comparison.steps,
        "equalSteps": compared.comparison.equal_steps,
        "notCompared": compared.left.facts.as_ref().map(|facts| &facts.not_compared),
        "differences": differences,
        "accepted": compared.accepted,
        "worded": compared.worded.iter().map(place_of).collect::<Vec<_>>(),
        "gone": compared.gone.iter().map(place_of).collect::<Vec<_>>(),
        "laidOut": compared.laid_out.iter().map(place_of).collect::<Vec<_>>(),
        "changed": changed,
        "stale": stale,
    })
}

fn place_of(said: &Said) -> Value {
    json!({"place": said.place, "line": said.line})
}

fn difference(compared: &Compared, one: &Difference) -> Value {
    let (mine, yours) = places(compared, one);
    json!({
        "state": one.state,
        "input": one.input,
        "condition": one.condition,
        "left": one.left,
        "right": one.right,
        "leftPlace": mine,
        "rightPlace": yours,
        "declared": one.notes.iter().map(|(_, reason)| reason).collect::<Vec<_>>(),
        "witness": witness(compared, one).map(|found| json!({
            "state": found.start.state, "input": found.input, "left": found.left, "right": found.right,
        })),
    })
}
