//! The prescan of the HTML Standard as its steps are written ("prescan a byte stream to determine its encoding", "get an
//! attribute", "get an XML encoding", "extracting a character encoding from a `meta` element"), beside that of the
//! dialect. Labels and the choice of an encoding have suites of their own. Invariant: each function here is a sequence of
//! steps of the standard, a byte at a time.

use tabulex::Machine;
use tabulex::encoding::Encoding;
use tabulex::html::Html;
use tabulex_tests::random::Random;
use tabulex_tests::sample;

/// The bytes are over.
struct Over;
type Step<T> = Result<T, Over>;

fn is_space(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D | 0x20)
}

fn get_encoding(label: &[u8]) -> Option<Encoding> {
    Encoding::for_label(std::str::from_utf8(label).ok()?).ok()
}

struct Bytes<'b> {
    bytes: &'b [u8],
    position: usize,
}

impl Bytes<'_> {
    fn byte(&self) -> Step<u8> {
        self.bytes.get(self.position).copied().ok_or(Over)
    }

    fn is_at(&self, offset: usize, wanted: &str) -> bool {
        let end = self.position + offset + wanted.len();
        let here = self.bytes.get(self.position + offset..end);
        here.is_some_and(|here| here.eq_ignore_ascii_case(wanted.as_bytes()))
    }

    fn byte_after(&self, count: usize) -> Option<u8> {
        self.bytes.get(self.position + count).copied()
    }

    fn prescan(&mut self) -> Step<Encoding> {
        loop {
            if let Some(found) = self.look()? {
                return Ok(found);
            }
            self.position += 1;
            self.byte()?;
        }
    }

    fn look(&mut self) -> Step<Option<Encoding>> {
        let is_letter = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic());
        if self.is_at(0, "<!--") {
            self.position += 4;
            while !(self.byte()? == b'>' && self.bytes[..self.position].ends_with(b"--")) {
                self.position += 1;
            }
        } else if self.is_at(0, "<meta")
            && self.byte_after(5).is_some_and(|byte| is_space(byte) || byte == b'/')
        {
            self.position += 5;
            return self.meta();
        } else if self.is_at(0, "<")
            && (is_letter(self.byte_after(1))
                || self.is_at(1, "/") && is_letter(self.byte_after(2)))
        {
            while !is_space(self.byte()?) && self.byte()? != b'>' {
                self.position += 1;
            }
            while self.attribute()?.is_some() {}
        } else if self.is_at(0, "<!") || self.is_at(0, "</") || self.is_at(0, "<?") {
            while self.byte()? != b'>' {
                self.position += 1;
            }
        }
        Ok(None)
    }

    fn meta(&mut self) -> Step<Option<Encoding>> {
        let mut list: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut need_pragma) = (false, None);
        let mut charset: Option<Option<Encoding>> = None;
        while let Some((name, value)) = self.attribute()? {
            if list.contains(&name) {
                continue;
            }
            match &name[..] {
                b"http-equiv" if value == b"content-type" => got_pragma = true,
                b"content" => {
                    if let Some(found) = extract(&value)
                        && charset.is_none()
                    {
                        (charset, need_pragma) = (Some(Some(found)), Some(true));
                    }
                }
                b"charset" => (charset, need_pragma) = (Some(get_encoding(&value)), Some(false)),
                _ => {}
            }
            list.push(name);
        }
        Ok(match (need_pragma, charset) {
            (Some(false), Some(found)) => found.map(read_as),
            (Some(true), Some(found)) if got_pragma => found.map(read_as),
            _ => None,
        })
    }

    fn attribute(&mut self) -> Step<Option<(Vec<u8>, Vec<u8>)>> {
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.position += 1;
        }
        if self.byte()? == b'>' {
            return Ok(None);
        }
        let (mut name, mut value) = (Vec::new(), Vec::new());
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    while is_space(self.byte()?) {
                        self.position += 1;
                    }
                    if self.byte()? != b'=' {
                        return Ok(Some((name, value)));
                    }
                    break;
                }
                b'/' | b'>' => return Ok(Some((name, value))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.position += 1;
        }
        self.position += 1;
        while is_space(self.byte()?) {
            self.position += 1;
        }
        let quote = Some(self.byte()?).filter(|byte| matches!(byte, b'"' | b'\''));
        self.position += usize::from(quote.is_some());
        loop {
            let byte = self.byte()?;
            let is_end = match quote {
                Some(quote) => byte == quote,
                None => is_space(byte) || byte == b'>',
            };
            if is_end {
                self.position += usize::from(quote.is_some());
                return Ok(Some((name, value)));
            }
            value.push(byte.to_ascii_lowercase());
            self.position += 1;
        }
    }
}

/// UTF-16 is read as UTF-8, x-user-defined as windows-1252.
fn read_as(encoding: Encoding) -> Encoding {
    let other = match encoding.name() {
        "UTF-16BE" | "UTF-16LE" => "utf-8",
        "x-user-defined" => "windows-1252",
        other => other,
    };
    Encoding::for_label(other).expect("an encoding")
}

