//! The published packages as users get them: the archives that `cargo xtask package` writes, and projects that depend
//! on them alone, offline.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};
use tabulex::{Options, WriteNode as _, html};
use tabulex_tests::sample::is_full;

/// The names of the published packages, in alphabetical order.
const PACKAGES: [&str; 28] = [
    "tabulex",
    "tabulex-cli",
    "tabulex-compiler",
    "tabulex-core",
    "tabulex-documents",
    "tabulex-edit",
    "tabulex-html",
    "tabulex-html-2007",
    "tabulex-html-2013",
    "tabulex-language",
    "tabulex-macros",
    "tabulex-markup5ever",
    "tabulex-microxml",
    "tabulex-microxml-2012-12",
    "tabulex-oracle",
    "tabulex-rewrite",
    "tabulex-sanitize",
    "tabulex-select",
    "tabulex-serde",
    "tabulex-sky",
    "tabulex-tables",
    "tabulex-text",
    "tabulex-url",
    "tabulex-webvtt",
    "tabulex-webvtt-file",
    "tabulex-workshop",
    "tabulex-xml",
    "tabulex-xml-er",
];

/// Maximum size of an archive in bytes; a larger one contains files that do not belong there.
const MAX_ARCHIVE_SIZE: u64 = 300 * 1024;

/// Packages that only compile tables, so that users of a compiled dialect do not build them.
const COMPILERS: [&str; 10] = [
    "pest",
    "pest_derive",
    "quote",
    "syn",
    "tabulex-compiler",
    "tabulex-documents",
    "tabulex-language",
    "tabulex-macros",
    "tabulex-oracle",
    "tabulex-workshop",
];

/// A program that parses its first argument.
const PROGRAM: &str = r#"
use tabulex::WriteNode;

fn main() {
    let text = std::env::args().nth(1).unwrap();
    print!("{}", tabulex::html::parse(&text, tabulex::Options::new()).tree.root().to_dump());
}
"#;

/// The argument of [`PROGRAM`]: the text to parse.
const INPUT: &str = "<!doctype html><table><b class=a&amp;b>1<tr><td>2<svg><![CDATA[3]]></svg>";

#[test]
fn users_build_from_the_archives_alone() {
    let folder = PackageFolder::new();
    folder.xtask(&["package", "--out", &folder.path("archives")]);
    let packages = folder.unpack();
    let names: Vec<&str> = packages.iter().map(|package| &package.name[..]).collect();
    assert_eq!(names, PACKAGES);

    let expanded = folder.xtask(&["expand", "html", "--plain"]).text;
    let html_package = packages.iter().find(|package| package.name == "tabulex-html").unwrap();
    let module = fs::read_to_string(html_package.folder.join("src/machine.rs")).unwrap();
    assert_eq!(
        code(&module),
        code(&expanded),
        "the code in the archive differs from that of the table"
    );

    let user_project =
        folder.project("user", &packages, &[("main.rs", PROGRAM)], "\"encoding\", \"html\"");
    let tree = user_project.cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]).text;
    let compiled_packages: Vec<&str> =
        tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(compiled_packages.contains(&"tabulex-html"), "{tree}");
    for name in COMPILERS {
        assert!(!compiled_packages.contains(&name), "`{name}` is compiled:\n{tree}");
    }
    let dump = user_project.cargo(&["run", "--quiet", "--", INPUT]).text;
    assert_eq!(dump, html::parse(INPUT, Options::new()).tree.root().to_dump());
    assert!(dump.contains("class=\"a&b\"") && dump.contains("<svg svg>"), "{dump}");

    if is_full() {
        archives_are_reproducible(&folder);
        all_archives_build(&folder, &packages);
    }
}

/// Packs a second time, and checks that the archives have equal bytes.
fn archives_are_reproducible(folder: &PackageFolder) {
    folder.xtask(&["package", "--out", &folder.path("repacked")]);
    let mut count = 0;
    for entry in
        fs::read_dir(folder.path("archives")).expect("the folder `archives` can be read").flatten()
    {
        let repacked = Path::new(&folder.path("repacked")).join(entry.file_name());
        let [first, second] = [entry.path(), repacked].map(|path| fs::read(path).unwrap());
        assert!(first == second, "packing {:?} again yields different bytes", entry.file_name());
        count += 1;
    }
    assert_eq!(count, PACKAGES.len());
}

/// Builds a project with tables of its own, all dialects, and the command-line program.
fn all_archives_build(folder: &PackageFolder, packages: &[Package]) {
    let read = |name| fs::read_to_string(root().join(name)).unwrap();
    let inline = read("tests/ui/ok/inline.rs");
    let extends = read("tests/ui/ok/extends.rs");
    let program = read("runtime/bindings/cli/src/main.rs");
    let files = [
        ("bin/inline.rs", &inline[..]),
        ("bin/extends.rs", &extends[..]),
        ("bin/program.rs", &program[..]),
    ];
    let project = folder.project("tables", packages, &files, "\"all-dialects\", \"machine\"");
    // The programs `inline` and `extends` assert their own results, so running them is enough.
    project.cargo(&["run", "--quiet", "--bin", "inline"]);
    project.cargo(&["run", "--quiet", "--bin", "extends"]);
    let help = project.cargo(&["run", "--quiet", "--bin", "program", "--", "--help"]).text;
    assert_eq!(help, read("tests/suites/help/tabulex.txt"));
}

