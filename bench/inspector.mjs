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
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(data);
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
  return { send, close: () => socket.close() };
}
