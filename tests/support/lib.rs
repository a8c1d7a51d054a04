//! Support for the suites: third-party tests and their locations, runs of the compiled machines and of the interpreter,
//! and a common form of their results. Not published.

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
pub mod records;
pub mod results;
pub mod sample;
pub mod setup;
pub mod shapes;
pub mod shared;
pub mod small;
pub mod steps;
pub mod suites;
pub mod trees;
pub mod urls;
pub mod uses;
pub mod xml_dumps;
