//! Tokens to handlers, and what these want to the output. It decodes and cuts nothing. Invariant: what is written of the
//! source is written once, in order, up to where tokens have ended.

use crate::element::{Changes, Element, Left};
use crate::error::RewriteError;
use crate::pieces::{Comment, Doctype, Replaced, Text};
use crate::rules::{Handler, Rules};
use crate::state::{AtEnd, State, likely};
use crate::tag_edits;
use std::marker::PhantomData;
use tabulex_core::tree::Namespace;
use tabulex_core::{
    Construction, Control, Elements, ProcessingInstruction, ShortEndTag, Sink, Span, Tag,
    control_after,
};
use tabulex_select::descent::Opened;

/// A chunk that is being read, with what is kept of the one before.
pub(crate) struct Pass<'p, 'h, D> {
    pub(crate) state: &'p mut State<'h>,
    pub(crate) source: &'p str,
    /// Where the source begins in the input.
    pub(crate) base: usize,
    pub(crate) doctypes: &'p mut Rules<'h>,
    pub(crate) dialect: PhantomData<D>,
}

/// Where the page has an end tag, and its name; a short one's is empty.
#[derive(Clone, Copy)]
struct Written {
    span: Span,
    name: Span,
}

/// What selectors ask of a start tag.
struct Start<'t> {
    tag: &'t Tag<'t>,
    namespace: Namespace,
}

