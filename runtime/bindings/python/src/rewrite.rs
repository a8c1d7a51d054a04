//! Rewriting of pages: rules that call Python functions for pieces of a page, and a rewriter that takes a page in chunks.
//!
//! A handler gets a copy of a piece and records changes in it, which are applied when it returns: Rust's pieces are
//! borrowed from the rewriter, so Python cannot hold them.

use crate::lock;
use crate::markup::Html;
use crate::selector::SelectorError;
use crate::settings::{ENCODING_NAMES, Settings};
use crate::source::{Input, Source};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::error::Error;
use std::sync::Mutex;
use tabulex::rewrite::{self as rust, Content};

create_exception!(
    pytabulex,
    RewriteError,
    PyValueError,
    "A page that cannot be rewritten with the given rules."
);

/// The kind of a piece, which decides what can be changed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    Element,
    End,
    Text,
    Comment,
    Instruction,
    Doctype,
}

impl PieceKind {
    fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::End => "end",
            Self::Text => "text",
            Self::Comment => "comment",
            Self::Instruction => "processing_instruction",
            Self::Doctype => "doctype",
        }
    }

    fn allows(self, change: &Change) -> bool {
        match change {
            Change::Remove => true,
            Change::Before(_) | Change::After(_) => self != Self::Doctype,
            Change::Replace(_) => !matches!(self, Self::Doctype | Self::End),
            Change::Name(_) => matches!(self, Self::Element | Self::End),
            Change::Data(_) => self == Self::Comment,
            Change::Attribute(..)
            | Change::Prepend(_)
            | Change::Append(_)
            | Change::Inner(_)
            | Change::RemoveTags
            | Change::OnEnd(_) => self == Self::Element,
        }
    }
}

/// Content to insert.
#[derive(Clone)]
struct NewContent {
    content: String,
    is_text: bool,
}

impl NewContent {
    fn new(markup: Option<String>, text: Option<String>) -> PyResult<Self> {
        match (markup, text) {
            (Some(content), None) => Ok(Self { content, is_text: false }),
            (None, Some(content)) => Ok(Self { content, is_text: true }),
            _ => Err(PyTypeError::new_err("pass exactly one of `markup` and `text`")),
        }
    }

    fn content(&self) -> Content<'_> {
        if self.is_text { Content::Text(&self.content) } else { Content::Markup(&self.content) }
    }
}

/// A change recorded by a handler.
enum Change {
    Attribute(String, Option<String>),
    Name(String),
    Data(String),
    Before(NewContent),
    After(NewContent),
    Prepend(NewContent),
    Append(NewContent),
    Inner(NewContent),
    Replace(NewContent),
    Remove,
    RemoveTags,
    OnEnd(Py<PyAny>),
}

/// A piece of a page, as given to a handler of ``Rules``: an element at its start tag, the end of an element, a text, a
/// comment, a processing instruction, or a doctype. The name, namespace and data are ``None`` for kinds that lack them.
/// Changes are made when the handler returns; after that the piece can no longer be changed. Inserted content is
/// markup; content given as ``text=`` is escaped.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Piece {
    kind: PieceKind,
    namespace: Option<&'static str>,
    can_have_contents: bool,
    is_written: bool,
    state: Mutex<PieceState>,
}

#[derive(Default)]
struct PieceState {
    name: Option<String>,
    attributes: Vec<(String, String)>,
    data: Option<String>,
    changes: Vec<Change>,
    has_returned: bool,
}

impl Piece {
    fn new(kind: PieceKind, name: Option<&str>, data: Option<&str>) -> Self {
        let state = PieceState {
            name: name.map(str::to_owned),
            data: data.map(str::to_owned),
            ..PieceState::default()
        };
        Self {
            kind,
            namespace: None,
            can_have_contents: false,
            is_written: true,
            state: Mutex::new(state),
        }
    }

