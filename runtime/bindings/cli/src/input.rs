//! A file or standard input, read in pieces or as a whole.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::visible;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// Number of bytes read at a time.
const BUFFER_SIZE: usize = 64 * 1024;

/// An open file, or standard input.
pub(crate) struct Input {
    /// The quoted path, or "standard input".
    name: String,
    reader: Box<dyn Read>,
    size: Option<u64>,
}

impl Input {
    /// Opens a file; `-` and `None` mean standard input.
    pub(crate) fn open(path: Option<&OsStr>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != "-") else {
            let name = "standard input".to_owned();
            return Ok(Self { name, reader: Box::new(io::stdin().lock()), size: None });
        };
        let name = visible::name(Path::new(path));
        if Path::new(path).is_dir() {
            return Err(Failure::Message(format!(
                "`{name}` is a folder; `tabulex parse {name}` parses all files in it"
            )));
        }
        let name = format!("`{name}`");
        match File::open(path) {
            Ok(file) => {
                let size = file.metadata().ok().map(|metadata| metadata.len());
                Ok(Self { name, reader: Box::new(file), size })
            }
            Err(error) => Err(Failure::unreadable(&name, &error)),
        }
    }

    /// Passes the bytes to `consume`, piece by piece, until `consume` breaks or fails.
    pub(crate) fn read_bytes(
        mut self,
        mut consume: impl FnMut(&[u8]) -> Result<ControlFlow<()>, Failure>,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new(self.size);
        let mut buffer = vec![0; BUFFER_SIZE];
        loop {
            let length = match self.reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::unreadable(&self.name, &error)),
            };
            if consume(&buffer[..length])?.is_break() {
                return Ok(());
            }
            progress.advance(length);
        }
    }

    /// Reads all bytes.
    pub(crate) fn read_all(self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.read_bytes(|piece| {
            bytes.extend_from_slice(piece);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(bytes)
    }
}
