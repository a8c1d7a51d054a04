//! Compiles a mode to functions with a `match` on the token's kind, then one on its name, then the rows in the order
//! that the table language prescribes: rows that name the token, rows for any token of its kind, `else`.

use super::step::Statements;
use super::{Code, membership};
use crate::generate::names::snake;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use tabulex_language::model::tree::{ModeId, ModeRow, TagNames, TokenPattern};
use tabulex_language::model::{Spanned, TokenId};

impl Code<'_> {
    /// Generates the functions of a mode: those that dispatch start tags, end tags and all tokens, those of its arms
    /// and its `else` row, and those of rows that are shared or long.
    pub(super) fn mode(&self, id: ModeId) -> TokenStream {
        let function = self.function(id);
        let mode = self.construction.mode(id);
        let mut arms = TokenStream::new();
        let start = self.tags(id, "start", &mut arms, |pattern| {
            if let TokenPattern::StartTag(names) = pattern { Some(names) } else { None }
        });
        let end = self.tags(id, "end", &mut arms, |pattern| {
            if let TokenPattern::EndTag(names) = pattern { Some(names) } else { None }
        });
        let empty = mode.distinguishes_empty_tags().then(|| {
            let empty = self.tags(id, "empty", &mut arms, |pattern| {
                if let TokenPattern::EmptyTag(names) = pattern { Some(names) } else { None }
            });
            quote! {
                if let rt::TokenView::StartTag(tag, _) = token && tag.self_closing() {
                    return #empty;
                }
            }
        });
        let else_row = self.else_name(id);
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
                let rows = mode.rows.iter();
                let rows = rows.filter(|row| row.has_pattern(pattern));
                let code = self.in_order(rows.map(|row| self.row(id, row)));
                let code = self.arm(id, name, code, &else_row, &mut arms);
                quote! { rt::TokenView::#arm => #code(builder, token), }
            })
            .collect();
        let declared = self.declared_tokens(id, &else_row, &mut arms);
        let (rows, otherwise) = (self.row_functions(id), self.else_function(id));
        let [starts, ends] = self.tag_functions(id);
        let parameters = self.parameters();
        // Start and end tags have separate functions, so that a tag reaches its rows with one jump. Together with rows
        // that return nothing and end with a tail call, these functions save about a tenth of the instructions for HTML
        // trees.
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
                match token {
                    rt::TokenView::StartTag(..) => #starts(builder, token),
                    rt::TokenView::EndTag(..) => #ends(builder, token),
                    rt::TokenView::Text(..) => #text(builder, token),
                    #kinds
                    #declared
                }
            }
            #arms
            #otherwise
            #rows
        }
    }

    /// Generates the arm for tokens of declared kinds, which ignores them if no row of any mode matches one.
    fn declared_tokens(&self, id: ModeId, other: &Ident, arms: &mut TokenStream) -> TokenStream {
        let rows = &self.construction.mode(id).rows;
        let kinds = self.construction.tokens.iter().zip(0..).map(|(_, kind)| TokenId(kind));
        let taken: Vec<TokenId> = kinds.filter(|&kind| self.construction.takes(kind)).collect();
        if taken.is_empty() {
            return quote! { rt::TokenView::Declared(_) => {} };
        }
        let mut code = TokenStream::new();
        for kind in taken {
            let pattern = TokenPattern::Declared(kind);
            let name = format!("declared_{}", kind.0);
            let rows = rows.iter().filter(|row| row.has_pattern(&pattern));
            let rows = self.in_order(rows.map(|row| self.row(id, row)));
            let function = self.arm(id, &name, rows, other, arms);
            let kind = usize::from(kind.0);
            code.extend(quote! { #kind => #function(builder, token), });
        }
        quote! { rt::TokenView::Declared(declared) => match declared.kind() { #code _ => {} }, }
    }

    /// Returns the names of the functions for start tags and for end tags.
    pub(super) fn tag_functions(&self, id: ModeId) -> [Ident; 2] {
        ["start_tags", "end_tags"].map(|kind| format_ident!("{kind}_{}", self.function(id)))
    }

    /// Generates the function of an arm, which calls the function `other` if none of the arm's rows applies. Returns
    /// the name of the arm's function, or `other` if there are no rows.
    fn arm(
        &self,
        id: ModeId,
        name: &str,
        rows: Statements,
        other: &Ident,
        arms: &mut TokenStream,
    ) -> Ident {
        if rows.code.is_empty() {
            return other.clone();
        }
        let other = (!rows.ends).then(|| quote! { #other(builder, token) });
        let rows = if rows.ends { rows.body() } else { rows.code };
        let function = format_ident!("{name}_{}", self.function(id));
        let parameters = self.parameters();
        arms.extend(quote! {
            #[inline(never)]
            fn #function #parameters {
                #rows
                #other
            }
        });
        function
    }

    /// Returns the name of the function for the `else` row.
    pub(super) fn else_name(&self, id: ModeId) -> Ident {
        format_ident!("else_{}", snake(&self.construction.mode(id).name))
    }

    fn else_function(&self, id: ModeId) -> TokenStream {
        let (function, parameters) = (self.else_name(id), self.parameters());
        let rows = self.construction.mode(id).rows.iter();
        let rows = rows.filter(|row| row.has_pattern(&TokenPattern::Else));
        let code = self.in_order(rows.map(|row| self.whole_row(id, row))).body();
        quote! {
            fn #function #parameters {
                #code
            }
        }
    }

    fn row_function(&self, id: ModeId, index: usize) -> Ident {
        format_ident!("row_{}_{index}", snake(&self.construction.mode(id).name))
    }

    /// Generates the functions of rows that are shared by several names or kinds, or that are long.
    fn row_functions(&self, id: ModeId) -> TokenStream {
        let parameters = self.parameters();
        let mut code = TokenStream::new();
        for (index, row) in self.construction.mode(id).rows.iter().enumerate() {
            // `else_function` generates the function of an `else` row, so a row without other patterns gets none here.
            let is_else = |pattern: &Spanned<TokenPattern>| pattern.value == TokenPattern::Else;
            if !is_shared(row) || row.patterns.iter().all(is_else) {
                continue;
            }
            let (function, steps) =
                (self.row_function(id, index), self.steps(Some(id), &row.steps).body());
            let comment = self.comment(&row.text);
            code.extend(quote! {
                fn #function #parameters {
                    #comment
                    #steps
                }
            });
        }
        code
    }

    /// Generates the rows for tags of a kind: first the rows that name the tag, then the rows for any tag.
    fn tags<'t>(
        &'t self,
        id: ModeId,
        kind: &str,
        functions: &mut TokenStream,
        names_of: impl Fn(&'t TokenPattern) -> Option<&'t TagNames>,
    ) -> TokenStream {
        let mode = self.construction.mode(id);
        let mut rows_by_name: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut any_tag_rows = Vec::new();
        for (index, row) in mode.rows.iter().enumerate() {
            let mut takes_any = false;
            for names in row.patterns.iter().filter_map(|pattern| names_of(&pattern.value)) {
                match names {
                    TagNames::Any => takes_any = true,
                    TagNames::These(these) => {
                        for name in these {
                            let rows = rows_by_name.entry(self.local_id(name)).or_default();
                            if !rows.contains(&index) {
                                rows.push(index);
                            }
                        }
                    }
                }
            }
            if takes_any {
                any_tag_rows.push(self.row(id, row));
            }
        }
        let mut arms: BTreeMap<Vec<usize>, Vec<u32>> = BTreeMap::new();
        for (local, rows) in rows_by_name {
            arms.entry(rows).or_default().push(local);
        }
        let any_tag_rows = self.in_order(any_tag_rows.into_iter());
        let any_function = self.arm(id, kind, any_tag_rows, &self.else_name(id), functions);
        let arms = arms.iter().enumerate().map(|(index, (rows, locals))| {
            let rows = self.in_order(rows.iter().map(|&index| self.row(id, &mode.rows[index])));
            let function = self.arm(id, &format!("{kind}_{index}"), rows, &any_function, functions);
            let locals = locals.iter().map(|&id| self.local_of_id(id));
            quote! { #(#locals)|* => #function(builder, token), }
        });
        let arms: TokenStream = arms.collect();
        quote! { match builder.token_name.id() { #arms _ => #any_function(builder, token), } }
    }

    /// Concatenates rows up to the first row that always applies.
    fn in_order(&self, rows: impl Iterator<Item = Statements>) -> Statements {
        let mut all = Statements::default();
        for row in rows {
            all.code.extend(row.code);
            all.ends = row.ends;
            if all.ends {
                break;
            }
        }
        all
    }

    /// Generates a row, which returns from the function unless its guard fails.
    fn row(&self, id: ModeId, row: &ModeRow) -> Statements {
        if !is_shared(row) {
            return self.whole_row(id, row);
        }
        let rows = &self.construction.mode(id).rows;
        let index = rows.iter().position(|other| std::ptr::eq(other, row)).unwrap_or_default();
        let function = self.row_function(id, index);
        self.guarded(row, quote! { return #function(builder, token); })
    }

    fn whole_row(&self, id: ModeId, row: &ModeRow) -> Statements {
        let steps = self.steps(Some(id), &row.steps);
        let end = (!steps.ends).then(|| quote! { return; });
        let mut statements = self.guarded(row, quote! { #steps #end });
        if let Some(comment) = self.comment(&row.text) {
            statements.code = quote! { #comment #statements };
        }
        statements
    }

    fn guarded(&self, row: &ModeRow, code: TokenStream) -> Statements {
        match &row.guard {
            Some(guard) => {
                let guard = self.condition(&guard.value);
                Statements { code: quote! { if #guard { #code } }, ends: false }
            }
            None => Statements { code, ends: true },
        }
    }

    /// Generates the rows for text, which the builder passes in runs that one row takes as a whole.
    fn text(&self, id: ModeId) -> Statements {
        let mode = self.construction.mode(id);
        let covered = self.covered(id);
        let mut rows = Vec::new();
        for named in [true, false] {
            for (index, row) in mode.rows.iter().enumerate() {
                for pattern in &row.patterns {
                    // All other patterns match no text, except for `else`, whose row comes after all others.
                    let (TokenPattern::Character(set) | TokenPattern::Text(set)) = &pattern.value
                    else {
                        continue;
                    };
                    let is_text = matches!(pattern.value, TokenPattern::Text(_));
                    let whole = is_text || covered.contains(&index);
                    if set.is_some() != named {
                        continue;
                    }
                    let row = self.row(id, row);
                    match set {
                        None => rows.push(row),
                        Some(set) => {
                            let is_member = membership(set);
                            // A `text` pattern must cover the whole text, and a run may mix the characters of this row
                            // with others if the row for any character takes both; in both cases, all characters are
                            // tested. Otherwise, all characters of a run match the same row, so the first one decides.
                            let test = if whole {
                                quote! { text.text.chars().all(|character: char| #is_member) }
                            } else {
                                quote! { text.text.starts_with(|character: char| #is_member) }
                            };
                            let code = quote! { if #test { #row } };
                            rows.push(Statements { code, ends: false });
                        }
                    }
                }
            }
        }
        let rows = self.in_order(rows.into_iter());
        // If no row tests characters, the rows apply to every text, so no code needs to look into the token.
        let has_named_sets = mode.rows.iter().flat_map(|row| &row.patterns).any(|pattern| {
            matches!(pattern.value, TokenPattern::Character(Some(_)) | TokenPattern::Text(Some(_)))
        });
        if !has_named_sets {
            return rows;
        }
        let (else_row, ends) = (self.else_name(id), rows.ends);
        let code = quote! {
            let rt::TokenView::Text(text) = token else { return #else_row(builder, token) };
            #rows
        };
        Statements { code, ends }
    }
}

/// Whether the row gets a function of its own: a row with several names is then generated once, and a long row does not
/// enlarge the stack frame of other rows.
fn is_shared(row: &ModeRow) -> bool {
    row.steps.len() > 1
        || row.patterns.len() > 1
        || row.patterns.iter().any(|pattern| pattern.value.tag_names().len() > 1)
}
