//! Turns sections into states: sentences under a heading become rows, in document order. States of other forms are
//! built in `decisions` and `special`, or stated by glosses (`stated`), as lexical modes are; `surroundings` completes
//! states with statements from other sections.

use super::blocks::{Block, BlockKind};
use super::english::{self, Antecedent, Label};
use super::sections::Section;
use super::sentence::{self, Read};
use super::statement::{
    Declaration, ORPHANED, RowCondition, RowStep, Statement, character, conditions_text, steps_text,
};
use super::{DocumentState, Reading};
use super::{decisions, special, stated, surroundings};

/// A sentence with its meaning, and its position in the section.
#[derive(Clone, Debug)]
pub(super) struct StatedSentence {
    pub(super) statement: Statement,
    pub(super) hash: u32,
    /// Index of the sentence's paragraph in the section.
    pub(super) paragraph: usize,
    /// Whether the sentence is the first of its paragraph.
    pub(super) is_first: bool,
    /// Line of the paragraph.
    pub(super) line: usize,
    /// Number of lists that contain the paragraph.
    pub(super) depth: usize,
}

impl StatedSentence {
    pub(super) fn new(
        statement: Statement,
        words: &str,
        (paragraph, is_first): (usize, bool),
        &Block { line, depth, .. }: &Block,
    ) -> Self {
        Self { statement, hash: sentence::hash(words), paragraph, is_first, line, depth }
    }

    /// Whether the sentence has actions for a row.
    pub(super) fn has_actions(&self) -> bool {
        matches!(self.statement, Statement::Acts(_) | Statement::If(..))
            || is_alternative(&self.statement)
    }
}

/// A row whose sentences are not yet merged into steps.
#[derive(Clone, Debug, Default)]
pub(super) struct DraftRow {
    pub(super) labels: Vec<Label>,
    pub(super) sentences: Vec<StatedSentence>,
    pub(super) line: usize,
    /// Index of the last label's paragraph in the section.
    pub(super) paragraph: usize,
}

/// A section whose sentences are grouped by row, but not yet merged into a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) section: String,
    pub(super) line: usize,
    /// Sentences before the rows.
    pub(super) prefix: Vec<StatedSentence>,
    pub(super) rows: Vec<DraftRow>,
    /// Steps on leaving the state.
    pub(super) leave: Vec<RowStep>,
}

/// A row of a state, with its sentences merged into steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) patterns: Vec<String>,
    pub(super) guard: Vec<RowCondition>,
    pub(super) steps: Vec<RowStep>,
    pub(super) line: usize,
    pub(super) is_gap: bool,
    pub(super) hashes: Vec<u32>,
}

impl Row {
    /// Creates a row without a guard, with the hashes of these sentences.
    pub(super) fn new<P: Into<String>>(
        patterns: impl IntoIterator<Item = P>,
        steps: Vec<RowStep>,
        line: usize,
        sentences: &[StatedSentence],
    ) -> Self {
        let patterns = patterns.into_iter().map(Into::into).collect();
        let hashes = sentences.iter().map(|sentence| sentence.hash).collect();
        Self { patterns, steps, line, hashes, ..Self::default() }
    }
}

/// A state under construction, with the properties that `surroundings` evaluates once all states are read.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) description: DocumentState,
    pub(super) rows: Vec<Row>,
    /// Steps that rows perform before they switch to the state.
    pub(super) caller_steps: Vec<RowStep>,
    /// Whether the state returns to the one that switched to it.
    pub(super) returns_to_caller: bool,
    /// Whether the state consumes characters without specifying the end of the input.
    pub(super) lacks_end: bool,
}

