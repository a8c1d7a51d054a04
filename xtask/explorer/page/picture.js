// Draws the part of the machine around a step: the state, the targets of its rows, and the row that was taken. Each state
// has one box, and only the line of the row that was taken is highlighted.

const SVG = "http://www.w3.org/2000/svg";
const HIGH = 24, GAP = 6, WIDE = 190;

function made(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function box(x, y, name, kind, choose) {
  const group = made("g", { class: kind, tabindex: "-1", role: "button" }, made("title", {}, name),
    made("rect", { x, y, width: WIDE, height: HIGH, rx: 4 }),
    made("text", { x: x + 8, y: y + 16 }, cut(name, 26)));
  group.style.cursor = "pointer";
  group.addEventListener("click", () => choose(name));
  return group;
}

/** Returns the head of a row, without its steps. */
export function pattern(text) {
  return text.split("=>")[0].trim().replace(/\s+/g, " ");
}

/** Returns the picture of `state` with the row `taken`; `choose` is called with the name of a clicked state. */
export function picture(state, taken, choose) {
  const leads = new Map();
  state.rows.forEach((row, index) => {
    for (const target of row.to.length > 0 ? row.to : [state.name]) {
      if (!leads.has(target)) leads.set(target, { patterns: [], isTaken: false });
      const lead = leads.get(target);
      lead.patterns.push(pattern(row.text));
      lead.isTaken ||= index === taken;
    }
  });
  const height = Math.max(1, leads.size) * (HIGH + GAP) + GAP;
  const right = 2 * WIDE - 20;
  const image = made("svg", { viewBox: `0 0 ${right + WIDE + 10} ${height}`, role: "img", "aria-label": `Where the rows of ${state.name} lead` });
  const middle = height / 2;
  let y = GAP;
  const boxes = [box(4, middle - HIGH / 2, state.name, "here", choose)];
  for (const [name, lead] of leads) {
    const label = cut(lead.patterns.join(", "), 24);
    image.append(made("path", { class: lead.isTaken ? "taken" : "", d: `M ${WIDE + 4} ${middle} C ${WIDE + 40} ${middle}, ${WIDE + 30} ${y + HIGH / 2}, ${right} ${y + HIGH / 2}` }));
    image.append(made("text", { class: "label", x: right - 4, y: y + HIGH / 2 - 3, "text-anchor": "end" }, made("title", {}, lead.patterns.join(", ")), label));
    boxes.push(box(right, y, name === state.name ? "itself" : name, lead.isTaken ? "taken" : "", () => choose(name)));
    y += HIGH + GAP;
  }
  image.append(...boxes);
  return image;
}
