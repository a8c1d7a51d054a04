//! Tree construction at work: its state, and the way of a token through the rows. What rows do is in the files beside.
//! It reads no table and no markup. Invariant: a row is taken whole, and the number of steps it takes does not grow with
//! the tree.

use super::elements::Bindings;
use super::formatting::Formatting;
use super::fragment::Context;
use super::limits::{Bounds, Flattened};
use super::open::OpenElements;
use super::parents::Parents;
use super::patch::Patch;
use super::pending::Pending;
use super::remembered::Remembered;
use super::scripts::Scripts;
use super::selected::ShownIn;
use super::{Adjustment, Construction, Elements, Feedback, TokenView};
use crate::bounded_errors::BoundedErrors;
use crate::encoding::Encoding;
use crate::error::{Error, ParseError};
use crate::limits::Limits;
use crate::span::Span;
use crate::token::{Tag, Text};
use crate::tree::{DocumentMode, LocalName, Name, TreeSink};
use std::collections::HashSet;

/// Flags that a table may declare.
pub(super) const MOST_FLAGS: usize = 16;

/// The word by which a row reports an element to the host that may declare the encoding.
const ENCODING_DECLARATION: &str = "encoding-declaration";

/// What may point to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer<N> {
    /// It points to nothing.
    None,
    /// It points to this element.
    Element(N, Name),
    /// It points to the context element, which is in no tree here.
    Context,
}