/// Reads the sections on the tokenizer, and stores their states and declarations in `reading`.
pub(super) fn read(sections: &[Section], reading: &mut Reading) {
    let mut states = Vec::new();
    for section in sections {
        reading.current_section.clone_from(&section.title);
        let mut draft = draft(section, reading);
        if section.state.is_some() && reading.states.iter().any(|one| one.name == draft.name) {
            draft.rows = stated::complete(&draft, reading);
            draft.prefix.retain(|one| !one.has_actions());
            states.extend((!draft.rows.is_empty()).then(|| plain(&draft)));
        } else if section.state.is_some() {
            let new_states = decisions::state(&draft, &reading.profile)
                .map(|state| vec![state])
                .or_else(|| special::state(&draft))
                .unwrap_or_else(|| special::split_look_ahead(plain(&draft)));
            states.extend(new_states);
        } else {
            let in_rows = draft.rows.iter().flat_map(|row| &row.sentences);
            mark_actions_unread(draft.prefix.iter().chain(in_rows), reading);
        }
    }
    surroundings::finish(&mut states, reading);
    reading.states.iter_mut().for_each(|state| state.rows.retain(|row| !stated::is_listed(row)));
    for mut state in states.into_iter().map(write_state) {
        match reading.states.iter_mut().find(|other| other.name == state.name) {
            Some(stated) => stated.rows.append(&mut state.rows),
            None => reading.states.push(state),
        }
    }
    reading.states.sort_by_key(|state| state.line);
    for (name, steps) in std::mem::take(&mut reading.enters) {
        if let Some(state) = reading.states.iter_mut().find(|state| state.name == name) {
            state.enter = steps_text(&steps);
        }
    }
}

/// Marks those of the current section's sentences that have actions as unread, as no row has the actions.
pub(super) fn mark_actions_unread<'d>(
    sentences: impl IntoIterator<Item = &'d StatedSentence>,
    reading: &mut Reading,
) {
    let acting = sentences.into_iter().filter(|one| one.has_actions());
    let acting: Vec<u32> = acting.map(|one| one.hash).collect();
    let Reading { sentences, current_section, .. } = reading;
    let section_sentences = sentences.iter_mut().filter(|one| one.place == *current_section);
    section_sentences
        .filter(|one| acting.contains(&one.hash))
        .for_each(|one| one.read = Read::Unread);
}

/// Groups the sentences of a section by row.
fn draft(section: &Section, reading: &mut Reading) -> Draft {
    let mut draft = Draft {
        name: section.state.clone().unwrap_or_default(),
        section: reading.section(),
        line: section.line,
        ..Draft::default()
    };
    let mut antecedent = Antecedent::default();
    let mut labels: Vec<Label> = Vec::new();
    for (paragraph, block) in section.blocks.iter().enumerate() {
        let mut text = &block.text[..];
        if block.kind == BlockKind::Label && reading.is_remark(text) {
            note(reading, block.line, text, Some(&Statement::Remark));
            continue;
        }
        let label_parts = match block.kind {
            BlockKind::Label => english::row_labels(reading, text).map(|labels| (labels, "")),
            BlockKind::Item => english::item_labels(text),
            _ => None,
        };
        if let Some((new_labels, rest)) = label_parts {
            antecedent = Antecedent::default();
            labels.extend(new_labels);
            text = rest;
            if block.kind == BlockKind::Label
                && section
                    .blocks
                    .get(paragraph + 1)
                    .is_some_and(|next| next.kind == BlockKind::Label)
            {
                continue;
            }
            let labels = std::mem::take(&mut labels);
            let sentences = Vec::new();
            draft.rows.push(DraftRow { labels, sentences, line: block.line, paragraph });
        } else if block.kind == BlockKind::Label {
            note(reading, block.line, text, None);
            // The row begins here, although not all of its labels are known.
            antecedent = Antecedent::default();
            let labels = std::mem::take(&mut labels);
            let sentences = Vec::new();
            draft.rows.push(DraftRow { labels, sentences, line: block.line, paragraph });
            add_sentence(&mut draft, Statement::Unread, text, (paragraph, true), block);
        }
        if block.kind != BlockKind::Label {
            read_sentences(&mut draft, section, block, text, paragraph, &mut antecedent, reading);
        }
    }
    let (rows, unlabelled) = draft.rows.into_iter().partition(|row| !row.labels.is_empty());
    draft.rows = rows;
    reading.unlabelled_rows.extend(unlabelled.iter().map(|row: &DraftRow| row.line));
    draft
}

