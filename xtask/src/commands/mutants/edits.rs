//! Generates all single edits of a table, to test that the comparison reports each: words and literals changed; entries,
//! steps, conditions, rows and declarations removed; steps, rows, states and modes swapped; and changes of each
//! reference. An edit replaces one range of one file's text.

use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::parse::lexer::{LexicalKind, Token, code};
use tabulex_language::syntax::{
    Change, Item, ItemBody, ParsedRow, ParsedState, RowChange, Span, Table,
};

/// A small change of a table, which a test should detect.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Edit {
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

impl Edit {
    /// Returns the text of the changed table.
    pub(in crate::commands) fn apply(&self, text: &str) -> String {
        [&text[..self.range.0], &self.with, &text[self.range.1..]].concat()
    }

    /// Whether the edit may affect the behavior of the machine: names of sections and files, titles and reasons do not.
    pub(in crate::commands) fn may_affect_behavior(&self) -> bool {
        !matches!(self.class, "section" | "anchor" | "title or file" | "reason emptied")
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
fn is_string(token: &Token<'_>) -> bool {
    token.text.starts_with('"')
}

/// Returns another literal or number of the same kind, or the unchanged text of any other token.
fn other_literal(token: &Token<'_>) -> String {
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

/// Returns all edits of a table's text, without duplicates.
pub(in crate::commands) fn edits(text: &str, table: &Table) -> Vec<Edit> {
    let tokens = code(text);
    let alternatives = alternatives(&tokens);
    let items = items(&tokens, table);
    let mut collector = EditCollector { text, out: Vec::new() };
    for item in &items {
        collector.add_edits_of_item(&place(item), item, &alternatives);
    }
    for pair in items.windows(2) {
        collector.add_block_swap(&pair[0], &pair[1]);
    }
    for (place, rows) in row_lists(table) {
        for &range in &rows {
            collector.add_removal(&place, "row removed", range);
        }
        for pair in rows.windows(2) {
            collector.add_swap(&place, "rows in the other order", pair[0], pair[1]);
        }
    }
    let mut visited_edits = BTreeSet::new();
    collector.out.retain(|edit| visited_edits.insert((edit.range, edit.with.clone())));
    collector.out
}

/// Splits the tokens of a text by declaration.
fn items<'a>(tokens: &[Token<'a>], table: &Table) -> Vec<Vec<Token<'a>>> {
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
fn row_lists(table: &Table) -> Vec<(String, Vec<Range>)> {
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
            lists.push((&item.kind, spans(rows)));
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

/// Returns all edits of a list of references: each reference removed, with another character, and with another name.
pub(super) fn edits_of_references(text: &str) -> Vec<Edit> {
    let mut collector = EditCollector { text, out: Vec::new() };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let is_entry = !line.starts_with(char::is_whitespace) && !line.starts_with("//");
        let Some((name, codes)) = line.trim_end().split_once([' ', '\t']).filter(|_| is_entry)
        else {
            continue;
        };
        collector.add_removal(name, "reference removed", (start, offset));
        let last_code = codes.split_whitespace().next_back().unwrap_or_default();
        let end = start + line.trim_end().len();
        if let Ok(code) = u32::from_str_radix(last_code, 16) {
            let other = format!("{:04X}", code.wrapping_add(1));
            collector.add(name, "another character", (end - last_code.len(), end), other);
        }
        collector.add(name, "another name", (start, start + name.len()), format!("{name}q"));
    }
    collector.out
}

/// Returns all edits of a list such as `html.text`: each word removed, and each text removed or changed.
pub(super) fn edits_of_list(text: &str) -> Vec<Edit> {
    let mut collector = EditCollector { text, out: Vec::new() };
    let mut place = String::new();
    for word in code(text) {
        let range = (word.start, word.end());
        match word.kind {
            LexicalKind::Word => {
                word.text.clone_into(&mut place);
                collector.add_removal(&place, "word removed", range);
            }
            LexicalKind::Literal if is_string(&word) => {
                collector.add_removal(&place, "text removed", range);
                collector.add(&place, "another text", range, other_literal(&word));
            }
            _ => {}
        }
    }
    collector.out
}

/// Beginnings of steps of modes that commute with all others of the row, because their effect is visible only after it.
const COMMUTING_STEPS: [&str; 4] = ["ignore;", "set ", "tokenizer ", "acknowledge-self-closing;"];

/// Whether an edit swaps two steps of a mode, one of which commutes with all others.
pub(super) fn commutes(edit: &Edit, text: &str) -> bool {
    let replaced = &text[edit.range.0..edit.range.1];
    edit.class == SWAPPED_STEPS
        && COMMUTING_STEPS
            .iter()
            .any(|step| replaced.starts_with(step) || edit.with.starts_with(step))
}

/// Keywords of the declarations whose order is that of the document's sections.
const ORDERED_DECLARATIONS: [&str; 3] = ["state", "lexical-mode", "mode"];

/// Class of the edits that swap two steps, or two values of a flag.
const SWAPPED_STEPS: &str = "steps or values in the other order";

/// Whether the text of a token is a word, a number or a literal, so that the phrase continues.
fn is_value(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '"' | '\''))
}

