//! Comparison of a user-defined sink, which keeps lists of children, with the tree: both must build equal documents
//! from random calls and from markup.

mod forwarding;
mod numbers;

use numbers::Numbers;
use tabulex::encoding::Hints;
use tabulex::html;
use tabulex::tree::{Name, Names, Namespace, NodeId, SinkAttribute, Tree, TreeSink};
use tabulex::{Options, Span, WriteNode as _};

#[derive(Default)]
struct Item {
    parent: Option<usize>,
    children: Vec<usize>,
    name: Option<Name>,
    attributes: Vec<(Name, String)>,
    text: String,
    is_text: bool,
}

/// A sink that keeps nodes with lists of their children.
#[derive(Default)]
struct Lists {
    names: Names,
    items: Vec<Item>,
    can_restart: bool,
    /// Number of calls that merged attributes.
    merge_count: usize,
}

impl Lists {
    fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    fn insert(&mut self, parent: usize, index: usize, child: usize) {
        self.items[child].parent = Some(parent);
        self.items[parent].children.insert(index, child);
    }

    fn position(&self, node: usize) -> Option<(usize, usize)> {
        let parent = self.items[node].parent?;
        Some((parent, self.items[parent].children.iter().position(|&child| child == node)?))
    }

    fn insert_text(&mut self, parent: usize, index: usize, text: &str) {
        let previous = index.checked_sub(1).map(|index| self.items[parent].children[index]);
        match previous {
            Some(previous) if self.items[previous].is_text => {
                self.items[previous].text.push_str(text)
            }
            _ => {
                let node = self.add(Item { text: text.into(), is_text: true, ..Item::default() });
                self.insert(parent, index, node);
            }
        }
    }
}

impl TreeSink for Lists {
    type Node = usize;

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn document(&mut self) -> usize {
        if self.items.is_empty() { self.add(Item::default()) } else { 0 }
    }

    fn make_element<'a, I>(&mut self, name: Name, attributes: I, _: Option<Span>) -> usize
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        let attributes =
            attributes.map(|attribute| (attribute.name, attribute.value.to_owned())).collect();
        self.add(Item { name: Some(name), attributes, ..Item::default() })
    }

    fn make_element_like(&mut self, element: usize, _: Option<Span>) -> usize {
        let original = &self.items[element];
        let item = Item {
            name: original.name,
            attributes: original.attributes.clone(),
            ..Item::default()
        };
        self.add(item)
    }

    fn make_comment(&mut self, data: &str, _: Span) -> usize {
        self.add(Item { text: data.into(), ..Item::default() })
    }

    fn make_processing_instruction(&mut self, target: &str, data: &str, _: Span) -> usize {
        self.add(Item { text: format!("{target} {data}"), ..Item::default() })
    }

    fn make_doctype(&mut self, name: &str, _: Option<&str>, _: Option<&str>, _: Span) -> usize {
        self.add(Item { text: name.into(), ..Item::default() })
    }

    fn append_node(&mut self, parent: usize, child: usize) {
        self.remove_from_parent(child);
        let end = self.items[parent].children.len();
        self.insert(parent, end, child);
    }

    fn insert_node_before(&mut self, sibling: usize, child: usize) {
        self.remove_from_parent(child);
        if let Some((parent, index)) = self.position(sibling) {
            self.insert(parent, index, child);
        }
    }

    fn append_characters(&mut self, parent: usize, text: &str, _: Span) {
        self.insert_text(parent, self.items[parent].children.len(), text);
    }

    fn insert_characters_before(&mut self, sibling: usize, text: &str, _: Span) {
        if let Some((parent, index)) = self.position(sibling) {
            self.insert_text(parent, index, text);
        }
    }

    fn remove_from_parent(&mut self, node: usize) {
        if let Some((parent, index)) = self.position(node) {
            self.items[parent].children.remove(index);
            self.items[node].parent = None;
        }
    }

    fn reparent_children(&mut self, from: usize, to: usize) {
        for child in std::mem::take(&mut self.items[from].children) {
            self.items[child].parent = Some(to);
            self.items[to].children.push(child);
        }
    }

    fn parent_of(&self, node: usize) -> Option<usize> {
        self.items[node].parent
    }

    fn restart(&self) -> Option<Self> {
        let can_restart = self.can_restart;
        can_restart.then(|| Self { can_restart, ..Self::default() })
    }

    fn add_missing_attributes<'a, I>(&mut self, element: usize, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.merge_count += 1;
        let item = &mut self.items[element];
        for attribute in attributes {
            if item.attributes.iter().all(|(name, _)| *name != attribute.name) {
                item.attributes.push((attribute.name, attribute.value.to_owned()));
            }
        }
    }
}

