//! Compiles the declarations of tree construction other than modes to constants and functions of the trait
//! `Construction`.

use super::{Code, namespace};
use crate::generate::algorithm::nodes;
use crate::generate::names::{error_code, snake};
use crate::generate::{algorithm, optional};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    Adjustment, AdjustmentsId, AttributeNamespace, DoctypeQuestion, DoctypeTest, DoctypesId,
    ElementName, ElementRow, Elements, ModeId, Namespace, Parent, PointerId, SelectedContent,
    TreeAction, TreeLimit,
};
use tabulex_language::model::{FieldId, TokenId};

impl Code<'_> {
    /// Returns the bit set of the declared token kinds that rows of modes match.
    fn matched_tokens(&self) -> u64 {
        let kinds = 0..self.construction.tokens.len() as u8;
        let taken = kinds.filter(|&kind| self.construction.takes(TokenId(kind)));
        taken.fold(0u64, |bits, kind| bits | 1 << kind)
    }

    /// Generates a test of whether the text of a field equals `expected`.
    pub(super) fn field_is(&self, field: FieldId, expected: &str) -> TokenStream {
        let field = self.field(field);
        quote! { builder.field_is(token, #field, #expected) }
    }

    /// Generates the insertion of a field's text, as of a text token.
    pub(super) fn append_field(&self, field: FieldId) -> TokenStream {
        let (field, insert) = (self.field(field), self.action(None, &TreeAction::AppendText));
        quote! { if let Some(text) = rt::field_text(token, #field) { let token = &text; #insert } }
    }

    /// Generates the insertion of a text node with a field's text.
    pub(super) fn append_text_node(&self, field: FieldId) -> TokenStream {
        let (field, parent) = (self.field(field), self.parent(Parent::Current));
        quote! { let parent = #parent; builder.append_text_node(token, parent, #field); }
    }

    /// Generates the insertion of an element that is named by a field's text.
    pub(super) fn insert_element_of_field(&self, field: FieldId) -> TokenStream {
        let field = self.field(field);
        let insert = self.insert_named(&quote! { name }, &quote! { Some(token.span()) });
        quote! { if let Some(name) = builder.name_of_field(token, #field) { #insert } }
    }

    /// Generates the insertion of an element with this local name and without attributes.
    pub(super) fn insert_named(&self, name: &TokenStream, span: &TokenStream) -> TokenStream {
        let tag = quote! { rt::TagSource::named(#name) };
        let setup = quote! { frame.tag = #tag; };
        match self.call_compiled_with(Routine::InsertElement, &setup, &[tag]) {
            Some(call) => quote! { #call; },
            None => quote! { builder.insert_named_element(#name, #span); },
        }
    }

    /// Generates the index of the token kind that a field belongs to, and the field's index in that kind.
    pub(super) fn field(&self, field: FieldId) -> TokenStream {
        let kind = usize::from(field.token.0);
        let index = usize::from(field.index - self.construction.tokens[kind].first);
        quote! { (#kind, #index) }
    }

    /// Generates the constants and functions for all declarations other than modes.
    pub(super) fn declaration_items(&self) -> TokenStream {
        let construction = self.construction;
        let pointers = construction.pointers.len();
        let flags = construction.flags.iter().enumerate().filter(|(_, flag)| flag.by_host);
        let flags = flags.map(|(index, flag)| {
            let name = &flag.name;
            quote! { (#name, #index) }
        });
        let [unacknowledged, duplicate_attribute] =
            [construction.unacknowledged, construction.left_out]
                .map(|error| optional(error.map(|error| error_code(self.machine, error))));
        let template = optional(construction.template.as_ref().map(|name| self.local(name)));
        let fostering = construction.fostering.as_ref();
        let fostered = self.set(fostering.map_or(&[][..], |fostering| &fostering.targets));
        let foster_before = optional(fostering.map(|fostering| self.local(&fostering.beside)));
        let creators: &[Routine] = match construction.elements {
            Elements::Html => &[Routine::AdoptionAgency, Routine::ReconstructFormatting],
            Elements::Plain | Elements::Xml => &[Routine::InsertElement, Routine::AppendElement],
        };
        let creates_elements =
            creators.iter().any(|&routine| algorithm::is_compiled(construction, routine));
        let points = self.integration_points();
        let selected_content = optional(self.selected_content());
        let taken_tokens = self.matched_tokens();
        let limits = self.limits();
        let (scopes, reset, fragment) = (self.scopes(), self.reset(), self.fragment());
        let (dispatch, answers) = (self.dispatch(), self.answers());
        let (else_rows, serialization) = (self.else_rows(), self.serialization());
        quote! {
            #scopes
            const TAKEN_TOKENS: u64 = #taken_tokens;
            const POINTERS: usize = #pointers;
            const HOST_FLAGS: &'static [(&'static str, usize)] = &[#(#flags),*];
            const INTEGRATION_POINTS: &'static [rt::IntegrationPoint] = &[#(#points),*];
            const FOSTERED: rt::ElementSet = *#fostered;
            const FOSTER_BEFORE: Option<u32> = #foster_before;
            #limits
            const TEMPLATE: Option<u32> = #template;
            const UNACKNOWLEDGED: Option<ErrorCode> = #unacknowledged;
            const DUPLICATE_ATTRIBUTE: Option<ErrorCode> = #duplicate_attribute;
            const SELECTED_CONTENT: Option<rt::SelectedContent> = #selected_content;
            const CREATES_ELEMENTS_BY_STEPS: bool = #creates_elements;
            #serialization #else_rows #dispatch #reset #fragment #answers
        }
    }

    fn limits(&self) -> TokenStream {
        let limits = [
            (quote! { MAX_EQUAL }, TreeLimit::AlikeFormatting),
            (quote! { ADOPTION_ROUNDS }, TreeLimit::AdoptionRounds),
            (quote! { ADOPTION_ELEMENTS }, TreeLimit::AdoptionElements),
        ];
        let constants = limits.into_iter().map(|(name, limit)| {
            let limit = self.construction.limits.get(&limit).copied().unwrap_or(u32::MAX) as usize;
            quote! { const #name: usize = #limit; }
        });
        constants.collect()
    }

    fn integration_points(&self) -> impl Iterator<Item = TokenStream> {
        self.construction.integration_points.iter().map(|point| {
            let (namespace, local) =
                (namespace(point.name.namespace), self.local(&point.name.local));
            let attribute = point.attribute.as_ref();
            let attribute = optional(attribute.map(|(name, value)| quote! { (#name, #value) }));
            quote! {
                rt::IntegrationPoint { namespace: #namespace, local: #local, attribute: #attribute }
            }
        })
    }

    fn selected_content(&self) -> Option<TokenStream> {
        let declaration = self.construction.selected_content.as_ref()?;
        let SelectedContent { multiple, selected, disabled, size, .. } = declaration;
        let (option, select) = (self.local(&declaration.option), self.local(&declaration.select));
        let (content, group) = (self.local(&declaration.content), self.local(&declaration.group));
        let stops = declaration.stops.iter().map(|name| self.local(name));
        let steps = nodes::entry_function(self.construction, Routine::CloneOption);
        Some(quote! {
            rt::SelectedContent {
                option_id: #option, select_id: #select, content_id: #content, group_id: #group,
                stops: &[#(#stops),*],
                multiple: #multiple, selected: #selected, disabled: #disabled, size: #size,
                steps: #steps,
            }
        })
    }

    /// Generates the scopes of the table, followed by a scope of the elements that determine the mode at a reset.
    /// Elements that end the same scopes, and are all special or all plain, form one kind.
    fn scopes(&self) -> Option<TokenStream> {
        let mut scopes: Vec<Vec<ElementName>> =
            self.construction.scopes.iter().map(|scope| scope.members.clone()).collect();
        let reset = self.construction.reset.iter().flatten();
        scopes.push(reset.flat_map(|row| &row.patterns).cloned().collect());
        let special = self.special();
        let (declares_scopes, resets) =
            (!self.construction.scopes.is_empty(), self.construction.reset.is_some());
        if !declares_scopes && !resets && special.is_empty() {
            return None;
        }
        let own: Vec<ElementName> = self.locals.iter().map(ElementName::own).collect();
        let mut foreign: Vec<&ElementName> =
            scopes.iter().flatten().filter(|name| name.namespace != Namespace::Own).collect();
        foreign.sort();
        foreign.dedup();
        let traits = |name: &ElementName| -> (bool, Vec<bool>) {
            (special.contains(name), scopes.iter().map(|scope| scope.contains(name)).collect())
        };
        // Sorting puts special elements last, so that `PLAIN_KINDS` separates them, and gives kind 0, which is also
        // that of unknown names, to plain elements that end no scope.
        let mut kinds = vec![(false, vec![false; scopes.len()])];
        kinds.extend(own.iter().chain(foreign.iter().copied()).map(traits));
        kinds.sort();
        kinds.dedup();
        let kind_of = |name: &ElementName| {
            let kind = kinds.binary_search(&traits(name)).unwrap_or_default();
            u8::try_from(kind).expect("there are fewer than 256 kinds of elements")
        };
        let own: Vec<u8> = own.iter().map(kind_of).collect();
        let foreign: TokenStream = foreign.into_iter().map(|name| {
            let (namespace, local, kind) =
                (namespace(name.namespace), self.local(&name.local), kind_of(name));
            quote! { if name == rt::Name::new(#namespace, rt::LocalName::known(#local)) { return #kind; } }
        }).collect();
        let scopes = (0..scopes.len()).map(|scope| {
            let ending_kinds = (0..kinds.len()).filter(|&kind| kinds[kind].1[scope]);
            let ending_kinds = ending_kinds.map(|kind| kind as u8);
            quote! { &[#(#ending_kinds),*] }
        });
        let plain_count = kinds.iter().filter(|(is_special, _)| !is_special).count();
        let plain_count =
            u8::try_from(plain_count).expect("there are fewer than 256 kinds of elements");
        let own_count = own.len();
        Some(quote! {
            const SCOPES: &'static [&'static [u8]] = &[#(#scopes),*];
            const PLAIN_KINDS: u8 = #plain_count;
            #[inline]
            fn kind(name: rt::Name) -> u8 {
                static OWN: [u8; #own_count] = [#(#own),*];
                if rt::is_own::<Self>(name) {
                    return OWN.get(name.local().id() as usize).copied().unwrap_or(0);
                }
                #foreign
                0
            }
        })
    }

    /// Returns the elements that the runtime inserts in a special way: the template element, and the element that
    /// mirrors the selected option.
    fn special(&self) -> Vec<ElementName> {
        let template = self.construction.template.iter();
        let mirror = self.construction.selected_content.iter().map(|mirror| &mirror.content);
        template.chain(mirror).map(ElementName::own).collect()
    }

    /// Generates rows that match elements. If `only_first`, only the first row that applies runs; otherwise, all rows
    /// that apply do.
    fn element_rows(&self, rows: &[ElementRow], only_first: bool) -> TokenStream {
        let code = rows.iter().map(|row| {
            let steps = self.steps(None, &row.steps);
            let test = match row.patterns.is_empty() {
                true => quote! { is_last },
                false => {
                    let set = self.set(&row.patterns);
                    match row.matches_ancestors() {
                        true => quote! { builder.is_context_inside(#set) },
                        false => quote! { rt::is_one_of::<Self>(name, #set) },
                    }
                }
            };
            let guard = row.guard.iter().map(|guard| self.condition(&guard.value));
            let end = (only_first && !steps.ends).then(|| quote! { return true; });
            let comment = self.comment(&row.text);
            quote! { #comment if #test #(&& #guard)* { #steps #end } }
        });
        code.collect()
    }

    fn reset(&self) -> TokenStream {
        let reset = self.construction.reset.as_ref();
        let rows = reset.map(|rows| self.element_rows(rows, true));
        quote! {
            fn reset<S: rt::TreeSink>(
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
                name: rt::Name,
                is_last: bool,
            ) -> bool {
                #rows
                false
            }
        }
    }

    fn fragment(&self) -> TokenStream {
        let fragment = self.construction.fragment.as_ref();
        let root = optional(fragment.map(|fragment| self.local(&fragment.root)));
        let rows = fragment.map(|fragment| self.element_rows(&fragment.rows, false));
        quote! {
            const FRAGMENT_ROOT: Option<u32> = #root;
            fn begin_fragment<S: rt::TreeSink>(
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
            ) {
                let Some(name) = builder.context_name() else { return };
                #rows
            }
        }
    }

    fn dispatch(&self) -> TokenStream {
        let dispatched = self.construction.dispatch.as_ref().map(|dispatch| {
            let (mode, condition) =
                (self.mode_name(dispatch.mode), self.condition(&dispatch.condition));
            quote! { if #condition { return Some(#mode); } }
        });
        quote! {
            #[inline]
            fn dispatch<S: rt::TreeSink>(
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
            ) -> Option<Mode> {
                #dispatched
                None
            }
        }
    }

    fn answers(&self) -> TokenStream {
        let arms = self.construction.answers.iter().map(|answer| {
            let (name, value) =
                (&self.machine.flags[usize::from(answer.flag.0)].name, answer.value);
            let condition = self.condition(&answer.condition);
            quote! { #name => Some(if #condition { #value } else { 0 }), }
        });
        let arms: TokenStream = arms.collect();
        // Between tokens, an end of file stands in for the token that some conditions need.
        let token = algorithm::mentions(&arms, "token")
            .then(|| quote! { let token = &rt::TokenView::EndOfFile(0); });
        quote! {
            fn flag_value<S: rt::TreeSink>(
                builder: &mut rt::Builder<Self, S>,
                flag: &str,
            ) -> Option<u8> {
                #token
                match flag { #arms _ => None }
            }
        }
    }

    /// Generates code that starts or ends the recording of created nodes while a pointer is set, if rows both set and
    /// unset the pointer.
    pub(super) fn associate(&self, pointer: PointerId, is_set: bool) -> Option<TokenStream> {
        let has_action =
            |expected: TreeAction| self.construction.actions().any(|action| *action == expected);
        (has_action(TreeAction::Point(pointer)) && has_action(TreeAction::Unset(pointer)))
            .then(|| quote! { builder.associate(#is_set); })
    }

    /// Generates the functions that run `else` rows for pending characters.
    fn else_rows(&self) -> TokenStream {
        let modes: BTreeSet<ModeId> = self
            .construction
            .actions()
            .filter_map(|action| {
                if let TreeAction::ProcessPending(mode) = action { Some(*mode) } else { None }
            })
            .collect();
        let arms = modes.iter().map(|&mode| {
            let (name, function) = (self.mode_name(mode), self.else_name(mode));
            quote! { #name => #function(builder, token), }
        });
        let runs = modes.iter().map(|&mode| self.else_runs(mode));
        quote! {
            fn else_row<S: rt::TreeSink>(
                mode: Mode,
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
            ) {
                match mode { #(#arms)* _ => {} }
            }
            fn else_run(mode: Mode, current: Mode, text: &str, errors: bool) -> usize {
                match mode { #(#runs)* _ => text.chars().next().map_or(0, char::len_utf8) }
            }
        }
    }

    /// Generates the tables of adjustments, indexed by the ids of known names.
    pub(super) fn adjustments(&self) -> impl Iterator<Item = TokenStream> {
        (0..self.construction.adjustments.len()).map(|table| {
            let ident = self.adjustment_table(AdjustmentsId(table as u8));
            let entries = self.construction.adjustments[table].entries.iter().map(|entry| {
                let (from, to) = (self.local(&entry.from), self.adjusted_name(entry));
                quote! { (#from, #to) }
            });
            quote! {
                static #ident: [rt::Name; KNOWN_LIST.len()] = rt::adjustments(&[#(#entries),*]);
            }
        })
    }

    /// Returns the name of the static for a table of adjustments.
    pub(super) fn adjustment_table(&self, id: AdjustmentsId) -> proc_macro2::Ident {
        let name = &self.construction.adjustments[usize::from(id.0)].name;
        format_ident!("ADJUSTED_{}", snake(name).to_ascii_uppercase())
    }

    /// Generates the name to which an adjustment changes a name.
    fn adjusted_name(&self, entry: &Adjustment) -> TokenStream {
        let (prefix, local) = entry.prefix_and_local();
        let local = self.local(local);
        let (namespace, usual_prefix) = match entry.namespace {
            None => ("NONE", ""),
            Some(AttributeNamespace::XLink) => ("XLINK", "xlink"),
            Some(AttributeNamespace::Xml) => ("XML", "xml"),
            Some(AttributeNamespace::Xmlns) => ("XMLNS", "xmlns"),
        };
        let namespace = format_ident!("{namespace}");
        if prefix.is_empty() {
            quote! { rt::Name::new(rt::Namespace::#namespace, rt::LocalName::known(#local)) }
        } else if prefix == usual_prefix {
            let constructor = format_ident!("{usual_prefix}");
            quote! { rt::Name::#constructor(rt::LocalName::known(#local)) }
        } else {
            let message = format!(
                "`{}` is adjusted to a name with the prefix `{prefix}`, which is not that of its namespace",
                entry.from
            );
            quote! { compile_error!(#message) }
        }
    }

    /// Generates a set of DOCTYPEs, as a reference to a constant.
    pub(super) fn doctypes(&self, id: DoctypesId) -> TokenStream {
        let set = &self.construction.doctypes[usize::from(id.0)];
        let ignoring_case = set.ignoring_case;
        let needs_identifier = |parts: &&Vec<DoctypeTest>| {
            parts.iter().any(|part| {
                !part.negated
                    && matches!(
                        part.question,
                        DoctypeQuestion::PublicIs(_)
                            | DoctypeQuestion::PublicBegins(_)
                            | DoctypeQuestion::SystemIs(_)
                    )
            })
        };
        let (others, bare): (Vec<_>, Vec<_>) = set.tests.iter().partition(needs_identifier);
        let bare_count = bare.len();
        let tests = bare.into_iter().chain(others).map(|parts| {
            let parts = parts.iter().map(|part| {
                let (negated, condition) = (part.negated, question(&part.question));
                quote! {
                    rt::DoctypeTest {
                        negated: #negated, condition: rt::DoctypeCondition::#condition,
                    }
                }
            });
            quote! { &[#(#parts),*] }
        });
        quote! {
            &rt::DoctypeSet { ignoring_case: #ignoring_case, tests: &[#(#tests),*], bare: #bare_count }
        }
    }
}

fn question(question: &DoctypeQuestion) -> TokenStream {
    match question {
        DoctypeQuestion::ForceQuirks => quote! { ForceQuirks },
        DoctypeQuestion::NameIs(name) => quote! { NameIs(#name) },
        DoctypeQuestion::PublicIs(text) => quote! { PublicIs(#text) },
        DoctypeQuestion::PublicBegins(text) => quote! { PublicBegins(#text) },
        DoctypeQuestion::PublicMissing => quote! { PublicMissing },
        DoctypeQuestion::SystemIs(text) => quote! { SystemIs(#text) },
        DoctypeQuestion::SystemMissing => quote! { SystemMissing },
    }
}
