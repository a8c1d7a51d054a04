//! The edits of one page: collected first, then applied and verified together.

use crate::changes::{Changes, EndOrder, Order};
use crate::error::{Applied, EditError, RefusedEdit};
use crate::places::{self, AttributeIndex, EndOffsets, WrittenPage};
use crate::seam::{self, Parse, TagChanges};
use crate::steps::{EditKind, unwrap_all};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use tabulex_core::tree::{
    DocumentMode, Edge, Name, Namespace, NodeId, NodeKind, NodeRef, SerializerNames, Tree,
};
use tabulex_core::{Adjacent, Dialect, Options, Span};

/// Number of checks after which [`Edits::apply_possible`] no longer halves a group of edits that cannot be applied
/// together, but refuses all of them.
const MAX_CHECKS: usize = 1000;

/// A list of edits of a page. Nodes are those of the parsed tree; edits do not modify it.
///
/// If edits contradict each other, one takes precedence: removing or replacing a node, or an element's contents,
/// overrides edits inside it, and a later edit overrides an earlier one of the same part.
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    tree: &'a Tree,
    input: &'a str,
    list: EditList,
}

/// The collected edits of a page, which borrow neither its text nor its tree, and indexes for the checks of further ones.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct EditList {
    edits: Vec<Edit>,
    /// Cached end offsets of elements without end tags.
    ends: EndOffsets,
    attribute_index: AttributeIndex,
}

impl EditList {
    /// Returns the kinds of the edits, in call order.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &EditKind> {
        self.edits.iter().map(|edit| &edit.kind)
    }
}

/// One requested edit.
#[derive(Clone, Debug)]
struct Edit {
    node: NodeId,
    kind: EditKind,
}

impl<'a> Edits<'a> {
    /// Creates an empty list of edits of `input`. `tree` must have been parsed from `input` and have positions.
    pub fn new(tree: &'a Tree, input: &'a str) -> Self {
        Self::with_list(tree, input, EditList::default())
    }

    /// Continues a list of edits of `input`, which must have been parsed into `tree`.
    #[doc(hidden)]
    pub fn with_list(tree: &'a Tree, input: &'a str, list: EditList) -> Self {
        Self { tree, input, list }
    }

    /// Returns the list of the edits, for [`with_list`](Self::with_list).
    #[doc(hidden)]
    pub fn into_list(self) -> EditList {
        self.list
    }

    /// Sets an attribute; the value is escaped and quoted, and an existing name stays as written. For HTML elements
    /// `name` is case-insensitive.
    ///
    /// # Errors
    ///
    /// If the node is not an element, its tag is not in the text, or the name is invalid.
    pub fn set_attribute(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
        value: &str,
    ) -> Result<(), EditError> {
        self.add(element, EditKind::Attribute(name.to_owned(), Some(value.to_owned())))
    }

    /// Removes an attribute, if present, and the white space before it.
    ///
    /// # Errors
    ///
    /// If the node is not an element, or the attribute or its tag is not in the text.
    pub fn remove_attribute(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        self.add(element, EditKind::Attribute(name.to_owned(), None))
    }