fn is_within<S: TreeSink>(sink: &S, node: S::Node, outer: S::Node) -> bool {
    std::iter::successors(Some(node), |&node| sink.parent_of(node)).any(|node| node == outer)
}

/// Makes random calls to a sink that are valid for the sink's current nodes.
fn build<S: TreeSink>(sink: &mut S, seed: u64) {
    let mut numbers = Numbers(seed);
    let span = Span::new(0, 0);
    let mut elements = vec![sink.document()];
    let mut created_elements: Vec<S::Node> = Vec::new();
    for step in 0..400 {
        let local_names = ["a", "b", "c"].map(|name| sink.names().local(name));
        let name = Name::new(Namespace::HTML, local_names[numbers.below(3)]);
        let value = step.to_string();
        let attribute = SinkAttribute::implied(
            Name::new(Namespace::NONE, local_names[numbers.below(3)]),
            &value,
        );
        let parent = elements[numbers.below(elements.len())];
        let child = if created_elements.is_empty() {
            parent
        } else {
            created_elements[numbers.below(created_elements.len())]
        };
        let is_movable = !created_elements.is_empty() && !is_within(sink, parent, child);
        match numbers.below(11) {
            0 => created_elements.push(sink.make_element(name, std::iter::once(attribute), None)),
            1 if parent != elements[0] => {
                created_elements.push(sink.make_element_like(parent, Some(span)))
            }
            2 => {
                let comment = sink.make_comment(&value, span);
                sink.append_node(parent, comment);
            }
            3 | 4 if is_movable => sink.append_node(parent, child),
            5 if is_movable && sink.parent_of(parent).is_some() => {
                sink.insert_node_before(parent, child)
            }
            6 => sink.append_characters(parent, &value, span),
            7 => sink.insert_characters_before(parent, &value, span),
            8 if is_movable && numbers.below(4) == 0 => sink.remove_from_parent(child),
            9 if is_movable => sink.reparent_children(child, parent),
            10 if parent != elements[0] => {
                sink.add_missing_attributes(parent, std::iter::once(attribute))
            }
            _ => continue,
        }
        for &node in created_elements.iter().skip(elements.len() - 1) {
            elements.push(node);
        }
    }
}

fn dump_lists(lists: &Lists) -> String {
    let mut text = String::new();
    let mut pending: Vec<(usize, usize)> =
        lists.items[0].children.iter().rev().map(|&child| (child, 0)).collect();
    while let Some((node, depth)) = pending.pop() {
        let item = &lists.items[node];
        let margin = "  ".repeat(depth);
        match item.name {
            Some(name) => text += &format!("| {margin}<{}>\n", lists.names.resolve(name)),
            None if item.is_text => text += &format!("| {margin}\"{}\"\n", item.text),
            None => text += &format!("| {margin}<!-- {} -->\n", item.text),
        }
        let mut attributes: Vec<_> = item
            .attributes
            .iter()
            .map(|(name, value)| (lists.names.resolve(*name).to_string(), value))
            .collect();
        attributes.sort();
        for (name, value) in attributes {
            text += &format!("| {margin}  {name}=\"{value}\"\n");
        }
        pending.extend(item.children.iter().rev().map(|&child| (child, depth + 1)));
    }
    text
}

