//! Selection of the runs of characters that a block passes in bulk, and of their scanners. The bytes of a run are those
//! to which one row applies, regardless of the bytes around them.

use crate::lower::{AheadPattern, Block, Body, Candidate, Input, List, Lowered, Plan, Test};
use tabulex_language::model::{Action, Condition, Field, Machine, Text, Transfer};

/// A run that a block passes in bulk.
#[derive(Debug)]
pub struct Skip {
    /// The rows that precede the run's row and take its characters if their tests succeed. These tests do not depend on
    /// the run, so they are made once, before it.
    pub earlier: Vec<Candidate>,
    /// The actions that process the run.
    pub list: List,
    /// For each byte, whether it can belong to the run.
    pub bytes: [bool; 256],
    /// The scanner that finds the end of the run.
    pub scanner: Scanner,
    /// Whether some jump enters the block directly before such a run, rather than after its first byte.
    pub is_entered_before_run: bool,
    /// The bytes that end a run for a sink that takes text as written in the input; `None` if the run is not text, or
    /// if there are no such bytes or more than three.
    pub verbatim_stops: Option<Vec<u8>>,
}

impl Skip {
    /// Whether fewer than 16 byte values can belong to the run. The block then tests the next byte before it scans for
    /// a run, unless it is entered directly before a run.
    pub fn is_rare(&self) -> bool {
        self.bytes.iter().filter(|&&passed| passed).count() < 16
    }

    /// Whether the run is often empty, as text between two tokens is.
    pub fn is_often_empty(&self) -> bool {
        self.list.actions[..] == [Action::EmitText(Text::Current)]
    }
}

/// The search for the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scanner {
    /// The run ends only at special bytes.
    Everything,
    /// A vectorized search for at most three bytes.
    Find(Vec<u8>),
    /// A table lookup for each byte. If a byte is given, blocks of bytes that are all at or above it are passed first.
    Table(Option<u8>),
}

/// Returns the special bytes, at which every run of the machine stops. The input is split at these bytes, so scanners
/// need not search for them.
pub fn specials(machine: &Machine, lowered: &Lowered) -> Vec<u8> {
    let inputs = || {
        lowered.blocks.iter().filter_map(|block| {
            if let Body::Input(input) = &block.body { Some(input) } else { None }
        })
    };
    let run_inputs: Vec<&Input> =
        inputs().filter(|input| run_list(input, b'a').is_some()).collect();
    let stop_count =
        |byte: u8| run_inputs.iter().filter(|input| run_list(input, byte).is_none()).count();
    let mut specials = Vec::new();
    if machine.nulls_replaced || !run_inputs.is_empty() && 2 * stop_count(0) > run_inputs.len() {
        specials.push(0);
    }
    if machine.newlines_normalized {
        specials.push(b'\r');
    }
    specials
}

/// Returns the list that processes runs of a byte, if it is selected without a test.
fn run_list(input: &Input, byte: u8) -> Option<&List> {
    run_of(input, byte).filter(|(earlier, _)| earlier.is_empty()).map(|(_, list)| list)
}

/// Returns, for each block, the run that it passes in bulk, if there is one.
pub fn skips(machine: &Machine, lowered: &Lowered, specials: &[u8]) -> Vec<Option<Skip>> {
    let skip_of = |block: &Block| {
        let Body::Input(input) = &block.body else { return None };
        let mut skip = skip(input, specials)?;
        // Outside content states, the range of emitted text may begin before the run, so the run is not passed in bulk.
        if skip.is_often_empty() && !block.is_content {
            return None;
        }
        skip.verbatim_stops = verbatim_stops(machine, input, &skip);
        Some(skip)
    };
    let mut skips: Vec<_> = lowered.blocks.iter().map(skip_of).collect();
    for block in &lowered.blocks {
        for (list, bytes) in block.lists() {
            let Transfer::To(next) = list.next else { continue };
            let Some(skip) = &mut skips[usize::from(next.0)] else { continue };
            // The row jumps to the start of a run if it reconsumes a byte of the run, or consumes a byte that cannot
            // belong to it. If it consumes a byte of the run, the run has already begun.
            let is_in_front = |&byte: &u8| skip.bytes[usize::from(byte)] == list.reconsumes;
            skip.is_entered_before_run |= !list.has_error() && bytes.iter().any(is_in_front);
        }
    }
    skips
}

/// Whether a byte may begin a match by look-ahead.
fn begins_ahead(input: &Input, byte: u8) -> bool {
    let begins_lexeme =
        input.lexemes.as_ref().is_some_and(|lexemes| lexemes.first[usize::from(byte)]);
    begins_lexeme
        || input.ahead.iter().any(|arm| match &arm.pattern {
            AheadPattern::Text(text, ignoring_case) => {
                let first = text.as_bytes()[0];
                first == byte || *ignoring_case && first.eq_ignore_ascii_case(&byte)
            }
            AheadPattern::Reference => true,
        })
}

