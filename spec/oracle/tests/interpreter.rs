//! Tests of the interpreter: small tables with inputs and the expected tokens, errors and rows, and tests of single
//! rules. Together, the small tables contain every form of the vocabulary, and their inputs run every row.
//!
//! A case consists of three files in `test_data/interpreter`: NAME.states, NAME.inputs (a string literal per line,
//! preceded by options: `state=S`, `last=START-TAG`, `flag:F=VALUE`, `after:START-TAG=S`, `after:START-TAG=F:VALUE`)
//! and NAME.expected, which `UPDATE_EXPECT=1` updates.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tabulex_language::model::{Action, FlagId, Machine, StateId, Step};
use tabulex_language::{Source, vocabulary};
use tabulex_oracle::interpreter::{
    Control, Host, Interpreter, Options, Span, Stuck, StuckReason, Token,
};

#[path = "interpreter/recorder.rs"]
mod recorder;

use recorder::Recorder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/interpreter")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Loads a table, and panics if there are diagnostics.
fn load(name: &str, text: &str) -> Machine {
    let source = Source::new(name, text);
    let read_file = |file: &str| std::fs::read_to_string(folder().join(file)).ok();
    let loaded = tabulex_language::load(&source, &read_file);
    let messages: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    assert!(loaded.diagnostics.is_empty(), "`{name}` has diagnostics:\n{messages}");
    loaded.machine.expect("a table without diagnostics has a machine")
}

/// Resolves a table from its states without running the checks, as users of the library can.
fn load_unchecked(states: &str) -> Machine {
    let text = format!("machine! {{ name unchecked; start data; newlines normalized; {states} }}");
    let (table, diagnostics) = tabulex_language::parse::file(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (machine, diagnostics) = tabulex_language::resolve::resolve(&table.unwrap(), &|_| None);
    machine.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// Returns the string that a literal in an input line denotes.
fn unescape(literal: &str) -> String {
    let (mut text, mut rest) = (String::new(), literal.chars());
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        text.push(match rest.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|&c| c != '}').collect();
                let number = u32::from_str_radix(&digits, 16).unwrap();
                char::from_u32(number).unwrap()
            }
            Some(other @ ('"' | '\\')) => other,
            other => panic!("unknown or incomplete escape {other:?} in `{literal}`"),
        });
    }
    text
}

/// Runs an input line, and returns the recorder of the run.
fn run_line<'m>(interpreter: &Interpreter<'m>, line: &str) -> Recorder<'m> {
    let machine = interpreter.machine();
    let (words, literal) = line.split_once('"').unwrap();
    let input = unescape(
        literal.strip_suffix('"').unwrap_or_else(|| panic!("unclosed string literal in `{line}`")),
    );
    let mut recorder = Recorder::new(machine);
    let mut options = Options::default();
    let state =
        |name: &str| machine.find_state(name).unwrap_or_else(|| panic!("no state `{name}`"));
    let flag = |name: &str, value: &str| {
        let flag = machine.flags.iter().position(|flag| flag.name == name).unwrap();
        let values = &machine.flags[flag].values;
        let value = values.iter().position(|other| other == value).unwrap();
        (FlagId(flag as u8), value as u8)
    };
    for word in words.split_whitespace() {
        let (key, value) = word
            .split_once('=')
            .unwrap_or_else(|| panic!("option `{word}` is not of the form KEY=VALUE"));
        match key.split_once(':') {
            None if key == "state" => options.state = Some(state(value)),
            None if key == "last" => options.last_start_tag = Some(value.to_owned()),
            Some(("after", tag)) => {
                let control = match value.split_once(':') {
                    None => Control::Switch(state(value)),
                    Some((name, value)) => {
                        let (flag, value) = flag(name, value);
                        Control::SetFlag(flag, value)
                    }
                };
                recorder.answers.push((tag.to_owned(), control));
            }
            Some(("flag", name)) => {
                let (flag, value) = flag(name, value);
                recorder.flags[usize::from(flag.0)] = value;
                if machine.flags[usize::from(flag.0)].by_rows {
                    options.flags.push((flag, value));
                }
            }
            _ => panic!("unknown option `{word}` in `{line}`"),
        }
    }
    let result = interpreter.run(&input, &options, &mut recorder);
    assert_eq!(result, Ok(()), "the checked table `{}` gets stuck on `{line}`", machine.name);
    assert_spans_lie_within(&recorder, &input);
    recorder
}

