//! The lists of the standard by which text is read, from the folder of the tables. It decides nothing. Invariant: no element
//! is named elsewhere in this package.

/// Makes lists of names.
macro_rules! lists {
    ($($name:ident = $($member:literal)|+;)+) => {
        /// The lists.
        // Nobody asks for the URLs of elements without the feature `url`, nor for what Markdown has without `markdown`.
        #[cfg_attr(not(all(feature = "url", feature = "markdown")), allow(dead_code))]
        pub(crate) struct Lists {
            $(pub(crate) $name: &'static [&'static str],)+
        }

        /// Those of HTML.
        pub(crate) const LISTS: Lists = Lists { $($name: &[$($member),+],)+ };
    };
}

include!("../../../spec/tables/html.text");
