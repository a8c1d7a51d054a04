//! Measures tokenizers side by side in one run: interleaved, medians of rounds, ratios within rounds, results checked.
//! It is no test of exactness. Invariant: a contestant whose sums differ from ours ends the run.

mod contestants;

use contestants::{CONTESTANTS, Sums};
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROUNDS: usize = 9;

fn main() {
    let folder = std::env::args().nth(1).map_or_else(default_folder, PathBuf::from);
    let rounds = std::env::args().nth(2).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let only = std::env::args().nth(3);
    let pages = pages(&folder);
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {bytes} bytes, {rounds} rounds", pages.len());
    let contestants: Vec<_> =
        CONTESTANTS.iter().filter(|contestant| only.as_ref().is_none_or(|only| contestant.0.contains(only))).collect();
    let mut rates = vec![Vec::new(); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let index = (round + turn) % contestants.len();
            rates[index].push(measure(contestants[index].1, &pages, bytes));
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

fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/html/pages")
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
