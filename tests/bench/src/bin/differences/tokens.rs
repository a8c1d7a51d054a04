//! Tokens of peers in the JSON format of the html5lib tests, with adjacent characters joined.

use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// Runs html5ever's tokenizer on a case and returns its tokens, without errors, as these have no codes. Returns `None`
/// if html5ever lacks the initial state.
pub(super) fn html5ever(case: &Value) -> Option<Value> {
    let state = match case["initialStates"][0].as_str()? {
        "data" => State::Data,
        "plaintext" => State::Plaintext,
        "rcdata" => State::RawData(RawKind::Rcdata),
        "rawtext" => State::RawData(RawKind::Rawtext),
        "script-data" => State::RawData(RawKind::ScriptData),
        "cdata-section" => State::CdataSection,
        _ => return None,
    };
    let options = TokenizerOpts {
        initial_state: Some(state),
        last_start_tag_name: case["lastStartTag"].as_str().map(str::to_owned),
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let is_foreign = case["flags"]["adjusted-current-node"] == 1;
    let sink = Sink { is_foreign, tokens: RefCell::default() };
    let tokenizer = Tokenizer::new(sink, options);
    let queue = BufferQueue::default();
    queue.push_back(case["input"].as_str()?.into());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    Some(json!({"tokens": tokenizer.sink.tokens.take().0}))
}

struct Sink {
    is_foreign: bool,
    tokens: RefCell<Tokens>,
}

#[derive(Default)]
struct Tokens(Vec<Value>);

impl Tokens {
    fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut().filter(|last| last[0] == "Character") {
            Some(last) => last[1] = json!(last[1].as_str().unwrap_or_default().to_owned() + text),
            None => self.0.push(json!(["Character", text])),
        }
    }

    fn push_start_tag(&mut self, name: &str, attributes: Map<String, Value>, self_closing: bool) {
        self.0.push(match self_closing {
            true => json!(["StartTag", name, attributes, true]),
            false => json!(["StartTag", name, attributes]),
        });
    }
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut tokens = self.tokens.borrow_mut();
        match token {
            Token::CharacterTokens(text) => tokens.push_text(&text),
            Token::NullCharacterToken => tokens.push_text("\0"),
            Token::CommentToken(text) => tokens.0.push(json!(["Comment", &*text])),
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => {
                tokens.0.push(json!(["EndTag", &*tag.name]));
            }
            Token::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                let attributes = attributes
                    .map(|attribute| (attribute.name.local.to_string(), json!(&*attribute.value)));
                tokens.push_start_tag(&tag.name, attributes.collect(), tag.self_closing);
            }
            Token::DoctypeToken(doctype) => tokens.0.push(json!([
                "DOCTYPE",
                doctype.name.as_deref(),
                doctype.public_id.as_deref(),
                doctype.system_id.as_deref(),
                !doctype.force_quirks
            ])),
            Token::EOFToken | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.is_foreign
    }
}

/// Runs html5gum on a case and returns its tokens and error codes. Returns `None` if html5gum lacks the initial state,
/// or if the case is in foreign content, which its emitters do not support.
pub(super) fn html5gum(case: &Value) -> Option<Value> {
    use html5gum::{DefaultEmitter, State, Token, Tokenizer, emitters::Emitter as _};
    if case["flags"]["adjusted-current-node"] == 1 {
        return None;
    }
    let state = match case["initialStates"][0].as_str()? {
        "data" => State::Data,
        "plaintext" => State::PlainText,
        "rcdata" => State::RcData,
        "rawtext" => State::RawText,
        "script-data" => State::ScriptData,
        "cdata-section" => State::CdataSection,
        _ => return None,
    };
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.set_last_start_tag(case["lastStartTag"].as_str().map(str::as_bytes));
    let mut tokenizer = Tokenizer::new_with_emitter(case["input"].as_str()?, emitter);
    tokenizer.set_state(state);
    let (mut tokens, mut errors) = (Tokens::default(), Vec::new());
    let decode = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for token in tokenizer {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                let attributes =
                    attributes.map(|(name, value)| (decode(name), json!(decode(&value.value))));
                tokens.push_start_tag(&decode(&tag.name), attributes.collect(), tag.self_closing);
            }
            Token::EndTag(tag) => tokens.0.push(json!(["EndTag", decode(&tag.name)])),
            Token::String(string) => tokens.push_text(&decode(&string.value)),
            Token::Comment(comment) => tokens.0.push(json!(["Comment", decode(&comment.value)])),
            Token::Doctype(doctype) => {
                let decode_optional = |bytes: &Option<html5gum::HtmlString>| {
                    bytes.as_ref().map(|bytes| decode(bytes))
                };
                // html5gum represents a missing name as an empty one; the standard never produces an empty name.
                let name = Some(decode(&doctype.name)).filter(|name| !name.is_empty());
                let (public, system) = (
                    decode_optional(&doctype.public_identifier),
                    decode_optional(&doctype.system_identifier),
                );
                tokens.0.push(json!(["DOCTYPE", name, public, system, !doctype.force_quirks]));
            }
            Token::Error(error) => errors.push(error.value.as_str()),
        }
    }
    Some(json!({"tokens": tokens.0, "errors": errors}))
}
