//! HTML as the Living Standard describes it: tokenizer and tree construction. Everything but the entry points is
//! generated from the table `html.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use std::borrow::Cow;
use std::io::{self, Read};
use tabulex_core::tree::{HierarchyError, HtmlSerializer, NodeId, ShadowRootNames, Tree};
use tabulex_core::{Adjacent, FragmentContext, Fragments, Options, Parsed, TokenReader};

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, ProcessingInstruction, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/html.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// The dialect as a value, for programs that choose a dialect at run time.
pub static DIALECT: tabulex_core::Dialect =
    <Html as tabulex_core::Machine>::DIALECT.with_serializer(serializer());

tabulex_core::__private::entry_points! {
    Html:
    /// Returns the tokens of the input, starting in the data state. Ranges index the input, including a byte order
    /// mark. The contents of scripts, styles, titles and the like are text, as in tree construction;
    /// [`Tokens::new`](tabulex_core::Tokens::new) lists what depends on a tree.
    ///
    /// ```
    /// use tabulex::html::{self, Token};
    ///
    /// let page = "<title>a <b></title><script>'<p>'</script><p>";
    /// let tags = |tokens: tabulex::Tokens<'_, html::Html>| {
    ///     tokens.filter(|token| matches!(token, Token::StartTag(_))).count()
    /// };
    /// assert_eq!(tags(html::tokens(page)), 3);
    /// assert_eq!(tags(html::raw_tokens(page)), 5);
    /// ```
    tokens;
    raw_tokens;
    /// Parses a whole document. Ranges index the input, including a byte order mark, which is not part of the document.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let parsed = html::parse("<!DOCTYPE html><p>One<p>Two", Options::new());
    /// let words: Vec<String> = parsed.tree.root().descendants()
    ///     .filter(|node| node.local_name() == Some("p"))
    ///     .map(|node| node.text())
    ///     .collect();
    /// assert_eq!(words, ["One", "Two"]);
    /// ```
    parse;
    /// Parses a whole document given as bytes. The encoding is that of a byte order mark, of the options, or of a
    /// declaration in the first bytes or later in the document. Undeclared bytes are decoded as UTF-8 if they are valid
    /// UTF-8, and as windows-1252 otherwise; [`Hints::autodetect`](tabulex_core::encoding::Hints::autodetect) can
    /// restore the standard's default. [`Parsed::encoding`] returns the encoding.
    ///
    /// Ranges index the bytes if those are valid UTF-8, otherwise the text of
    /// [`decode`](tabulex_core::encoding::decode). They include a byte order mark, which is not part of the document.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let parsed = html::parse_bytes(b"\xEF\xBB\xBF<p>x", Options::new());
    /// assert_eq!((parsed.tree.root().text().as_str(), parsed.encoding.encoding.name()), ("x", "UTF-8"));
    /// ```
    parse_bytes;
    parser_type;
}

/// Returns a reader of the same tokens as [`tokens`](fn@tokens). Each token is borrowed until the next call, so that
/// there is no allocation per token.
///
/// ```
/// use tabulex::{TokenRef, html};
///
/// let mut tokens = html::read_tokens("<title>a < b</title>");
/// let mut text = String::new();
/// while let Some(token) = tokens.next_token() {
///     if let TokenRef::Text(piece, _) = token {
///         text += piece;
///     }
/// }
/// assert_eq!(text, "a < b");
/// ```
pub fn read_tokens(input: &str) -> TokenReader<'_, Html> {
    TokenReader::new(input)
}

/// Parses a fragment, whose nodes become the children of the resulting tree's document element. The fragment is parsed
/// as the contents of the context element, given by a name such as `td`, prefixed by `svg ` or `math ` for SVG and
/// MathML. Ranges index the input, in which a byte order mark is an ordinary character.
///
/// ```
/// use tabulex::{Options, html};
///
/// let parsed = html::parse_fragment("<td>x", "tr", Options::new());
/// let cell = parsed.tree.document_element().unwrap().first_child().unwrap();
/// assert_eq!(cell.local_name(), Some("td"));
/// ```
pub fn parse_fragment(
    input: &str,
    context: impl Into<FragmentContext>,
    options: Options,
) -> Parsed {
    tabulex_core::parse_fragment::<Html>(input, &context.into(), &options)
}

/// Replaces the contents of an element with markup, as setting `innerHTML` does; for a template, the template contents.
/// Returns the parsed fragment and its errors; the element gets copies of the fragment's nodes.
///
/// ```
/// use tabulex::{Options, html};
///
/// let mut tree = html::parse("<table><tr id=row>", Options::new()).tree;
/// let row = tree.element_by_id("row").unwrap().id();
/// html::set_inner(&mut tree, row, "<td>1<td>2", &Options::new())?;
/// assert_eq!(html::serializer().inner(tree.node(row)), "<td>1</td><td>2</td>");
/// # Ok::<(), tabulex::tree::HierarchyError>(())
/// ```
///
/// # Errors
///
/// If the node is not an element; the tree is unchanged then.
pub fn set_inner(
    tree: &mut Tree,
    element: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    Fragments::of::<Html>().set_inner(tree, element, markup, options)
}

/// Replaces a node with markup, as setting `outerHTML` does. The markup is parsed as contents of the node's parent, or
/// of a `body` if that parent is a fragment (template contents or a shadow root).
///
/// # Errors
///
/// If the node's parent is neither an element nor a fragment; the tree is unchanged then.
pub fn set_outer(
    tree: &mut Tree,
    node: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    Fragments::of::<Html>().set_outer(tree, node, markup, options)
}

