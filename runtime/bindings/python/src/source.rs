//! The parsed input, kept as the Python object that was given. Decoding and position indexes are deferred until needed.

use crate::report::{Event, ParseError, slice};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString};
use std::borrow::Cow;
use std::sync::OnceLock;
use tabulex::__private::LineIndex;
use tabulex::encoding::{Encoding, Offsets, decode};
use tabulex::{Lines, Position, Span};

/// The input: text or bytes.
pub(crate) struct Source {
    object: GivenInput,
    /// The encoding of bytes; UTF-8 until it is known.
    encoding: Encoding,
    offset_index: OnceLock<OffsetIndex>,
    lines: OnceLock<LineIndex>,
    /// Text decoded from bytes, cached for repeated queries.
    decoded_text: OnceLock<String>,
}

/// The conversion of byte offsets in the text to Python's indices.
enum OffsetIndex {
    /// In ASCII, byte offsets and indices are equal.
    Same,
    /// In other texts, indices count code points.
    CodePoints,
    /// In other bytes, indices are offsets before decoding.
    Bytes(Offsets),
}

enum GivenInput {
    /// A text, with a copy in UTF-8 unless Python keeps one.
    Text(Py<PyString>, Option<String>),
    Bytes(Py<PyBytes>),
}

/// Input of a parser.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Source {
    /// Creates a source from a `str`, `bytes`, or another object that supports the buffer protocol.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let object = if let Ok(text) = object.cast::<PyString>() {
            let copy = match utf_8(text)? {
                Cow::Borrowed(_) => None,
                Cow::Owned(copy) => Some(copy),
            };
            GivenInput::Text(text.clone().unbind(), copy)
        } else if let Ok(bytes) = object.cast::<PyBytes>() {
            GivenInput::Bytes(bytes.clone().unbind())
        } else {
            GivenInput::Bytes(copy_buffer(object)?.unbind())
        };
        Ok(Self {
            object,
            encoding: Encoding::UTF_8,
            offset_index: OnceLock::new(),
            lines: OnceLock::new(),
            decoded_text: OnceLock::new(),
        })
    }

    /// Sets the encoding of bytes.
    pub(crate) fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// Sets the encoding of bytes, and the text that they are decoded to.
    pub(crate) fn with_decoded_text(self, encoding: Encoding, text: String) -> Self {
        Self { encoding, decoded_text: text.into(), ..self }
    }

    /// Returns the name of the encoding of bytes, or `None` if the input is text.
    pub(crate) fn encoding(&self) -> Option<&'static str> {
        matches!(self.object, GivenInput::Bytes(_)).then(|| self.encoding.name())
    }

    /// Returns the Python object that was given.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.object {
            GivenInput::Text(text, _) => text.bind(py).clone().into_any(),
            GivenInput::Bytes(bytes) => bytes.bind(py).clone().into_any(),
        }
    }

    /// Returns the input as a parser reads it.
    pub(crate) fn input<'a>(&'a self, py: Python<'a>) -> PyResult<Input<'a>> {
        Ok(match &self.object {
            GivenInput::Text(_, Some(copy)) => Input::Text(copy),
            GivenInput::Text(text, None) => Input::Text(text.to_str(py)?),
            GivenInput::Bytes(bytes) => Input::Bytes(bytes.as_bytes(py)),
        })
    }

    /// Returns the text to which parser offsets refer, decoding bytes.
    pub(crate) fn text<'a>(&'a self, py: Python<'a>) -> PyResult<Cow<'a, str>> {
        Ok(match self.input(py)? {
            Input::Text(text) => Cow::Borrowed(text),
            Input::Bytes(bytes) => decode(bytes, self.encoding),
        })
    }

    /// Returns the same text as [`text`](Self::text), but decodes bytes only once.
    pub(crate) fn cached_text<'a>(&'a self, py: Python<'a>) -> PyResult<&'a str> {
        Ok(match self.input(py)? {
            Input::Text(text) => text,
            Input::Bytes(bytes) => get_or_create::<String>(&self.decoded_text, || {
                decode(bytes, self.encoding).into_owned()
            }),
        })
    }

    /// Converts a range to Python's indices, which count code points if the source is text, and bytes otherwise.
    pub(crate) fn range(&self, py: Python<'_>, span: Span) -> PyResult<(usize, usize)> {
        let input = self.input(py)?;
        let index = get_or_create(&self.offset_index, || match input {
            Input::Text(text) if text.is_ascii() => OffsetIndex::Same,
            Input::Text(_) => OffsetIndex::CodePoints,
            Input::Bytes(bytes) if self.encoding == Encoding::UTF_8 && bytes.is_ascii() => {
                OffsetIndex::Same
            }
            Input::Bytes(bytes) => OffsetIndex::Bytes(Offsets::new(bytes, self.encoding)),
        });
        let span = match (index, input) {
            (OffsetIndex::CodePoints, Input::Text(text)) => {
                let (lines, Span { start, end }) = (self.lines(text), span);
                Span::new(lines.characters_before(text, start), lines.characters_before(text, end))
            }
            (OffsetIndex::Bytes(offsets), _) => offsets.original(span),
            _ => span,
        };
        Ok((span.start, span.end))
    }

    /// Converts a range to a slice of the source.
    pub(crate) fn slice<'py>(&self, py: Python<'py>, span: Span) -> PyResult<Bound<'py, PyAny>> {
        slice(py, self.range(py, span)?)
    }

    /// Creates reports of the errors of `text`, which is that of the source.
    pub(crate) fn report_errors(
        &self,
        py: Python<'_>,
        text: &str,
        errors: &[tabulex::ParseError],
    ) -> PyResult<Vec<ParseError>> {
        let lines = Lines::new(text);
        let reports = errors.iter().map(|error| {
            let range = self.range(py, error.span)?;
            Ok(ParseError::of(error, range, lines.position(error.span.start)))
        });
        reports.collect()
    }

    /// Creates reports of events.
    pub(crate) fn report_events<'e>(
        &self,
        py: Python<'_>,
        events: impl IntoIterator<Item = &'e tabulex::Event>,
    ) -> PyResult<Vec<Event>> {
        let reports = events.into_iter().map(|event| {
            let span = Span::new(event.offset(), event.offset());
            Ok(Event::of(event, self.range(py, span)?.0))
        });
        reports.collect()
    }

    /// Returns the line and column, from 1, of a byte offset in the text.
    pub(crate) fn position(&self, py: Python<'_>, offset: usize) -> PyResult<(usize, usize)> {
        let text = self.cached_text(py)?;
        let Position { line, column } = self.lines(text).position(text, offset);
        Ok((line, column))
    }

    /// Returns the index of the lines and characters of `text`, which is that of the source.
    fn lines(&self, text: &str) -> &LineIndex {
        get_or_create(&self.lines, || LineIndex::new(text))
    }

    /// Returns the unit of indices, for messages.
    pub(crate) fn unit(&self) -> &'static str {
        match self.object {
            GivenInput::Text(..) => "code points",
            GivenInput::Bytes(_) => "bytes",
        }
    }
}

