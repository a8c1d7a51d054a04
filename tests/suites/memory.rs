//! The bytes that trees and parsers say they hold beside those that the allocator gave. What limits make of them is the
//! business of another suite. Invariant: one test at a time, because what is counted are the bytes of the whole process.

#[path = "memory/parsers.rs"]
mod parsers;
#[path = "memory/trees.rs"]
mod trees;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

static ALONE: Mutex<()> = Mutex::new(());

/// As long as it lives, no other test of this program runs.
fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
