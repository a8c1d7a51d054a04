//! Compiles the steps of algorithms to Rust functions: variables become typed locals, repetitions become loops, and
//! steps around the label of a `go` become the arms of a loop. The submodules compile expressions over bytes and over
//! trees.

mod bytes;
mod insertion;
pub(super) mod nodes;
pub(super) mod serialize;
mod templates;
mod tree;

use super::names::{self, snake};
use crate::{natives, print};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::cell::RefCell;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::algorithm::{
    Algorithm, ByteValue, Call, Effect, Expression, Question, Routine, RunStep, ShadowPart,
    ValueKind, VariableId, WritingValue,
};
use tabulex_language::model::tree::{Construction, ElementName, StepsId};
use tabulex_language::vocabulary::algorithm::{BYTE_ROUTINES, WRITING_ROUTINES};

/// Generates the functions of the algorithms that find the declared encoding in the first bytes of an input.
pub(super) fn byte_functions(machine: &Machine, is_for_display: bool) -> TokenStream {
    let Some(construction) = &machine.construction else { return TokenStream::new() };
    let routines = BYTE_ROUTINES.iter().map(|(_, routine)| *routine);
    functions(construction, routines, is_for_display)
}

/// Generates the functions of those algorithms that can be compiled.
fn functions(
    construction: &Construction,
    routines: impl Iterator<Item = Routine>,
    is_for_display: bool,
) -> TokenStream {
    let functions = routines.filter_map(|routine| Function::new(construction, routine));
    functions.filter_map(|mut function| function.code(is_for_display).ok()).collect()
}

/// Returns the name of the function that searches the first bytes of an input for its declared encoding; `None` if the
/// table does not have the algorithm.
pub(super) fn prescan(machine: &Machine) -> Option<Ident> {
    let construction = machine.construction.as_ref()?;
    let id = construction.routine(Routine::PrescanEncoding)?;
    Some(name(construction.algorithm(id)))
}

fn name(algorithm: &Algorithm) -> Ident {
    format_ident!("algorithm_{}", snake(&algorithm.name))
}

/// Generates the functions of all compiled algorithms over trees. `set` generates a set of element names.
pub(super) fn tree_functions(
    machine: &Ident,
    construction: &Construction,
    set: SetGenerator<'_>,
    is_for_display: bool,
) -> TokenStream {
    let mut routines: Vec<_> =
        tree::row_routines().filter(|&routine| is_compiled(construction, routine)).collect();
    let mut functions = TokenStream::new();
    let mut index = 0;
    while let Some(&routine) = routines.get(index) {
        index += 1;
        let Some(mut function) = Function::on_trees(construction, routine) else { continue };
        function.output = Some((machine, set));
        functions.extend(function.code(is_for_display));
        // Compiled algorithms call only compiled functions, so a callee is compiled even if the runtime also implements
        // it.
        for callee in function.callees {
            if !routines.contains(&callee) {
                routines.push(callee);
            }
        }
    }
    functions
}

/// Whether rows and other algorithms call the algorithm as a function compiled from its steps, rather than the runtime.
pub(super) fn is_compiled(construction: &Construction, routine: Routine) -> bool {
    tree::is_function(routine)
        && !natives::is_native(construction, routine)
        && !tree::is_indexed(construction, routine)
}

/// Returns the name of the function compiled from the algorithm's steps, if there is one.
pub(super) fn function_name(construction: &Construction, routine: Routine) -> Option<Ident> {
    let id = construction.routine(routine).filter(|_| is_compiled(construction, routine))?;
    Some(name(construction.algorithm(id)))
}

