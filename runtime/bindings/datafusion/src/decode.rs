//! Decodes transfer and content codings of payloads. Crawlers may store decoded payloads with the original headers, so
//! a payload that does not begin as its coding requires is returned unchanged. One that is damaged further on is
//! decoded up to the damage, which is described. The rules are those of `_codings.py` in the Python package.

use fastwarc::stream_io::brotli::BrotliReader;
use fastwarc::stream_io::zstd::ZstdReader;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use std::io::{self, Cursor, Read};

/// The magic number of gzip.
const GZIP: &[u8] = b"\x1F\x8B";

/// The magic number of Zstandard.
const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";

/// Number of bytes inspected to distinguish text from binary data.
const SNIFF_LEN: usize = 1445;

/// The decoded content, and a description of the damage, if any.
type Decoded = (Vec<u8>, Option<String>);

/// Decodes a payload of at most `max_len` bytes. `codings` lists the codings in the order in which they were applied.
/// Of a result longer than `max_len` bytes, at most the first `max_len + 1` are returned.
pub(crate) fn decode(mut raw: Vec<u8>, codings: &str, max_len: u64) -> Decoded {
    let mut damage = None;
    // The coding that was applied last is decoded first.
    for name in codings.rsplit(',').map(str::trim) {
        if raw.is_empty() || raw.len() as u64 > max_len {
            break;
        }
        if let Some((content, error)) = decode_one(name, &raw, max_len.saturating_add(1)) {
            raw = content;
            damage = damage.or_else(|| error.map(|error| format!("{name}: {error}")));
        }
    }
    (raw, damage)
}

/// Decodes a single coding; `None` if the payload does not have it or the name is unknown.
fn decode_one(name: &str, raw: &[u8], max_len: u64) -> Option<Decoded> {
    match &name.to_ascii_lowercase()[..] {
        "gzip" | "x-gzip" => raw.starts_with(GZIP).then(|| decode_gzip_members(raw, max_len)),
        // HTTP defines `deflate` as the zlib format, but some servers omit the zlib header.
        "deflate" => {
            let zlib =
                has_zlib_header(raw).then(|| read_until_error(|| ZlibDecoder::new(raw), max_len).0);
            zlib.filter(|(content, damage)| !content.is_empty() || damage.is_none())
                .or_else(|| check_plausible(raw, decode_raw_deflate(raw, max_len)))
        }
        "br" => check_plausible(
            raw,
            read_until_error(|| BrotliReader::new(Cursor::new(raw.to_vec())), max_len).0,
        ),
        "zstd" => raw
            .starts_with(ZSTD)
            .then(|| read_until_error(|| ZstdReader::new(Cursor::new(raw.to_vec())), max_len).0),
        "chunked" => parse_chunk_header(raw).is_some().then(|| join_chunks(raw)),
        _ => None,
    }
}

/// Whether the payload begins with the two header bytes of zlib (RFC 1950).
fn has_zlib_header(raw: &[u8]) -> bool {
    raw.len() > 1 && raw[0] & 0x8F == 8 && u16::from_be_bytes([raw[0], raw[1]]).is_multiple_of(31)
}

/// Returns the result for a coding without a magic number if it is plausible: a damaged one only for binary data, and
/// an empty one only for a payload of at most 4 bytes.
fn check_plausible(raw: &[u8], decoded: Decoded) -> Option<Decoded> {
    let (content, damage) = &decoded;
    let is_plausible = match damage {
        Some(_) => is_binary(raw),
        None => !content.is_empty() || raw.len() <= 4,
    };
    is_plausible.then_some(decoded)
}

/// Whether bytes are binary according to the [MIME Sniffing
/// standard](https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary).
fn is_binary(raw: &[u8]) -> bool {
    let byte_order_marks: [&[u8]; 3] = [b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB\xBF"];
    let is_binary_byte = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    !byte_order_marks.iter().any(|mark| raw.starts_with(mark))
        && raw.iter().take(SNIFF_LEN).any(is_binary_byte)
}

/// Reads up to `max_len` bytes, or until an error; returns them and the reader.
fn read_until_error<R: Read>(open: impl Fn() -> R, max_len: u64) -> (Decoded, R) {
    let (mut content, mut reader) = (Vec::new(), open().take(max_len));
    let Err(damage) = reader.read_to_end(&mut content) else {
        return ((content, None), reader.into_inner());
    };
    // A failing read loses the bytes before the error, so they are read again one by one.
    let mut second_reader = open().take(max_len);
    let _ = io::copy(&mut second_reader.by_ref().take(content.len() as u64), &mut io::sink());
    let mut byte = [0];
    while second_reader.read_exact(&mut byte).is_ok() {
        content.extend(byte);
    }
    ((content, Some(describe_error(&damage))), second_reader.into_inner())
}

/// Describes an error of a reader.
fn describe_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the content ends early".to_owned(),
        _ => error.to_string(),
    }
}

/// Decodes consecutive gzip members. Bytes after the last member are ignored.
fn decode_gzip_members(mut raw: &[u8], max_len: u64) -> Decoded {
    let mut content = Vec::new();
    loop {
        let remaining = max_len - content.len() as u64;
        let ((member_content, damage), decoder) =
            read_until_error(|| GzDecoder::new(raw), remaining);
        content.extend(member_content);
        raw = decoder.into_inner();
        if damage.is_some() || content.len() as u64 >= max_len || !raw.starts_with(GZIP) {
            return (content, damage);
        }
    }
}

/// Decodes zlib data without a header. Bytes after its end count as damage, because the payload may then not be zlib
/// data at all.
fn decode_raw_deflate(raw: &[u8], max_len: u64) -> Decoded {
    let ((content, damage), decoder) = read_until_error(|| DeflateDecoder::new(raw), max_len);
    let is_complete =
        content.len() as u64 >= max_len || decoder.into_inner().trim_ascii().is_empty();
    (content, damage.or_else(|| (!is_complete).then(|| "bytes follow its end".to_owned())))
}

/// Parses the header of a chunk, including the line end of the previous one; extensions are ignored. Returns the
/// lengths of the header and of the chunk; `None` if there is no such header.
fn parse_chunk_header(raw: &[u8]) -> Option<(usize, usize)> {
    let header = raw.strip_prefix(b"\r\n").or_else(|| raw.strip_prefix(b"\n")).unwrap_or(raw);
    let line =
        header.split(|&byte| byte == b'\n').next().filter(|line| line.len() < header.len())?;
    let digit_count = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let length = str::from_utf8(&line[..digit_count]).ok().filter(|digits| digits.len() <= 15)?;
    let extensions = line[digit_count..].trim_ascii();
    if !(extensions.is_empty() || extensions.starts_with(b";") && !extensions.contains(&b'\r')) {
        return None;
    }
    let length = usize::from_str_radix(length, 16).ok()?;
    Some((raw.len() - header.len() + line.len() + 1, length))
}

/// Joins the contents of chunks. The reader of FastWARC is not used, as it rejects chunk extensions.
fn join_chunks(raw: &[u8]) -> Decoded {
    let (mut content, mut offset) = (Vec::new(), 0);
    while let Some((header_len, length)) = parse_chunk_header(&raw[offset..]) {
        let start = offset + header_len;
        let end = start.saturating_add(length);
        offset = end.min(raw.len());
        content.extend_from_slice(&raw[start..offset]);
        if length == 0 {
            return (content, None);
        }
        if end > raw.len() {
            break;
        }
    }
    let damage = match &raw[offset..] {
        b"" | b"\r\n" => "the content ends early".to_owned(),
        _ => format!("there is no chunk at byte {offset}"),
    };
    (content, Some(damage))
}
