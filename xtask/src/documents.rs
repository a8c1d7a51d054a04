//! Locates the built-in tables and their documents.

use crate::root;
use tabulex_workshop::documents::Project;

/// Returns the paths of the built-in tables, their facts and profiles, and the texts of documents, which are in the
/// shared folder.
pub(crate) fn project() -> Project {
    let texts = root::shared().join("documents");
    let (folder, tables) = (root::root().join("spec/documents"), root::root().join("spec/tables"));
    Project { home: root::home(), folder, tables, texts }
}
