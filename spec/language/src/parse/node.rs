//! A part of the text that a rule of the grammar has matched. It reads nothing. Invariant: it knows its file.

use super::grammar::Rule;
use crate::syntax::FileId;
use pest::iterators::Pair;

/// What a rule has matched, and the file in which it is.
#[derive(Clone)]
pub(super) struct Node<'i> {
    pub(super) pair: Pair<'i, Rule>,
    pub(super) file: FileId,
}

impl<'i> Node<'i> {
    pub(super) fn as_rule(&self) -> Rule {
        self.pair.as_rule()
    }

    pub(super) fn as_str(&self) -> &'i str {
        self.pair.as_str()
    }
}
