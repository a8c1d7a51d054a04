//! The small changes of a table, one by one: patterns, conditions and steps of rows, and entries of declarations. A
//! change replaces one range of the table's text.

use super::words::{Word, WordKind, words};
use std::collections::BTreeMap;
use tabulex_language::syntax::{
    AlgorithmStep, Change, Item, RowChange, Span, State, Table, TreeItem,
};

/// A change of a table.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Mutant {
    /// Name of the state, mode or declaration.
    pub(in crate::commands) place: String,
    /// Line of the change, counted from 1.
    pub(in crate::commands) line: usize,
    /// Class of the change.
    pub(in crate::commands) class: &'static str,
    /// Byte range to replace.
    pub(in crate::commands) range: (usize, usize),
    /// Replacement text.
    pub(in crate::commands) with: String,
}

impl Mutant {
    /// Returns the text of the changed table.
    pub(in crate::commands) fn apply(&self, text: &str) -> String {
        [&text[..self.range.0], &self.with, &text[self.range.1..]].concat()
    }

    /// Returns the change as text, before and after.
    pub(in crate::commands) fn description(&self, text: &str) -> String {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let head = |text: &str| flat(text.split("=>").next().unwrap_or(text));
        let was = &text[self.range.0..self.range.1];
        match self.class {
            "row removed" => format!("`{}`", head(was)),
            "rows in the other order" | "in each other's place" => {
                format!("`{}` after `{}`", head(was), head(&self.with))
            }
            _ => {
                let before = text[..self.range.0].rsplit('\n').next().unwrap_or_default();
                format!("{} [{}] => [{}]", flat(before), flat(was), flat(&self.with))
            }
        }
    }
}

/// Generates all changes of a table.
pub(in crate::commands) fn mutants(text: &str, table: &Table) -> Vec<Mutant> {
    let all = words(text);
    let mut finder = Finder { text, categories: categories(&all), out: Vec::new() };
    let mut lists = Vec::new();
    table.items.iter().for_each(|item| add_rows(item, &mut lists));
    for (place, rows) in &lists {
        for (at, row) in rows.iter().enumerate() {
            let range = (row.start as usize, row.end as usize);
            finder.add(place, "row removed", range, String::new());
            if let Some(next) = rows.get(at + 1) {
                finder.add_row_swap(place, range, (next.start as usize, next.end as usize));
            }
            let inside = all.iter().filter(|word| word.start >= range.0 && word.end <= range.1);
            finder.add_inner_changes(place, &inside.cloned().collect::<Vec<_>>());
        }
    }
    for (place, inside) in declarations(&all) {
        finder.add_inner_changes(&place, &inside);
    }
    finder.out
}

/// Returns the mutants that remove a single step of an algorithm.
pub(in crate::commands) fn removed_steps(text: &str, table: &Table) -> Vec<Mutant> {
    fn add(steps: &[AlgorithmStep], spans: &mut Vec<Span>) {
        for step in steps {
            match step {
                AlgorithmStep::Step { words, inner } => {
                    // The words of a step with inner steps are a condition, which cannot be removed alone.
                    if inner.is_empty() {
                        spans.push(words.span);
                    }
                    add(inner, spans);
                }
                AlgorithmStep::Noted { inner, .. } => add(inner, spans),
            }
        }
    }
    let mut all = Vec::new();
    for item in &table.items {
        let Item::Tree(TreeItem::Algorithm { name, steps, .. }) = item else { continue };
        let mut spans = Vec::new();
        add(steps, &mut spans);
        all.extend(spans.into_iter().map(|span| {
            let (start, end) = (span.start as usize, span.end as usize);
            // The semicolon after the words is also removed.
            let rest = text[end..].len() - text[end..].trim_start().len();
            let end = end + rest + usize::from(text[end..].trim_start().starts_with(';'));
            Mutant {
                place: format!("algorithm {}", name.value),
                line: 1 + text[..start].matches('\n').count(),
                class: "step removed",
                range: (start, end),
                with: String::new(),
            }
        }));
    }
    all
}

