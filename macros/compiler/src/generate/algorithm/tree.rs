//! Compiles expressions, conditions and effects on open elements, active formatting elements and nodes to calls of the
//! runtime's builder. A walk up the stack to the topmost element with the token's name becomes one indexed lookup, and
//! so does a walk through the list of active formatting elements to the last one with a listed name. A walk that takes
//! a row of `reset` visits only elements that have one.

use super::templates::part_index;
use super::{Function, is_compiled, mentions, name, takes_frame};
use crate::natives;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_language::model::tree::algorithm::{
    Algorithm, AlgorithmId, Call, Definition, Effect, Expression, ParserQuestion, Question,
    Relation, Routine, RunStep, TemplateEffect, TokenEffect, TokenPart, TokenQuestion, ValueKind,
    VariableId,
};
use tabulex_language::model::tree::{Construction, ElementName, Elements, StepsId};

/// The algorithms that rows or other algorithms can call as compiled functions, each with the kinds of the arguments
/// that rows pass to it, or `None` if only algorithms call it.
const FUNCTIONS: &[(Routine, Option<&[ValueKind]>)] = &[
    (Routine::AdjustedCurrent, Some(&[])),
    (Routine::AdjustedLocation, None),
    (Routine::AdoptionAgency, Some(&[ValueKind::Token])),
    (Routine::AppendComment, Some(&[ValueKind::Node])),
    (Routine::AppendDoctype, Some(&[])),
    (Routine::AppendElement, Some(&[])),
    (Routine::AppendProcessingInstruction, Some(&[ValueKind::Node])),
    (Routine::AppropriatePlace, None),
    (Routine::AttachShadowRoot, Some(&[])),
    (Routine::ClearBackTo, Some(&[ValueKind::Names])),
    (Routine::ClearFormatting, Some(&[])),
    (Routine::CreateElement, None),
    (Routine::Current, Some(&[])),
    (Routine::FinishPatching, Some(&[])),
    (Routine::GenerateEndTags, Some(&[])),
    (Routine::InScope, Some(&[ValueKind::Node, ValueKind::Names])),
    (Routine::InsertAtAdjustedLocation, None),
    (Routine::InsertCharacter, Some(&[])),
    (Routine::InsertComment, Some(&[ValueKind::Location])),
    (Routine::InsertElement, Some(&[ValueKind::Token])),
    (Routine::InsertForeignElement, Some(&[ValueKind::Token, ValueKind::Text, ValueKind::Truth])),
    (Routine::InsertProcessingInstruction, Some(&[ValueKind::Location])),
    (Routine::LastFormatting, Some(&[ValueKind::Names])),
    (Routine::LeaveForeignContent, Some(&[ValueKind::Names])),
    (Routine::MarkEndTag, Some(&[])),
    (Routine::MergeAttributes, Some(&[ValueKind::Node])),
    (Routine::NamespaceOf, None),
    (Routine::Open, Some(&[ValueKind::Node])),
    (Routine::OpenNode, Some(&[])),
    (Routine::PatchContent, Some(&[])),
    (Routine::PopAll, Some(&[])),
    (Routine::PopElement, Some(&[])),
    (Routine::PopUntilForeignTokenName, Some(&[])),
    (Routine::PopUntilOneOf, Some(&[ValueKind::Names])),
    (Routine::PopUntilTokenName, Some(&[])),
    (Routine::PushFormatting, Some(&[ValueKind::Node])),
    (Routine::ReconstructFormatting, Some(&[])),
    (Routine::RemovePointed, Some(&[ValueKind::Node])),
    (Routine::ResetInsertionMode, Some(&[])),
];

/// Returns the algorithms that rows can call as compiled functions.
pub(super) fn row_routines() -> impl Iterator<Item = Routine> {
    FUNCTIONS.iter().filter(|(_, kinds)| kinds.is_some()).map(|(routine, _)| *routine)
}

/// Whether rows or other algorithms can call the algorithm as a compiled function.
pub(super) fn is_function(routine: Routine) -> bool {
    FUNCTIONS.iter().any(|(other, _)| *other == routine)
}

