// Runs the suites of html5lib, the trees of the Web Platform Tests, and our own cases of all dialects on the library in
// WebAssembly: `node suites.mjs FOLDER SHARED`, where FOLDER contains the engine and SHARED the external suites. The token
// suites are listed in tests/suites/suites.json, and known failures in tests/suites/known. Missing suites are reported, and
// suites with fewer cases than expected fail.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, shared] = process.argv.slice(2);
const here = resolve(import.meta.dirname, "..");
const { default: start, Library } = await import(pathToFileURL(resolve(folder, "engine.js")));
await start({ module_or_path: readFileSync(join(folder, "engine_bg.wasm")) });
const library = new Library();

// The suites of tokens, with what they say of errors: nothing, their number, or codes and places, where columns count UTF-16
// code units if wished.
const listed = JSON.parse(readFileSync(join(here, "suites/suites.json"), "utf8"));
const ofTokens = listed.map((it) => ({ ...it, path: it.html5lib ?? it.shared, least: it.runs }));
const suites = [
  ...ofTokens,
  { name: "html5lib-trees", dialect: "html", path: "html5lib/tree-construction", least: 3500 },
  { name: "wpt-trees-html", dialect: "html", path: "wpt/tree-construction", least: 3796 },
  { name: "wpt-trees-html-2013", dialect: "html-2013", path: "wpt/tree-construction", least: 3796 },
  { name: "wpt-trees-html-2007", dialect: "html-2007", path: "wpt/tree-construction", least: 3796 },
  { name: "trees of html", dialect: "html", own: "trees-html.dat", least: 1 },
  { name: "trees of html-2007", dialect: "html-2007", own: "trees-html-2007.dat", least: 1 },
  { name: "trees of webvtt", dialect: "webvtt", own: "trees-webvtt.json", least: 1 },
  { name: "trees of xml", dialect: "xml", own: "trees-xml.json", least: 1 },
  { name: "trees of xml-er", dialect: "xml-er", own: "trees-xml-er.json", least: 1 },
  { name: "trees of sky", dialect: "sky", own: "trees-sky.json", least: 1 },
  { name: "trees of microxml", dialect: "microxml", own: "trees-microxml.json", least: 1 },
  { name: "trees of microxml-2012-12", dialect: "microxml-2012-12", own: "trees-microxml-2012-12.json", least: 1 },
];

/** How to get what is not there. */
const ways = [
  ["html5lib/", "git clone https://github.com/html5lib/html5lib-tests"],
  ["html5lib-2014-tokenizer", "the folder tokenizer of https://github.com/html5lib/html5lib-tests, as of 2014-01-01"],
  ["xml5lib/", "https://github.com/Ygg01/xml5lib-tests"],
  ["html5lib-2007/", "https://github.com/html5lib/html5lib-tests, as of 2007-12-11"],
  ["wpt/", "the trees of html/syntax/parsing of https://github.com/web-platform-tests/wpt"],
];

/** The files of a suite, but those whose cases run scripts. */
function files(path) {
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path).filter((name) => /\.(test|dat)$/.test(name) && !name.startsWith("scripted"));
  return names.sort().map((name) => join(path, name));
}

/** The value with `\uHHHH` replaced in each string of it. */
function unescaped(value) {
  if (typeof value === "string") return value.replace(/\\u([0-9A-Fa-f]{4})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  if (Array.isArray(value)) return value.map(unescaped);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [unescaped(key), unescaped(it)]));
}

/** Characters between which an error stood are one token; an empty tag is a start tag. */
function joined(tokens) {
  const all = [];
  for (const token of tokens) {
    if (token === "ParseError") continue;
    const last = all.at(-1);
    if (token[0] === "Character" && last?.[0] === "Character") last[1] += token[1];
    else all.push(token[0] === "EmptyTag" ? ["StartTag", ...token.slice(1), true] : [...token]);
  }
  return all;
}

function* tokenCases(text, dialect, { amongTokens }) {
  const { tests = [], xmlViolationTests = [] } = JSON.parse(text);
  // The older tests of XML concern more than the tokenizer.
  const all = amongTokens ? tests : [...tests, ...xmlViolationTests.map((it) => ({ ...it, isForXml: true }))];
  for (const test of all) {
    const [input, output] = [test.input, test.output].map((it) => (test.doubleEscaped ? unescaped(it) : it));
    const count = test.output.filter((token) => token === "ParseError").length;
    const expected = { written: test.input, tokens: joined(output), errors: test.errors ?? [], count, isForXml: test.isForXml };
    for (const state of test.initialStates ?? test.contentModelFlags ?? [null]) {
      const request = { do: "tokens", dialect, input, state, lastStartTag: test.lastStartTag ?? null, switch: test.followsModes === true };
      yield { request, expected, hasFlags: test.flags !== undefined };
    }
  }
}

/** The sections of the cases of a file: a heading stands alone on its line, and `#data` in the data is none. */
function sections(text) {
  const headings = ["#data", "#errors", "#new-errors", "#document-fragment", "#document", "#script-on", "#script-off"];
  const cases = [];
  let part = "";
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (headings.includes(line) && (line !== "#data" || part !== "#data")) {
      if (line === "#data") cases.push({});
      part = line;
      cases.at(-1)[part] = [];
    } else cases.at(-1)?.[part].push(line);
  }
  return cases;
}

