//! Formats comparisons as text and as JSON. The text groups differences by cause: each changed declaration that is not
//! accepted comes with its sentence, an input that shows it, and the number of the differences that follow from it.

use super::comparison::{Compared, Side, used_declarations};
use super::inputs::Witness;
use super::project::Project;
use super::proposals::{proposals, words};
use crate::paint::strong;
use crate::{Failure, truncate};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use tabulex_documents::compare::accepted::ChangedEntry;
use tabulex_documents::compare::{Comparison, Difference};
use tabulex_documents::document::disagreements;
use tabulex_documents::document::facts::Facts;
use tabulex_documents::document::wording::HashedSentence;
use tabulex_language::counted;
use tabulex_language::syntax::{Item, Section, Span};

/// Maximum number of differences shown; the remaining ones are counted.
const MAX_DIFFERENCES: usize = 5;

/// Maximum number of result lines shown for an input.
const MAX_LINES: usize = 4;

/// Maximum number of sentences shown for a row.
const MAX_SENTENCES: usize = 2;

/// Maximum number of characters shown of a sentence or an effect.
const MAX_CHARACTERS: usize = 160;

/// Formats comparisons as text. With `all`, also shows declared differences, and shortens no list.
pub(super) fn text(project: &Project, comparisons: &[Compared], all: bool) -> String {
    let (mut out, mut sections_before) = (String::new(), String::new());
    let (accepted, others): (Vec<&Compared>, Vec<&Compared>) =
        comparisons.iter().partition(|one| one.left.facts.is_none() && one.is_clean());
    for compared in others {
        out += &comparison(project, compared, all, &mut sections_before);
    }
    if !accepted.is_empty() {
        let count =
            |one: &&Compared| format!("{} ({})", one.right.name, counted(one.entry_count, "entry"));
        let _ = writeln!(
            out,
            "as accepted: {}",
            accepted.iter().map(count).collect::<Vec<_>>().join(", ")
        );
    }
    let outdated = comparisons.iter().filter(|one| one.facts_differ);
    let outdated: Vec<&str> = outdated.map(|one| &one.right.name[..]).collect();
    if !outdated.is_empty() {
        let _ = writeln!(
            out,
            "{}: the committed facts differ from those read from the text: {}; `--write` updates them",
            strong("facts"),
            outdated.join(", "),
        );
    }
    out
}

/// Formats a comparison. Lists the sections that are not read unless `sections_before`, which it updates, is that list.
fn comparison(
    project: &Project,
    compared: &Compared,
    all: bool,
    sections_before: &mut String,
) -> String {
    let Compared { left, right, comparison, .. } = compared;
    let entries = match (compared.entry_count, compared.changed_entries.len()) {
        (0, 0) => None,
        (count, 0) => Some(format!("{} as accepted", counted(count, "entry"))),
        (count, _) if compared.is_first() => {
            Some(format!("{} for `--accept` to record", counted(count, "entry")))
        }
        (_, count) => Some(format!("{} not as accepted", counted(count, "entry"))),
    };
    let mut out = right.name.clone();
    match &left.facts {
        None => {
            let _ = writeln!(out, ": {}", entries.as_deref().unwrap_or("nothing to compare"));
        }
        Some(facts) => {
            out += " against its document\n";
            out += &reading_summary(compared, facts, all, sections_before);
            let stale = Some(comparison.stale.len()).filter(|count| *count > 0);
            let stale = stale.map(|count| counted(count, "stale declaration"));
            let parts = difference_counts(comparison).into_iter().chain(stale).chain(entries);
            let _ = writeln!(out, "  {}", parts.collect::<Vec<_>>().join("; "));
        }
    }
    let groups = Groups::new(compared, all);
    out += &differences(compared, &groups, all);
    for (state, span, reason) in &comparison.stale {
        let _ =
            writeln!(out, "  {}: {state}, {}: {reason}", strong("stale"), location(right, *span));
    }
    for (span, number) in &compared.cited_unread {
        let place = location(right, *span);
        let _ = writeln!(out, "  {}: {place}: section {number} is not read", strong("note"));
    }
    // A sentence in the place of a removed one is reworded. Those of a shown difference and unread ones are listed there.
    let shown = groups
        .independent
        .iter()
        .flat_map(|&at| sentence_hashes(compared, &comparison.differences[at]));
    let unread = left.facts.iter().flat_map(|facts| facts.unread.iter().map(|one| one.hash));
    let listed: BTreeSet<u32> = shown.chain(unread).collect();
    let is_at = |one: &HashedSentence, other: &HashedSentence| {
        (&one.place, one.line) == (&other.place, other.line)
    };
    let is_reworded =
        |one: &&HashedSentence| compared.removed.iter().any(|other| is_at(one, other));
    let is_replaced = |one: &&HashedSentence| compared.added.iter().any(|new| is_at(one, new));
    let unlisted = compared.added.iter().filter(|one| !listed.contains(&one.hash));
    let (reworded, new): (Vec<_>, Vec<_>) = unlisted.partition(is_reworded);
    let removed = compared.removed.iter().filter(|one| !is_replaced(one)).collect();
    for (word, places) in [
        ("reworded", reworded),
        ("new", new),
        ("removed", removed),
        ("markup changed", compared.changed_markup.iter().collect()),
        ("reworded, and not read", compared.changed_unread.iter().collect()),
    ] {
        out += &sentence_list(compared, word, &places, all);
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
        let rows: String = proposals(project, compared, &groups.independent)
            .iter()
            .map(|row| format!("    {row}\n"))
            .collect();
        if !rows.is_empty() {
            let _ = write!(out, "  as the document has it; each line passes `check`:\n{rows}");
        }
    }
    out
}

