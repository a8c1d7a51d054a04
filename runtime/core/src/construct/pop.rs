//! Primitives that remove elements from the stack. Each popped element is reported to the sink, and an end tag closes
//! at most one element.

use super::open::Open;
use super::{Builder, Construction, TokenView};
use crate::span::Span;
use crate::token::Tag;
use crate::tree::{LocalName, Name, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Reports the end tag of an element to the sink, unless the range is empty: the tokenizer derives such end tags
    /// from start tags.
    pub(super) fn report_end_tag(&mut self, node: S::Node, span: Span) {
        if !span.is_empty() {
            self.sink.end_tag(node, span);
        }
    }

    /// Pops the current node by the rules of HTML, which record an end tag with the element's name.
    #[inline(never)]
    pub(super) fn pop_open(&mut self, token: &TokenView<'_>) {
        // Mirrors of options and empty slots are rare, so they are handled out of line to keep this path short.
        if self.has_mirrors || self.open.has_empty() || const { mirrors_by_steps::<C>() } {
            return self.pop_slow(token);
        }
        let Some(&open) = self.open.last() else { return };
        self.open.pop_top(&open);
        self.report_popped(token, &open);
    }

    #[inline(always)]
    fn report_popped(&mut self, token: &TokenView<'_>, open: &Open<S::Node>) {
        self.last_popped = Some(open.node);
        if let TokenView::EndTag(tag, _) = token {
            self.record_end_tag(open, tag);
        }
        self.sink.popped(open.node);
    }

    /// Slow path of `pop_open`, for a stack with empty slots, for documents in which the selected option may be
    /// mirrored, and for the end of tree construction.
    #[cold]
    #[inline(never)]
    pub(super) fn pop_slow(&mut self, token: &TokenView<'_>) {
        if let Some(open) = self.open.pop() {
            self.report_popped(token, &open);
            self.mirror_popped(&open);
        }
    }

    /// Reports a complete option to the sink, so that the selected one is mirrored. If steps of the table mirror
    /// options, every popped element is reported, and the steps decide.
    fn mirror_popped(&mut self, open: &Open<S::Node>) {
        let Some(names) = &C::SELECTED_CONTENT else { return };
        let option = Name::new(C::ELEMENTS.namespace(), LocalName::known(names.option_id));
        if const { mirrors_by_steps::<C>() } || self.has_mirrors && open.name == option {
            self.sink.show_option(open.node, names);
        }
    }

    /// Reports the tag to the sink as the end tag of the element, if their names match and neither has been matched
    /// before.
    #[inline]
    pub(super) fn record_end_tag(&mut self, open: &Open<S::Node>, tag: &Tag<'_>) {
        if !self.has_closed_element && !open.is_ended && open.lookup_name() == self.token_name.id()
        {
            self.has_closed_element = true;
            self.sink.end_tag(open.node, tag.span());
        }
    }
}

/// Whether steps of the table mirror the selected option.
const fn mirrors_by_steps<C: Construction>() -> bool {
    matches!(&C::SELECTED_CONTENT, Some(names) if names.steps.is_some())
}
