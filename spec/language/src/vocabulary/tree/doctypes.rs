//! The tests that declare sets of DOCTYPEs.

use crate::vocabulary::forms;

forms! {
    /// All tests that `doctypes` can contain.
    DOCTYPE_TESTS: "DOCTYPE test";
    /// A question about a DOCTYPE. A missing name or identifier is not equal to any string, not even the empty one.
    DoctypeQuestion: DoctypeTests;
    list "doctype-tests" {
        "force-quirks" => ForceQuirks,
            "The force-quirks flag is set.";
        "name <string>" => NameIs(string: String),
            "The name is this string, ignoring ASCII case.";
        "public <string>" => PublicIs(string: String),
            "The public identifier is this string.";
        "public-begins <string>" => PublicBegins(string: String),
            "The public identifier begins with this string.";
        "public missing" => PublicMissing,
            "There is no public identifier.";
        "system <string>" => SystemIs(string: String),
            "The system identifier is this string.";
        "system missing" => SystemMissing,
            "There is no system identifier.";
    }
}
