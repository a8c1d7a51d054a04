//! Changes and adjacent markup: the changed page parses as the page with the change.

use tabulex::html::Html;
use tabulex::rewrite::{
    Content, Element, RewriteError, Rewriter, Rules, rewrite_bytes, rewrite_str,
};

type RulesResult<'h> = Result<Rules<'h>, RewriteError>;

/// Asserts the result of rewriting the page, whole and in chunks of several sizes.
#[track_caller]
fn assert_rewritten<'h>(page: &str, rules: impl Fn() -> RulesResult<'h>, expected: &str) {
    assert_eq!(rewrite_str::<Html>(page, rules().unwrap()).unwrap(), expected, "{page}");
    for size in [1, 2, 3, 7, 4096] {
        let utf_8 = tabulex::encoding::Encoding::UTF_8;
        let hints = tabulex::encoding::Hints::new().override_with(utf_8);
        let rules = rules().unwrap().encoding(hints);
        let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new()).unwrap();
        page.as_bytes().chunks(size).for_each(|chunk| rewriter.write(chunk).unwrap());
        let chunked = String::from_utf8(rewriter.finish().unwrap()).unwrap();
        assert_eq!(chunked, expected, "{page} in pieces of {size} bytes");
    }
}

/// Returns a function that creates rules with one handler, `change`, for the elements that match `selector`.
fn element<'h>(
    selector: &'h str,
    change: impl Fn(&mut Element<'_, 'h>) -> Result<(), RewriteError> + Copy + Send + 'h,
) -> impl Fn() -> RulesResult<'h> {
    move || Rules::new().element(selector, move |it| Ok(change(it)?))
}

#[test]
fn keeps_attributes_separated() {
    for (page, name, expected) in [
        ("<a href=\"x\"class=\"y\">", "href", "<a class=\"y\">"),
        ("<script nonce=\"1\"src=a.js></script>", "nonce", "<script src=a.js></script>"),
        ("<img src=x onerror=\"y\"title=z>", "onerror", "<img src=x title=z>"),
        ("<img src=x ONERROR=\"y\"title=z>", "OnError", "<img src=x title=z>"),
        ("<img src=x b='1'/>", "b", "<img src=x />"),
        ("<svg><g/x>1</g></svg>", "x", "<svg><g/ >1</g></svg>"),
    ] {
        let remove = move || {
            Rules::new().element("*", move |it| {
                it.remove_attribute(name);
                Ok(())
            })
        };
        assert_rewritten(page, remove, expected);
    }
}

#[test]
fn removal_turns_no_text_into_markup() {
    let remove_comments = || {
        Ok(Rules::new().all_comments(|comment| {
            comment.remove();
            Ok(())
        }))
    };
    for (page, expected) in [
        ("<<!-- x -->script>alert(1)<<!-- x -->/script>", "&lt;script>alert(1)&lt;/script>"),
        ("a &am<!-- --><!-- -->p; b", "a &amp;amp; b"),
        ("a &not<!-- -->in; b", "a ¬in; b"),
        ("a &<!-- --> b<<!-- --><b>", "a & b<<b>"),
        ("a\r<!-- -->\nb", "a\n\nb"),
        ("<pre><!-- -->\nb</pre>", "<pre>\n\nb</pre>"),
        ("<p><!-- -->\nb</p>&<!-- -->", "<p>\nb</p>&"),
    ] {
        assert_rewritten(page, remove_comments, expected);
    }
    let unwrap = element("b", |it| {
        it.remove_tags();
        Ok(())
    });
    assert_rewritten("<<b>script>1</b>2", unwrap, "&lt;script>12");
    let insert_before = element("b", |it| {
        it.before(Content::Text("script>"));
        Ok(())
    });
    assert_rewritten("<<b>1</b>", insert_before, "&lt;script&gt;<b>1</b>");
}

#[test]
fn keeps_line_ends_after_start_tags() {
    let prepend = element("pre", |it| it.prepend(Content::Text("x")));
    assert_rewritten("<pre>\na</pre>", &prepend, "<pre>xa</pre>");
    assert_rewritten("<pre>\r\na</pre>", &prepend, "<pre>xa</pre>");
    assert_rewritten("<pre>a</pre>", &prepend, "<pre>xa</pre>");
    let prepend = element("pre", |it| it.prepend(Content::Text("\nx")));
    assert_rewritten("<pre>a</pre>", prepend, "<pre>\n\nxa</pre>");
    let remove = element("textarea", |it| {
        it.remove();
        Ok(())
    });
    assert_rewritten("<pre><textarea>\nx</textarea>\na</pre>", &remove, "<pre>\n\na</pre>");
    assert_rewritten("<pre><textarea></textarea>\na</pre>", &remove, "<pre>\n\na</pre>");
    assert_rewritten("<p>1<textarea></textarea>\na</p>", &remove, "<p>1\na</p>");
}

