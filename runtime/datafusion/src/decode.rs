//! Transfer and content codings, taken off payloads. It parses no headers. Invariant: a payload that has not the coding that its
//! headers say is returned as it is, as crawlers take codings off and leave the headers.

use fastwarc::stream_io::brotli::BrotliReader;
use fastwarc::stream_io::chunked::ChunkedReader;
use fastwarc::stream_io::gzip::{GzipReader, GzipReaderOptions, MAX_WBITS};
use fastwarc::stream_io::zstd::ZstdReader;
use std::io::{Cursor, Read};

/// One coding.
#[derive(Clone, Copy, Debug)]
enum Coding {
    Chunked,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// The content coding of this name, if it is known.
    fn named(name: &str) -> Option<Self> {
        match &name.trim().to_ascii_lowercase()[..] {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// What is in the bytes, or nothing if they have not this coding; no more than some bytes are read.
    fn decoded(self, coded: &[u8], most: u64) -> Option<Vec<u8>> {
        let source = || Cursor::new(coded.to_vec());
        match self {
            Self::Chunked => read(ChunkedReader::new(source()), most),
            Self::Gzip => read(GzipReader::new(source()), most),
            // With the header of zlib, as HTTP has it, or without, as some servers do.
            Self::Deflate => [true, false].into_iter().find_map(|expect_header| {
                let zlib = GzipReaderOptions {
                    window_bits: MAX_WBITS,
                    expect_header,
                    ..Default::default()
                };
                read(GzipReader::with_options(source(), zlib), most)
            }),
            Self::Brotli => read(BrotliReader::new(source()), most),
            Self::Zstd => read(ZstdReader::new(source()), most),
        }
    }
}

/// What a reader gives, unless it fails or gives nothing: what decodes to nothing was not encoded.
fn read(reader: impl Read, most: u64) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let read = reader.take(most).read_to_end(&mut found);
    (read.is_ok() && !found.is_empty()).then_some(found)
}

/// The payload without the codings of these headers; of a payload that becomes longer than some bytes, one byte more.
pub(crate) fn decoded(raw: Vec<u8>, transfer: &str, content: &str, most: u64) -> Vec<u8> {
    let is_chunked = transfer.to_ascii_lowercase().contains("chunked");
    let chunked = is_chunked.then_some(Coding::Chunked);
    // What was put on last comes off first.
    let codings = chunked.into_iter().chain(content.rsplit(',').filter_map(Coding::named));
    codings
        .fold(raw, |coded, coding| coding.decoded(&coded, most.saturating_add(1)).unwrap_or(coded))
}
