//! Tokens as the rows of modes see them, and how a pattern matches one.

use super::{Mode, TagNames, TokenPattern};
use crate::interpreter::{Span, Tag, Token};
use tabulex_language::model::{CharacterSet, TokenId};

/// A token as rows see it: a whole token, or a single character or a run of characters of a text token.
pub(super) enum TokenView<'t> {
    Token(&'t Token),
    Character(char, Span),
    Text(&'t str, Span),
}

impl TokenView<'_> {
    /// Stands for the token where none is processed.
    pub(super) const NONE: Self = Self::Character('\0', Span { start: 0, end: 0 });

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

/// How a pattern matches a token, in the order in which rows are tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TokenMatch {
    /// The pattern names the token by its tag name, character or text.
    Name,
    /// The pattern matches every token of the kind.
    Kind,
    /// The pattern is `else`.
    Else,
}

/// Returns how the pattern matches the token; `None` if it does not. `is_declared` tests whether a token has a declared
/// kind.
pub(super) fn match_token(
    mode: &Mode,
    pattern: &TokenPattern,
    view: &TokenView<'_>,
    tag_name: &str,
    is_declared: impl Fn(&Token, TokenId) -> bool,
) -> Option<TokenMatch> {
    let token = if let TokenView::Token(token) = view { Some(*token) } else { None };
    let of_tag = |names: &TagNames| match names {
        TagNames::Any => Some(TokenMatch::Kind),
        TagNames::These(these) => {
            these.iter().any(|name| name == tag_name).then_some(TokenMatch::Name)
        }
    };
    let of_text = |set: &Option<CharacterSet>, text: &str| match set {
        None => Some(TokenMatch::Kind),
        Some(set) => text.chars().all(|it| set.contains(it)).then_some(TokenMatch::Name),
    };
    let is_kind = match pattern {
        TokenPattern::StartTag(names) => {
            let Some(Token::StartTag(tag)) = token else { return None };
            let is_other = tag.self_closing && mode.distinguishes_empty_tags();
            return of_tag(names).filter(|_| !is_other);
        }
        TokenPattern::EmptyTag(names) => {
            let Some(Token::StartTag(tag)) = token else { return None };
            return of_tag(names).filter(|_| tag.self_closing);
        }
        TokenPattern::EndTag(names) => {
            return of_tag(names).filter(|_| matches!(token, Some(Token::EndTag(_))));
        }
        TokenPattern::Character(set) => {
            let TokenView::Character(character, _) = view else { return None };
            return of_text(set, character.encode_utf8(&mut [0; 4]));
        }
        TokenPattern::Text(set) => {
            let TokenView::Text(text, _) = view else { return None };
            return of_text(set, text);
        }
        TokenPattern::Else => return Some(TokenMatch::Else),
        TokenPattern::ShortEndTag => matches!(token, Some(Token::ShortEndTag { .. })),
        TokenPattern::ProcessingInstruction => {
            matches!(token, Some(Token::ProcessingInstruction { .. }))
        }
        TokenPattern::Declared(kind) => token.is_some_and(|token| is_declared(token, *kind)),
        TokenPattern::Comment => matches!(token, Some(Token::Comment { .. })),
        TokenPattern::Doctype => matches!(token, Some(Token::Doctype(_))),
        TokenPattern::EndOfFile => matches!(token, Some(Token::EndOfFile { .. })),
    };
    is_kind.then_some(TokenMatch::Kind)
}
