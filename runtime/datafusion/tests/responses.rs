//! WARC files that are whole, damaged or long, read as record batches: the cases of `runtime/python/tests/test_warc.py`. Invariant: what
//! cannot be read is a row, and what comes after it is read.

mod warc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::datatypes::{Int32Type, Int64Type};
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use std::io::Write as _;
use tabulex_datafusion::{Responses, Sizes};
use warc::{HTML, member, record};

fn records() -> Vec<Vec<u8>> {
    let body = |number: usize| [format!("<p>{number} ").as_bytes(), &[b'x'; 3000]].concat();
    (0..5).map(|number| record(number, &body(number), HTML)).collect()
}

fn members() -> Vec<Vec<u8>> {
    records().iter().map(|one| member(one)).collect()
}

fn read(content: &[u8], sizes: Sizes) -> Vec<RecordBatch> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    Responses::open(file.path(), sizes).unwrap().map(Result::unwrap).collect()
}

/// Which records there are, and an E for each that is an error.
fn numbers(content: &[u8]) -> String {
    let batches = read(content, Sizes::default());
    let of = |batch: &RecordBatch| -> String {
        let (urls, errors) =
            (batch["url"].as_string::<i32>().clone(), batch["error"].as_string::<i32>().clone());
        let last = |url: Option<&str>| url.and_then(|url| url.chars().last()).unwrap_or('?');
        let each = urls.iter().zip(errors.iter());
        each.map(|(url, error)| if error.is_some() { 'E' } else { last(url) }).collect()
    };
    batches.iter().map(of).collect()
}

fn errors(content: &[u8], sizes: Sizes) -> Vec<Option<String>> {
    let batches = read(content, sizes);
    let of = |batch: &RecordBatch| -> Vec<_> {
        batch["error"].as_string::<i32>().iter().map(|error| error.map(str::to_owned)).collect()
    };
    batches.iter().flat_map(of).collect()
}

#[test]
fn whole_files() {
    for pieces in [members(), records()] {
        let content = pieces.concat();
        assert_eq!(numbers(&content), "01234");
        let batches = read(&content, Sizes::default());
        assert_eq!(batches.len(), 1);
        let first = &batches[0];
        assert_eq!(first["url"].as_string::<i32>().value(0), "https://a.example/000");
        assert_eq!(first["status"].as_primitive::<Int32Type>().value(0), 200);
        assert_eq!(first["content_type"].as_string::<i32>().value(0), "text/html; charset=utf-8");
        assert!(first["payload"].as_binary::<i32>().value(1).starts_with(b"<p>1 xxx"));
        let offsets = first["offset"].as_primitive::<Int64Type>();
        for (offset, piece) in offsets.values().iter().zip(&pieces) {
            assert!(content[*offset as usize..].starts_with(piece));
        }
        for sizes in [
            Sizes { batch_rows: 2, ..Sizes::default() },
            Sizes { batch_bytes: 6000, ..Sizes::default() },
        ] {
            let rows: Vec<_> = read(&content, sizes).iter().map(RecordBatch::num_rows).collect();
            assert_eq!(rows, [2, 2, 1]);
        }
    }
    assert_eq!(numbers(b""), "");
}

#[test]
fn a_damaged_record_is_a_row() {
    for pieces in [members(), records()] {
        let (before, after) = (pieces[..2].concat(), pieces[2..].concat());
        assert_eq!(numbers(&[&before, &b"junk\r\n"[..], &after].concat()), "01E234");
        assert_eq!(numbers(&[b"junk\r\n", &pieces.concat()[..]].concat()), "E01234");
        assert_eq!(numbers(&[&pieces.concat()[..], b"junk"].concat()), "01234E");
        assert_eq!(numbers(b"junk"), "E");
        let whole = pieces.concat();
        let cut = &whole[..whole.len() - 40];
        assert_eq!(numbers(cut), "0123E");
        let said = errors(cut, Sizes::default()).pop().flatten().unwrap();
        assert!(said.contains("damaged"), "{said}");
    }
}

#[test]
fn a_damaged_member_is_a_row() {
    let members = members();
    for at in 11..members[2].len() - 9 {
        let mut damaged = members.clone();
        damaged[2][at] ^= 0x55;
        let found = numbers(&damaged.concat());
        // What is damaged in a place that only a checksum knows may be read as something else.
        assert!(found.starts_with("01") && found.ends_with("34"), "{at}: {found}");
    }
}

#[test]
fn codings() {
    let page = [&b"<p>"[..], &[b'y'; 5000]].concat();
    let chunked =
        |body: &[u8]| [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(&page).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(&page).unwrap();
    for (headers, body) in [
        ("Content-Encoding: gzip\r\n", member(&page)),
        ("Content-Encoding: gzip\r\n", page.clone()),
        ("Content-Encoding: deflate\r\n", zlib.finish().unwrap()),
        ("Content-Encoding: deflate\r\n", raw.finish().unwrap()),
        ("Transfer-Encoding: chunked\r\n", chunked(&page)),
        ("Transfer-Encoding: chunked\r\n", page.clone()),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked(&member(&page))),
        ("Content-Encoding: unheard-of\r\n", page.clone()),
    ] {
        let [batch] = &read(&member(&record(1, &body, headers)), Sizes::default())[..] else {
            panic!("{headers}")
        };
        assert!(batch["error"].is_null(0), "{headers}");
        assert!(batch["payload"].as_binary::<i32>().value(0) == page, "{headers}");
    }
}

#[test]
fn long_payloads_are_rows() {
    let bomb = record(1, &member(&vec![b'x'; 3_000_000]), "Content-Encoding: gzip\r\n");
    let long = record(2, &vec![b'x'; 2_000_000], HTML);
    let content = [member(&bomb), member(&long), members().swap_remove(3)].concat();
    let sizes = Sizes { payload: 1_000_000, ..Sizes::default() };
    let said = errors(&content, sizes);
    assert!(said[0].as_ref().unwrap().contains("when decoded"), "{said:?}");
    assert!(said[1].as_ref().unwrap().contains("2000000 bytes"), "{said:?}");
    assert_eq!(said[2], None);
}
