//! An iterator over tokens. The tokenizer is fed in pieces, and only the tokens of one piece are kept. Adjacent texts
//! are joined, so that the tokens do not depend on the pieces.

use crate::lock;
use crate::report::{Event, ParseError};
use crate::settings::Settings;
use crate::source::{Input, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::VecDeque;
use std::sync::Mutex;
use tabulex::encoding::{Choice, Encoding};
use tabulex::{
    AnyTokenizer, Comment, Control, DeclaredToken, Dialect, Doctype, ProcessingInstruction,
    Progress, ShortEndTag, Sink, Span, Tag, Text,
};

/// Maximum number of bytes of text fed to the tokenizer at a time.
const PIECE_LEN: usize = 0x8000;

/// The names of the kinds of tokens.
const KINDS: &[&str] = &[
    "start_tag",
    "end_tag",
    "short_end_tag",
    TEXT,
    "comment",
    "doctype",
    "processing_instruction",
    "declared",
];

/// A token. Properties that its kind lacks are ``None``, and flags that it lacks are false.
#[pyclass(frozen, get_all, module = "pytabulex")]
pub(crate) struct Token {
    /// The kind: ``"start_tag"``, ``"end_tag"``, ``"short_end_tag"``, ``"text"``, ``"comment"``, ``"doctype"``,
    /// ``"processing_instruction"``, or ``"declared"`` for a kind that the dialect's table declares.
    kind: &'static str,
    /// The name of a tag, document type or declared kind, or the target of a processing instruction.
    name: Option<String>,
    /// The attributes of a tag in source order, without duplicates of earlier ones, or the fields of a declared kind.
    attrs: Option<Py<PyDict>>,
    /// The text, or the data of a comment or processing instruction.
    data: Option<String>,
    /// Whether the self-closing flag of a tag is set.
    self_closing: bool,
    /// The public identifier of a document type.
    public_id: Option<String>,
    /// The system identifier of a document type.
    system_id: Option<String>,
    /// Whether the force-quirks flag of a document type is set.
    force_quirks: bool,
    /// The position of the whole token, as a slice of the source.
    span: Py<PyAny>,
    /// The position of a tag's name, as a slice of the source.
    name_span: Option<Py<PyAny>>,
    /// For each attribute's name, the positions of the name and of the value, as slices of the source.
    attr_spans: Option<Py<PyDict>>,
}

#[pymethods]
impl Token {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("kind", "name")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("<Token {}", self.kind);
        for (name, value) in [("name", &self.name), ("data", &self.data)] {
            if let Some(value) = value {
                text += &format!(" {name}={value:?}");
            }
        }
        if let Some(attributes) = self.attrs.as_ref().filter(|attrs| !attrs.bind(py).is_empty()) {
            text += &format!(" attrs={}", attributes.bind(py).repr()?);
        }
        let span = self.span.bind(py);
        Ok(format!("{text} [{}:{}]>", span.getattr("start")?, span.getattr("stop")?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let constructor = py.import("pytabulex._tabulex")?.getattr("_token_of")?;
        let arguments = (
            self.kind,
            &self.name,
            &self.attrs,
            &self.data,
            self.self_closing,
            &self.public_id,
            &self.system_id,
            self.force_quirks,
            &self.span,
            &self.name_span,
            &self.attr_spans,
        );
        (constructor, arguments).into_pyobject(py)
    }
}

/// Recreates a token when it is unpickled.
#[pyfunction(name = "_token_of")]
#[expect(clippy::too_many_arguments, reason = "each is a property of the token")]
pub(crate) fn token_of(
    kind: &str,
    name: Option<String>,
    attrs: Option<Py<PyDict>>,
    data: Option<String>,
    self_closing: bool,
    public_id: Option<String>,
    system_id: Option<String>,
    force_quirks: bool,
    span: Py<PyAny>,
    name_span: Option<Py<PyAny>>,
    attr_spans: Option<Py<PyDict>>,
) -> PyResult<Token> {
    let known_kind = KINDS.iter().find(|known| **known == kind);
    let kind = *known_kind.ok_or_else(|| {
        let known = KINDS.join(", ");
        PyValueError::new_err(format!("unknown token kind `{kind}`, expected one of {known}"))
    })?;
    Ok(Token {
        kind,
        name,
        attrs,
        data,
        self_closing,
        public_id,
        system_id,
        force_quirks,
        span,
        name_span,
        attr_spans,
    })
}

/// A token as the tokenizer emits it.
#[derive(Default)]
struct RawToken {
    kind: &'static str,
    name: Option<String>,
    name_span: Option<Span>,
    attributes: Option<Vec<(String, String, Span, Span)>>,
    data: Option<String>,
    self_closing: bool,
    public_id: Option<String>,
    system_id: Option<String>,
    force_quirks: bool,
    span: Span,
}

const TEXT: &str = "text";

/// Tokens not yet returned, and the state that determines how the tokenizer continues.
struct Queue {
    dialect: &'static Dialect,
    /// Flags that select the state switches after start tags; `None` if nothing switches.
    flags: Option<[(&'static str, u8); 1]>,
    tokens: VecDeque<RawToken>,
    errors: tabulex::BoundedErrors,
}

impl Queue {
    fn tag_token(kind: &'static str, tag: &Tag<'_>) -> RawToken {
        let attributes = tag.attributes().map(|attribute| {
            (
                attribute.name.to_owned(),
                attribute.value.to_owned(),
                attribute.name_span,
                attribute.value_span,
            )
        });
        RawToken {
            kind,
            name: Some(tag.name().to_owned()),
            name_span: Some(tag.name_span()),
            attributes: Some(attributes.collect()),
            self_closing: tag.self_closing(),
            span: tag.span(),
            ..RawToken::default()
        }
    }
}

impl Sink for Queue {
    fn text(&mut self, text: Text<'_>) -> Control {
        match self.tokens.back_mut() {
            Some(RawToken { kind: TEXT, data: Some(data), span, .. }) => {
                data.push_str(text.text);
                span.end = text.span.end;
            }
            _ => self.tokens.push_back(RawToken {
                kind: TEXT,
                data: Some(text.text.to_owned()),
                span: text.span,
                ..RawToken::default()
            }),
        }
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.tokens.push_back(Self::tag_token("start_tag", &tag));
        let entry =
            self.flags.as_ref().and_then(|flags| self.dialect.entry_after(tag.name(), flags));
        entry.map_or(Control::Continue, Control::Enter)
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.tokens.push_back(Self::tag_token("end_tag", &tag));
        Control::Continue
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        let data = Some(comment.data.to_owned());
        self.tokens.push_back(RawToken {
            kind: "comment",
            data,
            span: comment.span,
            ..RawToken::default()
        });
        Control::Continue
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        self.tokens.push_back(RawToken {
            kind: "doctype",
            name: doctype.name().map(str::to_owned),
            public_id: doctype.public_identifier().map(str::to_owned),
            system_id: doctype.system_identifier().map(str::to_owned),
            force_quirks: doctype.force_quirks(),
            span: doctype.span(),
            ..RawToken::default()
        });
        Control::Continue
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        let span = tag.span;
        self.tokens.push_back(RawToken { kind: "short_end_tag", span, ..RawToken::default() });
        Control::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        let ProcessingInstruction { target, data, span, .. } = instruction;
        self.tokens.push_back(RawToken {
            kind: "processing_instruction",
            name: Some(target.to_owned()),
            data: Some(data.to_owned()),
            span,
            ..RawToken::default()
        });
        Control::Continue
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        let fields = token.fields().filter(|field| !field.is_missing).map(|field| {
            let start = Span::new(field.span.start, field.span.start);
            (field.name.to_owned(), field.text.to_owned(), start, field.span)
        });
        self.tokens.push_back(RawToken {
            kind: "declared",
            name: Some(token.name().to_owned()),
            attributes: Some(fields.collect()),
            span: token.span(),
            ..RawToken::default()
        });
        Control::Continue
    }

    fn error(&mut self, error: tabulex::ParseError) {
        self.errors.push(error);
    }
}

/// An iterator over tokens. ``errors`` and ``events`` list those reported so far.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Tokens {
    source: Source,
    state: Mutex<TokenizerState>,
}

struct TokenizerState {
    tokenizer: Box<dyn AnyTokenizer>,
    queue: Queue,
    /// Number of bytes of text fed to the tokenizer so far.
    fed_len: usize,
    has_ended: bool,
}

/// Returns an iterator over the tokens of a text or bytes. After a start tag the tokenizer switches state as the tree
/// builder would, so that the contents of scripts and similar elements are text; with ``raw`` it never switches.
/// ``state``, named as in the table, and ``last_start_tag`` are for tests of tokenizers. Options of ``parse`` that
/// concern trees have no effect.
#[pyfunction]
#[pyo3(signature = (html, *, raw=false, state=None, last_start_tag=None, **options), text_signature = "(html, *, raw=False, state=None, last_start_tag=None, dialect='html', encoding=None, content_type=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None, scripting=False, iframe_srcdoc=False, declarative_shadow_roots=False, keep_byte_order_mark=False, positions='all', errors=True, limits=None)")]
pub(crate) fn tokens(
    html: &Bound<'_, PyAny>,
    raw: bool,
    state: Option<&str>,
    last_start_tag: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Tokens> {
    let py = html.py();
    let settings = Settings::read(options)?;
    let mut source = Source::new(html)?;
    let dialect = settings.dialect;
    let mut keeps_bom = settings.keeps_bom;
    if let Input::Bytes(bytes) = source.input(py)? {
        let (encoding, text) = py.detach(|| {
            let (choice, text) = Choice::decode(bytes, dialect.clues(), &settings.hints);
            (choice.encoding, text.into_owned())
        });
        // If the bytes do not begin with a byte order mark, a U+FEFF at the start of the text is a character.
        keeps_bom = Encoding::for_mark(bytes).is_none();
        source = source.with_decoded_text(encoding, text);
    }
    let mut tokenizer = dialect.tokenizer();
    tokenizer.set_limits(&settings.limits);
    if keeps_bom {
        tokenizer.keep_byte_order_mark();
    }
    if let Some(name) = state {
        let entry = dialect.entry(name);
        let unknown_state = || {
            let (id, names) = (dialect.id(), dialect.entry_names().join(", "));
            PyValueError::new_err(format!(
                "unknown state `{name}` in the dialect `{id}`, expected one of {names}"
            ))
        };
        tokenizer.enter(entry.ok_or_else(unknown_state)?);
    }
    if let Some(name) = last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
    let flags = (!raw).then_some([("scripting", u8::from(settings.scripting))]);
    let errors = tabulex::BoundedErrors::new(&settings.limits);
    let queue = Queue { dialect, flags, tokens: VecDeque::new(), errors };
    let state = Mutex::new(TokenizerState { tokenizer, queue, fed_len: 0, has_ended: false });
    Ok(Tokens { source, state })
}

impl TokenizerState {
    /// Returns the next complete token, or `None` at the end. A text is complete only before another token or the end.
    fn next(&mut self, text: &str) -> Option<RawToken> {
        loop {
            let Self { queue, has_ended, .. } = self;
            let is_complete = match queue.tokens.front() {
                Some(RawToken { kind: TEXT, .. }) => queue.tokens.len() > 1 || *has_ended,
                Some(_) => true,
                None => *has_ended,
            };
            if is_complete {
                return queue.tokens.pop_front();
            }
            let unread = &text[self.fed_len..];
            if unread.is_empty() {
                let progress = self.tokenizer.finish(&mut self.queue);
                self.has_ended = progress != Progress::Paused;
                continue;
            }
            let piece = &unread[..unread.floor_char_boundary(PIECE_LEN)];
            self.fed_len += piece.len();
            let progress = self.tokenizer.feed(piece, &mut self.queue);
            self.has_ended = progress == Progress::Ended;
        }
    }
}

impl Tokens {
    fn token(&self, py: Python<'_>, raw_token: RawToken) -> PyResult<Token> {
        let (mut attrs, mut attr_spans) = (None, None);
        if let Some(attributes) = &raw_token.attributes {
            let (values, spans) = (PyDict::new(py), PyDict::new(py));
            for (name, value, name_span, value_span) in attributes {
                values.set_item(name, value)?;
                let name_span = self.source.slice(py, *name_span)?;
                spans.set_item(name, (name_span, self.source.slice(py, *value_span)?))?;
            }
            (attrs, attr_spans) = (Some(values.unbind()), Some(spans.unbind()));
        }
        let name_span = raw_token.name_span.map(|span| self.source.slice(py, span)).transpose()?;
        Ok(Token {
            kind: raw_token.kind,
            name: raw_token.name,
            attrs,
            data: raw_token.data,
            self_closing: raw_token.self_closing,
            public_id: raw_token.public_id,
            system_id: raw_token.system_id,
            force_quirks: raw_token.force_quirks,
            span: self.source.slice(py, raw_token.span)?.unbind(),
            name_span: name_span.map(Bound::unbind),
            attr_spans,
        })
    }
}

#[pymethods]
impl Tokens {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Token>> {
        let text = self.source.cached_text(py)?;
        // No Python code runs while the lock is held, so it cannot deadlock with the GIL.
        let raw_token = lock(&self.state).next(text);
        raw_token.map(|raw_token| self.token(py, raw_token)).transpose()
    }

    /// The errors reported so far; complete once iteration has ended.
    #[getter]
    fn errors(&self, py: Python<'_>) -> PyResult<Vec<ParseError>> {
        let errors = lock(&self.state).queue.errors.kept().to_vec();
        self.source.report_errors(py, self.source.cached_text(py)?, &errors)
    }

    /// The actions taken so far to stay within limits.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        let (events, errors) = {
            let mut state = lock(&self.state);
            (state.tokenizer.events(), state.queue.errors.event())
        };
        self.source.report_events(py, events.iter().chain(&errors))
    }

    /// The name of the encoding used to decode bytes; ``None`` if the input is text.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        self.source.encoding()
    }

    fn __repr__(&self) -> String {
        let state = lock(&self.state);
        format!("<Tokens: {} bytes of text read>", state.tokenizer.offset())
    }
}