/// Collects the rows of each state, mode and list of elements.
fn add_rows(item: &Item, lists: &mut Vec<(String, Vec<Span>)>) {
    let of_state = |state: &State| {
        (state.name.value.clone(), state.rows.iter().map(|row| row.span).collect::<Vec<_>>())
    };
    match item {
        Item::State(state) => lists.push(of_state(state)),
        Item::Procedure { states, .. } => lists.extend(states.iter().map(of_state)),
        Item::Mode(mode) => {
            let rows = mode.rows.iter().map(|row| row.span).collect();
            lists.push((mode.name.value.clone(), rows));
        }
        Item::Tree(TreeItem::Reset { rows, .. }) => {
            lists.push(("reset".to_owned(), rows.iter().map(|row| row.span).collect()));
        }
        Item::Tree(TreeItem::Fragment { rows, .. }) => {
            lists.push(("fragment".to_owned(), rows.iter().map(|row| row.span).collect()));
        }
        Item::Extends { changes, .. } => {
            for change in changes {
                match change {
                    Change::Replace(item, _) | Change::Add(item) => add_rows(item, lists),
                    Change::Rows { state, changes } => {
                        let rows = changes.iter().filter_map(|change| match change {
                            RowChange::Replace(row) | RowChange::Add(row) => Some(row.span),
                            RowChange::Remove(_) => None,
                        });
                        lists.push((state.value.clone(), rows.collect()));
                    }
                    Change::ModeRows { mode, changes } => {
                        let rows = changes.iter().filter_map(|change| match change {
                            RowChange::Replace(row) | RowChange::Add(row) => Some(row.span),
                            RowChange::Remove(_) => None,
                        });
                        lists.push((mode.value.clone(), rows.collect()));
                    }
                    Change::Take { .. } | Change::Remove { .. } | Change::Steps { .. } => {}
                }
            }
        }
        _ => {}
    }
}

/// Keywords of declarations that are changed through their rows.
const ROW_DECLARATIONS: [&str; 7] =
    ["state", "lexical-mode", "mode", "procedure", "reset", "fragment", "extends"];
/// Keywords of declarations without an effect on behavior.
const INERT_DECLARATIONS: [&str; 4] = ["name", "document", "modes", "references"];

/// Returns the declarations without rows: their names, and the words after the name.
fn declarations<'a>(all: &[Word<'a>]) -> Vec<(String, Vec<Word<'a>>)> {
    let (mut found, mut index) = (Vec::new(), 0);
    while let Some(brace) = all.get(index) {
        index += 1;
        if brace.text == "{" {
            break;
        }
    }
    while index < all.len() {
        let (begin, mut depth) = (index, 0);
        while index < all.len() {
            let word = &all[index];
            index += 1;
            depth += i32::from(word.text == "{") - i32::from(word.text == "}");
            if depth <= 0 && (word.text == ";" || word.text == "}") {
                break;
            }
        }
        let item = &all[begin..index];
        let keyword = item[0].text;
        if item.len() < 2
            || ROW_DECLARATIONS.contains(&keyword)
            || INERT_DECLARATIONS.contains(&keyword)
        {
            continue;
        }
        // In most declarations the second word is the declared name.
        let is_named = item[1].kind == WordKind::Name
            && !matches!(keyword, "errors" | "entry" | "pointers" | "start");
        let place =
            if is_named { format!("{keyword} {}", item[1].text) } else { keyword.to_owned() };
        found.push((place, item[1 + usize::from(is_named)..].to_vec()));
    }
    found
}