    /// Removes a node with its contents.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn remove(&mut self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.add(node, EditKind::Remove)
    }

    /// Replaces a node and its contents with markup.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn replace(&mut self, node: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        self.add(node, EditKind::Replace(markup.to_owned()))
    }

    /// Replaces an element's contents with markup.
    ///
    /// # Errors
    ///
    /// If the node is not an element, is not in the text, or cannot have contents.
    pub fn set_inner(&mut self, element: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        self.add(element, EditKind::SetInner(markup.to_owned()))
    }

    /// Replaces an element's contents with text, escaped where necessary. In raw text elements such as style sheets
    /// nothing is escaped; there [`apply`](Self::apply) refuses text that would end the element.
    ///
    /// # Errors
    ///
    /// As [`set_inner`](Self::set_inner).
    pub fn set_text(&mut self, element: NodeRef<'a>, text: &str) -> Result<(), EditError> {
        self.add(element, EditKind::SetText(text.to_owned()))
    }

    /// Inserts markup beside an element or into it.
    ///
    /// # Errors
    ///
    /// If the element is not in the text, or cannot have contents.
    pub fn insert(
        &mut self,
        element: NodeRef<'a>,
        place: Adjacent,
        markup: &str,
    ) -> Result<(), EditError> {
        self.add(element, EditKind::Insert(place, markup.to_owned()))
    }

    /// Renames an HTML element; its attributes are kept.
    ///
    /// # Errors
    ///
    /// If the node is not an HTML element, its tags are not in the text, or the name is invalid.
    pub fn rename(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        self.add(element, EditKind::Rename(name.to_owned()))
    }

    /// Wraps a node in a new HTML element.
    ///
    /// # Errors
    ///
    /// If the node is not in the text, or the name is invalid.
    pub fn wrap(&mut self, node: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        self.add(node, EditKind::Wrap(name.to_owned()))
    }

    /// Removes an element's tags and keeps its contents.
    ///
    /// # Errors
    ///
    /// If the node is not an element, or its start tag is not in the text.
    pub fn unwrap(&mut self, element: NodeRef<'a>) -> Result<(), EditError> {
        self.add(element, EditKind::Unwrap)
    }

    /// Adds an edit that is given as a value; equivalent to a call of the method for edits of its kind.
    ///
    /// # Errors
    ///
    /// As for that method.
    #[doc(hidden)]
    pub fn add(&mut self, node: NodeRef<'a>, mut kind: EditKind) -> Result<(), EditError> {
        match &mut kind {
            EditKind::Attribute(name, value) => {
                self.check_element(node)?;
                let ends_name =
                    |byte: u8| byte.is_ascii_whitespace() || b"/>=\"'<\0".contains(&byte);
                if value.is_some() && (name.is_empty() || name.bytes().any(ends_name)) {
                    return Err(EditError::BadName);
                }
                *name = node.attribute_name(name).into_owned();
                let attribute = self.list.attribute_index.attribute(node, name);
                if value.is_some() || attribute.is_some() {
                    places::written_span(node, self.input)?;
                }
                if let Some(attribute) = attribute {
                    places::attribute_range(attribute, self.input)?;
                }
            }
            EditKind::Remove | EditKind::Replace(_) => self.check_outer(node)?,
            EditKind::SetInner(_) | EditKind::SetText(_) => self.check_contents(node)?,
            EditKind::Insert(place, _) => match place {
                Adjacent::BeforeBegin | Adjacent::AfterEnd => self.check_outer(node)?,
                Adjacent::AfterBegin | Adjacent::BeforeEnd => self.check_contents(node)?,
            },
            EditKind::Rename(name) => {
                check_tag_name(name)?;
                self.check_element(node)?;
                if node.namespace() != Some(Namespace::HTML) {
                    return Err(EditError::NotHtml);
                }
                places::start_tag(node, self.input)?;
                self.end_tag_name(node)?;
                name.make_ascii_lowercase();
            }
            EditKind::Wrap(name) => {
                check_tag_name(name)?;
                self.check_outer(node)?;
                name.make_ascii_lowercase();
            }
            EditKind::Unwrap => {
                self.check_element(node)?;
                places::written_span(node, self.input)?;
            }
        }
        self.list.edits.push(Edit { node: node.id(), kind });
        Ok(())
    }

    /// Returns the edited text, after verifying that it parses to the edited tree. The page must have been parsed in
    /// `dialect` with `options`. If one of N edits is refused, finding it takes up to 3 + 2 log₂ N parses of the page.
    ///
    /// # Errors
    ///
    /// If an edit cannot be applied: the first one that [`apply_possible`](Self::apply_possible) would refuse.
    pub fn apply(&self, dialect: &Dialect, options: &Options) -> Result<String, RefusedEdit> {
        let Applied { text, mut refused } = self.apply_groups(dialect, options, true);
        if refused.is_empty() { Ok(text) } else { Err(refused.swap_remove(0)) }
    }

    /// Applies all edits that can be applied, and lists the others. With N edits, each one that is refused, or that needs
    /// end tags of all open elements, costs up to 3 + 2 log₂ N parses of the page; after about 1,000 parses, whole groups
    /// that cannot be applied together are refused.
    ///
    /// ```
    /// use tabulex::edit::Edits;
    /// use tabulex::{Options, html};
    ///
    /// let page = "<table><tr><td>1</table><p>2";
    /// let tree = html::parse(page, Options::new()).tree;
    /// let find = |name| tree.root().descendants().find(|node| node.is_html(name)).unwrap();
    /// let mut edits = Edits::new(&tree, page);
    /// edits.rename(find("td"), "b")?;
    /// edits.rename(find("p"), "h1")?;
    /// let applied = edits.apply_possible(&html::DIALECT, &Options::new());
    /// assert_eq!(applied.text, "<table><tr><td>1</table><h1>2");
    /// assert_eq!(applied.refused[0].to_string(),
    ///     "edit 0, `rename` of `<td>` at 11..15: the edited text would parse to a different tree");
    /// # Ok::<(), tabulex::edit::EditError>(())
    /// ```
    pub fn apply_possible(&self, dialect: &Dialect, options: &Options) -> Applied {
        self.apply_groups(dialect, options, false)
    }

    /// Returns an error for nodes of other trees, as their positions refer to other texts.
    fn check_tree(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        if std::ptr::eq(node.tree(), self.tree) { Ok(()) } else { Err(EditError::NotWritten) }
    }

    fn check_element(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check_tree(node)?;
        if node.is_element() { Ok(()) } else { Err(EditError::NotAnElement) }
    }

    fn check_outer(&mut self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check_tree(node)?;
        self.list.ends.outer_range(node, WrittenPage::unparsed(self.input)).map(|_| ())
    }

    fn check_contents(&mut self, element: NodeRef<'a>) -> Result<(), EditError> {
        self.check_element(element)?;
        let tag = element.span().and_then(|span| span.get(self.input));
        if element.end_tag_span().is_none()
            && element.first_child().is_none()
            && element.namespace() != Some(Namespace::HTML)
            && tag.is_some_and(|tag| tag.ends_with("/>"))
        {
            return Err(EditError::NoContents);
        }
        self.list.ends.inner_range(element, WrittenPage::unparsed(self.input)).map(|_| ())
    }

    /// Returns the range from the start of an element's end tag to the end of the tag's name; `None` without an end
    /// tag.
    fn end_tag_name(&self, element: NodeRef<'a>) -> Result<Option<Range<usize>>, EditError> {
        let Some(tag) = element.end_tag_span() else { return Ok(None) };
        let name = places::tag_name(tag.start + "</".len(), tag.end, self.input)?;
        Ok(Some(tag.start..name.end))
    }

    /// Applies all edits that can be applied or, if `stops_at_error`, those before the first that cannot. Failing
    /// groups are halved until single edits fail.
    fn apply_groups(&self, dialect: &Dialect, options: &Options, stops_at_error: bool) -> Applied {
        let mut applied = Applied { text: self.input.to_owned(), refused: Vec::new() };
        let mut accepted: Vec<usize> = Vec::new();
        let mut fully_closed = FullyClosed::new();
        let mut groups = Vec::new();
        if !self.list.edits.is_empty() {
            groups.push(0..self.list.edits.len());
        }
        let mut check_count = 0;
        while let Some(group) = groups.pop() {
            let accepted_len = accepted.len();
            accepted.extend(group.clone());
            check_count += 1;
            let verify =
                |closed: &mut _| self.apply_and_verify(&accepted, closed, dialect, options);
            let mut result = verify(&mut fully_closed);
            if result.is_err() && group.len() == 1 {
                // An edit that needs these end tags also needs them when later edits are added.
                fully_closed.insert(group.start, None);
                result = verify(&mut fully_closed).or(result);
                if result.is_err() {
                    fully_closed.remove(&group.start);
                }
            }
            let error = match result {
                Ok(text) => {
                    applied.text = text;
                    continue;
                }
                Err(error) => error,
            };
            accepted.truncate(accepted_len);
            if group.len() > 1 && check_count < MAX_CHECKS {
                let middle = group.start + group.len() / 2;
                groups.extend([middle..group.end, group.start..middle]);
                continue;
            }
            applied.refused.extend(group.map(|edit| self.refused_edit(edit, error)));
            if stops_at_error {
                break;
            }
        }
        applied
    }

    fn refused_edit(&self, edit: usize, reason: EditError) -> RefusedEdit {
        let Edit { node, kind } = &self.list.edits[edit];
        let node = self.tree.node(*node);
        let name = node.name().map(|name| name.to_string());
        RefusedEdit {
            edit,
            method: kind.method(),
            node: node.id(),
            name,
            span: node.span(),
            reason,
        }
    }

    /// Returns a parser for probes, which have no DOCTYPE and are parsed in the mode of the page. A dialect that builds no
    /// trees yields empty ones.
    fn probe_parser<'p>(
        &self,
        dialect: &'p Dialect,
        options: &Options,
    ) -> impl Fn(&str) -> Tree + use<'p, 'a> {
        let is_quirks = self.tree.mode() == DocumentMode::Quirks;
        let options = options.clone().iframe_srcdoc(!is_quirks);
        move |text: &str| parse_tree(dialect, text, &options).unwrap_or_default()
    }

    /// Returns the text with the given edits, if it parses to the tree with these edits.
    fn apply_and_verify(
        &self,
        candidates: &[usize],
        fully_closed: &mut FullyClosed,
        dialect: &Dialect,
        options: &Options,
    ) -> Result<String, EditError> {
        let parse = self.probe_parser(dialect, options);
        let plan = Plan::new(self, candidates, fully_closed, dialect, &parse)?;
        let mut expected = self.tree.clone();
        seam::remove_trailing_space(&mut expected, self.input, &parse);
        plan.apply(dialect, &mut expected, options)?;
        let text = plan.changes.apply(self.input, &parse)?;
        let mut actual = parse_tree(dialect, &text, options).ok_or(EditError::ParsesDifferently)?;
        seam::remove_trailing_space(&mut actual, &text, &parse);
        let is_same =
            expected.mode() == actual.mode() && expected.root().is_like_normalized(&actual.root());
        if is_same { Ok(text) } else { Err(EditError::ParsesDifferently) }
    }
}