/// Reads the sentences of a block: actions into the draft, declarations and named steps into `reading`.
fn read_sentences(
    draft: &mut Draft,
    section: &Section,
    block: &Block,
    text: &str,
    paragraph: usize,
    antecedent: &mut Antecedent,
    reading: &mut Reading,
) {
    if let Some(numbers) = english::table_row(text).filter(|_| block.kind == BlockKind::Cells) {
        let is_read = stated::add_listed(numbers, (block.line, sentence::hash(text)), reading);
        note(reading, block.line, text, is_read.then_some(&Statement::Covered));
        return;
    }
    for (index, words) in sentence::divide(text).iter().enumerate() {
        let statement = match block.kind {
            BlockKind::Note => Some(Statement::Remark),
            _ if reading.is_remark(words) => Some(Statement::Remark),
            // A section without a state describes algorithms, so their wordings are tried first.
            _ if section.state.is_none() => algorithm_statement(reading, words, block.line)
                .or_else(|| english::read(reading, words, antecedent)),
            _ => english::read(reading, words, antecedent)
                .or_else(|| algorithm_statement(reading, words, block.line)),
        };
        let names = statement.iter().flat_map(Statement::class_names);
        let missing: Vec<String> = names
            .filter(|name| !reading.profile.classes.contains_key(*name))
            .map(str::to_owned)
            .collect();
        let statement = statement.filter(|_| missing.is_empty());
        reading.missing_classes.extend(missing);
        note(reading, block.line, words, statement.as_ref());
        match statement {
            Some(Statement::Describes(name, steps)) => {
                reading.record_steps((name, reading.section(), block.line), steps)
            }
            Some(Statement::Declares(Declaration::Rows(rows))) => {
                let origin = (block.line, sentence::hash(words));
                let are_all_added = stated::add(rows, draft, origin, reading);
                if let Some(last) = reading.sentences.last_mut().filter(|_| !are_all_added) {
                    last.read = Read::Unread;
                }
            }
            Some(Statement::Declares(declaration)) => declare(declaration, block.line, reading),
            Some(Statement::Leaves(steps)) => draft.leave = steps,
            Some(statement) => {
                add_sentence(draft, statement, words, (paragraph, index == 0), block)
            }
            None => add_sentence(draft, Statement::Unread, words, (paragraph, index == 0), block),
        }
    }
}

fn add_sentence(
    draft: &mut Draft,
    statement: Statement,
    words: &str,
    position: (usize, bool),
    block: &Block,
) {
    let sentence = StatedSentence::new(statement, words, position, block);
    match draft.rows.last_mut() {
        Some(row) => row.sentences.push(sentence),
        None => draft.prefix.push(sentence),
    }
}

/// Records in the list of sentences how a sentence was read.
pub(super) fn note(reading: &mut Reading, line: usize, words: &str, statement: Option<&Statement>) {
    let outcome = match statement {
        None => Read::Unread,
        Some(Statement::Remark) => Read::Remark,
        Some(_) => Read::Asks,
    };
    reading.note(words, line, outcome);
}

fn declare(declaration: Declaration, line: usize, reading: &mut Reading) {
    match declaration {
        Declaration::Start(state) => reading.start = Some(state),
        // The reader of modes declares the mode in which tree construction starts.
        Declaration::TreeStart(_) => {}
        // Added to the draft's section in `read_sentences`.
        Declaration::Rows(_) => {}
        Declaration::AtEnd(steps) => reading.at_end = Some(steps),
        Declaration::Item(items) => {
            for item in items.split(" declare ") {
                if !reading.declarations.iter().any(|(_, other)| other == item) {
                    reading.declarations.push((line, item.to_owned()));
                }
            }
        }
        Declaration::Enters(state, steps) => reading.enters.push((state, steps)),
        Declaration::AppendToAction(action, step) => {
            let prefix = format!("action {action} ");
            let mut items = reading.declarations.iter_mut().map(|(_, item)| item);
            if let Some(item) = items.find(|item| item.starts_with(&prefix))
                && let Some(end) = item.find(';')
            {
                item.insert_str(end + 1, &format!(" {step}"));
            }
        }
    }
}

