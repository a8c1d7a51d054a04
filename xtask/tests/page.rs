//! Tests the page that `cargo xtask diff --format html` prints in a browser: its contents, search and keys. A script
//! added to the page simulates the reader. Without a browser, the test says so and passes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A script that acts as a reader, and sets the title of the document to its observations.
const READER: &str = r#"<script>
const seen = {};
const shown = () => states.filter(state => state.getClientRects().length > 0).length;
const key = (name, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
seen.all = shown();
seen.loud = states.filter(state => !state.classList.contains('same')).length;
seen.columns = getComputedStyle(document.querySelector('.pair')).gridTemplateColumns.split(' ').length;
key('j');
const first = document.activeElement;
key('j');
seen.goes = first !== document.activeElement && !document.activeElement.classList.contains('same');
key('k');
seen.comes_back = first === document.activeElement;
key('/');
seen.finds_box = document.activeElement === box;
box.value = 'bogus-comment';
box.dispatchEvent(new Event('input'));
seen.found = shown();
key('Escape', box);
seen.leaves_box = document.activeElement !== box;
box.value = '';
box.dispatchEvent(new Event('input'));
seen.again = shown();
document.title = Object.entries(seen).map(([name, value]) => `${name}=${value}`).join(';');
</script>
"#;

/// Searches the path for a browser.
fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|it| it.is_file())
}

fn value<'t>(title: &'t str, name: &str) -> &'t str {
    let mut pairs = title.split(';').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == name).map_or("", |(_, value)| value)
}

#[test]
fn page_supports_search_and_navigation() {
    let Some(browser) = browser() else {
        println!("skipped: no browser was found; install the package `chromium`");
        return;
    };
    let printed = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["diff", "xml-er", "--format", "html"])
        .output()
        .expect("xtask runs");
    let page = String::from_utf8(printed.stdout).expect("the page is UTF-8");
    let states = page.matches("<section").count();
    assert!(states > 60, "{states} states");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("page.html");
    fs::write(&file, page.replace("</html>", &format!("{READER}</html>")))
        .expect("the page can be written");
    let printed = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run"])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    let document = String::from_utf8_lossy(&printed.stdout);
    let title = document.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let title = title.expect("the page has a title").0;
    println!("{title}");
    assert_eq!(value(title, "all"), states.to_string());
    assert_eq!(value(title, "again"), states.to_string());
    assert_eq!(value(title, "columns"), "2");
    for name in ["goes", "comes_back", "finds_box", "leaves_box"] {
        assert_eq!(value(title, name), "true", "{name}: {title}");
    }
    let count =
        |name: &str| value(title, name).parse::<usize>().expect("the observation is a number");
    assert!(count("loud") > 1 && count("loud") < states, "{title}");
    assert!(count("found") > 0 && count("found") < 20, "{title}");
}
