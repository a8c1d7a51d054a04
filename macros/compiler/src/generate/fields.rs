//! Expressions for fields and entity lists in the runtime's registers.

use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{EntityList, Field};

/// Generates the runtime's value for an entity list.
pub(super) fn entity_list(list: EntityList) -> TokenStream {
    let name = match list {
        EntityList::Entities => quote! { Entities },
        EntityList::ParameterEntities => quote! { ParameterEntities },
    };
    quote! { rt::EntityList::#name }
}

/// Generates the place expression of a field.
pub(super) fn field(field: Field) -> TokenStream {
    match field {
        Field::TagName => quote! { core.tag.name },
        Field::AttributeName => quote! { core.tag.attribute_name },
        Field::AttributeValue => quote! { core.tag.attribute_value },
        Field::Comment => quote! { core.comment },
        Field::DoctypeName => quote! { core.doctype.name },
        Field::PublicIdentifier => quote! { core.doctype.public_identifier },
        Field::SystemIdentifier => quote! { core.doctype.system_identifier },
        Field::TemporaryBuffer => quote! { core.temporary_buffer },
        Field::ProcessingInstructionTarget => quote! { core.processing_instruction.target },
        Field::ProcessingInstructionData => quote! { core.processing_instruction.data },
        Field::EntityName => quote! { core.declarations.entity_name },
        Field::EntityValue => quote! { core.declarations.entity_value },
        Field::AttributeListName => quote! { core.declarations.tag_name },
        Field::DeclarationName => quote! { core.declarations.name },
        Field::DeclarationType => quote! { core.declarations.kind },
        Field::DeclarationDefault => quote! { core.declarations.default },
        Field::Declared(field) => {
            let index = usize::from(field.index);
            quote! { core.declared.fields[#index] }
        }
    }
}
