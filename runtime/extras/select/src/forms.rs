//! Forms: the owners of controls, and the fields that a form submits (HTML, 4.10.18.3 "Association of controls and
//! forms" and 4.10.22.4 "Constructing the entry list").

use crate::form::{
    ControlGroups, has_attribute, input_type, is_disabled, is_html, is_input, is_marked_checked,
    is_submit_button,
};
use crate::lists::LISTS;
use crate::pseudo_class::MatchCache;
use crate::range::ValueFormat;
use cssparser::color::{parse_hash_color, parse_named_color};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use tabulex_core::tree::{Edge, Namespace, NodeId, NodeKind, NodeRef, Tree};

/// The forms of a tree. Valid while the tree does not change.
///
/// ```
/// use tabulex::select::{Forms, Query};
///
/// let page = "<form id=f><input name=q value=1><input type=checkbox name=c></form><select form=f name=s><option>x</select>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let forms = Forms::of(&tree);
/// let form = tree.element_by_id("f").unwrap();
/// let select = tree.root().select_first(&"select".parse()?).unwrap();
/// assert_eq!(forms.owner(select), Some(form));
/// assert_eq!(forms.fields(form), [("q", "1".into()), ("s", "x".into())]);
/// # Ok::<(), tabulex::select::SelectorError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// Form owner of each control that has one.
    owners: HashMap<NodeId, NodeId>,
    /// Controls of each form, in tree order.
    controls: HashMap<NodeId, Vec<NodeId>>,
    /// The first submit button of each form.
    default_buttons: HashSet<NodeId>,
    /// The checked button of each group of radio buttons that has one, by form owner and name.
    checked_radios: HashMap<(Option<NodeId>, String), NodeId>,
    /// Options that are selected without the attribute `selected`, or have it and are not selected.
    overridden_options: HashSet<NodeId>,
}

