//! Creation and insertion of nodes for tokens: at the appropriate place, at the end of the current node or the
//! document, or later, as pending table characters.

use super::elements::Bindings;
use super::open::Open;
use super::{Builder, Construction, Elements, TokenView, elements};
use crate::error::ParseError;
use crate::span::Span;
use crate::token::{DeclaredToken, Tag, Text};
use crate::tree::{AttributeNames, LocalName, Name, Names, Namespace, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates an element for the token, inserts it at the appropriate place, and pushes it onto the stack.
    #[inline(never)]
    pub fn insert_element(&mut self, token: &TokenView<'_>) {
        if C::ELEMENTS != Elements::Html {
            return self.create_and_append(token, true);
        }
        if let Some(tag) = token.tag() {
            self.insert_and_push(tag, Name::new(C::ELEMENTS.namespace(), self.token_name), false);
        }
    }

    /// Creates an element with `name` for the tag, inserts it at the appropriate place, and pushes it onto the stack.
    #[inline(always)]
    fn insert_and_push(&mut self, tag: &Tag<'_>, name: Name, is_integration_point: bool) {
        let kind = C::kind(name);
        let node = match self.plain_parent() {
            Some(parent) => {
                let node = self.append_created(tag, name, parent);
                self.set_up_created(tag, name, kind, node);
                node
            }
            None => self.insert_at_appropriate_place(tag, name),
        };
        self.push_element_of_kind(node, name, kind, is_integration_point);
    }

    /// Creates an element with `name` for the tag as the last child of `parent`.
    #[inline(always)]
    fn append_created(&mut self, tag: &Tag<'_>, name: Name, parent: S::Node) -> S::Node {
        let is_adjusted = !self.adjustments.is_empty();
        if is_adjusted {
            self.adjust_names(tag);
        }
        let attribute_names = match is_adjusted {
            true => AttributeNames::All(&self.adjusted_names),
            false => AttributeNames::Written,
        };
        if let Some(node) = self.sink.append_tag(Some(parent), name, tag, attribute_names) {
            return node;
        }
        self.name_attributes(tag);
        let attributes = tag.named_attributes(self.attribute_names.iter().copied());
        self.sink.append_element(parent, name, attributes, Some(tag.span()))
    }

    /// Slow path of `insert_and_push`: creates an element for the tag and inserts it at a place that may not be the end
    /// of the current node.
    #[cold]
    #[inline(never)]
    fn insert_at_appropriate_place(&mut self, tag: &Tag<'_>, name: Name) -> S::Node {
        let place = self.appropriate_place(None);
        let node = self.create_element_for(tag, name);
        self.put_element(place, node, Some(tag.span()));
        node
    }

    /// Creates an element for the token in `namespace`, inserts it, and pushes it onto the stack.
    pub fn insert_foreign_element(&mut self, token: &TokenView<'_>, namespace: Namespace) {
        let Some(tag) = token.tag() else { return };
        let name = Name::new(namespace, self.token_name);
        let is_point = is_integration_point::<C>(name, |name| tag.attribute(name));
        self.insert_and_push(tag, name, is_point);
    }

    /// Inserts an element of the table's own namespace without attributes, and pushes it onto the stack.
    pub fn insert_named_element(&mut self, local: LocalName, span: Option<Span>) {
        let name = Name::new(C::ELEMENTS.namespace(), local);
        let node = self.sink.make_element(name, std::iter::empty(), span);
        let place = self.appropriate_place(None);
        self.put_element(place, node, span);
        if C::ELEMENTS == Elements::Xml {
            self.bindings.enter_without_bindings();
        }
        self.push_element(node, name, false);
    }

    /// Stores the names of the tag's attributes in `attribute_names`.
    pub(super) fn name_attributes(&mut self, tag: &Tag<'_>) {
        self.attribute_names.clear();
        if !self.adjustments.is_empty() {
            self.adjust_names(tag);
            return self.attribute_names.extend(self.adjusted_names.iter().copied().map(Some));
        }
        let names = self.sink.names();
        for name in tag.attribute_name_lookups() {
            self.attribute_names
                .push(Some(Name::new(Namespace::NONE, names.local_from_lookup(name))));
        }
    }

    /// Creates an element with `name` for the tag, without inserting it.
    #[inline]
    pub(super) fn create_element_for(&mut self, tag: &Tag<'_>, name: Name) -> S::Node {
        self.name_attributes(tag);
        let names = AttributeNames::Some(&self.attribute_names);
        let node = self.sink.append_tag(None, name, tag, names).unwrap_or_else(|| {
            let attributes = tag.named_attributes(self.attribute_names.iter().copied());
            self.sink.make_element(name, attributes, Some(tag.span()))
        });
        self.set_up_created(tag, name, C::kind(name), node);
        node
    }

    /// Tells the sink if the tag of a new element had duplicate attributes, and sets up an element of a kind that is
    /// not plain.
    #[inline]
    fn set_up_created(&mut self, tag: &Tag<'_>, name: Name, kind: u8, node: S::Node) {
        if tag.had_duplicate_attributes() {
            self.sink.had_duplicate_attributes(node);
        }
        if kind >= C::PLAIN_KINDS {
            self.set_up_special(name, node);
        }
    }

    /// Creates the contents of a new template, or records that there is an element that mirrors the selected option.
    #[cold]
    #[inline(never)]
    pub(super) fn set_up_special(&mut self, name: Name, node: S::Node) {
        if let Some(template) = C::TEMPLATE
            && name == Name::new(C::ELEMENTS.namespace(), LocalName::known(template))
        {
            self.sink.template_contents(node);
        }
        if let Some(names) = &C::SELECTED_CONTENT
            && name == Name::new(C::ELEMENTS.namespace(), LocalName::known(names.content_id))
        {
            self.has_mirrors = true;
        }
    }

    /// Pushes an element onto the stack.
    pub(super) fn push_element(&mut self, node: S::Node, name: Name, is_integration_point: bool) {
        self.push_element_of_kind(node, name, C::kind(name), is_integration_point);
    }

    #[inline(always)]
    fn push_element_of_kind(
        &mut self,
        node: S::Node,
        name: Name,
        kind: u8,
        is_integration_point: bool,
    ) {
        let mut open = self.open_of(node, name, kind);
        open.is_integration_point = is_integration_point;
        self.open.push(open);
    }

    /// Returns an element of this kind as it is pushed onto the stack.
    #[inline(always)]
    pub(super) fn open_of(&mut self, node: S::Node, name: Name, kind: u8) -> Open<S::Node> {
        Open::new(node, name, self.lookup_name(name), kind)
    }

    /// Returns the lookup name of elements with this name, and whether they are in the table's own namespace.
    #[inline(always)]
    pub(super) fn lookup_name(&mut self, name: Name) -> (LocalName, bool) {
        let is_in_own_namespace = name.is_in(C::ELEMENTS.namespace());
        let local = if is_in_own_namespace { name.local() } else { self.lowercase_name(name) };
        (local, is_in_own_namespace)
    }

    /// Returns the local part of `name` in ASCII lower case.
    #[cold]
    #[inline(never)]
    fn lowercase_name(&mut self, name: Name) -> LocalName {
        let names = self.sink.names();
        let text = names.local_str(name.local());
        if !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return name.local();
        }
        let lowercase = text.to_ascii_lowercase();
        names.local(&lowercase)
    }
}

