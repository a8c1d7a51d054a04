//! Kinds of the values of algorithms.

/// Declares the kinds of values: the name of each in messages, and its words in tables.
macro_rules! kinds {
    ($($kind:ident $description:literal $($word:literal)|*;)*) => {
        /// The kind of a value in an algorithm. A node, a location or a position may be missing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ValueKind {
            $(#[doc = concat!("The value is ", $description, ".")] $kind,)*
        }

        impl ValueKind {
            /// Words for kinds of values, in the parameters and results of algorithms.
            pub const WORDS: &'static [(&'static str, Self)] = &[$($(($word, Self::$kind),)*)*];

            /// Returns the kind's name in messages.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$kind => $description,)*
                }
            }
        }
    };
}

kinds! {
    Node "a node" "node" | "node-object" | "element" | "element-or-fragment" | "fragment" | "document";
    Entry "an entry of the list of active formatting elements";
    Bookmark "a position in the list of active formatting elements";
    Location "an insertion location" "insertion-location";
    Number "a number";
    Text "a string" "string";
    Token "a token" "token";
    Truth "true or false" "boolean";
    Names "a list of element types";
    Scripting "a scripting mode" "parser-scripting-mode";
    Nodes "a list of nodes" "list";
    Attribute "an attribute";
    Byte "a byte";
    Position "a position in the bytes";
    Encoding "an encoding" "encoding";
    List "a list of strings";
}
