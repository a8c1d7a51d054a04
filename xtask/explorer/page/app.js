// The page: the choices of its user, the answers of the engine, and the panes that show them. The panes depend only on
// `shown` and the last answers, so that a link restores them.
import * as address from "./address.js";
import * as lists from "./lists.js";
import { pattern, picture } from "./picture.js";

const $ = (id) => document.getElementById(id);

/** Creates an element with properties and children. */
function create(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const shown = {
  dialect: "html", beside: "", make: "tree", fragment: "", state: "", step: 0, tab: "tree", file: "", flags: {}, edits: {},
  input: "<!DOCTYPE html>\n<p title=\"a&ampb\">Mis<b>nested<i>tags</b></i>\n<table><tr>foster me<td>cell</table>",
};
/** The tables, and the engine's answers for each side. */
const known = { files: {}, dialects: [], documents: {} };
const sides = { left: {}, right: {} };

// The engine

const worker = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let requests = 0;
worker.onmessage = ({ data }) => {
  waiting.get(data.number)?.(JSON.parse(data.answer));
  waiting.delete(data.number);
};
worker.onerror = (event) => say($("verdict"), `The engine does not start: ${event.message}`, "wrong");

function ask(request) {
  requests += 1;
  const number = requests;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    worker.postMessage({ number, request });
  });
}

function say(output, text, kind = "") {
  output.textContent = text;
  output.className = kind;
}

/** Returns the files of a table: those of the repository, or the user's edited versions. */
const files = (isEdited) => (isEdited ? { ...known.files, ...shown.edits } : known.files);

/** Opens a table in a slot, unless it is already open there. */
async function open(slot, dialect, isEdited) {
  const key = JSON.stringify([dialect, isEdited ? shown.edits : {}]);
  if (sides[slot].key === key) return;
  const answer = await ask({ do: "open", slot, file: `${dialect}.states`, files: files(isEdited) });
  sides[slot] = { key, mistakes: answer.mistakes, machine: answer.machine ?? (sides[slot].dialect === dialect ? sides[slot].machine : null), dialect, isBroken: !answer.machine };
}

async function run(slot) {
  const side = sides[slot];
  if (!side.machine) return;
  const makesTree = shown.make === "tree" && side.machine.modes !== null;
  const request = { do: "run", slot, input: shown.input, tree: makesTree, fragment: makesTree ? shown.fragment : "", state: makesTree ? "" : shown.state };
  const has = new Map(side.machine.flags);
  request.flags = Object.fromEntries(Object.entries(shown.flags).filter(([name, value]) => has.get(name)?.includes(value)));
  side.run = await ask(request);
}

/** Returns what the table is compared with: another table, or its version before the edits. */
const beside = () => shown.beside || (Object.keys(shown.edits).length > 0 ? shown.dialect : "");

let turn = 0;
/** Sends new requests to the engine and shows the answers; those of superseded calls are dropped. */
async function refresh() {
  turn += 1;
  const mine = turn;
  await open("left", shown.dialect, true);
  if (beside()) await open("right", beside(), beside() !== shown.dialect);
  if (mine !== turn) return;
  await run("left");
  if (beside()) await run("right");
  if (mine !== turn) return;
  showControls();
  showTable();
  showResults();
  showStep();
  remember();
}

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", `#${await address.write(shown)}`), 200);
}

// Controls

function options(select, values, chosen) {
  const text = JSON.stringify(values);
  if (select.dataset.values !== text) {
    select.dataset.values = text;
    select.replaceChildren(...values.map(([value, name]) => new Option(name ?? value, value)));
  }
  select.value = chosen;
}

function showControls() {
  const machine = sides.left.machine;
  options($("dialect"), known.dialects.map((it) => [it]), shown.dialect);
  const before = Object.keys(shown.edits).length > 0 ? "the table before" : "nothing";
  options($("beside"), [["", before], ...known.dialects.filter((it) => it !== shown.dialect).map((it) => [it])], shown.beside);
  if (!machine) return;
  const hasTrees = machine.modes !== null;
  $("make").disabled = !hasTrees;
  $("make").value = hasTrees ? shown.make : "tokens";
  const makesTree = $("make").value === "tree";
  for (const label of document.querySelectorAll(".for-tree")) label.hidden = !makesTree || !machine.hasFragments;
  for (const label of document.querySelectorAll(".for-tokens")) label.hidden = makesTree;
  options($("state"), [["", `${machine.start} (the first)`], ...machine.states.map((it) => [it.name])], shown.state);
  if (document.activeElement !== $("fragment")) $("fragment").value = shown.fragment;
  const flags = machine.flags.map(([name, values]) => {
    const select = create("select");
    options(select, values.map((it) => [it]), shown.flags[name] ?? values[0]);
    select.onchange = () => {
      shown.flags[name] = select.value;
      refresh();
    };
    return create("label", {}, `${name} `, select);
  });
  if ($("flags").dataset.machine !== JSON.stringify([machine.flags, shown.flags])) {
    $("flags").dataset.machine = JSON.stringify([machine.flags, shown.flags]);
    $("flags").replaceChildren(...flags);
  }
  for (const tab of ["tree", "tokens", "errors"]) $(`show-${tab}`).setAttribute("aria-selected", String(tab === tabShown()));
  $("show-tree").hidden = !makesTree;
}

