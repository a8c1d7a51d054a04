//! A file or standard input as pieces of text. It decodes; it does not tokenize. Invariant: at most one buffer of bytes is
//! held at a time.

use crate::failure::Failure;
use crate::progress::Progress;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use tabulex::encoding::{ByteStream, Clues, Encoding, Hints};

/// Bytes read at a time.
const BUFFER: usize = 64 * 1024;

/// A file that is open, or standard input.
pub(crate) struct Input {
    name: String,
    reader: Box<dyn Read>,
    size: Option<u64>,
    stream: ByteStream,
}

impl Input {
    /// Opens the file; `-` and nothing are standard input. Without an encoding it is the one that the input declares, as
    /// the clues say, or else UTF-8.
    pub(crate) fn open(
        path: Option<&OsStr>,
        clues: &'static Clues,
        encoding: Option<Encoding>,
    ) -> Result<Self, Failure> {
        let mut hints = Hints::new().fallback(Encoding::UTF_8);
        hints.override_with = encoding;
        let stream = ByteStream::new(clues, hints);
        let Some(path) = path.filter(|path| *path != "-") else {
            let name = "standard input".to_owned();
            return Ok(Self { name, reader: Box::new(io::stdin().lock()), size: None, stream });
        };
        let name = path.to_string_lossy().into_owned();
        match File::open(path) {
            Ok(file) => {
                let size = file.metadata().ok().map(|metadata| metadata.len());
                Ok(Self { name, reader: Box::new(file), size, stream })
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
        let mut buffer = vec![0; BUFFER];
        let mut result = Ok(());
        loop {
            let length = match self.reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Input(self.name, error)),
            };
            self.stream.feed(&buffer[..length], |piece| {
                if result.is_ok() {
                    result = take(Some(piece));
                }
            });
            std::mem::replace(&mut result, Ok(()))?;
            progress.advance(length);
        }
        self.stream.finish(|piece| {
            if result.is_ok() {
                result = take(Some(piece));
            }
        });
        result?;
        take(None)
    }
}
