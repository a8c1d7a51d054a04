//! Searches for the shortest input that reaches each row of a machine's states.

use super::Bound;
use super::pieces::{PieceCache, Pieces};
use super::probe::{InputEnd, Outcome, Probe, Start};
use super::walk::{Expansion, SearchExtent, characters, starts, walk};
use std::collections::BTreeMap;
use tabulex_language::model::{Machine, RowId};

/// An input with its start, and the output of its run.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Start of the run.
    pub start: Start,
    /// Text of the input.
    pub input: String,
    /// Output of the run.
    pub outcome: Outcome,
}

/// The witnesses for the rows of a machine's states or modes.
#[derive(Clone, Debug)]
pub struct Witnesses<R = RowId, W = Witness> {
    /// Shortest input found for each row.
    pub rows: BTreeMap<R, W>,
    /// Rows for which no input was found.
    pub unreached: Vec<R>,
    /// Extent of the search.
    pub extent: SearchExtent,
}

/// Searches for the shortest input that runs each row of a machine's states.
pub fn witnesses(machine: &Machine, bound: Bound) -> Witnesses {
    let probe = Probe::new(machine);
    let all_rows: Vec<RowId> = machine.row_ids().collect();
    let mut rows = BTreeMap::new();
    let (pieces, mut piece_cache) =
        (Pieces::new(machine, &probe.compared_texts, &[]), PieceCache::default());
    let starts = starts(machine).into_iter().map(|start| (start, String::new())).collect();
    let extent = walk(starts, bound, characters, |start: &Start, input| {
        let Some(record) = probe.run(start, input) else { return Expansion::Prune };
        for row in record.rows {
            rows.entry(row).or_insert_with(|| Witness {
                start: start.clone(),
                input: input.to_owned(),
                outcome: record.outcome.clone(),
            });
        }
        match record.end {
            _ if rows.len() == all_rows.len() => Expansion::Stop,
            Some(InputEnd { configuration, undecided_row, .. }) => {
                let pieces = piece_cache.after(&[&pieces], &[configuration.state]);
                Expansion::Continue((configuration, undecided_row), pieces)
            }
            None => Expansion::Prune,
        }
    });
    let unreached = all_rows.into_iter().filter(|row| !rows.contains_key(row)).collect();
    Witnesses { rows, unreached, extent: extent.of_machines(&[machine]) }
}