/// Checks that each link between nodes has its reverse link.
fn check_links(tree: &Tree) {
    for node in tree.root().descendants() {
        assert!(node.parent().is_some_and(|parent| parent.children().any(|child| child == node)));
        assert_eq!(
            node.previous_sibling().and_then(|previous| previous.next_sibling()),
            node.previous_sibling().map(|_| node)
        );
        assert_eq!(
            node.next_sibling().and_then(|next| next.previous_sibling()),
            node.next_sibling().map(|_| node)
        );
        let forward: Vec<NodeId> = node.children().map(|child| child.id()).collect();
        let mut backward: Vec<NodeId> = node.children().rev().map(|child| child.id()).collect();
        backward.reverse();
        assert_eq!(forward, backward);
    }
}

#[test]
fn elements_are_equal_only_if_their_attributes_are() {
    let page_with_fonts = |sizes: &[u32]| -> String {
        let tags = sizes.iter().map(|size| format!("<font size={size}>"));
        format!("<p>{}</p><p>text", tags.collect::<String>())
    };
    for sizes in [&[1, 2, 3, 4, 5, 6][..], &[1, 1, 1, 1, 1], &[1, 2, 1, 3, 1, 2, 1, 2, 2], &[7]] {
        let markup = page_with_fonts(sizes);
        let parser = html::Parser::with_sink(Lists::default(), &Options::new());
        let lists = parser.finish_with(&markup).tree;
        let tree = html::parse(&markup, Options::new()).tree;
        assert_eq!(tree.root().to_dump(), dump_lists(&lists), "{markup}");
    }
}

/// A sink may search all attributes of the element in each call, so a call for each attribute would be quadratic.
#[test]
fn merges_the_attributes_of_a_tag_in_one_call() {
    let parser = html::Parser::with_sink(Lists::default(), &Options::new());
    let lists = parser.finish_with("<html a=1><html a=2 b c><body d><body d e f>").tree;
    assert_eq!(lists.merge_count, 2);
    let attribute_counts = lists.items.iter().map(|item| item.attributes.len());
    assert_eq!(attribute_counts.filter(|count| *count > 0).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn random_calls_build_equal_trees() {
    let mut largest = 0;
    for seed in 0..300 {
        let (mut tree, mut lists) = (Tree::new(), Lists::default());
        build(&mut tree, seed);
        build(&mut lists, seed);
        assert_eq!(tree.root().to_dump(), dump_lists(&lists), "seed {seed}");
        check_links(&tree);
        largest = largest.max(tree.root().descendants().count());
    }
    assert!(largest > 50, "the largest tree has only {largest} nodes");
}

/// Parses a page of bytes with a late declaration of UTF-8; returns the text and the encoding.
fn parse_late_declaration(can_restart: bool, size: usize) -> (String, &'static str) {
    let page = format!("<!--{}--><p>\u{E9}<meta charset=utf-8><p>\u{E9}", "x".repeat(2000));
    let lists = Lists { can_restart, ..Lists::default() };
    let options = Options::new().encoding(Hints::new().autodetect(false));
    let mut parser = html::Parser::with_sink(lists, &options);
    page.as_bytes().chunks(size).for_each(|chunk| parser.feed_bytes(chunk));
    let parsed = parser.finish();
    let texts = parsed.tree.items.iter().filter(|item| item.is_text).map(|item| &item.text[..]);
    (texts.collect::<Vec<_>>().join(" "), parsed.encoding.encoding.name())
}

#[test]
fn restarts_if_the_sink_supports_it() {
    for size in [1, 700, 5000] {
        let after_restart = ("\u{E9} \u{E9}".to_owned(), "UTF-8");
        assert_eq!(parse_late_declaration(true, size), after_restart, "chunks of {size}");
        let without_restart = ("\u{C3}\u{A9} \u{C3}\u{A9}".to_owned(), "windows-1252");
        assert_eq!(parse_late_declaration(false, size), without_restart, "chunks of {size}");
    }
}