/// Formats the changes between two texts of a document. With `all`, also lists the sentences that were reworded without
/// a change of facts.
pub(super) fn changes(compared: &Compared, all: bool) -> String {
    let Compared { left, right, comparison, added, .. } = compared;
    let mut out = format!("{} to {}\n", left.name, right.name);
    for side in [left, right] {
        for unread in side.facts.iter().flat_map(|facts| &facts.unread) {
            let _ = writeln!(out, "  unread in {}: {unread}", side.name);
        }
    }
    let count = comparison.differences.len();
    out.extend((0..count).map(|at| format_difference(compared, at)));
    let new_places = comparison.differences.iter().filter(|one| one.right.is_some());
    let new_sentences = new_places
        .filter_map(|one| Some(right.facts.as_ref()?.sentences(one.span?)))
        .flatten()
        .collect::<BTreeSet<u32>>();
    let reworded: Vec<&HashedSentence> =
        added.iter().filter(|one| !new_sentences.contains(&one.hash)).collect();
    if all {
        out += &sentence_list(compared, "reworded", &reworded, true);
    }
    if !comparison.not_compared.is_empty() {
        let rows = counted(comparison.not_compared.len(), "row");
        let _ = writeln!(out, "  not compared: {rows} with an unread sentence");
    }
    let hint = if all || reworded.is_empty() { "" } else { " (listed by `--all`)" };
    let reworded = counted(reworded.len(), "reworded sentence");
    let count = counted(count, "change");
    let _ = writeln!(out, "  {count}; {reworded} without a change of facts{hint}\n");
    out
}

/// Returns the numbers of the document's rows and steps, and of all other differences, each with the parts that add up
/// to it.
fn difference_counts(comparison: &Comparison) -> Vec<String> {
    let (undeclared, declared): (Vec<&Difference>, Vec<&Difference>) =
        comparison.differences.iter().partition(|one| one.notes.is_empty());
    let groups = [undeclared, declared, comparison.not_compared.iter().collect()];
    let mut counted_rows = BTreeSet::new();
    let mut new_rows = |all: &Vec<&Difference>| {
        all.iter().filter_map(|one| one.left_row).filter(|row| counted_rows.insert(*row)).count()
    };
    let rows = groups.each_ref().map(&mut new_rows);
    let steps = groups
        .each_ref()
        .map(|all| all.iter().map(|difference| difference.left_steps).sum::<usize>());
    let is_other = |one: &&&Difference| one.left_row.is_none() && one.left_steps == 0;
    let others = groups.each_ref().map(|all| all.iter().filter(is_other).count());
    let in_absent_states = comparison.rows - comparison.equal - rows.iter().sum::<usize>();
    let text = |subject: String, equal: Option<usize>, parts: [usize; 3], absent: usize| {
        let words = ["undeclared", "declared", "not compared"].into_iter().zip(parts);
        let parts = words.chain([("in absent states", absent)]).filter(|(_, count)| *count > 0);
        let parts = equal.map(|count| ("equal", count)).into_iter().chain(parts);
        let parts: Vec<String> = parts.map(|(word, count)| format!("{count} {word}")).collect();
        format!("{subject}: {}", parts.join(", "))
    };
    let mut counts =
        vec![text(counted(comparison.rows, "row"), Some(comparison.equal), rows, in_absent_states)];
    if comparison.steps > 0 {
        let subject = format!("{} of algorithms", counted(comparison.steps, "step"));
        counts.push(text(subject, Some(comparison.equal_steps), steps, 0));
    }
    let other_count: usize = others.iter().sum();
    if other_count > 0 {
        counts.push(text(counted(other_count, "other difference"), None, others, 0));
    }
    counts
}