#[test]
fn rejects_literal_text_that_ends_its_element() {
    let ending_text = "</style><img src=x onerror=alert(1)>";
    type Change = fn(&mut Element<'_, '_>, Content<'_>) -> Result<(), RewriteError>;
    let changes: [Change; 3] = [
        |it, content| it.prepend(content),
        |it, content| it.append(content),
        |it, content| it.set_inner(content),
    ];
    for change in changes {
        for content in [Content::Text(ending_text), Content::Markup(ending_text)] {
            let rules = Rules::new().element("style", move |it| {
                assert!(matches!(change(it, content), Err(RewriteError::BadText(_))));
                change(it, Content::Text("b"))?;
                Ok(())
            });
            let result = rewrite_str::<Html>("<style>a</style>", rules.unwrap()).unwrap();
            assert!(
                ["<style>ba</style>", "<style>ab</style>", "<style>b</style>"].contains(&&*result)
            );
        }
    }
    let assert_refused = |page: &str, rules: RulesResult<'_>| {
        let result = rewrite_str::<Html>(page, rules.unwrap());
        assert!(matches!(result, Err(RewriteError::BadText(_))), "{page} {result:?}");
    };
    for name in ["style", "script", "xmp", "iframe", "noembed", "noframes", "noscript"] {
        let page = format!("<{name}>a</{name}>");
        let end = format!("</{}\t>", name.to_uppercase());
        for variant in 0..4 {
            let end = &end;
            let rules = Rules::new().scripting(true).all_text(move |text| {
                match variant {
                    0 => text.before(Content::Text(end))?,
                    1 => text.after(Content::Text(end))?,
                    2 => text.replace(Content::Text(end))?,
                    _ => text.replace(Content::Markup(end))?,
                }
                Ok(())
            });
            assert_refused(&page, Ok(rules));
        }
        let end_rules = Rules::new().scripting(true).element(name, |it| {
            it.on_end(|end| {
                Ok(end.before(Content::Text(
                    "</style></script></xmp></iframe></noembed></noframes></noscript>",
                ))?)
            });
            Ok(())
        });
        assert_refused(&page, end_rules);
    }
    // Two insertions that are harmless alone are refused, and so is one that is harmful only together with text of the
    // page.
    assert_refused(
        "<style>a</style>",
        element("style", |it| {
            it.append(Content::Text("</sty"))?;
            it.append(Content::Text("le>"))
        })(),
    );
    assert_refused(
        "<style>a</sty</style>",
        element("style", |it| it.append(Content::Text("le>")))(),
    );
    assert_refused(
        "<style>le></style>",
        element("style", |it| it.prepend(Content::Text("</sty")))(),
    );
    assert_refused(
        "<script>a</script>",
        element("script", |it| it.prepend(Content::Text("<!--")))(),
    );
    assert_refused(
        "<title>a</title>",
        element("title", |it| it.append(Content::Markup("</title>")))(),
    );
    let append_to_title = element("title", |it| it.append(Content::Text("</title>")));
    assert_rewritten("<title>a</title>", append_to_title, "<title>a&lt;/title&gt;</title>");
}

#[test]
fn compares_names_as_html_does() {
    let rename = |page: &str, name: &'static str| {
        let rules = Rules::new().element("#x", move |it| Ok(it.set_name(name)?));
        rewrite_str::<Html>(page, rules.unwrap())
    };
    let result = rename("<img id=x src=a.png><p>next", "picture").unwrap();
    assert_eq!(result, "<picture id=x src=a.png></picture><p>next");
    assert_eq!(rename("<img id='x'/>", "b").unwrap(), "<b id='x'></b>");
    assert_eq!(rename("<img id=x>", "source").unwrap(), "<source id=x>");
    assert_eq!(rename("<svg><g id='x'/></svg>", "a").unwrap(), "<svg><a id='x'/></svg>");
    for (page, name) in [
        ("<p id=x>1</p>", "br"),
        ("<div id=x><script></script></div>", "style"),
        ("<xmp id=x><b></xmp>", "pre"),
        ("<title id=x>a</title>", "p"),
        ("<div id=x>1</div>", "image"),
        ("<svg><a id=x>1</a></svg>", "p"),
        ("<svg><g id=x>1</g></svg>", "foreignObject"),
        ("<svg><desc id=x>1</desc></svg>", "g"),
        ("<svg><a id=x color=1>1</a></svg>", "font"),
        ("<svg id=x><g/></svg>", "g"),
    ] {
        let result = rename(page, name);
        assert!(matches!(result, Err(RewriteError::OtherContents(_))), "{page} {result:?}");
    }
    for name in ["color", "size"] {
        let set_attribute = element("font", |it| it.set_attribute(name, "1"));
        let result = rewrite_str::<Html>("<svg><font>1</font></svg>", set_attribute().unwrap());
        assert!(matches!(result, Err(RewriteError::OtherContents(_))), "{name} {result:?}");
    }
    let set_encoding = element("annotation-xml", |it| it.set_attribute("encoding", "text/html"));
    let result = rewrite_str::<Html>("<math><annotation-xml><p>", set_encoding().unwrap());
    assert!(matches!(result, Err(RewriteError::OtherContents(_))), "{result:?}");
    let nested = "<svg><svg id=x><g/></svg></svg>";
    assert_eq!(rename(nested, "g").unwrap(), "<svg><g id=x><g/></g></svg>");
    let unchanged = "<p id=x><a><div>1";
    assert_eq!(rename(unchanged, "p").as_deref().ok(), Some(unchanged));
    let change_attributes = element("a", |it| {
        assert_eq!(it.attribute("HREF"), Some("1"));
        it.remove_attribute("HREF");
        it.set_attribute("ID", "2")
    });
    assert_rewritten("<a href=1 id=1>", change_attributes, "<a id=\"2\">");
}

