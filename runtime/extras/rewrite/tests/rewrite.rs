//! Pages before and after rewriting; each is rewritten whole and byte by byte, with equal results.

use tabulex::html::Html;
use tabulex::rewrite::{
    Content, Outcome, RewriteError, Rewriter, Rules, rewrite_bytes, rewrite_str,
};

type Result = std::result::Result<(), RewriteError>;

/// Rewrites the page, whole and in pieces, with fresh rules each time.
fn rewritten<'h>(
    page: &[u8],
    rules: impl Fn() -> std::result::Result<Rules<'h>, RewriteError>,
) -> std::result::Result<Vec<u8>, RewriteError> {
    let whole = rewrite_bytes::<Html>(page, rules()?)?;
    for size in [1, 2, 3, 7] {
        let mut rewriter = Rewriter::<Html, _>::new(rules()?, Vec::new())?;
        for piece in page.chunks(size) {
            rewriter.write(piece)?;
        }
        let chunked = rewriter.finish()?;
        let [chunked, whole] = [&chunked, &whole].map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!(chunked, whole, "{:?} in pieces of {size} bytes", String::from_utf8_lossy(page));
    }
    Ok(whole)
}

#[track_caller]
fn assert_rewritten<'h>(
    page: &str,
    rules: impl Fn() -> std::result::Result<Rules<'h>, RewriteError>,
    expected: &str,
) {
    let output = rewritten(page.as_bytes(), &rules).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), expected);
    // With a known encoding, only the first three bytes, which may be a byte order mark, are collected; all later
    // pieces are processed as they are written.
    let output = rewritten(page.as_bytes(), || Ok(rules()?.encoding(utf_8()))).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

/// An attribute added after one with a missing or unclosed value does not become that value.
#[test]
fn adds_attributes_after_incomplete_ones() -> Result {
    let rules = || {
        Rules::new().element("a", |it| {
            it.set_attribute("n", "1")?;
            Ok(())
        })
    };
    for (page, expected) in [
        ("<a b= >", "<a b=\"\" n=\"1\" >"),
        ("<a b=>", "<a b=\"\" n=\"1\">"),
        ("<a n= >", "<a n=\"1\" >"),
        ("<a b='' >", "<a b='' n=\"1\" >"),
        ("<a b=c/>", "<a b=c/ n=\"1\">"),
        ("<a b>", "<a b n=\"1\">"),
    ] {
        assert_rewritten(page, rules, expected);
    }
    // In XML-ER the end of the input ends a tag.
    for (page, expected) in [
        ("<a b='x", "<a b='x' n=\"1\""),
        ("<a b=", "<a b=\"\" n=\"1\""),
        ("<a b=x", "<a b=x n=\"1\""),
    ] {
        assert_eq!(rewrite_str::<tabulex::xml_er::XmlEr>(page, rules()?)?, expected);
    }
    Ok(())
}

#[test]
fn changes_attributes_in_place() {
    let set = || {
        Rules::new().element("a", |a| {
            let old_value = a.attribute("href").unwrap_or("none").to_owned();
            a.set_attribute("HREF", &format!("{old_value}?\"&"))?;
            assert_eq!(a.attribute("href"), Some(&*format!("{old_value}?\"&")));
            Ok(())
        })
    };
    let new_value = "=\"x?&quot;&amp;\"";
    for (page, expected) in [
        ("<A Href = 'x' id=y>z</A>", format!("<A Href{new_value} id=y>z</A>")),
        ("<a\nhref=x>", format!("<a\nhref{new_value}>")),
        ("<a href=x id>", format!("<a href{new_value} id>")),
        ("<a>", "<a href=\"none?&quot;&amp;\">".to_owned()),
        ("<a b=c/>", "<a b=c/ href=\"none?&quot;&amp;\">".to_owned()),
        ("<a b='c'/>", "<a b='c' href=\"none?&quot;&amp;\"/>".to_owned()),
        ("<a href>", "<a href=\"?&quot;&amp;\">".to_owned()),
        ("<a href=>", "<a href=\"?&quot;&amp;\">".to_owned()),
        ("<a href=x href=y c='\"'>", format!("<a href{new_value} c=\"&quot;\">")),
        ("<a href=&#120;>", format!("<a href{new_value}>")),
    ] {
        assert_rewritten(page, set, &expected);
    }
    let remove = || {
        Rules::new().element("a", |a| {
            a.remove_attribute("b");
            Ok(())
        })
    };
    for (page, expected) in [
        ("<a b>", "<a>"),
        ("<a  b = \"c\" d>", "<a d>"),
        ("<a d='e'b=c>", "<a d='e'>"),
        ("<a b=1 b=2 c>", "<a c=\"\">"),
        ("<a c>", "<a c>"),
        ("<a/b/c>", "<a//c>"),
    ] {
        assert_rewritten(page, remove, expected);
    }
}

