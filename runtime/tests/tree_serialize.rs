//! Tests of edge cases of serialization in each format.

use tabulex::WriteNode as _;
use tabulex::tree::{HtmlSerializer, Name, Namespace, NodeId, SerializerNames, Tree};

const NAMES: SerializerNames<'static> = SerializerNames {
    void: &["br", "col"],
    raw_text: &["style", "xmp"],
    raw_text_when_scripting: &["noscript"],
    shadow_root: None,
    steps: None,
};

fn element(tree: &mut Tree, parent: NodeId, namespace: Namespace, name: &str) -> NodeId {
    let node = tree.create_element(namespace, name);
    tree.append(parent, node).expect("the parent can have children");
    node
}

/// Returns a document with nodes of each kind.
fn sample() -> Tree {
    let mut tree = Tree::new();
    let document = tree.document();
    let doctype = tree.create_doctype("html", Some("-//P"), None);
    let comment = tree.create_comment(" a -- b -");
    let instruction = tree.create_processing_instruction("target", "a ?> b");
    for node in [doctype, comment, instruction] {
        tree.append(document, node).expect("the node can be inserted");
    }
    let html = element(&mut tree, document, Namespace::HTML, "html");
    let svg = element(&mut tree, html, Namespace::SVG, "svg");
    let local_name = |tree: &mut Tree, name| tree.names_mut().local(name);
    let (href, lang, xmlns) = (
        local_name(&mut tree, "href"),
        local_name(&mut tree, "lang"),
        local_name(&mut tree, "xmlns"),
    );
    for name in
        [Name::xlink(href), Name::xml(lang), Name::new(Namespace::XMLNS, xmlns), Name::xmlns(lang)]
    {
        tree.set_named_attribute(svg, name, "v");
    }
    tree.set_attribute(svg, "Z\u{FF5E}", "<\">&\u{A0}").unwrap();
    tree.set_attribute(svg, "Z\u{1F600}", "").unwrap();
    element(&mut tree, svg, Namespace::MATHML, "mi");
    let template = element(&mut tree, html, Namespace::HTML, "template");
    let contents = tree.create_template_contents(template);
    element(&mut tree, contents, Namespace::HTML, "br");
    tree.append_text(html, "a<b>\u{A0}\"c\"\n&");
    tree
}

#[test]
fn dump() {
    let expected = "\
| <!DOCTYPE html \"-//P\" \"\">
| <!--  a -- b - -->
| <?target a ?> b?>
| <html>
|   <svg svg>
|     Z\u{1F600}=\"\"
|     Z\u{FF5E}=\"<\">&\u{A0}\"
|     xlink href=\"v\"
|     xml lang=\"v\"
|     xmlns lang=\"v\"
|     xmlns xmlns=\"v\"
|     <math mi>
|   <template>
|     content
|       <br>
|   \"a<b>\u{A0}\"c\"
&\"
";
    let tree = sample();
    assert_eq!(tree.root().to_dump(), expected);
    let template =
        tree.root().descendants().find(|node| node.template_contents().is_some()).unwrap();
    assert_eq!(template.to_dump(), "| <template>\n|   content\n|     <br>\n");
    let contents = template.template_contents().expect("a template has contents");
    assert_eq!(contents.to_dump(), "| <br>\n");
    let mut tree = Tree::new();
    let document = tree.document();
    for (name, public, system) in
        [("", None, None), ("a", None, Some("s")), ("b", Some(""), Some(""))]
    {
        let doctype = tree.create_doctype(name, public, system);
        tree.append(document, doctype).expect("the node can be inserted");
    }
    assert_eq!(tree.root().to_dump(), "| <!DOCTYPE >\n| <!DOCTYPE a \"\" \"s\">\n| <!DOCTYPE b>\n");
}

