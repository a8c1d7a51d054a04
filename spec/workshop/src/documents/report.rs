//! Formats a comparison as text and as JSON. The text groups differences by cause: each changed declaration that is not
//! accepted comes with one of its consequences and the number of the others.

use super::comparison::{Compared, Side, used_declarations};
use super::inputs::Witness;
use super::project::Project;
use super::proposals::proposals;
use crate::{Failure, counted};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::IsTerminal as _;
use tabulex_documents::compare::Difference;
use tabulex_documents::compare::accepted::ChangedEntry;
use tabulex_documents::document::wording::HashedSentence;
use tabulex_language::syntax::{Item, NoteKind, Section, Span};

/// Maximum number of differences shown; the remaining ones are counted.
const MAX_DIFFERENCES: usize = 5;

/// Maximum number of result lines shown for an input.
const MAX_LINES: usize = 4;

/// Maximum number of sentences shown for a row.
const MAX_SENTENCES: usize = 2;

/// Maximum number of characters shown of a sentence or an effect.
const MAX_CHARACTERS: usize = 160;

/// Formats a comparison as text. With `all`, also shows declared differences, and shortens no list.
pub(super) fn text(project: &Project, compared: &Compared, all: bool) -> String {
    let Compared { left, right, comparison, .. } = compared;
    let mut out = format!("{} against {}\n", left.name, right.name);
    out += &reading_summary(compared, all);
    let undeclared = comparison.undeclared().count();
    let step_counts = match comparison.steps {
        0 => String::new(),
        count => {
            let steps = counted(count, "step");
            format!(", {steps} of algorithms: {} equal", comparison.equal_steps)
        }
    };
    let hint = if all || comparison.declared() == 0 { "" } else { " (shown by `--all`)" };
    let accepted_note = match (compared.entry_count, compared.changed_entries.len()) {
        (0, 0) => String::new(),
        (count, 0) => format!("; {} as accepted", counted(count, "entry")),
        (count, _) if compared.is_first() => {
            format!("; {} for `--accept` to record", counted(count, "entry"))
        }
        (_, count) => format!("; {} not as accepted", counted(count, "entry")),
    };
    let _ = writeln!(
        out,
        "  {}, {}, {}: {} equal{step_counts}; {} declared{hint}, {undeclared} undeclared; {}{accepted_note}",
        counted(comparison.states, "state"),
        counted(comparison.modes, "mode"),
        counted(comparison.rows, "row"),
        comparison.equal,
        counted(comparison.declared(), "difference"),
        counted(comparison.stale.len(), "stale declaration"),
    );
    out += &differences(compared, all);
    for (state, span, reason) in &comparison.stale {
        let _ =
            writeln!(out, "  {}: {state}, {}: {reason}", strong("stale"), location(right, *span));
    }
    for (span, number) in &compared.cited_unread {
        let place = location(right, *span);
        let _ = writeln!(out, "  {}: {place}: section {number} is not read", strong("note"));
    }
    for (word, what, places) in [
        ("new or reworded", "a sentence of ", &compared.added),
        ("removed", "a sentence of ", &compared.removed),
        ("markup changed", "", &compared.changed_markup),
        ("reworded, and not read", "", &compared.changed_unread),
    ] {
        out += &sentence_list(compared, (word, what), places, all);
    }
    let document_changes =
        [&compared.added, &compared.removed, &compared.changed_markup, &compared.changed_unread];
    if compared.facts_differ || document_changes.iter().any(|all| !all.is_empty()) {
        let _ = writeln!(
            out,
            "  {}: the committed facts differ from those read from the text; `--write` updates them",
            strong("facts")
        );
    }
    if all {
        for (at, one) in comparison.differences.iter().enumerate() {
            if !one.notes.is_empty() {
                out += &format_difference(compared, at);
            }
        }
    }
    // Rows are proposed only if the document changed; otherwise the table was edited by someone who knows its rows.
    if !compared.added.is_empty() || !compared.removed.is_empty() {
        let rows: String =
            proposals(project, compared).iter().map(|row| format!("    {row}\n")).collect();
        if !rows.is_empty() {
            let _ = write!(out, "  rows as the document has them; each passes `check`:\n{rows}");
        }
    }
    out + "\n"
}

