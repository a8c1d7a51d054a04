//! Selection of the byte that a block tests before all others. It affects only the order of tests.

use crate::lower::{Block, Body, ByteArm, Candidate, List, Lowered, Plan};
use crate::skip::Skip;
use tabulex_language::model::{Action, Transfer};

/// The minimum number of byte values that the next block must expect for a byte to be likely.
const MIN_EXPECTED_BYTES: usize = 16;

/// The maximum number of cases for which rustc generates no jump table.
const MAX_WITHOUT_TABLE: usize = 4;

/// Returns, for each block, the likely byte: the one that leads to the block that expects the most bytes, as a
/// quotation mark leads to an attribute value. `None` if no byte is likely, as in blocks that begin tokens.
pub fn likely(lowered: &Lowered, skips: &[Option<Skip>]) -> Vec<Option<u8>> {
    let has_run = |skip: &Option<Skip>| skip.as_ref().is_some_and(|skip| !skip.is_rare());
    let blocks = lowered.blocks.iter().zip(skips);
    blocks.map(|(block, skip)| likely_byte(lowered, skips, block, has_run(skip))).collect()
}

fn likely_byte(
    lowered: &Lowered,
    skips: &[Option<Skip>],
    block: &Block,
    has_run: bool,
) -> Option<u8> {
    let Body::Input(input) = &block.body else { return None };
    let mut actions = block.lists().into_iter().flat_map(|(list, _)| &list.actions);
    let begins_token = actions.any(|action| matches!(action, Action::Create(_)));
    // A block with few cases tests each of them anyway, so a first test does not pay there, except after a run, where
    // only few bytes are possible.
    let is_worthwhile = has_run || input.bytes.len() > MAX_WITHOUT_TABLE;
    if begins_token || input.lexemes.is_some() || !is_worthwhile {
        return None;
    }
    let bytes_with_counts = input.bytes.iter().filter_map(|arm| {
        let (byte, list) = single_byte(arm)?;
        let Transfer::To(next) = list.next else { return None };
        Some((byte, expected_bytes(skips, &lowered.blocks[usize::from(next.0)]), list.row))
    });
    let likely_bytes = bytes_with_counts.filter(|&(_, count, _)| count >= MIN_EXPECTED_BYTES);
    likely_bytes
        .max_by_key(|&(_, count, row)| (count, std::cmp::Reverse(row)))
        .map(|(byte, ..)| byte)
}

/// Returns the byte and list of an arm that matches a single byte without a test, if the list is not rare, and neither
/// emits a token nor reconsumes the byte; `None` for any other arm.
fn single_byte(arm: &ByteArm) -> Option<(u8, &List)> {
    let ([byte], [Candidate { tests, plan: Plan::List(list) }]) =
        (&arm.bytes[..], &arm.candidates[..])
    else {
        return None;
    };
    let emits = list.actions.iter().any(|action| matches!(action, Action::EmitToken(_)));
    (tests.is_empty() && !emits && !list.reconsumes && !list.is_rare()).then_some((*byte, list))
}

/// Returns the number of ASCII byte values that a block expects: those that it processes without an error, or leaves to
/// a run of the next block.
fn expected_bytes(skips: &[Option<Skip>], block: &Block) -> usize {
    let Body::Input(input) = &block.body else { return 0 };
    let begins_run = |next: Transfer, byte: u8| {
        let Transfer::To(state) = next else { return false };
        let skip = skips[usize::from(state.0)].as_ref();
        skip.is_some_and(|skip| !skip.is_rare() && skip.bytes[usize::from(byte)])
    };
    let expects = |list: &List, byte: u8| match list.reconsumes {
        true => !list.has_error() && begins_run(list.next, byte),
        false => !list.is_rare(),
    };
    let is_expected = |byte: &u8| {
        let mut lists = input.byte(*byte).iter().flat_map(|candidate| candidate.plan.lists());
        lists.any(|list| expects(list, *byte))
    };
    (0..0x80).filter(is_expected).count()
}