/// Whether the steps of the algorithm ask a question that the runtime answers from an index: for the last open element,
/// or whether an element is in a scope.
pub(super) fn is_indexed(construction: &Construction, routine: Routine) -> bool {
    let algorithm = |routine| Some(construction.algorithm(construction.routine(routine)?));
    let current_is_last_open = algorithm(Routine::Current)
        .is_none_or(|current| current.steps[..] == [RunStep::Return(Some(Expression::LastOfOpen))]);
    match routine {
        Routine::Current => current_is_last_open,
        Routine::InScope => current_is_last_open && algorithm(routine).is_none_or(is_scope_walk),
        _ => false,
    }
}

/// Whether the steps walk up from the current node to the first element that is the target, which is in scope, or in
/// the list, so that the target is not.
fn is_scope_walk(algorithm: &Algorithm) -> bool {
    let ([target, list], [RunStep::Let(node, Expression::Current), RunStep::At(label), test]) =
        (&algorithm.parameters[..], &algorithm.steps[..])
    else {
        return false;
    };
    let node_value = Expression::Variable(*node);
    let returns = |truth| vec![RunStep::Return(Some(Expression::Truth(truth)))];
    let above = Expression::Relative(Relation::Above, Box::new(node_value.clone()));
    let at_end = RunStep::When {
        condition: Question::IsInNames(node_value.clone(), Expression::Variable(list.variable)),
        then: returns(false),
        otherwise: vec![RunStep::Let(*node, above), RunStep::Go(*label)],
    };
    *test
        == RunStep::When {
            condition: Question::Same(node_value, Expression::Variable(target.variable)),
            then: returns(true),
            otherwise: vec![at_end],
        }
}

/// Returns the kinds of the arguments that rows pass to the algorithm, or `None` if rows do not call it.
fn row_parameters(routine: Routine) -> Option<&'static [ValueKind]> {
    FUNCTIONS.iter().find(|(other, _)| *other == routine)?.1
}

/// Whether rows pass the algorithm more than its parameters: the arguments of the action that runs it.
pub(super) fn is_given_arguments(routine: Routine) -> bool {
    matches!(routine, Routine::AdoptionAgency | Routine::GenerateEndTags)
}

/// Whether a loop runs only while an element is open, and pops one in each round, so that it ends by itself if it runs
/// no other algorithms.
pub(super) fn empties_stack(condition: Option<&Question>, steps: &[RunStep]) -> bool {
    let pop = RunStep::Effect(Effect::Pop);
    let only_pops = RunStep::all(steps).into_iter().all(|step| {
        *step == pop
            || matches!(
                step,
                RunStep::Let(_, Expression::LastOfOpen | Expression::Current)
                    | RunStep::Effect(Effect::Token(TokenEffect::End(_)))
                    | RunStep::When { .. }
                    | RunStep::Return(_)
                    | RunStep::Break
            )
    });
    only_pops && steps.contains(&pop) && condition.is_some_and(requires_open_element)
}

/// Returns the variable whose element the first step may pop and a following step pushes again. `None` if the first step
/// does not pop, or if a step before the push may assign the variable, pop another element or end the list.
fn reopened_element(steps: &[RunStep]) -> Option<&Expression> {
    let [RunStep::Effect(Effect::Pop), following @ ..] = steps else { return None };
    let is_plain = |step: &&RunStep| {
        **step != RunStep::Effect(Effect::Pop)
            && matches!(step, RunStep::Effect(_) | RunStep::Run(_) | RunStep::Assert(_))
    };
    let pushed = following.iter().take_while(is_plain).find_map(|step| match step {
        RunStep::Effect(Effect::Push(element)) => Some(element),
        _ => None,
    });
    pushed.filter(|element| matches!(element, Expression::Variable(_)))
}

/// Whether the condition holds only if an element is open.
fn requires_open_element(condition: &Question) -> bool {
    match condition {
        Question::All(parts) => parts.iter().any(requires_open_element),
        Question::Not(part) => **part == Question::IsNone(Expression::LastOfOpen),
        Question::IsElement(node, _)
        | Question::IsInNames(node, _)
        | Question::IsImplied(node)
        | Question::Token(TokenQuestion::IsForeign(node)) => {
            matches!(node, Expression::LastOfOpen | Expression::Current)
        }
        _ => false,
    }
}

