//! Which runs of characters a block passes in bulk, and with which scanner. It generates no code. Invariant: a byte is
//! in a skip set only if the block's rows do the same simple thing with it, whatever comes before or after.

use crate::lower::{AheadPattern, Block, Body, Candidate, Input, List, Lowered, Next, Plan};
use tabulex_language::model::{Action, Machine, Text};

/// A run that a block passes in bulk.
#[derive(Debug)]
pub struct Skip {
    /// What is done with the run.
    pub list: List,
    /// The bytes of the run.
    pub bytes: [bool; 256],
    /// How its end is found.
    pub scanner: Scanner,
    /// Whether some way leads to the block in front of such a run, and not from its first byte.
    pub is_entered_before_run: bool,
    /// At which bytes, at most three, text ends that may be as the input has it; none if runs are no text.
    pub written: Option<Vec<u8>>,
}

impl Skip {
    /// Whether only a few bytes begin a run, so that each of them is looked for before the run is, not after it, unless the
    /// run is awaited.
    pub fn is_rare(&self) -> bool {
        self.bytes.iter().filter(|&&passed| passed).count() < 16
    }

    /// Whether the run may well be empty: between two tokens there is often no text.
    pub fn is_often_empty(&self) -> bool {
        self.emits()
    }

    fn emits(&self) -> bool {
        self.list.actions[..] == [Action::EmitText(Text::Current)]
    }
}

/// How the end of a run is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scanner {
    /// Nothing but the special bytes stops it.
    Everything,
    /// One of these bytes, at most three, is looked for many bytes at a time.
    Find(Vec<u8>),
    /// Bytes are looked up in a table one by one; after those of a block from this byte on, if all of these are passed.
    Table(Option<u8>),
}

/// The bytes at which every run of the machine stops, so that scanners need not look for them: the input is cut there.
pub fn specials(machine: &Machine, lowered: &Lowered) -> Vec<u8> {
    let inputs = || {
        lowered.blocks.iter().filter_map(|block| {
            if let Body::Input(input) = &block.body { Some(input) } else { None }
        })
    };
    let running: Vec<&Input> = inputs().filter(|input| run_of(input, b'a').is_some()).collect();
    let stops = |byte: u8| running.iter().filter(|input| run_of(input, byte).is_none()).count();
    let mut specials = Vec::new();
    if machine.nulls_replaced || !running.is_empty() && 2 * stops(0) > running.len() {
        specials.push(0);
    }
    if machine.newlines_normalized {
        specials.push(b'\r');
    }
    specials
}

/// The list that takes the byte, if it does so without any test and takes runs of it.
fn run_of(input: &Input, byte: u8) -> Option<&List> {
    let candidates = if byte < 0x80 { input.byte(byte) } else { &input.otherwise };
    let [Candidate { tests, plan: Plan::List(list) }] = candidates else { return None };
    (tests.is_empty() && list.is_run()).then_some(list)
}

/// For each block, the run that it passes in bulk.
pub fn skips(machine: &Machine, lowered: &Lowered, specials: &[u8]) -> Vec<Option<Skip>> {
    let skip_of = |block: &Block| {
        let Body::Input(input) = &block.body else { return None };
        let mut skip = skip(input, specials)?;
        // The range of a run that is emitted begins with the run.
        if skip.emits() && !block.is_content {
            return None;
        }
        skip.written = written(machine, input, &skip);
        Some(skip)
    };
    let mut skips: Vec<_> = lowered.blocks.iter().map(skip_of).collect();
    for block in &lowered.blocks {
        block.for_each_list(&mut |list, bytes| {
            let Next::State(next) = list.next else { return };
            let Some(skip) = &mut skips[usize::from(next.0)] else { return };
            // Where the byte is handed on, it is the one in front of which the way leads.
            let is_in_front = |&byte: &u8| skip.bytes[usize::from(byte)] == list.reconsumes;
            skip.is_entered_before_run |= !list.has_error() && bytes.iter().any(is_in_front);
        });
    }
    skips
}

/// Whether something that is matched ahead may begin with the byte.
fn begins_ahead(input: &Input, byte: u8) -> bool {
    let begins_lexeme =
        input.lexemes.as_ref().is_some_and(|lexemes| lexemes.first[usize::from(byte)]);
    begins_lexeme
        || input.ahead.iter().any(|arm| match &arm.what {
            AheadPattern::Text(text, ignoring_case) => {
                let first = text.as_bytes()[0];
                first == byte || *ignoring_case && first.eq_ignore_ascii_case(&byte)
            }
            AheadPattern::Reference => true,
        })
}

/// Where text ends that may be as the input has it: no byte ends it that becomes text, whatever text that is.
fn written(machine: &Machine, input: &Input, skip: &Skip) -> Option<Vec<u8>> {
    let is_passed =
        |byte: u8| skip.bytes[usize::from(byte)] || byte < 0x80 && is_text(machine, input, byte);
    let stops: Vec<u8> = (0..=255).filter(|byte| !is_passed(*byte)).collect();
    (skip.is_often_empty() && (1..=3).contains(&stops.len())).then_some(stops)
}

/// Whether all that an ASCII byte does is to become text.
fn is_text(machine: &Machine, input: &Input, byte: u8) -> bool {
    let is_text = |candidates: &[Candidate]| match candidates {
        [Candidate { tests, plan: Plan::List(list) }] => {
            tests.is_empty() && list.next == Next::Stay && !list.reconsumes && list.is_text()
        }
        _ => false,
    };
    let is_line_end = byte == b'\r' && machine.newlines_normalized;
    // What stands for it may begin something as well.
    let begins = begins_ahead(input, byte) || is_line_end && begins_ahead(input, b'\n');
    let stands_for = match byte {
        0 if machine.nulls_replaced => input.wide(char::REPLACEMENT_CHARACTER),
        _ if is_line_end => input.byte(b'\n'),
        _ => input.byte(byte),
    };
    !begins && is_text(stands_for) && is_text(input.byte(byte))
}

fn skip(input: &Input, specials: &[u8]) -> Option<Skip> {
    let run = |byte: u8| match byte {
        _ if specials.contains(&byte) || begins_ahead(input, byte) => None,
        0x80.. if !input.wide.is_empty() => None,
        _ => run_of(input, byte),
    };
    // The list that takes the most bytes; rows are few, so counting each anew costs nothing.
    let lists: Vec<&List> = (0..=255).filter_map(run).collect();
    let taken_by = |list: &List| lists.iter().filter(|other| **other == list).count();
    let list: &List =
        lists.iter().max_by_key(|list| (taken_by(list), std::cmp::Reverse(list.row)))?;
    let mut bytes = [false; 256];
    for byte in 0..=255 {
        bytes[usize::from(byte)] = run(byte) == Some(list);
    }
    let stops: Vec<u8> = (0..=255_u8)
        .filter(|&byte| !bytes[usize::from(byte)] && !specials.contains(&byte))
        .collect();
    let scanner = match stops.len() {
        0 => Scanner::Everything,
        1..=3 => Scanner::Find(stops),
        _ => Scanner::Table(letters(&bytes)),
    };
    Some(Skip { list: list.clone(), bytes, scanner, is_entered_before_run: false, written: None })
}

/// The byte from which on all are in the run, if these are letters too: those of a block are passed at once.
fn letters(bytes: &[bool; 256]) -> Option<u8> {
    let lowest = bytes.iter().rposition(|&passed| !passed)? + 1;
    u8::try_from(lowest).ok().filter(|&lowest| lowest <= b'a')
}
