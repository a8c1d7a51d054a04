//! Enumerations that a table declares, with the names of their values.

use std::fmt::Debug;

/// An enumeration that a table declares: states, error codes, flags.
pub trait Named: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// All values in the table's order.
    const ALL: &'static [Self];

    /// The address of the document that explains the values; set for error codes if the table gives it.
    const ADDRESS: Option<&'static str> = None;

    /// Returns the name of the value, as in the table.
    fn name(self) -> &'static str;

    /// Returns the value called `name`, or `None` if there is none.
    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}
