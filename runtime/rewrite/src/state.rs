//! What a rewriter knows between two tokens: handlers, open elements, and what is to be done where they end. It reads no
//! token. Invariant: elements are opened and closed here and in the selectors' descent alike.

use crate::element::Changes;
use crate::end_tag::{EndChanges, EndTag};
use crate::error::{Outcome, RewriteError};
use crate::foreign::Foreign;
use crate::open::Open;
use crate::output::Output;
use crate::rules::{Handler, OnEnd, Rule, Rules};
use std::collections::HashMap;
use tabulex_core::{Construction, Elements};
use tabulex_select::descent::Descent;

/// What is to be done where an element ends.
#[derive(Default)]
pub(crate) struct AtEnd<'h> {
    /// The index of the element among those that are open, and its name.
    pub(crate) element: usize,
    pub(crate) tag_name: String,
    pub(crate) appended: String,
    pub(crate) after: String,
    pub(crate) name: Option<String>,
    pub(crate) is_removed: bool,
    pub(crate) on_end: Vec<OnEnd<'h>>,
}

/// The state of a rewriter.
pub(crate) struct State<'h> {
    pub(crate) handlers: Vec<Handler<'h>>,
    /// For each set of selectors of the descent its handler.
    pub(crate) of_set: Vec<usize>,
    pub(crate) descent: Descent,
    pub(crate) foreign: &'static Foreign,
    /// Whether tags with an attribute leave foreign content, as far as it was asked.
    pub(crate) asked: HashMap<String, bool>,
    pub(crate) open: Open,
    /// In the order of the elements.
    pub(crate) at_end: Vec<AtEnd<'h>>,
    /// Elements for whose contents handlers wait: the element's index, and the handler's.
    pub(crate) waiting: Vec<(usize, usize)>,
    /// How many elements each handler of texts or comments waits in.
    pub(crate) active: Vec<u32>,
    pub(crate) text_handlers: usize,
    /// Whether there is any handler of texts, wherever it waits.
    pub(crate) asks_for_text: bool,
    /// The outermost open element whose contents are left out.
    pub(crate) hidden: Option<usize>,
    /// What handlers wanted to be done with the last element.
    pub(crate) changes: Changes<'h>,
    /// The text that handlers wait for, and where it begins.
    pub(crate) text: String,
    pub(crate) text_start: Option<usize>,
    /// Where the last token has ended.
    pub(crate) done: usize,
    /// Whether any of the token that was read last, or of the text so far, stands in the text of an entity.
    pub(crate) is_inserted: bool,
    pub(crate) text_is_inserted: bool,
    /// What of the input has been written, or left out.
    pub(crate) copied: usize,
    pub(crate) output: Output,
    pub(crate) failed: Option<RewriteError>,
    /// The names of which something is to be known, as bits: void elements, those that switch the machine, whose text is
    /// literal, or that are foreign.
    pub(crate) likely: u64,
    pub(crate) scripting: [(&'static str, u8); 1],
    pub(crate) memory: usize,
}

/// A bit that few other names have.
#[inline]
pub(crate) fn likely(name: &str) -> u64 {
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
        let mut text_handlers = 0;
        let is_of_text = |rule: &Rule<'_>| matches!(rule.handler, Handler::Text(_));
        let asks_for_text = rules.rules.iter().any(is_of_text);
        for (number, Rule { selector, handler }) in rules.rules.into_iter().enumerate() {
            match &selector {
                Some(selector) => {
                    descent.add(selector)?;
                    of_set.push(number);
                }
                None => text_handlers += usize::from(matches!(handler, Handler::Text(_))),
            }
            active.push(u32::from(selector.is_none()));
            handlers.push(handler);
        }
        let names = D::SERIALIZATION.void.iter().copied();
        let names = names.chain(D::SWITCHING_TAGS.iter().map(|tag| tag.name));
        let literal = [D::SERIALIZATION.raw_text, D::SERIALIZATION.raw_text_when_scripting];
        let names = names.chain(literal.into_iter().flatten().copied());
        let foreign = Foreign::of::<D>();
        let names = names.chain(foreign.beginning());
        Ok(Self {
            handlers,
            of_set,
            descent,
            foreign,
            asked: HashMap::new(),
            open: Open::default(),
            at_end: Vec::new(),
            waiting: Vec::new(),
            active,
            text_handlers,
            asks_for_text,
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
            likely: names.map(likely).fold(0, |all, bit| all | bit),
            scripting: [("scripting", u8::from(rules.scripting))],
            memory: rules.memory,
        })
    }

    /// Keeps what a handler returned, if it is an error.
    pub(crate) fn heed(&mut self, outcome: Outcome) {
        if let Err(error) = outcome {
            self.fail(match error.downcast::<RewriteError>() {
                Ok(error) => *error,
                Err(error) => RewriteError::Handler(error),
            });
        }
    }

    pub(crate) fn fail(&mut self, error: RewriteError) {
        self.failed.get_or_insert(error);
    }

    /// A handler of texts or comments waits inside of the innermost element.
    pub(crate) fn wait(&mut self, handler: usize) {
        self.waiting.push((self.open.len() - 1, handler));
        self.active[handler] += 1;
        self.text_handlers += usize::from(matches!(self.handlers[handler], Handler::Text(_)));
    }

    /// Closes the innermost element; what was to be done there is left to the caller.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.open.pop();
        self.descent.close();
        if !self.waiting.is_empty() {
            self.end_waiting(self.open.len());
        }
    }

    /// The handlers that waited inside of an element wait no more.
    fn end_waiting(&mut self, index: usize) {
        while let Some((_, handler)) = self.waiting.pop_if(|(element, _)| *element == index) {
            self.active[handler] -= 1;
            self.text_handlers -= usize::from(matches!(self.handlers[handler], Handler::Text(_)));
        }
    }

    /// Calls the handlers of an element's end; whether its tag is written, and how.
    pub(crate) fn call_at_end(&mut self, is_written: bool, at_end: AtEnd<'h>) -> EndChanges {
        let name = &at_end.tag_name;
        let mut changes = EndChanges {
            before: at_end.appended,
            after: at_end.after,
            name: at_end.name,
            is_removed: at_end.is_removed,
        };
        for handler in at_end.on_end {
            let outcome = handler(&mut EndTag { name, is_written, changes: &mut changes });
            self.heed(outcome);
        }
        changes
    }

    /// How many bytes are held beside the input.
    pub(crate) fn held(&self) -> usize {
        let at_end = self.at_end.iter().map(|it| it.appended.len() + it.after.len() + 128);
        self.open.held()
            + self.descent.held()
            + self.text.len()
            + self.output.held()
            + self.waiting.len() * 16
            + at_end.sum::<usize>()
    }
}
