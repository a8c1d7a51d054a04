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
    let (word, help) = match note.kind {
        NoteKind::Fills => ("fills", "say what the document leaves open, or remove the note"),
        NoteKind::Deviates => ("deviates", "say why the table differs, or remove the note"),
    };
    Diagnostic::new(STALE_NOTE, note.span, format!("`{word}` lacks a reason")).help(help)
}
