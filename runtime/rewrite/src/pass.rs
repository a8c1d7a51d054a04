//! The sink that passes tokens to handlers and writes the input with their changes.

use crate::content::{ContentContext, ContentStream, Contents};
use crate::element::{Changes, ContentModel, Element, Remainder};
use crate::error::{Outcome, RewriteError};
use crate::implied::MAX_CHAIN;
use crate::pieces::{Comment, Doctype, Instruction, Replaced, Text};
use crate::rules::{Handler, Rules};
use crate::state::{AtEnd, LineEnd, PassedToken, State, name_bit};
use std::io;
use std::marker::PhantomData;
use tabulex_core::tree::Namespace;
use tabulex_core::{
    Construction, Control, Elements, ProcessingInstruction, ShortEndTag, Sink, Span, Tag,
    control_after,
};
use tabulex_edit::seam::{self, ContentKind, StartTag, TagChanges, TagPart, WrittenAttribute};
use tabulex_select::descent::Opened;

/// Number of bytes at the end of a literal text or a comment that decide how what is put after it is read.
pub(crate) const TAIL: usize = 32;

/// Number of innermost elements that are searched for an element of the dialect between foreign ones.
const MAX_FOREIGN: usize = 64;

/// One chunk of the input, preceded by the unwritten end of the chunk before.
pub(crate) struct Pass<'p, 'h, D> {
    pub(crate) state: &'p mut State<'h>,
    pub(crate) source: &'p str,
    /// Where the source begins in the input.
    pub(crate) base: usize,
    pub(crate) doctypes: &'p mut Rules<'h>,
    /// Takes what was written so far while content is produced piece by piece.
    pub(crate) writer: &'p mut dyn io::Write,
    pub(crate) dialect: PhantomData<D>,
}

/// The ranges of an end tag and of its name, which is empty in a short one.
#[derive(Clone, Copy)]
struct EndTagSpans {
    span: Span,
    name: Span,
}

/// A start tag as selectors query it.
struct StartTagQuery<'t> {
    tag: &'t Tag<'t>,
    namespace: Namespace,
}

impl Opened for StartTagQuery<'_> {
    fn name(&self) -> &str {
        self.tag.name()
    }

    fn is_in(&self, namespace: &str) -> bool {
        self.namespace.known_name() == namespace
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.tag.attribute(name)
    }
}

