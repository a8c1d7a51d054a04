//! The computed MIME type of a page, by the MIME Sniffing Standard, and whether that is markup. The table `mime.sniff`
//! has the signatures.

use crate::pages::PageData;
use std::borrow::Cow;

/// Maximum length in bytes of the resource header, the part of a page that is inspected.
const HEADER_LEN: usize = 1445;

/// A function that tells whether the resource header matches a pattern.
type Match = fn(&[u8], &[u8]) -> bool;

macro_rules! signatures {
    ($($matches:ident $mime_type:literal = $($pattern:literal)|+;)*) => {
        const SIGNATURES: &[(Match, &str, &[&[u8]])] = &[$(($matches, $mime_type, &[$($pattern),+])),*];
    };
}

include!("../../../../spec/tables/mime.sniff");

fn exact(header: &[u8], pattern: &[u8]) -> bool {
    header.len() >= pattern.len()
        && header.iter().zip(pattern).all(|(byte, expected)| byte == expected || *expected == b'_')
}

fn spaced(header: &[u8], pattern: &[u8]) -> bool {
    header.trim_ascii_start().starts_with(pattern)
}

fn tag(header: &[u8], pattern: &[u8]) -> bool {
    let prefix = header.trim_ascii_start().split_at_checked(pattern.len());
    prefix.is_some_and(|(name, after_name)| {
        name.eq_ignore_ascii_case(pattern) && matches!(after_name.first(), Some(b' ' | b'>'))
    })
}

/// Returns the computed MIME type of a page, and whether it is markup: HTML, XML, or text of unknown kind. Pages given
/// as text without a Content-Type have no type and are markup.
pub(crate) fn compute_type<'a>(
    content_type: Option<&'a str>,
    page: PageData<'_>,
) -> (Option<Cow<'a, str>>, bool) {
    if let Some(essence) = content_type.and_then(essence) {
        let is_markup = ["text/html", "text/xml", "application/xml"].contains(&&*essence)
            || essence.ends_with("+xml");
        return (Some(essence), is_markup);
    }
    let PageData::Bytes(bytes) = page else { return (None, true) };
    let mime_type = sniff(&bytes[..bytes.len().min(HEADER_LEN)]);
    (Some(mime_type.into()), ["text/html", "text/xml", "text/plain"].contains(&mime_type))
}

/// Returns the MIME type determined by the first bytes alone.
fn sniff(header: &[u8]) -> &'static str {
    let signature = SIGNATURES
        .iter()
        .find(|(matches, _, patterns)| patterns.iter().any(|pattern| matches(header, pattern)));
    // The binary data bytes of the MIME Sniffing standard; text contains none of them.
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0xB | 0xE..=0x1A | 0x1C..=0x1F);
    match signature {
        Some((_, mime_type, _)) => mime_type,
        None if header.iter().any(is_binary) => "application/octet-stream",
        None => "text/plain",
    }
}

/// Returns the essence of a Content-Type's MIME type, or `None` if that is invalid or stands for an unknown type, as
/// `unknown/unknown` does.
fn essence(content_type: &str) -> Option<Cow<'_, str>> {
    let mime_type = content_type.split(';').next()?.trim_matches([' ', '\t', '\r', '\n']);
    let is_token = |text: &str| {
        let is_token_byte =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !text.is_empty() && text.bytes().all(is_token_byte)
    };
    let (type_name, subtype) = mime_type.split_once('/')?;
    let essence: Cow<'_, str> = match mime_type.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => mime_type.to_ascii_lowercase().into(),
        false => mime_type.into(),
    };
    let is_unknown = ["unknown/unknown", "application/unknown", "*/*"].contains(&&*essence);
    (is_token(type_name) && is_token(subtype) && !is_unknown).then_some(essence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_types_as_the_standard_does() {
        let late_nul = [&[b' '; 1500][..], b"\0"].concat();
        for (content_type, bytes, expected) in [
            (None, &b"\n <!doctype html>"[..], ("text/html", true)),
            (None, b"<a href=x>", ("text/html", true)),
            (None, b"<p\t>", ("text/plain", true)),
            (None, b"<p", ("text/plain", true)),
            (None, b"<?xml version='1.0'?>\0", ("text/xml", true)),
            (None, b"<p>\0", ("text/html", true)),
            (None, b" %PDF-1.7", ("text/plain", true)),
            (None, b"%PDF-1.7 <p>", ("application/pdf", false)),
            (None, b"\x89PNG\r\n\x1A\n\0", ("image/png", false)),
            (None, b"\x1F\x8B\x08\0", ("application/x-gzip", false)),
            (None, b"RIFF1234WEBPVP8 ", ("image/webp", false)),
            (None, b"\xFF\xFE\0<", ("text/plain", true)),
            (None, b"\xEF\xBB\xBF", ("text/plain", true)),
            (None, b"x\0", ("application/octet-stream", false)),
            (None, b"caf\xE9\x1B", ("text/plain", true)),
            (None, &late_nul, ("text/plain", true)),
            (None, b"", ("text/plain", true)),
            (Some("text/html; charset=x"), b"%PDF-", ("text/html", true)),
            (Some(" Image/SVG+XML ;x"), b"\0", ("image/svg+xml", true)),
            (Some("application/pdf"), b"<p>", ("application/pdf", false)),
            (Some("text/plain"), b"<p>", ("text/plain", false)),
            (Some("application/unknown"), b"<p>", ("text/html", true)),
            (Some("*/*"), b"%PDF-", ("application/pdf", false)),
            (Some("html"), b"<p>", ("text/html", true)),
            (Some("text/"), b"BM", ("image/bmp", false)),
            (Some("te xt/html"), b"BM", ("image/bmp", false)),
        ] {
            let (mime_type, is_markup) = compute_type(content_type, PageData::Bytes(bytes));
            assert_eq!(
                (mime_type.as_deref().unwrap(), is_markup),
                expected,
                "{content_type:?} {bytes:?}"
            );
        }
        assert_eq!(compute_type(None, PageData::Text("%PDF-\0")), (None, true));
        assert!(!compute_type(Some("image/png"), PageData::Text("")).1);
    }
}
