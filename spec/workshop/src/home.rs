//! Where a program that serves tables is at home: its name in help, the tables that are built in, what is beside them.
//! It reads tables and runs none. Invariant: a name that is a built-in dialect's is that dialect, any other is a path.

use crate::Failure;
use crate::table::{Beside, Table};
use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabulex_language::nearest;

/// The tables that a program knows by the names of their dialects.
#[derive(Clone, Debug)]
pub enum Tables {
    /// Those in a folder, as they lie on the disk.
    Folder(PathBuf),
    /// Those that the program holds: file names and texts.
    Texts(&'static [(&'static str, &'static str)]),
}

/// Returns the sentences that the row at an offset follows: given the table's file, its text and the offset.
pub type Sentences = fn(&Path, &str, usize) -> Vec<String>;

/// A program that serves tables.
#[derive(Clone, Debug)]
pub struct Home {
    /// How its commands begin, in help and advice.
    pub program: &'static str,
    /// The built-in tables.
    pub tables: Tables,
    /// The folder within which paths are shown from it.
    pub root: Option<PathBuf>,
    /// The folder of cases, in the formats of html5lib, whose inputs searches begin with.
    pub cases: Option<PathBuf>,
    /// The folder that keeps what need not be found out twice.
    pub cache: Option<PathBuf>,
    /// The sentences of a standard that a row follows, for programs that have its text.
    pub sentences: Option<Sentences>,
    /// What is printed, where it is kept instead.
    kept: Option<RefCell<String>>,
    /// Why output was lost, if it was.
    lost: RefCell<Option<Failure>>,
}

impl Home {
    /// A program with nothing beside its tables.
    pub fn new(program: &'static str, tables: Tables) -> Self {
        let (root, cases, cache, sentences, kept, lost) = Default::default();
        Self { program, tables, root, cases, cache, sentences, kept, lost }
    }

    /// The program, which keeps what it prints.
    pub fn keeping(mut self) -> Self {
        self.kept = Some(RefCell::default());
        self
    }

    /// What was printed since the last call, if it is kept.
    pub fn taken(&self) -> String {
        self.kept.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// The program with a root, cases and a cache.
    pub fn beside(mut self, root: PathBuf, cases: PathBuf, cache: PathBuf) -> Self {
        (self.root, self.cases, self.cache) = (Some(root), Some(cases), Some(cache));
        self
    }

    /// Prints to standard output. A reader that has gone away is no failure; any other ends the command as one.
    pub(crate) fn say(&self, text: &str) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().push_str(text);
            return;
        }
        let mut out = std::io::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            self.lost.replace(Some(format!("cannot write: {error}")));
        }
    }

    /// Why output was lost since the last call, if it was.
    pub(crate) fn take_lost(&self) -> Option<Failure> {
        self.lost.take()
    }

    /// The path as messages show it.
    pub fn shown(&self, path: &Path) -> String {
        let within = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        within.unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The ids of the built-in dialects, sorted.
    pub fn dialects(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.tables {
            Tables::Folder(folder) => {
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
            }
            Tables::Texts(texts) => texts.iter().map(|(name, _)| (*name).to_owned()).collect(),
        };
        names.retain_mut(|name| match name.strip_suffix(".states") {
            Some(stem) => {
                *name = stem.to_owned();
                true
            }
            None => false,
        });
        names.sort();
        names
    }

    /// The path of a file of the built-in tables, if they lie on the disk.
    pub fn built_in_path(&self, file: &str) -> Option<PathBuf> {
        match &self.tables {
            Tables::Folder(folder) => Some(folder.join(file)),
            Tables::Texts(_) => None,
        }
    }

    /// A file of the built-in tables: its path, if it lies on the disk, and its text.
    pub(crate) fn built_in(&self, file: &str) -> Option<(PathBuf, String)> {
        match &self.tables {
            Tables::Folder(folder) => {
                let path = folder.join(file);
                let text = fs::read_to_string(&path).ok()?;
                Some((path, text))
            }
            Tables::Texts(texts) => {
                let (_, text) = texts.iter().find(|(name, _)| *name == file)?;
                Some((PathBuf::from(file), (*text).to_owned()))
            }
        }
    }

    /// The path and text of a dialect's table, or of the table in a file.
    ///
    /// # Errors
    /// If the name is neither.
    pub fn read(&self, name: &str) -> Result<(PathBuf, String), Failure> {
        if let Some(found) = self.built_in(&format!("{name}.states")) {
            return Ok(found);
        }
        match fs::read_to_string(name) {
            Ok(text) => {
                // Paths within the root are shown from it, however they were written.
                let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
                let is_within = self.root.as_ref().is_some_and(|root| path.starts_with(root));
                Ok((if is_within { path } else { PathBuf::from(name) }, text))
            }
            Err(error) => {
                let dialects = self.dialects();
                let names: Vec<&str> = dialects.iter().map(String::as_str).collect();
                let near = nearest(name, &names).map(|near| format!(" {near}"));
                Err(format!(
                    "{name:?} is no dialect, and no file that can be read ({error});{} dialects: {}",
                    near.unwrap_or_default(),
                    names.join(", ")
                ))
            }
        }
    }

    /// Reads and checks a dialect's table, or the table in a file.
    ///
    /// # Errors
    /// If there is no such table; mistakes in it are diagnostics.
    pub fn table(&self, name: &str) -> Result<Table, Failure> {
        let (path, text) = self.read(name)?;
        Ok(self.load(&path, text, &|path| fs::read_to_string(path).ok()))
    }

    /// Checks the table of the given text, which stands at the path. What it brings in is looked for beside it, then among
    /// the built-in tables; `disk` gives the texts of files.
    pub fn load(&self, path: &Path, text: String, disk: &dyn Fn(&Path) -> Option<String>) -> Table {
        let beside = |name: &str| {
            let near = path.with_file_name(name);
            if let Some(text) = disk(&near) {
                return Some(Beside { shown: self.shown(&near), path: Some(near), text });
            }
            let (path, text) = match &self.tables {
                Tables::Folder(folder) => {
                    let path = folder.join(name);
                    let text = disk(&path)?;
                    (Some(path), text)
                }
                Tables::Texts(_) => (None, self.built_in(name)?.1),
            };
            let shown = path.as_ref().map_or_else(|| name.to_owned(), |path| self.shown(path));
            Some(Beside { shown, path, text })
        };
        Table::load(self.shown(path), path.to_owned(), text, &beside)
    }
}
