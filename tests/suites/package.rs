//! That every published package builds from its own archive, without the workspace around it. Nothing is published.
//! Invariant: the archives are made of a copy, by cargo, as they are made for the registry.

mod workshop;

use std::fs;
use workshop::{Results, Workshop};

/// The published packages, those that others depend on first.
const PACKAGES: [&str; 4] = ["tabulex-spec", "tabulex-compiler", "tabulex-macros", "tabulex"];

/// More than this means that something went into an archive that does not belong there.
const LARGEST: u64 = 512 * 1024;

#[test]
fn every_published_package_builds_from_its_archive() {
    let workshop = Workshop::new("package", Results::OfTheseFilesAlone);
    assert_eq!(published(&workshop), PACKAGES);
    let archives = workshop.target().join("package");
    let mut arguments = vec!["package", "--allow-dirty", "--features", "tabulex/cli"];
    arguments.extend(PACKAGES.iter().flat_map(|package| ["--package", *package]));
    let packed = workshop.cargo("pack and build", &arguments);
    assert!(packed.is_good, "{}", packed.said);
    for package in PACKAGES {
        assert!(packed.said.contains(&format!("Verifying {package} v")), "{}", packed.said);
        let prefix = format!("{package}-");
        let is_version =
            |rest: &str| rest.ends_with(".crate") && rest.starts_with(|c: char| c.is_ascii_digit());
        let entries = fs::read_dir(&archives).expect("the archives can be listed");
        let archive = entries.map(|entry| entry.expect("an entry")).find(|entry| {
            entry.file_name().to_string_lossy().strip_prefix(&prefix).is_some_and(is_version)
        });
        let size = archive.expect("an archive").metadata().expect("its size").len();
        println!("{package}: {size} bytes");
        assert!(size <= LARGEST, "{package}: {size} bytes");
    }
}

/// The packages of the workspace whose manifests do not say that they are not to be published.
fn published(workshop: &Workshop) -> Vec<String> {
    let members = ["spec", "macros/compiler", "macros", "runtime", "tests", "xtask"];
    let manifests = members.map(|member| {
        let manifest = workshop.path(member).join("Cargo.toml");
        fs::read_to_string(manifest).expect("the manifest can be read")
    });
    let published = manifests.iter().filter(|manifest| !manifest.contains("publish = false"));
    let name = |manifest: &String| {
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
        name.expect("a name").trim_matches('"').to_owned()
    };
    published.map(name).collect()
}
