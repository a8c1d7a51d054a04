//! Loads a table with one of its files edited.

use crate::{Failure, root};
use tabulex_language::model::Machine;
use tabulex_language::{Loaded, Source};
use tabulex_oracle::search::{Bound, Errors, differences};

/// A file of `spec/tables` to be edited.
pub(super) struct EditedFile {
    /// Name of the file.
    name: String,
    /// Name of the file with the table to which the file belongs.
    table_file: String,
    /// The machine of the unchanged table.
    machine: Machine,
}

impl EditedFile {
    pub(super) fn new(name: &str) -> Result<Self, Failure> {
        let (dialect, _) = name.split_once('.').unwrap_or((name, ""));
        let machine = root::machine(dialect)?;
        Ok(Self { name: name.to_owned(), table_file: format!("{dialect}.states"), machine })
    }

    /// Whether the file itself is the table, rather than a file of its modes.
    pub(super) fn is_table(&self) -> bool {
        self.name == self.table_file
    }

    /// Loads the table, with `changed` as the text of the file.
    pub(super) fn load(&self, changed: &str) -> Loaded {
        let text_of = |name: &str| {
            if name == self.name { Some(changed.to_owned()) } else { read_table(name) }
        };
        let source =
            Source::new(self.table_file.clone(), text_of(&self.table_file).unwrap_or_default());
        tabulex_language::load(&source, &text_of)
    }

    /// Whether a short search finds no input on which `other` behaves differently from the machine of the unchanged
    /// table.
    pub(super) fn behaves_equally(&self, other: &Machine) -> bool {
        let bound = Bound { configurations: 800, length: 30, until: None };
        let machines = [&self.machine, other];
        differences(machines, Errors::Positions, bound, 1).differences.is_empty()
    }
}

/// Reads a file of `spec/tables`. Returns `None` if the file cannot be read.
pub(super) fn read_table(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}