/// Formats how much of the document was read: counts, sections not read, unread sentences, stale errata.
fn reading_summary(compared: &Compared, all: bool) -> String {
    let mut out = String::new();
    let Some(facts) = &compared.left.facts else { return out };
    let _ = writeln!(out, "  read: {}", facts.summary);
    if compared.document.is_none() {
        let _ = writeln!(
            out,
            "  text not found: these are the facts of the text with the hash {}",
            facts.digest
        );
    }
    if !facts.left_out.is_empty() {
        let _ = writeln!(out, "  sections not read: {}", sections(&facts.left_out));
    }
    for left_out in &facts.not_compared {
        let subject = left_out.rsplit_once(": ").map_or("", |(subject, _)| subject);
        let _ = writeln!(out, "  {}: {subject}", strong("not compared"));
    }
    out += &sentence_list(compared, ("unread", ""), &facts.unread, true);
    let not_compared = compared.comparison.not_compared.iter().map(name_of);
    let not_compared: BTreeSet<String> = not_compared.collect();
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    for name in not_compared.iter().take(max_shown) {
        let _ = writeln!(
            out,
            "  {}: {name}: a sentence is unread, so the requirements are not known",
            strong("not compared")
        );
    }
    if not_compared.len() > max_shown {
        let more = not_compared.len() - max_shown;
        let _ = writeln!(out, "  {}: {more} more (shown by `--all`)", strong("not compared"));
    }
    for erratum in &facts.stale_errata {
        let _ = writeln!(out, "  {}: {erratum}", strong("stale"));
    }
    out
}

/// Lists sections by number, or by heading if a section has no number.
fn sections(all: &[HashedSentence]) -> String {
    let section_name = |one: &HashedSentence| {
        let first_word = one.place.split(' ').next().unwrap_or_default();
        match first_word.starts_with(|one: char| one.is_ascii_digit()) {
            true => first_word.to_owned(),
            false if one.place.is_empty() => "the text before the first heading".to_owned(),
            false => format!("“{}”", one.place),
        }
    };
    all.iter().map(section_name).collect::<Vec<_>>().join(", ")
}

/// Formats the causes, which are changed declarations, with their consequences, then the remaining differences and
/// unaccepted entries.
fn differences(compared: &Compared, all: bool) -> String {
    let mut out = String::new();
    let is_undeclared = |one: &&(usize, &Difference)| one.1.notes.is_empty();
    let numbered_differences = compared.comparison.differences.iter().enumerate();
    let mut remaining: Vec<(usize, &Difference)> =
        numbered_differences.filter(|one| is_undeclared(&one)).collect();
    let mut entries: Vec<&ChangedEntry> = match compared.is_first() && !all {
        true => Vec::new(),
        false => compared.changed_entries.iter().collect(),
    };
    let causes: Vec<&ChangedEntry> =
        entries.iter().copied().filter(|one| !is_about_rows(&one.key)).collect();
    if !all {
        for cause in &causes {
            let [lost, gained] = lost_and_gained_words(cause);
            let is_about = |text: &str| lost.iter().chain(&gained).any(|word| mentions(text, word));
            let name = cause.key.rsplit(' ').next().unwrap_or_default();
            let is_consequence = |one: &Difference| {
                let texts = [Some(&one.input), one.left.as_ref(), one.right.as_ref()];
                let row_text = one.span.map_or("", |span| {
                    let text = &compared.right.source.text;
                    text.get(span.start as usize..span.end as usize).unwrap_or_default()
                });
                texts.into_iter().flatten().any(|text| is_about(text)) || has_word(row_text, name)
            };
            let (mut mine, others): (Vec<_>, Vec<_>) =
                remaining.into_iter().partition(|(_, one)| is_consequence(one));
            remaining = others;
            entries.retain(|one| {
                let lines = one.before.iter().chain(&one.now);
                !(is_about_rows(&one.key)
                    && (is_about(&one.key) || lines.into_iter().any(|line| is_about(line))))
            });
            let _ = write!(out, "  {}: {}", strong("cause"), cause.key);
            out += &cause
                .span
                .map_or(String::new(), |span| format!(", {}", location(&compared.right, span)));
            for (verb, words) in [("without", lost), ("with", gained)] {
                if !words.is_empty() {
                    let _ = write!(out, ", {verb} {}", list_words(words.iter()));
                }
            }
            out.push('\n');
            // One difference is shown per cause, preferably one for which an input was found.
            mine.sort_by_key(|(at, _)| compared.witnesses.get(*at).is_none_or(Option::is_none));
            if let Some((at, _)) = mine.first() {
                out += &format_difference(compared, *at);
            }
            if mine.len() > 1 {
                let _ = writeln!(
                    out,
                    "    and {} more in {} (shown by `--all`)",
                    mine.len() - 1,
                    blocks_with_sections(compared, &mine)
                );
            }
        }
        // Any cause is assumed to account for all changed details of rows.
        let is_consequence =
            |one: &ChangedEntry| !causes.is_empty() && one.key.starts_with("details of ");
        entries
            .retain(|one| !causes.iter().any(|cause| cause.key == one.key) && !is_consequence(one));
    }
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    for (at, _) in remaining.iter().take(max_shown) {
        out += &format_difference(compared, *at);
    }
    if remaining.len() > max_shown {
        let more = &remaining[max_shown..];
        let _ = writeln!(
            out,
            "  and {} more in {} (shown by `--all`)",
            more.len(),
            blocks_with_sections(compared, more)
        );
    }
    for changed in entries.iter().take(max_shown) {
        out += &unaccepted_entry(&compared.right, changed, all);
    }
    if entries.len() > max_shown {
        let _ = writeln!(
            out,
            "  and {} not as accepted (shown by `--all`)",
            counted(entries.len() - max_shown, "more entry")
        );
    }
    out
}

