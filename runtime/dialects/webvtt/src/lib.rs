//! The cue text of WebVTT. Everything but the entry points is generated from the table `webvtt.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/webvtt.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Webvtt:
    value;
    /// Returns the tokens of cue text. Classes and the annotation of a start tag are attributes; text and timestamps
    /// are declared tokens.
    ///
    /// ```
    /// use tabulex::webvtt::{self, Token};
    ///
    /// let mut tokens = webvtt::tokens("<v.loud Joe>Hee!");
    /// let Some(Token::StartTag(tag)) = tokens.next() else { panic!() };
    /// assert_eq!((&*tag.name, &*tag.attributes[1].value), ("v", "Joe"));
    /// assert!(matches!(tokens.next(), Some(Token::Declared(text)) if text.fields[0].text == "Hee!"));
    /// ```
    tokens;
    /// Parses cue text to a tree.
    ///
    /// ```
    /// use tabulex::{Options, WriteNode, webvtt};
    ///
    /// let tree = webvtt::parse("<c.first>One <00:01.500>&amp; two</c>", Options::new()).tree;
    /// let dump = "| <c>\n|   class=\"first\"\n|   \"One \"\n|   <timestamp 1.500>\n|   \"& two\"\n";
    /// assert_eq!(tree.root().to_dump(), dump);
    /// ```
    parse;
    /// Parses bytes, which are decoded as UTF-8.
    parse_bytes;
    parser;
}
