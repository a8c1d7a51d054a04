//! Deserialization of documents in common formats, and the ranges of errors. The types follow quick-xml's conventions.

use serde::Deserialize;
use std::collections::BTreeMap;
use tabulex_serde::{Error, from_str};

#[derive(Debug, Deserialize)]
struct Rss {
    channel: Channel,
}

#[derive(Debug, Deserialize)]
struct Channel {
    title: String,
    #[serde(default, rename = "item")]
    items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    title: Option<String>,
    description: Option<String>,
    creator: Option<String>,
    enclosure: Option<Enclosure>,
}

#[derive(Debug, Deserialize)]
struct Enclosure {
    #[serde(rename = "@url")]
    url: String,
    #[serde(rename = "@length")]
    length: u64,
}

#[test]
fn deserializes_rss() {
    let rss: Rss = from_str(
        "<?xml version='1.0'?>\n<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel>\
         <title>News &amp; more</title>\
         <item><title>1</title><description><![CDATA[<b>bold</b>]]> text</description><dc:creator>Ada</dc:creator></item>\
         <link>https://example.org</link>\
         <item><enclosure url='a.mp3' length=' 12 '/></item></channel></rss>",
    )
    .unwrap();
    assert_eq!(rss.channel.title, "News & more");
    let [first, second] = &rss.channel.items[..] else { panic!("{rss:?}") };
    assert_eq!(first.title.as_deref(), Some("1"));
    assert_eq!(first.description.as_deref(), Some("<b>bold</b> text"));
    assert_eq!(first.creator.as_deref(), Some("Ada"));
    let enclosure = second.enclosure.as_ref().unwrap();
    assert_eq!((&*enclosure.url, enclosure.length), ("a.mp3", 12));
    assert!(second.title.is_none());
}

