//! Evaluates the conditions and values of serialization, and applies its effects on strings.

use super::super::{Name, NodeId, NodeKind, ShadowRoot, Tree, TreeBuilder, node};
use super::{Execution, Invocation, TokenView, Value};
use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{
    Expression, MemberKind, Routine, ShadowPart, WritingEffect, WritingQuestion, WritingValue,
    WrittenKind,
};

/// Serializes the contents of a node by the table's algorithm.
///
/// # Errors
///
/// Returns a message if the table lacks the algorithm, or if the algorithm does not return a string.
pub fn serialize(
    machine: &Machine,
    tree: &Tree,
    node: NodeId,
    scripting: bool,
    serializable_shadow_roots: bool,
) -> Result<String, String> {
    let construction = machine.construction.as_ref().ok_or("the table has no modes")?;
    let routine = construction.routine(Routine::Serialize);
    let routine = routine.ok_or("the table has no algorithm `serialize`")?;
    let mut builder = TreeBuilder::new(construction);
    builder.tree = tree.clone();
    builder.set_flag("scripting", u8::from(scripting));
    let attributes = tree.nodes.iter().map(|node| {
        if let NodeKind::Element(_, attributes) = &node.kind { attributes.len() } else { 0 }
    });
    builder.steps_left = 1_000 + 100 * (tree.nodes.len() + attributes.sum::<usize>());
    let shadow_roots = Value::Nodes(Vec::new());
    let arguments = vec![Value::Node(node), Value::Truth(serializable_shadow_roots), shadow_roots];
    let result = builder.run(routine, arguments, None, &Invocation::new(&TokenView::NONE));
    if let (Value::Text(text), false) = (result, builder.has_stopped) {
        return Ok(text);
    }
    Err("the algorithm `serialize` does not terminate, one of its assertions fails, or its result is no string"
        .to_owned())
}

