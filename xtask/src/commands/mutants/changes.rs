//! Generates all small changes of a table: to patterns, conditions and steps of rows, and to entries of declarations.
//! Each change replaces one range of the table's text.

use std::collections::BTreeMap;
use tabulex_language::parse::lexer::{LexicalKind, Token, code};
use tabulex_language::syntax::{
    Change, Item, ItemBody, ParsedRow, ParsedState, RowChange, Span, Table,
};

/// A small change of a table, which a test should detect.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Mutant {
    /// Name of the changed state, mode or declaration.
    pub(in crate::commands) place: String,
    /// Line of the change, counted from 1.
    pub(in crate::commands) line: usize,
    /// Description of the kind of change, such as "row removed".
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

    /// Describes the change in one line, by the replaced text and its replacement.
    pub(in crate::commands) fn description(&self, text: &str) -> String {
        let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let head = |text: &str| on_one_line(text.split("=>").next().unwrap_or(text));
        let replaced = &text[self.range.0..self.range.1];
        match self.class {
            "row removed" => format!("`{}`", head(replaced)),
            "rows in the other order" | "in each other's place" => {
                format!("`{}` after `{}`", head(replaced), head(&self.with))
            }
            _ => {
                let before = text[..self.range.0].rsplit('\n').next().unwrap_or_default();
                format!(
                    "{} [{}] => [{}]",
                    on_one_line(before),
                    on_one_line(replaced),
                    on_one_line(&self.with)
                )
            }
        }
    }
}

/// Whether the token is a text in double quotes.
pub(in crate::commands) fn is_string(token: &Token<'_>) -> bool {
    token.text.starts_with('"')
}

/// Returns another literal or number of the same kind, or the unchanged text of any other token.
pub(in crate::commands) fn other_literal(token: &Token<'_>) -> String {
    let mut inner = token.text.chars().skip(1);
    match (token.kind, inner.next(), inner.next()) {
        (LexicalKind::Literal, ..) if is_string(token) => match token.text.len() {
            2 => "\"q\"".to_owned(),
            length => format!("{}q\"", &token.text[..length - 1]),
        },
        (LexicalKind::Literal, Some(letter), Some('\'')) if letter.is_ascii_alphabetic() => {
            let replacement = match letter {
                'z' => 'y',
                'Z' => 'Y',
                other => char::from(other as u8 + 1),
            };
            format!("'{replacement}'")
        }
        (LexicalKind::Literal, ..) if token.text == "'~'" => "'#'".to_owned(),
        (LexicalKind::Literal, ..) => "'~'".to_owned(),
        (LexicalKind::Number, ..) => {
            let value = match token.text.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => token.text.parse(),
            };
            format!("0x{:X}", value.unwrap_or_default().wrapping_add(1))
        }
        (LexicalKind::Comment | LexicalKind::Word | LexicalKind::Mark, ..) => token.text.to_owned(),
    }
}

/// Generates all changes of a table.
pub(in crate::commands) fn mutants(text: &str, table: &Table) -> Vec<Mutant> {
    let tokens = code(text);
    let mut collector = MutantCollector { text, categories: categories(&tokens), out: Vec::new() };
    for (place, rows) in row_lists(table) {
        for (at, &range) in rows.iter().enumerate() {
            collector.add(&place, "row removed", range, String::new());
            if let Some(&next) = rows.get(at + 1) {
                let [one, other] =
                    [range, next].map(|(from, to)| pattern_names(&code(&text[from..to])));
                if one.iter().any(|name| other.contains(name)) {
                    collector.add_row_swap(&place, range, next);
                }
            }
            let row_tokens =
                tokens.iter().filter(|word| word.start >= range.0 && word.end() <= range.1);
            collector.add_inner_changes(&place, &row_tokens.copied().collect::<Vec<_>>());
        }
    }
    for item in items(&tokens, table) {
        let keyword = item[0].text;
        if item.len() < 2
            || ROW_DECLARATIONS.contains(&keyword)
            || INERT_DECLARATIONS.contains(&keyword)
        {
            continue;
        }
        // The second word is usually the declared name, which is not changed.
        let has_name = item[1].kind == LexicalKind::Word
            && !matches!(keyword, "errors" | "entry" | "pointers" | "start");
        let place =
            if has_name { format!("{keyword} {}", item[1].text) } else { keyword.to_owned() };
        collector.add_inner_changes(&place, &item[1 + usize::from(has_name)..]);
    }
    collector.out
}

