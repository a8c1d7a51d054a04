//! Selectors on trees: the cases of `cases.txt`, complexity, and robustness against arbitrary text.

use tabulex::select::{Index, Query, Selector, Syntax};
use tabulex::tree::{Namespace, NodeRef, Tree};

fn tree(page: &str) -> Tree {
    tabulex::html::parse(page, tabulex::Options::default()).tree
}

fn ids(nodes: impl Iterator<Item = NodeRef<'static>>) -> Vec<&'static str> {
    nodes.map(|node| node.attribute("id").unwrap_or("")).collect()
}

#[test]
fn selects_the_elements_of_the_cases() {
    let (mut page, mut is_in_page, mut current_tree) = (String::new(), false, None);
    let mut failures = Vec::new();
    let mut case_count = 0;
    for (line_index, line) in include_str!("cases.txt").lines().enumerate() {
        if line == "#document" {
            (is_in_page, current_tree) = (true, None);
            page.clear();
            continue;
        }
        let case = line.split_once(" => ").or_else(|| Some((line.strip_suffix(" =>")?, "")));
        let error = line.split_once(" !! ").or_else(|| Some(("", line.strip_prefix("!! ")?)));
        if is_in_page && (case.is_some() || error.is_some()) {
            is_in_page = false;
            // The tree is leaked, because results borrow from it until the end of the test.
            current_tree = Some(&*Box::leak(Box::new(tree(&page))));
        }
        let Some(tree) = current_tree.filter(|_| !is_in_page) else {
            page += line;
            page.push('\n');
            continue;
        };
        case_count += 1;
        if let Some((text, message)) = error {
            let actual = Selector::parse(text).map_err(|error| error.message().to_owned());
            if actual.as_ref().err().map(String::as_str) != Some(message) {
                failures.push(format!(
                    "line {}: {text:?} gives {actual:?}, not {message:?}",
                    line_index + 1
                ));
            }
        } else if let Some((text, expected)) = case {
            let actual = match Selector::parse(text) {
                Ok(selector) => select_all_ways(tree, &selector).join(" "),
                Err(error) => error.to_string(),
            };
            if actual != expected {
                failures.push(format!(
                    "line {}: {text:?} selects {actual:?}, not {expected:?}",
                    line_index + 1
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(case_count > 70, "{case_count} cases");
}

/// Returns the ids of the selected elements, after checking that all ways to select them agree.
fn select_all_ways(tree: &'static Tree, selector: &Selector) -> Vec<&'static str> {
    let selected_ids = ids(tree.root().select(selector));
    let one_by_one = tree.root().descendants().filter(|node| node.matches(selector));
    let index = Index::new(tree.root());
    // The index lists elements by attributes for the second selector that requires one.
    for round in 1..=2 {
        let indexed_ids = ids(index.select(tree, selector));
        assert_eq!(selected_ids, indexed_ids, "{selector}: selected through the index ({round})");
    }
    let text = selector.to_string();
    if !text.contains(":scope") {
        assert_eq!(selected_ids, ids(one_by_one), "{text}: matched one by one");
    }
    if !text.contains(":scope") {
        let nested = format!(":is({text}):not(:has(no-such-element))");
        let nested: Selector = nested.parse().unwrap_or_else(|error| panic!("{nested}: {error}"));
        assert_eq!(
            selected_ids,
            ids(tree.root().select(&nested)),
            "{text}: selected within `:is()`"
        );
    }
    let one_by_one = tree.root().descendants().filter(|node| selector.matches(*node));
    assert_eq!(selected_ids, ids(one_by_one), "{text}: matched by `Selector::matches`");
    let first_id = tree.root().select_first(selector).and_then(|node| node.attribute("id"));
    assert_eq!(first_id, selected_ids.first().copied(), "{text}: `select_first`");
    let reparsed: Selector = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&reparsed, selector, "{text}: reparsed selector");
    assert_eq!(
        ids(tree.root().select(&reparsed)),
        selected_ids,
        "{text}: selected by the reparsed selector"
    );
    selected_ids
}

#[test]
fn queried_node_is_the_scope() {
    let tree = tree("<div id=a><p id=b><b id=c></b></p></div><div id=d></div>");
    let div = tree.root().descendants().find(|node| node.attribute("id") == Some("a")).unwrap();
    let select = |text: &str| {
        let selector = Selector::parse(text).unwrap();
        let found = div.select(&selector).map(|node| node.attribute("id").unwrap().to_owned());
        found.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(select(":scope > p"), "b");
    assert_eq!(select("body b"), "c");
    assert_eq!(select("div"), "");
    let bold = div.select_first(&"b".parse().unwrap()).unwrap();
    assert_eq!(bold.closest(&"div".parse().unwrap()), Some(div));
    assert_eq!(bold.closest(&"b".parse().unwrap()), Some(bold));
    assert_eq!(bold.closest(&"i".parse().unwrap()), None);
}

/// Asserts that a query, an index and a matcher each select the expected number of elements, together with at most 30
/// reads of the tree per byte of the page. Inspecting all siblings for each element would take thousands.
fn assert_linear(page: &str, cases: &[(&str, usize)]) {
    let tree = tree(page);
    let root = tree.root();
    let index = Index::new(root);
    for (text, expected) in cases {
        let selector = Selector::parse(text).unwrap();
        let reads_before = tabulex::__private::reads();
        assert_eq!(root.select(&selector).count(), *expected, "{text}: selected by a query");
        assert_eq!(
            index.select(&tree, &selector).count(),
            *expected,
            "{text}: selected through an index"
        );
        let mut matcher = selector.matcher(&tree, Some(root));
        let matching = root.descendants().filter(|node| matcher.matches(*node));
        assert_eq!(matching.count(), *expected, "{text}: matched one by one");
        let reads = tabulex::__private::reads() - reads_before;
        assert!(
            0 < reads && reads < 30 * page.len() as u64,
            "{text}: {reads} reads of a page of {} bytes",
            page.len()
        );
    }
}

/// Earlier siblings are not inspected again for each element.
#[test]
fn matches_siblings_in_linear_time() {
    const COUNT: usize = 100_000;
    let page = format!("<b class=x></b>{}<b class=y></b><u></u>", "<i></i>".repeat(COUNT));
    assert_linear(
        &page,
        &[
            (".x ~ i", COUNT),
            (".y ~ i", 0),
            (".y ~ u", 1),
            ("i ~ .x ~ i", 0),
            ("b ~ i ~ i", COUNT - 1),
            ("u ~ i, .y ~ i, i ~ u", 1),
            (":is(.x ~ i)", COUNT),
            (":not(.y ~ i):is(.y ~ *)", 1),
            ("i:has(~ u)", COUNT),
            (":has(~ .x), i:has(~ .x ~ u)", 0),
            ("i:has(+ i + i + .y)", 1),
            (":nth-child(2n of .x ~ i)", COUNT / 2),
            (":nth-last-child(1 of .y ~ *)", 1),
            ("*|b ~ *|u", 1),
        ],
    );
}

/// Earlier siblings are not inspected again when elements with other siblings are matched in between.
#[test]
fn matches_siblings_with_contents_in_linear_time() {
    const COUNT: usize = 50_000;
    let page =
        "<div><u></u></div>".to_owned() + &"<b></b><i><s></s><b></b><b></b></i>".repeat(COUNT);
    assert_linear(
        &page,
        &[
            ("u ~ b", 0),
            ("u ~ b, s ~ b", 2 * COUNT),
            ("i ~ b", COUNT - 1),
            ("div ~ b b, div ~ b", COUNT),
            ("b ~ i ~ u, u ~ i ~ b", 0),
            ("div ~ i > s ~ b", 2 * COUNT),
            ("u ~ i > s ~ b", 0),
        ],
    );
}

/// Counting positions is linear even if each sibling has another type.
#[test]
fn counts_positions_in_linear_time() {
    const COUNT: usize = 50_000;
    let page: String = (0..COUNT).map(|number| format!("<i{number}></i{number}><b></b>")).collect();
    assert_linear(
        &page,
        &[
            // Matches each `i…`, the first `b`, and `html`, `head` and `body`.
            (":first-of-type", COUNT + 4),
            (":nth-last-of-type(2)", 1),
            ("body > :only-of-type", COUNT),
            ("b ~ b:nth-child(4n)", COUNT / 2),
            ("b:nth-last-of-type(2n) ~ :nth-last-child(-n + 3)", 3),
            (":not(:last-of-type)", COUNT - 1),
            (":is(b ~ :first-of-type)", COUNT - 1),
        ],
    );
}

/// Ancestors and descendants are not inspected again for each element.
#[test]
fn matches_ancestors_and_descendants_in_linear_time() {
    const COUNT: usize = 20_000;
    let deep = "<div>".repeat(500) + &"<b></b>".repeat(COUNT);
    assert_linear(
        &format!("<body lang=en>{deep}"),
        &[
            ("div:not(:lang(en)) b", 0),
            ("div:has(u) b", 0),
            ("div:has(b ~ b) > b", COUNT),
            (":has(:not(u) b)", 501),
            (":is(div u b, div div b)", COUNT),
            ("u div b, div > u ~ b", 0),
            (":not(div b)", 503),
        ],
    );
}

/// The children of a fieldset are not searched for each control in its legend, which may be the last child.
#[test]
fn matches_controls_in_a_late_legend_in_linear_time() {
    const COUNT: usize = 100_000;
    let (before, controls) = ("<i></i>".repeat(COUNT), "<input>".repeat(COUNT));
    let page = format!(
        "<fieldset disabled>{before}<legend>{controls}</legend><legend><input></legend></fieldset>"
    );
    assert_linear(&page, &[("input:enabled", COUNT), ("input:disabled", 1)]);
}

/// A language is compared once, regardless of its length and of the number of elements that inherit it.
#[test]
fn compares_long_languages_once() {
    const COUNT: usize = 100_000;
    let page = format!("<body lang='en{}'>{}", "-a".repeat(2 * COUNT), "<i></i>".repeat(COUNT));
    assert_linear(
        &page,
        &[
            (":lang(en-b)", 0),
            ("i:lang(en):empty", COUNT),
            ("i:lang('*-a') ~ i:lang(en)", COUNT - 1),
        ],
    );
}

/// The text that decides a direction is read once.
#[test]
fn reads_texts_with_a_direction_once() {
    const COUNT: usize = 20_000;
    let page = "<div dir=auto>1".repeat(400) + &"<b>1</b>".repeat(COUNT) + "א";
    assert_linear(&page, &[("b:dir(rtl)", COUNT), (":dir(rtl)", COUNT + 1), ("b:dir(ltr)", 0)]);
}

/// Attributes of ancestors are inspected once.
#[test]
fn inspects_long_tags_of_ancestors_once() {
    const COUNT: usize = 40_000;
    let attributes: String = (0..COUNT).map(|number| format!(" a{number}")).collect();
    let page = format!(
        "<div{attributes}><optgroup{attributes} disabled lang=en>{}</optgroup>{}",
        "<option></option>".repeat(COUNT),
        "<fieldset><input></fieldset>".repeat(COUNT),
    );
    assert_linear(
        &page,
        &[
            ("option:disabled", COUNT),
            ("option:enabled", 0),
            ("input:disabled", 0),
            (":lang(en)", COUNT + 1),
            ("input:lang(en)", 0),
        ],
    );
}

#[test]
fn nearest_ancestor_declares_the_language() {
    let tree = tree("<p lang=en><b><i></i></b><u lang=de><i></i><s></s></u><i></i></p><i></i>");
    for (selector, expected) in [
        ("i:lang(en)", 2),
        (":lang(en)", 4),
        (":lang(de)", 3),
        ("i:not(:lang(de, en))", 1),
        ("i:lang(en), i:lang(de)", 3),
    ] {
        let selector = Selector::parse(selector).unwrap();
        assert_eq!(tree.root().select(&selector).count(), expected, "{selector}");
        assert_eq!(
            Index::new(tree.root()).select(&tree, &selector).count(),
            expected,
            "{selector}"
        );
    }
}

#[test]
fn queries_template_contents_separately() {
    let tree = tree("<template id=t><p id=p><b></b></p></template>");
    let template = tree.root().select_first(&"template".parse().unwrap()).unwrap();
    let contents = template.template_contents().unwrap();
    assert_eq!(contents.select(&"p > b".parse().unwrap()).count(), 1);
    assert_eq!(contents.select(&"template p".parse().unwrap()).count(), 0);
    assert_eq!(contents.select(&":root".parse().unwrap()).count(), 0);
}

#[test]
fn specificity_counts_ids_classes_and_names() {
    for (text, [ids, classes, elements]) in [
        ("*", [0, 0, 0]),
        ("li", [0, 0, 1]),
        ("ul ol + li.red[a]:first-child", [0, 3, 3]),
        ("#x:not(em, .a#y)", [2, 1, 0]),
        (":where(#a) :is(b, .c)", [0, 1, 0]),
        ("a, #b, .c", [1, 0, 0]),
    ] {
        let specificity = Selector::parse(text).unwrap().specificity();
        assert_eq!(
            [specificity.ids, specificity.classes, specificity.elements],
            [ids, classes, elements],
            "{text}"
        );
    }
}

#[test]
fn error_has_the_range_of_the_faulty_token() {
    for (text, faulty, message) in [
        ("div > p:unknown(x)", ":unknown(x)", "unknown pseudo-class or pseudo-element"),
        ("p:unknown + a", ":unknown", "unknown pseudo-class or pseudo-element"),
        ("a, p::before, b", "::before", "unknown pseudo-class or pseudo-element"),
        ("a:not(b:unknown) c", ":not(b:unknown)", "unknown pseudo-class or pseudo-element"),
        ("a :not() b", ":not()", "expected a selector"),
        ("a [b=] c", "[b=]", "unexpected token"),
        ("a b[", "[", "unexpected token"),
        ("a ..b", "..", "expected a name after `.`"),
        ("a x|b c", "x|", "unknown namespace prefix"),
        ("a, b ! c", "!", "expected a selector after the combinator"),
        ("a, b > > c", ">", "expected a selector after the combinator"),
        ("/* > */ a b(c) d", "b(", "expected a selector after the combinator"),
        ("a/**/) b", ")", "unexpected token"),
    ] {
        let error = Selector::parse(text).unwrap_err();
        assert_eq!((&text[error.range()], error.message()), (faulty, message), "{text}");
    }
    for (text, offset) in [("a, b > , c", 7), ("a, , c", 3), ("", 0), ("a,", 2), ("a > ", 4)] {
        assert_eq!(Selector::parse(text).unwrap_err().range(), offset..offset, "{text}");
    }
    let error = Selector::parse("a, b > , c").unwrap_err().to_string();
    let message = "expected a selector after the combinator";
    assert_eq!(error, format!("invalid selector at bytes 7..7: {message}"));
}

#[test]
fn results_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + std::panic::RefUnwindSafe>(value: T) -> T {
        value
    }
    let (tree, selector) = (tree("<p>1<p>2<b>3"), "p ~ p".parse().unwrap());
    assert_eq!(shared(tree.root().select(&selector)).count(), 1);
}

#[test]
fn selectors_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    shared(&Selector::parse("a").unwrap());
}

#[test]
fn rejects_selectors_too_large_for_a_small_stack() {
    let nested_selector = |depth: usize| format!("{}a{}", ":not(".repeat(depth), ")".repeat(depth));
    let long_selector = |length: usize| format!("{}a", "a>".repeat(length / 2));
    assert!(
        Selector::parse(&nested_selector(100_000)).unwrap_err().message().contains("32 levels")
    );
    assert!(Selector::parse(&long_selector(100_000)).unwrap_err().message().contains("2048 bytes"));
    assert!(Selector::parse(&"a,".repeat(100_000).replace(",", ", ")).is_err());
    let page = "<a>".repeat(3) + &"<div>".repeat(1200);
    let run = move || {
        let tree = tree(&page);
        for text in
            [nested_selector(32), long_selector(2000), "div ".repeat(500), ":is(".repeat(32) + "a"]
        {
            let selector = Selector::parse(&text).unwrap_or_else(|error| panic!("{error}"));
            tree.root().select(&selector).count();
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}

#[test]
fn lists_are_equal_if_all_selectors_are() {
    let parse = |text: &str| Selector::parse(text).unwrap();
    assert_eq!(parse("a,b"), parse("a , b"));
    for other in ["a", "b", "a, c", "b, a", "a, b, c"] {
        assert_ne!(parse("a, b"), parse(other));
        assert_ne!(parse(other), parse("a, b"));
    }
}

#[test]
fn accepts_selectors_up_to_the_limits() {
    let nested_selector = |depth: usize| format!("{}a{}", ":not(".repeat(depth), ")".repeat(depth));
    let long_selector = |length: usize| "a".repeat(length);
    for text in [
        nested_selector(32),
        long_selector(2048),
        format!("{0},{0}", long_selector(2048)),
        ":not(a)".repeat(40),
        // Brackets in strings and escaped brackets do not count as nested.
        format!("[a=\"'{}\"]", "(".repeat(40)),
        format!("[a='\"{}']", "[".repeat(40)),
        format!(".a{}", "\\(".repeat(1023)),
    ] {
        assert!(Selector::parse(&text).is_ok(), "{text}");
    }
    let (brackets, bytes) =
        ("brackets nested deeper than 32 levels", "selector longer than 2048 bytes");
    for (text, message) in [
        (nested_selector(33), brackets),
        (format!("[a=\"'\"]{}", nested_selector(33)), brackets),
        (format!("[a='x']{}", nested_selector(33)), brackets),
        (long_selector(2049), bytes),
        (format!("a,{}", long_selector(2049)), bytes),
        // Quotation marks and commas in comments, and closing brackets of another kind, do not count.
        (format!("/*\"*/{}", nested_selector(33)), brackets),
        (format!("{}/*,*/a", "a+".repeat(1023)), bytes),
        (":is(],".repeat(40), brackets),
        // A list in brackets is part of one selector, whose length is limited as a whole.
        (format!(":is({}a)", "a,".repeat(1100)), bytes),
        (format!(".{}", "\\(".repeat(1024)), bytes),
    ] {
        let error = Selector::parse(&text).unwrap_err();
        assert_eq!((error.message(), error.range()), (message, 0..text.len()));
    }
}

#[test]
fn resolves_declared_prefixes_only() {
    let tree = tree("<title id=t>1</title><svg id=s><title id=st>2</title></svg><a id=a></a>");
    let select = |text: &str, namespaces: &[(&str, &str)]| {
        let selector = Selector::parse_with(text, &Syntax::new().namespaces(namespaces)).unwrap();
        let nested = format!("{text}:not(:has(x))");
        let nested = Selector::parse_with(&nested, &Syntax::new().namespaces(namespaces)).unwrap();
        let [found, found_nested] = [selector, nested].map(|selector| {
            let found = tree.root().select(&selector);
            found.map(|node| node.attribute("id").unwrap_or("-").to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(found, found_nested, "{text}");
        found.join(" ")
    };
    let html = ("h", "http://www.w3.org/1999/xhtml");
    let svg = ("svg", "http://www.w3.org/2000/svg");
    assert_eq!(select("svg|title", &[html, svg]), "st");
    assert_eq!(select("h|title", &[html, svg]), "t");
    assert_eq!(select("*|title", &[html, svg]), "t st");
    assert_eq!(select("title", &[html, svg]), "t st");
    assert_eq!(select("|title", &[html, svg]), "");
    assert_eq!(select("title", &[html, ("", svg.1)]), "st");
    assert_eq!(select("svg|*", &[svg]), "s st");
    assert!(Selector::parse_with("x|title", &Syntax::new().namespaces(&[html, svg])).is_err());
}

/// Unlike parsed trees, trees built by hand can have empty texts, and names without their lowercase forms.
#[test]
fn selects_in_trees_built_by_hand() {
    let mut tree = Tree::new();
    let gradient = tree.create_element(Namespace::SVG, "linearGradient");
    let (root, empty) = (tree.root().id(), tree.create_text(""));
    tree.append(root, gradient).unwrap();
    tree.append(gradient, empty).unwrap();
    let count = |text: &str| tree.root().select(&Selector::parse(text).unwrap()).count();
    assert_eq!(count("linearGradient"), 1);
    assert_eq!(count("linearGradient:empty"), 1);
    assert_eq!(count("linearGradient:empty:not(:has(x))"), 1);
    assert_eq!(count("lineargradient"), 0);
}

/// Fragments of selectors, concatenated at random.
const SELECTOR_PARTS: [&str; 47] = [
    "a",
    "div",
    "*",
    ".",
    "#",
    "x",
    ":",
    "::",
    "[",
    "]",
    "(",
    ")",
    "=",
    "~=",
    "|=",
    "^=",
    "$=",
    "*=",
    "\"",
    "'",
    "\\",
    ",",
    " ",
    ">",
    "+",
    "~",
    "|",
    "||",
    "not(",
    "is(",
    "has(",
    "nth-child(",
    "2n+1",
    " of ",
    "lang(",
    "dir(",
    "root",
    "scope",
    "empty",
    "-",
    "\u{0}",
    "é",
    "/*",
    "*/",
    "\n",
    "{",
    "&",
];

/// Parses random concatenations of `SELECTOR_PARTS`.
#[test]
fn never_panics() {
    let tree = tree("<div class=x id=a><a x=1>1</a><p>2</div>");
    let (mut state, mut parsed_count) = (0x9E37_79B9_7F4A_7C15_u64, 0);
    for _ in 0..60_000 {
        let mut text = String::new();
        loop {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if text.len() > 24 || state.is_multiple_of(9) {
                break;
            }
            text += SELECTOR_PARTS[(state >> 20) as usize % SELECTOR_PARTS.len()];
        }
        match Selector::parse(&text) {
            Ok(selector) => {
                parsed_count += 1;
                let reparsed = Selector::parse(&selector.to_string());
                // `:is()` keeps ignored parts as written, even if cut off, and a redundant `*` is dropped.
                if !text.contains("is(") && !text.contains('*') {
                    assert_eq!(
                        reparsed.as_ref(),
                        Ok(&selector),
                        "{text:?} is displayed as {selector}"
                    );
                }
                tree.root().select(&selector).count();
            }
            Err(error) => {
                let range = error.range();
                assert!(
                    text.get(range.clone()).is_some(),
                    "the error of {text:?} has the range {range:?}"
                );
            }
        }
    }
    assert!(parsed_count > 2_000, "only {parsed_count} texts were parsed as selectors");
}

/// A long tag is not inspected again for each element below it.
#[test]
fn inspects_long_tags_once() {
    const COUNT: usize = 50_000;
    let below = "<b></b>".repeat(COUNT);
    let classes: String = (0..COUNT).map(|number| format!(" c{number}")).collect();
    assert_linear(
        &format!("<p class='{classes}'>{below}"),
        &[(".zz b", 0), (".c49999 > b", COUNT), ("p.c49999 b", COUNT), ("[class*=zz] b", 0)],
    );
    let attributes: String = (0..COUNT).map(|number| format!(" a{number}")).collect();
    assert_linear(
        &format!("<p{attributes}>{below}"),
        &[("[a49999] > b", COUNT), ("[a49999=x] b", 0), ("p:not([a49999]) b", 0)],
    );
}

#[test]
fn contains_searches_the_text_of_each_element() {
    let tree: &'static Tree = Box::leak(Box::new(tree(
        "<p id=a>x<b id=b>y<i id=c>z</i></b></p><template id=t>xy<p id=d>yz</p></template><p id=e>aab",
    )));
    let select = |text: &str| {
        let selector = Selector::parse_with(text, &Syntax::new().contains(true)).unwrap();
        assert_eq!(selector.to_string(), text);
        ids(tree.root().select(&selector).filter(|node| node.id_attribute().is_some()))
    };
    assert_eq!(select(":contains(\"xy\")"), ["a"]);
    assert_eq!(select("b:contains(\"yz\")"), ["b"]);
    assert_eq!(select("p:contains(\"ab\")"), ["e"]);
    assert_eq!(select("p:not(:contains(\"z\"))"), ["e"]);
    assert_eq!(select("template:contains(\"xy\")"), [""; 0]);
    assert_eq!(select("i:contains(\"\")"), ["c"]);
    assert!(Selector::parse(":contains(x)").is_err());
}
