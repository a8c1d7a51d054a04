//! What a maintainer of tables runs.
fn main() {}