/// Parses a document; returns `None` if the dialect builds no trees.
fn parse_tree(dialect: &Dialect, input: &str, options: &Options) -> Option<Tree> {
    Some(dialect.parser(options)?.parse(input).tree)
}

/// Sets or removes attributes of an element, in time linear in their number.
fn set_attributes(tree: &mut Tree, element: NodeId, changes: &[(String, Option<String>)]) {
    let attributes = tree.node(element).attributes();
    let name_ids: HashMap<String, Name> =
        attributes.map(|attribute| (attribute.name().to_string(), attribute.name().id())).collect();
    let mut removed_names = HashSet::new();
    for (name, value) in changes {
        let existing = name_ids.get(name).copied();
        let Some(value) = value else {
            removed_names.extend(existing);
            continue;
        };
        let id = existing.unwrap_or_else(|| tree.names_mut().name(Namespace::NONE, "", name));
        tree.set_named_attribute(element, id, value);
    }
    tree.retain_attributes(element, |attribute| !removed_names.contains(&attribute.name().id()));
}

/// Text at the end of a page in which tags are not recognized.
struct OpenText {
    /// The element, which has no end tag.
    element: NodeId,
    /// Byte offset of the end of the text. Only an unfinished tag may follow.
    offset: usize,
    /// Markup that ends the text, such as an end tag; `None` if no markup can.
    end: Option<String>,
}

