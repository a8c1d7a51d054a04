//! Reuse of parsers, which keep the capacity of their lists and of recycled trees. A reused parser gives the results of
//! a new one.

use super::builder::Pointer;
use super::formatting::FormattingList;
use super::options::apply_options;
use super::parsed::Parsed;
use super::parser::Parser;
use super::{Builder, Construction};
use crate::tree::{Tree, TreeSink};

/// Moves the capacity of `list` into a new, empty list.
fn take_capacity<T>(list: &mut Vec<T>) -> Vec<T> {
    let mut cleared = std::mem::take(list);
    cleared.clear();
    cleared
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Replaces the sink of a builder that has received no token yet, and returns the old sink.
    fn replace_sink(&mut self, mut sink: S) -> S {
        self.document = sink.document();
        std::mem::replace(&mut self.sink, sink)
    }

    /// Resets the builder with another sink, with default flags and without limits. Returns the previous builder,
    /// without the lists that are reused for their capacity.
    pub(super) fn restart_with(&mut self, sink: S) -> Self {
        let (open, mut pointers) = (self.open.take_capacity(), std::mem::take(&mut self.pointers));
        pointers.fill(Pointer::None);
        let fresh = Self::with_lists(sink, self.collects_errors(), open, pointers);
        let mut old = std::mem::replace(self, fresh);
        self.scripts.pauses_at_scripts = old.scripts.pauses_at_scripts;
        self.template_modes = take_capacity(&mut old.template_modes);
        let formatting = std::mem::replace(&mut old.formatting, FormattingList::new());
        old.formatting.steps = formatting.steps;
        self.formatting = formatting.into_empty();
        self.scope_ends = std::mem::take(&mut old.scope_ends);
        self.attribute_names = take_capacity(&mut old.attribute_names);
        self.bindings = std::mem::take(&mut old.bindings);
        self.bindings.clear();
        self.adjustments = take_capacity(&mut old.adjustments);
        self.adjusted_names = take_capacity(&mut old.adjusted_names);
        self.text = std::mem::take(&mut old.text);
        self.text.clear();
        old
    }
}

impl<D: Construction> Parser<D> {
    /// Parses a whole input, or the rest of an input that was partly fed, and returns the result. The parser is then
    /// ready for another input, and keeps the capacity of its lists.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut parser = html::parser(Options::new());
    /// let mut texts = Vec::new();
    /// for page in ["<p>One", "<p>Two</p>"] {
    ///     let parsed = parser.parse(page);
    ///     texts.push(parsed.tree.root().text());
    ///     parser.recycle(parsed.tree);
    /// }
    /// assert_eq!(texts, ["One", "Two"]);
    /// ```
    pub fn parse(&mut self, input: &str) -> Parsed {
        self.feed_last(input, |_| true);
        self.finish_and_reset()
    }

    /// Parses the remaining input, and returns the result, as [`finish`](Self::finish) does. The parser is then ready
    /// for another input, and keeps the capacity of its lists.
    pub fn finish_and_reset(&mut self) -> Parsed {
        let encoding = self.finish_input();
        let next_tree = self.next_tree();
        self.restart_with(next_tree).into_parsed(encoding)
    }

    /// Returns an empty tree for the next input: a recycled one, if there is one.
    fn next_tree(&mut self) -> Tree {
        self.spare_sinks.pop().unwrap_or_else(|| self.options.tree::<D>(0))
    }

    /// Discards the input so far, and makes the parser ready for another input.
    pub fn reset(&mut self) {
        let next_tree = self.next_tree();
        let previous = self.restart_with(next_tree);
        self.recycle(previous.sink);
    }

    /// Takes a tree that is no longer needed, to reuse its capacity for the next one. The tree is freed instead if the
    /// parser has been fed since it was created or reset, if the tree keeps other positions than the options demand, or
    /// if memory is limited, because the tree's memory must not count for another tree.
    pub fn recycle(&mut self, tree: Tree) {
        let is_usable = self.options.limits.checks_memory_at_end()
            && tree.positions() == self.options.positions;
        if !self.is_new || !is_usable {
            return;
        }
        let mut tree = tree.into_empty(D::KNOWN);
        let spare_tree = if self.context.is_some() {
            self.restart_with(tree).sink.into_empty(D::KNOWN)
        } else {
            tree.limit_nodes(self.options.limits.nodes);
            self.builder.replace_sink(tree)
        };
        if self.spare_sinks.is_empty() {
            self.spare_sinks.push(spare_tree);
        }
    }
}

impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Resets the parser with an empty sink, and returns the previous builder. If memory is limited, no capacity is
    /// kept: it would count for the next input, and the result would differ from that of a new parser.
    pub(super) fn restart_with(&mut self, sink: S) -> Builder<D, S> {
        if !self.options.limits.checks_memory_at_end() {
            let new = Self { context: self.context.take(), ..Self::with_sink(sink, &self.options) };
            let previous = std::mem::replace(self, new).builder;
            self.begin_fragment();
            return previous;
        }
        let previous = self.builder.restart_with(sink);
        apply_options(&mut self.builder, &self.options);
        self.tokenizer.reset();
        self.tokenizer.set_keeps_bom(self.options.keeps_bom);
        self.decoding = None;
        (self.is_new, self.is_tail_in_tree) = (true, false);
        self.begin_fragment();
        previous
    }
}
