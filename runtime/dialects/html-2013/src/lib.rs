//! HTML of 2013: the tokenizer of that year's document, section 12.2.4. Trees are built by the insertion modes of
//! today's HTML. Everything but the entry points is generated from the table `html-2013.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/html-2013.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Html2013:
    value;
    /// Returns the tokens of the input, starting in the data state. The contents of scripts, styles, titles and the
    /// like are text, as in tree construction; [`Tokens::new`](tabulex_core::Tokens::new) lists what depends on a tree.
    tokens;
    raw_tokens;
    /// Parses a whole document, with the insertion modes of today's HTML.
    parse;
    parse_bytes;
    parse_fragment;
    parser;
    serializer;
}
