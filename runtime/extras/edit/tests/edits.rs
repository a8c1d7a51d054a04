//! Edits of pages: they change no other bytes, and an edit of the text either equals that edit of the tree, or is an
//! error.

use tabulex::edit::{EditError, Edits};
use tabulex::tree::{NodeRef, Tree};
use tabulex::{Adjacent, Options, WriteNode as _, html, xml_er};

fn parse(page: &str) -> Tree {
    html::parse(page, Options::new()).tree
}

/// Returns the page after one edit of its element with the id `x`.
fn edited(
    page: &str,
    edit: impl for<'a> Fn(&mut Edits<'a>, NodeRef<'a>) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let tree = parse(page);
    let mut edits = Edits::new(&tree, page);
    edit(&mut edits, tree.element_by_id("x").unwrap())?;
    edits.apply(&html::DIALECT, &Options::new()).map_err(|refused| refused.reason)
}

#[test]
fn changes_attributes_in_place() {
    let set = |page: &str, name: &'static str, value: &'static str| {
        edited(page, move |edits, node| edits.set_attribute(node, name, value))
    };
    for (page, expected) in [
        ("<a id=x HREF = '/a' b>", "<a id=x HREF=\"1&quot;\" b>"),
        ("<a id=x href=/a/>", "<a id=x href=\"1&quot;\">"),
        ("<a id=x href=>", "<a id=x href=\"1&quot;\">"),
        ("<a id=x href = >", "<a id=x href=\"1&quot;\" >"),
        ("<a id=x b=>", "<a id=x b=\"\" href=\"1&quot;\">"),
        ("<a id=x href>", "<a id=x href=\"1&quot;\">"),
        ("<a id=x href=\"\"  c>", "<a id=x href=\"1&quot;\"  c>"),
        ("<a id=x>", "<a id=x href=\"1&quot;\">"),
        ("<a id='x' >", "<a id='x' href=\"1&quot;\" >"),
    ] {
        assert_eq!(set(page, "href", "1\"").as_deref(), Ok(expected), "{page}");
    }
    let invalid_names = ["", "a b", "a/", "a>b", "=", "a\"", "a'b", "<a", "a\0", "a\n"];
    for name in invalid_names {
        assert_eq!(set("<a id=x>", name, "").err(), Some(EditError::BadName), "{name:?}");
    }
    // The attribute `b` was merged from the second `<body>` tag and is changed there.
    let merged_bodies = "<body id=x a=1>2<body b=3>";
    assert_eq!(set(merged_bodies, "b", "4").as_deref(), Ok("<body id=x a=1>2<body b=\"4\">"));
    // A new attribute would precede the merged one in the text, but follow it in the tree.
    assert_eq!(set(merged_bodies, "c", "4").err(), Some(EditError::ParsesDifferently));
    let remove = |page| edited(page, |edits, node| edits.remove_attribute(node, "href"));
    assert_eq!(remove("<a id=x  href='/a' c>").as_deref(), Ok("<a id=x c>"));
    assert_eq!(remove("<a href=/ id=x>").as_deref(), Ok("<a id=x>"));
    assert_eq!(remove("<a id=x>").as_deref(), Ok("<a id=x>"));
    // Both `href` attributes are removed: without the first one, its duplicate would take effect.
    assert_eq!(remove("<a href=1 id=x href=2>").as_deref(), Ok("<a id=\"x\">"));
    assert_eq!(set("<a id=x HREF=1>", "href", "2").as_deref(), Ok("<a id=x HREF=\"2\">"));
    // A tag with duplicates is rewritten, with its attributes in the order of the tree.
    let duplicates = "<a href=1 id=x href=2>";
    assert_eq!(set(duplicates, "href", "3").as_deref(), Ok("<a href=\"3\" id=\"x\">"));
}

#[test]
fn changes_nodes_in_place() {
    let remove = |page| edited(page, |edits, node| edits.remove(node));
    assert_eq!(remove("<P>1<b id=x>2</B >3").as_deref(), Ok("<P>13"));
    // The start tag of the removed `div` ended the paragraph, so an end tag takes its place.
    assert_eq!(remove("<p>a<div id=x>b</div>c").as_deref(), Ok("<p>a</p>c"));
    assert_eq!(remove("<ul><li id=x>1<li>2</ul>").as_deref(), Ok("<ul><li>2</ul>"));
    let replace = |page| edited(page, |edits, node| edits.replace(node, "<i>y</i>"));
    assert_eq!(replace("a<b id=x>2</b>c").as_deref(), Ok("a<i>y</i>c"));
    assert_eq!(replace("<p>a<div id=x>b</div>c").as_deref(), Ok("<p>a</p><i>y</i>c"));
    let set_inner = |page| edited(page, |edits, node| edits.set_inner(node, "<i>y</i>"));
    assert_eq!(set_inner("<p id=x>1<b>2</b>").as_deref(), Ok("<p id=x><i>y</i>"));
    assert_eq!(set_inner("<p id=x>").as_deref(), Ok("<p id=x><i>y</i>"));
    assert_eq!(set_inner("<svg><g id=x /></svg>").err(), Some(EditError::NoContents));
    // The slash of its tag does not end an HTML element, so the element can get contents.
    assert_eq!(set_inner("<p id=x />1").as_deref(), Ok("<p id=x ><i>y</i>"));
    assert_eq!(set_inner("<p id='x'/></p>").as_deref(), Ok("<p id='x'><i>y</i></p>"));
    let set_text = |page| edited(page, |edits, node| edits.set_text(node, "1 < \"2\""));
    assert_eq!(set_text("<p id=x>1<b>2</b></p>").as_deref(), Ok("<p id=x>1 &lt; \"2\"</p>"));
    // Nothing is escaped in raw text.
    assert_eq!(set_text("<style id=x></style>").as_deref(), Ok("<style id=x>1 < \"2\"</style>"));
    // A parser moves the `<b>2` out of the table in which it is written. Another element can be removed, but not that
    // table, because the text of a moved element would be removed with it.
    assert!(remove("<table><tr><td><b id=x>1</table><table><b>2").is_ok());
    let moved = "<table id=x><b>2<tr><td>1</table>3";
    assert!(remove(moved).is_err(), "removed a table whose contents are moved out: {moved}");
}