/// Splits the tokens of a text by declaration.
pub(in crate::commands) fn items<'a>(tokens: &[Token<'a>], table: &Table) -> Vec<Vec<Token<'a>>> {
    let mut remaining_tokens = tokens.iter().peekable();
    let tokens_of = |item: &Item| {
        let range = item.span.range();
        while remaining_tokens.next_if(|word| word.start < range.start).is_some() {}
        std::iter::from_fn(|| remaining_tokens.next_if(|word| word.start < range.end))
            .copied()
            .collect()
    };
    table.items.iter().map(tokens_of).collect()
}

/// Start and end of a byte range.
type Range = (usize, usize);

/// Returns the name and the byte ranges of the rows of each state and mode, and of `reset` and `fragment`.
pub(in crate::commands) fn row_lists(table: &Table) -> Vec<(String, Vec<Range>)> {
    let mut lists = Vec::new();
    table.items.iter().for_each(|item| add_rows(item, &mut lists));
    let range = |span: Span| (span.start as usize, span.end as usize);
    let ranges = |spans: Vec<Span>| spans.into_iter().map(range).collect();
    lists.into_iter().map(|(name, spans)| (name.to_owned(), ranges(spans))).collect()
}

fn add_rows<'t>(item: &'t Item, lists: &mut Vec<(&'t str, Vec<Span>)>) {
    fn spans<P>(rows: &[ParsedRow<P>]) -> Vec<Span> {
        rows.iter().map(|row| row.span).collect()
    }
    fn changed_spans<P>(changes: &[RowChange<P>]) -> Vec<Span> {
        let span_of = |change: &RowChange<P>| match change {
            RowChange::Replace(row) | RowChange::Add(row) => Some(row.span),
            RowChange::Remove(_) => None,
        };
        changes.iter().filter_map(span_of).collect()
    }
    let add_state = |state: &'t ParsedState| lists.push((&state.name.value, spans(&state.rows)));
    item.states().iter().for_each(add_state);
    match &item.body {
        ItemBody::Mode(rows) => lists.push((&item.name.value, spans(rows))),
        ItemBody::Reset(rows) | ItemBody::Fragment { rows, .. } => {
            lists.push((item.kind, spans(rows)));
        }
        ItemBody::Extends { changes, .. } => {
            for change in changes {
                match change {
                    Change::Replace(item, _) | Change::Add(item) => add_rows(item, lists),
                    Change::Rows { state, changes } => {
                        lists.push((&state.value, changed_spans(changes)));
                    }
                    Change::ModeRows { mode, changes } => {
                        lists.push((&mode.value, changed_spans(changes)));
                    }
                    Change::Take { .. } | Change::Remove { .. } | Change::Steps { .. } => {}
                }
            }
        }
        _ => {}
    }
}

/// Keywords of declarations that consist of rows, which are changed one by one.
const ROW_DECLARATIONS: [&str; 7] =
    ["state", "lexical-mode", "mode", "procedure", "reset", "fragment", "extends"];
/// Keywords of declarations without an effect on behavior.
const INERT_DECLARATIONS: [&str; 4] = ["name", "document", "modes", "references"];

