//! The state of a rewriter between two tokens: handlers, open elements, and changes pending at their ends. Elements are
//! opened and closed at the same time in the stack and in the descent that matches selectors.

use crate::content::{ContentContext, Contents};
use crate::element::{Changes, ContentKinds};
use crate::end_tag::{EndChanges, EndTag};
use crate::error::{Outcome, RewriteError};
use crate::foreign::ForeignNames;
use crate::implied::{ImpliedEnds, TagQuestion};
use crate::markup::MarkupParser;
use crate::open::OpenElements;
use crate::output::{BUFFER_LEN, Output};
use crate::pass::TAIL_LEN;
use crate::rules::{Handler, OnEnd, Rule, Rules};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use tabulex_core::__private::escape;
use tabulex_core::{Construction, Elements, Span};
use tabulex_edit::seam::{self, ContentKind};
use tabulex_select::descent::Descent;

/// Maximum number of elements with changes that are searched for inserted content. Bounds the time per end tag.
const MAX_SEARCHED_ENDS: usize = 16;

/// Changes to apply where an element ends.
#[derive(Default)]
pub(crate) struct PendingEnd<'h> {
    /// The index of the element in the stack of open elements.
    pub(crate) element: usize,
    pub(crate) tag_name: String,
    pub(crate) appended: Contents<'h>,
    pub(crate) after: Contents<'h>,
    pub(crate) name: Option<String>,
    pub(crate) is_removed: bool,
    /// Whether the element's text is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether the element is in the dialect's namespace.
    pub(crate) is_own: bool,
    /// Whether the end tag has been skipped, as elements inside stay open after it. It is written where the last of them
    /// ends.
    pub(crate) is_tag_deferred: bool,
    pub(crate) on_end: Vec<OnEnd<'h>>,
}

impl PendingEnd<'_> {
    /// Returns the approximate heap memory in bytes.
    fn memory_usage(&self) -> usize {
        let contents_memory = self.appended.memory_usage() + self.after.memory_usage();
        // Each closure counts as 64 bytes, because the sizes of its captured variables are unknown.
        self.tag_name.len() + contents_memory + 128 + 64 * self.on_end.len()
    }
}

/// The treatment of a line end after a start tag that drops it, or that dropped it before a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineEndAction {
    #[default]
    Keep,
    /// Write an extra line end before contents that begin with one, because the start tag drops the first.
    Double,
    /// Skip the line end, because it no longer follows the start tag that drops it.
    Drop,
    /// The CR of a line end was skipped; skip an LF that follows.
    DropLf,
}

