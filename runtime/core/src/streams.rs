//! A parser as a writer, and parsing of readers, the errors of which are returned unchanged.

use crate::construct::{Construction, Options, Parsed, Parser};
use crate::tree::TreeSink;
use std::io::{self, Write};

/// The maximum number of bytes read at once.
const CHUNK_LEN: usize = 0x1_0000;

/// Feeds the parser the bytes that are written to it; see [`feed_bytes`](Parser::feed_bytes). Writing never fails.
///
/// ```
/// use std::io;
/// use tabulex::{Options, html};
///
/// let mut parser = html::parser(Options::new());
/// io::copy(&mut &b"<p>One<p>Two"[..], &mut parser)?;
/// assert_eq!(parser.finish().tree.root().text(), "OneTwo");
/// # Ok::<(), io::Error>(())
/// ```
impl<D: Construction, S: TreeSink> Write for Parser<D, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.feed_bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses a reader to its end, as [`parse_bytes`](crate::parse_bytes) does. The whole input is read into memory first,
/// which is fastest, unless [memory is limited](crate::Limits::checks_memory_while_parsing).
///
/// # Errors
///
/// Errors of the reader.
pub fn parse_reader<D: Construction>(
    mut reader: impl io::Read,
    options: &Options,
) -> io::Result<Parsed> {
    let mut parser = Parser::<D>::new(options);
    if !options.limits.checks_memory_while_parsing() {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        return Ok(parser.parse_bytes(&bytes));
    }
    let mut chunk = vec![0; CHUNK_LEN];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(parser.finish()),
            Ok(length) => {
                let bytes = chunk.get(..length).ok_or(io::ErrorKind::InvalidData)?;
                parser.feed_bytes(bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
