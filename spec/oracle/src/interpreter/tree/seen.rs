//! What rows see of a token, and which pattern takes it. It takes no row. Invariant: a pattern that names what is seen
//! takes anything of its kind, too.

use super::{Mode, TagNames, TokenPattern};
use crate::interpreter::{Span, Tag, Token};

/// What the rows see of a token.
pub(super) enum Seen<'t> {
    Token(&'t Token),
    Character(char, Span),
    Text(&'t str, Span),
}

impl Seen<'_> {
    pub(super) fn tag(&self) -> Option<&Tag> {
        match self {
            Self::Token(Token::StartTag(tag) | Token::EndTag(tag)) => Some(tag),
            _ => None,
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::Token(token) => token.span(),
            Self::Character(_, span) | Self::Text(_, span) => *span,
        }
    }
}

/// Whether the pattern names what is seen: its tag name, its character, its text.
pub(super) fn names(mode: &Mode, pattern: &TokenPattern, seen: &Seen<'_>, tag_name: &str) -> bool {
    let named = |names: &TagNames| matches!(names, TagNames::These(these) if these.iter().any(|name| name == tag_name));
    match (pattern, seen) {
        (TokenPattern::StartTag(names), Seen::Token(Token::StartTag(tag))) => {
            named(names) && !(tag.self_closing && mode.tells_empty_tags())
        }
        (TokenPattern::EmptyTag(names), Seen::Token(Token::StartTag(tag))) => {
            named(names) && tag.self_closing
        }
        (TokenPattern::EndTag(names), Seen::Token(Token::EndTag(_))) => named(names),
        (TokenPattern::Character(Some(set)), Seen::Character(character, _)) => {
            set.contains(*character)
        }
        (TokenPattern::Text(Some(set)), Seen::Text(text, _)) => {
            text.chars().all(|character| set.contains(character))
        }
        _ => false,
    }
}

/// Whether the pattern takes anything of the kind of what is seen.
pub(super) fn takes_kind(mode: &Mode, pattern: &TokenPattern, seen: &Seen<'_>) -> bool {
    match (pattern, seen) {
        (TokenPattern::StartTag(TagNames::Any), Seen::Token(Token::StartTag(tag))) => {
            !(tag.self_closing && mode.tells_empty_tags())
        }
        (TokenPattern::EmptyTag(TagNames::Any), Seen::Token(Token::StartTag(tag))) => {
            tag.self_closing
        }
        (TokenPattern::EndTag(TagNames::Any), Seen::Token(Token::EndTag(_)))
        | (TokenPattern::Character(None), Seen::Character(..))
        | (TokenPattern::Text(None), Seen::Text(..))
        | (TokenPattern::ShortEndTag, Seen::Token(Token::ShortEndTag { .. }))
        | (TokenPattern::ProcessingInstruction, Seen::Token(Token::ProcessingInstruction { .. }))
        | (TokenPattern::Comment, Seen::Token(Token::Comment { .. }))
        | (TokenPattern::Doctype, Seen::Token(Token::Doctype(_)))
        | (TokenPattern::EndOfFile, Seen::Token(Token::EndOfFile { .. })) => true,
        _ => false,
    }
}