fn assert_spans_lie_within(recorder: &Recorder<'_>, input: &str) {
    let assert_within = |span: Span| {
        assert!(input.get(span.start..span.end).is_some(), "{span:?} is not a range of {input:?}");
    };
    recorder.errors.iter().for_each(|(_, span)| assert_within(*span));
    for token in &recorder.tokens {
        match token {
            Token::Text { span, .. }
            | Token::Comment { span, .. }
            | Token::ShortEndTag { span }
            | Token::ProcessingInstruction { span, .. }
            | Token::EndOfFile { span } => assert_within(*span),
            Token::Declared { fields, span, .. } => {
                assert_within(*span);
                fields.iter().for_each(|field| assert_within(field.span));
            }
            Token::Doctype(doctype) => assert_within(doctype.span),
            Token::StartTag(tag) | Token::EndTag(tag) => {
                assert_within(tag.span);
                assert_within(tag.name_span);
                for attribute in &tag.attributes {
                    assert_within(attribute.name_span);
                    assert_within(attribute.value_span);
                }
            }
        }
    }
}

/// Runs a case, compares the result with the expected one, and returns the table's text.
fn check_case(name: &str) -> String {
    let path = |extension: &str| folder().join(name).with_extension(extension);
    let table = read(&path("states"));
    let machine = load(&format!("{name}.states"), &table);
    let interpreter = Interpreter::new(&machine);
    let (mut actual, mut run_rows) = (String::new(), HashSet::new());
    for line in read(&path("inputs")).lines() {
        let recorder = run_line(&interpreter, line);
        let _ = write!(actual, "{line}\n{}  rows{}\n", recorder.dump, recorder.path);
        run_rows.extend(recorder.rows);
    }
    for id in machine.row_ids() {
        let (row, state_name) = (id.row, &machine.state(id.state).name);
        assert!(run_rows.contains(&id), "{name}: no input runs row {row} of state `{state_name}`");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path("expected"), &actual).unwrap();
    }
    assert_eq!(actual, read(&path("expected")), "the results differ from `{name}.expected`");
    table
}

#[test]
fn small_tables_match_expectations() {
    let mut tables = String::new();
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "states")) {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.unwrap_or_else(|| panic!("the name of `{}` is not UTF-8", path.display()));
        tables.push_str(&check_case(name));
    }
    // The tests of dialects run these two tables, so only their vocabulary is of interest here.
    tables.push_str(include_str!("../../../tests/dialects/places.states"));
    tables.push_str(include_str!("../../tables/url.states"));
    assert_vocabulary_is_covered(&tables);
}

/// Asserts that every form of the vocabulary, and every word of its closed lists, occurs in one of the tables.
fn assert_vocabulary_is_covered(tables: &str) {
    let lines: Vec<&str> = tables.lines().filter(|line| !line.starts_with("//")).collect();
    let tables = lines.join("\n").replace("=>", ";");
    let phrases: Vec<Vec<&str>> = tables
        .split([';', '{', '}', '|'])
        .map(|phrase| {
            phrase.split_whitespace().skip_while(|word| matches!(*word, "when" | "not")).collect()
        })
        .collect();
    let guards: Vec<Vec<&str>> = tables
        .split(" when ")
        .skip(1)
        .filter_map(|rest| rest.split([';', '{']).next())
        .flat_map(|conditions| conditions.split(" and ").flat_map(|part| part.split(" or ")))
        .map(|phrase| phrase.split_whitespace().skip_while(|word| *word == "not").collect())
        .collect();
    let actions = vocabulary::ACTIONS.iter().map(|form| form.syntax);
    for syntax in actions.chain(vocabulary::CONDITIONS.iter().map(|form| form.syntax)) {
        let words: Vec<&str> = syntax.split(' ').collect();
        let fits = |phrase: &Vec<&str>| {
            phrase.len() == words.len()
                && words
                    .iter()
                    .zip(phrase)
                    .all(|(form, word)| form.starts_with('<') || form == word)
        };
        assert!(phrases.iter().chain(&guards).any(fits), "no table uses the form `{syntax}`");
    }
    let is_separator = |other: char| !other.is_alphanumeric() && other != '-';
    let texts = vocabulary::TEXTS.iter().map(|(word, _)| *word);
    let fields = vocabulary::FIELDS.iter().map(|(word, _)| *word);
    let tokens = vocabulary::TOKENS.iter().map(|(word, _)| *word);
    let emitted_words = vocabulary::EMITTED.iter().map(|(word, _)| *word);
    let token_flags = vocabulary::TOKEN_FLAGS.iter().map(|(word, _)| *word);
    let excesses = vocabulary::EXCESSES.iter().map(|(word, _)| *word);
    let entity_lists = vocabulary::ENTITY_LISTS.iter().map(|(word, _)| *word);
    let limits = vocabulary::LIMITS.iter().map(|(word, _)| *word);
    let fields = fields.chain(entity_lists).chain(limits);
    for word in
        texts.chain(fields).chain(tokens).chain(emitted_words).chain(token_flags).chain(excesses)
    {
        assert!(
            tables.split(is_separator).any(|other| other == word),
            "no table contains `{word}`"
        );
    }
}

