//! The state of a rewriter between two tokens: handlers, open elements and changes at their ends. An element is opened and
//! closed here and in the selectors' descent at once.

use crate::content::{ContentContext, Contents};
use crate::element::{Changes, ContentKinds};
use crate::end_tag::{EndChanges, EndTag};
use crate::error::{Outcome, RewriteError};
use crate::foreign::Foreign;
use crate::implied::ImpliedEnds;
use crate::markup::Parser;
use crate::open::OpenElements;
use crate::output::Output;
use crate::pass::TAIL;
use crate::rules::{Handler, OnEnd, Rule, Rules};
use std::collections::HashMap;
use tabulex_core::__private::escape;
use tabulex_core::{Construction, Elements, Span};
use tabulex_edit::seam::{self, ContentKind};
use tabulex_select::descent::Descent;

/// Changes where an element ends.
#[derive(Default)]
pub(crate) struct AtEnd<'h> {
    /// The index of the element among those that are open, and its name.
    pub(crate) element: usize,
    pub(crate) tag_name: String,
    pub(crate) appended: Contents<'h>,
    pub(crate) after: Contents<'h>,
    pub(crate) name: Option<String>,
    pub(crate) is_removed: bool,
    /// Whether the text of the element is written literally.
    pub(crate) is_literal: bool,
    pub(crate) on_end: Vec<OnEnd<'h>>,
}

impl AtEnd<'_> {
    /// Approximate heap memory in bytes.
    fn memory_usage(&self) -> usize {
        // The size of what a closure has captured is unknown.
        let contents = self.appended.memory_usage() + self.after.memory_usage();
        self.tag_name.len() + contents + 128 + 64 * self.on_end.len()
    }
}

/// Treatment of a line end directly after a start tag that drops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineEnd {
    #[default]
    Stays,
    /// The next part begins the contents: another line end is written before its own, which would be dropped.
    Doubled,
    /// The source has been separated from the start tag: its line end would not be dropped.
    LeftOut,
    /// The CR of a line end has been left out, and its LF may follow.
    LeftOutLf,
}

/// A token that is passed on while it is read.
pub(crate) struct PassedToken {
    pub(crate) start: usize,
    /// Offset up to which it has been read.
    pub(crate) end: usize,
    /// Its text without most of the middle, which does not decide how the token ends.
    pub(crate) text: String,
}

impl PassedToken {
    /// Adds the part of the token that follows.
    pub(crate) fn extend(&mut self, part: &str) {
        self.end += part.len();
        self.text += part;
        let length = self.text.len();
        if length > 4 * TAIL {
            let end = self.text.ceil_char_boundary(length - TAIL);
            self.text.replace_range(self.text.floor_char_boundary(TAIL)..end, "x");
        }
    }
}

