//! A page that is parsed while its scripts run: the host of a parser that pauses at them. What scripts see of it is
//! document.js, on the functions of `natives`; no file is fetched, no event fired. Invariant: a script runs once, when the
//! parser has read its end tag, and what it writes is read before what follows it.

use crate::natives;
use boa_engine::{Context, Source};
use std::cell::RefCell;
use tabulex::tree::{NodeId, NodeKind, NodeRef};
use tabulex::{Options, html};

/// How often a loop of a script may turn: an endless one must end as well.
const TURNS: u64 = 100_000;

thread_local! {
    /// The page that is being parsed on this thread: functions that scripts call are given no state of their host's.
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// A page.
pub(crate) struct Page {
    /// Its parser.
    pub(crate) parser: html::Parser,
    /// The nodes that scripts have seen: an object of theirs has the index.
    pub(crate) nodes: Vec<NodeId>,
    /// The scripts that run, the innermost last.
    pub(crate) running: Vec<NodeId>,
    ran: usize,
    errors: Vec<String>,
}

/// What became of a page.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The tree in the form of the suites.
    pub(crate) dump: String,
    /// How many scripts ran.
    pub(crate) ran: usize,
    /// What the engine says of those that ended with an error.
    pub(crate) errors: Vec<String>,
}

/// Parses a page that comes in these chunks, and runs its scripts.
pub(crate) fn parse(chunks: &[&str]) -> Outcome {
    let mut parser = html::parser(Options::new().scripting(true));
    parser.pause_at_scripts(true);
    let page = Page { parser, nodes: vec![], running: vec![], ran: 0, errors: vec![] };
    PAGE.set(Some(page));
    let mut context = engine();
    for chunk in chunks {
        let script = with_page(|page| page.parser.feed_to_script(chunk));
        run_all(script, &mut context);
    }
    let page = PAGE.take().expect("it was set above");
    let dump = page.parser.finish().tree.root().to_dump();
    Outcome { dump: dump.trim_end_matches('\n').to_owned(), ran: page.ran, errors: page.errors }
}

/// An engine that knows the document.
fn engine() -> Context {
    let mut context = Context::default();
    context.runtime_limits_mut().set_loop_iteration_limit(TURNS);
    natives::register(&mut context).expect("the names are not taken");
    let prelude = Source::from_bytes(include_str!("document.js"));
    context.eval(prelude).expect("document.js is a script");
    context
}

/// Does something with the page of this thread. No script runs meanwhile.
pub(crate) fn with_page<R>(work: impl FnOnce(&mut Page) -> R) -> R {
    PAGE.with_borrow_mut(|page| work(page.as_mut().expect("scripts run while a page is parsed")))
}

/// Runs a script, and those after it as far as the parser goes on.
pub(crate) fn run_all(mut script: Option<NodeId>, context: &mut Context) {
    while let Some(node) = script {
        run(node, context);
        script = with_page(|page| page.parser.resume_after_script());
    }
}

/// Runs a script. An error ends it, and nothing else.
fn run(script: NodeId, context: &mut Context) {
    let code = with_page(|page| {
        let node = page.parser.sink().node(script);
        let code = is_run(node).then(|| node.text()).filter(|code| !code.is_empty())?;
        page.running.push(script);
        page.ran += 1;
        Some(code)
    });
    let Some(code) = code else { return };
    let ended = context.eval(Source::from_bytes(&code));
    with_page(|page| {
        page.running.pop();
        page.errors.extend(ended.err().map(|error| error.to_string()));
    });
}

/// Whether the engine runs it: "prepare the script element" asks for a place in the document and a type of JavaScript, or
/// none. A file is not fetched.
fn is_run(script: NodeRef<'_>) -> bool {
    let is_javascript = |name: &str| {
        let name = name.trim_matches(|c: char| c.is_ascii_whitespace()).to_ascii_lowercase();
        let inner = name.strip_prefix("text/").or(name.strip_prefix("application/"));
        matches!(inner, Some("javascript" | "ecmascript" | "x-javascript" | "x-ecmascript"))
    };
    let is_wanted = match (script.attribute("type"), script.attribute("language")) {
        (Some(name), _) => name.is_empty() || is_javascript(name),
        (None, Some(name)) => name.is_empty() || is_javascript(&format!("text/{name}")),
        (None, None) => true,
    };
    let is_connected = script.ancestors().last().is_some_and(|it| it.kind() == NodeKind::Document);
    is_wanted && is_connected && script.attribute("src").is_none()
}

impl Page {
    /// The number by which scripts know this node.
    pub(crate) fn number(&mut self, node: NodeId) -> usize {
        let known = self.nodes.iter().position(|it| *it == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }
}
