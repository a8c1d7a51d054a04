//! The files of the built-in tables and their documents.

use crate::root;
use std::path::PathBuf;
use tabulex_workshop::documents::Project;

/// Returns the built-in tables, `spec/documents`, and the documents next to the workspace, or in the folder that
/// `TABULEX_SHARED` names.
pub(crate) fn project() -> Project {
    let named = std::env::var_os("TABULEX_SHARED").map(PathBuf::from);
    let texts = named.unwrap_or_else(|| root::root().join("../shared")).join("documents");
    let (folder, tables) = (root::root().join("spec/documents"), root::root().join("spec/tables"));
    Project { home: root::home(), folder, tables, texts }
}
