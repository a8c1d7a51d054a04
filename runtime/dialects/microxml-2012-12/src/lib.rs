//! MicroXML with error recovery, as in the last version of its document, of December 2012. Everything but the entry
//! points is generated from the table `microxml-2012-12.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/microxml-2012-12.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Microxml201212:
    value;
    /// Returns the tokens of the input, starting in the main mode.
    tokens;
    /// Parses the input to a tree with a single root element.
    ///
    /// ```
    /// use tabulex::{Options, WriteNode, microxml_2012_12 as microxml};
    ///
    /// let parsed = microxml::parse("<a b>x<![CDATA[<b>]]></a>", Options::new());
    /// assert_eq!(parsed.tree.root().to_json(), r#"["a",{"b":""},["x<b>"]]"#);
    /// ```
    parse;
    parse_bytes;
    parser;
}
