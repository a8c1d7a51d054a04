//! Tree construction, interpreted: each token is led through the rows of the current mode as they are, and the tree is
//! built of plain nodes. It is the oracle for the compiled builder and shares no code with it. Invariant: it ends for
//! every table that the checks accept, and nothing in it recurses on the depth of the tree.

use super::{Span, Token};
use std::cell::Cell;
use std::rc::Rc;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    Construction, DocumentMode, ElementName, Elements, FeedbackEffect, FeedbackId, Mode, ModeId,
    ModeRow, ModeRowId, Namespace, TagNames, TokenPattern, TreeStep,
};
use tabulex_language::model::{ErrorId, FlagId, TokenId};

mod algorithm;
mod condition;
mod configuration;
mod declared;
pub mod document;
mod formatting;
mod node;
mod nodes;
mod place;
mod stack;
mod step;
mod template;
mod token_view;

pub use configuration::{NEAR, TreeConfiguration};
pub use nodes::{Name, Node, NodeId, NodeKind, ShadowRoot, Tree};

use algorithm::Asked;
pub use algorithm::{Declared, prescan, serialize};
use document::Surroundings;
use formatting::Entry;
use template::Patch;
use token_view::{TokenView, names, takes_kind};

/// Builds a tree from tokens.
#[derive(Debug)]
pub struct TreeBuilder<'m> {
    construction: &'m Construction,
    /// The tree.
    pub tree: Tree,
    /// The errors of tree construction, each at its token.
    pub errors: Vec<(ErrorId, Span)>,
    /// Every row that was taken, in order.
    pub rows: Vec<ModeRowId>,
    /// What the host was notified of, with the node.
    pub calls: Vec<(String, NodeId)>,
    mode: ModeId,
    open: Vec<NodeId>,
    /// Where the element stood in the stack that was looked for last.
    found_at: Cell<usize>,
    /// The text that was emitted last, its range, and whether each of its characters has a place of its own.
    text: Option<(String, Span, bool)>,
    /// Whether a row of a mode looks at whole texts.
    takes_texts: bool,
    /// For each mode in which there was a character, the rows that may take one.
    character_rows: Vec<Option<Rc<[u16]>>>,
    has_stopped: bool,
    /// How often the token was led to a mode, and how often it may be.
    led: (usize, usize),
    /// Whether a token was handed around for ever, which the checks do not always foresee.
    is_endless: bool,
    /// Whether an algorithm asserts what does not hold.
    is_broken: bool,
    /// Whether the algorithm for a token, before rows see it, has passed it on, and has joined its characters.
    is_passed: bool,
    is_joined: bool,
    /// How many steps the algorithm that runs may still take.
    steps_left: usize,
    /// How many entries the list of active formatting elements has had.
    entries: usize,
    /// What a fragment is parsed into.
    root_target: Option<NodeId>,
    /// The element that was popped last for the token.
    popped: Option<NodeId>,
    /// The tag that is processed, as it has been changed.
    tag: Option<Working>,
    /// Whether the end tag has ended an element.
    end_tag_used: bool,
    original_mode: Option<ModeId>,
    template_modes: Vec<ModeId>,
    formatting: Vec<Entry>,
    pointers: Vec<Option<NodeId>>,
    flags: Vec<u8>,
    /// How the document is rendered.
    pub document_mode: DocumentMode,
    is_fostering: bool,
    ignores_line_feed: bool,
    /// Whether the row that was taken last says that the token is processed again.
    is_reprocessed: bool,
    pending: Vec<(char, Span)>,
    feedback: Option<FeedbackId>,
    context: Option<NodeId>,
    /// The document that the context is in, and what is known of it.
    surroundings: Option<Surroundings>,
    /// What is to be parsed as a fragment.
    input_stream: Option<String>,
    /// What is read for an encoding before the input is characters.
    bytes: Option<algorithm::Bytes<'m>>,
    /// The algorithm that waits for the end of the input.
    waiting: Option<algorithm::Frame<'m>>,
    integration_points: Vec<NodeId>,
    patches: Vec<(NodeId, Patch)>,
    /// Whether the element that a row of `reset` looks at is the last one.
    is_last: bool,
}

/// A tag while it is processed.
#[derive(Clone, Debug)]
struct Working {
    name: String,
    attributes: Vec<(Name, String)>,
    self_closing: bool,
    is_acknowledged: bool,
    /// Whether attributes were removed because an earlier one has their name.
    is_shortened: bool,
    span: Span,
}

/// What happens to a token.
enum Flow {
    /// The steps go on.
    On,
    /// The token is done.
    Done,
    /// The token is processed again.
    Again,
    /// The token is processed by the rules of the mode; steps after it are taken, and then the token is done.
    Lent(ModeId),
}

