//! The program `tabulex` as users run it: arguments in, text and exit status out. Every case runs the binary built from
//! this tree; the correctness of tokens is covered by other suites.

mod arguments;
mod findings;
mod limits;

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Result of running the program.
#[derive(Debug)]
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

/// Builds the program once and returns its path. The packages are those with which the tests are built, as these determine
/// the features of dependencies.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .current_dir(root)
            .args(["build", "--profile=test", "--workspace", "--bin=tabulex", "--test=suites"])
            .arg("--message-format=json")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(built.status.success(), "building the program fails");
        let messages = String::from_utf8(built.stdout).unwrap();
        let mut values = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let path = values.find_map(|value| {
            let is_target =
                value["target"]["name"] == "tabulex" && value["target"]["kind"][0] == "bin";
            value["executable"].as_str().filter(|_| is_target).map(PathBuf::from)
        });
        path.expect("cargo names the executable")
    })
}

fn run(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(program())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that exits without reading closes the pipe.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    Run {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program, which must succeed and print only its results.
fn run_successfully(arguments: &[&str], input: &str) -> String {
    let run = run(arguments, input.as_bytes());
    assert_eq!((run.status, &run.err[..]), (Some(0), ""), "{arguments:?}");
    run.out
}

fn json_of(arguments: &[&str], input: &str) -> Value {
    serde_json::from_str(&run_successfully(arguments, input)).unwrap()
}

/// Returns the answers of `batch`, one per line.
fn batch(input: &str) -> Vec<Value> {
    run_successfully(&["batch"], input)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const MARKUP: &str =
    "<!DOCTYPE html PUBLIC \"p\">.\r\n<p CLASS='\u{E9}\"' b>x&amp;\u{1F600}<br/></p y><!--c";

#[test]
fn tokens_are_printed_one_per_line() {
    let expected = "\
0..26       1:1     doctype   html public \"p\"
26..29      1:27    text      \".\\n\"
29..46      2:1     start tag p class=\"\u{E9}\\\"\" b=\"\"
46..56      2:17    text      \"x&\u{1F600}\"
56..61      2:24    start tag br /
61..67      2:29    end tag   p y=\"\"
67..72      2:35    comment   \"c\"
";
    assert_eq!(run_successfully(&["tokens"], MARKUP), expected);
    let with_errors = run_successfully(&["tokens", "-", "--errors", "--format", "text"], MARKUP);
    let errors = "\
66..67      2:34    error     end-tag-with-attributes
    An end tag has no attributes. These are left out.
    2 | <p CLASS='\u{E9}\"' b>x&amp;\u{1F600}<br/></p y><!--c
      |                                   ^
    https://html.spec.whatwg.org/multipage/parsing.html#parse-error-end-tag-with-attributes
72..72      2:40    error     eof-in-comment
    The input ends within a comment: `-->` is missing.
    2 | <p CLASS='\u{E9}\"' b>x&amp;\u{1F600}<br/></p y><!--c
      |                                         ^
    https://html.spec.whatwg.org/multipage/parsing.html#parse-error-eof-in-comment
";
    assert_eq!(with_errors, expected.to_owned() + errors);
}

#[test]
fn json_tokens_match_the_html5lib_format() {
    let tokens = json!([
        ["DOCTYPE", "html", "p", null, true],
        ["Character", ".\n"],
        ["StartTag", "p", { "class": "\u{E9}\"", "b": "" }],
        ["Character", "x&\u{1F600}"],
        ["StartTag", "br", {}, true],
        ["EndTag", "p"],
        ["Comment", "c"],
    ]);
    assert_eq!(json_of(&["tokens", "--format=json"], MARKUP), tokens);
    let whole = json_of(&["tokens", "--format=json", "--errors"], MARKUP);
    assert_eq!(whole["tokens"], tokens);
    let last = json!({ "code": "eof-in-comment", "line": 2, "col": 40, "start": 72, "end": 72 });
    assert_eq!(whole["errors"].as_array().unwrap().last(), Some(&last));
    assert_eq!(json_of(&["tokens", "--format=json"], ""), json!([]));
    let nameless = json!([["DOCTYPE", null, null, null, false]]);
    assert_eq!(json_of(&["tokens", "--format=json"], "<!DOCTYPE>"), nameless);
}

#[test]
fn state_and_last_start_tag_options_apply() {
    let expected = json!([["Character", "<b>&"], ["EndTag", "title"], ["StartTag", "i", {}]]);
    for state in ["RCDATA state", "rcdata"] {
        let arguments =
            ["tokens", "--state", state, "--last-start-tag", "title", "--format", "json"];
        assert_eq!(json_of(&arguments, "<b>&amp;</title><i>"), expected);
    }
}

#[test]
fn modes_switch_the_tokenizer_unless_it_runs_alone() {
    let markup = "<title>a<b>&amp;</title>";
    let text = json!([["StartTag", "title", {}], ["Character", "a<b>&"], ["EndTag", "title"]]);
    let tags = json!([
        ["StartTag", "title", {}],
        ["Character", "a"],
        ["StartTag", "b", {}],
        ["Character", "&"],
        ["EndTag", "title"]
    ]);
    assert_eq!(json_of(&["tokens", "--format", "json"], markup), text);
    assert_eq!(json_of(&["tokens", "--format", "json", "--raw"], markup), tags);
    let state = ["tokens", "--format", "json", "--state", "data"];
    assert_eq!(json_of(&state, markup), tags);
    let line = |switch: bool| json!({ "do": "tokens", "input": markup, "switch": switch });
    let answers = batch(&format!("{}\n{}\n", line(false), line(true)));
    assert_eq!((&answers[0]["tokens"], &answers[1]["tokens"]), (&tags, &text));
}

/// Fragments are serialized as they would be parsed in their context.
#[test]
fn fragments_serialize_as_contents_of_their_context() {
    let inner = |context: &str| {
        run_successfully(&["parse", "--format", "html", "--fragment", context], "a&lt;b")
            .trim_end()
            .to_owned()
    };
    assert_eq!([inner("script"), inner("style")], ["a&lt;b", "a&lt;b"]);
    assert_eq!(
        [inner("div"), inner("textarea"), inner("svg style")],
        ["a&lt;b", "a&lt;b", "a&lt;b"]
    );
    assert_eq!([inner("br"), inner("img")], ["", ""]);
    let raw = run_successfully(&["parse", "--format", "html", "--fragment", "script"], "a<b&c");
    assert_eq!(raw.trim_end(), "a<b&c");
}

/// A line of `batch` drops the mark as a file does; tokens keep it.
#[test]
fn byte_order_marks_are_dropped_from_trees() {
    let input = "\u{FEFF}<doc></doc>";
    for dialect in ["html", "microxml", "microxml-2012-12", "xml-er", "sky"] {
        let bare = run_successfully(&["parse", "--dialect", dialect], "<doc></doc>");
        assert_eq!(run_successfully(&["parse", "--dialect", dialect], input), bare, "{dialect}");
        let line = json!({ "do": "parse", "dialect": dialect, "input": input });
        let tree =
            batch(&line.to_string())[0]["tree"].as_str().map(str::trim_end).map(str::to_owned);
        assert_eq!(tree.as_deref(), Some(bare.trim_end()), "{dialect}");
    }
    let line = json!({ "do": "tokens", "input": "\u{FEFF}x" });
    assert_eq!(batch(&line.to_string())[0]["tokens"], json!([["Character", "\u{FEFF}x"]]));
}

#[test]
fn files_and_bytes_are_read() {
    let path = std::env::temp_dir().join(format!("tabulex-cli-{}.html", std::process::id()));
    fs::write(&path, b"\xEF\xBB\xBF<b>\xFFx").unwrap();
    let text = run_successfully(&["tokens", path.to_str().unwrap(), "--encoding", " UTF-8"], "");
    fs::remove_file(&path).unwrap();
    assert_eq!(
        text,
        "3..6        1:2     start tag b\n6..10       1:5     text      \"\u{FFFD}x\"\n"
    );
}

#[test]
fn buffer_boundaries_do_not_change_tokens() {
    // Longer than any buffer, with three-byte characters across each boundary.
    let long = "\u{20AC}<b a=\u{20AC}>".repeat(40_000);
    let tokens = json_of(&["tokens", "--format", "json"], &long);
    assert_eq!(tokens.as_array().unwrap().len(), 80_000);
    assert!(!tokens.to_string().contains('\u{FFFD}'));
}

#[test]
fn bytes_decode_by_declaration_and_by_option() {
    let text = |arguments: &[&str], bytes: &[u8]| {
        let all = [&["tokens", "--format", "json"], arguments].concat();
        let run = run(&all, bytes);
        assert_eq!(run.status, Some(0), "{}", run.err);
        let tokens: Value = serde_json::from_str(&run.out).unwrap();
        tokens.as_array().unwrap().last().unwrap()[1].as_str().unwrap().to_owned()
    };
    assert_eq!(text(&[], b"caf\xC3\xA9"), "caf\u{E9}");
    assert_eq!(text(&[], b"caf\xE9"), "caf\u{E9}");
    assert_eq!(text(&["--no-autodetect"], b"caf\xC3\xA9"), "caf\u{C3}\u{A9}");
    assert_eq!(text(&["--encoding", "utf-8"], b"caf\xE9"), "caf\u{FFFD}");
    assert_eq!(text(&[], b"<meta charset=latin1>caf\xE9"), "caf\u{E9}");
    assert_eq!(text(&["--encoding", "KOI8-R"], b"<meta charset=latin1>\xC1"), "\u{430}");
    assert_eq!(text(&["--encoding", "KOI8-R"], b"\xFF\xFEa\0"), "a");
    assert_eq!(text(&["--default-encoding", "KOI8-R"], b"\xC1"), "\u{430}");
    assert_eq!(text(&["--default-encoding", "KOI8-R"], b"<meta charset=latin1>\xE9"), "\u{E9}");
    // An unknown label is ignored.
    assert_eq!(text(&["--encoding", "utf-32"], b"<meta charset=latin1>caf\xE9"), "caf\u{E9}");
    let xml = b"<?xml version='1.0' encoding='shift_jis'?>\x93\xFA";
    assert_eq!(text(&["--dialect", "xml-er"], xml), "\u{65E5}");
    assert_eq!(text(&["--dialect", "microxml"], b"\xEF\xBB\xBFa"), "a");
}

#[test]
fn trees_print_as_dumps_or_json() {
    let markup = "<p a=\u{E9} a=2>x&amp;<b/>\r\n<i> </i></q>y";
    let dump = "| <p>\n|   a=\"\u{E9}\"\n|   \"x&\"\n|   <b>\n|   <i>\n|   \"y\"\n";
    assert_eq!(run_successfully(&["parse", "--dialect", "sky"], markup), dump);
    assert_eq!(
        run_successfully(&["parse", "-", "--dialect=sky", "--errors", "--format=tree"], markup),
        dump
    );
    let tree = json!(["p", { "a": "\u{E9}" }, ["x&", ["b", {}, []], ["i", {}, []], "y"]]);
    let arguments = ["parse", "--dialect", "sky", "--format", "json", "--errors"];
    assert_eq!(json_of(&arguments[..5], markup), tree);
    assert_eq!(json_of(&arguments, markup), json!({ "tree": tree, "errors": [] }));
    assert_eq!(json_of(&arguments[..5], ""), Value::Null);
    let line = |format: Value, chunk: Value| {
        json!({ "do": "parse", "dialect": "sky", "input": markup, "format": format, "chunk": chunk })
            .to_string()
            + "\n"
    };
    let lines: String = [Value::Null, json!(1), json!(3)]
        .into_iter()
        .flat_map(|chunk| [line(Value::Null, chunk.clone()), line(json!("json"), chunk)])
        .collect();
    let answers = batch(&lines);
    assert_eq!(answers.len(), 6);
    for pair in answers.chunks(2) {
        assert_eq!(pair[0], json!({ "tree": dump, "errors": [] }));
        assert_eq!(pair[1], json!({ "tree": tree, "errors": [] }));
    }
    let refused =
        batch("{\"do\":\"parse\",\"dialect\":\"sky\",\"input\":\"\",\"format\":\"html\"}\n");
    assert!(refused[0]["error"].as_str().unwrap().contains("belongs to"), "{refused:?}");
}

#[test]
fn trees_of_bytes_within_limits() {
    let late =
        [&b" ".repeat(1100)[..], b"<!--\xE2\x82\xAC--><meta charset=utf-8><p>\xC3\xA9"].concat();
    let run = |arguments: &[&str], input: &[u8]| {
        let run = run(&[&["parse"], arguments].concat(), input);
        let status = if run.err.is_empty() { 0 } else { 3 };
        assert_eq!(run.status, Some(status), "{}", run.err);
        (run.out, run.err)
    };
    let (out, _) = run(&["--errors", "--format", "json"], &late);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["tree"][2][1][2][0], json!(["p", {}, ["\u{E9}"]]), "{value}");
    assert_eq!(value["errors"][0]["col"], 1109, "{value}");
    let (out, err) = run(&["--depth-limit", "3", "--format", "html"], b"<p><b><i>x");
    assert_eq!(out, "<html><head></head><body><p></p><b></b><i>x</i></body></html>\n");
    assert_eq!(err, "tabulex: nesting was flattened at depth 3 from byte 3 on\n");
    let (_, err) = run(&["--limit", "errors=1", "--errors"], b"</a></b></c>");
    assert_eq!(err, "tabulex: 3 errors after the first 1 are dropped, from byte 0 on\n");
    let (_, err) = run(&["--memory-limit", "1000"], &b"<p>x".repeat(10_000));
    assert!(
        err.starts_with("tabulex: the memory limit of 1000 bytes was reached at byte "),
        "{err}"
    );
    let shadow = "<p><template shadowrootmode=open shadowrootserializable>x</template>";
    let (out, _) = run(&["--shadow-roots", "--format", "html"], shadow.as_bytes());
    assert!(
        out.contains(
            "<p><template shadowrootmode=\"open\" shadowrootserializable=\"\">x</template></p>"
        ),
        "{out}"
    );
    let doctype = "<!DOCTYPE html PUBLIC '-//IETF//DTD HTML//EN'><p><table>";
    assert!(
        run(&["--srcdoc", "--format", "html"], doctype.as_bytes()).0.contains("<p></p><table>")
    );
    assert!(run(&["--format", "html"], doctype.as_bytes()).0.contains("<p><table>"));
}

#[test]
fn trees_of_html_and_fragments() {
    let dump = "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       \"a\"\n";
    assert_eq!(run_successfully(&["parse"], "<p>a"), dump);
    let html = "<html><head></head><body><p>a<br></p></body></html>\n";
    assert_eq!(run_successfully(&["parse", "--format", "html"], "<p>a<br>"), html);
    assert_eq!(
        run_successfully(&["parse", "--dialect", "html-2007", "--format", "html"], "<p>a<br>"),
        html
    );
    let fragment = ["parse", "--fragment", "tr", "--format"];
    assert_eq!(
        run_successfully(&[&fragment[..], &["html"]].concat(), "<td>x<b>"),
        "<td>x<b></b></td>\n"
    );
    assert_eq!(
        run_successfully(&[&fragment[..], &["tree"]].concat(), "<td>x"),
        "| <td>\n|   \"x\"\n"
    );
    assert_eq!(
        run_successfully(&[&fragment[..], &["json"]].concat(), "<td>x"),
        "[[\"td\",{},[\"x\"]]]\n"
    );
    let noscript = "| <noscript>\n|   \"<b>\"\n";
    assert_eq!(
        run_successfully(
            &["parse", "--fragment", "div", "--scripting"],
            "<noscript><b></noscript>"
        ),
        noscript
    );
    let answers = batch(
        r#"{"do":"parse","input":"<td>","fragment":"tr","chunk":1}
{"do":"parse","input":"<noscript><b>","fragment":"div","scripting":true,"format":"html"}
{"do":"parse","input":"<b/>","fragment":"svg g","format":"json"}"#,
    );
    assert_eq!(answers[0], json!({ "tree": "| <td>\n", "errors": [] }));
    assert_eq!(answers[1]["tree"], "<noscript><b></noscript>");
    assert_eq!(answers[2]["tree"], json!([["b", {}, []]]));
}

/// Returns a folder of pages, created in another order than that of their names, with a hidden one that does not count.
fn pages() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabulex-pages-{}", std::process::id()));
    fs::create_dir_all(folder.join("b/.git")).unwrap();
    for index in (0..40).rev() {
        let markup = format!("<p>{index}{}", "<b>x</b>".repeat((index * 7919) % 301));
        fs::write(folder.join(format!("{index:02}.html")), markup).unwrap();
    }
    fs::write(folder.join("b/c.html"), b"<meta charset=latin1>\xE9<b a a>").unwrap();
    fs::write(folder.join("b/.git/d.html"), "no page").unwrap();
    fs::write(folder.join(".hidden"), "no page").unwrap();
    folder
}

#[test]
fn many_files_print_one_line_each_in_order() {
    let folder = pages();
    let name = folder.to_str().unwrap();
    let arguments = ["parse", name, "--errors", "--jobs"];
    let alone = run_successfully(&[&arguments[..], &["1"]].concat(), "");
    assert_eq!(run_successfully(&[&arguments[..], &["3"]].concat(), ""), alone);
    assert_eq!(run_successfully(&["parse", "--errors", name], ""), alone);
    let lines: Vec<Value> = alone.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 41);
    for (index, line) in lines[..40].iter().enumerate() {
        let path = folder.join(format!("{index:02}.html"));
        assert_eq!(line["file"], path.to_str().unwrap());
        assert_eq!(
            line["tree"],
            run_successfully(&["parse", path.to_str().unwrap()], ""),
            "{line}"
        );
    }
    let last = lines[40].as_object().unwrap();
    assert!(last["file"].as_str().unwrap().ends_with("c.html"), "{last:?}");
    assert!(last["tree"].as_str().unwrap().contains("\u{E9}"), "{last:?}");
    let duplicate = &last["errors"][1];
    assert_eq!(
        (&duplicate["code"], &duplicate["col"]),
        (&json!("duplicate-attribute"), &json!(29))
    );

    let missing = folder.join("missing.html");
    let (one, missing) = (folder.join("01.html"), missing.to_str().unwrap());
    let run = run(&["parse", missing, one.to_str().unwrap(), "--format", "json"], b"");
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.status, &run.err[..]), (Some(2), "tabulex: cannot read 1 of 2 files\n"));
    assert!(lines[0]["file"] == missing && lines[0]["error"].is_string(), "{lines:?}");
    assert!(lines[1]["tree"].is_array() && lines[1].as_object().unwrap().len() == 2, "{lines:?}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn select_prints_what_matches() {
    let page =
        "<p class=a>1 <b>x</b>\n<p class='a b' id=i>2<a href='/&amp;'>3</a><script>y</script>";
    let select = |arguments: &[&str]| run_successfully(&[&["select"], arguments].concat(), page);
    assert_eq!(select(&["b, a"]), "<b>x</b>\n<a href=\"/&amp;\">3</a>\n");
    assert_eq!(select(&["p", "--format", "text"]), "1 x\n23\n");
    assert_eq!(select(&["a", "--attribute", "HREF"]), "/&\n");
    assert_eq!(select(&["p", "--attribute", "id"]), "i\n");
    assert_eq!(
        select(&["p:contains('23')", "--format", "places"]),
        "-:2:1: <p class='a b' id=i>\n"
    );
    assert_eq!(select(&["i"]), "");
    let json: Value = serde_json::from_str(&select(&["a", "--format", "json"])).unwrap();
    let expected = json!({
        "file": "-", "name": "a", "attributes": { "href": "/&" }, "text": "3",
        "html": "<a href=\"/&amp;\">3</a>", "line": 2, "col": 22, "start": 43, "end": 60,
    });
    assert_eq!(json, expected);
    let refused = run(&["select", "p >"], b"");
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("expected a selector after the combinator"), "{}", refused.err);
}