#[test]
fn inserts_content_around_and_into_elements() {
    let insert_all = || {
        Rules::new().element("p", |p| {
            for text in ["1", "2"] {
                p.before(Content::Text(text));
                p.prepend(Content::Text(text))?;
                p.append(Content::Text(text))?;
                p.after(Content::Text(text));
            }
            Ok(())
        })
    };
    assert_rewritten("a<p>b</p>c", insert_all, "a12<p>21b12</p>21c");
    assert_rewritten("<div><p>b</div>c", insert_all, "<div>12<p>21b12</p>21</div>c");
    assert_rewritten("<p>b", insert_all, "12<p>21b12</p>21");
    assert_rewritten("<p>1<p>2</p>", insert_all, "12<p>21112</p>2112<p>21212</p>21");
    let change_image = || {
        Rules::new().element("img", |image| {
            image.append(Content::Text("no"))?;
            image.after(Content::Text("<"));
            assert!(!image.can_have_contents());
            Ok(())
        })
    };
    assert_rewritten("<img>x<img/>", change_image, "<img>&lt;x<img/>&lt;");
    let set_inner = || {
        Rules::new().element("b", |b| {
            b.set_inner(Content::Markup("<i>"))?;
            Ok(())
        })
    };
    assert_rewritten("<b>a<u>b</u><b>c</b></b>d", set_inner, "<b><i></b>d");
    assert_rewritten("<p><b>a</p>d", set_inner, "<p><b><i></p>d");
    let append_to_script = || {
        Rules::new().element("script", |it| {
            it.append(Content::Text("a<b"))?;
            Ok(())
        })
    };
    assert_rewritten("<script>x</b></script>", append_to_script, "<script>x</b>a<b</script>");
}

#[test]
fn removes_replaces_and_renames_elements() {
    let remove = || {
        Rules::new()
            .element("b", |b| {
                b.remove();
                b.after(Content::Text("!"));
                Ok(())
            })?
            .element("i", |_| -> Outcome {
                panic!("a handler was called inside a removed element")
            })
    };
    assert_rewritten("a<b>b<i>c</i><b>d</b></b>e", remove, "a!e");
    assert_rewritten("a<div><b>b<i></div>e", remove, "a<div>!</div>e");
    let replace = || {
        Rules::new().element("b", |b| {
            b.replace(Content::Text("<"));
            Ok(())
        })
    };
    assert_rewritten("a<b x=1>b</b>c", replace, "a&lt;c");
    let unwrap = || {
        Rules::new().element("b", |b| {
            b.remove_tags();
            Ok(())
        })
    };
    assert_rewritten("a<b>b<b>c</b></b>d</b>", unwrap, "abcd</b>");
    let rename = || {
        Rules::new().element("b", |b| {
            b.set_name("strong")?;
            assert!(b.set_name("a b").is_err() && b.set_name("1").is_err());
            Ok(())
        })
    };
    assert_rewritten("<B x>1</B ><b>2", rename, "<strong x>1</strong ><strong>2");
}

#[test]
fn calls_handlers_at_ends_of_elements() {
    let rules = || {
        Rules::new().element("b", |b| {
            b.append(Content::Text("+"))?;
            b.on_end(|end| {
                let written = if end.is_written() { "w" } else { "i" };
                end.before(Content::Text(written))?;
                end.after(Content::Text("A"));
                assert_eq!(end.name(), "b");
                Ok(())
            });
            Ok(())
        })
    };
    assert_rewritten("<b>1</b>2", rules, "<b>1+w</b>A2");
    assert_rewritten("<p><b>1</p>2", rules, "<p><b>1+i</b>A</p>2");
    assert_rewritten("<b>1", rules, "<b>1+i</b>A");
}