function* treeCases(text, dialect) {
  for (const it of sections(text)) {
    const [input, fragment] = [it["#data"].join("\n"), it["#document-fragment"]?.[0] ?? null];
    const tree = it["#document"].join("\n").replace(/\n+$/, "");
    const written = fragment === null ? input : `${input} in ${fragment}`;
    for (const scripting of [false, true]) {
      if (it[scripting ? "#script-off" : "#script-on"]) continue;
      yield { request: { do: "parse", dialect, input, fragment, scripting }, expected: { written, tree } };
    }
  }
}

function* listedTrees(text, dialect) {
  for (const it of JSON.parse(text)) {
    const expected = { written: it.input, tree: it.tree.join("\n") };
    yield { request: { do: "parse", dialect, input: it.input }, expected, hasFlags: it.flags !== undefined };
  }
}

/** Errors as lines, in an order of their own: nobody says in which order errors at one place come. */
function places(errors, input, inUnits) {
  const bytes = new TextEncoder().encode(input);
  const wide = ({ start, col }) => {
    const before = [...new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, start))];
    return col > 1 ? before.slice(1 - col).filter((character) => character.length === 2).length : 0;
  };
  const line = (it) => `${it.line}:${it.col + (inUnits && it.start !== undefined ? wide(it) : 0)} ${it.code}`;
  return errors.map(line).sort().join(", ");
}

/** What is wrong with an answer; nothing, if nothing is. */
function wrong(answer, expected, request, kind) {
  if (answer.error !== undefined) return answer.error;
  if (expected.tree !== undefined) {
    return answer.tree.trimEnd() === expected.tree.trimEnd() ? null : `tree\n${expected.tree}\nfound\n${answer.tree}`;
  }
  const made = expected.isForXml ? answer.tokens.map(coerced) : answer.tokens;
  const [found, wanted] = [made, expected.tokens].map((tokens) => JSON.stringify(tokens.map(sorted)));
  if (found !== wanted) return `tokens ${wanted}\nfound ${found}`;
  if (kind === "none" || expected.isForXml) return null;
  if (kind === "count") return answer.errors.length === expected.count ? null : `${answer.errors.length} errors, not ${expected.count}`;
  const [is, should] = [answer.errors, expected.errors].map((errors) => places(errors, request.input, kind === "units"));
  return is === should ? null : `errors ${should}\nfound ${is}`;
}

/** A token whose attributes stand in the order of their names. */
const sorted = (token) => token.map((it) => (it && typeof it === "object" ? Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)) : it));

/** A token as a tree holds it that XML can write. */
function coerced([kind, text, ...rest]) {
  if (kind !== "Character" && kind !== "Comment") return [kind, text, ...rest];
  let written = text.replaceAll("\f", " ").replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
  while (kind === "Comment" && written.includes("--")) written = written.replaceAll("--", "- -");
  return [kind, written];
}

/** The inputs that are known to fail, each with what is right instead, if the list says it. */
function knownFailures(name) {
  const path = join(here, "suites/known", `${name}.json`);
  const list = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  return new Map(list.map((it) => [it.input, it]));
}

function run(suite) {
  const path = suite.own ? join(here, "cases", suite.own) : join(shared, "testdata", suite.path);
  if (!existsSync(path)) {
    const [, way] = ways.find(([begin]) => suite.path.startsWith(begin));
    console.log(`suite absent: testdata/${suite.path}; to get it: ${way}`);
    return { passed: 0, failed: 0 };
  }
  const read = { test: tokenCases, dat: treeCases, json: listedTrees };
  const cases = files(path).flatMap((file) => [...read[file.split(".").at(-1)](readFileSync(file, "utf8"), suite.dialect, suite)]);
  // A lone surrogate is no text; `batch` takes no form owner of a context, and flags of a host by other names.
  const isRun = (it) => it.request.input.isWellFormed() && !it.hasFlags && !it.request.fragment?.includes(" inside ");
  const wanted = cases.filter(isRun);
  const answers = library.answer(wanted.map((it) => `${JSON.stringify(it.request)}\n`).join("")).trimEnd().split("\n");
  const known = knownFailures(suite.name);
  const result = { passed: 0, failed: 0, excused: 0 };
  wanted.forEach(({ request, expected }, index) => {
    const answer = JSON.parse(answers[index] ?? '{"error":"no answer"}');
    const excuse = known.get(expected.written);
    let problem = wrong(answer, expected, request, suite.errors);
    if (problem && excuse) {
      problem = excuse.tokens && wrong(answer, { ...expected, ...excuse }, request, suite.errors);
      excuse.isUsed = true;
      if (!problem) return void (result.excused += 1);
    }
    result[problem ? "failed" : "passed"] += 1;
    if (problem && result.failed <= 3) console.log(`${suite.name}: ${JSON.stringify(request)}\n${problem}`);
  });
  const left = cases.length - wanted.length;
  const others = `${result.excused} known to fail, ${left} that are no text or need more than \`batch\` takes`;
  console.log(`${suite.name} with ${suite.dialect}: ${result.passed} passed, ${result.failed} failed, ${others}`);
  // The list also contains lone surrogates, which are not run.
  const stale = [...known.values()].filter((it) => !it.isUsed && unescaped(it.input).isWellFormed());
  stale.forEach((it) => console.log(`listed as failing, but it does not: ${JSON.stringify(it.input)}`));
  if (cases.length < suite.least || answers.length !== wanted.length || stale.length > 0) result.failed += 1;
  return result;
}

const results = suites.map(run);
const sum = (key) => results.reduce((total, it) => total + it[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") > 0 || sum("passed") === 0 ? 1 : 0);
