// Converts the state of the page to and from the fragment of its address, so that a link restores input, table and step.
// Reading what was written restores it exactly; an unreadable part counts as absent.

const plain = ["dialect", "beside", "make", "fragment", "state", "input", "step", "tab", "file"];

async function through(stream, bytes) {
  const out = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await out.arrayBuffer());
}

/** Returns the fragment for the state of the page; edited files are included whole, compressed. */
export async function write(shown) {
  const parts = new URLSearchParams();
  for (const name of plain) if (shown[name] !== "" && shown[name] != null) parts.set(name, shown[name]);
  for (const [name, value] of Object.entries(shown.flags)) parts.set(`flag.${name}`, value);
  if (Object.keys(shown.edits).length > 0) {
    const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(shown.edits)));
    let text = "";
    for (const byte of packed) text += String.fromCharCode(byte);
    parts.set("edits", btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
  }
  return parts.toString();
}

/** Returns the state that a fragment describes. */
export async function read(fragment) {
  const parts = new URLSearchParams(fragment);
  const shown = { flags: {}, edits: {} };
  for (const name of plain) if (parts.has(name)) shown[name] = parts.get(name);
  for (const [name, value] of parts) if (name.startsWith("flag.")) shown.flags[name.slice(5)] = value;
  if (shown.step !== undefined) shown.step = Number(shown.step) || 0;
  if (parts.has("edits")) {
    try {
      const packed = Uint8Array.from(atob(parts.get("edits").replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
      const bytes = await through(new DecompressionStream("deflate-raw"), packed);
      const edits = JSON.parse(new TextDecoder().decode(bytes));
      for (const [name, text] of Object.entries(edits)) if (typeof text === "string") shown.edits[name] = text;
    } catch {
      // The readable parts of a truncated link are still used.
    }
  }
  return shown;
}
