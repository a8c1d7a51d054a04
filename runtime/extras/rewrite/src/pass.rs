//! The sink that passes tokens to handlers and writes the input with their changes.

use crate::content::{ContentContext, ContentStream, Contents};
use crate::element::{Changes, Element, Remainder};
use crate::error::{Outcome, RewriteError};
use crate::implied::{ImpliedEnds, TagQuestion};
use crate::markup::ProbedTag;
use crate::names::InternedName;
use crate::open::{ElementTraits, OpenElement, OpenElements};
use crate::pieces::{Comment, Doctype, Instruction, PieceChanges, Text};
use crate::rules::{Handler, Rules};
use crate::state::{
    DeferredEndTag, IgnoredName, LineEndAction, PartialToken, PendingEnd, State, find_pending,
    new_name,
};
use std::io;
use std::marker::PhantomData;
use tabulex_core::tree::Namespace;
use tabulex_core::{
    Construction, Control, Elements, MachineSink, ProcessingInstruction, ShortEndTag, Sink, Span,
    Tag,
};
use tabulex_edit::seam::{self, ContentKind, StartTag, TagChanges, TagPart, WrittenAttribute};
use tabulex_select::descent::Opened;

/// Number of bytes at the end of a literal text or a comment that can affect how content inserted after it is parsed.
pub(crate) const TAIL_LEN: usize = 32;

/// Length in bytes at which buffered output is passed to the writer while streamed content is produced.
const STREAM_BUFFER_LEN: usize = 4096;

/// Number of innermost elements searched for a non-foreign one between foreign ones.
const FOREIGN_SEARCH_DEPTH: usize = 64;

/// The sink for one chunk of the input, which is preceded by the unwritten end of the previous one.
pub(crate) struct Pass<'p, 'h, D> {
    pub(crate) state: &'p mut State<'h>,
    pub(crate) source: &'p str,
    /// Byte offset of `source` in the decoded input.
    pub(crate) base: usize,
    pub(crate) page_handlers: &'p mut Rules<'h>,
    /// The writer that receives the output while streamed content is produced.
    pub(crate) writer: &'p mut dyn io::Write,
    pub(crate) dialect: PhantomData<D>,
}

/// The ranges of an end tag and of its name; the latter is empty in a short end tag.
#[derive(Clone, Copy)]
struct EndTagSpans {
    span: Span,
    name: Span,
}

/// A start tag as selectors query it.
struct StartTagQuery<'t> {
    tag: &'t Tag<'t>,
    name: &'t str,
    namespace: Namespace,
}

impl Opened for StartTagQuery<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn is_in(&self, namespace: &str) -> bool {
        self.namespace.known_name() == namespace
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.tag.attribute(name)
    }
}

