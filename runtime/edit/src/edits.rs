//! The edits of one page: collected first, then written and checked at once.

use crate::changes::{AtEnd, Changes, Order};
use crate::error::{Applied, EditError, RefusedEdit};
use crate::places::{self, AttributeIndex, EndOffsets};
use crate::seam::{self, Parse, TagChanges};
use crate::steps::{MarkupReader, StaticDialect, Step, unwrap_all};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::tree::{
    AttributeRef, DocumentMode, Edge, Name, Namespace, NodeId, NodeKind, NodeRef, SerializerNames,
    Tree,
};
use tabulex_core::{Adjacent, Construction, Dialect, Options, Span};

/// How often [`Edits::apply_possible`] parses a page in search of edits that must be left out.
const MAX_CHECKS: usize = 1000;

/// Edits of a page. All nodes are those of the tree as it was parsed, whatever was edited before.
///
/// Of two edits that contradict each other one counts: what removes or replaces a node, or the contents of an element, counts
/// more than edits inside of it, and of two edits of the same thing the later one counts.
#[derive(Clone, Debug)]
pub struct Edits<'a> {
    tree: &'a Tree,
    input: &'a str,
    edits: Vec<Edit<'a>>,
    /// The ends of elements without end tags, once one of them was needed.
    ends: EndOffsets,
    attribute_index: AttributeIndex<'a>,
}

/// One call.
#[derive(Clone, Debug)]
struct Edit<'a> {
    node: NodeRef<'a>,
    step: Step,
}

impl<'a> Edits<'a> {
    /// Edits of a text, and the tree that was parsed from it, with positions.
    pub fn new(tree: &'a Tree, input: &'a str) -> Self {
        let (edits, ends, attribute_index) = Default::default();
        Self { tree, input, edits, ends, attribute_index }
    }

    /// Sets an attribute. The name stays as it is written if the element has the attribute; the value is put between
    /// quotation marks and escaped. Names of attributes of HTML elements are compared in lower case.
    ///
    /// # Errors
    ///
    /// If the node is no element, its tag is not in the text, or the name is none.
    pub fn set_attribute(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
        value: &str,
    ) -> Result<(), EditError> {
        self.check_element(element)?;
        let is_bad = |byte: u8| byte.is_ascii_whitespace() || b"/>=\"'<\0".contains(&byte);
        if name.is_empty() || name.bytes().any(is_bad) {
            return Err(EditError::BadName);
        }
        places::written(element, self.input)?;
        let (name, found) = self.attribute(element, name);
        if let Some(found) = found {
            places::attribute(found, self.input)?;
        }
        self.push(element, Step::Attribute(name, Some(value.to_owned())));
        Ok(())
    }

    /// Removes an attribute and the white space before it. Does nothing if there is none of this name.
    ///
    /// # Errors
    ///
    /// If the node is no element, or the attribute or its tag is not in the text.
    pub fn remove_attribute(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        self.check_element(element)?;
        let (name, found) = self.attribute(element, name);
        if let Some(found) = found {
            places::written(element, self.input)?;
            places::attribute(found, self.input)?;
        }
        self.push(element, Step::Attribute(name, None));
        Ok(())
    }