#[test]
fn qualified_dump() {
    let mut tree = Tree::new();
    let document = tree.document();
    let namespace = tree.names_mut().namespace("y");
    let name = tree.names_mut().name(namespace, "x", "z");
    let node = tree.create_named_element(name);
    tree.append(document, node).expect("the node can be inserted");
    let declaration = tree.names_mut().name(Namespace::XMLNS, "xmlns", "x");
    tree.set_named_attribute(node, declaration, "y");
    let name_with_colon = tree.names_mut().name(Namespace::XML, "xml", "foo:bar");
    tree.set_named_attribute(node, name_with_colon, "f");
    tree.append_text(node, "TEST");
    let expected = "\
| <x:z> (x, z, y)
|   xmlns:x=\"y\" (xmlns, x, http://www.w3.org/2000/xmlns/)
|   xml:foo:bar=\"f\" (xml, foo:bar, http://www.w3.org/XML/1998/namespace)
|   \"TEST\"
";
    assert_eq!(tree.root().to_qualified_dump(), expected);
    assert_eq!(
        tree.root().to_xml(),
        "<x:z xmlns:x=\"y\" xml:fooU00003Abar=\"f\">TEST</x:z>",
        "a namespace declaration was not written once, as an attribute"
    );
}

#[test]
fn html() {
    let tree = sample();
    let html = HtmlSerializer::new(&NAMES);
    let expected = "<!DOCTYPE html><!-- a -- b ---><?target a ?> b?><html><svg xlink:href=\"v\" xml:lang=\"v\" xmlns=\"v\" \
        xmlns:lang=\"v\" Z\u{FF5E}=\"&lt;&quot;&gt;&amp;&nbsp;\" Z\u{1F600}=\"\"><mi></mi></svg>\
        <template><br></template>a&lt;b&gt;&nbsp;\"c\"\n&amp;</html>";
    assert_eq!(html.inner(tree.root()), expected);
    assert_eq!(html.outer(tree.root()), expected);
}

/// Tests escaping of each character at each position in texts and values of different lengths.
#[test]
fn escapes_each_character_anywhere() {
    let escape = |character: char, in_value: bool| match character {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '\u{A0}' => "&nbsp;",
        '"' if in_value => "&quot;",
        '"' => "\"",
        _ => "é",
    };
    // The texts around the character: letters, characters that differ in few bits from an escaped one, and characters
    // with a first byte near that of U+00A0.
    let surroundings = [("x", "%'=?#"), ("x", "\u{A1}"), ("é", "ü")];
    for (character, (before, after)) in ['&', '<', '>', '\u{A0}', '"', 'é']
        .into_iter()
        .flat_map(|character| surroundings.map(|pair| (character, pair)))
    {
        for (length, at) in (0..40).flat_map(|length| (0..=length).map(move |at| (length, at))) {
            let parts = [before.repeat(at), after.chars().cycle().take(length - at).collect()];
            let mut tree = Tree::new();
            let document = tree.document();
            let node = element(&mut tree, document, Namespace::HTML, "p");
            let text = parts.join(&character.to_string());
            tree.append_text(node, &text);
            tree.set_attribute(node, "a", &text).unwrap();
            let [value, inner] =
                [true, false].map(|in_value| parts.join(escape(character, in_value)));
            let output = HtmlSerializer::new(&NAMES).outer(tree.node(node));
            assert_eq!(output, format!("<p a=\"{value}\">{inner}</p>"), "{length} {at}");
        }
    }
}

#[test]
fn html_names_apply_to_html_elements_only() {
    let mut tree = Tree::new();
    let document = tree.document();
    for (namespace, names) in [
        (Namespace::HTML, ["style", "noscript", "br"]),
        (Namespace::SVG, ["style", "noscript", "br"]),
    ] {
        for name in names {
            let node = element(&mut tree, document, namespace, name);
            tree.append_text(node, "<");
        }
    }
    let html = HtmlSerializer::new(&NAMES);
    let foreign_html = "<style>&lt;</style><noscript>&lt;</noscript><br>&lt;</br>";
    assert_eq!(
        html.inner(tree.root()),
        format!("<style><</style><noscript>&lt;</noscript><br>{foreign_html}")
    );
    let html = html.scripting(true);
    assert_eq!(
        html.inner(tree.root()),
        format!("<style><</style><noscript><</noscript><br>{foreign_html}")
    );
    let line_break = tree.root().children().nth(2).expect("the third node is the `br`");
    assert_eq!((html.inner(line_break), html.outer(line_break)), (String::new(), "<br>".into()));
    let style = tree.root().first_child().expect("the first node is the `style`");
    assert_eq!(html.inner(style), "<");
}