/// Formats how much of the document was read: counts, sections not read, unread sentences, stale errata.
fn reading_summary(
    compared: &Compared,
    facts: &Facts,
    all: bool,
    sections_before: &mut String,
) -> String {
    // The numbers of rows and algorithms come first; they are in the counts of the comparison.
    let parts = facts.summary.split(", ").skip_while(|part| !part.contains(" sentence"));
    let mut out = format!("  read: {}\n", parts.collect::<Vec<_>>().join(", "));
    if compared.document.is_none() {
        let _ = writeln!(
            out,
            "  text not found: these are the facts of the text with the hash {}",
            facts.digest
        );
    }
    let sections = sections(&facts.left_out);
    if !sections.is_empty() && sections != *sections_before {
        let _ = writeln!(out, "  sections not read: {sections}");
        *sections_before = sections;
    }
    out += &sentence_list(compared, "unread", &facts.unread.iter().collect::<Vec<_>>(), true);
    for name in &facts.missing_classes {
        let _ = writeln!(
            out,
            "  {}: class `{name}`, which a sentence uses; add `granted: class {name} = …;` to the profile",
            strong("not granted")
        );
    }
    let not_compared = compared.comparison.not_compared.iter().map(name_of);
    let not_compared: BTreeSet<String> = not_compared.collect();
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    for name in not_compared.iter().take(max_shown) {
        let _ = writeln!(
            out,
            "  {}: {}: a sentence is unread, so the requirements are not known",
            strong("not compared"),
            truncate(name, MAX_CHARACTERS)
        );
    }
    out += &more(not_compared.len(), max_shown, "row");
    for erratum in &facts.stale_errata {
        let _ = writeln!(out, "  {}: {erratum}", strong("stale"));
    }
    out
}

/// Returns a line with the number of things that are not shown, or nothing if all are.
fn more(count: usize, shown: usize, noun: &str) -> String {
    match count.saturating_sub(shown) {
        0 => String::new(),
        count => format!("  and {} (shown by `--all`)\n", counted(count, &format!("more {noun}"))),
    }
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

/// A changed declaration, and what follows from it.
struct Cause<'c> {
    entry: &'c ChangedEntry,
    /// Indices of the differences of the declaration itself.
    own: Vec<usize>,
    /// Indices of the differences of rows that follow, those with the shortest inputs first.
    consequences: Vec<usize>,
}

/// The undeclared differences and unaccepted entries, grouped by cause.
struct Groups<'c> {
    causes: Vec<Cause<'c>>,
    /// Indices of the differences that follow from no other: those of causes, and those without a cause.
    independent: Vec<usize>,
    /// Entries that are neither a cause nor follow from a shown difference.
    entries: Vec<&'c ChangedEntry>,
    /// Number of the entries that follow from shown differences.
    folded: usize,
}

