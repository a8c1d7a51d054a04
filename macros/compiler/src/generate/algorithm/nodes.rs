//! Compiles the algorithms that query and change nodes of the tree alone, if the runtime does not implement them for
//! their steps: those that mirror selected options, and the one that finds the range that a template patches.

use super::{Domain, Function, name};
use crate::{natives, print};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_language::model::tree::Construction;
use tabulex_language::model::tree::algorithm::{
    Effect, Expression, Kind, PatchMark, PatchPart, Routine, RunStep, TemplateEffect,
};

/// Algorithms that are compiled to functions of the tree.
pub(crate) const ROUTINES: &[Routine] = &[
    Routine::NearestSelect,
    Routine::OptionIsSelected,
    Routine::EnabledSelectedContent,
    Routine::CloneOption,
    Routine::PrepareContentPatching,
];

/// Algorithms that the runtime runs.
const ROOTS: &[Routine] = &[Routine::CloneOption, Routine::PrepareContentPatching];

/// Generates the option with the function that the runtime calls: `None` if it implements the steps.
pub(crate) fn steps(construction: &Construction, routine: Routine) -> TokenStream {
    match construction.routine(routine).filter(|_| !natives::is_native(construction, routine)) {
        Some(id) => {
            let function = format_ident!("run_{}", name(construction.algorithm(id)));
            quote! { Some(#function as rt::NodeSteps) }
        }
        None => quote! { None },
    }
}

/// Generates the functions, and those that the runtime calls; nothing if none is compiled.
pub(crate) fn functions(construction: &Construction, printed: bool) -> TokenStream {
    let is_native = |routine: &&Routine| natives::is_native(construction, **routine);
    let compiled: Vec<_> = ROOTS.iter().filter(|routine| !is_native(routine)).collect();
    if compiled.is_empty() {
        return TokenStream::new();
    }
    let ids = ROUTINES.iter().filter_map(|&routine| construction.routine(routine));
    let functions =
        ids.filter_map(|id| Function::new(construction, id, Domain::Nodes)?.of_nodes(printed).ok());
    let runs = compiled.into_iter().filter_map(|&routine| {
        let function = Function::new(construction, construction.routine(routine)?, Domain::Nodes)?;
        let name = name(function.algorithm);
        let run = format_ident!("run_{name}");
        // The node comes first; other parameters are the template that patches, whose properties are those of the range.
        let count = function.algorithm.parameters.len();
        let arguments = (0..count).map(|at| match at {
            0 => quote! { Some(node) },
            _ => quote! { Default::default() },
        });
        let returned = match function.result_kind() {
            Some(Kind::Truth) => TokenStream::new(),
            _ => quote! { ; None },
        };
        Some(quote! {
            fn #run(tree: &mut rt::StepsTree<'_>, node: rt::NodeId) -> Option<bool> {
                #name(tree, #(#arguments),*) #returned
            }
        })
    });
    quote! { #(#functions)* #(#runs)* }
}

impl Function<'_> {
    pub(super) fn is_about_nodes(&self) -> bool {
        matches!(self.domain, Domain::Nodes)
    }

    /// Whether the value is the template that patches.
    pub(super) fn is_template(&self, value: &Expression) -> bool {
        let second = self.algorithm.parameters.get(1);
        self.routine == Routine::PrepareContentPatching
            && second.is_some_and(|second| *value == Expression::Variable(second.variable))
    }

    /// Generates the function of the algorithm.
    pub(super) fn of_nodes(mut self, printed: bool) -> Result<TokenStream, String> {
        let name = name(self.algorithm);
        let returned = self.result_kind().map(|kind| self.type_of(kind));
        let returned = returned.map(|of| quote! { -> #of });
        let (parameters, variables) = self.declared();
        if self.routine == Routine::PrepareContentPatching {
            self.require_range();
        }
        let steps = self.steps(&self.algorithm.steps);
        let comment = printed.then(|| print::row(&self.algorithm.written));
        let code = quote! {
            #comment
            fn #name(tree: &mut rt::StepsTree<'_>, #(#parameters),*) #returned {
                #(#variables)*
                #steps
                Default::default()
            }
        };
        self.unless_refused(code)
    }

    /// Refuses steps that do not set both the parent and the start of the range, without which nothing can be patched.
    fn require_range(&mut self) {
        let sets = |wanted: PatchPart| {
            self.algorithm.steps.iter().any(|step| {
                matches!(
                    step,
                    RunStep::Effect(Effect::Template(TemplateEffect::SetPatch(part, _, value)))
                        if *part == wanted && *value != Expression::None
                )
            })
        };
        if !sets(PatchPart::Target) || !sets(PatchPart::Start) {
            self.unsupported("a range without a parent or a start");
        }
    }

    /// Generates a change of the range that the template patches.
    pub(super) fn range_effect(&mut self, effect: &TemplateEffect) -> TokenStream {
        match effect {
            TemplateEffect::SetPatch(part, template, value) if self.is_template(template) => {
                let part = match part {
                    PatchPart::Target => 0usize,
                    PatchPart::Start => 1,
                    PatchPart::End => 2,
                };
                let value = self.value(value, Kind::Node);
                quote! { let node = #value; tree.set_range(#part, node); }
            }
            _ => self.unsupported(effect),
        }
    }

    /// Generates the test whether a node is an instruction that marks a range.
    pub(super) fn is_range_mark(
        &mut self,
        node: &Expression,
        mark: PatchMark,
        name: Option<&Expression>,
    ) -> TokenStream {
        let node = self.value(node, Kind::Node);
        let name = match name {
            Some(name) => {
                let name = self.value(name, Kind::Text);
                quote! { Some(#name) }
            }
            None => quote! { None },
        };
        let mark = match mark {
            PatchMark::Place => quote! { Place },
            PatchMark::Start => quote! { Start },
            PatchMark::End => quote! { End },
        };
        quote! {
            { let (node, name) = (#node, #name); tree.is_range_mark(node, rt::RangeMark::#mark, name) }
        }
    }
}
