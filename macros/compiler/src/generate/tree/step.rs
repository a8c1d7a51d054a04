//! Compiles steps of modes to Rust statements. The `match` over actions is exhaustive, so that none is overlooked.

use super::Code;
use super::condition::document_mode;
use crate::generate::algorithm::nodes;
use crate::generate::names::{error_code, snake, variant};
use crate::generate::{algorithm, switching};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    Elements, Except, InsertedNamespace, Insertion, ModeId, Parent, Patching, PointerId,
    StackPlace, StepsId, TreeAction, TreeCondition, TreeFlow, TreeStep,
};

/// The generated code of a list of steps.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) code: TokenStream,
    /// Whether the code always returns, so that nothing may follow it.
    pub(super) ends: bool,
}

impl Statements {
    /// Returns the code as the body of a function: a final `return` statement becomes the last expression.
    pub(super) fn body(self) -> TokenStream {
        let tokens: Vec<TokenTree> = self.code.into_iter().collect();
        let is_return =
            |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "return");
        let is_semicolon =
            |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
        let Some(index) = tokens.iter().rposition(is_return) else {
            return tokens.into_iter().collect();
        };
        let last = tokens.len() - 1;
        match tokens.iter().skip(index).position(is_semicolon) {
            Some(end) if index + end == last => {
                tokens[..index].iter().chain(&tokens[index + 1..last]).cloned().collect()
            }
            _ => tokens.into_iter().collect(),
        }
    }
}

impl ToTokens for Statements {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.code.to_tokens(tokens);
    }
}

