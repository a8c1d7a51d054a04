//! Parses documents and fragments with tokenizer and tree construction, which exchange commands and answers at each
//! token.

use super::algorithm::{Invocation, Value};
use super::{Name, Node, NodeId, NodeKind, TokenView, Tree, TreeBuilder, TreeConfiguration, node};
use crate::interpreter::{
    CompletedRow, Configuration, Control, Error, Host, Interpreter, Options, Span, Stuck,
    StuckReason, Token,
};
use std::collections::HashSet;
use tabulex_language::model::tree::algorithm::{Expression, Parameter, Routine, RunStep};
use tabulex_language::model::tree::{
    DocumentMode, ElementName, FeedbackEffect, ModeRowId, Namespace,
};
use tabulex_language::model::{ErrorId, FlagId, Machine, RowId, StateId};

/// The document that contains the context element of a fragment.
#[derive(Clone, Debug)]
pub(super) struct ContextDocument {
    /// Node of the document.
    pub(super) document: NodeId,
    /// Quirks mode of the document.
    pub(super) mode: DocumentMode,
    /// Flags of tree construction that the host has set for the document.
    pub(super) flags: Vec<u8>,
}

/// Options for parsing.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Flags of the machine or of tree construction that the host sets: name and index of the value.
    pub flags: Vec<(String, u8)>,
    /// Context element of a fragment; `None` to parse a document.
    pub context: Option<Context>,
}

/// The context element of a fragment.
#[derive(Clone, Debug)]
pub struct Context {
    /// Namespace of the element.
    pub namespace: Namespace,
    /// Local name of the element.
    pub local: String,
    /// Attributes of the element.
    pub attributes: Vec<(String, String)>,
    /// Quirks mode of the element's document.
    pub document_mode: DocumentMode,
    /// Ancestors of the element, innermost first.
    pub around: Vec<ElementName>,
}

impl Context {
    /// Creates a context from an element without attributes and ancestors, in a document without quirks.
    pub fn new(ElementName { namespace, local }: ElementName) -> Self {
        let (attributes, around) = (Vec::new(), Vec::new());
        Self { namespace, local, attributes, document_mode: DocumentMode::NoQuirks, around }
    }

    /// Parses a context: an element (`NAME`, `svg NAME` or `math NAME`), and optionally `inside` and a parent element.
    ///
    /// # Errors
    /// Returns a message if the namespace is unknown.
    pub fn parse(text: &str) -> Result<Self, String> {
        let element = |text: &str| {
            let (namespace, local) = match text.split_once(' ') {
                Some(("svg", local)) => (Namespace::Svg, local),
                Some(("math", local)) => (Namespace::Math, local),
                Some((other, _)) => {
                    return Err(format!("unknown namespace `{other}`; use `svg` or `math`"));
                }
                None => (Namespace::Own, text),
            };
            Ok(ElementName { namespace, local: local.to_owned() })
        };
        Ok(match text.split_once(" inside ") {
            Some((name, around)) => {
                Self { around: vec![element(around)?], ..Self::new(element(name)?) }
            }
            None => Self::new(element(text)?),
        })
    }
}

/// The result of parsing.
#[derive(Debug)]
pub struct Parsed {
    /// The tree. The nodes of a fragment are children of the document's element.
    pub tree: Tree,
    /// Errors of tokenizer and tree construction, sorted by position.
    pub errors: Vec<(ErrorId, Span)>,
    /// Quirks mode of the document.
    pub document_mode: DocumentMode,
    /// Rows of modes that were run.
    pub mode_rows: Vec<ModeRowId>,
    /// Rows of states that were run.
    pub rows: Vec<RowId>,
    /// Notifications to the host, each with its node.
    pub calls: Vec<(String, super::NodeId)>,
    /// State of the tokenizer and configuration of the builder at the end of the input, before the row for `EOF`;
    /// `None` if parsing stopped before that.
    pub end: Option<(StateId, TreeConfiguration)>,
}

impl Parsed {
    /// Returns the errors with their codes.
    pub fn error_codes(&self, machine: &Machine) -> Vec<(String, Span)> {
        let code = |error: ErrorId| machine.errors[usize::from(error.0)].name.clone();
        self.errors.iter().map(|&(error, span)| (code(error), span)).collect()
    }
}