/// Returns the value of a cell, which is created first if the cell is empty. No lock is held while it is created: if
/// another thread stores an equal value in the meantime, that one is used.
fn get_or_create<T>(cell: &OnceLock<T>, create: impl FnOnce() -> T) -> &T {
    if let Some(value) = cell.get() {
        return value;
    }
    let value = create();
    cell.get_or_init(|| value)
}

/// Returns the text in UTF-8. Unpaired surrogates become U+FFFD.
///
/// CPython keeps the UTF-8 of a string as long as the string lives. If most blocks of the text are ASCII, as those of
/// most pages are, it slices and copies these several times faster than it encodes the whole string. Subclasses of `str`
/// are always encoded, as they may override its methods.
pub(crate) fn utf_8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    const BLOCK: usize = 1024;
    const SAMPLES: usize = 8;
    if !text.is_exact_instance_of::<PyString>() {
        return encoded(text);
    }
    let (py, length) = (text.py(), text.len()?);
    let is_ascii = |text: &Bound<'_, PyAny>| text.call_method0(intern!(py, "isascii"))?.is_truthy();
    let block = |index: usize| {
        let bound = |index: usize| (index * BLOCK) as isize;
        text.get_item(PySlice::new(py, bound(index), bound(index + 1), 1))
    };
    let block_count = length.div_ceil(BLOCK);
    let mut ascii_samples = 0;
    if !is_ascii(text)? {
        for sample in 0..SAMPLES {
            ascii_samples += usize::from(is_ascii(&block(sample * block_count / SAMPLES)?)?);
        }
    }
    if ascii_samples <= SAMPLES / 2 {
        return encoded(text);
    }
    let mut copy = String::with_capacity(length + length / 8);
    for index in 0..block_count {
        copy.push_str(&encoded(block(index)?.cast()?)?);
    }
    Ok(Cow::Owned(copy))
}

/// Returns the text in UTF-8 as CPython encodes and keeps it, or a copy if it has unpaired surrogates.
fn encoded<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    match text.to_str() {
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => {
            repair_surrogates(text).map(Cow::Owned)
        }
        result => result.map(Cow::Borrowed),
    }
}

/// Replaces each unpaired surrogate with U+FFFD, which keeps code point indices.
pub(crate) fn repair_surrogates(text: &Bound<'_, PyString>) -> PyResult<String> {
    let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let mut bytes = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
    // An encoded surrogate is three bytes long, and so is U+FFFD, which can therefore replace it in place.
    let surrogate_offsets: Vec<usize> = bytes
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] == 0xED && pair[1] >= 0xA0)
        .map(|(index, _)| index)
        .collect();
    for index in surrogate_offsets {
        bytes[index..index + 3].copy_from_slice("\u{FFFD}".as_bytes());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Copies the bytes of a `bytearray`, `memoryview` or other buffer.
fn copy_buffer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = object.py();
    let builtins = py.import("builtins")?;
    let type_error = || {
        let type_name =
            object.get_type().name().map_or("object".into(), |type_name| type_name.to_string());
        PyTypeError::new_err(format!(
            "markup must be `str`, `bytes` or another buffer, not `{type_name}`"
        ))
    };
    // `memoryview` rejects a number, whereas `bytes` would create that many zero bytes.
    let view = builtins.getattr("memoryview")?.call1((object,)).map_err(|_| type_error())?;
    let bytes = view.call_method0("tobytes")?;
    Ok(bytes.cast_into::<PyBytes>()?)
}
