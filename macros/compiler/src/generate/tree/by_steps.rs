//! Actions and conditions of tables whose algorithms are all compiled from their steps, and build a draft of the tree.

use super::{Code, membership};
use crate::generate::algorithm::draft::{self, names};
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::tree::algorithm::{Kind, Routine};
use tabulex_language::model::tree::{Parent, TreeAction, TreeCondition};

impl Code<'_> {
    /// Generates the functions that process a token, and the constant that says that they do.
    pub(super) fn token_functions(&self) -> Option<TokenStream> {
        let unacknowledged = self.construction.unacknowledged.map(|code| {
            let code = self.code(code);
            quote! { error: Some(#code), }
        });
        let clean = self.entry(Routine::TokenCleanup, &TokenStream::new(), &[]);
        let emit = self.entry(Routine::Emit, &unacknowledged.unwrap_or_default(), &[]);
        self.by_steps.then(|| {
            quote! {
                const BY_STEPS: bool = true;
                fn clean_token<S: rt::TreeSink>(
                    builder: &mut rt::Builder<Self, S>,
                    token: &rt::TokenView<'_>,
                ) {
                    #clean;
                }
                fn emit_token<S: rt::TreeSink>(
                    builder: &mut rt::Builder<Self, S>,
                    token: &rt::TokenView<'_>,
                ) {
                    #emit;
                }
            }
        })
    }

    fn entry(&self, routine: Routine, given: &TokenStream, with: &[TokenStream]) -> TokenStream {
        draft::entry(self.construction, routine, given, with)
    }

    /// Generates the call of an algorithm without arguments.
    fn plain(&self, routine: Routine) -> TokenStream {
        self.entry(routine, &TokenStream::new(), &[])
    }

    fn node_of(&self, routine: Routine) -> TokenStream {
        draft::node_of(self.construction, routine)
    }

    /// Generates an action whose effect is that of an algorithm; `None` for others.
    pub(super) fn action_by_steps(&self, action: &TreeAction) -> Option<TokenStream> {
        let nothing = TokenStream::new();
        let code = match action {
            TreeAction::InsertElement | TreeAction::AppendElement => {
                let is_pushed = *action == TreeAction::InsertElement;
                let routine =
                    if is_pushed { Routine::InsertElement } else { Routine::AppendElement };
                let error = self.construction.left_out.map(|code| {
                    let code = self.code(code);
                    quote! { error: Some(#code), }
                });
                let call = self.entry(routine, &error.unwrap_or_default(), &[]);
                quote! { if builder.draft().tag().is_some() { #call; } }
            }
            TreeAction::AppendText => self.plain(Routine::AppendText),
            TreeAction::AppendField(field) => {
                let (field, call) = (self.field(*field), self.plain(Routine::AppendText));
                quote! { if let Some(text) = rt::field_text(token, #field) { let token = &text; #call; } }
            }
            TreeAction::AppendTextNode(field) => {
                let (field, current) = (self.field(*field), self.node_of(Routine::Current));
                quote! {
                    if let Some((text, span)) = rt::field_of(token, #field) {
                        let current = #current;
                        let draft = builder.draft();
                        let node = draft.new_text(Some(text.to_owned()), Some(span));
                        draft.insert(node, current.or(draft.document()), None);
                    }
                }
            }
            TreeAction::InsertElementOfField(field) => {
                let field = self.field(*field);
                let call = self.entry(Routine::InsertElement, &nothing, &[quote! { tag }]);
                quote! {
                    if let Some((text, _)) = rt::field_of(token, #field) {
                        let tag = Some(rt::DraftTag::new(text.to_owned(), token.span()));
                        #call;
                    }
                }
            }
            TreeAction::AppendComment(parent) => {
                let parent = self.draft_parent(*parent);
                let call = self.entry(Routine::AppendComment, &nothing, &[parent]);
                quote! { if let rt::TokenView::Comment(_) = token { #call; } }
            }
            TreeAction::AppendProcessingInstruction(parent) => {
                let parent = self.draft_parent(*parent);
                let call = self.entry(Routine::AppendProcessingInstruction, &nothing, &[parent]);
                quote! { if let rt::TokenView::ProcessingInstruction(..) = token { #call; } }
            }
            TreeAction::AppendDoctype => {
                let call = self.plain(Routine::AppendDoctype);
                quote! { if let rt::TokenView::Doctype(_) = token { #call; } }
            }
            TreeAction::Pop => self.plain(Routine::PopElement),
            TreeAction::PopUntilTokenName => self.plain(Routine::PopUntilTokenName),
            TreeAction::TrimText(set) => {
                let is_member = membership(set);
                let trims = quote! { trims: |character: char| #is_member, };
                self.entry(Routine::TrimText, &trims, &[])
            }
            TreeAction::WrapUnlessSingleElement(name) => {
                // The element is not created for the token.
                let name = quote! { Some(::std::string::String::from(#name)) };
                let call =
                    self.entry(Routine::WrapUnlessSingleElement, &quote! { span: None, }, &[name]);
                quote! {
                    {
                        let token = &rt::TokenView::EndOfFile(0);
                        let tag = builder.draft().replace_tag(None);
                        #call;
                        builder.draft().replace_tag(tag);
                    }
                }
            }
            TreeAction::CallHost(word) => {
                let current = self.node_of(Routine::Current);
                quote! { let current = #current; builder.draft().call_host(#word, current) }
            }
            TreeAction::AcknowledgeSelfClosing => quote! { builder.draft().acknowledge() },
            TreeAction::Switch(_)
            | TreeAction::Reprocess
            | TreeAction::Using(_)
            | TreeAction::Ignore
            | TreeAction::AsElse
            | TreeAction::Stop
            | TreeAction::Error(_)
            | TreeAction::Take(_)
            | TreeAction::SwitchOriginal
            | TreeAction::SwitchTemplateMode
            | TreeAction::SetOriginalMode
            | TreeAction::UsingInsertionMode
            | TreeAction::PushTemplateMode(_)
            | TreeAction::PopTemplateMode
            | TreeAction::ResetInsertionMode
            | TreeAction::InsertNamed(_)
            | TreeAction::InsertForeign(_)
            | TreeAction::InsertCharacter(_)
            | TreeAction::InsertComment(_)
            | TreeAction::InsertProcessingInstruction(_)
            | TreeAction::AdjustTagName(_)
            | TreeAction::AdjustAttributes(_)
            | TreeAction::Rename(_)
            | TreeAction::PopUntil(_)
            | TreeAction::GenerateEndTags(..)
            | TreeAction::ClearBackTo(_)
            | TreeAction::LeaveForeignContent(_)
            | TreeAction::PopUntilForeignTokenName
            | TreeAction::DetachSecond
            | TreeAction::MergeAttributes(_)
            | TreeAction::FosterParenting(_)
            | TreeAction::ReconstructFormatting
            | TreeAction::PushFormatting
            | TreeAction::InsertMarker
            | TreeAction::ClearFormatting
            | TreeAction::AdoptionAgency(_)
            | TreeAction::Point(_)
            | TreeAction::PointToFormatting(..)
            | TreeAction::PointToContext(_)
            | TreeAction::Unset(_)
            | TreeAction::PushPointed(_)
            | TreeAction::RemovePointed(_)
            | TreeAction::SetFlag(..)
            | TreeAction::SetDocumentMode(_)
            | TreeAction::Tokenizer(_)
            | TreeAction::IgnoreNextLineFeed
            | TreeAction::ClearPending
            | TreeAction::AppendToPending
            | TreeAction::InsertPending
            | TreeAction::ProcessPending(_)
            | TreeAction::MarkEndTag
            | TreeAction::AttachShadowRoot { .. }
            | TreeAction::PatchContent(_)
            | TreeAction::FinishPatching(_) => return None,
        };
        Some(quote! { #code; })
    }

    fn draft_parent(&self, parent: Parent) -> TokenStream {
        match parent {
            Parent::Document => quote! { builder.draft().document() },
            Parent::Current => {
                let current = self.node_of(Routine::Current);
                quote! { { let current = #current; current.or(builder.draft().document()) } }
            }
        }
    }

    /// Generates a condition on open elements or on the tag; `None` for others.
    pub(super) fn condition_by_steps(&self, condition: &TreeCondition) -> Option<TokenStream> {
        let of_current = |test: TokenStream| {
            let current = self.node_of(Routine::Current);
            quote! { { let current = #current; #test } }
        };
        Some(match condition {
            TreeCondition::CurrentIs(of) => {
                let of = names(of);
                of_current(quote! { builder.draft().is_one_of(current, #of) })
            }
            TreeCondition::CurrentIsTokenName => {
                of_current(quote! { builder.draft().has_tag_name(current) })
            }
            TreeCondition::Open(of) => self.is_open(&names(of)),
            TreeCondition::OpenTokenName => {
                let is_open = self.is_open(&quote! { &names });
                quote! {
                    {
                        let tag = builder.draft().tag();
                        let names: Vec<&str> = tag.iter().map(|tag| &*tag.name).collect();
                        #is_open
                    }
                }
            }
            TreeCondition::AboveTokenName(of) => {
                let (found, of) = (self.node_of(Routine::OpenNode), names(of));
                quote! { { let found = #found; builder.draft().has_above(found, #of) } }
            }
            TreeCondition::StackIsEmpty => quote! { builder.draft().last_open().is_none() },
            TreeCondition::SecondIs(of) => {
                let of = names(of);
                quote! { builder.draft().second_is(#of) }
            }
            TreeCondition::OpenOtherThan(of) => {
                let of = names(of);
                quote! { builder.draft().has_open_other_than(#of) }
            }
            TreeCondition::SelfClosing => quote! { builder.draft().is_self_closing() },
            TreeCondition::TokenAttribute(name) => {
                quote! { builder.draft().tag_has(#name, |_| true) }
            }
            TreeCondition::TokenAttributeIs(name, value) => {
                quote! { builder.draft().tag_has(#name, |value| value.eq_ignore_ascii_case(#value)) }
            }
            TreeCondition::Not(_)
            | TreeCondition::All(_)
            | TreeCondition::InScope(..)
            | TreeCondition::CurrentIsPointed(_)
            | TreeCondition::CurrentIsTokenNameIgnoringCase
            | TreeCondition::ForeignOpenTokenName
            | TreeCondition::AdjustedCurrentIs(_)
            | TreeCondition::AdjustedCurrentIn(_)
            | TreeCondition::AdjustedCurrentIsForeign
            | TreeCondition::AdjustedCurrentIsIntegrationPoint
            | TreeCondition::AdjustedCurrentIsRoot
            | TreeCondition::IsFragment
            | TreeCondition::ContextIs(_)
            | TreeCondition::IsLast
            | TreeCondition::FieldIs(..)
            | TreeCondition::IsSet(_)
            | TreeCondition::FormattingHas(_)
            | TreeCondition::FlagIs(..)
            | TreeCondition::DocumentModeIs(_)
            | TreeCondition::DoctypeIs(_)
            | TreeCondition::HasTemplateMode
            | TreeCondition::PendingOtherThan(_) => return None,
        })
    }

    fn is_open(&self, names: &TokenStream) -> TokenStream {
        let target = quote! { rt::DraftTarget::In(#names) };
        let call = self.entry(Routine::Open, &TokenStream::new(), &[target]);
        if draft::returned(self.construction, Routine::Open) == Some(Kind::Truth) {
            return quote! { (#call == Some(true)) };
        }
        quote! { { #call; false } }
    }
}