    /// Records a change made by the method of this name.
    fn record(&self, method: &str, change: Change) -> PyResult<()> {
        if !self.kind.allows(&change) {
            let kind = self.kind.name();
            let message = format!("`{method}` is not possible for a piece of kind `{kind}`");
            return Err(PyTypeError::new_err(message));
        }
        let mut state = lock(&self.state);
        if state.has_returned {
            return Err(PyRuntimeError::new_err(
                "a piece can be changed only until its handler returns",
            ));
        }
        match &change {
            Change::Attribute(name, value) => {
                let name = name.to_ascii_lowercase();
                state.attributes.retain(|(other, _)| *other != name || value.is_some());
                if let Some(value) = value {
                    match state.attributes.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, old_value)) => value.clone_into(old_value),
                        None => state.attributes.push((name, value.clone())),
                    }
                }
            }
            Change::Name(name) => state.name = Some(name.clone()),
            Change::Data(data) => state.data = Some(data.clone()),
            _ => {}
        }
        state.changes.push(change);
        Ok(())
    }

    /// Calls a handler with this piece and returns the changes that it recorded.
    fn call(self, handler: &Py<PyAny>) -> Result<Vec<Change>, Box<dyn Error + Send + Sync>> {
        let changes = Python::attach(|py| -> PyResult<Vec<Change>> {
            let piece = Bound::new(py, self)?;
            let result = handler.call1(py, (&piece,));
            let mut state = lock(&piece.get().state);
            state.has_returned = true;
            let changes = std::mem::take(&mut state.changes);
            result.map(|_| changes)
        });
        Ok(changes?)
    }
}

#[pymethods]
impl Piece {
    /// The kind: ``"element"``, ``"end"``, ``"text"``, ``"comment"``, ``"processing_instruction"`` or ``"doctype"``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The name of an element or doctype, or the target of a processing instruction.
    #[getter]
    fn name(&self) -> Option<String> {
        lock(&self.state).name.clone()
    }

