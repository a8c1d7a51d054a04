//! Formats changes as text.

use super::{Change, TextDifferences, Witness};
use std::fmt::Write as _;

/// Formats changes as text.
pub(super) fn text(all: &[TextDifferences], is_all: bool) -> String {
    let mut out = String::new();
    for between in all {
        let TextDifferences { dialect, texts: [before, after], changes, not_compared, worded } =
            between;
        let _ = writeln!(out, "{dialect}: {} to {}", before.date, after.date);
        for text in [before, after] {
            for unread in &text.facts.unread {
                let _ = writeln!(out, "  unread in {}: {unread}", text.date);
            }
        }
        for change in changes {
            out += &change_text(change, [&before.date, &after.date]);
        }
        if is_all {
            for sentence in worded {
                let _ =
                    writeln!(out, "  worded otherwise: {}, line {}", sentence.place, sentence.line);
            }
        }
        if *not_compared > 0 {
            let _ =
                writeln!(out, "  not compared: {not_compared} rows of which a sentence is unread");
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

fn change_text(change: &Change, dates: [&str; 2]) -> String {
    let Change { difference, lines, commits, witness } = change;
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
    if let Some(Witness { input, how, gives }) = witness {
        let _ = writeln!(out, "    input      {input:?}{how}");
        for line in gives {
            let _ = writeln!(out, "      {line}");
        }
    }
    out
}
