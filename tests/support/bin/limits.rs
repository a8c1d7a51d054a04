//! Parses its standard input with a limit of the bytes held, and prints the peak of its resident memory in bytes. It is run
//! by the suite `limits`. Invariant: it keeps nothing of the input itself.

use std::io::Read;
use tabulex::{Limits, Options};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("a dialect");
    let limit = arguments.next().and_then(|limit| limit.parse().ok()).expect("a limit in bytes");
    let dialect = tabulex::dialects().iter().find(|dialect| dialect.id() == name);
    let options = Options::new().limits(Limits::new().bytes(limit).errors(usize::MAX));
    let mut parser = dialect.and_then(|dialect| dialect.parser(&options)).expect("a parser");
    let mut chunk = vec![0; 1 << 16];
    let mut input = std::io::stdin().lock();
    while let Ok(length @ 1..) = input.read(&mut chunk) {
        parser.feed_bytes(&chunk[..length]);
    }
    let parsed = parser.take();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    println!("{}", kilobytes.expect("the peak") * 1024);
    drop(parsed);
}
