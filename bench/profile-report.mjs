import { number } from "./aims.mjs";

const shown = { functions: 30, users: 20 };

/** Where the time of a profile goes: by kinds of work, by functions, and by the functions of Peyk that use it. */
export function profileReport({ nodes, samples, timeDeltas }, { requestsPerSecond, accepted }) {
  const frames = framesOf(nodes);
  const [groups, functions, users] = [new Map(), new Map(), new Map()];
  let all = 0;
  for (const [at, id] of samples.entries()) {
    const { group, name, user } = frames.get(id);
    const us = Math.max(0, timeDeltas[at]);
    all += us;
    add(groups, group, us);
    add(functions, name, us);
    add(users, user, us);
  }
  const rows = (sums, most) =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([name, us]) => [name, `${number((us / all) * 100, 1)} %`, number(us / accepted, 1)]);
  const head = (what) => [what, "share", "µs a request"];
  return {
    tables: [
      { head: head("where the time goes"), rows: rows(groups) },
      { head: head("the functions by their own time"), rows: rows(functions, shown.functions) },
      { head: head("what Peyk's functions use by themselves and in what they call"), rows: rows(users, shown.users) },
      { head: ["while the profiler looked on", ""], rows: [["requests/s", number(requestsPerSecond)]] },
    ],
  };
}

function add(sums, name, us) {
  sums.set(name, (sums.get(name) ?? 0) + us);
}

/** The group, the name and the user of each node, by its id. A node stands behind its caller. What has no name is told by it. */
function framesOf(nodes) {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node.id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const userOf = (id) => {
    for (let at = id; at !== undefined; at = callers.get(at)) {
      const name = plainName(byId.get(at).callFrame);
      if (isUser(name)) return `\`${name}\``;
    }
    return "nothing of Peyk's, or its platform";
  };
  return new Map(
    nodes.map(({ id, callFrame }) => {
      const caller = byId.get(callers.get(id))?.callFrame;
      const isNameless = callFrame.functionName === "" && caller;
      const name = isNameless ? `${nameOf(callFrame)} in ${nameOf(caller)}` : nameOf(callFrame);
      return [id, { group: groupOf(callFrame), name, user: userOf(id) }];
    }),
  );
}

/** The nearest of these is told as the user. What only carries calls for others is none. */
function isUser(name) {
  return name.includes("peyk::") && !/peyk::(platform|ports)/.test(name);
}

function groupOf({ functionName, url }) {
  if (functionName === "(idle)") return "idle";
  if (functionName === "(garbage collector)") return "garbage collector";
  if (functionName === "(program)") return "runtime, outside of JavaScript";
  if (/^(wasm-to-js|js-to-wasm)/.test(functionName)) return "crossings between WebAssembly and JavaScript";
  if (url.startsWith("wasm:")) return "WebAssembly";
  // What stands in no file of ours is the runtime's, be it native or JavaScript.
  if (url === "" || /^[a-z]+-internal:/.test(url)) return "runtime, called by JavaScript";
  return url.endsWith("/index.js") ? "JavaScript that the build makes" : "Peyk's own JavaScript";
}

function nameOf({ functionName, url, lineNumber }) {
  const place = url === "" || url.startsWith("wasm:") ? "" : ` ${url.split("/").at(-1)}:${lineNumber + 1}`;
  return `\`${plainName({ functionName })}\`${place}`;
}

/** Without the hash that the compiler appends. */
function plainName({ functionName }) {
  const name = (functionName || "(no name)").replace(/::h[0-9a-f]{16}$/, "");
  return name.slice(0, 100).replaceAll("|", "\\|");
}