    /// The namespace URI of an element.
    #[getter]
    fn namespace(&self) -> Option<&'static str> {
        self.namespace
    }

    /// The text, or the data of a comment or processing instruction.
    #[getter]
    fn data(&self) -> Option<String> {
        lock(&self.state).data.clone()
    }

    /// The attributes of an element, in source order, with the changes recorded so far; empty for other pieces.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = lock(&self.state).attributes.clone();
        let attrs = PyDict::new(py);
        for (name, value) in attributes {
            attrs.set_item(name, value)?;
        }
        Ok(attrs)
    }

    /// Returns the value of an attribute, or ``default``. The case of the name does not matter.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> Option<Bound<'py, PyAny>> {
        let name = name.to_ascii_lowercase();
        let state = lock(&self.state);
        let attribute = state.attributes.iter().find(|(other, _)| *other == name);
        attribute.map(|(_, value)| PyString::new(py, value).into_any()).or(default)
    }

    /// Whether an element can have contents: it is neither a void element nor a self-closing foreign one. False for
    /// other pieces.
    #[getter]
    fn can_have_contents(&self) -> bool {
        self.can_have_contents
    }

    /// Whether the end of an element is a written end tag, rather than implied; true for other pieces.
    #[getter]
    fn is_written(&self) -> bool {
        self.is_written
    }

    /// Sets an attribute of an element. Other attributes stay as they are written.
    fn set_attribute(&self, name: String, value: String) -> PyResult<()> {
        self.record("set_attribute", Change::Attribute(name, Some(value)))
    }

    /// Removes an attribute of an element, if it exists.
    fn remove_attribute(&self, name: String) -> PyResult<()> {
        self.record("remove_attribute", Change::Attribute(name, None))
    }

    /// Renames an element in both tags, or in the end tag alone if the piece is the end of an element.
    fn set_name(&self, name: String) -> PyResult<()> {
        self.record("set_name", Change::Name(name))
    }

    /// Replaces the data of a comment.
    fn set_data(&self, data: String) -> PyResult<()> {
        self.record("set_data", Change::Data(data))
    }

    /// Inserts content before the piece, after what was inserted there before.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn before(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("before", Change::Before(NewContent::new(markup, text)?))
    }

    /// Inserts content after the piece, before what was inserted there before.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn after(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("after", Change::After(NewContent::new(markup, text)?))
    }

    /// Inserts content at the start of an element.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn prepend(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("prepend", Change::Prepend(NewContent::new(markup, text)?))
    }

    /// Inserts content at the end of an element.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn append(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("append", Change::Append(NewContent::new(markup, text)?))
    }

    /// Replaces the contents of an element. No handler is called for the old contents.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn set_inner(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("set_inner", Change::Inner(NewContent::new(markup, text)?))
    }

    /// Replaces the piece; an element is replaced together with its contents, for which no handler is called.
    #[pyo3(signature = (markup=None, *, text=None))]
    fn replace(&self, markup: Option<String>, text: Option<String>) -> PyResult<()> {
        self.record("replace", Change::Replace(NewContent::new(markup, text)?))
    }

    /// Removes the piece; an element is removed together with its contents, for which no handler is called.
    fn remove(&self) -> PyResult<()> {
        self.record("remove", Change::Remove)
    }

    /// Removes the tags of an element and keeps its contents.
    fn unwrap(&self) -> PyResult<()> {
        self.record("unwrap", Change::RemoveTags)
    }

    /// Calls a handler where an element ends: at its end tag, where its end is implied, or at the end of the page. The
    /// piece that the handler gets has the kind ``"end"``. It is not called for elements that cannot have contents.
    fn on_end(&self, handler: Py<PyAny>) -> PyResult<()> {
        self.record("on_end", Change::OnEnd(handler))
    }

    fn __repr__(&self) -> String {
        let state = lock(&self.state);
        let mut text = format!("<Piece {}", self.kind.name());
        for (name, value) in [("name", &state.name), ("data", &state.data)] {
            if let Some(value) = value {
                text += &format!(" {name}={value:?}");
            }
        }
        text + ">"
    }
}

fn change_element(handler: &Py<PyAny>, element: &mut rust::Element<'_, 'static>) -> rust::Outcome {
    let mut piece = Piece::new(PieceKind::Element, Some(element.name()), None);
    piece.can_have_contents = element.can_have_contents();
    piece.namespace = Some(element.namespace().known_name()).filter(|name| !name.is_empty());
    let attributes = element.attributes().map(|(name, value)| (name.to_owned(), value.to_owned()));
    lock(&piece.state).attributes = attributes.collect();
    for change in piece.call(handler)? {
        match change {
            Change::Attribute(name, Some(value)) => element.set_attribute(&name, &value)?,
            Change::Attribute(name, None) => element.remove_attribute(&name),
            Change::Name(name) => element.set_name(&name)?,
            Change::Before(new_content) => element.before(new_content.content()),
            Change::After(new_content) => element.after(new_content.content()),
            Change::Prepend(new_content) => element.prepend(new_content.content())?,
            Change::Append(new_content) => element.append(new_content.content())?,
            Change::Inner(new_content) => element.set_inner(new_content.content())?,
            Change::Replace(new_content) => element.replace(new_content.content()),
            Change::Remove => element.remove(),
            Change::RemoveTags => element.remove_tags(),
            Change::OnEnd(handler) => element.on_end(move |end| change_end(&handler, end)),
            Change::Data(_) => {}
        }
    }
    Ok(())
}

fn change_end(handler: &Py<PyAny>, end: &mut rust::EndTag<'_>) -> rust::Outcome {
    let mut piece = Piece::new(PieceKind::End, Some(end.name()), None);
    piece.is_written = end.is_written();
    for change in piece.call(handler)? {
        match change {
            Change::Before(new_content) => end.before(new_content.content())?,
            Change::After(new_content) => end.after(new_content.content()),
            Change::Name(name) => end.set_name(&name)?,
            Change::Remove => end.remove(),
            _ => {}
        }
    }
    Ok(())
}

