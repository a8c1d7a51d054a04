//! Machine and modes together: a document, or a fragment with its context. Invariant: tree construction answers the
//! tokenizer at every token and at every question, as one parser.

use super::algorithm::{Asked, End, Value};
use super::{Name, Node, NodeId, NodeKind, Tree, TreeBuilder, TreeConfiguration, node};
use crate::interpreter::{
    Configuration, Control, Error, Host, Interpreter, Options, Span, Stuck, Taken, Token,
};
use std::collections::HashSet;
use tabulex_language::model::tree::algorithm::{Expression, Parameter, Routine};
use tabulex_language::model::tree::{
    DocumentMode, ElementName, FeedbackEffect, ModeRowId, Namespace,
};
use tabulex_language::model::{ErrorId, FlagId, RowId, StateId};

/// The document around the context of a fragment.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// Its node.
    pub(super) document: NodeId,
    /// How it is rendered.
    pub(super) mode: DocumentMode,
    /// The flags of tree construction as the host has set them for it.
    pub(super) flags: Vec<u8>,
}

/// How to parse.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Flags that the host sets, of tree construction or of the machine, by name, and the index of the value.
    pub flags: Vec<(String, u8)>,
    /// The element in which a fragment is parsed.
    pub context: Option<Context>,
    /// Whether a byte order mark at the beginning of the input is a character; in a fragment it always is.
    pub keeps_byte_order_mark: bool,
}

/// The element in which a fragment is parsed.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its namespace.
    pub namespace: Namespace,
    /// Its local name.
    pub local: String,
    /// Its attributes.
    pub attributes: Vec<(String, String)>,
    /// How its document is rendered.
    pub document_mode: DocumentMode,
    /// The elements around it.
    pub around: Vec<ElementName>,
}

/// What comes of it.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; of a fragment, what was parsed is in the document's element.
    pub tree: Tree,
    /// All errors, by place.
    pub errors: Vec<(ErrorId, Span)>,
    /// How the document is rendered.
    pub document_mode: DocumentMode,
    /// The rows of modes that were taken.
    pub mode_rows: Vec<ModeRowId>,
    /// The rows of states that were taken.
    pub rows: Vec<RowId>,
    /// What the host was notified of, with the node.
    pub calls: Vec<(String, super::NodeId)>,
    /// When the input was read to its end, before the row for that was taken: the state, and what the builder
    /// remembered.
    pub end: Option<(StateId, TreeConfiguration)>,
}

/// Who looks on while a document is parsed. Every method has a default, so that it names what it wants.
pub trait Observer {
    /// A row of a state was taken.
    fn taken(&mut self, taken: &Taken<'_>) {
        let _ = taken;
    }

    /// The tokenizer found an error.
    fn error(&mut self, error: Error) {
        let _ = error;
    }

    /// A token is about to be given to the builder.
    fn token(&mut self, token: &Token) {
        let _ = token;
    }

    /// The builder has done with the token; its rows and errors are among those that it has by now.
    fn built(&mut self, builder: &TreeBuilder<'_>) {
        let _ = builder;
    }
}

/// Who looks on where nobody does.
struct Nobody;

impl Observer for Nobody {}

/// Parses the whole input by the machine and its modes.
///
/// # Errors
/// Only for a table that the checks do not accept.
///
/// # Panics
/// If the machine has no modes.
pub fn parse(
    interpreter: &Interpreter<'_>,
    input: &str,
    options: &ParseOptions,
) -> Result<Parsed, Stuck> {
    parse_observed(interpreter, input, options, &mut Nobody)
}

