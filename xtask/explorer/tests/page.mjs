// The page in headless Chromium: what a reader does, and what must then be seen. usage: node page.mjs PAGE [PICTURES]
// Invariant: each check waits for what it wants to see, for a minute at most, as others may have the machine; and nothing on the
// page may fail.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [folder, pictures] = process.argv.slice(2);
const kinds = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", wasm: "application/wasm" };
const server = createServer(async (request, response) => {
  const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
  try {
    const bytes = await readFile(join(folder, name));
    response.writeHead(200, { "Content-Type": kinds[name.split(".").at(-1)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
const url = `http://127.0.0.1:${server.address().port}/`;

let [passed, failed] = [0, 0];
async function check(name, action) {
  try {
    await action();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`${name}: ${error.message.split("\n")[0]}`);
  }
}

function same(found, wanted) {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`);
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(60_000);
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
const lines = (side = "left") => page.locator(`#${side} li`).allTextContents();
const see = (text, side = "left") => page.locator(`#${side} li`, { hasText: text }).first().waitFor();

const began = Date.now();
await page.goto(url);
await page.locator("#left li").first().waitFor();
const first = Date.now() - began;

await check("a tree is there at once", () => see("<html>"));
await check("typing changes the tree", async () => {
  await page.fill("#input", "<table><b>x");
  await see('"x"');
  same((await lines()).map((it) => it.trim()).join(" "), '<html> <head> <body> <b> "x" <table>');
});
await check("a click on a node goes to the step that made it", async () => {
  await page.locator("#left li", { hasText: "<table>" }).locator("button").click();
  await page.locator("#row .state", { hasText: "in-body" }).waitFor();
  await page.locator("#left li.here", { hasText: "<table>" }).waitFor();
});
await check("keys step forwards and backwards", async () => {
  const before = await page.locator("#step-number").textContent();
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  const after = await page.locator("#step-number").textContent();
  if (before === after) throw new Error("nothing moved");
  await page.keyboard.press("ArrowLeft");
  same(await page.locator("#step-number").textContent(), before);
  await page.keyboard.press("Home");
  await page.locator("#row .state", { hasText: "data" }).first().waitFor();
});
await check("sections are links into the standard", async () => {
  const link = await page.locator("#row a").first().getAttribute("href");
  if (!/^https:\/\/html\.spec\.whatwg\.org\/.*#/.test(link)) throw new Error(link);
});
await check("errors", async () => {
  await page.click("#show-errors");
  await see("expected-doctype-but-got-start-tag").catch(() => see("doctype"));
});
await check("tokens", async () => {
  await page.click("#show-tokens");
  await see('StartTag "table"');
  await page.click("#show-tree");
});
await check("an edited table runs at once, beside the one before", async () => {
  await page.selectOption("#file", "html.states");
  const table = await page.inputValue("#table");
  await page.fill("#table", table.replace("uppercase-letter => append lower to tag-name;", "uppercase-letter => append current to tag-name;"));
  await page.fill("#input", "<Bx>");
  await page.locator("#verdict", { hasText: "differs" }).waitFor();
  const found = [(await lines()).join(""), (await lines("right")).join("")];
  if (found[0] === found[1]) throw new Error("both sides are the same");
});
await check("a mistake is shown at its place, and the last good table goes on running", async () => {
  const table = await page.inputValue("#table");
  await page.fill("#table", table.replace("switch tag-open", "switch tag-opne"));
  await page.locator("#mistakes .error", { hasText: "tag-opne" }).waitFor();
  await page.locator("#checked", { hasText: "not run" }).waitFor();
  await page.click("#revert");
  await page.locator("#checked", { hasText: "no mistakes" }).waitFor();
});
await check("two dialects side by side", async () => {
  await page.fill("#input", "<?a b>");
  await page.selectOption("#beside", "html-2013");
  await page.locator("#verdict", { hasText: "differs from html-2013" }).waitFor();
  await page.locator("#left li.differs").first().waitFor();
});
await check("a link brings all of it back", async () => {
  await page.click("#share");
  await page.waitForFunction(() => location.hash.includes("beside=html-2013"));
  const link = page.url();
  const other = await browser.newPage();
  await other.goto(link);
  await other.locator("#verdict", { hasText: "differs from html-2013" }).waitFor();
  same(await other.inputValue("#input"), "<?a b>");
  await other.close();
});
await check("every dialect opens", async () => {
  for (const dialect of await page.locator("#dialect option").allTextContents()) {
    await page.selectOption("#dialect", dialect);
    await page.fill("#input", "<a>b</a>");
    await page.locator("#checked", { hasText: "no mistakes" }).waitFor();
    // JSON makes no tree of it, but says why.
    await page.locator("#left li").or(page.locator("#verdict", { hasText: /^[1-9]/ })).first().waitFor();
  }
});
await check("tokens of a table's own with their fields, and counters", async () => {
  await page.selectOption("#dialect", "css");
  await page.fill("#input", '"a\\41 b"1.5px');
  await see('string value "aAb"');
  await see('dimension value "1.5" type "number" unit "px"');
  await page.locator("h1").click();
  await page.keyboard.press("Home");
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
  await page.locator("#remembered dd", { hasText: 'value "a"' }).first().waitFor();
  await page.locator("#remembered dt", { hasText: "digits" }).waitFor();
});
await check("nothing is wider than a narrow screen", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) throw new Error(`${over} pixels too wide`);
});
if (pictures) {
  for (const scheme of ["light", "dark"]) {
    for (const [name, width, height] of [["wide", 1400, 900], ["narrow", 390, 1600]]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      await page.goto(`${url}#dialect=html&input=${encodeURIComponent("<!DOCTYPE html>\n<p>1<b>2<i>3</b>4</i>5</p>\n<table><tr>x<td>y</table>&amp &nosuch;")}&step=60`);
      await page.reload();
      await page.locator("#left li").first().waitFor();
      await page.screenshot({ path: join(pictures, `${name}-${scheme}.png`) });
    }
  }
}
await check("nothing failed on the page", async () => same(faults.join("\n"), ""));
const size = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length).reduce((a, b) => a + b);
await check(`at most 700 kB compressed (${size})`, async () => same(size <= 700_000, true));
await browser.close();
server.close();
console.log(`the page in Chromium: ${passed} passed, ${failed} failed; ${Math.round(size / 1000)} kB compressed, first answer after ${first} ms`);
process.exit(failed > 0 ? 1 : 0);
