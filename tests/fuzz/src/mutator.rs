//! Mutation of inputs: bytes, ranges, and pieces of the target's grammar. Deterministic for a given generator.

use crate::Target;
use tabulex_tests::random::Random;

/// Maximum length of an input in bytes, which keeps runs short.
pub const MAX_LEN: usize = 2_000;

/// Generates an input from pieces alone, or mutates a kept one.
pub fn input(random: &mut Random, target: &Target, kept: &[Vec<u8>]) -> Vec<u8> {
    if kept.is_empty() || random.one_in(16) {
        let mut input: Vec<u8> = (0..target.choices).map(|_| random.next_number() as u8).collect();
        for _ in 0..=random.below(6) {
            input.extend((target.piece)(random));
        }
        input.truncate(MAX_LEN);
        return input;
    }
    let mut input = random.pick(kept).clone();
    for _ in 0..=random.below(4) {
        change(random, target, &mut input, kept);
    }
    input.truncate(MAX_LEN);
    input
}

/// Applies one mutation.
fn change(random: &mut Random, target: &Target, input: &mut Vec<u8>, kept: &[Vec<u8>]) {
    let place = random.below(input.len() + 1);
    let maximum = 1 << random.below(7);
    let end = (place + random.below(maximum)).min(input.len());
    match random.below(12) {
        0..=4 => {
            let piece = (target.piece)(random);
            input.splice(place..place, piece);
        }
        5 => {
            let piece = (target.piece)(random);
            input.splice(place..end, piece);
        }
        6 => drop(input.drain(place..end)),
        7 => {
            // Repetition: runs, nesting, and the ends of both.
            let range = input[place..end].repeat(1 + random.below(8));
            input.splice(place..place, range);
        }
        8 => {
            let other = random.pick(kept);
            let from = random.below(other.len() + 1);
            input.truncate(place);
            input.extend_from_slice(&other[from..]);
        }
        9 => {
            if let Some(byte) = input.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        10 => {
            // Choices are the first bytes.
            let place = random.below(target.choices.max(1));
            if let Some(byte) = input.get_mut(place) {
                *byte = random.next_number() as u8;
            }
        }
        _ => input.insert(place, random.next_number() as u8),
    }
}

/// Shrinks an input while `fails` holds: removes ranges, large ones first, for at most `patience` attempts.
pub fn shrink(input: &[u8], mut patience: usize, fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut current = input.to_vec();
    let mut size = current.len().div_ceil(2);
    while size > 0 && patience > 0 {
        let (mut start, mut has_shrunk) = (0, false);
        while start < current.len() && patience > 0 {
            let end = (start + size).min(current.len());
            let shorter = [&current[..start], &current[end..]].concat();
            patience -= 1;
            if fails(&shorter) {
                current = shorter;
                has_shrunk = true;
            } else {
                start += size;
            }
        }
        if !has_shrunk || size > 1 {
            size /= 2;
        }
    }
    current
}