#[derive(Debug, Deserialize)]
struct Feed {
    #[serde(rename = "@xml:lang")]
    language: String,
    title: Text,
    entry: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Text {
    #[serde(rename = "@type", default)]
    kind: Kind,
    #[serde(rename = "$text")]
    text: String,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Text,
    Html,
}

#[derive(Debug, Deserialize)]
struct Entry {
    link: Vec<BTreeMap<String, String>>,
}

#[test]
fn deserializes_atom() {
    let feed: Feed = from_str(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='de'><title type='html'>A &lt;i></title>\
         <entry><link rel='self' href='/1'/><link href='/2'/></entry></feed>",
    )
    .unwrap();
    assert_eq!(feed.language, "de");
    assert_eq!((feed.title.kind, &*feed.title.text), (Kind::Html, "A <i>"));
    assert_eq!(feed.entry[0].link[0]["@rel"], "self");
    assert_eq!(feed.entry[0].link[1]["@href"], "/2");
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Rect {
        #[serde(rename = "@width")]
        width: f32,
    },
    Title(String),
    G(Group),
    #[serde(rename = "$text")]
    Text(String),
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Group {
    #[serde(rename = "$value", default)]
    shapes: Vec<Shape>,
}

#[test]
fn svg_keeps_the_order_of_shapes() {
    let picture: Group = from_str(
        "<svg xmlns='http://www.w3.org/2000/svg'><title>T</title> <g>x<rect width='1.5'/></g><path/><g/></svg>",
    )
    .unwrap();
    let inner_group =
        Group { shapes: vec![Shape::Text("x".to_owned()), Shape::Rect { width: 1.5 }] };
    let empty_group = Group { shapes: vec![] };
    let title = Shape::Title("T".to_owned());
    assert_eq!(
        picture.shapes,
        [title, Shape::G(inner_group), Shape::Unknown, Shape::G(empty_group)]
    );
}

#[derive(Debug, Deserialize)]
struct Pages {
    url: Vec<Page>,
}

#[derive(Debug, Deserialize)]
struct Page {
    loc: String,
    priority: Option<f32>,
}

#[test]
fn deserializes_sitemap() {
    let pages: Pages = from_str(
        "<urlset><url><loc>https://example.org/?a&amp;b</loc><priority>\n0.5 </priority></url><url><loc>x</loc></url></urlset>",
    )
    .unwrap();
    assert_eq!(pages.url[0].loc, "https://example.org/?a&b");
    assert_eq!((pages.url[0].priority, pages.url[1].priority), (Some(0.5), None));
    assert_eq!(pages.url[1].loc, "x");
}

#[derive(Debug, Deserialize)]
struct Map {
    #[serde(default)]
    node: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    #[serde(rename = "@lat")]
    lat: f64,
    #[serde(rename = "@visible", default)]
    is_visible: bool,
    #[serde(default)]
    tag: Vec<Tag>,
}

#[derive(Debug, Deserialize)]
struct Tag {
    #[serde(rename = "@k")]
    key: String,
    #[serde(rename = "@v")]
    value: String,
}

#[test]
fn deserializes_osm() {
    let text = "<osm><node id='1' lat='52.5' lon='1' visible='true'><tag k='name' v='Caf&#xE9;'/></node><way id='2'/><node lat='0'/></osm>";
    let map: Map = from_str(text).unwrap();
    assert_eq!(
        (map.node[0].lat, map.node[0].is_visible, map.node[1].is_visible),
        (52.5, true, false)
    );
    let tag = &map.node[0].tag[0];
    assert_eq!((&*tag.key, &*tag.value), ("name", "Café"));
}

#[test]
fn errors_have_ranges() {
    let fails = |text: &str| -> Error { from_str::<Map>(text).unwrap_err() };
    let start = |text: &str| fails(text).span().unwrap().start;
    assert_eq!(start("<osm><node lat='x'/></osm>"), 16);
    assert_eq!(start("<osm><node/></osm>"), 5);
    assert!(fails("<osm><node/></osm>").to_string().contains("@lat"));
    // The error is reported at `</osm>`, where `node` is still open.
    assert_eq!(start("<osm><node lat='1'></osm>"), 19);
    assert_eq!(start(""), 0);
    // As a scalar, the title would lose the text of the inner element.
    let inner = "<rss><channel><title>a <b>c</b></title></channel></rss>";
    let error = from_str::<Rss>(inner).unwrap_err();
    assert_eq!(error.span().unwrap().start, 23);
    let two = from_str::<Rss>("<rss><channel><title/></channel><channel/></rss>").unwrap_err();
    assert_eq!(two.span().unwrap().start, 32);
}

/// A document that the parser's limits have changed is rejected.
#[test]
fn rejects_documents_changed_by_limits() {
    let nested = |depth: usize| "<b>".repeat(depth) + &"</b>".repeat(depth);
    assert!(from_str::<serde_json::Value>(&nested(513)).is_ok());
    let error = from_str::<serde_json::Value>(&nested(600)).unwrap_err();
    assert!(matches!(error.event(), Some(tabulex_core::Event::Flattened { limit: 513, .. })));
    let offset = error.event().unwrap().offset();
    assert_eq!(error.span().map(|span| (span.start, span.end)), Some((offset, offset)));
    let expected = format!("nesting was flattened at depth 513 from byte {offset} on");
    assert_eq!(error.to_string(), expected);
    // A parse error before the limit event is returned instead of it; a later one may be a consequence of the limit.
    let earlier_error =
        from_str::<serde_json::Value>(&format!("<a></x>{}</a>", nested(600))).unwrap_err();
    assert_eq!((earlier_error.event(), earlier_error.span().unwrap().start), (None, 3));
    let limit_error =
        from_str::<serde_json::Value>(&format!("<a>{}</x></a>", nested(600))).unwrap_err();
    assert!(limit_error.event().is_some());
}

/// A document with dropped attributes is rejected.
#[test]
fn rejects_documents_with_dropped_attributes() {
    let attributes: String = (0..1_048_577).map(|number| format!(" a{number}=''")).collect();
    let error = from_str::<serde::de::IgnoredAny>(&format!("<a{attributes}/>")).unwrap_err();
    let event = error.event().unwrap();
    assert!(matches!(event, tabulex_core::Event::AttributesDropped { count: 1, .. }), "{error}");
}

#[test]
fn deserializes_any_type() {
    let fields: BTreeMap<String, serde_json::Value> =
        from_str("<a b='1'>x<c>2</c><c d='3'/><e/></a>").unwrap();
    let expected = serde_json::json!({
        "@b": "1", "$text": "x", "c": ["2", { "@d": "3" }], "e": "",
    });
    assert_eq!(serde_json::to_value(fields).unwrap(), expected);
}

/// A DOCTYPE before the root element is accepted, although XML-ER reports a parse error for every DOCTYPE.
#[test]
fn accepts_doctype_before_the_root() {
    for (text, is_accepted) in [
        ("<?xml version='1.0'?><!DOCTYPE a SYSTEM 'a.dtd'><a>x</a>", true),
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", true),
        ("<a>x<!DOCTYPE a></a>", false),
        ("<a>x</a><!DOCTYPE a>", false),
        ("<!DOCTYPE a", false),
    ] {
        let result = tabulex_serde::from_str::<String>(text);
        assert_eq!(result.is_ok_and(|value| value == "x"), is_accepted, "{text}");
    }
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct FeedEntry {
    title: Option<String>,
    #[serde(rename = "media:title")]
    media: Vec<String>,
    thumbnail: Option<String>,
}

#[test]
fn matches_names_with_prefixes() {
    let entry = |text: &str| -> FeedEntry { from_str(text).unwrap() };
    let expected = |title: Option<&str>, media: &[&str], thumbnail: Option<&str>| FeedEntry {
        title: title.map(str::to_owned),
        media: media.iter().map(|&it| it.to_owned()).collect(),
        thumbnail: thumbnail.map(str::to_owned),
    };
    let text =
        "<e><media:title>2</media:title><title>1</title><media:thumbnail>3</media:thumbnail></e>";
    assert_eq!(entry(text), expected(Some("1"), &["2"], Some("3")));
    assert_eq!(
        entry("<e><dc:title>1</dc:title><title>2</title></e>"),
        expected(Some("2"), &[], None)
    );
    assert_eq!(entry("<e><dc:title>1</dc:title></e>"), expected(Some("1"), &[], None));
}

#[test]
fn deserializes_nil_as_none() {
    let declaration = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'";
    let entry = |text: &str| -> FeedEntry { from_str(&text.replace("NS", declaration)).unwrap() };
    assert_eq!(entry("<e NS><title xsi:nil='true'/></e>"), FeedEntry::default());
    assert_eq!(entry("<e NS><title xsi:nil='false'/></e>").title.as_deref(), Some(""));
    assert_eq!(entry("<e><title nil='true'/></e>").title.as_deref(), Some(""));
}
