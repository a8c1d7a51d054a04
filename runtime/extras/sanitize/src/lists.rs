//! The built-in lists of the Sanitizer API, included from the tables: the only names of elements and attributes in this
//! package.

use tabulex_core::__private::lists as names;
use tabulex_core::tree::Namespace;

/// An element, given by namespace and local name, and names of its attributes.
pub(crate) type TableElement = (Namespace, &'static str, &'static [&'static str]);

/// Maps a prefix in the lists to a namespace.
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

/// Declares lists of elements.
macro_rules! elements {
    ($($name:ident { $($space:ident $element:literal $(= $($attribute:literal)|+)?;)* })*) => {
        /// Lists of elements by purpose.
        pub(crate) struct ElementLists {
            $(pub(crate) $name: &'static [TableElement],)*
        }

        /// The standard's lists of elements.
        pub(crate) const ELEMENTS: ElementLists = ElementLists {
            $($name: &[$((namespace!($space), $element, &[$($($attribute),+)?])),*],)*
        };
    };
}

include!("../../../../spec/tables/html.sanitizer");