/// An end tag that the parser ignored and that is written after the end of the element that it names: before that, it
/// would make the parser ignore an inserted end tag.
pub(crate) struct DeferredEndTag {
    /// The index, in the stack of open elements, of the element that the tag names.
    pub(crate) element: usize,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A name whose start tags a parser ignores after an element of that name was closed by another tag.
pub(crate) struct IgnoredName {
    pub(crate) name: String,
    /// Whether start tags are skipped: an end tag was written for the element, after which a parser would not ignore them.
    pub(crate) is_skipped: bool,
}

/// An incomplete token that is copied to the output while it is read.
pub(crate) struct PartialToken {
    pub(crate) start: usize,
    /// Offset in the decoded input up to which the token has been read.
    pub(crate) end: usize,
    /// The text of the token; most of the middle is dropped, as it does not affect how the token ends.
    pub(crate) text: String,
}

impl PartialToken {
    /// Appends the next part of the token.
    pub(crate) fn extend(&mut self, part: &str) {
        self.end += part.len();
        self.text += part;
        let length = self.text.len();
        if length > 4 * TAIL_LEN {
            let end = self.text.ceil_char_boundary(length - TAIL_LEN);
            self.text.replace_range(self.text.floor_char_boundary(TAIL_LEN)..end, "x");
        }
    }
}

/// The state of a rewriter between two tokens.
pub(crate) struct State<'h> {
    pub(crate) handlers: Vec<Handler<'h>>,
    /// For each selector list in the descent, the index of its handler.
    pub(crate) handler_by_selector: Vec<usize>,
    pub(crate) descent: Descent,
    pub(crate) foreign: &'static ForeignNames,
    /// Cache of whether tags with attributes break out of foreign content.
    pub(crate) breakout_cache: HashMap<String, bool>,
    pub(crate) open: OpenElements,
    /// Changes pending at the ends of open elements, outermost first.
    pub(crate) pending_ends: Vec<PendingEnd<'h>>,
    /// Approximate heap memory of `pending_ends` in bytes.
    pending_ends_memory: usize,
    /// Maximum number of open elements so far.
    pub(crate) max_depth: usize,
    pub(crate) implied: ImpliedEnds,
    pub(crate) content_kinds: ContentKinds,
    /// Offset of the last start tag whose implied ends were applied; `None` before the first.
    pub(crate) implied_ends_offset: Option<usize>,
    /// Indices of the open elements that the tag at `implied_ends_offset` ended, outermost first.
    pub(crate) implied_end_indices: Vec<usize>,
    /// Names of the elements that the tag at `implied_ends_offset` ended without end tags, innermost first.
    pub(crate) implied_end_names: Vec<String>,
    /// Names of elements just closed without end tags inside the element that is closed next, innermost first.
    pub(crate) unclosed: Vec<String>,
    /// Names of elements without tags inside the element that is closed next, innermost first.
    pub(crate) untagged: Vec<String>,
    /// Whether the last end tag belongs to an element that a parser keeps open after it.
    pub(crate) end_tag_keeps_open: bool,
    /// The ignored end tag that is still to be written, if there is one.
    pub(crate) deferred_end_tag: Option<DeferredEndTag>,
    /// The start tags that a parser of the page ignores, because an element of their name was closed by another tag; `None`
    /// after an end tag of that name.
    pub(crate) ignored_name: Option<IgnoredName>,
    /// Whether only white space and comments have been read, so that a DOCTYPE sets the mode of the page.
    pub(crate) is_at_start: bool,
    /// Whether the end of the input has been reached.
    pub(crate) is_at_end: bool,
    /// How the text of an element whose tags are removed was parsed, so that it is escaped while it is copied; `None`
    /// elsewhere.
    pub(crate) escape_as: Option<ContentKind>,
    /// The offset of the last tag that broke out of foreign content, if there was one.
    pub(crate) foreign_exit_offset: Option<usize>,
    /// The end of the text before a change, held back because the next output decides how it is parsed.
    pub(crate) tail: String,
    /// Byte offset of `tail` in the decoded input.
    pub(crate) tail_start: usize,
    /// End offset of the last start tag that drops a line end, if there was one.
    pub(crate) line_end_drop_offset: Option<usize>,
    /// The treatment of a line end at the start of the next part.
    pub(crate) line_end: LineEndAction,
    /// The byte range of the last comment or DOCTYPE.
    pub(crate) last_declaration: Span,
    /// The incomplete comment or processing instruction that is copied while it is read, if there is one.
    pub(crate) partial: Option<PartialToken>,
    /// Start offset of the token that the end of the input cut off, if there is one.
    pub(crate) unfinished: Option<usize>,
    /// At the end of the input, what ends the text in which it ends; empty if tags are recognized there, and `None` if
    /// nothing ends it.
    pub(crate) text_end: Option<String>,
    /// Handlers active inside open elements, as pairs of element index and handler index.
    pub(crate) scoped_handlers: Vec<(usize, usize)>,
    /// For each handler, the number of open elements inside which it is active; 1 for a handler of the whole page.
    pub(crate) active_counts: Vec<u32>,
    pub(crate) active_text_handlers: usize,
    /// Whether any rule has a text handler.
    pub(crate) has_text_handlers: bool,
    /// Whether comments are placed outside all open elements, because only white space and comments followed the end
    /// tag of one that stays open. Set only by end tags inside elements whose contents are removed, or by theirs.
    pub(crate) is_outside: bool,
    /// Markup of the end tag that set `is_outside`; empty once it is written.
    pub(crate) outside_tag: String,
    /// Index of the outermost open element whose contents are removed, if there is one.
    pub(crate) hidden_element: Option<usize>,
    /// The changes that handlers requested for the current element; `None` before the first handler is called.
    pub(crate) changes: Option<Box<Changes<'h>>>,
    /// Buffered text for active handlers; begins at `text_start`.
    pub(crate) text: String,
    pub(crate) text_start: Option<usize>,
    /// End offset of the last token.
    pub(crate) token_end: usize,
    /// Whether the last token comes, even in part, from an entity's replacement text.
    pub(crate) is_inserted: bool,
    /// Whether the buffered text comes, even in part, from an entity's replacement text.
    pub(crate) text_is_inserted: bool,
    /// Offset up to which the input has been written or skipped.
    pub(crate) copied_to: usize,
    pub(crate) output: Output,
    pub(crate) failed: Option<RewriteError>,
    pub(crate) is_scripting: bool,
    pub(crate) memory: usize,
}

