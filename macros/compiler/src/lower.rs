//! Lowering: rows over characters become blocks over UTF-8 bytes, and steps become flat lists of actions. For every
//! ASCII byte, every non-ASCII character and the end of the input, a block has the candidate rows in order; the last
//! one has no test.

use tabulex_language::model::{
    Action, CharacterSet, Condition, Machine, Pattern, Row, State, StateId, Step, Subject, Text,
    Transfer,
};

mod lexeme;

pub use lexeme::Lexemes;

/// The blocks of a lowered machine.
#[derive(Debug)]
pub struct Lowered {
    /// A block for each state, in table order, followed by the blocks for results of calls.
    pub blocks: Vec<Block>,
}

/// A basic block of the generated code.
#[derive(Debug)]
pub struct Block {
    /// The origin of the block.
    pub kind: BlockKind,
    /// The name of the block in kebab case.
    pub name: String,
    /// Whether the range of emitted text begins anew at each character that the block consumes.
    pub is_content: bool,
    /// The code of the block.
    pub body: Body,
}

/// The origin of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// The rows of a state.
    State(StateId),
    /// The row that a calling state runs if the procedure returns nothing.
    Nothing(StateId),
    /// The row that a calling state runs if the procedure returns characters.
    Returned(StateId),
}

/// The code of a block.
#[derive(Debug)]
pub enum Body {
    /// Matches the next character.
    Input(Input),
    /// Calls the procedure with the given start state.
    Call(StateId),
    /// Matches the character reference code: plans by ranges of codes, and the default plan.
    Number(Vec<(Vec<(u32, u32)>, Plan)>, Plan),
    /// Runs a plan unconditionally.
    Plan(Plan),
}

/// The body of a block that matches the next character.
#[derive(Debug)]
pub struct Input {
    /// The lexical tokens, which are tried first; `None` outside lexical modes.
    pub lexemes: Option<Box<Lexemes>>,
    /// The patterns matched by look-ahead, longest first.
    pub ahead: Vec<AheadArm>,
    /// The ASCII bytes, grouped by their candidate rows.
    pub bytes: Vec<ByteArm>,
    /// The sets of non-ASCII characters that rows mention, each with its candidate rows.
    pub beyond_ascii: Vec<(CharacterSet, Vec<Candidate>)>,
    /// The candidate rows for all other non-ASCII characters.
    pub otherwise: Vec<Candidate>,
    /// The candidate rows at the end of the input.
    pub end_of_file: Vec<Candidate>,
}

/// A pattern matched by look-ahead, with its row.
#[derive(Debug)]
pub struct AheadArm {
    /// The pattern to match.
    pub pattern: AheadPattern,
    /// The row to run if the pattern matches.
    pub candidate: Candidate,
}

/// A pattern matched by look-ahead.
#[derive(Clone, Debug)]
pub enum AheadPattern {
    /// A string, and whether ASCII letters match case-insensitively.
    Text(String, bool),
    /// A named character reference.
    Reference,
}

/// ASCII bytes with the same candidate rows.
#[derive(Debug)]
pub struct ByteArm {
    /// The bytes in ascending order.
    pub bytes: Vec<u8>,
    /// The candidate rows in order; the last one has no test.
    pub candidates: Vec<Candidate>,
}

/// A row that applies if its tests succeed.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The tests, which must all succeed.
    pub tests: Vec<Test>,
    /// The steps of the row as a plan.
    pub plan: Plan,
}

/// A test of a row beyond its pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The guard of the row holds.
    Condition(Condition),
    /// The byte is the additional allowed character.
    IsAdditionalAllowedCharacter,
}

/// A decision tree over conditions with lists of actions as leaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// A condition, the plan if it holds, and the plan if it does not.
    When(Condition, Box<Plan>, Box<Plan>),
    /// The actions to run.
    List(List),
}

/// A list of actions without conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The number of the row in the whole table, from 0.
    pub row: u16,
    /// The actions in order, including those of `leave` and `enter`.
    pub actions: Vec<Action>,
    /// Whether the input that the row matches is consumed again.
    pub reconsumes: bool,
    /// The destination after the actions. If it is nowhere, the machine stays in its state, and neither `enter` nor
    /// `leave` runs.
    pub next: Transfer,
}

/// Lowers the rows of a machine to blocks.
pub fn lower(machine: &Machine) -> Lowered {
    let mut blocks: Vec<Block> = machine.state_ids().map(|id| state_block(machine, id)).collect();
    for id in machine.state_ids() {
        let state = machine.state(id);
        if matches!(state.subject, Subject::Result(_)) {
            for (pattern, suffix, kind) in [
                (Pattern::Nothing, "nothing", BlockKind::Nothing(id)),
                (Pattern::Returned, "returned", BlockKind::Returned(id)),
            ] {
                let body = Body::Plan(plan_of(machine, id, |other| *other == pattern));
                blocks.push(Block {
                    kind,
                    name: format!("{}-{suffix}", state.name),
                    is_content: false,
                    body,
                });
            }
        }
    }
    Lowered { blocks }
}

