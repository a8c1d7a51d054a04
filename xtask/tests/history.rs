//! Tests that `cargo xtask diff --history` lists a change of meaning between two invented texts of a standard, and
//! counts a rewording.

use std::fs;
use std::process::Command;

/// Returns a text with two states; `action` is a sentence of the first one, and `note` a note.
fn text(action: &str, note: &str) -> String {
    format!(
        "<h4>13.2.5 Tokenization</h4>\n<h5>13.2.5.1 Data state</h5>\n\
         <p>Consume the next input character:</p>\n<dl class=switch>\n\
         <dt>U+0026 AMPERSAND (&amp;)</dt>\n<dd>{action}</dd>\n\
         <dt>EOF</dt>\n<dd>Emit an end-of-file token.</dd>\n\
         <dt>Anything else</dt>\n<dd>Emit the current input character as a character token.</dd>\n</dl>\n\
         <p class=note>{note}</p>\n<h5>13.2.5.2 PLAINTEXT state</h5>\n\
         <p>Consume the next input character:</p>\n<dl class=switch>\n\
         <dt>EOF</dt>\n<dd>Emit an end-of-file token.</dd>\n\
         <dt>Anything else</dt>\n<dd>Emit the current input character as a character token.</dd>\n</dl>\n\
         <h4>13.2.6 Tree construction</h4>\n"
    )
}

#[test]
fn lists_changes_and_counts_rewordings() {
    let folder = std::env::temp_dir().join(format!("tabulex-history-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let files =
        ["made-up-2020-01-01.html", "made-up-2020-02-01.html"].map(|file| folder.join(file));
    let action_before = "Emit the current input character as a character token.";
    fs::write(&files[0], text(action_before, "This is a made-up text.")).unwrap();
    fs::write(&files[1], text("Switch to the PLAINTEXT state.", "No standard says this.")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["diff", "--history", "html"]).args(&files).args(["--all", "--inputs"]);
    let output = command.output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("different: data: '&' (13.2.5.1)"), "{said}");
    assert!(said.contains("2020-02-01.html, line 5 switch plaintext"), "{said}");
    assert!(said.contains("reworded: 13.2.5.1 Data state"), "{said}");
    assert!(said.contains("1 change; 1 reworded sentence "), "{said}");
    assert!(said.contains("input      \"&\"\n      - [\"Character\",\"&\"]\n"), "{said}");
}