/// Returns the bytes that end a run for a sink that takes text as written in the input; `None` if the run is not text,
/// or if there are no such bytes or more than three. Bytes that always become text do not end it.
fn verbatim_stops(machine: &Machine, input: &Input, skip: &Skip) -> Option<Vec<u8>> {
    let is_passed =
        |byte: u8| skip.bytes[usize::from(byte)] || byte < 0x80 && is_text(machine, input, byte);
    let stops: Vec<u8> = (0..=255).filter(|byte| !is_passed(*byte)).collect();
    (skip.is_often_empty() && (1..=3).contains(&stops.len())).then_some(stops)
}

/// Whether an ASCII byte always becomes text and has no other effect.
fn is_text(machine: &Machine, input: &Input, byte: u8) -> bool {
    let is_text = |candidates: &[Candidate]| match candidates {
        [Candidate { tests, plan: Plan::List(list) }] => {
            tests.is_empty() && list.next == Transfer::Nowhere && !list.reconsumes && list.is_text()
        }
        _ => false,
    };
    let is_line_end = byte == b'\r' && machine.newlines_normalized;
    // The LF that replaces a line end may also begin a match.
    let may_begin_match = begins_ahead(input, byte) || is_line_end && begins_ahead(input, b'\n');
    let candidates_as_read = match byte {
        0 if machine.nulls_replaced => input.beyond_ascii(char::REPLACEMENT_CHARACTER),
        _ if is_line_end => input.byte(b'\n'),
        _ => input.byte(byte),
    };
    !may_begin_match && is_text(candidates_as_read) && is_text(input.byte(byte))
}

/// Returns the list that processes runs of a byte, and the earlier rows for the byte, whose tests have one result
/// throughout such a run.
fn run_of(input: &Input, byte: u8) -> Option<(&[Candidate], &List)> {
    let candidates = if byte < 0x80 { input.byte(byte) } else { &input.otherwise };
    let [earlier @ .., Candidate { tests, plan: Plan::List(list) }] = candidates else {
        return None;
    };
    let is_constant = |test: &Test| match (test, &list.actions[..]) {
        (Test::Condition(condition), [Action::Append(_, field)]) => {
            condition.parts().into_iter().all(|part| is_independent(part, *field))
        }
        _ => false,
    };
    let are_constant = earlier.iter().flat_map(|candidate| &candidate.tests).all(is_constant);
    (tests.is_empty() && list.processes_runs() && are_constant).then_some((earlier, list))
}

/// Whether appending to `field` certainly does not change the result of a simple condition.
fn is_independent(condition: &Condition, field: Field) -> bool {
    if let Condition::FieldIs(tested, _) | Condition::FieldMissing(tested) = condition {
        field != Field::Declared(*tested)
    } else if let Condition::Matches(tested, _) = condition {
        field != *tested
    } else if let Condition::TemporaryBufferIs(_) = condition {
        field != Field::TemporaryBuffer
    } else {
        matches!(condition, Condition::FlagIs(..))
    }
}

fn skip(input: &Input, specials: &[u8]) -> Option<Skip> {
    let run_of = |byte: u8| match byte {
        _ if specials.contains(&byte) || begins_ahead(input, byte) => None,
        0x80.. if !input.beyond_ascii.is_empty() => None,
        _ => run_of(input, byte),
    };
    let runs: Vec<_> = (0..=255).filter_map(run_of).collect();
    let byte_count = |run| runs.iter().filter(|other| **other == run).count();
    let &run = runs.iter().max_by_key(|&&run| (byte_count(run), std::cmp::Reverse(run.1.row)))?;
    let mut bytes = [false; 256];
    for byte in 0..=255 {
        bytes[usize::from(byte)] = run_of(byte) == Some(run);
    }
    let (earlier, list) = run;
    let stops: Vec<u8> = (0..=255_u8)
        .filter(|&byte| !bytes[usize::from(byte)] && !specials.contains(&byte))
        .collect();
    let scanner = match stops.len() {
        0 => Scanner::Everything,
        1..=3 => Scanner::Find(stops),
        _ => Scanner::Table(lowest_bulk_byte(&bytes)),
    };
    let (earlier, list) = (earlier.to_vec(), list.clone());
    let skip =
        Skip { earlier, list, bytes, scanner, is_entered_before_run: false, verbatim_stops: None };
    let is_worthwhile = skip.earlier.is_empty() && !appends_lower_case(input);
    (is_worthwhile || !skip.is_rare()).then_some(skip)
}

/// Whether the block appends letters in lower case; it would search for a rare run before each run of them in vain.
fn appends_lower_case(input: &Input) -> bool {
    let candidates = input.bytes.iter().flat_map(|arm| &arm.candidates);
    let mut lists = candidates.flat_map(|candidate| candidate.plan.lists());
    lists.any(|list| matches!(list.actions[..], [Action::Append(Text::Lower, _)]))
}

/// Returns the lowest byte such that it and all higher bytes belong to the run; `None` if lowercase letters are not
/// among them. Blocks of such bytes are passed at once.
fn lowest_bulk_byte(bytes: &[bool; 256]) -> Option<u8> {
    let lowest = bytes.iter().rposition(|&passed| !passed)? + 1;
    u8::try_from(lowest).ok().filter(|&lowest| lowest <= b'a')
}
