//! Parses a page that arrives in chunks, in an encoding that it declares itself.

use std::io::{self, Read};
use tabulex::{Options, html};

pub(crate) fn read(mut stream: impl Read) -> io::Result<(&'static str, String)> {
    let mut parser = html::parser(Options::new().errors(false));
    let mut buffer = [0; 8192];
    loop {
        let length = stream.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        parser.feed_bytes(&buffer[..length]);
    }
    let parsed = parser.finish_and_reset();
    Ok((parsed.encoding.encoding.name(), parsed.tree.root().text()))
}

const PAGE: &[u8] = b"<meta charset=koi8-r><p>\xD0\xD2\xC9\xD7\xC5\xD4";

fn main() -> io::Result<()> {
    let (encoding, text) = read(PAGE)?;
    println!("{encoding}: {text}");
    Ok(())
}

#[test]
fn detects_the_declared_encoding() {
    assert_eq!(read(PAGE).unwrap(), ("KOI8-R", "привет".to_owned()));
}