#[test]
fn changes_tags_and_keeps_contents() {
    let rename = |page| edited(page, |edits, node| edits.rename(node, "strong"));
    assert_eq!(rename("a<B id=x >1</B >2").as_deref(), Ok("a<strong id=x >1</strong >2"));
    assert_eq!(rename("<svg><g id=x></g></svg>").err(), Some(EditError::NotHtml));
    assert_eq!(rename("<table><tr><td id=x>1</table>").err(), Some(EditError::ParsesDifferently));
    assert_eq!(rename("<b/id=x>1</b>").as_deref(), Ok("<strong/id=x>1</strong>"));
    let rename_to = |name: &'static str| edited("<b id=x>", move |it, node| it.rename(node, name));
    for name in ["", "a b", "1", "-a", "a_b", "\u{e4}"] {
        assert_eq!(rename_to(name).err(), Some(EditError::BadName), "{name:?}");
    }
    assert_eq!(rename_to("x-1").as_deref(), Ok("<x-1 id=x>"));
    assert_eq!(rename_to("EM").as_deref(), Ok("<em id=x>"));
    let wrap = |page| edited(page, |edits, node| edits.wrap(node, "section"));
    assert_eq!(
        wrap("<p>a<div id=x>b</div>c").as_deref(),
        Ok("<p>a</p><section><div id=x>b</div></section>c")
    );
    assert_eq!(wrap("<p id=x>a<p>c").as_deref(), Ok("<section><p id=x>a</p></section><p>c"));
    let unwrap = |page| edited(page, |edits, node| edits.unwrap(node));
    assert_eq!(unwrap("1<b id=x>2<i>3</i></b>4").as_deref(), Ok("12<i>3</i>4"));
    assert_eq!(unwrap("<p>a<div id=x>b</div>c").as_deref(), Ok("<p>a</p>bc"));
    assert_eq!(unwrap("<ul id=x><li>1<li>2</ul>3").as_deref(), Ok("<li>1<li>2</li>3"));
}

#[test]
fn unwraps_nested_elements_in_any_order() {
    let page = "1<b>2<i>3<u>4</u>5</i>6<s>7<q>8</q></s></b>9";
    let tree = parse(page);
    let find = |name: &str| {
        let mut nodes = tree.root().descendants();
        nodes.find(|node| node.is_html(name)).unwrap()
    };
    let unwrapped = |names: &[&str]| {
        let mut edits = Edits::new(&tree, page);
        for name in names {
            edits.unwrap(find(name)).unwrap();
        }
        edits.apply(&html::DIALECT, &Options::new())
    };
    for names in ["b i u q", "u i b q", "i b q u", "q u b i", "u q i b", "b q u i"] {
        let names: Vec<&str> = names.split(' ').collect();
        assert_eq!(unwrapped(&names).as_deref(), Ok("123456<s>78</s>9"), "{names:?}");
    }
    // Markup inserted inside unwrapped elements stays in place.
    let mut edits = Edits::new(&tree, page);
    edits.unwrap(find("i")).unwrap();
    edits.insert(find("u"), Adjacent::BeforeBegin, "<a>x</a>").unwrap();
    edits.unwrap(find("b")).unwrap();
    assert_eq!(
        edits.apply(&html::DIALECT, &Options::new()).as_deref(),
        Ok("123<a>x</a><u>4</u>56<s>7<q>8</q></s>9")
    );
}

#[test]
fn orders_insertions_at_one_offset_as_in_trees() {
    let page = "<p id=x>1</p>";
    let result = edited(page, |edits, node| {
        for (place, markup) in [
            (Adjacent::BeforeBegin, "<i>a</i>"),
            (Adjacent::BeforeBegin, "<i>b</i>"),
            (Adjacent::AfterBegin, "c"),
            (Adjacent::AfterBegin, "<b>d</b>"),
            (Adjacent::BeforeEnd, "<b>e</b>"),
            (Adjacent::BeforeEnd, "f"),
            (Adjacent::AfterEnd, "g"),
            (Adjacent::AfterEnd, "<i>h</i>"),
        ] {
            edits.insert(node, place, markup)?;
        }
        Ok(())
    });
    let expected = "<i>a</i><i>b</i><p id=x><b>d</b>c1<b>e</b>f</p><i>h</i>g";
    assert_eq!(result.as_deref(), Ok(expected));
}