/// Returns the steps that a sentence describes for a named algorithm, if it describes any.
pub(super) fn algorithm_statement(
    reading: &Reading,
    words: &str,
    line: usize,
) -> Option<Statement> {
    let (name, steps) = reading.algorithm_steps(words, line)?;
    Some(Statement::Describes(name, steps))
}

/// Builds a state that matches the next character; or one that matches no input, if the section has no rows and
/// consumes no character.
fn plain(draft: &Draft) -> State {
    let consumes = draft.prefix.iter().any(|sentence| sentence.statement == Statement::ConsumeNext);
    let starts_at_current =
        draft.prefix.iter().any(|sentence| sentence.statement == Statement::CurrentIs);
    let prefix = fold(&draft.prefix);
    let mut rows: Vec<Row> = Vec::new();
    for row in &draft.rows {
        let steps = with_prefix(&prefix, fold(&row.sentences), starts_at_current);
        let patterns = patterns(&row.labels, &draft.rows);
        let mut new_row = Row {
            is_gap: row.sentences.iter().any(|sentence| sentence.statement == Statement::Gap),
            ..Row::new(patterns, steps, row.line, &row.sentences)
        };
        if starts_at_current
            && !remove_step(&mut new_row.steps, &RowStep::Consume)
            && !new_row.steps.contains(&RowStep::Reconsume)
        {
            new_row.steps.push(RowStep::Reconsume);
        }
        rows.extend(special::split_ahead(new_row, true));
    }
    share_steps(&mut rows);
    if draft.rows.is_empty() {
        let pattern = if consumes { "else" } else { "always" };
        rows.push(Row::new([pattern], prefix, draft.line, &draft.prefix));
    }
    let lacks_end = (consumes || starts_at_current)
        && !rows
            .iter()
            .any(|row| row.guard.is_empty() && row.patterns.iter().any(|pattern| pattern == "EOF"));
    State { description: heading(draft), rows, lacks_end, ..State::default() }
}

/// Replaces a final `as PATTERN` by the steps of the row with that pattern, without their `reconsume`.
fn share_steps(rows: &mut Vec<Row>) {
    let others = rows.clone();
    for row in rows {
        let Some(RowStep::Act(action)) = row.steps.last() else { continue };
        let Some(pattern) = action.strip_prefix("as ").filter(|it| *it != "else") else { continue };
        let shared_row = others.iter().find(|other| other.patterns.iter().any(|it| it == pattern));
        if let Some(other) = shared_row {
            row.steps.pop();
            let steps = other.steps.iter().filter(|step| **step != RowStep::Reconsume);
            row.steps.extend(steps.cloned());
            row.hashes.extend(&other.hashes);
        }
    }
}

/// Returns a state with the draft's name, section and steps on leaving, but without rows.
pub(super) fn heading(draft: &Draft) -> DocumentState {
    DocumentState {
        name: draft.name.clone(),
        section: draft.section.clone(),
        line: draft.line,
        leave: steps_text(&draft.leave),
        ..DocumentState::default()
    }
}

/// Prepends the state's first steps to those of a row. If the row uses the collected text without its last character,
/// the current character is not collected at all.
fn with_prefix(
    prefix: &[RowStep],
    mut steps: Vec<RowStep>,
    starts_at_current: bool,
) -> Vec<RowStep> {
    let collect_step = RowStep::act("append current to temporary-buffer");
    let mut prefix = prefix.to_vec();
    if starts_at_current && steps.contains(&RowStep::AllButLast) {
        prefix.retain(|step| *step != collect_step);
        for step in &mut steps {
            if *step == RowStep::AllButLast {
                *step = RowStep::Operation("temporary-buffer".to_owned());
            }
        }
    }
    prefix.extend(steps);
    prefix
}

