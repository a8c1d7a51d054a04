//! Mutation of inputs: bytes, ranges, and pieces of the target's grammar. Deterministic for a given generator.

use crate::Target;
use tabulex_tests::random::Random;

/// Maximum length of an input in bytes, which keeps runs short.
pub const MAX_LEN: usize = 2_000;

/// Generates an input from pieces of the grammar, or mutates one of `interesting_inputs`.
pub fn generate_or_mutate(
    random: &mut Random,
    target: &Target,
    interesting_inputs: &[Vec<u8>],
) -> Vec<u8> {
    if interesting_inputs.is_empty() || random.one_in(16) {
        let mut input: Vec<u8> = (0..target.choices).map(|_| random.next_number() as u8).collect();
        for _ in 0..=random.below(6) {
            input.extend((target.piece)(random));
        }
        input.truncate(MAX_LEN);
        return input;
    }
    let mut input = random.pick(interesting_inputs).clone();
    for _ in 0..=random.below(4) {
        mutate(random, target, &mut input, interesting_inputs);
    }
    input.truncate(MAX_LEN);
    input
}

/// Applies one random mutation to `input`.
fn mutate(
    random: &mut Random,
    target: &Target,
    input: &mut Vec<u8>,
    interesting_inputs: &[Vec<u8>],
) {
    let position = random.below(input.len() + 1);
    let length_bound = 1 << random.below(7);
    let end = (position + random.below(length_bound)).min(input.len());
    match random.below(12) {
        0..=4 => {
            let piece = (target.piece)(random);
            input.splice(position..position, piece);
        }
        5 => {
            let piece = (target.piece)(random);
            input.splice(position..end, piece);
        }
        6 => drop(input.drain(position..end)),
        7 => {
            // Repeat a part of the input, which can cause long runs and deep nesting.
            let repeated = input[position..end].repeat(1 + random.below(8));
            input.splice(position..position, repeated);
        }
        8 => {
            let other_input = random.pick(interesting_inputs);
            let other_start = random.below(other_input.len() + 1);
            input.truncate(position);
            input.extend_from_slice(&other_input[other_start..]);
        }
        9 => {
            if let Some(byte) = input.get_mut(position) {
                *byte ^= 1 << random.below(8);
            }
        }
        10 => {
            // Replace a leading byte, which chooses the dialect or another setting.
            let position = random.below(target.choices.max(1));
            if let Some(byte) = input.get_mut(position) {
                *byte = random.next_number() as u8;
            }
        }
        _ => input.insert(position, random.next_number() as u8),
    }
}
