//! Reading of WARC files that are intact, damaged or long, with the cases of
//! `runtime/bindings/python/tests/test_warc.py`. A damaged part becomes a row, and reading continues after it.

mod warc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::datatypes::{Int32Type, Int64Type};
use fastwarc::stream_io::brotli::BrotliWriter;
use fastwarc::stream_io::zstd::ZstdWriter;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use std::io::Write as _;
use tabulex_datafusion::{Responses, SizeLimits};
use warc::{HTML, member, record};

fn records() -> Vec<Vec<u8>> {
    let body = |number: usize| [format!("<p>{number} ").as_bytes(), &[b'x'; 3000]].concat();
    (0..5).map(|number| record(number, &body(number), HTML)).collect()
}

fn members() -> Vec<Vec<u8>> {
    records().iter().map(|record| member(record)).collect()
}

fn read(content: &[u8], sizes: SizeLimits) -> Vec<RecordBatch> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    Responses::open(file.path(), sizes).unwrap().map(Result::unwrap).collect()
}

/// Returns the numbers of the records read, with an E for each error.
fn numbers(content: &[u8]) -> String {
    let batches = read(content, SizeLimits::default());
    let batch_numbers = |batch: &RecordBatch| -> String {
        let (urls, errors) =
            (batch["url"].as_string::<i32>().clone(), batch["error"].as_string::<i32>().clone());
        let last_character =
            |url: Option<&str>| url.and_then(|url| url.chars().last()).unwrap_or('?');
        let rows = urls.iter().zip(errors.iter());
        rows.map(|(url, error)| if error.is_some() { 'E' } else { last_character(url) }).collect()
    };
    batches.iter().map(batch_numbers).collect()
}

fn errors(content: &[u8], sizes: SizeLimits) -> Vec<Option<String>> {
    let batches = read(content, sizes);
    let batch_errors = |batch: &RecordBatch| -> Vec<_> {
        batch["error"].as_string::<i32>().iter().map(|error| error.map(str::to_owned)).collect()
    };
    batches.iter().flat_map(batch_errors).collect()
}

#[test]
fn reads_whole_files() {
    for pieces in [members(), records()] {
        let content = pieces.concat();
        assert_eq!(numbers(&content), "01234");
        let batches = read(&content, SizeLimits::default());
        assert_eq!(batches.len(), 1);
        let batch = &batches[0];
        assert_eq!(batch["url"].as_string::<i32>().value(0), "https://a.example/000");
        assert_eq!(batch["status"].as_primitive::<Int32Type>().value(0), 200);
        assert_eq!(batch["content_type"].as_string::<i32>().value(0), "text/html; charset=utf-8");
        assert!(batch["payload"].as_binary::<i32>().value(1).starts_with(b"<p>1 xxx"));
        let offsets = batch["offset"].as_primitive::<Int64Type>();
        for (offset, piece) in offsets.values().iter().zip(&pieces) {
            assert!(content[*offset as usize..].starts_with(piece));
        }
        for sizes in [
            SizeLimits { batch_rows: 2, ..SizeLimits::default() },
            SizeLimits { batch_bytes: 6000, ..SizeLimits::default() },
        ] {
            let rows: Vec<_> = read(&content, sizes).iter().map(RecordBatch::num_rows).collect();
            assert_eq!(rows, [2, 2, 1]);
        }
    }
    assert_eq!(numbers(b""), "");
}

#[test]
fn damaged_records_become_rows() {
    for pieces in [members(), records()] {
        let (before, after) = (pieces[..2].concat(), pieces[2..].concat());
        assert_eq!(numbers(&[&before, &b"junk\r\n"[..], &after].concat()), "01E234");
        assert_eq!(numbers(&[b"junk\r\n", &pieces.concat()[..]].concat()), "E01234");
        assert_eq!(numbers(&[&pieces.concat()[..], b"junk"].concat()), "01234E");
        assert_eq!(numbers(b"junk"), "E");
        let whole = pieces.concat();
        let truncated = &whole[..whole.len() - 40];
        assert_eq!(numbers(truncated), "0123E");
        let message = errors(truncated, SizeLimits::default()).pop().flatten().unwrap();
        assert!(message.contains("damaged"), "{message}");
    }
}

