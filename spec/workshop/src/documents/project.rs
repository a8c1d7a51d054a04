//! Reads and writes the files of a comparison: profiles, facts and accepted entries in one folder, tables in another,
//! and documents in a third. Sentences of documents are written only to the cache.

use crate::Failure;
use crate::home::Home;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{self, Profile, Reading, split_place, table_of_reader};

/// The folders of tables, of facts about their documents, and of the documents.
#[derive(Clone, Debug)]
pub struct Project {
    /// The environment of the program.
    pub home: Home,
    /// Folder of profiles, facts and accepted entries.
    pub folder: PathBuf,
    /// Folder of tables; a table that is not in the folder is looked up among the built-in ones.
    pub tables: PathBuf,
    /// Folder of documents.
    pub texts: PathBuf,
}

impl Project {
    /// Creates a project from a table and a document. Profiles, facts and accepted entries are next to the table.
    pub fn for_files(home: &Home, table: &Path, document: &Path) -> Self {
        let (folder, texts) = (table.with_file_name(""), document.with_file_name(""));
        Self { home: home.clone(), tables: folder.clone(), folder, texts }
    }

    /// Reads a file in the folder of tables, or else the built-in file with its name. `None` if there is neither.
    pub fn read_table(&self, name: &str) -> Option<String> {
        let text = fs::read_to_string(self.tables.join(name)).ok();
        text.or_else(|| Some(self.home.built_in(name)?.1))
    }

    fn file_path(&self, dialect: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{dialect}.{ending}"))
    }

    fn read(&self, path: &Path) -> Result<String, Failure> {
        fs::read_to_string(path)
            .map_err(|error| format!("cannot read `{}`: {error}", self.home.display_path(path)))
    }

    /// Writes the file of a dialect with this ending: `facts`, `accepted` or `profile`.
    pub(super) fn write(&self, dialect: &str, ending: &str, text: &str) -> Result<(), Failure> {
        let path = self.file_path(dialect, ending);
        fs::write(&path, text)
            .map_err(|error| format!("cannot write `{}`: {error}", self.home.display_path(&path)))
    }

    /// Returns the ids of the dialects with a file that has this ending, sorted.
    pub fn dialects(&self, ending: &str) -> Result<Vec<String>, Failure> {
        let strip_ending = |name: String| Some(name.strip_suffix(ending)?.to_owned());
        self.file_names(&self.folder, strip_ending)
    }

    /// Returns the dialects whose document has the name of the file.
    pub fn dialects_of(&self, file: &Path) -> Result<Vec<String>, Failure> {
        let is_document = |profile: Profile| file.file_name() == Some(profile.file.as_ref());
        let mut dialects = self.dialects(".profile")?;
        dialects.retain(|dialect| self.single_profile(dialect).is_ok_and(is_document));
        Ok(dialects)
    }

    fn file_names(
        &self,
        folder: &Path,
        select: impl Fn(String) -> Option<String>,
    ) -> Result<Vec<String>, Failure> {
        let listed_folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = fs::read_dir(listed_folder).map_err(|error| {
            format!("cannot read `{}`: {error}", self.home.display_path(folder))
        })?;
        let names = entries
            .filter_map(|entry| select(entry.ok()?.file_name().to_string_lossy().into_owned()));
        let mut names: Vec<String> = names.collect();
        names.sort();
        Ok(names)
    }

    /// Returns the names of the files in the folder of tables that are lists rather than tables, sorted.
    pub fn lists(&self) -> Result<Vec<String>, Failure> {
        let is_list = |name: &String| {
            [".text", ".sanitizer", ".selectors"].iter().any(|ending| name.ends_with(ending))
        };
        self.file_names(&self.tables, |name| Some(name).filter(is_list))
    }

    /// Whether the dialect has a profile.
    pub fn has_profile(&self, dialect: &str) -> bool {
        self.file_path(dialect, "profile").is_file()
    }

    /// Reads the profile of a dialect, and adds the sections that other profiles of the document read.
    pub fn profile(&self, dialect: &str) -> Result<Profile, Failure> {
        let profile = self.single_profile(dialect)?;
        let others = self.dialects(".profile")?;
        let others: Result<Vec<Profile>, Failure> =
            others.iter().map(|one| self.single_profile(one)).collect();
        Ok(profile.with_others(&others?))
    }

    fn single_profile(&self, dialect: &str) -> Result<Profile, Failure> {
        let path = self.file_path(dialect, "profile");
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read the profile of `{dialect}`: {error}"))?;
        Profile::parse(&text)
            .map_err(|message| format!("{}: {message}", self.home.display_path(&path)))
    }

    /// Returns the path of a profile's document, if the document and any list of character references that the profile
    /// names are present.
    pub fn find_document(&self, profile: &Profile) -> Option<PathBuf> {
        let exists = |name: &String| self.texts.join(name).is_file();
        let names = [Some(&profile.file), profile.names.as_ref()];
        names.into_iter().flatten().all(exists).then(|| self.texts.join(&profile.file))
    }

    /// Reads a document, or takes the result of an earlier reading from the cache.
    pub fn text(&self, dialect: &str, file: &Path, profile: &Profile) -> Result<Text, Failure> {
        let cache_file =
            self.home.cache.as_ref().map(|folder| folder.join(format!("{dialect}.read")));
        let key = format!("{:016x}", self.cache_key(file, profile)?);
        let cached_text = cache_file.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let cached = cached_text.as_ref().and_then(|text| split_cached(text.strip_prefix(&key)?));
        let (mut facts, words) = match cached {
            Some((words, facts)) => (parse_facts(dialect, facts)?, words),
            None => {
                let reading = self.read_document(file, profile)?;
                let facts = facts::write(&reading);
                let words: BTreeMap<u32, String> =
                    reading.sentences.into_iter().map(|one| (one.hash, one.words)).collect();
                if let Some(path) = cache_file {
                    let lines: String =
                        words.iter().map(|(hash, words)| format!("{hash:08x} {words}\n")).collect();
                    // A failure to write the cache is ignored, because it only makes the next reading slower.
                    let _ = fs::create_dir_all(path.with_file_name(""));
                    let _ = fs::write(&path, format!("{key}\n{lines}\n{facts}"));
                }
                (parse_facts(dialect, &facts)?, words)
            }
        };
        facts.names = self.names(file, profile)?;
        Ok(Text { facts, words })
    }

