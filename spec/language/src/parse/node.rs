//! A pest pair together with its file.

use super::grammar::Rule;
use crate::syntax::FileId;
use pest::iterators::Pair;

/// A match of a grammar rule, and the file that contains it.
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

/// Returns the children of a match, without keywords that carry no information.
pub(super) fn children(pair: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let file = pair.file;
    let parts = pair.pair.into_inner().filter(|part| !is_silent(part.as_rule()));
    parts.map(move |pair| Node { pair, file })
}

/// Whether the rule is one of the keywords that `grammar.pest` lists as skipped.
fn is_silent(rule: Rule) -> bool {
    (Rule::keyword_name..=Rule::keyword_otherwise).contains(&rule)
}