#[test]
fn writes_omitted_end_tags_where_needed() {
    let insert = |page, place, markup: &'static str| {
        edited(page, move |edits, node| edits.insert(node, place, markup))
    };
    let list = insert("<ul id=x><li>1</ul>", Adjacent::BeforeEnd, "<b>2</b>");
    assert_eq!(list.as_deref(), Ok("<ul id=x><li>1</li><b>2</b></ul>"));
    let before = insert("<p>1<div id=x>2</div>", Adjacent::BeforeBegin, "<b>3</b>");
    assert_eq!(before.as_deref(), Ok("<p>1</p><b>3</b><div id=x>2</div>"));
    // The end tag `</p>` is written once, even if several edits require it.
    let twice = edited("<p>1<div id=x>2</div>", |edits, node| {
        edits.insert(node, Adjacent::BeforeBegin, "<b>3</b>")?;
        edits.insert(node, Adjacent::BeforeBegin, "<b>4</b>")
    });
    assert_eq!(twice.as_deref(), Ok("<p>1</p><b>3</b><b>4</b><div id=x>2</div>"));
    // The last child of the table is an implied `tbody`, for which no end tag is written.
    let rows = insert("<table id=x><tr><td>1</table>", Adjacent::BeforeEnd, "<tbody><tr><td>2");
    assert_eq!(rows.as_deref(), Ok("<table id=x><tr><td>1<tbody><tr><td>2</table>"));
}

#[test]
fn refuses_edits_in_entities() {
    let page = "<!DOCTYPE d [<!ENTITY e '1<a b=1>2</a><!--3-->'><!ENTITY f 'g'>]>\
        <d xmlns='http://www.w3.org/1999/xhtml'>&e;<a b=1>1</a></d>";
    let tree = xml_er::parse(page, Options::new()).tree;
    let mut edits = Edits::new(&tree, page);
    let nodes: Vec<_> = tree.document_element().unwrap().descendants().collect();
    let [text, declared, inside, comment, written, _] = nodes[..] else { panic!("{nodes:?}") };
    for node in [text, declared, inside, comment] {
        let mut outcomes =
            vec![edits.remove(node), edits.replace(node, "x"), edits.wrap(node, "b")];
        if node.is_element() {
            for place in [Adjacent::BeforeBegin, Adjacent::BeforeEnd, Adjacent::AfterEnd] {
                outcomes.push(edits.insert(node, place, "x"));
            }
            outcomes.extend([edits.set_inner(node, "x"), edits.set_text(node, "x")]);
            outcomes.extend([edits.unwrap(node), edits.rename(node, "x")]);
            outcomes
                .extend([edits.set_attribute(node, "b", "2"), edits.remove_attribute(node, "b")]);
            outcomes.push(edits.set_attribute(node, "c", "2"));
        }
        assert!(outcomes.iter().all(|one| *one == Err(EditError::NotWritten)), "{outcomes:?}");
    }
    edits.unwrap(written).unwrap();
    let text = edits.apply(&xml_er::DIALECT, &Options::new());
    assert_eq!(text, Ok(page.replace("&e;<a b=1>1</a>", "&e;1")));
}

#[test]
fn escapes_references_and_keeps_implied_ends() {
    for name in ["d", "d xmlns='http://www.w3.org/1999/xhtml'"] {
        let page = format!("<!DOCTYPE d [<!ENTITY e 'f'>]><{name}>&e;<a/>&lt;<b></b></d>");
        let tree = xml_er::parse(&page, Options::new()).tree;
        let mut edits = Edits::new(&tree, &page);
        for node in tree.document_element().unwrap().children() {
            edits.remove(node).unwrap();
        }
        let text = edits.apply(&xml_er::DIALECT, &Options::new());
        assert_eq!(text, Ok(format!("<!DOCTYPE d [<!ENTITY e 'f'>]><{name}></d>")));
    }
    let remove = |page| edited(page, |edits, node| edits.remove(node));
    assert_eq!(remove("<svg><g/><a id=x></a></svg>").as_deref(), Ok("<svg><g/></svg>"));
    assert_eq!(remove("<li/><li id=x></li>").as_deref(), Ok("<li/></li>"));
    let insert_after =
        |page| edited(page, |edits, node| edits.insert(node, Adjacent::AfterEnd, "<a/>"));
    assert_eq!(insert_after("<svg><g id=x></svg>").as_deref(), Ok("<svg><g id=x></g><a/></svg>"));
    assert_eq!(insert_after("<svg><g id=x /></svg>").as_deref(), Ok("<svg><g id=x /><a/></svg>"));
}

/// A parser reads a CR in the source as LF, but not one from a character reference.
#[test]
fn escapes_carriage_returns() {
    let page = "<a id=x title=1>2</a>";
    let set = |name: &'static str| {
        edited(page, move |edits, node| edits.set_attribute(node, name, "\r\n\r"))
    };
    assert_eq!(set("title").as_deref(), Ok("<a id=x title=\"&#xD;\n&#xD;\">2</a>"));
    assert_eq!(set("rel").as_deref(), Ok("<a id=x title=1 rel=\"&#xD;\n&#xD;\">2</a>"));
    let set_text = |page| edited(page, |edits, node| edits.set_text(node, "3\r4"));
    assert_eq!(set_text(page).as_deref(), Ok("<a id=x title=1>3&#xD;4</a>"));
    assert_eq!(set_text("<style id=x>2</style>"), Err(EditError::ParsesDifferently));
    // A tag with several changes is assembled from kept and new parts.
    let both = edited("<a id=x title='1'rel='2'>", |edits, node| {
        edits.remove_attribute(node, "title")?;
        edits.set_attribute(node, "rel", "\r")
    });
    assert_eq!(both.as_deref(), Ok("<a id=x rel=\"&#xD;\">"));
}

