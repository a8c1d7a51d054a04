//! A file or standard input as pieces of text. It decodes; it does not tokenize. Invariant: at most one buffer of bytes is
//! held at a time.

use crate::failure::Failure;
use crate::progress::Progress;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use tabulex::Utf8Decoder;

/// Bytes read at a time.
const BUFFER: usize = 64 * 1024;

/// The labels of UTF-8 in the Encoding Standard.
const UTF_8_LABELS: &[&str] =
    &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"];

/// Checks the label of an encoding: UTF-8 is the only one that can be decoded.
pub(crate) fn check_encoding(label: &str) -> Result<(), String> {
    let label = label.trim_ascii().to_ascii_lowercase();
    match UTF_8_LABELS.contains(&&label[..]) {
        true => Ok(()),
        false => Err(format!(
            "the encoding {label:?} cannot be decoded; only UTF-8 can: {}",
            UTF_8_LABELS.join(", ")
        )),
    }
}

/// A file that is open, or standard input.
pub(crate) struct Input {
    name: String,
    reader: Box<dyn Read>,
    size: Option<u64>,
}

impl Input {
    /// Opens the file; `-` and nothing are standard input.
    pub(crate) fn open(path: Option<&OsStr>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != "-") else {
            let name = "standard input".to_owned();
            return Ok(Self { name, reader: Box::new(io::stdin().lock()), size: None });
        };
        let name = path.to_string_lossy().into_owned();
        match File::open(path) {
            Ok(file) => {
                let size = file.metadata().ok().map(|metadata| metadata.len());
                Ok(Self { name, reader: Box::new(file), size })
            }
            Err(error) => Err(Failure::Input(name, error)),
        }
    }

    /// Hands the text to `take`, piece by piece, and `None` at the end. A failure of `take` ends the reading.
    pub(crate) fn read(
        mut self,
        mut take: impl FnMut(Option<&str>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new(self.size);
        let mut decoder = Utf8Decoder::new();
        let mut buffer = vec![0; BUFFER];
        let mut result = Ok(());
        loop {
            let length = match self.reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Input(self.name, error)),
            };
            decoder.decode(&buffer[..length], |piece| {
                if result.is_ok() {
                    result = take(Some(piece));
                }
            });
            std::mem::replace(&mut result, Ok(()))?;
            progress.advance(length);
        }
        decoder.finish(|piece| result = take(Some(piece)));
        result?;
        take(None)
    }
}
