//! Turns lists with labels into the rows of a mode, in document order.

use super::algorithms;
use super::english::{self, GRAMMAR, ModeStep, ParsedSentence, TreeStatement};
use super::fold::{self, fold};
use super::modes::TreeReader;
use super::written;
use crate::document::outline::{ListEntry, ListKind, Node};
use crate::document::sentence::{self, Read};
use crate::document::{DocumentRow, DocumentState, Reading};
use tabulex_language::model::kebab_case;

/// An entry of a mode's list, before its steps are formatted and its patterns split into rows.
struct ModeRowDraft {
    /// Name of the steps, by which other rows may run them: the first label in kebab case.
    name: String,
    patterns: Vec<(String, Option<String>)>,
    steps: Vec<ModeStep>,
    line: usize,
    hashes: Vec<u32>,
}

impl TreeReader<'_> {
    /// Reads a mode, and adds it to the reading. An entry becomes one row for each sequence of patterns with equal
    /// conditions.
    pub(super) fn read_mode(&mut self, name: String, line: usize, entries: &[ListEntry]) {
        let mut drafts: Vec<ModeRowDraft> = Vec::new();
        for entry in entries {
            let first = self.reading.sentences.len();
            let mut patterns = Vec::new();
            for label in &entry.labels {
                match english::label(self.reading, &label.words) {
                    Some(label_patterns) => patterns.extend(label_patterns),
                    None => self.reading.note(&label.words, label.line, Read::Unread),
                }
            }
            let tags = patterns
                .iter()
                .filter_map(|(pattern, _)| pattern.strip_prefix("start \"")?.strip_suffix('"'));
            self.algorithm_beside_row = tags
                .map(|tag| format!("{tag}-{name}"))
                .find(|algorithm| self.reading.profile.beside.contains(algorithm));
            let sentences = self.row_sentences(&entry.nodes);
            let line = entry.labels.first().map_or(line, |label| label.line);
            drafts.push(ModeRowDraft {
                name: entry.labels.first().map_or(String::new(), |label| kebab_case(&label.words)),
                patterns,
                steps: fold(&sentences),
                line,
                hashes: self.reading.sentences[first..].iter().map(|one| one.hash).collect(),
            });
        }
        self.convert_dispatcher(&name, &mut drafts, line);
        let mut rows: Vec<DocumentRow> = Vec::new();
        for draft in &drafts {
            let mut text = written::steps(&table_form(&draft.steps), &mut self.sets);
            let action = format!("{};", draft.name);
            if !draft.name.is_empty() && rows.iter().any(|row| row.steps.contains(&action)) {
                self.declare(draft.line, format!("steps {} {{ {text} }}", draft.name));
                text = action;
            }
            rows.extend(self.rows_of_draft(draft, &text));
        }
        let section = self.reading.section();
        let mode = DocumentState { name, section, line, rows, ..DocumentState::default() };
        self.reading.modes.push(mode);
    }

    /// Returns the rows of a draft, one for each sequence of patterns with equal conditions.
    fn rows_of_draft(&mut self, draft: &ModeRowDraft, text: &str) -> Vec<DocumentRow> {
        let mut rows: Vec<DocumentRow> = Vec::new();
        for (pattern, ask) in &draft.patterns {
            let guard = ask.as_ref().map(|ask| written::guard(ask, &mut self.sets));
            match rows.last_mut().filter(|row| row.guard == guard) {
                Some(row) => row.patterns = format!("{} | {pattern}", row.patterns),
                None => rows.push(DocumentRow {
                    patterns: pattern.clone(),
                    guard,
                    steps: if text.is_empty() { "ignore;".to_owned() } else { text.to_owned() },
                    line: draft.line,
                    is_gap: false,
                    hashes: draft.hashes.clone(),
                }),
            }
        }
        rows
    }

    /// Converts the drafts of the mode if its rows apply while the adjusted current node is foreign, as labels of its
    /// first entry show. Labels for the opposite become the dispatch condition; labels with "neither" become exceptions
    /// with the last entry's steps.
    fn convert_dispatcher(&mut self, mode: &str, drafts: &mut Vec<ModeRowDraft>, line: usize) {
        let last_steps = drafts.last().map(|draft| draft.steps.clone()).unwrap_or_default();
        let Some(first) = drafts.first_mut() else { return };
        let is_dispatch_label = |(pattern, _): &(String, _)| {
            matches!(&pattern[..], "empty" | "html") || pattern.starts_with("neither ")
        };
        if !first.patterns.iter().any(is_dispatch_label) {
            return;
        }
        let pattern_count = first.patterns.len();
        first.patterns.retain(|(pattern, _)| pattern != "empty" && pattern != "html");
        if pattern_count == first.patterns.len() + 2 {
            self.declare(line, format!("tree dispatch {mode} when adjusted-current is-foreign;"));
        }
        let (neither, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut first.patterns)
            .into_iter()
            .partition(|(pattern, _)| pattern.starts_with("neither "));
        first.patterns = rest;
        let mut exceptions = Vec::new();
        for (pattern, ask) in neither {
            first.patterns.insert(0, ("start".to_owned(), ask.clone()));
            exceptions.push((pattern["neither ".len()..].to_owned(), ask));
        }
        let (name, line, hashes) = (String::new(), first.line, first.hashes.clone());
        let (patterns, steps) = (exceptions, last_steps);
        drafts.insert(0, ModeRowDraft { name, patterns, steps, line, hashes });
    }

    /// Reads entries that are steps in sequence. Entries that describe how the runtime performs an action are read as
    /// an algorithm with the action's name, and replaced by the action.
    pub(super) fn read_entries(&mut self, entries: &[ListEntry]) -> Vec<ParsedSentence> {
        let mut sentences = Vec::new();
        let mut at = 0;
        while at < entries.len() {
            let Some(action) = started_action(self.reading, &entries[at]) else {
                sentences.extend(self.row_sentences(&entries[at].nodes));
                at += 1;
                continue;
            };
            let belongs_to_algorithm = |entry: &&ListEntry| !belongs_to_row(self.reading, entry);
            let count = 1 + entries[at + 1..].iter().take_while(belongs_to_algorithm).count();
            let name = action.split(' ').next().unwrap_or_default().to_owned();
            let line = entries[at].nodes.first().map_or(0, line_of);
            self.read_algorithm(name, &entries[at..at + count], line, Vec::new());
            at += count;
            let statement = TreeStatement::Do(vec![ModeStep::Act(action)]);
            sentences.push(ParsedSentence::new(statement, ""));
        }
        sentences
    }

    /// Reads the paragraphs and lists of a row.
    pub(super) fn row_sentences(&mut self, nodes: &[Node]) -> Vec<ParsedSentence> {
        let is_of_row = |parsed: &ParsedSentence| {
            !matches!(parsed.statement, TreeStatement::Transfer | TreeStatement::Begins(_))
        };
        let mut sentences: Vec<ParsedSentence> = Vec::new();
        for node in nodes {
            match node {
                Node::Paragraph(text) => {
                    sentences.extend(self.read_sentences(text).into_iter().filter(is_of_row));
                }
                Node::List(kind, entries) => self.read_list(*kind, entries, &mut sentences),
            }
        }
        sentences
    }

    /// Reads a list within a row: steps, choices, DOCTYPEs, or a table of names.
    fn read_list(
        &mut self,
        kind: ListKind,
        entries: &[ListEntry],
        sentences: &mut Vec<ParsedSentence>,
    ) {
        let line = entries.first().and_then(|entry| entry.nodes.first()).map_or(0, line_of);
        match kind {
            ListKind::Steps => {
                let steps = fold::fold_list(&self.read_entries(entries));
                sentences.push(ParsedSentence::new(TreeStatement::Block(steps), ""));
            }
            ListKind::Switch => {
                let steps = self.read_choices(entries);
                sentences.push(ParsedSentence::new(TreeStatement::Block(steps), ""));
            }
            ListKind::Items => {
                let items = self.reading.read_items(entries, &GRAMMAR, "doctype");
                if let Some(ParsedSentence {
                    statement: TreeStatement::If(ask, acts) | TreeStatement::OtherwiseIf(ask, acts),
                    ..
                }) = sentences.last_mut()
                    && let Some(name) =
                        acts.iter().find_map(|step| argument(step, "set document-mode "))
                {
                    *ask = ask.replace("doctype-list", &format!("doctype in {name}"));
                    self.declare(line, format!("doctypes {name} = {};", items.join(" | ")));
                }
            }
            ListKind::Rows => match sentences.iter().rev().find_map(adjusted_names) {
                Some(name) => self.declare_adjustments(&name, entries, line),
                None => self.record_unread(entries),
            },
        }
    }

    /// Returns the condition of a label within a row, or `None` if no rule translates the label.
    fn choice_condition(&self, words: &str) -> Option<String> {
        Some(english::condition(&english::meaning_of(self.reading, "choice", words)?))
    }

    /// Reads labels within a row as a chain of conditions; the first one that holds is taken.
    fn read_choices(&mut self, entries: &[ListEntry]) -> Vec<ModeStep> {
        let (mut choices, mut after_remark) = (Vec::new(), false);
        for entry in entries {
            let ask = entry.labels.first().and_then(|label| self.choice_condition(&label.words));
            if let (None, Some(label)) = (&ask, entry.labels.first()) {
                // After a label that is a remark, an "otherwise" is a remark, too.
                if after_remark
                    && self
                        .reading
                        .meaning_of(&algorithms::GRAMMAR, "sentence", &label.words)
                        .is_some()
                {
                    self.reading.note(&label.words, label.line, Read::Remark);
                } else {
                    after_remark = self.record_unread_label(label);
                }
            }
            let steps = fold(&self.row_sentences(&entry.nodes));
            choices.push((ask.unwrap_or_default(), steps));
        }
        let mut steps = Vec::new();
        for (ask, then) in choices.into_iter().rev() {
            steps = if ask.is_empty() { then } else { vec![ModeStep::When(ask, then, steps)] };
        }
        steps
    }
}

