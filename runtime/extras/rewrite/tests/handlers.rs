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
    // An attribute without a value that is removed gets no empty value.
    assert_eq!(set("x<a d=>y"), "x<a c=\"2\">y");
    assert_eq!(set("x<a e e d/>y"), "x<a e=\"\" c=\"2\"/>y");
    let unchanged = element("x<a b=1 b=2 >y", |it| it.remove_attribute("c"));
    assert_eq!(unchanged, "x<a b=1 b=2 >y");
}

#[test]
fn rejects_invalid_names() {
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
        it.prepend(Content::Text("1")).unwrap();
        it.append(Content::Text("2")).unwrap();
    });
    assert_eq!(tags, "x1y2z");
}

#[test]
fn changes_only_written_end_tags() {
    let pages = ["x<a>y</a>z", "x<p><a>y</p>z"];
    let both = |change: fn(&mut EndTag<'_>)| pages.map(|page| end(page, change));
    assert_eq!(both(|it| it.remove()), ["x<a>yz", "x<p><a>y</p>z"]);
    assert_eq!(both(|it| it.set_name("b").unwrap()), ["x<a>y</b>z", "x<p><a>y</p>z"]);
    let around = both(|it| {
        ["1", "2"].into_iter().for_each(|text| {
            it.before(Content::Text(text)).unwrap();
            it.after(Content::Text(text));
        });
    });
    assert_eq!(around, ["x<a>y12</a>21z", "x<p><a>y12</a>21</p>z"]);
    let removed = both(|it| {
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
    let put = |it: &mut Text<'_>| it.before(Content::Text("1")).unwrap();
    assert_eq!(text("x<b>y</b>", put), "1x<b>1y</b>");
    let put = |it: &mut Text<'_>| it.after(Content::Text("1")).unwrap();
    assert_eq!(text("x<b>y</b>", put), "x1<b>y1</b>");
    assert_eq!(element("x<a>y</a>", |it| it.on_end(|_| Ok(()))), "x<a>y</a>");
    let image = Rules::new().element("img", |it| {
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>("x<img>y", image.unwrap()).unwrap(), "xy");
    let ends = Rules::new().end(|| "1".to_owned()).end(|| "2".to_owned());
    assert_eq!(rewrite_str::<Html>("x", ends).unwrap(), "x12");
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
        let found = rewrite_str::<Html>(page, rules);
        assert!(matches!(found, Err(RewriteError::Handler(_))), "{found:?}");
    }
}

#[test]
fn texts_end_at_tokens_of_every_kind() {
    let put = |it: &mut Text<'_>| it.replace(Content::Text(&format!("[{}]", it.as_str()))).unwrap();
    for (page, expected) in [
        ("x<!DOCTYPE a>y", "[x]<!DOCTYPE a>[y]"),
        ("x<?a b?>y", "[x]<?a b?>[y]"),
        ("x<!--a-->y", "[x]<!--a-->[y]"),
        ("x</a>y", "[x]</a>[y]"),
        // In HTML this is a comment.
        ("x<![CDATA[a]]>y", "[x]<![CDATA[a]]>[y]"),
        ("<svg>x<![CDATA[a]]>y</svg>", "<svg>[xay]</svg>"),
    ] {
        assert_eq!(text(page, put), expected);
    }
    let removed = Rules::new().doctype(|it| {
        it.remove();
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>("x<!DOCTYPE a>y", removed).unwrap(), "xy");
}

#[test]
fn text_handlers_see_texts_of_their_elements() {
    let page = "<p>1<!--2--></p>3<b>4<!--5--><b>6</b>7</b><p>8</p>";
    let log = Mutex::new(Vec::new());
    let mut rules = Rules::new();
    for name in ["p", "b"] {
        let log = &log;
        let see = move |what: &str| log.lock().unwrap().push(format!("{name}{what}"));
        rules = rules
            .text(name, move |it| {
                see(it.as_str());
                Ok(())
            })
            .unwrap()
            .comment(name, move |it| {
                see(it.data());
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
    let after = |selector: &str, page: &str| {
        let rules = Rules::new().element(selector, |it| {
            it.after(Content::Text("!"));
            Ok(())
        });
        rewrite_str::<Html>(page, rules.unwrap()).unwrap()
    };
    assert_eq!(after("g", "x<svg><g><p>y"), "x<svg><g></g>!<p>y");
    assert_eq!(after("g", "x<svg><g></p>y"), "x<svg><g></g>!</p>y");
    let page = "x<svg><foreignObject><svg><p>y</p></foreignObject></svg>z";
    let expected = "x<svg><foreignObject><svg></svg>!<p>y</p></foreignObject></svg>!z";
    assert_eq!(after("svg", page), expected);
    // All elements are in a namespace in HTML.
    assert_eq!(after("|g", "x<g>y</g><svg><g>z</g></svg>"), "x<g>y</g><svg><g>z</g></svg>");
    assert_eq!(after("*|g", "x<g>y</g>"), "x<g>y</g>!");
}

#[test]
fn escapes_inserted_text() {
    let put = |it: &mut Element<'_, '_>| it.before(Content::Text("\"'&<>\u{A0}"));
    assert_eq!(element("x<a>y", put), "x\"'&amp;&lt;&gt;&nbsp;<a>y");
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
                it.on_end(|_| Err("a void element has no end".into()));
                for put in [Element::before, Element::after] {
                    put(it, Content::Text("1"));
                }
                for put in [Element::prepend, Element::append] {
                    put(it, Content::Text("1"))?;
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
        assert_eq!(it.attributes().size_hint(), (1, Some(1)));
        it.remove_attribute("b");
        let (minimum, maximum) = it.attributes().size_hint();
        assert_eq!((minimum, it.attributes().count()), (0, 0));
        assert!(maximum.is_some());
        it.set_attribute("c", "2").unwrap();
        assert_eq!(it.attributes().count(), 1);
        assert_eq!(it.attributes().last(), Some(("c", "2")));
    });
    let can = Mutex::new(Vec::new());
    let rules = Rules::new().element("*", |it| {
        can.lock().unwrap().push(it.can_have_contents());
        Ok(())
    });
    rewrite_str::<Html>("<br><b/><svg><g/><g></g></svg>", rules.unwrap()).unwrap();
    assert_eq!(can.into_inner().unwrap(), [false, true, true, false, true]);
}

#[test]
fn errors_have_sources() {
    use std::error::Error as _;
    let handler = rewrite_str::<Html>("x", Rules::new().all_text(|_| Err("no".into())));
    assert_eq!(handler.unwrap_err().source().unwrap().to_string(), "no");
    let selector = Rules::new().element("a >", |_| Ok(())).unwrap_err();
    assert_eq!(selector.source().unwrap().to_string(), selector.to_string());
    let ahead = Rules::new().element(":empty", |_| Ok(())).unwrap();
    let ahead = rewrite_str::<Html>("x", ahead).unwrap_err();
    assert_eq!(ahead.source().unwrap().to_string(), ahead.to_string());
    let output = RewriteError::from(std::io::Error::other("full"));
    assert_eq!(output.source().unwrap().to_string(), "full");
    assert!(RewriteError::BadName(String::new()).source().is_none());
}

#[test]
fn renames_tags_without_other_changes() {
    let name = |page: &str| element(page, |it| it.set_name("n").unwrap());
    assert_eq!(name("x<a b=1 b=2>y</a>"), "x<n b=1 b=2>y</n>");
    assert_eq!(name("x<a c=>y</a>"), "x<n c=>y</n>");
    // A new attribute follows the closing quote of the last value, whatever the offset of the tag.
    let set = |page: &str| element(page, |it| it.set_attribute("n", "1").unwrap());
    assert_eq!(set("xxxx<a b='2'>y"), "xxxx<a b='2' n=\"1\">y");
    assert_eq!(set("x<a b='2'>y'z"), "x<a b='2' n=\"1\">y'z");
}

#[test]
fn only_raw_text_is_literal() {
    let put = |it: &mut Text<'_>| it.replace(Content::Text("<")).unwrap();
    let svg = "<svg><style>x</style></svg><style>x</style>";
    assert_eq!(text(svg, put), "<svg><style>&lt;</style></svg><style><</style>");
    let rules = Rules::new().scripting(true).all_text(|it| {
        it.replace(Content::Text("<")).unwrap();
        Ok(())
    });
    let title = rewrite_str::<Html>("<title>x</title><textarea>y</textarea>", rules);
    assert_eq!(title.unwrap(), "<title>&lt;</title><textarea>&lt;</textarea>");
}

#[test]
fn ends_foreign_elements_as_the_standard_does() {
    for (selector, page, expected) in [
        ("font", "x<svg><font>y</font>z</svg>", "x<svg><font>y</font>!z</svg>"),
        // An end tag without an open element ends none.
        ("g", "x<svg><g></math>y</g>z", "x<svg><g></math>y</g>!z"),
        ("svg", "x<p><svg/>y</p>", "x<p><svg/>!y</p>"),
        ("p", "x<p><svg><b>y</b></p>z", "x<p><svg><b>y</b></p>!z"),
        // These are integration points, only in their own namespaces.
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
        let found = rewrite_str::<Html>(page, rules.unwrap());
        assert_eq!(found.unwrap(), expected, "{page}");
    }
}

/// Streamed content is placed where other content for its position would be.
#[test]
fn places_streams_like_other_content() {
    let put = |it: &mut Element<'_, '_>, place: Adjacent, name: &'static str| {
        let stream = move |content: &mut ContentStream<'_>| -> Outcome {
            content.write(Content::Markup("<"))?;
            content.write(Content::Markup(name))?;
            content.write(Content::Markup(">"))?;
            Ok(content.write(Content::Text("<"))?)
        };
        it.stream(place, stream).unwrap();
    };
    let all =
        [Adjacent::BeforeBegin, Adjacent::AfterBegin, Adjacent::BeforeEnd, Adjacent::AfterEnd];
    let streamed = element("x<a>y</a>z", |it| all.iter().for_each(|place| put(it, *place, "i")));
    assert_eq!(streamed, "x<i>&lt;<a><i>&lt;y<i>&lt;</a><i>&lt;z");
    let mixed = element("x<a>y</a>&", |it| {
        for (name, text) in [("i", "1"), ("b", "2")] {
            all.iter().for_each(|place| put(it, *place, name));
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
        put(it, Adjacent::BeforeEnd, "i");
        put(it, Adjacent::AfterEnd, "b");
        it.replace(Content::Text("z"));
    });
    assert_eq!(replaced, "xz<b>&lt;");
    // Short pieces are written together, so that no reference is split.
    let beside = element("x&am<a>y</a>", |it| {
        it.stream(Adjacent::BeforeBegin, |content| {
            content.write(Content::Text("p"))?;
            Ok(content.write(Content::Text(";"))?)
        })
        .unwrap();
    });
    assert_eq!(beside, "x&amp;amp;<a>y</a>");
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
        let found = outcome(page, content);
        assert!(matches!(found, Err(RewriteError::BadText(_))), "{found:?}");
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
                assert!(length + 6000 > number * 1000, "{length} bytes after write {number}");
            }
            Err("no more".into())
        })?;
        Ok(())
    });
    let mut rewriter = Rewriter::<Html, _>::new(rules.unwrap().memory_limit(1000), output).unwrap();
    let found = rewriter.write(format!("<a>y</a>{}", " ".repeat(1024)).as_bytes());
    assert!(matches!(found, Err(RewriteError::Handler(_))), "{found:?}");
    let written = rewriter.writer_mut().0.lock().unwrap();
    assert!(written.starts_with(b"<a>yxx") && written.len() > 990_000);
}