/// The words of a text by context: the text of the token before, and whether a word, number or literal comes after.
type Alternatives<'a> = BTreeMap<(&'a str, bool), Vec<&'a str>>;

fn alternatives<'a>(tokens: &[Token<'a>]) -> Alternatives<'a> {
    let mut by_context = Alternatives::new();
    for (at, word) in tokens.iter().enumerate().filter(|(_, word)| word.kind == LexicalKind::Word) {
        let text_before = at.checked_sub(1).map_or("", |index| tokens[index].text);
        let next_text = tokens.get(at + 1).map_or("", |token| token.text);
        let words = by_context.entry((text_before, is_value(next_text))).or_default();
        if !words.contains(&word.text) {
            words.push(word.text);
        }
    }
    by_context
}

/// Returns the next alternative for a word in the same context, or `None` if there is no other word.
fn next_alternative(
    alternatives: &Alternatives<'_>,
    context: (&str, bool),
    word: &str,
) -> Option<String> {
    let words = alternatives.get(&context)?;
    let index = words.iter().position(|other| *other == word)?;
    Some(words[(index + 1) % words.len()].to_owned()).filter(|other| other != word)
}

/// Returns the first words of a declaration, up to three, which name it.
fn place(item: &[Token<'_>]) -> String {
    let words = item.iter().take(3).take_while(|word| word.kind == LexicalKind::Word);
    words.map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// A kind of list whose items are removed one by one.
struct ListKind {
    class: &'static str,
    /// Words after which the first item of a list begins.
    openings: &'static [&'static str],
    /// Words between two items.
    separators: &'static [&'static str],
    /// Words after the last item.
    ends: &'static [&'static str],
}

/// The lists in rows and declarations: alternatives, and joined conditions.
const LISTS: [ListKind; 2] = [
    ListKind {
        class: "entry removed",
        // The kind of a token in a mode's row applies to all names after it, so it stays if the first one is removed.
        openings: &[
            "=",
            "{",
            "}",
            ";",
            "entry",
            "errors",
            "pointers",
            "start",
            "end",
            "empty",
            "character",
            "string",
        ],
        separators: &["|", ","],
        ends: &["=>", ";", "when", "except", "fills", "deviates", "by", "beside", "(", ")"],
    },
    ListKind {
        class: "condition removed",
        openings: &["when"],
        separators: &["and", "or"],
        ends: &["{", "=>", ";", "fills", "deviates"],
    },
];

/// A collector of the edits of a text.
struct EditCollector<'a> {
    text: &'a str,
    out: Vec<Edit>,
}