/// Text that is replaced by itself parses to the same tree.
#[test]
fn texts_can_be_replaced_by_themselves() {
    let replace = || {
        Ok(Rules::new().all_text(|text| {
            assert!(!text.as_str().is_empty());
            Ok(text.replace(Content::Text(text.as_str()))?)
        }))
    };
    for page in ["<pre>\n", "<pre>\n\na</pre>", "<textarea>\n1</textarea>", "<listing>\r\n2"] {
        assert_rewritten(page, replace, page);
    }
    assert_rewritten("<p>1&#13;2\r\n3", replace, "<p>1&#xD;2\n3");
    let before = || Ok(Rules::new().all_text(|text| Ok(text.before(Content::Text("b"))?)));
    assert_rewritten("<pre>\na", before, "<pre>\nba");
}

#[test]
fn rejects_start_tags_that_hide_the_end_tag_of_a_script() {
    for page in ["<script><!--a</script><p>b", "<script><!--<b></script>"] {
        let append =
            || Rules::new().element("script", |it| Ok(it.append(Content::Text("<script>"))?));
        let replace = || {
            Ok(Rules::new().all_text(|text| match text.is_literal() {
                true => Ok(text.after(Content::Text("<script>"))?),
                false => Ok(()),
            }))
        };
        for rules in [append(), replace()] {
            let result = rewrite_str::<Html>(page, rules.unwrap());
            assert!(matches!(result, Err(RewriteError::BadText(_))), "{page} {result:?}");
        }
    }
}

/// Names, comments and literal text cannot contain character references.
#[test]
fn rejects_names_that_the_encoding_lacks() {
    let page = b"<meta charset=euc-jp><bar><!--a--></bar><style>b</style>";
    let rules = Rules::new()
        .element("bar", |it| {
            for result in [it.set_attribute("foo\u{f1}", "1"), it.set_name("b\u{f1}")] {
                assert!(matches!(result, Err(RewriteError::NotInEncoding(_))), "{result:?}");
            }
            it.on_end(|end| {
                assert!(matches!(end.set_name("b\u{f1}"), Err(RewriteError::NotInEncoding(_))));
                Ok(())
            });
            Ok(it.set_attribute("\u{3042}", "\u{f1}")?)
        })
        .unwrap()
        .element("style", |it| {
            let result = it.append(Content::Text("\u{f1}"));
            assert!(matches!(result, Err(RewriteError::NotInEncoding(_))), "{result:?}");
            Ok(())
        })
        .unwrap()
        .all_comments(|it| {
            assert!(matches!(it.set_data("\u{f1}"), Err(RewriteError::NotInEncoding(_))));
            Ok(())
        });
    let result = rewrite_bytes::<Html>(page, rules).unwrap();
    let expected = b"<meta charset=euc-jp><bar \xA4\xA2=\"&#241;\"><!--a--></bar><style>b</style>";
    assert_eq!(result, expected, "{}", result.escape_ascii());
}

#[test]
fn calls_handlers_of_processing_instructions() {
    let rules = || {
        Rules::new()
            .instruction("p", |it| {
                assert_eq!((it.target(), it.data()), ("php", "echo 1 "));
                it.before(Content::Text("<"));
                it.after(Content::Markup("<b>"));
                Ok(())
            })
            .map(|rules| {
                rules.all_instructions(|it| {
                    if it.target() == "x" {
                        it.remove();
                    } else {
                        it.replace(Content::Text(it.data()));
                    }
                    Ok(())
                })
            })
    };
    let output = rewrite_str::<Html>("a<?x y?>b<p><?php echo 1 ?></p>", rules().unwrap()).unwrap();
    assert!(output.starts_with("ab<p>&lt;") && output.ends_with("<b></p>"), "{output}");
}

#[test]
fn opens_self_closing_tags_that_get_contents() {
    let set_inner = element("span, g", |it| it.set_inner(Content::Text("Content")));
    assert_rewritten("<span/>", &set_inner, "<span>Content");
    assert_rewritten("<span a=b/></span>", &set_inner, "<span a=b/>Content</span>");
    assert_rewritten("<span a='b' / ></span>", &set_inner, "<span a='b' / >Content</span>");
    assert_rewritten("<svg><g/></svg>", &set_inner, "<svg><g/></svg>");
}

#[test]
fn reports_ranges_of_attributes() {
    let page = "é<a B = 'c' d>";
    let rules = Rules::new().element("a", |it| {
        let attributes: Vec<_> = it.written_attributes().collect();
        assert_eq!(attributes[0].name_span.get(page), Some("B"));
        assert_eq!(attributes[0].value_span.get(page), Some("c"));
        assert_eq!((attributes[1].name, attributes[1].name_span.get(page)), ("d", Some("d")));
        assert_eq!(attributes.len(), 2);
        Ok(())
    });
    rewrite_str::<Html>(page, rules.unwrap()).unwrap();
}