impl<'p, 'h, D: Construction> Pass<'p, 'h, D> {
    fn slice(&self, start: usize, end: usize) -> &'p str {
        self.source.get(start - self.base..end - self.base).unwrap_or_default()
    }

    /// Copies the source to the output, up to the offset `to`.
    fn copy_to(&mut self, to: usize) {
        if to > self.state.copied_to {
            let part = self.slice(self.state.copied_to, to);
            self.state.copy_source(part, self.writer);
            self.skip_to(to);
        }
    }

    /// Copies the source up to an offset at which a change follows. The end of a text is held back if its parsing
    /// depends on the next output.
    fn copy_before_change(&mut self, offset: usize) {
        let is_literal = self.state.open.last().is_some_and(|open| open.is_literal);
        self.copy_before_change_in(is_literal, offset);
    }

    /// Copies the source like [`copy_before_change`](Self::copy_before_change); `is_literal` tells whether the offset is in
    /// unescaped text.
    fn copy_before_change_in(&mut self, is_literal: bool, offset: usize) {
        let end = self.base + self.source.len();
        if let Some(start) = self.state.unfinished.take_if(|_| offset == end) {
            return self.complete_token(start, end);
        }
        match self.state.text_end.as_deref() {
            Some("") => {}
            Some(end_tag) if end_tag.starts_with("</") => {}
            Some(section_end) => {
                let section_end = section_end.to_owned();
                self.copy_to(offset);
                self.write_new(&section_end);
                self.state.text_end = Some(String::new());
            }
            None => self.state.fail(RewriteError::UnclosedText),
        }
        let copied_to = self.state.copied_to;
        if offset > copied_to && !is_literal {
            let part = self.slice(copied_to, offset);
            let tail_offset = seam::undecided_tail(part);
            if tail_offset < part.len() {
                self.copy_to(copied_to + tail_offset);
                self.state.flush_tail("");
                self.state.tail.push_str(&part[tail_offset..]);
                self.state.tail_start = copied_to + tail_offset;
                self.state.copied_to = offset;
            }
        }
        self.copy_to(offset);
        if self.state.line_end_drop_offset == Some(offset) {
            self.state.line_end = LineEndAction::Double;
        }
    }

    /// Completes a token that the end of the input cut off, or drops it if it cannot be completed.
    #[cold]
    fn complete_token(&mut self, start: usize, end: usize) {
        let parser = self.state.implied.parser;
        let partial = self.state.partial.take().filter(|partial| partial.start == start);
        let (mut token, written) =
            partial.map_or_else(Default::default, |partial| (partial.text, partial.end));
        token += self.slice(start.max(self.base).max(written), end);
        let delimiter = seam::closing_delimiter(&token, &|markup| parser.parse(markup));
        match delimiter {
            Some(delimiter) => {
                self.copy_to(end);
                self.write_new(delimiter);
            }
            None => {
                self.copy_to(start);
                self.skip_to(end);
            }
        }
    }

    /// Skips the source up to the offset `to`, so that it is not written.
    fn skip_to(&mut self, to: usize) {
        self.state.copied_to = self.state.copied_to.max(to);
    }

    fn write_new(&mut self, text: &str) {
        self.state.write_new(text);
    }

    /// Writes inserted content, calling the streams in it.
    fn write_contents(&mut self, contents: Contents<'h>) {
        let mut written_len = 0;
        for (offset, stream) in contents.streams {
            self.write_new(&contents.text[written_len..offset]);
            written_len = offset;
            let mut write = |part: &str| {
                self.write_new(part);
                match self.state.output.bytes.len() < STREAM_BUFFER_LEN {
                    true => Ok(()),
                    false => Ok(self.state.output.flush_to(self.writer)?),
                }
            };
            let outcome = stream(&mut ContentStream { is_literal: false, write: &mut write });
            self.state.fail_on_error(outcome);
        }
        self.write_new(&contents.text[written_len..]);
    }

    /// Writes an end tag named `name`.
    fn write_end_tag(&mut self, name: &str) {
        self.state.deferred_end_tag.take_if(|deferred| deferred.name == name);
        if let Some(ignored) = self.state.ignored_name.as_mut().filter(|it| it.name == name) {
            ignored.is_skipped = true;
        }
        self.write_new("</");
        self.write_new(name);
        self.write_new(">");
    }

    /// Opens the element that a start tag begins, and calls its handlers.
    #[inline(always)]
    fn open_element(
        &mut self,
        tag: &Tag<'_>,
        name: &InternedName<'_>,
        element: &ElementTraits,
    ) -> Control {
        let state = &mut *self.state;
        let query = StartTagQuery { tag, name: name.text, namespace: element.namespace };
        let matched = state.descent.open(&query, element.has_contents);
        let is_matched = !matched.is_empty() && state.hidden_element.is_none();
        if element.has_contents {
            state.open.push(name, element);
            if state.open.has_new_path && state.record_new_path().is_none() {
                return Control::Pause;
            }
        }
        if is_matched {
            self.call_element_handlers(tag, element);
            if self.state.failed.is_some() {
                return Control::Pause;
            }
        }
        if element.drops_line_end {
            self.state.line_end_drop_offset = Some(tag.span().end);
        }
        let is_own_html =
            D::ELEMENTS == Elements::Html && element.namespace == D::ELEMENTS.namespace();
        if is_own_html && !element.has_contents {
            self.state.open.record_void(name);
        }
        element.control
    }

    /// Opens the element that a start tag begins, after applying the effects of the tag on the open elements.
    #[inline(never)]
    fn open_special_element(&mut self, tag: &Tag<'_>, name: &InternedName<'_>) -> Control {
        let State { open, foreign, is_scripting, .. } = &*self.state;
        let traits = open.names.traits::<D>(name, foreign, *is_scripting);
        let own_namespace = D::ELEMENTS.namespace();
        let root_namespace = traits.root_namespace.unwrap_or(own_namespace);
        if self.state.deferred_end_tag.is_some() {
            self.write_deferred_end_tag(tag);
        }
        let (namespace, is_integration_point) = self.namespace(tag, root_namespace);
        if !self.state.pending_ends.is_empty() {
            self.apply_implied_ends(tag, self.state.open.len());
        }
        let is_own = namespace == own_namespace;
        let is_own_html = is_own && D::ELEMENTS == Elements::Html;
        let is_ignored = !self.state.pending_ends.is_empty()
            && !self.creates_element(self.state.open.len(), name.text, namespace);
        let element = ElementTraits {
            namespace,
            is_integration_point,
            is_integration_point_by_attribute: is_integration_point
                && self.state.foreign.rules::<D>().depends_on_attribute(namespace, name.text),
            has_contents: if is_own_html { !traits.is_void } else { !tag.self_closing() },
            is_literal: is_own && traits.is_literal,
            drops_line_end: is_own && traits.drops_line_end,
            control: if is_own { traits.control } else { Control::Continue },
        };
        let control = self.open_element(tag, name, &element);
        if is_own_html
            && self.state.hidden_element.is_none()
            && let Some(ignored) = &self.state.ignored_name
            && ignored.is_skipped
            && ignored.name == name.text
        {
            self.copy_before_change(tag.span().start);
            self.skip_to(tag.span().end);
        }
        if is_ignored && element.has_contents {
            let index = self.state.open.len() - 1;
            // Changes of the element are applied at its end tag even if a parser ignores its start tag.
            if self.state.pending_end_index(index).is_none() {
                self.state.open.mark_last_ignored();
            }
        }
        control
    }

    /// Returns the namespace of the element that a start tag begins, and whether the element is an integration point.
    /// `root_namespace` is the namespace that the element has outside foreign content.
    fn namespace(&mut self, tag: &Tag<'_>, root_namespace: Namespace) -> (Namespace, bool) {
        let own_namespace = D::ELEMENTS.namespace();
        if D::ELEMENTS != Elements::Html {
            return (own_namespace, false);
        }
        if self.state.open.last().is_some_and(|open| open.has_foreign_contents(own_namespace)) {
            return self.foreign_namespace(tag, root_namespace);
        }
        (root_namespace, false)
    }

    #[cold]
    fn foreign_namespace(&mut self, tag: &Tag<'_>, root_namespace: Namespace) -> (Namespace, bool) {
        let (foreign, cache) = (self.state.foreign, &mut self.state.breakout_cache);
        let rules = foreign.rules::<D>();
        let attribute_names = tag.attributes().map(|attribute| attribute.name);
        if rules.is_breakout_start_tag::<D>(foreign, tag.name(), attribute_names, cache) {
            self.close_foreign(tag.span().start);
            return (root_namespace, false);
        }
        let namespace =
            self.state.open.last().map_or(D::ELEMENTS.namespace(), |open| open.namespace);
        (namespace, rules.is_integration_point(namespace, tag.name(), |name| tag.attribute(name)))
    }

    /// Closes foreign elements up to an integration point or an element of the dialect.
    fn close_foreign(&mut self, offset: usize) {
        let own_namespace = D::ELEMENTS.namespace();
        self.state.unclosed.clear();
        while self.state.open.last().is_some_and(|open| open.has_foreign_contents(own_namespace)) {
            if self.state.pending_ends.is_empty() {
                let name = self.state.open.last_name().to_owned();
                self.state.unclosed.push(name);
            }
            self.close(offset, None);
        }
        if let Some(outermost) =
            self.state.unclosed.last().filter(|_| self.state.pending_ends.is_empty())
        {
            // The end tag of the outermost element also ends the inner elements, except those of the same name, so only
            // elements of that name need end tags.
            let name = outermost.clone();
            self.state.unclosed.retain(|inner| *inner == name);
        }
        self.state.foreign_exit_offset = Some(offset);
    }

    /// Closes the innermost element at `offset`: at its end tag `tag`, or without one.
    #[inline]
    fn close(&mut self, offset: usize, tag: Option<EndTagSpans>) {
        if self.state.pending_ends.is_empty() {
            self.state.close();
        } else {
            self.close_with_changes(offset, tag);
        }
    }

    /// Closes the innermost element, and applies the changes at its end if it has any. Kept out of line, as most pages
    /// have no changes at the ends of elements.
    #[inline(never)]
    fn close_with_changes(&mut self, offset: usize, tag: Option<EndTagSpans>) {
        let index = self.state.open.len() - 1;
        if tag.is_none() && self.state.open.last().is_some_and(|open| !open.is_ended) {
            self.record_unclosed(index);
        }
        let pending_end = self.state.pending_ends.last().filter(|it| it.element == index);
        let has_changes = pending_end.is_some();
        if pending_end.is_some_and(|it| !it.appended.is_empty() || !it.on_end.is_empty())
            && self.state.open.last().is_some_and(|open| !open.is_ended)
        {
            self.state.untagged = self.untagged_elements(index + 1, None);
        }
        self.state.close();
        if has_changes {
            self.end_element(index, offset, tag, false);
        }
        self.end_after_inner(tag.map_or(offset, |tag| tag.span.end), None);
    }

    /// Records an element that is closed without an end tag of its own. One with changes at its end gets an end tag with
    /// these if it needs one.
    fn record_unclosed(&mut self, index: usize) {
        self.record_ignored_name(index);
        if self.state.pending_end_index(index).is_none() {
            self.state.push_unclosed(index);
        }
    }

    /// Records the name of an element closed by another tag if a parser ignores later start tags of that name.
    fn record_ignored_name(&mut self, index: usize) {
        let State { open, implied, ignored_name, is_at_end, .. } = &mut *self.state;
        let name = open.name(index);
        if D::ELEMENTS == Elements::Html
            && !*is_at_end
            && open.get(index).is_some_and(|it| {
                it.namespace == D::ELEMENTS.namespace() && !it.has_ignored_end_tag
            })
            && implied.ask_about(TagQuestion::IS_IGNORED_IN_ITSELF, name)
        {
            *ignored_name = Some(IgnoredName { name: name.to_owned(), is_skipped: false });
        }
    }

    /// Whether a parser creates an element for a start tag in the innermost open element below the index `below`, rather than
    /// ignoring the tag. `namespace` is that of the element.
    fn creates_element(&mut self, below: usize, name: &str, namespace: Namespace) -> bool {
        let State { implied, open, foreign, .. } = &mut *self.state;
        // Later tags of elements that stay open after their end tags add attributes to them.
        if D::ELEMENTS != Elements::Html
            || namespace != D::ELEMENTS.namespace()
            || foreign.stays_open(name)
        {
            return true;
        }
        // After an end tag that ended no element, a parser may no longer ignore start tags of the same name.
        let has_ignored_end_tag = |open: &OpenElements| {
            open.find(name)
                .and_then(|named| open.get(named))
                .is_some_and(|it| it.has_ignored_end_tag)
        };
        let tag = implied.parser.tag(name, false);
        !implied.ask_about(TagQuestion::MAY_BE_IGNORED, name)
            || has_ignored_end_tag(open)
            || implied.ask(TagQuestion::CREATES_ELEMENT, open, below, &tag)
    }

    /// Applies the changes at the end of an element: at its end tag, where a tag implies its end, or where an enclosing
    /// element ends. Kept out of line, as few elements have any.
    #[inline(never)]
    fn end_element(
        &mut self,
        index: usize,
        offset: usize,
        tag: Option<EndTagSpans>,
        is_implied: bool,
    ) {
        let is_hidden = self.state.hidden_element.is_some();
        let ends_hidden = self.state.hidden_element == Some(index);
        let Some(pending_end) = self.state.remove_pending_end(index) else { return };
        if ends_hidden {
            self.state.hidden_element = None;
            self.skip_to(offset);
        } else if is_hidden {
            return;
        }
        let is_literal = pending_end.is_literal;
        let mut pending_end = pending_end;
        if pending_end.is_removed && self.state.line_end_drop_offset == Some(offset) {
            // The element ends right after its start tag, which is removed and therefore drops no line end.
            self.state.line_end_drop_offset = None;
            if matches!(self.state.line_end, LineEndAction::Drop | LineEndAction::DropLf) {
                self.state.line_end = LineEndAction::Keep;
            }
        }
        if self.state.escape_as.is_some() && pending_end.is_removed {
            self.copy_to(offset);
            self.state.escape_as = None;
        }
        let old_name = pending_end.tag_name.clone();
        let is_written = tag.is_some() || pending_end.is_tag_deferred;
        let changes = self.state.call_end_handlers(is_written, &mut pending_end);
        let PendingEnd { appended: before, after, is_own, is_tag_deferred, .. } = pending_end;
        let changes_page =
            tag.is_some() && changes.changes_tag() || !before.is_empty() || !after.is_empty();
        if self.state.is_inserted && (ends_hidden || changes_page) {
            return self.fail_as_inserted(Span::new(offset, self.state.token_end));
        }
        let mut unclosed = std::mem::take(&mut self.state.unclosed);
        let untagged = std::mem::take(&mut self.state.untagged);
        if ends_hidden {
            // The unclosed elements were in contents that are removed, so they need no end tags.
            unclosed.clear();
        }
        let name = changes.name.as_ref().unwrap_or(&old_name);
        let needs_tag = tag.is_none()
            && !changes.is_removed
            && (!after.is_empty() || is_implied && changes.name.is_some() || is_tag_deferred);
        // Once the tags of an element are changed, no tag of the page ends both it and the elements inside it, so these
        // need end tags.
        let is_changed =
            changes.changes_tag() || self.state.end_tag_keeps_open && !after.is_empty();
        let closes_inner = is_changed && (tag.is_some() || is_implied);
        if !before.is_empty() || needs_tag || closes_inner || !after.is_empty() {
            if is_literal && !before.is_empty() {
                self.check_literal_end(&old_name, offset, ends_hidden, &before.text);
            } else if tag.is_none() || !before.is_empty() || !unclosed.is_empty() {
                self.copy_before_change(offset);
            }
            // End tags that are not needed could change how later tags are parsed.
            let is_only_closed = before.is_empty() && needs_tag && is_own;
            if is_only_closed && self.state.implied.closes_inside(name, &unclosed) {
                unclosed.clear();
            }
            if !before.is_empty() || needs_tag || closes_inner || tag.is_none() {
                for inner in unclosed.drain(..) {
                    self.write_end_tag(&inner);
                }
            }
            if !before.is_empty() && !ends_hidden {
                untagged.iter().for_each(|inner| self.write_end_tag(inner));
            }
            self.write_contents(before);
        } else if ends_hidden {
            self.copy_before_change(offset);
        }
        if needs_tag {
            self.write_end_tag(name);
        }
        if let Some(tag) = tag {
            if changes.is_removed {
                self.copy_before_change(tag.span.start);
                self.skip_to(tag.span.end);
            } else if let Some(name) = &changes.name {
                self.copy_to(tag.name.start);
                self.write_new(name);
                self.skip_to(tag.name.end);
            }
        } else if !needs_tag {
            self.state.unclosed = unclosed;
            if !changes.is_removed {
                self.state.unclosed.push(name.clone());
            }
        }
        if !after.is_empty() {
            if let Some(tag) = tag {
                self.copy_to(tag.span.end);
            }
            self.write_contents(after);
        }
    }

    /// Copies the source up to the end of a literal text, and fails if that text together with the inserted `next`
    /// would end the element.
    fn check_literal_end(&mut self, name: &str, offset: usize, is_replaced: bool, next: &str) {
        let mut tail_start = offset.saturating_sub(TAIL_LEN).max(self.base) - self.base;
        tail_start = self.source.ceil_char_boundary(tail_start);
        let tail = self.source.get(tail_start..offset - self.base).unwrap_or_default();
        let tail = if is_replaced { "" } else { &tail[tail.rfind('<').unwrap_or(tail.len())..] };
        let parser = self.state.implied.parser;
        let parse = |markup: &str| parser.parse(markup);
        let ends_element = seam::may_end_undecided(name, tail)
            && !seam::is_contained(name, &format!("{tail}{next}"), &parse);
        // Earlier text of a script may contain `<!--`, after which an inserted `<script>` would turn the end tag of the
        // script into text.
        let hides_end_tag =
            !is_replaced && !seam::ends_at_end_tag(name, &format!("<!--{next}"), &parse);
        if ends_element || hides_end_tag {
            self.state.fail(RewriteError::BadText(next.to_owned()));
        }
        self.copy_to(offset);
    }

    /// Ends the elements that a start tag ends implicitly, and records which need an end tag if the start tag is
    /// removed. `below` is the number of elements open around the tag.
    #[inline(never)]
    fn apply_implied_ends(&mut self, tag: &Tag<'_>, below: usize) {
        let offset = tag.span().start;
        self.state.implied_ends_offset = Some(offset);
        self.state.implied_end_names.clear();
        self.state.implied_end_indices.clear();
        // Foreign elements that the tag broke out of are inside those that it ends, so their names stay in `unclosed`.
        if self.state.foreign_exit_offset != Some(offset) {
            self.state.unclosed.clear();
        }
        if self.lacks_implied_ends(below) {
            return;
        }
        let State { implied, open, .. } = &mut *self.state;
        implied.mark_ended(open, below);
        let start_tag = implied.parser.tag(tag.name(), false);
        let ended = implied.elements_ended_by(open, below, &start_tag);
        let outermost_kept = self.outermost_kept(&ended, below, &start_tag);
        for &index in ended.iter().rev() {
            let is_implied = outermost_kept.is_none_or(|kept| index < kept);
            self.end_before_inner(index, offset, None, is_implied);
        }
        self.end_after_inner(offset, Some(tag.name()));
        self.state.implied_end_indices = ended;
        self.state.implied_end_names = std::mem::take(&mut self.state.unclosed);
    }

    /// Returns the outermost of the elements `ended` that has no changes at its end, provided that the start tag ends it, and
    /// thereby those inside it, even after these are renamed or lose their tags.
    fn outermost_kept(
        &mut self,
        ended: &[usize],
        below: usize,
        tag: &ProbedTag<'_>,
    ) -> Option<usize> {
        let State { implied, open, pending_ends, .. } = &mut *self.state;
        let kept =
            ended.iter().copied().find(|index| find_pending(pending_ends, *index).is_none())?;
        (pending_ends.last()?.element > kept).then_some(kept).filter(|kept| {
            implied.ends_renamed(open, below, *kept, tag, &|index| new_name(pending_ends, index))
        })
    }

    /// Whether an end tag that a parser ignores would end the element at `index`, which keeps its name, after the changes of
    /// the elements inside.
    fn would_end_after_changes(&mut self, index: usize, tag: &ProbedTag<'_>) -> bool {
        let State { implied, open, pending_ends, .. } = &mut *self.state;
        let below = open.len();
        pending_ends.last().is_some_and(|last| last.element > index)
            && new_name(pending_ends, index).is_none()
            && implied.ends_renamed(open, below, index, tag, &|index| new_name(pending_ends, index))
    }

    /// Whether no tag implies ends in the innermost element below the index `below`: the contents of the element are
    /// foreign, or the dialect has no implied ends.
    fn lacks_implied_ends(&self, below: usize) -> bool {
        let own_namespace = D::ELEMENTS.namespace();
        let innermost = below.checked_sub(1).and_then(|index| self.state.open.get(index));
        D::ELEMENTS != Elements::Html
            || innermost.is_some_and(|open| open.has_foreign_contents(own_namespace))
    }

    /// Returns the names, innermost first, of the implied elements, which have no tags, among those open below the
    /// index `below`: with `tag`, those that this start tag ends in addition to elements with tags; without it, those
    /// inside the innermost element.
    fn untagged_elements(&mut self, below: usize, tag: Option<&str>) -> Vec<String> {
        if self.lacks_implied_ends(below) {
            return Vec::new();
        }
        let State { implied, open, implied_end_indices, .. } = &mut *self.state;
        let ended = if tag.is_some() { &implied_end_indices[..] } else { &[] };
        let tag = tag.map(|name| implied.parser.tag(name, false));
        implied.untagged_elements(open, below, ended, tag.as_ref())
    }

    /// Applies an end tag that does more than close the innermost element, or names another one.
    #[inline(never)]
    fn apply_special_end_tag(&mut self, tag: &Tag<'_>) {
        let (name, own_namespace) = (tag.name(), D::ELEMENTS.namespace());
        let Span { start, end } = tag.span();
        self.state.ignored_name.take_if(|ignored| ignored.name == name);
        self.state.is_outside = self.moves_comments_outside(name);
        if self.state.is_outside {
            self.state.outside_tag = self.slice(start, end).to_owned();
        }
        if D::ELEMENTS == Elements::Html
            && self.state.open.last().is_some_and(|open| open.has_foreign_contents(own_namespace))
            && self.state.foreign.rules::<D>().is_breakout_end_tag(name)
        {
            self.close_foreign(start);
        }
        let named_index = self.state.open.find(name);
        if self.state.pending_ends.is_empty()
            && named_index.is_some_and(|index| index < 2)
            && self.state.foreign.stays_open(name)
        {
            return;
        }
        if named_index.is_some()
            && named_index == self.state.deferred_end_tag.as_ref().map(|it| it.element)
        {
            // The parser ignored an end tag of this element, which was deferred. It ignores later ones, too, so the
            // last one is deferred instead.
            return self.defer_end_tag(tag, named_index.unwrap_or_default());
        }
        if D::ELEMENTS == Elements::Html && self.is_ignored_until_changed(name) {
            return self.skip_end_tag(tag);
        }
        if D::ELEMENTS == Elements::Html && self.apply_end_tag(tag, named_index) {
            return;
        }
        if let Some(index) = named_index.filter(|index| !self.state.open.ended_before_inner(*index))
        {
            while self.state.open.len() > index + 1 {
                self.close(start, None);
            }
            // If the removed element has ended, the tag is written with the changes of the element that it names.
            self.state.is_outside &= self.state.hidden_element.is_some();
            self.close(start, Some(EndTagSpans { span: tag.span(), name: tag.name_span() }));
        }
    }

    /// Ends the elements that an end tag ends in a parser. Returns `false`, having ended none, if the caller must end
    /// the innermost element of the tag's name, if any, with all elements inside it, or if too many elements are open
    /// to probe.
    #[inline(never)]
    fn apply_end_tag(&mut self, tag: &Tag<'_>, named_index: Option<usize>) -> bool {
        let State { implied, open, .. } = &mut *self.state;
        let (below, own_namespace) = (open.len(), D::ELEMENTS.namespace());
        let end_tag = implied.parser.tag(tag.name(), true);
        if below == 0 {
            return false;
        }
        match named_index {
            Some(index) => {
                if implied.may_have_ended(open, index) {
                    implied.mark_ended(open, below);
                }
                if implied.closes_from(open, index, &end_tag) {
                    return false;
                }
            }
            // Marking ended elements can wait if the tag would end none of the elements even if all were open.
            None if !implied.may_end_one(open, below, &end_tag) => {
                return true;
            }
            None => {}
        }
        let is_foreign =
            |index| open.get(index).is_some_and(|open| open.namespace != own_namespace);
        // In foreign content an end tag ends the foreign element with its name, unless a non-foreign element is open
        // inside it.
        let search_start = |index| below.saturating_sub(FOREIGN_SEARCH_DEPTH).max(index);
        let ends_foreign =
            named_index.is_some_and(|index| (search_start(index)..below).all(is_foreign));
        if ends_foreign {
            return false;
        }
        implied.mark_ended(open, below);
        let chain = open.innermost_chain(below, tag.name());
        if named_index.is_some_and(|named| chain.first().is_some_and(|first| named < *first)) {
            return false;
        }
        let ended = implied.elements_ended_by(open, below, &end_tag);
        if let Some(named_index) = named_index.filter(|index| !ended.contains(index))
            && implied.ask(TagQuestion::HAS_ELEMENT, open, below, &end_tag)
            && let Some(pending_end) = self.state.pending_end_index(named_index)
        {
            if self.state.foreign.stays_open(tag.name()) {
                // For the parser the element stays open, but the changes at its end are applied at this end tag.
                self.state.end_tag_keeps_open = true;
                return false;
            }
            // The elements inside stay open, so the element ends after them.
            self.state.pending_ends[pending_end].is_tag_deferred = true;
            self.state.open.mark_ended(named_index);
            self.skip_end_tag(tag);
            return true;
        }
        if let Some(named_index) = named_index.filter(|_| ended.is_empty()) {
            self.state.open.record_ignored_end_tag(named_index);
            if self.state.inserts_after(named_index) && self.state.spends_end_tag(tag.name()) {
                self.defer_end_tag(tag, named_index);
                return true;
            }
            if self.would_end_after_changes(named_index, &end_tag)
                && !self.state.spends_end_tag(tag.name())
            {
                self.skip_end_tag(tag);
                return true;
            }
        }
        let is_named = |index: &&usize| self.state.open.name(**index) == tag.name();
        let target = ended.iter().rfind(is_named).or(ended.first()).copied();
        let offset = tag.span().start;
        for index in ended.into_iter().rev() {
            let end_tag = EndTagSpans { span: tag.span(), name: tag.name_span() };
            let end_tag = (target == Some(index)).then_some(end_tag);
            while self.state.open.len() > index + 1
                && self.state.open.last().is_some_and(|open| open.is_ended)
            {
                self.close(offset, None);
            }
            if self.state.open.len() == index + 1 {
                self.close(offset, end_tag);
            } else {
                self.end_before_inner(index, offset, end_tag, false);
            }
        }
        self.end_after_inner(tag.span().end, None);
        true
    }

    /// Skips an end tag of the page, which is written later.
    fn skip_end_tag(&mut self, tag: &Tag<'_>) {
        let Span { start, end } = tag.span();
        if self.state.hidden_element.is_none() {
            self.copy_before_change(start);
            self.skip_to(end);
        }
    }

    /// Ends the elements whose end tags are deferred and that have no open element inside, or are called `name`.
    fn end_after_inner(&mut self, offset: usize, name: Option<&str>) {
        while let Some(pending_end) = self.state.pending_ends.last()
            && pending_end.is_tag_deferred
        {
            let element = pending_end.element;
            let open = &mut self.state.open;
            let is_named = name == Some(&pending_end.tag_name);
            if !is_named && open.innermost_open(open.len()).is_some_and(|it| it > element) {
                break;
            }
            self.end_element(element, offset, None, true);
        }
    }

    /// Skips an end tag that the parser ignored, to be written after the element that it names.
    #[cold]
    fn defer_end_tag(&mut self, tag: &Tag<'_>, element: usize) {
        let text = self.slice(tag.span().start, tag.span().end).to_owned();
        self.state.deferred_end_tag =
            Some(DeferredEndTag { element, name: tag.name().to_owned(), text });
        self.skip_end_tag(tag);
    }

    /// Writes the deferred end tag before a start tag, if the element of the deferred tag has ended or the start tag
    /// has the same name.
    fn write_deferred_end_tag(&mut self, tag: &Tag<'_>) {
        let State { deferred_end_tag, open, hidden_element, .. } = &mut *self.state;
        let is_due = |deferred: &mut DeferredEndTag| {
            deferred.name == tag.name() || open.get(deferred.element).is_none_or(|it| it.is_ended)
        };
        if hidden_element.is_none()
            && let Some(deferred) = deferred_end_tag.take_if(is_due)
        {
            self.copy_before_change(tag.span().start);
            self.write_new(&deferred.text);
        }
    }

    /// Whether comments after an end tag are placed outside the removed element, although a parser keeps it open.
    fn moves_comments_outside(&mut self, name: &str) -> bool {
        let State { open, implied, foreign, hidden_element, .. } = &mut *self.state;
        let Some(hidden_element) = hidden_element.filter(|_| foreign.stays_open(name)) else {
            return false;
        };
        let indices = open.innermost_chain(open.len(), name);
        let names: Vec<&str> = indices.iter().map(|index| open.name(*index)).collect();
        let (around, inside) =
            names.split_at(indices.partition_point(|index| *index < hidden_element));
        seam::comment_leaves(around, inside, name, &|markup| implied.parser.parse(markup))
    }

    /// Whether a parser ignores an end tag, but would not after the changes of the open elements: comments after the tag
    /// would then be placed outside all elements.
    fn is_ignored_until_changed(&mut self, name: &str) -> bool {
        let state = &mut *self.state;
        let is_changed = |it: &PendingEnd<'_>| it.is_removed || it.name.is_some();
        if !state.foreign.stays_open(name) || !state.pending_ends.iter().any(is_changed) {
            return false;
        }
        let indices = state.open.innermost_chain(state.open.len(), name);
        let names: Vec<&str> = indices.iter().map(|index| state.open.name(*index)).collect();
        let new_names: Vec<&str> = indices
            .iter()
            .zip(&names)
            .map(|(&index, &name)| new_name(&state.pending_ends, index).unwrap_or(name))
            .filter(|name| !name.is_empty())
            .collect();
        let leaves = |names: &[&str]| {
            seam::comment_leaves(&[], names, name, &|markup| state.implied.parser.parse(markup))
        };
        !leaves(&names) && leaves(&new_names)
    }

    /// Whether a comment or processing instruction is removed with the contents of the element around it. If it is outside
    /// that element, first skips the source before it, and writes the end tag after which it is outside.
    fn skips_hidden(&mut self, span: Span) -> bool {
        if self.state.is_outside {
            self.skip_to(span.start);
            let tag = std::mem::take(&mut self.state.outside_tag);
            self.write_new(&tag);
        }
        self.state.hidden_element.is_some() && !self.state.is_outside
    }

    /// Ends an element while another one inside it is still open.
    fn end_before_inner(
        &mut self,
        index: usize,
        offset: usize,
        tag: Option<EndTagSpans>,
        is_implied: bool,
    ) {
        self.state.open.mark_ended(index);
        if tag.is_none() && self.is_element(index) {
            self.record_unclosed(index);
        }
        self.end_element(index, offset, tag, is_implied);
    }

    /// Whether a parser creates an element for the start tag at `index` of the stack.
    fn is_element(&mut self, index: usize) -> bool {
        let Some(entry) = self.state.open.get(index) else { return false };
        let (namespace, name) = (entry.namespace, self.state.open.name(index).to_owned());
        self.creates_element(index, &name, namespace)
    }

    /// Calls the handlers of an element, already on the stack if it can have contents, and applies their changes. Kept
    /// out of line, as few elements have a handler.
    #[inline(never)]
    fn call_element_handlers(&mut self, tag: &Tag<'_>, traits: &ElementTraits) {
        for index in 0..self.state.descent.matched().len() {
            let handler_index = self.state.handler_by_selector[self.state.descent.matched()[index]];
            let State { handlers, changes, is_inserted, output, content_kinds, implied, .. } =
                &mut *self.state;
            let is_inserted = *is_inserted;
            let context = ContentContext { parser: implied.parser, output };
            match &mut handlers[handler_index] {
                Handler::Element(handler) => {
                    let element = &mut Element {
                        tag,
                        traits,
                        lowercases_names: D::ELEMENTS == Elements::Html,
                        is_inserted,
                        context,
                        content_kinds,
                        changes: changes.get_or_insert_default(),
                    };
                    let outcome = handler(element);
                    self.state.fail_on_error(outcome);
                }
                Handler::Text(_) | Handler::Comment(_) | Handler::Instruction(_) => {
                    if traits.has_contents {
                        self.state.activate(handler_index);
                    }
                }
            }
        }
        if let Some(mut changes) = self.state.changes.take_if(|changes| changes.has_any) {
            self.apply_changes(tag, traits, &mut changes);
            changes.clear();
            self.state.changes = Some(changes);
        }
    }

    /// Whether a foreign element is parsed differently with its new name and attributes: its start tag breaks out or begins
    /// other foreign content, or it becomes or stops being an integration point.
    #[cold]
    fn changes_foreign_parsing(
        &mut self,
        tag: &Tag<'_>,
        traits: &ElementTraits,
        changes: &Changes<'h>,
    ) -> bool {
        let (foreign, cache) = (self.state.foreign, &mut self.state.breakout_cache);
        let rules = foreign.rules::<D>();
        let old_name = tag.name();
        let new_name = changes.name.as_deref().unwrap_or(old_name).to_ascii_lowercase();
        let find_change =
            |name: &str| changes.attributes.iter().find(|(changed, _)| changed == name);
        let written_names = tag.attributes().map(|attribute| attribute.name);
        let unchanged_names = written_names.filter(|name| find_change(name).is_none());
        let set_attributes = changes.attributes.iter().filter(|(_, value)| value.is_some());
        let attribute_names = unchanged_names.chain(set_attributes.map(|(name, _)| &**name));
        let new_value = |name: &str| match find_change(name) {
            Some((_, value)) => value.as_deref(),
            None => tag.attribute(name),
        };
        let parent_index =
            (self.state.open.len() - usize::from(traits.has_contents)).checked_sub(1);
        let parent = parent_index.and_then(|index| self.state.open.get(index));
        let is_root =
            parent.is_none_or(|parent| !parent.has_foreign_contents(D::ELEMENTS.namespace()));
        is_root && foreign.root_namespace(old_name) != foreign.root_namespace(&new_name)
            || rules.is_breakout_start_tag::<D>(foreign, &new_name, attribute_names, cache)
            || rules.is_integration_point(traits.namespace, old_name, |name| tag.attribute(name))
                != rules.is_integration_point(traits.namespace, &new_name, new_value)
    }

    /// Applies the changes of an element at its start tag, and records those at its end.
    fn apply_changes(&mut self, tag: &Tag<'_>, traits: &ElementTraits, changes: &mut Changes<'h>) {
        let Span { start, end } = tag.span();
        let ElementTraits { has_contents, is_literal, drops_line_end, .. } = *traits;
        let is_own = traits.namespace == D::ELEMENTS.namespace();
        if self.state.is_inserted && changes.changes_page() {
            return self.fail_as_inserted(tag.span());
        }
        if !is_own
            && (changes.name.is_some() || !changes.attributes.is_empty())
            && self.changes_foreign_parsing(tag, traits, changes)
        {
            let name = changes.name.as_deref().unwrap_or(tag.name());
            return self.state.fail(RewriteError::OtherContents(name.to_owned()));
        }
        if !changes.before.is_empty()
            || changes.remainder != Remainder::All
            || changes.name.is_some()
        {
            if self.state.implied_ends_offset != Some(start) {
                self.apply_implied_ends(tag, self.state.open.len() - usize::from(has_contents));
            }
            // The innermost open element may be this one, and its contents literal, but its start tag is not in literal
            // text.
            self.copy_before_change_in(false, start);
            let mut ends = std::mem::take(&mut self.state.implied_end_names);
            let below = self.state.open.len() - usize::from(has_contents);
            ends.extend(self.untagged_elements(below, Some(tag.name())));
            for name in ends {
                self.write_end_tag(&name);
            }
            self.write_contents(std::mem::take(&mut changes.before));
        }
        if drops_line_end {
            self.state.line_end_drop_offset = Some(end);
        }
        match changes.remainder {
            Remainder::Nothing => {
                self.write_new(&changes.replacement);
                self.skip_to(end);
            }
            Remainder::Contents => self.skip_to(end),
            Remainder::All => self.write_tag(tag, traits, changes),
        }
        let new_name = changes.name.as_deref().filter(|_| is_own && has_contents);
        let drops_line_end_after = match (changes.remainder, new_name) {
            (Remainder::All, Some(name)) => self.state.foreign.drops_line_end(name),
            (remainder, _) => drops_line_end && remainder == Remainder::All,
        };
        if changes.remainder == Remainder::Contents && traits.is_text() {
            let kind = if is_literal { ContentKind::Literal } else { ContentKind::Text };
            self.state.escape_as = Some(kind);
        }
        let is_removed = changes.remainder == Remainder::Nothing;
        if drops_line_end != drops_line_end_after && !is_removed {
            self.state.line_end =
                if drops_line_end { LineEndAction::Drop } else { LineEndAction::Double };
        }
        if !has_contents {
            if !changes.after.is_empty() {
                self.copy_before_change(end);
                self.write_contents(std::mem::take(&mut changes.after));
            }
            return;
        }
        if !is_removed && changes.adds_contents() {
            self.copy_before_change(end);
            if is_literal {
                self.check_literal(tag.name(), changes);
            }
            let begins_with_prepended = !changes.prepended.is_empty() && changes.inner.is_none();
            self.write_contents(std::mem::take(&mut changes.prepended));
            self.write_new(changes.inner.as_deref().unwrap_or_default());
            self.state.line_end = match drops_line_end && begins_with_prepended {
                true => LineEndAction::Drop,
                false => LineEndAction::Keep,
            };
        }
        let element = self.state.open.len() - 1;
        if is_removed || changes.inner.is_some() {
            self.state.hidden_element = Some(element);
        }
        let appended = std::mem::take(&mut changes.appended);
        let pending_end = PendingEnd {
            element,
            tag_name: tag.name().to_owned(),
            appended: if is_removed { Contents::default() } else { appended },
            after: std::mem::take(&mut changes.after),
            name: changes.name.take(),
            is_removed: changes.remainder != Remainder::All,
            is_literal,
            is_own,
            is_tag_deferred: false,
            on_end: std::mem::take(&mut changes.on_end),
        };
        let is_needed = !pending_end.appended.is_empty()
            || !pending_end.after.is_empty()
            || pending_end.name.is_some()
            || pending_end.is_removed
            || !pending_end.on_end.is_empty()
            || self.state.hidden_element == Some(element);
        if is_needed {
            if D::ELEMENTS == Elements::Html {
                let State { implied, open, .. } = &mut *self.state;
                implied.mark_ended(open, element);
            }
            let is_hiding = self.state.hidden_element == Some(element);
            let is_closed_at_once = (is_hiding || pending_end.is_removed) && is_own && {
                let State { implied, open, .. } = &mut *self.state;
                let start_tag = implied.parser.tag(tag.name(), false);
                D::ELEMENTS == Elements::Html
                    && implied.ask(TagQuestion::CLOSES_AT_ONCE, open, element, &start_tag)
            };
            self.state.push_pending_end(pending_end);
            if is_closed_at_once {
                // What follows the start tag is not inside the element, so it is not removed.
                self.end_before_inner(element, end, None, true);
            }
        }
    }

    /// Writes a start tag with its changes.
    fn write_tag(&mut self, tag: &Tag<'_>, traits: &ElementTraits, changes: &Changes<'_>) {
        let Span { start, end } = tag.span();
        let is_own = traits.namespace == D::ELEMENTS.namespace();
        let gets_end_tag = !traits.has_contents && changes.name.is_some() && is_own && {
            let name = changes.name.as_deref().unwrap_or_default().to_ascii_lowercase();
            !D::SERIALIZATION.void.contains(&&*name)
        };
        let tag_changes = TagChanges {
            name: changes.name.as_deref(),
            attributes: &changes.attributes,
            gets_contents: tag.self_closing()
                && (gets_end_tag || traits.has_contents && changes.adds_contents()),
        };
        if tag_changes.name.is_none()
            && tag_changes.attributes.is_empty()
            && !tag_changes.gets_contents
        {
            return self.copy_to(end);
        }
        self.copy_to(start);
        let attributes = tag.attributes().filter(|attribute| !attribute.name_span.is_empty());
        let start_tag = StartTag {
            text: self.slice(start, end),
            start,
            name: tag.name_span(),
            attributes: attributes
                .map(|attribute| WrittenAttribute {
                    name: attribute.name.into(),
                    value: attribute.value,
                    name_span: attribute.name_span,
                    value_span: attribute.value_span,
                })
                .collect(),
            has_duplicates: tag.had_duplicate_attributes(),
        };
        for part in start_tag.edited(&tag_changes) {
            match part {
                TagPart::Kept(range) => {
                    self.skip_to(start + range.start);
                    self.copy_to(start + range.end);
                }
                TagPart::New(text) => self.write_new(&text),
            }
        }
        self.skip_to(end);
        if gets_end_tag {
            self.write_end_tag(changes.name.as_deref().unwrap_or_default());
        }
    }

    /// Fails if literal text that several calls inserted into an element would end it.
    fn check_literal(&mut self, name: &str, changes: &Changes<'_>) {
        let parser = self.state.implied.parser;
        let inner = changes.inner.as_deref().unwrap_or_default();
        let texts = match &changes.inner {
            Some(_) => vec![format!("{}{inner}{}", changes.prepended.text, changes.appended.text)],
            None => vec![changes.prepended.text.clone(), changes.appended.text.clone()],
        };
        for text in texts {
            if !seam::is_contained(name, &text, &|markup| parser.parse(markup)) {
                self.state.fail(RewriteError::BadText(text));
            }
        }
    }

    /// Ends the text before a token; `is_inserted` returns whether the token comes from an entity's replacement text.
    #[inline]
    fn begin_token(&mut self, span: Span, is_inserted: impl FnOnce() -> bool) {
        if D::INSERTS {
            // If the token begins before the end of the text before it, it begins in a reference whose replacement text
            // also contains the end of that text.
            self.state.text_is_inserted |= span.start < self.state.token_end;
            self.state.is_inserted = is_inserted();
        }
        self.end_text(span.start);
        self.state.token_end = span.end;
    }

    /// Buffers text for its handlers. Kept out of line, as most text has none.
    #[inline(never)]
    fn buffer_text(&mut self, text: &tabulex_core::Text<'_>) -> Control {
        // A text that begins before the end of the last token is part of the replacement text in which that token ends.
        self.state.text_is_inserted |=
            D::INSERTS && text.span.start < self.state.token_end && self.state.text.is_empty();
        self.state.text_start.get_or_insert(self.state.token_end);
        self.state.text.push_str(text.text);
        if self.state.text.len() > self.state.memory {
            self.state.fail(RewriteError::Memory { limit: self.state.memory });
        }
        self.state.token_end = text.span.end;
        self.control_flow()
    }

    /// Calls the handlers of the text before an offset, if there is one.
    #[inline]
    fn end_text(&mut self, offset: usize) {
        if self.state.text_start.is_some() {
            self.call_text_handlers(offset);
        }
    }

    /// Fails because a change affects the replacement text of an entity.
    #[cold]
    fn fail_as_inserted(&mut self, span: Span) {
        self.state.fail(RewriteError::Inserted { span });
    }

    fn call_text_handlers(&mut self, offset: usize) {
        let start = self.state.text_start.take().unwrap_or(offset);
        let is_inserted = std::mem::take(&mut self.state.text_is_inserted);
        let text = std::mem::take(&mut self.state.text);
        let dropped_len = self.dropped_line_end_len(start, &text);
        let (start, content) = (start + dropped_len, &text[usize::from(dropped_len > 0)..]);
        if content.is_empty() {
            self.state.text = text;
            self.state.text.clear();
            return;
        }
        let is_literal = self.state.open.last().is_some_and(|open| open.is_literal);
        let literal_in = is_literal.then(|| self.state.open.last_name().to_owned());
        let span = Span::new(start, offset);
        let State { handlers, active_counts, output, implied, .. } = &mut *self.state;
        let context = ContentContext { parser: implied.parser, output };
        let changes = PieceChanges::default();
        let mut piece =
            Text { text: content, span, literal_in: literal_in.as_deref(), context, changes };
        let outcome = call_active(handlers, active_counts, |handler| match handler {
            Handler::Text(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        if let Some(name) = &literal_in {
            self.check_text(name, content, &changes);
        }
        self.apply_piece_changes(span, is_inserted, &changes);
        self.state.text = text;
        self.state.text.clear();
    }

    /// Returns the length in the source of the line end at the start of a text that the preceding start tag drops, or 0.
    fn dropped_line_end_len(&self, start: usize, text: &str) -> usize {
        if self.state.line_end_drop_offset != Some(start) || !text.starts_with('\n') {
            return 0;
        }
        let source = start.checked_sub(self.base).and_then(|offset| self.source.get(offset..));
        match source.unwrap_or_default().as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        }
    }

    /// Fails if a literal text together with content inserted around it would end its element.
    fn check_text(&mut self, name: &str, text: &str, changes: &PieceChanges) {
        if changes.is_empty() {
            return;
        }
        let content = changes.replacement.as_deref().unwrap_or(text);
        let changed_text = format!("{}{content}{}", changes.before, changes.after);
        let parser = self.state.implied.parser;
        let parse = |markup: &str| parser.parse(markup);
        let keeps = |is_kept: fn(&str, &str, seam::Parse<'_>) -> bool| {
            is_kept(name, &changed_text, &parse) || !is_kept(name, text, &parse)
        };
        // A text that fails a check even without the changes is accepted: the page itself may contain `<!--` in a
        // script.
        if !keeps(seam::is_contained) || !keeps(seam::ends_at_end_tag) {
            self.state.fail(RewriteError::BadText(changed_text));
        }
    }

    fn apply_piece_changes(&mut self, span: Span, is_inserted: bool, changes: &PieceChanges) {
        if changes.is_empty() {
            return;
        }
        if is_inserted {
            return self.fail_as_inserted(span);
        }
        self.copy_before_change(span.start);
        self.write_new(&changes.before);
        match &changes.replacement {
            Some(replacement) => {
                self.write_new(replacement);
                self.skip_to(span.end);
            }
            None => self.copy_to(span.end),
        }
        if !changes.after.is_empty() {
            self.copy_before_change(span.end);
            self.write_new(&changes.after);
        }
    }

    fn control_flow(&self) -> Control {
        if self.state.failed.is_some() { Control::Pause } else { Control::Continue }
    }
}

/// Calls every active handler, and returns the first error.
fn call_active<'h>(
    handlers: &mut [Handler<'h>],
    active_counts: &[u32],
    mut call: impl FnMut(&mut Handler<'h>) -> Outcome,
) -> Outcome {
    let active = handlers.iter_mut().zip(active_counts).filter(|(_, count)| **count > 0);
    let mut result = Ok(());
    for (handler, _) in active {
        // A failing handler does not prevent the calls after it.
        let outcome = call(handler);
        result = result.and(outcome);
    }
    result
}

impl<'h, D: Construction> MachineSink for Pass<'_, 'h, D> {
    const ERRORS: bool = false;
}

impl<'h, D: Construction> Sink for Pass<'_, 'h, D> {
    #[inline]
    fn text_as_written(&self) -> bool {
        !self.state.has_text_handlers
    }

    fn drops_data(&mut self, start: usize, is_comment: bool) -> bool {
        let State { handlers, active_counts, hidden_element, pending_ends, .. } = &*self.state;
        let is_handled = handlers.iter().zip(active_counts).any(|(handler, active)| {
            *active > 0
                && match handler {
                    Handler::Comment(_) => is_comment,
                    Handler::Instruction(_) => !is_comment,
                    Handler::Element(_) | Handler::Text(_) => false,
                }
        });
        // An unfinished instruction is dropped if content is inserted after it, so it must not be passed through.
        let has_end_changes =
            !pending_ends.is_empty() || !self.page_handlers.end_handlers.is_empty();
        let may_be_dropped = has_end_changes && !is_comment;
        // If a token begins in the replacement text of an entity, the page contains only the rest of it, so it is not
        // copied.
        let is_written = start >= self.state.token_end;
        let is_changed = hidden_element.is_none() && (is_handled || may_be_dropped);
        if !is_written || is_changed || self.state.is_outside {
            return false;
        }
        self.end_text(start);
        let end = self.base + self.source.len();
        let partial = self.state.partial.take().filter(|partial| partial.start == start);
        let new_partial = PartialToken { start, end: start, text: String::new() };
        let mut partial = partial.unwrap_or(new_partial);
        partial.extend(self.slice(partial.end, end));
        self.state.partial = Some(partial);
        true
    }

    #[inline]
    fn text(&mut self, text: tabulex_core::Text<'_>) -> Control {
        if self.state.is_at_start || self.state.is_outside {
            let is_space = text.text.trim_ascii().is_empty();
            self.state.is_at_start &= is_space;
            self.state.is_outside &= is_space;
        }
        if self.state.active_text_handlers > 0 && self.state.hidden_element.is_none() {
            return self.buffer_text(&text);
        }
        self.state.token_end = text.span.end;
        Control::Continue
    }

    // Kept out of line, so that the machine's loop keeps its registers.
    #[inline(never)]
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.begin_token(tag.span(), || tag.is_inserted());
        let state = &mut *self.state;
        (state.is_at_start, state.is_outside) = (false, false);
        let own_namespace = D::ELEMENTS.namespace();
        // Self-closing foreign elements are not pushed, so their names must not take the ids of others.
        let keeps = !tag.self_closing()
            || state.open.last().is_none_or(|open| !open.has_foreign_contents(own_namespace));
        let names = &mut state.open.names;
        let name = names.intern::<D>(tag.name(), keeps, state.foreign, state.is_scripting);
        let is_plain = !name.entry.is_special
            && state.pending_ends.is_empty()
            && state.deferred_end_tag.is_none()
            && state.ignored_name.is_none()
            && state.open.last().is_none_or(|open| open.namespace == own_namespace)
            && (D::ELEMENTS == Elements::Html || !tag.self_closing());
        match is_plain {
            true => self.open_element(&tag, &name, &ElementTraits::plain(own_namespace)),
            false => self.open_special_element(&tag, &name),
        }
    }

    // Kept out of line like `start_tag`.
    #[inline(never)]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.begin_token(tag.span(), || tag.is_inserted());
        let state = &mut *self.state;
        (state.is_at_start, state.is_outside, state.end_tag_keeps_open) = (false, false, false);
        state.unclosed.clear();
        // Elements that stay open after their end tags, such as `body`, are among the two outermost ones.
        let is_plain = |open: &OpenElement| {
            open.namespace == D::ELEMENTS.namespace()
                && state.open.len() > 2
                && state.pending_ends.is_empty()
                && state.deferred_end_tag.is_none()
                && state.ignored_name.is_none()
                && !state.open.may_last_have_ended()
        };
        if state.open.last_if_named(tag.name()).is_some_and(is_plain) {
            state.close();
        } else {
            self.apply_special_end_tag(&tag);
        }
        self.control_flow()
    }

    fn comment(&mut self, comment: tabulex_core::Comment<'_>) -> Control {
        self.begin_token(comment.span, || comment.is_inserted);
        if self.skips_hidden(comment.span) {
            return Control::Continue;
        }
        let tabulex_core::Comment { data, span, .. } = comment;
        self.state.last_declaration = span;
        let State { handlers, active_counts, output, implied, .. } = &mut *self.state;
        let context = ContentContext { parser: implied.parser, output };
        let mut piece = Comment { data, span, context, changes: PieceChanges::default() };
        let outcome = call_active(handlers, active_counts, |handler| match handler {
            Handler::Comment(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        self.apply_piece_changes(span, self.state.is_inserted, &changes);
        if self.state.is_outside {
            self.copy_to(span.end);
        }
        self.control_flow()
    }

    fn doctype(&mut self, doctype: tabulex_core::Doctype<'_>) -> Control {
        let Span { start, end } = doctype.span();
        self.begin_token(doctype.span(), || doctype.is_inserted());
        self.state.last_declaration = doctype.span();
        if std::mem::take(&mut self.state.is_at_start) {
            let doctype = self.slice(start, end).to_owned();
            let implied = &mut self.state.implied;
            let is_quirks = implied.is_quirks_doctype(&doctype);
            let parser = implied.parser.with_quirks(is_quirks);
            if parser.mode() != implied.parser.mode() {
                *implied = ImpliedEnds::new(parser);
            }
        }
        if self.state.hidden_element.is_some() {
            return Control::Continue;
        }
        let mut view = Doctype { doctype, is_removed: false };
        for handler in &mut self.page_handlers.doctype_handlers {
            let outcome = handler(&mut view);
            self.state.fail_on_error(outcome);
        }
        if view.is_removed && self.state.is_inserted {
            self.fail_as_inserted(Span::new(start, end));
        } else if view.is_removed {
            self.copy_before_change(start);
            self.skip_to(end);
        }
        self.control_flow()
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        self.begin_token(tag.span, || tag.is_inserted);
        if self.state.open.len() > 0 {
            // The tag has no name; a new one is inserted before its last byte.
            let name = Span::new(tag.span.end - 1, tag.span.end - 1);
            self.close(tag.span.start, Some(EndTagSpans { span: tag.span, name }));
        }
        self.control_flow()
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        self.begin_token(instruction.span, || instruction.is_inserted);
        if self.skips_hidden(instruction.span) {
            return Control::Continue;
        }
        let ProcessingInstruction { target, data, span, .. } = instruction;
        let mut piece = Instruction { target, data, span, changes: PieceChanges::default() };
        let State { handlers, active_counts, .. } = &mut *self.state;
        let outcome = call_active(handlers, active_counts, |handler| match handler {
            Handler::Instruction(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        self.apply_piece_changes(span, self.state.is_inserted, &changes);
        if self.state.is_outside {
            self.copy_to(span.end);
        }
        self.control_flow()
    }

    fn end_of_file(&mut self, offset: usize) {
        let last_token_end = self.state.token_end;
        let declaration = self.state.last_declaration;
        let text_end = self.state.text_end.replace(String::new());
        self.state.is_at_end = true;
        self.begin_token(Span::new(offset, offset), || false);
        self.state.unfinished = match declaration.end == offset && !declaration.is_empty() {
            true => Some(declaration.start),
            false => Some(last_token_end).filter(|last_token_end| *last_token_end < offset),
        };
        self.state.unclosed.clear();
        let mut end_tag = None;
        if self.state.unfinished.is_none() && self.state.hidden_element.is_none() {
            if self.state.open.last().is_some_and(|open| open.is_literal) {
                // Nothing in this text is escaped, whatever is written after it.
                self.copy_to(offset);
            }
            // Text of an element whose tags are removed is escaped, so nothing need end it.
            if self.state.escape_as.is_none() {
                let ends_element = text_end.as_ref().is_some_and(|end| end.starts_with("</"));
                end_tag = ends_element.then(|| self.state.open.last_name().to_owned());
                self.state.text_end = text_end;
            }
        }
        let has_pending_ends = !self.state.pending_ends.is_empty();
        let outside_tag = std::mem::take(&mut self.state.outside_tag);
        let mut outside_tag = Some(outside_tag).filter(|_| self.state.is_outside);
        while self.state.open.len() > 0 {
            self.close(offset, None);
        }
        if offset < self.base + self.source.len() {
            return;
        }
        for handler in std::mem::take(&mut self.page_handlers.end_handlers) {
            let markup = handler();
            if !markup.is_empty() {
                self.copy_before_change(offset);
                let is_open =
                    |name: &String| !has_pending_ends || self.state.unclosed.contains(name);
                if let Some(name) = end_tag.take_if(|name| is_open(name)) {
                    self.write_end_tag(&name);
                }
                self.write_new(&outside_tag.take().unwrap_or_default());
                self.write_new(&markup);
            }
        }
    }

    fn flag(&mut self, _flag: &'static str) -> u8 {
        let is_foreign = |open: &OpenElement| open.namespace != D::ELEMENTS.namespace();
        let is_html = D::ELEMENTS == Elements::Html;
        u8::from(is_html && self.state.open.last().is_some_and(is_foreign))
    }
}
