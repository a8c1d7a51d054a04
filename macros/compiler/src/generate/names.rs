//! The one place where names of the table become identifiers. It checks nothing. Invariant: different names of a table
//! give different identifiers, and none is a keyword.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// `attribute-name` as the variant `AttributeName`.
pub(super) fn variant(name: &str) -> Ident {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    // `Self` is the one keyword that begins with a capital.
    let camel: String = words.collect();
    let camel = if camel == "Self" { "Self_".to_owned() } else { camel };
    Ident::new(&camel, Span::mixed_site())
}

/// `attribute-name` as the label `'attribute_name`.
pub(super) fn label(name: &str) -> TokenStream {
    lifetime(&format!("s_{}", name.replace('-', "_")))
}

/// The label of the loop in which a block stays.
pub(super) fn loop_label(name: &str) -> TokenStream {
    lifetime(&format!("stay_{}", name.replace('-', "_")))
}

/// The label of the ending of rows that go to a block.
pub(super) fn ending_label(name: &str) -> TokenStream {
    lifetime(&format!("end_{}", name.replace('-', "_")))
}

fn lifetime(name: &str) -> TokenStream {
    let apostrophe = proc_macro2::Punct::new('\'', proc_macro2::Spacing::Joint);
    let ident = Ident::new(name, Span::mixed_site());
    quote! { #apostrophe #ident }
}
