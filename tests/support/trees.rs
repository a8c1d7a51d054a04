//! Trees of the compiled parsers and of the interpreter in a common textual form, and dumps in the formats of suites.
//! Each side is read through its public interface by separate code.

use crate::interpreted::{Table, table};
use std::fmt::Write as _;
use tabulex::tree::{self, Edge, NodeKind, NodeRef, Tree};
use tabulex::{
    Dialect, FragmentContext, Limits, Options, Parsed, ReplacementLimits, WriteNode as _,
};
use tabulex_language::model::ErrorId;
use tabulex_language::model::tree::{DocumentMode, ModeRowId};
use tabulex_oracle::interpreter::Stuck;
use tabulex_oracle::interpreter::tree as plain;
use tabulex_oracle::interpreter::tree::document::{self, Context, ParseOptions};

/// Returns the dialects that build trees.
pub fn tree_dialects() -> impl Iterator<Item = &'static Dialect> {
    tabulex::dialects().iter().copied().filter(|dialect| dialect.elements().is_some())
}

/// Returns the dialect with this id, which builds trees.
///
/// # Panics
/// If no dialect with this id builds trees.
pub fn tree_dialect(id: &str) -> &'static Dialect {
    let found = tree_dialects().find(|dialect| dialect.id() == id);
    found.unwrap_or_else(|| panic!("no dialect with the id `{id}` builds trees"))
}

/// Whether the dialect builds HTML trees, with insertion modes and support for fragments.
pub fn is_html(dialect: &Dialect) -> bool {
    dialect.elements() == Some(tabulex::Elements::Html)
}

/// An input of a parser. A dialect ignores what does not apply to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// The markup.
    pub text: &'a str,
    /// The context of a fragment: `NAME`, `svg NAME` or `math NAME`, optionally followed by ` inside ` and an element
    /// around it.
    pub fragment: Option<&'a str>,
    /// The mode of the context's document; no-quirks if `None`.
    pub context_mode: Option<DocumentMode>,
    /// Whether scripting is enabled.
    pub scripting: bool,
    /// Whether templates can declare shadow roots.
    pub shadow_roots: bool,
    /// The value of the flag `parsing-context`, by index.
    pub parsing_context: u8,
    /// Other flags that the host sets, by name and index of the value.
    pub other_flags: &'a [(&'static str, u8)],
}

impl Input<'_> {
    /// Formats the input as in lists of inputs: the text, and ` in ` with the context of a fragment.
    pub fn written(&self) -> String {
        match self.fragment {
            None => self.text.to_owned(),
            Some(context) => format!("{} in {context}", self.text),
        }
    }
}

/// Returns limits that bound nothing but replacement text, which the interpreter bounds, too.
pub fn unlimited() -> Limits {
    Limits::none().replacement(ReplacementLimits::new())
}

/// Returns the context of a fragment from its form in [`Input::fragment`].
pub fn fragment_context(written: &str) -> FragmentContext {
    match written.split_once(" inside ") {
        Some((name, around)) => FragmentContext::from(name).inside(around),
        None => FragmentContext::from(written),
    }
}

/// Parses an input whole or in chunks.
///
/// # Panics
/// If the dialect builds no trees.
pub fn parse(dialect: &Dialect, input: &Input<'_>, chunks: Option<&[&str]>) -> Parsed {
    let mut options = Options::new()
        .scripting(input.scripting)
        .declarative_shadow_roots(input.shadow_roots)
        .host_flag("parsing-context", input.parsing_context)
        .limits(unlimited());
    for &(name, value) in input.other_flags {
        options = options.host_flag(name, value);
    }
    let parser = match input.fragment {
        Some(written) => {
            let context = fragment_context(written).document_mode(match input.context_mode {
                None | Some(DocumentMode::NoQuirks) => tree::DocumentMode::NoQuirks,
                Some(DocumentMode::LimitedQuirks) => tree::DocumentMode::LimitedQuirks,
                Some(DocumentMode::Quirks) => tree::DocumentMode::Quirks,
            });
            dialect.fragment_parser(&context, &options)
        }
        None => dialect.parser(&options),
    };
    let mut parser =
        parser.unwrap_or_else(|| panic!("the dialect `{}` builds no trees", dialect.id()));
    match chunks {
        None => parser.parse(input.text),
        Some(chunks) => {
            chunks.iter().for_each(|chunk| parser.feed(chunk));
            parser.finish_and_reset()
        }
    }
}

