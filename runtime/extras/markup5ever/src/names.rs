//! Conversion of interned names of tabulex to names of markup5ever. Each local name is converted to an atom once.

use html5ever::{LocalName, Namespace, Prefix, QualName, ns};
use tabulex_core::tree::{self, Name, Names};

/// Interned names, and the atoms of local names converted so far.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    pub(crate) names: Names,
    local_atoms: Vec<Option<LocalName>>,
}

impl Atoms {
    fn local(&mut self, local: tree::LocalName) -> LocalName {
        let index = local.id() as usize;
        if self.local_atoms.len() <= index {
            self.local_atoms.resize(index + 1, None);
        }
        let names = &self.names;
        let make_atom = || LocalName::from(names.local_str(local));
        self.local_atoms[index].get_or_insert_with(make_atom).clone()
    }

    fn namespace(&self, namespace: tree::Namespace) -> Namespace {
        match namespace {
            tree::Namespace::NONE => ns!(),
            tree::Namespace::HTML => ns!(html),
            tree::Namespace::MATHML => ns!(mathml),
            tree::Namespace::SVG => ns!(svg),
            tree::Namespace::XLINK => ns!(xlink),
            tree::Namespace::XML => ns!(xml),
            tree::Namespace::XMLNS => ns!(xmlns),
            other => Namespace::from(self.names.namespace_str(other)),
        }
    }

    /// Converts a name, including its prefix, to a qualified name of markup5ever.
    pub(crate) fn qualified(&mut self, name: Name) -> QualName {
        let local = self.local(name.local());
        let ns = self.namespace(self.names.namespace_of(name));
        let prefix = self.names.prefix_of(name);
        let prefix = (!prefix.is_empty()).then(|| Prefix::from(prefix));
        QualName { prefix, ns, local }
    }

    /// Converts the name of an attribute in no namespace to a qualified name of markup5ever.
    pub(crate) fn unprefixed(&mut self, name: &str) -> QualName {
        let local = self.names.local(name);
        QualName { prefix: None, ns: ns!(), local: self.local(local) }
    }
}