impl<'c> Groups<'c> {
    /// Groups what a comparison has to report; with `all`, everything is independent.
    fn new(compared: &'c Compared, all: bool) -> Self {
        let differences = &compared.comparison.differences;
        let is_undeclared = |at: &usize| differences[*at].notes.is_empty();
        let mut remaining: Vec<usize> = (0..differences.len()).filter(is_undeclared).collect();
        let mut entries: Vec<&ChangedEntry> = match compared.is_first() && !all {
            true => Vec::new(),
            false => compared.changed_entries.iter().collect(),
        };
        let entry_count = entries.len();
        let (mut causes, mut independent) = (Vec::new(), Vec::new());
        let candidates: Vec<&ChangedEntry> =
            entries.iter().copied().filter(|one| !all && !is_about_rows(&one.key)).collect();
        for &entry in &candidates {
            let lost_and_gained = lost_and_gained_words(entry).concat();
            let is_about = |text: &str| lost_and_gained.iter().any(|word| mentions(text, word));
            let name = entry.key.rsplit(' ').next().unwrap_or_default();
            let is_own = |at: &usize| {
                differences[*at].state.is_empty() && differences[*at].input == entry.key
            };
            let is_consequence = |at: &usize| {
                let one = &differences[*at];
                let row_text = one.span.map_or("", |span| compared.right.text(span));
                let texts = [Some(&one.input), one.left.as_ref(), one.right.as_ref()];
                // A declaration follows from another one only if it is as accepted itself.
                !candidates.iter().any(|entry| one.state.is_empty() && entry.key == one.input)
                    && (texts.into_iter().flatten().any(|text| is_about(text))
                        || has_word(row_text, name))
            };
            let (own, others): (Vec<usize>, Vec<usize>) = remaining.into_iter().partition(is_own);
            let (mut consequences, others): (Vec<usize>, Vec<usize>) =
                others.into_iter().partition(is_consequence);
            remaining = others;
            if own.is_empty() && consequences.is_empty() {
                continue;
            }
            let rank = |at: &usize| match compared.witnesses.get(*at) {
                Some(Some(witness)) => (false, witness.input.chars().count()),
                _ => (differences[*at].state.is_empty(), usize::MAX),
            };
            consequences.sort_by_key(rank);
            entries.retain(|one| {
                let lines = one.before.iter().chain(&one.now);
                let is_about_words = || lines.chain([&one.key]).any(|line| is_about(line));
                // Any cause is assumed to account for all changed details of rows.
                let follows = one.key.starts_with("details of ")
                    || is_about_rows(&one.key) && is_about_words();
                !std::ptr::eq(*one, entry) && !follows
            });
            independent.extend(&own);
            causes.push(Cause { entry, own, consequences });
        }
        // The entry of a row with an undeclared difference says nothing more.
        let is_of_difference = |one: &ChangedEntry| {
            is_about_rows(&one.key)
                && one.span.is_some()
                && remaining.iter().any(|&at| differences[at].span == one.span)
        };
        entries.retain(|one| all || !is_of_difference(one));
        independent.extend(remaining);
        let folded = entry_count - entries.len();
        Self { causes, independent, entries, folded }
    }
}

/// Formats the causes with what follows from them, then the other differences and unaccepted entries.
fn differences(compared: &Compared, groups: &Groups<'_>, all: bool) -> String {
    let mut out = String::new();
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    for Cause { entry, own, consequences } in &groups.causes {
        let mut shown = 0;
        let _ = write!(out, "  {}: {}", strong("cause"), entry.key);
        if own.is_empty() {
            let place = entry.span.map(|span| format!(", {}", location(&compared.right, span)));
            out += &place.unwrap_or_default();
            for (verb, words) in ["without", "with"].into_iter().zip(lost_and_gained_words(entry)) {
                if !words.is_empty() {
                    let _ = write!(out, ", {verb} {}", list_words(words.iter()));
                }
            }
            out.push('\n');
            for &at in consequences.iter().take(1) {
                out += &format_difference(compared, at);
                shown = 1;
            }
        } else {
            out += &section(compared, &compared.comparison.differences[own[0]]);
            out.push('\n');
            for &at in own.iter().take(MAX_DIFFERENCES) {
                out += &difference_body(compared, at);
            }
            out += &more(own.len(), MAX_DIFFERENCES, "difference");
            for &at in consequences.iter().take(1) {
                out += &input_lines(compared, at);
            }
        }
        if consequences.len() > shown {
            let _ = writeln!(
                out,
                "    and {} in {} (shown by `--all`)",
                counted(consequences.len() - shown, "consequence"),
                blocks_with_sections(compared, &consequences[shown..])
            );
        }
    }
    let of_causes: usize = groups.causes.iter().map(|cause| cause.own.len()).sum();
    let others = &groups.independent[of_causes..];
    for &at in others.iter().take(max_shown) {
        out += &format_difference(compared, at);
    }
    if others.len() > max_shown {
        let more = &others[max_shown..];
        let _ = writeln!(
            out,
            "  and {} in {} (shown by `--all`)",
            counted(more.len(), "more difference"),
            blocks_with_sections(compared, more)
        );
    }
    for changed in groups.entries.iter().take(max_shown) {
        out += &unaccepted_entry(&compared.right, changed, all);
    }
    out += &more(groups.entries.len(), max_shown, "entry");
    if groups.folded > 0 {
        let entries = counted(groups.folded, "entry");
        let _ =
            writeln!(out, "  not as accepted with these differences: {entries} (shown by `--all`)");
    }
    out
}

