//! Finds a longest common subsequence of two lists, and the ranges outside it.

use std::ops::Range;

/// Returns the gaps between the matched `pairs` of two lists with the lengths `left` and `right`: for each gap, its
/// range in either list. Gaps that are empty in both lists are left out.
pub(crate) fn unmatched_ranges(
    (left, right): (usize, usize),
    pairs: &[(usize, usize)],
) -> Vec<[Range<usize>; 2]> {
    let (mut left_start, mut right_start, mut ranges) = (0, 0, Vec::new());
    for &(left_end, right_end) in pairs.iter().chain([&(left, right)]) {
        if left_start < left_end || right_start < right_end {
            ranges.push([left_start..left_end, right_start..right_end]);
        }
        (left_start, right_start) = (left_end + 1, right_end + 1);
    }
    ranges
}

/// Returns the pairs of indices of a longest common subsequence of two lists with the lengths `left` and `right`.
pub(crate) fn matched_pairs(
    (left, right): (usize, usize),
    is_equal: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let prefix = (0..left.min(right)).take_while(|&at| is_equal(at, at)).count();
    let max_suffix = left.min(right) - prefix;
    let suffix = (1..=max_suffix).take_while(|back| is_equal(left - back, right - back)).count();
    // The table of lengths is quadratic in size, so it leaves out the common prefix and suffix.
    let (rows, columns) = (left - prefix - suffix, right - prefix - suffix);
    let width = columns + 1;
    let mut lengths = vec![0u32; (rows + 1) * width];
    for a in (0..rows).rev() {
        for b in (0..columns).rev() {
            lengths[a * width + b] = match is_equal(prefix + a, prefix + b) {
                true => lengths[(a + 1) * width + b + 1] + 1,
                false => lengths[(a + 1) * width + b].max(lengths[a * width + b + 1]),
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..prefix).map(|at| (at, at)).collect();
    let (mut a, mut b) = (0, 0);
    while a < rows && b < columns {
        if is_equal(prefix + a, prefix + b) {
            pairs.push((prefix + a, prefix + b));
            (a, b) = (a + 1, b + 1);
        } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs.extend((0..suffix).map(|at| (left - suffix + at, right - suffix + at)));
    pairs
}
