//! Transfer and content codings, taken off payloads. It parses no headers. Crawlers take codings off and leave the headers, so a payload
//! that does not begin as the coding says is returned as it is; one that begins so and is damaged further on is what could be decoded,
//! with the damage. Invariant: the rules are those of the Python package's `_codings.py`, and what is returned has at most one byte more
//! than was asked for.

use fastwarc::stream_io::brotli::BrotliReader;
use fastwarc::stream_io::zstd::ZstdReader;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use std::io::{self, Cursor, Read};

/// How gzip begins.
const GZIP: &[u8] = b"\x1F\x8B";

/// How Zstandard begins.
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// How many bytes are looked at to tell text from what is none.
const SNIFFED: usize = 1445;

/// What came out of a coding, and what is wrong with it.
type Decoded = (Vec<u8>, Option<String>);

/// The payload without the codings of these names, the first of which was put on first; of a payload that becomes longer than some
/// bytes, one byte more. And what is damaged in it, if anything is.
pub(crate) fn decoded(mut raw: Vec<u8>, codings: &str, most: u64) -> Decoded {
    let mut damage = None;
    // What was put on last comes off first.
    for name in codings.rsplit(',').map(str::trim) {
        if raw.is_empty() || raw.len() as u64 > most {
            break;
        }
        if let Some((content, found)) = taken_off(name, &raw, most.saturating_add(1)) {
            raw = content;
            damage = damage.or_else(|| found.map(|found| format!("{name}: {found}")));
        }
    }
    (raw, damage)
}

/// A payload without one coding; none if it has not this one, or if the name is that of no coding.
fn taken_off(name: &str, raw: &[u8], most: u64) -> Option<Decoded> {
    match &name.to_ascii_lowercase()[..] {
        "gzip" | "x-gzip" => raw.starts_with(GZIP).then(|| members(raw, most)),
        // With the header of zlib, as HTTP has it, or without, as some servers do.
        "deflate" => {
            let zlib = begins_as_zlib(raw).then(|| read(|| ZlibDecoder::new(raw), most).0);
            zlib.filter(|(content, damage)| !content.is_empty() || damage.is_none())
                .or_else(|| likely(raw, deflated(raw, most)))
        }
        "br" => likely(raw, read(|| BrotliReader::new(Cursor::new(raw.to_vec())), most).0),
        "zstd" => raw
            .starts_with(ZSTD)
            .then(|| read(|| ZstdReader::new(Cursor::new(raw.to_vec())), most).0),
        "chunked" => chunk(raw).is_some().then(|| joined(raw)),
        _ => None,
    }
}

/// Whether these are the two bytes that RFC 1950 has at the beginning.
fn begins_as_zlib(raw: &[u8]) -> bool {
    raw.len() > 1 && raw[0] & 0x8F == 8 && u16::from_be_bytes([raw[0], raw[1]]).is_multiple_of(31)
}

/// What came out of a coding that begins with nothing to know it by. If something is wrong with it, a text was none of it; and what
/// gives nothing is a few bytes long.
fn likely(raw: &[u8], coded: Decoded) -> Option<Decoded> {
    let (content, damage) = &coded;
    let is_coded = match damage {
        Some(_) => is_binary(raw),
        None => !content.is_empty() || raw.len() <= 4,
    };
    is_coded.then_some(coded)
}

/// Whether bytes are no text to the [MIME Sniffing standard](https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary).
fn is_binary(raw: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB\xBF"];
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    !marks.iter().any(|mark| raw.starts_with(mark)) && raw.iter().take(SNIFFED).any(is_binary)
}

/// What a reader gives, until something is wrong; and the reader where that ends.
fn read<R: Read>(make: impl Fn() -> R, most: u64) -> (Decoded, R) {
    let (mut content, mut reader) = (Vec::new(), make().take(most));
    let Err(damage) = reader.read_to_end(&mut content) else {
        return ((content, None), reader.into_inner());
    };
    // A piece in which something is wrong is not given: what comes before that is read again, byte by byte.
    let mut again = make().take(most);
    let _ = io::copy(&mut again.by_ref().take(content.len() as u64), &mut io::sink());
    let mut byte = [0];
    while again.read_exact(&mut byte).is_ok() {
        content.extend(byte);
    }
    ((content, Some(said(&damage))), again.into_inner())
}

/// What an error of a reader says.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends early".to_owned(),
        _ => error.to_string(),
    }
}

/// All members of gzip, one after the other. What follows the last one is no part of them.
fn members(mut raw: &[u8], most: u64) -> Decoded {
    let mut content = Vec::new();
    loop {
        let left = most - content.len() as u64;
        let ((part, damage), decoder) = read(|| GzDecoder::new(raw), left);
        content.extend(part);
        raw = decoder.into_inner();
        if damage.is_some() || content.len() as u64 >= most || !raw.starts_with(GZIP) {
            return (content, damage);
        }
    }
}

/// What zlib makes of bytes without a header: if they have an end somewhere, they need not be of zlib.
fn deflated(raw: &[u8], most: u64) -> Decoded {
    let ((content, damage), decoder) = read(|| DeflateDecoder::new(raw), most);
    let is_end = content.len() as u64 >= most || decoder.into_inner().trim_ascii().is_empty();
    (content, damage.or_else(|| (!is_end).then(|| "bytes follow its end".to_owned())))
}

/// What stands before a chunk, which begins here: the end of the last one, how long this one is, and extensions, which say nothing
/// that is known here. How many bytes that takes, and how long the chunk is.
fn chunk(raw: &[u8]) -> Option<(usize, usize)> {
    let end = raw.strip_prefix(b"\r\n").or_else(|| raw.strip_prefix(b"\n")).unwrap_or(raw);
    let line = end.split(|&byte| byte == b'\n').next().filter(|line| line.len() < end.len())?;
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let length = str::from_utf8(&line[..digits]).ok().filter(|digits| digits.len() <= 15)?;
    let rest = line[digits..].trim_ascii();
    if !(rest.is_empty() || rest.starts_with(b";") && !rest.contains(&b'\r')) {
        return None;
    }
    let length = usize::from_str_radix(length, 16).ok()?;
    Some((raw.len() - end.len() + line.len() + 1, length))
}

/// What is in chunks. (The reader of FastWARC takes extensions of chunks for damage.)
fn joined(raw: &[u8]) -> Decoded {
    let (mut content, mut at) = (Vec::new(), 0);
    while let Some((head, length)) = chunk(&raw[at..]) {
        let start = at + head;
        let end = start.saturating_add(length);
        at = end.min(raw.len());
        content.extend_from_slice(&raw[start..at]);
        if length == 0 {
            return (content, None);
        }
        if end > raw.len() {
            break;
        }
    }
    let damage = match &raw[at..] {
        b"" | b"\r\n" => "it ends early".to_owned(),
        _ => format!("there is no chunk at byte {at}"),
    };
    (content, Some(damage))
}
