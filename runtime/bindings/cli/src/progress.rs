//! Progress of long reads on a terminal. Nothing is shown in the first second, if standard error is not a terminal, or
//! if standard output is one, where it would appear among the results.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Delay before the first output.
const INITIAL_DELAY: Duration = Duration::from_secs(1);
/// Time between two outputs.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// The progress of a read.
pub(crate) struct Progress {
    /// The time of the next output; `None` if nothing is shown.
    next_output: Option<Instant>,
    has_output: bool,
    /// The number of bytes in total, if known.
    total: Option<u64>,
    bytes_read: u64,
    /// The number of completed files and of all files, if there are several.
    files: Option<(usize, usize)>,
}

impl Progress {
    /// Starts a read of `total` bytes, if known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let is_visible = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let next_output = is_visible.then(|| Instant::now() + INITIAL_DELAY);
        Self { next_output, has_output: false, total, bytes_read: 0, files: None }
    }

    /// Starts a read of several files.
    pub(crate) fn of_files(files: usize, bytes: u64) -> Self {
        Self { files: Some((0, files)), ..Self::new(Some(bytes)) }
    }

    /// Adds the number of bytes of a piece or, if there are several files, of a completed file, and shows the progress
    /// if due.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.bytes_read += bytes as u64;
        if let Some((done, _)) = &mut self.files {
            *done += 1;
        }
        let Some(next_output) = self.next_output else { return };
        let now = Instant::now();
        if now < next_output {
            return;
        }
        self.next_output = Some(now + UPDATE_INTERVAL);
        self.has_output = true;
        let megabytes = self.bytes_read / 1_000_000;
        let percentage = match self.total {
            Some(total) if total > 0 => {
                format!(" ({} %)", (self.bytes_read * 100 / total).min(100))
            }
            _ => String::new(),
        };
        let files = self.files.map(|(done, all)| format!(", {done} of {all} files"));
        let files = files.unwrap_or_default();
        let _ = write!(io::stderr(), "\r{megabytes} MB{percentage}{files} ");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.has_output {
            let _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}
