//! The results of a tokenizer's run in a form that runtime and interpreter share: owned tokens with ranges, and errors.
//! Adjacent texts are joined and errors are sorted by range.

use serde_json::{Map, Value, json};
use tabulex_oracle::interpreter::{Attribute, Doctype, Span, Tag, Token};

/// The tokens and errors of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The tokens, in the interpreter's types.
    pub tokens: Vec<Token>,
    /// The codes and ranges of the errors.
    pub errors: Vec<(&'static str, Span)>,
}

impl Recording {
    /// Adds a token; adjacent texts are joined.
    pub fn token(&mut self, token: Token) {
        match (self.tokens.last_mut(), &token) {
            (
                Some(Token::Text { text: before, span: whole }),
                Token::Text { text: after, span },
            ) => {
                before.push_str(after);
                whole.end = span.end;
            }
            _ => self.tokens.push(token),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, span: Span) {
        self.errors.push((code, span));
    }

    /// Sorts the errors, as runs may report two errors at one offset in either order.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.errors.sort_by_key(|(_, span)| *span);
        self
    }

    /// Adopts the end offset of another run, for a run that does not know its own.
    #[must_use]
    pub fn ended_as(mut self, other: &Self) -> Self {
        if let (Some(Token::EndOfFile { span }), Some(Token::EndOfFile { span: other })) =
            (self.tokens.last_mut(), other.tokens.last())
        {
            *span = *other;
        }
        self
    }

    /// Returns the tokens in the JSON format of the html5lib tests, which has no empty texts and no end of file.
    pub fn to_json(&self) -> Value {
        self.tokens.iter().filter_map(token_to_json).collect()
    }
}

fn token_to_json(token: &Token) -> Option<Value> {
    match token {
        Token::Text { text, .. } if text.is_empty() => None,
        Token::Text { text, .. } => Some(json!(["Character", text])),
        Token::StartTag(tag) if tag.self_closing => {
            Some(json!(["StartTag", tag.name, attributes_to_json(&tag.attributes), true]))
        }
        Token::StartTag(tag) => {
            Some(json!(["StartTag", tag.name, attributes_to_json(&tag.attributes)]))
        }
        Token::EndTag(tag) => Some(json!(["EndTag", tag.name])),
        Token::Comment { data, .. } => Some(json!(["Comment", data])),
        Token::Doctype(Doctype {
            name,
            public_identifier,
            system_identifier,
            force_quirks,
            ..
        }) => Some(json!(["DOCTYPE", name, public_identifier, system_identifier, !force_quirks])),
        Token::ShortEndTag { .. } => Some(json!(["ShortTag", ""])),
        Token::ProcessingInstruction { target, data, .. } => Some(json!(["PI", target, data])),
        Token::Declared { name, fields, .. } => {
            let texts = fields.iter().map(|field| (field.name.clone(), json!(field.text)));
            Some(json!(["Declared", name, texts.collect::<Map<_, _>>()]))
        }
        Token::EndOfFile { .. } => None,
    }
}

fn attributes_to_json(attributes: &[Attribute]) -> Map<String, Value> {
    let mut map = Map::new();
    for attribute in attributes {
        // The first of two attributes with one name counts.
        map.entry(attribute.name.as_str()).or_insert_with(|| attribute.value.as_str().into());
    }
    map
}

/// Returns the recording as lines, one per token and error, for reading and comparing.
pub fn lines(recording: &Recording) -> Vec<String> {
    let tokens = recording.tokens.iter().map(token_line);
    let errors = recording
        .errors
        .iter()
        .map(|(code, span)| format!("error {}..{} {code}", span.start, span.end));
    tokens.chain(errors).collect()
}

fn token_line(token: &Token) -> String {
    let at = |span: &Span| format!("{}..{}", span.start, span.end);
    match token {
        Token::Text { text, span } => format!("text {} {text:?}", at(span)),
        Token::Comment { data, span } => format!("comment {} {data:?}", at(span)),
        Token::ShortEndTag { span } => format!("short-end-tag {}", at(span)),
        Token::ProcessingInstruction { target, data, span } => {
            format!("processing-instruction {} {target:?} {data:?}", at(span))
        }
        Token::Declared { name, fields, span, .. } => {
            let shown = fields
                .iter()
                .map(|field| format!(" {} {} {:?}", field.name, at(&field.span), field.text));
            format!("{name} {}{}", at(span), shown.collect::<String>())
        }
        Token::EndOfFile { span } => format!("end-of-file {}", at(span)),
        Token::StartTag(tag) => tag_line("start-tag", tag),
        Token::EndTag(tag) => tag_line("end-tag", tag),
        Token::Doctype(doctype) => format!(
            "doctype {} {:?} public {:?} system {:?}{}",
            at(&doctype.span),
            doctype.name,
            doctype.public_identifier,
            doctype.system_identifier,
            if doctype.force_quirks { " force-quirks" } else { "" }
        ),
    }
}

fn tag_line(kind: &str, tag: &Tag) -> String {
    let at = |span: &Span| format!("{}..{}", span.start, span.end);
    let mut line = format!("{kind} {} {:?} {}", at(&tag.span), tag.name, at(&tag.name_span));
    if tag.self_closing {
        line.push_str(" self-closing");
    }
    for attribute in &tag.attributes {
        let (name, value) = (at(&attribute.name_span), at(&attribute.value_span));
        line += &format!(" [{:?} {name} = {:?} {value}]", attribute.name, attribute.value);
    }
    line
}

/// Compares two recordings by line: lines only in the first have `-`, lines only in the second `+`.
pub fn difference(first: &Recording, second: &Recording) -> String {
    let (first, second) = (lines(first), lines(second));
    let same_start = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
    let max_end = first.len().min(second.len()) - same_start;
    let same_end = first
        .iter()
        .rev()
        .zip(second.iter().rev())
        .take(max_end)
        .take_while(|(a, b)| a == b)
        .count();
    let mut text = format!("      ({same_start} equal lines before, {same_end} after)\n");
    for (sign, lines) in [('-', &first), ('+', &second)] {
        for line in lines[same_start..lines.len() - same_end].iter().take(12) {
            text += &format!("    {sign} {line}\n");
        }
    }
    text
}
