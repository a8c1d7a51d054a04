//! Builds states of special forms: bulk reading, look-ahead strings, calls, numbers, expected strings. Each becomes
//! rows with the same effect on one character at a time. All other states are built in `states`.

use super::DocumentState;
use super::english::Label;
use super::statement::{
    AlgorithmPart, EXCESSIVE, RowCondition, RowStep, Statement, assume, character, find_condition,
    string,
};
use super::states::{Draft, DraftRow, Row, State, fold, heading, patterns, remove_consume};

/// Builds the states of a draft that has a special form; returns `None` if it has none.
pub(super) fn state(draft: &Draft) -> Option<Vec<State>> {
    let has_statement = |wanted: fn(&Statement) -> bool| {
        draft.prefix.iter().any(|sentence| wanted(&sentence.statement))
    };
    if has_statement(|statement| matches!(statement, Statement::Call(..))) {
        return Some(vec![calling_state(draft)]);
    }
    if has_statement(|statement| matches!(statement, Statement::BulkCharacters(_))) {
        return bulk_state(draft).map(|state| vec![state]);
    }
    if has_statement(|statement| *statement == Statement::NextAre) {
        return Some(vec![look_ahead_state(draft)]);
    }
    if has_statement(|statement| *statement == Statement::CheckNumber) {
        return Some(vec![number_state(draft)]);
    }
    if draft
        .rows
        .iter()
        .flat_map(|row| &row.sentences)
        .any(|sentence| matches!(sentence.statement, Statement::Piece(AlgorithmPart::Context(..))))
    {
        return expected_string_states(draft);
    }
    if has_statement(|statement| *statement == Statement::Piece(AlgorithmPart::Expected)) {
        // This section matches one character; `expected_string_states` has built a state for the whole string.
        return Some(Vec::new());
    }
    if draft.rows.iter().any(|row| row.labels.iter().any(|label| matches!(label, Label::Match(_))))
    {
        return Some(vec![longest_name_state(draft)]);
    }
    let steps = fold(&draft.prefix);
    (draft.rows.is_empty() && looks_ahead(&steps)).then(|| {
        let row = Row::new(["else", "EOF"], steps, draft.line, &draft.prefix);
        vec![comparing_state(heading(draft), row)]
    })
}

/// Whether steps begin with a condition on the input ahead.
fn looks_ahead(steps: &[RowStep]) -> bool {
    let is_ahead = |ask: &RowCondition| matches!(ask, RowCondition::Ahead { .. });
    matches!(steps, [RowStep::When(asks, ..), ..] if asks.iter().any(is_ahead))
}

/// Builds a state that calls a procedure. Steps that depend on neither result are run for both.
fn calling_state(draft: &Draft) -> State {
    let mut state = State { description: heading(draft), ..State::default() };
    for sentence in &draft.prefix {
        if let Statement::Call(procedure, step) = &sentence.statement {
            state.description.subject = Some(procedure.clone());
            state.caller_steps.extend(step.clone().map(RowStep::Act));
        }
    }
    let steps = fold(&draft.prefix);
    for (pattern, is_nothing) in [("nothing", true), ("returned", false)] {
        let steps = assume(&steps, &RowCondition::Nothing, is_nothing)
            .into_iter()
            .map(|step| match step {
                RowStep::SwitchBack => {
                    state.returns_to_caller = true;
                    RowStep::act("switch return-state")
                }
                other => other,
            })
            .collect();
        state.rows.push(Row::new([pattern], steps, draft.line, &draft.prefix));
    }
    state
}

