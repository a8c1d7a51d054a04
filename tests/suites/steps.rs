//! The prescan and the serializer beside the steps that the table of HTML gives for them, run as they stand there. It reads
//! no document. Invariant: both do the same on bytes and trees that look random.

use tabulex::encoding::Encoding;
use tabulex::html::{self, Html};
use tabulex::tree::{Namespace, NodeKind, NodeRef, ShadowRootMode};
use tabulex::{Machine, Options};
use tabulex_oracle::steps::{
    Algorithms, Attribute, Element, Kind, Node, Shadow, prescan, serialize,
};
use tabulex_tests::random::Random;
use tabulex_tests::sample;

/// The algorithms of HTML.
fn algorithms() -> Algorithms {
    let text = tabulex_tables::text("html.states").unwrap();
    Algorithms::of(&tabulex_language::parse::file(&text).0.unwrap())
}

fn named(label: &str) -> Option<String> {
    Encoding::for_label(label).ok().map(|encoding| encoding.name().to_owned())
}

/// Parts of pages that declare an encoding, or nearly.
const PARTS: &[&str] = &[
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    " ",
    "\t",
    "\n",
    "\x0C",
    "\r",
    "-",
    "--",
    "-->",
    "<!--",
    "<!-->",
    "<!--->",
    "!",
    "?",
    "<?",
    "</",
    "</a",
    "<a",
    "<meta",
    "<META",
    "<meta ",
    "<meta/",
    "<mEtA\t",
    "charset",
    "CHARSET",
    " charset=",
    "charset = ",
    "content",
    " content=",
    "http-equiv",
    " http-equiv=",
    "content-type",
    "Content-Type",
    "text/html; charset=",
    "utf-8",
    "\"utf-8\"",
    "'windows-1251'",
    "koi8-r ",
    "utf-16",
    "utf-16le",
    "x-user-defined",
    "nonsense",
    "<?xml",
    "<?xml ",
    "<?xml version='1.0' encoding=\"",
    " encoding=",
    "encoding",
    "encoding='big5'",
    "encoding \x01= \"gbk\"",
    "?>",
    "a",
    "A",
    "Z",
    "\0",
    "\u{e9}",
    "<\0?\0x\0",
    "\0<\0?\0x",
    ";",
    "<title>",
    "<meta charset=utf-8>",
    "<meta charset=\"gb18030\">",
    "<meta http-equiv=content-type content='text/html; charset=iso-8859-2'>",
    "<meta content=\"charset='euc-kr'\" http-equiv=Content-Type>",
    "<META\t",
    "<metas ",
    "CharSet='",
    "koi8-r",
    "UTF-16BE",
    "nothing",
    "refresh",
    "'text/html; charset=euc-jp'",
    "\"charset charset=gbk;a\"",
    "charset=\"latin1\"",
    "content='charset=' charset=l2",
    "->",
    "<a ",
    "<a/b='",
    "</a ",
    "</ ",
    "</3",
    "<!",
    "x",
    "<meta charset=koi8-u>",
    "<meta content='x;charset= \"big5\" ' http-equiv=content-type>",
    "<meta http-equiv='content-type' content='charset=\"gbk'>",
    "<meta charset=shift_jis/>",
];

/// What pages begin with.
const BEGINNINGS: &[&str] = &[
    "",
    "",
    "",
    "",
    "<?xml encoding='iso-8859-2'?>",
    "<?xml encoding = \"utf-16le\" ",
    "<?xml ",
    "<?xml encoding='a b'>",
    "<?xml version='1.0'\x01encoding\x02=\x03'koi8-r'?>",
    "<?xmlencoding='l3'>",
    "<?xml > encoding='l4'>",
    "<?xml encoding=x>",
    "<\0?\0x\0",
    "\0<\0?\0x",
    "<\0?\0",
    "\0<\0?\0y",
    "<?xml encoding='l5>",
    "<?xml e>coding='l4'>",
    "<?XML encoding='l4'>",
];

#[test]
fn the_prescan_does_what_the_steps_say() {
    let algorithms = algorithms();
    let mut found = 0;
    let seeds = sample::seeds("prescan", 0..200_000, 4_000);
    let count = seeds.len();
    for seed in seeds {
        let mut random = Random::new(seed + 1);
        let parts = 1 + random.below(14);
        let beginning = *random.pick(BEGINNINGS);
        let rest = (0..parts).map(|_| *random.pick(PARTS));
        let text: String = std::iter::once(beginning).chain(rest).collect();
        let mut bytes = text.into_bytes();
        if random.one_in(8) {
            bytes.truncate(random.below(bytes.len() + 1));
        }
        let ours = Html::CLUES.prescan(&bytes).map(|encoding| encoding.name().to_owned());
        let steps = prescan(&algorithms, &bytes, &named).unwrap();
        assert_eq!(ours, steps, "{}", bytes.escape_ascii());
        found += usize::from(ours.is_some());
    }
    assert!(found * 20 > count, "{found} of {count} inputs declare an encoding");
}

