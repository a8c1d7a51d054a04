//! Shows on a terminal how far a long reading is. It is silent in its first second, when standard error is no terminal,
//! and when standard output is one, where it would stand between the results. Invariant: it leaves no trace.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long it is silent.
const SILENCE: Duration = Duration::from_secs(1);
/// How often it speaks.
const PAUSE: Duration = Duration::from_millis(100);

/// How far a reading is.
pub(crate) struct Progress {
    /// When to speak next; never, if it would not be seen.
    next: Option<Instant>,
    has_spoken: bool,
    /// All bytes, if known.
    total: Option<u64>,
    done: u64,
    /// The files that are done and all files, if there are several.
    files: Option<(usize, usize)>,
}

impl Progress {
    /// The beginning of a reading; `total` is its length in bytes, if known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let is_seen = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let next = is_seen.then(|| Instant::now() + SILENCE);
        Self { next, has_spoken: false, total, done: 0, files: None }
    }

    /// The beginning of a reading of several files.
    pub(crate) fn of_files(files: usize, bytes: u64) -> Self {
        Self { files: Some((0, files)), ..Self::new(Some(bytes)) }
    }

    /// More bytes were read.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.done += bytes as u64;
        if let Some((done, _)) = &mut self.files {
            *done += 1;
        }
        let Some(next) = self.next else {
            return;
        };
        let now = Instant::now();
        if now < next {
            return;
        }
        self.next = Some(now + PAUSE);
        self.has_spoken = true;
        let megabytes = self.done / 1_000_000;
        let share = match self.total {
            Some(total) if total > 0 => format!(" ({} %)", (self.done * 100 / total).min(100)),
            _ => String::new(),
        };
        let files = self.files.map(|(done, all)| format!(", {done} of {all} files"));
        let files = files.unwrap_or_default();
        let _ = write!(io::stderr(), "\r{megabytes} MB{share}{files} ");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.has_spoken {
            let _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}
