// Loads a worker into an isolate of its own and passes the request on. `/empty` loads one that does nothing, every other path
// Peyk. A name that was not there before is a new isolate.
import bodies from "../../build/bodies.mjs";
import calls from "../../build/calls.mjs";
import crossings from "../../build/crossings.mjs";
import index from "../../build/index.js";
import wasm from "../../build/index_bg.wasm";
import restart from "../../build/restart.mjs";
import main from "../../build/worker.mjs";

const peyk = {
  "worker.mjs": { js: main },
  "restart.mjs": { js: restart },
  "bodies.mjs": { js: bodies },
  "calls.mjs": { js: calls },
  "crossings.mjs": { js: crossings },
  "index.js": { js: index },
  "index_bg.wasm": { wasm },
};
const empty = { "worker.mjs": { js: 'export default { fetch: () => new Response("nothing") };' } };

export default {
  fetch(request, { LOADER, SETTINGS, DATE }) {
    const { pathname, searchParams } = new URL(request.url);
    const modules = pathname === "/empty" ? empty : peyk;
    const code = { compatibilityDate: DATE, mainModule: "worker.mjs", modules, env: SETTINGS };
    return LOADER.get(searchParams.get("isolate"), () => code)
      .getEntrypoint()
      .fetch(request);
  },
};