#[test]
fn writes_omitted_end_tags_where_needed() {
    let insert_after = element("p, li, td, b", |it| {
        it.after(Content::Text("!"));
        Ok(())
    });
    assert_rewritten("<p>1<div>2</div>3", &insert_after, "<p>1</p>!<div>2</div>3");
    assert_rewritten("<ul><li>1<li>2</ul>", &insert_after, "<ul><li>1</li>!<li>2</li>!</ul>");
    assert_rewritten(
        "<p><button><div>1</div></button>2",
        &insert_after,
        "<p><button><div>1</div></button>2</p>!",
    );
    assert_rewritten(
        "<table><tr><td>1<td>2</table>",
        &insert_after,
        "<table><tr><td>1</td>!<td>2</td>!</table>",
    );
    let append = element("ul, body", |it| it.append(Content::Markup("<b>y</b>")));
    assert_rewritten("<ul><li>1<li>2</ul>", &append, "<ul><li>1<li>2</li><b>y</b></ul>");
    assert_rewritten(
        "<body><p>1<ul></ul></body>",
        &append,
        "<body><p>1<ul><b>y</b></ul><b>y</b></body>",
    );
    assert_rewritten("<body><p>1<p>2", &append, "<body><p>1<p>2</p><b>y</b>");
    let remove = element("div, li", |it| {
        it.remove();
        Ok(())
    });
    assert_rewritten("<p>1<div>2</div>3", &remove, "<p>1</p>3");
    assert_rewritten("<ul><li>1<p>2<li>3</ul>", &remove, "<ul></ul>");
    let remove = element("p", |it| {
        it.remove();
        Ok(())
    });
    assert_rewritten("a<p>1<p>2<div>3</div>", &remove, "a<div>3</div>");
    let unwrap = element("div", |it| {
        it.remove_tags();
        Ok(())
    });
    assert_rewritten("<p>1<div>2</div>3", &unwrap, "<p>1</p>23");
    let insert_before = element("div", |it| {
        it.before(Content::Text("!"));
        Ok(())
    });
    assert_rewritten("<p>1<div>2</div>3", &insert_before, "<p>1</p>!<div>2</div>3");
}

/// Elements that have no tags end where the removed tag ended them.
#[test]
fn writes_end_tags_of_elements_without_tags() {
    let unwrap = |name| {
        element(name, |it| {
            it.remove_tags();
            Ok(())
        })
    };
    let style = "<style>x</style>";
    for (name, start, ends) in [
        ("caption", "<table><td>", "</td></tr></tbody>"),
        ("caption", "<table><td><b>y</b><p>", "</p></td></tr></tbody>"),
        ("tbody", "<table><tr><td>", "</td></tr></tbody>"),
        ("tbody", "<table><thead><td>", "</td></thead>"),
        // Closed elements leave the ones around them open.
        ("caption", "<table><tr></tr>", "</tbody>"),
        ("caption", "<table><tr></tr><script></script><script></script>", "</tbody>"),
        ("caption", "<table><td>1<td>2</td></table><table><col>", "</colgroup>"),
        ("caption", "<table><td>1<tfoot></tfoot>", ""),
    ] {
        let page = format!("{start}<{name}>{style}");
        assert_rewritten(&page, unwrap(name), &format!("{start}{ends}{style}"));
    }
    let append = element("table, tbody", |it| it.append(Content::Markup("<hr>")));
    for (page, expected) in [
        ("<table><td>1</table>2", "<table><td>1</td></tr></tbody><hr></table>2"),
        ("<table><td>1<caption></caption></table>", "<table><td>1<caption></caption><hr></table>"),
        ("<table><tbody><tr></tr><td>1", "<table><tbody><tr></tr><td>1</td></tr><hr></tbody><hr>"),
    ] {
        assert_rewritten(page, &append, expected);
    }
}

/// An end tag that a parser ignores makes it ignore the next one, so it must not precede an inserted one.
#[test]
fn defers_end_tags_that_a_parser_ignores() {
    let append = element("div", |it| it.append(Content::Text("!")));
    for (page, expected) in [
        ("<div><form><object></form>1", "<div><form><object>1</object></form>!"),
        (
            "<div><form><table><td>1</form></table></form>2</div>3<form>4</form>",
            "<div><form><table><td>1</table>2</form>!</div>3<form>4</form>",
        ),
        // The parser would ignore `<form>` in an open form, so the deferred end tag is written before the next form.
        (
            "<div><object><form><object></form></object></object>1<form>2",
            "<div><object><form><object></object></object>1</form><form>2</form>!",
        ),
        (
            "<div><form><object></form><form>1",
            "<div><form><object></form><form>1</form></object></form>!",
        ),
        // A paragraph's end tag that ends no paragraph makes an empty one, but does not make the parser ignore the next
        // end tag.
        ("<div><p><object></p>1", "<div><p><object></p>1</object></p>!"),
        ("<form><object></form><div>1", "<form><object></form><div>1!"),
    ] {
        assert_rewritten(page, &append, expected);
    }
    let after = element("form", |it| {
        it.after(Content::Text("!"));
        Ok(())
    });
    for (page, expected) in [
        ("<form><select></form>", "<form><select></select></form>!"),
        ("<form><object><li></form>1", "<form><object><li>1</li></object></form>!"),
        // An end tag that leaves elements inside open is written after them.
        ("<form><x-a></form>1</x-a>2", "<form><x-a>1</x-a></form>!2"),
        ("<form><x-a></form>1<form>2", "<form><x-a>1</form>!<form>2</form>!"),
    ] {
        assert_rewritten(page, &after, expected);
    }
    let after = element("span, ul", |it| {
        it.after(Content::Text("!"));
        Ok(())
    });
    for (page, expected) in [
        ("<span><form><object></form>1", "<span><form><object>1</object></form></span>!"),
        // A parser ignores the last `<form>`, and would not after the end tag of the first one.
        ("<button><ul><form><button><form>1", "<button><ul><form></ul>!<button><form>1"),
    ] {
        assert_rewritten(page, &after, expected);
    }
}