impl<'m> TreeBuilder<'m> {
    /// A builder with an empty document.
    pub fn new(construction: &'m Construction) -> Self {
        let document = Node::new(NodeKind::Document, Span::default());
        Self {
            construction,
            tree: Tree { nodes: vec![document] },
            errors: Vec::new(),
            rows: Vec::new(),
            calls: Vec::new(),
            mode: construction.start,
            open: Vec::new(),
            found_at: Cell::new(0),
            text: None,
            takes_texts: takes_texts(construction),
            character_rows: vec![None; construction.modes.len()],
            has_stopped: false,
            led: (0, 0),
            is_endless: false,
            is_broken: false,
            is_passed: false,
            is_joined: false,
            steps_left: 0,
            entries: 0,
            root_target: None,
            popped: None,
            tag: None,
            end_tag_used: false,
            original_mode: None,
            template_modes: Vec::new(),
            formatting: Vec::new(),
            pointers: vec![None; construction.pointers.len()],
            flags: vec![0; construction.flags.len()],
            document_mode: DocumentMode::NoQuirks,
            is_fostering: false,
            ignores_line_feed: false,
            is_reprocessed: false,
            pending: Vec::new(),
            feedback: None,
            context: None,
            surroundings: None,
            input_stream: None,
            bytes: None,
            waiting: None,
            integration_points: Vec::new(),
            patches: Vec::new(),
            is_last: false,
        }
    }

    /// Sets a flag of tree construction that the host sets, by name; unknown ones are left alone.
    pub fn set_flag(&mut self, name: &str, value: u8) {
        let flags = &self.construction.flags;
        if let Some(index) = flags.iter().position(|flag| flag.by_host && flag.name == name) {
            self.flags[index] = value;
        }
    }

    /// What the tokenizer is to do, if the last token has led to something.
    pub fn take_feedback(&mut self) -> Option<FeedbackEffect> {
        let feedback = self.feedback.take()?;
        self.construction.feedback[usize::from(feedback.0)].effect
    }

    /// What is answered for a flag of the host: the index of its value; `None` if nothing is declared.
    pub fn answer(&mut self, flag: FlagId) -> Option<u8> {
        let construction = self.construction;
        let answers = &construction.answers;
        let answer = answers.iter().find(|answer| answer.flag == flag)?;
        let nothing = TokenView::Character('\0', Span::default());
        Some(if self.holds(&answer.condition, &nothing) { answer.value } else { 0 })
    }

    /// Takes the next token.
    pub fn token(&mut self, token: &Token) {
        if !self.comes_to_modes(token) {
            return;
        }
        if let Token::Text { text, span } = token {
            // What is emitted at once has one place: a character, as long as what is there, has its own.
            let is_placed = text.chars().count() == 1 && text.len() == span.end - span.start;
            match &mut self.text {
                Some((before, range, are_placed)) => {
                    *are_placed &= is_placed && range.end == span.start;
                    before.push_str(text);
                    range.end = span.end;
                }
                None => self.text = Some((text.clone(), *span, is_placed)),
            }
            if !self.takes_texts {
                self.flush_text();
            }
            return;
        }
        self.flush_text();
        self.process(&TokenView::Token(token));
    }

    fn flush_text(&mut self) {
        let Some((text, span, is_placed)) = self.text.take() else { return };
        if text.is_empty() {
            return;
        }
        let is_passed = self.is_cleaned(&TokenView::Text(&text, span));
        if !is_passed {
            return;
        }
        if self.takes_texts && self.is_joined {
            return self.process(&TokenView::Text(&text, span));
        }
        for (at, character) in text.char_indices() {
            let start = span.start + at;
            let own = Span { start, end: start + character.len_utf8() };
            self.process(&TokenView::Character(character, if is_placed { own } else { span }));
        }
    }

    /// Lets the table's algorithm have the token before rows see it; whether it passes it on.
    fn is_cleaned(&mut self, seen: &TokenView<'_>) -> bool {
        (self.is_passed, self.is_joined) = (false, false);
        self.routine(Routine::TokenCleanup, Vec::new(), &Asked::of(seen));
        self.is_passed
    }

    fn process(&mut self, seen: &TokenView<'_>) {
        self.popped = None;
        self.end_tag_used = false;
        self.tag = seen.tag().map(node::working);
        if matches!(seen, TokenView::Token(_)) && !self.is_cleaned(seen) {
            return;
        }
        // Each time it changes the mode, pops an element, or processes a pending character.
        let most = self.construction.modes.len() + self.open.len() + self.pending.len();
        self.led = (0, 64 + 4 * most);
        let asked = Asked { error: self.construction.unacknowledged, ..Asked::of(seen) };
        self.routine(Routine::Emit, Vec::new(), &asked);
    }

    /// Takes the row of this mode that takes what is seen.
    fn take_row(&mut self, mode: ModeId, seen: &TokenView<'_>) {
        self.is_reprocessed =
            !self.has_stopped && matches!(self.by_rules_of(mode, seen), Flow::Again);
    }

