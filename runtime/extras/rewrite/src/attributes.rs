//! Iterator over the attributes of an element as handlers see them: those of the tag, overridden by those that were
//! set. Each name occurs once (`yields_each_attribute_once_with_its_last_value`).

use std::slice::Iter;

/// An iterator over attribute names and values.
pub(crate) struct Attributes<'e> {
    pub(crate) written: tabulex_core::Attributes<'e>,
    /// All attribute changes by handlers; `None` removes the attribute.
    pub(crate) changes: &'e [(String, Option<String>)],
    /// The changes not yet yielded.
    pub(crate) unyielded: Iter<'e, (String, Option<String>)>,
}

impl<'e> Iterator for Attributes<'e> {
    type Item = (&'e str, &'e str);

    #[inline]
    fn next(&mut self) -> Option<(&'e str, &'e str)> {
        let changes = self.changes;
        let is_changed = |name: &str| changes.iter().any(|(changed, _)| changed == name);
        let written = self.written.find(|attribute| !is_changed(attribute.name));
        let name_and_value =
            |(name, value): &'e (String, Option<String>)| Some((&**name, value.as_deref()?));
        written
            .map(|attribute| (attribute.name, attribute.value))
            .or_else(|| self.unyielded.find_map(name_and_value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.changes {
            [] => self.written.size_hint(),
            changes => (0, Some(self.written.len() + changes.len())),
        }
    }

    #[inline]
    fn count(self) -> usize {
        match self.changes {
            [] => self.written.len(),
            _ => self.fold(0, |count, _| count + 1),
        }
    }
}