#[test]
fn content_at_the_end_of_a_page_is_parsed() {
    let rules = || Ok(Rules::new().end(|| "<b>y</b>".to_owned()));
    for (page, expected) in [
        ("<p>x", "<p>x<b>y</b>"),
        ("<p>x<!--a", "<p>x<!--a--><b>y</b>"),
        ("<p>x<!--a--", "<p>x<!--a--><b>y</b>"),
        ("<p>x<a hre", "<p>x<b>y</b>"),
        ("<p>x</", "<p>x&lt;/<b>y</b>"),
        ("<p>x<", "<p>x<<b>y</b>"),
        ("<script>x", "<script>x</script><b>y</b>"),
        ("<script>x</", "<script>x</</script><b>y</b>"),
        ("<?a", "<b>y</b>"),
        ("<script><!--<script>x</script>", "<script><!--<script>x</script></script><b>y</b>"),
        ("<style>x</style a", "<style>x</style a><b>y</b>"),
        ("<title>x", "<title>x</title><b>y</b>"),
        ("<p><textarea>x</text", "<p><textarea>x</text</textarea><b>y</b>"),
        ("<svg><![CDATA[x]", "<svg><![CDATA[x]]]><b>y</b>"),
    ] {
        assert_rewritten(page, rules, expected);
    }
    let append_to_body = element("body", |it| it.append(Content::Markup("<b>y</b>")));
    for (page, expected) in [
        ("<body><div><title>x", "<body><div><title>x</title></div><b>y</b>"),
        ("<body><style>x</style a", "<body><style>x</style a></style><b>y</b>"),
        ("<body><svg><![CDATA[x", "<body><svg><![CDATA[x]]></svg><b>y</b>"),
        ("<body><template><p>x", "<body><template><p>x</p></template><b>y</b>"),
    ] {
        assert_rewritten(page, &append_to_body, expected);
    }
    let end_tags = || {
        let rules = Rules::new().element("p", |it| {
            it.on_end(|_| Ok(()));
            Ok(())
        })?;
        Ok(rules.end(|| "<b>y</b>".to_owned()))
    };
    assert_rewritten("<p><script>x", end_tags, "<p><script>x</script><b>y</b>");
}

#[test]
fn fails_if_a_page_ends_in_text_that_nothing_ends() {
    for page in ["<body><plaintext>x", "<body><div><script><!--<script>x", "<body><plaintext>"] {
        for rules in [
            Rules::new().end(|| "<b>y</b>".to_owned()),
            Rules::new().element("body", |it| Ok(it.append(Content::Markup("<b>y</b>"))?)).unwrap(),
        ] {
            let result = rewrite_str::<Html>(page, rules);
            assert!(matches!(result, Err(RewriteError::UnclosedText)), "{page}: {result:?}");
        }
        let rules = Rules::new().element("plaintext, script", |it| {
            it.remove();
            Ok(())
        });
        let rules = rules.unwrap().end(|| "<b>y</b>".to_owned());
        let start = page.find("<plaintext").or(page.find("<script")).unwrap();
        let expected = format!("{}<b>y</b>", &page[..start]);
        assert_eq!(rewrite_str::<Html>(page, rules).unwrap(), expected);
    }
    // Without its tags, the text is escaped.
    let rules = element("plaintext", |it| {
        it.remove_tags();
        Ok(())
    });
    let rules = || Ok(rules()?.end(|| "<b>y</b>".to_owned()));
    assert_rewritten("<plaintext>x<i>", rules, "x&lt;i&gt;<b>y</b>");
}

#[test]
fn completes_tokens_that_the_end_of_a_page_cuts_off() {
    let append = element("p", |it| it.append(Content::Text("y")));
    assert_rewritten("<p>x<!--a", &append, "<p>x<!--a-->y");
    assert_rewritten("<p>x<a hre", &append, "<p>xy");
    assert_rewritten("<p>x&am", &append, "<p>x&amp;amy");
    assert_rewritten("<p><style>x</", &append, "<p><style>x</</style>y");
}

