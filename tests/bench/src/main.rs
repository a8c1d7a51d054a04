//! Measures tokenizers and builders of trees side by side in one run: interleaved, medians of rounds, ratios within rounds, results checked.
//! It is no test of exactness. Invariant: a contestant whose sums differ from ours ends the run.

mod contestants;
mod xml;

use contestants::{CONTESTANTS, Contestant, Sums};
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROUNDS: usize = 9;

/// `[FOLDER [ROUNDS [PART OF A NAME]]]` for HTML; the word `xml` before them for XML.
fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let is_xml = arguments.next_if(|word| word == "xml").is_some();
    let default = if is_xml { "corpus/xml" } else { "corpus/html/pages" };
    let folder = arguments.next().map_or_else(|| shared(default), PathBuf::from);
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let only = arguments.next();
    let pages = pages(&folder);
    let fields: &[&[Contestant]] = if is_xml { &[xml::TOKENIZERS, xml::TREES] } else { &[CONTESTANTS] };
    for field in fields {
        let chosen = field.iter().filter(|contestant| only.as_ref().is_none_or(|only| contestant.0.contains(only)));
        race(&chosen.collect::<Vec<_>>(), &pages, rounds);
    }
}

fn race(contestants: &[&Contestant], pages: &[String], rounds: usize) {
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {bytes} bytes, {rounds} rounds", pages.len());
    let mut rates = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let index = (round + turn) % contestants.len();
            rates[index].push(measure(contestants[index].1, pages, bytes));
        }
    }
    let sums: Vec<Sums> = contestants.iter().map(|contestant| pages.iter().map(|page| contestant.1(page)).sum()).collect();
    for (index, contestant) in contestants.iter().enumerate() {
        let mut ratios: Vec<f64> = (0..rounds).map(|round| rates[0][round] / rates[index][round]).collect();
        println!(
            "{:<28} {:>8.1} MB/s   tabulex is {:>5.2} times as fast   {:?}",
            contestant.0,
            median(&mut rates[index].clone()),
            median(&mut ratios),
            sums[index]
        );
    }
}

fn measure(run: fn(&str) -> Sums, pages: &[String], bytes: usize) -> f64 {
    let mut passes = 0;
    let start = Instant::now();
    while start.elapsed().as_millis() < 150 {
        for page in pages {
            std::hint::black_box(run(std::hint::black_box(page)));
        }
        passes += 1;
    }
    (bytes * passes) as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path)
}

fn pages(folder: &Path) -> Vec<String> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let read = |path: &PathBuf| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    paths.iter().map(|path| String::from_utf8_lossy(&read(path)).into_owned()).collect()
}