/// Checks that the ends of nested elements are found together, because searching the contents of each element anew
/// would take quadratic time.
#[test]
fn finds_ends_of_nested_elements_in_linear_time() {
    let page = "<b>".repeat(300) + &"<i>".repeat(200_000);
    let tree = parse(&page);
    let mut edits = Edits::new(&tree, &page);
    for node in tree.root().descendants().filter(|node| node.is_html("b") || node.is_html("i")) {
        edits.insert(node, Adjacent::BeforeBegin, "<u></u>").unwrap();
    }
}

#[test]
fn a_page_keeps_its_mode() {
    let page = "<!DOCTYPE html><p>1";
    let tree = parse(page);
    let mut edits = Edits::new(&tree, page);
    edits.remove(tree.root().first_child().unwrap()).unwrap();
    let text = edits.apply(&html::DIALECT, &Options::new());
    assert_eq!(text.err().map(|refused| refused.reason), Some(EditError::ParsesDifferently));
}

/// Parts from which random pages are built.
const PAGE_PARTS: [&str; 22] = [
    "<p a=1>",
    "<p>",
    "text ",
    "&amp;",
    "<!--c-->",
    "<table>",
    "<tr><td>",
    "</table>",
    "<svg>",
    "<g/>",
    "</svg>",
    "<b>",
    "</b>",
    "<a href=1 href=2>",
    "</a>",
    "<select><option>",
    "</p>",
    "<div>",
    "</div>",
    "<li>",
    "<br>",
    "<template>",
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }
}

#[test]
fn random_edits_are_correct_or_refused() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut applied, mut rejected, mut refused) = (0, 0, Vec::new());
    for _ in 0..6_000 {
        let page: String = (0..10).map(|_| PAGE_PARTS[random.below(PAGE_PARTS.len())]).collect();
        let tree = parse(&page);
        let nodes: Vec<NodeRef<'_>> = tree.root().descendants().collect();
        let mut edits = Edits::new(&tree, &page);
        assert_eq!(edits.apply(&html::DIALECT, &Options::new()).as_deref(), Ok(&page[..]));
        let node = nodes[random.below(nodes.len())];
        let request = match random.below(11) {
            0 => edits.set_attribute(node, "href", "<&\">"),
            1 => edits.remove_attribute(node, "href"),
            2 => edits.remove(node),
            3 => edits.replace(node, "<u>y</u>"),
            4 => edits.set_inner(node, "<u>y</u>"),
            5 => edits.insert(node, Adjacent::BeforeBegin, "<u>y</u>"),
            6 => edits.rename(node, "u"),
            7 => edits.wrap(node, "u"),
            8 => edits.unwrap(node),
            9 => edits.insert(node, Adjacent::BeforeEnd, "<u>y</u>"),
            _ => edits.insert(node, Adjacent::AfterEnd, "<u>y</u>"),
        };
        let apply =
            || edits.apply(&html::DIALECT, &Options::new()).map_err(|refused| refused.reason);
        match request.and_then(|()| apply()) {
            Ok(_) => applied += 1,
            Err(EditError::ParsesDifferently) => {
                let error = edits.apply(&html::DIALECT, &Options::new()).unwrap_err();
                refused.push(format!("{} {page} {}", error.method, node.to_dump()));
            }
            Err(_) => rejected += 1,
        }
    }
    // Many edits are refused, as the random parts combine in ways that real pages do not.
    let counts = [applied, rejected, refused.len()];
    assert!(
        applied > 2_500 && refused.len() < applied / 2,
        "applied, rejected, refused: {counts:?} {:#?}",
        &refused[..40]
    );
}

#[test]
fn refuses_nodes_of_other_trees() {
    let page = "<a id=x href=y>1</a><p id=z>2";
    let (tree, other) = (parse(page), parse("<div><a id=x href=y>3</a></div>"));
    let mut edits = Edits::new(&tree, page);
    for node in other.root().descendants() {
        let places = [Adjacent::BeforeBegin, Adjacent::AfterBegin, Adjacent::BeforeEnd];
        let mut outcomes: Vec<_> =
            places.into_iter().map(|place| edits.insert(node, place, "4")).collect();
        outcomes.push(edits.insert(node, Adjacent::AfterEnd, "4"));
        outcomes.extend([edits.remove(node), edits.replace(node, "4"), edits.wrap(node, "b")]);
        outcomes.extend([edits.set_inner(node, "4"), edits.set_text(node, "4")]);
        outcomes.extend([edits.set_attribute(node, "href", "4"), edits.unwrap(node)]);
        outcomes.extend([edits.remove_attribute(node, "href"), edits.rename(node, "b")]);
        assert_eq!(outcomes, [Err(EditError::NotWritten); 13], "{node:?}");
    }
    assert_eq!(edits.apply(&html::DIALECT, &Options::new()).as_deref(), Ok(page));
}

