//! Scaling of tabulex: one long document against ten short ones of the same total length, and two threads against one.
//! A loop without parsing shows what a second thread gains on the machine.

use crate::corpus::Corpus;
use crate::field::{Agreement, Contestant, Field};
use crate::limits::{self, Classes};
use crate::reader::{Tokens, Trees};
use std::hint::black_box;
use std::num::NonZeroUsize;
use tabulex::html::Html;
use tabulex::tree::Positions;
use tabulex::{Options, many};

type HtmlTokens = Tokens<Html, false>;
type HtmlTrees = Trees<Html, false, true>;

pub const TOKENS: Field = Field::new(
    "scale-tokens",
    Corpus::Pieces,
    &[
        Contestant::new::<HtmlTokens>("tabulex html, 10 x 1 MB", Agreement::Whole),
        Contestant::new::<HtmlTokens>("tabulex html, 1 x 10 MB", Agreement::Whole)
            .join_documents()
            .aim("at most 1.1x"),
    ],
);

pub const TREES: Field = Field::new(
    "scale-trees",
    Corpus::Pieces,
    &[
        Contestant::new::<HtmlTrees>("tabulex html tree, 10 x 1 MB", Agreement::Whole),
        Contestant::new::<HtmlTrees>("tabulex html tree, 1 x 10 MB", Agreement::Whole)
            .join_documents()
            .aim("at most 1.1x"),
    ],
);

pub const THREADS: Field = Field {
    has_threads: true,
    ..Field::new(
        "threads",
        Corpus::Pages,
        &[
            Contestant::new::<HtmlTrees>("tabulex html trees, 2 threads", Agreement::Whole)
                .with_work(|documents| parse_all(documents, 2)),
            Contestant::new::<HtmlTrees>("tabulex html trees, 1 thread", Agreement::Whole)
                .with_work(|documents| parse_all(documents, 1))
                .aim("1.8x"),
            Contestant::new::<HtmlTrees>("tabulex, a parser each, 1 thread", Agreement::Whole),
            // The next two contestants parse nothing: they show how much a second thread gains at most on this machine.
            Contestant::new::<Classes>("classes by a table, 2 threads", Agreement::Limit)
                .with_work(limits::classify_on_two_threads),
            Contestant::new::<Classes>("classes by a table, 1 thread", Agreement::Limit),
        ],
    )
};

fn parse_all(documents: &[String], threads: usize) {
    let options = Options::new().errors(false).positions(Positions::All);
    let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    let mut node_count = 0;
    many::parse::<Html, _>(
        documents,
        &options,
        threads,
        |parsed| parsed.tree.node_count(),
        |count| node_count += count,
    );
    black_box(node_count);
}