impl Function<'_> {
    /// Whether the algorithm's function, with this code of its steps, has a frame as a parameter.
    pub(super) fn needs_frame(&self, steps: &TokenStream) -> bool {
        let mut parameters = self.algorithm.parameters.iter();
        // Callers set the token of the frame to that which they pass.
        mentions(steps, "frame")
            || parameters.any(|parameter| self.kind_of(parameter.variable) == ValueKind::Token)
    }

    /// Whether the algorithm's token is the current one, because neither rows nor algorithms pass another to it or to
    /// the algorithms that call it, directly or indirectly.
    pub(super) fn has_current_token(&self) -> bool {
        let mut callers = vec![self.routine];
        let mut index = 0;
        while let Some(&routine) = callers.get(index) {
            index += 1;
            if row_parameters(routine).is_none_or(|kinds| kinds.contains(&ValueKind::Token)) {
                return false;
            }
            for algorithm in &self.construction.algorithms {
                let caller = algorithm.routine;
                if !callers.contains(&caller)
                    && natives::callees(self.construction, algorithm).contains(&routine)
                {
                    callers.push(caller);
                }
            }
        }
        true
    }

    /// Generates the function of an algorithm over trees.
    pub(super) fn tree_function(&mut self) -> TokenStream {
        let machine = self.output.map(|(machine, _)| machine);
        let name = name(self.algorithm);
        let (parameters, variables) = self.declare_variables();
        let steps = self.steps(&self.algorithm.steps);
        let parameter_kinds =
            self.algorithm.parameters.iter().map(|parameter| self.kind_of(parameter.variable));
        if let Some(row_kinds) = row_parameters(self.routine)
            && !row_kinds.starts_with(&parameter_kinds.collect::<Vec<_>>())
        {
            self.unsupported(&self.algorithm.parameters);
        }
        if self.is_beyond_shadow_roots() {
            self.unsupported("other shadow roots");
        }
        if self.is_beyond_fragments() {
            self.unsupported("places beside the parsed fragment");
        }
        let extra_parameter = if self.has_action_arguments() {
            Some(quote! { given: rt::AlgorithmArguments<'_, <#machine as rt::Machine>::Error>, })
        } else {
            let is_implied = self.routine == Routine::GenerateEndTags;
            is_implied.then(|| quote! { given: rt::ImpliedEndTags<'_>, })
        };
        let takes_frame = self.needs_frame(&steps);
        let frame = takes_frame.then(|| quote! { frame: &mut rt::Frame<S::Node>, });
        // Functions without a frame are short, and rows for most tokens call some of them, so they are inlined.
        let inlining = match (takes_frame, self.loop_count) {
            (true, _) => quote! { #[cold] #[inline(never)] },
            (false, 0) => quote! { #[inline(always)] },
            (false, _) => quote! { #[inline] },
        };
        let return_type = if self.has_action_arguments() {
            Some(quote! { -> Option<u8> })
        } else {
            self.returned_kind().map(|kind| self.type_of(kind)).map(|of| quote! { -> #of })
        };
        let end = return_type.is_some().then(|| quote! { Default::default() });
        quote! {
            #inlining
            #[allow(unused_variables, unused_mut, unused_assignments, unreachable_code)]
            fn #name<S: rt::TreeSink>(
                builder: &mut rt::Builder<#machine, S>,
                #frame
                token: &rt::TokenView<'_>,
                #extra_parameter
                #(#parameters),*
            ) #return_type {
                #(#variables)*
                #steps
                #end
            }
        }
    }

    /// Whether the algorithm has arguments from the action that runs it: an error, a scope and special elements. Its
    /// function then returns the index of the named steps to run next, if any.
    fn has_action_arguments(&self) -> bool {
        self.routine == Routine::AdoptionAgency
    }

    /// Returns the kind of the value that the function returns; `None` if it returns no value, or the index of named
    /// steps. If rows use the value, its kind is fixed.
    fn returned_kind(&self) -> Option<ValueKind> {
        match self.routine {
            Routine::AdoptionAgency => None,
            Routine::InScope | Routine::Open => Some(ValueKind::Truth),
            Routine::LastFormatting => Some(ValueKind::Entry),
            Routine::AdjustedCurrent | Routine::Current | Routine::OpenNode => {
                Some(ValueKind::Node)
            }
            _ => self.algorithm.returns,
        }
    }

    /// Generates the end of the algorithm, with the value that it returns.
    pub(super) fn end(&mut self, value: Option<&Expression>) -> TokenStream {
        let kind = self.returned_kind();
        match (kind, value) {
            (None, _) if self.has_action_arguments() => quote! { return None; },
            (None, _) => quote! { return; },
            (Some(_), None) => quote! { return Default::default(); },
            (Some(kind), Some(value)) => {
                if self.kind(value).is_some_and(|other| other != kind) {
                    return self.unsupported(value);
                }
                let value = self.value(value, kind);
                quote! { return #value; }
            }
        }
    }

    /// Generates the call that is the last step of the algorithm, and the return of its result.
    pub(super) fn end_with_call(&mut self, call: &Call, code: &TokenStream) -> TokenStream {
        let returned = self.construction.algorithm(call.algorithm).returns;
        if returned.is_some() && returned == self.returned_kind() {
            return quote! { return #code; };
        }
        let end = self.end(None);
        quote! { #code; #end }
    }

    /// Generates the end of the algorithm: the return of the index of the named steps to run next.
    pub(super) fn end_with(&self, steps: StepsId) -> TokenStream {
        let number = steps.0;
        if !self.has_action_arguments() {
            return self.unsupported(steps);
        }
        quote! { return Some(#number); }
    }

    /// Generates the call of another algorithm, with the kinds and values of its arguments.
    pub(super) fn tree_call(
        &mut self,
        algorithm: AlgorithmId,
        arguments: &[(ValueKind, TokenStream)],
    ) -> TokenStream {
        let callee = self.construction.algorithm(algorithm);
        let action_routines = [Routine::AdoptionAgency, Routine::GenerateEndTags, Routine::InScope];
        let routine = callee.routine;
        if action_routines.contains(&routine) {
            return self.unsupported(&callee.name);
        }
        if routine == Routine::PrepareContentPatching
            && let [(_, scope), (_, template)] = arguments
        {
            return quote! {
                {
                    let (scope, template) = (#scope, #template);
                    builder.prepare_patching(frame, token, scope, template)
                }
            };
        }
        self.callees.push(routine);
        let function = name(callee);
        let names: Vec<_> = (0..arguments.len()).map(|i| format_ident!("argument_{i}")).collect();
        let values = arguments.iter().map(|(_, value)| match routine {
            Routine::Open => quote! { rt::Target::Node(#value) },
            _ => value.clone(),
        });
        let is_token = |(kind, _): &(ValueKind, TokenStream)| *kind == ValueKind::Token;
        let frame = self.frame_for(routine);
        let call = quote! { #function(builder, #frame token, #(#names),*) };
        let call = match arguments.iter().position(is_token) {
            None => call,
            // While the called algorithm runs, elements are created for the token that is passed to it, so `frame.tag`
            // refers to that token until the call returns.
            Some(index) => {
                let tag = &names[index];
                quote! {
                    let outer = std::mem::replace(&mut frame.tag, #tag);
                    let returned = #call;
                    frame.tag = outer;
                    returned
                }
            }
        };
        quote! { { #(let #names = #values;)* #call } }
    }

    /// Generates the frame as an argument of the algorithm, if its function takes one.
    fn frame_for(&self, routine: Routine) -> Option<TokenStream> {
        takes_frame(self.construction, routine).then(|| quote! { frame, })
    }

    /// Whether the variable is the target of a walk up the stack: an element, or a set of names, any of which matches.
    pub(super) fn is_target(&self, variable: VariableId) -> bool {
        let first = self.algorithm.parameters.first();
        matches!(self.routine, Routine::InScope | Routine::Open)
            && first.is_some_and(|first| first.variable == variable)
    }

    pub(super) fn set(&self, names: &[ElementName]) -> TokenStream {
        self.output.map(|(_, set)| set(names)).unwrap_or_default()
    }

    pub(super) fn tree_effect(&mut self, effect: &Effect) -> TokenStream {
        match effect {
            Effect::Error if self.has_action_arguments() => {
                quote! { builder.error(given.error, token); }
            }
            Effect::Error if self.construction.elements != Elements::Html => {
                quote! { builder.report_dropped_attributes(token); }
            }
            // Among the algorithms for HTML trees, only the adoption agency gets an error from the action that runs it,
            // so the others have none to report.
            Effect::Error => TokenStream::new(),
            Effect::Pop => quote! { builder.pop_last(token); },
            Effect::PopUntil(node) => {
                let node = self.element(node);
                quote! { builder.pop_through(token, #node); }
            }
            Effect::Push(node) => {
                self.with_element(node, &quote! { builder.push_value(frame, node); })
            }
            Effect::RemoveFromOpen(node) => {
                let node = self.element(node);
                quote! { builder.remove_from_open(frame, token, #node); }
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
                self.with_element(node, &quote! { builder.add_to_formatting(token, node); })
            }
            Effect::RemoveFromFormatting(value) => {
                let value = self.in_list(value);
                quote! { let listed = #value; builder.remove_from_formatting(listed); }
            }
            Effect::RemoveEarliestAlike => quote! { builder.remove_earliest_equal(frame); },
            Effect::ReplaceInFormatting(value, new) => {
                let (value, new) = (self.in_list(value), self.element(new));
                quote! { let (old, new) = (#value, #new); builder.replace_in_formatting(old, new); }
            }
            Effect::InsertAtBookmark(new, bookmark) => {
                let new = self.element(new);
                let bookmark = self.value(bookmark, ValueKind::Bookmark);
                let entries: Vec<_> = self.variables_of(ValueKind::Entry).collect();
                quote! {
                    let new = #new;
                    let at = builder.insert_at_bookmark(frame, new, #bookmark);
                    #(rt::shift_entry(&mut #entries, at);)*
                }
            }
            Effect::Detach(node) => {
                self.with_element(node, &quote! { builder.detach_value(frame, node); })
            }
            Effect::Append(node, parent) => self.insert([node, parent, &Expression::None]),
            Effect::Insert(node, parent, before) => self.insert([node, parent, before]),
            Effect::AppendChildren(node, parent) => {
                let node = self.value(node, ValueKind::Node);
                let parent = self.value(parent, ValueKind::Node);
                quote! { let (node, parent) = (#node, #parent); builder.append_children(frame, node, parent); }
            }
            Effect::Token(TokenEffect::End(node)) => {
                self.with_element(node, &quote! { builder.end_element(token, node); })
            }
            // Compiled steps can unset a property of a patch, but not set it to a node.
            Effect::Template(TemplateEffect::SetPatch(part, node, Expression::None)) => {
                let part = part_index(*part);
                let code = quote! { builder.unset_patch(node, #part); };
                self.with_element(node, &code)
            }
            _ => self.insertion_effect(effect),
        }
    }

    /// Generates an expression for a node; for an entry of the list of active formatting elements, for the entry's
    /// element.
    pub(super) fn element(&mut self, value: &Expression) -> TokenStream {
        if self.kind(value) == Some(ValueKind::Entry) {
            let value = self.value(value, ValueKind::Entry);
            return quote! { rt::ListKey::node_value(&#value) };
        }
        self.value(value, ValueKind::Node)
    }

    /// Generates an expression for an element or an entry of the list of active formatting elements.
    pub(super) fn in_list(&mut self, value: &Expression) -> TokenStream {
        let is_entry = self.kind(value) == Some(ValueKind::Entry);
        self.value(value, if is_entry { ValueKind::Entry } else { ValueKind::Node })
    }

    /// Generates a call of a method with a node as its argument.
    pub(super) fn call_on_element(&mut self, method: &str, node: &Expression) -> TokenStream {
        let (method, receiver) = (format_ident!("{method}"), self.receiver());
        self.with_element(node, &quote! { #receiver.#method(node) })
    }

    /// Generates a call of a method of the builder with an element, or an entry of the list, as its argument.
    fn call_on_listed(&mut self, method: &str, value: &Expression) -> TokenStream {
        let method = format_ident!("{method}");
        self.with_listed(value, &quote! { builder.#method(node) })
    }

    /// Generates a block that stores the value of `node` in the variable `node` and then runs `code`, which borrows the
    /// builder.
    pub(super) fn with_element(&mut self, node: &Expression, code: &TokenStream) -> TokenStream {
        let node = self.element(node);
        quote! { { let node = #node; #code } }
    }

    /// Generates a block that stores an element, or an entry of the list, in the variable `node` and then runs `code`.
    fn with_listed(&mut self, value: &Expression, code: &TokenStream) -> TokenStream {
        let node = self.in_list(value);
        quote! { { let node = #node; #code } }
    }

    pub(super) fn tree_value(&mut self, expression: &Expression) -> TokenStream {
        if !self.is_about_trees() {
            return self.unsupported(expression);
        }
        match expression {
            Expression::Current => {
                let current = self.current_node();
                quote! { #current.or(builder.document_value()) }
            }
            Expression::LastOfOpen => quote! { builder.last_open() },
            Expression::FirstOfOpen => quote! { builder.first_open() },
            Expression::FragmentContext => quote! { builder.context_element() },
            Expression::Relative(Relation::Above, node) => {
                self.call_on_element("above_in_stack", node)
            }
            Expression::Relative(Relation::AboveEvenIfRemoved, node) => {
                self.with_element(node, &quote! { builder.above_even_if_removed(frame, node) })
            }
            Expression::Relative(Relation::FurthestBlock, node) if self.has_action_arguments() => {
                self.with_element(
                    node,
                    &quote! { builder.furthest_block_below(node, given.special) },
                )
            }
            Expression::Relative(Relation::Parent, node) => {
                self.call_on_element("parent_value", node)
            }
            Expression::LastEntry => quote! { builder.last_entry() },
            Expression::EntryBefore(value) => self.call_on_listed("entry_before", value),
            Expression::EntryAfter(value) => self.call_on_listed("entry_after", value),
            Expression::LastNamed(name) => {
                let name = self.value(name, ValueKind::Text);
                quote! { { let name = #name; builder.last_named(frame, name) } }
            }
            Expression::PlaceOf(value) | Expression::PlaceAfter(value) => {
                let offset = u32::from(matches!(expression, Expression::PlaceAfter(_)));
                let listed = self.in_list(value);
                quote! { { let listed = #listed; builder.bookmark(listed, #offset) } }
            }
            Expression::Place(parent, before) => {
                let parent = self.value(parent, ValueKind::Node);
                let before = self.value(before, ValueKind::Node);
                quote! {
                    { let before = #before; (#parent).map(|parent| rt::Location { parent, before }) }
                }
            }
            Expression::TargetParent(location) => {
                let location = self.value(location, ValueKind::Location);
                quote! { (#location).map(|location| location.parent) }
            }
            Expression::Token => quote! { frame.tag },
            Expression::OfToken(TokenPart::TagName) => quote! { builder.token_name_text(frame) },
            Expression::Names(names) => self.set(names),
            _ => self.insertion_value(expression),
        }
    }

    pub(super) fn tree_question(&mut self, question: &Question) -> TokenStream {
        if !self.is_about_trees() {
            return self.unsupported(question);
        }
        match question {
            Question::IsElement(node, names) => {
                let set = self.set(names);
                self.with_listed(node, &quote! { builder.is_in(node, #set) })
            }
            Question::IsInNames(node, names) => {
                let names = self.value(names, ValueKind::Names);
                self.with_listed(node, &quote! { builder.is_in(node, #names) })
            }
            Question::IsNamed(node, Expression::OfToken(TokenPart::TagName))
                if self.has_current_token() =>
            {
                self.with_element(node, &quote! { builder.is_target(node, rt::Target::TokenName) })
            }
            Question::IsNamed(node, Expression::OfToken(TokenPart::TagName)) => {
                self.with_listed(node, &quote! { builder.has_token_name(frame, node) })
            }
            Question::IsNamed(node, name) => {
                let (node, name) = (self.in_list(node), self.value(name, ValueKind::Text));
                quote! { { let (node, name) = (#node, #name); builder.is_named(node, name) } }
            }
            Question::IsOpen(Expression::Variable(target)) if self.is_target(*target) => {
                let target = self.variable(*target);
                quote! { builder.is_open_target(#target) }
            }
            Question::IsOpen(node) => self.call_on_listed("is_open", node),
            Question::IsInScope(node)
                if self.has_action_arguments()
                    && is_compiled(self.construction, Routine::InScope) =>
            {
                let function = super::function_name(self.construction, Routine::InScope);
                let frame = self.frame_for(Routine::InScope);
                let code = quote! {
                    let target = rt::Target::Node(node);
                    #function(builder, #frame token, target, given.members) == Some(true)
                };
                self.with_element(node, &code)
            }
            Question::IsInScope(node) if self.has_action_arguments() => {
                self.with_element(node, &quote! { builder.is_value_in_scope(node, given.scope) })
            }
            Question::FormattingIsEmpty => quote! { builder.formatting_is_empty() },
            Question::IsFormatting(value) => self.call_on_listed("is_formatting", value),
            Question::IsMarker(value) if self.kind(value) == Some(ValueKind::Entry) => {
                self.call_on_listed("is_marker", value)
            }
            Question::IsFirst(value) => self.call_on_listed("is_first_entry", value),
            Question::IsLast(value) => self.call_on_listed("is_last_entry", value),
            Question::IsImplied(node) if self.routine == Routine::GenerateEndTags => {
                let has_exceptions =
                    self.algorithm.definitions.contains(&Definition::ExceptedAreNotImplied);
                self.with_element(
                    node,
                    &quote! { builder.is_implied(node, given, #has_exceptions) },
                )
            }
            Question::AreAlike(least, node) => {
                if !self.algorithm.definitions.contains(&Definition::AlikeByTokens) {
                    return self.unsupported(question);
                }
                let code = quote! { builder.has_equal_entries(frame, token, #least, node) };
                self.with_element(node, &code)
            }
            Question::IsDocument(node) => self.call_on_element("is_document", node),
            // The builder records only for the document whether it has an element child.
            Question::HasElementChild(node) if self.is_known_document(node) => {
                quote! { builder.document_has_element }
            }
            Question::IsAncestor(ancestor, node) => {
                let ancestor = self.value(ancestor, ValueKind::Node);
                let node = self.value(node, ValueKind::Node);
                quote! {
                    { let (ancestor, node) = (#ancestor, #node); builder.is_ancestor(frame, ancestor, node) }
                }
            }
            Question::Parser(ParserQuestion::IsFragment) => quote! { builder.is_fragment() },
            Question::Token(TokenQuestion::HasTokenName(node)) => {
                self.call_on_element("has_token_name_in_any_case", node)
            }
            Question::Token(TokenQuestion::IsForeign(node)) => {
                self.call_on_element("is_foreign", node)
            }
            Question::Token(TokenQuestion::IsIntegrationPoint(node)) => {
                self.call_on_element("is_integration_point", node)
            }
            _ => self.insertion_question(question),
        }
    }

    /// Generates the parts of a conjunction or a disjunction. If a part of a conjunction tests that a variable is the
    /// document, or a part of a disjunction that it is not, then the variable is known to be the document in the other
    /// parts.
    pub(super) fn parts(&mut self, parts: &[Question], is_all: bool) -> Vec<TokenStream> {
        let outer = self.known_documents.len();
        for part in parts {
            let negated = if let Question::Not(part) = part { Some(&**part) } else { None };
            let known = if is_all { Some(part) } else { negated };
            if let Some(Question::IsDocument(Expression::Variable(node))) = known {
                self.known_documents.push(*node);
            }
        }
        let code = parts.iter().map(|part| self.question(part)).collect();
        self.known_documents.truncate(outer);
        code
    }

    fn is_known_document(&self, value: &Expression) -> bool {
        matches!(value, Expression::Variable(node) if self.known_documents.contains(node))
    }

    /// Generates an expression for the current node; its value is `None` if no element is open.
    pub(super) fn current_node(&mut self) -> TokenStream {
        let routine = Routine::Current;
        match self.construction.routine(routine) {
            Some(id) if is_compiled(self.construction, routine) && self.routine != routine => {
                self.tree_call(id, &[])
            }
            _ => quote! { builder.last_open() },
        }
    }

    /// Generates code for the first steps together, if it is faster than code for each of them: a lookup in place of a
    /// walk, or a pop that is not reported if the element is pushed again. Returns the code and the number of these steps;
    /// `None` if the list begins with other steps.
    pub(super) fn tree_shortcut(&mut self, steps: &[RunStep]) -> Option<(TokenStream, usize)> {
        if !self.is_about_trees() {
            return None;
        }
        if let Some(walk) = self.reset_walk(steps) {
            return Some((walk, steps.len()));
        }
        if let Some(lookup) = self.topmost_lookup(steps).or_else(|| self.entry_lookup(steps)) {
            return Some((lookup, 2));
        }
        let pop = quote! { builder.pop_unless_reopened(token, node); };
        Some((self.with_element(reopened_element(steps)?, &pop), 1))
    }

    /// Generates an indexed lookup in place of two steps that walk up from the current node to the first element with
    /// the token's name; `None` if the steps do not begin with these two.
    fn topmost_lookup(&self, steps: &[RunStep]) -> Option<TokenStream> {
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
        let exists = Question::Not(Box::new(Question::IsNone(node.clone())));
        let has_other_name = Question::Not(Box::new(Question::IsNamed(node.clone(), name)));
        let above = Expression::Relative(Relation::Above, Box::new(node));
        let is_walk = conditions[..] == [exists, has_other_name]
            && walk[..] == [RunStep::Let(*variable, above)];
        let variable = self.variable(*variable);
        is_walk.then(|| quote! { #variable = builder.topmost_of_token_name(frame); })
    }

    /// Generates an arm that walks up the stack and takes the row of `reset` for each element. The walk passes over
    /// elements that no row names, except for the first of the stack, which the steps may replace. `None` if the steps
    /// are not such an arm.
    fn reset_walk(&mut self, steps: &[RunStep]) -> Option<TokenStream> {
        let [
            RunStep::At(label),
            test @ RunStep::When { condition, otherwise, .. },
            take @ RunStep::TakeReset(taken, _),
            RunStep::Let(variable, next),
            go @ RunStep::Go(target),
        ] = steps
        else {
            return None;
        };
        let node = Expression::Variable(*variable);
        let is_walk = label == target
            && *taken == node
            && otherwise.is_empty()
            && *condition == Question::Same(node.clone(), Expression::FirstOfOpen)
            && *next == Expression::Relative(Relation::Above, Box::new(node));
        is_walk.then(|| {
            let (test, take, go) = (self.step(test), self.step(take), self.step(go));
            let variable = self.variable(*variable);
            quote! { #test #take #variable = builder.above_with_reset_row(#variable); #go }
        })
    }

    /// Generates an indexed lookup in place of two steps, the last ones of the algorithm, that walk back through the
    /// active formatting elements after the last marker and return at the first one with a listed name; `None` if the
    /// steps are not these two.
    fn entry_lookup(&mut self, steps: &[RunStep]) -> Option<TokenStream> {
        let [
            RunStep::Let(variable, Expression::LastEntry),
            RunStep::RepeatWhile(Question::All(conditions), walk),
        ] = steps
        else {
            return None;
        };
        let [RunStep::When { condition, then, otherwise }, next] = &walk[..] else { return None };
        let Question::IsInNames(tested, names) = condition else { return None };
        let entry = Expression::Variable(*variable);
        let exists = Question::Not(Box::new(Question::IsNone(entry.clone())));
        let is_element = Question::Not(Box::new(Question::IsMarker(entry.clone())));
        let is_walk = conditions[..] == [exists, is_element]
            && *tested == entry
            && matches!(then[..], [RunStep::Return(_)])
            && self.algorithm.steps.ends_with(steps)
            && otherwise.is_empty()
            && *next == RunStep::Let(*variable, Expression::EntryBefore(Box::new(entry)));
        is_walk.then(|| {
            let names = self.value(names, ValueKind::Names);
            let (variable, then) = (self.variable(*variable), self.steps(then));
            quote! {
                #variable = builder.last_entry_in(#names);
                if #variable.is_some() { #then }
            }
        })
    }
}