/// A place at which a node is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InsertionLocation<N> {
    /// After the last child of this node.
    LastIn(N),
    /// Before this node.
    Before(N),
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the current node, if nodes can simply be appended to it: the node is of a plain kind, foster parenting
    /// is disabled, and the depth limit is not reached.
    #[inline(always)]
    fn plain_parent(&self) -> Option<S::Node> {
        let open = self.open.last()?;
        let is_deep = self.open.len() >= self.limits.depth_check_from;
        let is_plain =
            C::ELEMENTS != Elements::Html || open.kind < C::PLAIN_KINDS && !self.is_fostering;
        (is_plain && !is_deep).then_some(open.node)
    }

    /// Returns the appropriate place for inserting a node into `target`, or else into the current node.
    #[inline]
    pub(super) fn appropriate_place(
        &mut self,
        target: Option<(S::Node, Name)>,
    ) -> InsertionLocation<S::Node> {
        let target = target.or_else(|| self.open.last().map(|open| (open.node, open.name)));
        let Some((node, name)) = target else { return InsertionLocation::LastIn(self.document) };
        if self.is_fostering && C::FOSTERED.has(name, C::ELEMENTS.namespace()) {
            return self.foster_place(node, name);
        }
        self.place_inside(node, name)
    }

    /// Returns the place after an element's last child; for a template, the end of its contents or of the range that
    /// the template patches.
    #[inline]
    fn place_inside(&mut self, node: S::Node, name: Name) -> InsertionLocation<S::Node> {
        match C::TEMPLATE {
            Some(id) if name == Name::new(C::ELEMENTS.namespace(), LocalName::known(id)) => {
                let place = self.place_in_patch(node);
                place
                    .unwrap_or_else(|| InsertionLocation::LastIn(self.sink.template_contents(node)))
            }
            _ => InsertionLocation::LastIn(node),
        }
    }

    /// Returns the place for a foster-parented node.
    #[cold]
    fn foster_place(&mut self, node: S::Node, name: Name) -> InsertionLocation<S::Node> {
        let template_slot = C::TEMPLATE.and_then(|id| self.open.topmost(id));
        let table_slot = C::FOSTER_BEFORE.and_then(|id| self.open.topmost(id));
        let place_inside_slot = |builder: &mut Self, slot: Option<u32>| match slot
            .and_then(|slot| builder.open.get(slot))
            .map(|open| (open.node, open.name))
        {
            Some((node, name)) => builder.place_inside(node, name),
            None => builder.place_inside(node, name),
        };
        let Some(table_slot) = table_slot else {
            let slot = template_slot.or_else(|| self.open.first_slot());
            return place_inside_slot(self, slot);
        };
        if template_slot.is_some_and(|template_slot| template_slot > table_slot) {
            return place_inside_slot(self, template_slot);
        }
        let Some(table) = self.open.get(table_slot).map(|open| open.node) else {
            return place_inside_slot(self, None);
        };
        if self.sink.parent_of(table).is_some() {
            return InsertionLocation::Before(table);
        }
        let below = self.open.next_below(table_slot);
        place_inside_slot(self, below)
    }

    /// Inserts an element at the place, or at the end of an ancestor if the depth limit requires that. In HTML, the
    /// document gets at most one element.
    #[inline]
    pub(super) fn put_element(
        &mut self,
        place: InsertionLocation<S::Node>,
        node: S::Node,
        span: Option<Span>,
    ) {
        match place {
            InsertionLocation::LastIn(parent) if parent == self.document => {
                if C::ELEMENTS != Elements::Html || !self.document_has_element {
                    self.append(parent, node, true);
                }
            }
            InsertionLocation::LastIn(parent) => {
                let parent = self.limit_depth(parent, span);
                self.sink.append_node(parent, node);
            }
            InsertionLocation::Before(sibling) => self.sink.insert_node_before(sibling, node),
        }
    }

    /// Inserts the token's characters at the appropriate place.
    #[inline(never)]
    pub fn insert_character(&mut self, token: &TokenView<'_>) {
        self.insert_run(token);
    }

    /// Inserts a run of text, which a row takes in one step, at the appropriate place; HTML ignores text that would
    /// become a child of the document. Usually the place is the end of the current node, and testing for that first
    /// saves 1 % of the instructions for HTML trees.
    #[inline(always)]
    pub fn insert_run(&mut self, token: &TokenView<'_>) {
        let TokenView::Text(text) = token else { return };
        match self.plain_parent() {
            Some(parent) => self.sink.append_characters(parent, text.text, text.span),
            None => self.put_text_at_appropriate_place(text.text, text.span),
        }
    }

    /// Slow path of `insert_run`: inserts text at a place that may not be the end of the current node.
    #[cold]
    #[inline(never)]
    fn put_text_at_appropriate_place(&mut self, text: &str, span: Span) {
        match self.appropriate_place(None) {
            InsertionLocation::LastIn(parent) if parent == self.document => {
                if C::ELEMENTS != Elements::Html {
                    self.buffer_document_text(text, span);
                }
            }
            InsertionLocation::LastIn(parent) => {
                let parent = self.parent_after_flattening(parent);
                self.sink.append_characters(parent, text, span);
            }
            InsertionLocation::Before(sibling) => {
                self.sink.insert_characters_before(sibling, text, span)
            }
        }
    }

    /// Inserts `character` at the appropriate place, once for each character of the token.
    pub fn insert_this_character(&mut self, token: &TokenView<'_>, character: char) {
        if let TokenView::Text(text) = token {
            let (mut buffer, span) = ([0; 4], text.span);
            let inserted = Text::piece(character.encode_utf8(&mut buffer), span, false, false);
            for _ in text.text.chars() {
                self.insert_character(&TokenView::Text(inserted));
            }
        }
    }

    /// Inserts a comment node for the token: at the appropriate place, or as the last child of `parent`.
    pub fn insert_comment(&mut self, token: &TokenView<'_>, parent: Option<S::Node>) {
        if let TokenView::Comment(comment) = token {
            let node = self.sink.make_comment(comment.data, comment.span);
            let place =
                parent.map_or_else(|| self.appropriate_place(None), InsertionLocation::LastIn);
            match place {
                InsertionLocation::LastIn(parent) => {
                    let parent = self.parent_after_flattening(parent);
                    self.append(parent, node, false);
                }
                InsertionLocation::Before(sibling) => self.sink.insert_node_before(sibling, node),
            }
        }
    }
}