const tabShown = () => (shown.tab === "tree" && $("make").value !== "tree" ? "tokens" : shown.tab);

// Results

function item(line, side, isDiffering) {
  const button = create("button", { textContent: line.text });
  const li = create("li", {}, button);
  li.classList.toggle("differs", isDiffering);
  if (line.step !== undefined && line.step !== null) li.dataset.step = line.step;
  if (side === "left") button.onclick = () => goTo(line.step ?? 0);
  return li;
}

function showResults() {
  const isBeside = beside() !== "" && sides.right.run !== undefined;
  $("right").hidden = !isBeside;
  const lines = {};
  for (const side of isBeside ? ["left", "right"] : ["left"]) {
    const { run } = sides[side];
    if (!run || run.failure) {
      lines[side] = [{ text: run?.failure ?? "no answer", step: null }];
    } else {
      lines[side] = lists[tabShown()](run);
    }
  }
  const [left, right] = isBeside ? lists.differing(lines.left, lines.right) : [new Set(), new Set()];
  $("left").replaceChildren(...lines.left.map((line, index) => item(line, "left", left.has(index))));
  if (isBeside) $("right").replaceChildren(...lines.right.map((line, index) => item(line, "right", right.has(index))));
  const { run } = sides.left;
  if (run?.failure) say($("verdict"), run.failure, "wrong");
  else if (isBeside) say($("verdict"), left.size + right.size > 0 ? `differs from ${shown.beside || "the table before"}` : `as ${shown.beside || "the table before"}`, left.size + right.size > 0 ? "other" : "");
  else say($("verdict"), `${run?.errors?.length ?? 0} errors`);
}

// Steps

const steps = () => sides.left.run?.steps ?? [];

function goTo(step) {
  shown.step = Math.max(0, Math.min(step, steps().length - 1));
  const state = sides.left.machine.states[steps()[shown.step]?.state];
  if (state) showFile(state.place.file);
  showStep(true);
  remember();
}

/** Returns the registers of the machine after a step: the last change of each. */
function remembered(last) {
  const now = new Map();
  for (let index = 0; index <= last; index += 1) {
    for (const [name, value] of Object.entries(steps()[index].now ?? {})) now.set(name, value);
  }
  return [...now].filter(([, value]) => value !== "");
}

function surroundings(last) {
  for (let index = last; index >= 0; index -= 1) if (steps()[index].tree) return steps()[index].tree;
  return null;
}

/** Returns the section of a state or mode, as a link if the document is on the web. */
function section(block) {
  if (!block.section) return "";
  const [number, anchor] = block.section;
  const page = known.documents[sides.left.dialect];
  if (!anchor || !page) return number;
  return create("a", { href: `${page}#${anchor}`, target: "_blank", rel: "noopener", textContent: number });
}

function rowShown(block, row) {
  const name = create("span", { className: "state", textContent: block.name });
  const text = `${row.place.file}:${row.place.line}`;
  const place = create("button", { type: "button", textContent: text, onclick: () => showPlace(row.place) });
  const head = create("div", {}, name, " ", section(block), " ", place);
  return create("div", {}, head, create("code", { textContent: row.text }));
}

