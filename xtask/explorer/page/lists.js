// Converts tree, tokens and errors to lines, and finds the lines that differ between two runs. A line has a text, and the
// step that created it.

/** Formats a token as a line; a declared token as its kind and its nonempty fields. */
function token(kind, rest) {
  if (kind !== "Declared") return `${kind} ${rest.map((it) => JSON.stringify(it)).join(" ")}`;
  const fields = Object.entries(rest[1]).filter(([, text]) => text !== "");
  return [rest[0], ...fields.map(([name, text]) => `${name} ${JSON.stringify(text)}`)].join(" ");
}

function attributes(list) {
  return list.map(([name, value]) => ` ${name}="${value}"`).join("");
}

/** Returns the lines of a tree. */
export function tree(run) {
  return (run.tree ?? []).filter((node) => node.kind !== "document").map((node) => {
    const indent = "  ".repeat(Math.max(0, node.depth - 1));
    const text = {
      element: () => `<${node.name}${attributes(node.attributes)}>`,
      text: () => JSON.stringify(node.value),
      comment: () => `<!--${node.value}-->`,
      instruction: () => `<?${node.name} ${node.value}>`,
      doctype: () => `<!DOCTYPE ${node.name}>`,
      fragment: () => (node.name ? `shadow root (${node.name})` : "contents"),
    }[node.kind]();
    return { text: indent + text, step: node.step };
  });
}

/** Returns the lines of the tokens, each with the step that emitted it. */
export function tokens(run) {
  const lines = [];
  run.steps.forEach((step, index) => {
    for (const [kind, ...rest] of step.tokens ?? []) {
      const last = lines.at(-1);
      if (kind === "Character" && last?.kind === "Character") {
        last.value += rest[0];
        last.text = `Character ${JSON.stringify(last.value)}`;
        last.step = index;
      } else {
        lines.push({ text: token(kind, rest), kind, value: rest[0], step: index });
      }
    }
  });
  return lines;
}

/** Returns the lines of the errors, each with the step that reported it. */
export function errors(run) {
  const steps = new Map();
  run.steps.forEach((step, index) => {
    for (const error of step.errors ?? []) steps.set(`${error.code} ${error.at[0]}`, index);
  });
  return run.errors.map((error) => ({
    text: `${error.line}:${error.column} ${error.code}`,
    step: steps.get(`${error.code} ${error.at[0]}`),
  }));
}

/** Returns, for each list, the lines that are not in the longest common subsequence of the two. */
export function differing(left, right) {
  const [a, b] = [left.map((line) => line.text), right.map((line) => line.text)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [m, n] = [a.length - start - end, b.length - start - end];
  const sides = [new Set(), new Set()];
  if (m * n > 4_000_000) {
    for (let i = 0; i < m; i += 1) sides[0].add(start + i);
    for (let j = 0; j < n; j += 1) sides[1].add(start + j);
    return sides;
  }
  const common = Array.from({ length: m + 1 }, () => new Uint32Array(n + 1));
  for (let i = m - 1; i >= 0; i -= 1) {
    for (let j = n - 1; j >= 0; j -= 1) {
      common[i][j] = a[start + i] === b[start + j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < m || j < n) {
    if (i < m && j < n && a[start + i] === b[start + j]) [i, j] = [i + 1, j + 1];
    else if (j >= n || (i < m && common[i + 1][j] >= common[i][j + 1])) sides[0].add(start + i++);
    else sides[1].add(start + j++);
  }
  return sides;
}
