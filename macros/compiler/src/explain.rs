//! Explanation of the compiler's choices, derived from the same values as the generated code.

use crate::lower::{Body, List};
use crate::skip::Scanner;
use crate::{Compiled, order};
use std::fmt::Write as _;
use tabulex_language::model::{Action, Text, Transfer};
use tabulex_language::vocabulary::{FIELDS, word};

/// Returns a report of the compiler's choices: those for the whole machine, then a line per block, in code order.
pub fn explain(compiled: &Compiled<'_>) -> String {
    let mut report = String::new();
    let specials: Vec<String> = compiled.specials.iter().map(|&byte| byte_text(byte)).collect();
    let _ = writeln!(
        report,
        "machine {}: {} states, {} blocks",
        compiled.machine.name,
        compiled.machine.states.len(),
        compiled.lowered.blocks.len()
    );
    let _ = writeln!(
        report,
        "the input is split at {}, so that scanners need not search for them",
        if specials.is_empty() { "nothing".to_owned() } else { specials.join(" ") }
    );
    let backward_count = count_backward_edges(compiled);
    let _ = writeln!(
        report,
        "{backward_count} kinds of jump go backward, through the table of all blocks; the others are plain jumps"
    );
    let usual: Vec<String> = order::frequent_targets(compiled)
        .map(|index| format!("`{}`", compiled.lowered.blocks[index].name))
        .collect();
    if !usual.is_empty() {
        let _ = writeln!(report, "  targets tested before the table: {}", usual.join(", "));
    }
    for &index in &compiled.order {
        let block = &compiled.lowered.blocks[index];
        let description = match &block.body {
            Body::Input(input) => {
                let classes = format!("byte classes: {}", input.bytes.len());
                let description = match &compiled.skips[index] {
                    None => format!("{classes}, no run"),
                    Some(skip) => {
                        let proviso = match (compiled.passes_first(index), skip.is_often_empty()) {
                            (false, _) => ", in the arm of their first",
                            (true, true) => ", unless the run is empty",
                            (true, false) => "",
                        };
                        let guard = match skip.earlier.is_empty() {
                            true => "",
                            false => ", unless an earlier row applies",
                        };
                        format!(
                            "{classes}, {} in bulk: {}{proviso}{guard}",
                            describe_run(&skip.list),
                            describe_scanner(skip)
                        )
                    }
                };
                match compiled.likely[index] {
                    Some(byte) => format!("{description}; {} is tested first", byte_text(byte)),
                    None => description,
                }
            }
            Body::Call(start) => format!("calls `{}`", compiled.machine.state(*start).name),
            Body::Number(arms, _) => {
                format!("matches on the character reference code; arms: {}", arms.len())
            }
            Body::Plan(_) => "straight on".to_owned(),
        };
        let _ = writeln!(report, "  {:<52} {description}", block.name);
    }
    report
}

fn describe_run(list: &List) -> String {
    match &list.actions[..] {
        [Action::EmitText(Text::Current)] => "emits".to_owned(),
        [Action::Append(_, field)] => format!("appends to {}", word(FIELDS, field)),
        _ => "ignores".to_owned(),
    }
}

fn describe_scanner(skip: &crate::skip::Skip) -> String {
    match &skip.scanner {
        Scanner::Everything => "nothing else stops the run".to_owned(),
        Scanner::Find(stops) => {
            let stops: Vec<String> = stops.iter().map(|&byte| byte_text(byte)).collect();
            format!("memchr, stopped only by {}", stops.join(" "))
        }
        Scanner::Table(lowest) => {
            let stop_count = skip.bytes.iter().filter(|&&byte| !byte).count();
            let skipping = lowest.map(|lowest| {
                format!(
                    ", after skipping blocks whose bytes are all {} or above",
                    byte_text(lowest)
                )
            });
            format!(
                "a table of the {stop_count} bytes that stop it{}",
                skipping.unwrap_or_default()
            )
        }
    }
}

fn byte_text(byte: u8) -> String {
    format!("'{}'", char::from(byte).escape_default())
}

fn count_backward_edges(compiled: &Compiled<'_>) -> usize {
    let mut backward_edges = std::collections::BTreeSet::new();
    for (from, block) in compiled.lowered.blocks.iter().enumerate() {
        for (list, _) in block.lists() {
            if let Transfer::To(state) = list.next {
                let to = usize::from(state.0);
                if !compiled.goes_forward(from, to) {
                    backward_edges.insert((from, to));
                }
            }
        }
    }
    backward_edges.len()
}