    /// Removes a node and all that is inside.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn remove(&mut self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check_outer(node)?;
        self.push(node, Step::Remove);
        Ok(())
    }

    /// Replaces a node and all that is inside by markup.
    ///
    /// # Errors
    ///
    /// If the node is not in the text.
    pub fn replace(&mut self, node: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        self.check_outer(node)?;
        self.push(node, Step::Replace(markup.to_owned()));
        Ok(())
    }

    /// Replaces the contents of an element by markup.
    ///
    /// # Errors
    ///
    /// If the node is no element, is not in the text, or can have no contents.
    pub fn set_inner(&mut self, element: NodeRef<'a>, markup: &str) -> Result<(), EditError> {
        self.check_contents(element)?;
        self.push(element, Step::SetInner(markup.to_owned()));
        Ok(())
    }

    /// Replaces the contents of an element by text. It is escaped, but in elements in which nothing is, such as a style
    /// sheet; there [`apply`](Self::apply) refuses text that would end the element.
    ///
    /// # Errors
    ///
    /// As [`set_inner`](Self::set_inner).
    pub fn set_text(&mut self, element: NodeRef<'a>, text: &str) -> Result<(), EditError> {
        self.check_contents(element)?;
        self.push(element, Step::SetText(text.to_owned()));
        Ok(())
    }

    /// Puts markup beside an element or into it.
    ///
    /// # Errors
    ///
    /// If the element is not in the text, or can have no contents.
    pub fn insert(
        &mut self,
        element: NodeRef<'a>,
        place: Adjacent,
        markup: &str,
    ) -> Result<(), EditError> {
        match place {
            Adjacent::BeforeBegin | Adjacent::AfterEnd => self.check_outer(element)?,
            Adjacent::AfterBegin | Adjacent::BeforeEnd => self.check_contents(element)?,
        }
        self.push(element, Step::Insert(place, markup.to_owned()));
        Ok(())
    }

    /// Gives an HTML element another name. Its attributes stay.
    ///
    /// # Errors
    ///
    /// If the node is no HTML element, its tags are not in the text, or the name is none.
    pub fn rename(&mut self, element: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        check_tag_name(name)?;
        self.check(element)?;
        if element.namespace() != Some(Namespace::HTML) {
            return Err(EditError::NotAnElement);
        }
        places::start_tag(element, self.input)?;
        self.end_tag_name(element)?;
        self.push(element, Step::Rename(name.to_ascii_lowercase()));
        Ok(())
    }

    /// Puts a new HTML element of this name around a node.
    ///
    /// # Errors
    ///
    /// If the node is not in the text, or the name is none.
    pub fn wrap(&mut self, node: NodeRef<'a>, name: &str) -> Result<(), EditError> {
        check_tag_name(name)?;
        self.check_outer(node)?;
        self.push(node, Step::Wrap(name.to_ascii_lowercase()));
        Ok(())
    }

    /// Removes an element's tags; what is inside stays.
    ///
    /// # Errors
    ///
    /// If the node is no element, or its start tag is not in the text.
    pub fn unwrap(&mut self, element: NodeRef<'a>) -> Result<(), EditError> {
        self.check_element(element)?;
        places::written(element, self.input)?;
        self.push(element, Step::Unwrap);
        Ok(())
    }

    /// The edited text. It is parsed once more, with the options of the first time, and compared with the edited tree.
    ///
    /// # Errors
    ///
    /// If an edit cannot be made: the first one, which [`apply_possible`](Self::apply_possible) would leave out.
    pub fn apply<D: Construction>(&self, options: &Options) -> Result<String, RefusedEdit> {
        self.apply_with(&StaticDialect::<D>(PhantomData), options)
    }

    /// The edited text, as [`apply`](Self::apply) returns it, in a dialect that is chosen at run time.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub fn apply_in(&self, dialect: &Dialect, options: &Options) -> Result<String, RefusedEdit> {
        self.apply_with(dialect, options)
    }

    /// The text with all edits that can be made; the others are listed. Each of them costs a few more parses of the page;
    /// after 1,000 parses, edits that cannot be made together are all left out.
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
    /// let applied = edits.apply_possible::<html::Html>(&Options::new());
    /// assert_eq!(applied.text, "<table><tr><td>1</table><h1>2");
    /// assert_eq!(applied.refused[0].to_string(),
    ///     "edit 0, `rename` of `<td>` at 11..15: the edited text would be read as another tree");
    /// # Ok::<(), tabulex::edit::EditError>(())
    /// ```
    pub fn apply_possible<D: Construction>(&self, options: &Options) -> Applied {
        self.apply_possible_with(&StaticDialect::<D>(PhantomData), options)
    }

    /// The text with all edits that can be made, as [`apply_possible`](Self::apply_possible) returns it, in a dialect that is
    /// chosen at run time.
    pub fn apply_possible_in(&self, dialect: &Dialect, options: &Options) -> Applied {
        self.apply_possible_with(dialect, options)
    }

    /// The edited text, for those who know that it is read as they want it; it is not parsed.
    ///
    /// # Errors
    ///
    /// If two edits change the same bytes.
    pub fn apply_unchecked<D: Construction>(
        &self,
        options: &Options,
    ) -> Result<String, RefusedEdit> {
        self.apply_unchecked_with(&StaticDialect::<D>(PhantomData), options)
    }

    /// The edited text, as [`apply_unchecked`](Self::apply_unchecked) returns it, in a dialect that is chosen at run time.
    ///
    /// # Errors
    ///
    /// As [`apply_unchecked`](Self::apply_unchecked).
    pub fn apply_unchecked_in(
        &self,
        dialect: &Dialect,
        options: &Options,
    ) -> Result<String, RefusedEdit> {
        self.apply_unchecked_with(dialect, options)
    }

    /// The name by which an element has or gets an attribute, and the attribute if it has it.
    fn attribute(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
    ) -> (String, Option<AttributeRef<'a>>) {
        let name = element.attribute_name(name).into_owned();
        let found = self.attribute_index.attribute(element, &name);
        (name, found)
    }

    fn push(&mut self, node: NodeRef<'a>, step: Step) {
        self.edits.push(Edit { node, step });
    }

    /// Refuses nodes of other trees, whose positions are those of another text.
    fn check(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        if std::ptr::eq(node.tree(), self.tree) { Ok(()) } else { Err(EditError::NotWritten) }
    }

    fn check_element(&self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check(node)?;
        if node.is_element() { Ok(()) } else { Err(EditError::NotAnElement) }
    }

    fn check_outer(&mut self, node: NodeRef<'a>) -> Result<(), EditError> {
        self.check(node)?;
        self.ends.outer(node, self.input, None).map(|_| ())
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
        self.ends.inner(element, self.input, None).map(|_| ())
    }

    /// The range of an end tag up to the end of its name.
    fn end_tag_name(&self, element: NodeRef<'a>) -> Result<Option<Range<usize>>, EditError> {
        let Some(tag) = element.end_tag_span() else { return Ok(None) };
        let name = places::tag_name(tag.start + "</".len(), tag.end, self.input)?;
        Ok(Some(tag.start..name.end))
    }

    fn apply_with(
        &self,
        reader: &impl MarkupReader,
        options: &Options,
    ) -> Result<String, RefusedEdit> {
        let Applied { text, mut refused } = self.search(reader, options, true);
        if refused.is_empty() { Ok(text) } else { Err(refused.swap_remove(0)) }
    }

    fn apply_possible_with(&self, reader: &impl MarkupReader, options: &Options) -> Applied {
        self.search(reader, options, false)
    }

    fn apply_unchecked_with(
        &self,
        reader: &impl MarkupReader,
        options: &Options,
    ) -> Result<String, RefusedEdit> {
        let all: Vec<usize> = (0..self.edits.len()).collect();
        let parse = self.questions(reader, options);
        let written = Plan::new(self, &all, None, reader, &parse);
        let written = written.and_then(|plan| plan.changes.apply(self.input, &parse));
        written.map_err(|error| {
            let first = self.search(reader, options, true).refused.into_iter().next();
            first.unwrap_or_else(|| self.refused(0, error))
        })
    }

    /// Makes all edits that can be made, or all before the first that cannot. Groups of edits are halved until the edits are
    /// found that cannot be made.
    fn search(&self, reader: &impl MarkupReader, options: &Options, until_first: bool) -> Applied {
        let mut applied = Applied { text: self.input.to_owned(), refused: Vec::new() };
        let mut kept: Vec<usize> = Vec::new();
        let mut groups = Vec::new();
        if !self.edits.is_empty() {
            groups.push(0..self.edits.len());
        }
        let mut checks = 0;
        while let Some(group) = groups.pop() {
            let before = kept.len();
            kept.extend(group.clone());
            let careful = (group.len() == 1).then_some(group.start);
            checks += 1;
            let error = match self.attempt(&kept, None, reader, options) {
                Ok(text) => {
                    applied.text = text;
                    continue;
                }
                Err(error) => error,
            };
            if let Some(careful) = careful
                && let Ok(text) = self.attempt(&kept, Some(careful), reader, options)
            {
                applied.text = text;
                continue;
            }
            kept.truncate(before);
            if group.len() > 1 && checks < MAX_CHECKS {
                let middle = group.start + group.len() / 2;
                groups.extend([middle..group.end, group.start..middle]);
                continue;
            }
            applied.refused.extend(group.map(|edit| self.refused(edit, error)));
            if until_first {
                break;
            }
        }
        applied
    }

    fn refused(&self, edit: usize, reason: EditError) -> RefusedEdit {
        let Edit { node, step } = &self.edits[edit];
        let name = node.name().map(|name| name.to_string());
        RefusedEdit {
            edit,
            method: step.method(),
            node: node.id(),
            name,
            span: node.span(),
            reason,
        }
    }

    /// Returns the parser for questions about markup that has no DOCTYPE of its own: the mode is that of the page.
    fn questions<'p, R: MarkupReader>(
        &self,
        reader: &'p R,
        options: &Options,
    ) -> impl Fn(&str) -> Tree + use<'p, 'a, R> {
        let is_quirks = self.tree.mode() == DocumentMode::Quirks;
        let options = options.clone().iframe_srcdoc(!is_quirks);
        move |text: &str| parsed(reader, text, &options)
    }

    /// The text with these edits, if it is read as the tree with them.
    fn attempt(
        &self,
        chosen: &[usize],
        careful: Option<usize>,
        reader: &impl MarkupReader,
        options: &Options,
    ) -> Result<String, EditError> {
        let parse = self.questions(reader, options);
        let plan = Plan::new(self, chosen, careful, reader, &parse)?;
        let mut wanted = self.tree.clone();
        seam::remove_trailing_space(&mut wanted, self.input, &parse);
        plan.apply(reader, &mut wanted, options)?;
        let text = plan.changes.apply(self.input, &parse)?;
        let mut found = reader.parse(&text, options).ok_or(EditError::ReadsOtherwise)?.tree;
        seam::remove_trailing_space(&mut found, &text, &parse);
        let is_same =
            wanted.mode() == found.mode() && wanted.root().is_like_normalized(&found.root());
        if is_same { Ok(text) } else { Err(EditError::ReadsOtherwise) }
    }
}

