import { Failure } from "../scripts/lib/base/command.mjs";

/** Connects to the worker in a runtime by the Chrome DevTools Protocol. */
export async function connectInspector(url) {
  const address = new URL("/json", url);
  address.protocol = "http:";
  const targets = await (await fetch(address)).json();
  // The runtime also lists the services that Miniflare runs beside the worker.
  const target = targets.find(({ id }) => id.startsWith("core:user:"));
  if (!target) throw new Failure(`the runtime lists no worker: ${targets.map(({ id }) => id).join(", ")}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Failure(`the runtime does not let a profiler in at ${url}`));
  });
  const waiting = new Map();
  /** The last of each kind of events. */
  const heard = new Map();
  socket.onmessage = ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(data);
    heard.set(method, params);
    waiting.get(id)?.(error ? Promise.reject(new Failure(error.message)) : result);
    waiting.delete(id);
  };
  let last = 0;
  const send = (method, params = {}) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, heard: (method) => heard.get(method), close: () => socket.close() };
}

/** How much memory the WebAssembly of a worker has, bytes. It never gives any back. */
export async function wasmBytes({ send, heard }) {
  await send("Runtime.enable");
  const { context } = heard("Runtime.executionContextCreated");
  const where = { contextId: context.id };
  const { result: memory } = await send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype", ...where });
  const { objects } = await send("Runtime.queryObjects", { prototypeObjectId: memory.objectId });
  const { result } = await send("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
    returnByValue: true,
  });
  return result.value;
}
