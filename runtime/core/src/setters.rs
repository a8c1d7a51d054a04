//! A macro for types of options.

/// Defines methods of a type that set a field and return `self`, each as `name(argument: Type) => field = value;`. For
/// a type with `: Default = new`, also makes the result of `new` its default.
#[doc(hidden)]
#[macro_export]
macro_rules! __setters {
    (
        $owner:ident $(<$lifetime:lifetime>)? $(: $default:ident = $new:ident)?;
        $(
            $(#[$attribute:meta])*
            $name:ident($argument:ident: $type:ty) => $field:ident = $value:expr;
        )*
    ) => {
        impl $(<$lifetime>)? $owner $(<$lifetime>)? {$(
            $(#[$attribute])*
            #[must_use]
            pub const fn $name(mut self, $argument: $type) -> Self {
                self.$field = $value;
                self
            }
        )*}

        $(impl $default for $owner {
            fn default() -> Self {
                Self::$new()
            }
        })?
    };
}

pub(crate) use __setters as setters;