/// Parses the whole input with the machine and its modes.
///
/// # Errors
/// Returns an error only for a table that the checks reject, or for a loop of modes that they do not detect.
///
/// # Panics
/// Panics if the machine has no modes.
pub fn parse(
    interpreter: &Interpreter<'_>,
    input: &str,
    options: &ParseOptions,
) -> Result<Parsed, Stuck> {
    parse_observed(interpreter, input, options, &mut ())
}

/// Parses like [`parse`], and reports rows, errors and tokens of the tokenizer to an observer. Of its answers, only that
/// of [`Host::traces_steps`] has an effect.
///
/// # Errors
/// Returns an error only for a table that the checks reject, or for a loop of modes that they do not detect.
///
/// # Panics
/// Panics if the machine has no modes.
pub fn parse_observed(
    interpreter: &Interpreter<'_>,
    input: &str,
    options: &ParseOptions,
    observer: &mut dyn Host,
) -> Result<Parsed, Stuck> {
    let machine = interpreter.machine();
    let construction = machine.construction.as_ref().expect("the machine must have modes");
    let mut builder = TreeBuilder::new(construction);
    builder.traced_steps = observer.traces_steps().then(Vec::new);
    for (name, value) in &options.flags {
        builder.set_flag(name, *value);
    }
    let keeps_byte_order_mark = options.context.is_some();
    let mut flags = interpreter.flag_ids(&options.flags);
    flags.retain(|(flag, _)| machine.flags[usize::from(flag.0)].is_queried_from_host());
    let mut fragment_options = Options { keeps_byte_order_mark, flags, ..Options::default() };
    if let Some(context) = &options.context {
        match builder.begin_fragment(context, input) {
            Some(FeedbackEffect::Switch(state)) => fragment_options.state = Some(state),
            Some(FeedbackEffect::SetFlag(flag, value)) => {
                fragment_options.flags.push((flag, value))
            }
            None => {}
        }
    }
    // `begin_fragment` runs the table's algorithm, which puts the fragment's text into the input stream.
    let fragment_input =
        options.context.is_some().then(|| builder.input_stream.take().unwrap_or_default());
    let mut host =
        ParserHost { builder, errors: Vec::new(), rows: Vec::new(), end: None, observer };
    interpreter.run(fragment_input.as_deref().unwrap_or(input), &fragment_options, &mut host)?;
    host.builder.end_fragment();
    let ParserHost { builder, mut errors, rows, end, .. } = host;
    let (state, position) = (end.as_ref().map_or(machine.start, |(state, _)| *state), input.len());
    if builder.is_broken || builder.is_endless {
        let has_failed_assertion = builder.is_broken;
        let reason =
            if has_failed_assertion { StuckReason::Asserted } else { StuckReason::Endless };
        return Err(Stuck { reason, state, position });
    }
    errors.extend(&builder.errors);
    if machine.inserts() {
        // All errors in a replacement text have the range of the reference, so each code is reported once.
        let mut reported = HashSet::new();
        errors.retain(|&(error, span)| reported.insert((error, span.start, span.end)));
    }
    let mut tree = builder.tree;
    if machine.newlines_normalized {
        errors.iter_mut().for_each(|(_, span)| *span = align_to_line_ends(*span, input));
        for node in &mut tree.nodes {
            node.span = align_to_line_ends(node.span, input);
            node.end_span = node.end_span.map(|span| align_to_line_ends(span, input));
        }
    }
    errors.sort_by_key(|(_, span)| *span);
    Ok(Parsed {
        tree,
        errors,
        document_mode: builder.document_mode,
        mode_rows: builder.rows,
        rows,
        calls: builder.calls,
        end,
    })
}

/// Moves each end of a range that is between CR and LF to before the CR.
fn align_to_line_ends(span: Span, input: &str) -> Span {
    let bytes = input.as_bytes();
    let align = |offset: usize| {
        let is_inside = bytes[..offset].ends_with(b"\r") && bytes[offset..].starts_with(b"\n");
        offset - usize::from(is_inside)
    };
    Span { start: align(span.start), end: align(span.end) }
}

