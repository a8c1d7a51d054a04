//! HTML 5 of November 2007: the tokenizer of that draft's section "Tokenisation". Trees are built by the insertion
//! modes of today's HTML. Everything but the entry points is generated from the table `html-2007.states`.
//!
//! Whether text is markup depends on the content model flag, which tree construction sets after start tags.
//! [`tokens`](fn@tokens) sets it as tree construction does; between [`raw_tokens`](fn@raw_tokens) the host sets it:
//!
//! ```
//! use tabulex::html_2007::{self, HostFlag, Token};
//!
//! let mut tokens = html_2007::raw_tokens("<title>A &amp; <b></title>");
//! let mut text = String::new();
//! while let Some(token) = tokens.next() {
//!     match token {
//!         // The index of the flag's value RCDATA.
//!         Token::StartTag(tag) if tag.name == "title" => tokens.set_flag(HostFlag::ContentModelFlag, 1),
//!         Token::Text(piece, _) => text += &piece,
//!         _ => {}
//!     }
//! }
//! assert_eq!(text, "A & <b>");
//! ```

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/html-2007.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Html2007:
    value;
    /// Returns the tokens of the input, starting in the data state with the content model flag PCDATA. The contents of
    /// scripts, styles, titles and the like are text, as in tree construction;
    /// [`Tokens::new`](tabulex_core::Tokens::new) lists what depends on a tree.
    tokens;
    raw_tokens;
    /// Parses a whole document, with the insertion modes of today's HTML.
    parse;
    parse_bytes;
    parse_fragment;
    parser;
    serializer;
}
