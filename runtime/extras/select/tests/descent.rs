//! Streaming matching of selectors, including the plan of steps to try by name.

use tabulex::select::descent::{Descent, Opened};
use tabulex::select::{Selector, Syntax};
use tabulex::tree::Namespace;

/// An element: name, class, and value of `href`. It is an HTML element, except with the class `svg`.
#[derive(Clone, Copy, Debug)]
struct TestElement<'a>(&'a str, &'a str, Option<&'a str>);

impl Opened for TestElement<'_> {
    fn name(&self) -> &str {
        self.0
    }

    fn is_in(&self, namespace: &str) -> bool {
        let own = if self.1 == "svg" { Namespace::SVG } else { Namespace::HTML };
        own.known_name() == namespace
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        match name {
            "class" => Some(self.1),
            "href" => self.2,
            _ => None,
        }
    }
}

fn named(name: &str) -> TestElement<'_> {
    TestElement(name, "", None)
}

/// Creates a matcher for `selectors`, whose indices are counted from 0.
fn descent(lowercases_names: bool, selectors: &[&str]) -> Descent {
    let mut descent = Descent::new(lowercases_names);
    for (index, selector) in selectors.iter().enumerate() {
        assert_eq!(descent.add(&selector.parse().unwrap()), Ok(index));
    }
    descent
}

#[test]
fn distinguishes_many_selectors() {
    let texts: Vec<String> = (0..40)
        .map(|n| format!("x{n} > b, y{n} b, z{n} + b, w{n} ~ b, .k{n}:not(.j{n}):is(.k{n}, u)"))
        .collect();
    let mut descent = descent(true, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    descent.open(&named("html"), true);
    for n in 0..40 {
        let name = |letter: char| format!("{letter}{n}");
        for (outer, matches_descendants) in [(name('x'), false), (name('y'), true)] {
            assert!(descent.open(&named(&outer), true).is_empty());
            assert_eq!(descent.open(&named("b"), true), [n], "{outer}");
            let expected = if matches_descendants { vec![n] } else { vec![] };
            assert_eq!(descent.open(&named("b"), false), expected, "{outer}");
            descent.close();
            descent.close();
        }
        descent.open(&named("i"), true);
        for (previous, matches_later) in [(name('z'), false), (name('w'), true)] {
            descent.open(&named(&previous), false);
            assert_eq!(descent.open(&named("b"), false), [n], "{previous}");
            let expected = if matches_later { vec![n] } else { vec![] };
            assert_eq!(descent.open(&named("b"), false), expected, "{previous}");
        }
        descent.close();
        let (one_class, both_classes) = (name('k'), format!("k{n} j{n}"));
        assert_eq!(descent.open(&TestElement("p", &one_class, None), false), [n]);
        assert_eq!(descent.matched(), [n]);
        assert!(descent.open(&TestElement("p", &both_classes, None), false).is_empty());
    }
}

#[test]
fn adding_many_selectors_takes_linear_time() {
    let names: Vec<String> = (0..5000).map(|n| format!("x{n}")).collect();
    let mut descent = descent(true, &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(descent.open(&named("x4999"), false), [4999]);
}

#[test]
fn reports_each_list_once() {
    let mut descent = descent(true, &["b, .k, b.k", "i"]);
    assert_eq!(descent.open(&TestElement("b", "k", None), false), [0]);
}

#[test]
fn compares_names_as_written_or_in_lowercase() {
    let selectors = ["DIV", "[HREF]", "[*|HREF]", "div"];
    let mut lowercasing = descent(true, &selectors);
    assert_eq!(lowercasing.open(&TestElement("div", "", Some("")), false), [0, 1, 2, 3]);
    let mut exact = descent(false, &selectors);
    assert_eq!(exact.open(&TestElement("div", "", Some("")), false), [3]);
    assert_eq!(exact.open(&named("DIV"), false), [0]);
}

#[test]
fn links_have_an_address() {
    let mut descent = descent(true, &[":link"]);
    for (element, is_link) in [
        (TestElement("a", "", Some("")), true),
        (TestElement("area", "", Some("")), true),
        (TestElement("a", "", None), false),
        (TestElement("a", "svg", Some("")), false),
        (TestElement("b", "", Some("")), false),
    ] {
        assert_eq!(!descent.open(&element, false).is_empty(), is_link, "{element:?}");
    }
}

#[test]
fn nth_positions_follow_the_formula() {
    let mut descent =
        descent(true, &[":nth-child(2n + 3)", ":nth-child(-2n + 3)", ":nth-of-type(2)"]);
    let matched_lists: Vec<Vec<usize>> = (0..6)
        .map(|n| descent.open(&named(if n == 4 { "b" } else { "a" }), false).to_vec())
        .collect();
    assert_eq!(matched_lists, [vec![1], vec![2], vec![0, 1], vec![], vec![0], vec![]]);
}

/// Closing without an open element has no effect.
#[test]
fn close_without_open_element_has_no_effect() {
    let mut descent = descent(true, &[":root", "a > b"]);
    descent.close();
    assert_eq!(descent.open(&named("a"), true), [0]);
    assert_eq!(descent.open(&named("b"), true), [1]);
    (0..3).for_each(|_| descent.close());
    descent.open(&named("a"), true);
    assert_eq!(descent.open(&named("b"), true), [1]);
}

#[test]
fn counts_memory_of_open_elements() {
    let mut descent = descent(true, &["a > b:nth-of-type(2)"]);
    let bytes_before = descent.memory_usage();
    descent.open(&named("a"), true);
    descent.open(&named("b"), false);
    let bytes_within = descent.memory_usage();
    assert!(
        bytes_within > bytes_before && bytes_before > 1,
        "{bytes_before} bytes without open elements, {bytes_within} bytes with them"
    );
    descent.close();
    assert!((bytes_before..bytes_within).contains(&descent.memory_usage()));
}

#[test]
fn accepts_prefixes_in_attribute_names() {
    let parse = |name: &str| {
        Selector::parse_with("[n|href]", &Syntax::new().namespaces(&[("n", name)])).unwrap()
    };
    let mut descent = Descent::new(true);
    assert_eq!(descent.add(&parse("")), Ok(0));
    assert_eq!(descent.open(&TestElement("a", "", Some("")), false), [0]);
    let error = Descent::new(true).add(&parse("x:y")).unwrap_err();
    assert_eq!(error.part, "namespaces of attributes");
}