impl Forms {
    /// Collects the forms of a tree in one walk.
    ///
    /// The owner of a control is the form that its attribute `form` names, or else the form that the parser
    /// [associated](NodeRef::associated) with it, or else the nearest ancestor.
    pub fn of(tree: &Tree) -> Self {
        let (mut ids, mut controls) = (HashMap::new(), Vec::new());
        // Open forms and template contents, outermost first. The last one owns the controls in it, if it is a form.
        let (mut open_containers, mut open_template_count) = (Vec::<NodeRef<'_>>::new(), 0);
        let is_form = |node: &NodeRef<'_>| is_html(*node, LISTS.form);
        let is_contents = |node: &NodeRef<'_>| node.kind() == NodeKind::Fragment;
        for edge in tree.root().walk_with_contents() {
            match edge {
                Edge::Open(node) => {
                    // A control in a template is owned only by a form in that template, and its attribute `form` has no
                    // effect.
                    let is_connected = open_template_count == 0;
                    if let Some(id) = node.id_attribute().filter(|_| is_connected) {
                        ids.entry(id).or_insert(node);
                    }
                    if is_html(node, LISTS.submittable) {
                        let form_id = node.attribute_in(Namespace::NONE, "form");
                        let associated = node.associated().filter(|_| is_connected);
                        let nearest = open_containers.last().copied();
                        let surrounding_form = associated.or(nearest).filter(is_form);
                        controls.push((node, form_id.filter(|_| is_connected), surrounding_form));
                    }
                    if is_form(&node) || is_contents(&node) {
                        open_containers.push(node);
                        open_template_count += usize::from(is_contents(&node));
                    }
                }
                Edge::Close(node) if open_containers.pop_if(|last| *last == node).is_some() => {
                    open_template_count -= usize::from(is_contents(&node));
                }
                _ => {}
            }
        }
        let mut forms = Self::default();
        let mut forms_with_button = HashSet::new();
        for (control, form_id, surrounding_form) in controls {
            let owner = match form_id {
                Some(id) => ids.get(id).copied().filter(is_form),
                None => surrounding_form,
            };
            let owner = owner.map(|form| form.id());
            if let Some(form) = owner {
                forms.owners.insert(control.id(), form);
                forms.controls.entry(form).or_default().push(control.id());
            }
            if is_html(control, LISTS.select) && !has_attribute(control, "multiple") {
                forms.select_one(control);
            } else if is_submit_button(control) {
                if owner.is_some_and(|form| forms_with_button.insert(form)) {
                    forms.default_buttons.insert(control.id());
                }
            } else if is_input(control, LISTS.radio_types) && has_attribute(control, "checked") {
                let name = control.attribute_in(Namespace::NONE, "name").unwrap_or_default();
                forms.checked_radios.insert((owner, name.to_owned()), control.id());
            }
        }
        forms
    }

    /// Selects the last marked option of a `select`, or without one, in a drop-down, the first that is not disabled
    /// (4.10.7, "selectedness setting algorithm").
    fn select_one(&mut self, select: NodeRef<'_>) {
        let (options, mut control_groups) = (options(select), ControlGroups::default());
        let mut marked_options = options.iter().filter(|option| is_marked_checked(**option));
        if marked_options.next_back().is_some() {
            self.overridden_options.extend(marked_options.map(NodeRef::id));
        } else if is_drop_down(select) {
            let first_enabled =
                options.iter().find(|option| !is_disabled(**option, &mut control_groups));
            self.overridden_options.extend(first_enabled.map(NodeRef::id));
        }
    }

    /// Returns the form that a control belongs to, if any.
    pub fn owner<'a>(&self, control: NodeRef<'a>) -> Option<NodeRef<'a>> {
        self.owners.get(&control.id()).map(|form| control.tree().node(*form))
    }

    /// Returns the names and values that a form submits before a user changes it, without files and buttons. Invalid
    /// values are replaced as in browsers: a range is then in the middle, a color is black.
    pub fn fields<'a>(&self, form: NodeRef<'a>) -> Vec<(&'a str, Cow<'a, str>)> {
        let (tree, mut cache, mut fields) = (form.tree(), MatchCache::default(), Vec::new());
        let controls = self.controls.get(&form.id()).map(Vec::as_slice).unwrap_or_default();
        for control in controls.iter().map(|control| tree.node(*control)) {
            self.push_fields(control, &mut cache, &mut fields);
        }
        fields
    }

    fn push_fields<'a>(
        &self,
        control: NodeRef<'a>,
        cache: &mut MatchCache,
        fields: &mut Vec<(&'a str, Cow<'a, str>)>,
    ) {
        let attribute = |name| control.attribute_in(Namespace::NONE, name);
        let Some(name) = attribute("name").filter(|name| !name.is_empty()) else { return };
        let state = input_type(control).unwrap_or_default();
        let is_omitted = is_html(control, LISTS.button)
            || LISTS.never_submitted_types.contains(&state)
            || is_disabled(control, &mut cache.control_groups)
            || LISTS.checkable_types.contains(&state) && !is_marked_checked(control)
            || LISTS.radio_types.contains(&state) && !self.is_checked_radio(control)
            || control.ancestors().any(|node| is_html(node, LISTS.suggestions));
        if is_omitted {
            return;
        }
        if is_html(control, LISTS.select) {
            let is_submitted = |option: &NodeRef<'_>| {
                self.is_selected(*option) && !is_disabled(*option, &mut cache.control_groups)
            };
            let options = options(control).into_iter().filter(is_submitted);
            fields.extend(options.map(|option| (name, option_value(option))));
            return;
        }
        let is_encoding_name =
            LISTS.encoding_name.iter().any(|known| known.eq_ignore_ascii_case(name));
        let value = if is_html(control, LISTS.text_area) {
            Cow::Owned(text(control).replace("\r\n", "\n").replace('\r', "\n"))
        } else if LISTS.checkable_types.contains(&state) {
            attribute("value").unwrap_or("on").into()
        } else if is_encoding_name && LISTS.hidden_types.contains(&state) {
            "UTF-8".into()
        } else {
            input_value(state, attribute)
        };
        fields.push((name, value));
        let has_direction =
            is_html(control, LISTS.text_area) || LISTS.auto_direction_types.contains(&state);
        if let Some(name) = attribute("dirname").filter(|name| has_direction && !name.is_empty()) {
            fields.push((name, cache.direction(control).into()));
        }
    }

    pub(crate) fn is_default_button(&self, button: NodeRef<'_>) -> bool {
        self.default_buttons.contains(&button.id())
    }

    /// Whether an option is selected before a user changes the form.
    pub(crate) fn is_selected(&self, option: NodeRef<'_>) -> bool {
        is_marked_checked(option) != self.overridden_options.contains(&option.id())
    }

    /// Returns the checked button of a radio button's group; `None` if no button is checked or the group has no name.
    fn checked_of_group(&self, radio: NodeRef<'_>) -> Option<NodeId> {
        let name = radio.attribute_in(Namespace::NONE, "name").filter(|name| !name.is_empty())?;
        self.checked_radios.get(&(self.owners.get(&radio.id()).copied(), name.to_owned())).copied()
    }

    /// Whether a radio button with the attribute `checked` is checked: no later one in its group has the attribute.
    pub(crate) fn is_checked_radio(&self, radio: NodeRef<'_>) -> bool {
        self.checked_of_group(radio).is_none_or(|checked| checked == radio.id())
    }

    /// Whether the group of a radio button has a checked button.
    pub(crate) fn group_has_checked(&self, radio: NodeRef<'_>) -> bool {
        self.checked_of_group(radio).is_some()
    }
}