/// Removes every occurrence of a step, also in branches, and returns whether there was one.
pub(super) fn remove_step(steps: &mut Vec<RowStep>, removed: &RowStep) -> bool {
    let old_len = steps.len();
    steps.retain(|step| step != removed);
    let mut was_removed = steps.len() < old_len;
    for step in steps {
        if let RowStep::When(_, then, otherwise) = step {
            was_removed |= remove_step(then, removed) | remove_step(otherwise, removed);
        }
    }
    was_removed
}

/// Returns the patterns that a row's labels denote. `rows` are all rows of the state; a label for other characters
/// excludes those that the rows name.
pub(super) fn patterns(labels: &[Label], rows: &[DraftRow]) -> Vec<String> {
    let mut patterns = Vec::new();
    for label in labels {
        match label {
            Label::Pattern(pattern) => patterns.push(pattern.clone()),
            Label::OtherIn(ranges) => {
                let known_labels: Vec<String> = rows
                    .iter()
                    .flat_map(|row| &row.labels)
                    .map(|label| format!("{label:?}"))
                    .collect();
                let other_characters =
                    ranges.iter().flat_map(|&(first, last)| first..=last).filter(|&one| {
                        !known_labels.contains(&format!("{:?}", Label::Pattern(character(one))))
                    });
                patterns.extend(other_characters.map(character));
            }
        }
    }
    patterns
}

/// Converts sentences to steps. Consecutive conditions that end with an "otherwise" become nested branches; the first
/// one whose condition holds is taken.
pub(super) fn fold(sentences: &[StatedSentence]) -> Vec<RowStep> {
    let mut steps = fold_with_marks(sentences);
    remove_step(&mut steps, &RowStep::Regardless);
    steps
}

/// Converts sentences to steps like [`fold`], with a [`RowStep::Regardless`] before what is done in any case.
pub(super) fn fold_with_marks(sentences: &[StatedSentence]) -> Vec<RowStep> {
    let mut steps = Vec::new();
    let mut index = 0;
    while let Some(sentence) = sentences.get(index) {
        index += 1;
        match &sentence.statement {
            Statement::Acts(more) => steps.extend(more.iter().cloned()),
            Statement::Regardless(more) => {
                steps.push(RowStep::Regardless);
                steps.extend(more.iter().cloned());
            }
            Statement::If(asks, then) => {
                let mut branches = vec![(asks.clone(), then.clone())];
                if sentence.is_first && is_first_branch(&sentences[index..], sentence.paragraph) {
                    index += extend_from_paragraph(
                        &sentences[index..],
                        sentence.paragraph,
                        &mut branches[0].1,
                    );
                }
                let mut otherwise_steps = Vec::new();
                let mut ahead = index;
                let mut has_otherwise = false;
                while let Some(next) = sentences.get(ahead) {
                    ahead += 1;
                    match &next.statement {
                        Statement::If(asks, then) if next.is_first => {
                            branches.push((asks.clone(), then.clone()))
                        }
                        Statement::OtherwiseIf(asks, then) => {
                            branches.push((asks.clone(), then.clone()));
                            if let Some((_, then)) = branches.last_mut().filter(|_| next.is_first) {
                                ahead += extend_from_paragraph(
                                    &sentences[ahead..],
                                    next.paragraph,
                                    then,
                                );
                            }
                            index = ahead;
                            has_otherwise = true;
                        }
                        Statement::Otherwise(more) => {
                            otherwise_steps = more.clone();
                            // If all branches switch, a further switch in the paragraph belongs to the "otherwise".
                            let following_sentences = &sentences[ahead..];
                            let belongs_to_otherwise = next.is_first
                                || branches.iter().all(|(_, then)| switches(then))
                                    && switches(&acts_of_paragraph(
                                        following_sentences,
                                        next.paragraph,
                                    ));
                            if belongs_to_otherwise {
                                ahead += extend_from_paragraph(
                                    following_sentences,
                                    next.paragraph,
                                    &mut otherwise_steps,
                                );
                            }
                            index = ahead;
                            has_otherwise = true;
                            break;
                        }
                        Statement::Branch => {
                            otherwise_steps = fold_with_marks(&sentences[ahead..]);
                            index = sentences.len();
                            has_otherwise = true;
                            break;
                        }
                        Statement::Remark => {}
                        _ => break,
                    }
                }
                if !has_otherwise {
                    branches.truncate(1);
                }
                steps.push(nest_branches(branches, otherwise_steps));
            }
            Statement::BranchIf(asks) => {
                steps.push(paragraph_branches(asks, &sentences[index..]));
                index = sentences.len();
            }
            // No condition precedes, so the steps are reported as a difference instead of run always.
            alternative if is_alternative(alternative) => steps.push(RowStep::act(ORPHANED)),
            _ => {}
        }
    }
    steps
}