/// Whether the entry with this key is about rows, so that a changed declaration may be its cause.
fn is_about_rows(key: &str) -> bool {
    let prefixes = ["details of ", "fills ", "deviates ", "state ", "mode ", "order ", "notes"];
    prefixes.iter().any(|prefix| key.starts_with(prefix))
}

fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|one| one == word)
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
    let text = words
        .take(MAX_WORDS)
        .map(|word| truncate(word, MAX_CHARACTERS))
        .collect::<Vec<_>>()
        .join(" | ");
    if more == 0 { text } else { format!("{text} and {more} more") }
}

/// Lists the states and modes of differences, with section numbers.
fn blocks_with_sections(compared: &Compared, all: &[usize]) -> String {
    let block = |at: &usize| {
        let one = &compared.comparison.differences[*at];
        let name = if one.state.is_empty() { &one.input } else { &one.state };
        name.clone() + &section(compared, one)
    };
    list_words(all.iter().map(block).collect::<BTreeSet<_>>().iter())
}

/// Returns the section number of a difference in parentheses after a space: that of its state or mode, or else that of
/// the document's declaration; empty if there is none.
fn section(compared: &Compared, difference: &Difference) -> String {
    let name = &difference.state;
    let section_of = |item: &Item| -> Option<Section> {
        if item.kind == "mode" && item.name.value == *name {
            return item.section.clone();
        }
        item.states().iter().find(|state| state.name.value == *name)?.section.clone()
    };
    let items = compared.right.table.items.iter().chain(&compared.left.table.items);
    let of_block = items.filter_map(section_of).next().map(|section| section.number);
    let of_declaration = || {
        let heading = compared.left.facts.as_ref()?.heading(difference.left_place?)?;
        let number = heading.split(' ').next()?;
        number.starts_with(|one: char| one.is_ascii_digit()).then(|| number.to_owned())
    };
    let number = of_block.or_else(|| of_declaration().filter(|_| name.is_empty()));
    number.map_or(String::new(), |number| format!(" ({number})"))
}

/// Lists sentences or sections with their lines, and with their text if the document was read.
fn sentence_list(compared: &Compared, word: &str, places: &[&HashedSentence], all: bool) -> String {
    let max_shown = if all { usize::MAX } else { MAX_DIFFERENCES };
    let mut out = String::new();
    for sentence in places.iter().take(max_shown) {
        let words = compared.sentences.get(&sentence.hash);
        let words = words.map(|words| {
            let mistakes = if word == "unread" { disagreements(words) } else { Vec::new() };
            let mistakes: String = mistakes.iter().map(|one| format!(", but {one}")).collect();
            format!(": “{}”{mistakes}", truncate(words, MAX_CHARACTERS))
        });
        let _ = writeln!(out, "  {}: {sentence}{}", strong(word), words.unwrap_or_default());
    }
    out + &more(places.len(), max_shown, &format!("{word} sentence"))
}

/// Formats an entry that differs from its accepted form.
fn unaccepted_entry(right: &Side, changed: &ChangedEntry, all: bool) -> String {
    let ChangedEntry { key, before, now, span } = changed;
    let place = span.map_or(String::new(), |span| format!(", {}", location(right, span)));
    let mut out =
        format!("  {}: {}{place}\n", strong("not as accepted"), truncate(key, MAX_CHARACTERS));
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
            let max_characters = if all { usize::MAX } else { MAX_CHARACTERS };
            let _ = writeln!(out, "    {word:<10} {}", truncate(line, max_characters));
        }
        if lines.len() > max_shown {
            let _ = writeln!(out, "    {word:<10} and {} more", lines.len() - max_shown);
        }
    }
    out
}

