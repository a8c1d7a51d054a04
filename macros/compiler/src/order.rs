//! The order of the blocks in the code. A forward jump is a plain jump; a backward jump goes through the table of all
//! blocks, unless it leads to one of the frequent blocks, which are tested for first.

use crate::Compiled;
use crate::lower::{BlockKind, Body, Candidate, Lowered, Plan};
use crate::skip::Scanner;
use tabulex_language::model::{Action, StateId, Transfer};

/// Returns an order of the blocks in which likely jumps go forward.
pub fn order(lowered: &Lowered) -> Vec<usize> {
    let weights = weights(lowered);
    let mut order: Vec<usize> = (0..lowered.blocks.len()).collect();
    // Moving a block can change the best positions of others, so the rounds are repeated until no block moves, but at
    // most four times.
    for _ in 0..4 {
        let mut moved = false;
        for block in 0..order.len() {
            moved |= move_to_best(&mut order, block, &weights);
        }
        if !moved {
            break;
        }
    }
    order
}

/// Returns the most frequent targets of backward jumps, which are tested for before the table of all blocks.
pub fn frequent_targets(compiled: &Compiled<'_>) -> impl Iterator<Item = usize> {
    let after_texts = target_after_texts(compiled);
    after_texts
        .into_iter()
        .chain(target_after_attributes(compiled).filter(move |&other| Some(other) != after_texts))
}

/// Returns the block to which the start state jumps back after a text, if there is one. Most backward jumps go to this
/// block, because each token ends with a forward jump to the start state, and the next token begins with a jump back.
pub fn target_after_texts(compiled: &Compiled<'_>) -> Option<usize> {
    let start = usize::from(compiled.machine.start.0);
    // A table of tree construction alone has no blocks.
    let Body::Input(input) = &compiled.lowered.blocks.get(start)?.body else { return None };
    let skip = compiled.skips[start].as_ref().filter(|skip| skip.is_often_empty())?;
    let Scanner::Find(stops) = &skip.scanner else { return None };
    let targets = stops.iter().filter_map(|&stop| {
        let [Candidate { plan: Plan::List(list), .. }] = input.byte(stop) else { return None };
        let Transfer::To(state) = list.next else { return None };
        (!list.has_error()).then(|| usize::from(state.0))
    });
    targets
        .filter(|&to| matches!(compiled.lowered.blocks[to].body, Body::Input(_)))
        .find(|&to| !compiled.goes_forward(start, to))
}

/// Returns the most frequent target of backward jumps among the blocks that start an attribute, if there is one.
pub fn target_after_attributes(compiled: &Compiled<'_>) -> Option<usize> {
    let blocks = &compiled.lowered.blocks;
    let starts_attribute = |to: usize| {
        let mut lists = blocks[to].lists().into_iter();
        lists.any(|(list, _)| list.actions.contains(&Action::StartAttribute))
    };
    let mut jump_counts = vec![0_usize; blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        for (list, _) in block.lists() {
            if let Transfer::To(StateId(to)) = list.next
                && !list.is_rare()
                && !compiled.goes_forward(from, usize::from(to))
            {
                jump_counts[usize::from(to)] += 1;
            }
        }
    }
    let candidates = (0..blocks.len()).filter(|&to| jump_counts[to] > 0 && starts_attribute(to));
    candidates.max_by_key(|&to| (jump_counts[to], std::cmp::Reverse(to)))
}

/// Moves a block to the position that minimizes the weight of backward jumps; returns whether it was moved.
fn move_to_best(order: &mut Vec<usize>, block: usize, weights: &[Vec<u32>]) -> bool {
    let from =
        order.iter().position(|&other| other == block).expect("the order contains every block");
    let mut others = order.clone();
    others.remove(from);
    // `cost` starts as the cost of the first position, where every jump to the block goes backward. Moving the block past
    // another block reverses the direction of the jumps between the two.
    let mut cost: i64 = others.iter().map(|&other| i64::from(weights[other][block])).sum();
    let costs: Vec<i64> = std::iter::once(cost)
        .chain(others.iter().map(|&other| {
            cost += i64::from(weights[block][other]) - i64::from(weights[other][block]);
            cost
        }))
        .collect();
    let best = (0..costs.len()).min_by_key(|&at| costs[at]).expect("there is a first position");
    if costs[best] >= costs[from] {
        return false;
    }
    others.insert(best, block);
    *order = others;
    true
}

/// Estimates the frequency of the jumps from each block to each other: letters, digits and markup characters count more
/// than other bytes, and rows that report errors least.
fn weights(lowered: &Lowered) -> Vec<Vec<u32>> {
    let count = lowered.blocks.len();
    let mut weights = vec![vec![0; count]; count];
    for (from, block) in lowered.blocks.iter().enumerate() {
        if let Body::Call(start) = block.body {
            weights[from][usize::from(start.0)] += 4;
        }
        for (list, bytes) in block.lists() {
            let frequency =
                bytes.iter().map(|byte| if is_common(*byte) { 8 } else { 1 }).sum::<u32>() + 1;
            let weight = if list.has_error() { 1 } else { frequency };
            for to in targets(lowered, list.next) {
                weights[from][to] += weight;
            }
        }
    }
    weights
}

fn is_common(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" <>/=\"'&;-!".contains(&byte)
}

fn targets(lowered: &Lowered, next: Transfer) -> Vec<usize> {
    let blocks_of = |is_match: fn(BlockKind) -> bool| -> Vec<usize> {
        (0..lowered.blocks.len()).filter(|&index| is_match(lowered.blocks[index].kind)).collect()
    };
    match next {
        Transfer::To(StateId(index)) => vec![usize::from(index)],
        Transfer::ReturnNothing => blocks_of(|kind| matches!(kind, BlockKind::Nothing(_))),
        Transfer::ReturnText => blocks_of(|kind| matches!(kind, BlockKind::Returned(_))),
        Transfer::Nowhere | Transfer::ToReturnState | Transfer::ToPushedState | Transfer::Ends => {
            Vec::new()
        }
    }
}