/// Tree construction at work.
#[derive(Debug)]
pub struct Builder<C: Construction, S: TreeSink> {
    pub(super) sink: S,
    pub(super) document: S::Node,
    pub(super) mode: C::Mode,
    pub(super) original_mode: C::Mode,
    pub(super) template_modes: Vec<C::Mode>,
    pub(super) open: OpenElements<S::Node>,
    pub(super) formatting: Formatting<S::Node>,
    pub(super) pointers: Vec<Pointer<S::Node>>,
    /// The values of the table's flags.
    pub(super) tree_flags: [u8; MOST_FLAGS],
    pub(super) document_mode: DocumentMode,
    pub(super) is_fostering: bool,
    pub(super) pending: Pending,
    pub(super) ignores_line_feed: bool,
    pub(super) context: Option<Context>,
    pub(super) bindings: Bindings,
    /// Text between two other tokens, where rows look at whole texts.
    pub(super) text: String,
    text_span: Span,
    /// Whether all of it stands there byte for byte.
    text_is_verbatim: bool,
    /// Text of the document itself, where its end may be trimmed.
    pub(super) held: String,
    pub(super) held_span: Span,
    /// The children of the document, and whether they are a single element.
    pub(super) children: usize,
    pub(super) has_single_element: bool,
    pub(super) document_has_element: bool,
    pub(super) errors: Option<BoundedErrors>,
    /// The codes and ranges of the errors, where replacement texts can make one again and again at their reference.
    pub(super) reported: HashSet<(&'static str, Span)>,
    pub(super) has_stopped: bool,
    /// The element that was popped last for the token.
    pub(super) popped: Option<S::Node>,
    /// The formatting element for which the adoption agency algorithm ran last, if it took it off the stack and out of the
    /// list: nobody has to look for it there.
    pub(super) released: Option<S::Node>,
    /// Where chosen options are shown, once there is such an element.
    pub(super) shown_in: Option<ShownIn<S::Node>>,
    /// The name of the tag, which a row may have changed.
    pub(super) token_name: LocalName,
    /// Whether the end tag has ended an element.
    pub(super) has_ended: bool,
    pub(super) is_acknowledged: bool,
    /// The tables by which names of the token's attributes are replaced.
    pub(super) adjusting: Vec<&'static [Adjustment]>,
    /// The names of the token's attributes, none for what is left out; kept for its capacity.
    pub(super) attribute_names: Vec<Option<Name>>,
    /// The feedback to the tokenizer after the tag.
    feedback: Feedback,
    /// Whether rows may have deferred something until after the tag, as few do.
    pub(super) has_deferred: bool,
    /// Whether a row has the token processed again. It is here, and is not what rows return, so that they can end
    /// with a jump to what they do last.
    is_again: bool,
    /// Whether the document may still declare the encoding of its bytes, and the encoding that it declares.
    pub(super) watches_encoding: bool,
    pub(super) declared: Option<Encoding>,
    pub(super) patches: Vec<Patch<S::Node>>,
    pub(super) limits: Bounds,
    /// The open nodes that may not get more children, as an element that was too deep for them stands after them.
    pub(super) flattened: Vec<Flattened<S::Node>>,
    /// A node whose depth in the tree is known, so that what is deep is not walked up each time.
    pub(super) landmark: Option<(S::Node, usize)>,
    /// The values of the flags that the host sets, by name.
    flags: Vec<(&'static str, u8)>,
    pub(super) steps: u64,
    /// What sinks that know no parents, and keep no attributes, are spared; empty for others.
    pub(super) parents: Parents<S::Node>,
    pub(super) remembered: Remembered<S::Node>,
    pub(super) scripts: Scripts<S::Node>,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// A builder that fills the sink; errors are collected if wanted.
    pub fn new(mut sink: S, collects_errors: bool) -> Self {
        let seeded = sink.names().seed(C::KNOWN);
        debug_assert!(
            seeded,
            "a sink begins without names, so that those of the table are numbered first"
        );
        Self {
            document: sink.document(),
            sink,
            mode: C::FIRST_MODE,
            original_mode: C::FIRST_MODE,
            template_modes: Vec::new(),
            open: OpenElements::new(C::SCOPES, C::KNOWN.list().len()),
            formatting: Formatting::new(),
            pointers: vec![Pointer::None; C::POINTERS],
            tree_flags: [0; MOST_FLAGS],
            document_mode: DocumentMode::NoQuirks,
            is_fostering: false,
            pending: Pending::default(),
            ignores_line_feed: false,
            context: None,
            bindings: Bindings::default(),
            text: String::new(),
            text_span: Span::default(),
            text_is_verbatim: false,
            held: String::new(),
            held_span: Span::default(),
            children: 0,
            has_single_element: false,
            document_has_element: false,
            errors: collects_errors.then(|| BoundedErrors::new(&Limits::none())),
            reported: HashSet::new(),
            has_stopped: false,
            popped: None,
            released: None,
            shown_in: None,
            token_name: LocalName::known(u32::MAX),
            has_ended: false,
            is_acknowledged: false,
            adjusting: Vec::new(),
            attribute_names: Vec::new(),
            feedback: Feedback::None,
            has_deferred: false,
            is_again: false,
            watches_encoding: false,
            declared: None,
            patches: Vec::new(),
            flattened: Vec::new(),
            limits: Bounds::default(),
            landmark: None,
            flags: Vec::new(),
            steps: 0,
            parents: Parents::default(),
            remembered: Remembered::default(),
            scripts: Scripts::default(),
        }
    }

    /// Sets the limits. There are no errors yet.
    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.limits = Bounds::new(limits);
        if let Some(errors) = &mut self.errors {
            *errors = BoundedErrors::new(limits);
        }
    }

    /// The sink, the errors.
    pub fn finish(self) -> (S, Vec<ParseError>) {
        let made = self.made();
        (made.sink, made.errors)
    }

    /// Sets flags of the host, by name, to the values of these indices.
    pub(super) fn set_flags(&mut self, flags: &[(&'static str, u8)]) {
        self.flags = flags.to_vec();
        for &(name, place) in C::HOST_FLAGS {
            self.tree_flags[place] = self.flag(name);
        }
    }

    /// The value of a flag of the host.
    pub(super) fn flag(&self, name: &str) -> u8 {
        self.flags.iter().find(|(flag, _)| *flag == name).map_or(0, |&(_, value)| value)
    }

    /// The answer to a machine that asks for a flag of the host.
    pub(super) fn answer(&mut self, name: &str) -> u8 {
        C::answer(self, name).unwrap_or_else(|| self.flag(name))
    }

    /// Whether errors are collected.
    pub fn collects_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Adds an error to the others. All that is in a replacement text has the range of its reference: there a code is
    /// reported once.
    pub(super) fn report(&mut self, error: ParseError) {
        if let Some(errors) = &mut self.errors {
            if C::INSERTS && !self.reported.insert((error.code, error.span)) {
                return;
            }
            errors.push(error);
        }
    }

    /// How much has been done so far: rows taken, and what loops of the builder and of the sink have looked at.
    pub fn steps(&self) -> u64 {
        self.steps + self.open.steps + self.formatting.steps + self.sink.steps()
    }

    /// Processes a tag; returns what the tokenizer is to do after it.
    #[inline(never)]
    pub(super) fn tag(&mut self, tag: &Tag<'_>, is_end: bool) -> Feedback {
        self.flush_text();
        self.ignores_line_feed = false;
        let local = tag.local_name(self.sink.names());
        self.token_name = local;
        self.limits.reached = tag.span().start;
        (self.has_ended, self.is_acknowledged) = (false, is_end);
        let token =
            if is_end { TokenView::EndTag(tag, local) } else { TokenView::StartTag(tag, local) };
        self.process(&token, |builder, mode| C::tag_rules(mode, is_end, builder, &token));
        if self.has_deferred {
            return self.run_deferred(&token, tag);
        }
        if tag.self_closing() {
            self.check_acknowledged(tag.span());
        }
        Feedback::None
    }

    /// Does what rows have deferred until after the tag. Apart, so that the path of most tags stays small.
    #[cold]
    #[inline(never)]
    fn run_deferred(&mut self, token: &TokenView<'_>, tag: &Tag<'_>) -> Feedback {
        if self.takes_again() {
            self.process_again(token);
        }
        if tag.self_closing() {
            self.check_acknowledged(tag.span());
        }
        self.take_feedback()
    }

    /// Returns the feedback that a row left, and clears it.
    pub(super) fn take_feedback(&mut self) -> Feedback {
        self.has_deferred = false;
        self.adjusting.clear();
        std::mem::take(&mut self.feedback)
    }

    /// Reports a self-closing flag that no row acknowledged. Apart, as few tags have the flag.
    #[cold]
    #[inline(never)]
    fn check_acknowledged(&mut self, span: Span) {
        if let Some(code) = C::UNACKNOWLEDGED
            && !self.is_acknowledged
            && !self.has_stopped
        {
            self.report(Error { code, span }.into());
        }
    }

    /// Processes a token that is neither a tag nor text.
    pub(super) fn token(&mut self, token: &TokenView<'_>) {
        self.flush_text();
        self.ignores_line_feed = false;
        self.process(token, |builder, mode| C::rules(mode, builder, token));
        if self.takes_again() {
            self.process_again(token);
        }
    }

    /// Processes a piece of text; whether runs hold none of the bytes that keep them from being taken at once.
    #[inline(always)]
    pub(super) fn characters(&mut self, text: Text<'_>, runs_are_free: bool) {
        if C::TAKES_TEXTS {
            self.keep_text(text);
        } else if runs_are_free && text.is_run {
            self.free_run(text.is_verbatim, text.text, text.span);
        } else {
            self.other_characters(text);
        }
    }

    /// Processes a run of text that holds none of those bytes. It comes in parts, which registers hold, and so it goes
    /// on to whoever does the rest: nothing of it need be kept here. Measured with the search for line ends in blocks:
    /// 3 % fewer instructions for trees of HTML, 6 % for those of XML.
    #[inline(never)]
    fn free_run(&mut self, is_verbatim: bool, text: &str, span: Span) {
        if !self.take_run(Text::piece(text, span, is_verbatim, true)) {
            self.run_by_rows(is_verbatim, text, span);
        }
    }

    /// Processes such a run by the rows of the mode. Apart, so that `free_run` ends with a jump and keeps nothing.
    #[inline(never)]
    fn run_by_rows(&mut self, is_verbatim: bool, text: &str, span: Span) {
        self.all_characters(Text::piece(text, span, is_verbatim, true));
    }

    /// Processes text in which there may be bytes at which runs stop. Apart, as few texts have any.
    #[inline(never)]
    fn other_characters(&mut self, text: Text<'_>) {
        if is_without(text.text, C::RUN_STOPS) {
            self.free_run(text.is_verbatim, text.text, text.span);
        } else {
            self.all_characters(text);
        }
    }

    /// Takes a run of text that holds none of those bytes at once, if only one row can take it and does no more than to
    /// insert it.
    #[inline(always)]
    fn take_run(&mut self, text: Text<'_>) -> bool {
        // Where an element is open, its place is found once for all that is asked of it.
        !self.open.is_empty()
            && !self.limits.checks_each_token()
            && !self.ignores_line_feed
            && C::take_run(self, &TokenView::Text(text))
    }

    /// Counts a row that is taken for a run.
    #[inline(always)]
    pub fn count_row(&mut self) {
        self.steps += 1;
    }

    fn all_characters(&mut self, text: Text<'_>) {
        if self.ignores_line_feed && !text.text.is_empty() {
            self.ignores_line_feed = false;
            if text.text.starts_with('\n') {
                return self.runs(text.part(1, text.text.len()));
            }
        }
        self.runs(text);
    }

    /// Keeps the text until it is complete. Apart, as only some tables take whole texts.
    #[inline(never)]
    fn keep_text(&mut self, text: Text<'_>) {
        if self.text.is_empty() {
            (self.text_span, self.text_is_verbatim) = (text.span, true);
            self.text_span.end = text.span.start;
        }
        self.text_is_verbatim &= text.is_verbatim && text.span.start == self.text_span.end;
        self.text.push_str(text.text);
        self.text_span.end = text.span.end;
    }

    #[inline]
    fn flush_text(&mut self) {
        if C::TAKES_TEXTS && !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let (span, is_verbatim) = (self.text_span, self.text_is_verbatim);
            self.runs(Text::piece(&text, span, is_verbatim, false));
            self.text = text;
            self.text.clear();
        }
    }

    /// Cuts the text so that one row takes each part.
    fn runs(&mut self, text: Text<'_>) {
        let errors = self.collects_errors();
        let (mut at, end) = (0, text.text.len());
        while at < end && !self.has_stopped {
            if C::ELEMENTS == Elements::Html {
                self.popped = None;
            }
            self.steps += 1;
            let mode = C::dispatch(self, &TokenView::Text(text)).unwrap_or(self.mode);
            let next = at + C::run_length(mode, self.mode, &text.text[at..], errors);
            C::rules(mode, self, &TokenView::Text(text.part(at, next)));
            if !self.takes_again() {
                at = next;
            }
        }
    }

    /// Leads the token through the rules of the mode that is to process it.
    #[inline(always)]
    fn process(&mut self, token: &TokenView<'_>, rules: impl FnOnce(&mut Self, C::Mode)) {
        self.popped = None;
        if self.has_stopped {
            return;
        }
        self.steps += 1;
        let mode = C::dispatch(self, token).unwrap_or(self.mode);
        rules(self, mode);
    }

    /// Leads the token through the rules of other modes, as long as a row wants it.
    #[cold]
    #[inline(never)]
    fn process_again(&mut self, token: &TokenView<'_>) {
        while !self.has_stopped {
            self.steps += 1;
            let mode = C::dispatch(self, token).unwrap_or(self.mode);
            C::rules(mode, self, token);
            if !self.takes_again() {
                return;
            }
        }
    }

    /// The token is processed again, in the mode that was switched to.
    pub fn reprocess(&mut self) {
        (self.is_again, self.has_deferred) = (true, true);
    }

    /// Whether a row has the token processed again, which is asked once.
    #[inline(always)]
    pub(super) fn takes_again(&mut self) -> bool {
        // As it seldom is so, nothing is written otherwise.
        self.is_again && std::mem::take(&mut self.is_again)
    }

    /// Reports an error at the token; where several characters are taken at once, at the first one.
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
        self.report(Error { code, span }.into());
    }

    /// The id of the tag's name.
    #[inline]
    pub fn local_id(&self, token: &TokenView<'_>) -> u32 {
        let _ = token;
        self.token_name.id()
    }

    /// Calls the host about the element that was popped last for the token, or else of the current node.
    pub fn call_host(&mut self, word: &str) {
        let node = match self.popped {
            Some(node) => node,
            None => self.current_node(),
        };
        self.sink.call_host(word, node);
        if self.watches_encoding && word == ENCODING_DECLARATION {
            self.set_feedback(Feedback::Declaration);
        }
        if self.pauses_at(word, node) {
            self.set_feedback(Feedback::Script);
        }
    }

    /// Sets the feedback to the tokenizer after the tag.
    pub(super) fn set_feedback(&mut self, feedback: Feedback) {
        (self.feedback, self.has_deferred) = (feedback, true);
    }
}

/// Texts up to this length are faster to process than to search: most that are no runs are single characters.
const SHORT: usize = 16;

/// Whether none of these bytes is in the text.
#[inline(always)]
fn is_without(text: &str, stops: &[u8]) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < SHORT {
        return !bytes.iter().any(|byte| stops.contains(byte));
    }
    stops.iter().all(|&stop| memchr::memchr(stop, bytes).is_none())
}
