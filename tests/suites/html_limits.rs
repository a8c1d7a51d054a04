//! Trees of HTML at their limits: depth, work in steps, memory. What trees are right is the business of other suites.
//! Invariant: work is counted, never timed.

use std::thread;
use tabulex::tree::{Edge, Positions};
use tabulex::{Event, Options, Parsed, html};

const UNLIMITED: usize = usize::MAX;

/// Code that is not optimized takes longer, and more of the stack for what it does on one level.
const FULL: bool = !cfg!(debug_assertions);
/// The stack of a thread that parses; it does not grow with the input.
const STACK: usize = if FULL { 64 * 1024 } else { 512 * 1024 };
/// Levels of nesting: far more than the stack has room for.
const LEVELS: usize = if FULL { 1_000_000 } else { 50_000 };
/// The longest inputs of which work is counted, in bytes.
const LONGEST: usize = if FULL { 1_000_000 } else { 64_000 };

fn unlimited() -> Options {
    Options::new().depth_limit(UNLIMITED).errors(false)
}

/// Runs in a thread with a small stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().unwrap();
}

fn depth(parsed: &Parsed) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    for edge in parsed.tree.root().walk() {
        match edge {
            Edge::Open(node) if node.is_element() => depth += 1,
            Edge::Close(node) if node.is_element() => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[test]
fn a_million_levels() {
    for (unit, levels, prefix) in [
        ("<div>", LEVELS, ""),
        ("<b>", LEVELS, ""),
        ("<table><td>", 2 * LEVELS, ""),
        ("<g>", LEVELS, "<svg>"),
    ] {
        let input = format!("{prefix}{}x", unit.repeat(LEVELS));
        on_a_small_stack(move || {
            let options = unlimited().positions(Positions::None);
            let parsed = html::parse(&input, options);
            assert!(depth(&parsed) >= levels, "{unit}: {}", depth(&parsed));
            let copy = parsed.tree.clone();
            assert!(copy == parsed.tree);
            let written = html::serializer().inner(parsed.tree.root());
            assert!(written.len() > input.len());
            assert!(parsed.tree.root().text().ends_with('x'));
            drop(copy);
            drop(parsed);
        });
    }
}

#[test]
fn nesting_is_flattened_and_text_is_kept() {
    let shapes: &[&str] =
        &["<div>t", "<b>t", "<table><td>t", "<svg><g>t", "<dl><dd>t", "<ul><li>t"];
    for unit in shapes {
        let input = unit.repeat(3_000);
        let parsed = html::parse(&input, Options::new());
        assert!(depth(&parsed) <= 514, "{unit}: {}", depth(&parsed));
        let letters = parsed.tree.root().text().bytes().filter(|&byte| byte == b't').count();
        assert_eq!(letters, 3_000, "{unit}");
        let flattened = parsed.events.iter().any(|event| matches!(event, Event::Flattened { .. }));
        assert!(flattened, "{unit}: {:?}", parsed.events);
        let lifted = html::parse(&input, unlimited());
        assert!(lifted.events.is_empty() && depth(&lifted) > 2_000, "{unit}: {}", depth(&lifted));
    }
}

#[test]
fn memory_is_limited() {
    let input = "<p class=x>text ".repeat(200_000);
    let parsed = html::parse(&input, Options::new().errors(false).memory_limit(1_000_000));
    assert!(parsed.events.iter().any(|event| matches!(event, Event::OutOfMemory { .. })));
    assert!(parsed.tree.heap_size() < 4_000_000, "{}", parsed.tree.heap_size());
    let parsed = html::parse(&input, Options::new().memory_limit(1_000_000_000));
    assert!(parsed.events.is_empty());
}

/// A shape of input: what comes first, what is repeated, with `{i}` for the number of the repetition, what is repeated
/// behind that.
type Shape = (&'static str, &'static str, &'static str, &'static str);

/// Shapes whose trees are linear in the input.
const LINEAR: &[Shape] = &[
    ("nested div", "", "<div>", ""),
    ("nested div, closed", "", "<div>", "</div>"),
    ("p and button", "", "<p><button>", ""),
    ("ul and li", "", "<ul><li>", ""),
    ("dl", "", "<dl>", ""),
    ("dl and img", "", "<dl><img />", ""),
    ("dd and dt", "", "<dd><dt>", ""),
    ("div and span", "", "<div><span>", ""),
    ("span", "", "<span>", ""),
    ("i, closed", "", "<i>", "</i>"),
    ("distinct attributes of a start tag", "<div", " a{i}", ""),
    ("distinct attributes of an end tag", "</div", " a{i}", ""),
    ("one attribute many times", "<div", " a=1", ""),
    ("attributes merged into body", "", "<body a{i}=1>", ""),
    ("nested tables", "", "<table><td>", ""),
    ("tables in tables", "", "<table>", ""),
    ("foster-parented text", "<table>", "x<tr>", ""),
    ("foster-parented elements", "<table>", "<i>x</i><tr>", ""),
    ("foster-parented in nested tables", "", "<table>x<td>", ""),
    ("misnested b and i", "", "<b><i></b></i>", ""),
    ("misnested with blocks", "", "<b><i><p></b></i></p>", ""),
    ("misnested b and p", "", "<b><p></b>x", ""),
    ("links in links", "", "<a><div>", ""),
    ("links not closed", "", "<a href={i}>x", ""),
    ("many links adopted", "<b><div>", "<a>x</a>", "</b></div>"),
    ("many distinct b, then i", "", "<b id={i}>", "</i>"),
    ("p above many b", "<p><button>", "<b>", "</p>"),
    ("g, then div closed", "<div><svg><foreignObject><svg>", "<g>", "</div>"),
    ("g, then a name that is not open", "<svg>", "<g>", "</x>"),
    ("tables beside deep divs", "", "<div>", "<table></table>"),
    ("body ended again and again", "", "<div>", "</body>x"),
    ("options", "<select>", "<option>x", ""),
    ("options and content", "<select><button><selectedcontent></button>", "<option>x", ""),
    (
        "selected content",
        "<select><option selected>x</option>",
        "<div><selectedcontent></selectedcontent>",
        "",
    ),
    ("templates", "", "<template>", ""),
    ("templates, closed", "", "<template>", "</template>"),
    ("forms in templates", "<template>", "<form>", "</form>"),
    ("framesets", "", "<frameset>", ""),
    ("text", "", "text and more ", ""),
    ("headings", "", "<h1>", ""),
    ("nobr", "", "<nobr>", ""),
    ("ruby", "", "<ruby><rt>", ""),
];

fn input(shape: &Shape, count: usize) -> String {
    let (_, first, repeated, last) = shape;
    let mut text = (*first).to_owned();
    for index in 0..count {
        text += &repeated.replace("{i}", &index.to_string());
    }
    text + &last.repeat(count)
}

#[test]
fn work_is_linear() {
    let mut failed = Vec::new();
    for shape in LINEAR {
        let length = |count| input(shape, count).len();
        let most = LONGEST / (length(1_000) / 1_000).max(1);
        let mut before: Option<f64> = None;
        let mut worst: f64 = 0.0;
        for count in [most / 8, most / 4, most / 2, most] {
            let text = input(shape, count);
            let parsed = html::parse(&text, unlimited().positions(Positions::None));
            let nodes = parsed.tree.node_count() as u64;
            let work = (parsed.steps + nodes) as f64;
            if let Some(before) = before {
                worst = worst.max(work / before);
            }
            before = Some(work.max(1.0));
        }
        if worst > 2.1 {
            failed.push(format!("{}: {worst:.2}", shape.0));
        }
    }
    assert!(failed.is_empty(), "growth per doubling above 2.1: {failed:#?}");
}
