//! With the feature `table`, embeds the tables into the program as a list of names and texts.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(folder) = tables_folder() else { return Ok(()) };
    println!("cargo::rerun-if-changed={folder}");
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| {
        [".states", ".modes", ".references"].iter().any(|ending| name.ends_with(ending))
    });
    names.sort();
    let mut list = "&[\n".to_owned();
    for name in names {
        let path = Path::new(folder).join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(list, "    ({name:?}, include_str!({path:?})),")?;
    }
    list += "]\n";
    let out_dir = env::var_os("OUT_DIR").ok_or("`OUT_DIR` is not set")?;
    fs::write(Path::new(&out_dir).join("tables.rs"), list)?;
    Ok(())
}

#[cfg(feature = "table")]
fn tables_folder() -> Option<&'static str> {
    Some(tabulex_tables::FOLDER)
}

#[cfg(not(feature = "table"))]
fn tables_folder() -> Option<&'static str> {
    None
}