/// Generates a row's call of the function compiled from the algorithm's steps, after the statement `setup`, which
/// changes the frame of the call; `None` if the algorithm is not compiled. Drops arguments beyond its parameters.
pub(super) fn call_by_row(
    construction: &Construction,
    routine: Routine,
    setup: &TokenStream,
    arguments: &[TokenStream],
) -> Option<TokenStream> {
    let function = function_name(construction, routine)?;
    let algorithm = construction.algorithm(construction.routine(routine)?);
    let count = algorithm.parameters.len() + usize::from(tree::is_given_arguments(routine));
    let arguments = arguments.iter().take(count);
    Some(if takes_frame(construction, routine) {
        quote! {
            { let frame = &mut builder.frame(); #setup #function(builder, frame, token, #(#arguments),*) }
        }
    } else {
        quote! { #function(builder, token, #(#arguments),*) }
    })
}

/// Whether the function compiled from the algorithm's steps needs a frame, the state of a run. Those that only test and
/// pop open elements need none, and cost no more than the primitives that they call.
fn takes_frame(construction: &Construction, routine: Routine) -> bool {
    Function::on_trees(construction, routine).is_some_and(|mut function| {
        let steps = function.steps(&function.algorithm.steps);
        function.needs_frame(&steps)
    })
}

/// Whether the code contains the identifier.
pub(super) fn mentions(code: &TokenStream, identifier: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == identifier,
        TokenTree::Group(group) => mentions(&group.stream(), identifier),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns the lists of named steps that the algorithm may return, each once.
pub(super) fn returned_steps(construction: &Construction, routine: Routine) -> Vec<StepsId> {
    let mut lists = Vec::new();
    if let Some(id) = construction.routine(routine) {
        for step in RunStep::all(&construction.algorithm(id).steps) {
            if let RunStep::ReturnSteps(steps) = step
                && !lists.contains(steps)
            {
                lists.push(*steps);
            }
        }
    }
    lists
}

/// Checks that the algorithm can be compiled from its steps and, if it works on trees under construction, that its
/// callees can, too.
///
/// # Errors
/// The reason why one of them cannot.
pub(crate) fn compiles(construction: &Construction, routine: Routine) -> Result<(), String> {
    let Some(mut function) = Function::new(construction, routine) else { return Ok(()) };
    if function.is_about_trees() && !tree::is_function(routine) {
        return Err("rows and other algorithms cannot call it as a function".to_owned());
    }
    function.code(false)?;
    function.callees.into_iter().try_for_each(|callee| compiles(construction, callee))
}

/// The data that an algorithm works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Domain {
    /// The undecoded bytes of an input.
    Bytes,
    /// The nodes of a tree, which are queried and changed.
    Nodes,
    /// The nodes of a tree, which are serialized.
    Writer,
    /// The open elements, the active formatting elements and the nodes of a tree under construction.
    Tree,
}

/// A function that generates a set of element names.
type SetGenerator<'c> = &'c dyn Fn(&[ElementName]) -> TokenStream;

/// A generator of the function of one algorithm.
struct Function<'c> {
    construction: &'c Construction,
    routine: Routine,
    algorithm: &'c Algorithm,
    domain: Domain,
    /// The type of the machine, and the function that generates a set of element names; `None` if the code of an
    /// algorithm over trees is only checked.
    output: Option<(&'c Ident, SetGenerator<'c>)>,
    /// The labels that are targets of a `go`.
    labels: Vec<u8>,
    /// The number of loops generated so far.
    loop_count: usize,
    /// The numbers of the repetitions that enclose the current step, outermost first.
    repetitions: Vec<usize>,
    /// The labels in scope at the current step, each with the number of its loop and the index of its arm.
    visible_labels: Vec<(u8, usize, u8)>,
    /// The variables that are known to hold the document in the current condition.
    known_documents: Vec<VariableId>,
    /// The algorithms that the steps call as compiled functions.
    callees: Vec<Routine>,
    /// The reason why the steps cannot be compiled, if there is one.
    refusal: RefCell<Option<String>>,
}

impl<'c> Function<'c> {
    /// Creates a generator for an algorithm; `None` if the table does not have the algorithm.
    fn new(construction: &'c Construction, routine: Routine) -> Option<Self> {
        let algorithm = construction.algorithm(construction.routine(routine)?);
        let is_among = |list: &[(&str, Routine)]| list.iter().any(|(_, other)| *other == routine);
        let domain = match (is_among(BYTE_ROUTINES), is_among(WRITING_ROUTINES)) {
            (true, _) => Domain::Bytes,
            (_, true) => Domain::Writer,
            _ if nodes::ROUTINES.contains(&routine) => Domain::Nodes,
            _ => Domain::Tree,
        };
        let steps = RunStep::all(&algorithm.steps).into_iter();
        let labels = steps.filter_map(|step| match step {
            RunStep::Go(label) => Some(*label),
            _ => None,
        });
        Some(Self {
            construction,
            routine,
            algorithm,
            domain,
            output: None,
            labels: labels.collect(),
            loop_count: 0,
            repetitions: Vec::new(),
            visible_labels: Vec::new(),
            known_documents: Vec::new(),
            callees: Vec::new(),
            refusal: RefCell::new(None),
        })
    }

    /// Creates a generator for an algorithm that rows or algorithms over trees call.
    fn on_trees(construction: &'c Construction, routine: Routine) -> Option<Self> {
        Some(Self { domain: Domain::Tree, ..Self::new(construction, routine)? })
    }

    /// Generates the function of the algorithm.
    ///
    /// # Errors
    /// The reason why a step cannot be compiled.
    fn code(&mut self, is_for_display: bool) -> Result<TokenStream, String> {
        let comment = is_for_display.then(|| print::row(&self.algorithm.written));
        let function = match self.domain {
            Domain::Bytes => self.byte_function(),
            Domain::Nodes | Domain::Writer => self.node_function(),
            Domain::Tree => self.tree_function(),
        };
        self.refusal.take().map_or_else(|| Ok(quote! { #comment #function }), Err)
    }

    /// Generates the function of an algorithm over bytes.
    fn byte_function(&mut self) -> TokenStream {
        let name = name(self.algorithm);
        let return_type =
            self.algorithm.returns.map_or_else(|| quote! { () }, |kind| self.type_of(kind));
        let (parameters, variables) = self.declare_variables();
        let steps = self.steps(&self.algorithm.steps);
        let early_end = bytes::end_without_result(&self.algorithm.steps);
        quote! {
            #[allow(unreachable_code)]
            fn #name(bytes: &mut rt::Bytes<'_>, #(#parameters),*) -> Result<#return_type, rt::Ended> {
                #early_end
                #(#variables)*
                #steps
                Ok(Default::default())
            }
        }
    }

    /// Generates the declarations of the parameters, and those of the other variables.
    fn declare_variables(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let parameter_ids: Vec<_> =
            self.algorithm.parameters.iter().map(|parameter| parameter.variable).collect();
        let ids = (0..self.algorithm.variables.len()).map(|index| VariableId(index as u8));
        let name_and_type = |id: VariableId| {
            let rust_type = if self.is_target(id) {
                quote! { rt::Target<'_, S::Node> }
            } else if self.is_pieces(id) {
                quote! { rt::Pieces }
            } else if self.is_about_trees() && self.is_text(id) {
                quote! { Option<String> }
            } else {
                self.type_of(self.kind_of(id))
            };
            (self.variable(id), rust_type)
        };
        let parameters: Vec<_> = parameter_ids
            .iter()
            .map(|&id| {
                let (name, rust_type) = name_and_type(id);
                quote! { mut #name: #rust_type }
            })
            .collect();
        let variables: Vec<_> = ids
            .filter(|id| !parameter_ids.contains(id))
            .map(|id| {
                let (name, rust_type) = name_and_type(id);
                let value = if self.kind_of(id) == ValueKind::Names && !self.is_on_nodes_alone() {
                    quote! { &rt::ElementSet::EMPTY }
                } else {
                    quote! { Default::default() }
                };
                quote! { let mut #name: #rust_type = #value; }
            })
            .collect();
        (parameters, variables)
    }

    fn variable(&self, variable: VariableId) -> Ident {
        let index = usize::from(variable.0);
        let name = |index: usize| &self.algorithm.variables[index].name;
        let is_repeated = (0..index).any(|other| name(other) == name(index));
        let suffix = if is_repeated { format!("_{index}") } else { String::new() };
        format_ident!("the_{}{}", snake(name(index)), suffix)
    }

    fn kind_of(&self, variable: VariableId) -> ValueKind {
        self.algorithm.variables[usize::from(variable.0)].kind
    }

    /// Returns the names of the variables of the kind `kind`.
    fn variables_of(&self, kind: ValueKind) -> impl Iterator<Item = Ident> {
        let ids = (0..self.algorithm.variables.len()).map(|index| VariableId(index as u8));
        ids.filter(move |id| self.kind_of(*id) == kind).map(|id| self.variable(id))
    }

    /// Generates the code of a list of steps: a loop over arms if a `go` jumps to one of the list's labels, else the
    /// steps in order.
    fn steps(&mut self, steps: &[RunStep]) -> TokenStream {
        let arms = self.arms(steps);
        let [first, rest @ ..] = &arms[..] else { return TokenStream::new() };
        if rest.is_empty() {
            return self.steps_in_order(first.1);
        }
        let number = self.next_loop();
        let (label, next_arm) = (names::label("steps", number), format_ident!("next_{number}"));
        let (outer_count, arm_count) = (self.visible_labels.len(), arms.len() as u8);
        let labels =
            rest.iter().zip(1..arm_count).filter_map(|(arm, at)| Some((arm.0?, number, at)));
        self.visible_labels.extend(labels);
        let round_check = self.count_round();
        let arms: Vec<_> = arms
            .iter()
            .zip(0..arm_count)
            .map(|((_, steps), at)| {
                let skip = self.skip(&arms, usize::from(at));
                let code = self.steps_in_order(steps);
                quote! { if #next_arm <= #at { #skip #code } }
            })
            .collect();
        self.visible_labels.truncate(outer_count);
        quote! {
            let mut #next_arm = 0u8;
            #label: loop {
                #round_check
                #(#arms)*
                break #label;
            }
        }
    }

    /// Splits the steps into arms before each label that is the target of a `go`. Each arm but the first begins with
    /// its label.
    fn arms<'s>(&self, steps: &'s [RunStep]) -> Vec<(Option<u8>, &'s [RunStep])> {
        let mut arms = vec![(None, 0)];
        for (at, step) in steps.iter().enumerate() {
            if let RunStep::At(label) = step
                && self.labels.contains(label)
            {
                arms.push((Some(*label), at));
            }
        }
        let ends = arms.iter().skip(1).map(|arm| arm.1).chain([steps.len()]);
        arms.iter().zip(ends).map(|(&(label, from), to)| (label, &steps[from..to])).collect()
    }

    fn steps_in_order(&mut self, mut steps: &[RunStep]) -> TokenStream {
        let mut code = TokenStream::new();
        while let [step, ..] = steps {
            let (step_code, count) =
                self.tree_shortcut(steps).unwrap_or_else(|| (self.step(step), 1));
            code.extend(step_code);
            steps = &steps[count..];
        }
        code
    }

    fn is_about_bytes(&self) -> bool {
        self.domain == Domain::Bytes
    }

    fn is_about_trees(&self) -> bool {
        self.domain == Domain::Tree
    }

    fn next_loop(&mut self) -> usize {
        self.loop_count += 1;
        self.loop_count
    }

    /// Generates the code of one step.
    fn step(&mut self, step: &RunStep) -> TokenStream {
        match step {
            RunStep::Let(variable, value) if self.is_pieces(*variable) => {
                let (name, value) = (self.variable(*variable), self.value(value, ValueKind::Text));
                quote! { #name = rt::Pieces::from(#value); }
            }
            RunStep::Let(variable, value) if self.is_about_trees() && self.is_text(*variable) => {
                let (name, text) = (self.variable(*variable), self.text_of(value));
                quote! { #name = #text; }
            }
            RunStep::Let(variable, value) => {
                let (name, kind) = (self.variable(*variable), self.kind_of(*variable));
                let value = self.value(value, kind);
                quote! { #name = #value; }
            }
            RunStep::Increment(variable) => {
                let name = self.variable(*variable);
                quote! { #name += 1; }
            }
            RunStep::When { condition, then, otherwise } => {
                let condition = self.question(condition);
                let (then, otherwise) = (self.steps(then), self.steps(otherwise));
                let otherwise = (!otherwise.is_empty()).then(|| quote! { else { #otherwise } });
                quote! { if #condition { #then } #otherwise }
            }
            RunStep::Repeat(steps) => self.repeat(None, steps),
            RunStep::RepeatWhile(condition, steps) => self.repeat(Some(condition), steps),
            RunStep::At(_) => TokenStream::new(),
            RunStep::Go(label) => {
                let target = self.visible_labels.iter().rev().find(|(other, ..)| other == label);
                let Some(&(_, number, arm)) = target else { return self.unsupported(step) };
                let (label, next_arm) =
                    (names::label("steps", number), format_ident!("next_{number}"));
                quote! { #next_arm = #arm; continue #label; }
            }
            RunStep::Break | RunStep::Continue => {
                let Some(&number) = self.repetitions.last() else { return self.unsupported(step) };
                let label = names::label("steps", number);
                if *step == RunStep::Break {
                    quote! { break #label; }
                } else {
                    quote! { continue #label; }
                }
            }
            // Assertions are not compiled, as the interpreter checks them when it runs the suites.
            RunStep::Assert(_) => TokenStream::new(),
            RunStep::Effect(Effect::Decrement(variable)) => {
                let name = self.variable(*variable);
                quote! { #name = #name.saturating_sub(1); }
            }
            _ if self.is_on_nodes_alone() => self.node_step(step),
            RunStep::LetPlace(parent, before, value) if self.is_about_trees() => {
                let (parent, before) = (self.variable(*parent), self.variable(*before));
                let value = self.value(value, ValueKind::Location);
                quote! {
                    if let Some(location) = #value {
                        #parent = Some(location.parent);
                        #before = location.before;
                    }
                }
            }
            RunStep::ReturnSteps(steps) if self.is_about_trees() => self.end_with(*steps),
            RunStep::ForEachAttribute(name, value, tag, steps) if self.is_about_trees() => {
                self.for_each_attribute((*name, *value), tag, steps)
            }
            RunStep::Return(value) if self.is_about_trees() => self.end(value.as_ref()),
            RunStep::TakeReset(node, last) if self.is_about_trees() => {
                let (node, last) = (self.element(node), self.value(last, ValueKind::Truth));
                let end = self.end(None);
                quote! {
                    let (node, last) = (#node, #last);
                    if builder.take_reset(token, node, last) { #end }
                }
            }
            RunStep::Return(value) => {
                let value = value.as_ref().zip(self.algorithm.returns);
                let value = value.map_or_else(
                    || quote! { Default::default() },
                    |(value, kind)| self.returned_value(value, kind),
                );
                quote! { return Ok(#value); }
            }
            RunStep::Run(call) => {
                let code = self.call(call);
                if self.algorithm.steps.last() != Some(step) {
                    quote! { #code; }
                } else if self.is_about_trees() {
                    self.end_with_call(call, &code)
                } else {
                    quote! { return Ok(#code); }
                }
            }
            RunStep::Effect(Effect::Bytes(effect)) => self.byte_effect(effect),
            RunStep::Effect(effect) if self.is_about_trees() => self.tree_effect(effect),
            _ => self.unsupported(step),
        }
    }

    fn repeat(&mut self, condition: Option<&Question>, steps: &[RunStep]) -> TokenStream {
        let callee_count = self.callees.len();
        let exit = condition.map(|condition| {
            let condition = self.question(condition);
            quote! { if !(#condition) { break; } }
        });
        let (label, body) = self.loop_body(steps);
        // An algorithm that the loop runs could push elements.
        let is_finite = tree::empties_stack(condition, steps) && self.callees.len() == callee_count;
        let count = (!is_finite).then(|| self.count_round());
        quote! { #label: loop { #count #exit #body } }
    }

    fn for_each_attribute(
        &mut self,
        (name, value): (VariableId, VariableId),
        tag: &Expression,
        steps: &[RunStep],
    ) -> TokenStream {
        let (name, value) = (self.variable(name), self.variable(value));
        let tag = self.value(tag, ValueKind::Token);
        let (label, steps) = self.loop_body(steps);
        quote! {
            #label: for attribute in builder.token_attributes(#tag, token) {
                [#name, #value] = attribute;
                #steps
            }
        }
    }

    /// Generates the body of a loop; returns the loop's label and the body.
    fn loop_body(&mut self, steps: &[RunStep]) -> (TokenStream, TokenStream) {
        let number = self.next_loop();
        self.repetitions.push(number);
        let steps = self.steps(steps);
        self.repetitions.pop();
        (names::label("steps", number), steps)
    }

    /// Generates code that counts a round of a loop, and ends the algorithm after too many rounds.
    fn count_round(&mut self) -> TokenStream {
        match self.domain {
            Domain::Bytes => quote! { bytes.count_step()?; },
            Domain::Nodes | Domain::Writer => self.count_node_round(),
            Domain::Tree => {
                let end = self.end(None);
                quote! { if !frame.count_round() { #end } }
            }
        }
    }

    /// Generates the arguments of a call, each with its kind.
    fn arguments(&mut self, call: &Call) -> Vec<(ValueKind, TokenStream)> {
        let callee = self.construction.algorithm(call.algorithm);
        let mut explicit = call.arguments.iter();
        let arguments = callee.parameters.iter().map(|parameter| {
            let kind = callee.variables[usize::from(parameter.variable.0)].kind;
            let value = explicit.next().or(parameter.default.as_ref());
            let value = value.unwrap_or(&Expression::None);
            (kind, self.value(value, kind))
        });
        arguments.collect()
    }

    fn call(&mut self, call: &Call) -> TokenStream {
        let callee = self.construction.algorithm(call.algorithm);
        let arguments = self.arguments(call);
        if self.is_about_trees() {
            return self.tree_call(call.algorithm, &arguments);
        }
        let (name, arguments) = (name(callee), arguments.iter().map(|(_, value)| value));
        quote! { #name(bytes, #(#arguments),*)? }
    }

    /// Returns the kind of the value, or `None` if the kind depends on the context.
    fn kind(&self, value: &Expression) -> Option<ValueKind> {
        match value {
            Expression::Variable(variable) => Some(self.kind_of(*variable)),
            Expression::Call(call) => self.construction.algorithm(call.algorithm).returns,
            Expression::Chosen(parts) => self.kind(&parts.0).or_else(|| self.kind(&parts.2)),
            Expression::Bytes(value) => value.kind(),
            Expression::Named(value) => value.kind(),
            Expression::Writing(value) => match **value {
                WritingValue::OfShadow(ShadowPart::Mode | ShadowPart::SlotAssignment, _) => {
                    Some(ValueKind::Text)
                }
                WritingValue::OfShadow(..) => Some(ValueKind::Truth),
                _ => value.kind(),
            },
            _ => value.kind(),
        }
    }

    /// Generates an expression for the value, of the kind `expected`.
    fn value(&mut self, value: &Expression, expected: ValueKind) -> TokenStream {
        match value {
            Expression::None => quote! { Default::default() },
            Expression::Truth(truth) => quote! { Some(#truth) },
            Expression::Number(number) => quote! { #number },
            Expression::Chosen(parts) => {
                let (one, condition, other) = &**parts;
                let condition = self.question(condition);
                let (one, other) = (self.value(one, expected), self.value(other, expected));
                quote! { if #condition { #one } else { #other } }
            }
            _ if self.is_on_nodes_alone() => self.node_value(value),
            Expression::Text(text) if self.is_about_trees() => quote! { Some(#text.to_owned()) },
            Expression::Text(text) if expected == ValueKind::Encoding => bytes::encoding(text),
            Expression::Text(text) => {
                let text = bytes::literal(text);
                quote! { #text.to_vec() }
            }
            Expression::Variable(variable)
                if self.is_target(*variable) || self.is_text(*variable) =>
            {
                self.unsupported(value)
            }
            Expression::Variable(variable) => {
                let name = self.variable(*variable);
                if self.kind_of(*variable) == ValueKind::Entry && expected == ValueKind::Node {
                    return quote! { rt::ListKey::node_value(&#name) };
                }
                match self.kind_of(*variable) {
                    ValueKind::Text | ValueKind::Attribute | ValueKind::List => {
                        quote! { #name.clone() }
                    }
                    _ => quote! { #name },
                }
            }
            Expression::Bytes(value) => self.byte_value(value),
            Expression::Call(call) => self.call(call),
            _ => self.tree_value(value),
        }
    }

    /// Generates the value that the algorithm returns; variables are moved rather than cloned.
    fn returned_value(&mut self, value: &Expression, expected: ValueKind) -> TokenStream {
        if let Expression::Variable(variable) = value {
            let name = self.variable(*variable);
            return quote! { #name };
        }
        if let Expression::Bytes(value) = value
            && let ByteValue::Attribute(Expression::Variable(name), Expression::Variable(value)) =
                &**value
            && name != value
        {
            let (name, value) = (self.variable(*name), self.variable(*value));
            return quote! { Some((#name, #value)) };
        }
        self.value(value, expected)
    }

    /// Generates the value in a form that can be borrowed without a copy.
    fn borrowable(&mut self, value: &Expression) -> TokenStream {
        if let Expression::Variable(variable) = value {
            let name = self.variable(*variable);
            return quote! { #name };
        }
        if let Expression::Text(text) = value
            && self.is_about_bytes()
        {
            let text = bytes::literal(text);
            return quote! { #text[..] };
        }
        if let Expression::Bytes(value) = value
            && let Some(part) = self.part_of_attribute(value)
        {
            return quote! { (*#part) };
        }
        let kind = self.kind(value).unwrap_or(ValueKind::Text);
        self.value(value, kind)
    }

    /// Generates a Boolean expression for a condition.
    fn question(&mut self, question: &Question) -> TokenStream {
        match question {
            Question::Not(question) => {
                let question = self.question(question);
                quote! { !(#question) }
            }
            Question::All(parts) => {
                let parts = self.parts(parts, true);
                quote! { (#(#parts)&&*) }
            }
            Question::Any(parts) => {
                let parts = self.parts(parts, false);
                quote! { (#(#parts)||*) }
            }
            Question::IsNone(value) => {
                let kind = self.kind(value);
                if kind.is_none() && self.is_on_nodes_alone() {
                    return self.unsupported(question);
                }
                let is_never_none = kind == Some(ValueKind::Text) && self.is_about_bytes()
                    || matches!(
                        kind,
                        Some(
                            ValueKind::Number
                                | ValueKind::Token
                                | ValueKind::Names
                                | ValueKind::List
                                | ValueKind::Nodes
                        )
                    );
                let value = self.borrowable(value);
                if is_never_none {
                    quote! { false }
                } else {
                    quote! { #value.is_none() }
                }
            }
            Question::IsTrue(value) => {
                let value = self.borrowable(value);
                quote! { #value == Some(true) }
            }
            Question::AtLeast(value, limit) => {
                let value = self.borrowable(value);
                quote! { #value >= #limit }
            }
            Question::MoreThan(value, limit) => {
                let value = self.borrowable(value);
                quote! { #value > #limit }
            }
            _ if self.is_on_nodes_alone() => self.node_question(question),
            Question::Same(node, Expression::Variable(target)) if self.is_target(*target) => {
                let (node, target) = (self.element(node), self.variable(*target));
                quote! { { let node = #node; builder.is_target(node, #target) } }
            }
            Question::Same(one, other)
                if self.kind(one) != self.kind(other)
                    || !matches!(
                        self.kind(one),
                        Some(
                            ValueKind::Node | ValueKind::Number | ValueKind::Text | ValueKind::Byte
                        )
                    ) =>
            {
                self.unsupported(question)
            }
            Question::Same(one, other) => {
                let (one, other) = (self.borrowable(one), self.borrowable(other));
                quote! { #one == #other }
            }
            Question::IsEmpty(text) if !self.is_about_trees() => {
                let text = self.borrowable(text);
                quote! { #text.is_empty() }
            }
            Question::Bytes(question) => self.byte_question(question),
            _ => self.tree_question(question),
        }
    }

    /// Generates the Rust type of variables of the kind `kind`.
    fn type_of(&self, kind: ValueKind) -> TokenStream {
        match (kind, self.is_about_trees()) {
            (ValueKind::Node, _) if self.is_about_nodes() => quote! { Option<rt::NodeId> },
            _ if self.is_writer() || self.is_about_nodes() => self.writer_type(kind),
            (ValueKind::Number, _) => quote! { u32 },
            (ValueKind::Truth, _) => quote! { Option<bool> },
            (ValueKind::Text, false) => quote! { Vec<u8> },
            (ValueKind::Attribute, false) => quote! { Option<(Vec<u8>, Vec<u8>)> },
            (ValueKind::Byte, false) => quote! { Option<u8> },
            (ValueKind::Position, false) => quote! { Option<usize> },
            (ValueKind::Encoding, false) => quote! { Option<Option<rt::Encoding>> },
            (ValueKind::List, false) => quote! { Vec<Vec<u8>> },
            (ValueKind::Text, true) => quote! { Option<String> },
            (ValueKind::Node, true) => quote! { Option<rt::NodeValue<S::Node>> },
            (ValueKind::Entry, true) => quote! { Option<rt::EntryValue<S::Node>> },
            (ValueKind::Bookmark, true) => quote! { Option<u32> },
            (ValueKind::Location, true) => quote! { Option<rt::Location<S::Node>> },
            (ValueKind::Token, true) => quote! { rt::TagSource<S::Node> },
            (ValueKind::Names, true) => quote! { &rt::ElementSet },
            _ => self.unsupported(kind),
        }
    }

    /// Records that `what`, a part of the steps, cannot be compiled; returns no code.
    fn unsupported(&self, what: impl std::fmt::Debug) -> TokenStream {
        self.refusal
            .borrow_mut()
            .get_or_insert_with(|| format!("no code can be generated for {what:?}"));
        TokenStream::new()
    }
}