/// Returns the options of a `select` (4.10.7, "list of options").
fn options(select: NodeRef<'_>) -> Vec<NodeRef<'_>> {
    let (mut options, mut group, mut walk) = (Vec::new(), None, select.walk());
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) if node == select => {}
            Edge::Open(node) if is_html(node, LISTS.option_group) && group.is_none() => {
                group = Some(node);
            }
            Edge::Open(node) if is_html(node, LISTS.without_options) => {
                options.extend(is_html(node, LISTS.option).then_some(node));
                walk.skip_inside(node);
            }
            Edge::Close(node) if group == Some(node) => group = None,
            _ => {}
        }
    }
    options
}

/// Whether a `select` shows one option at a time: its display size is at most 1.
fn is_drop_down(select: NodeRef<'_>) -> bool {
    let size = select.attribute_in(Namespace::NONE, "size").unwrap_or_default().trim_ascii_start();
    let size = size.strip_prefix('+').unwrap_or(size);
    let digits =
        size.split(|character: char| !character.is_ascii_digit()).next().unwrap_or_default();
    matches!(digits.trim_start_matches('0'), "" | "1")
}

fn option_value(option: NodeRef<'_>) -> Cow<'_, str> {
    match option.attribute_in(Namespace::NONE, "value") {
        Some(value) => value.into(),
        None => text(option).split_ascii_whitespace().collect::<Vec<_>>().join(" ").into(),
    }
}

/// Returns the text of an element without the text of HTML and SVG scripts.
fn text(element: NodeRef<'_>) -> String {
    let is_script = |node: NodeRef<'_>| {
        matches!(node.namespace(), Some(Namespace::HTML | Namespace::SVG))
            && node.local_name().is_some_and(|name| LISTS.script.contains(&name))
    };
    let (mut text, mut walk) = (String::new(), element.walk());
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) if is_script(node) => walk.skip_inside(node),
            Edge::Open(node) if node.is_text() => text += node.data().unwrap_or_default(),
            _ => {}
        }
    }
    text
}

