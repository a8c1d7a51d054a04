//! The programs in the folder `examples`, measured as they are.

use super::Program;
use tabulex::{Lines, Options, Position, html};

macro_rules! examples {
    ($($module:ident $path:literal $program:ident($document:ident) -> $output:ty { $run:expr })*) => {
        $(
            #[path = $path]
            #[allow(dead_code)]
            mod $module;

            pub(super) struct $program;

            impl Program for $program {
                type Output = $output;

                fn run($document: &str) -> $output {
                    $run
                }
            }
        )*
    };
}

examples! {
    links "../../../../runtime/examples/links.rs"
        Links(page) -> Vec<String> { links::links(page).into_iter().map(|(link, _)| link).collect() }
    metadata "../../../../runtime/examples/metadata.rs"
        Metadata(page) -> Vec<(String, String)> { metadata::metadata(page) }
    select "../../../../runtime/examples/select.rs"
        Select(page) -> Vec<String> { select::headings(page) }
    tables "../../../../runtime/examples/tables.rs"
        Tables(page) -> String { tables::to_csv(page) }
    sanitize "../../../../runtime/examples/sanitize.rs"
        Sanitize(page) -> String { sanitize::sanitize_comment(page) }
    rewrite "../../../../runtime/examples/rewrite.rs"
        Rewrite(page) -> String {
            rewrite::prefix_images("https://cdn.example", page).expect("the selector is valid")
        }
    text "../../../../runtime/examples/text.rs"
        Text(page) -> String { text::text(page) }
    stream "../../../../runtime/examples/stream.rs"
        Stream(page) -> String { stream::read(page.as_bytes()).expect("reading from memory succeeds").1 }
    fragment "../../../../runtime/examples/fragment.rs"
        Fragment(page) -> String { fragment::edited(page) }
    map "../../../../runtime/examples/osm.rs"
        Map(map) -> (Vec<(f64, f64)>, Vec<String>) { map::points(map) }
    sitemap "../../../../runtime/examples/sitemap.rs"
        Sitemap(map) -> Vec<(String, Option<String>)> { sitemap::pages(map) }
}

/// A program that reports errors with their positions, without excerpts.
pub(super) struct Lint;

impl Program for Lint {
    type Output = Vec<(&'static str, Position)>;

    fn run(page: &str) -> Self::Output {
        let lines = Lines::new(page);
        let errors = html::parse(page, Options::new()).errors;
        errors.iter().map(|error| (error.code, lines.position(error.span.start))).collect()
    }
}
