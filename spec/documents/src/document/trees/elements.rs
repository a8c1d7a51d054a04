//! Rules on elements: resetting the insertion mode, and preparing a fragment parser. Both are steps about one element
//! each, which become rows of a declaration. A step is read whole or not at all.

use super::algorithms::Meaning;
use super::english::{English, Rule, mode, names, quoted};
use super::modes::Reader;
use crate::document::StepRead;
use crate::document::outline::{Entry, Node, Text};
use crate::document::sentence::{self, Read};
use pest::Parser;
use pest::iterators::Pair;

/// Meaning of a step of resetting the mode.
enum Reset {
    /// A row: its names and guard, and its step.
    Row(String, String),
    /// The substeps contain rows for this element.
    Below(String),
    /// Steps of the walk around the rows.
    Walk(Vec<StepRead>),
}

/// Parses a step of resetting the mode; `below` is the element of the substeps.
fn reset(words: &str, below: Option<&str>) -> Option<Reset> {
    let pair = English::parse(Rule::reset_step, words).ok()?.next()?.into_inner().next()?;
    let inner = || pair.clone().into_inner();
    let find = |rule| inner().find(|part| part.as_rule() == rule);
    let step = || match find(Rule::switch_mode) {
        Some(part) => Some(format!("switch {};", mode(&quoted(&part)?))),
        None => find(Rule::switch_template).map(|_| "switch template-mode;".to_owned()),
    };
    let element = || below.map(|name| name.to_owned());
    Some(match pair.as_rule() {
        Rule::reset_row => {
            let mut names = names(&find(Rule::elements)?).join(" | ");
            if find(Rule::last_false).is_some() {
                names += " when not last";
            }
            Reset::Row(names, step()?)
        }
        Rule::reset_substeps => Reset::Below(names(&find(Rule::elements)?).join(" | ")),
        Rule::reset_head if find(Rule::null).is_some() => {
            Reset::Row(format!("{} when not is-set head", element()?), step()?)
        }
        Rule::reset_head => Reset::Row(element()?, step()?),
        Rule::reset_last => Reset::Row("else".to_owned(), step()?),
        Rule::select_table => {
            Reset::Row(format!("{} when not last and table-above is yes", element()?), step()?)
        }
        Rule::select_done => Reset::Row(element()?, step()?),
        _ => Reset::Walk(walk(pair.as_rule())),
    })
}

/// Returns the steps of the walk up the stack; empty for those that rows express.
fn walk(rule: Rule) -> Vec<StepRead> {
    let step = |words: &str| vec![StepRead::step(words)];
    match rule {
        Rule::reset_begin => step("let last false"),
        Rule::reset_from => step("let node last of open"),
        Rule::reset_loop => {
            let context = "fragment-context-element of parser";
            let then = step(&format!("let node {context}"));
            let within = StepRead::block(format!("when {context} is not none"), then);
            let inner = vec![StepRead::step("let last true"), within];
            let first = StepRead::block("when node is first of open", inner);
            vec![StepRead::step("at loop"), first]
        }
        Rule::reset_on => step("let node above node"),
        Rule::reset_again => step("go loop"),
        _ => Vec::new(),
    }
}

/// Meaning of a step that prepares a fragment parser.
enum FragmentStep {
    /// A row for the context element, and the step that applies such rows.
    Row(String, &'static str),
    /// Name of the root element.
    Root(String),
    /// The initial tokenizer state, with an optional condition.
    Tokenizer(Option<&'static str>, String),
    /// A step of every parser.
    Plain,
}

/// The declaration and the algorithm as far as they are read.
#[derive(Default)]
struct FragmentDraft {
    root: String,
    rows: Vec<String>,
    steps: Vec<StepRead>,
}

/// Finds a nested part of the words.
fn find<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> Option<Pair<'i, Rule>> {
    pair.clone().into_inner().flatten().find(|part| part.as_rule() == rule)
}

/// Parses a step that prepares a fragment parser.
fn fragment_step(words: &str) -> Option<FragmentStep> {
    let pair = English::parse(Rule::fragment_step, words).ok()?.next()?.into_inner().next()?;
    Some(match pair.as_rule() {
        Rule::fragment_tokenizer => {
            let condition = find(&pair, Rule::ask_scripting).map(|_| "scripting is enabled");
            FragmentStep::Tokenizer(condition, mode(find(&pair, Rule::tokenizer_state)?.as_str()))
        }
        Rule::fragment_template => FragmentStep::Row(
            format!(
                "{} => push-template-mode {};",
                names(&find(&pair, Rule::elements)?).concat(),
                mode(&quoted(&find(&pair, Rule::push_template)?)?),
            ),
            "let template-modes by context",
        ),
        Rule::fragment_pointer => {
            let pointer = find(&pair, Rule::pointer)?;
            let names = names(&find(&pair, Rule::elements)?).concat();
            let row = format!("{names} => point {} to-context;", pointer.as_str());
            FragmentStep::Row(row, "let pointers by context")
        }
        Rule::fragment_root => FragmentStep::Root(names(&pair).concat()),
        _ => FragmentStep::Plain,
    })
}

impl Reader<'_> {
    /// Reads the declaration for resetting the mode.
    pub(super) fn reset(&mut self, entries: &[Entry], section: &str, line: usize) {
        let mut rows = Vec::new();
        let mut steps = Vec::new();
        self.reset_rows(entries, None, &mut rows, &mut steps);
        self.reading.record(("reset-insertion-mode".to_owned(), section.to_owned(), line), steps);
        self.declare(line, format!("reset @ {section:?} {{ {} }}", rows.join(" ")));
    }