#[test]
fn html_of_templates_contains_their_contents() {
    let mut tree = Tree::new();
    let document = tree.document();
    let template = element(&mut tree, document, Namespace::HTML, "template");
    let contents = tree.create_template_contents(template);
    tree.append_text(contents, "in contents");
    element(&mut tree, template, Namespace::HTML, "child");
    let other_namespace = tree.names_mut().namespace("urn:x");
    let name = tree.names_mut().name(other_namespace, "p", "q");
    let prefixed_element = tree.create_named_element(name);
    tree.set_named_attribute(prefixed_element, name, "1");
    tree.append(document, prefixed_element).expect("the node can be inserted");
    let html = HtmlSerializer::new(&NAMES);
    assert_eq!(html.inner(tree.root()), "<template>in contents</template><p:q p:q=\"1\"></p:q>");
    assert_eq!(html.inner(tree.node(template)), "in contents");
    assert_eq!(html.outer(tree.node(contents)), "in contents");
}

#[test]
fn xml_is_well_formed() {
    let expected = "<!DOCTYPE html PUBLIC \"-//P\" \"\"><!-- a - - b - --><?target a ? > b?><html xmlns=\"http://www.w3.org/1999/xhtml\"><svg \
        xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"v\" \
        xml:lang=\"v\" xmlns:lang=\"v\" Z\u{FF5E}=\"&lt;&quot;&gt;&amp;\u{A0}\" Z\u{1F600}\
        =\"\"><mi xmlns=\"http://www.w3.org/1998/Math/MathML\"/></svg><template><br/></template>a&lt;b&gt;\u{A0}\"c\"\n&amp;</html>";
    assert_eq!(sample().root().to_xml(), expected);
    let mut tree = Tree::new();
    let node = tree.create_element(Namespace::NONE, "1\"\0");
    for (name, value) in
        [("", "1"), ("a\"", "\t\r\n"), ("aU000022", "kept"), ("-b", "\u{FFFF}\x01\x0C")]
    {
        let name = tree.names_mut().name(Namespace::NONE, "", name);
        tree.set_named_attribute(node, name, value);
    }
    tree.append_text(node, "\r\x00\u{FFFE}]]>");
    for (target, data) in [("xml", ""), ("a b", "?")] {
        let instruction = tree.create_processing_instruction(target, data);
        tree.append(node, instruction).expect("the node can be inserted");
    }
    for data in ["-", "---", "->"] {
        let comment = tree.create_comment(data);
        tree.append(node, comment).expect("the node can be inserted");
    }
    assert_eq!(
        tree.node(node).to_xml(),
        "<U000031U000022U000000 _=\"1\" aU000022=\"&#x9;&#xD;&#xA;\" aU000022_=\"kept\" U00002Db=\"\u{FFFD}\u{FFFD} \">\
         &#xD;\u{FFFD}\u{FFFD}]]&gt;<?_xml?><?aU000020b ??><!--- --><!--- - - --><!--->--></U000031U000022U000000>"
    );
    for (public, system, expected) in [
        (None, None, "<!DOCTYPE a>"),
        (None, Some("a\"b"), "<!DOCTYPE a SYSTEM 'a\"b'>"),
        (None, Some("a'\"b"), "<!DOCTYPE a SYSTEM 'a\"b'>"),
        (Some("\"{p}'"), Some("s"), "<!DOCTYPE a PUBLIC \"p'\" \"s\">"),
    ] {
        let doctype = tree.create_doctype("a", public, system);
        assert_eq!(tree.node(doctype).to_xml(), expected);
    }
    let nameless_doctype = tree.create_doctype("", Some("p"), None);
    assert_eq!(tree.node(nameless_doctype).to_xml(), "");
}

