//! Third-party packages from the list of adopters, and the replacements that make them use tabulex.

use crate::{Failure, files, root};
use std::path::Path;
use toml_edit::{Item, Table, value};

/// A third-party package from the list of adopters.
pub(crate) struct Adopter {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Replacements: file, old text and new text.
    replace: Vec<[String; 3]>,
    /// Names of the tests that are known to fail.
    pub(crate) known: Vec<String>,
}

/// Reads the list of packages.
pub(crate) fn packages(list: &Path) -> Result<Vec<Adopter>, Failure> {
    let document = files::read_toml(list)?;
    let packages = document.get("package").and_then(Item::as_array_of_tables);
    let packages =
        packages.ok_or_else(|| format!("`{}` lists no package", root::display_path(list)))?;
    packages.iter().map(package).collect()
}

fn package(table: &Table) -> Result<Adopter, Failure> {
    let field = |key: &str| {
        let text = table.get(key).and_then(Item::as_str).map(str::to_owned);
        text.ok_or_else(|| format!("a package lacks the key `{key}`"))
    };
    let (name, version) = (field("name")?, field("version")?);
    let entries = |list: &str, keys: &[&str]| -> Result<Vec<Vec<String>>, Failure> {
        let found = table.get(list).and_then(Item::as_array);
        let found = found.ok_or_else(|| format!("the package `{name}` lacks the list `{list}`"))?;
        let read = |entry: &toml_edit::Value| {
            let entry = entry.as_inline_table();
            let text = |key: &&str| Some(entry?.get(key)?.as_str()?.to_owned());
            let texts: Option<Vec<String>> = keys.iter().map(text).collect();
            texts.ok_or_else(|| {
                format!("an entry of `{list}` of the package `{name}` lacks one of {keys:?}")
            })
        };
        found.iter().map(read).collect()
    };
    let replace = entries("replace", &["file", "from", "to"])?;
    let replace = replace.into_iter().filter_map(|texts| texts.try_into().ok()).collect();
    let known = entries("known", &["test", "why"])?;
    let known = known.into_iter().filter_map(|texts| texts.into_iter().next()).collect();
    Ok(Adopter { name, version, replace, known })
}

impl Adopter {
    /// Applies the replacements to a copy of the package, and adds the dependency on tabulex. Fails if a replacement
    /// does not match.
    pub(crate) fn change(&self, copy: &Path) -> Result<(), Failure> {
        for [file, from, to] in &self.replace {
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
