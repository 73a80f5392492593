// What would take several crossings between WebAssembly and JavaScript, each in one.

/** The headers that Peyk reads, in the order in which `runtime.rs` expects them. */
const READ = [
  "authorization",
  "content-type",
  "accept-language",
  "idempotency-key",
  "x-request-id",
  "accept",
  "content-length",
];

/**
 * The head of a request: its method, its address, and the headers, one a line. A header stands behind a `=`. The line of one that
 * is missing is empty. None of them can have a line break.
 */
export function head({ method, url, headers }) {
  const lines = [method, url];
  for (const name of READ) {
    const value = headers.get(name);
    lines.push(value === null ? "" : `=${value}`);
  }
  return lines.join("\n");
}

/** Makes calls to an object in one. Gives a promise of a list with a text for each, or `{failed: words}`. */
export async function askAll(object, calls) {
  const list = await object.askAll(calls);
  const answers = [...list];
  // The runtime keeps the called object's side of a call until what it has given is disposed of.
  list[Symbol.dispose]?.();
  return answers;
}

/** A response. `headers` has a name and a value by turns, one a line. `body` is memory of the WebAssembly, so it is copied. */
export function respond(status, headers, body) {
  const lines = headers.split("\n");
  const pairs = [];
  for (let at = 0; at + 1 < lines.length; at += 2) pairs.push([lines[at], lines[at + 1]]);
  return new Response(body.length > 0 ? body.slice() : null, { status, headers: pairs });
}

/** How many bytes a D1 has. It refuses the pragmas that would say so, and tells it with each answer. */
export async function d1Size(db) {
  const { meta } = await db.prepare("SELECT 1").run();
  return meta.size_after;
}

/** Runs a statement on an object's SQLite. Gives its rows as lists of values, and nothing if there are none. */
export function exec(sql, query, params) {
  const rows = sql
    .exec(query, ...params)
    .raw()
    .toArray();
  return rows.length > 0 ? rows : undefined;
}