#[test]
fn ends_elements_where_a_parser_does() {
    let remove = |name| {
        element(name, |it| {
            it.remove();
            Ok(())
        })
    };
    for (name, page, expected) in [
        // In a button `</p>` ends no paragraph around the button; in a list or a table `</li>` ends no item around the
        // list or the table.
        ("button", "<p><button></p>x</button>y", "<p>y"),
        ("li", "<ul><li><ul></li>x</ul></ul>y", "<ul></ul>y"),
        ("li", "<li><table></li></table>x</li>y", "y"),
        // `<h1>` breaks out of foreign content and also ends the paragraph around it.
        ("p", "<p>a<svg><h1>b</h1>", "<h1>b</h1>"),
        ("mi", "<math><mi><p></math>x", "<math>"),
        ("option", "<body><svg><option>a</body>b", "<body><svg>"),
        // White space after an element is not the line end that its start tag drops.
        ("textarea", "a<textarea>\nx</textarea>\nb", "a\nb"),
        ("textarea", "a<textarea></textarea>\nb", "a\nb"),
    ] {
        assert_rewritten(page, remove(name), expected);
    }
    let rename = |name| element(name, |it| it.set_name("x-n"));
    for (page, expected) in [
        // The start tag of an element before `<ul>` has already ended the paragraph, so no end tag is written.
        ("<p>a<div>b</div><ul>c</ul>", "<p>a<div>b</div><x-n>c</x-n>"),
        ("<p>a<b><div>b</div></b><ul>c</ul>", "<p>a<b><div>b</div></b><x-n>c</x-n>"),
        ("<p>a<hr><ul>c</ul>", "<p>a<hr><x-n>c</x-n>"),
        (
            "<p><x-a><x-b><div></div></x-b></x-a><ul>c</ul>",
            "<p><x-a><x-b><div></div></x-b></x-a><x-n>c</x-n>",
        ),
        (
            "<p><x-a><button><x-b><div></div></x-b></button></x-a><ul>c</ul>",
            "<p><x-a><button><x-b><div></div></x-b></button></x-a></p><x-n>c</x-n>",
        ),
        // Elements in a button do not end the paragraph around it.
        (
            "<p>a<button><div></div></button><ul>c</ul>",
            "<p>a<button><div></div></button></p><x-n>c</x-n>",
        ),
        // The second button ends the first one.
        (
            "<p>a<button><button></button><div></div></button><ul>c</ul>",
            "<p>a<button><button></button><div></div></button><x-n>c</x-n>",
        ),
        (
            "<p>a<button><span><button></button><div></div></span></button><ul>c</ul>",
            "<p>a<button><span><button></button><div></div></span></button><x-n>c</x-n>",
        ),
        // A cell hides the first button from the second one.
        (
            "<p>a<button><table><td><button></button></table><div></div></button><ul>c</ul>",
            "<p>a<button><table><td><button></button></table><div></div></button></p><x-n>c</x-n>",
        ),
        // Nothing before `<ul>` has ended the paragraph, so an end tag is written.
        ("<p>a<ul>c</ul>", "<p>a</p><x-n>c</x-n>"),
    ] {
        assert_rewritten(page, rename("ul"), expected);
    }
    let append_to_head = element("head", |it| it.append(Content::Markup("<i>")));
    for (page, expected) in [
        // A parser ignores most end tags in the head, but one of a line break begins the body.
        ("<head><link></link><meta></head>x", "<head><link></link><meta><i></head>x"),
        ("<head></p><title>a</title>", "<head></p><title>a</title><i>"),
        ("<head></br><meta></head>x", "<head><i></br><meta></head>x"),
    ] {
        assert_rewritten(page, &append_to_head, expected);
    }
    assert_rewritten("<p><b>a<li>c", rename("p"), "<x-n><b>a</x-n><li>c");
    // The last tag also ends the renamed element if it ends one around it; a heading ends only an innermost one.
    assert_rewritten(
        "<button><ul><form><button><form>1",
        rename("ul"),
        "<button><x-n><form><button><form>1",
    );
    assert_rewritten("<h2><p>1<h2>2", rename("p"), "<h2><x-n>1</x-n><h2>2");
    let before = element("li.z", |it| {
        it.before(Content::Text("x"));
        Ok(())
    });
    let before_rule = element("hr.z", |it| {
        it.before(Content::Text("x"));
        Ok(())
    });
    // A rule ends an option only inside a selection list.
    let page = "<option><hr class=z><select><option><hr class=z>";
    let expected = "<option>x<hr class=z><select><option></option>x<hr class=z>";
    assert_rewritten(page, &before_rule, expected);
    // The inner item has ended with its list, so the last `<li>` ends the outer item.
    let page = "<li><div><ul><li>a</div>b<li class=z>c";
    assert_rewritten(page, before, "<li><div><ul><li>a</div>b</li>x<li class=z>c");
    let unwrap = |name| {
        element(name, |it| {
            it.remove_tags();
            Ok(())
        })
    };
    assert_rewritten("<<style>x<b></style>y", unwrap("style"), "&lt;x&lt;b&gt;y");
    assert_rewritten("a<title>x<b>&amp;</title>y", unwrap("title"), "ax&lt;b>&amp;y");
}

#[test]
fn end_tags_close_the_elements_that_a_parser_closes() {
    let insert_before = |name: &'static str| {
        element(name, |it| {
            it.before(Content::Text("x"));
            Ok(())
        })
    };
    // The end tag of another heading ends the heading and the paragraph in it.
    assert_rewritten("<h1>1<p>2</h2><p>3", insert_before("p"), "<h1>1x<p>2</h2>x<p>3");
    // The parser ignores `</button>`, so the `svg` elements in the first page and the first table in the second page
    // stay open until the last `<table>`.
    let page = "<svg><desc></desc><g><svg>1</button><table>";
    assert_rewritten(
        page,
        insert_before("table"),
        "<svg><desc></desc><g><svg>1</button></svg></svg>x<table>",
    );
    let page = "<button><object><table></button><table>";
    assert_rewritten(
        page,
        insert_before("table"),
        "<button><object>x<table></button></table>x<table>",
    );
    // The paragraph continues after the formatting element around it.
    let replace_texts = || Rules::new().text("p", |text| Ok(text.replace(Content::Text("x"))?));
    assert_rewritten("<b><p>1</b>2</p>3", replace_texts, "<b><p>x</b>x</p>3");
    // A parser ignores the second `<form>`, however far out the first one is, so no end tag is written for it.
    let append = element("span", |it| it.append(Content::Text("x")));
    for depth in [1, 20, 200] {
        let start = format!("<form>{}", "<x-a>".repeat(depth));
        let page = format!("{start}<span><form>1</span>2</form>3");
        assert_rewritten(&page, &append, &format!("{start}<span><form>1x</span>2</form>3"));
    }
}

