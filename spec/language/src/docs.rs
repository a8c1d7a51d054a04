//! Doc comments (`///`) of states, modes, rows and classes, which become documentation of the generated code. The
//! grammar treats them as ordinary comments; each belongs to the item that begins on the next line.

use crate::diagnostic::Source;
use crate::model::Machine;
use crate::syntax::Span;

/// Fills in the doc comments of a machine from its source files.
pub(crate) fn fill(machine: &mut Machine, source: &Source) {
    let doc_of = |span: Span| {
        let text = source.file(span.file).map_or("", |file| &file.text[..]);
        comment_above(text.get(..span.start as usize).unwrap_or_default())
    };
    for class in &mut machine.classes {
        class.doc = doc_of(class.span);
    }
    for state in &mut machine.states {
        state.doc = doc_of(state.span);
        state.rows.iter_mut().for_each(|row| row.doc = doc_of(row.span));
    }
    for mode in machine.construction.iter_mut().flat_map(|trees| &mut trees.modes) {
        mode.doc = doc_of(mode.span);
        mode.rows.iter_mut().for_each(|row| row.doc = doc_of(row.span));
    }
}

/// Returns the doc comment directly above the line in which `text` ends; empty if there is none.
fn comment_above(text: &str) -> String {
    let lines = text.lines().rev();
    // `text` ends within a line if its item does not begin the line, as a state's name follows the keyword. That line
    // is no comment.
    let lines_to_skip = usize::from(!text.ends_with('\n'));
    let comments = lines.skip(lines_to_skip).map_while(|line| {
        let comment = line.trim_start().strip_prefix("///")?;
        Some(comment.strip_prefix(' ').unwrap_or(comment).trim_end())
    });
    let mut comments: Vec<&str> = comments.collect();
    comments.reverse();
    comments.join("\n")
}
