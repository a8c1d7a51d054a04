//! Quick fixes: replace a misspelled name by the suggested one, and add a missing row for the end of the input.

use super::text::{offset, position, uri};
use serde_json::{Value, json};
use std::path::Path;
use tabulex_language::syntax::ParsedState;

/// Returns the quick fixes for the diagnostics in the request, as the protocol represents them.
pub(super) fn find(path: &Path, text: &str, params: &Value) -> Value {
    let diagnostics = params["context"]["diagnostics"].as_array();
    let fixes = diagnostics.into_iter().flatten().filter_map(|one| {
        let (title, at, new) =
            replace_by_suggestion(text, one).or_else(|| add_end_row(text, one))?;
        let range = json!({ "start": position(text, at.0), "end": position(text, at.1) });
        Some(json!({
            "title": title,
            "kind": "quickfix",
            "isPreferred": true,
            "diagnostics": [one],
            "edit": { "changes": { uri(path): [{ "range": range, "newText": new }] } },
        }))
    });
    fixes.collect()
}

/// A quick fix: its title, the byte range to replace, and the new text.
type QuickFix = (String, (usize, usize), String);

/// Returns the fix that replaces a misspelled name with the one that the diagnostic suggests, if it suggests one.
fn replace_by_suggestion(text: &str, one: &Value) -> Option<QuickFix> {
    let (_, after) = one["message"].as_str()?.split_once("did you mean `")?;
    let (name, _) = after.split_once('`')?;
    let start = offset(text, &one["range"]["start"]);
    let end = offset(text, &one["range"]["end"]);
    let misspelled = text.get(start..end)?;
    // The range may cover a whole step, so a suggestion of one word replaces only the first word of the range.
    let end = match misspelled.find(char::is_whitespace) {
        Some(length) if !name.contains(' ') => start + length,
        _ => end,
    };
    Some((format!("write `{name}`"), (start, end), name.to_owned()))
}

/// Returns the fix for a state without a row for the end of the input: adds one after the state's last row. `None` for
/// other diagnostics.
fn add_end_row(text: &str, one: &Value) -> Option<QuickFix> {
    if one["code"] != "missing-eof" {
        return None;
    }
    let at = offset(text, &one["range"]["start"]);
    let items = tabulex_language::parse::lenient(text).items;
    let is_here = |state: &&ParsedState| {
        let state_end = state.rows.last().map_or(state.name.span.end, |row| row.span.end);
        (state.name.span.start as usize..=state_end as usize).contains(&at)
    };
    let (state, steps) = items.iter().find_map(|item| {
        let is_procedure = item.kind == "procedure";
        let steps = if is_procedure { "return nothing" } else { "emit end-of-file" };
        item.states().iter().find(is_here).map(|state| (state, steps))
    })?;
    let last_row = state.rows.last()?;
    let start = last_row.span.start as usize;
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let indent: String = text[line_start..].chars().take_while(|it| *it == ' ').collect();
    let mut end = text[..last_row.span.end as usize].trim_end().len();
    if text[end..].starts_with(';') {
        end += 1;
    }
    Some((
        format!("add a row `EOF => {steps};`"),
        (end, end),
        format!("\n{indent}EOF  => {steps};"),
    ))
}