/// A host that ignores all tokens and errors.
struct Silent;

impl Host for Silent {}

#[test]
fn built_in_tables_run() {
    for (name, text) in tabulex_tables::all() {
        let source = Source::new(&name[..], text);
        let loaded = tabulex_language::load(&source, &tabulex_tables::text);
        let machine = loaded.machine.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let interpreter = Interpreter::new(&machine);
        let rows = machine.states.iter().flat_map(|state| &state.rows);
        let may_stop_early =
            rows.flat_map(|row| Step::actions(&row.steps)).any(|it| *it == Action::Stop);
        let entries: Vec<StateId> =
            machine.entries.iter().copied().chain([machine.start]).collect();
        for (index, input) in markup_inputs().iter().enumerate() {
            for &state in &entries {
                let mut recorder = Recorder::new(&machine);
                let options = Options { state: Some(state), ..Options::default() };
                let result = interpreter.run(input, &options, &mut recorder);
                assert_eq!(result, Ok(()), "`{name}` gets stuck on {input:?}");
                assert_spans_lie_within(&recorder, input);
                let end = Token::EndOfFile { span: Span::at(input.len()) };
                assert!(
                    may_stop_early || recorder.tokens.last() == Some(&end),
                    "`{name}` emits no end-of-file token after {input:?}"
                );
            }
            // In a state that is no entry, rows may read registers that do not exist; the run must still end.
            let state = StateId((index % machine.states.len()) as u16);
            let options = Options { state: Some(state), ..Options::default() };
            let _ = interpreter.run(input, &options, &mut Silent);
        }
    }
}

/// Returns pseudo-random inputs, always the same ones, of characters that matter in markup.
fn markup_inputs() -> Vec<String> {
    let pieces = [
        "<",
        ">",
        "/",
        "!",
        "-",
        "--",
        "?",
        "&",
        "#",
        "x",
        "a",
        "A",
        "é",
        "\u{10FFFF}",
        "\0",
        "\r\n",
        "\r",
        "\n",
        " ",
        "\"",
        "'",
        "=",
        ";",
        "amp",
        "not",
        "0",
        "9999999999",
        "doctype",
        "public",
        "system",
        "script",
        "[CDATA[",
        "]]>",
        "\u{1}",
        "`",
        "1",
    ];
    let mut random: u32 = 1;
    let mut next_piece = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        pieces[(random >> 16) as usize % pieces.len()]
    };
    (0..300).map(|length| (0..length % 40).map(|_| next_piece()).collect()).collect()
}

/// Runs a machine over an input, and returns the recorder of the run.
fn record<'m>(machine: &'m Machine, input: &str) -> Recorder<'m> {
    let mut recorder = Recorder::new(machine);
    Interpreter::new(machine).run(input, &Options::default(), &mut recorder).expect("the run ends");
    recorder
}

fn text_token(text: &str, start: usize, end: usize) -> Token {
    Token::Text { text: text.to_owned(), span: Span { start, end } }
}

#[test]
fn reads_cr_lf_as_one_character() {
    let machine = load_unchecked(
        "errors newline;
         state data { '!' => switch other; '\\n' => error newline; emit current; EOF => emit end-of-file; else => emit current; }
         state other { '\\n' => switch data; reconsume; else | EOF => switch data; reconsume; }",
    );
    let recorder = record(&machine, "a\r\n!\r\n\r");
    let newline = |start, end| ("newline".to_owned(), Span { start, end });
    assert_eq!(recorder.errors, [newline(1, 3), newline(4, 6), newline(6, 7)]);
    let end = Token::EndOfFile { span: Span::at(7) };
    let (first, second) = (text_token("\n", 1, 3), text_token("\n", 4, 6));
    assert_eq!(
        recorder.tokens,
        [text_token("a", 0, 1), first, second, text_token("\n", 6, 7), end]
    );
}