#[test]
fn document_mode_affects_implied_ends() {
    let append = element("p", |it| it.append(Content::Text("x")));
    for (page, expected) in [
        ("<p>1<table></table>2", "<p>1<table></table>2x"),
        ("<!DOCTYPE html><p>1<table></table>2", "<!DOCTYPE html><p>1x<table></table>2"),
        (" <!----><!doctype HTML><p>1<table>", " <!----><!doctype HTML><p>1x<table>"),
        ("0<!DOCTYPE html><p>1<table>", "0<!DOCTYPE html><p>1<table></table>x"),
        ("<!DOCTYPE x><p>1<table></table>2", "<!DOCTYPE x><p>1<table></table>2x"),
    ] {
        assert_rewritten(page, &append, expected);
    }
}

/// Removing an element still open at the end tag of the body keeps comments after that tag.
#[test]
fn keeps_comments_after_the_body() {
    let remove = element("div", |it| {
        it.remove();
        Ok(())
    });
    let fill = element("div", |it| it.set_inner(Content::Text("y")));
    for (page, expected) in [
        ("<div>x</body><!--c-->", "</body><!--c-->"),
        ("<div>x</BODY a><!--c-->", "</BODY a><!--c-->"),
        (
            "<body>a<div>x<p>b</body>\n<!--c-->\n</html>\n<!--d-->\n",
            "<body>a</body><!--c--></html><!--d-->",
        ),
        (
            "<body><div>x</body><?t d?><!--c-->z<!--e--></body><!--f-->",
            "<body></body><?t d?><!--c--></body><!--f-->",
        ),
        ("<body><div>x</body></p><!--c-->", "<body>"),
        ("<body><div>x</html></div><?t d?>", "<body><?t d?>"),
        ("<body><div><template></body><!--c--></template></div>", "<body>"),
        ("<body><div><table><td></body><!--c--></table></div>", "<body>"),
        ("<body><div>x</body></div>y<!--c-->", "<body>y<!--c-->"),
    ] {
        assert_rewritten(page, &remove, expected);
    }
    assert_rewritten("<body><div>x</body><!--c--> ", fill, "<body><div>y</body><!--c-->");
    let replace_comments = || {
        remove().map(|rules| {
            rules.all_comments(|comment| {
                comment.replace(Content::Markup("<!--e-->"));
                Ok(())
            })
        })
    };
    assert_rewritten("<div><!--a--></body><!--c--> ", replace_comments, "</body><!--e-->");
    let insert_at_end = || remove().map(|rules| rules.end(|| "<!--e-->".to_owned()));
    for (page, expected) in [
        ("<body><div>x</body> ", "<body></body><!--e-->"),
        ("<body><div>x</body><!--c-->", "<body></body><!--c--><!--e-->"),
        ("<body><div>x</body>y", "<body><!--e-->"),
    ] {
        assert_rewritten(page, insert_at_end, expected);
    }
    let rename_body = || remove()?.element("body", |it| Ok(it.set_name("x-n")?));
    assert_rewritten("<body><div>x</body> <!--c-->", rename_body, "<x-n></x-n> <!--c-->");
}

#[test]
fn removes_end_tags_that_changes_would_make_effective() {
    let unwrap = element("table", |it| {
        it.remove_tags();
        Ok(())
    });
    let rename = element("table", |it| it.set_name("x-n"));
    for (page, unwrapped, renamed) in [
        ("<body><table></html></table><!--c-->", "<body><!--c-->", "<body><x-n></x-n><!--c-->"),
        ("<div><table></div></table>y", "<div>y", "<div><x-n></x-n>y"),
    ] {
        assert_rewritten(page, &unwrap, unwrapped);
        assert_rewritten(page, &rename, renamed);
    }
}

/// Content is inserted at tags even if a parser ignores the start tag, moves what follows the end tag into the element,
/// or keeps formatting elements open.
#[test]
fn inserts_content_at_tags() {
    let insert = element("body, head, div", |it| {
        it.prepend(Content::Markup("<i>1</i>"))?;
        it.append(Content::Markup("<i>2</i>"))
    });
    for (page, expected) in [
        ("a<body>b", "a<body><i>1</i>b<i>2</i>"),
        ("a<head>b", "a<head><i>1</i>b<i>2</i>"),
        ("<body>a</body>b", "<body><i>1</i>a<i>2</i></body>b"),
        ("<body>a</body><p>b", "<body><i>1</i>a<i>2</i></body><p>b"),
        ("<body>a</html>b", "<body><i>1</i>a</html>b<i>2</i>"),
        ("<body><b>a</body>c", "<body><i>1</i><b>a<i>2</i></body>c"),
        ("<body><span>a</body>c", "<body><i>1</i><span>a</span><i>2</i></body>c"),
        ("<div><b>a</div>c", "<div><i>1</i><b>a<i>2</i></div>c"),
    ] {
        assert_rewritten(page, &insert, expected);
    }
}

