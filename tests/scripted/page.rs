//! A page whose scripts run during parsing: the host of a parser that pauses at them. Scripts see the DOM of
//! document.js. A script runs once, after its end tag, and its output is parsed before the rest of the page. No file is
//! fetched and no event is fired.

use crate::natives;
use boa_engine::{Context, Source};
use std::cell::RefCell;
use tabulex::tree::{NodeId, NodeKind, NodeRef};
use tabulex::{Options, WriteNode as _, html};

/// Maximum number of iterations per loop of a script; ends endless loops.
const MAX_LOOP_ITERATIONS: u64 = 100_000;

thread_local! {
    /// The page being parsed on this thread, through which native functions, which receive no state, reach it.
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// A page during parsing.
pub(crate) struct Page {
    /// The parser of the page.
    pub(crate) parser: html::Parser,
    /// Nodes known to scripts, whose JavaScript objects hold indices into this list.
    pub(crate) nodes: Vec<NodeId>,
    /// Running scripts, innermost last.
    pub(crate) running_scripts: Vec<NodeId>,
    ran: usize,
    errors: Vec<String>,
}

/// The results of parsing a page and running its scripts.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Tree in the dump format of the suites.
    pub(crate) dump: String,
    /// Number of scripts that ran.
    pub(crate) ran: usize,
    /// The engine's messages for scripts that ended with an error.
    pub(crate) errors: Vec<String>,
}

/// Parses a page in chunks, and runs its scripts.
pub(crate) fn parse(chunks: &[&str]) -> Outcome {
    let mut parser = html::parser(Options::new().scripting(true));
    parser.pause_at_scripts(true);
    let page = Page { parser, nodes: vec![], running_scripts: vec![], ran: 0, errors: vec![] };
    PAGE.set(Some(page));
    let mut context = engine();
    for chunk in chunks {
        let script = with_page(|page| page.parser.feed_to_script(chunk));
        run_all(script, &mut context);
    }
    let page = PAGE.take().expect("`PAGE` is set before the chunks are parsed");
    let dump = page.parser.finish().tree.root().to_dump();
    Outcome { dump: dump.trim_end_matches('\n').to_owned(), ran: page.ran, errors: page.errors }
}

/// Creates an engine with document.js.
fn engine() -> Context {
    let mut context = Context::default();
    context.runtime_limits_mut().set_loop_iteration_limit(MAX_LOOP_ITERATIONS);
    natives::register(&mut context).expect("no script has defined these names yet");
    let prelude = Source::from_bytes(include_str!("document.js"));
    context.eval(prelude).expect("document.js is a script");
    context
}

/// Calls a function with the page of this thread. No script may run during the call.
pub(crate) fn with_page<R>(work: impl FnOnce(&mut Page) -> R) -> R {
    PAGE.with_borrow_mut(|page| work(page.as_mut().expect("`PAGE` is set while a page is parsed")))
}

/// Runs a script, and each further one that the parser reaches when it resumes.
pub(crate) fn run_all(mut script: Option<NodeId>, context: &mut Context) {
    while let Some(node) = script {
        run(node, context);
        script = with_page(|page| page.parser.resume_after_script());
    }
}

/// Runs a script. An error only ends the script.
fn run(script: NodeId, context: &mut Context) {
    let code = with_page(|page| {
        let node = page.parser.sink().node(script);
        let code = is_runnable(node).then(|| node.text()).filter(|code| !code.is_empty())?;
        page.running_scripts.push(script);
        page.ran += 1;
        Some(code)
    });
    let Some(code) = code else { return };
    let result = context.eval(Source::from_bytes(&code));
    with_page(|page| {
        page.running_scripts.pop();
        page.errors.extend(result.err().map(|error| error.to_string()));
    });
}

/// Whether the engine runs a script: as in "prepare the script element", it must be in the document and of a
/// JavaScript type or without a type. External files are not fetched.
fn is_runnable(script: NodeRef<'_>) -> bool {
    let is_javascript = |name: &str| {
        let name = name.trim_matches(|c: char| c.is_ascii_whitespace()).to_ascii_lowercase();
        let subtype = name.strip_prefix("text/").or(name.strip_prefix("application/"));
        matches!(subtype, Some("javascript" | "ecmascript" | "x-javascript" | "x-ecmascript"))
    };
    let is_type_supported = match (script.attribute("type"), script.attribute("language")) {
        (Some(name), _) => name.is_empty() || is_javascript(name),
        (None, Some(name)) => name.is_empty() || is_javascript(&format!("text/{name}")),
        (None, None) => true,
    };
    let is_connected = script.ancestors().last().is_some_and(|it| it.kind() == NodeKind::Document);
    is_type_supported && is_connected && script.attribute("src").is_none()
}

impl Page {
    /// Returns the number under which scripts know a node.
    pub(crate) fn number(&mut self, node: NodeId) -> usize {
        let index = self.nodes.iter().position(|other| *other == node);
        index.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }
}