// Primitives that append to the current node or the document, for tables without foster parenting, and primitives on
// the fields of declared tokens, for all tables. Text of the document itself is buffered while its end may be trimmed.

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates an element for the token and appends it to the current node, without pushing it onto the stack.
    pub fn append_element(&mut self, token: &TokenView<'_>) {
        self.create_and_append(token, false);
    }

    /// Creates an element for the token, appends it to the current node, and pushes it onto the stack if `stays_open`.
    #[inline(never)]
    fn create_and_append(&mut self, token: &TokenView<'_>, stays_open: bool) {
        let (TokenView::StartTag(tag, local) | TokenView::EndTag(tag, local)) = token else {
            return;
        };
        let span = Some(tag.span());
        let current = self.open.last().map(|open| open.node);
        let parent = current.map(|current| self.limit_depth(current, span));
        let names = self.sink.names();
        let (name, attribute_names) =
            resolve_names::<C>(tag, *local, names, &mut self.bindings, &mut self.attribute_names);
        let appended =
            parent.and_then(|_| self.sink.append_tag(parent, name, tag, attribute_names));
        let node = match (appended, parent) {
            (Some(node), _) => node,
            (None, Some(parent)) => {
                let attributes = tag.attributes_with_names(attribute_names);
                self.sink.append_element(parent, name, attributes, span)
            }
            (None, None) => {
                let attributes = tag.attributes_with_names(attribute_names);
                let node = self.sink.make_element(name, attributes, span);
                self.append(self.document, node, true);
                node
            }
        };
        if C::DUPLICATE_ATTRIBUTE.is_some() && self.bindings.has_duplicates {
            self.report_dropped_duplicates(tag);
        }
        if stays_open {
            let name = Name::new(C::ELEMENTS.namespace(), *local);
            self.push_element_of_kind(node, name, C::kind(name), false);
        } else {
            self.leave_bindings();
            self.sink.popped(node);
        }
    }

    /// Reports that attributes of the tag were dropped as duplicates.
    #[cold]
    #[inline(never)]
    pub(super) fn report_dropped_duplicates(&mut self, tag: &Tag<'_>) {
        self.bindings.has_duplicates = false;
        if let Some(code) = C::DUPLICATE_ATTRIBUTE {
            self.report(ParseError::of(code, tag.span()));
        }
    }

    /// Undoes the prefix bindings of the last open element, which is being closed, in tables with prefixes.
    pub(super) fn leave_bindings(&mut self) {
        if C::ELEMENTS == Elements::Xml {
            self.bindings.leave();
        }
    }

    /// Appends a node to `parent`, and counts it if it becomes a child of the document.
    pub(super) fn append(&mut self, parent: S::Node, node: S::Node, is_element: bool) {
        if parent == self.document {
            self.flush_document_text();
            self.document_child_count += 1;
            self.has_single_element = self.document_child_count == 1 && is_element;
            self.document_has_element |= is_element;
        }
        self.sink.append_node(parent, node);
    }

    /// Buffers text that becomes a child of the document, and appends it at once if the table does not trim such text.
    #[cold]
    #[inline(never)]
    fn buffer_document_text(&mut self, text: &str, span: Span) {
        if self.document_text.is_empty() {
            self.document_text_span = span;
        }
        self.document_text.push_str(text);
        self.document_text_span.end = span.end;
        if !C::TRIMS_TEXT {
            self.flush_document_text();
        }
    }

    /// Appends the buffered text to the document. If it is the first child and the table trims text, its start is
    /// trimmed.
    pub(super) fn flush_document_text(&mut self) {
        if self.document_text.is_empty() {
            return;
        }
        let buffered = std::mem::take(&mut self.document_text);
        let is_first = self.document_child_count == 0;
        let text = if C::TRIMS_TEXT && is_first {
            buffered.trim_start_matches(C::is_trimmed)
        } else {
            &buffered
        };
        if text.is_empty() {
            return;
        }
        self.document_child_count += 1;
        self.has_single_element = false;
        self.sink.append_characters(self.document, text, self.document_text_span);
    }

    /// Appends the document's buffered text with its end trimmed, and also its start if it is the first child.
    pub fn trim_text(&mut self) {
        let length = self.document_text.trim_end_matches(C::is_trimmed).len();
        self.document_text.truncate(length);
        self.flush_document_text();
    }

    /// Moves the document's children into a new element with this name, unless the only child is an element.
    pub fn wrap_unless_single_element(&mut self, local: u32) {
        self.flush_document_text();
        if self.has_single_element {
            return;
        }
        let name = Name::new(Namespace::NONE, LocalName::known(local));
        let element = self.sink.make_element(name, std::iter::empty(), None);
        self.sink.reparent_children(self.document, element);
        self.sink.append_node(self.document, element);
    }
}

