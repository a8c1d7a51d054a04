//! Converts diagnostics to the form of the protocol, grouped by the file that contains the error.

use super::project::ServedFile;
use super::text::{range, uri};
use crate::table::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tabulex_language::syntax::FileId;
use tabulex_language::{Diagnostic, Severity};

/// Returns the diagnostics of the tables that a file belongs to, by file. Warnings in included files are dropped, since
/// another machine may use a definition that this one does not use.
pub(super) fn collect(project: &ServedFile) -> BTreeMap<PathBuf, Vec<Value>> {
    let mut by_file: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
    for table in &project.tables {
        for one in &table.diagnostics {
            let is_dropped = one.severity == Severity::Warning && one.span.file != FileId::TABLE;
            let Some(path) = table.paths.get(usize::from(one.span.file.0)).cloned().flatten()
            else {
                continue;
            };
            if !is_dropped && (path == project.path || one.span.file != FileId::TABLE) {
                let list = by_file.entry(path).or_default();
                list.extend(with_related(table, one).filter(|it| !list.contains(it)));
            }
        }
    }
    if project.tables.is_empty() {
        // No table includes the file, so only its syntax can be checked.
        if let Some((text, _)) = project.files.get(&project.path) {
            let (_, found) = tabulex_language::parse::file(text);
            let list = found.iter().map(|one| without_related(text, one)).collect();
            by_file.insert(project.path.clone(), list);
        }
    }
    by_file
}

fn with_related(table: &Table, one: &Diagnostic) -> Option<Value> {
    let mut value = without_related(&table.source(one.span)?.text, one);
    let related = one.others().filter_map(|(span, why)| {
        let path = table.paths.get(usize::from(span.file.0))?.as_ref()?;
        let location = json!({ "uri": uri(path), "range": range(&table.source(span)?.text, span) });
        Some(json!({ "location": location, "message": why }))
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        value["relatedInformation"] = Value::Array(related);
    }
    Some(value)
}

fn without_related(text: &str, one: &Diagnostic) -> Value {
    let help = one.help.iter().map(|help| format!("\nhelp: {help}"));
    json!({
        "range": range(text, one.span),
        "severity": match one.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        },
        "code": one.check,
        "source": "tabulex",
        "message": one.message.clone() + &help.collect::<String>(),
    })
}
