//! The appropriate place for inserting a node, and insertion at that place.

use super::{Builder, Construction, TokenView};
use crate::span::Span;
use crate::tree::{LocalName, Name, TreeSink};

/// A place at which a node is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InsertionLocation<N> {
    /// After the last child of this node.
    LastIn(N),
    /// Before this node.
    Before(N),
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the current node, if nodes can simply be appended to it: the node is of a plain kind, foster parenting
    /// is disabled, and the depth limit is not reached.
    #[inline(always)]
    pub(super) fn plain_parent(&self) -> Option<S::Node> {
        let open = self.open.last()?;
        let is_deep = self.open.len() >= self.limits.depth_check_from;
        (open.kind < C::PLAIN_KINDS && !self.is_fostering && !is_deep).then_some(open.node)
    }

    /// Returns the appropriate place for inserting a node into `target`, or else into the current node.
    #[inline]
    pub(super) fn appropriate_place(
        &mut self,
        target: Option<(S::Node, Name)>,
    ) -> InsertionLocation<S::Node> {
        let target = target.or_else(|| self.open.last().map(|open| (open.node, open.name)));
        let Some((node, name)) = target else { return InsertionLocation::LastIn(self.document) };
        if self.is_fostering && C::FOSTERED.has(name, C::ELEMENTS.namespace()) {
            return self.foster_place(node, name);
        }
        self.place_inside(node, name)
    }

    /// Returns the place after an element's last child; for a template, the end of its contents or of the range that
    /// the template patches.
    #[inline]
    fn place_inside(&mut self, node: S::Node, name: Name) -> InsertionLocation<S::Node> {
        match C::TEMPLATE {
            Some(id) if name == Name::new(C::ELEMENTS.namespace(), LocalName::known(id)) => {
                self.place_in_template(node)
            }
            _ => InsertionLocation::LastIn(node),
        }
    }

    #[cold]
    fn place_in_template(&mut self, node: S::Node) -> InsertionLocation<S::Node> {
        match self.place_in_patch(node) {
            Some(place) => place,
            None => InsertionLocation::LastIn(self.sink.template_contents(node)),
        }
    }

    /// Returns the place for a foster-parented node.
    #[cold]
    fn foster_place(&mut self, node: S::Node, name: Name) -> InsertionLocation<S::Node> {
        let template_slot = C::TEMPLATE.and_then(|id| self.open.topmost(id));
        let table_slot = C::FOSTER_BEFORE.and_then(|id| self.open.topmost(id));
        let place_inside_slot = |builder: &mut Self, slot: Option<u32>| match slot
            .and_then(|slot| builder.open.get(slot))
            .map(|open| (open.node, open.name))
        {
            Some((node, name)) => builder.place_inside(node, name),
            None => builder.place_inside(node, name),
        };
        let Some(table_slot) = table_slot else {
            let slot = template_slot.or_else(|| self.open.first_slot());
            return place_inside_slot(self, slot);
        };
        if template_slot.is_some_and(|template_slot| template_slot > table_slot) {
            return place_inside_slot(self, template_slot);
        }
        let Some(table) = self.open.get(table_slot).map(|open| open.node) else {
            return place_inside_slot(self, None);
        };
        if self.parent_of(table).is_some() {
            return InsertionLocation::Before(table);
        }
        let below = self.open.next_below(table_slot);
        place_inside_slot(self, below)
    }

    /// Inserts an element at the place, or at the end of an ancestor if the depth limit requires that. The document
    /// gets at most one element.
    #[inline]
    pub(super) fn put_element(
        &mut self,
        place: InsertionLocation<S::Node>,
        node: S::Node,
        span: Option<Span>,
    ) {
        match place {
            InsertionLocation::LastIn(parent) if parent == self.document => {
                if !self.document_has_element {
                    self.append(parent, node, true);
                }
            }
            InsertionLocation::LastIn(parent) => {
                let parent = self.limit_depth(parent, span);
                self.link_last(parent, node);
            }
            InsertionLocation::Before(sibling) => self.link_before(sibling, node),
        }
    }

    /// Inserts a node other than an element at the place.
    fn put_node(&mut self, place: InsertionLocation<S::Node>, node: S::Node) {
        match place {
            InsertionLocation::LastIn(parent) => {
                let parent = self.parent_after_flattening(parent);
                self.append(parent, node, false);
            }
            InsertionLocation::Before(sibling) => self.link_before(sibling, node),
        }
    }

    /// Inserts text at the appropriate place.
    #[inline(never)]
    pub(super) fn put_text(&mut self, text: &str, span: Span) {
        self.put_run(text, span);
    }

    /// Inserts text at the appropriate place. Usually that is the end of the current node, and testing for that first
    /// saves 1 % of the instructions for HTML trees.
    #[inline(always)]
    fn put_run(&mut self, text: &str, span: Span) {
        match self.plain_parent() {
            Some(parent) => self.sink.append_characters(parent, text, span),
            None => self.put_text_at_appropriate_place(text, span),
        }
    }

    /// Slow path of `put_run`: inserts text at a place that may not be the end of the current node.
    #[cold]
    #[inline(never)]
    fn put_text_at_appropriate_place(&mut self, text: &str, span: Span) {
        match self.appropriate_place(None) {
            InsertionLocation::LastIn(parent) if parent == self.document => {}
            InsertionLocation::LastIn(parent) => {
                let parent = self.parent_after_flattening(parent);
                self.sink.append_characters(parent, text, span);
            }
            InsertionLocation::Before(sibling) => {
                self.sink.insert_characters_before(sibling, text, span)
            }
        }
    }

    /// Inserts the token's characters at the appropriate place.
    #[inline]
    pub fn insert_character(&mut self, token: &TokenView<'_>) {
        if let TokenView::Text(text) = token {
            self.put_text(text.text, text.span);
        }
    }

    /// Inserts a run of text, which a row takes in one step, at the appropriate place.
    #[inline(always)]
    pub fn insert_run(&mut self, token: &TokenView<'_>) {
        if let TokenView::Text(text) = token {
            self.put_run(text.text, text.span);
        }
    }

    /// Inserts `character` at the appropriate place, once for each character of the token.
    pub fn insert_this_character(&mut self, token: &TokenView<'_>, character: char) {
        if let TokenView::Text(text) = token {
            for _ in text.text.chars() {
                self.put_text(character.encode_utf8(&mut [0; 4]), text.span);
            }
        }
    }

    /// Returns the first element of the stack, or the document if there is none.
    pub fn root(&mut self) -> S::Node {
        let first = self.open.first_slot().and_then(|slot| self.open.get(slot));
        first.map_or(self.document, |open| open.node)
    }

    /// Inserts a comment node for the token: at the appropriate place, or as the last child of `parent`.
    pub fn insert_comment(&mut self, token: &TokenView<'_>, parent: Option<S::Node>) {
        if let TokenView::Comment(comment) = token {
            let node = self.sink.make_comment(comment.data, comment.span);
            let place =
                parent.map_or_else(|| self.appropriate_place(None), InsertionLocation::LastIn);
            self.put_node(place, node);
        }
    }
}