impl Code<'_> {
    /// Generates the code of a list of steps. `id` is the mode with the `else` row that the steps may run, if any.
    pub(super) fn steps(&self, id: Option<ModeId>, steps: &[TreeStep]) -> Statements {
        let mut statements = Statements::default();
        let mut delegates = false;
        for step in steps {
            if statements.ends {
                break;
            }
            match step {
                TreeStep::Action(action) => {
                    statements.code.extend(self.action(id, &action.value));
                    statements.ends = self.ends(id, &action.value);
                    delegates |= matches!(action.value.flow(), TreeFlow::Delegate(_));
                }
                TreeStep::When { condition, then, otherwise } => {
                    let (then, otherwise) = (self.steps(id, then), self.steps(id, otherwise));
                    statements.ends = then.ends && otherwise.ends;
                    statements.code.extend(self.branches(&condition.value, &then, &otherwise));
                }
            }
        }
        // If the steps delegate with `using`, the row ends after the last of them, so code that follows these steps
        // must not run.
        if delegates && !statements.ends {
            statements.code.extend(quote! { return; });
            statements.ends = true;
        }
        statements
    }

    /// Generates a condition with its branches, omitting empty ones.
    fn branches(
        &self,
        tree_condition: &TreeCondition,
        then: &Statements,
        otherwise: &Statements,
    ) -> TokenStream {
        let condition = self.condition(tree_condition);
        match (then.code.is_empty(), otherwise.code.is_empty()) {
            (true, true) => TokenStream::new(),
            (false, true) => quote! { if #condition { #then } },
            (true, false) => {
                let condition = self.negated(tree_condition);
                quote! { if #condition { #otherwise } }
            }
            (false, false) => quote! { if #condition { #then } else { #otherwise } },
        }
    }

    /// Whether the action always ends the row, so that no step after it runs.
    fn ends(&self, id: Option<ModeId>, action: &TreeAction) -> bool {
        match action.flow() {
            TreeFlow::End => true,
            TreeFlow::Else => id.is_some(),
            TreeFlow::RunSteps(steps) => {
                let named = &self.construction.named_steps(steps).steps;
                self.can_end(named) && self.steps(id, named).ends
            }
            TreeFlow::Continue
            | TreeFlow::NoEffect
            | TreeFlow::Delegate(_)
            | TreeFlow::MayRunSteps(_) => false,
        }
    }

    /// Generates the insertion of an element that does not stay open. HTML elements are inserted and popped, as foster
    /// parenting may place them outside the current node.
    fn append_element(&self) -> TokenStream {
        match self.construction.elements {
            Elements::Html => {
                let insert = self.action(None, &TreeAction::InsertElement);
                quote! { #insert builder.pop_last(token); }
            }
            Elements::Plain | Elements::Xml => {
                match self.call_compiled(Routine::AppendElement, &[]) {
                    Some(call) => quote! { if token.is_tag() { #call; } },
                    None => quote! { builder.append_element(token); },
                }
            }
        }
    }

    /// Generates the code of an action. `id` is the mode with the `else` row that the action may run, if any.
    pub(super) fn action(&self, id: Option<ModeId>, action: &TreeAction) -> TokenStream {
        let index_of = |pointer: &PointerId| usize::from(pointer.0);
        match action {
            TreeAction::Switch(mode) => {
                let mode = self.mode_name(*mode);
                quote! { builder.mode = #mode; }
            }
            TreeAction::Reprocess => quote! { return builder.reprocess(); },
            TreeAction::Using(mode) => {
                let function = self.function(*mode);
                quote! { #function(builder, token); }
            }
            TreeAction::UsingInsertionMode => {
                let ident = variant(&self.machine.name);
                quote! { <#ident as rt::Construction>::rules(builder.mode, builder, token); }
            }
            // Matching the row has consumed the token, so `ignore` needs no code.
            TreeAction::Ignore => TokenStream::new(),
            TreeAction::AsElse => match id {
                Some(id) => {
                    let function = self.else_name(id);
                    quote! { return #function(builder, token); }
                }
                None => TokenStream::new(),
            },
            TreeAction::Stop => {
                let stop = self.statement(Routine::PopAll, &[]).map_or_else(
                    || quote! { builder.stop(); },
                    |pop| quote! { #pop builder.halt(); },
                );
                quote! { #stop return; }
            }
            TreeAction::Error(error) => {
                let code = error_code(self.machine, *error);
                quote! { builder.error(#code, token); }
            }
            TreeAction::AppendElement => self.append_element(),
            TreeAction::AppendText => match self.construction.elements {
                Elements::Html => self.action(id, &TreeAction::InsertCharacter(None)),
                Elements::Plain | Elements::Xml => quote! { builder.insert_run(token); },
            },
            TreeAction::AppendField(field) => self.append_field(*field),
            TreeAction::AppendTextNode(field) => self.append_text_node(*field),
            TreeAction::InsertElementOfField(field) => self.insert_element_of_field(*field),
            TreeAction::AppendComment(parent) => {
                let parent = self.parent(*parent);
                let append = self.append_for_token(Routine::AppendComment, quote! { Comment });
                quote! { let parent = #parent; #append }
            }
            TreeAction::AppendProcessingInstruction(parent) => {
                let parent = self.parent(*parent);
                let routine = Routine::AppendProcessingInstruction;
                let append = self.append_for_token(routine, quote! { ProcessingInstruction });
                quote! { let parent = #parent; #append }
            }
            TreeAction::AppendDoctype => {
                let append = self.statement(Routine::AppendDoctype, &[]);
                quote! { if let rt::TokenView::Doctype(..) = token { #append } }
            }
            TreeAction::TrimText(_) => quote! { builder.trim_text(); },
            TreeAction::WrapUnlessSingleElement(name) => {
                let local = self.local(name);
                quote! { builder.wrap_unless_single_element(#local); }
            }
            TreeAction::CallHost(word) => {
                let current = self.parent(Parent::Current);
                quote! { let current = #current; builder.call_host(#word, token, current); }
            }
            TreeAction::RunSteps(steps) => self.named_steps(id, *steps),
            TreeAction::InsertElement => {
                match self
                    .call_compiled(Routine::InsertElement, &[quote! { rt::TagSource::default() }])
                {
                    Some(call) => quote! { if token.is_tag() { #call; } },
                    None => quote! { builder.insert_element(token); },
                }
            }
            TreeAction::InsertNamed(name) => {
                let local = self.local(name);
                self.insert_named(&quote! { rt::LocalName::known(#local) }, &quote! { None })
            }
            TreeAction::InsertForeign(inserted) => {
                let namespace = match inserted {
                    InsertedNamespace::Svg => quote! { rt::Namespace::SVG },
                    InsertedNamespace::Math => quote! { rt::Namespace::MATHML },
                    InsertedNamespace::AdjustedCurrent => {
                        self.call_on_adjusted_current(&quote! { namespace_of }, None)
                    }
                };
                let arguments = [
                    quote! { rt::TagSource::default() },
                    quote! { namespace },
                    quote! { Some(false) },
                ];
                match self.call_compiled(Routine::InsertForeignElement, &arguments) {
                    Some(call) => quote! {
                        if token.is_tag() {
                            let namespace = #namespace;
                            let namespace = builder.namespace_text(namespace);
                            #call;
                        }
                    },
                    None => quote! {
                        let namespace = #namespace;
                        builder.insert_foreign_element(token, namespace);
                    },
                }
            }
            TreeAction::InsertCharacter(None) => self
                .statement(Routine::InsertCharacter, &[])
                .unwrap_or_else(|| quote! { builder.insert_character(token); }),
            TreeAction::InsertCharacter(Some(character)) => {
                let setup = quote! { frame.character = Some(#character); };
                self.call_compiled_with(Routine::InsertCharacter, &setup, &[])
                    .map(|call| quote! { #call; })
                    .unwrap_or_else(|| quote! { builder.insert_this_character(token, #character); })
            }
            TreeAction::InsertComment(place) => {
                let parent = self.insertion(*place);
                match self.call_compiled(Routine::InsertComment, &[quote! { location }]) {
                    Some(call) => quote! {
                        if let rt::TokenView::Comment(..) = token {
                            let parent = #parent;
                            let location = builder.end_of(parent);
                            #call;
                        }
                    },
                    None => quote! { let parent = #parent; builder.insert_comment(token, parent); },
                }
            }
            TreeAction::InsertProcessingInstruction(place) => {
                let parent = self.insertion(*place);
                let routine = Routine::InsertProcessingInstruction;
                let call = self.statement(routine, &[quote! { location }]);
                quote! {
                    if let rt::TokenView::ProcessingInstruction(..) = token {
                        let parent = #parent;
                        let location = builder.end_of(parent);
                        #call
                    }
                }
            }
            TreeAction::PopUntil(names)
            | TreeAction::ClearBackTo(names)
            | TreeAction::LeaveForeignContent(names) => {
                self.routine_call(action, &[self.set(names)])
            }
            TreeAction::Pop
            | TreeAction::PopUntilTokenName
            | TreeAction::PopUntilForeignTokenName
            | TreeAction::MarkEndTag
            | TreeAction::ResetInsertionMode
            | TreeAction::ClearFormatting
            | TreeAction::FinishPatching(_) => self.routine_call(action, &[]),
            TreeAction::GenerateEndTags(names, except) => {
                let (set, excepts_token_name) = (self.set(names), *except == Except::TokenName);
                let except = match except {
                    Except::Names(names) => self.set(names),
                    Except::Nothing | Except::TokenName => self.set(&[]),
                };
                let given = quote! {
                    rt::ImpliedEndTags {
                        set: #set, except: #except, excepts_token_name: #excepts_token_name,
                    }
                };
                self.statement(Routine::GenerateEndTags, &[given]).unwrap_or_default()
            }
            TreeAction::DetachSecond => quote! {
                let (mut frame, second) = (builder.frame(), builder.second_open());
                builder.detach_value(&mut frame, second);
            },
            TreeAction::MergeAttributes(place) => {
                let element = match place {
                    StackPlace::Root => quote! { first_open },
                    StackPlace::Second => quote! { second_open },
                };
                let merge = self.statement(Routine::MergeAttributes, &[quote! { element }]);
                quote! { let element = builder.#element(); if element.is_some() { #merge } }
            }
            TreeAction::SwitchOriginal => quote! { builder.mode = builder.original_mode; },
            TreeAction::SwitchTemplateMode => quote! {
                if let Some(&mode) = builder.template_modes.last() { builder.mode = mode; }
            },
            TreeAction::SetOriginalMode => quote! { builder.original_mode = builder.mode; },
            TreeAction::PushTemplateMode(mode) => {
                let mode = self.mode_name(*mode);
                quote! { builder.template_modes.push(#mode); }
            }
            TreeAction::PopTemplateMode => quote! { builder.template_modes.pop(); },
            TreeAction::AdjustTagName(table) => {
                let table = self.adjustment_table(*table);
                quote! { builder.adjust_tag_name(&#table); }
            }
            TreeAction::AdjustAttributes(table) => {
                let table = self.adjustment_table(*table);
                quote! { builder.adjust_attributes(token, &#table); }
            }
            TreeAction::Rename(name) => {
                let local = self.local(name);
                quote! { builder.token_name = rt::LocalName::known(#local); }
            }
            TreeAction::AcknowledgeSelfClosing => quote! { builder.is_acknowledged = true; },
            TreeAction::FosterParenting(is_on) => quote! { builder.is_fostering = #is_on; },
            TreeAction::ReconstructFormatting => self
                .statement(Routine::ReconstructFormatting, &[])
                .unwrap_or_else(|| quote! { builder.reconstruct_formatting(); }),
            TreeAction::PushFormatting => self
                .call_compiled(Routine::PushFormatting, &[quote! { current }])
                .map(|call| {
                    let current = self.current_element();
                    quote! { let current = #current.or(builder.document_value()); #call; }
                })
                .unwrap_or_else(|| quote! { builder.push_formatting(token); }),
            TreeAction::InsertMarker => quote! { builder.insert_marker(); },
            TreeAction::AdoptionAgency(agency) => {
                let scope = usize::from(agency.scope.0);
                let (special, code) =
                    (self.set(&agency.special), error_code(self.machine, agency.error));
                let arguments = [quote! { given }, quote! { rt::TagSource::default() }];
                if let Some(call) = self.call_compiled(Routine::AdoptionAgency, &arguments) {
                    let step_lists =
                        algorithm::returned_steps(self.construction, Routine::AdoptionAgency);
                    let arms = step_lists.into_iter().map(|steps| {
                        let (number, steps) = (steps.0, self.named_steps(id, steps));
                        quote! { Some(#number) => { #steps } }
                    });
                    let members = self.set(&self.construction.scopes[scope].members);
                    return quote! {
                        let (special, members) = (#special, #members);
                        let given = rt::AlgorithmArguments { error: #code, scope: #scope, special, members };
                        let steps = #call;
                        match steps { #(#arms)* _ => {} }
                    };
                }
                let otherwise = self.named_steps(id, agency.otherwise);
                quote! { if builder.adoption_agency(token, #scope, #special, #code) { #otherwise } }
            }
            TreeAction::SetFlag(flag, value) => {
                let flag = usize::from(flag.0);
                quote! { builder.tree_flags[#flag] = #value; }
            }
            TreeAction::SetDocumentMode(mode) => {
                let mode = document_mode(*mode);
                quote! { builder.set_document_mode(#mode); }
            }
            TreeAction::Tokenizer(word) => {
                let effect = self.construction.feedback[usize::from(word.0)].effect;
                match effect.and_then(|effect| switching::entry(self.machine, effect)) {
                    Some(entry) => quote! { builder.set_feedback(rt::Control::Enter(#entry)); },
                    None => quote! { builder.set_feedback(rt::Control::Continue); },
                }
            }
            TreeAction::IgnoreNextLineFeed => quote! { builder.ignores_line_feed = true; },
            TreeAction::ClearPending => quote! { builder.clear_pending(); },
            TreeAction::AppendToPending => quote! { builder.append_to_pending(token); },
            TreeAction::InsertPending => match self.call_compiled(Routine::InsertCharacter, &[]) {
                Some(call) => {
                    quote! { builder.for_each_pending_character(|builder, token| { #call; }); }
                }
                None => quote! { builder.insert_pending(); },
            },
            TreeAction::ProcessPending(mode) => {
                let mode = self.mode_name(*mode);
                quote! { builder.process_pending(#mode); }
            }
            TreeAction::Point(pointer) => {
                let associate = self.associate(*pointer, true);
                let pointer = index_of(pointer);
                quote! {
                    if let Some(current) = builder.last_open() { builder.pointers[#pointer] = Some(current); }
                    #associate
                }
            }
            TreeAction::PointToFormatting(pointer, names) => {
                let (pointer, set) = (index_of(pointer), self.set(names));
                match self.call_compiled(Routine::LastFormatting, &[set]) {
                    Some(call) => quote! {
                        let found = #call;
                        builder.pointers[#pointer] = rt::ListKey::node_value(&found);
                    },
                    None => quote! { builder.pointers[#pointer] = None; },
                }
            }
            TreeAction::PointToContext(pointer) => {
                let pointer = index_of(pointer);
                quote! { builder.pointers[#pointer] = builder.context_element(); }
            }
            TreeAction::Unset(pointer) => {
                let associate = self.associate(*pointer, false);
                let pointer = index_of(pointer);
                quote! { builder.pointers[#pointer] = None; #associate }
            }
            TreeAction::PushPointed(pointer) => {
                let pointer = index_of(pointer);
                quote! { builder.push_pointed(#pointer); }
            }
            TreeAction::RemovePointed(pointer) => {
                let pointer = index_of(pointer);
                let remove = self.statement(Routine::RemovePointed, &[quote! { Some(pointed) }]);
                quote! { if let Some(pointed) = builder.pointers[#pointer] { #remove } }
            }
            TreeAction::AttachShadowRoot { hosts, reserved, .. } => {
                let (hosts, reserved) = (self.set(hosts), self.set(reserved));
                let setup = quote! { frame.hosts = Some([#hosts, #reserved]); };
                let attach = self.call_compiled_with(Routine::AttachShadowRoot, &setup, &[]);
                quote! { if token.is_tag() { #attach; } }
            }
            TreeAction::PatchContent(Patching { attribute, name, marker, start, end, body }) => {
                let body = self.local(body);
                let steps =
                    nodes::entry_function(self.construction, Routine::PrepareContentPatching);
                let patching = quote! {
                    &rt::Patching {
                        attribute: #attribute, name: #name, marker: #marker, start: #start, end: #end, body: #body,
                        steps: #steps,
                    }
                };
                let setup = quote! { frame.patching = Some(#patching); };
                let patch = self.call_compiled_with(Routine::PatchContent, &setup, &[]);
                quote! { if token.is_tag() { #patch; } }
            }
        }
    }

    /// Generates the call of the algorithm that the action runs, as a statement.
    fn routine_call(&self, action: &TreeAction, arguments: &[TokenStream]) -> TokenStream {
        let routine = action.effects().routine;
        routine.and_then(|routine| self.statement(routine, arguments)).unwrap_or_default()
    }

    /// Generates the call of a compiled algorithm as a statement; `None` if the algorithm is not compiled.
    fn statement(&self, routine: Routine, arguments: &[TokenStream]) -> Option<TokenStream> {
        self.call_compiled(routine, arguments).map(|call| quote! { #call; })
    }

    /// Generates the call of a compiled algorithm. Returns `None` if the algorithm is not compiled: then the runtime
    /// implements it, or no table that passes the checks runs it.
    pub(super) fn call_compiled(
        &self,
        routine: Routine,
        arguments: &[TokenStream],
    ) -> Option<TokenStream> {
        self.call_compiled_with(routine, &TokenStream::new(), arguments)
    }

    /// Generates the call of a compiled algorithm, after the statement `setup`, which changes the frame of the call;
    /// `None` if the algorithm is not compiled.
    pub(super) fn call_compiled_with(
        &self,
        routine: Routine,
        setup: &TokenStream,
        arguments: &[TokenStream],
    ) -> Option<TokenStream> {
        algorithm::call_by_row(self.construction, routine, setup, arguments)
    }

    /// Generates the call of a compiled algorithm that appends a node, under the condition that the token is of the
    /// kind `kind`; `None` if the algorithm is not compiled.
    fn append_for_token(&self, routine: Routine, kind: TokenStream) -> Option<TokenStream> {
        let call = self.call_compiled(routine, &[quote! { parent }])?;
        Some(quote! {
            if let rt::TokenView::#kind(..) = token {
                let parent = Some(builder.value_of(parent));
                #call;
            }
        })
    }

    pub(super) fn parent(&self, parent: Parent) -> TokenStream {
        match parent {
            Parent::Current => {
                let node = self.current_element();
                quote! { { let node = #node; builder.node_or_document(node) } }
            }
            Parent::Document => quote! { builder.document },
        }
    }

    fn insertion(&self, insertion: Insertion) -> TokenStream {
        match insertion {
            Insertion::Appropriate => quote! { None },
            Insertion::Document => quote! { Some(builder.document) },
            Insertion::Root => {
                quote! { { let root = builder.first_open(); Some(builder.node_or_document(root)) } }
            }
        }
    }

    /// Generates named steps: inline if they can end the row, otherwise as a call of their function.
    fn named_steps(&self, id: Option<ModeId>, steps: StepsId) -> TokenStream {
        let named = &self.construction.named_steps(steps).steps;
        if self.can_end(named) {
            return self.steps(id, named).code;
        }
        let function = self.step_function(steps);
        quote! { #function(builder, token); }
    }

    fn step_function(&self, steps: StepsId) -> proc_macro2::Ident {
        format_ident!("steps_{}", snake(&self.construction.named_steps(steps).name))
    }

    /// Whether steps can end the row that runs them.
    fn can_end(&self, steps: &[TreeStep]) -> bool {
        steps.iter().any(|step| match step {
            TreeStep::When { then, otherwise, .. } => self.can_end(then) || self.can_end(otherwise),
            TreeStep::Action(action) => match action.value.flow() {
                TreeFlow::End | TreeFlow::Else | TreeFlow::Delegate(_) => true,
                TreeFlow::RunSteps(steps) | TreeFlow::MayRunSteps(steps) => {
                    self.can_end(&self.construction.named_steps(steps).steps)
                }
                TreeFlow::Continue | TreeFlow::NoEffect => false,
            },
        })
    }

    /// Generates a function for each list of named steps that cannot end a row.
    pub(super) fn step_functions(&self) -> TokenStream {
        let parameters = self.parameters();
        let mut code = TokenStream::new();
        for (index, named) in self.construction.steps.iter().enumerate() {
            if self.can_end(&named.steps) {
                continue;
            }
            let function = self.step_function(StepsId(index as u8));
            let steps = self.steps(None, &named.steps);
            code.extend(quote! { fn #function #parameters { #steps } });
        }
        code
    }
}
