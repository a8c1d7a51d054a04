//! Checks notes on deviations from the document: each `fills` and `deviates` needs a reason.

use crate::diagnostic::{Diagnostic, STALE_NOTE};
use crate::syntax::{DeclarationPart, Note, NoteKind, Table};

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    table.for_each_part(&mut |part| {
        if let DeclarationPart::Note(note) = part
            && note.reason.trim().is_empty()
        {
            diagnostics.push(missing_reason(note));
        }
    });
    diagnostics
}

fn missing_reason(note: &Note) -> Diagnostic {
    let (word, help) = match note.kind {
        NoteKind::Fills => ("fills", "say what the document leaves open, or remove the note"),
        NoteKind::Deviates => ("deviates", "say why the table differs, or remove the note"),
    };
    Diagnostic::new(STALE_NOTE, note.span, format!("`{word}` lacks a reason")).help(help)
}
