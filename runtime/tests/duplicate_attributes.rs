//! Tests of duplicate attributes: only the first attribute of each name is kept, however the input is chunked. The
//! names of a tag's attributes differ in length, in one letter, in case, or not at all.

#![cfg(feature = "html")]

use tabulex::html::{Html, State};
use tabulex::{Control, MachineSink, ParseError, Sink, Tag, Tokenizer, tokenize};

/// The attribute names as written.
const NAMES: &[&str] = &["a", "A", "b", "ab", "bb"];

/// The maximum number of attributes per tag.
const MAX_ATTRIBUTES: usize = 5;

#[derive(Debug, Default, PartialEq)]
struct TagRecord {
    names: Vec<String>,
    errors: usize,
}

impl MachineSink for TagRecord {}

impl Sink for TagRecord {
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.names.extend(tag.attributes().map(|attribute| attribute.name.into()));
        Control::Continue
    }

    fn error(&mut self, _: ParseError) {
        self.errors += 1;
    }
}

/// Returns the record of a tag with attributes of these names: each name once, and an error for each duplicate.
fn expected_record(names: &[&str]) -> TagRecord {
    let mut record = TagRecord::default();
    for name in names.iter().map(|name| name.to_ascii_lowercase()) {
        if record.names.contains(&name) {
            record.errors += 1;
        } else {
            record.names.push(name);
        }
    }
    record
}

/// Tests a tokenizer that a host sets to the state before an attribute name, so that its tag has no name.
#[test]
fn drops_duplicates_in_tags_started_by_a_host() {
    let mut record = TagRecord::default();
    let mut tokenizer = Tokenizer::<Html>::new();
    tokenizer.set_state(State::BeforeAttributeName);
    let _ = tokenizer.finish_with("a b a>", &mut record);
    assert_eq!(record, expected_record(&["a", "b", "a"]));
}

fn check(tokenizer: &mut Tokenizer<Html>, names: &[&str]) {
    let input = format!("<x {}>", names.join(" "));
    for cut in [0, 4, input.len() / 2, input.len() - 1] {
        let mut record = TagRecord::default();
        let _ = tokenizer.feed(&input[..cut], &mut record);
        let _ = tokenizer.finish_with(&input[cut..], &mut record);
        tokenizer.reset();
        assert_eq!(record, expected_record(names), "{input} cut at {cut}");
    }
}

#[test]
fn keeps_the_first_attribute_of_each_name() {
    // One tokenizer reads all tags, to test that earlier tags have no effect.
    let mut tokenizer = Tokenizer::<Html>::new();
    let mut tags = vec![Vec::new()];
    for _ in 0..MAX_ATTRIBUTES {
        let extend_tag = |tag: &Vec<_>| {
            NAMES.iter().map(|name| [&tag[..], &[*name]].concat()).collect::<Vec<_>>()
        };
        tags = tags.iter().flat_map(extend_tag).collect();
        for tag in &tags {
            check(&mut tokenizer, tag);
        }
    }
}

/// Tests that attributes of a large tag do not count as duplicates in the next tag.
#[test]
fn forgets_attributes_of_large_tags() {
    let attributes: String = (0..300).map(|index| format!(" a{index}")).collect();
    let mut record = TagRecord::default();
    let input = format!("<p{attributes}><b{attributes}><i a0 a0>");
    tokenize::<Html, _>(&input, &mut record);
    assert_eq!((record.names.len(), record.errors), (601, 1));
}
