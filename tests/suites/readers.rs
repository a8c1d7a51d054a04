//! Compares borrowed tokens with owned ones: equal tokens, ranges and errors. Inputs have more tokens than are recorded
//! at once, and text that is not part of the input.

use tabulex::{Machine, TagRef, TokenReader, TokenRef, Tokens};
use tabulex::{OwnedTag, Token};
use tabulex_tests::inputs::{Alphabet, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::sample;

/// The fields of a tag that are compared: whether it is an end tag, its name, the ranges of the name and of the tag,
/// whether it is self-closing, and its attributes.
type TagParts<'t> = (bool, &'t str, [tabulex::Span; 2], bool, Vec<tabulex::Attribute<&'t str>>);

fn format_tag_parts(parts: &TagParts<'_>) -> String {
    format!("{parts:?}")
}

fn format_borrowed_tag(is_end: bool, tag: &TagRef<'_>) -> String {
    let spans = [tag.name_span(), tag.span()];
    format_tag_parts(&(is_end, tag.name(), spans, tag.self_closing(), tag.attributes().collect()))
}

fn format_owned_tag(is_end: bool, tag: &OwnedTag<'_>) -> String {
    let spans = [tag.name_span, tag.span];
    format!("{:?}", (is_end, &*tag.name, spans, tag.self_closing, &tag.attributes))
}

fn read_borrowed<M: Machine, const ERRORS: bool>(input: &str) -> (Vec<String>, Vec<String>, bool) {
    let mut reader = TokenReader::<M, ERRORS>::new(input);
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    while let Some(token) = reader.next_token() {
        tokens.push(match token {
            TokenRef::Text(text, span) => format!("text {text:?} {span:?}"),
            TokenRef::StartTag(tag) => format_borrowed_tag(false, &tag),
            TokenRef::EndTag(tag) => format_borrowed_tag(true, &tag),
            TokenRef::Comment(comment) => format!("comment {:?} {:?}", comment.data, comment.span),
            TokenRef::Doctype(doctype) => format!("{doctype:?}"),
            TokenRef::ShortEndTag(span) => format!("short {span:?}"),
            TokenRef::ProcessingInstruction(it) => {
                format!("instruction {:?} {:?} {:?}", it.target, it.data, it.span)
            }
            other => format!("{other:?}"),
        });
        errors.extend(reader.take_errors().iter().map(|error| format!("{error:?}")));
    }
    errors.extend(reader.take_errors().iter().map(|error| format!("{error:?}")));
    // Sort the errors, because the moment at which an error of the input stream is reported depends on where the
    // machine stops.
    errors.sort();
    (tokens, errors, reader.is_at_end())
}

fn read_owned<M: Machine>(input: &str, stops: bool) -> (Vec<String>, Vec<String>, bool) {
    let mut tokens = Tokens::<M>::new(input);
    if stops {
        tokens.stop_after_each();
    }
    let formatted = tokens.by_ref().map(|token| match token {
        Token::Text(text, span) => format!("text {text:?} {span:?}"),
        Token::StartTag(tag) => format_owned_tag(false, &tag),
        Token::EndTag(tag) => format_owned_tag(true, &tag),
        Token::Comment(data, span) => format!("comment {data:?} {span:?}"),
        Token::Doctype(doctype) => format!("{doctype:?}"),
        Token::ShortEndTag(span) => format!("short {span:?}"),
        Token::ProcessingInstruction(it) => {
            format!("instruction {:?} {:?} {:?}", it.target, it.data, it.span)
        }
        other => format!("{other:?}"),
    });
    let formatted = formatted.collect();
    let mut errors: Vec<String> =
        tokens.take_errors().iter().map(|error| format!("{error:?}")).collect();
    errors.sort();
    (formatted, errors, tokens.is_at_end())
}

/// Compares the borrowed and owned tokens of random inputs. Returns the maximum number of tokens in an input.
fn check<M: Machine>() -> usize {
    let alphabet = Alphabet::new(table(M::NAME));
    let suite = format!("borrowed tokens of {}", M::NAME);
    let mut maximum = 0;
    for seed in sample::seeds(&suite, 0..30_000, 1500) {
        let mut random = Random::new(seed);
        let length = [10, 60, 600][random.below(3)];
        let input = alphabet.input(&mut random, length);
        let differs = |input: &str| {
            let borrowed = read_borrowed::<M, true>(input);
            [false, true].into_iter().any(|stops| read_owned::<M>(input, stops) != borrowed)
        };
        if differs(&input) {
            let shortest = shrink(&input, &|input| differs(input));
            let owned_results = [false, true].map(|stops| read_owned::<M>(&shortest, stops));
            panic!(
                "{}: {shortest:?}\nborrowed {:#?}\nowned, read ahead and one by one {owned_results:#?}",
                M::NAME,
                read_borrowed::<M, true>(&shortest)
            );
        }
        maximum = maximum.max(read_borrowed::<M, true>(&input).0.len());
    }
    maximum
}

#[test]
fn borrowed_tokens_equal_owned_tokens() {
    let maxima = [
        check::<tabulex::html::Html>(),
        check::<tabulex::xml_er::XmlEr>(),
        check::<tabulex::sky::Sky>(),
        // MicroXML rejects most inputs early, so its maximum need not exceed 128.
        check::<tabulex::microxml::Microxml>(),
    ];
    let are_long =
        maxima.iter().all(|&maximum| maximum > 40) && maxima.iter().any(|&maximum| maximum > 128);
    assert!(are_long, "inputs have too few tokens to fill several recordings: at most {maxima:?}");
}

#[test]
fn disabling_errors_does_not_change_tokens() {
    let input = "<!doctype html><p a=1 a=2>x&amp;y&z<!--c--><title><b></title></p =>".repeat(100);
    let (tokens, errors, _) = read_borrowed::<tabulex::html::Html, true>(&input);
    let without_errors = read_borrowed::<tabulex::html::Html, false>(&input);
    assert_eq!((without_errors.0, without_errors.2), (tokens, true));
    assert!(without_errors.1.is_empty() && !errors.is_empty());
}

/// The machine reads ahead, so setting a state between two tokens panics unless the machine stops after each token.
#[test]
fn the_state_is_set_between_tokens_only_where_the_machine_stops() {
    fn read_as_plaintext(mut tokens: Tokens<'_, tabulex::html::Html>) -> (String, Vec<String>) {
        let first_token = format!("{:?}", tokens.next());
        tokens.enter(tabulex::html::DIALECT.entry("plaintext").unwrap());
        (first_token, tokens.map(|token| format!("{token:?}")).collect())
    }
    let mut stopping = tabulex::html::tokens("<p><b>");
    stopping.stop_after_each();
    let (first, rest) = read_as_plaintext(stopping);
    assert!(first.starts_with("Some(StartTag("), "{first}");
    assert!(rest.len() == 1 && rest[0].starts_with("Text(\"<b>\""), "{rest:?}");
    assert!(
        std::panic::catch_unwind(|| read_as_plaintext(tabulex::html::tokens("<p><b>"))).is_err()
    );
    let stop_late = || {
        let mut tokens = tabulex::html::tokens("<p><b>");
        tokens.next();
        tokens.stop_after_each();
    };
    assert!(std::panic::catch_unwind(stop_late).is_err());
}