#[test]
fn xml_of_documents_has_one_element() {
    let xml_of = |texts: &[&str]| {
        let mut tree = Tree::new();
        let document = tree.document();
        for text in texts {
            let node = match text.strip_prefix('<') {
                Some("!") => tree.create_doctype("a", None, None),
                Some("!--") => tree.create_comment("c"),
                Some(name) => tree.create_element(Namespace::NONE, name),
                None => tree.create_text(text),
            };
            tree.append(document, node).expect("the node can be inserted");
        }
        tree.root().to_xml()
    };
    for (nodes, expected) in [
        (&[][..], "<document/>"),
        (&["<!--"], "<!--c--><document/>"),
        (&["\n", "<a", " "], "\n<a/> "),
        (&["<!", "<a", "<!", "<!--"], "<!DOCTYPE a><a/><!--c-->"),
        (&["<!", "<!", "<a"], "<!DOCTYPE a><a/>"),
        (&["<a", "x"], "<document><a/>x</document>"),
        (&["<!--", "x"], "<!--c--><document>x</document>"),
        (&["<!", "<a", "<b", "<!--"], "<!DOCTYPE a><document><a/><b/><!--c--></document>"),
        (&["\r", "<a"], "<document>&#xD;<a/></document>"),
    ] {
        assert_eq!(xml_of(nodes), expected, "{nodes:?}");
    }
}

#[test]
fn xml_of_document_types_is_well_formed() {
    for (name, public, system, expected) in [
        ("a", None, None, "<!DOCTYPE a>"),
        ("a:b", None, None, "<!DOCTYPE a:b>"),
        (":a", None, None, "<!DOCTYPE U00003Aa>"),
        ("a:b:c", None, None, "<!DOCTYPE a:bU00003Ac>"),
        ("1", None, None, "<!DOCTYPE U000031>"),
        ("a", Some("p\"q^"), None, "<!DOCTYPE a PUBLIC \"pq\" \"\">"),
        ("a", Some("-//P//"), Some("s\"t"), "<!DOCTYPE a PUBLIC \"-//P//\" 's\"t'>"),
        ("a", None, Some("s't"), "<!DOCTYPE a SYSTEM \"s't\">"),
        ("a", None, Some("s'\"t\u{1}"), "<!DOCTYPE a SYSTEM 's\"t\u{FFFD}'>"),
        ("a", None, Some(""), "<!DOCTYPE a SYSTEM \"\">"),
    ] {
        let mut tree = Tree::new();
        let doctype = tree.create_doctype(name, public, system);
        assert_eq!(tree.node(doctype).to_xml(), expected);
    }
}

#[test]
fn xml_declares_prefixes() {
    let mut tree = Tree::new();
    let (u, v) = (tree.names_mut().namespace("u"), tree.names_mut().namespace("v"));
    let mut node = |(namespace, prefix, local): (Namespace, &str, &str),
                    attributes: &[(Namespace, &str, &str)]| {
        let name = tree.names_mut().name(namespace, prefix, local);
        let node = tree.create_named_element(name);
        for (index, &(namespace, prefix, local)) in attributes.iter().enumerate() {
            let name = tree.names_mut().name(namespace, prefix, local);
            tree.set_named_attribute(node, name, &index.to_string());
        }
        tree.node(node).to_xml()
    };
    const NONE: Namespace = Namespace::NONE;
    const XMLNS: Namespace = Namespace::XMLNS;
    for (name, attributes, expected) in [
        ((NONE, "p", "a"), &[][..], "<p:a xmlns:p=\"urn:x-unbound:p\"/>"),
        ((NONE, "é", "a"), &[], "<é:a xmlns:é=\"urn:x-unbound:%C3%A9\"/>"),
        ((Namespace::HTML, "", "o:p"), &[], "<o:p xmlns:o=\"urn:x-unbound:o\"/>"),
        ((NONE, "", "a"), &[(NONE, "", "xmlns:")], "<a xmlnsU00003A=\"0\"/>"),
        ((NONE, "", "o:p"), &[(NONE, "", "xmlns:o")], "<o:p xmlns:o=\"0\"/>"),
        ((u, "", "a"), &[(XMLNS, "", "xmlns")], "<a xmlns=\"u\"/>"),
        ((u, "p", "a"), &[(v, "p", "b")], "<p:a xmlns:p=\"u\" xmlns:ns1=\"v\" ns1:b=\"0\"/>"),
        (
            (NONE, "", "a"),
            &[(u, "p", "b"), (u, "q", "b"), (NONE, "", "qU00003Ab")],
            "<a xmlns:p=\"u\" xmlns:q=\"u\" p:b=\"0\" qU00003Ab=\"1\" qU00003Ab_=\"2\"/>",
        ),
        ((u, "", "a"), &[(u, "", "b")], "<a xmlns=\"u\" xmlns:ns1=\"u\" ns1:b=\"0\"/>"),
        ((Namespace::XML, "p", "a"), &[(Namespace::XML, "", "b")], "<xml:a xml:b=\"0\"/>"),
        ((XMLNS, "xmlns", "a"), &[(XMLNS, "xmlns", "xml")], "<xmlnsU00003Aa/>"),
        (
            (NONE, "", ":a"),
            &[(NONE, "", "b:"), (NONE, "", "c:d:e")],
            "<U00003Aa xmlns:c=\"urn:x-unbound:c\" bU00003A=\"0\" c:dU00003Ae=\"1\"/>",
        ),
        ((NONE, "", "1:a"), &[], "<U000031U00003Aa/>"),
    ] {
        assert_eq!(node(name, attributes), expected, "{expected}");
    }
}

