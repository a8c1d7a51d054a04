//! Trees of HTML at their limits: depth, work in steps, memory. What trees are right is the business of other suites.
//! Invariant: work is counted, never timed.

use tabulex::__private::{Builder, TokenSink};
use tabulex::html::{self, Html};
use tabulex::tree::{Edge, Positions, Tree, TreeOptions};
use tabulex::{Event, Options, Parsed};
use tabulex_tests::random::Random;

fn unlimited() -> Options {
    Options::new().depth_limit(usize::MAX).errors(false)
}

/// How many elements stand one within the other, and the letters `t` in their texts, in templates as well.
fn depth_and_letters(parsed: &Parsed) -> (usize, usize) {
    let (mut depth, mut deepest, mut letters) = (0, 0, 0);
    for edge in parsed.tree.root().walk_with_contents() {
        match edge {
            Edge::Open(node) if node.is_element() => depth += 1,
            Edge::Close(node) if node.is_element() => depth -= 1,
            Edge::Open(node) if node.is_text() => {
                letters += node.data().map_or(0, |text| text.matches('t').count());
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (deepest, letters)
}

#[test]
fn nesting_is_flattened_and_text_is_kept() {
    let shapes: &[&str] = &[
        "<div>t",
        "<b>t",
        "<table><td>t",
        "<svg><g>t",
        "<dl><dd>t",
        "<ul><li>t",
        "<form><div></form>t",
        "<template>t",
        "<b><div></b>t",
    ];
    for unit in shapes {
        let input = unit.repeat(3_000);
        let parsed = html::parse(&input, Options::new());
        let (depth, letters) = depth_and_letters(&parsed);
        assert!(depth <= 512 && letters == 3_000, "{unit}: {depth}, {letters} letters");
        let flattened = parsed.events.iter().any(|event| matches!(event, Event::Flattened { .. }));
        assert!(flattened, "{unit}: {:?}", parsed.events);
        let lifted = html::parse(&input, unlimited());
        let (depth, letters) = depth_and_letters(&lifted);
        assert!(lifted.events.is_empty() && depth > 2_000 && letters == 3_000, "{unit}: {depth}");
    }
}

#[test]
fn memory_is_limited() {
    let input = "<p class=x>text ".repeat(200_000);
    let parsed = html::parse(&input, Options::new().errors(false).memory_limit(1_000_000));
    assert!(parsed.events.iter().any(|event| matches!(event, Event::OutOfMemory { .. })));
    assert!(parsed.tree.heap_size() < 4_000_000, "{}", parsed.tree.heap_size());
    let parsed = html::parse(&input, Options::new().memory_limit(1_000_000_000));
    assert!(parsed.events.is_empty());
}

/// Nesting soup of every kind that the limit must hold: misnested formatting, blocks, tables, foreign content, templates.
const SOUP: &[&str] = &[
    "<b>t",
    "<i>t",
    "<u>t",
    "<a>t",
    "<nobr>t",
    "</b>t",
    "</i>t",
    "</u>t",
    "</a>t",
    "<div>t",
    "<div>t",
    "<div>t",
    "<p>t",
    "<button>t",
    "<ul>t",
    "<li>t",
    "<table>t",
    "<td>t",
    "<tr>t",
    "</table>t",
    "</div>t",
    "</p>t",
    "</button>t",
    "<form>t",
    "</form>t",
    "<svg>t",
    "<g>t",
    "<foreignObject>t",
    "</svg>t",
    "<span>t",
];

#[test]
fn no_soup_exceeds_the_limit() {
    const LIMIT: usize = 12;
    for seed in 1..=2_000 {
        let mut random = Random::new(seed);
        let length = 40 + random.below(200);
        let input: String = (0..length).map(|_| SOUP[random.below(SOUP.len())]).collect();
        let parsed = html::parse(&input, Options::new().depth_limit(LIMIT));
        let (depth, letters) = depth_and_letters(&parsed);
        assert!(depth <= LIMIT, "{depth} levels: {input}");
        let lifted = depth_and_letters(&html::parse(&input, unlimited()));
        assert_eq!((letters, lifted.1), (length, length), "{input}");
        assert!(lifted.0 <= LIMIT || !parsed.events.is_empty(), "{input}");
    }
}

/// A part of an input: text that is there once, or that is repeated, with `{i}` for the number of the repetition.
enum Part {
    Once(&'static str),
    Many(&'static str),
}

use Part::{Many, Once};

/// The shapes that are known for what they cost in other parsers: one megabyte of them.
const KNOWN: &[(&str, &[Part])] = &[
    ("nested div", &[Many("<div>")]),
    ("p and button", &[Many("<p><button>")]),
    ("ul and li", &[Many("<ul><li>")]),
    ("distinct attributes of a start tag", &[Once("<div"), Many(" a{i}")]),
    ("distinct attributes of an end tag", &[Once("</div"), Many(" a{i}")]),
    ("nested tables", &[Many("<table><td>")]),
    ("foster-parented text", &[Once("<table>"), Many("x<tr>")]),
    ("misnested b and i", &[Many("<b><i></b></i>")]),
];

/// Other shapes whose trees are linear in the input.
const LINEAR: &[(&str, &[Part])] = &[
    ("nested div, closed", &[Many("<div>"), Many("</div>")]),
    ("dl", &[Many("<dl>")]),
    ("dl and img", &[Many("<dl><img />")]),
    ("dd and dt", &[Many("<dd><dt>")]),
    ("li in deep div", &[Once("<ul><li>"), Many("<p><div>"), Many("<li>x</li>")]),
    ("div and span", &[Many("<div><span>")]),
    ("span", &[Many("<span>")]),
    ("span, then a name that is not open", &[Once("<p>"), Many("<span>"), Many("</x>")]),
    ("i, closed", &[Many("<i>"), Many("</i>")]),
    ("one attribute many times", &[Once("<div"), Many(" a=1")]),
    ("attributes merged into body", &[Many("<body a{i}=1>")]),
    ("tables in tables", &[Many("<table>")]),
    ("captions", &[Once("<table>"), Many("<caption>x")]),
    ("columns", &[Once("<table>"), Many("<colgroup><col>")]),
    ("foster-parented elements", &[Once("<table>"), Many("<i>x</i><tr>")]),
    ("foster-parented in nested tables", &[Many("<table>x<td>")]),
    ("misnested with blocks", &[Many("<b><i><p></b></i></p>")]),
    ("misnested b and p", &[Many("<b><p></b>x")]),
    ("misnested b and div", &[Many("<b><div></b>")]),
    ("misnested b and ul", &[Many("<b><ul>"), Many("</b>")]),
    ("links in links", &[Many("<a><div>")]),
    ("links in tables", &[Many("<a href={i}><table><td>")]),
    ("links not closed", &[Many("<a href={i}>x")]),
    ("many links adopted", &[Once("<b><div>"), Many("<a>x</a>"), Many("</b></div>")]),
    ("many distinct b, then i", &[Many("<b id={i}>"), Many("</i>")]),
    ("p above many b", &[Once("<p><button>"), Many("<b>"), Many("</p>")]),
    (
        "removed from the middle of the list, then reconstructed",
        &[Many("<b id={i}>"), Many("<i id={i}>"), Once("<u>"), Many("</i>"), Many("<p>x</p>")],
    ),
    ("alike ones removed from the middle", &[Many("<i id={i}>"), Many("<b>")]),
    (
        "moved over others in the list",
        &[Many("<b id={i}>"), Once("<u><p>"), Many("<i id={i}>"), Many("</b>")],
    ),
    (
        "moved over what was removed from the list",
        &[Many("<b id={i}>"), Many("<i id={i}>"), Once("<u><p>"), Many("</b>")],
    ),
    (
        "moved over what was removed from the stack",
        &[Many("<i id={i}>"), Once("<b>"), Many("<span>"), Once("<p></b>"), Many("</i>")],
    ),
    ("forms closed from outside", &[Many("<form><div></form>")]),
    ("g, then div closed", &[Once("<div><svg><foreignObject><svg>"), Many("<g>"), Many("</div>")]),
    ("g, then a name that is not open", &[Once("<svg>"), Many("<g>"), Many("</x>")]),
    ("g above blocks, then b closed", &[Once("<b><div><div>"), Many("<svg><g>"), Many("</b>")]),
    ("svg in HTML in svg", &[Many("<svg><foreignObject>")]),
    ("out of svg", &[Many("<svg><p>")]),
    ("tables beside deep divs", &[Many("<div>"), Many("<table></table>")]),
    ("body ended again and again", &[Many("<div>"), Many("</body>x")]),
    ("metadata after the head", &[Once("<head></head>"), Many("<meta>")]),
    ("options", &[Once("<select>"), Many("<option>x")]),
    ("groups of options", &[Once("<select>"), Many("<optgroup><option>x")]),
    ("options and content", &[Once(CONTENT), Many("<option>x")]),
    ("disabled options and content", &[Once(CONTENT), Many("<option disabled>x")]),
    (
        "disabled options, then others",
        &[Once(CONTENT), Many("<option disabled>x"), Many("<option>x")],
    ),
    ("selected options and content", &[Once(CONTENT), Many("<option selected>x")]),
    (
        "content after options",
        &[Once("<select>"), Many("<option>x"), Once(CONTENT), Many("<option>x")],
    ),
    (
        "selected content",
        &[
            Once("<select><option selected>x</option>"),
            Many("<div><selectedcontent></selectedcontent>"),
        ],
    ),
    ("templates", &[Many("<template>")]),
    ("templates, closed", &[Many("<template>"), Many("</template>")]),
    ("templates in tables", &[Many("<table><template>")]),
    ("rows in templates", &[Many("<template><tr><td>")]),
    ("forms in templates", &[Once("<template>"), Many("<form>"), Many("</form>")]),
    ("framesets", &[Many("<frameset>")]),
    ("frames", &[Once("<frameset>"), Many("<frame>")]),
    ("text", &[Many("text and more ")]),
    ("null characters", &[Many("x\0")]),
    ("headings", &[Many("<h1>")]),
    ("nobr", &[Many("<nobr>")]),
    ("ruby", &[Many("<ruby><rt>")]),
    ("beginnings of comments", &[Many("<!--")]),
    ("beginnings of CDATA sections", &[Many("a <![CDATA[")]),
    ("CDATA sections in svg", &[Once("<svg>"), Many("<![CDATA[")]),
    ("beginnings of declarations", &[Many("a <!A")]),
    ("less-than signs", &[Many("<")]),
    ("beginnings of end tags", &[Many("</")]),
    ("beginnings of references", &[Many("&CounterClockwiseContourIntegra")]),
    ("beginnings of numbers", &[Many("&#x")]),
    ("references in a value", &[Once("<a b=\""), Many("&not"), Once("\">")]),
    ("tags in a title", &[Once("<title>"), Many("<p")]),
    ("scripts in a comment in a script", &[Once("<script><!--"), Many("<script")]),
    ("doubly escaped scripts", &[Once("<script>"), Many("<!--<script>--></script>")]),
    ("a long name", &[Once("<"), Many("a")]),
    ("a long value", &[Once("<a b=\""), Many("c")]),
    ("line ends", &[Many("\r\n")]),
    ("carriage returns", &[Many("\r")]),
];

/// A select that shows what is chosen in it.
const CONTENT: &str = "<select><button><selectedcontent></selectedcontent></button>";

fn input(parts: &[Part], count: usize) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Once(once) => text += once,
            Many(repeated) if repeated.contains("{i}") => {
                (0..count).for_each(|index| text += &repeated.replace("{i}", &index.to_string()));
            }
            Many(repeated) => text += &repeated.repeat(count),
        }
    }
    text
}

/// The work that an input is: steps of the machine and of the tree builder, and the nodes that are made.
fn work(input: &str) -> f64 {
    let tree = Tree::with_options(TreeOptions::new().positions(Positions::None));
    let mut builder = Builder::<Html, Tree>::new(tree, false);
    let mut sink = TokenSink::<_, _, false, true>(&mut builder);
    tabulex::tokenize::<Html, _>(input, &mut sink);
    let steps = builder.steps();
    (steps + builder.finish().0.node_count() as u64) as f64
}

/// The most that work grows by when the input is doubled, up to N bytes.
fn growth(parts: &[Part], longest: usize) -> f64 {
    let each = (input(parts, 1_000).len() / 1_000).max(1);
    let most = longest / each;
    let works = [most / 8, most / 4, most / 2, most].map(|count| work(&input(parts, count)));
    works.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max)
}

fn check_growth(shapes: &[(&str, &[Part])], longest: usize) {
    let worst = shapes.iter().map(|(name, parts)| (name, growth(parts, longest)));
    let failed: Vec<_> = worst.filter(|(_, worst)| *worst > 2.1).collect();
    assert!(failed.is_empty(), "growth per doubling above 2.1: {failed:#?}");
}

#[test]
fn known_shapes_are_linear() {
    check_growth(KNOWN, 1_000_000);
}

#[test]
fn other_shapes_are_linear() {
    check_growth(LINEAR, 64_000);
}

/// What is counted is work: where the output itself is the square of the input, so is the number of steps.
#[test]
fn work_that_is_not_linear_shows() {
    let parts = &[Once("<p>"), Many("<b id={i}>"), Once("</p>"), Many("<p>x</p>")];
    assert!(growth(parts, 16_000) > 3.0);
}
