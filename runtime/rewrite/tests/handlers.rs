//! What handlers see, and what becomes of what they want. Invariant: each page begins with a text, so that no place in a tag
//! is that of the page.

use std::sync::Mutex;
use tabulex::html::Html;
use tabulex::rewrite::{Comment, Content, Element, EndTag, RewriteError, Rules, Text, rewrite_str};

fn element(page: &str, change: impl Fn(&mut Element<'_, '_>) + Send) -> String {
    let rules = Rules::new().element("a", move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules.unwrap()).unwrap()
}

fn end(page: &str, change: fn(&mut EndTag<'_>)) -> String {
    element(page, move |it| {
        it.on_end(move |end| {
            change(end);
            Ok(())
        });
    })
}

fn text(page: &str, change: impl Fn(&mut Text<'_>) + Send + Sync) -> String {
    let rules = Rules::new().all_text(move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules).unwrap()
}

fn comment(page: &str, change: impl Fn(&mut Comment<'_>) + Send + Sync) -> String {
    let rules = Rules::new().all_comments(move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules).unwrap()
}

#[test]
fn attributes_are_seen_as_they_were_changed() {
    let set = |page: &str| {
        element(page, |it| {
            it.set_attribute("b", "1").unwrap();
            it.set_attribute("C", "2").unwrap();
            assert_eq!((it.attribute("b"), it.attribute("c")), (Some("1"), Some("2")));
            it.remove_attribute("b");
            it.remove_attribute("d");
            assert_eq!(it.attribute("b"), None);
            let all: Vec<_> = it.attributes().collect();
            assert_eq!(all.last(), Some(&("c", "2")));
        })
    };
    assert_eq!(set("x<a>y"), "x<a c=\"2\">y");
    assert_eq!(set("x<a b=3 c=4 e=5>y"), "x<a c=\"2\" e=5>y");
    assert_eq!(set("x<a\nb d='6' e>y"), "x<a e c=\"2\">y");
    assert_eq!(set("x<a e=>y"), "x<a e=\"\" c=\"2\">y");
    // What is left out is complete: it lacks no value.
    assert_eq!(set("x<a d=>y"), "x<a c=\"2\">y");
    assert_eq!(set("x<a e e d/>y"), "x<a e=\"\" c=\"2\"/>y");
    let nothing = element("x<a b=1 b=2 >y", |it| it.remove_attribute("c"));
    assert_eq!(nothing, "x<a b=1 b=2 >y");
}

#[test]
fn names_that_nothing_can_have_are_errors() {
    element("x<a>y", |it| {
        for name in ["", "b c", "b\0", "b\"", "b'", "b>", "b/", "=", "\t"] {
            let found = it.set_attribute(name, "1");
            assert!(matches!(found, Err(RewriteError::BadName(_))), "{name:?}");
        }
        for name in ["", "1", "-", "b c", "b\0", "b>", "b/", "b<"] {
            assert!(matches!(it.set_name(name), Err(RewriteError::BadName(_))), "{name:?}");
        }
        assert_eq!(it.name(), "a");
    });
    end("x<a>y</a>", |end| assert!(end.set_name("1").is_err()));
    comment("x<!--c-->", |it| {
        for data in [">", "->", "-", "a-", "a--b", "a<!-b"] {
            let found = it.set_data(data);
            assert!(matches!(found, Err(RewriteError::BadComment(_))), "{data:?}");
        }
        it.set_data("a>-b").unwrap();
    });
}

#[test]
fn what_an_element_holds_is_replaced_with_what_was_put_there() {
    let page = "x<a>y</a>z";
    let inner = element(page, |it| {
        it.prepend(Content::Text("1"));
        it.append(Content::Text("2"));
        it.set_inner(Content::Text("3"));
        it.prepend(Content::Text("4"));
        it.append(Content::Text("5"));
    });
    assert_eq!(inner, "x<a>435</a>z");
    let whole = element(page, |it| {
        it.remove();
        assert!(it.is_removed());
        it.replace(Content::Text("1"));
        it.before(Content::Text("2"));
    });
    assert_eq!(whole, "x21z");
    let none = element(page, |it| {
        it.replace(Content::Text("1"));
        it.remove();
    });
    assert_eq!(none, "xz");
    let tags = element(page, |it| {
        assert!(!it.is_removed());
        it.remove_tags();
        it.prepend(Content::Text("1"));
        it.append(Content::Text("2"));
    });
    assert_eq!(tags, "x1y2z");
}

#[test]
fn ends_are_changed_if_they_are_written() {
    let pages = ["x<a>y</a>z", "x<p><a>y</p>z"];
    let both = |change: fn(&mut EndTag<'_>)| pages.map(|page| end(page, change));
    assert_eq!(both(|it| it.remove()), ["x<a>yz", "x<p><a>y</p>z"]);
    assert_eq!(both(|it| it.set_name("b").unwrap()), ["x<a>y</b>z", "x<p><a>y</p>z"]);
    let around = both(|it| {
        ["1", "2"].into_iter().for_each(|text| {
            it.before(Content::Text(text));
            it.after(Content::Text(text));
        });
    });
    assert_eq!(around, ["x<a>y12</a>21z", "x<p><a>y1221</p>z"]);
    let removed = both(|it| {
        it.remove();
        it.after(Content::Text("<"));
    });
    assert_eq!(removed, ["x<a>y&lt;z", "x<p><a>y&lt;</p>z"]);
}

#[test]
fn texts_have_others_around_them() {
    let page = "<p>x</p><script>y</script>";
    let around = text(page, |it| {
        ["1", "<"].into_iter().for_each(|text| {
            it.before(Content::Text(text));
            it.after(Content::Text(text));
        });
    });
    assert_eq!(around, "<p>1&lt;x&lt;1</p><script>1<y<1</script>");
    let replaced = text(page, |it| {
        it.replace(Content::Text("<"));
        it.after(Content::Markup("<b>"));
    });
    assert_eq!(replaced, "<p>&lt;<b></p><script><<b></script>");
    assert_eq!(text(page, |it| it.remove()), "<p></p><script></script>");
    let seen = Mutex::new(Vec::new());
    text(page, |it| {
        let span = it.span();
        assert_eq!(span.get(page), Some(it.as_str()));
        seen.lock().unwrap().push(it.is_literal());
    });
    assert_eq!(seen.into_inner().unwrap(), [false, true]);
}

#[test]
fn comments_have_others_around_them() {
    let page = "x<!--c-->y";
    let around = comment(page, |it| {
        ["1", "<"].into_iter().for_each(|text| {
            it.before(Content::Text(text));
            it.after(Content::Text(text));
        });
        assert_eq!((it.data(), it.span().get(page)), ("c", Some("<!--c-->")));
    });
    assert_eq!(around, "x1&lt;<!--c-->&lt;1y");
    assert_eq!(comment(page, |it| it.replace(Content::Markup("<b>"))), "x<b>y");
    assert_eq!(comment(page, |it| it.remove()), "xy");
}

#[test]
fn doctypes_have_their_identifiers() {
    let page = "<!DOCTYPE html PUBLIC 'p' 's'>x";
    let rules = Rules::new().doctype(|it| {
        assert_eq!((it.name(), it.public_identifier()), (Some("html"), Some("p")));
        assert_eq!(it.system_identifier(), Some("s"));
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>(page, rules).unwrap(), "x");
}