#[test]
fn json() {
    let mut tree = Tree::new();
    let document = tree.document();
    assert_eq!(tree.root().to_json(), "null");
    let comment = tree.create_comment("c");
    tree.append(document, comment).expect("the node can be inserted");
    let doc = element(&mut tree, document, Namespace::NONE, "doc");
    tree.set_attribute(doc, "a", "\"\\\u{1}\u{7F}\u{80}\u{9F}\u{A0}¿\u{2028}").unwrap();
    tree.set_attribute(doc, "b", "\t\r\n").unwrap();
    tree.append_text(doc, "x");
    let comment = tree.create_comment("c");
    tree.append(doc, comment).expect("the node can be inserted");
    tree.append_text(doc, "y");
    element(&mut tree, doc, Namespace::NONE, "e");
    element(&mut tree, doc, Namespace::NONE, "f");
    tree.append_text(doc, "z");
    let attributes =
        "{\"a\":\"\\\"\\\\\\u0001\\u007f\\u0080\\u009f\u{A0}¿\u{2028}\",\"b\":\"\\t\\r\\n\"}";
    let expected = format!("[\"doc\",{attributes},[\"xy\",[\"e\",{{}},[]],[\"f\",{{}},[]],\"z\"]]");
    assert_eq!(tree.root().to_json(), expected);
    let fragment = tree.create_fragment();
    tree.append_text(fragment, "t");
    tree.append(fragment, doc).expect("the node can be inserted");
    assert_eq!(tree.node(fragment).to_json(), format!("[\"t\",{expected}]"));
    let text = tree.create_text("t");
    assert_eq!(tree.node(text).to_json(), "\"t\"");
    assert_eq!(tree.node(comment).to_json(), "null");
}

#[test]
fn xml_declarations() {
    let xml_of = |target: &str, data: &str, is_first: bool| {
        let mut tree = Tree::new();
        let document = tree.document();
        let instruction = tree.create_processing_instruction(target, data);
        let element = tree.create_element(Namespace::NONE, "a");
        let (first, second) =
            if is_first { (instruction, element) } else { (element, instruction) };
        tree.append(document, first).unwrap();
        tree.append(document, second).unwrap();
        tree.root().to_xml()
    };
    let declarations = [
        ("version=\"1.0\"", "<?xml version=\"1.0\"?><a/>"),
        (" version = '1.1' encoding='utf-16'\n", "<?xml version=\"1.0\"?><a/>"),
        (
            "version='1.0' encoding=\"x\" standalone='yes'",
            "<?xml version=\"1.0\" standalone=\"yes\"?><a/>",
        ),
        ("version='1.0' standalone='no'", "<?xml version=\"1.0\" standalone=\"no\"?><a/>"),
        ("version='1.0' standalone='?>'", "<?_xml version='1.0' standalone='? >'?><a/>"),
        ("version='1.0", "<?_xml version='1.0?><a/>"),
        ("version='1.0' x='y'", "<?_xml version='1.0' x='y'?><a/>"),
        ("", "<?_xml?><a/>"),
    ];
    for (data, expected) in declarations {
        assert_eq!(xml_of("xml", data, true), expected, "{data}");
    }
    assert_eq!(xml_of("xml", "version='1.0'", false), "<a/><?_xml version='1.0'?>");
    assert_eq!(xml_of("XML", "version='1.0'", true), "<?_XML version='1.0'?><a/>");
}

