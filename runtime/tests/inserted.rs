//! Tests of the mark of tokens that come from the text of an entity, in sinks and readers, however the input is
//! chunked.

#![cfg(feature = "xml-er")]

use tabulex::xml_er::XmlEr;
use tabulex::{
    Comment, Control, Doctype, MachineSink, ProcessingInstruction, ShortEndTag, Sink, Tag, Text,
    TokenReader, TokenRef, Tokenizer,
};

/// The replacement text of an entity `e`, the content after the DOCTYPE, and the expected tokens, of which those from
/// the replacement text have a `+`.
const CASES: &[(&str, &str, &str)] = &[
    ("", "<a>b&e;c</a>", "<a> bc </a>"),
    ("d", "<a>b&e;c</a>", "<a> b +d c </a>"),
    ("<b/>", "<a>&e;<c/>d", "<a> +<b> <c> d"),
    ("<b/>", "<a>&e;&amp;<c/>", "<a> +<b> & <c>"),
    ("<b/>", "<a>&e;\r\n<c/>", "<a> +<b> \n <c>"),
    ("<b/>", "<a>&e;]]>c", "<a> +<b> ]]>c"),
    ("<b/>", "<a>&e;<!--c-->", "<a> +<b> <!--c-->"),
    ("<b/>", "<a>&e;<?c d?>", "<a> +<b> <?c?>"),
    ("<b/>", "<a>&e;</>&e;", "<a> +<b> </> +<b>"),
    ("<b ", "<a>&e;c='1'>d<f/>", "<a> +<b> d <f>"),
    ("<b c", "<a>&e;='1'/><f/>", "<a> +<b> <f>"),
    ("<", "<a>&e;b>d</>", "<a> +<b> d </>"),
    ("<!--b", "<a>&e;c--><d/>", "<a> +<!--bc--> <d>"),
    ("<?b", "<a>&e;c?><d/>", "<a> +<?bc?> <d>"),
    ("<", "<a>&e;/>c", "<a> +</> c"),
    ("</", "<a>&e;a>c", "<a> +</a> c"),
    ("</a>", "<a>b&e;c", "<a> b +</a> c"),
    ("x", "<a b='&e;' c=1>d</a>", "<a> d </a>"),
    ("x", "<a b='&e;'>&e;<c/>", "<a> +x <c>"),
    ("<b/>x<!--c--><?d?></>", "&e;", "+<b> +x +<!--c--> +<?d?> +</>"),
];

#[derive(Default)]
struct TokenLog {
    tokens: Vec<String>,
    /// If the last token is a text, which may continue, whether it comes from the entity; otherwise `None`.
    last_text_is_inserted: Option<bool>,
}

impl TokenLog {
    fn add(&mut self, text: String, is_inserted: bool) -> Control {
        self.tokens.push(format!("{}{text}", if is_inserted { "+" } else { "" }));
        self.last_text_is_inserted = None;
        Control::Continue
    }
}

impl MachineSink for TokenLog {}

impl Sink for TokenLog {
    fn text(&mut self, text: Text<'_>) -> Control {
        let is_inserted = text.is_inserted;
        match self.tokens.last_mut() {
            Some(last) if self.last_text_is_inserted == Some(is_inserted) => {
                last.push_str(text.text)
            }
            _ => {
                let _ = self.add(text.text.to_owned(), is_inserted);
            }
        }
        self.last_text_is_inserted = Some(is_inserted);
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.add(format!("<{}>", tag.name()), tag.is_inserted())
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.add(format!("</{}>", tag.name()), tag.is_inserted())
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        self.add("</>".to_owned(), tag.is_inserted)
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.add(format!("<!--{}-->", comment.data), comment.is_inserted)
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        self.add(format!("<?{}?>", instruction.target), instruction.is_inserted)
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        assert!(!doctype.is_inserted());
        Control::Continue
    }
}

/// Returns the tokens of the input in chunks of `size` bytes.
fn logged_tokens(input: &str, size: usize) -> String {
    let (mut tokenizer, mut sink) = (Tokenizer::<XmlEr>::new(), TokenLog::default());
    for piece in input.as_bytes().chunks(size) {
        let piece = std::str::from_utf8(piece).expect("the cases are ASCII");
        let _ = tokenizer.feed(piece, &mut sink);
    }
    let _ = tokenizer.finish(&mut sink);
    sink.tokens.join(" ")
}

#[test]
fn sinks_receive_which_tokens_are_inserted() {
    for (value, content, expected) in CASES {
        let input = format!("<!DOCTYPE a [<!ENTITY e \"{value}\">]>{content}");
        for size in [input.len(), 1, 3, 7] {
            assert_eq!(
                logged_tokens(&input, size),
                *expected,
                "{value:?} in {content:?}, {size} bytes"
            );
        }
    }
}

#[test]
fn readers_report_which_tokens_are_inserted() {
    for (value, content, expected) in CASES {
        let input = format!("<!DOCTYPE a [<!ENTITY e \"{value}\">]>{content}");
        let mut tokens = TokenReader::<XmlEr>::new(&input);
        let mut are_inserted = Vec::new();
        while let Some(token) = tokens.next_token() {
            are_inserted.extend(match token {
                TokenRef::StartTag(tag) | TokenRef::EndTag(tag) => Some(tag.is_inserted()),
                TokenRef::Comment(comment) => Some(comment.is_inserted),
                TokenRef::ProcessingInstruction(instruction) => Some(instruction.is_inserted),
                _ => None,
            });
        }
        // Readers do not report which short end tags and texts are inserted, so these are not compared.
        let tags_and_comments =
            expected.split(' ').filter(|token| token.contains('<') && !token.ends_with("</>"));
        let expected: Vec<bool> = tags_and_comments.map(|token| token.starts_with('+')).collect();
        assert_eq!(are_inserted, expected, "{value:?} in {content:?}");
    }
}
