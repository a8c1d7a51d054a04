//! The tests that declare sets of DOCTYPEs.

use crate::model::tree::DoctypeQuestion;
use crate::vocabulary::forms;

forms! {
    /// All tests that `doctypes` can contain.
    DOCTYPE_TESTS: "DOCTYPE test" of DoctypeQuestion, DoctypeTests;
    list "doctype-tests" {
        "force-quirks" {
            just: DoctypeQuestion::ForceQuirks,
            meaning: "The force-quirks flag is set.",
        }
        "name <string>" {
            is: DoctypeQuestion::NameIs(_),
            make: |slots| DoctypeQuestion::NameIs(slots.string()),
            meaning: "The name is this string, ignoring ASCII case.",
        }
        "public <string>" {
            is: DoctypeQuestion::PublicIs(_),
            make: |slots| DoctypeQuestion::PublicIs(slots.string()),
            meaning: "The public identifier is this string.",
        }
        "public-begins <string>" {
            is: DoctypeQuestion::PublicBegins(_),
            make: |slots| DoctypeQuestion::PublicBegins(slots.string()),
            meaning: "The public identifier begins with this string.",
        }
        "public missing" {
            just: DoctypeQuestion::PublicMissing,
            meaning: "There is no public identifier.",
        }
        "system <string>" {
            is: DoctypeQuestion::SystemIs(_),
            make: |slots| DoctypeQuestion::SystemIs(slots.string()),
            meaning: "The system identifier is this string.",
        }
        "system missing" {
            just: DoctypeQuestion::SystemMissing,
            meaning: "There is no system identifier.",
        }
    }
}
