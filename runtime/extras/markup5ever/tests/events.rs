//! Reports of limits to a tree of markup5ever: each event is one call of `parse_error`, after the errors.

use html5ever::QualName;
use html5ever::tendril::TendrilSink;
use html5ever::{local_name, ns};
use markup5ever_rcdom::RcDom;
use tabulex_core::{FragmentContext, Limits, Options};
use tabulex_markup5ever::{
    parse_document, parse_document_with, parse_fragment, parse_fragment_with,
};

/// Returns the messages passed to the tree while a page is parsed with `options`.
fn reported_messages(page: &str, options: &Options) -> Vec<String> {
    messages(&parse_document_with(RcDom::default(), options).one(page))
}

fn messages(dom: &RcDom) -> Vec<String> {
    dom.errors.borrow().iter().map(ToString::to_string).collect()
}

#[test]
fn reports_the_memory_limit() {
    let page = "<!DOCTYPE html>".to_owned() + &"<p>hello</p>".repeat(10_000);
    for errors in [true, false] {
        let limits = Limits::new().bytes(20_000);
        let messages = reported_messages(&page, &Options::new().errors(errors).limits(limits));
        let [event] = &messages[..] else { panic!("{messages:?}") };
        assert!(event.starts_with("the memory limit of 20000 bytes was reached"), "{event}");
    }
}

/// The limit on memory includes the foreign tree's nodes, texts and attributes, and the line ends of input without
/// nodes yet.
#[test]
fn counts_the_foreign_tree_against_the_limit() {
    let long = "x".repeat(2_000);
    for page in [
        format!("<!DOCTYPE html>{}", "<br>".repeat(30_000)),
        format!("<!DOCTYPE html>{}", "{long}<br>".replace("{long}", &long).repeat(3_000)),
        format!("<!DOCTYPE html>{}", format!("<!--{long}-->").repeat(3_000)),
        format!("<!DOCTYPE html>{}", format!("<?x {long}?>").repeat(3_000)),
        format!("<!DOCTYPE html>{}", format!("<br a='{long}'>").repeat(3_000)),
        format!("<!DOCTYPE html><!--{}-->", "\n".repeat(1_000_000)),
    ] {
        let options = |bytes| Options::new().errors(false).limits(Limits::new().bytes(bytes));
        let messages = reported_messages(&page, &options(2_000_000));
        assert!(messages.len() == 1 && messages[0].starts_with("the memory limit"), "{messages:?}");
        assert_eq!(reported_messages(&page, &options(20_000_000)).len(), 0);
    }
}

/// Events come after the errors, which are sorted by position.
#[test]
fn reports_each_event() {
    let page = format!("{}</x a>", "<b a=1 b=2 c=3>".repeat(10));
    let limits =
        |errors| Options::new().limits(Limits::new().attributes(2).depth(5).errors(errors));
    let with_errors = reported_messages(&page, &limits(2));
    assert_eq!(with_errors[..2], ["expected-doctype", "unexpected-end-tag"]);
    let mut events: Vec<_> =
        with_errors[2..].iter().map(|event| event.split(" byte ").next()).collect();
    events.sort_unstable();
    let expected = [
        "attributes after the first 2 of each tag are dropped, 10 in all, from",
        "errors after the first 2 are dropped, 2 in all, from",
        "nesting was flattened at depth 5 from",
    ];
    assert_eq!(events, expected.map(Some));
    // If errors are not collected, no event reports that some were dropped.
    let without_errors = reported_messages(&page, &limits(2).errors(false));
    assert_eq!(without_errors.len(), 2, "{without_errors:?}");
    let messages = reported_messages("<p>x</p></p>", &Options::new());
    assert!(
        !messages.is_empty() && messages.iter().all(|message| !message.contains(' ')),
        "{messages:?}"
    );
}

#[test]
fn reports_depth_from_every_entry_point() {
    let page = "<i>".repeat(600);
    let context = || QualName::new(None, ns!(html), local_name!("div"));
    let sink = RcDom::default;
    let named_context = FragmentContext::html("div");
    for dom in [
        parse_document(sink(), Default::default()).one(&page[..]),
        parse_document(sink(), Default::default()).from_utf8().one(page.as_bytes()),
        parse_fragment(sink(), Default::default(), context(), Vec::new(), false).one(&page[..]),
        parse_fragment_with(sink(), &named_context, &Options::new().errors(false)).one(&page[..]),
    ] {
        let messages = messages(&dom);
        let event = messages.last().unwrap();
        assert!(event.starts_with("nesting was flattened at depth 513"), "{messages:?}");
    }
}
