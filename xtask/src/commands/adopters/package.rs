//! Third-party packages from the list of adopters, and the replacements that make them use tabulex.

use crate::{Failure, files, root};
use std::path::Path;
use toml_edit::{Item, Table, value};

/// A third-party package from the list of adopters.
pub(crate) struct Adopter {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Replacements, each with its file, old text and new text.
    replacements: Vec<[String; 3]>,
    /// Names of the tests that are known to fail.
    pub(crate) known_failures: Vec<String>,
}

/// Reads the list of adopters from a file.
pub(crate) fn packages(list: &Path) -> Result<Vec<Adopter>, Failure> {
    let document = files::read_toml(list)?;
    let packages = document.get("package").and_then(Item::as_array_of_tables);
    let packages =
        packages.ok_or_else(|| format!("`{}` lists no packages", root::display_path(list)))?;
    packages.iter().map(package).collect()
}

fn package(table: &Table) -> Result<Adopter, Failure> {
    let field = |key: &str| {
        let text = table.get(key).and_then(Item::as_str).map(str::to_owned);
        text.ok_or_else(|| format!("a package in `adopters.toml` lacks the string `{key}`"))
    };
    let (name, version) = (field("name")?, field("version")?);
    let entries = |list: &str, keys: &[&str]| -> Result<Vec<Vec<String>>, Failure> {
        let array = table.get(list).and_then(Item::as_array);
        let array = array.ok_or_else(|| {
            format!("the package `{name}` in `adopters.toml` lacks the list `{list}`")
        })?;
        let read_entry = |entry: &toml_edit::Value| {
            let entry = entry.as_inline_table();
            let text = |key: &&str| Some(entry?.get(key)?.as_str()?.to_owned());
            let texts: Option<Vec<String>> = keys.iter().map(text).collect();
            texts.ok_or_else(|| {
                format!(
                    "an entry of `{list}` of the package `{name}` lacks one of the keys {keys:?}"
                )
            })
        };
        array.iter().map(read_entry).collect()
    };
    let replacements = entries("replace", &["file", "from", "to"])?;
    let replacements = replacements.into_iter().filter_map(|texts| texts.try_into().ok()).collect();
    let known_failures = entries("known", &["test", "why"])?;
    let known_failures =
        known_failures.into_iter().filter_map(|texts| texts.into_iter().next()).collect();
    Ok(Adopter { name, version, replacements, known_failures })
}

impl Adopter {
    /// Applies the replacements to a copy of the package, and adds the dependency on tabulex. Fails if a replacement
    /// does not match.
    pub(crate) fn change(&self, copy: &Path) -> Result<(), Failure> {
        for [file, from, to] in &self.replacements {
            let path = copy.join(file);
            let text = files::read(&path)?;
            if !text.contains(from.as_str()) {
                return Err(format!(
                    "`{file}` of {} {} does not contain {from:?}",
                    self.name, self.version
                ));
            }
            files::write(&path, &text.replace(from.as_str(), to))?;
        }
        let path = copy.join("Cargo.toml");
        let mut manifest = files::read_toml(&path)?;
        let bridge = root::root().join("runtime/extras/markup5ever");
        let mut dependency = Table::new();
        dependency["path"] = value(bridge.to_string_lossy().into_owned());
        let dependencies = manifest.entry("dependencies").or_insert(Item::Table(Table::new()));
        dependencies["tabulex-markup5ever"] = Item::Table(dependency);
        files::write(&path, &manifest.to_string())
    }
}