#[test]
fn overlong_batch_lines_are_rejected() {
    let lines = format!(
        "{}\n{}\n{}",
        "x".repeat(300_000),
        r#"{"do":"tokens","input":"x"}"#,
        "y".repeat(40)
    );
    let answers = run_successfully(&["batch", "--max-line", "30"], &lines);
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for wrong in [&answers[0], &answers[2]] {
        assert!(wrong["error"].as_str().unwrap().contains("longer than 30 bytes"), "{wrong}");
    }
    assert_eq!((answers.len(), &answers[1]["tokens"]), (3, &json!([["Character", "x"]])));
}

#[test]
fn tokens_keep_within_limits() {
    let run = run(&["tokens", "--limit", "attributes=1", "--format", "json"], b"<a b c d>");
    assert_eq!(run.out, "[[\"StartTag\",\"a\",{\"b\":\"\"}]]\n");
    let line = "tabulex: 2 attributes of tags with more than 1 are dropped, from byte 5 on\n";
    assert_eq!((run.status, &run.err[..]), (Some(3), line));
    let answers = batch(r#"{"do":"tokens","input":"<a b c>","limits":{"attributes":1}}"#);
    assert_eq!(answers[0]["events"].as_array().unwrap().len(), 1);
}

#[test]
fn batch_answers_every_line() {
    let answers = batch(
        r#"{"do":"tokens","input":"<b>\ud83d\ude00</b","other":[1]}
no json
[]

{"input":""}
{"do":"tokens"}
{"do":"fly","input":""}
{"do":"parse","input":"<p>","scripting":1}
{"do":"tokens","input":7}
{"do":"tokens","input":"","dialect":"sgml"}
{"do":"tokens","input":"","state":"none"}
{"do":"tokens","input":"","chunk":0}
{"do":"tokens","input":"\ud800"}
{"do":"tokens","input":"</b>","dialect":null,"state":"RAWTEXT state","lastStartTag":"b","chunk":null}"#,
    );
    assert_eq!(answers.len(), 14);
    let first = json!({
        "tokens": [["StartTag", "b", {}], ["Character", "\u{1F600}"]],
        "errors": [{ "code": "eof-in-tag", "line": 1, "col": 8, "start": 10, "end": 10 }],
    });
    assert_eq!(answers[0], first);
    for answer in &answers[1..13] {
        assert!(answer["error"].is_string() && answer.as_object().unwrap().len() == 1, "{answer}");
    }
    assert_eq!(answers[13], json!({ "tokens": [["EndTag", "b"]], "errors": [] }));
    assert!(run(&["batch"], b"\xFF\n").out.starts_with("{\"error\":"));
    assert_eq!(run_successfully(&["batch"], ""), "");
}

#[test]
fn chunk_sizes_do_not_change_batch_answers() {
    let input = "\u{FEFF}\u{E9}\u{20AC}\u{1F600}<p \u{20AC}='\u{1F600}\r\n&eacute;'>&notit;&#x1F600;</p\u{20AC}>";
    let line =
        |chunk: Value| json!({ "do": "tokens", "input": input, "chunk": chunk }).to_string() + "\n";
    let lines: String = [json!(null), json!(1), json!(2), json!(3)].into_iter().map(line).collect();
    let answers = batch(&lines);
    assert_eq!(answers.len(), 4);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    assert_eq!(answers[0]["tokens"][0][1], "\u{FEFF}\u{E9}\u{20AC}\u{1F600}");
}

#[test]
fn batch_answers_before_the_input_ends() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(program())
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut output = BufReader::new(output);
    for name in ["a", "b"] {
        writeln!(input, "{{\"do\":\"tokens\",\"input\":\"<{name}>\"}}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!("[\"StartTag\",\"{name}\",{{}}]")), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = Command::new(program())
        .arg("tokens")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all("<b>".repeat(1 << 18).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}

#[test]
fn duplicate_attributes_give_one_json_key() {
    for dialect in ["microxml", "microxml-2012-12", "sky"] {
        let tokens = run_successfully(
            &["tokens", "--dialect", dialect, "--format", "json"],
            "<a b=1 b=2 c=3>",
        );
        assert_eq!(tokens.matches("\"b\"").count(), 1, "{tokens}");
        let tokens: Value = serde_json::from_str(&tokens).unwrap();
        assert_eq!(tokens[0], json!(["StartTag", "a", {"b": "1", "c": "3"}]));
    }
}

#[test]
fn dropped_replacement_text_is_reported() {
    let bomb = b"<!DOCTYPE x [<!ENTITY a '&a;&a;&a;'>]><x>&a;</x>";
    let run = run(&["parse", "--dialect", "xml-er"], bomb);
    assert_eq!(run.out, "| <x> (, x, )\n");
    let line = "tabulex: replacement text was dropped 233063 times, from byte 41 on\n";
    assert_eq!(run.err, line);
}