#[test]
fn return_nothing_restores_input_and_reports_once() {
    let machine = load_unchecked(
        "errors control; input '\\x01' => error control;
         state data { '&' => switch call; EOF => emit end-of-file; else => emit current; }
         state call on try { nothing => switch data; emit \"&\"; returned => switch data; emit returned; }
         procedure try {
             state begin { ';' => return \"!\"; else => ignore; EOF => return nothing; }
         }",
    );
    let recorder = record(&machine, "&a\u{1}");
    assert_eq!(recorder.errors, [("control".to_owned(), Span { start: 2, end: 3 })]);
    let end = Token::EndOfFile { span: Span::at(3) };
    let restored_tokens =
        [text_token("&", 0, 1), text_token("a", 1, 2), text_token("\u{1}", 2, 3), end];
    assert_eq!(recorder.tokens, restored_tokens);
    assert_eq!(record(&machine, "&ab;").tokens[0], text_token("!", 0, 4));
}

#[test]
fn longest_match_wins_then_first_row() {
    let machine = load_unchecked(
        "flag loud = off | on;
         state data {
             \"a\" => emit \"1\";
             \"ABC\" ignoring-case => set loud on; emit \"2\";
             \"abc\" => emit \"3\";
             \"abcd\" when loud is on => emit \"4\";
             'a'..='z' => emit \"5\";
             EOF => emit end-of-file;
             else => emit \"6\";
         }",
    );
    let recorder = record(&machine, "abABcdabcd");
    let texts = [
        text_token("1", 0, 1),
        text_token("5", 1, 2),
        text_token("2", 2, 5),
        text_token("5", 5, 6),
    ];
    assert_eq!(recorder.tokens[..4], texts);
    assert_eq!(recorder.tokens[4], text_token("4", 6, 10));
}

#[test]
fn runs_leave_before_row_and_enter_after_it() {
    let machine = load_unchecked(
        "errors row, left, entered;
         state data {
             leave => error left;
             '>' => error row; switch other;
             '=' => error row; switch data;
             EOF => emit end-of-file;
             else => ignore;
         }
         state other { enter => error entered; EOF => emit end-of-file; else => ignore; }",
    );
    let error_names = |input: &str| -> Vec<String> {
        record(&machine, input).errors.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(error_names(">x"), ["left", "row", "entered"]);
    assert_eq!(error_names("=x"), ["row"]);
}

#[test]
fn evaluates_conditions_before_first_action() {
    let machine = load_unchecked(
        "flag seen = no | yes;
         state data {
             EOF => emit end-of-file;
             else => set seen yes; when seen is yes { emit \"again\"; } otherwise { emit \"first\"; }
         }",
    );
    let recorder = record(&machine, "xx");
    assert_eq!(recorder.tokens[..2], [text_token("first", 0, 1), text_token("again", 1, 2)]);
}

#[test]
fn host_request_applies_unless_row_switches() {
    let machine = load_unchecked(
        "state data {
             'a' => create start-tag; switch first; emit tag;
             'b' => create start-tag; emit tag; switch first;
             EOF => emit end-of-file;
             else => ignore;
         }
         state first { EOF => emit end-of-file; else => emit \"1\"; }
         state second { EOF => emit end-of-file; else => emit \"2\"; }",
    );
    let state_after = |input: &str| {
        let mut recorder = Recorder::new(&machine);
        let second = machine.find_state("second").expect("the state `second` is declared");
        recorder.answers.push((String::new(), Control::Switch(second)));
        Interpreter::new(&machine)
            .run(input, &Options::default(), &mut recorder)
            .expect("the run ends");
        recorder.tokens[1].clone()
    };
    assert_eq!(state_after("ax"), text_token("2", 1, 2));
    assert_eq!(state_after("bx"), text_token("1", 1, 2));
}

#[test]
fn rejected_tables_terminate() {
    let outcome = |states: &str| {
        let machine = load_unchecked(states);
        let mut recorder = Recorder::new(&machine);
        Interpreter::new(&machine).run("ab", &Options::default(), &mut recorder)
    };
    let stuck = |reason| Err(Stuck { reason, state: StateId(0), position: 1 });
    assert!(matches!(
        outcome("state data { EOF | else => reconsume; }"),
        Err(Stuck { reason: StuckReason::Endless, position: 0, .. })
    ));
    assert_eq!(outcome("state data { 'a' => ignore; }"), stuck(StuckReason::NoRow));
    assert_eq!(
        outcome("state data { else | EOF => return nothing; }"),
        stuck(StuckReason::NoCaller)
    );
    let without_tokens = "state data {
        else => append current to tag-name; start-attribute; set self-closing; set force-quirks; emit tag; emit comment;
            set attribute-value \"\"; append \"\" to doctype-name; emit doctype; emit temporary-buffer; emit returned;
            emit reference; switch return-state; as else;
        EOF => append current to comment; append lower to temporary-buffer; add-digit 16; emit end-of-file;
    }";
    assert_eq!(outcome(without_tokens), Ok(()));
}

#[test]
fn many_attributes_take_linear_time() {
    let table = read(&folder().join("tags.states"));
    let machine = load("tags.states", &table);
    let attributes: String = (0..100_000).map(|number| format!(" a{number}")).collect();
    let mut recorder = Recorder::new(&machine);
    let input = format!("<a{attributes}>");
    Interpreter::new(&machine)
        .run(&input, &Options::default(), &mut recorder)
        .expect("the run ends");
    let Some(Token::StartTag(tag)) = recorder.tokens.first() else { panic!("no start tag") };
    assert_eq!(tag.attributes.len(), 100_000);
}
