//! Kinds of the values of algorithms.

/// Declares the kinds of values: the name of each in slots and in messages, and its words in tables.
macro_rules! kinds {
    ($($slot:literal $kind:ident $description:literal $($word:literal)|*;)*) => {
        /// The kind of a value in an algorithm. A node, a location or a position may be missing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ValueKind {
            $(#[doc = concat!("The value is ", $description, ".")] $kind,)*
        }

        impl ValueKind {
            /// Words for kinds of values, in the parameters and results of algorithms.
            pub const WORDS: &'static [(&'static str, Self)] = &[$($(($word, Self::$kind),)*)*];

            /// Kinds of values by the slots that take them.
            pub(crate) const SLOTS: &'static [(&'static str, Self)] = &[$(($slot, Self::$kind),)*];

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
    "node" Node "a node" "node" | "node-object" | "element" | "element-or-fragment" | "fragment" | "document";
    "entry" Entry "an entry of the list of active formatting elements";
    "bookmark" Bookmark "a position in the list of active formatting elements";
    "location" Location "an insertion location" "insertion-location";
    "number" Number "a number";
    "text" Text "a string" "string";
    "token" Token "a token" "token";
    "truth" Truth "true or false" "boolean";
    "names" Names "a list of element types";
    "scripting" Scripting "a scripting mode" "parser-scripting-mode";
    "nodes" Nodes "a list of nodes" "list";
    "attribute" Attribute "an attribute";
    "byte" Byte "a byte";
    "position" Position "a position in the bytes";
    "encoding" Encoding "an encoding" "encoding";
    "list" List "a list of strings";
}