/// Returns the tree in the format of the suites; for a fragment, the contents of the root element.
///
/// # Panics
/// If a fragment has no root.
pub fn dump(is_fragment: bool, parsed: &Parsed) -> String {
    let root = parsed.tree.root();
    let text = match is_fragment {
        false => root.to_dump(),
        true => {
            let root = parsed.tree.document_element().expect("a fragment has a document element");
            root.children().map(|child| child.to_dump()).collect()
        }
    };
    text.trim_end_matches('\n').to_owned()
}

/// Returns the first difference from the interpreter when parsing the input whole and cut into each list of chunks.
pub fn difference(dialect: &Dialect, input: &Input<'_>, cuts: &[Vec<&str>]) -> Option<String> {
    difference_from(&interpreted(dialect.id(), input).0, dialect, input, cuts)
}

/// Returns the first difference from a tree of the interpreter; see [`difference`].
pub fn difference_from(
    expected: &Built,
    dialect: &Dialect,
    input: &Input<'_>,
    cuts: &[Vec<&str>],
) -> Option<String> {
    let compare = |chunks: &str, found: Built| {
        if found == *expected {
            return None;
        }
        let max_len = expected.lines.len().max(found.lines.len());
        let mut pairs =
            (0..max_len).map(|index| (expected.lines.get(index), found.lines.get(index)));
        let differing_lines = pairs.find(|(a, b)| a != b);
        let modes = (&expected.mode, &found.mode);
        let lengths = (expected.lines.len(), found.lines.len());
        let errors_only_in = |some: &Built, other: &Built| -> Vec<_> {
            some.errors.iter().filter(|error| !other.errors.contains(error)).cloned().collect()
        };
        let missing = errors_only_in(expected, &found);
        let unexpected = errors_only_in(&found, expected);
        Some(format!(
            "{chunks}: modes {modes:?}, nodes {lengths:?}, first difference {differing_lines:#?}\nmissing errors {missing:?}, unexpected errors {unexpected:?}"
        ))
    };
    compare("whole", compiled(&parse(dialect, input, None))).or_else(|| {
        cuts.iter().find_map(|chunks| {
            compare(&format!("{chunks:?}"), compiled(&parse(dialect, input, Some(chunks))))
        })
    })
}

/// A tree and its errors as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The mode of the document.
    pub mode: String,
    /// A line per node in tree order: depth, description, ranges.
    pub lines: Vec<String>,
    /// Codes and ranges, sorted.
    pub errors: Vec<(usize, usize, String)>,
}

/// Converts the result of a compiled parser.
pub fn compiled(parsed: &Parsed) -> Built {
    let mut built = Built { mode: format!("{:?}", parsed.tree.mode()), ..Built::default() };
    let mut depth = 0;
    for edge in parsed.tree.root().walk_with_contents() {
        match edge {
            Edge::Open(node) => {
                built.lines.push(format!("{depth} {}", describe(&node)));
                depth += 1;
            }
            _ => depth -= 1,
        }
    }
    let errors = parsed.errors.iter();
    built.errors =
        errors.map(|error| (error.span.start, error.span.end, error.code.to_owned())).collect();
    built.errors.sort();
    built
}