/// Returns the name of a difference: its state or mode, and its input.
fn name_of(difference: &Difference) -> String {
    let parts = [&difference.state[..], &difference.input[..]];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

/// Formats a difference with both positions, the document's sentences and the shortest input that shows it.
fn format_difference(compared: &Compared, index: usize) -> String {
    let difference = &compared.comparison.differences[index];
    let word =
        if difference.notes.is_empty() { strong("different") } else { "declared".to_owned() };
    let name = truncate(&name_of(difference), MAX_CHARACTERS);
    let mut out = format!("  {word}: {name}{}\n", section(compared, difference));
    if !difference.condition.is_empty() {
        let _ = writeln!(out, "    where      {}", truncate(&difference.condition, MAX_CHARACTERS));
    }
    out + &difference_body(compared, index) + &input_lines(compared, index)
}

/// Formats both sides of a difference, with their positions and the document's sentences, and the notes that declare it.
fn difference_body(compared: &Compared, index: usize) -> String {
    let difference = &compared.comparison.differences[index];
    let (mine, yours) = places(compared, difference);
    let text_of = |text: &Option<String>| {
        text.as_deref().map_or("nothing".to_owned(), |text| truncate(text, MAX_CHARACTERS))
    };
    let mut out = format!("    {mine:<10} {}\n", text_of(&difference.left));
    let sentences = sentences(compared, difference);
    for sentence in sentences.iter().take(MAX_SENTENCES) {
        let _ = writeln!(out, "      “{}”", excerpt(sentence, difference));
    }
    if sentences.len() > MAX_SENTENCES {
        let _ = writeln!(out, "      sentences not shown: {}", sentences.len() - MAX_SENTENCES);
    }
    let _ = writeln!(out, "    {yours:<10} {}", text_of(&difference.right));
    if difference.left.is_none() && compared.right.facts.is_none() {
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
        let _ = writeln!(out, "    {:<10} {reason}", kind.keyword());
    }
    out
}

/// Formats the shortest input that shows a difference, if one was found, with the results of both sides.
fn input_lines(compared: &Compared, index: usize) -> String {
    let Some(Some(Witness { input, start, gives })) = compared.witnesses.get(index) else {
        return String::new();
    };
    let mut out = format!("    input      {input:?}{start}\n");
    for line in gives.iter().filter(|line| !line.starts_with(' ')).take(MAX_LINES) {
        let _ = writeln!(out, "      {}", truncate(line, MAX_CHARACTERS));
    }
    out
}

/// Shortens a sentence, to the words around the first name of a list in which only the document has it.
fn excerpt(sentence: &str, difference: &Difference) -> String {
    let name = difference.left.as_ref().filter(|_| difference.state.is_empty());
    let name = name.and_then(|text| text.split(" | ").next()).map(|name| name.trim_matches('"'));
    let offset = name.and_then(|name| sentence.find(&format!(" {name} "))).unwrap_or_default();
    let before = sentence[..offset].char_indices().rev().nth(MAX_CHARACTERS / 2);
    match before {
        Some((start, _)) => format!("…{}", truncate(&sentence[start..], MAX_CHARACTERS)),
        None => truncate(sentence, MAX_CHARACTERS),
    }
}

/// Returns the sentences from which the document's row was read; empty if the document was not read.
fn sentences<'c>(compared: &'c Compared, one: &Difference) -> Vec<&'c str> {
    let hashes = sentence_hashes(compared, one);
    hashes.iter().filter_map(|hash| Some(&compared.sentences.get(hash)?[..])).collect()
}

/// Returns the hashes of the sentences from which the document's row was read, new ones first.
fn sentence_hashes(compared: &Compared, one: &Difference) -> Vec<u32> {
    let sentences = |facts: &Facts| one.left_place.map(|place| facts.sentences(place));
    let mut hashes = compared.left.facts.as_ref().and_then(sentences).unwrap_or_default();
    hashes.sort_by_key(|hash| !compared.added.iter().any(|added| added.hash == *hash));
    hashes
}

fn places(compared: &Compared, difference: &Difference) -> (String, String) {
    let place = |side: &Side, noun: &str, span: Option<Span>| {
        // Only one of several texts of a document has both a name and facts.
        let name = Some(&side.name[..]).filter(|name| side.facts.is_some() && !name.is_empty());
        let name = name.unwrap_or(noun).to_owned();
        let Some(span) = span else { return name };
        match side.facts.as_ref().and_then(|facts| facts.document_line(span)) {
            Some(line) => format!("{name}, line {line}"),
            None => location(side, span),
        }
    };
    let Compared { left, right, .. } = compared;
    (place(left, "document", difference.left_place), place(right, "table", difference.span))
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
