//! Replacements for the functions of `html5ever::driver`, under their names. Options without a counterpart are ignored.

use crate::Bridge;
use html5ever::interface::ElemName as _;
use html5ever::tendril::stream::{TendrilSink, Utf8LossyDecoder};
use html5ever::tendril::{StrTendril, fmt};
use html5ever::tree_builder::{QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, ns};
use std::borrow::Cow;
use tabulex_core::tree::DocumentMode;
use tabulex_core::{FragmentContext, Options};
use tabulex_html::Html;

/// Parses a document into a tree, as `html5ever::parse_document` does.
///
/// ```
/// use html5ever::tendril::TendrilSink;
/// use markup5ever_rcdom::RcDom;
///
/// let parser = tabulex_markup5ever::parse_document(RcDom::default(), Default::default());
/// let dom = parser.from_utf8().read_from(&mut &b"<!DOCTYPE html><p>One<p>Two"[..])?;
/// assert_eq!(dom.document.children.borrow().len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn parse_document<Sink: TreeSink>(sink: Sink, opts: ParseOpts) -> Parser<Sink> {
    let bridge = Bridge::new(sink).drop_doctype(opts.tree_builder.drop_doctype);
    Parser::new(bridge, None, &options(&opts))
}

/// Parses a document into a tree with the options of tabulex, which include limits. At the end the sink's `parse_error` is
/// called with the text of each [`Event`](tabulex_core::Event), even if errors are disabled.
///
/// ```
/// use html5ever::tendril::TendrilSink;
/// use markup5ever_rcdom::RcDom;
/// use tabulex_core::Options;
///
/// let options = Options::new().errors(false).depth_limit(100);
/// let dom = tabulex_markup5ever::parse_document_with(RcDom::default(), &options).one("<p>One<p>Two");
/// assert!(dom.errors.borrow().is_empty());
/// ```
pub fn parse_document_with<Sink: TreeSink>(sink: Sink, options: &Options) -> Parser<Sink> {
    Parser::new(Bridge::new(sink), None, options)
}

/// Parses a fragment into a tree, as `html5ever::parse_fragment` does: the nodes become children of an `html` element.
///
/// ```
/// use html5ever::tendril::TendrilSink;
/// use html5ever::{QualName, local_name, ns};
/// use markup5ever_rcdom::RcDom;
///
/// let context = QualName::new(None, ns!(html), local_name!("tr"));
/// let parser = tabulex_markup5ever::parse_fragment(
///     RcDom::default(), Default::default(), context, Vec::new(), false);
/// let dom = parser.one("<td>1<td>2");
/// assert_eq!(dom.document.children.borrow()[0].children.borrow().len(), 2);
/// ```
pub fn parse_fragment<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_name: QualName,
    context_attrs: Vec<Attribute>,
    context_element_allows_scripting: bool,
) -> Parser<Sink> {
    let _ = context_element_allows_scripting;
    let fragment_context = context(&context_name.ns, &context_name.local);
    let fragment_context = context_attrs.iter().fold(fragment_context, |context, attribute| {
        context.attribute(&attribute.name.local, &attribute.value)
    });
    parse_in_context(sink, &opts, fragment_context)
}

/// Parses a fragment with an element of a tree as its context, as `html5ever::parse_fragment_for_element` does.
pub fn parse_fragment_for_element<Sink: TreeSink>(
    sink: Sink,
    opts: ParseOpts,
    context_element: Sink::Handle,
    context_element_allows_scripting: bool,
    form_element: Option<Sink::Handle>,
) -> Parser<Sink> {
    let _ = context_element_allows_scripting;
    let mut fragment_context = {
        let name = sink.elem_name(&context_element);
        context(name.ns(), name.local_name())
    };
    if sink.is_mathml_annotation_xml_integration_point(&context_element) {
        fragment_context = fragment_context.attribute("encoding", "text/html");
    }
    if let Some(form) = form_element {
        let form_context = {
            let name = sink.elem_name(&form);
            context(name.ns(), name.local_name())
        };
        fragment_context = fragment_context.inside(form_context);
    }
    parse_in_context(sink, &opts, fragment_context)
}

/// Parses a fragment with a context and the options of tabulex.
pub fn parse_fragment_with<Sink: TreeSink>(
    sink: Sink,
    context: &FragmentContext,
    options: &Options,
) -> Parser<Sink> {
    Parser::new(Bridge::new(sink), Some(context), options)
}

fn parse_in_context<Sink: TreeSink>(
    sink: Sink,
    opts: &ParseOpts,
    context: FragmentContext,
) -> Parser<Sink> {
    let mode = match opts.tree_builder.quirks_mode {
        QuirksMode::NoQuirks => DocumentMode::NoQuirks,
        QuirksMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        QuirksMode::Quirks => DocumentMode::Quirks,
    };
    let bridge = Bridge::new(sink).drop_doctype(opts.tree_builder.drop_doctype);
    Parser::new(bridge, Some(&context.document_mode(mode)), &options(opts))
}

fn context(namespace: &Namespace, local: &LocalName) -> FragmentContext {
    match *namespace {
        ns!(svg) => FragmentContext::svg(local),
        ns!(mathml) => FragmentContext::mathml(local),
        _ => FragmentContext::html(local),
    }
}

/// Converts the options of html5ever to those of tabulex.
fn options(opts: &ParseOpts) -> Options {
    Options::new()
        .scripting(opts.tree_builder.scripting_enabled)
        .iframe_srcdoc(opts.tree_builder.iframe_srcdoc)
        .declarative_shadow_roots(true)
        .keep_byte_order_mark(!opts.tokenizer.discard_bom)
}

/// A parser fed in chunks through the methods of [`TendrilSink`], like `html5ever::Parser`.
pub struct Parser<Sink: TreeSink> {
    parser: tabulex_core::Parser<Html, Bridge<Sink>>,
}

impl<Sink: TreeSink> Parser<Sink> {
    fn new(sink: Bridge<Sink>, context: Option<&FragmentContext>, options: &Options) -> Self {
        let parser = match context {
            None => tabulex_core::Parser::with_sink(sink, options),
            Some(context) => tabulex_core::Parser::with_sink_fragment(sink, context, options),
        };
        Self { parser }
    }

    /// Returns a parser that is fed bytes, decoded as UTF-8 with invalid sequences replaced.
    #[allow(clippy::wrong_self_convention, reason = "the name that html5ever has for it")]
    pub fn from_utf8(self) -> Utf8LossyDecoder<Self> {
        Utf8LossyDecoder::new(self)
    }
}

impl<Sink: TreeSink> TendrilSink<fmt::UTF8> for Parser<Sink> {
    type Output = Sink::Output;

    fn process(&mut self, text: StrTendril) {
        self.parser.sink_mut().record_lines(&text);
        self.parser.feed(&text);
    }

    fn error(&mut self, desc: Cow<'static, str>) {
        self.parser.sink().as_sink().parse_error(desc);
    }

    /// Finishes the parse and returns the sink's output. Reports events of limits even if errors are disabled, as
    /// nothing else shows that the tree differs from the page.
    fn finish(self) -> Sink::Output {
        let parsed = self.parser.finish();
        let sink = parsed.tree.into_sink();
        for error in parsed.errors {
            sink.parse_error(Cow::Borrowed(error.code));
        }
        for event in parsed.events {
            sink.parse_error(Cow::Owned(event.to_string()));
        }
        sink.finish()
    }
}