#[cfg(feature = "html")]
#[test]
fn writes_shadow_roots_on_request() {
    use tabulex::{Options, html};

    let page_with_root =
        |attributes: &str| format!("<p><template {attributes}>y<br></template>x</p>");
    let body = |page: &str| {
        let tree = html::parse(page, Options::new().declarative_shadow_roots(true)).tree;
        let body = tree.document_element().and_then(|html| html.last_child());
        let body = body.unwrap().id();
        (tree, body)
    };
    let all_attributes = "shadowrootclonable shadowrootmode=CLOSED shadowrootcustomelementregistry=x \
        shadowrootslotassignment=Manual shadowrootserializable shadowrootdelegatesfocus class=a";
    let (tree, node) = body(&page_with_root(all_attributes));
    let expected = page_with_root(
        "shadowrootmode=\"closed\" shadowrootdelegatesfocus=\"\" shadowrootserializable=\"\" \
         shadowrootslotassignment=\"manual\" shadowrootclonable=\"\" shadowrootcustomelementregistry=\"\"",
    );
    let serializer = html::serializer();
    assert_eq!(serializer.inner(tree.node(node)), "<p>x</p>");
    let with_shadow_roots = serializer.serializable_shadow_roots(true);
    assert_eq!(with_shadow_roots.inner(tree.node(node)), expected);
    assert_eq!(with_shadow_roots.outer(tree.node(node)), format!("<body>{expected}</body>"));

    let inner_page = page_with_root("shadowrootmode=open shadowrootslotassignment=named");
    let outer_page = format!(
        "<div><template shadowrootmode=open shadowrootserializable>{inner_page}</template>z</div>"
    );
    let (tree, node) = body(&outer_page);
    let div = tree.node(node).first_child().unwrap();
    let root = div.shadow_root().expect("the `div` has a shadow root");
    let inner_root = root.first_child().and_then(|p| p.shadow_root());
    let inner_root = inner_root.expect("the inner `p` has a shadow root").id();
    let in_outer_root = |inside: &str| {
        let start_tag = "<template shadowrootmode=\"open\" shadowrootserializable=\"\">";
        format!("<div>{start_tag}{inside}</template>z</div>")
    };
    assert_eq!(with_shadow_roots.inner(tree.node(node)), in_outer_root("<p>x</p>"));
    let roots = [inner_root];
    let inner_html = page_with_root("shadowrootmode=\"open\"");
    assert_eq!(
        with_shadow_roots.shadow_roots(&roots).inner(tree.node(node)),
        in_outer_root(&inner_html)
    );
    assert_eq!(serializer.shadow_roots(&roots).inner(tree.node(node)), "<div>z</div>");
    assert_eq!(serializer.shadow_roots(&roots).inner(root), inner_html);
    assert_eq!(serializer.inner(tree.node(inner_root)), "y<br>");
    // Without the names of its attributes, the start tag of a shadow root cannot be written, so the shadow root is
    // omitted.
    let without_names = tabulex::tree::HtmlSerializer::new(serializer.names());
    assert_eq!(without_names.shadow_roots(&roots).inner(root), "<p>x</p>");
}

#[cfg(feature = "html")]
#[test]
fn html_of_elements_with_special_rules() {
    use tabulex::{Options, html};

    let raw_text_names = ["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"];
    let void_names = "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr";
    let mut tree = html::parse_fragment("", "div", Options::new()).tree;
    let parent = tree.document_element().expect("a fragment has a document element").id();
    let serializer = html::serializer();
    for name in void_names.split(' ') {
        let node = element(&mut tree, parent, Namespace::HTML, name);
        tree.append_text(node, "x");
        assert_eq!(serializer.outer(tree.node(node)), format!("<{name}>"));
        assert_eq!(serializer.inner(tree.node(node)), "");
    }
    for name in raw_text_names.into_iter().chain(["noscript", "textarea", "title", "pre"]) {
        let node = element(&mut tree, parent, Namespace::HTML, name);
        tree.append_text(node, "\n<&\u{A0}");
        for scripting in [false, true] {
            let is_verbatim = raw_text_names.contains(&name) || scripting && name == "noscript";
            let text = if is_verbatim { "\n<&\u{A0}" } else { "\n&lt;&amp;&nbsp;" };
            let serializer = serializer.scripting(scripting);
            assert_eq!(serializer.outer(tree.node(node)), format!("<{name}>{text}</{name}>"));
        }
    }
}