fn change_text(handler: &Py<PyAny>, text: &mut rust::Text<'_>) -> rust::Outcome {
    for change in Piece::new(PieceKind::Text, None, Some(text.as_str())).call(handler)? {
        match change {
            Change::Before(new_content) => text.before(new_content.content())?,
            Change::After(new_content) => text.after(new_content.content())?,
            Change::Replace(new_content) => text.replace(new_content.content())?,
            Change::Remove => text.remove(),
            _ => {}
        }
    }
    Ok(())
}

fn change_comment(handler: &Py<PyAny>, comment: &mut rust::Comment<'_>) -> rust::Outcome {
    for change in Piece::new(PieceKind::Comment, None, Some(comment.data())).call(handler)? {
        match change {
            Change::Data(data) => comment.set_data(&data)?,
            Change::Before(new_content) => comment.before(new_content.content()),
            Change::After(new_content) => comment.after(new_content.content()),
            Change::Replace(new_content) => comment.replace(new_content.content()),
            Change::Remove => comment.remove(),
            _ => {}
        }
    }
    Ok(())
}

fn change_instruction(
    handler: &Py<PyAny>,
    instruction: &mut rust::Instruction<'_>,
) -> rust::Outcome {
    let piece =
        Piece::new(PieceKind::Instruction, Some(instruction.target()), Some(instruction.data()));
    for change in piece.call(handler)? {
        match change {
            Change::Before(new_content) => instruction.before(new_content.content()),
            Change::After(new_content) => instruction.after(new_content.content()),
            Change::Replace(new_content) => instruction.replace(new_content.content()),
            Change::Remove => instruction.remove(),
            _ => {}
        }
    }
    Ok(())
}

fn change_doctype(handler: &Py<PyAny>, doctype: &mut rust::Doctype<'_>) -> rust::Outcome {
    let changes = Piece::new(PieceKind::Doctype, doctype.name(), None).call(handler)?;
    if changes.iter().any(|change| matches!(change, Change::Remove)) {
        doctype.remove();
    }
    Ok(())
}

/// Rules for rewriting HTML: functions to call for the pieces of a page. A function gets a ``Piece`` and changes it.
/// Selectors may use names, attributes, ``:not()``, ``:nth-child()`` and combinators, which are decided at a start tag,
/// but not pseudo-classes such as ``:has()``, which depend on later markup. Elements are those of the tags, as no tree
/// is built.
///
/// ``scripting`` is whether the contents of ``noscript`` are text, as in browsers. ``memory_limit`` is the maximum number
/// of bytes held in addition to the current chunk. The other options are the encoding hints of ``parse``.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Rules {
    rules: Mutex<Vec<Rule>>,
    settings: Settings,
    scripting: bool,
    memory_limit: usize,
}

/// The return type of methods: the rules themselves, so that calls can be chained.
type ChainedRules<'py> = PyResult<Bound<'py, Rules>>;

struct Rule {
    kind: PieceKind,
    selector: Option<String>,
    handler: Py<PyAny>,
}

