//! Modes to Rust code: one function a mode, rows as arms over the token, steps as calls of the builder's primitives.
//! Nothing of a state is here. Invariant: the code names nothing but the runtime's contract and what the table declares.

use super::names::variant;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_spec::model::tree::{
    Construction, ElementName, Elements, ModeId, ModeRow, Namespace, Parent, TagNames,
    TokenPattern, TreeAction, TreeCondition, TreeStep,
};
use tabulex_spec::model::{CharacterSet, Machine};

/// The items of tree construction; none if the table has no modes.
pub(super) fn construction(machine: &Machine) -> TokenStream {
    let Some(construction) = &machine.construction else { return TokenStream::new() };
    let code = Code { machine, construction, locals: locals(construction) };
    code.items()
}

/// The local names that the table mentions, sorted: their places are their ids in generated code.
fn locals(construction: &Construction) -> Vec<String> {
    let mut locals: Vec<String> = construction
        .names
        .iter()
        .flat_map(|set| &set.members)
        .map(|name| name.local.clone())
        .collect();
    for row in construction.modes.iter().flat_map(|mode| &mode.rows) {
        for pattern in &row.patterns {
            if let TokenPattern::StartTag(names)
            | TokenPattern::EndTag(names)
            | TokenPattern::EmptyTag(names) = &pattern.value
                && let TagNames::These(these) = names
            {
                locals.extend(these.iter().cloned());
            }
        }
        if let Some(guard) = &row.guard {
            named_in(&guard.value, &mut locals);
        }
    }
    let steps = construction.modes.iter().flat_map(|mode| &mode.rows).map(|row| &row.steps);
    for steps in steps.chain(construction.steps.iter().map(|named| &named.steps)) {
        named_in_steps(steps, &mut locals);
    }
    locals.sort();
    locals.dedup();
    locals
}

fn named_in_steps(steps: &[TreeStep], locals: &mut Vec<String>) {
    for step in steps {
        match step {
            TreeStep::Action(action) => {
                if let TreeAction::WrapUnlessSingleElement(name) = &action.value {
                    locals.push(name.clone());
                }
            }
            TreeStep::When { condition, then, otherwise } => {
                named_in(&condition.value, locals);
                named_in_steps(then, locals);
                named_in_steps(otherwise, locals);
            }
        }
    }
}

fn named_in(condition: &TreeCondition, locals: &mut Vec<String>) {
    match condition {
        TreeCondition::Not(inner) => named_in(inner, locals),
        TreeCondition::All(parts) => parts.iter().for_each(|part| named_in(part, locals)),
        TreeCondition::CurrentIs(names)
        | TreeCondition::Open(names)
        | TreeCondition::AboveTokenName(names) => {
            locals.extend(names.iter().map(|name| name.local.clone()));
        }
        _ => {}
    }
}

struct Code<'m> {
    machine: &'m Machine,
    construction: &'m Construction,
    locals: Vec<String>,
}