function showStep(isMoving = false) {
  const list = steps();
  const machine = sides.left.machine;
  shown.step = Math.max(0, Math.min(shown.step, list.length - 1));
  $("step").max = Math.max(0, list.length - 1);
  $("step").value = shown.step;
  say($("step-number"), list.length > 0 ? `${shown.step + 1} of ${list.length}` : "");
  const step = list[shown.step];
  if (!step || !machine) {
    for (const id of ["row", "picture", "remembered", "way"]) $(id).replaceChildren();
    return;
  }
  const state = machine.states[step.state];
  const row = state.rows[step.row];
  const text = shown.input.slice(...step.at);
  const looked = create("span", { className: "looked", textContent: text === "" ? "the end" : JSON.stringify(text).slice(1, -1) });
  const parts = [create("div", {}, "looks at ", looked), rowShown(state, row)];
  for (const [mode, index] of step.modes ?? []) parts.push(rowShown(machine.modes[mode], machine.modes[mode].rows[index]));
  $("row").replaceChildren(...parts);
  $("picture").replaceChildren(picture(state, step.row, (name) => showPlace(machine.states.find((it) => it.name === name)?.place)));
  const values = remembered(shown.step).map(([name, value]) => [name, value, name in (step.now ?? {})]);
  const around = machine.modes ? surroundings(shown.step) : null;
  if (around) {
    const isNew = step.tree !== undefined;
    values.push(["mode", machine.modes[around.mode].name, isNew], ["open elements", around.open.join(" ") || "none", isNew]);
    if (around.formatting.length > 0) values.push(["formatting", around.formatting.join(" "), isNew]);
  }
  $("remembered").replaceChildren(...values.flatMap(([name, value, isNew]) => [
    create("dt", { textContent: name }), create("dd", { textContent: value, className: isNew ? "new" : "" }),
  ]));
  showWay(list);
  showMarks(step);
  showHere(isMoving);
  showLine();
}

/** Returns the rows from the end of the previous token to this step: those that produced the step's results. */
function showWay(list) {
  let first = shown.step;
  while (first > 0 && !(list[first - 1].tokens?.length > 0) && shown.step - first < 200) first -= 1;
  const machine = sides.left.machine;
  $("way").start = first + 1;
  $("way").replaceChildren(...list.slice(first, shown.step + 1).map((step, index) => {
    const state = machine.states[step.state];
    const text = `${state.name}: ${pattern(state.rows[step.row].text)}`;
    return create("li", {}, create("button", { textContent: text, onclick: () => goTo(first + index) }));
  }));
}

/** Shows the markup that the step inspected, and the positions of errors. */
function showMarks(step) {
  const text = shown.input;
  const cuts = new Map();
  const mark = (at, name) => {
    for (let index = at[0]; index < Math.max(at[1], at[0] + 1) && index <= text.length; index += 1) cuts.set(index, `${cuts.get(index) ?? ""} ${name}`);
  };
  for (const error of sides.left.run?.errors ?? []) mark(error.at, "u");
  mark(step.at, "mark");
  const parts = [];
  let [start, kind] = [0, cuts.get(0) ?? ""];
  const close = (end) => {
    let node = document.createTextNode(text.slice(start, end) || (end > text.length ? " " : ""));
    for (const name of new Set(kind.trim().split(" ").filter(Boolean))) node = create(name, {}, node);
    parts.push(node);
  };
  for (let index = 1; index <= text.length + 1; index += 1) {
    const next = cuts.get(index) ?? "";
    if (next === kind && index <= text.length) continue;
    close(index);
    [start, kind] = [index, next];
  }
  $("behind").replaceChildren(...parts);
  $("behind").scrollTop = $("input").scrollTop;
}

function showHere(isMoving) {
  const items = [...$("left").children];
  for (const li of items) li.classList.toggle("here", Number(li.dataset.step) === shown.step);
  if (isMoving) items.find((li) => li.classList.contains("here"))?.scrollIntoView({ block: "nearest" });
}

// The table

/** Returns the files of the table, its own first. */
function ownFiles() {
  const own = `${shown.dialect}.states`;
  const brought = Object.keys(known.files).filter((name) => name.endsWith(".modes") && files(true)[own].includes(`"${name}"`));
  return [own, ...brought];
}

function showFile(name) {
  if (name && known.files[name] !== undefined && name !== shown.file) {
    shown.file = name;
    showTable();
  }
}

function showTable() {
  const own = ownFiles();
  if (!own.includes(shown.file)) shown.file = own[0];
  options($("file"), own.map((name) => [name, name in shown.edits ? `${name} (edited)` : name]), shown.file);
  const text = files(true)[shown.file];
  if ($("table").value !== text) $("table").value = text;
  $("revert").hidden = Object.keys(shown.edits).length === 0;
  const mistakes = sides.left.mistakes ?? [];
  $("mistakes").replaceChildren(...mistakes.map((mistake) => {
    const place = mistake.place ? `${mistake.place.file}:${mistake.place.line}:${mistake.place.column} ` : "";
    const text = `${place}[${mistake.check}] ${mistake.message}${mistake.help ? `\n${mistake.help}` : ""}`;
    const button = create("button", { textContent: text, onclick: () => showPlace(mistake.place) });
    return create("li", { className: mistake.isError ? "error" : "" }, button);
  }));
  if (sides.left.isBroken) say($("checked"), "not run: the results are those of the last table without mistakes", "wrong");
  else say($("checked"), mistakes.length > 0 ? `${mistakes.length} warnings` : "no mistakes");
  showLine();
}