impl<'m> Execution<'_, 'm> {
    /// Applies an effect on a string. Returns `None` if an operand is missing.
    pub(super) fn apply_writing_effect(&mut self, effect: &'m WritingEffect) -> Option<()> {
        match effect {
            WritingEffect::Append(variable, text) => {
                let appended = self.text_value(text);
                let Value::Text(text) = self.frame.value(*variable) else { return None };
                text.push_str(&appended);
            }
            WritingEffect::Replace(variable, from, to) => {
                let from = self.text_value(from);
                let to = self.text_value(to);
                let Value::Text(text) = self.frame.value(*variable) else { return None };
                *text = text.replace(&from, &to);
            }
        }
        Some(())
    }

    /// Whether a condition of serialization holds.
    pub(super) fn writing_condition_holds(&mut self, question: &'m WritingQuestion) -> bool {
        match question {
            WritingQuestion::IsKind(node, kind) => {
                self.node_satisfies(node, |it, node| match kind {
                    WrittenKind::Comment => matches!(it.node_at(node).kind, NodeKind::Comment(_)),
                    WrittenKind::ProcessingInstruction => {
                        matches!(it.node_at(node).kind, NodeKind::ProcessingInstruction(..))
                    }
                    WrittenKind::DocumentType => {
                        matches!(it.node_at(node).kind, NodeKind::Doctype(_))
                    }
                })
            }
            WritingQuestion::IsInNamespace(node, these) => {
                let name = self.name_of(node).unwrap_or_default();
                these.iter().any(|&one| name.namespace == node::url(one))
            }
            WritingQuestion::HasNamespace(attribute, namespace) => {
                let name = self.name_of(attribute);
                let url = namespace.map_or("", node::attribute_url);
                name.is_some_and(|name| name.namespace == url)
            }
            WritingQuestion::Contains(nodes, node) => {
                let node = self.node(node);
                let nodes = self.value(nodes);
                matches!((nodes, node), (Value::Nodes(nodes), Some(node)) if nodes.contains(&node))
            }
            WritingQuestion::ScriptingIsEnabled(flag, node) => {
                self.builder.flags[usize::from(flag.0)] != 0
                    && self.node_satisfies(node, |it, node| !it.is_in_template(node))
            }
        }
    }

    /// Evaluates an expression of serialization. Returns `None` if an operand is missing.
    pub(super) fn writing_value(&mut self, value: &'m WritingValue) -> Option<Value> {
        Some(match value {
            WritingValue::LocalName(of) => Value::Text(self.name_of(of)?.local),
            WritingValue::QualifiedName(of) => Value::Text(self.name_of(of)?.qualified),
            WritingValue::ValueOf(attribute) => Value::Text(self.attribute(attribute)?.1),
            WritingValue::DoctypeName(node) => {
                let node = self.node(node)?;
                let NodeKind::Doctype(doctype) = &self.builder.node_at(node).kind else {
                    return None;
                };
                Value::Text(doctype.name.clone().unwrap_or_default())
            }
            WritingValue::Target(node) => {
                let node = self.node(node)?;
                let NodeKind::ProcessingInstruction(target, _) = &self.builder.node_at(node).kind
                else {
                    return None;
                };
                Value::Text(target.clone())
            }
            WritingValue::OfShadow(part, root) => {
                let root = self.node(root)?;
                let NodeKind::Fragment(Some(shadow)) = &self.builder.node_at(root).kind else {
                    return None;
                };
                shadow_root_property(shadow, *part)
            }
            WritingValue::Serialized(parts) => {
                let arguments = parts.iter().map(|part| self.value(part)).collect();
                let routine = self.builder.construction.routine(Routine::Serialize)?;
                self.builder.run(routine, arguments, None, self.invocation)
            }
        })
    }

    /// Evaluates an expression to an element or attribute, and returns the name; `None` for any other value.
    fn name_of(&mut self, owner: &'m Expression) -> Option<Name> {
        let owner = self.value(owner);
        if let Value::Attribute(attribute) = owner {
            return Some(attribute.0);
        }
        let Value::Node(node) = owner else { return None };
        self.builder.tree.name(node).cloned()
    }

    /// Returns the children or attributes of a node; empty if the node has none.
    pub(super) fn members(&mut self, kind: MemberKind, owner: &'m Expression) -> Vec<Value> {
        let node = self.node(owner).map(|node| self.builder.node_at(node));
        match (kind, node.map(|node| &node.kind)) {
            (MemberKind::Children, _) => {
                let children = node.map_or(&[][..], |node| &node.children);
                children.iter().copied().map(Value::Node).collect()
            }
            (MemberKind::Attributes, Some(NodeKind::Element(_, attributes))) => {
                let attributes = attributes.iter().cloned();
                attributes.map(|attribute| Value::Attribute(Box::new(attribute))).collect()
            }
            (MemberKind::Attributes, _) => Vec::new(),
        }
    }
}

impl<'m> TreeBuilder<'m> {
    /// Whether a node is in template contents. A node in a shadow root counts as being in the host.
    fn is_in_template(&self, node: NodeId) -> bool {
        let mut current = node;
        loop {
            if let Some(parent) = self.node_at(current).parent {
                current = parent;
                continue;
            }
            let nodes = &self.tree.nodes;
            // Shadow roots are tested first, because a declarative shadow root is also the contents of the template
            // that declares it.
            match nodes.iter().position(|node| node.shadow_root == Some(current)) {
                Some(host) => current = host,
                None => return nodes.iter().any(|node| node.contents == Some(current)),
            }
        }
    }
}

fn shadow_root_property(shadow: &ShadowRoot, part: ShadowPart) -> Value {
    match part {
        ShadowPart::Mode => Value::Text(shadow.mode.clone()),
        ShadowPart::SlotAssignment => Value::Text(shadow.slot_assignment.clone()),
        ShadowPart::DelegatesFocus => Value::Truth(shadow.delegates_focus),
        ShadowPart::IsSerializable => Value::Truth(shadow.is_serializable),
        ShadowPart::IsClonable => Value::Truth(shadow.is_clonable),
    }
}
