//! Tools for authors of tables: running a table on an input and tracing its rows, the effect of an edit, formatting,
//! and a language server. `cargo xtask` and the program `tabulex` share these functions, which read tables from the
//! disk.
//!
//! ```
//! use tabulex_workshop::home::{Home, Tables};
//!
//! let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
//! let table = home.table("html").unwrap();
//! let machine = table.machine.expect("the table has no errors");
//! assert_eq!(machine.states[0].name, "data");
//! ```

// On docs.rs, rustdoc's feature `doc_cfg` shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod arguments;
pub mod cases;
pub mod changes;
pub mod commands;
#[cfg(feature = "documents")]
pub mod documents;
pub mod home;
pub mod impact;
pub mod layout;
mod paint;
pub mod picture;
mod revision;
#[cfg(feature = "server")]
pub mod server;
pub mod table;
pub mod trial;

/// The message of a failed command; empty if the command has printed it.
pub type Failure = String;

/// Shortens a text to a number of characters, with an ellipsis if anything was cut.
fn truncate(text: &str, max_characters: usize) -> String {
    match text.char_indices().nth(max_characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Result of a command: whether the command found no problems, or the message of its failure.
pub type Outcome = Result<bool, Failure>;