#[test]
fn handlers_get_whole_texts_comments_and_doctypes() {
    let rules = || {
        Ok(Rules::new()
            .text("p", |text| {
                text.replace(Content::Text(&format!("[{}]", text.as_str())))?;
                Ok(())
            })?
            .comment("p", |comment| {
                assert!(comment.set_data("a-->b").is_err());
                comment.set_data(&comment.data().to_uppercase()).map_err(Into::into)
            })?
            .doctype(|doctype| {
                if doctype.name() == Some("old") {
                    doctype.remove();
                }
                Ok(())
            })
            .end(|| "<!--end-->".to_owned()))
    };
    assert_rewritten(
        "<!DOCTYPE old>a<!--x--><p>b&lt;\r\nc<i>d</i><!--x--></p>e<p>f",
        rules,
        "a<!--x--><p>[b&lt;\nc]<i>[d]</i><!--X--></p>e<p>[f]<!--end-->",
    );
    let all_rules = || {
        Ok(Rules::new()
            .all_text(|text| {
                text.replace(Content::Text("<"))?;
                Ok(())
            })
            .all_comments(|comment| {
                comment.remove();
                Ok(())
            }))
    };
    assert_rewritten(
        "a<!-- --><title>b</title><style>c</style>",
        all_rules,
        "&lt;<title>&lt;</title><style><</style>",
    );
    assert_rewritten("<svg><![CDATA[ ]] ]]></svg>", all_rules, "<svg>&lt;</svg>");
}

#[test]
fn parses_foreign_content_by_the_table() {
    let rules = || {
        Rules::new()
            .element("b", |b| {
                b.remove();
                Ok(())
            })?
            .element("path", |it| {
                it.after(Content::Text("!"));
                Ok(())
            })
    };
    // In SVG, `title` and `style` contain markup; in HTML, they contain text. An HTML tag breaks out of SVG.
    assert_rewritten("<title><b></b></title>", rules, "<title><b></b></title>");
    assert_rewritten("<svg><title><b>x</b></title></svg>", rules, "<svg><title></title></svg>");
    assert_rewritten("<svg><style><b>x</b></style>", rules, "<svg><style></svg></style>");
    assert_rewritten(
        "<math><mi><b>x</b></mi><path/></math>",
        rules,
        "<math><mi></mi><path/>!</math>",
    );
    assert_rewritten(
        "<svg><path/><path>x</path></svg>",
        rules,
        "<svg><path/>!<path>x</path>!</svg>",
    );
    assert_rewritten(
        "<svg><font size=1><title><b>x</b>",
        rules,
        "<svg><font size=1><title><b>x</b>",
    );
    assert_rewritten("<svg><font><title><b>x</b>", rules, "<svg><font><title>");
    assert_rewritten("<svg></p><title><b>x</b>", rules, "<svg></p><title><b>x</b>");
    assert_rewritten("<noscript><b>x</b></noscript>", rules, "<noscript><b>x</b></noscript>");
    let without_scripting = || Ok(rules()?.scripting(false));
    assert_rewritten("<noscript><b>x</b></noscript>", without_scripting, "<noscript></noscript>");
    let remove_titles = || {
        Rules::new().element("svg:not(:root) title", |it| {
            it.remove();
            Ok(())
        })
    };
    assert_rewritten(
        "<p><svg><title>a</title></svg><title>b</title>",
        remove_titles,
        "<p><svg></svg><title>b</title>",
    );
}

#[test]
fn matches_selectors_at_start_tags() {
    let page = "<ul id=l class='a b'><li>1</li><li class=x>2</li><li>3</li><p>4</p><li lang=EN>5</li></ul><ul><li>6</li></ul>";
    for (selector, expected) in [
        ("li", "12356"),
        ("#l > li", "1235"),
        (".a.b .x", "2"),
        ("li + li", "23"),
        ("li ~ li", "235"),
        ("li:first-child", "16"),
        ("li:nth-child(2n+1)", "1356"),
        ("li:nth-of-type(4)", "5"),
        ("ul:not(#l) li, .x", "26"),
        ("li:is(.x + li, p + *)", "35"),
        ("[lang=en i]", "5"),
        ("li[lang|=EN]", "5"),
        (":root > li", "1235"),
        ("ol li, li:hover", ""),
    ] {
        let texts = std::sync::Mutex::new(String::new());
        let rules = Rules::new().text(selector, |text| {
            texts.lock().unwrap().push_str(text.as_str());
            Ok(())
        });
        assert_eq!(rewrite_str::<Html>(page, rules.unwrap()).unwrap(), page);
        assert_eq!(texts.into_inner().unwrap(), expected, "{selector}");
    }
    for selector in
        [":last-child", "a:has(b)", ":empty", "li:only-child", ":nth-child(1 of a)", ":lang(en)"]
    {
        let rules = Rules::new().element(selector, |_| Ok(())).unwrap();
        let result = Rewriter::<Html, _>::new(rules, Vec::new());
        assert!(matches!(result, Err(RewriteError::LooksAhead(_))), "{selector}");
    }
    assert!(matches!(Rules::new().element("a >", |_| Ok(())), Err(RewriteError::Selector(_))));
}

