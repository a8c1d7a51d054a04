//! Interprets the rows of modes: runs the matching row of the current mode for each token, and builds a tree of plain
//! nodes. The interpreter is the oracle for the compiled tree builder and shares no code with it. It terminates for
//! every table that the checks accept, and never recurses on the depth of the tree.

use super::{Span, Token};
use std::cell::Cell;
use std::mem;
use tabulex_language::model::tree::algorithm::{Algorithm, RunStep};
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
mod text;
mod token_view;

pub use configuration::{NEAR, TreeConfiguration};
pub use nodes::{Name, Node, NodeId, NodeKind, ShadowRoot, Tree};

use algorithm::Invocation;
pub use algorithm::{LabelLookup, prescan, serialize};
use document::ContextDocument;
use formatting::Entry;
use template::Patch;
use token_view::{TokenMatch, TokenView, match_token};

/// A step of an algorithm that was run.
#[derive(Clone, Copy, Debug)]
pub struct TracedStep<'m> {
    /// Number of rows run before the step, including the row that runs the algorithm.
    pub rows: usize,
    /// Algorithm that contains the step.
    pub algorithm: &'m Algorithm,
    /// Step that was run.
    pub step: &'m RunStep,
}

/// A tree builder that interprets the rows of modes.
#[derive(Debug)]
pub struct TreeBuilder<'m> {
    construction: &'m Construction,
    /// Tree built so far.
    pub tree: Tree,
    /// Errors of tree construction, each with the range of its token.
    pub errors: Vec<(ErrorId, Span)>,
    /// Rows run so far, in order.
    pub rows: Vec<ModeRowId>,
    /// Steps of algorithms run so far, in order, if they are traced.
    pub traced_steps: Option<Vec<TracedStep<'m>>>,
    /// Notifications to the host, each with its word and its node.
    pub calls: Vec<(String, NodeId)>,
    mode: ModeId,
    /// Stack of open elements, the current node last.
    open: Vec<NodeId>,
    /// Index in the stack of open elements at which the last search found an element.
    found_at: Cell<usize>,
    /// Text that has been received but not processed, if any, its range, and whether the range maps each character to
    /// its position in the input.
    text: Option<(String, Span, bool)>,
    /// Whether a row of a mode matches whole texts.
    matches_whole_texts: bool,
    has_stopped: bool,
    /// Number of times that modes have processed the current token, and the maximum allowed number.
    dispatches: (usize, usize),
    /// Whether a token was processed too often or an algorithm took too many steps; the checks do not detect every such
    /// loop.
    is_endless: bool,
    /// Whether an assertion of an algorithm failed.
    is_broken: bool,
    /// Number of steps that the running algorithm may still take.
    steps_left: usize,
    /// Number of entries ever added to the list of active formatting elements.
    entry_count: usize,
    /// Node into which a fragment is parsed, if any.
    root_target: Option<NodeId>,
    /// Element most recently popped for the current token, if any.
    popped: Option<NodeId>,
    /// Tag being processed, if any, with the changes made so far.
    tag: Option<ActiveTag>,
    /// Whether the end tag being processed has already been paired with an element.
    is_end_tag_paired: bool,
    original_mode: Option<ModeId>,
    template_modes: Vec<ModeId>,
    /// List of active formatting elements.
    formatting: Vec<Entry>,
    pointers: Vec<Option<NodeId>>,
    flags: Vec<u8>,
    /// Mode of the document: no-quirks, limited-quirks or quirks.
    pub document_mode: DocumentMode,
    is_fostering: bool,
    ignores_line_feed: bool,
    /// Pending characters, such as those of a table's text.
    pending: Vec<(char, Span)>,
    feedback: Option<FeedbackId>,
    context: Option<NodeId>,
    /// Document of the context element; `None` unless a fragment is parsed.
    surroundings: Option<ContextDocument>,
    /// Text to be parsed as a fragment, if any.
    input_stream: Option<String>,
    /// Bytes that the prescan examines for an encoding before the input is decoded.
    bytes: Option<algorithm::Bytes<'m>>,
    /// State of the algorithm that is suspended until the end of the input, if there is one.
    suspended_frame: Option<algorithm::Frame<'m>>,
    integration_points: Vec<NodeId>,
    patches: Vec<(NodeId, Patch)>,
    /// Whether a row of `reset` tests the first element of the stack, or the context element in its place.
    is_last: bool,
}

/// The tag being processed, with its name and attributes as changed by steps so far.
#[derive(Clone, Debug)]
struct ActiveTag {
    name: String,
    attributes: Vec<(Name, String)>,
    self_closing: bool,
    is_acknowledged: bool,
    /// Whether duplicate attributes were removed.
    is_shortened: bool,
    span: Span,
}

