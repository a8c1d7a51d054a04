//! MicroXML with error recovery, as in its document of November 2012. Everything but the entry points is generated from
//! the table `microxml.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/microxml.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Microxml:
    value;
    /// Returns the tokens of the input, starting in the main mode.
    tokens;
    /// Parses the input to a tree with a single root element.
    ///
    /// ```
    /// use tabulex::{Options, WriteNode, microxml};
    ///
    /// let parsed = microxml::parse("<a b='c'>x<b>y</a>", Options::new());
    /// assert_eq!(parsed.tree.root().to_json(), r#"["a",{"b":"c"},["x",["b",{},["y"]]]]"#);
    /// ```
    parse;
    parse_bytes;
    parser;
}