struct ParserHost<'m> {
    builder: TreeBuilder<'m>,
    errors: Vec<(ErrorId, Span)>,
    rows: Vec<RowId>,
    end: Option<(StateId, TreeConfiguration)>,
    observer: &'m mut dyn Host,
}

impl Host for ParserHost<'_> {
    fn token(&mut self, token: Token) -> Control {
        self.builder.token(&token);
        self.observer.token(token);
        self.observer.after_token(&self.builder);
        self.builder.take_feedback().map(Control::from).unwrap_or_default()
    }

    fn error(&mut self, error: Error) {
        self.observer.error(error);
        self.errors.push((error.error, error.span));
    }

    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        self.observer.after_row(completed);
    }

    fn flag(&mut self, flag: FlagId) -> Option<u8> {
        self.builder.answer(flag)
    }

    fn before_row(&mut self, row: RowId) {
        self.rows.push(row);
    }

    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        if self.end.is_none() {
            self.end = Some((configuration().state, self.builder.configuration()));
        }
    }
}

impl TreeBuilder<'_> {
    /// Creates the context element, and runs the table's algorithm for fragments up to the parsing of the input.
    /// Returns the initial command to the tokenizer, if any.
    pub fn begin_fragment(&mut self, context: &Context, input: &str) -> Option<FeedbackEffect> {
        let flags = self.flags.clone();
        let algorithm = self.construction.routine(Routine::ParseFragment)?;
        let algorithm = self.construction.algorithm(algorithm);
        // The algorithm sets these flags itself, from its parameters and the document of the context, so they are
        // cleared before it runs.
        let sets: Vec<_> = algorithm.steps.iter().filter_map(RunStep::sets).collect();
        sets.iter().for_each(|(flag, _)| self.flags[usize::from(flag.0)] = 0);
        let argument_for = |parameter: &Parameter| {
            let variable = Expression::Variable(parameter.variable);
            let flag = sets.iter().find(|(_, by)| **by == variable).map(|(flag, _)| flag)?;
            Some(Value::Truth(flags[usize::from(flag.0)] != 0))
        };
        let flag_argument = algorithm.parameters.get(2).and_then(argument_for);
        let document = self.create_detached(NodeKind::Document, None);
        let (mode, mut parent) = (context.document_mode, document);
        self.surroundings = Some(ContextDocument { document, mode, flags });
        for around in context.around.iter().rev() {
            parent =
                self.create_detached(element(around.namespace, &around.local, &[]), Some(parent));
        }
        let context_element = element(context.namespace, &context.local, &context.attributes);
        let context_element = Value::Node(self.create_detached(context_element, Some(parent)));
        let arguments = [context_element, Value::Text(input.to_owned())]
            .into_iter()
            .chain(flag_argument)
            .collect();
        self.run_routine(Routine::ParseFragment, arguments, &Invocation::new(&TokenView::NONE));
        self.take_feedback()
    }

    /// Runs the remaining steps of the algorithm for fragments, and moves the children of the resulting fragment into
    /// the root element, where comparisons of trees expect these nodes.
    fn end_fragment(&mut self) {
        let result = self.resume(&Invocation::new(&TokenView::NONE));
        let root = self.tree.nodes[0].children.first().copied();
        if let (Some(Value::Node(fragment)), Some(root)) = (result, root) {
            for child in self.tree.nodes[fragment].children.clone() {
                self.tree.detach(child);
                self.tree.insert(root, None, child);
            }
        }
    }

    /// Creates a node that is not part of the parsed document, as a child of `parent` if there is one.
    fn create_detached(&mut self, kind: NodeKind, parent: Option<NodeId>) -> NodeId {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, Span::default()));
        if let Some(parent) = parent {
            self.tree.insert(parent, None, node);
        }
        node
    }
}

fn element(namespace: Namespace, local: &str, attributes: &[(String, String)]) -> NodeKind {
    let name = Name { namespace: node::url(namespace).to_owned(), ..node::plain_name(local) };
    let attributes = attributes.iter();
    let attributes = attributes.map(|(name, value)| (node::plain_name(name), value.clone()));
    NodeKind::Element(name, attributes.collect())
}
