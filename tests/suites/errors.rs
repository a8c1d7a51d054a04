//! Descriptions of error codes: each code of each dialect has one, each description belongs to a code, and each URL
//! points to an anchor in the document.

use std::collections::HashSet;
use tabulex::{Named, ParseError, Span};
use tabulex_tests::shared::{report, shared, workspace};

/// Returns an error for each code in a dialect's enumeration.
fn errors<C: Named>() -> Vec<ParseError> {
    C::ALL.iter().map(|&code| ParseError::of(code, Span::default())).collect()
}

fn errors_of_dialects() -> Vec<(&'static str, Vec<ParseError>)> {
    vec![
        ("html", errors::<tabulex::html::ErrorCode>()),
        ("html-2013", errors::<tabulex::html_2013::ErrorCode>()),
        ("html-2007", errors::<tabulex::html_2007::ErrorCode>()),
        ("sky", errors::<tabulex::sky::ErrorCode>()),
        ("microxml", errors::<tabulex::microxml::ErrorCode>()),
        ("microxml-2012-12", errors::<tabulex::microxml_2012_12::ErrorCode>()),
        ("webvtt", errors::<tabulex::webvtt::ErrorCode>()),
        ("webvtt-file", errors::<tabulex::webvtt_file::ErrorCode>()),
        ("xml", errors::<tabulex::xml::ErrorCode>()),
        ("xml-er", errors::<tabulex::xml_er::ErrorCode>()),
    ]
}

/// Asserts that exactly the errors with a code of the enumeration convert to it.
fn check_codes_of<C: Named + PartialEq + std::fmt::Debug>() {
    let names: Vec<_> = C::ALL.iter().map(|code| code.name()).collect();
    for error in errors_of_dialects().into_iter().flat_map(|(_, errors)| errors) {
        let (code, found) = (error.code, error.code_of::<C>());
        assert_eq!(found.is_some(), names.contains(&code), "{code}");
        assert!(found.is_none_or(|found| found.name() == code), "{code}");
    }
}

#[test]
fn error_codes_map_to_the_enumeration_of_their_dialect() {
    check_codes_of::<tabulex::html::ErrorCode>();
    check_codes_of::<tabulex::html_2013::ErrorCode>();
    check_codes_of::<tabulex::html_2007::ErrorCode>();
    check_codes_of::<tabulex::sky::ErrorCode>();
    check_codes_of::<tabulex::microxml::ErrorCode>();
    check_codes_of::<tabulex::microxml_2012_12::ErrorCode>();
    check_codes_of::<tabulex::webvtt::ErrorCode>();
    check_codes_of::<tabulex::webvtt_file::ErrorCode>();
    check_codes_of::<tabulex::xml::ErrorCode>();
    check_codes_of::<tabulex::xml_er::ErrorCode>();
}

#[test]
fn every_error_code_has_one_message() {
    let mut all_codes = HashSet::new();
    let ids = tabulex::dialects().iter().map(|dialect| dialect.id());
    assert!(ids.eq(errors_of_dialects().iter().map(|(id, _)| *id)), "a dialect is missing");
    for (id, errors) in errors_of_dialects() {
        for error in errors {
            let message = error.message();
            let code = error.code;
            assert_ne!(message, code.replace('-', " "), "{id}: the code `{code}` has no message");
            assert!(message.ends_with('.') && message.len() > 20, "{}: {message}", error.code);
            assert_eq!(error.url().is_some(), id == "html", "{id}: {}", error.code);
            all_codes.insert(error.code);
        }
    }
    let path = workspace().join("spec/tables/errors.text");
    let text = std::fs::read_to_string(path).unwrap();
    let entries = text.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
    let listed: Vec<&str> = entries.collect();
    let listed_once: HashSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), listed_once.len(), "a code is listed twice");
    let unused: Vec<_> = listed_once.difference(&all_codes).collect();
    assert!(unused.is_empty(), "`errors.text` describes codes that no dialect has: {unused:?}");
    assert_eq!(listed.len(), all_codes.len());
}

#[test]
fn unknown_codes_have_a_message_made_of_their_name() {
    let error = ParseError::new("too-loud", Span::new(1, 2));
    assert_eq!((error.message().as_ref(), error.url()), ("too loud", None));
    let known_error = ParseError::new("eof-in-tag", Span::default());
    assert_eq!((known_error.url(), known_error.code_of::<tabulex::sky::ErrorCode>()), (None, None));
}

#[test]
fn urls_lead_to_anchors_in_the_document() {
    const DOCUMENT: &str = "documents/html-2026-10-03.html";
    let Some(path) = shared(DOCUMENT) else {
        return report(&format!("error URLs: 0 checked, {DOCUMENT} absent"));
    };
    let document = std::fs::read_to_string(path).unwrap();
    for error in errors::<tabulex::html::ErrorCode>() {
        let url = error.url().expect("each error of HTML has a URL");
        let (_, anchor) = url.split_once('#').expect("a URL of an error has an anchor");
        let id_attributes =
            [format!(" id={anchor}>"), format!(" id={anchor} "), format!(" id=\"{anchor}\"")];
        assert!(
            id_attributes.iter().any(|id| document.contains(id)),
            "{url} is not in the document"
        );
    }
}