/// Inserting into many elements must not read or copy names and attributes of common ancestors each time.
#[test]
fn does_not_read_ancestors_per_insertion() {
    let reads = |around: &str, count: usize| {
        let attributes: String = (0..count).map(|number| format!(" a{number}")).collect();
        let around = around.replace('#', &attributes).replace('+', &"x".repeat(20 * count));
        let page = format!("{around}{}", "<p>x</p>".repeat(count));
        let tree = parse(&page);
        let before = tabulex::__private::reads();
        let mut edits = Edits::new(&tree, &page);
        for node in tree.root().descendants().filter(|node| node.local_name() == Some("p")) {
            edits.insert(node, Adjacent::AfterEnd, "<i>y</i>").unwrap();
        }
        let edited_len = edits.apply(&html::DIALECT, &Options::new()).map(|text| text.len());
        assert_eq!(edited_len, Ok(page.len() + count * "<i>y</i>".len()));
        tabulex::__private::reads() - before
    };
    for around in ["<div#>", "<svg#><desc>", "<+>"] {
        let [some, more] = [1_000, 2_000].map(|count| reads(around, count));
        assert!(
            some > 1_000 && more * 10 < some * 21,
            "{around}: {some} reads for 1,000 insertions, {more} for 2,000"
        );
    }
}

/// Applies an edit to all elements named `name`, or to all comments if `name` is `#comment`.
fn apply_to_all(
    page: &str,
    name: &str,
    edit: impl for<'a> Fn(&mut Edits<'a>, NodeRef<'a>) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let tree = parse(page);
    let mut edits = Edits::new(&tree, page);
    for node in tree.root().descendants() {
        let is_named = match name {
            "#comment" => node.kind() == tabulex::tree::NodeKind::Comment,
            name => node.local_name() == Some(name),
        };
        if is_named {
            edit(&mut edits, node)?;
        }
    }
    edits.apply(&html::DIALECT, &Options::new()).map_err(|refused| refused.reason)
}

#[test]
fn keeps_new_neighbors_separate() {
    for (page, element, attribute, expected) in [
        ("<a href=\"x\"class=\"y\">", "a", "href", "<a class=\"y\">"),
        ("<script nonce=\"1\"src=a.js></script>", "script", "nonce", "<script src=a.js></script>"),
        ("<img src=x onerror=\"y\"title=z>", "img", "onerror", "<img src=x title=z>"),
        ("<img src=x ONERROR=\"y\"title=z>", "img", "OnError", "<img src=x title=z>"),
        ("<img src=x b='1'/>", "img", "b", "<img src=x />"),
        ("<svg><g/x>1</g></svg>", "g", "x", "<svg><g/ >1</g></svg>"),
        ("<a b=1 c=x/ d>", "a", "d", "<a b=1 c=x/>"),
    ] {
        let text = apply_to_all(page, element, |it, node| it.remove_attribute(node, attribute));
        assert_eq!(text.as_deref(), Ok(expected), "{page}");
    }
    for (page, expected) in [
        ("<<!-- x -->script>alert(1)<<!-- x -->/script>", "&lt;script>alert(1)&lt;/script>"),
        ("a &am<!-- -->p; b", "a &amp;amp; b"),
        ("a &not<!-- -->in; b", "a ¬in; b"),
        ("a &<!-- --> b", "a & b"),
        ("a\r<!-- -->\nb", "a\n\nb"),
        ("<pre><!-- -->\nb</pre>", "<pre>\n\nb</pre>"),
        ("<p><!-- -->\nb</p>", "<p>\nb</p>"),
    ] {
        let text = apply_to_all(page, "#comment", |it, node| it.remove(node));
        assert_eq!(text.as_deref(), Ok(expected), "{page}");
    }
    let unwrapped = apply_to_all("<<b>script>1</b>", "b", |it, node| it.unwrap(node));
    assert_eq!(unwrapped.as_deref(), Ok("&lt;script>1"));
}

#[test]
fn keeps_line_ends_after_start_tags() {
    let page = "<pre id=x>\na</pre>";
    let inner = edited(page, |it, node| it.insert(node, Adjacent::AfterBegin, "b"));
    assert_eq!(inner.as_deref(), Ok("<pre id=x>\nba</pre>"));
    let text = edited("<pre id=x>a</pre>", |it, node| it.set_text(node, "\nb"));
    assert_eq!(text.as_deref(), Ok("<pre id=x>\n\nb</pre>"));
    let unwrapped = edited(page, |it, node| it.unwrap(node));
    assert_eq!(unwrapped.as_deref(), Ok("a"));
    let renamed = edited("<pre id=x>\n\na</pre>", |it, node| it.rename(node, "div"));
    assert_eq!(renamed.as_deref(), Ok("<div id=x>\na</div>"));
    let renamed = edited("<div id=x>\na</div>", |it, node| it.rename(node, "pre"));
    assert_eq!(renamed.as_deref(), Ok("<pre id=x>\n\na</pre>"));
}

