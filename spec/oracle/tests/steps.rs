//! Tests the interpretation of the prescan algorithm on small inputs. The expected results follow the standard's prose.

use std::sync::LazyLock;
use tabulex_language::model::Machine;
use tabulex_language::{Source, load};
use tabulex_oracle::interpreter::tree::prescan;

static HTML: LazyLock<Machine> = LazyLock::new(|| {
    let text = tabulex_tables::text("html.states").unwrap();
    load(&Source::new("html.states", &text), &tabulex_tables::text).machine.unwrap()
});

fn prescanned_encoding(bytes: &[u8]) -> Option<String> {
    let encodings = ["utf-8", "koi8-r", "utf-16le", "utf-16be", "x-user-defined", "windows-1252"];
    let find_encoding =
        |label: &str| encodings.iter().find(|name| name.eq_ignore_ascii_case(label));
    prescan(&HTML, bytes, &|label| find_encoding(label).map(|name| (*name).to_owned())).unwrap()
}

#[test]
fn prescan_finds_encodings() {
    let cases: [(&[u8], Option<&str>); 17] = [
        (b"<meta charset=koi8-r>", Some("koi8-r")),
        (b"<META\tcharset = 'KOI8-R' >", Some("koi8-r")),
        (b"<meta charset=utf-16le>", Some("utf-8")),
        (b"<meta charset=x-user-defined>", Some("windows-1252")),
        (b"<meta content='a; charset=koi8-r'>", None),
        (b"<meta content='a; charset=koi8-r' http-equiv=content-type>", Some("koi8-r")),
        (b"<?<", None),
        (b"<?<meta charset=koi8-r>", None),
        (b"<!--><meta charset=koi8-r>", Some("koi8-r")),
        (b"<!-- <meta charset=koi8-r>", None),
        (b"</a b='<meta charset=koi8-r>'>", None),
        (b"<meta charset=a charset=koi8-r>", None),
        (b"<meta charset=koi8-r", None),
        (b"<\0?\0x\0", Some("utf-16le")),
        (b"\0<\0?\0x", Some("utf-16be")),
        (b"<?xml encoding='koi8-r'>", Some("koi8-r")),
        (b"<?xml encoding='koi8-r'", None),
    ];
    for (bytes, expected) in cases {
        assert_eq!(
            prescanned_encoding(bytes).as_deref(),
            expected,
            "encoding of `{}`",
            bytes.escape_ascii()
        );
    }
}
