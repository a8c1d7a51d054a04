// Runs the suites on the page's engine and on the compiled machines, and compares tokens, trees and errors.
// usage: node suites.mjs PAGE PROGRAM FOLDER…
// A case that either side cannot run counts as failed.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, ...folders] = process.argv.slice(2);
const began = process.cpuUsage();
const { default: start, Explorer } = await import(pathToFileURL(resolve(folder, "engine.js")));
await start({ module_or_path: readFileSync(join(folder, "engine_bg.wasm")) });
const known = JSON.parse(readFileSync(join(folder, "tables.json"), "utf8"));
const engine = new Explorer();
const ask = (request) => JSON.parse(engine.answer(JSON.stringify(request)));

// What a reader waits for at first, in milliseconds of processor time: others may have the machine.
ask({ do: "open", slot: "first", file: "html.states", files: known.files });
ask({ do: "run", slot: "first", input: "<p>first<p>answer" });
const { user, system } = process.cpuUsage(began);
const first = (user + system) / 1000;

/** The dialect that a file of own cases names; the suites of others are for html. */
function dialectOf(name) {
  const own = name.replace(/^trees-/, "").replace(/\.(test|dat)$/, "");
  return known.dialects.includes(own) ? own : "html";
}

function unescaped(value) {
  if (typeof value === "string") return value.replace(/\\u([0-9A-Fa-f]{4})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return value;
}

/** A lone surrogate is no text: neither side can be given one. */
const isText = (text) => text.isWellFormed();

function* tokenCases(path, dialect) {
  for (const test of JSON.parse(readFileSync(path, "utf8")).tests ?? []) {
    const input = test.doubleEscaped ? unescaped(test.input) : test.input;
    if (test.flags || test.refused || !isText(input)) continue;
    for (const state of test.initialStates ?? [null]) yield { do: "tokens", dialect, input, state, lastStartTag: test.lastStartTag ?? null };
  }
}

function* treeCases(path, dialect) {
  for (const part of readFileSync(path, "utf8").split(/^#data\n/m).slice(1)) {
    const sections = part.split(/^#(errors|new-errors|document-fragment|document|script-on|script-off)$/m);
    const input = sections[0].replace(/\n$/, "");
    const at = sections.indexOf("document-fragment");
    const fragment = at < 0 ? null : sections[at + 1].trim();
    if (fragment?.includes(" inside ") || !isText(input)) continue;
    yield { do: "parse", dialect, input, fragment, scripting: sections.includes("script-on"), format: "tree" };
  }
}

const cases = [];
for (const place of folders) {
  for (const name of readdirSync(place, { recursive: true }).sort()) {
    const path = join(place, String(name));
    const base = path.split("/").at(-1);
    if (base.startsWith("scripted") || path.includes("/scripted/")) continue;
    if (base.endsWith(".test")) cases.push(...tokenCases(path, dialectOf(base)));
    if (base.endsWith(".dat")) cases.push(...treeCases(path, dialectOf(base)));
  }
}

/** What the compiled machines answer, a line for each case. */
async function compiled() {
  const child = spawn(program, ["batch"], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stdin.end(cases.map((it) => `${JSON.stringify(it)}\n`).join(""));
  await new Promise((done) => child.on("close", done));
  return out.trimEnd().split("\n").map((line) => JSON.parse(line));
}

function normal(errors) {
  return errors.map((it) => `${it.line}:${it.col ?? it.column} ${it.code}`).sort().join("\n");
}

/** The dialect whose table the engine has open. */
let open = "";
/** Returns the engine's answer to a case. */
function interpreted(it) {
  if (open !== it.dialect) {
    const answer = ask({ do: "open", slot: "left", file: `${it.dialect}.states`, files: known.files });
    if (!answer.machine) throw new Error(`${it.dialect}: ${JSON.stringify(answer.mistakes)}`);
    open = it.dialect;
  }
  const isTree = it.do === "parse";
  const flags = isTree && it.scripting ? { scripting: "enabled" } : {};
  return ask({ do: "run", slot: "left", input: it.input, tree: isTree, state: it.state ?? "", lastStartTag: it.lastStartTag ?? undefined, fragment: it.fragment ?? "", flags, keepsByteOrderMark: !isTree });
}

const answers = await compiled();
if (answers.length !== cases.length) throw new Error(`${answers.length} answers for ${cases.length} cases`);
let failed = 0;
cases.forEach((it, index) => {
  const expected = answers[index];
  const found = interpreted(it);
  const isTree = it.do === "parse";
  const pairs = isTree
    ? [[expected.tree?.trimEnd(), found.dump?.trimEnd()]]
    : [[JSON.stringify(expected.tokens), JSON.stringify(found.tokens)]];
  if (!found.failure && !expected.error) pairs.push([normal(expected.errors), normal(found.errors)]);
  if (found.failure || expected.error || pairs.some(([a, b]) => a !== b)) {
    failed += 1;
    if (failed <= 5) console.log(JSON.stringify(it), "\ncompiled", JSON.stringify(expected), "\npage", JSON.stringify({ ...found, steps: undefined, tree: undefined }));
  }
});
console.log(`the page's engine beside the compiled machines: ${cases.length - failed} passed, ${failed} failed`);
console.log(`the first answer takes ${Math.round(first)} ms of processor time; at most 1,000`);
process.exit(failed > 0 || cases.length === 0 || first > 1_000 ? 1 : 0);