/// Builds a state that reads all characters up to a string, or up to the end of the input.
fn bulk_state(draft: &Draft) -> Option<State> {
    let mut state = State { description: heading(draft), ..State::default() };
    let (mut until, mut token, mut replaced, mut target) = (String::new(), "", None, String::new());
    let mut other_sentences = Vec::new();
    for sentence in &draft.prefix {
        match &sentence.statement {
            Statement::BulkCharacters(end) => until = end.clone(),
            Statement::BulkComment(takes_cause, replacement) => {
                token = "comment";
                replaced = *replacement;
                state.takes_cause = *takes_cause;
            }
            Statement::BulkEmit => token = "text",
            Statement::EndReached(Some(name)) => target.clone_from(name),
            Statement::Acts(steps) => {
                for step in steps {
                    if let RowStep::Act(action) = step {
                        target.clone_from(&action.strip_prefix("switch ")?.to_owned());
                    }
                }
            }
            _ => other_sentences.push(sentence.clone()),
        }
    }
    let emits = token == "comment";
    let end_row = |pattern: String, at_end: bool| {
        let mut steps: Vec<RowStep> =
            emits.then(|| RowStep::act("emit comment")).into_iter().collect();
        steps.extend(fold(&other_sentences));
        steps.extend((!target.is_empty()).then(|| RowStep::act(format!("switch {target}"))));
        steps.extend(at_end.then_some(RowStep::Reconsume));
        (pattern, steps)
    };
    let mut rows = vec![end_row(pattern(&until), false)];
    if let Some((from, to)) = replaced {
        rows.push((
            character(from),
            vec![RowStep::act(format!("append {} to comment", character(to)))],
        ));
    }
    rows.push(end_row("EOF".to_owned(), true));
    let each_action = if emits { "append current to comment" } else { "emit current" };
    rows.push(("else".to_owned(), vec![RowStep::act(each_action)]));
    if emits {
        state.enter.push(RowStep::act("create comment"));
    }
    let row = |(pattern, steps): (String, _)| Row::new([pattern], steps, draft.line, &draft.prefix);
    state.rows = rows.into_iter().map(row).collect();
    Some(state)
}

/// Builds a state that compares the input ahead with the strings that a row's steps test.
fn comparing_state(description: DocumentState, row: Row) -> State {
    let mut rows = split_row(row, false);
    if let Some(last) = rows.last_mut() {
        // The last row, for input that no string matches, consumes nothing.
        last.steps.push(RowStep::Reconsume);
    }
    State { description, rows, ..State::default() }
}

/// Returns the pattern of a text: a character, or a string.
fn pattern(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) => character(one),
        _ => string(text),
    }
}

/// Splits a row whose steps test whether strings begin at the current character: into a row for each string, and one
/// for all other inputs that the row matches. Removes each [`RowStep::Consume`], except in front of a look-ahead.
pub(super) fn split_ahead(row: Row) -> Vec<Row> {
    split_row(row, true)
}

fn split_row(row: Row, from_current_character: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut remaining = row.steps.clone();
    while let [RowStep::When(asks, then, otherwise), rest @ ..] = &remaining[..] {
        let Some(RowCondition::Ahead { text, ignoring_case, from_current }) =
            asks.iter().find(|ask| matches!(ask, RowCondition::Ahead { .. }))
        else {
            break;
        };
        if *from_current != from_current_character {
            break;
        }
        let mut steps = [then, rest].concat();
        // The row of a text consumes all of it.
        if !remove_consume(&mut steps) && !steps.contains(&RowStep::Reconsume) {
            steps.extend(match from_current_character {
                true => text.chars().skip(1).map(|_| RowStep::act(EXCESSIVE)).collect(),
                false => vec![RowStep::Reconsume],
            });
        }
        let case = if *ignoring_case { " ignoring-case" } else { "" };
        let is_guard = |ask: &&RowCondition| !matches!(ask, RowCondition::Ahead { .. });
        rows.push(Row {
            patterns: vec![pattern(text) + case],
            guard: asks.iter().filter(is_guard).cloned().collect(),
            steps,
            ..row.clone()
        });
        remaining = [otherwise, rest].concat();
    }
    if from_current_character && !looks_ahead(&remaining) {
        // The row's pattern consumes the current character.
        remove_consume(&mut remaining);
    }
    rows.push(Row { steps: remaining, ..row });
    rows
}

/// Builds a state whose row labels are look-ahead strings.
fn look_ahead_state(draft: &Draft) -> State {
    let mut rows = Vec::new();
    for row in &draft.rows {
        let patterns = patterns(&row.labels, &draft.rows);
        let steps = [fold(&draft.prefix), fold(&row.sentences)].concat();
        let mut new_row = Row::new(patterns, steps, row.line, &row.sentences);
        remove_consume(&mut new_row.steps);
        if new_row.patterns == ["else"] {
            new_row.patterns.push("EOF".to_owned());
            new_row.steps.push(RowStep::Reconsume);
        }
        rows.push(new_row);
    }
    State { description: heading(draft), rows, ..State::default() }
}

/// Ranges of numbers, the steps for them, and the hash of the sentence.
type NumberRow = (Vec<(u32, Option<u32>)>, Vec<RowStep>, u32);

