//! The compiler: from the model of a machine to Rust code, pass by pass. It makes no check of its own (`tabulex-language`
//! has them all) and is no macro (`tabulex-macros` is). Invariant: each pass is a function from value to value, and the
//! same model gives the same code.
//!
//! `lower` (characters to bytes, steps to plans) → `skip` (runs that can be passed in bulk) → `likely` (bytes that are
//! asked for first) → `order` (blocks, so that hot edges go forward) → `generate` (nested labelled blocks).

#![deny(clippy::wildcard_enum_match_arm)]

pub mod explain;
pub mod generate;
pub mod likely;
pub mod lower;
pub mod order;
pub mod print;
pub mod references;
pub mod skip;

use proc_macro2::TokenStream;
use tabulex_language::model::Machine;
use tabulex_language::parse::Outline;

/// What all passes made of a machine.
#[derive(Debug)]
pub struct Compiled<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// Its blocks.
    pub lowered: lower::Lowered,
    /// For each block, the run that it passes in bulk.
    pub skips: Vec<Option<skip::Skip>>,
    /// For each block, the byte for which it asks before all others.
    pub likely: Vec<Option<u8>>,
    /// The bytes at which every run stops.
    pub specials: Vec<u8>,
    /// The blocks in the order of the code.
    pub order: Vec<usize>,
    /// Whether the code is for people, with the marks that [`print::uncover`] takes out of it.
    pub printed: bool,
}

impl Compiled<'_> {
    /// Whether the block passes its run before it looks at a byte. Where only a few bytes begin a run, that is worth while
    /// if the run is awaited and no other byte is asked for first.
    pub(crate) fn passes_first(&self, index: usize) -> bool {
        self.skips[index].as_ref().is_some_and(|skip| {
            !skip.is_rare() || skip.is_entered_before_run && self.likely[index].is_none()
        })
    }
}

/// Runs all passes but the last.
pub fn compile(machine: &Machine) -> Compiled<'_> {
    let lowered = lower::lower(machine);
    let specials = skip::specials(machine, &lowered);
    let skips = skip::skips(machine, &lowered, &specials);
    let likely = likely::likely(&lowered, &skips);
    let order = order::order(&lowered);
    Compiled { machine, lowered, skips, likely, specials, order, printed: false }
}

/// The items of a refused table, by its outline, so that the code which uses them brings no mistakes of its own to those
/// of the table. The machine stops at once and cannot be run.
pub fn skeleton(outline: &Outline) -> TokenStream {
    generate::skeleton(outline)
}

/// The Rust code of the machine: the items of its module.
pub fn expand(machine: &Machine) -> TokenStream {
    generate::module(&compile(machine))
}