/// The tree of a text; empty if the dialect builds no trees.
fn parsed(reader: &impl MarkupReader, text: &str, options: &Options) -> Tree {
    reader.parse(text, options).map_or_else(Tree::new, |parsed| parsed.tree)
}

/// Changes attributes of an element, whose names are looked up once for all of them.
fn change_attributes(tree: &mut Tree, element: NodeId, changes: &[(String, Option<String>)]) {
    let attributes = tree.node(element).attributes();
    let names: HashMap<String, Name> =
        attributes.map(|it| (it.name().to_string(), it.name().id())).collect();
    let mut gone = HashSet::new();
    for (name, value) in changes {
        match (value, names.get(name)) {
            (Some(value), found) => {
                let new = || tree.names_mut().name(Namespace::NONE, "", name);
                let id = found.copied().unwrap_or_else(new);
                tree.set_named_attribute(element, id, value);
            }
            (None, Some(found)) => {
                gone.insert(*found);
            }
            (None, None) => {}
        }
    }
    if !gone.is_empty() {
        tree.retain_attributes(element, |attribute| !gone.contains(&attribute.name().id()));
    }
}

/// A number for the place where a node begins: greater than that of an implied element around it.
fn begin_order(node: NodeRef<'_>, contents: usize) -> usize {
    node.span().map_or(contents, |span| span.start + 1)
}

