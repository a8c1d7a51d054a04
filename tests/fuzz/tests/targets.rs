//! Runs every target on its corpus, its regressions, and a sample of mutated inputs; `cargo run --profile campaign -p
//! tabulex-fuzz` runs longer. Every target has a corpus, and every folder belongs to a target.

use std::path::Path;
use tabulex_fuzz::campaign::{Campaign, Failure};
use tabulex_fuzz::{TARGETS, Target, files};
use tabulex_tests::sample;
use tabulex_tests::shared::report;

/// Number of mutated inputs of each target in a sampled run.
const SAMPLE_SIZE: usize = 60;
/// Number of mutated inputs of each target in a complete run.
const FULL_SIZE: u64 = 2_000;

fn run(name: &str) {
    let target: &'static Target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let corpus = files::corpus(name);
    assert!(corpus.len() >= 3, "the corpus of `{name}` has fewer than 3 inputs");
    let regressions = files::regressions(name);
    let file_count = corpus.len() + regressions.len();
    let seeds = sample::seeds(&format!("fuzz {name}"), 0..FULL_SIZE, SAMPLE_SIZE);
    let mut campaign = Campaign::new(target, seeds[0]);
    for (file, input) in corpus.into_iter().chain(regressions) {
        campaign.run(input).unwrap_or_else(|failure| fail(name, &file, &failure));
    }
    // The campaign uses only the first seed, because each step depends on the inputs that earlier steps kept; the other
    // seeds only determine the number of steps.
    for _ in &seeds {
        let outcome = campaign.step(&mut |_| ());
        outcome.unwrap_or_else(|failure| fail(name, "a mutated input", &failure));
    }
    let (kept, coverage) = campaign.sizes();
    assert!(
        coverage > 10,
        "the inputs of `{name}` reach only {coverage} coverage items, expected more than 10"
    );
    let mutated_count = seeds.len();
    report(&format!(
        "fuzz {name}: {file_count} kept inputs, {mutated_count} mutated, {kept} reach {coverage}"
    ));
}

fn fail(name: &str, file: &str, failure: &Failure) -> ! {
    let Failure { input, message } = failure;
    panic!("{name}, {file}: b\"{}\"\n{message}", input.escape_ascii())
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn each_target_has_a_test_and_each_folder_a_target() {
            let names = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(names), "`TARGETS` and the tests differ in names or order");
            for kind in ["corpus", "regressions"] {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
                for entry in std::fs::read_dir(folder).unwrap() {
                    let name = entry.unwrap().file_name().to_string_lossy().into_owned();
                    assert!(names.contains(&&name[..]) || name == "README.md", "{kind}/{name}");
                }
            }
        }
    };
}

targets! { tokens trees fragments bytes streaming entities serialize mutation foreign select edits rewrite sanitize language documents batch urls }