impl EditCollector<'_> {
    fn add(&mut self, place: &str, class: &'static str, range: Range, with: String) {
        let line = self.text[..range.0].matches('\n').count() + 1;
        self.out.push(Edit { place: place.to_owned(), line, class, range, with });
    }

    fn add_removal(&mut self, place: &str, class: &'static str, range: Range) {
        self.add(place, class, range, String::new());
    }

    /// Adds the edit that swaps two ranges.
    fn add_swap(&mut self, place: &str, class: &'static str, first: Range, second: Range) {
        let parts = [second, (first.1, second.0), first];
        let with: String = parts.into_iter().map(|(from, to)| &self.text[from..to]).collect();
        self.add(place, class, (first.0, second.1), with);
    }

    /// Adds the edits within a declaration, and its removal.
    fn add_edits_of_item(
        &mut self,
        place: &str,
        item: &[Token<'_>],
        alternatives: &Alternatives<'_>,
    ) {
        if let [first, .., last] = item {
            self.add_removal(place, "declaration removed", (first.start, last.end()));
        }
        for (index, word) in item.iter().enumerate() {
            let before = |count: usize| index.checked_sub(count).map_or("", |at| item[at].text);
            self.add_word_edit(place, item, index, alternatives);
            // Section numbers and anchors have no effect on behavior, and reasons are texts.
            let is_section = before(1) == "@" || before(2) == "@" && is_string(word);
            if index > 0 && !is_section && !matches!(before(1), "fills" | "deviates") {
                LISTS.iter().for_each(|list| self.add_list_removal(place, list, item, index));
                self.add_step_removal(place, item, index);
                self.add_condition_edits(place, item, index);
            }
        }
        self.add_step_swaps(place, item);
    }

    /// Adds the replacement of a literal by another one, or of a word by the next one in its context.
    fn add_word_edit(
        &mut self,
        place: &str,
        item: &[Token<'_>],
        index: usize,
        alternatives: &Alternatives<'_>,
    ) {
        let word = &item[index];
        let before = |count: usize| index.checked_sub(count).map_or("", |at| item[at].text);
        let (class, with) = match (word.kind, before(1)) {
            (_, "fills" | "deviates") => ("reason emptied", "\"\"".to_owned()),
            (LexicalKind::Word, before) => {
                let next_text = item.get(index + 1).map_or("", |next| next.text);
                let context = (before, is_value(next_text));
                match next_alternative(alternatives, context, word.text) {
                    Some(other) => ("another word", other),
                    None => return,
                }
            }
            (LexicalKind::Literal, "@") => ("section", other_literal(word)),
            (LexicalKind::Literal, _) if before(2) == "@" => ("anchor", other_literal(word)),
            (LexicalKind::Literal, "document" | "references" | "modes") => {
                ("title or file", other_literal(word))
            }
            // The second literal of `document` is the document's address.
            _ if item[0].text == "document" => return,
            (LexicalKind::Literal | LexicalKind::Number, _) => ("literal", other_literal(word)),
            (LexicalKind::Comment | LexicalKind::Mark, _) => return,
        };
        self.add(place, class, (word.start, word.end()), with);
    }

    /// If an item of a list begins at `words[index]`, adds its removal with the separator before it, or that after it.
    fn add_list_removal(
        &mut self,
        place: &str,
        list: &ListKind,
        words: &[Token<'_>],
        index: usize,
    ) {
        let is_separator = |word: &Token<'_>| list.separators.contains(&word.text);
        let is_end = |word: &Token<'_>| is_separator(word) || list.ends.contains(&word.text);
        let Some(length) = words[index..].iter().position(is_end).filter(|length| *length > 0)
        else {
            return;
        };
        let (before, end) = (&words[index - 1], index + length);
        if is_separator(before) {
            self.add_removal(place, list.class, (before.start, words[end - 1].end()));
        } else if list.openings.contains(&before.text)
            && is_separator(&words[end])
            && let Some(next) = words.get(end + 1)
        {
            self.add_removal(place, list.class, (words[index].start, next.start));
        }
    }

    /// Adds the removal of the step that begins at `words[index]`, if any.
    fn add_step_removal(&mut self, place: &str, words: &[Token<'_>], index: usize) {
        let is_step_start = matches!(words[index - 1].text, "=>" | ";" | "{" | "}");
        // `ignore` has no effect, so its removal would change nothing.
        let is_step = |text: &str| {
            !matches!(text, "when" | "otherwise" | "ignore" | "fills" | "deviates" | "}" | ";")
        };
        if !is_step_start || !is_step(words[index].text) {
            return;
        }
        // Only a semicolon ends a step: words before `=>` are patterns, and words before a brace begin a block.
        let is_end = |word: &Token<'_>| matches!(word.text, ";" | "{" | "}" | "=>");
        if let Some(end) = words[index..].iter().find(|word| is_end(word))
            && end.text == ";"
        {
            self.add_removal(place, "step removed", (words[index].start, end.end()));
        }
    }

    /// If `words[index]` is `when` or an operator, adds the negation of the condition after it, and the replacement of
    /// the operator or the removal of a guard. If `words[index]` is `not`, adds its removal.
    fn add_condition_edits(&mut self, place: &str, words: &[Token<'_>], index: usize) {
        let (word, next) = (&words[index], words.get(index + 1));
        if word.text == "not" {
            let end = next.map_or(word.end(), |next| next.start);
            self.add_removal(place, "condition turned", (word.start, end));
        }
        if !matches!(word.text, "when" | "and" | "or") {
            return;
        }
        if next.is_some_and(|next| next.text != "not") {
            self.add(place, "condition turned", (word.end(), word.end()), " not".to_owned());
        }
        let is_end = |word: &&Token<'_>| matches!(word.text, "and" | "or" | "{" | "=>" | ";");
        let end = words[index + 1..].iter().find(is_end);
        match word.text {
            "and" => self.add(place, "condition joined", (word.start, word.end()), "or".to_owned()),
            "or" => self.add(place, "condition joined", (word.start, word.end()), "and".to_owned()),
            _ => {
                if let Some(arrow) = end.filter(|end| end.text == "=>") {
                    self.add_removal(place, "condition removed", (word.start, arrow.start));
                }
            }
        }
    }

    /// Adds the edit that swaps two adjacent states or two adjacent modes.
    fn add_block_swap(&mut self, one: &[Token<'_>], other: &[Token<'_>]) {
        if let ([one_first, .., one_last], [other_first, .., other_last]) = (one, other)
            && ORDERED_DECLARATIONS.contains(&one_first.text)
            && one_first.text == other_first.text
        {
            let ranges = [(one_first.start, one_last.end()), (other_first.start, other_last.end())];
            self.add_swap(&place(one), "in each other's place", ranges[0], ranges[1]);
        }
    }

    /// Adds the edits that swap two adjacent steps, or two adjacent values of a flag.
    fn add_step_swaps(&mut self, place: &str, item: &[Token<'_>]) {
        let is_flag = item.iter().take(2).any(|word| word.text == "flag");
        let is_separator = |text: &str| text == ";" || is_flag && matches!(text, "|" | "by");
        // The step before the current one, and the index of the first word of the current one.
        let (mut previous, mut first): (Option<Range>, Option<usize>) = (None, None);
        for (index, word) in item.iter().enumerate() {
            if is_separator(word.text) {
                let Some(start) = first.take() else { continue };
                let last = if is_flag { index - 1 } else { index };
                let step = (item[start].start, item[last].end());
                // Transfers take effect after all other steps, and notes are no steps, wherever in the row they are.
                let is_fixed =
                    matches!(item[start].text, "switch" | "reconsume" | "fills" | "deviates");
                let step = Some(step).filter(|_| !is_fixed);
                if let (Some(one), Some(other)) = (previous, step)
                    && self.text[one.0..one.1] != self.text[other.0..other.1]
                {
                    self.add_swap(place, SWAPPED_STEPS, one, other);
                }
                previous = step;
            } else if matches!(word.text, "{" | "}" | "=>" | "=" | "otherwise") {
                (previous, first) = (None, None);
            } else {
                first = first.or(Some(index));
            }
        }
    }
}