/// Returns the value of an input after the value sanitization algorithm of its type.
fn input_value<'a>(
    state: &str,
    attribute: impl Fn(&'static str) -> Option<&'a str>,
) -> Cow<'a, str> {
    let value = attribute("value").unwrap_or_default();
    let is_in = |list: &[&str]| list.contains(&state);
    if is_in(LISTS.multiple_types) && attribute("multiple").is_some() {
        return value.split(',').map(str::trim_ascii).collect::<Vec<_>>().join(",").into();
    }
    if is_in(LISTS.single_line_types) {
        let value: Cow<'_, str> = match value.contains(['\n', '\r']) {
            true => value.replace(['\n', '\r'], "").into(),
            false => value.into(),
        };
        return match value {
            _ if !is_in(LISTS.stripped_types) => value,
            Cow::Borrowed(value) => value.trim_ascii().into(),
            Cow::Owned(value) => value.trim_ascii().to_owned().into(),
        };
    }
    if is_in(LISTS.color_types) {
        return color(value).into();
    }
    match ValueFormat::of(state) {
        None => value.into(),
        Some(ValueFormat::Slider) => slider_value(value, attribute),
        Some(format) if format.parse(value).is_none() => "".into(),
        Some(ValueFormat::DateTime) => shortest_date_time(value).into(),
        Some(_) => value.into(),
    }
}

/// Returns a color as `#` and six hexadecimal digits; black if the value is neither a hexadecimal color nor a color
/// name.
fn color(value: &str) -> String {
    let (red, green, blue) = match value.strip_prefix('#') {
        Some(digits) => parse_hash_color(digits.as_bytes()).map(|(r, g, b, _)| (r, g, b)),
        None => parse_named_color(value),
    }
    .unwrap_or_default();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns a valid local date and time in its normalized form (2.3.5.5).
fn shortest_date_time(value: &str) -> String {
    let value = value.replace(' ', "T");
    let value = match value.contains('.') {
        true => value.trim_end_matches('0').trim_end_matches('.'),
        false => &value,
    };
    let without_seconds = value.strip_suffix(":00").filter(|remaining| remaining.contains(':'));
    without_seconds.unwrap_or(value).to_owned()
}

/// Returns the value of a slider, moved to the nearest one within its limits that is a whole number of steps from its
/// base (4.10.5.1.13 "Range state").
fn slider_value<'a>(
    value: &'a str,
    attribute: impl Fn(&'static str) -> Option<&'a str>,
) -> Cow<'a, str> {
    /// Fractions of a step below this are rounding errors, as 0.1 has no exact binary value.
    const TOLERANCE: f64 = 1e-9;
    let parse = |text: Option<&str>| text.and_then(|text| ValueFormat::Slider.parse(text));
    let (number, declared_min) = (parse(Some(value)), parse(attribute("min")));
    let min = declared_min.unwrap_or(0.0);
    let max = parse(attribute("max")).unwrap_or(100.0).max(min);
    let mut nearest = number.map_or(min + (max - min) / 2.0, |number| number.clamp(min, max));
    let step = attribute("step");
    if !step.is_some_and(|step| step.eq_ignore_ascii_case("any")) {
        let step = parse(step).filter(|step| *step > 0.0).unwrap_or(1.0);
        let base = declared_min.or(number).unwrap_or(0.0);
        let steps_from_base = |number: f64| (number - base) / step;
        let (first_step, last_step) =
            ((steps_from_base(min) - TOLERANCE).ceil(), (steps_from_base(max) + TOLERANCE).floor());
        let is_whole =
            (steps_from_base(nearest) - steps_from_base(nearest).round()).abs() < TOLERANCE;
        if !is_whole && first_step <= last_step {
            let step_count = (steps_from_base(nearest) + 0.5).floor().clamp(first_step, last_step);
            nearest = ((base + step_count * step) * 1e9).round() / 1e9;
        }
    }
    if number == Some(nearest) { value.into() } else { nearest.to_string().into() }
}