#[test]
fn removes_neighbors_without_end_tags() {
    let remove = |page: &str, name: &str| apply_to_all(page, name, |it, node| it.remove(node));
    assert_eq!(remove("<ul><li>1<li>2</ul>", "li").as_deref(), Ok("<ul></ul>"));
    assert_eq!(remove("a<p>1<p>2", "p").as_deref(), Ok("a"));
    assert_eq!(remove("<p>1<div>2<p>3</div>4", "div").as_deref(), Ok("<p>1</p>4"));
    assert_eq!(remove("<p>1<div>2<p>3</div>4", "p").as_deref(), Ok("<div>2</div>4"));
    let page = "<table><tr></tr><caption>1</caption><style>2</style>";
    let expected = "<table><tr></tr></tbody><style>2</style>";
    assert_eq!(remove(page, "caption").as_deref(), Ok(expected));
    let unwrap = |page: &str, name: &str| apply_to_all(page, name, |it, node| it.unwrap(node));
    assert_eq!(unwrap("<ul><li>1<li>2</ul>", "li").as_deref(), Ok("<ul>12</ul>"));
    let append = |page: &str, name: &str| {
        apply_to_all(page, name, |it, node| it.insert(node, Adjacent::BeforeEnd, "<b>y</b>"))
    };
    let expected = "<ul><li>1<b>y</b><li>2<b>y</b></ul>";
    assert_eq!(append("<ul><li>1<li>2</ul>", "li").as_deref(), Ok(expected));
    let after = apply_to_all("<ul><li>1<li>2</ul>", "li", |it, node| {
        it.insert(node, Adjacent::BeforeEnd, "a")?;
        it.insert(node, Adjacent::AfterEnd, "<b>y</b>")
    });
    let expected = "<ul><li>1a</li><b>y</b><li>2a</li><b>y</b></ul>";
    assert_eq!(after.as_deref(), Ok(expected));
}

#[test]
fn later_and_outer_edits_take_precedence() {
    let page = "<div id=x a=1>1<p>2<b>3</b></p></div>";
    let tree = parse(page);
    let find = |name| tree.root().descendants().find(|node| node.is_html(name)).unwrap();
    let [div, p, b] = ["div", "p", "b"].map(find);
    type Edit<'a> = Box<dyn Fn(&mut Edits<'a>) -> Result<(), EditError> + 'a>;
    let cases: Vec<(&str, Vec<Edit<'_>>)> = vec![
        (
            "<div id=x a=\"3\">1<p>2<b>3</b></p></div>",
            vec![
                Box::new(|it| it.set_attribute(div, "a", "2")),
                Box::new(|it| it.set_attribute(div, "A", "3")),
            ],
        ),
        (
            "<div id=x c=\"4\">1<p>2<b>3</b></p></div>",
            vec![
                Box::new(|it| it.set_attribute(div, "c", "2")),
                Box::new(|it| it.remove_attribute(div, "a")),
                Box::new(|it| it.remove_attribute(div, "c")),
                Box::new(|it| it.set_attribute(div, "c", "4")),
            ],
        ),
        ("<div id=x a=1>1</div>", vec![Box::new(|it| it.remove(b)), Box::new(|it| it.remove(p))]),
        (
            "<div id=x a=1>1<i></i>4</div>",
            vec![
                Box::new(|it| it.replace(p, "<i></i>")),
                Box::new(|it| it.rename(b, "i")),
                Box::new(|it| it.insert(p, Adjacent::AfterEnd, "4")),
                Box::new(|it| it.set_attribute(p, "c", "4")),
            ],
        ),
        (
            "<div id=x a=1>65</div>",
            vec![
                Box::new(|it| it.insert(div, Adjacent::BeforeEnd, "4")),
                Box::new(|it| it.set_inner(div, "5")),
                Box::new(|it| it.insert(div, Adjacent::AfterBegin, "6")),
                Box::new(|it| it.unwrap(p)),
            ],
        ),
        ("", vec![Box::new(|it| it.set_inner(div, "5")), Box::new(|it| it.remove(div))]),
        (
            "<div id=x a=1>1<p>2<i>3</i></p></div>",
            vec![Box::new(|it| it.rename(b, "u")), Box::new(|it| it.rename(b, "i"))],
        ),
    ];
    for (expected, calls) in cases {
        let mut edits = Edits::new(&tree, page);
        for call in calls {
            call(&mut edits).unwrap();
        }
        assert_eq!(edits.apply(&html::DIALECT, &Options::new()).as_deref(), Ok(expected));
    }
}

#[test]
fn applies_other_edits_after_a_refusal() {
    let page = "é<table><tr><td id=x>1</table><p>2<b>3</b>";
    let tree = parse(page);
    let find = |name| tree.root().descendants().find(|node| node.is_html(name)).unwrap();
    let mut edits = Edits::new(&tree, page);
    edits.remove(find("b")).unwrap();
    edits.rename(find("td"), "i").unwrap();
    edits.set_attribute(find("p"), "a", "1").unwrap();
    let refused = edits.apply(&html::DIALECT, &Options::new()).unwrap_err();
    assert_eq!((refused.edit, refused.method, refused.node), (1, "rename", find("td").id()));
    assert_eq!(refused.span.and_then(|span| span.get(page)), Some("<td id=x>"));
    assert_eq!(
        refused.to_string(),
        "edit 1, `rename` of `<td>` at 13..22: the edited text would parse to a different tree"
    );
    let applied = edits.apply_possible(&html::DIALECT, &Options::new());
    assert_eq!(applied.text, "é<table><tr><td id=x>1</table><p a=\"1\">2");
    assert_eq!(applied.refused, [refused]);
}