/// Returns the code of a module, without its header, indentation and blank lines.
fn code(module: &str) -> String {
    let lines = module.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_header = |line: &&str| line.starts_with("//! ") || line.starts_with("// made from ");
    lines.skip_while(is_header).collect::<Vec<_>>().join("\n")
}

/// A folder for archives and projects, initially empty.
struct PackageFolder {
    folder: PathBuf,
    /// Cargo's target folder for the workspace.
    target: PathBuf,
}

impl PackageFolder {
    fn new() -> Self {
        let executable = env::current_exe().unwrap();
        // The executable of the test is in `<target>/<profile>/deps`, so its third ancestor is the target folder.
        let target = executable.ancestors().nth(3).unwrap().to_owned();
        let folder = target.join("tests/package");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(folder.join("unpacked")).unwrap();
        Self { folder, target }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Runs `cargo xtask` in the workspace with these arguments, which must succeed.
    fn xtask(&self, arguments: &[&str]) -> ProgramResult {
        let mut command = cargo(&["run", "--quiet", "--package", "xtask", "--"]);
        command.current_dir(root()).env("CARGO_TARGET_DIR", &self.target).args(arguments);
        let outcome = run(&mut command);
        assert!(
            outcome.is_successful,
            "`cargo xtask` with the arguments {arguments:?} fails: {}",
            outcome.text
        );
        outcome
    }

    /// Unpacks all archives, and returns their packages sorted by name.
    fn unpack(&self) -> Vec<Package> {
        let mut packages = Vec::new();
        for entry in fs::read_dir(self.folder.join("archives")).unwrap() {
            let entry = entry.unwrap();
            let size = entry.metadata().unwrap().len();
            let name = entry.file_name().into_string().unwrap();
            assert!(
                size <= MAX_ARCHIVE_SIZE,
                "`{name}` has {size} bytes, more than {MAX_ARCHIVE_SIZE}"
            );
            let mut tar = Command::new("tar");
            tar.arg("-xzf").arg(entry.path()).arg("-C").arg(self.folder.join("unpacked"));
            let outcome = run(&mut tar);
            assert!(outcome.is_successful, "cannot unpack `{name}`: {}", outcome.errors);
            let archive_stem = name.strip_suffix(".crate").unwrap();
            let (name, version) = archive_stem.rsplit_once('-').unwrap();
            packages.push(Package {
                name: name.to_owned(),
                version: version.to_owned(),
                folder: self.folder.join("unpacked").join(archive_stem),
            });
        }
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        packages
    }

    /// Creates a project that depends on the unpacked package `tabulex` with these features, and, with `all-dialects`,
    /// on its command-line program.
    fn project(
        &self,
        name: &str,
        packages: &[Package],
        files: &[(&str, &str)],
        features: &str,
    ) -> Project {
        let folder = self.folder.join(name);
        for (file, text) in files {
            let file = folder.join("src").join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let version = &packages[0].version;
        let mut manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             tabulex = {{ version = \"{version}\", default-features = false, features = [{features}] }}\n"
        );
        if features.contains("all-dialects") {
            manifest += &format!("tabulex-cli = \"{version}\"\n");
        }
        manifest += "[patch.crates-io]\n";
        for package in packages {
            manifest += &format!("{} = {{ path = {:?} }}\n", package.name, package.folder);
        }
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        // The project is built offline, where only the locked versions of dependencies are available.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Project { target: self.folder.join("target").join(name), folder }
    }
}

/// A published package, unpacked.
struct Package {
    name: String,
    version: String,
    folder: PathBuf,
}

/// A user's project.
struct Project {
    folder: PathBuf,
    target: PathBuf,
}

impl Project {
    /// Runs cargo in the project, which must succeed.
    fn cargo(&self, arguments: &[&str]) -> ProgramResult {
        let mut command = cargo(arguments);
        command.current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target);
        let outcome = run(&mut command);
        assert!(
            outcome.is_successful,
            "cargo fails with {arguments:?}:\n{}\n{}",
            outcome.text, outcome.errors
        );
        outcome
    }
}

/// The result of running a program.
struct ProgramResult {
    is_successful: bool,
    /// Standard output.
    text: String,
    /// Standard error.
    errors: String,
}

/// Returns a command that runs cargo offline and without settings from the environment of the test run.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let (subcommand, options) =
        arguments.split_first().expect("the first argument is a command of cargo");
    command.arg(subcommand).arg("--offline").args(options).env("CARGO_TERM_COLOR", "never");
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TERM_QUIET"] {
        command.env_remove(name);
    }
    command
}

/// Runs a program, and prints its duration if that exceeds a second.
fn run(command: &mut Command) -> ProgramResult {
    let start = Instant::now();
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    let elapsed = start.elapsed().as_secs_f64();
    if elapsed >= 1.0 {
        let arguments = command.get_args().map(|argument| argument.to_string_lossy());
        println!("{}: {elapsed:.1} s", arguments.collect::<Vec<_>>().join(" "));
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    ProgramResult {
        is_successful: output.status.success(),
        text: text(&output.stdout),
        errors: text(&output.stderr),
    }
}

/// Returns the root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
