//! Locates the built-in tables and their documents.

use crate::root;
use std::path::PathBuf;
use tabulex_workshop::documents::Project;

/// Returns the paths of the built-in tables, their facts and profiles, and the texts of documents, which are in the
/// folder `shared` next to the workspace or in the one that `TABULEX_SHARED` names.
pub(crate) fn project() -> Project {
    let named = std::env::var_os("TABULEX_SHARED").map(PathBuf::from);
    let texts = named.unwrap_or_else(|| root::root().join("../shared")).join("documents");
    let (folder, tables) = (root::root().join("spec/documents"), root::root().join("spec/tables"));
    Project { home: root::home(), folder, tables, texts }
}
