//! Prints the results of peers for generated cases: tokens of html5ever and html5gum, trees of html5ever and scraper.
//! `cargo xtask differences` compares them.

mod tokens;
mod trees;

use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};

/// A function that returns a peer's result for a case, or `None` if the peer does not support the case.
type PeerFn = fn(&Value) -> Option<Value>;

const PEERS: &[(&str, &str, PeerFn)] = &[
    ("html5ever", "tokens", tokens::html5ever),
    ("html5gum", "tokens", tokens::html5gum),
    ("html5ever", "trees", trees::html5ever),
    ("scraper", "trees", trees::scraper),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("missing argument: the file of cases")?;
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (name, key, peer) in PEERS {
        let key_cases = cases[key]
            .as_array()
            .ok_or_else(|| format!("the file of cases has no list `{key}`"))?;
        for (number, case) in key_cases.iter().enumerate() {
            let Some(result) = peer(case) else { continue };
            let version = version(name);
            let line = json!({"peer": name, "version": version, "of": key, "case": number, "found": result});
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Returns a peer's version in `Cargo.lock`, or `?` if the peer is not listed.
fn version(name: &str) -> &'static str {
    let lock = include_str!("../../../Cargo.lock");
    let heading = format!("name = \"{name}\"\nversion = \"");
    let from_version = lock.split_once(&heading).map(|(_, after)| after);
    from_version.and_then(|text| text.split('"').next()).unwrap_or("?")
}
