//! Conversion of table names to Rust identifiers. Distinct names give distinct identifiers, none of them a keyword.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use tabulex_language::model::{ErrorId, Machine};

/// Converts `attribute-name` to the variant `AttributeName`.
pub(super) fn variant(name: &str) -> Ident {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    let camel: String = words.collect();
    // `Self` is the only keyword that begins with a capital letter, so no other name needs an underscore.
    let camel = if camel == "Self" { "Self_".to_owned() } else { camel };
    Ident::new(&camel, Span::mixed_site())
}

/// Generates the code of an error.
pub(super) fn error_code(machine: &Machine, error: ErrorId) -> TokenStream {
    let code = variant(&machine.errors[usize::from(error.0)].name);
    quote! { ErrorCode::#code }
}

/// Converts `attribute-name` to `attribute_name`, for use in an identifier.
pub(super) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns the Rust label of a loop of an algorithm.
pub(super) fn steps_label(number: usize) -> TokenStream {
    lifetime(&format!("steps_{number}"))
}

/// Converts `attribute-name` to the label `'s_attribute_name`.
pub(super) fn label(name: &str) -> TokenStream {
    lifetime(&format!("s_{}", name.replace('-', "_")))
}

/// Returns the label of the loop around a block.
pub(super) fn loop_label(name: &str) -> TokenStream {
    lifetime(&format!("stay_{}", name.replace('-', "_")))
}

/// Returns the label of the ending before a block.
pub(super) fn ending_label(name: &str) -> TokenStream {
    lifetime(&format!("end_{}", name.replace('-', "_")))
}

fn lifetime(name: &str) -> TokenStream {
    let apostrophe = proc_macro2::Punct::new('\'', proc_macro2::Spacing::Joint);
    let ident = Ident::new(name, Span::mixed_site());
    quote! { #apostrophe #ident }
}