fn extract(text: &[u8]) -> Option<Encoding> {
    let mut position = 0;
    loop {
        let here = |at: usize| text.get(at..at + 7);
        while !here(position)?.eq_ignore_ascii_case(b"charset") {
            position += 1;
        }
        position += 7;
        let skip = |mut at: usize| {
            while text.get(at).copied().is_some_and(is_space) {
                at += 1;
            }
            at
        };
        position = skip(position);
        if *text.get(position)? != b'=' {
            continue;
        }
        position = skip(position + 1);
        let (begin, is_end): (usize, &dyn Fn(u8) -> bool) = match *text.get(position)? {
            quote @ (b'"' | b'\'') => {
                text[position + 1..].iter().find(|&&byte| byte == quote)?;
                (position + 1, &move |byte| byte == quote)
            }
            _ => (position, &|byte| is_space(byte) || byte == b';'),
        };
        let label = text[begin..].iter().copied().take_while(|&byte| !is_end(byte));
        return get_encoding(&label.collect::<Vec<u8>>());
    }
}

fn xml_encoding(bytes: &[u8]) -> Option<Encoding> {
    bytes.starts_with(b"<?xml").then_some(())?;
    let end = bytes.iter().position(|&byte| byte == b'>')?;
    let mut position = 0;
    while bytes.get(position..position + 8).is_none_or(|here| here != b"encoding") {
        position += 1;
        (position + 8 <= end).then_some(())?;
    }
    position += 8;
    let skip = |mut at: usize| {
        while bytes.get(at).is_some_and(|&byte| byte <= 0x20) {
            at += 1;
        }
        at
    };
    position = skip(position);
    (*bytes.get(position)? == b'=').then_some(())?;
    position = skip(position + 1);
    let quote = *bytes.get(position)?;
    matches!(quote, b'"' | b'\'').then_some(())?;
    let rest = &bytes[position + 1..];
    let label = &rest[..rest.iter().position(|&byte| byte == quote)?];
    if label.iter().any(|&byte| byte <= 0x20) {
        return None;
    }
    get_encoding(label).map(|found| match found.name() {
        "UTF-16BE" | "UTF-16LE" => Encoding::UTF_8,
        _ => found,
    })
}

fn whole(bytes: &[u8]) -> Option<Encoding> {
    for (begin, label) in [(b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be")] {
        if bytes.starts_with(begin) {
            return Encoding::for_label(label).ok();
        }
    }
    Bytes { bytes, position: 0 }.prescan().ok().or_else(|| xml_encoding(bytes))
}

/// What random pages are made of.
const PIECES: &[&str] = &[
    "<meta ",
    "<META\t",
    "<meta/",
    "<meta",
    "<metas ",
    " charset=",
    "charset = ",
    "CharSet='",
    "'",
    "\"",
    "utf-8",
    "koi8-r",
    "UTF-16BE",
    "x-user-defined",
    "nothing",
    " http-equiv=",
    "content-type",
    "Content-Type",
    "refresh",
    " content=",
    "'text/html; charset=euc-jp'",
    "\"charset charset=gbk;a\"",
    "charset=\"latin1\"",
    "content='charset=' charset=l2",
    "<!--",
    "-->",
    "<!-->",
    "--",
    "->",
    ">",
    "/",
    "<a ",
    "<a/b='",
    "</a ",
    "</ ",
    "</3",
    "<?",
    "<!",
    "<",
    "=",
    " ",
    "\n",
    "\x0C",
    "x",
    "\0",
    "<meta charset=koi8-u>",
    "<meta content='x;charset= \"big5\" ' http-equiv=content-type>",
    ";",
    "<meta http-equiv='content-type' content='charset=\"gbk'>",
    "<meta charset=shift_jis/>",
];

/// What pages begin with.
const BEGINNINGS: &[&str] = &[
    "",
    "",
    "",
    "",
    "<?xml encoding='iso-8859-2'?>",
    "<?xml encoding = \"utf-16le\" ",
    "<?xml ",
    "<?xml encoding='a b'>",
    "<?xml version='1.0'\x01encoding\x02=\x03'koi8-r'?>",
    "<?xmlencoding='l3'>",
    "<?xml > encoding='l4'>",
    "<?xml encoding=x>",
    "<\0?\0x\0",
    "\0<\0?\0x",
    "<\0?\0",
    "\0<\0?\0y",
    "<?xml encoding='l5>",
    "<?xml e>coding='l4'>",
    "<?XML encoding='l4'>",
];

#[test]
fn it_takes_the_steps_of_the_standard() {
    let (mut found, mut none) = (0, 0);
    for seed in sample::seeds("prescan", 0..200_000, 20_000) {
        let mut random = Random::new(seed);
        let begin = random.pick(BEGINNINGS);
        let rest = (0..random.below(14)).map(|_| *random.pick(PIECES));
        let page: String = std::iter::once(*begin).chain(rest).collect();
        let told = Html::CLUES.prescan(page.as_bytes());
        assert_eq!(told, whole(page.as_bytes()), "{page:?}");
        *if told.is_some() { &mut found } else { &mut none } += 1;
    }
    assert!(found > 1000 && none > 1000, "{found} pages declare something, {none} do not");
}
