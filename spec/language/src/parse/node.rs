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

fn is_silent(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::keyword_name
            | Rule::keyword_document
            | Rule::keyword_start
            | Rule::keyword_entry
            | Rule::keyword_newlines
            | Rule::keyword_nulls
            | Rule::keyword_byte_order_mark
            | Rule::keyword_limit
            | Rule::keyword_algorithm
            | Rule::keyword_before
            | Rule::keyword_after
            | Rule::keyword_text_nodes
            | Rule::keyword_input
            | Rule::keyword_emitting
            | Rule::keyword_with
            | Rule::keyword_error
            | Rule::keyword_class
            | Rule::keyword_errors
            | Rule::keyword_condition
            | Rule::keyword_action
            | Rule::keyword_encodings
            | Rule::keyword_flag
            | Rule::keyword_counter
            | Rule::keyword_pushed_states
            | Rule::keyword_token
            | Rule::keyword_to
            | Rule::keyword_by
            | Rule::keyword_host
            | Rule::keyword_and
            | Rule::keyword_rows
            | Rule::keyword_references
            | Rule::keyword_procedure
            | Rule::keyword_state
            | Rule::keyword_extends
            | Rule::keyword_from
            | Rule::keyword_take
            | Rule::keyword_replace
            | Rule::keyword_add
            | Rule::keyword_remove
            | Rule::keyword_in
            | Rule::keyword_lexeme
            | Rule::keyword_ahead
            | Rule::keyword_lexical_mode
            | Rule::keyword_longest
            | Rule::keyword_else
            | Rule::keyword_on
            | Rule::keyword_tree
            | Rule::keyword_elements
            | Rule::keyword_names
            | Rule::keyword_steps
            | Rule::keyword_mode
            | Rule::keyword_when
            | Rule::keyword_otherwise
            | Rule::keyword_modes
            | Rule::keyword_except
            | Rule::keyword_dispatch
            | Rule::keyword_scope
            | Rule::keyword_pointers
            | Rule::keyword_integration_points
            | Rule::keyword_adjust
            | Rule::keyword_doctypes
            | Rule::keyword_unacknowledged
            | Rule::keyword_reset
            | Rule::keyword_fragment
            | Rule::keyword_selected_content
            | Rule::keyword_tokenizer
            | Rule::keyword_tell
            | Rule::keyword_template
            | Rule::keyword_foster
            | Rule::keyword_beside
    )
}
