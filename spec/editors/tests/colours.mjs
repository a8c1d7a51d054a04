// Colours tables with the library that VS Code colours with, and starts the extension with a client that is made up here.
// usage: node colours.mjs TABLE...; prints, for the first table, each line's words with what they are.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import Module from "node:module";
import assert from "node:assert";

const require = createRequire(import.meta.url);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const here = (path) => new URL(`../${path}`, import.meta.url);

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const extension = JSON.parse(readFileSync(here("vscode/package.json"), "utf8"));
const path = `vscode/${extension.contributes.grammars[0].path}`;
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(here(path), "utf8"), "tabulex.json"),
});
const grammar = await registry.loadGrammar(extension.contributes.grammars[0].scopeName);

const known = new Set(JSON.parse(process.argv[2]));
let [words, plain] = [0, 0];
for (const [index, table] of process.argv.slice(3).entries()) {
  let stack = textmate.INITIAL;
  for (const line of readFileSync(table, "utf8").split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const shown = [];
    for (const { startIndex, endIndex, scopes } of tokens) {
      const text = line.slice(startIndex, endIndex).trim();
      const scope = scopes.slice(1).pop();
      if (text && scope && index === 0) shown.push(`${text} ${scope.replace(".tabulex", "")}`);
      // A word of the vocabulary is nowhere without a colour.
      for (const word of scope ? [] : text.match(/[A-Za-z][A-Za-z0-9-]*/g) ?? []) {
        plain++;
        assert(!known.has(word), `${word} has no colour: ${line}`);
      }
      words++;
    }
    if (shown.length) console.log(shown.join(" · "));
  }
  assert.equal(stack.depth, 1, `${table} ends within something`);
}
assert(words > 100 && plain > 10, "the tables are short");

const started = [];
const resolve = Module._load;
Module._load = (name, ...rest) => {
  if (name === "vscode") {
    return { workspace: { getConfiguration: () => ({ get: () => extension.contributes.configuration.properties["tabulex.server"].default }) } };
  }
  if (name === "vscode-languageclient/node") {
    return { LanguageClient: class { constructor(...all) { this.all = all; } async start() { started.push(this.all); } async stop() { started.push("stopped"); } } };
  }
  return resolve(name, ...rest);
};
const { activate, deactivate } = require(here(`vscode/${extension.main}`).pathname);
await activate();
await deactivate();
assert.deepEqual([started[0][2].command, ...started[0][2].args], ["tabulex", "table", "lsp"]);
assert.equal(started[0][3].documentSelector[0].language, extension.contributes.languages[0].id);
assert.equal(started[1], "stopped");