/// Returns the names of each kind of declaration, in order.
fn categories(all: &[Word<'_>]) -> Vec<Vec<String>> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, word) in all.iter().enumerate() {
        let kind = match word.text {
            "state" | "lexical-mode" => "state",
            "mode" | "class" | "steps" | "names" | "scope" | "lexeme" | "adjust" | "doctypes"
            | "tokenizer" => word.text,
            "condition" | "action" | "errors" | "pointers" | "flag" => word.text,
            _ => continue,
        };
        let is_first = at == 0 || matches!(all[at - 1].text, ";" | "}" | "{" | "tree");
        let Some(next) = all.get(at + 1).filter(|next| is_first && next.kind == WordKind::Name)
        else {
            continue;
        };
        match kind {
            "errors" | "pointers" => {
                let list =
                    all[at + 1..].iter().take_while(|word| word.text != ";" && word.text != "by");
                let names = list
                    .filter(|word| word.kind == WordKind::Name)
                    .map(|word| word.text.to_owned());
                kinds.entry(kind.to_owned()).or_default().extend(names);
            }
            "flag" => {
                let list =
                    all[at + 2..].iter().take_while(|word| word.text != ";" && word.text != "by");
                let names = list
                    .filter(|word| word.kind == WordKind::Name)
                    .map(|word| word.text.to_owned());
                // Each flag has its own values.
                kinds.insert(format!("flag {}", next.text), names.collect());
            }
            _ => kinds.entry(kind.to_owned()).or_default().push(next.text.to_owned()),
        }
    }
    kinds.into_values().collect()
}

/// Returns the names in a row's patterns; tag names with their kind.
fn pattern_names(row: &[Word<'_>]) -> Vec<(String, String)> {
    let mut kind = String::new();
    let mut names = Vec::new();
    for word in row.iter().take_while(|word| !matches!(word.text, "=>" | "when" | "(")) {
        match word.text {
            "|" => {}
            "start" | "end" | "empty" | "character" | "string" => word.text.clone_into(&mut kind),
            name => names.push((kind.clone(), name.to_owned())),
        }
    }
    names
}

/// Words that can replace each other.
const PAIRS: [(&str, &str); 12] = [
    ("switch", "reconsume"),
    ("reconsume", "switch"),
    ("lower", "current"),
    ("start-tag", "end-tag"),
    ("end-tag", "start-tag"),
    ("insert-element", "append-element"),
    ("start", "end"),
    ("end", "start"),
    ("pop", "ignore"),
    ("ignore", "reprocess"),
    ("reprocess", "ignore"),
    ("set", "not set"),
];

struct Finder<'a> {
    text: &'a str,
    categories: Vec<Vec<String>>,
    out: Vec<Mutant>,
}

