//! The environment of a program with commands on tables: the program's name in help texts, built-in tables, folders,
//! and output. The name of a table is that of a built-in dialect, or else a path.

use crate::Failure;
use crate::table::Table;
use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabulex_language::{extend, nearest};

/// The built-in tables of a program, by dialect.
#[derive(Clone, Debug)]
pub enum Tables {
    /// Tables in a folder.
    Folder(PathBuf),
    /// Tables embedded in the program: file names and texts.
    Texts(&'static [(&'static str, &'static str)]),
}

/// The environment of a program with commands on tables.
#[derive(Clone, Debug)]
pub struct Home {
    /// The start of a command line, for help texts and messages.
    pub program: &'static str,
    /// The program's built-in tables.
    pub tables: Tables,
    /// Root folder, if there is one; paths below it are shown relative to it.
    pub root: Option<PathBuf>,
    /// Folder of cases in the formats of html5lib, for searches.
    pub cases: Option<PathBuf>,
    /// Folder for cached results; if `None`, nothing is cached.
    pub cache: Option<PathBuf>,
    /// Converts text of a page before it is printed; for a terminal, it replaces control characters.
    pub page_text: fn(&str) -> String,
    /// Output so far, if it is captured instead of being printed.
    captured: Option<RefCell<String>>,
    /// Message for the last error while printing, if there was one.
    write_error: RefCell<Option<Failure>>,
}

impl Home {
    /// Creates an environment with the built-in tables `tables`, without folders.
    pub fn new(program: &'static str, tables: Tables) -> Self {
        let (root, cases, cache, captured, write_error) = Default::default();
        let page_text = str::to_owned;
        Self { program, tables, root, cases, cache, page_text, captured, write_error }
    }

    /// Returns the environment with output captured instead of printed.
    pub fn capturing(mut self) -> Self {
        self.captured = Some(RefCell::default());
        self
    }

    /// Returns and clears the captured output.
    pub fn take_output(&self) -> String {
        self.captured.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Returns the environment with these folders for the root, cases and cache.
    pub fn with_folders(mut self, root: PathBuf, cases: PathBuf, cache: PathBuf) -> Self {
        (self.root, self.cases, self.cache) = (Some(root), Some(cases), Some(cache));
        self
    }

    /// Prints to standard output, or appends to the captured output. A closed pipe is ignored; any other error is
    /// stored for [`Self::take_write_error`].
    pub(crate) fn print(&self, text: &str) {
        if let Some(captured) = &self.captured {
            captured.borrow_mut().push_str(text);
            return;
        }
        let mut out = std::io::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            self.write_error.replace(Some(format!("cannot write to standard output: {error}")));
        }
    }

    /// Returns and clears the message for the last error while printing, if there was one.
    pub fn take_write_error(&self) -> Option<Failure> {
        self.write_error.take()
    }

    /// Returns a path as shown in messages: relative to the root, if it is below that.
    pub fn display_path(&self, path: &Path) -> String {
        let relative = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        relative.unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Returns the ids of the built-in dialects, sorted.
    pub fn dialects(&self) -> Vec<String> {
        let files: Vec<String> = match &self.tables {
            Tables::Folder(folder) => {
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
            }
            Tables::Texts(texts) => texts.iter().map(|(name, _)| (*name).to_owned()).collect(),
        };
        let names = files.iter().filter_map(|file| Some(file.strip_suffix(".states")?.to_owned()));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Returns the path of a built-in file, if the tables are in a folder.
    pub fn built_in_path(&self, file: &str) -> Option<PathBuf> {
        match &self.tables {
            Tables::Folder(folder) => Some(folder.join(file)),
            Tables::Texts(_) => None,
        }
    }

    /// Returns the path and text of a built-in file, or `None` if there is none. The path of an embedded file is its
    /// name.
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

    /// Reads the table of a dialect or file. Returns its path and text.
    ///
    /// # Errors
    ///
    /// Returns a message if `name` is neither a dialect nor a readable file.
    pub fn read(&self, name: &str) -> Result<(PathBuf, String), Failure> {
        if let Some(found) = self.built_in(&format!("{name}.states")) {
            return Ok(found);
        }
        match fs::read_to_string(name) {
            Ok(text) => {
                // A path within the root is made absolute, so that `display_path` shows it relative to the root.
                let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
                let is_within = self.root.as_ref().is_some_and(|root| path.starts_with(root));
                Ok((if is_within { path } else { PathBuf::from(name) }, text))
            }
            Err(error) => {
                let dialects = self.dialects();
                let names: Vec<&str> = dialects.iter().map(String::as_str).collect();
                let suggestion = nearest(name, &names).map(|advice| format!(" {advice}"));
                Err(format!(
                    "`{name}` is neither a dialect nor a readable file ({error});{} dialects: `{}`",
                    suggestion.unwrap_or_default(),
                    names.join("`, `")
                ))
            }
        }
    }

    /// Reads and checks the table of a dialect or file. Errors in the table are diagnostics.
    ///
    /// # Errors
    ///
    /// Returns a message if there is no such table.
    pub fn table(&self, name: &str) -> Result<Table, Failure> {
        let (path, text) = self.read(name)?;
        Ok(self.load(&path, text, &|path| fs::read_to_string(path).ok()))
    }

    /// Loads and checks the table `text` at `path`. Files to which the table refers are read next to it, or else from
    /// the built-in tables; `disk` reads files.
    pub fn load(&self, path: &Path, text: String, disk: &dyn Fn(&Path) -> Option<String>) -> Table {
        let read_beside = |name: &str| {
            let neighbor = path.with_file_name(name);
            if let Some(text) = disk(&neighbor) {
                return Some((Some(neighbor), text));
            }
            let path = self.built_in_path(name);
            let text = match &path {
                Some(path) => disk(path)?,
                None => self.built_in(name)?.1,
            };
            Some((path, text))
        };
        let mut table = Table::load(self, path, text, &read_beside);
        let names = || self.dialects();
        extend::suggest_bases(&mut table.diagnostics, &table.source, &names);
        table
    }
}
