//! The macro by which packages include the word lists of `spec/tables`.

/// Declares the constant `LISTS`, which has a field for each list, with the words of the list.
#[doc(hidden)]
#[macro_export]
macro_rules! __lists {
    ($($name:ident = $($member:literal)|+;)+) => {
        /// The word lists of a dialect.
        // Some lists are used only with a feature of the package.
        #[allow(dead_code)]
        pub(crate) struct Lists {
            $(pub(crate) $name: &'static [&'static str],)+
        }

        pub(crate) const LISTS: Lists = Lists { $($name: &[$($member),+],)+ };
    };
}