/// Returns the name of the element to create for the tag, and the names of its attributes.
#[inline(always)]
fn resolve_names<'a, C: Construction>(
    tag: &Tag<'_>,
    local: LocalName,
    names: &mut Names,
    bindings: &'a mut Bindings,
    attribute_names: &'a mut Vec<Option<Name>>,
) -> (Name, AttributeNames<'a>) {
    match C::ELEMENTS {
        Elements::Plain | Elements::Html => {
            elements::intern_attribute_names(
                tag,
                names,
                attribute_names,
                &mut bindings.has_duplicates,
            );
            (Name::new(C::ELEMENTS.namespace(), local), AttributeNames::Some(attribute_names))
        }
        Elements::Xml => bindings.enter(tag, local, names, attribute_names),
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Runs the rows for a declared token, if rows take its kind and it is not inside another token or a text.
    pub(super) fn process_declared_token(&mut self, token: DeclaredToken<'_>) {
        if !token.is_inside() && C::TAKEN_TOKENS >> token.kind() & 1 == 1 {
            self.process_token(&TokenView::Declared(token));
        }
    }

    /// Whether the token is of the kind that has the field, and the text of the field is `expected`.
    pub fn field_is(&self, token: &TokenView<'_>, field: (usize, usize), expected: &str) -> bool {
        field_of(token, field).is_some_and(|(text, _)| text == expected)
    }

    /// Appends a text node with the text of the field to `parent`.
    pub fn append_text_node(
        &mut self,
        token: &TokenView<'_>,
        parent: S::Node,
        field: (usize, usize),
    ) {
        let Some((text, span)) = field_of(token, field) else { return };
        let parent = self.parent_after_flattening(parent);
        if parent == self.document {
            self.flush_document_text();
            self.document_child_count += 1;
            self.has_single_element = false;
        }
        match self.sink.make_text(text, span) {
            Some(node) => self.sink.append_node(parent, node),
            None => self.sink.append_characters(parent, text, span),
        }
    }

    /// Returns the text of the field as a local name; `None` if the token has no such field.
    pub fn name_of_field(
        &mut self,
        token: &TokenView<'_>,
        field: (usize, usize),
    ) -> Option<LocalName> {
        field_of(token, field).map(|(text, _)| self.sink.names().local(text))
    }
}

/// Returns the text of the field as a text token, if the token is of the kind that has the field and the text is not
/// empty.
pub fn field_text<'a>(token: &TokenView<'a>, field: (usize, usize)) -> Option<TokenView<'a>> {
    let (text, span) = field_of(token, field).filter(|(text, _)| !text.is_empty())?;
    Some(TokenView::Text(Text::piece(text, span, false, false)))
}