/// Names of self-closing foreign elements, unknown names and names with equal keys do not change which elements end.
#[test]
fn other_names_do_not_change_implied_ends() -> Result {
    let self_closing: String = (0..128).map(|number| format!("<n{number}/>")).collect();
    let page = format!("<!DOCTYPE html><body><svg>{self_closing}</svg><p><b><div></div><i>x</p>y");
    let rules = || Rules::new().element("i", |it| Ok(it.append(Content::Text("X"))?));
    let output = String::from_utf8(rewritten(page.as_bytes(), rules)?).unwrap();
    assert!(output.ends_with("<i>x</p>yX"), "{output}");
    let unknown: String = (0..128).map(|number| format!("<n{number}></n{number}>")).collect();
    let page = format!("<!DOCTYPE html><body>{unknown}<p><b><div></div><i>x</p>y");
    let output = String::from_utf8(rewritten(page.as_bytes(), rules)?).unwrap();
    assert!(output.ends_with("<i>x</p>yX"), "{output}");
    let page = b"<!DOCTYPE html><p><blocxxuotx></blocxxuotx><blockquote>y";
    let rules = || Rules::new().element("p", |it| Ok(it.append(Content::Text("X"))?));
    let output = String::from_utf8(rewritten(page, rules)?).unwrap();
    assert!(output.ends_with("</blocxxuotx>X<blockquote>y"), "{output}");
    Ok(())
}

/// The end tag of an element that a start tag has already ended does not end the elements inside it.
#[test]
fn end_tags_of_ended_elements_end_nothing() -> Result {
    for page in ["<p><div></div><i>1</p>2", "<p><div></div></x><i>1</p>2"] {
        let rules = || Rules::new().text("i", |it| Ok(it.replace(Content::Text("-"))?));
        let output = String::from_utf8(rewritten(page.as_bytes(), rules)?).unwrap();
        assert_eq!(output, page.replace(['1', '2'], "-"));
    }
    Ok(())
}

/// A parser ignores the start tag of a `form` in a `form`, so an end tag written for it would end the outer one.
#[test]
fn ignored_start_tags_get_no_end_tags() -> Result {
    let rules = || {
        Rules::new().element("p", |it| {
            it.after(Content::Text("1"));
            Ok(())
        })
    };
    for (page, expected) in [
        ("<form><h2><p><form>", "<form><h2><p><form></p>1"),
        ("<form><h2><p><b>", "<form><h2><p><b></b></p>1"),
    ] {
        assert_eq!(rewrite_str::<tabulex::html::Html>(page, rules()?)?, expected);
    }
    Ok(())
}

/// A parser closes a `form` in a table before the next token, so that token is not among the contents of the `form`.
#[test]
fn elements_closed_at_once_have_no_contents() -> Result {
    let remove = || {
        Rules::new().element("form", |it| {
            it.remove();
            Ok(())
        })
    };
    let output = String::from_utf8(rewritten(b"<table><form><!--c--></tr>x", remove)?).unwrap();
    assert_eq!(output, "<table><!--c--></tr>x");
    let empty = || Rules::new().element("form", |it| Ok(it.set_inner(Content::Text(""))?));
    let output = String::from_utf8(rewritten(b"<table><form><!--c--></tr>x", empty)?).unwrap();
    assert_eq!(output, "<table><form><!--c--></tr>x");
    Ok(())
}