/// Whether the entry with this key is about rows, so that a changed declaration may be its cause.
fn is_about_rows(key: &str) -> bool {
    let prefixes = ["details of ", "fills ", "deviates ", "state ", "mode ", "order ", "notes"];
    prefixes.iter().any(|prefix| key.starts_with(prefix))
}

fn has_word(text: &str, word: &str) -> bool {
    let is_word_character = |one: char| one.is_alphanumeric() || one == '-';
    text.split(|one| !is_word_character(one)).any(|token| token == word)
}

/// Returns the words that the table has lost and gained, relative to the document, since the entry was accepted. In the
/// entry, lines of the document begin with `-`, those of the table with `+`.
fn lost_and_gained_words(changed: &ChangedEntry) -> [Vec<String>; 2] {
    let words_of = |lines: &[String], sign: char| -> BTreeSet<String> {
        let lines = lines.iter().filter_map(|line| line.strip_prefix(sign));
        lines.flat_map(|line| line.split(" | ")).map(|word| word.trim().to_owned()).collect()
    };
    let words_only_in = |sign: char, one: &[String], other: &[String]| -> Vec<String> {
        words_of(one, sign).difference(&words_of(other, sign)).cloned().collect()
    };
    let ChangedEntry { before, now, .. } = changed;
    let lost = [words_only_in('-', now, before), words_only_in('+', before, now)].concat();
    [lost, [words_only_in('+', now, before), words_only_in('-', before, now)].concat()]
}

/// Whether the text contains the word, quoted or not.
fn mentions(text: &str, word: &str) -> bool {
    match word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word) {
        bare if bare.chars().all(|one| one.is_alphanumeric() || one == '-') => has_word(text, bare),
        other => text.contains(other),
    }
}

/// Lists the first words, and counts the remaining ones.
fn list_words<'w>(words: impl ExactSizeIterator<Item = &'w String>) -> String {
    const MAX_WORDS: usize = 6;
    let more = words.len().saturating_sub(MAX_WORDS);
    let text = words.take(MAX_WORDS).map(|word| truncate(word)).collect::<Vec<_>>().join(" | ");
    if more == 0 { text } else { format!("{text} and {more} more") }
}

/// Lists the states and modes of differences, with section numbers.
fn blocks_with_sections(compared: &Compared, all: &[(usize, &Difference)]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, one) in all {
        let name = if one.state.is_empty() { &one.input } else { &one.state };
        *counts.entry(name_with_section(compared, name)).or_default() += 1;
    }
    let names: Vec<String> = counts.into_keys().collect();
    list_words(names.iter())
}

/// Returns the name of a state or mode, followed by its section number if it has one.
fn name_with_section(compared: &Compared, name: &str) -> String {
    let section_of = |item: &Item| -> Option<Section> {
        let states = match item {
            Item::State(state) => std::slice::from_ref(state),
            Item::Procedure { states, .. } => states,
            Item::Mode(mode) if mode.name.value == name => return mode.section.clone(),
            _ => return None,
        };
        states.iter().find(|state| state.name.value == name)?.section.clone()
    };
    let items = compared.right.table.items.iter().chain(&compared.left.table.items);
    match items.filter_map(section_of).next() {
        Some(section) => format!("{name} ({})", section.number),
        None => name.to_owned(),
    }
}