/// Control flow after an action.
enum Flow {
    /// Continue with the next step.
    Continue,
    /// Finish the token.
    Done,
    /// Process the token again.
    Reprocess,
    /// Process the token by the rules of another mode, run the remaining steps, and finish the token.
    Delegate(ModeId),
}

impl<'m> TreeBuilder<'m> {
    /// Creates a builder with an empty document.
    pub fn new(construction: &'m Construction) -> Self {
        let document = Node::new(NodeKind::Document, Span::default());
        Self {
            construction,
            tree: Tree { nodes: vec![document] },
            errors: Vec::new(),
            rows: Vec::new(),
            traced_steps: None,
            calls: Vec::new(),
            mode: construction.start,
            open: Vec::new(),
            found_at: Cell::new(0),
            text: None,
            matches_whole_texts: construction.takes_texts(),
            has_stopped: false,
            dispatches: (0, 0),
            is_endless: false,
            is_broken: false,
            steps_left: 0,
            entry_count: 0,
            root_target: None,
            popped: None,
            tag: None,
            is_end_tag_paired: false,
            original_mode: None,
            template_modes: Vec::new(),
            formatting: Vec::new(),
            pointers: vec![None; construction.pointers.len()],
            flags: vec![0; construction.flags.len()],
            document_mode: DocumentMode::NoQuirks,
            is_fostering: false,
            ignores_line_feed: false,
            pending: Vec::new(),
            feedback: None,
            context: None,
            surroundings: None,
            input_stream: None,
            bytes: None,
            suspended_frame: None,
            integration_points: Vec::new(),
            patches: Vec::new(),
            is_last: false,
        }
    }

    /// Sets a flag of tree construction that the host controls, by name. Unknown names are ignored.
    pub fn set_flag(&mut self, name: &str, value: u8) {
        let flags = &self.construction.flags;
        if let Some(index) = flags.iter().position(|flag| flag.by_host && flag.name == name) {
            self.flags[index] = value;
        }
    }

    /// Takes the command to the tokenizer that the last token caused, if any.
    pub fn take_feedback(&mut self) -> Option<FeedbackEffect> {
        let feedback = self.feedback.take()?;
        self.construction.feedback[usize::from(feedback.0)].effect
    }

    /// Answers the tokenizer's query of a host flag with the index of a value, or `None` if no answer is declared.
    pub fn answer(&mut self, flag: FlagId) -> Option<u8> {
        let construction = self.construction;
        let answers = &construction.answers;
        let answer = answers.iter().find(|answer| answer.flag == flag)?;
        Some(if self.holds(&answer.condition, &TokenView::NONE) { answer.value } else { 0 })
    }

    /// Processes the next token. Texts may be held until the next token of another kind.
    pub fn token(&mut self, token: &Token) {
        if !self.is_passed_to_modes(token) {
            return;
        }
        if let Token::Text { text, span } = token {
            // Only a text of one unchanged character has exact positions; any other text has one range as a whole.
            let is_exact = text.chars().count() == 1 && text.len() == span.end - span.start;
            match &mut self.text {
                Some((before, range, are_exact)) => {
                    *are_exact &= is_exact && range.end == span.start;
                    before.push_str(text);
                    range.end = span.end;
                }
                None => self.text = Some((text.clone(), *span, is_exact)),
            }
            if !self.matches_whole_texts {
                self.flush_text();
            }
            return;
        }
        self.flush_text();
        self.process(&TokenView::Token(token));
    }

    fn flush_text(&mut self) {
        let Some((text, span, is_exact)) = self.text.take() else { return };
        if text.is_empty() {
            return;
        }
        if self.matches_whole_texts {
            return self.process(&TokenView::Text(&text, span));
        }
        for (at, character) in text.char_indices() {
            let start = span.start + at;
            let own_span = Span { start, end: start + character.len_utf8() };
            self.process(&TokenView::Character(character, if is_exact { own_span } else { span }));
        }
    }

    fn process(&mut self, view: &TokenView<'_>) {
        self.popped = None;
        self.is_end_tag_paired = false;
        self.tag = view.tag().map(node::active_tag);
        // With `elements xml`, whether names are equal depends on their prefixes, which are resolved later.
        if self.construction.elements != Elements::Xml
            && let Some(tag) = &mut self.tag
        {
            tag.keep_first_attributes();
        }
        // Each reprocessing changes the mode, pops an element, or processes a pending character, so a larger number of
        // dispatches means an endless loop.
        let progress_bound = self.construction.modes.len() + self.open.len() + self.pending.len();
        self.dispatches = (0, 64 + 4 * progress_bound);
        self.take_rows(view);
        let is_unacknowledged = |tag: &ActiveTag| tag.self_closing && !tag.is_acknowledged;
        if let Some(error) = self.construction.unacknowledged
            && matches!(view, TokenView::Token(Token::StartTag(_)))
            && self.tag.as_ref().is_some_and(is_unacknowledged)
        {
            self.errors.push((error, Invocation::new(view).span));
        }
    }