/// Returns the index of an element's changes in a list sorted by element, or `None` if there are none.
pub(crate) fn find_pending(pending_ends: &[PendingEnd<'_>], element: usize) -> Option<usize> {
    pending_ends.binary_search_by_key(&element, |pending_end| pending_end.element).ok()
}

/// Returns the new name of an element, which is empty if its tags are removed, or `None` if the name does not change.
pub(crate) fn new_name<'p>(pending_ends: &'p [PendingEnd<'_>], element: usize) -> Option<&'p str> {
    let pending_end = &pending_ends[find_pending(pending_ends, element)?];
    if pending_end.is_removed { Some("") } else { pending_end.name.as_deref() }
}

impl<'h> State<'h> {
    pub(crate) fn new<D: Construction>(rules: &mut Rules<'h>) -> Result<Self, RewriteError> {
        let is_html = D::ELEMENTS == Elements::Html;
        let mut descent = Descent::new(is_html);
        let (mut handlers, mut handler_by_selector, mut active_counts) =
            (Vec::new(), Vec::new(), Vec::new());
        let mut active_text_handlers = 0;
        let is_text_rule = |rule: &Rule<'_>| matches!(rule.handler, Handler::Text(_));
        let has_text_handlers = rules.rules.iter().any(is_text_rule);
        let all_rules = std::mem::take(&mut rules.rules);
        for (number, Rule { selector, handler }) in all_rules.into_iter().enumerate() {
            match &selector {
                Some(selector) => {
                    descent.add(selector)?;
                    handler_by_selector.push(number);
                }
                None => active_text_handlers += usize::from(matches!(handler, Handler::Text(_))),
            }
            active_counts.push(u32::from(selector.is_none()));
            handlers.push(handler);
        }
        let foreign = ForeignNames::of::<D>();
        Ok(Self {
            handlers,
            handler_by_selector,
            descent,
            foreign,
            breakout_cache: HashMap::new(),
            open: OpenElements::default(),
            pending_ends: Vec::new(),
            pending_ends_memory: 0,
            max_depth: 0,
            implied: ImpliedEnds::new(MarkupParser::new::<D>(rules.scripting)),
            content_kinds: ContentKinds::new(),
            implied_ends_offset: None,
            implied_end_indices: Vec::new(),
            implied_end_names: Vec::new(),
            unclosed: Vec::new(),
            untagged: Vec::new(),
            end_tag_keeps_open: false,
            deferred_end_tag: None,
            ignored_name: None,
            is_at_start: true,
            is_at_end: false,
            escape_as: None,
            foreign_exit_offset: None,
            tail: String::new(),
            tail_start: 0,
            line_end_drop_offset: None,
            line_end: LineEndAction::Keep,
            last_declaration: Span::default(),
            partial: None,
            unfinished: None,
            text_end: Some(String::new()),
            scoped_handlers: Vec::new(),
            active_counts,
            active_text_handlers,
            has_text_handlers,
            is_outside: false,
            outside_tag: String::new(),
            hidden_element: None,
            changes: None,
            text: String::new(),
            text_start: None,
            token_end: 0,
            is_inserted: false,
            text_is_inserted: false,
            copied_to: 0,
            output: Output::new(),
            failed: None,
            is_scripting: rules.scripting,
            memory: rules.memory,
        })
    }

    /// Records the error if a handler failed.
    pub(crate) fn fail_on_error(&mut self, outcome: Outcome) {
        if let Err(error) = outcome {
            self.fail(RewriteError::of_handler(error));
        }
    }

    pub(crate) fn fail(&mut self, error: RewriteError) {
        self.failed.get_or_insert(error);
    }

    /// Marks the elements that the start tag of a new path may have ended. Removes unused paths if there are many, and checks
    /// the memory then or if the last element is the deepest so far. Returns `None` after an error.
    #[cold]
    pub(crate) fn record_new_path(&mut self) -> Option<()> {
        self.open.has_new_path = false;
        self.implied.mark_around_last_path(&mut self.open);
        let is_deepest = self.open.len() > self.max_depth;
        self.max_depth = self.max_depth.max(self.open.len());
        let has_many_paths = self.open.has_many_paths();
        if has_many_paths {
            let Self { implied, open, .. } = self;
            implied.mark_ended(open, open.len() - 1);
            open.remove_unused_paths();
        }
        if is_deepest || has_many_paths {
            self.check_memory(0);
        }
        self.failed.is_none().then_some(())
    }

    /// Activates a handler for the contents of the innermost element.
    pub(crate) fn activate(&mut self, handler: usize) {
        self.scoped_handlers.push((self.open.len() - 1, handler));
        self.active_counts[handler] += 1;
        self.active_text_handlers +=
            usize::from(matches!(self.handlers[handler], Handler::Text(_)));
    }

    /// Closes the innermost element. The caller applies the changes at its end.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        self.descent.close();
        if !self.scoped_handlers.is_empty() {
            self.deactivate(self.open.len() - 1);
        }
        self.open.pop();
    }

    /// Deactivates the handlers that are active inside the element at `index`.
    fn deactivate(&mut self, index: usize) {
        while let Some((_, handler)) = self.scoped_handlers.pop_if(|(element, _)| *element == index)
        {
            self.active_counts[handler] -= 1;
            self.active_text_handlers -=
                usize::from(matches!(self.handlers[handler], Handler::Text(_)));
        }
    }

    /// Calls the handlers of an element's end, returns their changes, and merges inserted content into `pending_end`.
    pub(crate) fn call_end_handlers(
        &mut self,
        is_written: bool,
        pending_end: &mut PendingEnd<'h>,
    ) -> EndChanges {
        let name = &*pending_end.tag_name;
        let mut changes = EndChanges {
            name: pending_end.name.take(),
            is_removed: pending_end.is_removed,
            ..EndChanges::default()
        };
        for handler in std::mem::take(&mut pending_end.on_end) {
            let context = ContentContext { parser: self.implied.parser, output: &self.output };
            let is_literal = pending_end.is_literal;
            let outcome = handler(&mut EndTag {
                name,
                is_written,
                is_literal,
                context,
                changes: &mut changes,
            });
            self.fail_on_error(outcome);
        }
        pending_end.appended.text += &changes.before;
        pending_end.after.prepend_text(&changes.after);
        changes
    }

    /// Writes the held-back text, then the new text.
    pub(crate) fn write_new(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin_part(text, false);
            self.output.write_new(text);
        }
    }

    /// Writes the part of the source that begins at `copied_to`, and moves that offset to its end.
    pub(crate) fn copy_source(&mut self, mut part: &str, writer: &mut dyn io::Write) {
        while !part.is_empty() {
            let mut done_len = self.begin_part(part, true);
            if done_len == 0 {
                self.write_source(part, self.copied_to, writer);
                done_len = part.len();
            }
            self.copied_to += done_len;
            part = &part[done_len..];
        }
    }

    /// Writes a part of the source, which begins at byte `offset` of the decoded input.
    #[inline]
    fn write_source(&mut self, part: &str, offset: usize, writer: &mut dyn io::Write) {
        let mut outcome = Ok(());
        match self.escape_as {
            // A long part is written directly, which saves copying it to the buffer.
            None if part.len() >= BUFFER_LEN && self.output.writes_text_bytes() => {
                outcome = self.output.flush_to(writer);
                outcome = outcome.and_then(|()| writer.write_all(part.as_bytes()));
            }
            None => self.output.write_source(part, offset),
            Some(ContentKind::Literal) => self.output.write_new(&escape(part, false)),
            Some(_) => self.output.write_new(&part.replace('<', "&lt;")),
        }
        if self.output.bytes.len() >= BUFFER_LEN {
            outcome = self.output.flush_to(writer);
        }
        if let Err(error) = outcome {
            self.fail(error.into());
        }
    }

    /// Returns the number of bytes to skip at the start of the next part; if it is 0, the held-back text has been
    /// written.
    fn begin_part(&mut self, part: &str, is_source: bool) -> usize {
        if part.is_empty() || self.tail.is_empty() && self.line_end == LineEndAction::Keep {
            return 0;
        }
        if is_source {
            // A line end that is skipped must not affect the text that is held back, so that text is not written yet.
            match self.line_end {
                LineEndAction::Drop | LineEndAction::DropLf if part.starts_with('\n') => {
                    self.line_end = LineEndAction::Keep;
                    return 1;
                }
                LineEndAction::Drop if part.starts_with('\r') => {
                    self.line_end = LineEndAction::DropLf;
                    return 1;
                }
                _ => {}
            }
        }
        self.flush_tail(part);
        let line_end = std::mem::take(&mut self.line_end);
        if line_end == LineEndAction::Double && part.starts_with(['\n', '\r']) {
            self.output.write_new("\n");
        }
        0
    }

    /// Returns the number of bytes at the end of a part of the source that must not be written yet, as a change after
    /// them could alter their parsing.
    pub(crate) fn undecided_tail_len(&self, part: &str) -> usize {
        if self.handlers.is_empty() {
            return 0;
        }
        let literal_element =
            self.open.last().filter(|open| open.is_literal && !self.pending_ends.is_empty());
        let settled_len = match literal_element {
            Some(_) => part.floor_char_boundary(part.len().saturating_sub(TAIL_LEN)),
            None => seam::undecided_tail(part),
        };
        part.len() - settled_len
    }

    /// Writes the held-back text, escaped if `next` would alter its parsing.
    pub(crate) fn flush_tail(&mut self, next: &str) {
        if !self.tail.is_empty() {
            let tail = std::mem::take(&mut self.tail);
            let parser = self.implied.parser;
            match seam::escape_tail(&tail, next, &|markup| parser.parse(markup)) {
                Cow::Borrowed(tail) => self.output.write_source(tail, self.tail_start),
                Cow::Owned(escaped) => self.output.write_new(&escaped),
            }
        }
    }

    /// Records that an element ended without an end tag, which is added if enclosing end tags change. An element that
    /// is reconstructed later is recorded only at the end of the input, as elsewhere the end tag would close the
    /// reconstructed one too.
    pub(crate) fn push_unclosed(&mut self, index: usize) {
        let name = self.open.name(index);
        if self.is_at_end || !self.implied.ask_about(TagQuestion::IS_RECONSTRUCTED, name) {
            self.unclosed.push(name.to_owned());
        }
    }

    /// Adds changes to apply at the end of an element.
    pub(crate) fn push_pending_end(&mut self, pending_end: PendingEnd<'h>) {
        self.pending_ends_memory += pending_end.memory_usage();
        self.pending_ends.push(pending_end);
        self.check_memory(0);
    }

    /// Returns the index in `pending_ends` of the changes at the end of an element, or `None` if there are none.
    pub(crate) fn pending_end_index(&self, element: usize) -> Option<usize> {
        find_pending(&self.pending_ends, element)
    }

    /// Whether content is inserted after the element at index `element`, or at or after the end of an element around it.
    /// Only the outermost [`MAX_SEARCHED_ENDS`] elements with changes are considered.
    pub(crate) fn inserts_after(&self, element: usize) -> bool {
        let mut outermost = self.pending_ends.iter().take(MAX_SEARCHED_ENDS);
        outermost.any(|it| {
            it.element <= element && !it.after.is_empty()
                || it.element < element && !it.appended.is_empty()
        })
    }

    /// Whether the end tag `name`, which ends no element, makes the parser ignore the next one too.
    pub(crate) fn spends_end_tag(&mut self, name: &str) -> bool {
        let Self { implied, open, .. } = self;
        let tag = implied.parser.tag(name, true);
        implied.ask(TagQuestion::SPENDS_NEXT, open, open.len(), &tag)
    }

    /// Removes and returns the changes at the end of an element, or returns `None` if there are none.
    pub(crate) fn remove_pending_end(&mut self, element: usize) -> Option<PendingEnd<'h>> {
        let pending_end = self.pending_ends.remove(self.pending_end_index(element)?);
        self.pending_ends_memory -= pending_end.memory_usage();
        Some(pending_end)
    }

    /// Records an error if the memory in use plus `more` bytes of input exceeds the limit.
    pub(crate) fn check_memory(&mut self, more: usize) {
        let used = self.open.memory_usage()
            + self.descent.memory_usage()
            + self.text.len()
            + self.output.memory_usage()
            + self.scoped_handlers.len() * 16
            + self.pending_ends_memory
            + more;
        if used > self.memory {
            self.fail(RewriteError::Memory { limit: self.memory });
        }
    }
}