impl OpenText {
    fn find(tree: &Tree, input: &str, parse: Parse<'_>) -> Option<Self> {
        let mut last = tree.document_element()?;
        while let Some(inner) = last.template_contents().unwrap_or(last).last_child() {
            last = inner;
        }
        let element = if last.is_text() { last.parent()? } else { last };
        let (name, offset) = (element.name()?, last.span()?.end);
        let is_markup = name.namespace() == Namespace::HTML
            && seam::content_kind(name.local(), parse) == seam::ContentKind::Markup;
        if is_markup || element.end_tag_span().is_some() {
            return None;
        }
        let text = input.get(..offset)?;
        let end_tag = format!("</{name}>");
        let end = seam::end_of_text(&end_tag, |end| {
            let tree = parse(&format!("{text}{end}<{}>", seam::UNKNOWN_NAME));
            let mut nodes = tree.root().descendants_with_contents().filter(|it| it.is_element());
            nodes.any(|it| it.span().is_some_and(|span| span.start == offset + end.len()))
        });
        let end = end.map(str::to_owned);
        (end.as_deref() != Some("")).then(|| Self { element: element.id(), offset, end })
    }
}

/// Returns a sort key for the start of a node, greater than that of an implied element around it.
fn start_key(node: NodeRef<'_>, contents_start: usize) -> usize {
    node.span().map_or(contents_start, |span| span.start + 1)
}

fn check_tag_name(name: &str) -> Result<(), EditError> {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let starts_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
    if starts_with_letter && name.bytes().all(is_name_byte) {
        Ok(())
    } else {
        Err(EditError::BadName)
    }
}

/// The planned changes of one start tag.
#[derive(Debug, Default)]
struct TagPlan {
    attributes: Vec<(String, Option<String>)>,
    /// Indices into `attributes` by name.
    attribute_indices: HashMap<String, usize>,
    name: Option<String>,
    gets_contents: bool,
}

impl TagPlan {
    /// Sets or removes an attribute; the last call takes precedence.
    fn set(&mut self, name: &str, value: Option<&String>) {
        match self.attribute_indices.get(name) {
            Some(&index) => self.attributes[index].1 = value.cloned(),
            None => {
                self.attribute_indices.insert(name.to_owned(), self.attributes.len());
                self.attributes.push((name.to_owned(), value.cloned()));
            }
        }
    }
}

/// A plan of edits: changes of the text, and the equivalent steps on the tree.
struct Plan<'e, 'a> {
    edits: &'e Edits<'a>,
    changes: Changes,
    /// Indices of the edits that are not superseded, in call order.
    effective_edits: Vec<usize>,
    /// The changes of start tags, by element.
    tags: BTreeMap<NodeId, TagPlan>,
    /// The removed or replaced nodes, each with the index of the edit that removes it.
    removed: HashMap<NodeId, usize>,
    /// The edited nodes inside removed or replaced contents.
    inside_removed: HashSet<NodeId>,
    /// Implied elements whose start tags must be written.
    implied: HashSet<NodeId>,
    /// Byte offsets at which end tags are written for all open elements, each with the number of these tags.
    closed_at: HashMap<usize, usize>,
    unwrapped: BTreeSet<NodeId>,
}

/// Indices of the edits before whose markup end tags are written for all open elements, each with the names of these
/// elements, innermost first. The names are found by parsing the text before the markup, and are `None` before that.
type FullyClosed = HashMap<usize, Option<Vec<String>>>;

/// Parser, names and caches used to build a plan.
struct PlanContext<'p> {
    parse: Parse<'p>,
    names: SerializerNames<'p>,
    page: WrittenPage<'p>,
    ends: EndOffsets,
    /// Byte offsets affected by edits, each with a node that may still be open there.
    maybe_open: Vec<(usize, NodeId)>,
    open_text: Option<OpenText>,
    fully_closed: &'p mut FullyClosed,
}

impl PlanContext<'_> {
    fn drops_line_end(&self, name: &str) -> bool {
        (self.page.drops_line_end)(name)
    }

    fn is_literal(&self, element: NodeRef<'_>) -> bool {
        let Some(name) = element.local_name() else { return false };
        element.namespace() == Some(Namespace::HTML)
            && (self.names.raw_text.contains(&name)
                || self.names.raw_text_when_scripting.contains(&name)
                    && seam::content_kind(name, self.parse) == seam::ContentKind::Literal)
    }
}