    /// Runs the rows that match the token until none requests reprocessing.
    fn take_rows(&mut self, view: &TokenView<'_>) {
        let is_line_feed = matches!(view, TokenView::Character('\n', _));
        if mem::take(&mut self.ignores_line_feed) && is_line_feed {
            return;
        }
        while !self.has_stopped {
            let dispatch = self.construction.dispatch.as_ref();
            let dispatch = dispatch.filter(|dispatch| self.holds(&dispatch.condition, view));
            let mode = dispatch.map_or(self.mode, |dispatch| dispatch.mode);
            if !matches!(self.process_using(mode, view), Flow::Reprocess) {
                return;
            }
        }
    }

    fn process_using(&mut self, mode: ModeId, view: &TokenView<'_>) -> Flow {
        self.dispatches.0 += 1;
        if self.dispatches.0 > self.dispatches.1 {
            (self.is_endless, self.has_stopped) = (true, true);
            return Flow::Done;
        }
        let declaration = self.construction.mode(mode);
        let Some(index) = self.matching_row(declaration, view) else { return Flow::Done };
        self.rows.push(ModeRowId { mode, row: index as u16 });
        self.run_row_steps(mode, &declaration.rows[index].steps, view)
    }

    /// Returns the index of the matching row: one that names the token, else one that matches the kind of the token,
    /// else the `else` row; `None` if there is none of these.
    fn matching_row(&mut self, mode: &Mode, view: &TokenView<'_>) -> Option<usize> {
        let tag_name = self.tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default();
        let declared_tokens = &self.construction.tokens;
        let is_declared = |token: &Token, id: TokenId| matches!(token, Token::Declared { name, .. } if *name == declared_tokens[usize::from(id.0)].name);
        let mut matches: Vec<(TokenMatch, usize)> = Vec::new();
        for (index, row) in mode.rows.iter().enumerate() {
            let kinds = row.patterns.iter().filter_map(|pattern| {
                match_token(mode, &pattern.value, view, &tag_name, is_declared)
            });
            matches.extend(kinds.min().map(|kind| (kind, index)));
        }
        matches.sort_unstable();
        let mut indices = matches.into_iter().map(|(_, index)| index);
        indices.find(|&index| {
            let guard = mode.rows[index].guard.as_ref();
            guard.is_none_or(|guard| self.holds(&guard.value, view))
        })
    }

    fn run_row_steps(&mut self, mode: ModeId, steps: &[TreeStep], view: &TokenView<'_>) -> Flow {
        for (index, step) in steps.iter().enumerate() {
            let flow = match step {
                TreeStep::Action(action) => self.run_action(mode, &action.value, view),
                TreeStep::When { condition, then, otherwise } => {
                    let branch = if self.holds(&condition.value, view) { then } else { otherwise };
                    self.run_row_steps(mode, branch, view)
                }
            };
            match flow {
                Flow::Continue => {}
                Flow::Reprocess | Flow::Done => return flow,
                Flow::Delegate(delegate) => {
                    let delegate_flow = self.process_using(delegate, view);
                    // The steps after `using` run even if the other mode requests reprocessing, which follows them.
                    let rest_flow = self.run_row_steps(mode, &steps[index + 1..], view);
                    let reprocesses = matches!(rest_flow, Flow::Reprocess)
                        || matches!(delegate_flow, Flow::Reprocess);
                    return if reprocesses { Flow::Reprocess } else { Flow::Done };
                }
            }
        }
        Flow::Continue
    }

    /// Runs the steps of the mode's `else` row, if it has one. Returns `Flow::Done` in place of `Flow::Continue`,
    /// because a row finishes the token.
    fn run_else_row(&mut self, mode: ModeId, view: &TokenView<'_>) -> Flow {
        let construction = self.construction;
        let rows = &construction.mode(mode).rows;
        let is_else = |row: &&ModeRow| row.has_pattern(&TokenPattern::Else);
        let Some(row) = rows.iter().find(is_else) else { return Flow::Done };
        let flow = self.run_row_steps(mode, &row.steps, view);
        if matches!(flow, Flow::Continue) { Flow::Done } else { flow }
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

    fn has_name_of(&self, node: NodeId, view: &TokenView<'_>) -> bool {
        let NodeKind::Element(name, _) = &self.tree.nodes[node].kind else { return false };
        match (self.construction.elements, &self.tag) {
            (Elements::Html, Some(tag)) => {
                node::is_in_own_namespace(name) && tag.name == name.local
            }
            _ => view.tag().is_some_and(|tag| tag.name == name.qualified),
        }
    }
}