impl Opened for Start<'_> {
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

    /// Writes the source up to here.
    fn copy(&mut self, to: usize) {
        let State { copied, output, .. } = &mut *self.state;
        if to > *copied {
            let part = self.source.get(*copied - self.base..to - self.base);
            output.source(part.unwrap_or_default(), *copied);
            *copied = to;
        }
    }

    /// Leaves out the source up to here.
    fn leave_out(&mut self, to: usize) {
        self.state.copied = self.state.copied.max(to);
    }

    fn put(&mut self, text: &str) {
        self.state.output.new_text(text);
    }

    /// Where an element is: its namespace, and whether it holds the dialect's own though it is foreign.
    #[inline]
    fn place(&mut self, tag: &Tag<'_>, is_likely: bool) -> (Namespace, bool) {
        let own = D::ELEMENTS.own();
        if D::ELEMENTS != Elements::Html {
            return (own, false);
        }
        let inside = |open: &crate::open::Entry| open.namespace != own && !open.is_point;
        if self.state.open.last().is_some_and(inside) {
            return self.foreign_place(tag);
        }
        if is_likely { self.begin(tag) } else { (own, false) }
    }

    #[inline]
    fn begin(&self, tag: &Tag<'_>) -> (Namespace, bool) {
        let begins = self.state.foreign.begins(tag.name());
        (begins.unwrap_or(D::ELEMENTS.own()), false)
    }

    #[cold]
    fn foreign_place(&mut self, tag: &Tag<'_>) -> (Namespace, bool) {
        let (foreign, asked) = (self.state.foreign, &mut self.state.asked);
        let known = foreign.inside::<D>();
        if known.leaves::<D>(foreign, tag, asked) {
            self.leave_foreign(tag.span().start);
            return self.begin(tag);
        }
        let around = self.state.open.last().map_or(D::ELEMENTS.own(), |open| open.namespace);
        (around, known.is_point(around, tag))
    }

    /// Closes foreign elements, up to one that holds the dialect's own.
    fn leave_foreign(&mut self, at: usize) {
        let own = D::ELEMENTS.own();
        while let Some(open) = self.state.open.last()
            && open.namespace != own
            && !open.is_point
        {
            self.close(at, None);
        }
    }

    /// Closes the innermost element, at its end tag or because of something that begins here.
    #[inline]
    fn close(&mut self, at: usize, tag: Option<Written>) {
        let index = self.state.open.len() - 1;
        self.state.close();
        if self.state.at_end.last().is_some_and(|it| it.element == index) {
            self.end_element(index, at, tag);
        }
    }

    /// Does what was to be done at the end of the element that has just been closed. Apart, as little is to be done at most.
    #[inline(never)]
    fn end_element(&mut self, index: usize, at: usize, tag: Option<Written>) {
        let is_hidden = self.state.hidden.is_some();
        let ends_hidden = self.state.hidden == Some(index);
        let at_end = self.state.at_end.pop_if(|it| it.element == index);
        let Some(at_end) = at_end else { return };
        if ends_hidden {
            self.state.hidden = None;
            self.leave_out(at);
        } else if is_hidden {
            return;
        }
        self.copy(at);
        let changes = self.state.call_at_end(tag.is_some(), at_end);
        if self.state.is_inserted && (ends_hidden || changes.changes_page(tag.is_some())) {
            return self.refuse(Span::new(at, self.state.done));
        }
        self.put(&changes.before);
        if let Some(tag) = tag {
            if changes.is_removed {
                self.leave_out(tag.span.end);
            } else if let Some(name) = &changes.name {
                self.copy(tag.name.start);
                self.put(name);
                self.leave_out(tag.name.end);
            }
            self.copy(tag.span.end);
        }
        self.put(&changes.after);
    }

    /// Calls the handlers of an element, which has been opened if it can have contents.
    fn call(&mut self, tag: &Tag<'_>, namespace: Namespace, holds: bool, is_literal: bool) {
        for index in 0..self.state.descent.matched().len() {
            let number = self.state.of_set[self.state.descent.matched()[index]];
            let State { handlers, changes, is_inserted, .. } = &mut *self.state;
            let is_inserted = *is_inserted;
            match &mut handlers[number] {
                Handler::Element(handler) => {
                    let element =
                        &mut Element { tag, namespace, holds, is_literal, is_inserted, changes };
                    if let Err(error) = handler(element) {
                        self.state.heed(Err(error));
                    }
                }
                Handler::Text(_) | Handler::Comment(_) if holds => self.state.wait(number),
                Handler::Text(_) | Handler::Comment(_) => {}
            }
        }
        if self.state.changes.are_some {
            let mut changes = std::mem::take(&mut self.state.changes);
            self.write(tag, holds, &mut changes);
            changes.clear();
            self.state.changes = changes;
        }
    }

    /// Writes a start tag and what was put around it, and notes what is to be done at the element's end.
    fn write(&mut self, tag: &Tag<'_>, holds: bool, changes: &mut Changes<'h>) {
        let Span { start, end } = tag.span();
        if self.state.is_inserted && changes.changes_page() {
            return self.refuse(tag.span());
        }
        self.copy(start);
        self.put(&changes.before);
        match changes.left {
            Left::Nothing => {
                self.put(&changes.replacement);
                self.leave_out(end);
            }
            Left::Contents => self.leave_out(end),
            Left::All if changes.attributes.is_empty() && changes.name.is_none() => self.copy(end),
            Left::All => {
                let text = tag_edits::edited(tag, self.slice(start, end), changes);
                self.put(&text);
                self.leave_out(end);
            }
        }
        let is_gone = changes.left == Left::Nothing;
        if !holds {
            self.put(&changes.after);
            return;
        }
        if !is_gone {
            self.put(&changes.prepended);
            self.put(changes.inner.as_deref().unwrap_or_default());
        }
        let element = self.state.open.len() - 1;
        if is_gone || changes.inner.is_some() {
            self.state.hidden = Some(element);
        }
        let appended = std::mem::take(&mut changes.appended);
        let at_end = AtEnd {
            element,
            tag_name: tag.name().to_owned(),
            appended: if is_gone { String::new() } else { appended },
            after: std::mem::take(&mut changes.after),
            name: changes.name.take(),
            is_removed: changes.left != Left::All,
            on_end: std::mem::take(&mut changes.on_end),
        };
        self.state.at_end.push(at_end);
    }

    /// A token is here, before which the text is complete; `is_inserted` says whether the page has a reference there.
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

    /// The text is complete.
    #[inline]
    fn end_text(&mut self, at: usize) {
        if self.state.text_start.is_some() {
            self.give_text(at);
        }
    }

    /// A change of what the page has only a reference to.
    #[cold]
    fn refuse(&mut self, span: Span) {
        self.state.fail(RewriteError::Inserted { span });
    }

    fn give_text(&mut self, at: usize) {
        let start = self.state.text_start.take().unwrap_or(at);
        let is_inserted = std::mem::take(&mut self.state.text_is_inserted);
        let text = std::mem::take(&mut self.state.text);
        let is_literal = self.state.open.last().is_some_and(|open| open.is_literal);
        let span = Span::new(start, at);
        let mut piece = Text { text: &text, span, is_literal, changes: Replaced::default() };
        for number in 0..self.state.handlers.len() {
            if self.state.active[number] > 0
                && let Handler::Text(handler) = &mut self.state.handlers[number]
            {
                let outcome = handler(&mut piece);
                self.state.heed(outcome);
            }
        }
        let changes = std::mem::take(&mut piece.changes);
        if is_inserted && !changes.is_nothing() {
            self.refuse(span);
        } else {
            self.replace(span, &changes);
        }
        self.state.text = text;
        self.state.text.clear();
    }

    fn replace(&mut self, span: Span, changes: &Replaced) {
        if changes.is_nothing() {
            return;
        }
        self.copy(span.start);
        self.put(&changes.before);
        match &changes.by {
            Some(by) => {
                self.put(by);
                self.leave_out(span.end);
            }
            None => self.copy(span.end),
        }
        self.put(&changes.after);
    }

    fn control(&self) -> Control<D::State> {
        if self.state.failed.is_some() { Control::Pause } else { Control::Continue }
    }
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
        !self.state.asks_for_text
    }

    #[inline]
    fn text(&mut self, text: tabulex_core::Text<'_>) -> Control<D::State> {
        if self.state.text_handlers > 0 && self.state.hidden.is_none() {
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
        let (name, own) = (tag.name(), D::ELEMENTS.own());
        let is_likely = self.state.likely & likely(name) != 0;
        let (namespace, is_point) = self.place(&tag, is_likely);
        let is_own_html = D::ELEMENTS == Elements::Html && namespace == own;
        let holds = if is_own_html {
            !(is_likely && D::SERIALIZATION.void.contains(&name))
        } else {
            !tag.self_closing()
        };
        let start = Start { tag: &tag, namespace };
        let state = &mut *self.state;
        let matched = state.descent.open(&start, holds);
        let is_matched = !matched.is_empty() && state.hidden.is_none();
        let is_literal = is_likely && namespace == own && is_literal::<D>(name, state);
        if holds {
            state.open.push(name, namespace, is_point, is_literal);
        }
        if is_matched {
            self.call(&tag, namespace, holds, is_literal);
            if self.state.failed.is_some() {
                return Control::Pause;
            }
        }
        if is_likely && namespace == own {
            return control_after::<D>(name, &self.state.scripting);
        }
        Control::Continue
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<D::State> {
        self.token(tag.span(), tag.is_inserted());
        let (start, own) = (tag.span().start, D::ELEMENTS.own());
        let is_foreign =
            self.state.open.last().is_some_and(|open| open.namespace != own && !open.is_point);
        if is_foreign
            && D::ELEMENTS == Elements::Html
            && self.state.foreign.inside::<D>().leaves_at_end(tag.name())
        {
            self.leave_foreign(start);
        }
        if let Some(index) = self.state.open.find(tag.name()) {
            while self.state.open.len() > index + 1 {
                self.close(start, None);
            }
            self.close(start, Some(Written { span: tag.span(), name: tag.name_span() }));
        }
        self.control()
    }

    fn comment(&mut self, comment: tabulex_core::Comment<'_>) -> Control<D::State> {
        self.token(comment.span, comment.is_inserted());
        if self.state.hidden.is_some() {
            return Control::Continue;
        }
        let tabulex_core::Comment { data, span, .. } = comment;
        let mut piece = Comment { data, span, changes: Replaced::default() };
        for number in 0..self.state.handlers.len() {
            if self.state.active[number] > 0
                && let Handler::Comment(handler) = &mut self.state.handlers[number]
            {
                let outcome = handler(&mut piece);
                self.state.heed(outcome);
            }
        }
        let changes = std::mem::take(&mut piece.changes);
        if self.state.is_inserted && !changes.is_nothing() {
            self.refuse(span);
        } else {
            self.replace(span, &changes);
        }
        self.control()
    }

    fn doctype(&mut self, doctype: tabulex_core::Doctype<'_>) -> Control<D::State> {
        let Span { start, end } = doctype.span();
        self.token(doctype.span(), doctype.is_inserted());
        if self.state.hidden.is_some() {
            return Control::Continue;
        }
        let mut seen = Doctype { doctype, is_removed: false };
        for handler in &mut self.doctypes.doctypes {
            let outcome = handler(&mut seen);
            self.state.heed(outcome);
        }
        if seen.is_removed && self.state.is_inserted {
            self.refuse(Span::new(start, end));
        } else if seen.is_removed {
            self.copy(start);
            self.leave_out(end);
        }
        self.control()
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control<D::State> {
        self.token(tag.span, tag.is_inserted());
        if self.state.open.len() > 0 {
            // A name would stand before its last byte.
            let name = Span::new(tag.span.end - 1, tag.span.end - 1);
            self.close(tag.span.start, Some(Written { span: tag.span, name }));
        }
        self.control()
    }

    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<D::State> {
        self.token(instruction.span, instruction.is_inserted());
        self.control()
    }

    fn end_of_file(&mut self, offset: usize) {
        self.token(Span::new(offset, offset), false);
        while self.state.open.len() > 0 {
            self.close(offset, None);
        }
    }

    fn flag(&mut self, _flag: D::HostFlag) -> u8 {
        let is_foreign = |open: &crate::open::Entry| open.namespace != D::ELEMENTS.own();
        let is_html = D::ELEMENTS == Elements::Html;
        u8::from(is_html && self.state.open.last().is_some_and(is_foreign))
    }
}
