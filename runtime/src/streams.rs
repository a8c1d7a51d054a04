//! Text output to writers of bytes, and parsing of asynchronous readers. Errors of a reader or writer are returned
//! unchanged.

use std::fmt;
use std::io::{self, Write};
#[cfg(feature = "tokio")]
use tabulex_core::{Construction, Options, Parsed, Parser};
#[cfg(feature = "tokio")]
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Maximum number of bytes read at once.
#[cfg(feature = "tokio")]
const CHUNK_LEN: usize = 0x1_0000;

/// Parses an asynchronous reader to its end, as [`parse_bytes`](crate::parse_bytes) does. Input after the [limit on
/// memory](crate::Limits::bytes) is read and dropped.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::{Options, parse_async};
///
/// let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// let parsed = runtime.block_on(parse_async::<Html>(&b"<p>One<p>Two"[..], &Options::new()))?;
/// assert_eq!(parsed.tree.root().text(), "OneTwo");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the reader.
#[cfg(feature = "tokio")]
pub async fn parse_async<D: Construction>(
    mut reader: impl AsyncRead + Unpin,
    options: &Options,
) -> io::Result<Parsed> {
    let mut parser = Parser::<D>::new(options);
    let mut chunk = vec![0; CHUNK_LEN];
    loop {
        let length = reader.read(&mut chunk).await?;
        if length == 0 {
            return Ok(parser.finish());
        }
        parser.feed_bytes(&chunk[..length]);
    }
}

/// Runs a function that writes text, such as a serializer, on a writer of bytes, such as a file.
///
/// ```
/// use tabulex::{Options, html, write_to};
///
/// let tree = html::parse_fragment("<b>1</b> &lt; 2", "p", Options::new()).tree;
/// let mut file = Vec::new();
/// write_to(&mut file, |out| html::serializer().write_inner(tree.document_element().unwrap(), out))?;
/// assert_eq!(file, b"<b>1</b> &lt; 2");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the writer, or an error of kind [`Other`](io::ErrorKind::Other) if `write` itself fails.
pub fn write_to(
    out: impl Write,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let mut bytes = ByteWriter { out, error: None };
    let written = write(&mut bytes);
    match (bytes.error, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(io::Error::other(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// An adapter that writes text to a writer of bytes and keeps its first error.
struct ByteWriter<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> fmt::Write for ByteWriter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error.get_or_insert(error);
            fmt::Error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that fails after a number of bytes.
    struct LimitedWriter(usize);

    impl Write for LimitedWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::new(io::ErrorKind::StorageFull, "full"));
            }
            let length = bytes.len().min(self.0);
            self.0 -= length;
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn returns_the_error_of_the_writer() {
        let write = |capacity| write_to(LimitedWriter(capacity), |out| out.write_str("abc"));
        assert!(write(3).is_ok());
        assert_eq!(write(2).expect_err("the writer is full").kind(), io::ErrorKind::StorageFull);
        let written = write_to(LimitedWriter(3), |_| Err(fmt::Error));
        let error = written.expect_err("the writing function fails");
        assert_eq!(error.kind(), io::ErrorKind::Other);
    }
}