fn describe(node: &NodeRef<'_>) -> String {
    let data = node.data().unwrap_or_default();
    let span = node.span().map(|span| (span.start, span.end)).unwrap_or_default();
    match node.kind() {
        NodeKind::Document => "document".to_owned(),
        NodeKind::Element => {
            let mut text = "element".to_owned();
            let names = node.name().into_iter().map(|name| (name, ""));
            let attributes = node.attributes().collect::<Vec<_>>();
            for (name, value) in names
                .chain(attributes.iter().map(|attribute| (attribute.name(), attribute.value())))
            {
                let parts = (name.to_string(), name.prefix(), name.local(), name.namespace_str());
                let _ = write!(text, " {parts:?}={value:?}");
            }
            let end = node.end_tag_span().map(|span| (span.start, span.end));
            text + &format!(" {span:?} {end:?}")
        }
        NodeKind::Text => format!("text {data:?} {span:?}"),
        NodeKind::Comment => format!("comment {data:?} {span:?}"),
        NodeKind::ProcessingInstruction => {
            format!("instruction {:?} {data:?} {span:?}", node.target().unwrap_or_default())
        }
        NodeKind::Doctype => {
            let doctype = node.doctype().unwrap_or_default();
            // In the DOM, identifiers that are missing in the token are empty in the node, so they are shown as empty.
            let identifiers = [doctype.public_identifier, doctype.system_identifier];
            let identifiers = identifiers.map(Option::unwrap_or_default);
            format!("doctype {:?} {identifiers:?} {span:?}", doctype.name)
        }
        NodeKind::Fragment => {
            let root = node.host().and_then(|host| shadow_root(&host));
            format!("fragment {root:?}")
        }
        other => format!("{other:?}"),
    }
}

/// Returns the properties of a shadow root, from the template that declared it; `None` if there is no such template.
fn shadow_root(host: &NodeRef<'_>) -> Option<plain::ShadowRoot> {
    let mode = host.shadow_root_mode()?;
    let template = host.shadow_root_template()?;
    let is_declared = |name: &str| template.attribute(name).is_some();
    let slot_assignment = template.attribute("shadowrootslotassignment").unwrap_or_default();
    let is_manual = slot_assignment.eq_ignore_ascii_case("manual");
    Some(plain::ShadowRoot {
        mode: format!("{mode:?}").to_lowercase(),
        delegates_focus: is_declared("shadowrootdelegatesfocus"),
        is_serializable: is_declared("shadowrootserializable"),
        slot_assignment: if is_manual { "manual" } else { "named" }.to_owned(),
        is_clonable: is_declared("shadowrootclonable"),
        is_declarative: true,
    })
}

/// Returns the tree that the interpreter builds, and the rows of modes that it takes.
///
/// # Panics
/// If the table of the dialect has no modes.
pub fn interpreted(dialect: &str, input: &Input<'_>) -> (Built, Vec<ModeRowId>) {
    interpreted_by(table(dialect), input)
}

/// Returns the tree that the interpreter builds with a table, which need not be that of a dialect; see [`interpreted`].
///
/// # Panics
/// If the table has no modes.
pub fn interpreted_by(table: &Table, input: &Input<'_>) -> (Built, Vec<ModeRowId>) {
    try_interpreted_by(table, input).unwrap_or_else(|stuck| panic!("{stuck}: {input:?}"))
}

/// Returns the tree that the interpreter builds with a table on which it may get stuck; see [`interpreted`].
///
/// # Errors
/// If the interpreter gets stuck.
///
/// # Panics
/// If the table has no modes.
pub fn try_interpreted_by(
    table: &Table,
    input: &Input<'_>,
) -> Result<(Built, Vec<ModeRowId>), Stuck> {
    let mut flags = vec![
        ("scripting".to_owned(), u8::from(input.scripting)),
        ("declarative-shadow-roots".to_owned(), u8::from(input.shadow_roots)),
        ("parsing-context".to_owned(), input.parsing_context),
    ];
    flags.extend(input.other_flags.iter().map(|&(name, value)| (name.to_owned(), value)));
    let context = input.fragment.map(|written| Context {
        document_mode: input.context_mode.unwrap_or(DocumentMode::NoQuirks),
        ..Context::parse(written).unwrap_or_else(|error| panic!("{written}: {error}"))
    });
    let options = ParseOptions { flags, context };
    let parsed = document::parse(table.interpreter(), input.text, &options)?;
    let mut built = built_of(&parsed.tree);
    built.mode = format!("{:?}", parsed.document_mode);
    let declared_errors = &table.machine().errors;
    let errors = parsed.errors.iter();
    let code = |error: &ErrorId| declared_errors[usize::from(error.0)].name.clone();
    built.errors = errors.map(|(error, span)| (span.start, span.end, code(error))).collect();
    built.errors.sort();
    Ok((built, parsed.mode_rows))
}

