//! Random inputs for the steps of the encoding prescan and of serialization, determined by the random numbers.

use crate::interpreted::Table;
use crate::random::Random;
use tabulex::tree::NodeRef;
use tabulex::{Dialect, Options};
use tabulex_oracle::interpreter::tree::document::{ParseOptions, parse};
use tabulex_oracle::interpreter::tree::{NodeId, Tree};
use tabulex_oracle::steps::serialize;

/// Parts of pages that declare an encoding, or nearly do.
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

/// Starts of pages.
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

/// Bytes for individual steps of the prescan that are unlikely to arise by chance.
pub const PRESCAN_INPUTS: &[&str] = &[
    "<meta charset=utf-16>",
    "<meta charset=utf-16be>",
    "<meta charset=x-user-defined>",
    "<meta  = charset=koi8-r>",
    "<meta charset =koi8-r>",
    "<meta charset  =koi8-r>",
    "<meta charset=  \"koi8-r\">",
    "<meta charset=\"KOI8-R\">",
    "<meta charset=KOI8-R>",
    "<meta charset=><meta charset=koi8-r>",
    "<meta http-equiv= content-type content=charset=koi8-r>",
    "<meta http-equiv=\"content-type\"content=\"charset=koi8-r\">",
    "<?xml encodingx'koi8-r'?>",
    "<?xml encoding=xkoi8-rx?>",
    "<?xml encoding='koi8-r '?>",
    "<?xml encoding='koi8-r?>",
    "<?xml version='1.0'?>",
    "<?xml encoding='koi8-r'",
];

/// Returns the bytes of a random page that declares an encoding, or nearly does.
pub fn page_declaring_encoding(random: &mut Random) -> Vec<u8> {
    let parts = 1 + random.below(14);
    let beginning = *random.pick(BEGINNINGS);
    let others = (0..parts).map(|_| *random.pick(PARTS));
    let text: String = std::iter::once(beginning).chain(others).collect();
    let mut bytes = text.into_bytes();
    if random.one_in(8) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// Parts of pages whose trees are serialized.
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

/// Returns a random page to serialize.
pub fn page(random: &mut Random) -> String {
    let parts = 1 + random.below(16);
    (0..parts).map(|_| *random.pick(MARKUP)).collect()
}

/// Returns the tree of the page, with the shadow roots that it declares.
///
/// # Panics
/// If the table has no modes, or a run of it gets stuck.
pub fn tree(table: &Table, page: &str, scripting: bool) -> Tree {
    let flags = [("scripting", scripting), ("declarative-shadow-roots", true)];
    let flags = flags.map(|(name, is_set)| (name.to_owned(), u8::from(is_set))).to_vec();
    let options = ParseOptions { flags, ..ParseOptions::default() };
    parse(table.interpreter(), page, &options).expect("the interpreter does not get stuck").tree
}

/// Returns the document and all its descendants, in tree order.
fn in_tree_order(tree: &Tree) -> Vec<NodeId> {
    let (mut all, mut pending) = (Vec::new(), vec![0]);
    while let Some(node) = pending.pop() {
        all.push(node);
        pending.extend(tree.nodes[node].children.iter().rev());
    }
    all
}

/// Returns a difference between the outputs of the dialect's serializer and of the steps in the table, for a node of a
/// random page. The document and each element is written by itself, since the children of an element are
/// serialized differently than those of the document.
///
/// # Panics
/// If the dialect does not build HTML trees, or the steps end without a string.
pub fn serialized_difference(dialect: &Dialect, table: &Table, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let page = page(&mut random);
    let scripting = random.one_in(2);
    let serializer = dialect.serializer().expect("the dialect builds HTML trees");
    // Without the names of their attributes, the runtime writes no shadow roots.
    let has_names =
        serializer.names().steps.is_some() || std::ptr::eq(dialect, &tabulex::html::DIALECT);
    let writes_shadow_roots = random.one_in(2) && has_names;
    let options = Options::new().scripting(scripting).declarative_shadow_roots(true);
    let parsed = dialect.parser(&options).expect("the dialect builds trees").parse(&page);
    let root = parsed.tree.root();
    let tree = tree(table, &page, scripting);
    let nodes: Vec<NodeRef<'_>> = std::iter::once(root).chain(root.descendants()).collect();
    let interpreted_nodes = in_tree_order(&tree);
    if nodes.len() != interpreted_nodes.len() {
        return Some(format!(
            "{page}: {} nodes, {} by the steps",
            nodes.len(),
            interpreted_nodes.len()
        ));
    }
    let is_written = |node: &NodeRef<'_>| *node == root || node.is_element();
    nodes.into_iter().zip(interpreted_nodes).filter(|(node, _)| is_written(node)).find_map(
        |(node, interpreted_node)| {
            let serializer =
                serializer.scripting(scripting).serializable_shadow_roots(writes_shadow_roots);
            let native = serializer.inner(node);
            let steps =
                serialize(table.machine(), &tree, interpreted_node, scripting, writes_shadow_roots)
                    .expect("the steps return a string");
            let name = node.name().map(|name| name.to_string());
            let describe = || format!("{name:?} within {page}: {native:?}, by the steps {steps:?}");
            (native != steps).then(describe)
        },
    )
}