fn check_tag_name(name: &str) -> Result<(), EditError> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_name && name.bytes().all(is_part) { Ok(()) } else { Err(EditError::BadName) }
}

/// The changes of one start tag.
#[derive(Debug, Default)]
struct TagPlan {
    attributes: Vec<(String, Option<String>)>,
    /// The places of attributes in the list.
    places: HashMap<String, usize>,
    name: Option<String>,
    gets_contents: bool,
}

impl TagPlan {
    /// Sets or removes an attribute; the last call counts.
    fn set(&mut self, name: &str, value: Option<&String>) {
        match self.places.get(name) {
            Some(place) => self.attributes[*place].1 = value.cloned(),
            None => {
                self.places.insert(name.to_owned(), self.attributes.len());
                self.attributes.push((name.to_owned(), value.cloned()));
            }
        }
    }
}

/// Changes of the text and steps on the tree that make the same edits.
struct Plan<'e, 'a> {
    edits: &'e Edits<'a>,
    changes: Changes,
    /// The edits that count, in the order of the calls.
    counting: Vec<usize>,
    tags: Vec<(NodeRef<'a>, TagPlan)>,
    /// Places of elements in `tags`.
    tag_of: HashMap<NodeId, usize>,
    /// The nodes that are removed or replaced, and the edits that do it.
    gone: HashMap<NodeId, usize>,
    /// The edited nodes inside of something that is removed or replaced.
    covered: HashSet<NodeId>,
    /// The implied elements whose start tags are written.
    implied: HashSet<NodeId>,
    unwrapped: Vec<NodeId>,
}

/// The parser and names that a plan is made with.
struct Context<'p> {
    parse: Parse<'p>,
    names: SerializerNames<'p>,
    /// Where the contents of the document end, if only white space follows.
    content_end: Option<usize>,
    /// Whether a line end after the start tag of a name is dropped.
    drops: HashMap<String, bool>,
    ends: EndOffsets,
    /// Nodes that may be open where something is put, and the byte offsets.
    open: Vec<(usize, NodeId)>,
    /// Edits for which the parser is asked what is open.
    careful: Option<usize>,
}

