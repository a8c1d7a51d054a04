//! XML 1.0, fifth edition, with namespaces and error recovery. Everything but the entry points is generated from the
//! table `xml.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, ProcessingInstruction, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/xml.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Xml:
    value;
    /// Returns the tokens of the input, starting in the data state. An empty tag is a start tag with its self-closing
    /// flag set.
    ///
    /// ```
    /// use tabulex::xml::{self, Token};
    ///
    /// let mut tokens = xml::tokens("<!DOCTYPE a [<!ENTITY who 'World'>]><a>Hello &who; & all</a>");
    /// assert!(matches!(tokens.next(), Some(Token::StartTag(tag)) if tag.name == "a"));
    /// assert!(matches!(tokens.next(), Some(Token::Text(text, _)) if text == "Hello World & all"));
    /// assert!(matches!(tokens.next(), Some(Token::EndTag(_))));
    /// ```
    tokens;
    /// Parses the input to a tree. With `Options::host_flag("html-names", 1)`, HTML's named character references are
    /// known without a declaration.
    ///
    /// ```
    /// use tabulex::{Options, WriteNode, xml};
    ///
    /// let parsed = xml::parse("<a xmlns:p='q'><p:b/>x & y", Options::new());
    /// assert_eq!(parsed.tree.root().to_xml(), "<a xmlns:p=\"q\"><p:b/>x &amp; y</a>");
    /// let b = parsed.tree.document_element().unwrap().first_child().unwrap();
    /// assert_eq!(b.name().unwrap().namespace_str(), "q");
    /// ```
    parse;
    parse_bytes;
    parser;
}
