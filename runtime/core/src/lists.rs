//! Messages and anchors for the codes of parse errors, from `spec/tables/errors.text`.

/// The message and anchor of an error code.
#[derive(Clone, Copy, Debug)]
struct CodeInfo {
    code: &'static str,
    message: &'static str,
    /// The anchor in the document at [`ADDRESS`], if the code has one.
    anchor: Option<&'static str>,
}

/// Defines [`ADDRESS`] and [`CODES`] from the contents of `errors.text`, which is a call of this macro.
macro_rules! words {
    (
        address $address:literal;
        standard { $($named:literal = $name_message:literal;)* }
        others { $($code:literal $(@ $anchor:literal)? = $message:literal;)* }
    ) => {
        /// The address of the document that has the anchors.
        const ADDRESS: &str = $address;

        static CODES: &[CodeInfo] = &[
            $(CodeInfo {
                code: $named,
                message: $name_message,
                anchor: Some(concat!("parse-error-", $named)),
            },)*
            $(CodeInfo { code: $code, message: $message, anchor: words!(@ $($anchor)?) },)*
        ];
    };
    (@) => { None };
    (@ $anchor:literal) => { Some($anchor) };
}

include!("../../../spec/tables/errors.text");

fn find_info(code: &str) -> Option<&'static CodeInfo> {
    CODES.iter().find(|info| info.code == code)
}

/// Returns the message of a code, if it is in the list.
pub(crate) fn message(code: &str) -> Option<&'static str> {
    find_info(code).map(|info| info.message)
}

/// Returns the URL of the section that describes or reports a code, or `None` if the code has no anchor or `address` is
/// not that of the list's document.
pub(crate) fn url(address: &str, code: &str) -> Option<String> {
    let anchor = find_info(code)?.anchor?;
    (address == ADDRESS).then(|| format!("{address}#{anchor}"))
}
