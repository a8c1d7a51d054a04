//! Reused parsers and tokenizers, and many inputs on several threads: each result equals a fresh one's, and the second
//! input costs fewer allocations than the first. There is a single test, as it counts the allocations of the whole
//! process.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::num::NonZeroUsize;
use tabulex::html::Html;
use tabulex::xml_er::XmlEr;
use tabulex::{
    Construction, Control, FragmentContext, Limits, MachineSink, Options, Parsed, Parser, Sink,
    Tag, Text, Tokenizer, WriteNode as _, many, parse, parse_fragment, tokenize,
};
use tabulex_tests::compiled::IgnoringSink;
use tabulex_tests::markup::{markup, names};
use tabulex_tests::random::Random;

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs `work`. Returns the number of its allocations and reallocations, and its result.
fn allocations<R>(work: impl FnOnce() -> R) -> (usize, R) {
    let region = Region::new(HEAP);
    let result = work();
    let change = region.change();
    (change.allocations + change.reallocations, result)
}

/// Returns documents that leave much state: open elements and quotes, entities, new names, tables, templates.
fn documents() -> Vec<String> {
    let mut documents: Vec<String> = [
        "<!DOCTYPE html><p class=a&amp;b>x<b><i>y</p>z",
        "<table><b>fostered<tr><td>",
        "<template><tr><td>a</template><my-element data-x=1 data-y='",
        "<svg viewbox=1 xlink:href=x><foreignObject><p>",
        "<!DOCTYPE a [<!ENTITY e 'text'><!ATTLIST b c CDATA 'd'>]><a:b xmlns:a='u'>&e;</a:b>",
        "<textarea>\n&lt;",
        "<!--",
        "",
        "<script><!--<script>",
    ]
    .map(str::to_owned)
    .into();
    // Most steps for this document are taken in the list of active formatting elements, where all its elements have the
    // same name and are linked in one list.
    documents.push("<p><b>x</p>".repeat(300));
    documents.push("<div><p id=&quot;x>text &eacute; <custom-name a b c d>".repeat(300));
    let (mut random, names) = (Random::new(1), names("html"));
    documents.extend((0..60).map(|_| markup(&mut random, &names, 60)));
    documents
}

/// Maximum difference in steps between two parses of an input, in addition to a quarter of the steps: which formatting
/// elements share a list depends on a random key.
const MAX_STEP_DIFFERENCE: u64 = 60;

#[track_caller]
fn assert_same(reused: &Parsed, fresh: &Parsed, input: &str) {
    assert!(reused.tree == fresh.tree, "{input:?}");
    assert_eq!(reused.tree.root().to_dump(), fresh.tree.root().to_dump(), "{input:?}");
    assert_eq!((&reused.errors, &reused.events), (&fresh.errors, &fresh.events), "{input:?}");
    assert_eq!(reused.tree.mode(), fresh.tree.mode(), "{input:?}");
}

/// Checks that a used parser gives the results of a new one: whole, in chunks, as bytes, and after an aborted parse.
fn reused_parsers_behave_like_new_ones_in<D: Construction>(context: Option<FragmentContext>) {
    let options = Options::new().depth_limit(20);
    let mut parser = match &context {
        Some(context) => Parser::<D>::new_fragment(context, &options),
        None => Parser::new(&options),
    };
    for (index, input) in documents().iter().enumerate() {
        let fresh = match &context {
            Some(context) => parse_fragment::<D>(input, context, &options),
            None => parse::<D>(input, &options),
        };
        let reused = parser.parse(input);
        assert_same(&reused, &fresh, input);
        assert!(
            reused.steps.abs_diff(fresh.steps) <= fresh.steps / 4 + MAX_STEP_DIFFERENCE,
            "{input:?}"
        );
        if index % 2 == 0 {
            parser.recycle(reused.tree);
        }
        let middle = input.floor_char_boundary(input.len() / 2);
        parser.feed(&input[..middle]);
        if index % 3 == 0 {
            parser.reset();
            parser.feed(&input[..middle]);
        }
        parser.feed(&input[middle..]);
        assert_same(&parser.finish_and_reset(), &fresh, input);
        if context.is_none() {
            let fresh = Parser::<D>::new(&options).parse_bytes(input.as_bytes());
            assert_same(&parser.parse_bytes(input.as_bytes()), &fresh, input);
        }
    }
}