/// Inserts markup into an element or adjacent to it, as `insertAdjacentHTML` does.
///
/// ```
/// use tabulex::{Adjacent, Options, html};
///
/// let mut tree = html::parse("<p><b id=b>1</b>", Options::new()).tree;
/// let b = tree.element_by_id("b").unwrap().id();
/// for (place, markup) in [(Adjacent::BeforeBegin, "0<!---->"), (Adjacent::BeforeEnd, "<i>2")] {
///     html::insert_adjacent(&mut tree, b, place, markup, &Options::new())?;
/// }
/// let p = tree.node(b).parent().unwrap();
/// assert_eq!(html::serializer().inner(p), "0<!----><b id=\"b\">1<i>2</i></b>");
/// # Ok::<(), tabulex::tree::HierarchyError>(())
/// ```
///
/// # Errors
///
/// If the node that the markup would be inserted into is neither an element nor a fragment; the tree is unchanged then.
pub fn insert_adjacent(
    tree: &mut Tree,
    element: NodeId,
    position: Adjacent,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    Fragments::of::<Html>().insert_adjacent(tree, element, position, markup, options)
}

/// Creates an incremental parser. Ranges index the concatenation of all chunks, as those of [`parse`] and
/// [`parse_bytes`] index a whole input.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// Returns a serializer that writes nodes as HTML.
///
/// ```
/// use tabulex::{Options, html};
///
/// let parsed = html::parse_fragment("a<br>b &lt; c<style>d < e", "div", Options::new());
/// let root = parsed.tree.document_element().unwrap();
/// assert_eq!(html::serializer().inner(root), "a<br>b &lt; c<style>d < e</style>");
/// ```
///
/// Shadow roots that are declared serializable can also be written:
///
/// ```
/// use tabulex::{Options, html};
///
/// let page = "<p><template shadowrootmode=open shadowrootserializable><slot></slot></template>x</p>";
/// let parsed = html::parse(page, Options::new().declarative_shadow_roots(true));
/// let body = parsed.tree.document_element().unwrap().last_child().unwrap();
/// assert_eq!(html::serializer().inner(body), "<p>x</p>");
/// assert_eq!(
///     html::serializer().serializable_shadow_roots(true).inner(body),
///     "<p><template shadowrootmode=\"open\" shadowrootserializable=\"\"><slot></slot></template>x</p>"
/// );
/// ```
pub const fn serializer() -> HtmlSerializer<'static> {
    HtmlSerializer::new(&<Html as tabulex_core::Construction>::SERIALIZATION)
        .shadow_root_names(&SHADOW_ROOT)
}

/// Escapes text for use between tags (HTML, "escaping a string").
///
/// ```
/// assert_eq!(tabulex::html::escape_text("1 < 2 & \"3\""), "1 &lt; 2 &amp; \"3\"");
/// ```
pub fn escape_text(text: &str) -> Cow<'_, str> {
    tabulex_core::__private::escape(text, false)
}

/// Escapes text for use in an attribute value in double quotes.
///
/// ```
/// assert_eq!(tabulex::html::escape_attribute("1 < \"3\""), "1 &lt; &quot;3&quot;");
/// ```
pub fn escape_attribute(value: &str) -> Cow<'_, str> {
    tabulex_core::__private::escape(value, true)
}

/// Replaces the character references in text with the characters that they stand for. All other text is unchanged,
/// including `<`.
///
/// ```
/// use tabulex::html::unescape;
///
/// assert_eq!(unescape("Caf&eacute; &#x26; &notit; &amp &unknown; <"), "Caf\u{E9} & \u{AC}it; & &unknown; <");
/// ```
pub fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first_reference) = text.find('&') else { return text.into() };
    let (before, mut remaining) = text.split_at(first_reference);
    let mut unescaped = before.to_owned();
    while !remaining.is_empty() {
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
        let name_len = remaining.bytes().skip(1).take_while(is_in_name).count();
        let end = 1 + name_len + usize::from(remaining[1 + name_len..].starts_with(';'));
        let (reference, after_reference) = remaining.split_at(end);
        unescaped.extend(raw_tokens(reference).filter_map(|token| match token {
            Token::Text(text, _) => Some(text),
            _ => None,
        }));
        let next_reference = after_reference.find('&').unwrap_or(after_reference.len());
        unescaped.push_str(&after_reference[..next_reference]);
        remaining = &after_reference[next_reference..];
    }
    unescaped.into()
}

/// Parses a whole document from a reader, which is read to its end; see [`parse_bytes`].
///
/// ```
/// use tabulex::{Options, html};
///
/// let page = std::io::Cursor::new("<meta charset=windows-1251><p>x");
/// let parsed = html::parse_reader(page, Options::new())?;
/// assert_eq!(parsed.tree.root().text(), "x");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the reader.
pub fn parse_reader(reader: impl Read, options: Options) -> io::Result<Parsed> {
    tabulex_core::parse_reader::<Html>(reader, &options)
}

/// The attribute names for serializing declarative shadow roots. They are not in the table, because only DOM's `getHTML`
/// needs them.
const SHADOW_ROOT: ShadowRootNames<'static> = ShadowRootNames {
    serializable: "shadowrootserializable",
    attributes: &[
        ("shadowrootdelegatesfocus", None),
        ("shadowrootserializable", None),
        ("shadowrootslotassignment", Some("manual")),
        ("shadowrootclonable", None),
        ("shadowrootcustomelementregistry", None),
    ],
};