impl Rule {
    fn add(
        &self,
        py: Python<'_>,
        rules: rust::Rules<'static>,
    ) -> Result<rust::Rules<'static>, rust::RewriteError> {
        let handler = self.handler.clone_ref(py);
        let selector = self.selector.as_deref();
        Ok(match (self.kind, selector) {
            (PieceKind::Element | PieceKind::End, selector) => rules
                .element(selector.unwrap_or("*"), move |element| {
                    change_element(&handler, element)
                })?,
            (PieceKind::Text, None) => rules.all_text(move |text| change_text(&handler, text)),
            (PieceKind::Text, Some(selector)) => {
                rules.text(selector, move |text| change_text(&handler, text))?
            }
            (PieceKind::Comment, None) => {
                rules.all_comments(move |comment| change_comment(&handler, comment))
            }
            (PieceKind::Comment, Some(selector)) => {
                rules.comment(selector, move |comment| change_comment(&handler, comment))?
            }
            (PieceKind::Instruction, None) => {
                rules.all_instructions(move |piece| change_instruction(&handler, piece))
            }
            (PieceKind::Instruction, Some(selector)) => {
                rules.instruction(selector, move |piece| change_instruction(&handler, piece))?
            }
            (PieceKind::Doctype, _) => {
                rules.doctype(move |doctype| change_doctype(&handler, doctype))
            }
        })
    }
}

impl Rules {
    fn add_rule(
        slf: Bound<'_, Self>,
        kind: PieceKind,
        selector: Option<String>,
        handler: Py<PyAny>,
    ) -> PyResult<Bound<'_, Self>> {
        let py = slf.py();
        if !handler.bind(py).is_callable() {
            return Err(PyTypeError::new_err("the handler must be callable"));
        }
        let rule = Rule { kind, selector, handler };
        // The rule is tried alone first, so that an invalid one is reported where it is added.
        let single_rule = rule.add(py, rust::Rules::new()).map_err(to_py_error)?;
        rust::Rewriter::<Html, _>::new(single_rule, std::io::sink()).map_err(to_py_error)?;
        lock(&slf.get().rules).push(rule);
        Ok(slf)
    }

    fn build(&self, py: Python<'_>) -> PyResult<rust::Rules<'static>> {
        let rules = rust::Rules::new()
            .scripting(self.scripting)
            .memory_limit(self.memory_limit)
            .encoding(self.settings.hints.clone());
        let added_rules = lock(&self.rules);
        added_rules.iter().try_fold(rules, |rules, rule| rule.add(py, rules)).map_err(to_py_error)
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (*, scripting=true, memory_limit=0x400_0000, **options), text_signature = "(*, scripting=True, memory_limit=67108864, encoding=None, content_type=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None)")]
    fn new(
        scripting: bool,
        memory_limit: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Settings::reject_unknown(options, ENCODING_NAMES)?;
        let settings = Settings::read(options)?;
        Ok(Self { rules: Mutex::default(), settings, scripting, memory_limit })
    }

    /// Calls a handler for each element that matches ``selector``, at its start tag. Returns the rules.
    fn element<'py>(
        slf: Bound<'py, Self>,
        selector: String,
        handler: Py<PyAny>,
    ) -> ChainedRules<'py> {
        Self::add_rule(slf, PieceKind::Element, Some(selector), handler)
    }

    /// Calls a handler for each text in elements that match ``selector``, or for every text if that is ``None``. A text
    /// is all characters between two other tokens. Returns the rules.
    fn text<'py>(
        slf: Bound<'py, Self>,
        selector: Option<String>,
        handler: Py<PyAny>,
    ) -> ChainedRules<'py> {
        Self::add_rule(slf, PieceKind::Text, selector, handler)
    }

    /// Calls a handler for each comment in elements that match ``selector``, or for every comment if that is ``None``.
    /// Returns the rules.
    fn comment<'py>(
        slf: Bound<'py, Self>,
        selector: Option<String>,
        handler: Py<PyAny>,
    ) -> ChainedRules<'py> {
        Self::add_rule(slf, PieceKind::Comment, selector, handler)
    }

    /// Calls a handler for each processing instruction in elements that match ``selector``, or for every one if that is
    /// ``None``. Returns the rules.
    fn processing_instruction<'py>(
        slf: Bound<'py, Self>,
        selector: Option<String>,
        handler: Py<PyAny>,
    ) -> ChainedRules<'py> {
        Self::add_rule(slf, PieceKind::Instruction, selector, handler)
    }

    /// Calls a handler for each doctype, which can only be removed. Returns the rules.
    fn doctype<'py>(slf: Bound<'py, Self>, handler: Py<PyAny>) -> ChainedRules<'py> {
        Self::add_rule(slf, PieceKind::Doctype, None, handler)
    }

    fn __len__(&self) -> usize {
        lock(&self.rules).len()
    }
}

