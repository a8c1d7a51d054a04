//! Turns sections on tree construction into modes: labels become rows, and sentences become their steps. Rows keep the
//! order of the document.

use super::blocks::{Block, BlockKind};
use super::english::{self, Antecedent};
use super::sections::Section;
use super::sentence;
use super::statement::{
    Declaration, RowCondition, RowStep, Statement, assume, conditions_text, end_at, find_condition,
    steps_text,
};
use super::states::{StatedSentence, algorithm_statement, fold_with_marks, note, remove_step};
use super::{DocumentRow, DocumentState, Reading};
use tabulex_language::model::kebab_case;

/// A row with its sentences, before these are converted to steps.
#[derive(Debug)]
struct DraftModeRow {
    patterns: Vec<String>,
    sentences: Vec<StatedSentence>,
    line: usize,
    /// Nesting depth of the row's label in lists.
    depth: usize,
}

impl DraftModeRow {
    fn new(patterns: Vec<String>, block: &Block) -> Self {
        Self { patterns, sentences: Vec::new(), line: block.line, depth: block.depth }
    }
}

/// Reads the sections on tree construction, and adds their modes and declarations to `reading`.
pub(super) fn read(sections: &[Section], reading: &mut Reading) {
    // Steps that a section without rows states for a kind of token precede the steps for that kind in all later modes.
    let mut common_rows: Vec<DraftModeRow> = Vec::new();
    let mut classes = Vec::new();
    for section in sections {
        let rows = rows(section, reading, &mut common_rows);
        if rows.is_empty() {
            continue;
        }
        let is_first = reading.modes.is_empty();
        let mut mode = DocumentState {
            name: kebab_case(section.title.trim_start_matches(|c: char| !c.is_alphabetic())),
            section: reading.section(),
            line: section.line,
            ..DocumentState::default()
        };
        for mut row in rows {
            let matching_rows =
                common_rows.iter().filter(|common| row.patterns.contains(&common.patterns[0]));
            for common in matching_rows {
                row.sentences.splice(0..0, common.sentences.clone());
            }
            let mut steps = end_at("ignore", fold_with_marks(&row.sentences));
            remove_step(&mut steps, &RowStep::Regardless);
            let steps = merge_insertions(steps, is_first);
            mode.rows.extend(split_by_token(row, steps, &mut classes));
        }
        reading.modes.push(mode);
    }
    let is_start = |(_, item): &(usize, String)| item.starts_with("tree start ");
    if let Some(first) = reading.modes.first()
        && !reading.declarations.iter().any(is_start)
    {
        let item = format!("tree start {};", first.name);
        reading.declarations.push((first.line, item));
    }
    reading.declarations.extend(classes);
}

/// Reads the rows of a section. If the section has none, its steps for kinds of tokens are added to `common_rows`.
fn rows(
    section: &Section,
    reading: &mut Reading,
    common_rows: &mut Vec<DraftModeRow>,
) -> Vec<DraftModeRow> {
    let mut rows: Vec<DraftModeRow> = Vec::new();
    // `leading_rows` holds the sentences before the first label; `outer_rows` holds the labels that the current one
    // refines.
    let (mut leading_rows, mut outer_rows): (Vec<DraftModeRow>, Vec<DraftModeRow>) =
        (Vec::new(), Vec::new());
    let mut is_labelled = false;
    reading.current_section.clone_from(&section.title);
    for (paragraph, block) in section.blocks.iter().enumerate() {
        let labels = Some(&block.text[..])
            .filter(|_| matches!(block.kind, BlockKind::Label | BlockKind::Item))
            .and_then(|text| english::token_labels(reading, text));
        if let Some(labels) = labels {
            match rows.last_mut().filter(|_| is_labelled) {
                Some(row) => row.patterns.extend(labels),
                None => {
                    let is_outer = |row: &mut DraftModeRow| {
                        let has_no_steps =
                            row.sentences.iter().all(|it| it.statement == Statement::Remark);
                        has_no_steps && row.depth < block.depth
                    };
                    outer_rows.retain(|row| row.depth < block.depth);
                    outer_rows.extend(rows.pop_if(is_outer));
                    let outer_kinds = outer_rows.last().map(|row| &row.patterns[..]);
                    let patterns =
                        outer_kinds.map_or(labels.clone(), |kinds| refine(kinds, &labels));
                    rows.push(DraftModeRow::new(patterns, block));
                }
            }
            is_labelled = true;
            continue;
        }
        is_labelled = false;
        for (index, words) in sentence::divide(&block.text).into_iter().enumerate() {
            let statement = match block.kind {
                BlockKind::Note => Some(Statement::Remark),
                _ if reading.is_remark(&words) => Some(Statement::Remark),
                _ => algorithm_statement(reading, &words, block.line)
                    .or_else(|| english::read(reading, &words, &mut Antecedent::default()))
                    .filter(|statement| has_meaning(statement, !rows.is_empty())),
            };
            note(reading, block.line, &words, statement.as_ref());
            let stated =
                |statement| StatedSentence::new(statement, &words, (paragraph, index == 0), block);
            // An item after the list of rows describes the end of the input.
            let is_after_list = rows.last().is_some_and(|row| block.depth < row.depth);
            let without_effect = [Statement::Remark, Statement::Acts(Vec::new())];
            let has_effect = statement.as_ref().is_some_and(|it| !without_effect.contains(it));
            if block.kind == BlockKind::Item && is_after_list && has_effect {
                rows.push(DraftModeRow::new(vec!["EOF".to_owned()], block));
            }
            match (statement, rows.last_mut()) {
                (Some(Statement::Declares(Declaration::TreeStart(mode))), _) => {
                    reading.declarations.push((block.line, format!("tree start {mode};")));
                }
                (Some(Statement::Declares(Declaration::Item(item))), _) => {
                    reading.declarations.push((block.line, item));
                }
                (Some(Statement::Describes(name, steps)), _) => {
                    reading.record_steps((name, reading.section(), block.line), steps);
                }
                (Some(Statement::If(asks, steps)), None) => {
                    if let [RowCondition::Token(kind)] = &asks[..] {
                        let row = DraftModeRow::new(vec![kind.clone()], block);
                        let sentences = vec![stated(Statement::Acts(steps))];
                        leading_rows.push(DraftModeRow { sentences, ..row });
                    }
                }
                (Some(statement), Some(row)) => row.sentences.push(stated(statement)),
                _ => {}
            }
        }
    }
    match rows.is_empty() {
        true => common_rows.append(&mut leading_rows),
        false => drop(rows.splice(0..0, leading_rows)),
    }
    rows
}

