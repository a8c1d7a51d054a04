//! Parses standard input with a limit on memory, or with the default limits, and prints the process's peak resident
//! memory in bytes and its CPU time in milliseconds. Run by the suites `limits` and `slow`. Uses of whole pages are in
//! `tabulex_tests::uses`. If a use needs the whole input at once, the memory of the input is not counted.
//!
//! usage: tabulex-limits DIALECT LIMIT|default WAY [CONTEXT]

use std::io::{self, Read, Write as _};
use std::ops::ControlFlow;
use std::time::Duration;
use tabulex::encoding::{Decoder, Encoding};
use tabulex::{AnyParser, Dialect, FragmentContext, Limits, Options, many};
use tabulex_tests::compiled::IgnoringSink;
use tabulex_tests::uses;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ([name, limit, way], context) = arguments.split_first_chunk().unwrap();
    let dialect = tabulex::dialects().iter().find(|dialect| dialect.id() == name);
    let dialect = dialect.unwrap();
    let limit = (limit != "default").then(|| limit.parse().unwrap());
    let context = context.first().map_or("div", String::as_str);
    let (input_kib, cpu_time) = measure(dialect, limit, way, context)?;
    let peak = memory_kib("VmHWM:").saturating_sub(input_kib);
    writeln!(io::stdout(), "{} {}", peak * 1024, cpu_time.as_millis())
}

/// Parses the input in one of the ways. Returns the memory in KiB that the whole input occupies, or 0 if it is read in
/// chunks, and the CPU time. Reading a whole input is not timed.
fn measure(
    dialect: &'static Dialect,
    limit: Option<usize>,
    way: &str,
    context: &str,
) -> io::Result<(usize, Duration)> {
    let default_limits = Limits::new();
    let limits =
        limit.map_or(default_limits, |limit| default_limits.bytes(limit).errors(usize::MAX));
    let options = Options::new().limits(limits);
    let parser = || dialect.parser(&options).unwrap();
    let fragment = || dialect.fragment_parser(&FragmentContext::from(context), &options);
    let start = total_cpu_time();
    match way {
        "bytes" => {
            let mut parser = parser();
            for_each_chunk(&mut |chunk| parser.feed_bytes(chunk))?;
            drop(parser.finish_and_reset());
        }
        "text" | "fragment" => {
            let mut parser = match way {
                "text" => parser(),
                _ => fragment().unwrap(),
            };
            let mut decoder = Decoder::new(Encoding::UTF_8);
            for_each_chunk(&mut |chunk| decoder.decode(chunk, |text| parser.feed(text)))?;
            drop(parser.finish_and_reset());
        }
        "tokens" => {
            let mut tokenizer = dialect.tokenizer();
            // Attributes take much more memory than their text, so at most one is kept per 256 bytes of the limit.
            tokenizer.set_limits(&limit.map_or(default_limits, |limit| {
                default_limits.token(limit).attributes(limit / 256)
            }));
            let mut decoder = Decoder::new(Encoding::UTF_8);
            for_each_chunk(&mut |chunk| {
                decoder.decode(chunk, |text| {
                    let _ = tokenizer.feed(text, &mut IgnoringSink);
                });
            })?;
            let _ = tokenizer.finish(&mut IgnoringSink);
        }
        _ => return measure_whole(dialect, way, &parser, &fragment),
    }
    Ok((0, total_cpu_time() - start))
}

/// Parses the input in one of the ways that need it as a whole; see [`measure`].
fn measure_whole(
    dialect: &'static Dialect,
    way: &str,
    parser: &(dyn Fn() -> Box<dyn AnyParser> + Sync),
    fragment: &dyn Fn() -> Option<Box<dyn AnyParser>>,
) -> io::Result<(usize, Duration)> {
    let kib_without_input = memory_kib("VmRSS:");
    let mut input = String::new();
    io::stdin().lock().read_to_string(&mut input)?;
    // The input is memory of the caller, not of the parser, so its size is returned and later subtracted from the peak.
    let input_kib = memory_kib("VmRSS:") - kib_without_input;
    let start = total_cpu_time();
    match way {
        "whole" => {
            let parsed = parser().parse(&input);
            let cpu_time = total_cpu_time() - start;
            drop(parsed);
            return Ok((input_kib, cpu_time));
        }
        "contents" => drop(fragment().unwrap().parse(&input)),
        "many" => {
            let thread_count = 1.try_into().unwrap();
            let _ = many::in_order(
                &[&input[..]],
                thread_count,
                parser,
                |parser, text| parser.parse(text),
                |parsed| {
                    drop(parsed);
                    ControlFlow::<()>::Continue(())
                },
            );
        }
        _ => assert!(uses::apply_use(dialect, way, &input), "unknown way `{way}`"),
    }
    Ok((input_kib, total_cpu_time() - start))
}

/// Reads standard input in chunks, and calls `action` with each.
fn for_each_chunk(action: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut chunk = vec![0; 1 << 16];
    let mut input = io::stdin().lock();
    loop {
        match input.read(&mut chunk)? {
            0 => return Ok(()),
            length => action(&chunk[..length]),
        }
    }
}

/// Returns the value of a field of `/proc/self/status` in KiB.
fn memory_kib(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.expect("`/proc/self/status` states the memory in KiB")
}

/// Returns the CPU time of this process, user and system time of all its threads, which Linux counts in hundredths of a
/// second. It does not depend on other processes.
fn total_cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // Skip the program's name, which is in parentheses and may contain spaces, and the eleven fields between it and the
    // two times.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields.split(' ').skip(11).take(2).map(|field| field.parse::<u64>());
    Duration::from_millis(10 * ticks.map(|ticks| ticks.unwrap()).sum::<u64>())
}
