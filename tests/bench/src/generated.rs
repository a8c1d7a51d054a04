//! Deterministic generated documents, for use where real ones are missing or have another density of markup.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// The words of generated texts.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "the of license software without any and permission to copyright notice in warranty distribution or \
    conditions source is provided that work a modifications by this under terms holder for form"
        .split(' ')
        .collect()
});

/// Minimum length of a large document in bytes.
const MIN_LARGE_LEN: usize = 4_000_000;
/// Number of generated pages, of about 100 kB each.
const PAGE_COUNT: usize = 100;

/// A xorshift generator of pseudorandom numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// Appends `count` random words, 12 per line.
    fn append_words(&mut self, text: &mut String, count: usize) {
        for index in 1..=count {
            text.push_str(WORDS[self.below(WORDS.len())]);
            text.push(if index % 12 == 0 { '\n' } else { ' ' });
        }
    }
}

/// Generates a document of at least `size` bytes by repeating `step`, which appends text.
fn generate(seed: u64, size: usize, mut step: impl FnMut(&mut Random, &mut String)) -> String {
    let (mut random, mut text) = (Random(seed), String::new());
    while text.len() < size {
        step(&mut random, &mut text);
    }
    text
}

/// Returns prose: 96 % text, with two tags and two references in about 530 bytes.
pub fn prose() -> Vec<String> {
    vec![generate(1, MIN_LARGE_LEN, |random, text| {
        random.append_words(text, 40);
        text.push_str("&amp; ");
        random.append_words(text, 40);
        text.push_str("&copy;</p>\n<p>");
    })]
}

/// Returns text without markup.
pub fn plain() -> Vec<String> {
    vec![generate(2, MIN_LARGE_LEN, |random, text| random.append_words(text, 100))]
}

/// Returns documents that resemble web pages: a tag per 50 bytes, attributes, and a script.
pub fn pages() -> Vec<String> {
    let generate_page = |seed: usize| {
        let mut page =
            "<!DOCTYPE html><title>Page</title><script>if (a < b && c) d();</script>".to_owned();
        page += &generate(seed as u64 + 3, 100_000, |random, text| {
            let number = random.below(10_000);
            let _ = write!(
                text,
                "<div class=\"row item\" id='n{number}'><a href=\"/page?a={number}&amp;b\">"
            );
            random.append_words(text, 5);
            text.push_str("</a><br /><img src=x.png alt=\"\">\n<p>");
            random.append_words(text, 30);
            text.push_str("<!-- end --></div>\n");
        });
        page
    };
    (0..PAGE_COUNT).map(generate_page).collect()
}

/// Returns a document with dense markup: a tag per 11 bytes.
pub fn dense() -> Vec<String> {
    vec![generate(4, MIN_LARGE_LEN, |random, text| {
        let number = random.below(10_000);
        let _ = write!(
            text,
            "<tr class=\"row{}\"><td><code><a href=\"C{number}.html\" title=\"class in a.b\">C{number}</a>",
            number % 2
        );
        let word = WORDS[random.below(WORDS.len())];
        let _ = writeln!(text, "</code></td><td><span>{word}</span>&nbsp;</td></tr>");
    })]
}

/// Returns an XML sitemap that lists pages with their modification dates.
pub fn sitemap() -> Vec<String> {
    let body = generate(6, MIN_LARGE_LEN, |random, text| {
        let (page, month) = (random.below(1_000_000), 1 + random.below(12));
        let _ = writeln!(
            text,
            "  <url>\n    <loc>https://example.org/shop/{page}?a=1&amp;b=2</loc>\n    \
             <lastmod>2026-{month:02}-10</lastmod>\n    <priority>0.5</priority>\n  </url>"
        );
    });
    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
    vec![format!("<?xml version=\"1.0\"?>\n<urlset xmlns=\"{namespace}\">\n{body}</urlset>\n")]
}

/// Returns an XML document with attributes: a tag per 28 bytes.
pub fn xml() -> Vec<String> {
    let body = generate(5, MIN_LARGE_LEN, |random, text| {
        let number = random.below(10_000);
        let _ = write!(
            text,
            "  <node id=\"{number}\" lat=\"42.{number}\" version=\"3\">\n    <tag k=\"name\" v=\""
        );
        random.append_words(text, 2);
        text.push_str("&amp;\"/>\n    <note>");
        random.append_words(text, 4);
        text.push_str("</note>\n  </node>\n");
    });
    vec![format!("<?xml version=\"1.0\"?>\n<data>\n{body}</data>\n")]
}