impl<'e, 'a> Plan<'e, 'a> {
    fn new(
        edits: &'e Edits<'a>,
        candidates: &[usize],
        fully_closed: &mut FullyClosed,
        dialect: &Dialect,
        parse: Parse<'_>,
    ) -> Result<Self, EditError> {
        let content_end = seam::content_end(edits.tree)
            .filter(|end| seam::trailing_space(edits.input, *end, parse).is_some());
        let known_drops = RefCell::new(HashMap::new());
        let drops_line_end = |name: &str| {
            let mut known_drops = known_drops.borrow_mut();
            *known_drops.entry(name.to_owned()).or_insert_with(|| seam::drops_line_end(name, parse))
        };
        let mut context = PlanContext {
            parse,
            names: dialect
                .serializer()
                .map_or_else(SerializerNames::default, |serializer| *serializer.names()),
            page: WrittenPage { input: edits.input, content_end, drops_line_end: &drops_line_end },
            ends: EndOffsets::default(),
            maybe_open: Vec::new(),
            open_text: OpenText::find(edits.tree, edits.input, parse),
            fully_closed,
        };
        let mut plan = Self {
            edits,
            changes: Changes::default(),
            effective_edits: Vec::new(),
            tags: BTreeMap::new(),
            removed: HashMap::new(),
            inside_removed: HashSet::new(),
            implied: HashSet::new(),
            closed_at: HashMap::new(),
            unwrapped: BTreeSet::new(),
        };
        plan.select_effective(candidates);
        for index in 0..plan.effective_edits.len() {
            plan.plan_edit(plan.effective_edits[index], &mut context)?;
        }
        plan.plan_start_tags(&mut context)?;
        plan.plan_end_tags(&context)?;
        Ok(plan)
    }