/// Names of open elements count as memory, and no handler is called after the limit is exceeded.
#[test]
fn memory_limit_counts_names_and_stops_handlers() -> Result {
    let long_names: String =
        (0..120).map(|number| format!("<a{number}{}>", "x".repeat(60_000))).collect();
    let rules = Rules::new().memory_limit(100_000);
    assert!(matches!(rewrite_str::<Html>(&long_names, rules), Err(RewriteError::Memory { .. })));
    // Each open element of a name that is already known takes a bounded amount of memory.
    let one_name = format!("<{}>", "a".repeat(10_000)).repeat(500);
    rewrite_str::<Html>(&one_name, Rules::new().memory_limit(200_000))?;
    let mut calls = 0;
    let rules = Rules::new().memory_limit(100_000).element("i", |_| {
        calls += 1;
        Ok(())
    })?;
    let page = format!("{}<i>", "<b>x".repeat(100_000));
    assert!(matches!(rewrite_str::<Html>(&page, rules), Err(RewriteError::Memory { .. })));
    assert_eq!(calls, 0, "a handler is called after the limit is exceeded");
    // Closed elements count as long as their parents are open, also in elements that are not the deepest so far.
    let depth = 600;
    let children: String = (0..60).map(|number| format!("<x{number}></x{number}>")).collect();
    let deep = "<div>".repeat(depth + 1) + &"</div>".repeat(depth + 1);
    let page = deep + &format!("<div>{children}").repeat(depth) + "<i>";
    let rules = Rules::new().memory_limit(500_000).element("i", |_| {
        calls += 1;
        Ok(())
    })?;
    assert!(matches!(rewrite_str::<Html>(&page, rules), Err(RewriteError::Memory { .. })));
    assert_eq!(calls, 0, "a handler is called after the limit is exceeded");
    Ok(())
}

#[test]
fn handler_errors_and_limits_end_rewriting() -> Result {
    let rules = || Rules::new().element("b", |_| Err("no".into()));
    assert!(matches!(rewritten(b"a<b>c", rules), Err(RewriteError::Handler(_))));
    let limited = || Rules::new().text("p", |_| Ok(())).map(|rules| rules.memory_limit(100));
    let long_text = format!("<p>{}", "x".repeat(200));
    assert!(matches!(
        rewrite_str::<Html>(&long_text, limited()?),
        Err(RewriteError::Memory { .. })
    ));
    let tag = format!("<p x='{}", "x".repeat(3000));
    let mut rewriter = Rewriter::<Html, _>::new(limited()?, Vec::new())?;
    assert!(matches!(rewriter.write(tag.as_bytes()), Err(RewriteError::Memory { limit: 100 })));
    let deep = "<p>".repeat(2000);
    let mut rewriter = Rewriter::<Html, _>::new(limited()?, Vec::new())?;
    assert!(matches!(rewriter.write(deep.as_bytes()), Err(RewriteError::Memory { .. })));
    Ok(())
}

#[test]
fn keeps_the_encoding_of_the_input() {
    let no_rules = || Ok(Rules::new());
    let prepend = || {
        Rules::new().element("p", |p| {
            p.prepend(Content::Text("é"))?;
            Ok(())
        })
    };
    let japanese = b"<meta charset=shift_jis><p>\x83\x5C\x83 <p>\xFF\x83<p>";
    assert_eq!(rewritten(japanese, no_rules).unwrap(), japanese);
    let page = b"<p a=\xC3\xA9\xFF>\xE2\x82<p>\xF0\x9F";
    assert_eq!(rewritten(page, no_rules).unwrap(), page);
    assert_eq!(
        rewritten(page, || Ok(prepend()?.encoding(utf_8()))).unwrap(),
        b"<p a=\xC3\xA9\xFF>\xC3\xA9\xE2\x82<p>\xC3\xA9\xF0\x9F"
    );
    for page in [&b"\xFF\xFE<\0p\0>\0"[..], b"\xFE\xFF\0<\0p\0>", b"<meta charset=iso-2022-jp>"] {
        let result = rewrite_bytes::<Html>(page, Rules::new());
        assert!(matches!(result, Err(RewriteError::Encoding(_))), "{result:?}");
    }
}

/// Long unchanged parts bypass the output buffer, and must stay in order and in the page's encoding.
#[test]
fn writes_long_unchanged_parts_in_order() {
    let prepend = || {
        Rules::new().element("p", |p| {
            p.prepend(Content::Text("é"))?;
            Ok(())
        })
    };
    let long = "я<b>x</b>".repeat(2_000);
    let (page, expected) = (format!("{long}<p>{long}"), format!("{long}<p>é{long}"));
    assert_eq!(
        rewritten(page.as_bytes(), || Ok(prepend()?.encoding(utf_8()))).unwrap(),
        expected.as_bytes()
    );
    let to_windows_1251 = |text: &str| -> Vec<u8> {
        let byte = |character| if character == 'я' { 0xFF } else { character as u8 };
        text.replace('é', "&#233;").chars().map(byte).collect()
    };
    let head = "<meta charset=windows-1251>";
    let [page, expected] = [page, expected].map(|text| to_windows_1251(&format!("{head}{text}")));
    assert_eq!(rewritten(&page, prepend).unwrap(), expected);
}

