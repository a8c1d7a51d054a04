//! Checks notes on deviations from the document: each `fills` and `deviates` needs a reason.

use crate::diagnostic::{Diagnostic, STALE_NOTE};
use crate::syntax::{DeclarationPart, Note, NoteKind, Table};

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let notes = table
        .parts()
        .filter_map(|part| if let DeclarationPart::Note(note) = part { Some(note) } else { None });
    notes.filter(|note| note.reason.trim().is_empty()).map(missing_reason).collect()
}

fn missing_reason(note: &Note) -> Diagnostic {
    let help = match note.kind {
        NoteKind::Fills => "say what the document leaves open, or remove the note",
        NoteKind::Deviates => "say why the table differs, or remove the note",
    };
    let message = format!("`{}` lacks a reason", note.kind.keyword());
    Diagnostic::new(STALE_NOTE, note.span, message).help(help)
}
