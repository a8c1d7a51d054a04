//! Tests the arguments of handlers, and the output after their changes. Each page begins with a text, so that offsets in
//! a tag differ from those in the page.

use std::io;
use std::sync::{Arc, Mutex};
use tabulex::Adjacent;
use tabulex::html::Html;
use tabulex::rewrite::{
    Comment, Content, ContentStream, Element, EndTag, Outcome, RewriteError, Rewriter, Rules, Text,
    rewrite_str,
};

/// A writer whose output can be inspected while it is written.
struct SharedOutput(Arc<Mutex<Vec<u8>>>);

impl io::Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Applies `change` to the `a` elements of a page and returns the result.
fn element(page: &str, change: impl Fn(&mut Element<'_, '_>) + Send) -> String {
    let rules = Rules::new().element("a", move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules.unwrap()).unwrap()
}

/// Applies `change` to the ends of the `a` elements of a page and returns the result.
fn end(page: &str, change: fn(&mut EndTag<'_>)) -> String {
    element(page, move |it| {
        it.on_end(move |end| {
            change(end);
            Ok(())
        });
    })
}

/// Applies `change` to the texts of a page and returns the result.
fn text(page: &str, change: impl Fn(&mut Text<'_>) + Send + Sync) -> String {
    let rules = Rules::new().all_text(move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules).unwrap()
}

/// Applies `change` to the comments of a page and returns the result.
fn comment(page: &str, change: impl Fn(&mut Comment<'_>) + Send + Sync) -> String {
    let rules = Rules::new().all_comments(move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<Html>(page, rules).unwrap()
}

#[test]
fn attributes_reflect_earlier_changes() {
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
    // If the attribute with the missing value is removed, no empty value is written.
    assert_eq!(set("x<a d=>y"), "x<a c=\"2\">y");
    assert_eq!(set("x<a e e d/>y"), "x<a e=\"\" c=\"2\"/>y");
    let unchanged = element("x<a b=1 b=2 >y", |it| it.remove_attribute("c"));
    assert_eq!(unchanged, "x<a b=1 b=2 >y");
}

#[test]
fn rejects_invalid_names() {
    element("x<a>y", |it| {
        for name in ["", "b c", "b\0", "b\"", "b'", "b>", "b/", "=", "\t"] {
            let result = it.set_attribute(name, "1");
            assert!(matches!(result, Err(RewriteError::BadName(_))), "{name:?}");
        }
        for name in ["", "1", "-", "b c", "b\0", "b>", "b/", "b<"] {
            assert!(matches!(it.set_name(name), Err(RewriteError::BadName(_))), "{name:?}");
        }
        assert_eq!(it.name(), "a");
    });
    end("x<a>y</a>", |end| assert!(end.set_name("1").is_err()));
    comment("x<!--c-->", |it| {
        for data in [">", "->", "-", "a-", "a--b", "a<!-b"] {
            let result = it.set_data(data);
            assert!(matches!(result, Err(RewriteError::BadComment(_))), "{data:?}");
        }
        it.set_data("a>-b").unwrap();
    });
}

#[test]
fn set_inner_replaces_earlier_insertions() {
    let page = "x<a>y</a>z";
    let inner = element(page, |it| {
        it.prepend(Content::Text("1")).unwrap();
        it.append(Content::Text("2")).unwrap();
        it.set_inner(Content::Text("3")).unwrap();
        it.prepend(Content::Text("4")).unwrap();
        it.append(Content::Text("5")).unwrap();
    });
    assert_eq!(inner, "x<a>435</a>z");
    let replaced = element(page, |it| {
        it.remove();
        assert!(it.is_removed());
        it.replace(Content::Text("1"));
        it.before(Content::Text("2"));
    });
    assert_eq!(replaced, "x21z");
    let removed = element(page, |it| {
        it.replace(Content::Text("1"));
        it.remove();
    });
    assert_eq!(removed, "xz");
    let unwrapped = element(page, |it| {
        assert!(!it.is_removed());
        it.remove_tags();
        it.prepend(Content::Text("1")).unwrap();
        it.append(Content::Text("2")).unwrap();
    });
    assert_eq!(unwrapped, "x1y2z");
}

#[test]
fn changes_only_written_end_tags() {
    let pages = ["x<a>y</a>z", "x<p><a>y</p>z"];
    let change_both = |change: fn(&mut EndTag<'_>)| pages.map(|page| end(page, change));
    assert_eq!(change_both(|it| it.remove()), ["x<a>yz", "x<p><a>y</p>z"]);
    assert_eq!(change_both(|it| it.set_name("b").unwrap()), ["x<a>y</b>z", "x<p><a>y</p>z"]);
    let around = change_both(|it| {
        ["1", "2"].into_iter().for_each(|text| {
            it.before(Content::Text(text)).unwrap();
            it.after(Content::Text(text));
        });
    });
    assert_eq!(around, ["x<a>y12</a>21z", "x<p><a>y12</a>21</p>z"]);
    let removed = change_both(|it| {
        it.remove();
        it.after(Content::Text("<"));
    });
    assert_eq!(removed, ["x<a>y&lt;z", "x<p><a>y&lt;</p>z"]);
}

#[test]
fn inserts_content_around_texts() {
    let page = "<p>x</p><script>y</script>";
    let around = text(page, |it| {
        ["1", "<"].into_iter().for_each(|text| {
            it.before(Content::Text(text)).unwrap();
            it.after(Content::Text(text)).unwrap();
        });
    });
    assert_eq!(around, "<p>1&lt;x&lt;1</p><script>1<y<1</script>");
    let replaced = text(page, |it| {
        it.replace(Content::Text("<")).unwrap();
        it.after(Content::Markup("<b>")).unwrap();
    });
    assert_eq!(replaced, "<p>&lt;<b></p><script><<b></script>");
    assert_eq!(text(page, |it| it.remove()), "<p></p><script></script>");
    let log = Mutex::new(Vec::new());
    text(page, |it| {
        let span = it.span();
        assert_eq!(span.get(page), Some(it.as_str()));
        log.lock().unwrap().push(it.is_literal());
    });
    assert_eq!(log.into_inner().unwrap(), [false, true]);
}

#[test]
fn inserts_content_around_comments() {
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
fn doctypes_expose_their_identifiers() {
    let page = "<!DOCTYPE html PUBLIC 'p' 's'>x";
    let rules = Rules::new().doctype(|it| {
        assert_eq!((it.name(), it.public_identifier()), (Some("html"), Some("p")));
        assert_eq!(it.system_identifier(), Some("s"));
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>(page, rules).unwrap(), "x");
}

#[test]
fn yields_each_attribute_once_with_its_last_value() {
    element("x<a b=1 c=2 d=3>y", |it| {
        assert!(it.can_have_contents());
        assert_eq!(it.attributes().count(), 3);
        it.set_attribute("e", "4").unwrap();
        it.set_attribute("c", "5").unwrap();
        it.remove_attribute("b");
        let all: Vec<_> = it.attributes().collect();
        assert_eq!(all, [("d", "3"), ("e", "4"), ("c", "5")]);
        assert_eq!(it.attributes().count(), 3);
        assert!(it.attributes().size_hint().1.unwrap() >= 3);
    });
    let set = element("x<a a=1 z=2>y", |it| {
        ["z", "a"].into_iter().for_each(|name| it.set_attribute(name, "3").unwrap());
    });
    assert_eq!(set, "x<a a=\"3\" z=\"3\">y");
}

#[test]
fn inserts_content_on_one_side_only() {
    let insert_before = |it: &mut Text<'_>| it.before(Content::Text("1")).unwrap();
    assert_eq!(text("x<b>y</b>", insert_before), "1x<b>1y</b>");
    let insert_after = |it: &mut Text<'_>| it.after(Content::Text("1")).unwrap();
    assert_eq!(text("x<b>y</b>", insert_after), "x1<b>y1</b>");
    assert_eq!(element("x<a>y</a>", |it| it.on_end(|_| Ok(()))), "x<a>y</a>");
    let image_rules = Rules::new().element("img", |it| {
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>("x<img>y", image_rules.unwrap()).unwrap(), "xy");
    let end_rules = Rules::new().end(|| "1".to_owned()).end(|| "2".to_owned());
    assert_eq!(rewrite_str::<Html>("x", end_rules).unwrap(), "x12");
}

#[test]
fn handler_errors_end_rewriting() {
    let page = "<!DOCTYPE html><p>x<!--c--></p>";
    for rules in [
        Rules::new().all_text(|_| Err("no".into())),
        Rules::new().all_comments(|_| Err("no".into())),
        Rules::new().doctype(|_| Err("no".into())),
        Rules::new()
            .element("p", |it| {
                it.on_end(|_| Err("no".into()));
                Ok(())
            })
            .unwrap(),
    ] {
        let result = rewrite_str::<Html>(page, rules);
        assert!(matches!(result, Err(RewriteError::Handler(_))), "{result:?}");
    }
}

#[test]
fn texts_end_at_tokens_of_every_kind() {
    let bracket =
        |it: &mut Text<'_>| it.replace(Content::Text(&format!("[{}]", it.as_str()))).unwrap();
    for (page, expected) in [
        ("x<!DOCTYPE a>y", "[x]<!DOCTYPE a>[y]"),
        ("x<?a b?>y", "[x]<?a b?>[y]"),
        ("x<!--a-->y", "[x]<!--a-->[y]"),
        ("x</a>y", "[x]</a>[y]"),
        // In HTML content a CDATA section is a comment.
        ("x<![CDATA[a]]>y", "[x]<![CDATA[a]]>[y]"),
        ("<svg>x<![CDATA[a]]>y</svg>", "<svg>[xay]</svg>"),
    ] {
        assert_eq!(text(page, bracket), expected);
    }
    let rules = Rules::new().doctype(|it| {
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>("x<!DOCTYPE a>y", rules).unwrap(), "xy");
}

#[test]
fn text_handlers_see_texts_of_their_elements() {
    let page = "<p>1<!--2--></p>3<b>4<!--5--><b>6</b>7</b><p>8</p>";
    let log = Mutex::new(Vec::new());
    let mut rules = Rules::new();
    for name in ["p", "b"] {
        let log = &log;
        let record = move |data: &str| log.lock().unwrap().push(format!("{name}{data}"));
        rules = rules
            .text(name, move |it| {
                record(it.as_str());
                Ok(())
            })
            .unwrap()
            .comment(name, move |it| {
                record(it.data());
                Ok(())
            })
            .unwrap();
    }
    assert_eq!(rewrite_str::<Html>(page, rules).unwrap(), page);
    let log = log.into_inner().unwrap().join(" ");
    assert_eq!(log, "p1 p2 b4 b5 b6 b7 p8");
}

#[test]
fn noscript_is_text_with_scripting() {
    let page = "<noscript>x</noscript><p>y</p>";
    for (scripting, expected) in [
        (true, "<noscript><</noscript><p>&lt;</p>"),
        (false, "<noscript>&lt;</noscript><p>&lt;</p>"),
    ] {
        let rules = Rules::new().scripting(scripting).all_text(|it| {
            it.replace(Content::Text("<")).unwrap();
            Ok(())
        });
        assert_eq!(rewrite_str::<Html>(page, rules).unwrap(), expected);
    }
}

#[test]
fn breakout_tags_end_foreign_elements() {
    let insert_after = |selector: &str, page: &str| {
        let rules = Rules::new().element(selector, |it| {
            it.after(Content::Text("!"));
            Ok(())
        });
        rewrite_str::<Html>(page, rules.unwrap()).unwrap()
    };
    assert_eq!(insert_after("g", "x<svg><g><p>y"), "x<svg><g></g>!<p>y");
    assert_eq!(insert_after("g", "x<svg><g></p>y"), "x<svg><g></g>!</p>y");
    for tag in ["<font a=1 size=2>", "<font a='' =\"b size>"] {
        let expected = format!("x<svg><g></g>!{tag}y");
        assert_eq!(insert_after("g", &format!("x<svg><g>{tag}y")), expected);
    }
    let page = "x<svg><foreignObject><svg><p>y</p></foreignObject></svg>z";
    let expected = "x<svg><foreignObject><svg></svg>!<p>y</p></foreignObject></svg>!z";
    assert_eq!(insert_after("svg", page), expected);
    // In HTML all elements are in a namespace, so `|g` matches none.
    assert_eq!(insert_after("|g", "x<g>y</g><svg><g>z</g></svg>"), "x<g>y</g><svg><g>z</g></svg>");
    assert_eq!(insert_after("*|g", "x<g>y</g>"), "x<g>y</g>!");
}

#[test]
fn escapes_inserted_text() {
    let insert_before = |it: &mut Element<'_, '_>| it.before(Content::Text("\"'&<>\u{A0}"));
    assert_eq!(element("x<a>y", insert_before), "x\"'&amp;&lt;&gt;&nbsp;<a>y");
}

#[test]
fn changes_do_not_leak_to_the_next_element() {
    let mut number = 0;
    let rules = Rules::new().element("*", |it| {
        number += 1;
        match number {
            1 => {
                it.set_attribute("n", "1")?;
                // A void element has neither contents nor an end.
                it.on_end(|_| Err("the end handler of a void element was called".into()));
                for insert in [Element::before, Element::after] {
                    insert(it, Content::Text("1"));
                }
                for insert in [Element::prepend, Element::append] {
                    insert(it, Content::Text("1"))?;
                }
            }
            2 => it.after(Content::Text("2")),
            3 => it.remove(),
            _ => it.on_end(|_| Ok(())),
        }
        Ok(())
    });
    let page = "x<img><a>y</a><b>z</b><i>u</i>";
    let expected = "x1<img n=\"1\">1<a>y</a>2<i>u</i>";
    assert_eq!(rewrite_str::<Html>(page, rules.unwrap()).unwrap(), expected);
}

#[test]
fn size_hint_bounds_the_number_of_attributes() {
    element("x<a b=1>y", |it| {
        let (minimum, maximum) = it.attributes().size_hint();
        assert!(minimum <= 1 && maximum == Some(1));
        assert_eq!(it.attributes().count(), 1);
        it.remove_attribute("b");
        let (minimum, maximum) = it.attributes().size_hint();
        assert_eq!((minimum, it.attributes().count()), (0, 0));
        assert!(maximum.is_some());
        it.set_attribute("c", "2").unwrap();
        assert_eq!(it.attributes().count(), 1);
        assert_eq!(it.attributes().last(), Some(("c", "2")));
    });
    let answers = Mutex::new(Vec::new());
    let rules = Rules::new().element("*", |it| {
        answers.lock().unwrap().push(it.can_have_contents());
        Ok(())
    });
    rewrite_str::<Html>("<br><b/><svg><g/><g></g></svg>", rules.unwrap()).unwrap();
    assert_eq!(answers.into_inner().unwrap(), [false, true, true, false, true]);
}

#[test]
fn errors_have_sources() {
    use std::error::Error as _;
    let handler_error = rewrite_str::<Html>("x", Rules::new().all_text(|_| Err("no".into())));
    assert_eq!(handler_error.unwrap_err().source().unwrap().to_string(), "no");
    let selector_error = Rules::new().element("a >", |_| Ok(())).unwrap_err();
    assert_eq!(selector_error.source().unwrap().to_string(), selector_error.to_string());
    let look_ahead_rules = Rules::new().element(":empty", |_| Ok(())).unwrap();
    let look_ahead_error = rewrite_str::<Html>("x", look_ahead_rules).unwrap_err();
    assert_eq!(look_ahead_error.source().unwrap().to_string(), look_ahead_error.to_string());
    let output_error = RewriteError::from(std::io::Error::other("full"));
    assert_eq!(output_error.source().unwrap().to_string(), "full");
    assert!(RewriteError::BadName(String::new()).source().is_none());
}

#[test]
fn renames_tags_without_other_changes() {
    let rename = |page: &str| element(page, |it| it.set_name("n").unwrap());
    assert_eq!(rename("x<a b=1 b=2>y</a>"), "x<n b=1 b=2>y</n>");
    assert_eq!(rename("x<a c=>y</a>"), "x<n c=>y</n>");
    // A new attribute follows the closing quote of the last value, whatever the offset of the tag.
    let set = |page: &str| element(page, |it| it.set_attribute("n", "1").unwrap());
    assert_eq!(set("xxxx<a b='2'>y"), "xxxx<a b='2' n=\"1\">y");
    assert_eq!(set("x<a b='2'>y'z"), "x<a b='2' n=\"1\">y'z");
}

#[test]
fn only_raw_text_is_literal() {
    let replace = |it: &mut Text<'_>| it.replace(Content::Text("<")).unwrap();
    let page = "<svg><style>x</style></svg><style>x</style>";
    assert_eq!(text(page, replace), "<svg><style>&lt;</style></svg><style><</style>");
    let rules = Rules::new().scripting(true).all_text(|it| {
        it.replace(Content::Text("<")).unwrap();
        Ok(())
    });
    let result = rewrite_str::<Html>("<title>x</title><textarea>y</textarea>", rules);
    assert_eq!(result.unwrap(), "<title>&lt;</title><textarea>&lt;</textarea>");
}

#[test]
fn ends_foreign_elements_as_the_standard_does() {
    for (selector, page, expected) in [
        ("font", "x<svg><font>y</font>z</svg>", "x<svg><font>y</font>!z</svg>"),
        // An end tag that matches no open element ends none.
        ("g", "x<svg><g></math>y</g>z", "x<svg><g></math>y</g>!z"),
        ("svg", "x<p><svg/>y</p>", "x<p><svg/>!y</p>"),
        ("p", "x<p><svg><b>y</b></p>z", "x<p><svg><b>y</b></p>!z"),
        // The following elements are integration points, but only in their own namespaces.
        ("title", "x<math><title><b>y", "x<math><title></title>!<b>y"),
        ("title", "x<svg><title><b>y", "x<svg><title><b>y</b></title>!"),
        ("x-a", "x<svg><title><x-a/>y", "x<svg><title><x-a/>y</x-a>!"),
        ("mi", "x<svg><mi><b>y", "x<svg><mi></mi>!<b>y"),
        ("mi", "x<math><mi><b>y", "x<math><mi><b>y</b></mi>!"),
        (
            "annotation-xml",
            "<math><annotation-xml><p>y",
            "<math><annotation-xml></annotation-xml>!<p>y",
        ),
        (
            "annotation-xml",
            "<math><annotation-xml encoding=Text/HTML><p>y",
            "<math><annotation-xml encoding=Text/HTML><p>y</p></annotation-xml>!",
        ),
        (
            "annotation-xml",
            "<math><annotation-xml encoding=x><p>y",
            "<math><annotation-xml encoding=x></annotation-xml>!<p>y",
        ),
    ] {
        let rules = Rules::new().element(selector, |it| {
            it.after(Content::Text("!"));
            Ok(())
        });
        let result = rewrite_str::<Html>(page, rules.unwrap());
        assert_eq!(result.unwrap(), expected, "{page}");
    }
}

/// Streamed content is placed where other content for its position would be.
#[test]
fn places_streams_like_other_content() {
    let add_stream = |it: &mut Element<'_, '_>, place: Adjacent, name: &'static str| {
        let stream = move |content: &mut ContentStream<'_>| -> Outcome {
            content.write(Content::Markup("<"))?;
            content.write(Content::Markup(name))?;
            content.write(Content::Markup(">"))?;
            Ok(content.write(Content::Text("<"))?)
        };
        it.stream(place, stream).unwrap();
    };
    let places =
        [Adjacent::BeforeBegin, Adjacent::AfterBegin, Adjacent::BeforeEnd, Adjacent::AfterEnd];
    let streamed =
        element("x<a>y</a>z", |it| places.iter().for_each(|place| add_stream(it, *place, "i")));
    assert_eq!(streamed, "x<i>&lt;<a><i>&lt;y<i>&lt;</a><i>&lt;z");
    let mixed = element("x<a>y</a>&", |it| {
        for (name, text) in [("i", "1"), ("b", "2")] {
            places.iter().for_each(|place| add_stream(it, *place, name));
            let text = Content::Text(text);
            it.before(text);
            it.prepend(text).unwrap();
            it.append(text).unwrap();
            it.after(text);
        }
    });
    let [first, last] = ["<i>&lt;1<b>&lt;2", "2<b>&lt;1<i>&lt;"];
    assert_eq!(mixed, format!("x{first}<a>{last}y{first}</a>{last}&"));
    // Streams in removed contents are not called.
    let replaced = element("x<a>y</a>", |it| {
        add_stream(it, Adjacent::BeforeEnd, "i");
        add_stream(it, Adjacent::AfterEnd, "b");
        it.replace(Content::Text("z"));
    });
    assert_eq!(replaced, "xz<b>&lt;");
    // The reference that the pieces of a stream would form with the page's text is noticed and escaped.
    let adjacent = element("x&am<a>y</a>", |it| {
        it.stream(Adjacent::BeforeBegin, |content| {
            content.write(Content::Text("p"))?;
            Ok(content.write(Content::Text(";"))?)
        })
        .unwrap();
    });
    assert_eq!(adjacent, "x&amp;amp;<a>y</a>");
}

/// In elements that contain only text, streams are checked like other content.
#[test]
fn checks_streams_in_raw_text() {
    let outcome = |page: &str, content: Content<'static>| {
        let rules = Rules::new().element("script, title", move |it| {
            it.stream(Adjacent::BeforeEnd, move |stream| {
                stream.write(Content::Text("<"))?;
                Ok(stream.write(content)?)
            })?;
            Ok(())
        });
        rewrite_str::<Html>(page, rules.unwrap())
    };
    assert_eq!(outcome("<script>x</script>", Content::Text("1")).unwrap(), "<script>x<1</script>");
    assert_eq!(outcome("<title>x</title>", Content::Text("1")).unwrap(), "<title>x&lt;1</title>");
    for (page, content) in [
        ("<script>x</script>", Content::Text("/script>")),
        ("<title>x</title>", Content::Markup("</title>")),
    ] {
        let result = outcome(page, content);
        assert!(matches!(result, Err(RewriteError::BadText(_))), "{result:?}");
    }
}

/// The writer receives pieces of a stream before the stream ends, and an error in the stream ends the rewriting.
#[test]
fn writes_streams_incrementally() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let output = SharedOutput(written.clone());
    let rules = Rules::new().element("a", move |it| {
        let written = written.clone();
        it.stream(Adjacent::BeforeEnd, move |content| {
            for number in 1..=1000 {
                content.write(Content::Text(&"x".repeat(1000)))?;
                let length = written.lock().unwrap().len();
                assert!(
                    length + 6000 > number * 1000,
                    "only {length} bytes were written after {number} pieces of 1,000 bytes"
                );
            }
            Err("no more".into())
        })?;
        Ok(())
    });
    let mut rewriter = Rewriter::<Html, _>::new(rules.unwrap().memory_limit(1000), output).unwrap();
    let result = rewriter.write(format!("<a>y</a>{}", " ".repeat(1024)).as_bytes());
    assert!(matches!(result, Err(RewriteError::Handler(_))), "{result:?}");
    let written = rewriter.writer_mut().0.lock().unwrap();
    assert!(written.starts_with(b"<a>yxx") && written.len() > 990_000);
}
