//! The file format of WebVTT: cues, style sheets and regions. Everything but the entry point is generated from the table
//! `webvtt-file.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

pub use tabulex_core::{DeclaredField, OwnedDeclaredToken, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/webvtt-file.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    WebvttFile:
    value;
    /// Returns the tokens of a file: declared tokens named `cue`, `style-sheet` and `region`. A file without the
    /// signature has none, and the error `failed-signature`.
    ///
    /// ```
    /// use tabulex::webvtt_file::{self, Token};
    /// use tabulex::{Options, webvtt};
    ///
    /// let file = "WEBVTT\n\n1\n00:01.000 --> 00:02.500 align:left\n<v Joe>Hee!\nHoo!\n";
    /// let Some(Token::Declared(cue)) = webvtt_file::tokens(file).next() else { panic!() };
    /// let field = |name| &*cue.fields.iter().find(|field| field.name == name).unwrap().text;
    /// assert_eq!((cue.name, field("identifier"), field("size")), ("cue", "1", "100"));
    /// assert_eq!((field("start-time"), field("end-time"), field("text-alignment")), ("1.000", "2.500", "left"));
    /// assert_eq!(&file[cue.span.start..cue.span.end], &file[8..]);
    /// let text = cue.fields.last().unwrap();
    /// assert_eq!(&file[text.span.start..text.span.end], "<v Joe>Hee!\nHoo!");
    /// assert_eq!(webvtt::parse(field("text"), Options::new()).tree.root().text(), "Hee!\nHoo!");
    /// ```
    tokens;
}