/// Returns the text and the range of the field, if the token is of the kind that has the field.
fn field_of<'a>(token: &TokenView<'a>, (kind, field): (usize, usize)) -> Option<(&'a str, Span)> {
    match token {
        TokenView::Declared(token) if token.kind() == kind => Some(token.field_at(field)),
        _ => None,
    }
}

// Adjusted names of foreign elements and attributes, and integration points; the table supplies both.

/// Table of new names for tags or attributes, indexed by the ids of the old names. Names with ids beyond the table are
/// not changed.
pub(super) type Adjustments = &'static [Name];

/// Returns the table of new names for the first `COUNT` known names. Each entry gives the id of a name and its new
/// name; other names are not changed.
pub const fn adjustments<const COUNT: usize>(entries: &[(u32, Name)]) -> [Name; COUNT] {
    let mut table = [Name::new(Namespace::NONE, LocalName::known(0)); COUNT];
    let mut id = 0;
    while id < COUNT {
        table[id] = Name::new(Namespace::NONE, LocalName::known(id as u32));
        id += 1;
    }
    let mut index = 0;
    while index < entries.len() {
        table[entries[index].0 as usize] = entries[index].1;
        index += 1;
    }
    table
}

/// An element in a foreign namespace whose contents are parsed by the rules for the table's own namespace.
#[derive(Clone, Copy, Debug)]
pub struct IntegrationPoint {
    /// The element's namespace.
    pub namespace: Namespace,
    /// The id of the element's local name.
    pub local: u32,
    /// An attribute that the element must have, and its value, which is compared ignoring ASCII case.
    pub attribute: Option<(&'static str, &'static str)>,
}

