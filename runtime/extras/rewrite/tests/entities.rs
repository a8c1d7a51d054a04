//! XML pages: entities, whose replacement text is not in the page, short end tags, and processing instructions.

use std::sync::Mutex;
use tabulex::html::Html;
use tabulex::rewrite::{Content, Element, EndTag, RewriteError, Rewriter, Rules, rewrite_str};
use tabulex::xml_er::XmlEr;

type Change = fn(&mut Element<'_, '_>);

fn page(value: &str, text: &str) -> String {
    format!("<!DOCTYPE a [<!ENTITY f 'y'><!ENTITY e '{value}'>]><a>{text}</a>")
}

fn element(page: &str, selector: &str, change: Change) -> Result<String, RewriteError> {
    let rules = Rules::new().element(selector, move |it| {
        change(it);
        Ok(())
    });
    rewrite_str::<XmlEr>(page, rules?)
}

fn at_end(element: &mut Element<'_, '_>, change: fn(&mut EndTag<'_>)) {
    element.on_end(move |end| {
        change(end);
        Ok(())
    });
}

#[test]
fn rejects_changes_in_entities() {
    let changes: [Change; 10] = [
        |it| it.before(Content::Text("1")),
        |it| it.after(Content::Text("1")),
        |it| it.prepend(Content::Text("1")).unwrap(),
        |it| it.append(Content::Text("1")).unwrap(),
        |it| it.set_inner(Content::Text("1")).unwrap(),
        |it| it.set_inner(Content::Text("")).unwrap(),
        |it| it.replace(Content::Text("1")),
        |it| it.remove(),
        |it| it.remove_tags(),
        |it| it.remove_attribute("c"),
    ];
    let page = page("<b c=\"1\">x</b>", "&e;");
    for (number, change) in changes.into_iter().enumerate() {
        let result = element(&page, "b", change);
        assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{number}: {result:?}");
    }
    assert_eq!(element(&page, "b", |it| assert!(it.is_inserted())).unwrap(), page);
    // The start tag comes from the entity; only the end tag is written in the page.
    let page_with_end_tag = self::page("<b>", "&e;x</b>");
    let result = element(&page_with_end_tag, "b", |it| it.set_inner(Content::Text("")).unwrap());
    assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{result:?}");
    let changes: [Change; 4] = [
        |it| at_end(it, |end| end.before(Content::Text("1")).unwrap()),
        |it| at_end(it, |end| end.after(Content::Text("1"))),
        |it| at_end(it, |end| end.remove()),
        |it| at_end(it, |end| end.set_name("n").unwrap()),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let result = element(&page, "b", change);
        assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{number}: {result:?}");
    }
}

#[test]
fn read_only_handlers_keep_entities() {
    for (value, text, expected) in [
        ("x<i/>z", "a&e;b", "[ax][zb]"),
        ("<!--x-->", "a&e;b", "[a]x[b]"),
        ("x&f;z", "a&e;b", "[axyzb]"),
        ("<?x y?>", "a&e;b", "[a][b]"),
    ] {
        let log = Mutex::new(String::new());
        let rules = Rules::new()
            .text("a", |text| {
                *log.lock().unwrap() += &format!("[{}]", text.as_str());
                Ok(())
            })
            .unwrap()
            .all_comments(|comment| {
                *log.lock().unwrap() += comment.data();
                Ok(())
            })
            .doctype(|_| Ok(()));
        let page = page(value, text);
        assert_eq!(rewrite_str::<XmlEr>(&page, rules).unwrap(), page);
        assert_eq!(log.into_inner().unwrap(), expected);
    }
}

#[test]
fn keeps_comments_that_begin_in_entities() {
    for (value, text) in [("x<!--", "a&e;b-->c"), ("<!--x", "&e;b"), ("<?t ", "a&e;b?>c")] {
        let page = page(value, text);
        let rules = Rules::new().text("a", |_| Ok(())).unwrap();
        let mut rewriter = Rewriter::<XmlEr, _>::new(rules, Vec::new()).unwrap();
        page.as_bytes().chunks(1).for_each(|chunk| rewriter.write(chunk).unwrap());
        assert_eq!(rewriter.finish().unwrap(), page.as_bytes());
    }
}

/// A text that contains only whole references can be changed, even if the parser passes it on in several parts.
#[test]
fn changes_texts_of_whole_references() {
    let outcome = |value: &str, text: &str| {
        let rules = Rules::new().text("a", |it| {
            it.replace(Content::Text("T"))?;
            Ok(())
        });
        let result = rewrite_str::<XmlEr>(&page(value, text), rules.unwrap());
        result.map(|page| page[page.find("<a>").unwrap()..].to_owned())
    };
    assert_eq!(outcome("x&f;z", "&e;").unwrap(), "<a>T</a>");
    assert_eq!(outcome("x&f;z", "u&e;v&f;<b/>&e;").unwrap(), "<a>T<b/>T</a>");
    assert!(matches!(outcome("<b/>x", "u&e;"), Err(RewriteError::Inserted { .. })));
}

#[test]
fn short_end_tags_end_elements() {
    let changed = |change: Change| element("<r><b>x</>y</r>", "b", change).unwrap();
    assert_eq!(changed(|_| ()), "<r><b>x</>y</r>");
    assert_eq!(changed(|it| it.after(Content::Text("1"))), "<r><b>x</>1y</r>");
    assert_eq!(changed(|it| it.append(Content::Text("1")).unwrap()), "<r><b>x1</>y</r>");
    assert_eq!(changed(|it| it.set_inner(Content::Text("1")).unwrap()), "<r><b>1</>y</r>");
    assert_eq!(changed(|it| it.remove()), "<r>y</r>");
    assert_eq!(changed(|it| it.remove_tags()), "<r>xy</r>");
    assert_eq!(changed(|it| it.set_name("n").unwrap()), "<r><n>x</n>y</r>");
    let written = changed(|it| {
        at_end(it, |end| {
            assert!(end.is_written() && end.name() == "b");
            end.before(Content::Text("1")).unwrap();
        });
    });
    assert_eq!(written, "<r><b>x1</>y</r>");
    let changed_root = element("<b>x</>y", "b", |it| it.after(Content::Text("1")));
    assert_eq!(changed_root.unwrap(), "<b>x</>1y");
    for page in [self::page("<b>x</>", "&e;"), self::page("</>", "<b>x&e;y")] {
        assert_eq!(element(&page, "b", |it| it.on_end(|_| Ok(()))).unwrap(), page);
        let result = element(&page, "b", |it| it.append(Content::Text("1")).unwrap());
        assert!(matches!(result, Err(RewriteError::Inserted { .. })), "{result:?}");
    }
    // No element is open at the first `</>`, so it ends none.
    assert_eq!(element("</><b>x</>", "b", |it| it.remove()).unwrap(), "</>");
    let texts = Mutex::new(String::new());
    let rules = Rules::new().all_text(|text| {
        *texts.lock().unwrap() += &format!("[{}]", text.as_str());
        Ok(())
    });
    rewrite_str::<XmlEr>("<r>u<b>x</>y<?p i?>z</r>", rules).unwrap();
    assert_eq!(texts.into_inner().unwrap(), "[u][x][y][z]");
}

#[test]
fn derives_xml_elements_from_tags() {
    let insert_after = |page: &str, selector: &str| {
        element(page, selector, |it| it.after(Content::Text("!"))).unwrap()
    };
    assert_eq!(insert_after("<r><i/>x</r>", "i"), "<r><i/>!x</r>");
    // Only HTML has void elements.
    assert_eq!(insert_after("<r><br>x</br></r>", "br"), "<r><br>x</br>!</r>");
    assert_eq!(insert_after("<r>x", "r"), "<r>x</r>!");
    // Names are case-sensitive, and the rewriter treats all XML elements as elements without a namespace.
    assert_eq!(insert_after("<r><B>x</B></r>", "b"), "<r><B>x</B></r>");
    assert_eq!(insert_after("<r><B>x</B></r>", "|B"), "<r><B>x</B>!</r>");
    let rules = Rules::new().element("B", |it| {
        it.after(Content::Text("!"));
        Ok(())
    });
    assert_eq!(rewrite_str::<Html>("x<b>y</b>", rules.unwrap()).unwrap(), "x<b>y</b>!");
}