/// Lists sentences or sections with their lines, and with their text if the document was read.
fn sentence_list(
    compared: &Compared,
    (word, what): (&str, &str),
    places: &[HashedSentence],
    all: bool,
) -> String {
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    let mut out = String::new();
    for sentence in places.iter().take(max_shown) {
        let words =
            compared.sentences.get(&sentence.hash).map(|words| format!(": “{}”", truncate(words)));
        let words = words.unwrap_or_default();
        let _ = writeln!(out, "  {}: {what}{sentence}{words}", strong(word));
    }
    if places.len() > max_shown {
        let _ = writeln!(out, "  {word}: {} more (shown by `--all`)", places.len() - max_shown);
    }
    out
}

/// Formats an entry that differs from its accepted form.
fn unaccepted_entry(right: &Side, changed: &ChangedEntry, all: bool) -> String {
    let ChangedEntry { key, before, now, span } = changed;
    let place = span.map_or(String::new(), |span| format!(", {}", location(right, span)));
    let mut out = format!("  {}: {}{place}\n", strong("not as accepted"), truncate(key));
    // Lines on both sides are omitted, unless the two sides differ only in order.
    let lines_only_in = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|line| !other.contains(line)).cloned().collect()
    };
    let (mut was, mut is) = (lines_only_in(before, now), lines_only_in(now, before));
    if was.is_empty() && is.is_empty() {
        (was, is) = (before.clone(), now.clone());
    }
    let max_shown = if all { usize::MAX } else { MAX_LINES };
    for (word, lines, whole) in [("accepted", was, before), ("now", is, now)] {
        if whole.is_empty() {
            let _ = writeln!(out, "    {word:<10} nothing");
        }
        for line in lines.iter().take(max_shown) {
            let _ =
                writeln!(out, "    {word:<10} {}", if all { line.clone() } else { truncate(line) });
        }
        if lines.len() > max_shown {
            let _ = writeln!(out, "    {word:<10} and {} more", lines.len() - max_shown);
        }
    }
    out
}

fn strong(word: &str) -> String {
    let is_forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if !is_forbidden && std::io::stdout().is_terminal() {
        format!("\x1b[1;31m{word}\x1b[0m")
    } else {
        word.to_owned()
    }
}

/// Shortens a text to `MAX_CHARACTERS`, with an ellipsis if anything was cut.
fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the name of a difference: its state or mode, and its input.
fn name_of(difference: &Difference) -> String {
    let parts = [&difference.state[..], &difference.input[..]];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

/// Formats a difference with both positions, the document's sentences and the shortest input that shows it.
fn format_difference(compared: &Compared, index: usize) -> String {
    let difference = &compared.comparison.differences[index];
    let (mine, yours) = places(compared, difference);
    let word =
        if difference.notes.is_empty() { strong("different") } else { "declared".to_owned() };
    let mut out = format!("  {word}: {}\n", truncate(&name_of(difference)));
    if !difference.condition.is_empty() {
        let _ = writeln!(out, "    where      {}", truncate(&difference.condition));
    }
    let text_of = |text: &Option<String>| text.as_deref().map_or("nothing".to_owned(), truncate);
    let _ = writeln!(out, "    {mine:<10} {}", text_of(&difference.left));
    let sentences = sentences(compared, difference);
    for sentence in sentences.iter().take(MAX_SENTENCES) {
        let _ = writeln!(out, "      “{}”", truncate(sentence));
    }
    if sentences.len() > MAX_SENTENCES {
        let _ = writeln!(out, "      sentences not shown: {}", sentences.len() - MAX_SENTENCES);
    }
    let _ = writeln!(out, "    {yours:<10} {}", text_of(&difference.right));
    if difference.left.is_none() {
        let declarations = used_declarations(&compared.right);
        let prefix = format!("{} ", name_of(difference));
        if let Some(declared) = declarations.iter().find(|declared| declared.starts_with(&prefix)) {
            let _ = writeln!(
                out,
                "    if the document uses it without declaring it, add to the profile: granted: {declared}"
            );
        }
    }
    for (kind, reason) in &difference.notes {
        let kind = if *kind == NoteKind::Fills { "fills" } else { "deviates" };
        let _ = writeln!(out, "    {kind:<10} {reason}");
    }
    if let Some(Witness { input, start, gives }) =
        compared.witnesses.get(index).and_then(Option::as_ref)
    {
        let _ = writeln!(out, "    input      {input:?}{start}");
        for line in gives.iter().filter(|line| !line.starts_with(' ')).take(MAX_LINES) {
            let _ = writeln!(out, "      {}", truncate(line));
        }
    }
    out
}

/// Returns the sentences from which the document's row was read; empty if the document was not read.
fn sentences<'c>(compared: &'c Compared, one: &Difference) -> Vec<&'c str> {
    let Some(facts) = &compared.left.facts else { return Vec::new() };
    let hashes = one.left_place.map_or_else(Vec::new, |place| facts.sentences(place));
    hashes.iter().filter_map(|hash| Some(&compared.sentences.get(hash)?[..])).collect()
}