fn built_of(tree: &plain::Tree) -> Built {
    let mut built = Built::default();
    let mut pending = vec![(0, 0)];
    while let Some((depth, id)) = pending.pop() {
        let node = &tree.nodes[id];
        built.lines.push(format!("{depth} {}", describe_plain(node)));
        pending.extend(node.children.iter().rev().map(|&child| (depth + 1, child)));
        let is_template_contents =
            |&id: &plain::NodeId| matches!(tree.nodes[id].kind, plain::NodeKind::Fragment(None));
        pending.extend(
            node.contents.filter(is_template_contents).map(|contents| (depth + 1, contents)),
        );
        pending.extend(node.shadow_root.map(|root| (depth + 1, root)));
    }
    built
}

fn describe_plain(node: &plain::Node) -> String {
    let span = (node.span.start, node.span.end);
    match &node.kind {
        plain::NodeKind::Document => "document".to_owned(),
        plain::NodeKind::Fragment(root) => format!("fragment {root:?}"),
        plain::NodeKind::Element(name, attributes) => {
            let mut text = "element".to_owned();
            let attributes = attributes.iter().map(|(name, value)| (name, &value[..]));
            for (name, value) in std::iter::once((name, "")).chain(attributes) {
                let parts = (&name.qualified, &name.prefix, &name.local, &name.namespace);
                let _ = write!(text, " {parts:?}={value:?}");
            }
            let end = node.end_span.map(|span| (span.start, span.end));
            text + &format!(" {span:?} {end:?}")
        }
        plain::NodeKind::Text(data) => format!("text {data:?} {span:?}"),
        plain::NodeKind::Comment(data) => format!("comment {data:?} {span:?}"),
        plain::NodeKind::ProcessingInstruction(target, data) => {
            format!("instruction {target:?} {data:?} {span:?}")
        }
        plain::NodeKind::Doctype(doctype) => {
            let identifiers = [&doctype.public_identifier, &doctype.system_identifier];
            let identifiers = identifiers.map(|text| text.as_deref().unwrap_or_default());
            let name = doctype.name.as_deref().unwrap_or_default();
            format!("doctype {name:?} {identifiers:?} {span:?}")
        }
    }
}

/// Dumps a tree as the documents of the Sky tests do: as markup, in which an element that does not follow a text begins
/// a line, or as text with collapsed white space.
pub fn sky_dump(tree: &Tree, as_text: bool) -> String {
    if as_text {
        let text = tree.root().text();
        return text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    }
    let mut out = String::new();
    let mut depth = 0;
    for edge in tree.root().walk() {
        match edge {
            Edge::Open(node) if node.is_element() => {
                if depth > 0 && node.previous_sibling().is_none_or(|before| before.is_element()) {
                    let _ = write!(out, "\n{:1$}", "", 2 * depth);
                }
                let _ = write!(out, "<{}", node.local_name().unwrap_or_default());
                for attribute in node.attributes() {
                    let value = attribute.value().replace('&', "&amp;").replace('"', "&quot;");
                    let _ = write!(out, " {}=\"{value}\"", attribute.name());
                }
                out.push('>');
                depth += 1;
            }
            Edge::Open(node) if node.is_text() => {
                let text = node.data().unwrap_or_default();
                let parent_name = node.parent().and_then(|parent| parent.local_name());
                if matches!(parent_name, Some("script" | "style")) {
                    out.push_str(text);
                } else {
                    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
                    out.push_str(&escaped.replace('>', "&gt;"));
                }
            }
            Edge::Close(node) if node.is_element() => {
                depth -= 1;
                if node.last_child().is_some_and(|last| last.is_element()) {
                    let _ = write!(out, "\n{:1$}", "", 2 * depth);
                }
                let _ = write!(out, "</{}>", node.local_name().unwrap_or_default());
            }
            _ => {}
        }
    }
    out
}
