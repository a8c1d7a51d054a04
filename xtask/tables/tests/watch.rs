//! Tests that `cargo xtask watch` keeps running while a table is replaced, with and without errors, removed and
//! restored, as editors do when they save.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use std::{env, fs};

const TABLE: &str = "machine! {
    name seen;
    document \"a test\";
    start data;
    state data {
        '<'  => emit '[';
        EOF  => emit end-of-file;
        else => emit current;
    }
}
";

/// A running `cargo xtask watch`, with the lines that it prints. The process is killed on drop.
struct RunningWatch {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for RunningWatch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl RunningWatch {
    /// Returns the next output up to the line that contains `end`.
    fn output_until(&self, end: &str) -> String {
        let mut output = String::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|error| panic!("{error}: no {end:?} in:\n{output}"));
            output += &format!("{line}\n");
            if line.contains(end) {
                return output;
            }
        }
    }
}

#[test]
fn watch_survives_all_ways_of_saving() {
    let folder = env::temp_dir().join(format!("tabulex-watch-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (table, before) = (folder.join("seen.states"), folder.join("before.states"));
    let save = |text: &str| {
        let temporary_path = folder.join("seen.states~");
        fs::write(&temporary_path, text).unwrap();
        fs::rename(&temporary_path, &table).unwrap();
    };
    fs::write(&before, TABLE).unwrap();
    save(TABLE);
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-tables"));
    command.arg("watch").arg(&table).arg("--against").arg(&before);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let watch = RunningWatch { child, lines };
    let message = watch.output_until("checked in");
    assert!(message.contains("0 errors, 0 warnings") || message.contains("no row"), "{message}");

    save(&TABLE.replace("'<'  =>", "'<'  ->"));
    let message = watch.output_until("checked in");
    assert!(message.contains("error[syntax]") && message.contains("1 error,"), "{message}");

    save(&TABLE.replace("emit '['", "emit '('"));
    let message = watch.output_until("checked in");
    assert!(message.contains("seen.states:6") && message.contains("\"(\""), "{message}");

    fs::remove_file(&table).unwrap();
    let message = watch.output_until("nor a readable file");
    assert!(message.contains("seen.states"), "{message}");

    save(&TABLE.replace("start data", "start dato").replace("name seen", "name  seen"));
    let message = watch.output_until("checked in");
    assert!(message.contains("did you mean `data`?"), "{message}");

    // The table includes a file that is created later.
    save(&TABLE.replace("start data;", "start data; modes \"seen.modes\";"));
    let message = watch.output_until("checked in");
    assert!(message.contains("there is no file `seen.modes`"), "{message}");
    let modes =
        "machine! { name more; tree start all; mode all { EOF => stop; else => ignore; } }\n";
    fs::write(folder.join("seen.modes~"), modes).unwrap();
    fs::rename(folder.join("seen.modes~"), folder.join("seen.modes")).unwrap();
    let message = watch.output_until("checked in");
    assert!(message.contains("+ seen.modes:1") && !message.contains("error"), "{message}");
    drop(watch);
    fs::remove_dir_all(&folder).unwrap();
}