impl Context<'_> {
    fn drops_line_end(&mut self, name: &str) -> bool {
        let parse = self.parse;
        *self.drops.entry(name.to_owned()).or_insert_with(|| seam::drops_line_end(name, parse))
    }

    fn is_literal(&self, element: NodeRef<'_>) -> bool {
        let Some(name) = element.local_name() else { return false };
        element.namespace() == Some(Namespace::HTML)
            && (self.names.raw_text.contains(&name)
                || self.names.raw_text_when_scripting.contains(&name)
                    && seam::is_literal(name, self.parse))
    }
}

impl<'e, 'a> Plan<'e, 'a> {
    fn new(
        edits: &'e Edits<'a>,
        chosen: &[usize],
        careful: Option<usize>,
        reader: &impl MarkupReader,
        parse: Parse<'_>,
    ) -> Result<Self, EditError> {
        let content_end = seam::content_end(edits.tree)
            .filter(|end| seam::trailing_space(edits.input, *end, parse).is_some());
        let mut context = Context {
            parse,
            names: reader.names(),
            content_end,
            drops: HashMap::new(),
            ends: EndOffsets::default(),
            open: Vec::new(),
            careful,
        };
        let mut plan = Self {
            edits,
            changes: Changes::default(),
            counting: Vec::new(),
            tags: Vec::new(),
            tag_of: HashMap::new(),
            gone: HashMap::new(),
            covered: HashSet::new(),
            implied: HashSet::new(),
            unwrapped: Vec::new(),
        };
        plan.choose(chosen);
        for index in 0..plan.counting.len() {
            plan.write(plan.counting[index], &mut context)?;
        }
        plan.write_tags(&mut context)?;
        plan.write_end_tags(&context);
        Ok(plan)
    }