/// Whether a statement has a meaning in a mode: in a row, or before the first one.
fn has_meaning(statement: &Statement, is_in_row: bool) -> bool {
    match statement {
        Statement::Covered | Statement::Describes(..) | Statement::Remark => true,
        Statement::Declares(Declaration::TreeStart(_) | Declaration::Item(_)) => true,
        Statement::Acts(steps) => is_in_row || steps.is_empty(),
        Statement::If(asks, _) => is_in_row || matches!(&asks[..], [RowCondition::Token(_)]),
        Statement::OtherwiseIf(..)
        | Statement::Otherwise(_)
        | Statement::Regardless(_)
        | Statement::BranchIf(_)
        | Statement::Branch => is_in_row,
        // All other statements are about states.
        _ => false,
    }
}

/// Returns the patterns for kinds of tokens with the names in labels; `else` stands for any name.
fn refine(kinds: &[String], labels: &[String]) -> Vec<String> {
    let with_names = |kind: &String| match &labels.join(" | ")[..] {
        "else" => kind.clone(),
        names => format!("{kind} {names}"),
    };
    kinds.iter().map(with_names).collect()
}

/// Merges the creation of a node and its insertion into one action. In the first mode, appending an element to the
/// document becomes appending it to the current node, which is the document there.
fn merge_insertions(steps: Vec<RowStep>, is_first: bool) -> Vec<RowStep> {
    let mut created: Option<String> = None;
    let mut merged = Vec::new();
    for step in steps {
        match step {
            RowStep::Act(action) => match action.strip_prefix("make ") {
                Some(node) => created = Some(node.to_owned()),
                None if action == "append made" => merged.extend(created.take().map(RowStep::Act)),
                None => {
                    let element = action.strip_suffix(" to document");
                    let element = element.filter(|it| is_first && it.ends_with("-element"));
                    merged.push(RowStep::act(element.unwrap_or(&action)));
                }
            },
            RowStep::When(asks, then, otherwise) => merged.push(RowStep::When(
                asks,
                merge_insertions(then, is_first),
                merge_insertions(otherwise, is_first),
            )),
            other => merged.push(other),
        }
    }
    merged
}

fn is_about_token(ask: &RowCondition) -> bool {
    matches!(ask, RowCondition::Name(_) | RowCondition::OnlyOf(_))
}

/// Splits a row by its conditions on the token's name or characters: a row for each, then one for the whole kind. Adds
/// the declarations of the classes that the rows name, each with its line, to `classes`.
fn split_by_token(
    row: DraftModeRow,
    mut steps: Vec<RowStep>,
    classes: &mut Vec<(usize, String)>,
) -> Vec<DocumentRow> {
    let to_row = |patterns: String, steps: &[RowStep]| {
        let steps = steps_text(steps);
        DocumentRow {
            patterns,
            steps: if steps.is_empty() { "ignore;".to_owned() } else { steps },
            line: row.line,
            hashes: row.sentences.iter().map(|one| one.hash).collect(),
            ..DocumentRow::default()
        }
    };
    let patterns = row.patterns.join(" | ");
    let mut rows = Vec::new();
    while let Some(ask) = find_condition(&steps, is_about_token) {
        let pattern = match &ask {
            RowCondition::Name(name) => format!("{patterns} {name:?}"),
            RowCondition::OnlyOf(characters) => {
                // The name of a class consists of the number of its patterns.
                let class = format!("only-{}", characters.len());
                let set = characters.join(" | ");
                classes.push((row.line, format!("class {class} = {set};")));
                format!("{patterns} {class}")
            }
            other => conditions_text(std::slice::from_ref(other)),
        };
        rows.push(to_row(pattern, &assume(&steps, &ask, true)));
        steps = assume(&steps, &ask, false);
    }
    rows.push(to_row(patterns, &steps));
    rows
}