fn utf_8() -> tabulex::encoding::Hints {
    tabulex::encoding::Hints::new().override_with(tabulex::encoding::Encoding::UTF_8)
}

/// Handlers see replacement text of entities, but cannot change it, as it is not in the page.
#[test]
fn handlers_see_entities_but_cannot_change_them() {
    type Change = fn(&mut tabulex::rewrite::Element<'_, '_>);
    /// Expected result of each change, for an element whose tags are written around a reference.
    const AROUND: [Option<&str>; 5] = [
        Some("<new n=\"v\">&e;</new>"),
        Some(""),
        Some("&e;"),
        Some("<b>&e;</b>A"),
        Some("<b>&e;A</b>"),
    ];
    fn set(element: &mut tabulex::rewrite::Element<'_, '_>) {
        let outcome = element.set_attribute("n", "v");
        assert_eq!(outcome.is_err(), element.is_inserted());
        assert_eq!(element.set_name("new").is_err(), element.is_inserted());
    }
    let changes: [(&str, Change); 5] = [
        ("set", set),
        ("remove", |it| it.remove()),
        ("tags", |it| it.remove_tags()),
        ("after", |it| it.after(Content::Text("A"))),
        ("append", |it| it.append(Content::Text("A")).unwrap()),
    ];
    // An entity, the text that refers to it, and the result of each change of `b`; `None` is an error.
    let cases: &[(&str, &str, [Option<&str>; 5])] = &[
        ("<b>x</b>", "&e;", [Some("&e;"), None, None, None, None]),
        ("x", "<b>&e;</b>", AROUND),
        ("<i/>y", "<b>&e;</b>", AROUND),
        ("</b>y", "<b>x&e;", [None, None, None, None, None]),
        // The tag begins in the replacement text of the first reference, and continues in that of the second.
        ("<b a=", "&e;&e; c>", [Some("&e;&e; c>"), None, None, None, None]),
        ("<b", "&e;>x</b>", [Some("&e;>x</b>"), None, None, None, None]),
        ("x</p>y", "<p><b>&e;", [Some("<p><new n=\"v\">&e;"), None, Some("<p>&e;"), None, None]),
    ];
    for (value, text, expected) in cases {
        let page = |text: &str| format!("<!DOCTYPE a [<!ENTITY e '{value}'>]><a>{text}</a>");
        for ((name, change), expected) in changes.iter().zip(expected) {
            let rules = Rules::new().element("b", |it| {
                change(it);
                Ok(())
            });
            let result = rewrite_str::<tabulex::xml_er::XmlEr>(&page(text), rules.unwrap());
            match expected {
                Some(expected) => {
                    assert_eq!(result.expect(name), page(expected), "{value} {text} {name}")
                }
                None => assert!(
                    matches!(result, Err(RewriteError::Inserted { .. })),
                    "{value} {text} {name}: {result:?}"
                ),
            }
        }
    }
}

#[test]
fn rejects_changes_of_texts_and_comments_in_entities() {
    let outcome = |value: &str, text: &str| {
        let rules = Rules::new()
            .text("*", |it| {
                it.replace(Content::Text("T"))?;
                Ok(())
            })?
            .comment("*", |it| Ok(it.set_data("C")?))?;
        let page = format!("<!DOCTYPE a [<!ENTITY e '{value}'>]><a>{text}</a>");
        rewrite_str::<tabulex::xml_er::XmlEr>(&page, rules)
            .map(|out| out[out.find("<a>").unwrap()..].to_owned())
    };
    assert_eq!(outcome("x", "a&e;b<!--c-->").unwrap(), "<a>T<!--C--></a>");
    assert_eq!(outcome("", "&e;b").unwrap(), "<a>T</a>");
    for (value, text) in
        [("x<i/>", "a&e;"), ("<i/>x", "&e;b"), ("<!--x-->", "&e;"), ("<i>x</i>", "&e;")]
    {
        let result = outcome(value, text);
        assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{value} {text}: {result:?}");
    }
}