/** Marks the row of the step in the table. */
function showLine() {
  const step = steps()[shown.step];
  const machine = sides.left.machine;
  if (!step || !machine || sides.left.isBroken) return $("lines").replaceChildren();
  const rows = [machine.states[step.state].rows[step.row], ...(step.modes ?? []).map(([mode, row]) => machine.modes[mode].rows[row])];
  const row = rows.find((it) => it.place.file === shown.file);
  const text = files(true)[shown.file];
  if (!row) return $("lines").replaceChildren(text);
  const [from, end] = row.place.range;
  // A row ends where the next one begins.
  const to = from + text.slice(from, end).trimEnd().length;
  const mark = create("mark", { textContent: text.slice(from, to) });
  $("lines").replaceChildren(text.slice(0, from), mark, `${text.slice(to)}\n`);
  if (document.activeElement !== $("table")) scrollTo(from);
}

function scrollTo(offset) {
  const line = $("table").value.slice(0, offset).split("\n").length - 1;
  const height = parseFloat(getComputedStyle($("table")).lineHeight);
  const top = Math.max(0, line * height - $("table").clientHeight / 3);
  for (const id of ["table", "lines"]) $(id).scrollTop = top;
}

function showPlace(place) {
  if (!place) return;
  showFile(place.file);
  $("table").focus({ preventScroll: true });
  $("table").setSelectionRange(place.range[0], place.range[0]);
  scrollTo(place.range[0]);
}

// Events

let typing = 0;
function soon() {
  clearTimeout(typing);
  typing = setTimeout(refresh, 60);
}

function listen() {
  $("input").oninput = () => {
    shown.input = $("input").value;
    shown.step = Infinity;
    soon();
  };
  $("table").oninput = () => {
    const text = $("table").value;
    if (text === known.files[shown.file]) delete shown.edits[shown.file];
    else shown.edits[shown.file] = text;
    $("lines").replaceChildren();
    soon();
  };
  for (const [from, to] of [["input", "behind"], ["table", "lines"]]) {
    $(from).onscroll = () => {
      $(to).scrollTop = $(from).scrollTop;
      $(to).scrollLeft = $(from).scrollLeft;
    };
  }
  for (const id of ["beside", "make", "state", "fragment"]) {
    $(id).onchange = () => {
      shown[id] = $(id).value;
      refresh();
    };
  }
  $("dialect").onchange = () => {
    Object.assign(shown, { dialect: $("dialect").value, beside: "", edits: {}, flags: {}, state: "", fragment: "", step: 0 });
    refresh();
  };
  $("file").onchange = () => showFile($("file").value);
  $("revert").onclick = () => {
    shown.edits = {};
    refresh();
  };
  for (const tab of ["tree", "tokens", "errors"]) {
    $(`show-${tab}`).onclick = () => {
      shown.tab = tab;
      showControls();
      showResults();
      showHere(true);
      remember();
    };
  }
  const moves = { first: () => 0, previous: () => shown.step - 1, next: () => shown.step + 1, last: () => Infinity };
  for (const [id, to] of Object.entries(moves)) $(id).onclick = () => goTo(to());
  $("step").oninput = () => goTo(Number($("step").value));
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const isText = ["TEXTAREA", "INPUT", "SELECT"].includes(event.target.tagName);
    if (isText || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    goTo(moves[keys[event.key]]());
  });
  $("share").onclick = async () => {
    const link = `${location.href.split("#")[0]}#${await address.write(shown)}`;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      $("share").textContent = "Copied";
    } catch {
      $("share").textContent = "In the address";
    }
    setTimeout(() => ($("share").textContent = "Copy link"), 1500);
  };
  addEventListener("hashchange", restore);
}

const first = structuredClone(shown);
async function restore() {
  Object.assign(shown, structuredClone(first), await address.read(location.hash.slice(1)));
  if (!known.dialects.includes(shown.dialect)) shown.dialect = known.dialects[0];
  $("input").value = shown.input;
  await refresh();
}

Object.assign(known, await (await fetch(new URL("tables.json", import.meta.url))).json());
listen();
await restore();
document.documentElement.dataset.ready = "yes";