    /// Computes the cache key of a reading, a hash of all that affects the result: the document, the list of references
    /// next to it, the profile, the table by which HTML is read, and this program.
    fn cache_key(&self, file: &Path, profile: &Profile) -> Result<u64, Failure> {
        let mut hasher = DefaultHasher::new();
        let list_path = profile.names.as_ref().map(|name| file.with_file_name(name));
        for file in list_path.as_deref().into_iter().chain([file]) {
            self.read(file)?.hash(&mut hasher);
        }
        (format!("{profile:?}"), table_of_reader()).hash(&mut hasher);
        let program_file = std::env::current_exe().and_then(fs::metadata);
        let program_file = program_file
            .map_err(|error| format!("cannot examine the file of the running program: {error}"))?;
        (program_file.len(), program_file.modified().ok()).hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// Reads a document without using the cache.
    pub fn read_document(&self, file: &Path, profile: &Profile) -> Result<Reading, Failure> {
        let mut reading = document::read(&self.read(file)?, profile);
        reading.names = self.names(file, profile)?;
        Ok(reading)
    }

    /// Returns descriptions of the references in the list that the profile names, by hash; empty if it names none.
    fn names(&self, file: &Path, profile: &Profile) -> Result<BTreeMap<u32, String>, Failure> {
        let list = profile.names.as_ref();
        list.map_or_else(
            || Ok(BTreeMap::new()),
            |name| document::names(&self.read(&file.with_file_name(name))?),
        )
    }

    /// Reads the committed facts of a dialect.
    pub fn facts(&self, dialect: &str) -> Result<Facts, Failure> {
        parse_facts(dialect, &self.read(&self.file_path(dialect, "facts"))?)
    }

    /// Reads the text of the accepted entries of a dialect; empty if there are none yet.
    pub fn accepted(&self, dialect: &str) -> String {
        fs::read_to_string(self.file_path(dialect, "accepted")).unwrap_or_default()
    }

    /// Adds a sentence to the profile of a dialect, as one that stands for these steps or, without steps, as a remark. A
    /// remark replaces all glosses of the sentence; a gloss replaces a remark, and a gloss for the place that it names.
    pub fn record(&self, dialect: &str, hash: u32, steps: Option<&str>) -> Result<(), Failure> {
        let hash = format!("{hash:08x}");
        let earlier_glosses =
            ["gloss", "gloss of another date"].map(|word| format!("{word}: {hash} = "));
        let text = self.read(&self.file_path(dialect, "profile"))?;
        let text = text.replace(&format!(" {hash}\n"), "\n");
        let is_earlier = |line: &&str| {
            let gloss = earlier_glosses.iter().find_map(|begin| line.strip_prefix(&begin[..]));
            let has_place =
                |gloss| steps.is_none_or(|it| split_place(it).0 == split_place(gloss).0);
            gloss.is_some_and(has_place)
        };
        let lines = text.split_inclusive('\n').filter(|line| !is_earlier(line));
        let lines = lines.filter(|line| *line != "remarks:\n").map(|line| match line {
            line if line.starts_with("remarks: ") => line.replace(&format!(" {hash} "), " "),
            line => line.to_owned(),
        });
        let text: String = lines.collect();
        let text = match steps {
            Some(steps) => format!("{text}gloss: {hash} = {steps}\n"),
            None => with_remark(&text, &hash),
        };
        self.write(dialect, "profile", &text)
    }
}

/// Adds a hash to the remarks of a profile. A line of remarks has at most about 120 columns, so the hash begins a new
/// line if the last one is full, or if there is none.
fn with_remark(text: &str, hash: &str) -> String {
    let last_remarks = text.rfind("\nremarks: ").map(|offset| offset + 1);
    let end = last_remarks.and_then(|offset| Some(offset + text[offset..].find('\n')?));
    let is_full = last_remarks.zip(end).is_none_or(|(at, end)| end - at > 110);
    let offset = end.map_or(text.len(), |end| end + usize::from(is_full));
    let addition = if is_full { format!("remarks: {hash}\n") } else { format!(" {hash}") };
    [&text[..offset], &addition, &text[offset..]].concat()
}

/// The result of reading a document.
#[derive(Debug)]
pub struct Text {
    /// Facts read from the document.
    pub facts: Facts,
    /// Sentences of the document, by hash.
    pub words: BTreeMap<u32, String>,
}

/// Splits a cached reading without its key into sentences by hash, and the text of the facts. `None` if it is
/// malformed.
fn split_cached(cached: &str) -> Option<(BTreeMap<u32, String>, &str)> {
    let (words, facts) = cached.strip_prefix('\n')?.split_once("\n\n")?;
    let parse_line = |line: &str| {
        let (hash, words) = line.split_once(' ')?;
        Some((u32::from_str_radix(hash, 16).ok()?, words.to_owned()))
    };
    Some((words.lines().map(parse_line).collect::<Option<_>>()?, facts))
}

fn parse_facts(dialect: &str, text: &str) -> Result<Facts, Failure> {
    facts::parse(text)
        .map_err(|message| format!("the facts of `{dialect}` are invalid:\n{message}"))
}