/// Returns the declared names, grouped by kind of declaration; the values of each flag are a group.
fn categories(tokens: &[Token<'_>]) -> Vec<Vec<String>> {
    let mut names_by_kind: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, word) in tokens.iter().enumerate() {
        let kind = match word.text {
            "state" | "lexical-mode" => "state",
            "mode" | "class" | "steps" | "names" | "scope" | "lexeme" | "adjust" | "doctypes"
            | "tokenizer" => word.text,
            "condition" | "action" | "errors" | "pointers" | "flag" => word.text,
            _ => continue,
        };
        let begins_declaration = at == 0 || matches!(tokens[at - 1].text, ";" | "}" | "{" | "tree");
        let Some(name_token) = tokens
            .get(at + 1)
            .filter(|name_token| begins_declaration && name_token.kind == LexicalKind::Word)
        else {
            continue;
        };
        let declared_names = || {
            let declaration_tokens =
                tokens[at + 1..].iter().take_while(|word| !matches!(word.text, ";" | "by"));
            let names = declaration_tokens.filter(|word| word.kind == LexicalKind::Word);
            names.map(|word| word.text.to_owned())
        };
        match kind {
            "errors" | "pointers" => {
                names_by_kind.entry(kind.to_owned()).or_default().extend(declared_names())
            }
            // Each flag has its own values, so they are not mixed with those of other flags.
            "flag" => {
                drop(names_by_kind.insert(
                    format!("flag {}", name_token.text),
                    declared_names().skip(1).collect(),
                ))
            }
            _ => names_by_kind.entry(kind.to_owned()).or_default().push(name_token.text.to_owned()),
        }
    }
    names_by_kind.into_values().collect()
}

