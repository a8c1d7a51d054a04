// Runs the engine in a thread of its own, so that typing never waits for it. Each request gets exactly one answer, with
// the number of the request.
import start, { Explorer } from "./engine.js";

const ready = start({ module_or_path: new URL("engine_bg.wasm", import.meta.url) }).then(() => new Explorer());

self.onmessage = async ({ data: { number, request } }) => {
  const engine = await ready;
  self.postMessage({ number, answer: engine.answer(JSON.stringify(request)) });
};
