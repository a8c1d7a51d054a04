//! Enumerations that a table declares: each value has a name. What the values mean is not said here. Invariant: a value
//! is found by its name, and only by that.

use std::fmt::Debug;

/// An enumeration that a table declares: states, error codes, flags.
pub trait Named: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// All values in the table's order.
    const ALL: &'static [Self];

    /// The address of the document that says what the values mean, if the table gives it: of codes of errors.
    const ADDRESS: Option<&'static str> = None;

    /// The name as it is in the table.
    fn name(self) -> &'static str;

    /// The value of this name.
    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}
