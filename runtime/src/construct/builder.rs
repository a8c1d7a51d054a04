//! The primitives of tree construction, which the code of modes calls. It reads no table and no markup. Invariant: each
//! primitive does what the vocabulary says of its action, in a number of steps that does not grow with the tree.

use super::elements::{self, Bindings};
use super::open::OpenElements;
use super::parser::ParseError;
use super::{Construction, Elements, Flow, Seen};
use crate::machine::Named;
use crate::span::Span;
use crate::token::{Tag, Text};
use crate::tree::{LocalName, Name, Namespace, TreeSink};

/// Tree construction at work.
#[derive(Debug)]
pub struct Builder<C: Construction, S: TreeSink> {
    sink: S,
    mode: C::Mode,
    open: OpenElements<S::Node>,
    bindings: Bindings,
    /// Text between two other tokens, where rows look at whole texts.
    text: String,
    text_span: Span,
    /// Text of the document itself, where its end may be trimmed.
    held: String,
    held_span: Span,
    /// The children of the document, and whether they are a single element.
    children: usize,
    has_single_element: bool,
    errors: Option<Vec<ParseError>>,
    has_stopped: bool,
    /// The element that was popped last for the token.
    popped: Option<S::Node>,
    /// The values of the flags that the host sets, by name.
    flags: Vec<(&'static str, u8)>,
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
            sink,
            mode: C::START,
            open: OpenElements::new(),
            bindings: Bindings::default(),
            text: String::new(),
            text_span: Span::default(),
            held: String::new(),
            held_span: Span::default(),
            children: 0,
            has_single_element: false,
            errors: collects_errors.then(Vec::new),
            has_stopped: false,
            popped: None,
            flags: Vec::new(),
        }
    }

    /// The sink, the errors.
    pub fn finish(self) -> (S, Vec<ParseError>) {
        (self.sink, self.errors.unwrap_or_default())
    }

    /// Sets flags of the host, by name, to the values of these indices.
    pub(super) fn set_flags(&mut self, flags: &[(&'static str, u8)]) {
        self.flags = flags.to_vec();
    }

    /// The value of a flag of the host.
    pub(super) fn flag(&self, name: &str) -> u8 {
        self.flags.iter().find(|(flag, _)| *flag == name).map_or(0, |&(_, value)| value)
    }

    /// Whether errors are collected.
    pub fn collects_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Adds an error to the others.
    pub(super) fn report(&mut self, error: ParseError) {
        if let Some(errors) = &mut self.errors {
            errors.push(error);
        }
    }

    /// Processes a tag.
    #[inline]
    pub(super) fn tag(&mut self, tag: Tag<'_>, is_end: bool) {
        self.flush_text();
        let local = self.sink.names().local(tag.name());
        let seen = if is_end { Seen::EndTag(tag, local) } else { Seen::StartTag(tag, local) };
        self.process(&seen);
    }

    /// Processes a token that is neither a tag nor text.
    pub(super) fn token(&mut self, seen: &Seen<'_>) {
        self.flush_text();
        self.process(seen);
    }

    /// Processes a piece of text.
    #[inline]
    pub(super) fn characters(&mut self, text: Text<'_>) {
        if !C::TAKES_TEXTS {
            return self.runs(text);
        }
        if self.text.is_empty() {
            self.text_span = text.span;
        }
        self.text.push_str(text.text);
        self.text_span.end = text.span.end;
    }

    fn flush_text(&mut self) {
        if C::TAKES_TEXTS && !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.runs(Text::new(&text, self.text_span));
            self.text = text;
            self.text.clear();
        }
    }

    /// Cuts the text so that one row takes each part.
    fn runs(&mut self, text: Text<'_>) {
        let mut at = 0;
        while at < text.text.len() && !self.has_stopped {
            let end = at + C::run(self.mode, &text.text[at..]);
            if C::rules(self.mode, self, &Seen::Text(text.part(at, end))) == Flow::Done {
                at = end;
            }
        }
    }

    fn process(&mut self, seen: &Seen<'_>) {
        self.popped = None;
        while !self.has_stopped && C::rules(self.mode, self, seen) == Flow::Again {}
    }

    /// Switches to the mode.
    pub fn switch(&mut self, mode: C::Mode) {
        self.mode = mode;
    }

    /// Ends tree construction.
    pub fn stop(&mut self) {
        self.release_held();
        self.has_stopped = true;
    }

    /// Reports an error at the token.
    pub fn error(&mut self, code: C::Error, seen: &Seen<'_>) {
        self.report(ParseError { code: code.name(), span: seen.span() });
    }

    /// The id of the tag's name.
    #[inline]
    pub fn local_id(&self, seen: &Seen<'_>) -> u32 {
        seen.local().map_or(u32::MAX, LocalName::id)
    }

    /// The current node: the last open element, or the document.
    pub fn current_node(&mut self) -> S::Node {
        match self.open.last() {
            Some(open) => open.node,
            None => self.sink.document(),
        }
    }

    /// The document.
    pub fn document(&mut self) -> S::Node {
        self.sink.document()
    }

    /// Creates an element for the token, appends it to the current node, and pushes it.
    pub fn insert_element(&mut self, seen: &Seen<'_>) {
        if let (Some(node), Some(local)) = (self.create_and_append(seen), seen.local()) {
            self.open.push(node, local);
        }
    }

    /// Creates an element for the token and appends it to the current node.
    pub fn append_element(&mut self, seen: &Seen<'_>) {
        if let Some(node) = self.create_and_append(seen) {
            self.leave_bindings();
            self.sink.popped(node);
        }
    }

    fn create_and_append(&mut self, seen: &Seen<'_>) -> Option<S::Node> {
        let (Seen::StartTag(tag, local) | Seen::EndTag(tag, local)) = seen else { return None };
        let mut attributes = Vec::new();
        let names = self.sink.names();
        let name = match C::ELEMENTS {
            Elements::Plain => {
                elements::plain(tag, names, &mut attributes);
                Name::new(Namespace::NONE, *local)
            }
            Elements::Xml => {
                self.bindings.enter(tag, names);
                elements::xml(&self.bindings, tag, names, &mut attributes);
                self.bindings.element(tag.name(), names)
            }
        };
        let node = self.sink.make_element(name, attributes.into_iter(), Some(tag.span()));
        let parent = self.current_node();
        self.append(parent, node, true);
        Some(node)
    }

    fn leave_bindings(&mut self) {
        if C::ELEMENTS == Elements::Xml {
            self.bindings.leave();
        }
    }

    fn append(&mut self, parent: S::Node, node: S::Node, is_element: bool) {
        if parent == self.sink.document() {
            self.release_held();
            self.children += 1;
            self.has_single_element = self.children == 1 && is_element;
        }
        self.sink.append_node(parent, node);
    }

    /// Appends the characters of the token to the current node.
    pub fn append_text(&mut self, seen: &Seen<'_>) {
        let Seen::Text(text) = seen else { return };
        if let Some(open) = self.open.last() {
            return self.sink.append_characters(open.node, text.text, text.span);
        }
        if self.held.is_empty() {
            self.held_span = text.span;
        }
        self.held.push_str(text.text);
        self.held_span.end = text.span.end;
        if !C::TRIMS_TEXT {
            self.release_held();
        }
    }

    /// Appends the held text to the document, as something else comes behind it.
    fn release_held(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let held = std::mem::take(&mut self.held);
        let is_first = self.children == 0;
        let text =
            if C::TRIMS_TEXT && is_first { held.trim_start_matches(C::is_trimmed) } else { &held };
        if text.is_empty() {
            return;
        }
        self.children += 1;
        self.has_single_element = false;
        let document = self.sink.document();
        self.sink.append_characters(document, text, self.held_span);
    }

    /// Appends a comment node for the token.
    pub fn append_comment(&mut self, seen: &Seen<'_>, parent: S::Node) {
        if let Seen::Comment(comment) = seen {
            let node = self.sink.make_comment(comment.data, comment.span);
            self.append(parent, node, false);
        }
    }

    /// Appends a processing instruction node for the token.
    pub fn append_processing_instruction(&mut self, seen: &Seen<'_>, parent: S::Node) {
        if let Seen::ProcessingInstruction(target, data, span) = seen {
            let node = self.sink.make_processing_instruction(target, data, *span);
            self.append(parent, node, false);
        }
    }

    /// Appends a DOCTYPE node for the token to the document.
    pub fn append_doctype(&mut self, seen: &Seen<'_>) {
        if let Seen::Doctype(doctype) = seen {
            let (public, system) = (doctype.public_identifier(), doctype.system_identifier());
            let node = self.sink.make_doctype(
                doctype.name().unwrap_or_default(),
                public,
                system,
                doctype.span(),
            );
            let document = self.sink.document();
            self.append(document, node, false);
        }
    }

    /// Pops the current node; an end tag closes it.
    pub fn pop(&mut self, seen: &Seen<'_>) {
        let Some(open) = self.open.pop() else { return };
        self.leave_bindings();
        self.popped = Some(open.node);
        match seen {
            Seen::EndTag(tag, _) => self.sink.end_tag(open.node, tag.span()),
            Seen::ShortEndTag(span) => self.sink.end_tag(open.node, *span),
            _ => {}
        }
        self.sink.popped(open.node);
    }

    /// Pops elements until one with the token's name was popped.
    pub fn pop_until_token_name(&mut self, seen: &Seen<'_>) {
        let Some(name) = seen.local() else { return };
        while let Some(open) = self.open.pop() {
            self.leave_bindings();
            self.popped = Some(open.node);
            if open.name == name {
                self.sink.end_tag(open.node, seen.span());
            }
            self.sink.popped(open.node);
            if open.name == name {
                return;
            }
        }
    }

    /// Trims the end of the document's text, and its beginning if nothing stands before it.
    pub fn trim_text(&mut self) {
        let length = self.held.trim_end_matches(C::is_trimmed).len();
        self.held.truncate(length);
        self.release_held();
    }

    /// Unless the document's only child is an element, makes all its children those of a new element of this name.
    pub fn wrap_unless_single_element(&mut self, local: u32) {
        self.release_held();
        if self.has_single_element {
            return;
        }
        let name = Name::new(Namespace::NONE, LocalName::known(local));
        let element = self.sink.make_element(name, std::iter::empty(), None);
        let document = self.sink.document();
        self.sink.reparent_children(document, element);
        self.sink.append_node(document, element);
    }

    /// Tells the host of the element that was popped last for the token, or else of the current node.
    pub fn call_host(&mut self, word: &str) {
        let node = match self.popped {
            Some(node) => node,
            None => self.current_node(),
        };
        self.sink.call_host(word, node);
    }

    /// Whether the current node is an element with one of these names.
    pub fn current_is(&self, names: &[u32]) -> bool {
        self.open.last().is_some_and(|open| names.contains(&open.name.id()))
    }

    /// Whether the current node is an element with the token's name.
    pub fn current_is_token_name(&self, seen: &Seen<'_>) -> bool {
        self.open.last().is_some_and(|open| Some(open.name) == seen.local())
    }

    /// Whether an element with one of these names is open.
    pub fn has_open(&self, names: &[u32]) -> bool {
        names.iter().any(|&name| self.open.topmost(name).is_some())
    }

    /// Whether an element with the token's name is open.
    pub fn has_open_token_name(&self, seen: &Seen<'_>) -> bool {
        seen.local().is_some_and(|name| self.open.topmost(name.id()).is_some())
    }

    /// Whether one of these elements is open above the topmost one with the token's name.
    pub fn has_above_token_name(&self, seen: &Seen<'_>, names: &[u32]) -> bool {
        let Some(place) = seen.local().and_then(|name| self.open.topmost(name.id())) else {
            return false;
        };
        names.iter().any(|&name| self.open.topmost(name).is_some_and(|above| above > place))
    }

    /// Whether no element is open.
    pub fn stack_is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}