/// Builds the state that checks the number of a character reference.
fn number_state(draft: &Draft) -> State {
    let mut state = State { description: heading(draft), ..State::default() };
    state.description.subject = Some("character-reference-code".to_owned());
    let sentences = || draft.prefix.iter().chain(draft.rows.iter().flat_map(|row| &row.sentences));
    let mut final_sentences = Vec::new();
    let mut branches: Vec<NumberRow> = Vec::new();
    let mut table = Vec::new();
    for sentence in sentences() {
        match (&sentence.statement, branches.last_mut()) {
            (Statement::Piece(AlgorithmPart::NumberIs(numbers, error)), _) => {
                branches.push((
                    numbers.clone(),
                    vec![RowStep::act(format!("error {error}"))],
                    sentence.hash,
                ));
            }
            (Statement::Piece(AlgorithmPart::TableRow(from, to)), _) => {
                table.push((*from, *to, sentence.hash))
            }
            (Statement::Acts(steps), Some((_, branch, _))) if steps.iter().all(sets_number) => {
                branch.extend(steps.iter().cloned());
            }
            _ => final_sentences.push(sentence.clone()),
        }
    }
    let final_steps = fold(&final_sentences);
    let set_number =
        |number: u32| RowStep::act(format!("set character-reference-code 0x{number:X}"));
    let table_rows: Vec<_> = table
        .iter()
        .map(|&(from, to, hash)| {
            let error = branches.iter().find(|(numbers, ..)| {
                numbers
                    .iter()
                    .any(|&(first, last)| first <= from && last.is_none_or(|last| from <= last))
            });
            let mut steps: Vec<RowStep> =
                error.map(|(_, steps, _)| steps.clone()).unwrap_or_default();
            steps.push(set_number(to));
            (vec![(from, Some(from))], steps, hash)
        })
        .collect();
    for (numbers, mut steps, hash) in table_rows.into_iter().chain(branches) {
        steps.extend(final_steps.iter().cloned());
        let patterns = numbers.iter().map(|&(first, last)| numbers_pattern(first, last));
        let row = Row::new(patterns, steps, draft.line, &[]);
        state.rows.push(Row { hashes: vec![hash], ..row });
    }
    let hashes = sentences().map(|sentence| sentence.hash).collect();
    state.rows.push(Row { hashes, ..Row::new(["else"], final_steps, draft.line, &[]) });
    state
}

fn sets_number(step: &RowStep) -> bool {
    matches!(step, RowStep::Act(action) if action.starts_with("set character-reference-code"))
}

/// Formats a range of numbers in the table language; `last` is inclusive, or `None` for an open range.
pub(super) fn numbers_pattern(first: u32, last: Option<u32>) -> String {
    match last {
        Some(last) if last == first => format!("0x{first:X}"),
        Some(last) => format!("0x{first:X}..=0x{last:X}"),
        None => format!("0x{first:X}.."),
    }
}

/// Builds a state that chooses an expected string by the parsing context, and `expect-a-string`, which compares it.
fn expected_string_states(draft: &Draft) -> Option<Vec<State>> {
    let mut choosing_state = State { description: heading(draft), ..State::default() };
    let mut string_state = State::default();
    string_state.description.name = "expect-a-string".to_owned();
    string_state.description.section.clone_from(&choosing_state.description.section);
    string_state.description.line = draft.line;
    let mut failure = String::new();
    for row in &draft.rows {
        let to_row =
            |patterns: Vec<String>, steps| Row::new(patterns, steps, row.line, &row.sentences);
        let Some((context, fails)) =
            row.sentences.iter().find_map(|sentence| match &sentence.statement {
                Statement::Piece(AlgorithmPart::Context(context, fails)) => Some((context, fails)),
                _ => None,
            })
        else {
            let mut steps = fold(&row.sentences);
            steps.push(RowStep::Reconsume);
            choosing_state.rows.push(to_row(patterns(&row.labels, &draft.rows), steps));
            continue;
        };
        let (expected, success) =
            row.sentences.iter().find_map(|sentence| match &sentence.statement {
                Statement::Piece(AlgorithmPart::Expect(expected, success)) => {
                    Some((expected, success))
                }
                _ => None,
            })?;
        failure.clone_from(fails);
        let guard = vec![RowCondition::Plain(format!("parsing-context is {context}"))];
        let mut steps = fold(&row.sentences);
        steps.push(RowStep::act("switch expect-a-string"));
        let row = to_row(patterns(&row.labels, &draft.rows), steps);
        choosing_state.rows.push(Row { guard: guard.clone(), ..row });
        let after_first: String = expected.chars().skip(1).collect();
        let steps = vec![RowStep::act(format!("switch {success}"))];
        string_state.rows.push(Row { guard, ..to_row(vec![string(&after_first)], steps) });
    }
    let steps = vec![RowStep::act(format!("switch {failure}")), RowStep::Reconsume];
    string_state.rows.push(Row::new(["else"], steps, draft.line, &[]));
    (choosing_state.lacks_end, string_state.lacks_end) = (true, true);
    Some(vec![choosing_state, string_state])
}

