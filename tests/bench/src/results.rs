//! Saves results as a table and a picture in `tests/bench/results`, with the date and the kind of machine.

use crate::plot;
use crate::table::Table;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes the tables as Markdown and as a picture. `measurement` describes how the values were measured.
pub fn save(tables: &[Table], name: &str, measurement: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let about = format!("{}, {}, {}", today(), machine(), compiler());
    let mut text =
        format!("# {name}\n\n{about}.\n{measurement}\n\n![The results as bars]({name}.svg)\n");
    for table in tables {
        text += "\n";
        text += &table.markdown();
    }
    let title = format!("tabulex and its peers: {name}");
    for (ending, contents) in [("md", text), ("svg", plot::svg(tables, &title, &about))] {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::write(&path, contents).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Returns the date in UTC.
fn today() -> String {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = date_of_day((since_epoch.as_secs() / 86_400) as i64);
    format!("{year}-{month:02}-{day:02}")
}

/// Converts a number of days since 1970-01-01 to a date.
fn date_of_day(days: i64) -> (i64, u32, u32) {
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut days_left) = (1970, days);
    while days_left >= 365 + i64::from(leap(year)) {
        days_left -= 365 + i64::from(leap(year));
        year += 1;
    }
    let february = 28 + i64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days_left < length {
            break;
        }
        days_left -= length;
        month += 1;
    }
    (year, month, days_left as u32 + 1)
}

/// Returns the processor model and the number of cores.
fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let kind = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{kind}, {cores} cores, {}", std::env::consts::OS)
}

fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    let words = version.as_deref().and_then(|text| text.split(" (").next());
    words.unwrap_or("rustc").trim().to_owned()
}