/// Returns the names in a row's patterns, each after the kind of token that precedes it; the kind is empty before the
/// first one.
fn pattern_names(row: &[Token<'_>]) -> Vec<(String, String)> {
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

/// Words with a replacement that leaves most rows valid.
const REPLACEMENTS: [(&str, &str); 12] = [
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

/// A collector of the changes to a table's text.
pub(in crate::commands) struct MutantCollector<'a> {
    pub(in crate::commands) text: &'a str,
    /// Declared names, grouped by kind; a name can be replaced by another of its group.
    pub(in crate::commands) categories: Vec<Vec<String>>,
    pub(in crate::commands) out: Vec<Mutant>,
}

impl MutantCollector<'_> {
    pub(in crate::commands) fn add(
        &mut self,
        place: &str,
        class: &'static str,
        range: Range,
        with: String,
    ) {
        let line = self.text[..range.0].matches('\n').count() + 1;
        self.out.push(Mutant { place: place.to_owned(), line, class, range, with });
    }

    /// Adds the change that swaps two adjacent rows.
    pub(in crate::commands) fn add_row_swap(&mut self, place: &str, first: Range, second: Range) {
        let text = |from: usize, to: usize| &self.text[from..to];
        let with =
            [text(second.0, second.1), text(first.1, second.0), text(first.0, first.1)].concat();
        self.add(place, "rows in the other order", (first.0, second.1), with);
    }

    /// Adds the changes of single words, entries, steps and conditions in a row or declaration.
    fn add_inner_changes(&mut self, place: &str, words: &[Token<'_>]) {
        for (index, word) in words.iter().enumerate() {
            let before = |count: usize| index.checked_sub(count).map(|index| words[index].text);
            // Section numbers and anchors have no effect on behavior; the comparison with the document checks them.
            let is_section = before(1) == Some("@") || before(2) == Some("@") && is_string(word);
            if is_section || matches!(before(1), Some("fills" | "deviates")) {
                continue;
            }
            self.add_entry_removal(place, words, index);
            self.add_step_removal(place, words, index);
            self.add_condition_change(place, words, index);
            let range = (word.start, word.end());
            match word.kind {
                LexicalKind::Literal | LexicalKind::Number => {
                    self.add(place, "literal", range, other_literal(word));
                }
                LexicalKind::Word => self.add_word_replacement(place, word),
                LexicalKind::Comment | LexicalKind::Mark => {}
            }
        }
    }

    /// Adds the replacement of a word by the next name of its group, or by its entry in `REPLACEMENTS`.
    fn add_word_replacement(&mut self, place: &str, word: &Token<'_>) {
        let range = (word.start, word.end());
        let next_name = self.categories.iter().find_map(|names| {
            let index = names.iter().position(|name| name == word.text)?;
            Some(names[(index + 1) % names.len()].clone()).filter(|other| other != word.text)
        });
        if let Some(other) = next_name {
            return self.add(place, "name", range, other);
        }
        if let Some((_, other)) = REPLACEMENTS.iter().find(|(name, _)| *name == word.text) {
            self.add(place, "word", range, (*other).to_owned());
        }
    }

    /// Adds the removal of the list entry that begins at `words[index]`, if any.
    fn add_entry_removal(&mut self, place: &str, words: &[Token<'_>], index: usize) {
        let is_separator = |word: &Token<'_>| matches!(word.text, "|" | ",");
        let is_end = |word: &Token<'_>| {
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
        let is_entry_start =
            index == 0 || is_separator(&words[index - 1]) || words[index - 1].text == "=";
        if !is_entry_start || is_separator(begin) {
            return;
        }
        let Some(length) = words[index..].iter().position(is_end) else { return };
        let end = index + length;
        if length == 0 {
            return;
        }
        if index > 0 && is_separator(&words[index - 1]) {
            self.add(
                place,
                "entry removed",
                (words[index - 1].start, words[end - 1].end()),
                String::new(),
            );
        } else if is_separator(&words[end]) {
            // If the next entry has no kind of its own, the kind at the beginning of the removed entry stays for it.
            let kinds = ["start", "end", "empty", "character", "string"];
            let keeps_kind = length > 1
                && kinds.contains(&begin.text)
                && words.get(end + 1).is_some_and(|next| next.kind != LexicalKind::Word);
            let from = if keeps_kind { words[index + 1].start } else { begin.start };
            if let Some(next) = words.get(end + 1) {
                self.add(place, "entry removed", (from, next.start), String::new());
            }
        }
    }

    /// Adds the removal of the step that begins at `words[index]`, if any.
    fn add_step_removal(&mut self, place: &str, words: &[Token<'_>], index: usize) {
        let is_step_start = index > 0 && matches!(words[index - 1].text, "=>" | ";" | "{" | "}");
        if !is_step_start
            || matches!(words[index].text, "when" | "otherwise" | "fills" | "deviates" | "}" | ";")
        {
            return;
        }
        // Only a semicolon ends a step: words before `=>` are patterns, and words before a brace begin a block.
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
                (words[index].start, words[index + end].end()),
                String::new(),
            );
        }
    }

    /// If `words[index]` is `when` or an operator, adds the negation and the removal of the condition after it, and the
    /// replacement of the operator. If `words[index]` is `not`, adds its removal.
    fn add_condition_change(&mut self, place: &str, words: &[Token<'_>], index: usize) {
        let word = &words[index];
        let is_operator = matches!(word.text, "and" | "or");
        if word.text == "not" {
            let end = words.get(index + 1).map_or(word.end(), |next| next.start);
            self.add(place, "condition turned", (word.start, end), String::new());
        }
        if word.text != "when" && !is_operator {
            return;
        }
        if words.get(index + 1).is_some_and(|next| next.text != "not") {
            self.add(place, "condition turned", (word.end(), word.end()), " not".to_owned());
        }
        if is_operator {
            let other_operator = if word.text == "and" { "or" } else { "and" };
            self.add(
                place,
                "condition joined",
                (word.start, word.end()),
                other_operator.to_owned(),
            );
        }
        let is_end = |word: &Token<'_>| {
            matches!(word.text, "and" | "or" | "{" | "=>" | ";" | "fills" | "deviates")
        };
        let Some(length) = words[index + 1..].iter().position(is_end) else { return };
        let end = index + 1 + length;
        if is_operator {
            self.add(place, "condition removed", (word.start, words[end - 1].end()), String::new());
        } else if matches!(words[end].text, "and" | "or") {
            self.add(
                place,
                "condition removed",
                (words[index + 1].start, words[end].end()),
                String::new(),
            );
        } else if words[end].text == "=>" {
            self.add(place, "condition removed", (word.start, words[end].start), String::new());
        }
    }
}
