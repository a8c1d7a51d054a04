//! Compiles expressions, conditions and effects on open elements, active formatting elements and nodes to calls of the
//! runtime's builder. A walk up the stack to the topmost element with the token's name becomes one indexed lookup.

use super::{Domain, Function, for_each_step, is_compiled, name};
use crate::print;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::tree::algorithm::{
    Definition, Effect, Expression, Kind, NewNode, ParserQuestion, Question, Relation, Routine,
    RunStep, TokenEffect, TokenPart, TokenQuestion, VariableId,
};
use tabulex_language::model::tree::{ElementName, StepsId};

/// Algorithms that rows can call as compiled functions.
pub(super) const ROUTINES: &[Routine] = &[
    Routine::AdoptionAgency,
    Routine::ClearBackTo,
    Routine::ClearFormatting,
    Routine::GenerateEndTags,
    Routine::InScope,
    Routine::LastFormatting,
    Routine::LeaveForeignContent,
    Routine::MarkEndTag,
    Routine::PopElement,
    Routine::PopUntilForeignTokenName,
    Routine::PopUntilOneOf,
    Routine::PopUntilTokenName,
    Routine::PushFormatting,
    Routine::ReconstructFormatting,
    Routine::RemovePointed,
    Routine::ResetInsertionMode,
];

/// Kind of the value that an algorithm's function returns.
enum Returned {
    Nothing,
    /// Index of the named steps that run next.
    Steps,
    /// Whether a condition holds.
    Truth,
    /// An entry of the list of active formatting elements.
    Entry,
}

impl Returned {
    fn of(routine: Routine) -> Self {
        if routine == Routine::AdoptionAgency {
            Self::Steps
        } else if routine == Routine::InScope {
            Self::Truth
        } else if routine == Routine::LastFormatting {
            Self::Entry
        } else {
            Self::Nothing
        }
    }
}