    /// Selects the edits that are not superseded by others.
    fn select_effective(&mut self, candidates: &[usize]) {
        let edits = &self.edits.list.edits;
        let mut new_contents: HashMap<NodeId, usize> = HashMap::new();
        for &index in candidates {
            let Edit { node, kind } = &edits[index];
            if kind.is_removal() {
                self.removed.insert(*node, index);
            } else if kind.replaces_contents() {
                new_contents.insert(*node, index);
            }
        }
        if !self.removed.is_empty() || !new_contents.is_empty() {
            let edited: HashSet<NodeId> = edits.iter().map(|edit| edit.node).collect();
            let covers = |node: &NodeRef<'_>| {
                self.removed.contains_key(&node.id()) || new_contents.contains_key(&node.id())
            };
            let mut covering_depth = 0;
            for edge in self.edits.tree.root().walk_with_contents() {
                match edge {
                    Edge::Open(node) => {
                        if covering_depth > 0 && edited.contains(&node.id()) {
                            self.inside_removed.insert(node.id());
                        }
                        covering_depth += usize::from(covers(&node));
                    }
                    Edge::Close(node) => covering_depth -= usize::from(covers(&node)),
                }
            }
        }
        for &index in candidates {
            let Edit { node, kind } = &edits[index];
            let is_superseded = match (self.removed.get(node), new_contents.get(node)) {
                (Some(last), _) => *last != index && !kind.inserts_outside(),
                (None, Some(last)) => match kind {
                    EditKind::SetInner(_) | EditKind::SetText(_) => *last != index,
                    EditKind::Insert(Adjacent::AfterBegin | Adjacent::BeforeEnd, _) => {
                        index < *last
                    }
                    _ => false,
                },
                (None, None) => false,
            };
            if is_superseded || self.inside_removed.contains(node) {
                continue;
            }
            if !matches!(kind, EditKind::Unwrap) || self.unwrapped.insert(*node) {
                self.effective_edits.push(index);
            }
        }
        // An unwrapped element loses its tags, so edits that rename it or change its attributes have no effect.
        self.effective_edits.retain(|index| {
            let Edit { node, kind } = &edits[*index];
            let changes_tag = matches!(kind, EditKind::Attribute(..) | EditKind::Rename(_));
            !changes_tag || !self.unwrapped.contains(node)
        });
    }

    /// Plans the text changes of one edit, but only collects those of start tags, for `plan_start_tags`.
    fn plan_edit(&mut self, index: usize, context: &mut PlanContext<'_>) -> Result<(), EditError> {
        let Edit { node, kind } = &self.edits.list.edits[index];
        let (node, input) = (self.edits.tree.node(*node), self.edits.input);
        match kind {
            EditKind::Attribute(name, value) => {
                self.tags.entry(node.id()).or_default().set(name, value.as_ref())
            }
            EditKind::Rename(name) => {
                self.tags.entry(node.id()).or_default().name = Some(name.clone());
                if context.fully_closed.contains_key(&index) {
                    // The tag that implied the element's end might not imply the end of the renamed element.
                    let range = context.ends.outer_range(node, context.page)?;
                    context.maybe_open.push((range.end, node.id()));
                }
            }
            EditKind::Remove | EditKind::Replace(_) => {
                let range = context.ends.outer_range(node, context.page)?;
                self.plan_boundary(index, node, range.start, context);
                let text = match kind {
                    EditKind::Replace(markup) => &markup[..],
                    _ => "",
                };
                self.changes.replace(range, text.to_owned());
            }
            EditKind::SetInner(_) | EditKind::SetText(_) => {
                let range = self.contents_for_insertion(node, true, context)?;
                let is_literal = context.is_literal(node);
                let text = match kind {
                    EditKind::SetText(text) if !is_literal => {
                        seam::escape_source(text, false).into_owned()
                    }
                    EditKind::SetText(text) | EditKind::SetInner(text) => text.clone(),
                    _ => String::new(),
                };
                self.check_literal(node, &text, context)?;
                let outside = self.markup_outside(node, &range);
                self.changes.push(range, text + &outside, Order::Replacement, is_literal);
            }
            EditKind::Insert(place, markup) => {
                self.plan_insertion(index, node, *place, markup, context)?
            }
            EditKind::Wrap(name) => {
                let range = context.ends.outer_range(node, context.page)?;
                self.plan_boundary(index, node, range.start, context);
                context.maybe_open.push((range.end, node.id()));
                self.changes.insert(range.start, format!("<{name}>"), Order::Before(index));
                let order =
                    Order::end(start_key(node, range.start), EndOrder::After(Reverse(index)));
                self.changes.insert(range.end, format!("</{name}>"), order);
            }
            EditKind::Unwrap => {
                let mut tag = places::written_span(node, input)?.range();
                self.plan_boundary(index, node, tag.start, context);
                let contents = self.contents_for_insertion(node, true, context)?;
                // A line end that the parser drops after the start tag is removed with the tag.
                tag.end = tag.end.max(contents.start.min(tag.end + "\r\n".len()));
                self.changes.replace(tag, String::new());
                if let Some(end) = node.end_tag_span() {
                    self.changes.replace(end.range(), String::new());
                }
                context.maybe_open.extend(node.last_child().map(|last| (contents.end, last.id())));
            }
        }
        Ok(())
    }

    fn plan_insertion(
        &mut self,
        index: usize,
        node: NodeRef<'a>,
        place: Adjacent,
        markup: &str,
        context: &mut PlanContext<'_>,
    ) -> Result<(), EditError> {
        let (offset, order) = match place {
            Adjacent::BeforeBegin => {
                let offset = context.ends.outer_range(node, context.page)?.start;
                self.plan_boundary(index, node, offset, context);
                (offset, Order::Before(index))
            }
            Adjacent::AfterBegin => (
                self.contents_for_insertion(node, true, context)?.start,
                Order::ContentsStart(Reverse(index)),
            ),
            Adjacent::BeforeEnd => {
                let range = self.contents_for_insertion(node, false, context)?;
                self.plan_end_tags_at(index, range.end, Some(node), node.last_child(), context);
                let is_implied_and_empty = node.span().is_none() && node.first_child().is_none();
                let order = match is_implied_and_empty {
                    true => Order::Before(index),
                    false => Order::end(start_key(node, range.start), EndOrder::Contents(index)),
                };
                (range.end, order)
            }
            Adjacent::AfterEnd => {
                let range = context.ends.outer_range(node, context.page)?;
                self.plan_end_tags_at(index, range.end, node.parent(), Some(node), context);
                let key = start_key(node, range.start);
                (range.end, Order::end(key, EndOrder::After(Reverse(index))))
            }
        };
        let is_inside = matches!(place, Adjacent::AfterBegin | Adjacent::BeforeEnd);
        if is_inside {
            self.check_literal(node, markup, context)?;
        }
        self.changes.push(
            offset..offset,
            markup.to_owned(),
            order,
            is_inside && context.is_literal(node),
        );
        Ok(())
    }

    /// Returns the markup that is in the range of an element's contents but not in the element. If the range extends
    /// beyond the end tag, this is the end tag, and comments beside the element and the document element; otherwise
    /// nothing.
    fn markup_outside(&self, element: NodeRef<'a>, contents: &Range<usize>) -> String {
        let mut markup = String::new();
        let is_in_range = |tag: &Span| tag.end <= contents.end;
        let mut next = element.end_tag_span().filter(is_in_range).map(|_| element);
        while let Some(node) = next {
            let tag = node.end_tag_span().filter(|tag| tag.end <= contents.end);
            let siblings = node.next_siblings().filter_map(|sibling| sibling.span());
            let outside = siblings.filter(|span| span.end <= contents.end);
            for span in tag.into_iter().chain(outside) {
                markup += span.get(self.edits.input).unwrap_or_default();
            }
            next = node.parent().filter(|_| !markup.is_empty());
        }
        markup
    }

    /// Returns an error if literal text would end its element.
    fn check_literal(
        &self,
        node: NodeRef<'a>,
        text: &str,
        context: &PlanContext<'_>,
    ) -> Result<(), EditError> {
        let name = node.local_name().unwrap_or_default();
        if context.is_literal(node) && !seam::is_contained(name, text, context.parse) {
            return Err(EditError::BadText);
        }
        Ok(())
    }

    /// Returns the range of an element's contents for an insertion. A self-closing tag is opened, and an implied start
    /// tag is written if the insertion would end up elsewhere without it.
    fn contents_for_insertion(
        &mut self,
        element: NodeRef<'a>,
        is_first: bool,
        context: &mut PlanContext<'_>,
    ) -> Result<Range<usize>, EditError> {
        let mut range = context.ends.inner_range(element, context.page)?;
        if element.span().is_none() {
            let name = element.local_name().unwrap_or_default();
            let needs_tag = is_first || element.first_child().is_none();
            if needs_tag && self.implied.insert(element.id()) {
                // An implied element has only attributes that were merged from a later tag of the same name.
                let mut tag = format!("<{name}");
                for attribute in element.attributes() {
                    let name = attribute.name().to_string();
                    seam::write_attribute(&mut tag, &name, attribute.value());
                }
                self.changes.insert(range.start, tag + ">", Order::ImpliedStartTag);
            }
            return Ok(range);
        }
        self.tags.entry(element.id()).or_default().gets_contents = true;
        let name = element.local_name().unwrap_or_default();
        if element.namespace() == Some(Namespace::HTML) && context.drops_line_end(name) {
            let line_end = places::line_end_at(self.edits.input, range.start);
            match line_end.filter(|_| !range.is_empty()) {
                Some(line_end) => range.start += line_end.len(),
                None => self.changes.drop_line_end_at(range.start),
            }
        }
        Ok(range)
    }

    /// Plans the markup that must precede an insertion at the start of a node: the end tag of the previous sibling, and
    /// a line end that the parent's start tag would drop.
    fn plan_boundary(
        &mut self,
        index: usize,
        node: NodeRef<'a>,
        offset: usize,
        context: &mut PlanContext<'_>,
    ) {
        let before = node.previous_sibling();
        self.plan_end_tags_at(index, offset, node.parent(), before, context);
        if before.is_none()
            && let Some(parent) = node.parent().filter(|parent| parent.span().is_some())
            && parent.span().map(|span| span.end) == Some(offset)
            && parent.local_name().is_some_and(|name| context.drops_line_end(name))
        {
            self.changes.drop_line_end_at(offset);
        }
    }

    /// Plans end tags before the markup of an edit at a byte offset inside the element `inside`: for all elements open
    /// there if the edit is fully closed, and otherwise for `before`, the node before the markup, which may be open.
    fn plan_end_tags_at(
        &mut self,
        index: usize,
        offset: usize,
        inside: Option<NodeRef<'a>>,
        before: Option<NodeRef<'a>>,
        context: &mut PlanContext<'_>,
    ) {
        let Some(names) = context.fully_closed.get_mut(&index) else {
            return context.maybe_open.extend(before.map(|before| (offset, before.id())));
        };
        let parse = context.parse;
        let names = names.get_or_insert_with(|| self.open_names(offset, inside, parse));
        if names.is_empty() {
            return;
        }
        let written_count = self.closed_at.entry(offset).or_default();
        for (depth, name) in names.iter().enumerate().skip(*written_count) {
            // `usize::MAX - depth` takes the place of a start offset: the element with the largest one ends first, and
            // inner elements must end before outer ones, wherever they begin.
            let order = Order::end(usize::MAX - depth, EndOrder::Tag);
            self.changes.insert(offset, format!("</{name}>"), order);
        }
        *written_count = names.len().max(*written_count);
    }

    /// Returns the names of all elements open at a byte offset inside the element `inside`, innermost first, as determined
    /// by parsing; none if that element is not open there.
    fn open_names(
        &self,
        offset: usize,
        inside: Option<NodeRef<'a>>,
        parse: Parse<'_>,
    ) -> Vec<String> {
        let (Some(inside), Some(before)) = (inside, self.edits.input.get(..offset)) else {
            return Vec::new();
        };
        // The mark is a comment, because a parser would move text or an element in a table before the table.
        let tree = parse(&format!("{before}<!---->"));
        let mut nodes = tree.root().descendants_with_contents();
        let is_mark = |node: &NodeRef<'_>| node.span().is_some_and(|span| span.start == offset);
        let Some(mark) = nodes.find(is_mark) else { return Vec::new() };
        let mut names = Vec::new();
        let around = std::iter::successors(Some(mark), |node| node.parent().or(node.host()));
        for ancestor in around.skip(1) {
            if ancestor.span() == inside.span() && ancestor.name() == inside.name() {
                return names;
            }
            names.extend(ancestor.name().map(|name| name.to_string()));
        }
        Vec::new()
    }

    /// Plans the changes of start tags, and of names in end tags.
    fn plan_start_tags(&mut self, context: &mut PlanContext<'_>) -> Result<(), EditError> {
        for (element, plan) in &self.tags {
            let (element, input) = (self.edits.tree.node(*element), self.edits.input);
            let tag = places::start_tag(element, input)?;
            let mut range = tag.start..tag.start + tag.text.len();
            let written_names: HashSet<&str> =
                tag.attributes.iter().map(|attribute| &*attribute.name).collect();
            let unwritten_attributes =
                element.attributes().map(|attribute| (attribute.name().to_string(), attribute));
            let unwritten_attributes: HashMap<String, _> = unwritten_attributes
                .filter(|(name, _)| !written_names.contains(&name[..]))
                .collect();
            let (merged, attributes): (Vec<_>, Vec<_>) = plan
                .attributes
                .iter()
                .cloned()
                .partition(|(name, _)| unwritten_attributes.contains_key(name));
            for (name, value) in merged {
                // A merged attribute is changed where it is written: in a later tag of the same name.
                let Some(&attribute) = unwritten_attributes.get(&name) else { continue };
                let attribute_range = places::attribute_range(attribute, input)?;
                let name_end = attribute.name_span().map_or(attribute_range.start, |span| span.end);
                match value {
                    Some(value) => {
                        let value = format!("=\"{}\"", seam::escape_source(&value, true));
                        self.changes.replace(name_end..attribute_range.end, value);
                    }
                    None => self.changes.replace(attribute_range, String::new()),
                }
            }
            if self.unwrapped.contains(&element.id()) {
                continue;
            }
            let changes = TagChanges {
                name: plan.name.as_deref(),
                attributes: &attributes,
                gets_contents: plan.gets_contents,
            };
            let mut text = tag.edited_text(&changes);
            if let Some(name) = &plan.name {
                let old_name = element.local_name().unwrap_or_default();
                let is_void = |name: &str| context.names.void.contains(&name);
                match (is_void(old_name), is_void(name)) {
                    (true, false) => {
                        text = tag.edited_text(&TagChanges { gets_contents: true, ..changes })
                            + &format!("</{name}>")
                    }
                    (false, true) => return Err(EditError::NoContents),
                    _ => {}
                }
                if let Some(end) = self.edits.end_tag_name(element)? {
                    self.changes.replace(end, format!("</{name}"));
                }
                if let Some(line_end) = places::line_end_at(input, range.end) {
                    match (context.drops_line_end(old_name), context.drops_line_end(name)) {
                        (true, false) => range.end += line_end.len(),
                        (false, true) => text.push('\n'),
                        _ => {}
                    }
                }
            }
            if text != input[range.clone()] {
                self.changes.replace(range, text);
            }
        }
        Ok(())
    }

    /// Plans omitted end tags that are needed before insertions.
    fn plan_end_tags(&mut self, context: &PlanContext<'_>) -> Result<(), EditError> {
        let (tree, input) = (self.edits.tree, self.edits.input);
        let mut closed = HashSet::new();
        if let Some(OpenText { element, offset, end }) = &context.open_text
            && !self.removed.contains_key(element)
            && !self.inside_removed.contains(element)
            && context.maybe_open.iter().any(|(other, node)| {
                let parent = tree.node(*node).parent();
                other == offset && parent.is_none_or(|parent| parent.id() != *element)
            })
        {
            let end = end.as_ref().ok_or(EditError::UnclosedText)?;
            let order = Order::end(usize::MAX, EndOrder::Tag);
            self.changes.push(*offset..*offset, end.clone(), order, true);
            closed.extend(end.starts_with('<').then_some((*offset, *element)));
        }
        let mut is_last_comment_closed = false;
        for (offset, node) in &context.maybe_open {
            let is_removed = self.removed.contains_key(node)
                || self.inside_removed.contains(node)
                || self.unwrapped.contains(node);
            let is_closed = self.closed_at.contains_key(offset) || !closed.insert((*offset, *node));
            if is_removed || is_closed {
                continue;
            }
            let node = tree.node(*node);
            let order = Order::end(start_key(node, *offset), EndOrder::Tag);
            if places::lacks_end_tag(node, input, context.names.void) {
                let new_name = self.tags.get(&node.id()).and_then(|plan| plan.name.clone());
                let name = node.name().map(|name| name.to_string()).unwrap_or_default();
                self.changes.insert(*offset, format!("</{}>", new_name.unwrap_or(name)), order);
            }
            if *offset == input.len() && !std::mem::replace(&mut is_last_comment_closed, true) {
                // The end of the input may have cut off the last comment, which then needs its closing delimiter.
                let mut last = node;
                while let Some(inner) = last.last_child() {
                    last = inner;
                }
                let comment = last.span().filter(|_| last.kind() == NodeKind::Comment);
                let comment = comment.and_then(|span| span.get(input)).unwrap_or_default();
                let delimiter = seam::closing_delimiter(comment, context.parse).unwrap_or_default();
                let order = Order::end(start_key(last, *offset), EndOrder::Tag);
                self.changes.insert(*offset, delimiter.to_owned(), order);
            }
        }
        Ok(())
    }

    /// Applies the edits to a tree. Nodes are removed last, as insertions beside them need their parents.
    fn apply(
        &self,
        dialect: &Dialect,
        tree: &mut Tree,
        options: &Options,
    ) -> Result<(), EditError> {
        for (element, plan) in &self.tags {
            if !plan.attributes.is_empty() {
                set_attributes(tree, *element, &plan.attributes);
            }
            if let Some(name) = &plan.name {
                let name = tree.names_mut().name(Namespace::HTML, "", name);
                tree.set_name(*element, name);
            }
        }
        for is_removal in [false, true] {
            for index in &self.effective_edits {
                let Edit { node, kind } = &self.edits.list.edits[*index];
                if kind.is_removal() == is_removal {
                    kind.apply(*node, dialect, tree, options)?;
                }
            }
        }
        unwrap_all(&self.unwrapped, tree);
        Ok(())
    }
}
