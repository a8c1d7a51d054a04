//! The compiler from the model of a machine to Rust code. `tabulex-language` checks the model, and `tabulex-macros` calls
//! the compiler. Each pass is a pure function, so that equal models give equal code.
//!
//! Passes: `lower` (characters to bytes, steps to plans) → `skip` (runs passed in bulk) → `likely` (bytes tested first)
//! → `order` (blocks, so that hot edges go forward) → `generate` (nested labelled blocks).

#![deny(clippy::wildcard_enum_match_arm)]

pub mod explain;
pub mod generate;
pub mod likely;
pub mod lower;
pub mod natives;
pub mod order;
pub mod print;
pub mod references;
mod skeleton;
pub mod skip;

use proc_macro2::TokenStream;
use tabulex_language::model::Machine;
use tabulex_language::parse::Outline;

/// The results of all passes before code generation.
#[derive(Debug)]
pub struct Compiled<'m> {
    /// The model of the machine.
    pub machine: &'m Machine,
    /// The blocks of the machine.
    pub lowered: lower::Lowered,
    /// For each block, the run that it passes in bulk, if there is one.
    pub skips: Vec<Option<skip::Skip>>,
    /// For each block, the likely byte, which it tests first, if there is one.
    pub likely: Vec<Option<u8>>,
    /// The special bytes, at which every run stops.
    pub specials: Vec<u8>,
    /// The indices of the blocks in code order.
    pub order: Vec<usize>,
    /// Whether the code is generated for display, with the marks that [`print::uncover`] replaces.
    pub is_for_display: bool,
}

impl Compiled<'_> {
    /// Whether a jump from one block to another, both given by their indices, goes forward in the code.
    pub(crate) fn goes_forward(&self, from: usize, to: usize) -> bool {
        let position = |block: usize| self.order.iter().position(|&other| other == block);
        position(to) > position(from)
    }

    /// Whether a block passes its run before it tests the next byte. If only a few byte values can belong to the run,
    /// this pays off only if the block is entered before a run and no other byte is tested first.
    pub(crate) fn passes_first(&self, index: usize) -> bool {
        self.skips[index].as_ref().is_some_and(|skip| {
            !skip.is_rare() || skip.is_entered_before_run && self.likely[index].is_none()
        })
    }
}

/// Runs all passes except code generation.
pub fn compile(machine: &Machine) -> Compiled<'_> {
    let lowered = lower::lower(machine);
    let specials = skip::specials(machine, &lowered);
    let skips = skip::skips(machine, &lowered, &specials);
    let likely = likely::likely(&lowered, &skips);
    let order = order::order(&lowered);
    Compiled { machine, lowered, skips, likely, specials, order, is_for_display: false }
}

/// Returns placeholder items for a rejected table, from its outline, so that code that uses the table's items causes no
/// further errors. The items are never run.
pub fn skeleton(outline: &Outline) -> TokenStream {
    expand(&skeleton::machine(outline))
}

/// Returns the Rust code of a machine: the items of its module.
pub fn expand(machine: &Machine) -> TokenStream {
    generate::module(&compile(machine))
}