/// A node with all that is in it, as the steps see it.
fn node(of: NodeRef<'_>) -> Node {
    let data = || of.data().unwrap_or_default().to_owned();
    let kind = match of.kind() {
        NodeKind::Element => Kind::Element(Box::new(element(of))),
        NodeKind::Text => Kind::Text(data()),
        NodeKind::Comment => Kind::Comment(data()),
        NodeKind::ProcessingInstruction => {
            Kind::ProcessingInstruction(of.target().unwrap_or_default().to_owned(), data())
        }
        NodeKind::Doctype => Kind::DocumentType(of.doctype().unwrap_or_default().name.to_owned()),
        _ => Kind::Fragment,
    };
    Node { kind, children: of.children().map(node).collect() }
}

fn word(namespace: Namespace) -> Option<String> {
    let known = [
        (Namespace::HTML, "html"),
        (Namespace::SVG, "svg"),
        (Namespace::MATHML, "mathml"),
        (Namespace::XLINK, "xlink"),
        (Namespace::XML, "xml"),
        (Namespace::XMLNS, "xmlns"),
    ];
    let found = known.iter().find(|(other, _)| *other == namespace);
    found.map(|(_, word)| (*word).to_owned())
}

fn element(of: NodeRef<'_>) -> Element {
    let name = of.name().unwrap();
    let attributes = of.attributes().map(|attribute| {
        let name = attribute.name();
        Attribute {
            namespace: word(name.namespace()),
            local: name.local().to_owned(),
            qualified: name.to_string(),
            value: attribute.value().to_owned(),
        }
    });
    let shadow = of.shadow_root().map(|root| {
        let template = of.shadow_root_template().unwrap();
        let is_declared = |name: &str| template.attribute(name).is_some();
        let manual = template.attribute("shadowrootslotassignment");
        let set = [
            ("delegates-focus", is_declared("shadowrootdelegatesfocus")),
            ("serializable", is_declared("shadowrootserializable")),
            ("slot-assignment", manual.is_some_and(|value| value.eq_ignore_ascii_case("manual"))),
            ("clonable", is_declared("shadowrootclonable")),
        ];
        Shadow {
            is_open: of.shadow_root_mode() == Some(ShadowRootMode::Open),
            set: set.iter().filter(|(_, set)| *set).map(|(name, _)| (*name).to_owned()).collect(),
            children: root.children().map(node).collect(),
        }
    });
    Element {
        namespace: word(name.namespace()),
        local: name.local().to_owned(),
        qualified: name.to_string(),
        attributes: attributes.collect(),
        contents: of.template_contents().map(|contents| contents.children().map(node).collect()),
        shadow,
    }
}

/// Parts of pages whose trees are written in all ways.
const MARKUP: &[&str] = &[
    "<p>",
    "</p>",
    "<b x=1 y='&amp;\"<>\u{a0}'>",
    "a & b < c > d \" \u{a0}",
    "<br>",
    "<img alt='\"'>",
    "<keygen>",
    "<bgsound>",
    "<!-- c -->",
    "<!doctype html>",
    "<?target data?>",
    "<?t?>",
    "<script>a < b && c</script>",
    "<style>a > b</style>",
    "<xmp><b></xmp>",
    "<iframe><i></iframe>",
    "<noembed>&</noembed>",
    "<noframes><</noframes>",
    "<noscript><p>&</noscript>",
    "<textarea>\n&</textarea>",
    "<title>&lt;</title>",
    "<plaintext><a>",
    "<template><b>x</b>",
    "</template>",
    "<table><tr><td>",
    "</table>",
    "<svg xlink:href=a xml:lang=b xmlns:xlink=c d:e=f viewbox=g>",
    "</svg>",
    "<math><mi>&",
    "</math>",
    "<style>",
    "</style>",
    "<foreignObject>",
    "<select><option>",
    "<pre>\n\n",
    "<input value='\u{a0}&'>",
    "<param>",
    "<frame>",
    "<div>",
    "</div>",
    "<template shadowrootmode=open shadowrootserializable shadowrootclonable><slot>",
    "<template shadowrootmode=closed shadowrootserializable shadowrootdelegatesfocus shadowrootslotassignment=Manual>&",
    "<template shadowrootmode=open>",
    "<a href='?a=1&b=2'>",
];

#[test]
fn the_serializer_does_what_the_steps_say() {
    let algorithms = algorithms();
    for seed in sample::seeds("serializer", 0..100_000, 1_000) {
        let mut random = Random::new(seed + 1);
        let parts = 1 + random.below(16);
        let page: String = (0..parts).map(|_| *random.pick(MARKUP)).collect();
        let scripting = random.one_in(2);
        let shadows = random.one_in(2);
        let options = Options::new().scripting(scripting).declarative_shadow_roots(true);
        let parsed = html::parse(&page[..], options);
        let root = parsed.tree.root();
        let ours =
            html::serializer().scripting(scripting).serializable_shadow_roots(shadows).inner(root);
        let steps = serialize(&algorithms, &node(root), scripting, shadows).unwrap();
        assert_eq!(ours, steps, "{page}");
        // Each node by itself, whose children are written otherwise than the document's.
        for one in root.descendants().filter(|one| one.kind() == NodeKind::Element) {
            let ours = html::serializer()
                .scripting(scripting)
                .serializable_shadow_roots(shadows)
                .inner(one);
            let steps = serialize(&algorithms, &node(one), scripting, shadows).unwrap();
            assert_eq!(ours, steps, "{}, within {page}", one.name().unwrap());
        }
    }
}
