//! Compares the prescan and the serializer with the steps in the HTML table, executed literally, on random bytes and
//! trees. `trees` covers the equality of trees.

use tabulex::Machine;
use tabulex::encoding::Encoding;
use tabulex::html::{self, Html};
use tabulex_oracle::interpreter::tree::prescan;
use tabulex_tests::interpreted::table;
use tabulex_tests::random::{Random, pieces};
use tabulex_tests::{sample, steps};

fn encoding_name(label: &str) -> Option<String> {
    Encoding::for_label(label).ok().map(|encoding| encoding.name().to_owned())
}

#[test]
fn the_prescan_matches_the_interpreted_steps() {
    let machine = table("html").machine();
    let mut declared_count = 0;
    let seeds = sample::seeds("prescan", 0..200_000, 4_000);
    let count = seeds.len();
    let listed_pages = pieces("prescan inputs").iter().map(|text| text.as_bytes().to_vec());
    let random_pages =
        seeds.into_iter().map(|seed| steps::page_declaring_encoding(&mut Random::new(seed + 1)));
    for bytes in listed_pages.chain(random_pages) {
        let native = Html::CLUES.prescan(&bytes).map(|encoding| encoding.name().to_owned());
        let interpreted = prescan(machine, &bytes, &encoding_name).unwrap();
        assert_eq!(native, interpreted, "{}", bytes.escape_ascii());
        declared_count += usize::from(native.is_some());
    }
    assert!(
        declared_count * 20 > count,
        "only {declared_count} of {count} inputs declare an encoding"
    );
}

#[test]
fn the_serializer_matches_the_interpreted_steps() {
    let table = table("html");
    for seed in sample::seeds("serializer", 0..100_000, 1_000) {
        let difference = steps::serialized_difference(&html::DIALECT, table, seed + 1);
        assert_eq!(difference, None);
    }
}
