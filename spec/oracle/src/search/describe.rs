//! Describes tokens for comparison by people. Tokens have equal descriptions if and only if they differ at most in
//! their ranges.

use crate::interpreter::{Attribute, Doctype, Tag, Token};

/// Describes a token without its ranges.
pub(super) fn describe(token: &Token) -> String {
    match token {
        Token::Text { text, .. } => format!("text {text:?}"),
        Token::StartTag(tag) => describe_tag("start tag", tag),
        Token::EndTag(tag) => describe_tag("end tag", tag),
        Token::Comment { data, .. } => format!("comment {data:?}"),
        Token::Doctype(doctype) => describe_doctype(doctype),
        Token::ShortEndTag { .. } => "short end tag".to_owned(),
        Token::ProcessingInstruction { target, data, .. } => {
            format!("processing instruction {target:?} {data:?}")
        }
        Token::Declared { name, fields, .. } => {
            let fields = fields.iter().map(|field| format!(" {}={:?}", field.name, field.text));
            format!("{name}{}", fields.collect::<String>())
        }
        Token::EndOfFile { .. } => "end of file".to_owned(),
    }
}

fn describe_tag(kind: &str, tag: &Tag) -> String {
    let attributes = tag.attributes.iter();
    let attributes = attributes.map(|Attribute { name, value, .. }| format!(" {name:?}={value:?}"));
    let self_closing = if tag.self_closing { " self-closing" } else { "" };
    format!("{kind} {:?}{}{self_closing}", tag.name, attributes.collect::<String>())
}

fn describe_doctype(doctype: &Doctype) -> String {
    let Doctype { name, public_identifier, system_identifier, force_quirks, .. } = doctype;
    let parts = [("name", name), ("public", public_identifier), ("system", system_identifier)];
    let present_parts = parts.iter().filter_map(|(word, text)| Some((word, text.as_ref()?)));
    let present_parts = present_parts.map(|(word, text)| format!(" {word} {text:?}"));
    let force_quirks = if *force_quirks { " force-quirks" } else { "" };
    format!("DOCTYPE{}{force_quirks}", present_parts.collect::<String>())
}
