//! The workshop of those who write tables: what a table does to an input and which of its rows do it, what an edit
//! changes, how a table is laid out. It knows neither Rust code nor documents, and no dialect. Invariant: `cargo xtask`
//! and the program `tabulex` call the same functions here, on tables as they lie on the disk.
//!
//! ```
//! use tabulex_workshop::home::{Home, Tables};
//!
//! let home = Home::new("tabulex table", Tables::Folder(tabulex_tables::FOLDER.into()));
//! let table = home.table("html").unwrap();
//! let machine = table.machine.expect("a table without mistakes");
//! assert_eq!(machine.states[0].name, "data");
//! ```

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod cases;
pub mod changes;
pub mod commands;
pub mod home;
pub mod impact;
pub mod layout;
pub mod literal;
mod paint;
pub mod picture;
mod revision;
#[cfg(feature = "server")]
pub mod server;
pub mod table;
pub mod trial;

/// Why a command failed: the message, which is empty if all has been said.
pub type Failure = String;

/// What a command ends with: whether it found all well.
pub type Outcome = Result<bool, Failure>;
