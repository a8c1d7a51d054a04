//! Compares the sizes that trees and parsers report with the allocator's numbers. Tests run one at a time, as they
//! measure the whole process.

#[path = "memory/parsers.rs"]
mod parsers;
#[path = "memory/trees.rs"]
mod trees;
#[path = "memory/uses.rs"]
mod uses;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

static TEST_LOCK: Mutex<()> = Mutex::new(());

/// Locks out other tests of this program until the guard is dropped.
fn lock_out_other_tests() -> MutexGuard<'static, ()> {
    TEST_LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}