#[test]
fn keeps_the_order_of_insertions_around_texts_and_comments() {
    let insert = || {
        Ok(Rules::new()
            .all_text(|text| {
                for number in ["1<", "2<"] {
                    text.before(Content::Text(number))?;
                    text.after(Content::Text(number))?;
                }
                Ok(())
            })
            .all_comments(|comment| {
                for number in ["1<", "2<"] {
                    comment.before(Content::Text(number));
                    comment.after(Content::Text(number));
                }
                Ok(())
            }))
    };
    assert_rewritten("<p>x</p>", insert, "<p>1&lt;2&lt;x2&lt;1&lt;</p>");
    assert_rewritten("<script>x</script>", insert, "<script>1<2<x2<1<</script>");
    assert_rewritten("<!--x-->", insert, "1&lt;2&lt;<!--x-->2&lt;1&lt;");
    let replace = || {
        Ok(Rules::new().all_comments(|comment| {
            comment.replace(Content::Markup("<hr>"));
            Ok(())
        }))
    };
    assert_rewritten("a<!--x-->b", replace, "a<hr>b");
}

#[test]
fn removes_and_adds_attributes_in_one_tag() {
    let rules = || {
        Rules::new().element("a", |a| {
            a.remove_attribute("b");
            a.set_attribute("n", "1")?;
            assert_eq!(a.attribute("b"), None);
            Ok(())
        })
    };
    // A missing value is completed only if its attribute stays in the tag, as `c=` does; `b=` is removed.
    for (page, expected) in [
        ("x<a b=>", "x<a n=\"1\">"),
        ("<p><a c b='2'>", "<p><a c n=\"1\">"),
        ("<p><a b='2' c= >", "<p><a c=\"\" n=\"1\" >"),
    ] {
        assert_rewritten(page, rules, expected);
    }
}

#[test]
fn removes_and_renames_written_end_tags() {
    let remove = || {
        Rules::new().element("b", |b| {
            b.on_end(|end| {
                end.remove();
                Ok(())
            });
            Ok(())
        })
    };
    assert_rewritten("<p><b>x</b>y</p>", remove, "<p><b>xy</p>");
    assert_rewritten("<p><b>x</p>y", remove, "<p><b>x</p>y");
    let rename = || {
        Rules::new().element("b", |b| {
            b.on_end(|end| {
                end.set_name("i")?;
                assert!(end.set_name("<").is_err() && end.name() == "i");
                Ok(())
            });
            Ok(())
        })
    };
    assert_rewritten("<p><b>x</b>y</p>", rename, "<p><b>x</i>y</p>");
    assert_rewritten("<p><b>x</p>y", rename, "<p><b>x</p>y");
}

#[test]
fn accepts_handlers_that_change_nothing_in_entities() -> Result {
    let page = "<!DOCTYPE a [<!ENTITY e '<b>x</b>'>]><a>&e;</a>";
    let rules = Rules::new().element("b", |b| {
        b.remove_attribute("c");
        b.on_end(|end| {
            assert_eq!((end.name(), end.is_written()), ("b", true));
            Ok(())
        });
        Ok(())
    })?;
    assert_eq!(rewrite_str::<tabulex::xml_er::XmlEr>(page, rules)?, page);
    let renaming = Rules::new().element("b", |b| {
        b.on_end(|end| {
            end.set_name("i")?;
            Ok(())
        });
        Ok(())
    })?;
    let result = rewrite_str::<tabulex::xml_er::XmlEr>(page, renaming);
    assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{result:?}");
    Ok(())
}

/// An end tag in a table ends the cells inside, although a parser moves what follows it before the table.
#[test]
fn ends_rows_of_unclosed_tables_at_their_end_tags() {
    let rules = || {
        Rules::new().element("table", |it| {
            it.after(Content::Markup("<hr>"));
            Ok(())
        })
    };
    for (page, expected) in [
        ("<table><tr><td><p>x</tr>", "<table><tr><td><p>x</tr></table><hr>"),
        ("<table><tr><td><b>x</tbody>", "<table><tr><td><b>x</tbody></table><hr>"),
        ("<table><caption><p>x</caption>", "<table><caption><p>x</caption></table><hr>"),
    ] {
        assert_rewritten(page, rules, expected);
    }
}