/// Comments after the end tag of a removed document element stay outside of the elements that a parser implies.
#[test]
fn comments_after_a_removed_document_element_stay_outside() {
    let remove = element("html, body", |it| {
        it.remove();
        Ok(())
    });
    for (page, expected) in [
        ("<html>a</html> <!--b--> <!--c-->\r\n", "</html><!--b--><!--c-->\r\n"),
        ("<html>a</html> <!--b-->c", "</html><!--b-->c"),
        ("<html>a</html> b<!--c-->", " b<!--c-->"),
        ("<html>a</html> ", " "),
        ("<html><body>a</body> <!--b--></html> <!--c--> ", "</html><!--c--> "),
    ] {
        assert_rewritten(page, &remove, expected);
    }
}

/// The start tag of an open element adds attributes to it and ends nothing, so its removal needs no end tag.
#[test]
fn removed_start_tags_of_open_elements_need_no_end_tags() {
    let unwrap = element("body", |it| {
        it.remove_tags();
        Ok(())
    });
    for (page, expected) in [
        ("<head></head><body><script>a</script>b</body>", "<head></head><script>a</script>b"),
        ("<html><body><p>a<body><p>b", "<html><p>a<p>b"),
    ] {
        assert_rewritten(page, &unwrap, expected);
    }
}

/// A form that the end tag of another element closes gets an end tag of its own, after which a parser would no longer ignore
/// the next form.
#[test]
fn ignored_start_tags_are_skipped_after_written_end_tags() {
    let unwrap = element("dl, section", |it| {
        it.remove_tags();
        Ok(())
    });
    for (page, expected) in [
        ("<dl><form>a</dl><form>b", "<form>a</form>b"),
        ("<dl><form>a</dl><p><form>b</form><form>c", "<form>a</form><p>b</form><form>c"),
        ("<dl><form>a</dl></form><form>b", "<form>a</form></form><form>b"),
        ("<dl><form>a</form></dl><form>b", "<form>a</form><form>b"),
        ("<dl><section><form>a</dl>b</section><form>c", "<form>a</form>b</section>c"),
        ("<dl><svg><form>a</dl><form>b", "<svg><form>a</form></svg><form>b"),
    ] {
        assert_rewritten(page, &unwrap, expected);
    }
}

/// A form that the end tag of another element closes gets an end tag before content inserted after it.
#[test]
fn ignored_start_tags_are_skipped_after_forms_with_changes() {
    let insert = element(".a", |it| {
        it.after(Content::Text("!"));
        Ok(())
    });
    for (page, expected) in [
        ("<div><form class=a>1</div>2<form>3", "<div><form class=a>1</form>!</div>23"),
        (
            "<div><form class=a>1</div><form>2</form><form>3",
            "<div><form class=a>1</form>!</div>2</form><form>3",
        ),
        (
            "<table><form class=a><tr><td><form>1</form><form>2",
            "<table><form class=a></form>!<tr><td>1</form><form>2",
        ),
        ("<div><form class=a>1</form></div><form>2", "<div><form class=a>1</form>!</div><form>2"),
    ] {
        assert_rewritten(page, &insert, expected);
    }
}

/// The innermost element with the name of an end tag may have ended at a start tag inside it, so that the end tag belongs to
/// an element around it.
#[test]
fn end_tags_close_elements_around_ended_ones() {
    let append = element(".a", |it| it.append(Content::Text("!")));
    for (page, expected) in [
        ("<dd class=a><ul><dd><dd></dd></dd>b", "<dd class=a><ul><dd><dd></dd></ul>!</dd>b"),
        (
            "<dd><ul><dd><dd></dd></dd><p class=a>b</dd>c",
            "<dd><ul><dd><dd></dd></dd><p class=a>b</dd>c!",
        ),
        (
            "<h1><li><h1><h1></h1></h1><p class=a>b</h1>c",
            "<h1><li><h1><h1></h1></h1><p class=a>b</h1>c!",
        ),
        (
            "<h2 class=a><li><h1><h3></h3></h1>b</h1>c",
            "<h2 class=a><li><h1><h3></h3></li>!</h1>b</h1>c",
        ),
        (
            "<ruby class=a><rb><ruby><rb><i><ruby><rb></ruby><i><ruby><rb></ruby></ruby><ruby><rb>b",
            "<ruby class=a><rb><ruby><rb><i><ruby><rb></ruby><i><ruby><rb></ruby></ruby><ruby><rb>b\
                </rb></ruby></rb>!",
        ),
        (
            "<span class=a><p><span><div></div></span>b</span>",
            "<span class=a><p><span><div></div>!</span>b</span>",
        ),
    ] {
        assert_rewritten(page, &append, expected);
    }
    let remove = element("h1", |it| {
        it.remove();
        Ok(())
    });
    for (page, expected) in [
        ("<h1><li><h1><h1></h1></h1><li>a", "<li>a"),
        ("<h1><li><h1><h1></h1></x></h1><li>a</h1><li>b", "<li>a</h1><li>b"),
    ] {
        assert_rewritten(page, &remove, expected);
    }
}
