// What would take several crossings between WebAssembly and JavaScript, each in one.

/** The headers that Peyk reads, in the order in which `runtime.rs` expects them. */
const READ = [
  "authorization",
  "content-type",
  "accept-language",
  "idempotency-key",
  "x-request-id",
  "accept",
  "cf-connecting-ip",
  "content-length",
];
/** Those that it reads behind them if there is no `Authorization`: who uses the console, and the keys of other protocols. */
const OF_OTHERS = [
  "cookie",
  "x-peyk-console",
  "sec-fetch-site",
  "origin",
  "x-api-key",
  "apikey",
  "x-sms-ir-secure-token",
];

/**
 * The head of a request: its method, its address, and the headers, one a line. A header stands behind a `=`. The line of one that
 * is missing is empty. None of them can have a line break.
 */
export function head({ method, url, headers }) {
  const lines = [method, url];
  const read = (name) => {
    const value = headers.get(name);
    lines.push(value === null ? "" : `=${value}`);
  };
  READ.forEach(read);
  if (lines[2] === "") OF_OTHERS.forEach(read);
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

/**
 * A response. `lines` has the name and the value of each header by turns, one a line. No name comes twice: the runtime takes an object
 * in a third of the time that it takes for pairs.
 */
export function respond(status, lines, body) {
  const parts = lines.split("\n");
  // Several cookies are several headers of one name.
  const headers = [];
  for (let at = 0; at + 1 < parts.length; at += 2) headers.push([parts[at], parts[at + 1]]);
  return new Response(body === "" ? null : body, { status, headers });
}

/** How many bytes a D1 has. It refuses the pragmas that would say so, and tells it with each answer. */
export async function d1Size(db) {
  const { meta } = await db.prepare("SELECT 1").run();
  return meta.size_after;
}

/** What Rust has named of statements, by their numbers: `{text, hasRows}`. */
const statements = [];

/** Gives the text of a statement a number. Whether it has rows at all, its first run tells. */
export function statement(number, text) {
  statements[number] = { text, hasRows: undefined };
}

/** Runs a statement on an object's SQLite. Parameters and rows are those of `src/platform/crossing.rs`. Without rows, gives nothing. */
export function exec(sql, number, params) {
  const known = statements[number];
  const cursor = params === "" ? sql.exec(known.text) : sql.exec(known.text, ...readParams(params));
  known.hasRows ??= cursor.columnNames.length > 0;
  return known.hasRows ? writeRows(cursor.raw()) : undefined;
}

const QUOTE = '"'.charCodeAt(0);

function readParams(text) {
  const params = [];
  const end = text.indexOf("\n");
  let textAt = end + 1;
  for (let at = 0; at < end; ) {
    const comma = text.indexOf(",", at);
    if (comma === at) {
      params.push(null);
    } else if (text.charCodeAt(at) === QUOTE) {
      const textEnd = textAt + Number(text.slice(at + 1, comma));
      params.push(text.slice(textAt, textEnd));
      textAt = textEnd;
    } else {
      params.push(Number(text.slice(at, comma)));
    }
    at = comma + 1;
  }
  return params;
}

function writeRows(rows) {
  let [head, texts] = ["", ""];
  for (let next = rows.next(); !next.done; next = rows.next()) {
    const row = next.value;
    if (head === "") head = `${row.length},`;
    for (const value of row) {
      if (typeof value === "string") {
        head += `"${value.length},`;
        texts += value;
      } else {
        head += value === null ? "," : `${value},`;
      }
    }
  }
  return head === "" ? undefined : `${head}\n${texts}`;
}
