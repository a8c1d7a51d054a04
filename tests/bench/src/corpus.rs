//! The documents that contestants parse, read before anything is measured.

use crate::generated;
use std::path::{Path, PathBuf};

/// The documents of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corpus {
    /// Real pages.
    Pages,
    /// The text of all pages, in ten pieces of a megabyte.
    Pieces,
    /// Pages with dense markup.
    Dense,
    /// Paragraphs of prose with a few references.
    Prose,
    /// Text without markup.
    Plain,
    /// XML.
    Xml,
    /// A sitemap.
    Sitemap,
}

/// Size of a piece in bytes.
const PIECE: usize = 1_000_000;
/// Maximum number of pieces.
const PIECES: usize = 10;

/// Reads the documents of a folder, or else those of a corpus, up to `limit` bytes in total.
pub fn read(folder: Option<&Path>, corpus: Corpus, limit: usize) -> Result<Vec<String>, String> {
    let documents = match (folder, corpus) {
        (Some(folder), _) => files(folder)?,
        (None, Corpus::Pages | Corpus::Pieces) => read_or_generate("html/pages", generated::pages)?,
        (None, Corpus::Dense) => read_or_generate("html/large", generated::dense)?,
        (None, Corpus::Xml) => read_or_generate("xml", generated::xml)?,
        (None, Corpus::Prose) => generated::prose(),
        (None, Corpus::Plain) => generated::plain(),
        (None, Corpus::Sitemap) => generated::sitemap(),
    };
    let documents = if corpus == Corpus::Pieces { pieces(&documents) } else { documents };
    Ok(truncate_all(documents, limit))
}

/// Reads the documents of a folder of the corpus. If that is missing, reads real pages from an installed package, or
/// generates documents.
fn read_or_generate(name: &str, generate: fn() -> Vec<String>) -> Result<Vec<String>, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("TABULEX_SHARED");
    let shared = shared.map_or_else(|| here.join("../../../shared"), PathBuf::from);
    let package = here.join("node_modules/htmlparser-benchmark/files");
    let folder = shared.join("corpus").join(name);
    if folder.is_dir() {
        return files(&folder);
    }
    if name == "html/pages" && package.is_dir() {
        return files(&package);
    }
    let hint = "for real pages, run `npm install --prefix tests/bench htmlparser-benchmark`";
    eprintln!("bench: `{}` is missing, so documents are generated; {hint}", folder.display());
    Ok(generate())
}

fn files(folder: &Path) -> Result<Vec<String>, String> {
    let failure = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failure(folder, error))? {
        paths.push(entry.map_err(|error| failure(folder, error))?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(failure(path, error)),
    };
    let documents = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if documents.is_empty() {
        Err(format!("`{}` has no files", folder.display()))
    } else {
        Ok(documents)
    }
}

/// Concatenates all documents and cuts the text into at most [`PIECES`] pieces.
fn pieces(documents: &[String]) -> Vec<String> {
    let mut remaining = &documents.concat()[..];
    let mut pieces = Vec::new();
    while pieces.len() < PIECES && !remaining.is_empty() {
        let (piece, after) = remaining.split_at(remaining.floor_char_boundary(PIECE));
        pieces.push(piece.to_owned());
        remaining = after;
    }
    pieces
}

/// Returns the first documents up to `limit` bytes; the last one is truncated.
fn truncate_all(documents: Vec<String>, limit: usize) -> Vec<String> {
    let mut bytes_left = limit;
    let mut truncated = Vec::new();
    for mut document in documents {
        if bytes_left == 0 {
            break;
        }
        document.truncate(document.floor_char_boundary(bytes_left));
        bytes_left -= document.len().min(bytes_left);
        truncated.push(document);
    }
    truncated
}

/// Returns the length of all documents in bytes.
pub fn bytes(documents: &[String]) -> usize {
    documents.iter().map(String::len).sum()
}