#[test]
fn end_tags_for_an_edit_stay_when_others_follow() {
    let rename =
        |page: &str, name: &str| apply_to_all(page, name, |it, node| it.rename(node, "div"));
    let expected = "<div>1</div><div>2</div><hr>";
    assert_eq!(rename("<p>1<p>2<hr>", "p").as_deref(), Ok(expected));
    let expected = "<ul><div>1</div><div>2</ul>";
    assert_eq!(rename("<ul><li>1<li>2</ul>", "li").as_deref(), Ok(expected));
    let page = "<p>1<b>2";
    let tree = parse(page);
    let find = |name| tree.root().descendants().find(|node| node.is_html(name)).unwrap();
    let mut edits = Edits::new(&tree, page);
    edits.insert(find("p"), Adjacent::AfterEnd, "<u>3</u>").unwrap();
    edits.set_attribute(find("b"), "a", "1").unwrap();
    // The end tags are written once, even if two edits need them.
    edits.insert(find("p"), Adjacent::AfterEnd, "<u>4</u>").unwrap();
    let expected = "<p>1<b a=\"1\">2</b></p><u>4</u><u>3</u>";
    assert_eq!(edits.apply(&html::DIALECT, &Options::new()).as_deref(), Ok(expected));
}

#[test]
fn refuses_literal_text_that_ends_its_element() {
    for name in ["style", "script", "xmp", "iframe", "noembed", "noframes"] {
        let page = format!("<{name} id=x>a</{name}>b");
        for (text, is_good) in [
            ("a < b &amp; \"c\"".to_owned(), true),
            (format!("</{name}x"), true),
            (format!("</{name}>"), false),
            (format!("</{}\n><img src=x onerror=alert(1)>", name.to_uppercase()), false),
            ("<!--<script>".to_owned(), name != "script"),
            ("<!-- -->".to_owned(), true),
        ] {
            let expected = match is_good {
                true => Ok(page.replace(">a<", &format!(">{text}<"))),
                false => Err(EditError::BadText),
            };
            assert_eq!(
                edited(&page, |it, node| it.set_text(node, &text)),
                expected,
                "{name}: {text}"
            );
        }
    }
    let title = edited("<title id=x>a</title>", |it, node| it.set_text(node, "</title>"));
    assert_eq!(title.as_deref(), Ok("<title id=x>&lt;/title&gt;</title>"));
}

#[test]
fn renamed_void_elements_get_end_tags() {
    let rename = |page, name: &'static str| edited(page, |it, node| it.rename(node, name));
    let expected = "<picture id=x src=a.png></picture><p>next";
    assert_eq!(rename("<img id=x src=a.png><p>next", "picture").as_deref(), Ok(expected));
    assert_eq!(rename("<img id='x'/>", "b").as_deref(), Ok("<b id='x'></b>"));
    assert_eq!(rename("<img id=x>", "source").as_deref(), Ok("<source id=x>"));
    assert_eq!(rename("<b id=x>1</b>", "br"), Err(EditError::NoContents));
}

#[test]
fn edits_bodies_with_and_without_tags() {
    for (page, appended, inner) in [
        (
            "<html><body><p>x</p></body></html>\n",
            "<html><body><p>x</p><p>y</p></body></html>\n",
            "<html><body><p>y</p></body></html>\n",
        ),
        ("<body>x\n</body>\n\n", "<body>x\n<p>y</p></body>\n\n", "<body><p>y</p></body>\n\n"),
        ("<p>x", "<p>x</p><p>y</p>", "<body><p>y</p>"),
        ("<title>x</title>", "<title>x</title><body><p>y</p>", "<title>x</title><body><p>y</p>"),
        ("<p>x</html> ", "<p>x</p><p>y</p></html> ", "<body><p>y</p></html> "),
        (
            "<body><div><p>x</body>\n",
            "<body><div><p>x</div><p>y</p></body>\n",
            "<body><p>y</p></body>\n",
        ),
        (
            "<body><p><b>x</body>\n",
            "<body><p><b>x</b></p><p>y</p></body>\n",
            "<body><p>y</p></body>\n",
        ),
        ("<body>1</body>2<!--3", "<body>1</body>2<!--3--><p>y</p>", "<body><p>y</p></body>"),
        (
            "<body>1</body><!--2-->\n<p>3</html><!--4-->",
            "<body>1</body><!--2-->\n<p>3</p><p>y</p></html><!--4-->",
            "<body><p>y</p></body><!--2--></html><!--4-->",
        ),
        ("<p>1<body a=2>", "<p>1</p><p>y</p><body a=2>", "<body a=\"2\"><p>y</p><body a=2>"),
        ("<p>1<body a=2>3", "<p>1<body a=2>3</p><p>y</p>", "<body a=\"2\"><p>y</p>"),
        ("<p>x<!--y", "<p>x<!--y--></p><p>y</p>", "<body><p>y</p>"),
        ("<p>x<a hre", "<p>x</p><p>y</p><a hre", "<body><p>y</p><a hre"),
        ("<p><script>x</", "<p><script>x</</script></p><p>y</p>", "<body><p>y</p>"),
        ("<div><title>x", "<div><title>x</title></div><p>y</p>", "<body><p>y</p>"),
        (
            "<div><style>x</style a",
            "<div><style>x</style></div><p>y</p></style a",
            "<body><p>y</p></style a",
        ),
        (
            "<div><template><b>x",
            "<div><template><b>x</b></template></div><p>y</p>",
            "<body><p>y</p>",
        ),
        ("<svg><![CDATA[x", "<svg><![CDATA[x]]></svg><p>y</p>", "<body><p>y</p>"),
    ] {
        let tree = parse(page);
        let find = tree.root().descendants().find(|node| node.is_html("body"));
        let body = find.unwrap();
        let apply =
            |edit: &dyn for<'a> Fn(&mut Edits<'a>, NodeRef<'a>) -> Result<(), EditError>| {
                let mut edits = Edits::new(&tree, page);
                edit(&mut edits, body)
                    .unwrap_or_else(|error| panic!("cannot edit the body of {page}: {error}"));
                edits.apply(&html::DIALECT, &Options::new()).map_err(|refused| refused.to_string())
            };
        let text = apply(&|it, body| it.insert(body, Adjacent::BeforeEnd, "<p>y</p>"));
        assert_eq!(text.as_deref(), Ok(appended), "{page}");
        let text = apply(&|it, body| it.set_inner(body, "<p>y</p>"));
        assert_eq!(text.as_deref(), Ok(inner), "{page}");
    }
}