/// Builds a state that matches the longest name of a character reference, with a row for no match.
fn longest_name_state(draft: &Draft) -> State {
    let mut state = State { description: heading(draft), ..State::default() };
    let is_buffered = draft
        .prefix
        .iter()
        .any(|sentence| sentence.statement == Statement::Piece(AlgorithmPart::Buffered));
    let append_matched = is_buffered.then(|| RowStep::act("append matched to temporary-buffer"));
    for row in &draft.rows {
        let is_match = row.labels.contains(&Label::Match(true));
        let mut steps = [fold(&draft.prefix), fold(&row.sentences)].concat();
        let patterns: &[&str] = if is_match { &["reference"] } else { &["else", "EOF"] };
        if is_match {
            steps.splice(0..0, append_matched.clone());
        } else {
            steps.push(RowStep::Reconsume);
        }
        state.rows.push(Row::new(patterns.iter().copied(), steps, row.line, &row.sentences));
    }
    state
}

/// Returns the row for text that is no end tag of the current element, if the state begins with that test.
pub(super) fn non_end_tag_row(draft: &Draft) -> Option<Row> {
    let values = draft.prefix.iter().find_map(|sentence| match &sentence.statement {
        Statement::Piece(AlgorithmPart::UnlessEndTag(values)) => Some(values.clone()),
        _ => None,
    })?;
    let mut steps = fold(&draft.prefix);
    steps.push(RowStep::Reconsume);
    let lacks_end_tag =
        RowCondition::Plain("not last-start-tag-name-ahead before listed".to_owned());
    let guard = vec![RowCondition::Any(values), lacks_end_tag];
    Some(Row { guard, ..Row::new(ANY_INPUT, steps, draft.line, &draft.prefix) })
}

/// Patterns that together match every input.
const ANY_INPUT: [&str; 2] = ["'\\0'..='\\u{10FFFF}'", "EOF"];

/// Returns the rows under a label for values of a flag: one for the character that the sentence names, and one for all
/// other input.
pub(super) fn rows_under_flag(
    row: &DraftRow,
    guard: &[RowCondition],
    prefix: &[RowStep],
) -> Vec<Row> {
    let mut steps = [prefix, &fold(&row.sentences)].concat();
    let to_row = |patterns: Vec<String>, steps| Row {
        guard: guard.to_vec(),
        ..Row::new(patterns, steps, row.line, &row.sentences)
    };
    let mut rows = Vec::new();
    let is_current = |ask: &RowCondition| matches!(ask, RowCondition::Current(_));
    while let Some(ask @ RowCondition::Current(one)) = find_condition(&steps, is_current) {
        rows.push(to_row(vec![character(one)], assume(&steps, &ask, true)));
        steps = assume(&steps, &ask, false);
    }
    if !steps.is_empty() {
        rows.push(to_row(ANY_INPUT.map(str::to_owned).to_vec(), steps));
    }
    rows
}

/// Returns the declaration of the class `listed`, if the section lists characters.
pub(super) fn listed_class(draft: &Draft) -> Option<String> {
    let listed = draft.prefix.iter().filter_map(|sentence| match &sentence.statement {
        Statement::Piece(AlgorithmPart::Listed(pattern)) if pattern != "EOF" => {
            Some(pattern.clone())
        }
        _ => None,
    });
    let listed: Vec<String> = listed.collect();
    (!listed.is_empty()).then(|| format!("class listed = {};", listed.join(" | ")))
}

/// Moves the look-ahead that follows a consumed character into an additional state for each such row.
pub(super) fn split_look_ahead(mut state: State) -> Vec<State> {
    let mut after_states: Vec<State> = Vec::new();
    for row in &mut state.rows {
        if !looks_ahead(&row.steps) {
            continue;
        }
        let DocumentState { name, section, line, .. } = state.description.clone();
        let number = after_states.len() + 1;
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("{name}-after-character{suffix}");
        let switch = RowStep::act(format!("switch {name}"));
        let steps = std::mem::replace(&mut row.steps, vec![switch]);
        let hashes = row.hashes.clone();
        let row = Row { hashes, ..Row::new(["else", "EOF"], steps, row.line, &[]) };
        let description = DocumentState { name, section, line, ..DocumentState::default() };
        after_states.push(comparing_state(description, row));
    }
    after_states.insert(0, state);
    after_states
}
