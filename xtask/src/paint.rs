//! Colours of diagnostics on a terminal. It changes no word. Invariant: without a terminal, or with `NO_COLOR`, the text
//! is as it was.

use std::io::IsTerminal;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const CYAN: &str = "\x1b[1;36m";
const PLAIN: &str = "\x1b[0m";

/// Whether standard output takes colours.
pub(crate) fn is_wanted() -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !forbidden && std::io::stdout().is_terminal()
}

/// A diagnostic as `Diagnostic::render` writes it, in colours.
pub(crate) fn diagnostic(text: &str) -> String {
    let mut colour = RED;
    let mut painted = String::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let (head, tail) = match trimmed.find(": ") {
            Some(end) if index == 0 => {
                colour = if trimmed.starts_with("warning") { YELLOW } else { RED };
                line.split_at(line.len() - trimmed.len() + end)
            }
            Some(end) if trimmed.starts_with("help: ") || trimmed.starts_with("note: ") => {
                let (head, tail) = line.split_at(line.len() - trimmed.len() + end);
                painted += &format!("{CYAN}{head}{PLAIN}{tail}\n");
                continue;
            }
            _ => match line.find(" | ") {
                // The line of the caret has no number before the bar.
                Some(bar) if line[..bar].trim().is_empty() => {
                    painted +=
                        &format!("{BLUE}{}{colour}{}{PLAIN}\n", &line[..bar + 2], &line[bar + 2..]);
                    continue;
                }
                Some(bar) => {
                    painted += &format!("{BLUE}{}{PLAIN}{}\n", &line[..bar + 2], &line[bar + 2..]);
                    continue;
                }
                None => {
                    painted += &format!("{BLUE}{line}{PLAIN}\n");
                    continue;
                }
            },
        };
        painted += &format!("{colour}{head}{PLAIN}{tail}\n");
    }
    painted
}

#[cfg(test)]
mod tests {
    #[test]
    fn colours_change_no_word() {
        let text = "warning[x]: a: b\n  --> t:1:2\n12 | a | b\n   |  ^^\n  note: why\n  help: c\n";
        let painted = super::diagnostic(text);
        assert_ne!(painted, text);
        let plain: String = painted
            .split('\x1b')
            .map(|part| {
                part.split_once('m')
                    .filter(|_| part.starts_with('['))
                    .map_or(part, |(_, rest)| rest)
            })
            .collect();
        assert_eq!(plain, text);
    }
}
