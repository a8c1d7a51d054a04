//! The macro by which packages include lists of words from the folder of the tables.

/// Declares `LISTS`, a constant with one field of names for each list of a table.
#[doc(hidden)]
#[macro_export]
macro_rules! __lists {
    ($($name:ident = $($member:literal)|+;)+) => {
        /// The lists of a dialect.
        // A package may use some only with a feature.
        #[allow(dead_code)]
        pub(crate) struct Lists {
            $(pub(crate) $name: &'static [&'static str],)+
        }

        pub(crate) const LISTS: Lists = Lists { $($name: &[$($member),+],)+ };
    };
}
