//! The parser of the dialect, which is asked what a few bytes of markup mean.

use tabulex_core::tree::Tree;
use tabulex_core::{Construction, Options};

/// Parses markup of the dialect. It is no type parameter, so that what asks it is compiled once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parser {
    parse: fn(&str, bool) -> Tree,
    is_scripting: bool,
}

impl Parser {
    pub(crate) fn new<D: Construction>(is_scripting: bool) -> Self {
        Self { parse: parse::<D>, is_scripting }
    }

    /// The tree of a document, with all positions.
    pub(crate) fn parse(self, markup: &str) -> Tree {
        (self.parse)(markup, self.is_scripting)
    }
}

fn parse<D: Construction>(markup: &str, is_scripting: bool) -> Tree {
    let options = Options::new().errors(false).scripting(is_scripting);
    tabulex_core::parse::<D>(markup, &options).tree
}