/// A sink that records the offsets of tags and texts, and the lengths of values and texts.
#[derive(Default, PartialEq, Debug)]
struct LengthRecorder(Vec<(usize, usize)>);

impl MachineSink for LengthRecorder {}

impl Sink for LengthRecorder {
    fn text(&mut self, text: Text<'_>) -> Control {
        self.0.push((text.span.start, text.text.len()));
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.0.push((tag.span().end, tag.attributes().map(|it| it.value.len()).sum()));
        Control::Continue
    }
}

fn reused_tokenizers_behave_like_new_ones() {
    let mut tokenizer = Tokenizer::<Html>::new();
    for input in documents() {
        let (mut fresh, mut reused) = (LengthRecorder::default(), LengthRecorder::default());
        tokenize::<Html, _>(&input, &mut fresh);
        let _ = tokenizer.finish_with(&input, &mut reused);
        tokenizer.reset();
        assert_eq!(reused, fresh, "{input:?}");
    }
}

/// A sink that panics at the start tag or text with this number, counted from 0.
struct PanickingSink(usize);

impl PanickingSink {
    fn count(&mut self) -> Control {
        // Unlike `panic!`, `resume_unwind` prints no message.
        self.0 = self.0.checked_sub(1).unwrap_or_else(|| std::panic::resume_unwind(Box::new(())));
        Control::Continue
    }
}

impl MachineSink for PanickingSink {}

impl Sink for PanickingSink {
    fn text(&mut self, _: Text<'_>) -> Control {
        self.count()
    }

    fn start_tag(&mut self, _: Tag<'_>) -> Control {
        self.count()
    }
}

/// A panic in a sink leaves no trace once the tokenizer is reset.
fn a_reset_clears_a_panic_in_a_sink() {
    let mut tokenizer = Tokenizer::<Html>::new();
    let mut panics = 0;
    for (index, input) in documents().iter().enumerate() {
        let mut fresh = LengthRecorder::default();
        tokenize::<Html, _>(input, &mut fresh);
        let middle = input.floor_char_boundary(input.len() / 2);
        let mut sink = PanickingSink(index % 5);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = tokenizer.feed(&input[..middle], &mut sink);
            tokenizer.finish_with(&input[middle..], &mut sink)
        }));
        panics += usize::from(outcome.is_err());
        tokenizer.reset();
        let mut reused = LengthRecorder::default();
        let _ = tokenizer.finish_with(input, &mut reused);
        tokenizer.reset();
        assert_eq!(reused, fresh, "{input:?}");
    }
    assert!(panics > 30, "only {panics} sinks panicked, expected more than 30");
}

/// A parser that has reached limits is like new for the next document, in every dialect with trees.
fn reused_parsers_forget_reached_limits() {
    let tight_limits =
        Limits::new().depth(3).nodes(9).attributes(1).token(64).errors(2).bytes(40_000);
    for dialect in tabulex::dialects().iter().filter(|dialect| dialect.elements().is_some()) {
        let options = Options::new().limits(tight_limits.reconstructed(0));
        let mut parser = dialect.parser(&options).unwrap();
        let mut event_count = 0;
        for input in documents() {
            let fresh = dialect.parser(&options).unwrap().parse(&input);
            event_count += fresh.events.len();
            assert_same(&parser.parse(&input), &fresh, &input);
            for character in input.chars() {
                parser.feed(character.encode_utf8(&mut [0; 4]));
            }
            assert_same(&parser.finish_and_reset(), &fresh, &input);
            for byte in input.bytes() {
                parser.feed_bytes(&[byte]);
            }
            let fresh = dialect.parser(&options).unwrap();
            assert_same(
                &parser.finish_and_reset(),
                &{ fresh }.parse_bytes(input.as_bytes()),
                &input,
            );
        }
        assert!(
            event_count > 5,
            "{}: only {event_count} limits were reached, expected more than 5",
            dialect.id()
        );
    }
}