fn line_of(node: &Node) -> usize {
    match node {
        Node::Paragraph(text) => text.line,
        Node::List(_, entries) => {
            entries.iter().flat_map(|entry| &entry.nodes).map(line_of).next().unwrap_or(0)
        }
    }
}

/// Returns the first sentence of an entry, or `None` if the entry begins with a list.
fn first_sentence(entry: &ListEntry) -> Option<String> {
    match entry.nodes.first()? {
        Node::Paragraph(text) => sentence::divide(&text.words).into_iter().next(),
        Node::List(..) => None,
    }
}

/// Returns the action whose description begins with this entry, if any.
fn started_action(reading: &Reading, entry: &ListEntry) -> Option<String> {
    match english::sentence(reading, &first_sentence(entry)?)?.statement {
        TreeStatement::Begins(action) => Some(action),
        _ => None,
    }
}

/// Whether an entry belongs to the row rather than to an algorithm: its first sentence has no gloss, matches a rule,
/// and is not an alternative to the entry before.
fn belongs_to_row(reading: &Reading, entry: &ListEntry) -> bool {
    first_sentence(entry)
        .filter(|words| reading.gloss(words, str::is_empty).is_none())
        .and_then(|words| english::sentence(reading, &words))
        .is_some_and(|parsed| {
            !matches!(
                parsed.statement,
                TreeStatement::Otherwise(_) | TreeStatement::OtherwiseIf(..)
            )
        })
}

/// Returns the name of the list by which a sentence adjusts the token's name, if it does.
fn adjusted_names(sentence: &ParsedSentence) -> Option<String> {
    match &sentence.statement {
        TreeStatement::Do(acts)
        | TreeStatement::If(_, acts)
        | TreeStatement::Now(_, acts)
        | TreeStatement::OtherwiseIf(_, acts) => {
            acts.iter().find_map(|step| argument(step, "adjust-tag-name "))
        }
        _ => None,
    }
}

/// Returns what follows `verb` in an action, or `None` if the step is no such action.
fn argument(step: &ModeStep, verb: &str) -> Option<String> {
    match step {
        ModeStep::Act(action) => action.strip_prefix(verb).map(str::to_owned),
        _ => None,
    }
}

/// Converts steps to the constructs of the table language: shared steps merged, ends eliminated.
pub(super) fn table_form(steps: &[ModeStep]) -> Vec<ModeStep> {
    fold::eliminate_ends(&fold::merge_shared_steps(steps.to_vec()))
}
