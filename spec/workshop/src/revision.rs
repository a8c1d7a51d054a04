//! Reads files of earlier commits by running `git`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the text of a file in the revision; `None` if the revision lacks the file or git is missing.
pub(crate) fn text(revision: &str, path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.file_name()?.to_str()?;
    let output = Command::new("git")
        .args(["show", &format!("{revision}:./{name}")])
        .current_dir(folder.unwrap_or(Path::new(".")))
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}

/// Whether the repository that contains the path has the revision.
pub(crate) fn is_known(revision: &str, path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Command::new("git")
        .args(["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .current_dir(folder.unwrap_or(Path::new(".")))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
