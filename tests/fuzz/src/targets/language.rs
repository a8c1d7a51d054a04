//! The table language: whatever stands in a table, reading it gives diagnostics with places, or a machine that is compiled
//! and that the interpreter runs. Whether a table is right is not asked. Invariant: it runs what the macro runs.

use super::Target;
use crate::feedback::note;
use crate::parts::Parts;
use std::sync::LazyLock;
use tabulex_language::model::RowId;
use tabulex_language::vocabulary::{ACTIONS, CONDITIONS};
use tabulex_language::{Severity, Source, load, load_inline, parse};
use tabulex_oracle::interpreter::{Host, Interpreter, Options};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "language",
    about: "tables, malformed or not: diagnostics with places, or a machine that compiles and runs",
    choices: 1,
    piece,
    run,
};

/// What tables are written in, beside the words of the vocabulary.
const PIECES: &[&str] = &[
    "machine! {",
    "}",
    "{",
    ";",
    "=>",
    "=",
    ",",
    ":",
    "..=",
    "|",
    "'a'",
    "'\\0'",
    "'\\u{10FFFF}'",
    "\"abc\"",
    "\"\"",
    "EOF",
    "else",
    "name x;",
    "start data;",
    "document \"d\";",
    "newlines normalized;",
    "nulls replaced;",
    "class c = 'a'..='z';",
    "state data {",
    "state x @ \"1\" {",
    "error e;",
    "mode m {",
    "modes \"html.modes\";",
    "extends html {",
    "references \"html.references\";",
    "steps s {",
    "when",
    "otherwise",
    "not",
    "and",
    "or",
    "if",
    "(",
    ")",
    "flag f = a | b by host;",
    "lexeme L = 'a'*;",
    "lexical-mode",
    "procedure p",
    "fills \"r\"",
    "deviates \"r\";",
    "//! x\n",
    "// x\n",
    "start-tag \"a\"",
    "end-tag",
    "character",
    "add",
    "replace",
    "remove",
    "\\",
    "'",
    "\"",
    "é",
    "\u{0}",
    "switch data;",
    "reconsume;",
    "emit current;",
    "emit end-of-file;",
    "append current to name;",
    "create start-tag;",
    "ignore;",
    "error e;",
    "as else;",
    "100000000000000000000",
    "&",
    "<",
    "/*",
    "*/",
];

/// A small table of each sort, in which changes are made.
const TABLES: &[&str] = &[
    "machine! {
    name x;
    document \"d\";
    start data;
    errors e;
    class letter = 'a'..='z';
    state data {
        '<' => switch tag;
        EOF => emit end-of-file;
        else => emit current;
    }
    state tag {
        letter => create start-tag; append current to tag-name; switch name;
        \"!--\" => create comment; switch comment;
        EOF => error e; emit \"<\"; reconsume data;
        else => emit \"<\"; reconsume data;
    }
    state name {
        '>' => emit tag; switch data;
        EOF => error e; reconsume data;
        else => append current to tag-name;
    }
    state comment {
        '>' => emit comment; switch data;
        EOF => emit comment; reconsume data;
        else => append current to comment;
    }
}
",
    "machine! {
    name x;
    errors e;
    extends html {
        in state data {
            add \"{{\" => create processing-instruction; switch y;
        }
        add state y {
            \"}}\" => switch data; emit processing-instruction;
            EOF => error e; reconsume data;
            else => append current to data;
        }
    }
}
",
    "machine! {
    name x;
    document \"d\";
    start data;
    newlines normalized;
    errors e;
    flag f = a | b by host;
    state data {
        EOF => emit end-of-file;
        '&' when f is b => error e; emit \"x\";
        else => emit current;
    }
}
",
];

/// Words of every form of the vocabulary.
static FORMS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let actions = ACTIONS.iter().map(|form| form.syntax);
    actions.chain(CONDITIONS.iter().map(|form| form.syntax)).collect()
});

/// The texts of tables, cut at their lines.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let tables = tabulex_tables::all();
    let lines = tables.iter().flat_map(|(_, text)| text.lines());
    lines.filter(|line| line.len() < 200).map(|line| format!("{line}\n")).collect()
});

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(8) {
        0 => random.pick(&LINES).as_bytes().to_vec(),
        1 => {
            let form = random.pick(&FORMS).replace(['<', '>'], "");
            format!("{form}; ").into_bytes()
        }
        2 if random.one_in(8) => random.pick::<&str>(TABLES).as_bytes().to_vec(),
        _ => format!("{} ", random.pick::<&str>(PIECES)).into_bytes(),
    }
}

fn run(input: &[u8]) {
    let mut parts = Parts::new(input);
    let choice = usize::from(parts.byte());
    let (is_inline, at) = (choice % 2 == 1, choice / 2 % 4);
    let text = match TABLES.get(at) {
        None => parts.text(),
        // A change somewhere in a table: where, and how much is left out.
        Some(table) => {
            let place = parts.number() as usize % table.len();
            let end = (place + usize::from(parts.byte()) % 32).min(table.len());
            let changed = parts.text();
            format!("{}{changed}{}", &table[..place], &table[end..])
        }
    };
    let source = Source::new("x.states", text);
    let files = |name: &str| tabulex_tables::text(name);
    let loaded = if is_inline { load_inline(&source, &files) } else { load(&source, &files) };
    for diagnostic in &loaded.diagnostics {
        note((diagnostic.check, diagnostic.message.len() % 8));
        let span = diagnostic.span;
        let other = diagnostic.other.as_ref().map(|(span, _)| *span);
        for span in other.into_iter().chain([span]) {
            let range = span.start as usize..span.end as usize;
            assert!(source.text.get(range).is_some(), "{span:?}: {}", diagnostic.message);
        }
        assert!(diagnostic.text(&source).contains(diagnostic.check));
        assert!(!diagnostic.render(&source).is_empty());
    }
    let has_error = loaded.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert_eq!(loaded.machine.is_none(), has_error, "a machine, or a reason why there is none");
    let code = match &loaded.machine {
        Some(machine) => {
            runs(machine);
            tabulex_compiler::expand(machine)
        }
        None => tabulex_compiler::skeleton(&parse::outline(&source.text)),
    };
    if let Err(error) = syn::parse2::<syn::File>(code) {
        panic!("code that does not parse: {error}, of {:?}", source.text);
    }
}

/// Rows that a run took.
struct Rows(Vec<RowId>);

impl Host for Rows {
    fn row(&mut self, row: RowId) {
        self.0.push(row);
    }
}

/// A machine that the checks accept runs to the end of its input.
fn runs(machine: &tabulex_language::model::Machine) {
    let mut rows = Rows(Vec::new());
    let ran =
        Interpreter::new(machine).run("<a b='c'>\r\n\0é&amp;", &Options::default(), &mut rows);
    note(("rows", rows.0.len()));
    if let Err(stuck) = ran {
        panic!("{stuck}: a machine that the checks accept");
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, TABLES, load};

    #[test]
    fn tables_are_good() {
        for table in TABLES {
            let source = Source::new("x.states", *table);
            let loaded = load(&source, &|name| tabulex_tables::text(name));
            let said: Vec<String> =
                loaded.diagnostics.iter().map(|it| it.render(&source)).collect();
            assert!(loaded.machine.is_some(), "{}", said.join("\n"));
        }
    }
}
