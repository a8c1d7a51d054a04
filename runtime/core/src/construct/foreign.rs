//! Adjusted names of foreign elements and attributes, and integration points; the table supplies both.

use super::{Builder, Construction, TokenView};
use crate::token::Tag;
use crate::tree::{LocalName, Name, Namespace, TreeSink};

/// Table of new names for tags or attributes, indexed by the ids of the old names. Names with ids beyond the table are
/// not changed.
pub(super) type Adjustments = &'static [Name];

/// Returns the table of new names for the first `COUNT` known names. Each entry gives the id of a name and its new
/// name; other names are not changed.
pub const fn adjustments<const COUNT: usize>(entries: &[(u32, Name)]) -> [Name; COUNT] {
    let mut table = [Name::new(Namespace::NONE, LocalName::known(0)); COUNT];
    let mut id = 0;
    while id < COUNT {
        table[id] = Name::new(Namespace::NONE, LocalName::known(id as u32));
        id += 1;
    }
    let mut index = 0;
    while index < entries.len() {
        table[entries[index].0 as usize] = entries[index].1;
        index += 1;
    }
    table
}

/// An element in a foreign namespace whose contents are parsed by the rules for the table's own namespace.
#[derive(Clone, Copy, Debug)]
pub struct IntegrationPoint {
    /// The element's namespace.
    pub namespace: Namespace,
    /// The id of the element's local name.
    pub local: u32,
    /// An attribute that the element must have, and its value, which is compared ignoring ASCII case.
    pub attribute: Option<(&'static str, &'static str)>,
}

/// Whether an element with this name is an integration point, where `attribute_value` returns the values of its
/// attributes by name.
pub(super) fn is_integration_point<'a, C: Construction>(
    name: Name,
    attribute_value: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    C::INTEGRATION_POINTS.iter().any(|point| {
        name.is_in(point.namespace)
            && name.local().id() == point.local
            && point.attribute.is_none_or(|(name, value)| {
                attribute_value(name).is_some_and(|actual| actual.eq_ignore_ascii_case(value))
            })
    })
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Replaces the current tag's name with its entry in the table, if there is one.
    pub fn adjust_tag_name(&mut self, table: Adjustments) {
        self.token_name = adjust(self.token_name, &[table]).local();
    }

    /// Adds a table that renames the token's attributes when its element is created.
    pub fn adjust_attributes(&mut self, token: &TokenView<'_>, table: Adjustments) {
        if token.tag().is_some_and(|tag| tag.attributes().len() > 0) {
            self.adjustments.push(table);
            self.has_deferred_work = true;
        }
    }

    /// Sets `adjusted_names` to the names of the tag's attributes, renamed by the tables in `adjustments`.
    #[cold]
    pub(super) fn adjust_names(&mut self, tag: &Tag<'_>) {
        let names = self.sink.names();
        let locals = tag.attribute_name_lookups().map(|name| names.local_from_lookup(name));
        self.adjusted_names.clear();
        self.adjusted_names.extend(locals.map(|local| adjust(local, &self.adjustments)));
    }
}

/// Renames a local name by each table in turn, until one of the tables gives it a namespace.
fn adjust(local: LocalName, tables: &[Adjustments]) -> Name {
    let mut name = Name::new(Namespace::NONE, local);
    for table in tables {
        if name.is_in(Namespace::NONE) {
            name = table.get(name.local().id() as usize).copied().unwrap_or(name);
        }
    }
    name
}
