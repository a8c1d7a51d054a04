//! Locates the built-in tables and their documents.

use crate::root;
use std::path::PathBuf;
use tabulex_workshop::documents::Project;

/// Returns the paths of the built-in tables, their facts and profiles, and the texts of documents, which are in
/// `../shared/documents`, or in `documents` in the folder that `TABULEX_SHARED` names.
pub(crate) fn project() -> Project {
    let shared = std::env::var_os("TABULEX_SHARED").map(PathBuf::from);
    let texts = shared.unwrap_or_else(|| root::root().join("../shared")).join("documents");
    let (folder, tables) = (root::root().join("spec/documents"), root::root().join("spec/tables"));
    Project { home: root::home(), folder, tables, texts }
}