/// Converts an error to a Python exception: the exception of a handler itself, ``SelectorError`` or ``RewriteError``.
fn to_py_error(error: rust::RewriteError) -> PyErr {
    match error {
        rust::RewriteError::Handler(error) => match error.downcast::<PyErr>() {
            Ok(exception) => *exception,
            Err(error) => RewriteError::new_err(error.to_string()),
        },
        error @ (rust::RewriteError::Selector(_) | rust::RewriteError::LooksAhead(_)) => {
            SelectorError::new_err(error.to_string())
        }
        error => RewriteError::new_err(error.to_string()),
    }
}

/// Rewrites a whole page, and returns ``str`` for ``str`` and ``bytes`` for ``bytes``. Everything that no handler
/// changes stays as written, in the encoding of the page. Bytes in UTF-16 or ISO-2022-JP raise ``RewriteError``.
#[pyfunction]
pub(crate) fn rewrite<'py>(
    html: &Bound<'py, PyAny>,
    rules: &Bound<'py, Rules>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = html.py();
    let source = Source::new(html)?;
    let rules = rules.get().build(py)?;
    match source.input(py)? {
        Input::Text(text) => {
            let page = py.detach(|| rust::rewrite_str::<Html>(text, rules)).map_err(to_py_error)?;
            Ok(PyString::new(py, &page).into_any())
        }
        Input::Bytes(bytes) => {
            let page =
                py.detach(|| rust::rewrite_bytes::<Html>(bytes, rules)).map_err(to_py_error)?;
            Ok(PyBytes::new(py, &page).into_any())
        }
    }
}

/// A rewriter of a page that arrives in chunks of bytes. Memory use is bounded by the ``memory_limit`` of the rules.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Rewriter {
    inner: Mutex<Option<rust::Rewriter<'static, Html, Vec<u8>>>>,
}

impl Rewriter {
    fn take_inner(&self) -> PyResult<rust::Rewriter<'static, Html, Vec<u8>>> {
        let inner = lock(&self.inner).take();
        inner.ok_or_else(|| {
            PyValueError::new_err("the rewriter has finished or failed, or is in use")
        })
    }
}

#[pymethods]
impl Rewriter {
    #[new]
    fn new(rules: &Bound<'_, Rules>) -> PyResult<Self> {
        let rules = rules.get().build(rules.py())?;
        let inner = rust::Rewriter::new(rules, Vec::new()).map_err(to_py_error)?;
        Ok(Self { inner: Mutex::new(Some(inner)) })
    }

    /// Rewrites the next chunk, and returns the output that is ready. If rewriting fails, the rewriter can no longer be
    /// used.
    fn feed<'py>(&self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = chunk.py();
        let source = Source::new(chunk)?;
        let Input::Bytes(bytes) = source.input(py)? else {
            return Err(PyTypeError::new_err(
                "chunks must be `bytes`; the function `rewrite` also accepts `str`",
            ));
        };
        let mut inner = self.take_inner()?;
        let output = py.detach(|| {
            inner.write(bytes)?;
            Ok(std::mem::take(inner.writer_mut()))
        });
        let output = output.map_err(to_py_error)?;
        *lock(&self.inner) = Some(inner);
        Ok(PyBytes::new(py, &output))
    }

    /// Rewrites the rest of the page, and returns the remaining output.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let inner = self.take_inner()?;
        let output = py.detach(|| inner.finish()).map_err(to_py_error)?;
        Ok(PyBytes::new(py, &output))
    }
}