/// Parses as [`parse`] does, and reports each step to the observer.
///
/// # Errors
/// Only for a table that the checks do not accept.
///
/// # Panics
/// If the machine has no modes.
pub fn parse_observed(
    interpreter: &Interpreter<'_>,
    input: &str,
    options: &ParseOptions,
    observer: &mut dyn Observer,
) -> Result<Parsed, Stuck> {
    let machine = interpreter.machine();
    let construction = machine.construction.as_ref().expect("the machine has modes");
    let mut builder = TreeBuilder::new(construction);
    for (name, value) in &options.flags {
        builder.set_flag(name, *value);
    }
    let keeps_byte_order_mark = options.keeps_byte_order_mark || options.context.is_some();
    let mut own = Options { keeps_byte_order_mark, ..Options::default() };
    if let Some(context) = &options.context {
        match builder.begin_fragment(context, input) {
            Some(FeedbackEffect::Switch(state)) => own.state = Some(state),
            Some(FeedbackEffect::SetFlag(flag, value)) => own.flags.push((flag, value)),
            None => {}
        }
    }
    let named = |flag: FlagId| {
        let name = &machine.flags[usize::from(flag.0)].name;
        options.flags.iter().find(|(other, _)| other == name).map_or(0, |(_, value)| *value)
    };
    // A fragment is what the algorithm has put into the input stream.
    let stream = options.context.is_some().then(|| builder.input_stream.take().unwrap_or_default());
    let mut joint =
        Joint { builder, errors: Vec::new(), rows: Vec::new(), named: &named, end: None, observer };
    interpreter.run(stream.as_deref().unwrap_or(input), &own, &mut joint)?;
    joint.builder.end_fragment();
    let Joint { builder, mut errors, rows, end, .. } = joint;
    let (state, position) = (end.as_ref().map_or(machine.start, |(state, _)| *state), input.len());
    if builder.is_broken {
        return Err(Stuck::Asserted { state, position });
    }
    if builder.is_endless {
        return Err(Stuck::Endless { state, position });
    }
    errors.extend(&builder.errors);
    if machine.inserts() {
        // All that is in a replacement text has the range of its reference: there an error is reported once.
        let mut reported = HashSet::new();
        errors.retain(|&(error, span)| reported.insert((error, span.start, span.end)));
    }
    let mut tree = builder.tree;
    if machine.newlines_normalized {
        errors.iter_mut().for_each(|(_, span)| *span = of_whole_line_ends(*span, input));
        for node in &mut tree.nodes {
            node.span = of_whole_line_ends(node.span, input);
            node.end_span = node.end_span.map(|span| of_whole_line_ends(span, input));
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

/// The range, of which no end is between the CR and the LF of one line end.
fn of_whole_line_ends(span: Span, input: &str) -> Span {
    let bytes = input.as_bytes();
    let whole = |offset: usize| {
        let is_within = bytes[..offset].ends_with(b"\r") && bytes[offset..].starts_with(b"\n");
        offset - usize::from(is_within)
    };
    Span { start: whole(span.start), end: whole(span.end) }
}

struct Joint<'m> {
    builder: TreeBuilder<'m>,
    errors: Vec<(ErrorId, Span)>,
    rows: Vec<RowId>,
    named: &'m dyn Fn(FlagId) -> u8,
    end: Option<(StateId, TreeConfiguration)>,
    observer: &'m mut dyn Observer,
}

impl Host for Joint<'_> {
    fn token(&mut self, token: Token) -> Control {
        self.observer.token(&token);
        self.builder.token(&token);
        self.observer.built(&self.builder);
        match self.builder.take_feedback() {
            Some(FeedbackEffect::Switch(state)) => Control::Switch(state),
            Some(FeedbackEffect::SetFlag(flag, value)) => Control::SetFlag(flag, value),
            None => Control::Continue,
        }
    }

    fn error(&mut self, error: Error) {
        self.observer.error(error);
        self.errors.push((error.error, error.span));
    }

    fn taken(&mut self, taken: &Taken<'_>) {
        self.observer.taken(taken);
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        self.builder.answer(flag).unwrap_or_else(|| (self.named)(flag))
    }

    fn row(&mut self, row: RowId) {
        self.rows.push(row);
    }

    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        if self.end.is_none() {
            self.end = Some((configuration().state, self.builder.configuration()));
        }
    }
}

impl TreeBuilder<'_> {
    /// Makes the builder ready for a fragment, by the table's algorithm; what the tokenizer is to do first.
    pub fn begin_fragment(&mut self, context: &Context, input: &str) -> Option<FeedbackEffect> {
        let flags = self.flags.clone();
        let algorithm = self.construction.routine(Routine::ParseFragment)?;
        let algorithm = self.construction.algorithm(algorithm);
        // What the host says of the flags that the algorithm sets is known by what it is given, and of its document.
        algorithm.sets.iter().for_each(|(flag, _)| self.flags[usize::from(flag.0)] = 0);
        let said = |parameter: &Parameter| {
            let value = Expression::Variable(parameter.variable);
            let flag = algorithm.sets.iter().find(|(_, by)| *by == value).map(|(flag, _)| flag)?;
            Some(Value::Truth(flags[usize::from(flag.0)] != 0))
        };
        let said = algorithm.parameters.get(2).and_then(said);
        let document = self.apart(NodeKind::Document, None);
        let (mode, mut parent) = (context.document_mode, document);
        self.surroundings = Some(Surroundings { document, mode, flags });
        for around in context.around.iter().rev() {
            parent = self.apart(element(around.namespace, &around.local, &[]), Some(parent));
        }
        let target = element(context.namespace, &context.local, &context.attributes);
        let target = Value::Node(self.apart(target, Some(parent)));
        let given = [target, Value::Text(input.to_owned())].into_iter().chain(said).collect();
        let nothing = super::TokenView::Character('\0', Span::default());
        self.routine(Routine::ParseFragment, given, &Asked::of(&nothing));
        self.take_feedback()
    }

    /// What is left of the algorithm when the input was read to its end. What it returns is put into the root element, where
    /// those who compare trees look for it.
    fn end_fragment(&mut self) {
        let nothing = super::TokenView::Character('\0', Span::default());
        let end = self.resume(&Asked::of(&nothing));
        let root = self.tree.nodes[0].children.first().copied();
        if let (Some(End::Value(Value::Node(fragment))), Some(root)) = (end, root) {
            for child in self.tree.nodes[fragment].children.clone() {
                self.tree.detach(child);
                self.tree.insert(root, None, child);
            }
        }
    }

    /// A node that is in no tree of the parser.
    fn apart(&mut self, kind: NodeKind, parent: Option<NodeId>) -> NodeId {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, Span::default()));
        if let Some(parent) = parent {
            self.tree.insert(parent, None, node);
        }
        node
    }
}

fn element(namespace: Namespace, local: &str, attributes: &[(String, String)]) -> NodeKind {
    let plain = |name: &str, namespace: &str| Name {
        qualified: name.to_owned(),
        local: name.to_owned(),
        namespace: namespace.to_owned(),
        ..Name::default()
    };
    let attributes = attributes.iter().map(|(name, value)| (plain(name, ""), value.clone()));
    NodeKind::Element(plain(local, node::url(namespace)), attributes.collect())
}