impl<'h, D: Construction> Pass<'_, 'h, D> {
    fn slice(&self, start: usize, end: usize) -> &str {
        self.source.get(start - self.base..end - self.base).unwrap_or_default()
    }

    /// Copies the source up to an offset.
    fn copy(&mut self, to: usize) {
        while to > self.state.copied {
            let copied = self.state.copied;
            let source = self.source;
            let part = source.get(copied - self.base..to - self.base).unwrap_or_default();
            let skipped = self.state.begin_part(part, true);
            if skipped > 0 {
                self.state.copied += skipped;
                continue;
            }
            self.state.source(part, copied);
            self.state.copied = to;
        }
    }

    /// Copies the source up to an offset at which something changes. The end of a text is held back if its meaning depends on
    /// what is written next.
    fn copy_before_change(&mut self, at: usize) {
        let is_literal = self.state.open.last().is_some_and(|open| open.is_literal);
        self.copy_before_change_in(is_literal, at);
    }

    /// Copies the source up to an offset at which literal text or markup changes; see
    /// [`copy_before_change`](Self::copy_before_change).
    fn copy_before_change_in(&mut self, is_literal: bool, at: usize) {
        let end = self.base + self.source.len();
        if let Some(start) = self.state.unfinished.take_if(|_| at == end) {
            return self.finish_token(start, end);
        }
        let copied = self.state.copied;
        if at > copied && !is_literal {
            let source = self.source;
            let part = source.get(copied - self.base..at - self.base).unwrap_or_default();
            let tail = seam::open_tail(part);
            if tail < part.len() {
                self.copy(copied + tail);
                self.state.flush_tail("");
                self.state.tail.push_str(&part[tail..]);
                self.state.copied = at;
            }
        }
        self.copy(at);
        if self.state.dropping == Some(at) {
            self.state.line_end = LineEnd::Doubled;
        }
    }

    /// Ends a token that the end of the input has left unfinished, or leaves it out.
    #[cold]
    fn finish_token(&mut self, start: usize, end: usize) {
        let parser = self.state.parser;
        let passed = self.state.passed.take().filter(|passed| passed.start == start);
        let (mut token, written) = passed.map_or_else(Default::default, |it| (it.text, it.end));
        token += self.slice(start.max(self.base).max(written), end);
        let closing = seam::closing(&token, &|markup| parser.parse(markup));
        match closing {
            Some(closing) => {
                self.copy(end);
                self.put(closing);
            }
            None => {
                self.copy(start);
                self.skip_to(end);
            }
        }
    }

    /// Skips the source up to an offset.
    fn skip_to(&mut self, to: usize) {
        self.state.copied = self.state.copied.max(to);
    }

    fn put(&mut self, text: &str) {
        self.state.put(text);
    }

    /// Writes content; streams produce theirs now.
    fn put_contents(&mut self, contents: Contents<'h>) {
        let mut written = 0;
        for (offset, stream) in contents.streams {
            self.put(&contents.text[written..offset]);
            written = offset;
            let mut write = |part: &str| {
                self.put(part);
                self.writer.write_all(&self.state.output.bytes)?;
                self.state.output.bytes.clear();
                Ok(())
            };
            let mut content = ContentStream::new(false, &mut write);
            let outcome = stream(&mut content);
            let outcome = outcome.and_then(|()| Ok(content.flush()?));
            self.state.fail_on_error(outcome);
        }
        self.put(&contents.text[written..]);
    }

    /// Writes an end tag.
    fn put_end_tag(&mut self, name: &str) {
        self.put("</");
        self.put(name);
        self.put(">");
    }

    /// Returns the namespace of an element, and whether it is an integration point.
    #[inline]
    fn namespace(&mut self, tag: &Tag<'_>, may_be_special: bool) -> (Namespace, bool) {
        let own = D::ELEMENTS.own();
        if D::ELEMENTS != Elements::Html {
            return (own, false);
        }
        let inside = |open: &crate::open::OpenElement| open.namespace != own && !open.is_point;
        if self.state.open.last().is_some_and(inside) {
            return self.foreign_namespace(tag);
        }
        if may_be_special { self.root_namespace(tag) } else { (own, false) }
    }

    #[inline]
    fn root_namespace(&self, tag: &Tag<'_>) -> (Namespace, bool) {
        let begins = self.state.foreign.begins(tag.name());
        (begins.unwrap_or(D::ELEMENTS.own()), false)
    }

    #[cold]
    fn foreign_namespace(&mut self, tag: &Tag<'_>) -> (Namespace, bool) {
        let (foreign, asked) = (self.state.foreign, &mut self.state.leaving_tags);
        let known = foreign.inside::<D>();
        if known.leaves::<D>(foreign, tag, asked) {
            self.leave_foreign(tag.span().start);
            return self.root_namespace(tag);
        }
        let around = self.state.open.last().map_or(D::ELEMENTS.own(), |open| open.namespace);
        (around, known.is_point(around, tag))
    }

    /// Closes foreign elements, up to one that holds the dialect's own.
    fn leave_foreign(&mut self, at: usize) {
        let own = D::ELEMENTS.own();
        self.state.unclosed.clear();
        while let Some(open) = self.state.open.last()
            && open.namespace != own
            && !open.is_point
        {
            if self.state.at_end.is_empty() {
                let name = self.state.open.name(self.state.open.len() - 1);
                self.state.unclosed.push(name);
            }
            self.close(at, None);
        }
        if let Some(outermost) = self.state.unclosed.last().filter(|_| self.state.at_end.is_empty())
        {
            // Its end tag ends all but others of its name.
            let name = outermost.clone();
            self.state.unclosed.retain(|inner| *inner == name);
        }
        self.state.left_at = Some(at);
    }

    /// Closes the innermost element, at its end tag or because of something that begins here.
    #[inline]
    fn close(&mut self, at: usize, tag: Option<EndTagSpans>) {
        let index = self.state.open.len() - 1;
        if !self.state.at_end.is_empty() {
            self.close_inside(index, tag.is_some());
        }
        self.state.close();
        if self.state.at_end.last().is_some_and(|it| it.element == index) {
            self.end_element(index, at, tag, false);
        }
    }

    /// Notes that an element is closed inside of one at whose end something is done.
    fn close_inside(&mut self, index: usize, is_written: bool) {
        let is_open = self.state.open.last().is_some_and(|open| !open.is_ended);
        if is_open && !is_written && self.state.at_end.last().is_none_or(|it| it.element != index) {
            self.state.leave_unclosed(index);
        }
    }

    /// Makes the changes at the end of an element: at its end tag, where a start tag implies its end, or where an element
    /// around it ends. Out of line, as few elements have any.
    #[inline(never)]
    fn end_element(&mut self, index: usize, at: usize, tag: Option<EndTagSpans>, is_implied: bool) {
        let is_hidden = self.state.hidden.is_some();
        let ends_hidden = self.state.hidden == Some(index);
        let Some(at_end) = self.state.take_at_end(index) else { return };
        if ends_hidden {
            self.state.hidden = None;
            self.skip_to(at);
        } else if is_hidden {
            return;
        }
        let is_literal = at_end.is_literal;
        let mut at_end = at_end;
        if at_end.is_removed && self.state.dropping == Some(at) {
            // There is no line end that the start tag has dropped.
            self.state.dropping = None;
            if matches!(self.state.line_end, LineEnd::LeftOut | LineEnd::LeftOutLf) {
                self.state.line_end = LineEnd::Stays;
            }
        }
        if self.state.escapes.is_some() && at_end.is_removed {
            self.copy(at);
            self.state.escapes = None;
        }
        let old_name = at_end.tag_name.clone();
        let changes = self.state.call_at_end(tag.is_some(), &mut at_end);
        let AtEnd { appended: before, after, .. } = at_end;
        let changes_page =
            tag.is_some() && changes.changes_tag() || !before.is_empty() || !after.is_empty();
        if self.state.is_inserted && (ends_hidden || changes_page) {
            return self.fail_as_inserted(Span::new(at, self.state.done));
        }
        let mut unclosed = std::mem::take(&mut self.state.unclosed);
        if ends_hidden {
            // What was left out needs no end tag.
            unclosed.clear();
        }
        let name = changes.name.as_ref().unwrap_or(&old_name);
        let needs_tag = tag.is_none()
            && !changes.is_removed
            && (!after.is_empty() || is_implied && changes.name.is_some());
        // Its own end, or what implies it, would have ended those inside.
        let is_changed = changes.changes_tag() || self.state.ends_open && !after.is_empty();
        let ends_others = is_changed && (tag.is_some() || is_implied);
        if !before.is_empty() || needs_tag || ends_others || !after.is_empty() {
            if is_literal && !before.is_empty() {
                self.check_literal_end(&old_name, at, ends_hidden, &before.text);
            } else if tag.is_none() || !before.is_empty() || !unclosed.is_empty() {
                self.copy_before_change(at);
            }
            if !before.is_empty() || needs_tag || ends_others || tag.is_none() {
                for inner in unclosed.drain(..) {
                    self.put_end_tag(&inner);
                }
            }
            self.put_contents(before);
        } else if ends_hidden {
            self.copy_before_change(at);
        }
        if needs_tag {
            self.put_end_tag(name);
        }
        if let Some(tag) = tag {
            if changes.is_removed {
                self.copy_before_change(tag.span.start);
                self.skip_to(tag.span.end);
            } else if let Some(name) = &changes.name {
                self.copy(tag.name.start);
                self.put(name);
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
                self.copy(tag.span.end);
            }
            self.put_contents(after);
        }
    }

    /// Copies the source up to the end of a literal text; fails if the element would end where that meets inserted text.
    fn check_literal_end(&mut self, name: &str, at: usize, is_replaced: bool, next: &str) {
        let mut from = at.saturating_sub(TAIL).max(self.base) - self.base;
        from = self.source.ceil_char_boundary(from);
        let tail = self.source.get(from..at - self.base).unwrap_or_default();
        let tail = if is_replaced { "" } else { &tail[tail.rfind('<').unwrap_or(tail.len())..] };
        let parser = self.state.parser;
        if seam::is_open_text(name, tail)
            && !seam::is_contained(name, &format!("{tail}{next}"), &|text| parser.parse(text))
        {
            self.state.fail(RewriteError::BadText(next.to_owned()));
        }
        self.copy(at);
    }

    /// Ends the elements that a start tag ends, if something is done at their ends, and notes which one needs an end tag if the
    /// start tag goes. `below` is the number of elements that are open around the tag.
    #[inline(never)]
    fn imply_ends(&mut self, tag: &Tag<'_>, below: usize) {
        let at = tag.span().start;
        self.state.implied_at = Some(at);
        self.state.implied_ends.clear();
        // Foreign elements that the tag has left are inside of those that it ends.
        if self.state.left_at != Some(at) {
            self.state.unclosed.clear();
        }
        let own = D::ELEMENTS.own();
        let around = below.checked_sub(1).and_then(|index| self.state.open.get(index));
        let is_foreign = around.is_some_and(|open| open.namespace != own && !open.is_point);
        if D::ELEMENTS != Elements::Html || is_foreign {
            return;
        }
        let State { implied, open, parser, .. } = &mut *self.state;
        implied.mark_ended(open, below, *parser);
        let ended = implied.ended(open, below, tag.name(), *parser);
        for &index in ended.iter().rev() {
            self.end_early(index, at, None, true);
        }
        self.state.implied_ends = std::mem::take(&mut self.state.unclosed);
    }

    /// Ends the elements that an end tag ends in a parser; returns `false` if these are the innermost element of its name and
    /// all inside, or if too many elements are open to ask.
    #[inline(never)]
    fn end_elements(&mut self, tag: &Tag<'_>, found: Option<usize>) -> bool {
        let State { implied, open, parser, .. } = &mut *self.state;
        let (below, own) = (open.len(), D::ELEMENTS.own());
        if below == 0
            || found.is_some_and(|index| implied.reaches(open, index, tag.name(), *parser))
        {
            return false;
        }
        let is_foreign = |index| open.get(index).is_some_and(|open| open.namespace != own);
        // In foreign content the end tag of a foreign element ends it, unless one of the dialect's own is inside.
        let from = |found| below.saturating_sub(MAX_FOREIGN).max(found);
        let ends_foreign = found.is_some_and(|found| (from(found)..below).all(is_foreign));
        if ends_foreign {
            return false;
        }
        implied.mark_ended(open, below, *parser);
        if !implied.covers(open, found) {
            return false;
        }
        let ended = implied.ended(open, below, &format!("/{}", tag.name()), *parser);
        if let Some(found) = found.filter(|found| !ended.contains(found))
            && implied.has_end_tag(open, below, tag.name(), *parser)
            && self.state.at_end_index(found).is_some()
        {
            // What follows is still read into it, but that is not where its end is written.
            self.state.ends_open = true;
            return false;
        }
        let is_named = |index: &&usize| self.state.open.name(**index) == tag.name();
        let target = ended.iter().rfind(is_named).or(ended.first()).copied();
        let at = tag.span().start;
        for index in ended.into_iter().rev() {
            let written = EndTagSpans { span: tag.span(), name: tag.name_span() };
            let written = (target == Some(index)).then_some(written);
            while self.state.open.len() > index + 1
                && self.state.open.last().is_some_and(|open| open.is_ended)
            {
                self.close(at, None);
            }
            if self.state.open.len() == index + 1 {
                self.close(at, written);
            } else {
                self.end_early(index, at, written, false);
            }
        }
        true
    }

    /// Whether comments after an end tag stand outside of the element whose contents are left out, though that stays open.
    fn leaves_hidden(&mut self, name: &str) -> bool {
        let State { open, parser, foreign, hidden, .. } = &mut *self.state;
        let Some(hidden) = hidden.filter(|_| foreign.stays_open(name)) else { return false };
        let indices = open.innermost(open.len(), MAX_CHAIN);
        let names: Vec<String> = indices.iter().map(|index| open.name(*index)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let (around, inside) = names.split_at(indices.partition_point(|index| *index < hidden));
        seam::leaves(around, inside, name, &|markup| parser.parse(markup))
    }

    /// Whether a comment or a processing instruction is left out with the contents that it stands in.
    fn leaves_out(&mut self, span: Span) -> bool {
        if self.state.is_outside {
            self.skip_to(span.start);
        }
        self.state.hidden.is_some() && !self.state.is_outside
    }

    /// Ends an element inside of which another one is still open.
    fn end_early(&mut self, index: usize, at: usize, tag: Option<EndTagSpans>, is_implied: bool) {
        self.state.open.end(index);
        if self.state.at_end_index(index).is_some() {
            self.end_element(index, at, tag, is_implied);
        } else if tag.is_none() {
            self.state.leave_unclosed(index);
        }
    }

    /// Calls the handlers of an element, which has been opened if it can have contents.
    fn call_element_handlers(
        &mut self,
        tag: &Tag<'_>,
        namespace: Namespace,
        has_contents: bool,
        model: ContentModel,
    ) {
        for index in 0..self.state.descent.matched().len() {
            let number = self.state.of_set[self.state.descent.matched()[index]];
            let State { handlers, changes, is_inserted, output, kinds, parser, .. } =
                &mut *self.state;
            let is_inserted = *is_inserted;
            let context = ContentContext { parser: *parser, output };
            match &mut handlers[number] {
                Handler::Element(handler) => {
                    let element = &mut Element {
                        tag,
                        namespace,
                        has_contents,
                        model,
                        is_inserted,
                        context,
                        kinds,
                        changes,
                    };
                    if let Err(error) = handler(element) {
                        self.state.fail_on_error(Err(error));
                    }
                }
                Handler::Text(_) | Handler::Comment(_) | Handler::Instruction(_) => {
                    if has_contents {
                        self.state.activate(number);
                    }
                }
            }
        }
        if self.state.changes.are_some {
            let mut changes = std::mem::take(&mut self.state.changes);
            self.apply_changes(tag, has_contents, model, &mut changes);
            changes.clear();
            self.state.changes = changes;
        }
    }

    /// Writes a start tag with its changes, and records the changes at the element's end.
    fn apply_changes(
        &mut self,
        tag: &Tag<'_>,
        has_contents: bool,
        model: ContentModel,
        changes: &mut Changes<'h>,
    ) {
        let Span { start, end } = tag.span();
        if self.state.is_inserted && changes.changes_page() {
            return self.fail_as_inserted(tag.span());
        }
        if !changes.before.is_empty()
            || changes.remainder != Remainder::All
            || changes.name.is_some()
        {
            if self.state.implied_at != Some(start) {
                self.imply_ends(tag, self.state.open.len() - usize::from(has_contents));
            }
            // The element itself is open, and no tag is in literal text.
            self.copy_before_change_in(false, start);
            for name in std::mem::take(&mut self.state.implied_ends) {
                self.put_end_tag(&name);
            }
            self.put_contents(std::mem::take(&mut changes.before));
        }
        if model.drops_line_end {
            self.state.dropping = Some(end);
        }
        match changes.remainder {
            Remainder::Nothing => {
                self.put(&changes.replacement);
                self.skip_to(end);
            }
            Remainder::Contents => self.skip_to(end),
            Remainder::All => self.write_tag(tag, has_contents, model, changes),
        }
        let drops = model.drops_line_end;
        let new_name = changes.name.as_deref().filter(|_| model.is_own && has_contents);
        let drops_now = match (changes.remainder, new_name) {
            (Remainder::All, Some(name)) => self.state.foreign.dropping().any(|it| it == name),
            (left, _) => drops && left == Remainder::All,
        };
        if changes.remainder == Remainder::Contents && model.is_text {
            let kind = if model.is_literal { ContentKind::Literal } else { ContentKind::Text };
            self.state.escapes = Some(kind);
        }
        let is_gone = changes.remainder == Remainder::Nothing;
        if drops != drops_now && !is_gone {
            self.state.line_end = if drops { LineEnd::LeftOut } else { LineEnd::Doubled };
        }
        if !has_contents {
            if !changes.after.is_empty() {
                self.copy_before_change(end);
                self.put_contents(std::mem::take(&mut changes.after));
            }
            return;
        }
        if !is_gone && changes.gives_contents() {
            self.copy_before_change(end);
            if model.is_literal {
                self.check_literal(tag.name(), changes);
            }
            let is_first = !changes.prepended.is_empty() && changes.inner.is_none();
            self.put_contents(std::mem::take(&mut changes.prepended));
            self.put(changes.inner.as_deref().unwrap_or_default());
            self.state.line_end = match drops && is_first {
                true => LineEnd::LeftOut,
                false => LineEnd::Stays,
            };
        }
        let element = self.state.open.len() - 1;
        if is_gone || changes.inner.is_some() {
            self.state.hidden = Some(element);
        }
        let appended = std::mem::take(&mut changes.appended);
        let at_end = AtEnd {
            element,
            tag_name: tag.name().to_owned(),
            appended: if is_gone { Contents::default() } else { appended },
            after: std::mem::take(&mut changes.after),
            name: changes.name.take(),
            is_removed: changes.remainder != Remainder::All,
            is_literal: model.is_literal,
            on_end: std::mem::take(&mut changes.on_end),
        };
        let is_needed = !at_end.appended.is_empty()
            || !at_end.after.is_empty()
            || at_end.name.is_some()
            || at_end.is_removed
            || !at_end.on_end.is_empty()
            || self.state.hidden == Some(element);
        if is_needed {
            if D::ELEMENTS == Elements::Html {
                let State { implied, open, parser, .. } = &mut *self.state;
                implied.mark_ended(open, element, *parser);
            }
            self.state.push_at_end(at_end);
        }
    }

    /// Writes a start tag with its changes.
    fn write_tag(
        &mut self,
        tag: &Tag<'_>,
        has_contents: bool,
        model: ContentModel,
        changes: &Changes<'_>,
    ) {
        let Span { start, end } = tag.span();
        let gets_end_tag = !has_contents && changes.name.is_some() && model.is_own && {
            let name = changes.name.as_deref().unwrap_or_default().to_ascii_lowercase();
            !D::SERIALIZATION.void.contains(&&*name)
        };
        let edits = TagChanges {
            name: changes.name.as_deref(),
            attributes: &changes.attributes,
            gets_contents: tag.self_closing()
                && (gets_end_tag || has_contents && changes.gives_contents()),
        };
        if edits.name.is_none() && edits.attributes.is_empty() && !edits.gets_contents {
            return self.copy(end);
        }
        self.copy(start);
        let attributes = tag.attributes().filter(|attribute| !attribute.name_span.is_empty());
        let written = StartTag {
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
        for part in written.edited(&edits) {
            match part {
                TagPart::Kept(range) => {
                    self.skip_to(start + range.start);
                    self.copy(start + range.end);
                }
                TagPart::New(text) => self.put(&text),
            }
        }
        self.skip_to(end);
        if gets_end_tag {
            self.put_end_tag(changes.name.as_deref().unwrap_or_default());
        }
    }

    /// Fails if literal text that was put into an element by several calls would end it.
    fn check_literal(&mut self, name: &str, changes: &Changes<'_>) {
        let parser = self.state.parser;
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

    /// Ends the text before a token; `is_inserted` is whether the page has a reference in its place.
    #[inline]
    fn token(&mut self, span: Span, is_inserted: bool) {
        if D::INSERTS {
            // One reference stands for both.
            self.state.text_is_inserted |= span.start < self.state.done;
            self.state.is_inserted = is_inserted;
        }
        self.end_text(span.start);
        self.state.done = span.end;
    }

    /// Calls the handlers of the text before an offset, if there is any.
    #[inline]
    fn end_text(&mut self, at: usize) {
        if self.state.text_start.is_some() {
            self.call_text_handlers(at);
        }
    }

    /// Fails because of a change of text that the page only refers to.
    #[cold]
    fn fail_as_inserted(&mut self, span: Span) {
        self.state.fail(RewriteError::Inserted { span });
    }

    fn call_text_handlers(&mut self, at: usize) {
        let start = self.state.text_start.take().unwrap_or(at);
        let is_inserted = std::mem::take(&mut self.state.text_is_inserted);
        let text = std::mem::take(&mut self.state.text);
        let literal = self.state.open.last().is_some_and(|open| open.is_literal);
        let literal = literal.then(|| self.state.open.name(self.state.open.len() - 1));
        let span = Span::new(start, at);
        let State { handlers, active, output, parser, .. } = &mut *self.state;
        let context = ContentContext { parser: *parser, output };
        let changes = Replaced::default();
        let mut piece =
            Text { text: &text, span, literal_in: literal.as_deref(), context, changes };
        let outcome = call_active(handlers, active, |handler| match handler {
            Handler::Text(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        if let Some(name) = &literal {
            self.check_text(name, &text, &changes);
        }
        self.replace(span, is_inserted, &changes);
        self.state.text = text;
        self.state.text.clear();
    }

    /// Fails if a literal text with what was put around it would end its element.
    fn check_text(&mut self, name: &str, text: &str, changes: &Replaced) {
        if changes.is_nothing() {
            return;
        }
        let kept = changes.by.as_deref().unwrap_or(text);
        let whole = format!("{}{kept}{}", changes.before, changes.after);
        let parser = self.state.parser;
        let is_contained =
            |text: &str| seam::is_contained(name, text, &|markup| parser.parse(markup));
        // What the page has may be open, as it is read.
        if !is_contained(&whole) && is_contained(text) {
            self.state.fail(RewriteError::BadText(whole));
        }
    }

    fn replace(&mut self, span: Span, is_inserted: bool, changes: &Replaced) {
        if changes.is_nothing() {
            return;
        }
        if is_inserted {
            return self.fail_as_inserted(span);
        }
        self.copy_before_change(span.start);
        self.put(&changes.before);
        match &changes.by {
            Some(by) => {
                self.put(by);
                self.skip_to(span.end);
            }
            None => self.copy(span.end),
        }
        if !changes.after.is_empty() {
            self.copy_before_change(span.end);
            self.put(&changes.after);
        }
    }

    fn control(&self) -> Control<D::State> {
        if self.state.failed.is_some() { Control::Pause } else { Control::Continue }
    }
}

/// Calls each handler that waits at a place, and returns the first error.
fn call_active<'h>(
    handlers: &mut [Handler<'h>],
    active: &[u32],
    mut call: impl FnMut(&mut Handler<'h>) -> Outcome,
) -> Outcome {
    let waiting = handlers.iter_mut().zip(active).filter(|(_, active)| **active > 0);
    let mut first = Ok(());
    for (handler, _) in waiting {
        // Handlers after one that fails are called as well.
        let outcome = call(handler);
        first = first.and(outcome);
    }
    first
}

/// Whether the text of an element of this name is written literally.
fn is_literal<D: Construction>(name: &str, state: &State<'_>) -> bool {
    D::SERIALIZATION.raw_text.contains(&name)
        || state.scripting[0].1 == 1 && D::SERIALIZATION.raw_text_when_scripting.contains(&name)
}

impl<'h, D: Construction> Sink<D> for Pass<'_, 'h, D> {
    const ERRORS: bool = false;

    #[inline]
    fn text_as_written(&self) -> bool {
        !self.state.has_text_handlers
    }

    fn drops_data(&mut self, start: usize, is_comment: bool) -> bool {
        let State { handlers, active, hidden, at_end, .. } = &*self.state;
        let is_handled = handlers.iter().zip(active).any(|(handler, active)| {
            *active > 0
                && match handler {
                    Handler::Comment(_) => is_comment,
                    Handler::Instruction(_) => !is_comment,
                    Handler::Element(_) | Handler::Text(_) => false,
                }
        });
        // An unfinished instruction may have no effect, so that it goes if something is put at the end.
        let has_ends = !at_end.is_empty() || !self.doctypes.ends.is_empty();
        let may_go = has_ends && !is_comment;
        // Of a token that begins in the text of an entity the page has only the rest.
        let is_written = start >= self.state.done;
        let is_kept = hidden.is_none() || self.state.is_outside;
        if !is_written || is_kept && (is_handled || may_go || hidden.is_some()) {
            return false;
        }
        self.end_text(start);
        let end = self.base + self.source.len();
        let passed = self.state.passed.take().filter(|passed| passed.start == start);
        let fresh = PassedToken { start, end: start, text: String::new() };
        let mut passed = passed.unwrap_or(fresh);
        passed.extend(self.slice(passed.end, end));
        self.state.passed = Some(passed);
        true
    }

    #[inline]
    fn text(&mut self, text: tabulex_core::Text<'_>) -> Control<D::State> {
        if self.state.is_at_start || self.state.is_outside {
            let is_space = text.text.trim_ascii().is_empty();
            self.state.is_at_start &= is_space;
            self.state.is_outside &= is_space;
        }
        if self.state.active_text_handlers > 0 && self.state.hidden.is_none() {
            // A text that begins in a reference which something else has come from is only a part of that.
            self.state.text_is_inserted |=
                D::INSERTS && text.span.start < self.state.done && self.state.text.is_empty();
            self.state.text_start.get_or_insert(self.state.done);
            self.state.text.push_str(text.text);
            if self.state.text.len() > self.state.memory {
                self.state.fail(RewriteError::Memory { limit: self.state.memory });
            }
        }
        self.state.done = text.span.end;
        self.control()
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) -> Control<D::State> {
        self.token(tag.span(), tag.is_inserted());
        (self.state.is_at_start, self.state.is_outside) = (false, false);
        let (name, own) = (tag.name(), D::ELEMENTS.own());
        let may_be_special = self.state.special_name_bits & name_bit(name) != 0;
        let (namespace, is_point) = self.namespace(&tag, may_be_special);
        if !self.state.at_end.is_empty() {
            self.imply_ends(&tag, self.state.open.len());
        }
        let is_own_html = D::ELEMENTS == Elements::Html && namespace == own;
        let has_contents = if is_own_html {
            !(may_be_special && D::SERIALIZATION.void.contains(&name))
        } else {
            !tag.self_closing()
        };
        let start = StartTagQuery { tag: &tag, namespace };
        let state = &mut *self.state;
        let matched = state.descent.open(&start, has_contents);
        let is_matched = !matched.is_empty() && state.hidden.is_none();
        let is_literal = may_be_special && namespace == own && is_literal::<D>(name, state);
        if has_contents {
            state.open.push(name, namespace, is_point, is_literal);
            if is_point && state.foreign.inside::<D>().depends_on_attribute(namespace, name) {
                state.open.depend_on_attribute();
            }
            if state.open.len() > state.max_depth {
                state.max_depth = state.open.len();
                state.check_memory(0);
            }
        }
        let drops_line_end =
            may_be_special && namespace == own && state.foreign.dropping().any(|it| it == name);
        if is_matched {
            let is_own = namespace == own;
            let is_text = may_be_special && is_own && {
                let control = control_after::<D>(name, &self.state.scripting);
                !matches!(control, Control::Continue)
            };
            let has_lower_names = D::ELEMENTS == Elements::Html;
            self.call_element_handlers(
                &tag,
                namespace,
                has_contents,
                ContentModel { has_lower_names, is_own, is_text, is_literal, drops_line_end },
            );
            if self.state.failed.is_some() {
                return Control::Pause;
            }
        }
        if drops_line_end {
            self.state.dropping = Some(tag.span().end);
        }
        if is_own_html && !has_contents {
            self.state.open.note_void(name);
        }
        if may_be_special && namespace == own {
            return control_after::<D>(name, &self.state.scripting);
        }
        Control::Continue
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<D::State> {
        self.token(tag.span(), tag.is_inserted());
        self.state.is_at_start = false;
        self.state.unclosed.clear();
        self.state.ends_open = false;
        self.state.is_outside = self.leaves_hidden(tag.name());
        if self.state.is_outside {
            self.skip_to(tag.span().start);
            self.copy(tag.span().end);
        }
        let (start, own) = (tag.span().start, D::ELEMENTS.own());
        let is_foreign =
            self.state.open.last().is_some_and(|open| open.namespace != own && !open.is_point);
        if is_foreign
            && D::ELEMENTS == Elements::Html
            && self.state.foreign.inside::<D>().leaves_at_end(tag.name())
        {
            self.leave_foreign(start);
        }
        let found = self.state.open.find(tag.name());
        // Such elements are the outermost ones.
        if self.state.at_end.is_empty()
            && found.is_some_and(|index| index < 2)
            && self.state.foreign.stays_open(tag.name())
        {
            return self.control();
        }
        let is_innermost = found.is_some_and(|index| index + 1 == self.state.open.len());
        if D::ELEMENTS == Elements::Html && !is_innermost && self.end_elements(&tag, found) {
            return self.control();
        }
        if let Some(index) = found.filter(|index| !self.state.open.is_over(*index)) {
            while self.state.open.len() > index + 1 {
                self.close(start, None);
            }
            self.close(start, Some(EndTagSpans { span: tag.span(), name: tag.name_span() }));
        }
        self.control()
    }

    fn comment(&mut self, comment: tabulex_core::Comment<'_>) -> Control<D::State> {
        self.token(comment.span, comment.is_inserted());
        if self.leaves_out(comment.span) {
            return Control::Continue;
        }
        let tabulex_core::Comment { data, span, .. } = comment;
        self.state.last_declaration = span;
        let State { handlers, active, output, parser, .. } = &mut *self.state;
        let context = ContentContext { parser: *parser, output };
        let mut piece = Comment { data, span, context, changes: Replaced::default() };
        let outcome = call_active(handlers, active, |handler| match handler {
            Handler::Comment(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        self.replace(span, self.state.is_inserted, &changes);
        if self.state.is_outside {
            self.copy(span.end);
        }
        self.control()
    }

    fn doctype(&mut self, doctype: tabulex_core::Doctype<'_>) -> Control<D::State> {
        let Span { start, end } = doctype.span();
        self.token(doctype.span(), doctype.is_inserted());
        self.state.last_declaration = doctype.span();
        if std::mem::take(&mut self.state.is_at_start) {
            let mut parser = self.state.parser;
            parser.set_doctype(self.slice(start, end));
            self.state.parser = parser;
        }
        if self.state.hidden.is_some() {
            return Control::Continue;
        }
        let mut view = Doctype { doctype, is_removed: false };
        for handler in &mut self.doctypes.doctypes {
            let outcome = handler(&mut view);
            self.state.fail_on_error(outcome);
        }
        if view.is_removed && self.state.is_inserted {
            self.fail_as_inserted(Span::new(start, end));
        } else if view.is_removed {
            self.copy_before_change(start);
            self.skip_to(end);
        }
        self.control()
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control<D::State> {
        self.token(tag.span, tag.is_inserted());
        if self.state.open.len() > 0 {
            // A name would stand before its last byte.
            let name = Span::new(tag.span.end - 1, tag.span.end - 1);
            self.close(tag.span.start, Some(EndTagSpans { span: tag.span, name }));
        }
        self.control()
    }

    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<D::State> {
        self.token(instruction.span, instruction.is_inserted());
        if self.leaves_out(instruction.span) {
            return Control::Continue;
        }
        let ProcessingInstruction { target, data, span, .. } = instruction;
        let mut piece = Instruction { target, data, span, changes: Replaced::default() };
        let State { handlers, active, .. } = &mut *self.state;
        let outcome = call_active(handlers, active, |handler| match handler {
            Handler::Instruction(handler) => handler(&mut piece),
            _ => Ok(()),
        });
        let changes = std::mem::take(&mut piece.changes);
        self.state.fail_on_error(outcome);
        self.replace(span, self.state.is_inserted, &changes);
        if self.state.is_outside {
            self.copy(span.end);
        }
        self.control()
    }

    fn end_of_file(&mut self, offset: usize) {
        let done = self.state.done;
        let declaration = self.state.last_declaration;
        self.state.is_at_end = true;
        self.token(Span::new(offset, offset), false);
        self.state.unfinished = match declaration.end == offset && !declaration.is_empty() {
            true => Some(declaration.start),
            false => Some(done).filter(|done| *done < offset),
        };
        self.state.unclosed.clear();
        let last = self.state.open.last().filter(|open| open.is_literal);
        let literal = last.map(|_| self.state.open.name(self.state.open.len() - 1));
        let is_closed = !self.state.at_end.is_empty();
        while self.state.open.len() > 0 {
            self.close(offset, None);
        }
        if offset < self.base + self.source.len() {
            return;
        }
        for handler in std::mem::take(&mut self.doctypes.ends) {
            let markup = handler();
            if !markup.is_empty() {
                self.copy_before_change(offset);
                if let Some(name) = literal.as_ref().filter(|_| !is_closed) {
                    self.put_end_tag(name);
                }
                self.put(&markup);
            }
        }
    }

    fn flag(&mut self, _flag: D::HostFlag) -> u8 {
        let is_foreign = |open: &crate::open::OpenElement| open.namespace != D::ELEMENTS.own();
        let is_html = D::ELEMENTS == Elements::Html;
        u8::from(is_html && self.state.open.last().is_some_and(is_foreign))
    }
}
