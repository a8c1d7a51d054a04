//! Parses its standard input with a limit of the bytes held, or with the default limits, and prints the most resident memory
//! that the process had, in bytes, and how long a parser took that was given the whole input, in milliseconds. It is run by
//! the suites `limits` and `slow`. Invariant: it keeps nothing of the input but what a way needs that is given the whole of
//! it, and that is not counted.
//!
//! usage: tabulex-limits DIALECT LIMIT|default WAY

use std::io::{self, Read, Write as _};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabulex::{AnySink, Dialect, FragmentContext, Limits, Options, Utf8Decoder, many};

/// A sink that holds nothing.
struct Nothing;

impl AnySink for Nothing {}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, limit, way] = &arguments[..] else { panic!("DIALECT LIMIT WAY") };
    let dialect = tabulex::dialects().iter().find(|dialect| dialect.id() == name);
    let dialect = dialect.expect("a dialect");
    let limit = (limit != "default").then(|| limit.parse().expect("a number"));
    let (before, taken) = parsed(dialect, limit, way)?;
    let peak = kilobytes("VmHWM:").saturating_sub(before);
    writeln!(io::stdout(), "{} {}", peak * 1024, taken.as_millis())
}

/// Parses in one of the ways. How much memory the process had before that, apart from its own, in KiB; and the time of a
/// parser of a whole input.
fn parsed(
    dialect: &'static Dialect,
    limit: Option<usize>,
    way: &str,
) -> io::Result<(usize, Duration)> {
    let new = Limits::new();
    let limits = limit.map_or(new, |limit| new.bytes(limit).errors(usize::MAX));
    let options = Options::new().limits(limits);
    let parser = || dialect.parser(&options).expect("a parser");
    let fragment = || dialect.fragment_parser(&FragmentContext::from("div"), &options);
    match way {
        "bytes" => {
            let mut parser = parser();
            chunks(&mut |chunk| parser.feed_bytes(chunk))?;
            drop(parser.take());
        }
        "text" | "fragment" => {
            let mut parser = match way {
                "text" => parser(),
                _ => fragment().expect("a parser of fragments"),
            };
            let mut decoder = Utf8Decoder::new();
            chunks(&mut |chunk| decoder.decode(chunk, |text| parser.feed(text)))?;
            drop(parser.take());
        }
        "tokens" => {
            let mut tokenizer = dialect.tokenizer();
            // A token may be as long as the limit says, and its attributes take a good deal more than their text.
            tokenizer
                .set_limits(&limit.map_or(new, |limit| new.token(limit).attributes(limit / 256)));
            let mut decoder = Utf8Decoder::new();
            chunks(&mut |chunk| {
                decoder.decode(chunk, |text| {
                    let _ = tokenizer.feed(text, &mut Nothing);
                });
            })?;
            let _ = tokenizer.finish(&mut Nothing);
        }
        "whole" | "many" => {
            let empty = kilobytes("VmRSS:");
            let mut input = String::new();
            io::stdin().lock().read_to_string(&mut input)?;
            // The input is the caller's.
            let before = kilobytes("VmRSS:") - empty;
            if way == "whole" {
                let start = Instant::now();
                let parsed = parser().parse(&input);
                let taken = start.elapsed();
                drop(parsed);
                return Ok((before, taken));
            }
            let one = 1.try_into().expect("not zero");
            let _ = many::in_order(
                &[&input[..]],
                one,
                parser,
                |it, text| it.parse(text),
                |parsed| {
                    drop(parsed);
                    ControlFlow::<()>::Continue(())
                },
            );
            return Ok((before, Duration::ZERO));
        }
        _ => panic!("no way {way:?}"),
    }
    Ok((0, Duration::ZERO))
}

/// The input, chunk by chunk.
fn chunks(each: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut chunk = vec![0; 1 << 16];
    let mut input = io::stdin().lock();
    loop {
        match input.read(&mut chunk)? {
            0 => return Ok(()),
            length => each(&chunk[..length]),
        }
    }
}

/// What the system says of this process.
fn kilobytes(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.expect("the memory of this process")
}