fn state_block(machine: &Machine, id: StateId) -> Block {
    let state = machine.state(id);
    let body = match state.subject {
        Subject::Input | Subject::Lexemes(_) => Body::Input(input(machine, id)),
        Subject::Result(procedure) => {
            Body::Call(machine.procedures[usize::from(procedure.0)].start)
        }
        Subject::Number => number_body(machine, id),
        Subject::Always => Body::Plan(plan_of(machine, id, |pattern| *pattern == Pattern::Always)),
    };
    let (kind, name, is_content) =
        (BlockKind::State(id), state.name.clone(), machine.is_content_state(id));
    Block { kind, name, is_content, body }
}

/// Returns the plan that tries the rows with a matching pattern in order.
fn plan_of(machine: &Machine, id: StateId, matches: impl Fn(&Pattern) -> bool) -> Plan {
    let fallback = List { row: 0, actions: Vec::new(), reconsumes: false, next: Transfer::Nowhere };
    let rows = machine.state(id).rows.iter().enumerate().rev();
    let matching =
        rows.filter(|(_, row)| row.patterns.iter().any(|pattern| matches(&pattern.value)));
    matching.fold(Plan::List(fallback), |rest, (index, row)| {
        let plan = plan(machine, id, index, row);
        match &row.guard {
            Some(guard) => Plan::When(guard.value.clone(), Box::new(plan), Box::new(rest)),
            None => plan,
        }
    })
}

fn number_body(machine: &Machine, id: StateId) -> Body {
    let mut arms = Vec::new();
    for (index, row) in machine.state(id).rows.iter().enumerate() {
        let ranges: Vec<(u32, u32)> = row
            .patterns
            .iter()
            .filter_map(|pattern| {
                let Pattern::Numbers(first, last) = pattern.value else { return None };
                Some((first, last))
            })
            .collect();
        if !ranges.is_empty() {
            arms.push((ranges, plan(machine, id, index, row)));
        }
    }
    Body::Number(arms, plan_of(machine, id, |pattern| *pattern == Pattern::Else))
}

fn input(machine: &Machine, id: StateId) -> Input {
    let state = machine.state(id);
    let mut ahead = Vec::new();
    for (index, row) in state.rows.iter().enumerate() {
        for pattern in &row.patterns {
            // All other patterns match at most one character, or a lexeme, which an automaton matches.
            let ahead_pattern = if let Pattern::Text { text, ignoring_case } = &pattern.value {
                AheadPattern::Text(text.clone(), *ignoring_case)
            } else if pattern.value == Pattern::Reference {
                AheadPattern::Reference
            } else {
                continue;
            };
            ahead.push(AheadArm {
                pattern: ahead_pattern,
                candidate: candidate(machine, id, index, row, None),
            });
        }
    }
    // Longer strings are tried first, because shorter ones may be their prefixes. References have no fixed length, so
    // they are tried last.
    ahead.sort_by_key(|arm| match &arm.pattern {
        AheadPattern::Text(text, _) => std::cmp::Reverse(text.len()),
        AheadPattern::Reference => std::cmp::Reverse(0),
    });
    let mut bytes: Vec<ByteArm> = Vec::new();
    let lexemes =
        matches!(state.subject, Subject::Lexemes(_)).then(|| Box::new(lexeme::lower(machine, id)));
    for byte in 0..0x80_u8 {
        let candidates = match lexemes.as_ref().and_then(|lexemes| lexemes.certain(byte)) {
            Some(certain) => vec![certain.clone()],
            None => candidates(machine, id, Some(char::from(byte))),
        };
        match bytes.iter_mut().find(|arm| arm.candidates == candidates) {
            Some(arm) => arm.bytes.push(byte),
            None => bytes.push(ByteArm { bytes: vec![byte], candidates }),
        }
    }
    Input {
        lexemes,
        ahead,
        bytes,
        beyond_ascii: partition_beyond_ascii(machine, id, state),
        otherwise: candidates(machine, id, None),
        end_of_file: rows_with_pattern(machine, id, &Pattern::EndOfFile),
    }
}