/// Whether an element with this name is an integration point, where `attribute_value` returns the values of its
/// attributes by name.
pub(super) fn is_integration_point<'a, C: Construction>(
    name: Name,
    attribute_value: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    C::INTEGRATION_POINTS.iter().any(|point| {
        name.is_in(point.namespace)
            && name.local().id() == point.local
            && point.attribute.is_none_or(|(name, value)| {
                attribute_value(name).is_some_and(|actual| actual.eq_ignore_ascii_case(value))
            })
    })
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Replaces the current tag's name with its entry in the table, if there is one.
    pub fn adjust_tag_name(&mut self, table: Adjustments) {
        self.token_name = adjust(self.token_name, &[table]).local();
    }

    /// Adds a table that renames the token's attributes when its element is created.
    pub fn adjust_attributes(&mut self, token: &TokenView<'_>, table: Adjustments) {
        if token.tag().is_some_and(|tag| tag.attributes().len() > 0) {
            self.adjustments.push(table);
            self.has_deferred_work = true;
        }
    }

    /// Sets `adjusted_names` to the names of the tag's attributes, renamed by the tables in `adjustments`.
    #[cold]
    fn adjust_names(&mut self, tag: &Tag<'_>) {
        let names = self.sink.names();
        let locals = tag.attribute_name_lookups().map(|name| names.local_from_lookup(name));
        self.adjusted_names.clear();
        self.adjusted_names.extend(locals.map(|local| adjust(local, &self.adjustments)));
    }
}