impl Finder<'_> {
    fn add(&mut self, place: &str, class: &'static str, range: (usize, usize), with: String) {
        let line = self.text[..range.0].matches('\n').count() + 1;
        self.out.push(Mutant { place: place.to_owned(), line, class, range, with });
    }

    /// Adds a swap of two rows that have a name in common.
    fn add_row_swap(&mut self, place: &str, first: (usize, usize), second: (usize, usize)) {
        let [one, other] = [first, second].map(|range| words(&self.text[range.0..range.1]));
        let (one, other) = (pattern_names(&one), pattern_names(&other));
        if one.iter().any(|name| other.contains(name)) {
            let between = &self.text[first.1..second.0];
            let with =
                [&self.text[second.0..second.1], between, &self.text[first.0..first.1]].concat();
            self.add(place, "rows in the other order", (first.0, second.1), with);
        }
    }

    /// Adds the changes within a row or a declaration.
    fn add_inner_changes(&mut self, place: &str, words: &[Word<'_>]) {
        for (index, word) in words.iter().enumerate() {
            let before = |count: usize| index.checked_sub(count).map(|index| words[index].text);
            // Section numbers and anchors are covered by another test.
            let is_place = before(1) == Some("@")
                || before(2) == Some("@") && matches!(word.kind, WordKind::String);
            if is_place || matches!(before(1), Some("fills" | "deviates")) {
                continue;
            }
            self.add_entry_removal(place, words, index);
            self.add_step_removal(place, words, index);
            self.add_condition_change(place, words, index);
            let range = (word.start, word.end);
            match word.kind {
                WordKind::Character | WordKind::String | WordKind::Number => {
                    self.add(place, "literal", range, word.other_literal());
                }
                WordKind::Name => self.add_renaming(place, word),
                WordKind::Sign => {}
            }
        }
    }

    /// Adds a replacement by another name of the kind, or by another word.
    fn add_renaming(&mut self, place: &str, word: &Word<'_>) {
        let range = (word.start, word.end);
        let found = self.categories.iter().find_map(|names| {
            let index = names.iter().position(|name| name == word.text)?;
            Some(names[(index + 1) % names.len()].clone()).filter(|other| other != word.text)
        });
        if let Some(other) = found {
            return self.add(place, "name", range, other);
        }
        if let Some((_, other)) = PAIRS.iter().find(|(name, _)| *name == word.text) {
            self.add(place, "word", range, (*other).to_owned());
        }
    }

    /// Adds the removal of the list entry at this index.
    fn add_entry_removal(&mut self, place: &str, words: &[Word<'_>], index: usize) {
        let is_separator = |word: &Word<'_>| matches!(word.text, "|" | ",");
        let ends = |word: &Word<'_>| {
            matches!(
                word.text,
                "|" | ","
                    | "=>"
                    | ";"
                    | "when"
                    | "except"
                    | "fills"
                    | "deviates"
                    | "by"
                    | "beside"
                    | "("
                    | ")"
            )
        };
        let Some(begin) = words.get(index) else { return };
        let is_begin =
            index == 0 || is_separator(&words[index - 1]) || words[index - 1].text == "=";
        if !is_begin || is_separator(begin) {
            return;
        }
        let Some(length) = words[index..].iter().position(ends) else { return };
        let end = index + length;
        if length == 0 {
            return;
        }
        if index > 0 && is_separator(&words[index - 1]) {
            self.add(
                place,
                "entry removed",
                (words[index - 1].start, words[end - 1].end),
                String::new(),
            );
        } else if is_separator(&words[end]) {
            // The next entry may take its kind from this one.
            let kinds = ["start", "end", "empty", "character", "string"];
            let is_kept = length > 1
                && kinds.contains(&begin.text)
                && words.get(end + 1).is_some_and(|next| next.kind != WordKind::Name);
            let from = if is_kept { words[index + 1].start } else { begin.start };
            if let Some(next) = words.get(end + 1) {
                self.add(place, "entry removed", (from, next.start), String::new());
            }
        }
    }

    /// Adds the removal of the step at this index.
    fn add_step_removal(&mut self, place: &str, words: &[Word<'_>], index: usize) {
        let is_begin = index > 0 && matches!(words[index - 1].text, "=>" | ";" | "{" | "}");
        if !is_begin
            || matches!(words[index].text, "when" | "otherwise" | "fills" | "deviates" | "}" | ";")
        {
            return;
        }
        // Patterns precede an arrow; the start of a block is not a step.
        let end =
            words[index..].iter().position(|word| matches!(word.text, ";" | "{" | "}" | "=>"));
        // `ignore` has no effect, so its removal would change nothing.
        if words[index].text == "ignore" {
            return;
        }
        if let Some(end) = end.filter(|end| words[index + end].text == ";") {
            self.add(
                place,
                "step removed",
                (words[index].start, words[index + end].end),
                String::new(),
            );
        }
    }

    /// Adds the negation or removal of the condition at this index, or a change of its operator.
    fn add_condition_change(&mut self, place: &str, words: &[Word<'_>], index: usize) {
        let word = &words[index];
        let is_join = matches!(word.text, "and" | "or");
        if word.text == "not" {
            let end = words.get(index + 1).map_or(word.end, |next| next.start);
            self.add(place, "condition turned", (word.start, end), String::new());
        }
        if word.text != "when" && !is_join {
            return;
        }
        if words.get(index + 1).is_some_and(|next| next.text != "not") {
            self.add(place, "condition turned", (word.end, word.end), " not".to_owned());
        }
        if is_join {
            let other = if word.text == "and" { "or" } else { "and" };
            self.add(place, "condition joined", (word.start, word.end), other.to_owned());
        }
        let ends = |word: &Word<'_>| {
            matches!(word.text, "and" | "or" | "{" | "=>" | ";" | "fills" | "deviates")
        };
        let Some(length) = words[index + 1..].iter().position(ends) else { return };
        let end = index + 1 + length;
        if is_join {
            self.add(place, "condition removed", (word.start, words[end - 1].end), String::new());
        } else if matches!(words[end].text, "and" | "or") {
            self.add(
                place,
                "condition removed",
                (words[index + 1].start, words[end].end),
                String::new(),
            );
        } else if words[end].text == "=>" {
            self.add(place, "condition removed", (word.start, words[end].start), String::new());
        }
    }
}