/// The state of a rewriter.
pub(crate) struct State<'h> {
    pub(crate) handlers: Vec<Handler<'h>>,
    /// The handler of each set of selectors of the descent.
    pub(crate) of_set: Vec<usize>,
    pub(crate) descent: Descent,
    pub(crate) foreign: &'static Foreign,
    /// Cache of whether tags with an attribute leave foreign content.
    pub(crate) leaving_tags: HashMap<String, bool>,
    pub(crate) open: OpenElements,
    /// In the order of the elements.
    pub(crate) at_end: Vec<AtEnd<'h>>,
    /// Heap memory of `at_end` in bytes.
    at_end_held: usize,
    /// Maximum number of elements open so far.
    pub(crate) max_depth: usize,
    pub(crate) parser: Parser,
    pub(crate) implied: ImpliedEnds,
    pub(crate) kinds: ContentKinds,
    /// The offset of the start tag that was last asked for elements that it ends, and the names of those whose end
    /// tags are not written, innermost first.
    pub(crate) implied_at: Option<usize>,
    pub(crate) implied_ends: Vec<String>,
    /// The names of elements that have just been closed without end tags, inside of the one that is closed next, innermost
    /// first.
    pub(crate) unclosed: Vec<String>,
    /// Whether the last end tag is that of an element whose contents go on after it.
    pub(crate) ends_open: bool,
    /// Whether the input has had no tag and no text but white space, so that a DOCTYPE sets the mode of the page.
    pub(crate) is_at_start: bool,
    /// Whether the end of the input was reached.
    pub(crate) is_at_end: bool,
    /// Whether the source is text whose element goes, so that it is written as markup: of an element in which everything is
    /// text, or one in which references are replaced.
    pub(crate) escapes: Option<ContentKind>,
    /// The offset of the last tag that left foreign content.
    pub(crate) left_at: Option<usize>,
    /// Held back end of the text before a change, whose meaning depends on what is written next.
    pub(crate) tail: String,
    /// The end of the last start tag after which a line end is dropped.
    pub(crate) dropping: Option<usize>,
    /// Whether the line end at that place is left out, or one is written that is dropped.
    pub(crate) line_end: LineEnd,
    /// The range of the last comment or DOCTYPE.
    pub(crate) last_declaration: Span,
    /// The unfinished comment or processing instruction that is passed on while it is read.
    pub(crate) passed: Option<PassedToken>,
    /// Where a token begins that the end of the input has left unfinished.
    pub(crate) unfinished: Option<usize>,
    /// Handlers that are active inside of open elements: the index of the element, and that of the handler.
    pub(crate) scoped_handlers: Vec<(usize, usize)>,
    /// Number of open elements in which each handler of texts or comments is active.
    pub(crate) active: Vec<u32>,
    pub(crate) active_text_handlers: usize,
    /// Whether there is any handler of texts, wherever it waits.
    pub(crate) has_text_handlers: bool,
    /// Whether comments stand outside of all open elements: the end tag of an element that stays open is the last that was
    /// read, except for white space and comments. Known only while contents are left out.
    pub(crate) is_outside: bool,
    /// The outermost open element whose contents are left out.
    pub(crate) hidden: Option<usize>,
    /// The changes that handlers requested of the last element.
    pub(crate) changes: Changes<'h>,
    /// The text for active handlers, and the offset at which it begins.
    pub(crate) text: String,
    pub(crate) text_start: Option<usize>,
    /// Where the last token has ended.
    pub(crate) done: usize,
    /// Whether any of the token that was read last, or of the text so far, stands in the text of an entity.
    pub(crate) is_inserted: bool,
    pub(crate) text_is_inserted: bool,
    /// Offset up to which the input has been written or skipped.
    pub(crate) copied: usize,
    pub(crate) output: Output,
    pub(crate) failed: Option<RewriteError>,
    /// The names of which something is to be known, as bits: void elements, those that switch the machine, whose text is
    /// literal, or that are foreign.
    pub(crate) special_name_bits: u64,
    pub(crate) scripting: [(&'static str, u8); 1],
    pub(crate) memory: usize,
}

/// A bit that few other names have.
#[inline]
pub(crate) fn name_bit(name: &str) -> u64 {
    let first = name.as_bytes().first().map_or(0, |byte| u32::from(*byte));
    1 << (first.wrapping_add(name.len() as u32 * 11) % 64)
}

impl<'h> State<'h> {
    pub(crate) fn new<D: Construction>(
        rules: Rules<'h>,
        output: Output,
    ) -> Result<Self, RewriteError> {
        let is_html = D::ELEMENTS == Elements::Html;
        let mut descent = Descent::new(is_html);
        let (mut handlers, mut of_set, mut active) = (Vec::new(), Vec::new(), Vec::new());
        let mut active_text_handlers = 0;
        let is_of_text = |rule: &Rule<'_>| matches!(rule.handler, Handler::Text(_));
        let has_text_handlers = rules.rules.iter().any(is_of_text);
        for (number, Rule { selector, handler }) in rules.rules.into_iter().enumerate() {
            match &selector {
                Some(selector) => {
                    descent.add(selector)?;
                    of_set.push(number);
                }
                None => active_text_handlers += usize::from(matches!(handler, Handler::Text(_))),
            }
            active.push(u32::from(selector.is_none()));
            handlers.push(handler);
        }
        let names = D::SERIALIZATION.void.iter().copied();
        let names = names.chain(D::SWITCHING_TAGS.iter().map(|tag| tag.name));
        let literal = [D::SERIALIZATION.raw_text, D::SERIALIZATION.raw_text_when_scripting];
        let names = names.chain(literal.into_iter().flatten().copied());
        let foreign = Foreign::of::<D>();
        let names = names.chain(foreign.beginning()).chain(foreign.dropping());
        Ok(Self {
            handlers,
            of_set,
            descent,
            foreign,
            leaving_tags: HashMap::new(),
            open: OpenElements::default(),
            at_end: Vec::new(),
            at_end_held: 0,
            max_depth: 0,
            parser: Parser::new::<D>(rules.scripting),
            implied: ImpliedEnds::default(),
            kinds: ContentKinds::new(),
            implied_at: None,
            implied_ends: Vec::new(),
            unclosed: Vec::new(),
            ends_open: false,
            is_at_start: true,
            is_at_end: false,
            escapes: None,
            left_at: None,
            tail: String::new(),
            dropping: None,
            line_end: LineEnd::Stays,
            last_declaration: Span::default(),
            passed: None,
            unfinished: None,
            scoped_handlers: Vec::new(),
            active,
            active_text_handlers,
            has_text_handlers,
            is_outside: false,
            hidden: None,
            changes: Changes::default(),
            text: String::new(),
            text_start: None,
            done: 0,
            is_inserted: false,
            text_is_inserted: false,
            copied: 0,
            output,
            failed: None,
            special_name_bits: names.map(name_bit).fold(0, |all, bit| all | bit),
            scripting: [("scripting", u8::from(rules.scripting))],
            memory: rules.memory,
        })
    }

    /// Fails if a handler returned an error.
    pub(crate) fn fail_on_error(&mut self, outcome: Outcome) {
        if let Err(error) = outcome {
            self.fail(RewriteError::of_handler(error));
        }
    }

    pub(crate) fn fail(&mut self, error: RewriteError) {
        self.failed.get_or_insert(error);
    }

    /// Activates a handler of texts or comments inside of the innermost element.
    pub(crate) fn activate(&mut self, handler: usize) {
        self.scoped_handlers.push((self.open.len() - 1, handler));
        self.active[handler] += 1;
        self.active_text_handlers +=
            usize::from(matches!(self.handlers[handler], Handler::Text(_)));
    }

    /// Closes the innermost element. The caller makes the changes at its end.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.open.pop();
        self.descent.close();
        if !self.scoped_handlers.is_empty() {
            self.deactivate(self.open.len());
        }
    }

    /// Deactivates the handlers that were active inside of an element.
    fn deactivate(&mut self, index: usize) {
        while let Some((_, handler)) = self.scoped_handlers.pop_if(|(element, _)| *element == index)
        {
            self.active[handler] -= 1;
            self.active_text_handlers -=
                usize::from(matches!(self.handlers[handler], Handler::Text(_)));
        }
    }

    /// Calls the handlers of an element's end, and returns their changes; what they insert is added to what is inserted there.
    pub(crate) fn call_at_end(&mut self, is_written: bool, at_end: &mut AtEnd<'h>) -> EndChanges {
        let name = &*at_end.tag_name;
        let mut changes = EndChanges {
            name: at_end.name.take(),
            is_removed: at_end.is_removed,
            ..EndChanges::default()
        };
        for handler in std::mem::take(&mut at_end.on_end) {
            let context = ContentContext { parser: self.parser, output: &self.output };
            let is_literal = at_end.is_literal;
            let outcome = handler(&mut EndTag {
                name,
                is_written,
                is_literal,
                context,
                changes: &mut changes,
            });
            self.fail_on_error(outcome);
        }
        at_end.appended.text += &changes.before;
        at_end.after.put_first(&changes.after);
        changes
    }

    /// Writes new text.
    pub(crate) fn put(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin_part(text, false);
            self.output.new_text(text);
        }
    }

    /// Writes a part of the source, which stands at this offset of the text.
    #[inline]
    pub(crate) fn source(&mut self, part: &str, at: usize) {
        match self.escapes {
            None => self.output.source(part, at),
            Some(ContentKind::Literal) => self.output.new_text(&escape(part, false)),
            Some(_) => self.output.new_text(&part.replace('<', "&lt;")),
        }
    }

    /// Writes the held back text, and returns the number of bytes to skip at the start of the part that follows.
    pub(crate) fn begin_part(&mut self, part: &str, is_source: bool) -> usize {
        if part.is_empty() || self.tail.is_empty() && self.line_end == LineEnd::Stays {
            return 0;
        }
        if is_source {
            // What is left out does not follow the text before it.
            match self.line_end {
                LineEnd::LeftOut | LineEnd::LeftOutLf if part.starts_with('\n') => {
                    self.line_end = LineEnd::Stays;
                    return 1;
                }
                LineEnd::LeftOut if part.starts_with('\r') => {
                    self.line_end = LineEnd::LeftOutLf;
                    return 1;
                }
                _ => {}
            }
        }
        self.flush_tail(part);
        let line_end = std::mem::take(&mut self.line_end);
        if line_end == LineEnd::Doubled && part.starts_with(['\n', '\r']) {
            self.output.new_text("\n");
        }
        0
    }

    /// The number of bytes at the end of a part of the source that are not written yet, as a change may follow there.
    pub(crate) fn held_back(&self, part: &str) -> usize {
        if self.handlers.is_empty() {
            return 0;
        }
        let literal = self.open.last().filter(|open| open.is_literal && !self.at_end.is_empty());
        let kept = match literal {
            Some(_) => part.floor_char_boundary(part.len().saturating_sub(TAIL)),
            None => seam::open_tail(part),
        };
        part.len() - kept
    }

    /// Writes the held back end of a text, escaped if it would be read otherwise before what follows.
    pub(crate) fn flush_tail(&mut self, next: &str) {
        if !self.tail.is_empty() {
            let tail = std::mem::take(&mut self.tail);
            let parser = self.parser;
            self.output.new_text(&seam::close_tail(&tail, next, &|markup| parser.parse(markup)));
        }
    }

    /// Notes that an element ends without an end tag, which is written if the ends around it change. The end tag of an element
    /// that is opened again in what follows would end it there as well.
    pub(crate) fn leave_unclosed(&mut self, index: usize) {
        let name = self.open.name(index);
        if self.is_at_end || !self.implied.is_reconstructed(&name, self.parser) {
            self.unclosed.push(name);
        }
    }

    /// Adds changes at the end of an element.
    pub(crate) fn push_at_end(&mut self, at_end: AtEnd<'h>) {
        self.at_end_held += at_end.memory_usage();
        self.at_end.push(at_end);
        self.check_memory(0);
    }

    /// Returns the index in `at_end` of the changes at the end of an element.
    pub(crate) fn at_end_index(&self, element: usize) -> Option<usize> {
        self.at_end.binary_search_by_key(&element, |at_end| at_end.element).ok()
    }

    /// Removes and returns the changes at the end of an element.
    pub(crate) fn take_at_end(&mut self, element: usize) -> Option<AtEnd<'h>> {
        let at_end = self.at_end.remove(self.at_end_index(element)?);
        self.at_end_held -= at_end.memory_usage();
        Some(at_end)
    }

    /// Fails if more than is allowed is held, with `more` bytes of the input.
    pub(crate) fn check_memory(&mut self, more: usize) {
        let held = self.open.memory_usage()
            + self.descent.memory_usage()
            + self.text.len()
            + self.output.memory_usage()
            + self.scoped_handlers.len() * 16
            + self.at_end_held
            + more;
        if held > self.memory {
            self.fail(RewriteError::Memory { limit: self.memory });
        }
    }
}