/// Renames a local name by each table in turn, until one of the tables gives it a namespace.
fn adjust(local: LocalName, tables: &[Adjustments]) -> Name {
    let mut name = Name::new(Namespace::NONE, local);
    for table in tables {
        if name.is_in(Namespace::NONE) {
            name = table.get(name.local().id() as usize).copied().unwrap_or(name);
        }
    }
    name
}

// Pending table characters: characters inside a table that are held until it is known where they are inserted.

/// The pending table characters.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingCharacters {
    text: String,
    parts: Vec<PendingPart>,
}

/// A part of the pending characters, with its range in the input.
#[derive(Clone, Copy, Debug)]
struct PendingPart {
    /// Byte offset in the pending text at which the part ends.
    end: usize,
    /// The range of the part in the input.
    span: Span,
    /// Whether the characters occur byte for byte in the input at `span`.
    is_verbatim: bool,
}

impl PendingCharacters {
    pub(super) fn memory_usage(&self) -> usize {
        self.text.capacity() + self.parts.capacity() * size_of::<PendingPart>()
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Empties the list of pending table characters.
    pub fn clear_pending(&mut self) {
        self.pending.text.clear();
        self.pending.parts.clear();
    }

    /// Appends the token's characters to the pending table characters.
    pub fn append_to_pending(&mut self, token: &TokenView<'_>) {
        let TokenView::Text(text) = token else { return };
        self.pending.text.push_str(text.text);
        let (end, span, is_verbatim) = (self.pending.text.len(), text.span, text.is_verbatim);
        if let Some(last) = self.pending.parts.last_mut()
            && last.is_verbatim
            && is_verbatim
            && last.span.end == span.start
        {
            (last.end, last.span.end) = (end, span.end);
            return;
        }
        self.pending.parts.push(PendingPart { end, span, is_verbatim });
    }

    /// Whether any pending table character does not satisfy `is_member`.
    pub fn has_pending_other_than(&self, is_member: impl Fn(char) -> bool) -> bool {
        !self.pending.text.chars().all(is_member)
    }

    /// Inserts the pending table characters at the appropriate place, and empties the list.
    pub fn insert_pending(&mut self) {
        self.for_each_pending(|builder, text| builder.insert_character(&TokenView::Text(text)));
    }

    /// Calls `act` with each pending table character as a token, and empties the list.
    pub fn for_each_pending_character(&mut self, mut act: impl FnMut(&mut Self, &TokenView<'_>)) {
        self.for_each_pending(|builder, text| {
            for (offset, character) in text.text.char_indices() {
                act(builder, &TokenView::Text(text.part(offset, offset + character.len_utf8())));
            }
        });
    }

    /// Runs the mode's `else` row for the pending table characters, and empties the list.
    pub fn process_pending(&mut self, mode: C::Mode) {
        let collects_errors = self.collects_errors();
        self.for_each_pending(|builder, text| {
            let mut offset = 0;
            while offset < text.text.len() {
                builder.steps += 1;
                let part_end =
                    offset + C::else_run(mode, builder.mode, &text.text[offset..], collects_errors);
                C::else_row(mode, builder, &TokenView::Text(text.part(offset, part_end)));
                // Pending characters are not the current token, so a request to reprocess them is dropped.
                builder.take_reprocess_request();
                offset = part_end;
            }
        });
    }

    /// Calls `act` with each part of the pending table characters, and empties the list.
    fn for_each_pending(&mut self, mut act: impl FnMut(&mut Self, Text<'_>)) {
        let pending = std::mem::take(&mut self.pending);
        let mut start = 0;
        for &PendingPart { end, span, is_verbatim } in &pending.parts {
            act(self, Text::piece(&pending.text[start..end], span, is_verbatim, false));
            start = end;
        }
        self.pending = pending;
        self.clear_pending();
    }
}