    fn by_rules_of(&mut self, mode: ModeId, seen: &TokenView<'_>) -> Flow {
        self.led.0 += 1;
        if self.led.0 > self.led.1 {
            (self.is_endless, self.has_stopped) = (true, true);
            return Flow::Done;
        }
        let construction = self.construction;
        let rows = &construction.mode(mode).rows;
        let found = match seen {
            TokenView::Character(..) => {
                let may_take = self.rows_for_characters(mode);
                self.row_for(
                    construction.mode(mode),
                    &|| may_take.iter().map(|&row| usize::from(row)),
                    seen,
                )
            }
            TokenView::Token(_) | TokenView::Text(..) => {
                self.row_for(construction.mode(mode), &|| 0..rows.len(), seen)
            }
        };
        let Some(index) = found else { return Flow::Done };
        self.rows.push(ModeRowId { mode, row: index as u16 });
        self.take(mode, &rows[index].steps, seen)
    }

    /// The rows of the mode that may take a character. They are few, and characters are many.
    fn rows_for_characters(&mut self, mode: ModeId) -> Rc<[u16]> {
        let rows = &self.construction.mode(mode).rows;
        let may_take = |row: &ModeRow| {
            row.patterns.iter().any(|pattern| {
                matches!(pattern.value, TokenPattern::Character(_) | TokenPattern::Else)
            })
        };
        let known = self.character_rows[usize::from(mode.0)].get_or_insert_with(|| {
            (0..).zip(rows).filter(|(_, row)| may_take(row)).map(|(index, _)| index).collect()
        });
        known.clone()
    }

    /// Of these rows the one that takes what is seen: one that names it before one that takes any of its kind, before
    /// `else`.
    fn row_for<I: Iterator<Item = usize>>(
        &mut self,
        mode: &Mode,
        rows: &dyn Fn() -> I,
        seen: &TokenView<'_>,
    ) -> Option<usize> {
        let tag_name = self.tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default();
        let tokens = &self.construction.tokens;
        let is_declared = |token: &Token, id: TokenId| matches!(token, Token::Declared { name, .. } if *name == tokens[usize::from(id.0)].name);
        let mut find = |wanted: &dyn Fn(&TokenPattern) -> bool| {
            rows().find(|&index| {
                let row = &mode.rows[index];
                row.patterns.iter().any(|pattern| wanted(&pattern.value))
                    && row.guard.as_ref().is_none_or(|guard| self.holds(&guard.value, seen))
            })
        };
        find(&|pattern| names(mode, pattern, seen, &tag_name))
            .or_else(|| find(&|pattern| takes_kind(mode, pattern, seen, is_declared)))
            .or_else(|| find(&|pattern| *pattern == TokenPattern::Else))
    }

    fn take(&mut self, mode: ModeId, steps: &[TreeStep], seen: &TokenView<'_>) -> Flow {
        for (index, step) in steps.iter().enumerate() {
            let flow = match step {
                TreeStep::Action(action) => self.act(mode, &action.value, seen),
                TreeStep::When { condition, then, otherwise } => {
                    let branch = if self.holds(&condition.value, seen) { then } else { otherwise };
                    self.take(mode, branch, seen)
                }
            };
            match flow {
                Flow::On => {}
                Flow::Again | Flow::Done => return flow,
                Flow::Lent(lender) => {
                    let lent = self.by_rules_of(lender, seen);
                    // The steps after it come before the token is processed again.
                    let rest = self.take(mode, &steps[index + 1..], seen);
                    let again = matches!(rest, Flow::Again) || matches!(lent, Flow::Again);
                    return if again { Flow::Again } else { Flow::Done };
                }
            }
        }
        Flow::On
    }

    /// Takes the steps of the mode's `else` row, behind which no other steps stand.
    fn as_else(&mut self, mode: ModeId, seen: &TokenView<'_>) -> Flow {
        let construction = self.construction;
        let rows = &construction.mode(mode).rows;
        let is_else =
            |row: &&ModeRow| row.patterns.iter().any(|pattern| pattern.value == TokenPattern::Else);
        let Some(row) = rows.iter().find(is_else) else { return Flow::Done };
        let flow = self.take(mode, &row.steps, seen);
        if matches!(flow, Flow::On) { Flow::Done } else { flow }
    }

    fn is_one_of(&self, node: NodeId, names: &[ElementName]) -> bool {
        let NodeKind::Element(name, _) = &self.tree.nodes[node].kind else { return false };
        names.iter().any(|other| match self.construction.elements {
            Elements::Html => {
                node::url(other.namespace) == name.namespace && other.local == name.local
            }
            Elements::Plain | Elements::Xml => {
                other.namespace == Namespace::Own && other.local == name.qualified
            }
        })
    }

    fn has_name_of(&self, node: NodeId, seen: &TokenView<'_>) -> bool {
        let NodeKind::Element(name, _) = &self.tree.nodes[node].kind else { return false };
        match (self.construction.elements, &self.tag) {
            (Elements::Html, Some(tag)) => node::is_own(name) && tag.name == name.local,
            _ => seen.tag().is_some_and(|tag| tag.name == name.qualified),
        }
    }
}

/// Whether a row of a mode looks at whole texts.
fn takes_texts(construction: &Construction) -> bool {
    let rows = construction.modes.iter().flat_map(|mode| &mode.rows);
    rows.flat_map(|row| &row.patterns).any(|it| matches!(it.value, TokenPattern::Text(_)))
}