    fn reset_rows(
        &mut self,
        entries: &[Entry],
        below: Option<&str>,
        rows: &mut Vec<String>,
        steps: &mut Vec<StepRead>,
    ) {
        let mut element = None;
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            match node {
                Node::Paragraph(text) => {
                    for words in sentence::divide(&text.words) {
                        let read = reset(&words, below);
                        self.note_step(&words, text, read.is_some());
                        match read {
                            Some(Reset::Row(names, step)) => {
                                // All rows together are one step of the walk.
                                if rows.is_empty() {
                                    let take = "take row of reset for node and last";
                                    steps.push(StepRead::step(take));
                                }
                                rows.push(format!("{names} => {step}"));
                            }
                            Some(Reset::Below(name)) => element = Some(name),
                            Some(Reset::Walk(mut walk)) => {
                                if let Some(first) = walk.first_mut() {
                                    first.origin = Some((text.line, sentence::hash(&words)));
                                }
                                steps.extend(walk);
                            }
                            None => {}
                        }
                    }
                }
                Node::List(_, entries) => {
                    let name = element.take();
                    self.reset_rows(entries, name.as_deref(), rows, steps);
                }
            }
        }
    }

    fn note_step(&mut self, words: &str, text: &Text, is_read: bool) {
        let is_remark = self.is_remark(words, text);
        self.note(
            words,
            text.line,
            match is_read || is_remark {
                _ if is_remark => Read::Remark,
                true => Read::Asks,
                false => Read::Unread,
            },
        );
    }

    /// Reads a step of the algorithm, which may name the root element.
    fn algorithm_step(&mut self, words: &str, line: usize, draft: &mut FragmentDraft) -> bool {
        let Some(Meaning::Steps(steps)) = self.translated(words, line) else { return false };
        self.note(words, line, Read::Asks);
        for step in &steps {
            let made = step.words.strip_prefix("let root element document ");
            if let Some(name) = made.and_then(|rest| rest.split(' ').next()) {
                draft.root = name.to_owned();
            }
        }
        draft.steps.extend(steps);
        true
    }

    /// Reads the declaration that prepares a fragment parser.
    pub(super) fn fragment(&mut self, entries: &[Entry], section: &str, line: usize) {
        let mut draft = FragmentDraft::default();
        let given = std::mem::take(&mut self.given);
        draft.steps.extend(given);
        self.fragment_rows(entries, &mut draft);
        let FragmentDraft { root, rows, steps } = draft;
        self.declare(line, format!("fragment {root} @ {section:?} {{ {} }}", rows.join(" ")));
        if !steps.is_empty() {
            self.reading.record(("parse-fragment".to_owned(), section.to_owned(), line), steps);
        }
    }

    fn fragment_rows(&mut self, entries: &[Entry], draft: &mut FragmentDraft) {
        for entry in entries {
            for node in &entry.nodes {
                let text = match node {
                    Node::List(_, entries) => {
                        self.fragment_rows(entries, draft);
                        continue;
                    }
                    Node::Paragraph(text) => text,
                };
                for words in sentence::divide(&text.words) {
                    let read = fragment_step(&words);
                    let is_plain =
                        matches!(read, None | Some(FragmentStep::Plain)) && !text.is_note;
                    if is_plain && self.algorithm_step(&words, text.line, draft) {
                        continue;
                    }
                    self.note_step(&words, text, read.is_some());
                    let labels = || {
                        entry
                            .labels
                            .iter()
                            .map(|label| format!("{:?}", label.words))
                            .collect::<Vec<_>>()
                    };
                    match read {
                        Some(FragmentStep::Row(row, step)) => {
                            draft.rows.push(row);
                            // Older texts have rows without an algorithm.
                            if !draft.steps.is_empty() {
                                let origin = Some((text.line, sentence::hash(&words)));
                                draft.steps.push(StepRead { origin, ..StepRead::step(step) });
                            }
                        }
                        Some(FragmentStep::Root(name)) => draft.root = name,
                        Some(FragmentStep::Tokenizer(condition, state)) => {
                            let guard = condition
                                .map_or(String::new(), |condition| format!(" when {condition}"));
                            draft.rows.push(format!(
                                "{}{guard} => tokenizer {state};",
                                labels().join(" | ")
                            ));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