impl Function<'_> {
    /// Generates the function of an algorithm over trees.
    pub(super) fn of_tree(mut self, printed: bool) -> Result<TokenStream, String> {
        let Domain::Tree { machine, .. } = self.domain else { return Ok(TokenStream::new()) };
        let name = name(self.algorithm);
        let (parameters, variables) = self.declared();
        let steps = self.steps(&self.algorithm.steps);
        if self.algorithm.parameters.len() > parameter_count(self.routine) {
            self.unsupported(&self.algorithm.parameters);
        }
        let given = if self.is_given() {
            Some(quote! { given: rt::Given<'_, <#machine as rt::Machine>::Error>, })
        } else {
            let is_implied = self.routine == Routine::GenerateEndTags;
            is_implied.then(|| quote! { given: rt::Implied<'_>, })
        };
        let (returned, end) = match Returned::of(self.routine) {
            Returned::Nothing => (None, None),
            Returned::Steps => (Some(quote! { -> Option<u8> }), Some(quote! { None })),
            Returned::Truth => (Some(quote! { -> bool }), Some(quote! { false })),
            Returned::Entry => {
                (Some(quote! { -> Option<rt::Listed<S::Node>> }), Some(quote! { None }))
            }
        };
        let comment = printed.then(|| print::row(&self.algorithm.written));
        let code = quote! {
            #comment
            #[cold]
            #[inline(never)]
            #[allow(unused_variables, unused_mut, unused_assignments, unreachable_code)]
            fn #name<S: rt::TreeSink>(
                builder: &mut rt::Builder<#machine, S>,
                token: &rt::TokenView<'_>,
                #given
                #(#parameters),*
            ) #returned {
                let mut frame = builder.frame();
                #(#variables)*
                #steps
                #end
            }
        };
        match self.refused.take() {
            None => Ok(code),
            Some(reason) => Err(reason),
        }
    }

    /// Whether the action that runs the algorithm names an error, a scope and a category.
    fn is_given(&self) -> bool {
        self.routine == Routine::AdoptionAgency
    }

    /// Generates the end of the algorithm, with the value that it returns.
    pub(super) fn end(&mut self, value: Option<&Expression>) -> TokenStream {
        match (Returned::of(self.routine), value) {
            (Returned::Nothing, _) => quote! { return; },
            (Returned::Steps, _) | (Returned::Entry, None | Some(Expression::None)) => {
                quote! { return None; }
            }
            (Returned::Truth, None) => quote! { return false; },
            (Returned::Truth, Some(value)) => {
                let value = self.value(value, Kind::Truth);
                quote! { return #value == Some(true); }
            }
            (Returned::Entry, Some(value)) if self.kind(value) == Some(Kind::Entry) => {
                let value = self.value(value, Kind::Entry);
                quote! { return #value; }
            }
            (Returned::Entry, Some(value)) => self.unsupported(value),
        }
    }

    /// Generates the end of the algorithm with named steps that run next.
    pub(super) fn end_with(&self, steps: StepsId) -> TokenStream {
        let number = steps.0;
        match Returned::of(self.routine) {
            Returned::Steps => quote! { return Some(#number); },
            Returned::Nothing | Returned::Truth | Returned::Entry => self.unsupported(steps),
        }
    }

    /// Whether the variable is the target of a walk: an element, or any with one of several names.
    pub(super) fn is_target(&self, variable: VariableId) -> bool {
        let first = self.algorithm.parameters.first();
        self.routine == Routine::InScope && first.is_some_and(|first| first.variable == variable)
    }

    fn set(&self, names: &[ElementName]) -> TokenStream {
        match self.domain {
            Domain::Tree { set, .. } => set(names),
            Domain::Bytes => self.unsupported("names"),
        }
    }

    pub(super) fn tree_effect(&mut self, effect: &Effect) -> TokenStream {
        match effect {
            Effect::Error if self.is_given() => quote! { builder.error(given.error, token); },
            // Actions that run other algorithms name no error.
            Effect::Error => TokenStream::new(),
            Effect::Pop => quote! { builder.pop(token); },
            Effect::PopUntil(node) => {
                let node = self.element(node);
                quote! { builder.pop_until_held(token, #node); }
            }
            Effect::Push(node) => {
                let node = self.element(node);
                quote! { builder.push_held(#node); }
            }
            Effect::RemoveFromOpen(node) => {
                let node = self.element(node);
                quote! { builder.remove_from_open(&mut frame, token, #node); }
            }
            Effect::ReplaceInOpen(node, new) => {
                let (node, new) = (self.element(node), self.element(new));
                quote! { let (old, new) = (#node, #new); builder.replace_in_open(old, new); }
            }
            Effect::InsertBelow(new, node) => {
                let (new, node) = (self.element(new), self.element(node));
                quote! { let (new, old) = (#new, #node); builder.insert_below(new, old); }
            }
            Effect::AddToFormatting(node) => {
                let node = self.element(node);
                quote! { let node = #node; builder.add_to_formatting(token, node); }
            }
            Effect::RemoveFromFormatting(value) => {
                let value = self.in_list(value);
                quote! { let listed = #value; builder.remove_from_formatting(listed); }
            }
            Effect::RemoveEarliestAlike => quote! { builder.remove_earliest_alike(&mut frame); },
            Effect::ReplaceInFormatting(value, new) => {
                let (value, new) = (self.in_list(value), self.element(new));
                quote! { let (old, new) = (#value, #new); builder.replace_in_formatting(old, new); }
            }
            Effect::InsertAtBookmark(new, bookmark) => {
                let new = self.element(new);
                let bookmark = self.value(bookmark, Kind::Bookmark);
                let entries: Vec<_> = self.variables_of(Kind::Entry).collect();
                quote! {
                    let new = #new;
                    let at = builder.insert_at_bookmark(&frame, new, #bookmark);
                    #(rt::shift_entry(&mut #entries, at);)*
                }
            }
            Effect::Detach(node) => {
                let node = self.value(node, Kind::Node);
                quote! { let node = #node; builder.detach_held(&mut frame, node); }
            }
            Effect::Append(node, parent) => {
                let node = self.value(node, Kind::Node);
                let parent = self.value(parent, Kind::Node);
                quote! { let (node, parent) = (#node, #parent); builder.insert_held(&mut frame, node, parent, None); }
            }
            Effect::AppendChildren(node, parent) => {
                let node = self.value(node, Kind::Node);
                let parent = self.value(parent, Kind::Node);
                quote! { let (node, parent) = (#node, #parent); builder.append_children(&mut frame, node, parent); }
            }
            Effect::Insert(node, parent, before) => {
                let node = self.value(node, Kind::Node);
                let parent = self.value(parent, Kind::Node);
                let before = self.value(before, Kind::Node);
                quote! {
                    let (node, parent, before) = (#node, #parent, #before);
                    builder.insert_held(&mut frame, node, parent, before);
                }
            }
            Effect::Decrement(variable) => {
                let name = self.variable(*variable);
                quote! { #name = #name.saturating_sub(1); }
            }
            Effect::Token(TokenEffect::End(node)) => {
                let node = self.element(node);
                quote! { let node = #node; builder.end_held(token, node); }
            }
            _ => self.unsupported(effect),
        }
    }

    /// Generates an element whose name is known.
    pub(super) fn element(&mut self, value: &Expression) -> TokenStream {
        if !self.is_named(value) {
            return self.unsupported(value);
        }
        if self.kind(value) == Some(Kind::Entry) {
            let value = self.value(value, Kind::Entry);
            return quote! { builder.element_of(#value) };
        }
        self.value(value, Kind::Node)
    }

    /// Generates an element or an entry of the list of active formatting elements.
    fn in_list(&mut self, value: &Expression) -> TokenStream {
        if self.kind(value) == Some(Kind::Entry) {
            return self.value(value, Kind::Entry);
        }
        self.element(value)
    }

    /// Whether the name of the node is known without a query of the tree: it was found on the stack or in the list, or
    /// was created by the algorithm.
    fn is_named(&self, value: &Expression) -> bool {
        match value {
            Expression::Variable(variable) => {
                self.kind_of(*variable) == Kind::Entry || !self.unnamed.contains(variable)
            }
            Expression::Chosen(parts) => self.is_named(&parts.0) && self.is_named(&parts.2),
            Expression::Relative(relation, _) => matches!(
                relation,
                Relation::Above | Relation::AboveEvenIfRemoved | Relation::FurthestBlock
            ),
            Expression::None
            | Expression::Current
            | Expression::FirstOfOpen
            | Expression::LastOfOpen
            | Expression::FragmentContext
            | Expression::LastEntry
            | Expression::EntryBefore(_)
            | Expression::EntryAfter(_)
            | Expression::LastNamed(_)
            | Expression::New(_) => true,
            _ => false,
        }
    }

    pub(super) fn tree_value(&mut self, expression: &Expression) -> TokenStream {
        if !self.is_about_trees() {
            return self.unsupported(expression);
        }
        match expression {
            Expression::Current => quote! { builder.held_current() },
            Expression::LastOfOpen => quote! { builder.last_open() },
            Expression::FirstOfOpen => quote! { builder.first_open() },
            Expression::FragmentContext => quote! { builder.held_context() },
            Expression::Relative(Relation::Above, node) => {
                let node = self.element(node);
                quote! { { let node = #node; builder.above_in_stack(node) } }
            }
            Expression::Relative(Relation::AboveEvenIfRemoved, node) => {
                let node = self.element(node);
                quote! { { let node = #node; builder.above_even_if_removed(&frame, node) } }
            }
            Expression::Relative(Relation::FurthestBlock, node) if self.is_given() => {
                let node = self.element(node);
                quote! { { let node = #node; builder.furthest_block_below(node, given.special) } }
            }
            Expression::Relative(Relation::Parent, node) => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; builder.parent_of_held(node) } }
            }
            Expression::LastEntry => quote! { builder.last_entry() },
            Expression::EntryBefore(value) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.entry_before(listed) } }
            }
            Expression::EntryAfter(value) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.entry_after(listed) } }
            }
            Expression::LastNamed(name) => {
                let name = self.value(name, Kind::Text);
                quote! { { let name = #name; builder.last_named(&mut frame, name) } }
            }
            Expression::PlaceOf(value) | Expression::PlaceAfter(value) => {
                let after = u32::from(matches!(expression, Expression::PlaceAfter(_)));
                let listed = self.in_list(value);
                quote! { { let listed = #listed; builder.bookmark(listed, #after) } }
            }
            Expression::Place(parent, before) => {
                let parent = self.value(parent, Kind::Node);
                let before = self.value(before, Kind::Node);
                quote! {
                    { let before = #before; (#parent).map(|parent| rt::Location { parent, before }) }
                }
            }
            Expression::TargetParent(location) => {
                let location = self.value(location, Kind::Location);
                quote! { (#location).map(|location| location.parent) }
            }
            Expression::Token => quote! { () },
            Expression::OfToken(TokenPart::TagName) => quote! { builder.held_token_name() },
            Expression::Names(names) => self.set(names),
            Expression::New(new) => match &**new {
                NewNode::Like(value, _) => {
                    let value = self.in_list(value);
                    quote! { { let listed = #value; builder.create_like(&mut frame, listed) } }
                }
                NewNode::InsertedLike(value) => {
                    let value = self.in_list(value);
                    quote! { { let listed = #value; builder.insert_like(&mut frame, listed) } }
                }
                _ => self.unsupported(expression),
            },
            _ => self.unsupported(expression),
        }
    }

    /// Generates the call of an algorithm that the runtime implements. Compiled algorithms call no others.
    pub(super) fn native_call(
        &mut self,
        routine: Routine,
        arguments: &[Expression],
    ) -> TokenStream {
        let target = match (routine, arguments) {
            (Routine::AppropriatePlace | Routine::AdjustedLocation, []) => quote! { None },
            (Routine::AppropriatePlace, [target]) => self.element(target),
            (Routine::AdjustedLocation, [Expression::Place(parent, _)]) => self.element(parent),
            (Routine::AdjustedLocation, [Expression::None]) => quote! { None },
            _ => return self.unsupported(routine),
        };
        quote! { { let target = #target; builder.location_in(target) } }
    }

    pub(super) fn tree_question(&mut self, question: &Question) -> TokenStream {
        if !self.is_about_trees() {
            return self.unsupported(question);
        }
        match question {
            Question::IsElement(node, names) => {
                let (node, set) = (self.in_list(node), self.set(names));
                quote! { { let node = #node; builder.is_in(node, #set) } }
            }
            Question::IsInNames(node, names) => {
                let (node, names) = (self.in_list(node), self.value(names, Kind::Names));
                quote! { { let node = #node; builder.is_in(node, #names) } }
            }
            Question::IsNamed(node, name) => {
                let (node, name) = (self.in_list(node), self.value(name, Kind::Text));
                quote! { { let (node, name) = (#node, #name); builder.is_named(node, name) } }
            }
            Question::IsOpen(node) => {
                let node = self.in_list(node);
                quote! { { let node = #node; builder.is_open(node) } }
            }
            Question::IsInScope(node)
                if self.is_given() && is_compiled(self.construction, Routine::InScope) =>
            {
                let node = self.element(node);
                let function = super::compiled(self.construction, Routine::InScope);
                quote! {
                    {
                        let node = #node;
                        #function(builder, token, rt::Target::Node(node), given.members)
                    }
                }
            }
            Question::IsInScope(node) if self.is_given() => {
                let node = self.element(node);
                quote! { { let node = #node; builder.is_held_in_scope(node, given.scope) } }
            }
            Question::FormattingIsEmpty => quote! { builder.formatting_is_empty() },
            Question::IsFormatting(value) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.is_formatting(listed) } }
            }
            Question::IsMarker(value) if self.kind(value) == Some(Kind::Entry) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.is_marker(listed) } }
            }
            Question::IsFirst(value) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.is_first_entry(listed) } }
            }
            Question::IsLast(value) => {
                let value = self.in_list(value);
                quote! { { let listed = #value; builder.is_last_entry(listed) } }
            }
            Question::IsImplied(node) if self.routine == Routine::GenerateEndTags => {
                let node = self.element(node);
                let excepts =
                    self.algorithm.definitions.contains(&Definition::ExceptedAreNotImplied);
                quote! { { let node = #node; builder.is_implied(node, given, #excepts) } }
            }
            Question::AreAlike(least, node) => {
                if !self.algorithm.definitions.contains(&Definition::AlikeByTokens) {
                    return self.unsupported(question);
                }
                let node = self.element(node);
                quote! { { let node = #node; builder.are_alike(&mut frame, token, #least, node) } }
            }
            Question::IsDocument(node) => {
                let node = self.value(node, Kind::Node);
                quote! { { let node = #node; builder.is_document(node) } }
            }
            // For nodes other than the document, the builder does not know this.
            Question::HasElementChild(node) if self.is_known_document(node) => {
                quote! { builder.document_has_element() }
            }
            Question::IsAncestor(ancestor, node) => {
                let ancestor = self.value(ancestor, Kind::Node);
                let node = self.value(node, Kind::Node);
                quote! {
                    { let (ancestor, node) = (#ancestor, #node); builder.is_ancestor(ancestor, node) }
                }
            }
            Question::Parser(ParserQuestion::IsFragment) => quote! { builder.is_fragment() },
            Question::Token(TokenQuestion::HasTokenName(node)) => {
                let node = self.element(node);
                quote! { { let node = #node; builder.has_token_name_in_any_case(node) } }
            }
            Question::Token(TokenQuestion::IsForeign(node)) => {
                let node = self.element(node);
                quote! { { let node = #node; builder.is_foreign(node) } }
            }
            Question::Token(TokenQuestion::IsIntegrationPoint(node)) => {
                let node = self.element(node);
                quote! { { let node = #node; builder.is_integration_point(node) } }
            }
            _ => self.unsupported(question),
        }
    }

    /// Generates the parts of a conjunction or a disjunction. While they are generated, variables that one of them
    /// tests to be the document are known to be it.
    pub(super) fn parts(&mut self, parts: &[Question], is_all: bool) -> Vec<TokenStream> {
        let outer = self.documents.len();
        for part in parts {
            let denied = if let Question::Not(part) = part { Some(&**part) } else { None };
            let known = if is_all { Some(part) } else { denied };
            if let Some(Question::IsDocument(Expression::Variable(node))) = known {
                self.documents.push(*node);
            }
        }
        let code = parts.iter().map(|part| self.question(part)).collect();
        self.documents.truncate(outer);
        code
    }

    fn is_known_document(&self, value: &Expression) -> bool {
        matches!(value, Expression::Variable(node) if self.documents.contains(node))
    }

    /// Generates an indexed lookup in place of two steps that walk up from the current node to the first element with
    /// the token's name.
    pub(super) fn topmost(&self, steps: &[RunStep]) -> Option<TokenStream> {
        let [
            RunStep::Let(variable, Expression::LastOfOpen),
            RunStep::RepeatWhile(Question::All(conditions), walk),
            ..,
        ] = steps
        else {
            return None;
        };
        let node = Expression::Variable(*variable);
        let name = Expression::OfToken(TokenPart::TagName);
        let is_there = Question::Not(Box::new(Question::IsNone(node.clone())));
        let is_other = Question::Not(Box::new(Question::IsNamed(node.clone(), name)));
        let above = Expression::Relative(Relation::Above, Box::new(node));
        let is_walk = self.is_about_trees()
            && conditions[..] == [is_there, is_other]
            && walk[..] == [RunStep::Let(*variable, above)];
        let variable = self.variable(*variable);
        is_walk.then(|| quote! { #variable = builder.topmost_of_token_name(); })
    }

    /// Finds the variables that hold nodes whose names the runtime does not know.
    pub(super) fn find_unnamed(&mut self) {
        let steps = &self.algorithm.steps;
        // An assignment depends on assignments of its source, which may come later in a loop, so this iterates to a
        // fixed point.
        let mut count = usize::MAX;
        while count != self.unnamed.len() {
            count = self.unnamed.len();
            for_each_step(steps, &mut |step| {
                if let RunStep::Let(variable, value) = step
                    && self.kind_of(*variable) == Kind::Node
                    && !self.is_named(value)
                {
                    self.unnamed.push(*variable);
                }
                if let RunStep::LetPlace(parent, before, _) = step {
                    self.unnamed.extend([parent, before]);
                }
            });
            self.unnamed.sort_unstable();
            self.unnamed.dedup();
        }
    }
}

/// Returns the number of arguments that rows pass to the algorithm.
fn parameter_count(routine: Routine) -> usize {
    let gives_two = routine == Routine::InScope;
    let gives_one = [
        Routine::AdoptionAgency,
        Routine::ClearBackTo,
        Routine::LastFormatting,
        Routine::LeaveForeignContent,
        Routine::PopUntilOneOf,
        Routine::PushFormatting,
        Routine::RemovePointed,
    ];
    if gives_two { 2 } else { usize::from(gives_one.contains(&routine)) }
}
