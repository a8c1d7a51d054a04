//! The tree builder: its state, and how a token passes through the rows. The primitives that rows call are in the other
//! modules.

use super::elements::Bindings;
use super::formatting::{FormattingList, RecordedAttributes};
use super::fragment::Context;
use super::insert::PendingCharacters;
use super::limits::{FlattenedParent, LimitState};
use super::open::OpenElements;
use super::parser::Scripts;
use super::patch::Patch;
use super::{Adjustments, Construction, Elements, NodeValue, Options, TokenView};
use crate::encoding::Encoding;
use crate::error::{BoundedErrors, ParseError};
use crate::sink::Control;
use crate::span::Span;
use crate::token::{Tag, Text};
use crate::tree::{DocumentMode, LocalName, Name, TreeSink};
use std::collections::HashSet;

/// Maximum number of flags that a table may declare for tree construction.
pub(super) const MAX_FLAGS: usize = 16;

/// Word with which a row reports to the host an element that may declare the encoding.
const ENCODING_DECLARATION: &str = "encoding-declaration";

/// Word with which a row reports a complete script.
const SCRIPT: &str = "script";

/// The state of tree construction: stack of open elements, list of active formatting elements, pointers, flags, limits.
/// Generated code accesses the public fields.
#[derive(Debug)]
pub struct Builder<C: Construction, S: TreeSink> {
    pub(super) sink: S,
    /// The document node.
    pub document: S::Node,
    /// The insertion mode.
    pub mode: C::Mode,
    /// The original insertion mode.
    pub original_mode: C::Mode,
    /// The stack of template insertion modes.
    pub template_modes: Vec<C::Mode>,
    pub(super) open: OpenElements<S::Node>,
    pub(super) formatting: FormattingList<S::Node>,
    /// The elements that the table's pointers point to, by the pointers' indices; `None` for an unset pointer.
    pub pointers: Vec<Option<NodeValue<S::Node>>>,
    /// The values of the table's flags, by the flags' indices.
    pub tree_flags: [u8; MAX_FLAGS],
    /// The document's mode; [`set_document_mode`](Self::set_document_mode) sets it.
    pub document_mode: DocumentMode,
    /// Whether foster parenting is enabled.
    pub is_fostering: bool,
    pub(super) pending: PendingCharacters,
    /// Whether a line feed at the start of the next token is ignored.
    pub ignores_line_feed: bool,
    pub(super) context: Option<Context>,
    /// The root element of the fragment that is parsed; `None` for a document.
    pub(super) fragment_root: Option<S::Node>,
    pub(super) bindings: Bindings,
    /// Text since the last token of another kind, buffered if rows take whole texts.
    pub(super) text: String,
    text_span: Span,
    /// Whether the buffered text occurs byte for byte in the input.
    is_text_verbatim: bool,
    /// Text that becomes a child of the document, buffered until its end can be trimmed.
    pub(super) document_text: String,
    pub(super) document_text_span: Span,
    /// Number of children of the document.
    pub(super) document_child_count: usize,
    /// Whether the document's only child is an element.
    pub(super) has_single_element: bool,
    /// Whether the document has an element as a child.
    pub document_has_element: bool,
    /// Whether the document has a DOCTYPE as a child.
    pub document_has_doctype: bool,
    pub(super) errors: Option<BoundedErrors>,
    /// Codes and ranges of the errors so far, recorded if the table inserts replacement texts: errors in these texts
    /// have the range of the reference, at which each code is reported only once.
    pub(super) reported_errors: HashSet<(&'static str, Span)>,
    pub(super) has_stopped: bool,
    /// The element that the current token popped last.
    pub(super) last_popped: Option<S::Node>,
    /// The element that the adoption agency algorithm handled last, if it is neither on the stack nor in the list any
    /// more, so that nothing needs to search for it there.
    pub(super) released_element: Option<S::Node>,
    /// Whether an element that mirrors the selected option was created.
    pub(super) has_mirrors: bool,
    /// The name of the current tag, which a row may have replaced.
    pub token_name: LocalName,
    /// Whether the current end tag has closed an element.
    pub(super) has_closed_element: bool,
    /// Whether a row acknowledged the self-closing flag of the current tag.
    pub is_acknowledged: bool,
    /// Tables that rename the attributes of the current token.
    pub(super) adjustments: Vec<Adjustments>,
    /// Buffer for the names of the current token's attributes after renaming, kept between tokens for its capacity.
    pub(super) adjusted_names: Vec<Name>,
    /// Buffer for the names of the current token's attributes, `None` for dropped ones; kept between tokens for its
    /// capacity.
    pub(super) attribute_names: Vec<Option<Name>>,
    /// Feedback to the tokenizer, applied after the current tag.
    feedback: Control,
    /// Whether rows may have deferred work until after the tag.
    pub(super) has_deferred_work: bool,
    /// Whether a row requested that the token be reprocessed. A field and not the rows' return value, so that rows can
    /// end with a tail call.
    needs_reprocessing: bool,
    /// Whether the document may still declare the encoding of its bytes.
    pub(super) watches_encoding: bool,
    /// The encoding that the document declares, until it is applied.
    pub(super) declared_encoding: Option<Encoding>,
    pub(super) patches: Vec<Patch<S::Node>>,
    pub(super) limits: LimitState,
    /// Open nodes that must not get more children, because an element that would be too deep inside them was inserted
    /// after them.
    pub(super) flattened_nodes: Vec<FlattenedParent<S::Node>>,
    /// A node of known depth, so that the depth of nodes below it is found without walking up to the document.
    pub(super) landmark: Option<(S::Node, usize)>,
    /// Values of the flags that the host sets, by name.
    host_flags: Vec<(&'static str, u8)>,
    /// Number of rows applied, and of iterations of the builder's own loops.
    pub steps: u64,
    /// Attributes of formatting elements, recorded if the sink cannot compare and copy the elements as they were
    /// created, or scripts may change them.
    pub(super) recorded_attributes: RecordedAttributes<S::Node>,
    pub(super) scripts: Scripts<S::Node>,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates a builder that fills `sink`, and sets the node limit of the tree that the sink fills, if it fills one.
    /// Uses the empty stack `open` and the unset `pointers`.
    pub(super) fn new(
        mut sink: S,
        options: &Options,
        open: OpenElements<S::Node>,
        pointers: Vec<Option<NodeValue<S::Node>>>,
    ) -> Self {
        let is_seeded = sink.names().seed(C::KNOWN);
        debug_assert!(
            is_seeded,
            "the sink already has names; the names of the table must be interned first"
        );
        let limits = &options.limits;
        let mut builder = Self {
            document: sink.document(),
            sink,
            mode: C::FIRST_MODE,
            original_mode: C::FIRST_MODE,
            template_modes: Vec::new(),
            open,
            formatting: FormattingList::new(),
            pointers,
            tree_flags: [0; MAX_FLAGS],
            document_mode: DocumentMode::NoQuirks,
            is_fostering: false,
            pending: PendingCharacters::default(),
            ignores_line_feed: false,
            context: None,
            fragment_root: None,
            bindings: Bindings::default(),
            text: String::new(),
            text_span: Span::default(),
            is_text_verbatim: false,
            document_text: String::new(),
            document_text_span: Span::default(),
            document_child_count: 0,
            has_single_element: false,
            document_has_element: false,
            document_has_doctype: false,
            errors: options.collects_errors.then(|| BoundedErrors::new(limits)),
            reported_errors: HashSet::new(),
            has_stopped: false,
            last_popped: None,
            released_element: None,
            has_mirrors: false,
            token_name: LocalName::known(u32::MAX),
            has_closed_element: false,
            is_acknowledged: false,
            adjustments: Vec::new(),
            adjusted_names: Vec::new(),
            attribute_names: Vec::new(),
            feedback: Control::Continue,
            has_deferred_work: false,
            needs_reprocessing: false,
            watches_encoding: false,
            declared_encoding: None,
            patches: Vec::new(),
            flattened_nodes: Vec::new(),
            limits: LimitState::new(limits),
            landmark: None,
            host_flags: options.flags.clone(),
            steps: 0,
            recorded_attributes: RecordedAttributes::default(),
            scripts: Scripts::default(),
        };
        for &(name, index) in C::HOST_FLAGS {
            builder.tree_flags[index] = builder.host_flag(name);
        }
        if let Some(tree) = builder.sink.filled_tree_mut() {
            tree.limit_nodes(limits.nodes);
        }
        builder
    }

    /// Returns the index of the value of a host flag; 0 if the host has not set it.
    pub(super) fn host_flag(&self, name: &str) -> u8 {
        self.host_flags.iter().find(|(flag, _)| *flag == name).map_or(0, |&(_, value)| value)
    }

    /// Returns the value of a host flag for the tokenizer: the one that tree construction determines, or else the
    /// host's.
    pub(super) fn flag_value(&mut self, name: &str) -> u8 {
        C::flag_value(self, name).unwrap_or_else(|| self.host_flag(name))
    }

    /// Whether errors are collected.
    pub fn collects_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Records an error. Errors in a replacement text have the range of the reference, at which each code is recorded
    /// only once.
    pub(super) fn report(&mut self, error: ParseError) {
        if let Some(errors) = &mut self.errors {
            if C::INSERTS && !self.reported_errors.insert((error.code, error.span)) {
                return;
            }
            errors.push(error);
        }
    }

    /// Returns the number of steps so far: rows applied, and iterations of loops in the builder and the sink.
    pub fn steps(&self) -> u64 {
        let tree_steps = self.sink.filled_tree().map_or(0, |tree| tree.steps);
        self.steps + self.open.steps + self.formatting.steps + tree_steps
    }

    /// Runs the rows for a tag; returns the feedback to the tokenizer.
    #[inline(never)]
    pub(super) fn process_tag(&mut self, tag: &Tag<'_>, is_end: bool) -> Control {
        self.flush_text();
        self.ignores_line_feed = false;
        let local = tag.local_name(self.sink.names());
        self.token_name = local;
        self.limits.last_tag_offset = tag.span().start;
        (self.has_closed_element, self.is_acknowledged) = (false, is_end);
        let token =
            if is_end { TokenView::EndTag(tag, local) } else { TokenView::StartTag(tag, local) };
        self.apply_rules(&token, |builder, mode| C::tag_rules(mode, is_end, builder, &token));
        if self.has_deferred_work {
            return self.run_deferred(&token, tag);
        }
        if tag.self_closing() {
            self.check_acknowledgment(tag.span());
        }
        Control::Continue
    }

    /// Does the work that rows deferred until after the tag. Out of line, so that the path of most tags stays small.
    #[cold]
    #[inline(never)]
    fn run_deferred(&mut self, token: &TokenView<'_>, tag: &Tag<'_>) -> Control {
        if self.take_reprocess_request() {
            self.apply_rules_again(token);
        }
        if tag.self_closing() {
            self.check_acknowledgment(tag.span());
        }
        self.take_feedback()
    }

    /// Returns and clears the feedback that a row has set, and clears the other deferred work.
    pub(super) fn take_feedback(&mut self) -> Control {
        self.has_deferred_work = false;
        self.adjustments.clear();
        std::mem::replace(&mut self.feedback, Control::Continue)
    }

    /// Reports an error if no row acknowledged the tag's self-closing flag and the table has a code for that.
    #[cold]
    #[inline(never)]
    fn check_acknowledgment(&mut self, span: Span) {
        if let Some(code) = C::UNACKNOWLEDGED
            && !self.is_acknowledged
            && !self.has_stopped
        {
            self.report(ParseError::of(code, span));
        }
    }

    /// Runs the rows for a token that is neither a tag nor text.
    pub(super) fn process_token(&mut self, token: &TokenView<'_>) {
        self.flush_text();
        self.ignores_line_feed = false;
        self.apply_rules(token, |builder, mode| C::rules(mode, builder, token));
        if self.take_reprocess_request() {
            self.apply_rules_again(token);
        }
    }

    /// Runs the rows for a piece of text. With `runs_have_no_stops`, text that was passed in bulk has no byte of
    /// [`Construction::RUN_STOPS`].
    #[inline(always)]
    pub(super) fn process_characters(&mut self, text: Text<'_>, runs_have_no_stops: bool) {
        if C::TAKES_TEXTS {
            self.buffer_text(text);
        } else if runs_have_no_stops && text.is_bulk {
            self.process_run_without_stops(text.is_verbatim, text.text, text.span);
        } else {
            self.process_unscanned_text(text);
        }
    }

    /// Inserts a run of text without stop bytes, or runs the rows for it. The run is passed as separate arguments,
    /// which stay in registers, and forwarded by tail call, so that none of them is spilled. Together with the
    /// blockwise search for line ends, this saves 3 % of the instructions for HTML trees, and 6 % for XML trees.
    #[inline(never)]
    fn process_run_without_stops(&mut self, is_verbatim: bool, text: &str, span: Span) {
        if !self.insert_plain_run(Text::piece(text, span, is_verbatim, true)) {
            self.process_run_slow(is_verbatim, text, span);
        }
    }

    /// Runs the rows of the mode for a run without stop bytes. Out of line, so that `process_run_without_stops` ends
    /// with a tail call.
    #[inline(never)]
    fn process_run_slow(&mut self, is_verbatim: bool, text: &str, span: Span) {
        self.process_text(Text::piece(text, span, is_verbatim, true));
    }

    /// Runs the rows for text that may contain stop bytes.
    #[inline(never)]
    fn process_unscanned_text(&mut self, text: Text<'_>) {
        if contains_none(text.text, C::RUN_STOPS) {
            self.process_run_without_stops(text.is_verbatim, text.text, text.span);
        } else {
            self.process_text(text);
        }
    }

    /// Inserts a run without stop bytes in one step, if the row for it only inserts it and sets flags. Returns whether
    /// it did.
    #[inline(always)]
    fn insert_plain_run(&mut self, text: Text<'_>) -> bool {
        // The stack is tested first, so that later accesses to the current element need no test for an empty stack.
        !self.open.is_empty()
            && !self.has_stopped
            && !self.ignores_line_feed
            && C::insert_plain_run(self, &TokenView::Text(text))
    }

    /// Runs the rows for text, without its first character if that is a line feed to ignore.
    fn process_text(&mut self, text: Text<'_>) {
        if self.ignores_line_feed && !text.text.is_empty() {
            self.ignores_line_feed = false;
            if text.text.starts_with('\n') {
                return self.process_parts(text.part(1, text.text.len()));
            }
        }
        self.process_parts(text);
    }

    /// Buffers text until it is complete, where rows take whole texts.
    #[inline(never)]
    fn buffer_text(&mut self, text: Text<'_>) {
        if self.text.is_empty() {
            (self.text_span, self.is_text_verbatim) = (text.span, true);
            self.text_span.end = text.span.start;
        }
        self.is_text_verbatim &= text.is_verbatim && text.span.start == self.text_span.end;
        self.text.push_str(text.text);
        self.text_span.end = text.span.end;
    }

    /// Runs the rows for the buffered text.
    #[inline]
    fn flush_text(&mut self) {
        if C::TAKES_TEXTS && !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let (span, is_verbatim) = (self.text_span, self.is_text_verbatim);
            self.process_parts(Text::piece(&text, span, is_verbatim, false));
            self.text = text;
            self.text.clear();
        }
    }

    /// Splits the text into parts, each of which a single row processes in one step, and runs that row for each part.
    fn process_parts(&mut self, text: Text<'_>) {
        let collects_errors = self.collects_errors();
        let (mut offset, end) = (0, text.text.len());
        while offset < end && !self.has_stopped {
            if C::ELEMENTS == Elements::Html {
                self.last_popped = None;
            }
            self.steps += 1;
            let mode = C::dispatch(self, &TokenView::Text(text)).unwrap_or(self.mode);
            let part_end =
                offset + C::run_length(mode, self.mode, &text.text[offset..], collects_errors);
            C::rules(mode, self, &TokenView::Text(text.part(offset, part_end)));
            if !self.take_reprocess_request() {
                offset = part_end;
            }
        }
    }

    /// Applies `rules` in the mode for the token, unless tree construction has stopped.
    #[inline(always)]
    fn apply_rules(&mut self, token: &TokenView<'_>, rules: impl FnOnce(&mut Self, C::Mode)) {
        self.last_popped = None;
        if self.has_stopped {
            return;
        }
        self.steps += 1;
        let mode = C::dispatch(self, token).unwrap_or(self.mode);
        rules(self, mode);
    }

    /// Runs the rows for the token again, until no row requests that it be reprocessed or tree construction stops.
    #[cold]
    #[inline(never)]
    fn apply_rules_again(&mut self, token: &TokenView<'_>) {
        while !self.has_stopped {
            self.steps += 1;
            let mode = C::dispatch(self, token).unwrap_or(self.mode);
            C::rules(mode, self, token);
            if !self.take_reprocess_request() {
                return;
            }
        }
    }

    /// Requests that the token be processed again in the current mode.
    pub fn reprocess(&mut self) {
        (self.needs_reprocessing, self.has_deferred_work) = (true, true);
    }

    /// Whether a row requested that the token be reprocessed; clears the request.
    #[inline(always)]
    pub(super) fn take_reprocess_request(&mut self) -> bool {
        // The flag is rarely set, so it is tested first, which usually saves the write of `take`.
        self.needs_reprocessing && std::mem::take(&mut self.needs_reprocessing)
    }

    /// Reports an error at the token; for a text token, at its first character.
    #[cold]
    #[inline(never)]
    pub fn error(&mut self, code: C::Error, token: &TokenView<'_>) {
        if self.errors.is_none() {
            return;
        }
        let span = match token {
            TokenView::Text(text) => {
                text.part(0, text.text.chars().next().map_or(0, char::len_utf8)).span
            }
            other => other.span(),
        };
        self.report(ParseError::of(code, span));
    }

    /// Calls the host with `word` and the element that the current token popped last, or with `current` if it popped
    /// none. Makes the tokenizer pause at scripts, and at a start tag that declares an encoding, because the input may
    /// have to be decoded again.
    pub fn call_host(&mut self, word: &str, token: &TokenView<'_>, current: S::Node) {
        let node = self.last_popped.unwrap_or(current);
        self.sink.call_host(word, node);
        if let TokenView::StartTag(tag, _) = token
            && self.watches_encoding
            && word == ENCODING_DECLARATION
            && let Some(encoding) = C::CLUES.of_element(tag.name(), |name| tag.attribute(name))
        {
            (self.watches_encoding, self.declared_encoding) = (false, Some(encoding));
            self.set_feedback(Control::Pause);
        }
        if self.scripts.pauses_at_scripts && word == SCRIPT {
            self.scripts.paused_at = Some(node);
            self.set_feedback(Control::Pause);
        }
    }

    /// Sets the feedback that the tokenizer gets after the current tag.
    pub fn set_feedback(&mut self, feedback: Control) {
        (self.feedback, self.has_deferred_work) = (feedback, true);
    }
}

/// Minimum length in bytes of a text that is searched with `memchr`; most texts that are not runs are single
/// characters.
const MEMCHR_MIN: usize = 16;

/// Whether the text has none of the bytes in `stops`.
#[inline(always)]
fn contains_none(text: &str, stops: &[u8]) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < MEMCHR_MIN {
        return !bytes.iter().any(|byte| stops.contains(byte));
    }
    stops.iter().all(|&stop| memchr::memchr(stop, bytes).is_none())
}