impl Code<'_> {
    fn items(&self) -> TokenStream {
        let modes = self.construction.modes.iter().map(|mode| {
            let section = mode
                .section
                .as_ref()
                .map_or(String::new(), |section| format!(", section {}", section.number));
            (&mode.name[..], format!("`{}`{section}.", mode.name))
        });
        let modes: Vec<(&str, String)> = modes.collect();
        let enumeration = super::items::enumeration("Mode", "A mode of tree construction.", &modes);
        let ident = variant(&self.machine.name);
        let start = self.mode_name(self.construction.start);
        let elements = match self.construction.elements {
            Elements::Plain => quote! { Plain },
            Elements::Xml => quote! { Xml },
            Elements::Html => quote! { Html },
        };
        let takes_texts = self.takes_texts();
        let trimmed = trimmed(self.construction);
        let (trims_text, is_trimmed) = (!trimmed.is_empty(), membership(&trimmed));
        let (locals, count) = (&self.locals, self.locals.len());
        let slots = (2 * count.max(1)).next_power_of_two();
        let functions =
            (0..self.construction.modes.len()).map(|index| self.mode(ModeId(index as u8)));
        let arms = (0..self.construction.modes.len()).map(|index| {
            let (name, function) =
                (self.mode_name(ModeId(index as u8)), self.function(ModeId(index as u8)));
            quote! { #name => #function(builder, seen), }
        });
        let runs = (0..self.construction.modes.len()).map(|index| self.runs(ModeId(index as u8)));
        quote! {
            #enumeration
            impl ::tabulex::construct::Construction for #ident {
                type Mode = Mode;
                type Error = ErrorCode;
                const START: Mode = #start;
                const ELEMENTS: ::tabulex::construct::Elements = ::tabulex::construct::Elements::#elements;
                const TAKES_TEXTS: bool = #takes_texts;
                const TRIMS_TEXT: bool = #trims_text;
                const KNOWN: &'static ::tabulex::tree::KnownNames = &KNOWN;
                #[inline]
                fn rules<S: ::tabulex::tree::TreeSink>(
                    mode: Mode,
                    builder: &mut ::tabulex::construct::Builder<Self, S>,
                    seen: &::tabulex::construct::Seen<'_>,
                ) -> ::tabulex::construct::Flow {
                    match mode { #(#arms)* }
                }
                fn run(mode: Mode, text: &str) -> usize {
                    match mode { #(#runs)* }
                }
                fn is_trimmed(character: char) -> bool {
                    #is_trimmed
                }
            }
            static KNOWN_LIST: [&str; #count] = [#(#locals),*];
            static KNOWN_SLOTS: [u16; #slots] = ::tabulex::tree::KnownNames::slots(&KNOWN_LIST);
            static KNOWN: ::tabulex::tree::KnownNames = ::tabulex::tree::KnownNames::new(&KNOWN_LIST, &KNOWN_SLOTS);
            #(#functions)*
        }
    }

    fn takes_texts(&self) -> bool {
        let mut patterns = self
            .construction
            .modes
            .iter()
            .flat_map(|mode| &mode.rows)
            .flat_map(|row| &row.patterns);
        patterns.any(|pattern| matches!(pattern.value, TokenPattern::Text(_)))
    }

    fn mode_name(&self, mode: ModeId) -> TokenStream {
        let name = variant(&self.construction.mode(mode).name);
        quote! { Mode::#name }
    }

    fn function(&self, mode: ModeId) -> proc_macro2::Ident {
        format_ident!("mode_{}", self.construction.mode(mode).name.replace('-', "_"))
    }

    /// The id of a known local name.
    fn local(&self, name: &str) -> u32 {
        self.locals
            .binary_search_by(|local| local.as_str().cmp(name))
            .map_or(u32::MAX, |index| index as u32)
    }

    /// The function of a mode.
    fn mode(&self, id: ModeId) -> TokenStream {
        let (function, ident) = (self.function(id), variant(&self.machine.name));
        let mode = self.construction.mode(id);
        let empties = mode.tells_empty_tags();
        let otherwise = self.rows(id, |pattern| *pattern == TokenPattern::Else);
        let start = self.tags(id, |pattern| {
            if let TokenPattern::StartTag(names) = pattern { Some(names) } else { None }
        });
        let end = self.tags(id, |pattern| {
            if let TokenPattern::EndTag(names) = pattern { Some(names) } else { None }
        });
        let empty = empties.then(|| {
            let empty = self.tags(id, |pattern| {
                if let TokenPattern::EmptyTag(names) = pattern { Some(names) } else { None }
            });
            quote! { ::tabulex::construct::Seen::StartTag(tag, _) if tag.self_closing() => { #empty } }
        });
        let text = self.text(id);
        let kinds = [
            (TokenPattern::ShortEndTag, quote! { ShortEndTag(..) }),
            (TokenPattern::Comment, quote! { Comment(..) }),
            (TokenPattern::Doctype, quote! { Doctype(..) }),
            (TokenPattern::ProcessingInstruction, quote! { ProcessingInstruction(..) }),
            (TokenPattern::EndOfFile, quote! { EndOfFile(..) }),
        ];
        let kinds = kinds.iter().map(|(pattern, arm)| {
            let code = self.rows(id, |other| other == pattern);
            quote! { ::tabulex::construct::Seen::#arm => { #code } }
        });
        quote! {
            #[allow(clippy::all, unreachable_code, unused_variables, unused_labels)]
            fn #function<S: ::tabulex::tree::TreeSink>(
                builder: &mut ::tabulex::construct::Builder<#ident, S>,
                seen: &::tabulex::construct::Seen<'_>,
            ) -> ::tabulex::construct::Flow {
                match seen {
                    #empty
                    ::tabulex::construct::Seen::StartTag(tag, _) => { #start }
                    ::tabulex::construct::Seen::EndTag(tag, _) => { #end }
                    ::tabulex::construct::Seen::Text(text) => { #text }
                    #(#kinds)*
                }
                #otherwise
                ::tabulex::construct::Flow::Done
            }
        }
    }

    /// The rows over tags: those that name the tag, then those that take any.
    fn tags<'t>(
        &'t self,
        id: ModeId,
        names_of: impl Fn(&'t TokenPattern) -> Option<&'t TagNames>,
    ) -> TokenStream {
        let mode = self.construction.mode(id);
        let (mut named, mut any) = (TokenStream::new(), TokenStream::new());
        for row in &mode.rows {
            let mut ids = Vec::new();
            let mut takes_any = false;
            for names in row.patterns.iter().filter_map(|pattern| names_of(&pattern.value)) {
                match names {
                    TagNames::Any => takes_any = true,
                    TagNames::These(these) => ids.extend(these.iter().map(|name| self.local(name))),
                }
            }
            if !ids.is_empty() {
                let code = self.row(id, row);
                named.extend(quote! { if matches!(builder.local_id(seen), #(#ids)|*) { #code } });
            }
            if takes_any {
                any.extend(self.row(id, row));
            }
        }
        quote! { #named #any }
    }

    /// The rows over text: the run has been cut so that one row takes all of it.
    fn text(&self, id: ModeId) -> TokenStream {
        let mode = self.construction.mode(id);
        let mut code = TokenStream::new();
        for named in [true, false] {
            for row in &mode.rows {
                for pattern in &row.patterns {
                    let (set, whole) = match &pattern.value {
                        TokenPattern::Character(set) => (set, false),
                        TokenPattern::Text(set) => (set, true),
                        _ => continue,
                    };
                    if set.is_some() != named {
                        continue;
                    }
                    let row = self.row(id, row);
                    match set {
                        None => code.extend(row),
                        Some(set) => {
                            let is_member = membership(set);
                            // A run is of one kind, so that its first character tells; a whole text may not be.
                            let test = if whole {
                                quote! { text.text.chars().all(|character: char| #is_member) }
                            } else {
                                quote! { text.text.starts_with(|character: char| #is_member) }
                            };
                            code.extend(quote! { if #test { #row } });
                        }
                    }
                }
            }
        }
        code
    }

    /// The arm of a mode in the function that tells how many bytes of a text one row takes at once.
    fn runs(&self, id: ModeId) -> TokenStream {
        let name = self.mode_name(id);
        let mode = self.construction.mode(id);
        if self.takes_texts() {
            return quote! { #name => text.len(), };
        }
        let mut all = CharacterSet::default();
        let mut arms = TokenStream::new();
        for row in &mode.rows {
            for pattern in &row.patterns {
                if let TokenPattern::Character(Some(set)) = &pattern.value {
                    let is_member = membership(&set.difference(&all));
                    let scan = run_length(row, quote! { #is_member });
                    arms.extend(quote! { if #is_member { return #scan; } });
                    all.insert_all(set);
                }
            }
        }
        let is_named = membership(&all);
        let rest = mode.rows.iter().find(|row| {
            row.patterns
                .iter()
                .any(|pattern| matches!(pattern.value, TokenPattern::Character(None)))
        });
        let rest = rest.or_else(|| {
            mode.rows
                .iter()
                .find(|row| row.patterns.iter().any(|pattern| pattern.value == TokenPattern::Else))
        });
        let rest = match rest {
            Some(row) if all.is_empty() && is_run(row) => quote! { text.len() },
            Some(row) => run_length(row, quote! { !(#is_named) }),
            None => quote! { text.len() },
        };
        quote! {
            #name => {
                let character = text.chars().next().unwrap_or_default();
                #arms
                #rest
            }
        }
    }

    fn rows(&self, id: ModeId, is_it: impl Fn(&TokenPattern) -> bool) -> TokenStream {
        let rows = self.construction.mode(id).rows.iter();
        rows.filter(|row| row.patterns.iter().any(|pattern| is_it(&pattern.value)))
            .map(|row| self.row(id, row))
            .collect()
    }

    /// The code of a row; it returns unless its guard does not hold.
    fn row(&self, id: ModeId, row: &ModeRow) -> TokenStream {
        let steps = self.steps(id, &row.steps);
        let code = quote! { #steps return ::tabulex::construct::Flow::Done; };
        match &row.guard {
            Some(guard) => {
                let asked = self.condition(&guard.value);
                quote! { if #asked { #code } }
            }
            None => code,
        }
    }

    fn steps(&self, id: ModeId, steps: &[TreeStep]) -> TokenStream {
        let step = |step: &TreeStep| match step {
            TreeStep::Action(action) => self.action(id, &action.value),
            TreeStep::When { condition, then, otherwise } => {
                let (asked, then, otherwise) = (
                    self.condition(&condition.value),
                    self.steps(id, then),
                    self.steps(id, otherwise),
                );
                quote! { if #asked { #then } else { #otherwise } }
            }
        };
        steps.iter().map(step).collect()
    }

    fn action(&self, id: ModeId, action: &TreeAction) -> TokenStream {
        match action {
            TreeAction::Switch(mode) => {
                let mode = self.mode_name(*mode);
                quote! { builder.switch(#mode); }
            }
            TreeAction::Reprocess => quote! { return ::tabulex::construct::Flow::Again; },
            TreeAction::Using(mode) => {
                let function = self.function(*mode);
                quote! { return #function(builder, seen); }
            }
            TreeAction::Ignore => TokenStream::new(),
            TreeAction::AsElse => {
                let code = self.rows(id, |pattern| *pattern == TokenPattern::Else);
                quote! { #code }
            }
            TreeAction::Stop => quote! { builder.stop(); return ::tabulex::construct::Flow::Done; },
            TreeAction::Error(error) => {
                let code = variant(&self.machine.errors[usize::from(error.0)].name);
                quote! { builder.error(ErrorCode::#code, seen); }
            }
            TreeAction::InsertElement => quote! { builder.insert_element(seen); },
            TreeAction::AppendElement => quote! { builder.append_element(seen); },
            TreeAction::AppendText => quote! { builder.append_text(seen); },
            TreeAction::AppendComment(parent) => {
                let parent = self.parent(*parent);
                quote! { let parent = #parent; builder.append_comment(seen, parent); }
            }
            TreeAction::AppendProcessingInstruction(parent) => {
                let parent = self.parent(*parent);
                quote! { let parent = #parent; builder.append_processing_instruction(seen, parent); }
            }
            TreeAction::AppendDoctype => quote! { builder.append_doctype(seen); },
            TreeAction::Pop => quote! { builder.pop(seen); },
            TreeAction::PopUntilTokenName => quote! { builder.pop_until_token_name(seen); },
            TreeAction::TrimText(_) => quote! { builder.trim_text(); },
            TreeAction::WrapUnlessSingleElement(name) => {
                let local = self.local(name);
                quote! { builder.wrap_unless_single_element(#local); }
            }
            TreeAction::CallHost(word) => quote! { builder.call_host(#word); },
            TreeAction::Take(steps) => {
                self.steps(id, &self.construction.steps[usize::from(steps.0)].steps)
            }
            other => {
                let message = format!("the compiler does not know {other:?} yet");
                quote! { compile_error!(#message); }
            }
        }
    }

    fn parent(&self, parent: Parent) -> TokenStream {
        match parent {
            Parent::Current => quote! { builder.current_node() },
            Parent::Document => quote! { builder.document() },
        }
    }

    fn condition(&self, condition: &TreeCondition) -> TokenStream {
        match condition {
            TreeCondition::Not(inner) => {
                let inner = self.condition(inner);
                quote! { !(#inner) }
            }
            TreeCondition::All(parts) => {
                let parts = parts.iter().map(|part| self.condition(part));
                quote! { (#((#parts))&&*) }
            }
            TreeCondition::CurrentIs(names) => {
                let ids = self.ids(names);
                quote! { builder.current_is(&[#(#ids),*]) }
            }
            TreeCondition::CurrentIsTokenName => quote! { builder.current_is_token_name(seen) },
            TreeCondition::Open(names) => {
                let ids = self.ids(names);
                quote! { builder.has_open(&[#(#ids),*]) }
            }
            TreeCondition::OpenTokenName => quote! { builder.has_open_token_name(seen) },
            TreeCondition::AboveTokenName(names) => {
                let ids = self.ids(names);
                quote! { builder.has_above_token_name(seen, &[#(#ids),*]) }
            }
            TreeCondition::StackIsEmpty => quote! { builder.stack_is_empty() },
            other => {
                let message = format!("the compiler does not know {other:?} yet");
                quote! { compile_error!(#message) }
            }
        }
    }

    fn ids(&self, names: &[ElementName]) -> Vec<u32> {
        names
            .iter()
            .filter(|name| name.namespace == Namespace::Own)
            .map(|name| self.local(&name.local))
            .collect()
    }
}

/// Whether the row may take a run of characters at once: it only appends or ignores them, or hands the first one on.
fn is_run(row: &ModeRow) -> bool {
    let simple = |step: &TreeStep| matches!(step, TreeStep::Action(action) if matches!(action.value, TreeAction::AppendText | TreeAction::Ignore));
    let hands_on = matches!(row.steps.last(), Some(TreeStep::Action(action)) if action.value == TreeAction::Reprocess);
    row.guard.is_none() && (row.steps.iter().all(simple) || hands_on)
}

/// The number of bytes at the beginning of `text` that the row takes at once, when `is_member` tells which characters it
/// takes.
fn run_length(row: &ModeRow, is_member: TokenStream) -> TokenStream {
    if is_run(row) {
        quote! { text.find(|character: char| !(#is_member)).unwrap_or(text.len()) }
    } else {
        quote! { character.len_utf8() }
    }
}

/// The characters that a row trims off the document's text.
fn trimmed(construction: &Construction) -> CharacterSet {
    let mut trimmed = CharacterSet::default();
    let rows = construction.modes.iter().flat_map(|mode| &mode.rows);
    for step in rows
        .flat_map(|row| &row.steps)
        .chain(construction.steps.iter().flat_map(|named| &named.steps))
    {
        if let TreeStep::Action(action) = step
            && let TreeAction::TrimText(set) = &action.value
        {
            trimmed.insert_all(set);
        }
    }
    trimmed
}

/// Whether `character` is a member of the set.
fn membership(set: &CharacterSet) -> TokenStream {
    let ranges = set.ranges().iter().map(|(first, last)| quote! { #first..=#last });
    let ranges: Vec<TokenStream> = ranges.collect();
    if ranges.is_empty() {
        quote! { false }
    } else {
        quote! { matches!(character, #(#ranges)|*) }
    }
}
