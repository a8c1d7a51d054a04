//! Doc comments (`///`) of states, modes, rows and classes, which become documentation of the generated code. The
//! grammar treats them as ordinary comments; each belongs to the item that begins on the next line.

use crate::diagnostic::Source;
use crate::model::Machine;
use crate::syntax::Span;

/// Fills in the doc comments of a machine from its source files.
pub(crate) fn fill(machine: &mut Machine, source: &Source) {
    let above = |span: Span| {
        let text = source.file(span.file).map_or("", |file| &file.text[..]);
        above(text.get(..span.start as usize).unwrap_or_default())
    };
    for class in &mut machine.classes {
        class.doc = above(class.span);
    }
    for state in &mut machine.states {
        state.doc = above(state.span);
        state.rows.iter_mut().for_each(|row| row.doc = above(row.span));
    }
    for mode in machine.construction.iter_mut().flat_map(|trees| &mut trees.modes) {
        mode.doc = above(mode.span);
        mode.rows.iter_mut().for_each(|row| row.doc = above(row.span));
    }
}

/// Returns the doc comment directly above the last line of `text`.
fn above(text: &str) -> String {
    let lines = text.lines().rev();
    // The item may begin in the middle of its line, as a state does after the keyword.
    let own = usize::from(!text.ends_with('\n'));
    let comments = lines.skip(own).map_while(|line| {
        let said = line.trim_start().strip_prefix("///")?;
        Some(said.strip_prefix(' ').unwrap_or(said).trim_end())
    });
    let mut comments: Vec<&str> = comments.collect();
    comments.reverse();
    comments.join("\n")
}
