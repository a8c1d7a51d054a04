//! What the suites share: the tests of other people and where they are, runs of the compiled machines and of the
//! interpreter, and one form for what both give. It is never published. Invariant: it judges by what the suites and
//! tables say; no state, error or element of a dialect is known here but the naive switches of `setup`.

pub mod compiled;
pub mod dat;
pub mod host_calls;
pub mod html5lib;
pub mod inputs;
pub mod interpreted;
pub mod known;
pub mod layers;
pub mod markup;
pub mod nodes;
pub mod random;
pub mod recording;
pub mod results;
pub mod sample;
pub mod setup;
pub mod shapes;
pub mod shared;
pub mod small;
pub mod steps;
pub mod suites;
pub mod trees;
pub mod uses;
pub mod xml_dumps;
