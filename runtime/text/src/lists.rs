//! The standard's lists of elements, included from `spec/tables/html.text`. No other file of this package names an element.

/// Turns the declarations of the table into constants.
macro_rules! lists {
    ($($name:ident = $($member:literal)|+;)+) => {
        /// The lists of a dialect.
        // Some lists are used only with the features `url` and `markdown`.
        #[cfg_attr(not(all(feature = "url", feature = "markdown")), allow(dead_code))]
        pub(crate) struct Lists {
            $(pub(crate) $name: &'static [&'static str],)+
        }

        /// The lists of HTML.
        pub(crate) const LISTS: Lists = Lists { $($name: &[$($member),+],)+ };
    };
}

include!("../../../spec/tables/html.text");
