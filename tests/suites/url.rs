//! The URL parser with the cases of the Web Platform Tests, and beside crate `url`. Invariant: every case is read whole and
//! in chunks, and one whose result differs is listed with its reason.

use serde_json::Value;
use std::fs;
use tabulex::record::{ReadOptions, Record};
use tabulex_tests::known::Known;
use tabulex_tests::results;
use tabulex_tests::shared::{report, shared};

const FIELDS: [&str; 10] = [
    "href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search",
    "hash",
];

fn read(input: &str, base: Option<&str>, chunk: Option<usize>) -> Record {
    let dialects = tabulex::record_dialects().iter();
    let dialect = dialects.copied().find(|dialect| dialect.id == "url");
    let dialect = dialect.expect("the dialect is in this build");
    (dialect.read)(input, base, &ReadOptions::new().chunk(chunk))
}

/// Returns the field of a record with this name.
fn field<'r>(record: &'r Record, name: &str) -> Option<&'r str> {
    let fields = record.fields.as_ref()?;
    fields.iter().find(|(other, _)| *other == name).map(|(_, text)| &**text)
}

#[test]
fn urls_of_the_web_platform_tests() {
    let Some(folder) = shared("testdata/url") else {
        report(
            "url: 0 cases, suite absent: testdata/url; to get it: curl -O \
             https://raw.githubusercontent.com/web-platform-tests/wpt/master/url/resources/urltestdata.json",
        );
        return;
    };
    let text = fs::read_to_string(folder.join("urltestdata.json")).expect("the suite is read");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("the suite is JSON");
    let mut known = Known::read("url");
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().expect("a case has an input");
        let base = case["base"].as_str();
        let record = read(input, base, None);
        for chunk in [1, 2, 3, 7] {
            assert_eq!(read(input, base, Some(chunk)), record, "{input:?} {base:?}, {chunk} bytes");
        }
        let is_good = match case["failure"].as_bool() {
            Some(true) => record.fields.is_none(),
            _ => {
                let fields = FIELDS.iter().chain(case.get("origin").map(|_| &"origin"));
                fields.into_iter().all(|name| field(&record, name) == case[*name].as_str())
            }
        };
        if is_good {
            passed += 1;
        } else if known.excuses(input) {
            excused += 1;
        } else {
            failures.push(format!("{input:?} {base:?}\n- {case}\n+ {record:?}"));
        }
    }
    report(&format!("url: {passed} cases as expected, {excused} differ as listed"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let stale = known.stale();
    assert!(stale.is_empty(), "listed as differing, but passing or absent: {stale:?}");
    results::hold("url", passed + excused, passed);
}