/// Partitions the non-ASCII characters that rows mention by their candidate rows.
fn partition_beyond_ascii(
    machine: &Machine,
    id: StateId,
    state: &State,
) -> Vec<(CharacterSet, Vec<Candidate>)> {
    let above_ascii = CharacterSet::range('\u{80}', char::MAX);
    let sets = state.rows.iter().map(|row| named_characters(row).intersection(&above_ascii));
    let with_rows = |part: CharacterSet| {
        let first = part.ranges()[0].0;
        (part, candidates(machine, id, Some(first)))
    };
    CharacterSet::classes(sets).into_iter().map(with_rows).collect()
}

/// Returns the set of characters that a row mentions singly, by range or by class.
fn named_characters(row: &Row) -> CharacterSet {
    let mut set = CharacterSet::default();
    for pattern in &row.patterns {
        if let Pattern::Characters(characters) = &pattern.value {
            set.insert_all(characters);
        }
    }
    set
}

/// Returns the candidate rows for a character, or for characters that no row mentions if `character` is `None`.
fn candidates(machine: &Machine, id: StateId, character: Option<char>) -> Vec<Candidate> {
    let state = machine.state(id);
    let mut candidates = Vec::new();
    for (index, row) in state.rows.iter().enumerate() {
        let names_character = |pattern: &Pattern| matches!(pattern, Pattern::Characters(set) if character.is_some_and(|c| set.contains(c)));
        if row.patterns.iter().any(|pattern| names_character(&pattern.value)) {
            candidates.push(candidate(machine, id, index, row, None));
        } else if character.is_some_and(|c| c.is_ascii())
            && row.has_pattern(&Pattern::AdditionalAllowedCharacter)
        {
            candidates.push(candidate(
                machine,
                id,
                index,
                row,
                Some(Test::IsAdditionalAllowedCharacter),
            ));
        } else {
            continue;
        }
        if candidates.last().is_some_and(|candidate| candidate.tests.is_empty()) {
            return candidates;
        }
    }
    candidates.extend(rows_with_pattern(machine, id, &Pattern::Else));
    candidates
}

/// Returns the rows that have the pattern, in table order.
fn rows_with_pattern(machine: &Machine, id: StateId, pattern: &Pattern) -> Vec<Candidate> {
    let rows = machine.state(id).rows.iter().enumerate();
    let matching = rows.filter(|(_, row)| row.has_pattern(pattern));
    matching.map(|(index, row)| candidate(machine, id, index, row, None)).collect()
}

fn candidate(
    machine: &Machine,
    id: StateId,
    index: usize,
    row: &Row,
    test: Option<Test>,
) -> Candidate {
    let guard = row.guard.as_ref().map(|guard| Test::Condition(guard.value.clone()));
    Candidate {
        tests: test.into_iter().chain(guard).collect(),
        plan: plan(machine, id, index, row),
    }
}

/// Returns the number of a row in the whole table, counted from 0.
pub fn row_number(machine: &Machine, id: StateId, index: usize) -> u16 {
    let before: usize =
        machine.states[..usize::from(id.0)].iter().map(|state| state.rows.len()).sum();
    (before + index) as u16
}

/// Converts a row's steps to a plan. Conditions are evaluated before the first action, so they are the plan's inner
/// nodes, and its leaves are lists of actions.
pub fn plan(machine: &Machine, id: StateId, index: usize, row: &Row) -> Plan {
    let number = row_number(machine, id, index);
    flatten(machine, id, number, &row.steps.iter().collect::<Vec<_>>(), Vec::new())
}

fn flatten(
    machine: &Machine,
    id: StateId,
    row: u16,
    steps: &[&Step],
    mut actions: Vec<Action>,
) -> Plan {
    let Some((step, rest)) = steps.split_first() else {
        return Plan::List(list(machine, id, row, actions));
    };
    match step {
        Step::Action(action) if action.value == Action::AsElse => {
            let else_row =
                machine.state(id).rows.iter().find(|row| row.has_pattern(&Pattern::Else));
            let steps: Vec<&Step> = else_row
                .into_iter()
                .flat_map(|row| &row.steps)
                .chain(rest.iter().copied())
                .collect();
            flatten(machine, id, row, &steps, actions)
        }
        Step::Action(action) => {
            actions.push(action.value.clone());
            flatten(machine, id, row, rest, actions)
        }
        Step::When { condition, then, otherwise } => {
            let branch = |steps: &'_ [Step]| {
                let steps: Vec<&Step> = steps.iter().chain(rest.iter().copied()).collect();
                flatten(machine, id, row, &steps, actions.clone())
            };
            Plan::When(condition.value.clone(), Box::new(branch(then)), Box::new(branch(otherwise)))
        }
    }
}

