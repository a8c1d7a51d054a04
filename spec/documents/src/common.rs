//! Finds a longest common subsequence of two lists, and the ranges outside it.

use std::ops::Range;

/// Returns the pairs of ranges, not both empty, that lie between the matched pairs of two lists with the lengths `left`
/// and `right`.
pub(crate) fn unmatched_ranges(
    (left, right): (usize, usize),
    pairs: &[(usize, usize)],
) -> Vec<[Range<usize>; 2]> {
    let (mut at, mut to, mut runs) = (0, 0, Vec::new());
    for &(next, other) in pairs.iter().chain([&(left, right)]) {
        if at < next || to < other {
            runs.push([at..next, to..other]);
        }
        (at, to) = (next + 1, other + 1);
    }
    runs
}

/// Returns the pairs of indices of a longest common subsequence of two lists with the lengths `left` and `right`.
pub(crate) fn matched_pairs(
    (left, right): (usize, usize),
    is_equal: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let begin = (0..left.min(right)).take_while(|&at| is_equal(at, at)).count();
    let most = left.min(right) - begin;
    let end = (1..=most).take_while(|back| is_equal(left - back, right - back)).count();
    // The table of lengths covers only the lists without their common prefix and suffix.
    let (lines, columns) = (left - begin - end, right - begin - end);
    let width = columns + 1;
    let mut length = vec![0u32; (lines + 1) * width];
    for a in (0..lines).rev() {
        for b in (0..columns).rev() {
            length[a * width + b] = match is_equal(begin + a, begin + b) {
                true => length[(a + 1) * width + b + 1] + 1,
                false => length[(a + 1) * width + b].max(length[a * width + b + 1]),
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..begin).map(|at| (at, at)).collect();
    let (mut a, mut b) = (0, 0);
    while a < lines && b < columns {
        if is_equal(begin + a, begin + b) {
            pairs.push((begin + a, begin + b));
            (a, b) = (a + 1, b + 1);
        } else if length[(a + 1) * width + b] >= length[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs.extend((0..end).map(|at| (left - end + at, right - end + at)));
    pairs
}
