//! The lists of the standard by which text is read, from the folder of the tables. It decides nothing. Invariant: no element
//! is named elsewhere in this package.

/// Makes lists of names.
macro_rules! lists {
    ($($name:ident = $($member:literal)|+;)+) => {
        /// The lists.
        // Without the feature `url` nobody asks for the URLs of elements.
        #[cfg_attr(not(feature = "url"), allow(dead_code))]
        pub(crate) struct Lists {
            $(pub(crate) $name: &'static [&'static str],)+
        }

        /// Those of HTML.
        pub(crate) const LISTS: Lists = Lists { $($name: &[$($member),+],)+ };
    };
}

include!("../../../spec/tables/html.text");
