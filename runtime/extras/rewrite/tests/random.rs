//! Random pages: without changes every byte is kept, in every encoding; with changes the output does not depend on how
//! the page is split into chunks.

use tabulex::encoding::{Encoding, Hints};
use tabulex::html::Html;
use tabulex::rewrite::{Content, RewriteError, Rewriter, Rules};

/// A pseudorandom number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const PAGE_PARTS: [&[u8]; 40] = [
    b"<p>",
    b"</p>",
    b"<b class=x>",
    b"</b>",
    b"<a href='u'>",
    b"</a>",
    b"<svg>",
    b"</svg>",
    b"<title>",
    b"</title>",
    b"<script>",
    b"</script>",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<!DOCTYPE html>",
    b"<img src=",
    b"&amp;",
    b"&notit;",
    b"&#x41;",
    b"&",
    b"<",
    b">",
    b"\"",
    b"'",
    b"=",
    b"/",
    b" ",
    b"\r",
    b"\n",
    b"\0",
    b"x",
    b"\xE9",
    b"\xC3\xA9",
    b"\x83\x5C",
    b"\x81\x30\x81",
    b"\xFF",
    b"</",
    b"<math><mi>",
];

fn page(random: &mut Random) -> Vec<u8> {
    let part_count = random.below(40);
    (0..part_count).flat_map(|_| PAGE_PARTS[random.below(PAGE_PARTS.len())]).copied().collect()
}

fn changing_rules<'h>() -> Result<Rules<'h>, RewriteError> {
    Rules::new()
        .element("b", |b| {
            b.set_attribute("n", "1")?;
            b.append(Content::Text("é"))?;
            Ok(())
        })?
        .element("p > a", |a| {
            a.remove();
            Ok(())
        })?
        .element("title + *", |it| {
            it.remove_tags();
            it.after(Content::Text("&"));
            Ok(())
        })?
        .text(".x, svg", |text| {
            text.replace(Content::Text(&text.as_str().len().to_string()))?;
            Ok(())
        })?
        .comment("p", |comment| {
            comment.remove();
            Ok(())
        })
}

/// Returns the output, which is an error if content is inserted after text that nothing ends.
fn rewrite(page: &[u8], sizes: &mut dyn FnMut() -> usize, rules: Rules<'_>) -> Result<Vec<u8>, ()> {
    let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new()).unwrap();
    let mut remaining = page;
    while !remaining.is_empty() {
        let (piece, after) = remaining.split_at(sizes().clamp(1, remaining.len()));
        rewriter.write(piece).unwrap();
        remaining = after;
    }
    match rewriter.finish() {
        Err(RewriteError::UnclosedText) => Err(()),
        result => Ok(result.unwrap()),
    }
}

#[test]
fn output_is_independent_of_chunks() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let labels = ["utf-8", "windows-1252", "shift_jis", "gb18030", "big5", "euc-kr", "euc-jp"];
    let mut error_count = 0;
    for round in 0..6000 {
        let page = page(&mut random);
        let label = labels[round % labels.len()];
        let hints = Hints::new().override_with(Encoding::for_label(label).unwrap());
        let mut chunk_random = Random(round as u64 + 1);
        let mut sizes = || chunk_random.below(9) + 1;
        let rewritten_in_chunks =
            rewrite(&page, &mut sizes, Rules::new().encoding(hints.clone())).unwrap();
        assert!(
            rewritten_in_chunks == page,
            "{label}: {:?} became {:?}",
            page.escape_ascii().to_string(),
            rewritten_in_chunks.escape_ascii().to_string()
        );
        let whole =
            rewrite(&page, &mut || usize::MAX, changing_rules().unwrap().encoding(hints.clone()));
        let chunked = rewrite(&page, &mut sizes, changing_rules().unwrap().encoding(hints));
        let text = |output: &[u8]| output.escape_ascii().to_string();
        assert!(
            whole == chunked,
            "{label}: {:?} became {:?} whole, but {:?} in chunks",
            text(&page),
            whole.as_deref().map(text),
            chunked.as_deref().map(text)
        );
        error_count += usize::from(whole.is_err());
    }
    assert!(error_count < 20, "{error_count} pages end in text that nothing ends");
}
