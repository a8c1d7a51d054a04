//! The built-in configurations of the Sanitizer API, from the folder of the tables. It decides nothing. Invariant: no
//! element and no attribute is named elsewhere in this package.

use tabulex_core::tree::Namespace;

/// An element and names of its attributes.
pub(crate) type ListedElement = (Namespace, &'static str, &'static [&'static str]);

/// The namespace of an element.
macro_rules! namespace {
    (html) => {
        Namespace::HTML
    };
    (svg) => {
        Namespace::SVG
    };
    (math) => {
        Namespace::MATHML
    };
}

/// Makes lists of elements.
macro_rules! elements {
    ($($name:ident { $($space:ident $element:literal $(= $($attribute:literal)|+)?;)* })*) => {
        /// The lists of elements.
        pub(crate) struct ElementLists {
            $(pub(crate) $name: &'static [ListedElement],)*
        }

        /// Those of the standard.
        pub(crate) const ELEMENTS: ElementLists = ElementLists {
            $($name: &[$((namespace!($space), $element, &[$($($attribute),+)?])),*],)*
        };
    };
}

/// Makes lists of names.
macro_rules! names {
    ($($name:ident = $($member:literal)|+;)*) => {
        /// The lists of names.
        pub(crate) struct NameLists {
            $(pub(crate) $name: &'static [&'static str],)*
        }

        /// Those of the standard.
        pub(crate) const NAMES: NameLists = NameLists { $($name: &[$($member),+],)* };
    };
}

include!("../../../spec/tables/html.sanitizer");
