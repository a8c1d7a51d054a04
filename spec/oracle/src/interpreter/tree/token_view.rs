//! Tokens as the rows of modes see them, and whether a pattern matches one by name or by kind.

use super::{Mode, TagNames, TokenPattern};
use crate::interpreter::{Span, Tag, Token};
use tabulex_language::model::TokenId;

/// A token as rows see it: a whole token, or a single character or a run of characters of a text token.
pub(super) enum TokenView<'t> {
    Token(&'t Token),
    Character(char, Span),
    Text(&'t str, Span),
}

impl TokenView<'_> {
    pub(super) fn tag(&self) -> Option<&Tag> {
        if let Self::Token(Token::StartTag(tag) | Token::EndTag(tag)) = self {
            Some(tag)
        } else {
            None
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::Token(token) => token.span(),
            Self::Character(_, span) | Self::Text(_, span) => *span,
        }
    }
}

/// Whether the pattern names the token by its tag name, character or text.
pub(super) fn is_named_by(
    mode: &Mode,
    pattern: &TokenPattern,
    view: &TokenView<'_>,
    tag_name: &str,
) -> bool {
    let has_name = |names: &TagNames| matches!(names, TagNames::These(these) if these.iter().any(|name| name == tag_name));
    let token = if let TokenView::Token(token) = view { Some(*token) } else { None };
    match pattern {
        TokenPattern::StartTag(names) => {
            let Some(Token::StartTag(tag)) = token else { return false };
            has_name(names) && !(tag.self_closing && mode.distinguishes_empty_tags())
        }
        TokenPattern::EmptyTag(names) => {
            let Some(Token::StartTag(tag)) = token else { return false };
            has_name(names) && tag.self_closing
        }
        TokenPattern::EndTag(names) => matches!(token, Some(Token::EndTag(_))) && has_name(names),
        TokenPattern::Character(Some(set)) => {
            matches!(view, TokenView::Character(character, _) if set.contains(*character))
        }
        TokenPattern::Text(Some(set)) => {
            let is_within = |text: &str| text.chars().all(|character| set.contains(character));
            matches!(view, TokenView::Text(text, _) if is_within(text))
        }
        // These patterns do not name a token; `matches_kind` tests them, except for `else`, which is tried last.
        TokenPattern::Character(None)
        | TokenPattern::Text(None)
        | TokenPattern::ShortEndTag
        | TokenPattern::Comment
        | TokenPattern::Doctype
        | TokenPattern::ProcessingInstruction
        | TokenPattern::Declared(_)
        | TokenPattern::EndOfFile
        | TokenPattern::Else => false,
    }
}

/// Whether the pattern matches every token of this token's kind; `is_declared` tests whether a token has a declared
/// kind.
pub(super) fn matches_kind(
    mode: &Mode,
    pattern: &TokenPattern,
    view: &TokenView<'_>,
    is_declared: impl Fn(&Token, TokenId) -> bool,
) -> bool {
    let token = if let TokenView::Token(token) = view { Some(*token) } else { None };
    match pattern {
        TokenPattern::StartTag(TagNames::Any) => {
            let Some(Token::StartTag(tag)) = token else { return false };
            !(tag.self_closing && mode.distinguishes_empty_tags())
        }
        TokenPattern::EmptyTag(TagNames::Any) => {
            matches!(token, Some(Token::StartTag(tag)) if tag.self_closing)
        }
        TokenPattern::EndTag(TagNames::Any) => matches!(token, Some(Token::EndTag(_))),
        TokenPattern::Character(None) => matches!(view, TokenView::Character(..)),
        TokenPattern::Text(None) => matches!(view, TokenView::Text(..)),
        TokenPattern::ShortEndTag => matches!(token, Some(Token::ShortEndTag { .. })),
        TokenPattern::ProcessingInstruction => {
            matches!(token, Some(Token::ProcessingInstruction { .. }))
        }
        TokenPattern::Declared(kind) => token.is_some_and(|token| is_declared(token, *kind)),
        TokenPattern::Comment => matches!(token, Some(Token::Comment { .. })),
        TokenPattern::Doctype => matches!(token, Some(Token::Doctype(_))),
        TokenPattern::EndOfFile => matches!(token, Some(Token::EndOfFile { .. })),
        // `is_named_by` tests these patterns, except for `else`, which is tried last.
        TokenPattern::StartTag(TagNames::These(_))
        | TokenPattern::EmptyTag(TagNames::These(_))
        | TokenPattern::EndTag(TagNames::These(_))
        | TokenPattern::Character(Some(_))
        | TokenPattern::Text(Some(_))
        | TokenPattern::Else => false,
    }
}
