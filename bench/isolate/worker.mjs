// Loads a worker into an isolate of its own and passes the request on. `/empty` loads one that does nothing, every other path
// Peyk, whose modules stand beside this one. A name that was not there before is a new isolate.
const empty = { "worker.mjs": { js: 'export default { fetch: () => new Response("nothing") };' } };
/** Peyk's modules, read at the first request for them: to read them is not Peyk's work. */
let peyk;

async function modulesOf(files) {
  const modules = {};
  for (const file of files) {
    const { default: content } = await import(`../../build/${file}`);
    modules[file] = file.endsWith(".wasm") ? { wasm: content } : { js: content };
  }
  return modules;
}

export default {
  async fetch(request, { LOADER, SETTINGS, DATE, FILES }) {
    const { pathname, searchParams } = new URL(request.url);
    peyk ??= await modulesOf(FILES);
    const modules = pathname === "/empty" ? empty : peyk;
    const code = { compatibilityDate: DATE, mainModule: FILES[0], modules, env: SETTINGS };
    return LOADER.get(searchParams.get("isolate"), () => code)
      .getEntrypoint()
      .fetch(request);
  },
};
