//! Builders of WARC records for tests.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

/// The HTTP headers of an HTML page.
pub(crate) const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

/// Builds the record of a response with these HTTP headers.
pub(crate) fn record(number: usize, body: &[u8], headers: &str) -> Vec<u8> {
    let http = [format!("HTTP/1.1 200 OK\r\n{headers}\r\n").as_bytes(), body].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         WARC-Target-URI: https://a.example/{number:03}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), &http, b"\r\n\r\n"].concat()
}

/// Compresses bytes as a gzip member.
pub(crate) fn member(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
