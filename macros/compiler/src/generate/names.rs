//! Conversion of table names to Rust identifiers. Distinct names give distinct identifiers, none of them a keyword.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::fmt::Display;
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

/// Converts `attribute-name` to the label `'prefix_attribute_name`. The prefix tells what the label marks: `s` a block,
/// `stay` the loop around a block, `steps` a loop of an algorithm.
pub(super) fn label(prefix: &str, name: impl Display) -> TokenStream {
    let apostrophe = proc_macro2::Punct::new('\'', proc_macro2::Spacing::Joint);
    let ident = Ident::new(&snake(&format!("{prefix}_{name}")), Span::mixed_site());
    quote! { #apostrophe #ident }
}