fn list(machine: &Machine, id: StateId, row: u16, actions: Vec<Action>) -> List {
    let reconsumes = actions.contains(&Action::Reconsume);
    let mut transfers = actions.iter().map(Action::transfer).rev();
    let mut next = transfers.find(|it| *it != Transfer::Nowhere).unwrap_or_default();
    if next == Transfer::To(id) {
        next = Transfer::Nowhere;
    }
    let mut all_actions = Vec::new();
    // The `leave` actions run only if another state follows: they do not run if the row stays in the state or ends the
    // run.
    if !matches!(next, Transfer::Nowhere | Transfer::Ends) {
        all_actions.extend(machine.state(id).leave.iter().map(|action| action.value.clone()));
    }
    all_actions.extend(
        actions.into_iter().filter(|action| !matches!(action, Action::Ignore | Action::Reconsume)),
    );
    if let Transfer::To(target) = next {
        all_actions.extend(machine.state(target).enter.iter().map(|action| action.value.clone()));
    }
    List { row, actions: all_actions, reconsumes, next }
}

impl Plan {
    /// Returns the lists of the plan.
    pub fn lists(&self) -> Vec<&List> {
        match self {
            Self::List(list) => vec![list],
            Self::When(_, then, otherwise) => [then.lists(), otherwise.lists()].concat(),
        }
    }
}

impl List {
    /// Whether the list only emits the current character, appends it to a field, or ignores it, so that runs of such
    /// characters can be processed at once.
    pub fn processes_runs(&self) -> bool {
        let is_simple = matches!(
            &self.actions[..],
            [] | [Action::EmitText(Text::Current)] | [Action::Append(Text::Current, _)]
        );
        is_simple && self.next == Transfer::Nowhere && !self.reconsumes
    }

    /// Whether the list emits text and does nothing else except reporting errors.
    pub fn is_text(&self) -> bool {
        let emits = |action: &Action| matches!(action, Action::EmitText(_));
        let reports = |action: &Action| matches!(action, Action::Error(_) | Action::ErrorAfter(_));
        self.actions.iter().any(emits)
            && self.actions.iter().all(|action| emits(action) || reports(action))
    }

    /// Whether the list reports an error. Such a list is unlikely to run.
    pub fn has_error(&self) -> bool {
        let is_error = |action: &Action| matches!(action, Action::Error(_) | Action::ErrorAfter(_));
        self.actions.iter().any(is_error)
    }

    /// Whether the list is unlikely to run: it reports an error, or only ignores or reconsumes the character.
    pub fn is_rare(&self) -> bool {
        let ignores_or_reconsumes = self.reconsumes || self.next == Transfer::Nowhere;
        self.has_error() || self.actions.is_empty() && ignores_or_reconsumes
    }
}

impl Input {
    /// Returns the candidate rows for a non-ASCII character.
    pub fn beyond_ascii(&self, character: char) -> &[Candidate] {
        let entry = self.beyond_ascii.iter().find(|(set, _)| set.contains(character));
        entry.map_or(&self.otherwise, |(_, candidates)| candidates)
    }

    /// Returns the candidate rows for an ASCII byte.
    pub fn byte(&self, byte: u8) -> &[Candidate] {
        self.bytes.iter().find(|arm| arm.bytes.contains(&byte)).map_or(&[], |arm| &arm.candidates)
    }
}

impl Block {
    /// Returns the lists of the block, each with the ASCII bytes that select it. Lexical tokens begin with various bytes;
    /// a few common ones stand for them all, because callers use the bytes only for estimates.
    pub fn lists(&self) -> Vec<(&List, &[u8])> {
        let no_bytes: &[u8] = &[];
        let mut plans: Vec<(&Plan, &[u8])> = Vec::new();
        match &self.body {
            Body::Input(input) => {
                plans.extend(input.ahead.iter().map(|arm| (&arm.candidate.plan, no_bytes)));
                let lexemes = input.lexemes.iter().flat_map(|lexemes| &lexemes.candidates);
                plans.extend(lexemes.map(|candidate| (&candidate.plan, &b"<>/="[..])));
                for arm in &input.bytes {
                    plans.extend(arm.candidates.iter().map(|it| (&it.plan, &arm.bytes[..])));
                }
                let rest = input.beyond_ascii.iter().flat_map(|(_, candidates)| candidates);
                let rest = rest.chain(&input.otherwise).chain(&input.end_of_file);
                plans.extend(rest.map(|candidate| (&candidate.plan, no_bytes)));
            }
            Body::Number(arms, otherwise) => {
                let arms = arms.iter().map(|(_, plan)| plan).chain([otherwise]);
                plans.extend(arms.map(|plan| (plan, no_bytes)));
            }
            Body::Plan(plan) => plans.push((plan, no_bytes)),
            Body::Call(_) => {}
        }
        let lists = plans
            .into_iter()
            .flat_map(|(plan, bytes)| plan.lists().into_iter().map(move |list| (list, bytes)));
        lists.collect()
    }
}
