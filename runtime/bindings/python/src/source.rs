//! The parsed input, kept as the Python object that was given. Decoding and position indexes are deferred until needed.

use crate::offset_index::{LineStarts, OffsetIndex};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;
use std::sync::OnceLock;
use tabulex::Span;
use tabulex::encoding::{Encoding, decode};

/// The input: text or bytes.
pub(crate) struct Source {
    object: GivenInput,
    offset_index: OnceLock<OffsetIndex>,
    lines: OnceLock<LineIndex>,
    /// Text decoded from bytes, cached for repeated queries.
    decoded_text: OnceLock<String>,
}

/// Line starts, and the decoded text if the input is bytes.
struct LineIndex {
    decoded_text: Option<String>,
    starts: LineStarts,
}

enum GivenInput {
    Text(Py<PyString>),
    /// A text with unpaired surrogates, which UTF-8 cannot encode, and a copy with U+FFFD in their place.
    Repaired(Py<PyString>, String),
    Bytes(Py<PyBytes>),
}

/// Input of a parser.
pub(crate) enum Input<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Source {
    /// Creates a source from a `str`, `bytes`, or another object that supports the buffer protocol.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let object = if let Ok(text) = object.cast::<PyString>() {
            match text.to_str() {
                Ok(_) => GivenInput::Text(text.clone().unbind()),
                Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(object.py()) => {
                    GivenInput::Repaired(text.clone().unbind(), repair_surrogates(text)?)
                }
                Err(error) => return Err(error),
            }
        } else if let Ok(bytes) = object.cast::<PyBytes>() {
            GivenInput::Bytes(bytes.clone().unbind())
        } else {
            GivenInput::Bytes(copy_buffer(object)?.unbind())
        };
        Ok(Self {
            object,
            offset_index: OnceLock::new(),
            lines: OnceLock::new(),
            decoded_text: OnceLock::new(),
        })
    }

    /// Returns the Python object that was given.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.object {
            GivenInput::Text(text) | GivenInput::Repaired(text, _) => {
                text.bind(py).clone().into_any()
            }
            GivenInput::Bytes(bytes) => bytes.bind(py).clone().into_any(),
        }
    }

    /// Returns the input as a parser reads it.
    pub(crate) fn input<'a>(&'a self, py: Python<'a>) -> PyResult<Input<'a>> {
        Ok(match &self.object {
            GivenInput::Text(text) => Input::Text(text.to_str(py)?),
            GivenInput::Repaired(_, text) => Input::Text(text),
            GivenInput::Bytes(bytes) => Input::Bytes(bytes.as_bytes(py)),
        })
    }

    /// Returns the text to which parser offsets refer, decoding bytes.
    pub(crate) fn text<'a>(&'a self, py: Python<'a>, encoding: Encoding) -> PyResult<Cow<'a, str>> {
        Ok(match self.input(py)? {
            Input::Text(text) => Cow::Borrowed(text),
            Input::Bytes(bytes) => decode(bytes, encoding),
        })
    }

    /// Returns the same text as [`text`](Self::text), but decodes bytes only once.
    pub(crate) fn cached_text<'a>(
        &'a self,
        py: Python<'a>,
        encoding: Encoding,
    ) -> PyResult<&'a str> {
        if let Some(text) = self.decoded_text.get() {
            return Ok(text);
        }
        Ok(match self.input(py)? {
            Input::Text(text) => text,
            Input::Bytes(bytes) => {
                let decoded_text = decode(bytes, encoding).into_owned();
                self.decoded_text.get_or_init(|| decoded_text)
            }
        })
    }

    /// Converts a range to Python's indices, which count code points if the source is text, and bytes otherwise.
    pub(crate) fn range(
        &self,
        py: Python<'_>,
        encoding: Encoding,
        span: Span,
    ) -> PyResult<(usize, usize)> {
        if let Some(offset_index) = self.offset_index.get() {
            return Ok(offset_index.range(self.text_if_str(py)?, span));
        }
        let index = match self.input(py)? {
            Input::Text(text) => OffsetIndex::of_text(text),
            Input::Bytes(bytes) => OffsetIndex::of_bytes(bytes, encoding),
        };
        let offset_index = self.offset_index.get_or_init(|| index);
        Ok(offset_index.range(self.text_if_str(py)?, span))
    }

    /// Returns the line and column, from 1, of a byte offset in the text.
    pub(crate) fn position(
        &self,
        py: Python<'_>,
        encoding: Encoding,
        offset: usize,
    ) -> PyResult<(usize, usize)> {
        let lines = match self.lines.get() {
            Some(lines) => lines,
            None => {
                let text = self.text(py, encoding)?;
                let starts = LineStarts::new(&text);
                let is_bytes = matches!(self.object, GivenInput::Bytes(_));
                let decoded_text = is_bytes.then(|| text.into_owned());
                // Another thread may have stored an equal index in the meantime, which is then used instead of this
                // one.
                self.lines.get_or_init(|| LineIndex { decoded_text, starts })
            }
        };
        let text = match &lines.decoded_text {
            Some(text) => text,
            None => self.text_if_str(py)?,
        };
        Ok(lines.starts.position(text, offset))
    }

    /// Returns the text that was given, or an empty text if bytes were given.
    fn text_if_str<'a>(&'a self, py: Python<'a>) -> PyResult<&'a str> {
        match self.input(py)? {
            Input::Text(text) => Ok(text),
            Input::Bytes(_) => Ok(""),
        }
    }

    /// Returns the unit of indices, for messages.
    pub(crate) fn unit(&self) -> &'static str {
        match self.object {
            GivenInput::Text(_) | GivenInput::Repaired(..) => "code points",
            GivenInput::Bytes(_) => "bytes",
        }
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
