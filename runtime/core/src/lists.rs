//! What is said of the codes of parse errors: the list of words and anchors from the folder of the tables. It decides
//! nothing, and is looked at only for people. Invariant: no code is named elsewhere in this package.

/// What a code means.
#[derive(Clone, Copy, Debug)]
struct Words {
    code: &'static str,
    message: &'static str,
    /// The anchor in the document of [`ADDRESS`].
    anchor: Option<&'static str>,
}

/// Makes the list.
macro_rules! words {
    (
        address $address:literal;
        standard { $($named:literal = $name_message:literal;)* }
        others { $($code:literal $(@ $anchor:literal)? = $message:literal;)* }
    ) => {
        /// The address of the document that the anchors are of.
        const ADDRESS: &str = $address;

        static WORDS: &[Words] = &[
            $(Words {
                code: $named,
                message: $name_message,
                anchor: Some(concat!("parse-error-", $named)),
            },)*
            $(Words { code: $code, message: $message, anchor: words!(@ $($anchor)?) },)*
        ];
    };
    (@) => { None };
    (@ $anchor:literal) => { Some($anchor) };
}

include!("../../../spec/tables/errors.text");

fn words(code: &str) -> Option<&'static Words> {
    WORDS.iter().find(|words| words.code == code)
}

/// What a code means, if it is one of the list.
pub(crate) fn message(code: &str) -> Option<&'static str> {
    words(code).map(|words| words.message)
}

/// Where the document of this address says what a code means, or, if it has no name there, where it is reported.
pub(crate) fn url(address: &str, code: &str) -> Option<String> {
    let anchor = words(code)?.anchor?;
    (address == ADDRESS).then(|| format!("{address}#{anchor}"))
}
