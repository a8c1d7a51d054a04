//! The compiler: from the model of a machine to Rust code, pass by pass. It makes no check of its own (`tabulex-spec`
//! has them all) and is no macro (`tabulex-macros` is). Invariant: each pass is a function from value to value, and the
//! same model gives the same code.
//!
//! `lower` (characters to bytes, steps to plans) → `skip` (runs that can be passed in bulk) → `order` (blocks, so that
//! hot edges go forward) → `generate` (nested labelled blocks).

pub mod explain;
pub mod generate;
pub mod lower;
pub mod order;
pub mod references;
pub mod skip;

use proc_macro2::TokenStream;
use tabulex_spec::model::Machine;
use tabulex_spec::parse::Outline;

/// What all passes made of a machine.
#[derive(Debug)]
pub struct Compiled<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// Its blocks.
    pub lowered: lower::Lowered,
    /// For each block, the run that it passes in bulk.
    pub skips: Vec<Option<skip::Skip>>,
    /// The bytes at which every run stops.
    pub specials: Vec<u8>,
    /// The blocks in the order in which they stand in the code.
    pub order: Vec<usize>,
}

/// Runs all passes but the last.
pub fn compile(machine: &Machine) -> Compiled<'_> {
    let lowered = lower::lower(machine);
    let specials = skip::specials(machine, &lowered);
    let skips = skip::skips(&lowered, &specials);
    let order = order::order(&lowered);
    Compiled { machine, lowered, skips, specials, order }
}

/// The items of a refused table, by its outline, so that the code which uses them brings no mistakes of its own to those
/// of the table. The machine stops at once; nobody can run it.
pub fn skeleton(outline: &Outline) -> TokenStream {
    generate::skeleton(outline)
}

/// The Rust code of the machine: the items of its module.
pub fn expand(machine: &Machine) -> TokenStream {
    generate::module(&compile(machine))
}
