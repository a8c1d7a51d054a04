//! Adjusted names of foreign elements and attributes, and integration points; the table supplies both.

use super::{Builder, Construction, TokenView};
use crate::token::Tag;
use crate::tree::{Name, Namespace, TreeSink};

/// A name that replaces that of a token.
#[derive(Clone, Copy, Debug)]
pub struct Adjustment {
    /// The token's name.
    pub from: &'static str,
    /// The namespace of the new name, if it has one.
    pub namespace: Option<Namespace>,
    /// The new name. If there is a namespace, the part before a colon is the prefix.
    pub to: &'static str,
}

/// An element in foreign content whose contents are parsed as the table's own.
#[derive(Clone, Copy, Debug)]
pub struct IntegrationPoint {
    /// The element's namespace.
    pub namespace: Namespace,
    /// The id of its local name.
    pub local: u32,
    /// An attribute that the element must have, and its value, which is compared ignoring ASCII case.
    pub attribute: Option<(&'static str, &'static str)>,
}

/// Whether an element with this name and these attributes is an integration point.
pub(super) fn is_integration_point<'a, C: Construction>(
    name: Name,
    attribute: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    C::INTEGRATION_POINTS.iter().any(|point| {
        name.is_in(point.namespace)
            && name.local().id() == point.local
            && point.attribute.is_none_or(|(name, value)| {
                attribute(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
            })
    })
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Replaces the token's tag name by its entry in the table, if there is one. The table is sorted by `from`.
    pub fn adjust_tag_name(&mut self, table: &'static [Adjustment]) {
        let names = self.sink.names();
        let name = names.local_str(self.token_name);
        if let Ok(index) = table.binary_search_by(|entry| entry.from.cmp(name)) {
            self.token_name = names.local(table[index].to);
        }
    }

    /// Has the token's attributes renamed by the table, which is sorted by `from`.
    pub fn adjust_attributes(&mut self, token: &TokenView<'_>, table: &'static [Adjustment]) {
        if token.tag().is_some_and(|tag| tag.attributes().len() > 0) {
            self.adjusting.push(table);
            self.has_deferred = true;
        }
    }

    /// Names the attributes of the tag, renamed by the tables in `adjusting`.
    #[cold]
    pub(super) fn adjust_names(&mut self, tag: &Tag<'_>) {
        let mut names = std::mem::take(&mut self.attribute_names);
        names.clear();
        names.extend(tag.attribute_names().map(|name| Some(self.adjusted_name(name))));
        self.attribute_names = names;
    }

    fn adjusted_name(&mut self, name: &str) -> Name {
        let names = self.sink.names();
        let mut name = name;
        for table in &self.adjusting {
            if let Ok(index) = table.binary_search_by(|entry| entry.from.cmp(name)) {
                let entry = &table[index];
                name = entry.to;
                if let Some(namespace) = entry.namespace {
                    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
                    return names.name(namespace, prefix, local);
                }
            }
        }
        Name::new(Namespace::NONE, names.local(name))
    }
}