#[test]
fn damaged_members_become_rows() {
    let members = members();
    for index in 11..members[2].len() - 9 {
        let mut damaged = members.clone();
        damaged[2][index] ^= 0x55;
        let row_numbers = numbers(&damaged.concat());
        // If only a checksum reveals the damage, the third member may be read as something other than an error, but the
        // other members must be read unchanged.
        assert!(
            row_numbers.starts_with("01") && row_numbers.ends_with("34"),
            "{index}: {row_numbers}"
        );
    }
}

type Coder = fn(&[u8]) -> Vec<u8>;

fn zlib(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses bytes to zlib data without a header.
fn raw_deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn brotli(content: &[u8]) -> Vec<u8> {
    let mut writer = BrotliWriter::new(Vec::new());
    writer.write_all(content).unwrap();
    writer.into_inner().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    let mut writer = ZstdWriter::new(Vec::new());
    writer.write_all(content).unwrap();
    writer.into_inner().unwrap()
}

fn encode_chunks(content: &[u8]) -> Vec<u8> {
    let chunk =
        |piece: &[u8]| [format!("{:X};x=y\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
    let chunks: Vec<_> = content.chunks(1999).map(chunk).collect();
    [chunks.concat(), b"0\r\n\r\n".to_vec()].concat()
}

/// Headers that declare codings, a function that encodes a body accordingly, and whether one of the codings has a
/// checksum.
const CODINGS: &[(&str, Coder, bool)] = &[
    ("Content-Encoding: gzip", member, true),
    ("Content-Encoding: X-GZIP", member, true),
    ("Content-Encoding: deflate", zlib, true),
    ("content-encoding: Deflate", raw_deflate, false),
    ("Content-Encoding: br", brotli, false),
    ("Content-Encoding: zstd", zstd, true),
    ("Transfer-Encoding: chunked", encode_chunks, false),
    ("Transfer-Encoding: gzip, chunked", |it| encode_chunks(&member(it)), true),
    ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", |it| encode_chunks(&member(it)), true),
    (
        "Content-Encoding: br\r\nTransfer-Encoding: deflate, chunked",
        |it| encode_chunks(&zlib(&brotli(it))),
        true,
    ),
    ("Content-Encoding: deflate, gzip", |it| member(&zlib(it)), true),
    ("Content-Encoding: zstd ,,\tbr", |it| brotli(&zstd(it)), true),
    ("Content-Encoding: gzip\r\nContent-Encoding: br", |it| brotli(&member(it)), true),
];

fn page() -> Vec<u8> {
    let line =
        |number: usize| format!("<p>{} is {number:x} in hexadecimal digits\n", number * number);
    (0..900).map(line).collect::<String>().into_bytes()
}

/// Returns the payload and error of a response with these headers.
fn payload(headers: &str, body: &[u8], sizes: SizeLimits) -> (Option<Vec<u8>>, Option<String>) {
    let record = member(&record(1, body, &format!("{headers}\r\n")));
    let [batch] = &read(&record, sizes)[..] else { panic!("{headers}") };
    let (payload, error) = (batch["payload"].as_binary::<i32>(), batch["error"].as_string::<i32>());
    let first_payload = payload.iter().next().unwrap().map(<[u8]>::to_vec);
    (first_payload, error.iter().next().unwrap().map(str::to_owned))
}

#[test]
fn decodes_content_codings() {
    let default_sizes = SizeLimits::default();
    for (headers, encode, _) in CODINGS {
        for page in [&page()[..], b"<p>", b""] {
            assert_eq!(
                payload(headers, &encode(page), default_sizes),
                (Some(page.to_vec()), None),
                "{headers}"
            );
            // Some crawlers store the decoded payload with the original headers; such a payload is returned unchanged.
            assert_eq!(
                payload(headers, page, default_sizes),
                (Some(page.to_vec()), None),
                "{headers}"
            );
        }
        let small_sizes = SizeLimits { payload: 10_000, ..default_sizes };
        assert_eq!(payload(headers, &encode(&page()), small_sizes).0, None, "{headers}");
    }
}

#[test]
fn damaged_codings_become_rows() {
    let page = page();
    for (headers, encode, has_checksum) in CODINGS {
        let encoded = encode(&page);
        let last_coding = headers.rsplit([' ', '\t']).next().unwrap();
        for cut_len in [encoded.len() / 2, encoded.len() * 9 / 10] {
            let (content, error) = payload(headers, &encoded[..cut_len], SizeLimits::default());
            let error = error.unwrap_or_default();
            assert!(error.starts_with(&format!("damaged: {last_coding}: ")), "{headers}: {error}");
            // From a cut payload, zstd returns nothing of an incomplete block of 128 KiB; the other codings return
            // everything before the cut.
            let content = content.unwrap();
            assert!(page.starts_with(&content), "{headers}");
            assert!(!content.is_empty() || headers.contains("zstd"), "{headers}");
        }
        let mut corrupted = encoded.clone();
        corrupted[encoded.len() * 3 / 4] ^= 0x55;
        let (content, error) = payload(headers, &corrupted, SizeLimits::default());
        assert!(content.is_some() && (error.is_some() || !has_checksum), "{headers}");
        // A row with a damaged coding does not hide later damage in the file.
        let cut_record = record(1, &encoded[..encoded.len() / 2], &format!("{headers}\r\n"));
        let next_member = members().swap_remove(3);
        assert_eq!(
            numbers(&[member(&cut_record), b"junk".to_vec(), next_member].concat()),
            "EE3",
            "{headers}"
        );
    }
}

#[test]
fn returns_payloads_without_coding_unchanged() {
    let (page, default_sizes) = (page(), SizeLimits::default());
    for headers in ["Content-Encoding: unheard-of", "Content-Encoding: ", "Transfer-Encoding: none"]
    {
        assert_eq!(payload(headers, &page, default_sizes), (Some(page.clone()), None), "{headers}");
    }
    // Several gzip members are decoded to one payload, and bytes after the end of a coding are ignored.
    let two_members = [member(&page), member(b"more")].concat();
    let joined_payload = [&page[..], b"more"].concat();
    assert_eq!(
        payload("Content-Encoding: gzip", &two_members, default_sizes),
        (Some(joined_payload), None)
    );
    for (headers, encoded) in [
        ("Content-Encoding: gzip", member(&page)),
        ("Content-Encoding: deflate", zlib(&page)),
        ("Content-Encoding: deflate", raw_deflate(&page)),
    ] {
        let with_line_end = [&encoded[..], b"\r\n"].concat();
        assert_eq!(
            payload(headers, &with_line_end, default_sizes),
            (Some(page.clone()), None),
            "{headers}"
        );
    }
    // With a wrong checksum, the content is complete but unreliable.
    let mut wrong_checksum = member(&page);
    let index = wrong_checksum.len() - 7;
    wrong_checksum[index] ^= 1;
    let (content, error) = payload("Content-Encoding: gzip", &wrong_checksum, default_sizes);
    assert!(content.as_ref() == Some(&page) && error.is_some(), "{error:?}");
}

#[test]
fn long_payloads_become_rows() {
    let bomb = record(1, &member(&vec![b'x'; 3_000_000]), "Content-Encoding: gzip\r\n");
    let long_record = record(2, &vec![b'x'; 2_000_000], HTML);
    let content = [member(&bomb), member(&long_record), members().swap_remove(3)].concat();
    let sizes = SizeLimits { payload: 1_000_000, ..SizeLimits::default() };
    let messages = errors(&content, sizes);
    assert!(messages[0].as_ref().unwrap().contains("decoded payload"), "{messages:?}");
    assert!(messages[1].as_ref().unwrap().contains("2000000 bytes"), "{messages:?}");
    assert_eq!(messages[2], None);
}

/// Builds a record whose `Content-Length` exceeds the length of its block by `excess` bytes.
fn block_record(kind: &str, content_type: &str, block: &[u8], excess: usize) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:7>\r\n\
         WARC-Target-URI: https://a.example/7\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len() + excess
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A row's status, content type, payload and error.
type FoundRow = (Option<i32>, Option<String>, Option<Vec<u8>>, Option<String>);

fn rows(content: &[u8]) -> Vec<FoundRow> {
    let batch_rows = |batch: RecordBatch| -> Vec<FoundRow> {
        let text = |name: &str, row: usize| -> Option<String> {
            batch[name].as_string::<i32>().iter().nth(row).flatten().map(str::to_owned)
        };
        let row = |row: usize| {
            let status = batch["status"].as_primitive::<Int32Type>().iter().nth(row).flatten();
            let payload = batch["payload"].as_binary::<i32>().iter().nth(row).flatten();
            let payload = payload.map(<[u8]>::to_vec);
            (status, text("content_type", row), payload, text("error", row))
        };
        (0..batch.num_rows()).map(row).collect()
    };
    read(content, SizeLimits::default()).into_iter().flat_map(batch_rows).collect()
}

/// Functions that store a record: uncompressed, or as a gzip member.
const PACKINGS: [fn(&[u8]) -> Vec<u8>; 2] = [<[u8]>::to_vec, member];

#[test]
fn accepts_any_line_ends_in_http_heads() {
    for (head, status) in [
        ("HTTP/1.1 200 OK\nContent-Type: text/html\n\n", Some(200)),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\n\r\n", Some(200)),
        ("HTTP/1.1 200\nContent-Type:\n text/html\n\n", Some(200)),
        ("no status\nContent-Type: text/html\n\n", None),
        ("HTTP/1.1 99999\nContent-Type: text/html\n\n", None),
    ] {
        for pack in PACKINGS {
            let block = [head.as_bytes(), b"<p>\n\nx"].concat();
            let first = block_record("response", "application/http; msgtype=response", &block, 0);
            let actual_rows = rows(&[pack(&first), pack(&records()[1])].concat());
            let html = Some("text/html".to_owned());
            assert_eq!(actual_rows[0], (status, html, Some(b"<p>\n\nx".to_vec()), None), "{head}");
            assert_eq!((actual_rows.len(), &actual_rows[1].3), (2, &None), "{head}");
        }
    }
    let endless = b"HTTP/1.1 200 OK\nContent-Type: text/html\n";
    let actual_rows = rows(&block_record("response", "application/http", endless, 0));
    let error = "damaged headers: no empty line ends them".to_owned();
    assert_eq!(actual_rows, [(Some(200), Some("text/html".to_owned()), None, Some(error))]);
}

#[test]
fn excessive_lengths_do_not_consume_the_next_record() {
    for excess in [1, 300, 5000, 100_000_000] {
        let first = member(&block_record("resource", "text/html", b"<p>x", excess));
        let content = [first, members().swap_remove(1), members().swap_remove(2)].concat();
        let actual_rows = rows(&content);
        let length = 4 + excess;
        // Only the length tells where a block ends and its two line ends begin, so an excess of 1 is not noticed.
        let expected = match excess {
            1 => None,
            100_000_000 => Some(format!(
                "the payload has {length} bytes, more than the maximum of {}",
                64 << 20
            )),
            _ => Some(format!("damaged: the payload has only 8 of {length} bytes")),
        };
        assert_eq!(actual_rows[0].3, expected);
        let payload = (excess < 1 << 26).then(|| b"<p>x\r\n\r\n"[..(4 + excess).min(8)].to_vec());
        assert_eq!(actual_rows[0].2, payload, "{excess}");
        assert!(numbers(&content).ends_with("12"), "{excess}: {}", numbers(&content));
    }
    // Text that looks like the start of a record can be part of a page.
    let page = b"<pre>WARC/1.0\r\nWARC-Type: response\r\n</pre>";
    let actual_rows = rows(&[member(&record(3, page, HTML)), members().swap_remove(4)].concat());
    assert_eq!((&actual_rows[0].2, &actual_rows[0].3), (&Some(page.to_vec()), &None));
    assert_eq!((actual_rows.len(), &actual_rows[1].3), (2, &None));
}

#[test]
fn resources_and_conversions_become_rows() {
    for pack in PACKINGS {
        let pieces = [
            block_record("resource", "image/png", b"\x89PNG", 0),
            block_record("conversion", "text/plain", b"text", 0),
            block_record("metadata", "a/b", b"x", 0),
            records().swap_remove(1),
        ];
        let actual_rows = rows(&pieces.map(|piece| pack(&piece)).concat());
        let row = |kind: &str, payload: &[u8]| {
            (None, Some(kind.to_owned()), Some(payload.to_vec()), None)
        };
        assert_eq!(actual_rows[..2], [row("image/png", b"\x89PNG"), row("text/plain", b"text")]);
        assert_eq!((actual_rows.len(), &actual_rows[2].3), (3, &None));
    }
}