fn reused_parsers_allocate_less() {
    let page = documents().into_iter().find(|document| document.len() > 10_000).unwrap();
    let options = Options::new().errors(false);
    let mut parser = Parser::<Html>::new(&options);
    let (first, parsed) = allocations(|| parser.parse(&page));
    parser.recycle(parsed.tree);
    let (second, parsed) = allocations(|| parser.parse(&page));
    assert!(
        second * 2 <= first,
        "a reused parser makes {second} allocations, more than half of the {first} of a new one"
    );
    // Without a recycled tree, the new tree is allocated again, but nothing else is.
    let (third, _) = allocations(|| parser.parse(&page));
    assert!(second <= third && third < first, "{second}, {third}, {first}");
    drop(parsed);

    let mut tokenizer = Tokenizer::<Html>::new();
    let mut count_allocations = || {
        let (count, _) = allocations(|| {
            // The page is fed in two chunks, so that the tokenizer has to copy text.
            let _ = tokenizer.feed(&page[..page.len() - 3], &mut IgnoringSink);
            tokenizer.finish_with(&page[page.len() - 3..], &mut IgnoringSink)
        });
        tokenizer.reset();
        count
    };
    let (fresh_count, reused_count) = (count_allocations(), count_allocations());
    assert!(
        reused_count < fresh_count,
        "a reused tokenizer makes {reused_count} allocations, no fewer than the {fresh_count} of a new one"
    );
    tabulex_tests::shared::report(&format!(
        "allocations: tokens {fresh_count}, then {reused_count}; a tree {third}, with the memory of another {second}"
    ));
}

fn parallel_results_equal_sequential_ones() {
    let documents = documents();
    let options = Options::new();
    let dump = |parsed: &mut Parsed| (parsed.tree.root().to_dump(), parsed.errors.clone());
    let expected: Vec<_> =
        documents.iter().map(|input| dump(&mut parse::<Html>(input, &options))).collect();
    for threads in [1, 2, 5] {
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut actual = Vec::new();
        many::parse::<Html, _>(&documents, &options, threads, dump, |result| actual.push(result));
        assert!(actual == expected, "{threads} threads");
    }
    // The source of inputs is endless: only as many are taken as are needed to keep the threads busy.
    let (taken_count, threads) = (std::cell::Cell::new(0), NonZeroUsize::new(2).unwrap());
    let endless_inputs = (0..).inspect(|_| taken_count.set(taken_count.get() + 1));
    let result = many::in_order(
        endless_inputs,
        threads,
        || (),
        |(), number: i32| number,
        |number| match number {
            100 => std::ops::ControlFlow::Break(number),
            _ => std::ops::ControlFlow::Continue(()),
        },
    );
    assert_eq!(result, std::ops::ControlFlow::Break(100));
    assert!(
        taken_count.get() < 140,
        "{} inputs were taken, expected fewer than 140",
        taken_count.get()
    );
}

fn worker_panics_propagate_to_the_consumer() {
    for threads in [1, 2, 5] {
        let mut received = Vec::new();
        let work = || {
            many::in_order(
                0..50,
                NonZeroUsize::new(threads).unwrap(),
                || (),
                |(), number| {
                    assert_ne!(number, 20, "the worker panics at 20");
                    number
                },
                |number| {
                    received.push(number);
                    std::ops::ControlFlow::<()>::Continue(())
                },
            )
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        assert!(outcome.is_err(), "{threads} threads");
        assert!(received.iter().copied().eq(0..20), "{threads} threads: {received:?}");
    }
}

/// A chunk that is parsed after others were fed continues their document.
fn the_last_chunk_continues_the_document() {
    for dialect in tabulex::dialects().iter().filter(|dialect| dialect.elements().is_some()) {
        for input in documents() {
            let mut parser = dialect.parser(&Options::new()).unwrap();
            let whole = parser.parse(&input);
            for offset in [1, input.len() / 2, input.len().saturating_sub(1)]
                .map(|at| input.floor_char_boundary(at))
            {
                parser.feed(&input[..offset]);
                assert_same(&parser.parse(&input[offset..]), &whole, &input);
            }
        }
    }
}

#[test]
fn reused_parsers_behave_like_new_ones() {
    reused_parsers_behave_like_new_ones_in::<Html>(None);
    reused_parsers_behave_like_new_ones_in::<Html>(Some(FragmentContext::from("textarea")));
    reused_parsers_behave_like_new_ones_in::<Html>(Some(FragmentContext::from("tr")));
    reused_parsers_behave_like_new_ones_in::<XmlEr>(None);
    reused_tokenizers_behave_like_new_ones();
    a_reset_clears_a_panic_in_a_sink();
    reused_parsers_forget_reached_limits();
    reused_parsers_allocate_less();
    parallel_results_equal_sequential_ones();
    worker_panics_propagate_to_the_consumer();
    the_last_chunk_continues_the_document();
}
