//! Formats the differences between texts of a standard for the terminal.

use super::{Change, TextDifferences, Witness};
use std::fmt::Write as _;
use tabulex_language::counted;

/// Formats the differences between two texts, with the reworded sentences if `lists_all` is set.
pub(super) fn text(between: &TextDifferences<'_>, lists_all: bool) -> String {
    let TextDifferences { dialect, texts: [before, after], changes, not_compared, reworded } =
        between;
    let mut out = format!("{dialect}: {} to {}\n", before.date, after.date);
    for text in [before, after] {
        for unread in &text.facts.unread {
            let _ = writeln!(out, "  unread in {}: {unread}", text.date);
        }
    }
    for change in changes {
        out += &change_text(change, [&before.date, &after.date]);
    }
    if lists_all {
        for sentence in reworded {
            let _ = writeln!(out, "  reworded: {}, line {}", sentence.place, sentence.line);
        }
    }
    if *not_compared > 0 {
        let rows = counted(*not_compared, "row");
        let _ = writeln!(out, "  not compared: {rows} with an unread sentence");
    }
    let hint = if lists_all || reworded.is_empty() { "" } else { " (listed by `--all`)" };
    let _ = writeln!(
        out,
        "  {}; {} without a change of facts{hint}\n",
        counted(changes.len(), "change"),
        counted(reworded.len(), "reworded sentence"),
    );
    out
}

fn change_text(change: &Change, dates: [&str; 2]) -> String {
    let Change { difference, lines, witness } = change;
    let name = [&difference.state[..], &difference.input[..]];
    let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
    let mut out = format!("  change: {}\n", name.join(": "));
    if !difference.condition.is_empty() {
        let _ = writeln!(out, "    where      {}", difference.condition);
    }
    for ((date, line), action) in dates.iter().zip(lines).zip([&difference.left, &difference.right])
    {
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        let action = action.as_deref().unwrap_or("nothing");
        let _ = writeln!(out, "    {date}{line}: {action}");
    }
    if let Some(Witness { input, start, gives }) = witness {
        let _ = writeln!(out, "    input      {input:?}{start}");
        for line in gives {
            let _ = writeln!(out, "      {line}");
        }
    }
    out
}