#[test]
fn refuses_insertions_after_text_that_nothing_ends() {
    for (page, replaced) in [
        ("<body id=x><p>1<plaintext>2", "<body id=x><p>1</p>3"),
        ("<body id=x><script><!--<script>2", "<body id=x>3"),
    ] {
        let appended = edited(page, |edits, node| edits.insert(node, Adjacent::BeforeEnd, "3"));
        assert_eq!(appended, Err(EditError::UnclosedText));
        let removed = edited(page, |edits, node| {
            edits.remove(node.last_child().unwrap())?;
            edits.insert(node, Adjacent::BeforeEnd, "3")
        });
        assert_eq!(removed.as_deref(), Ok(replaced));
    }
    // The text itself can be changed.
    for page in ["<plaintext id=x>1", "<script id=x>1"] {
        let appended = edited(page, |edits, node| edits.insert(node, Adjacent::BeforeEnd, "2"));
        assert_eq!(appended, Ok(format!("{page}2")));
    }
}

#[test]
fn edits_many_attributes_in_linear_time() {
    let reads = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("a{number}")).collect();
        let page = format!("<p {} x>", names.join(" "));
        let tree = parse(&page);
        let element = tree.root().descendants().find(|node| node.is_html("p")).unwrap();
        let before = tabulex::__private::reads();
        let mut edits = Edits::new(&tree, &page);
        for (number, name) in names.iter().enumerate() {
            match number % 3 {
                0 => edits.remove_attribute(element, name).unwrap(),
                1 => edits.set_attribute(element, name, "1").unwrap(),
                _ => edits.set_attribute(element, &format!("b{name}"), "2").unwrap(),
            }
        }
        let text = edits.apply(&html::DIALECT, &Options::new()).unwrap();
        assert!(text.starts_with("<p a1=\"1\" a2 a4=\"1\" a5"), "{text}");
        tabulex::__private::reads() - before
    };
    let [some, more] = [1_000, 2_000].map(reads);
    assert!(
        some > 1_000 && more * 10 < some * 21,
        "{some} reads for 1,000 attributes, {more} for 2,000"
    );
}

/// A line end that a parser drops after a start tag belongs to the tag, so that edits after the element come after it.
#[test]
fn dropped_line_ends_belong_to_their_start_tags() {
    let append = |page: &str| {
        let tree = parse(page);
        let mut edits = Edits::new(&tree, page);
        let body = tree.document_element().unwrap().last_child().unwrap();
        edits.insert(body, Adjacent::BeforeEnd, "<i>!</i>").unwrap();
        edits.apply(&html::DIALECT, &Options::new()).map_err(|refused| refused.reason)
    };
    for (page, expected) in [
        ("<pre>\n", "<pre>\n</pre><i>!</i>"),
        ("<body>a<pre>\r\n</body>", "<body>a<pre>\r\n</pre><i>!</i></body>"),
        ("<div><pre>\n\n", "<div><pre>\n\n</div><i>!</i>"),
        ("<div>\n", "<div>\n</div><i>!</i>"),
    ] {
        assert_eq!(append(page).as_deref(), Ok(expected), "{page:?}");
    }
    let remove = |page| edited(page, |edits, node| edits.remove(node));
    assert_eq!(remove("<div><pre id=x>\n</div>a").as_deref(), Ok("<div></div>a"));
    let after = |page| edited(page, |edits, node| edits.insert(node, Adjacent::AfterEnd, "!"));
    assert_eq!(after("<div><pre id=x>\n</div>a").as_deref(), Ok("<div><pre id=x>\n</pre>!</div>a"));
    let set_inner = |page| edited(page, |edits, node| edits.set_inner(node, "\n!"));
    assert_eq!(set_inner("<div><pre id=x>\n</div>a").as_deref(), Ok("<div><pre id=x>\n\n!</div>a"));
}
