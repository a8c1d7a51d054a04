//! Changes as text for people, and as JSON. It decides nothing. Invariant: both list the same changes.

use super::{Between, Change};
use crate::Failure;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// As text.
pub(super) fn text(all: &[Between], is_all: bool) -> String {
    let mut out = String::new();
    for between in all {
        let Between { dialect, texts: [before, after], changes, worded } = between;
        let _ = writeln!(out, "{dialect}: {} to {}", before.date, after.date);
        for text in [before, after] {
            for unread in &text.facts.unread {
                let _ = writeln!(out, "  unread in {}: {unread}", text.date);
            }
        }
        for change in changes {
            out += &one(change, [&before.date, &after.date]);
        }
        if is_all {
            for said in worded {
                let _ = writeln!(out, "  worded otherwise: {}, line {}", said.place, said.line);
            }
        }
        let more = if is_all || worded.is_empty() { "" } else { " (--all lists them)" };
        let named = changes.iter().filter(|change| !change.commits.is_empty()).count();
        let _ = writeln!(
            out,
            "  {} changes, {named} with commits; {} sentences worded otherwise that change no facts{more}\n",
            changes.len(),
            worded.len(),
        );
    }
    out
}

fn one(change: &Change, dates: [&str; 2]) -> String {
    let Change { difference, lines, commits, witness, shown } = change;
    let name = [&difference.state[..], &difference.input[..]];
    let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
    let mut out = format!("  change: {}\n", name.join(": "));
    if !difference.condition.is_empty() {
        let _ = writeln!(out, "    where      {}", difference.condition);
    }
    for ((date, line), does) in dates.iter().zip(lines).zip([&difference.left, &difference.right]) {
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        let does = does.as_deref().unwrap_or("nothing");
        let _ = writeln!(out, "    {date}{line}: {does}");
    }
    for commit in commits {
        let _ = writeln!(out, "    commit     {commit}");
    }
    if let Some(found) = witness {
        let _ = writeln!(out, "    input      {:?} in {}", found.input, found.start.state);
        for (date, gives) in dates.iter().zip([&found.left, &found.right]) {
            let _ = writeln!(out, "      {date}  {}", gives.join(" | "));
        }
    }
    if let Some(found) = shown {
        let how = if found.how.is_empty() { String::new() } else { format!(" {}", found.how) };
        let _ = writeln!(out, "    input      {:?}{how}", found.input);
        for (date, gives) in dates.iter().zip(&found.gives) {
            let _ = writeln!(out, "      {date}  {}", gives.join(" | "));
        }
    }
    out
}

/// As JSON.
pub(super) fn json(all: &[Between]) -> Result<String, Failure> {
    let is_read = |one: &Between| one.texts.iter().all(|text| text.facts.unread.is_empty());
    let value = json!({
        "version": 1,
        "isWell": all.iter().all(is_read),
        "steps": all.iter().map(step).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn step(between: &Between) -> Value {
    let [before, after] = &between.texts;
    let worded = between.worded.iter().map(|said| json!({"place": said.place, "line": said.line}));
    json!({
        "dialect": between.dialect,
        "from": before.date,
        "to": after.date,
        "unread": [before.facts.unread, after.facts.unread],
        "changes": between.changes.iter().map(change).collect::<Vec<_>>(),
        "worded": worded.collect::<Vec<_>>(),
    })
}

fn change(change: &Change) -> Value {
    let Change { difference, lines, commits, witness, shown } = change;
    json!({
        "place": difference.state,
        "input": difference.input,
        "condition": difference.condition,
        "before": difference.left,
        "after": difference.right,
        "lines": lines,
        "commits": commits,
        "witness": witness.as_ref().map(|found| json!({
            "state": found.start.state, "input": found.input, "before": found.left, "after": found.right,
        })),
        "shown": shown.as_ref().map(|found| json!({
            "input": found.input, "how": found.how, "before": found.gives[0], "after": found.gives[1],
        })),
    })
}