fn places(compared: &Compared, difference: &Difference) -> (String, String) {
    let document_place =
        difference.left_place.map_or("document".to_owned(), |span| {
            match compared.left.facts.as_ref().and_then(|facts| facts.document_line(span)) {
                Some(line) => format!("document, line {line}"),
                None => location(&compared.left, span),
            }
        });
    let table_place =
        difference.span.map_or("table".to_owned(), |span| location(&compared.right, span));
    (document_place, table_place)
}

fn location(side: &Side, span: Span) -> String {
    let (line, column) = side.source.line_column(span.start);
    format!("{}:{line}:{column}", side.source.path)
}

/// Formats comparisons as one JSON object, with the data of the text report.
pub(super) fn json(all: &[Compared]) -> Result<String, Failure> {
    let value = json!({
        "version": 1,
        "isWell": all.iter().all(Compared::is_clean),
        "comparisons": all.iter().map(comparison_as_json).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn comparison_as_json(compared: &Compared) -> Value {
    let places = |all: &[HashedSentence]| -> Value {
        all.iter().map(|one| json!({"place": one.place, "line": one.line})).collect()
    };
    let comparison = &compared.comparison;
    let facts = compared.left.facts.as_ref();
    let stale_notes = comparison.stale.iter().map(
        |(state, span, reason)| json!({"state": state, "place": location(&compared.right, *span), "reason": reason}),
    );
    let changed_entries =
        compared.changed_entries.iter().map(|ChangedEntry { key, before, now, span }| {
            let place = span.map(|span| location(&compared.right, span));
            json!({"about": key, "place": place, "before": before, "now": now})
        });
    let cited_unread = compared.cited_unread.iter().map(
        |(span, number)| json!({"place": location(&compared.right, *span), "section": number}),
    );
    let differences = 0..comparison.differences.len();
    json!({
        "left": compared.left.name,
        "right": compared.right.name,
        "read": facts.map(|facts| &facts.summary),
        "text": compared.document.as_ref().map(|path| path.to_string_lossy()),
        "unread": facts.map(|facts| places(&facts.unread)),
        "sectionsNotRead": facts.map(|facts| places(&facts.left_out)),
        "states": comparison.states,
        "modes": comparison.modes,
        "rows": comparison.rows,
        "equal": comparison.equal,
        "steps": comparison.steps,
        "equalSteps": comparison.equal_steps,
        "leftOutSentences": facts.map(|facts| &facts.not_compared),
        "notCompared": comparison.not_compared.iter().map(name_of).collect::<Vec<_>>(),
        "differences": differences.map(|at| difference_as_json(compared, at)).collect::<Vec<_>>(),
        "accepted": compared.entry_count,
        "worded": places(&compared.added),
        "gone": places(&compared.removed),
        "laidOut": places(&compared.changed_markup),
        "leftOut": places(&compared.changed_unread),
        "changed": changed_entries.collect::<Vec<_>>(),
        "stale": stale_notes.collect::<Vec<_>>(),
        "restsOn": cited_unread.collect::<Vec<_>>(),
    })
}

fn difference_as_json(compared: &Compared, index: usize) -> Value {
    let difference = &compared.comparison.differences[index];
    let (mine, yours) = places(compared, difference);
    let witness = compared.witnesses.get(index).and_then(Option::as_ref);
    json!({
        "state": difference.state,
        "input": difference.input,
        "condition": difference.condition,
        "left": difference.left,
        "right": difference.right,
        "leftPlace": mine,
        "rightPlace": yours,
        "sentences": sentences(compared, difference),
        "declared": difference.notes.iter().map(|(_, reason)| reason).collect::<Vec<_>>(),
        "witness": witness.map(|Witness { input, start, gives }| json!({
            "input": input, "start": start, "gives": gives,
        })),
    })
}