/// Returns a condition with branches of several paragraphs; the alternative extends to the end of the row.
fn paragraph_branches(asks: &[RowCondition], rest: &[StatedSentence]) -> RowStep {
    let is_branch = |sentence: &StatedSentence| sentence.statement == Statement::Branch;
    let end = rest.iter().position(is_branch).unwrap_or(rest.len());
    let otherwise = rest.get(end + 1..).map(fold_with_marks).unwrap_or_default();
    RowStep::When(asks.to_vec(), fold_with_marks(&rest[..end]), otherwise)
}

/// Whether the statement begins with "otherwise", which refers to a condition before it.
pub(super) fn is_alternative(statement: &Statement) -> bool {
    matches!(statement, Statement::Otherwise(_) | Statement::OtherwiseIf(..))
}

/// Whether a paragraph is the first branch: it contains no "otherwise", and the next paragraph begins with one.
fn is_first_branch(sentences: &[StatedSentence], paragraph: usize) -> bool {
    let is_alternative = |sentence: &StatedSentence| is_alternative(&sentence.statement);
    let (mine, rest): (Vec<&StatedSentence>, Vec<&StatedSentence>) =
        sentences.iter().partition(|sentence| sentence.paragraph == paragraph);
    !mine.into_iter().any(is_alternative) && rest.first().is_some_and(|next| is_alternative(next))
}

/// Whether one of the steps switches to another state.
fn switches(steps: &[RowStep]) -> bool {
    steps.iter().any(|step| matches!(step, RowStep::Act(action) if action.starts_with("switch ")))
}

/// Returns the actions of the sentences before the first one that does not belong to the paragraph.
fn acts_of_paragraph(sentences: &[StatedSentence], paragraph: usize) -> Vec<RowStep> {
    let mut steps = Vec::new();
    extend_from_paragraph(sentences, paragraph, &mut steps);
    steps
}

/// Appends the steps of the sentences before the first one that does not belong to the paragraph, or to this branch of
/// the condition before these sentences, and returns the number of these sentences.
fn extend_from_paragraph(
    sentences: &[StatedSentence],
    paragraph: usize,
    steps: &mut Vec<RowStep>,
) -> usize {
    let mut has_condition = false;
    let belongs = |next: &&StatedSentence| {
        has_condition |= matches!(next.statement, Statement::If(..));
        let follows_all_branches =
            is_alternative(&next.statement) || matches!(next.statement, Statement::Regardless(_));
        next.paragraph == paragraph && (has_condition || !follows_all_branches)
    };
    let count = sentences.iter().take_while(belongs).count();
    steps.extend(fold_with_marks(&sentences[..count]));
    count
}

fn nest_branches(
    branches: Vec<(Vec<RowCondition>, Vec<RowStep>)>,
    otherwise_steps: Vec<RowStep>,
) -> RowStep {
    let mut otherwise = otherwise_steps;
    for (asks, then) in branches.into_iter().rev() {
        otherwise = vec![RowStep::When(asks, then, otherwise)];
    }
    otherwise.remove(0)
}

/// Converts a state to rows of text in the table language.
fn write_state(state: State) -> DocumentState {
    let mut description = state.description;
    description.rows = state
        .rows
        .into_iter()
        .map(|row| super::DocumentRow {
            patterns: row.patterns.join(" | "),
            guard: (!row.guard.is_empty()).then(|| conditions_text(&row.guard)),
            steps: steps_text(&row.steps),
            line: row.line,
            is_gap: row.is_gap,
            hashes: row.hashes,
        })
        .collect();
    description
}
