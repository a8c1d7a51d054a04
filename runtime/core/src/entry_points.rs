//! The entry points that the packages of dialects have in common.

/// Defines the listed entry points of a package with the machine `$machine`: `parser` with its type, which
/// `parser_type` defines alone. Comments before `tokens`, `parse` or `parse_bytes` become the documentation; only
/// `parse_bytes` has one without them, and the others take none.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry_points {
    ($machine:ident: $($(#[$doc:meta])* $name:ident;)+) => {
        $($crate::__entry_points! { @$name $machine $(#[$doc])* })+
    };
    (@value $machine:ident) => {
        #[cfg(feature = "value")]
        /// The dialect as a value, for programs that choose a dialect at run time.
        pub static DIALECT: $crate::Dialect = <$machine as $crate::Machine>::DIALECT;
    };
    (@tokens $machine:ident $($doc:tt)+) => {
        $($doc)+
        pub fn tokens(input: &str) -> $crate::Tokens<'_, $machine> {
            $crate::Tokens::new(input)
        }
    };
    (@raw_tokens $machine:ident) => {
        /// Returns the tokens of the tokenizer alone: tree construction does not switch its state. See
        /// [`Tokens::raw`](tabulex_core::Tokens::raw).
        pub fn raw_tokens(input: &str) -> $crate::Tokens<'_, $machine> {
            $crate::Tokens::raw(input)
        }
    };
    (@parse $machine:ident $($doc:tt)+) => {
        $($doc)+
        pub fn parse(input: &str, options: $crate::Options) -> $crate::Parsed {
            $crate::parse::<$machine>(input, &options)
        }
    };
    (@parse_bytes $machine:ident) => {
        $crate::__entry_points! {
            @parse_bytes $machine #[doc = " Parses bytes after detecting their encoding."]
        }
    };
    (@parse_bytes $machine:ident $($doc:tt)+) => {
        $($doc)+
        pub fn parse_bytes(bytes: &[u8], options: $crate::Options) -> $crate::Parsed {
            $crate::parse_bytes::<$machine>(bytes, &options)
        }
    };
    (@parse_fragment $machine:ident) => {
        /// Parses a fragment, whose nodes become the children of the resulting tree's document element.
        pub fn parse_fragment(
            input: &str,
            context: impl Into<$crate::FragmentContext>,
            options: $crate::Options,
        ) -> $crate::Parsed {
            $crate::parse_fragment::<$machine>(input, &context.into(), &options)
        }
    };
    (@parser $machine:ident) => {
        /// Creates an incremental parser.
        pub fn parser(options: $crate::Options) -> Parser {
            Parser::new(&options)
        }

        $crate::__entry_points! { @parser_type $machine }
    };
    (@parser_type $machine:ident) => {
        /// An incremental parser, fed in chunks.
        pub type Parser<S = $crate::tree::Tree> = $crate::Parser<$machine, S>;
    };
    (@serializer $machine:ident) => {
        /// Returns a serializer that writes nodes as HTML.
        pub const fn serializer() -> $crate::tree::HtmlSerializer<'static> {
            $crate::tree::HtmlSerializer::new(&<$machine as $crate::Construction>::SERIALIZATION)
        }
    };
}
