//! Rows of tables of names that all modes share.

/// Returns a row of a table of names.
pub(super) fn adjustment_row(cells: &[&str]) -> Option<String> {
    match cells {
        [from, to] => Some(format!("{from:?} => {to:?}")),
        [from, prefix, local, space] => {
            let space = tabulex_language::model::kebab_case(space.strip_suffix("namespace")?);
            let to =
                if *prefix == "(none)" { (*local).to_owned() } else { format!("{prefix}:{local}") };
            Some(format!("{from:?} => {space} {to:?}"))
        }
        _ => None,
    }
}
