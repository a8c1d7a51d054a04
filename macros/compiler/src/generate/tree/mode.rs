//! A mode to a function: the token's kind, then its name, then the row. What rows do is beside. Invariant: a row is
//! asked in the order in which the table's rules ask it: those that name the token, those that take any of its kind, `else`.

use super::{Code, membership};
use crate::generate::names::variant;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use tabulex_spec::model::tree::{ModeId, ModeRow, TagNames, TokenPattern};

impl Code<'_> {
    /// The functions of a mode, which only jump to other ones: for start tags, for end tags, for all tokens. Those of its
    /// arms, that of its `else` row, and those of rows that several names lead to.
    pub(super) fn mode(&self, id: ModeId) -> TokenStream {
        let (function, ident) = (self.function(id), variant(&self.machine.name));
        let mode = self.construction.mode(id);
        let mut arms = TokenStream::new();
        let start = self.tags(id, "start", &mut arms, |pattern| {
            if let TokenPattern::StartTag(names) = pattern { Some(names) } else { None }
        });
        let end = self.tags(id, "end", &mut arms, |pattern| {
            if let TokenPattern::EndTag(names) = pattern { Some(names) } else { None }
        });
        let empty = mode.tells_empty_tags().then(|| {
            let empty = self.tags(id, "empty", &mut arms, |pattern| {
                if let TokenPattern::EmptyTag(names) = pattern { Some(names) } else { None }
            });
            quote! {
                if let rt::Seen::StartTag(tag, _) = seen && tag.self_closing() {
                    return #empty;
                }
            }
        });
        let else_row = self.otherwise(id);
        let text = self.arm(id, "text", self.text(id), &else_row, &mut arms);
        let kinds = [
            (TokenPattern::ShortEndTag, "short_end", quote! { ShortEndTag(..) }),
            (TokenPattern::Comment, "comment", quote! { Comment(..) }),
            (TokenPattern::Doctype, "doctype", quote! { Doctype(..) }),
            (
                TokenPattern::ProcessingInstruction,
                "instruction",
                quote! { ProcessingInstruction(..) },
            ),
            (TokenPattern::EndOfFile, "end_of_file", quote! { EndOfFile(..) }),
        ];
        let kinds: TokenStream = kinds
            .iter()
            .map(|(pattern, name, arm)| {
                let code = self.rows(id, |other| other == pattern);
                let code = self.arm(id, name, code, &else_row, &mut arms);
                quote! { rt::Seen::#arm => #code(builder, seen), }
            })
            .collect();
        let (rows, otherwise) = (self.row_functions(id), self.else_function(id));
        let [starts, ends] = self.tag_functions(id);
        let parameters = parameters(&ident);
        quote! {
            #[inline(never)]
            fn #starts #parameters {
                #empty
                #start
            }
            #[inline(never)]
            fn #ends #parameters {
                #end
            }
            #[inline(never)]
            fn #function #parameters {
                match seen {
                    rt::Seen::StartTag(..) => #starts(builder, seen),
                    rt::Seen::EndTag(..) => #ends(builder, seen),
                    rt::Seen::Text(text) => #text(builder, seen),
                    #kinds
                }
            }
            #arms
            #otherwise
            #rows
        }
    }

    /// The names of the functions for start tags and for end tags.
    pub(super) fn tag_functions(&self, id: ModeId) -> [Ident; 2] {
        ["start_tags", "end_tags"].map(|kind| format_ident!("{kind}_{}", self.function(id)))
    }

    /// The function of an arm, which goes on with another one if none of its rows holds; that other one if it has none.
    fn arm(
        &self,
        id: ModeId,
        name: &str,
        code: TokenStream,
        behind: &Ident,
        arms: &mut TokenStream,
    ) -> Ident {
        if code.is_empty() {
            return behind.clone();
        }
        let function = format_ident!("{name}_{}", self.function(id));
        let parameters = parameters(&variant(&self.machine.name));
        arms.extend(quote! {
            #[inline(never)]
            fn #function #parameters {
                #code
                #behind(builder, seen)
            }
        });
        function
    }

    /// The name of the function of the `else` row.
    pub(super) fn otherwise(&self, id: ModeId) -> Ident {
        format_ident!("else_{}", self.construction.mode(id).name.replace('-', "_"))
    }

    fn else_function(&self, id: ModeId) -> TokenStream {
        let (function, ident) = (self.otherwise(id), variant(&self.machine.name));
        let parameters = parameters(&ident);
        let rows = self.construction.mode(id).rows.iter();
        let is_else =
            |row: &&ModeRow| row.patterns.iter().any(|pattern| pattern.value == TokenPattern::Else);
        let code: TokenStream = rows.filter(is_else).map(|row| self.whole_row(id, row)).collect();
        quote! {
            fn #function #parameters {
                #code
            }
        }
    }

    fn row_function(&self, id: ModeId, index: usize) -> Ident {
        format_ident!("row_{}_{index}", self.construction.mode(id).name.replace('-', "_"))
    }

    /// Functions of the rows that name several tags or are of several kinds.
    fn row_functions(&self, id: ModeId) -> TokenStream {
        let ident = variant(&self.machine.name);
        let parameters = parameters(&ident);
        let mut code = TokenStream::new();
        for (index, row) in self.construction.mode(id).rows.iter().enumerate() {
            if !is_shared(row) {
                continue;
            }
            let (function, steps) =
                (self.row_function(id, index), self.steps(Some(id), &row.steps));
            code.extend(quote! {
                fn #function #parameters {
                    #steps
                }
            });
        }
        code
    }

    /// The rows over tags of a kind: those that name the tag, then those that take any.
    fn tags<'t>(
        &'t self,
        id: ModeId,
        kind: &str,
        functions: &mut TokenStream,
        names_of: impl Fn(&'t TokenPattern) -> Option<&'t TagNames>,
    ) -> TokenStream {
        let mode = self.construction.mode(id);
        let mut named: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut any = TokenStream::new();
        for (index, row) in mode.rows.iter().enumerate() {
            let mut takes_any = false;
            for names in row.patterns.iter().filter_map(|pattern| names_of(&pattern.value)) {
                match names {
                    TagNames::Any => takes_any = true,
                    TagNames::These(these) => {
                        for name in these {
                            let rows = named.entry(self.local(name)).or_default();
                            if !rows.contains(&index) {
                                rows.push(index);
                            }
                        }
                    }
                }
            }
            if takes_any {
                any.extend(self.row(id, row));
            }
        }
        let mut arms: BTreeMap<Vec<usize>, Vec<u32>> = BTreeMap::new();
        for (local, rows) in named {
            arms.entry(rows).or_default().push(local);
        }
        let any = self.arm(id, kind, any, &self.otherwise(id), functions);
        let arms = arms.iter().enumerate().map(|(index, (rows, locals))| {
            let rows = rows.iter().map(|&index| self.row(id, &mode.rows[index])).collect();
            let function = self.arm(id, &format!("{kind}_{index}"), rows, &any, functions);
            quote! { #(#locals)|* => #function(builder, seen), }
        });
        let arms: TokenStream = arms.collect();
        quote! { match builder.local_id(seen) { #arms _ => #any(builder, seen), } }
    }

    pub(super) fn rows(&self, id: ModeId, is_it: impl Fn(&TokenPattern) -> bool) -> TokenStream {
        if is_it(&TokenPattern::Else) {
            let function = self.otherwise(id);
            return quote! { return #function(builder, seen); };
        }
        let rows = self.construction.mode(id).rows.iter();
        rows.filter(|row| row.patterns.iter().any(|pattern| is_it(&pattern.value)))
            .map(|row| self.row(id, row))
            .collect()
    }

    /// The code of a row; it returns unless its guard does not hold.
    pub(super) fn row(&self, id: ModeId, row: &ModeRow) -> TokenStream {
        if !is_shared(row) {
            return self.whole_row(id, row);
        }
        let rows = &self.construction.mode(id).rows;
        let index = rows.iter().position(|other| std::ptr::eq(other, row)).unwrap_or_default();
        let function = self.row_function(id, index);
        self.guarded(row, &quote! { return #function(builder, seen); })
    }

    fn whole_row(&self, id: ModeId, row: &ModeRow) -> TokenStream {
        let steps = self.steps(Some(id), &row.steps);
        self.guarded(row, &quote! { #steps return; })
    }

    fn guarded(&self, row: &ModeRow, code: &TokenStream) -> TokenStream {
        match &row.guard {
            Some(guard) => {
                let asked = self.condition(&guard.value);
                quote! { if #asked { #code } }
            }
            None => code.clone(),
        }
    }

    /// The rows over text: the run has been cut so that one row takes all of it.
    fn text(&self, id: ModeId) -> TokenStream {
        let mode = self.construction.mode(id);
        let covered = self.covered(id);
        let mut code = TokenStream::new();
        for named in [true, false] {
            for (index, row) in mode.rows.iter().enumerate() {
                for pattern in &row.patterns {
                    let (set, whole) = match &pattern.value {
                        TokenPattern::Character(set) => (set, covered.contains(&index)),
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
                            // A run is of one kind, so that its first character tells, unless another row takes both.
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
        if code.is_empty() {
            return code;
        }
        let else_row = self.otherwise(id);
        quote! {
            let rt::Seen::Text(text) = seen else { return #else_row(builder, seen) };
            #code
        }
    }
}

/// Whether the row has a function of its own: what several names lead to is not written twice, and what is long takes no
/// room on the stack while other rows are taken.
fn is_shared(row: &ModeRow) -> bool {
    row.steps.len() > 1
        || row.patterns.len() > 1
        || row.patterns.iter().any(|pattern| match &pattern.value {
            TokenPattern::StartTag(names)
            | TokenPattern::EndTag(names)
            | TokenPattern::EmptyTag(names) => {
                matches!(names, TagNames::These(these) if these.len() > 1)
            }
            _ => false,
        })
}

fn parameters(ident: &Ident) -> TokenStream {
    quote! {
        <S: rt::TreeSink>(
            builder: &mut rt::Builder<#ident, S>,
            seen: &rt::Seen<'_>,
        )
    }
}
