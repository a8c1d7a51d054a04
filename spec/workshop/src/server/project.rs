//! Loads the tables to which a file belongs: the file itself if it is a table, and all tables that include or extend
//! it. Answers requests on declarations, references and renaming.

use super::names::{Name, NameKind, Names};
use super::text::{range, uri};
use crate::home::Home;
use crate::table::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file, with the tables to which it belongs.
pub(crate) struct ServedFile {
    /// Path of the file.
    pub(crate) path: PathBuf,
    /// The table in the file, unless the file is only a part of tables, and the tables that include or extend the file.
    pub(crate) tables: Vec<Table>,
    /// All files of these tables on disk, with their texts and names.
    pub(crate) files: BTreeMap<PathBuf, (String, Names)>,
}

impl ServedFile {
    /// Loads the tables to which the file at `path` belongs; `text` reads files.
    pub(crate) fn load(home: &Home, path: &Path, text: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut tables = Vec::new();
        if path.extension().is_none_or(|it| it != "modes") {
            tables.extend(text(path).map(|contents| home.load(path, contents, text)));
        }
        for other in including_tables(path, text) {
            let Some(contents) = text(&other) else { continue };
            let table = home.load(&other, contents, text);
            if table.paths.iter().flatten().any(|it| it == path) {
                tables.push(table);
            }
        }
        let mut texts = BTreeMap::new();
        let files = tables.iter().flat_map(|it| {
            let sources = std::iter::once(&it.source).chain(&it.source.files);
            sources.zip(&it.paths)
        });
        for (source, path) in files {
            if let Some(path) = path {
                texts.entry(path.clone()).or_insert_with(|| source.text.clone());
            }
        }
        if let Some(contents) = text(path) {
            texts.entry(path.to_owned()).or_insert(contents);
        }
        let names = Names::collect(&texts.values().map(String::as_str).collect::<Vec<_>>());
        let files = texts.into_iter().zip(names);
        let files = files.map(|((path, text), names)| (path, (text, names))).collect();
        Self { path: path.to_owned(), tables, files }
    }

    /// Returns the name at an offset in a file, if any.
    pub(crate) fn name(&self, path: &Path, offset: usize) -> Option<&Name> {
        let (_, names) = self.files.get(path)?;
        let touches =
            |it: &&Name| it.span.start as usize <= offset && offset <= it.span.end as usize;
        names.names.iter().find(touches)
    }

    /// Iterates over all occurrences of a name, each with the path and text of its file.
    fn occurrences<'p>(
        &'p self,
        name: &'p Name,
    ) -> impl Iterator<Item = (&'p Path, &'p str, &'p Name)> {
        self.files.iter().flat_map(move |(path, (text, names))| {
            let matching =
                names.names.iter().filter(|it| (it.kind, &it.text) == (name.kind, &name.text));
            matching.map(move |it| (path.as_path(), text.as_str(), it))
        })
    }

    /// Returns the declared names of a kind, sorted.
    pub(crate) fn declared_names(&self, kind: NameKind) -> Vec<&str> {
        let names = self.files.values().flat_map(|(_, names)| &names.names);
        let of_kind = names.filter(|it| it.kind == kind && it.is_declaration);
        let mut sorted_names: Vec<&str> = of_kind.map(|it| &it.text[..]).collect();
        sorted_names.sort_unstable();
        sorted_names.dedup();
        sorted_names
    }

    fn locations(&self, path: &Path, offset: usize, is_wanted: impl Fn(&Name) -> bool) -> Value {
        let Some(name) = self.name(path, offset) else { return Value::Null };
        let wanted = self.occurrences(name).filter(|(.., it)| is_wanted(it));
        wanted
            .map(|(path, text, it)| json!({ "uri": uri(path), "range": range(text, it.span) }))
            .collect()
    }

    /// Returns the locations of the declarations of the name at an offset; null if there is no name.
    pub(crate) fn definitions(&self, path: &Path, offset: usize) -> Value {
        self.locations(path, offset, |it| it.is_declaration)
    }

    /// Returns the locations of all occurrences of the name at an offset; null if there is no name.
    pub(crate) fn references(&self, path: &Path, offset: usize) -> Value {
        self.locations(path, offset, |_| true)
    }

    /// Returns the symbols that a file declares, for the editor's outline.
    pub(crate) fn symbols(&self, path: &Path) -> Value {
        let Some((text, names)) = self.files.get(path) else { return Value::Null };
        let declared = names.names.iter().filter(|it| it.is_declaration);
        let symbols = declared.map(|it| {
            let range = range(text, it.span);
            json!({ "name": it.text, "kind": it.kind.symbol(), "range": range, "selectionRange": range })
        });
        symbols.collect()
    }

    /// Returns the range of the name at an offset if the name can be renamed, and otherwise null.
    pub(crate) fn rename_range(&self, path: &Path, offset: usize) -> Value {
        match (self.name(path, offset), self.files.get(path)) {
            (Some(name), Some((text, _))) if self.declaration_count(name) == 1 => {
                range(text, name.span)
            }
            _ => Value::Null,
        }
    }

    fn declaration_count(&self, name: &Name) -> usize {
        self.occurrences(name).filter(|(.., it)| it.is_declaration).count()
    }

    /// Returns the edits that rename the name at an offset.
    ///
    /// # Errors
    ///
    /// Returns a message if there is no name, if the name is not declared exactly once, or if the new name is invalid
    /// or already declared.
    pub(crate) fn rename(&self, path: &Path, offset: usize, new: &str) -> Result<Value, String> {
        let name = self.name(path, offset).ok_or("there is no name at this position")?;
        let is_name_character =
            |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        let is_valid = new.starts_with(|it: char| it.is_ascii_lowercase())
            && !new.ends_with('-')
            && new.chars().all(is_name_character);
        if !is_valid {
            return Err(format!(
                "`{new}` is not a name: begin with a lower-case letter, then use lower-case letters, digits and `-`"
            ));
        }
        match self.declaration_count(name) {
            1 => {}
            0 => {
                return Err(format!(
                    "`{}` is not declared in a file on disk, so it cannot be renamed",
                    name.text
                ));
            }
            count => {
                return Err(format!(
                    "`{}` is declared {count} times, so it cannot be renamed",
                    name.text
                ));
            }
        }
        // The text of a field begins with the token's name, which is outside the span and stays.
        let renamed_len = (name.span.end - name.span.start) as usize;
        let new_text =
            format!("{}{new}", &name.text[..name.text.len().saturating_sub(renamed_len)]);
        if self.declared_names(name.kind).contains(&&new_text[..]) {
            return Err(format!("`{new_text}` is already declared"));
        }
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (path, text, it) in self.occurrences(name) {
            let edit = json!({ "range": range(text, it.span), "newText": new });
            changes.entry(uri(path)).or_default().push(edit);
        }
        Ok(json!({ "changes": changes }))
    }
}

/// Returns the tables in the folder of the file that may include or extend it, judged by their texts.
fn including_tables(path: &Path, text: &dyn Fn(&Path) -> Option<String>) -> Vec<PathBuf> {
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let entries = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_table = |it: &PathBuf| it != path && it.extension().is_some_and(|it| it == "states");
    let mentions_file = |it: &PathBuf| {
        let text = text(it).unwrap_or_default();
        text.contains(&format!("\"{file_name}\"")) || text.contains(&format!("extends {stem}"))
    };
    let mut tables: Vec<PathBuf> = entries.filter(|it| is_table(it) && mentions_file(it)).collect();
    tables.sort();
    tables
}
