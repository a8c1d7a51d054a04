//! Searches for inputs that two machines parse to different trees or with different errors. Each pair of configurations
//! of the two parsers is expanded once.

use super::tree_pieces::pieces;
use super::tree_witnesses::{TreeWitness, passes};
use super::walk::{Expansion, SearchExtent, walk};
use super::{Bound, name_errors};
use crate::formats::dat;
use crate::interpreter::Interpreter;
use crate::interpreter::tree::document::{self, ParseOptions, Parsed};
use std::rc::Rc;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::Construction;

/// Searches the extensions of the inputs for those that two machines parse differently, and passes each to `take`, which
/// returns whether to stop. Finds nothing if a machine has no tree construction. The length of the bound counts the
/// added pieces.
pub fn for_each_tree_difference(
    machines: [&Machine; 2],
    inputs: Vec<TreeWitness>,
    bound: Bound,
    take: &mut dyn FnMut(TreeWitness) -> bool,
) -> SearchExtent {
    let [Some(left), Some(right)] = machines.map(|machine| machine.construction.as_ref()) else {
        return SearchExtent::default();
    };
    let pieces_of = |machine, construction: &Construction| pieces(machine, construction);
    let pieces_by_mode: [Vec<Rc<[String]>>; 2] =
        [pieces_of(machines[0], left), pieces_of(machines[1], right)];
    let interpreters = machines.map(Interpreter::new);
    let mut extent = SearchExtent::default();
    let mut is_stopped = false;
    for (near, inputs) in passes(inputs) {
        let pass_extent = walk(
            inputs,
            bound,
            |_| 1,
            |options: &ParseOptions, input| {
                let [a, b] =
                    [0, 1].map(|index| document::parse(&interpreters[index], input, options));
                let (Ok(a), Ok(b)) = (a, b) else { return Expansion::Prune };
                if is_different([&a, &b], machines, options) {
                    is_stopped =
                        take(TreeWitness { options: options.clone(), input: input.to_owned() });
                    return if is_stopped { Expansion::Stop } else { Expansion::Prune };
                }
                let (Some(mut left), Some(mut right)) = (a.end, b.end) else {
                    return Expansion::Prune;
                };
                let mut pieces = Rc::clone(&pieces_by_mode[0][usize::from(left.1.mode.0)]);
                let right_pieces = &pieces_by_mode[1][usize::from(right.1.mode.0)];
                if right_pieces.iter().any(|piece| !pieces.contains(piece)) {
                    let left_only = pieces.iter().filter(|piece| !right_pieces.contains(piece));
                    let mut all_pieces: Vec<String> =
                        left_only.chain(right_pieces.iter()).cloned().collect();
                    all_pieces.sort_by_key(|piece| piece.chars().count());
                    pieces = all_pieces.into();
                }
                left.1.cut(near);
                right.1.cut(near);
                Expansion::Continue((left, right), pieces)
            },
        );
        extent.add(pass_extent);
        if is_stopped || bound.until.is_some_and(|end| std::time::Instant::now() >= end) {
            break;
        }
    }
    extent
}

fn is_different(
    [a, b]: [&Parsed; 2],
    [left, right]: [&Machine; 2],
    options: &ParseOptions,
) -> bool {
    let [mut left_errors, right_errors] = [a.error_codes(left), b.error_codes(right)];
    name_errors(&mut left_errors, &right_errors);
    left_errors != right_errors || dat::tree(&a.tree, options) != dat::tree(&b.tree, options)
}