    /// Chooses the edits that count.
    fn choose(&mut self, chosen: &[usize]) {
        let edits = &self.edits.edits;
        let mut refilled: HashMap<NodeId, usize> = HashMap::new();
        for &index in chosen {
            let Edit { node, step } = &edits[index];
            if step.is_removal() {
                self.gone.insert(node.id(), index);
            } else if step.is_refill() {
                refilled.insert(node.id(), index);
            }
        }
        if !self.gone.is_empty() || !refilled.is_empty() {
            let edited: HashSet<NodeId> = edits.iter().map(|edit| edit.node.id()).collect();
            let covers = |node: &NodeRef<'_>| {
                self.gone.contains_key(&node.id()) || refilled.contains_key(&node.id())
            };
            let mut around = 0;
            for edge in self.edits.tree.root().walk_with_contents() {
                match edge {
                    Edge::Open(node) => {
                        if around > 0 && edited.contains(&node.id()) {
                            self.covered.insert(node.id());
                        }
                        around += usize::from(covers(&node));
                    }
                    Edge::Close(node) => around -= usize::from(covers(&node)),
                    _ => {}
                }
            }
        }
        let mut unwrapped = HashSet::new();
        for &index in chosen {
            let Edit { node, step } = &edits[index];
            let is_over = match (self.gone.get(&node.id()), refilled.get(&node.id())) {
                (Some(last), _) => *last != index && !step.is_beside(),
                (None, Some(last)) => match step {
                    Step::SetInner(_) | Step::SetText(_) => *last != index,
                    Step::Insert(Adjacent::AfterBegin | Adjacent::BeforeEnd, _) => index < *last,
                    _ => false,
                },
                (None, None) => false,
            };
            if is_over || self.covered.contains(&node.id()) {
                continue;
            }
            if matches!(step, Step::Unwrap) {
                if !unwrapped.insert(node.id()) {
                    continue;
                }
                self.unwrapped.push(node.id());
            }
            self.counting.push(index);
        }
        // An element without tags has neither a name nor attributes.
        self.counting.retain(|index| {
            let Edit { node, step } = &edits[*index];
            let is_of_tag = matches!(step, Step::Attribute(..) | Step::Rename(_));
            !is_of_tag || !unwrapped.contains(&node.id())
        });
    }

    /// The changes of a start tag.
    fn tag(&mut self, element: NodeRef<'a>) -> &mut TagPlan {
        let next = self.tags.len();
        let place = *self.tag_of.entry(element.id()).or_insert(next);
        if place == next {
            self.tags.push((element, TagPlan::default()));
        }
        &mut self.tags[place].1
    }

    /// Plans the changes of the text for one edit; those of start tags are collected.
    fn write(&mut self, index: usize, context: &mut Context<'_>) -> Result<(), EditError> {
        let Edit { node, step } = &self.edits.edits[index];
        let (node, input) = (*node, self.edits.input);
        match step {
            Step::Attribute(name, value) => self.tag(node).set(name, value.as_ref()),
            Step::Rename(name) => {
                self.tag(node).name = Some(name.clone());
                if context.careful == Some(index) {
                    // What implied the end of the element may not imply that of the renamed one.
                    let range = context.ends.outer(node, input, context.content_end)?;
                    context.open.push((range.end, node.id()));
                }
            }
            Step::Remove | Step::Replace(_) => {
                let range = context.ends.outer(node, input, context.content_end)?;
                self.before(index, node, range.start, context);
                let text =
                    if let Step::Replace(markup) = step { markup.clone() } else { String::new() };
                self.changes.replace(range, text);
            }
            Step::SetInner(_) | Step::SetText(_) => {
                let range = self.contents(node, true, context)?;
                let is_literal = context.is_literal(node);
                let text = match step {
                    Step::SetText(text) if !is_literal => escape(text, false).into_owned(),
                    Step::SetText(text) | Step::SetInner(text) => text.clone(),
                    _ => String::new(),
                };
                self.check_literal(node, &text, context)?;
                let rest = self.after_end_tag(node, &range);
                self.changes.push(range, text + &rest, Order::Instead, is_literal);
            }
            Step::Insert(place, markup) => self.insert(index, node, *place, markup, context)?,
            Step::Wrap(name) => {
                let range = context.ends.outer(node, input, context.content_end)?;
                self.before(index, node, range.start, context);
                context.open.push((range.end, node.id()));
                self.changes.insert(range.start, format!("<{name}>"), Order::Before(index));
                let after =
                    Order::end(begin_order(node, range.start), AtEnd::After(Reverse(index)));
                self.changes.insert(range.end, format!("</{name}>"), after);
            }
            Step::Unwrap => {
                let mut tag = places::written(node, input)?.range();
                self.before(index, node, tag.start, context);
                let contents = self.contents(node, true, context)?;
                // The line end that the start tag dropped goes with it.
                tag.end = tag.end.max(contents.start.min(tag.end + "\r\n".len()));
                self.changes.replace(tag, String::new());
                if let Some(end) = node.end_tag_span() {
                    self.changes.replace(end.range(), String::new());
                }
                context.open.extend(node.last_child().map(|last| (contents.end, last.id())));
            }
        }
        Ok(())
    }

    fn insert(
        &mut self,
        index: usize,
        node: NodeRef<'a>,
        place: Adjacent,
        markup: &str,
        context: &mut Context<'_>,
    ) -> Result<(), EditError> {
        let (at, order) = match place {
            Adjacent::BeforeBegin => {
                let at = context.ends.outer(node, self.edits.input, context.content_end)?.start;
                self.before(index, node, at, context);
                (at, Order::Before(index))
            }
            Adjacent::AfterBegin => {
                (self.contents(node, true, context)?.start, Order::Inside(Reverse(index)))
            }
            Adjacent::BeforeEnd => {
                let range = self.contents(node, false, context)?;
                if context.careful == Some(index) {
                    self.close_open(range.end, Some(node), context);
                } else {
                    context.open.extend(node.last_child().map(|last| (range.end, last.id())));
                }
                let is_empty = node.span().is_none() && node.first_child().is_none();
                let order = match is_empty {
                    true => Order::Before(index),
                    false => Order::end(begin_order(node, range.start), AtEnd::Contents(index)),
                };
                (range.end, order)
            }
            Adjacent::AfterEnd => {
                let range = context.ends.outer(node, self.edits.input, context.content_end)?;
                if context.careful == Some(index) {
                    self.close_open(range.end, node.parent(), context);
                } else {
                    context.open.push((range.end, node.id()));
                }
                let start = begin_order(node, range.start);
                (range.end, Order::end(start, AtEnd::After(Reverse(index))))
            }
        };
        let is_inside = matches!(place, Adjacent::AfterBegin | Adjacent::BeforeEnd);
        if is_inside {
            self.check_literal(node, markup, context)?;
        }
        self.changes.push(at..at, markup.to_owned(), order, is_inside && context.is_literal(node));
        Ok(())
    }

    /// What is written in the range of an element's contents, which goes on after its end tag, and is no part of them: that
    /// tag, and comments beside the element and the document element.
    fn after_end_tag(&self, element: NodeRef<'a>, contents: &Range<usize>) -> String {
        let mut rest = String::new();
        let is_last = |tag: &Span| tag.end <= contents.end;
        let mut around = element.end_tag_span().filter(is_last).map(|_| element);
        while let Some(node) = around {
            let tag = node.end_tag_span().filter(|tag| tag.end <= contents.end);
            let siblings = node.next_siblings().filter_map(|sibling| sibling.span());
            let outside = siblings.filter(|span| span.end <= contents.end);
            for span in tag.into_iter().chain(outside) {
                rest += span.get(self.edits.input).unwrap_or_default();
            }
            around = node.parent().filter(|_| !rest.is_empty());
        }
        rest
    }

    /// Refuses literal text that would end its element.
    fn check_literal(
        &self,
        node: NodeRef<'a>,
        text: &str,
        context: &Context<'_>,
    ) -> Result<(), EditError> {
        let name = node.local_name().unwrap_or_default();
        if context.is_literal(node) && !seam::is_contained(name, text, context.parse) {
            return Err(EditError::BadText);
        }
        Ok(())
    }

    /// The range of the contents of an element in which something is put. Its start tag does not close itself then. One that
    /// is implied is written before what would be put elsewhere without it.
    fn contents(
        &mut self,
        element: NodeRef<'a>,
        is_first: bool,
        context: &mut Context<'_>,
    ) -> Result<Range<usize>, EditError> {
        let mut range = context.ends.inner(element, self.edits.input, context.content_end)?;
        if element.span().is_none() {
            let name = element.local_name().unwrap_or_default();
            let is_needed = is_first || element.first_child().is_none();
            if is_needed && self.implied.insert(element.id()) {
                // A later tag of the name has given it its attributes, if it has any.
                let mut tag = format!("<{name}");
                for attribute in element.attributes() {
                    seam::put_attribute(&mut tag, &attribute.name().to_string(), attribute.value());
                }
                self.changes.insert(range.start, tag + ">", Order::Begin);
            }
            return Ok(range);
        }
        self.tag(element).gets_contents = true;
        let name = element.local_name().unwrap_or_default();
        if element.namespace() == Some(Namespace::HTML) && context.drops_line_end(name) {
            let rest = &self.edits.input[range.clone()];
            let line_end = ["\r\n", "\n", "\r"].into_iter().find(|end| rest.starts_with(end));
            match line_end {
                Some(line_end) => range.start += line_end.len(),
                None => self.changes.drop_line_end_at(range.start),
            }
        }
        Ok(range)
    }

    /// Plans what must come before something that is put before a node or in its place: the end tag of the node before it, and
    /// a line end that the start tag around it would drop.
    fn before(&mut self, index: usize, node: NodeRef<'a>, at: usize, context: &mut Context<'_>) {
        if context.careful == Some(index) {
            self.close_open(at, node.parent(), context);
        }
        if let Some(before) = node.previous_sibling() {
            if context.careful != Some(index) {
                context.open.push((at, before.id()));
            }
        } else if let Some(around) = node.parent().filter(|around| around.span().is_some())
            && around.span().map(|span| span.end) == Some(at)
            && around.local_name().is_some_and(|name| context.drops_line_end(name))
        {
            self.changes.drop_line_end_at(at);
        }
    }

    /// Plans the end tags of all elements that the parser has open at a byte offset inside of an element.
    fn close_open(&mut self, at: usize, inside: Option<NodeRef<'a>>, context: &Context<'_>) {
        let (Some(inside), Some(before)) = (inside, self.edits.input.get(..at)) else { return };
        let tree = (context.parse)(&format!("{before}<x-y m>"));
        let mut marks = tree.root().descendants_with_contents();
        let Some(mark) = marks.find(|node| {
            node.attribute("m").is_some() && node.span().is_some_and(|span| span.start == at)
        }) else {
            return;
        };
        let is_it =
            |node: &NodeRef<'_>| node.span() == inside.span() && node.name() == inside.name();
        let mut open = Vec::new();
        for around in mark.ancestors() {
            if is_it(&around) {
                for (place, name) in open.into_iter().enumerate() {
                    // Whatever begins first, those inside end before those around them.
                    let order = Order::end(usize::MAX - place, AtEnd::Tag);
                    self.changes.insert(at, format!("</{name}>"), order);
                }
                return;
            }
            open.extend(around.name().map(|name| name.to_string()));
        }
    }

    /// Plans the changes of start tags and of the names in end tags.
    fn write_tags(&mut self, context: &mut Context<'_>) -> Result<(), EditError> {
        let unwrapped: HashSet<NodeId> = self.unwrapped.iter().copied().collect();
        for (element, plan) in &self.tags {
            let (element, input) = (*element, self.edits.input);
            let tag = places::start_tag(element, input)?;
            let range = tag.start..tag.start + tag.text.len();
            let written: HashSet<&str> = tag.attributes.iter().map(|it| &*it.name).collect();
            let unwritten = element.attributes().map(|it| (it.name().to_string(), it));
            let unwritten: HashMap<String, _> =
                unwritten.filter(|(name, _)| !written.contains(&name[..])).collect();
            let (merged, attributes): (Vec<_>, Vec<_>) =
                plan.attributes.iter().cloned().partition(|(name, _)| unwritten.contains_key(name));
            for (name, value) in merged {
                // The tag of an attribute that was merged into the element is another one.
                let Some(&found) = unwritten.get(&name) else { continue };
                let written = places::attribute(found, input)?;
                let name_end = found.name_span().map_or(written.start, |span| span.end);
                match value {
                    Some(value) => {
                        let value = format!("=\"{}\"", escape(&value, true));
                        self.changes.replace(name_end..written.end, value);
                    }
                    None => self.changes.replace(written, String::new()),
                }
            }
            if unwrapped.contains(&element.id()) {
                continue;
            }
            let changes = TagChanges {
                name: plan.name.as_deref(),
                attributes: &attributes,
                gets_contents: plan.gets_contents,
            };
            let mut text = tag.edited_text(&changes);
            let mut range = range;
            if let Some(name) = &plan.name {
                let old = element.local_name().unwrap_or_default();
                let is_void = |name: &str| context.names.void.contains(&name);
                match (is_void(old), is_void(name)) {
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
                let rest = &input[range.end..];
                if rest.starts_with(['\n', '\r']) {
                    match (context.drops_line_end(old), context.drops_line_end(name)) {
                        (true, false) => {
                            range.end += if rest.starts_with("\r\n") { 2 } else { 1 };
                        }
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

    /// Plans the end tags that were left out where it matters now.
    fn write_end_tags(&mut self, context: &Context<'_>) {
        let (tree, input) = (self.edits.tree, self.edits.input);
        let unwrapped: HashSet<NodeId> = self.unwrapped.iter().copied().collect();
        let mut closed = HashSet::new();
        let mut is_end_closed = false;
        for (at, node) in &context.open {
            let is_gone = self.gone.contains_key(node)
                || self.covered.contains(node)
                || unwrapped.contains(node);
            if is_gone || !closed.insert((*at, *node)) {
                continue;
            }
            let node = tree.node(*node);
            let order = Order::end(begin_order(node, *at), AtEnd::Tag);
            if places::is_open(node, input, context.names.void) {
                let renamed =
                    self.tag_of.get(&node.id()).and_then(|place| self.tags[*place].1.name.clone());
                let name = node.name().map(|name| name.to_string()).unwrap_or_default();
                self.changes.insert(*at, format!("</{}>", renamed.unwrap_or(name)), order);
            }
            if *at == input.len() && !std::mem::replace(&mut is_end_closed, true) {
                // All that ends there holds the last comment, which the end may have left unfinished.
                let mut last = node;
                while let Some(inner) = last.last_child() {
                    last = inner;
                }
                let comment = last.span().filter(|_| last.kind() == NodeKind::Comment);
                let comment = comment.and_then(|span| span.get(input)).unwrap_or_default();
                let end = seam::closing(comment, context.parse).unwrap_or_default();
                let order = Order::end(begin_order(last, *at), AtEnd::Tag);
                self.changes.insert(*at, end.to_owned(), order);
            }
        }
    }

    /// Makes the edits on a tree. Nodes are removed last, as insertions beside them need their parents.
    fn apply(
        &self,
        reader: &impl MarkupReader,
        tree: &mut Tree,
        options: &Options,
    ) -> Result<(), EditError> {
        for (element, plan) in &self.tags {
            if !plan.attributes.is_empty() {
                change_attributes(tree, element.id(), &plan.attributes);
            }
            if let Some(name) = &plan.name {
                let name = tree.names_mut().name(Namespace::HTML, "", name);
                tree.set_name(element.id(), name);
            }
        }
        for is_removal in [false, true] {
            for index in &self.counting {
                let Edit { node, step } = &self.edits.edits[*index];
                if step.is_removal() == is_removal {
                    step.apply(node.id(), reader, tree, options)?;
                }
            }
        }
        unwrap_all(&self.unwrapped, tree);
        Ok(())
    }
}
