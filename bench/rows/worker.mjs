// Peyk with a meter: it counts what Cloudflare bills. Statements, alarms and calls are counted where they cross from Peyk into
// the runtime, so nothing in Peyk knows of it. `GET /meter` gives what was counted since it was asked last.
import worker, * as built from "../../build/worker.mjs";

/** The cursors of the statements that have run: they know what was read and written when they are at their ends. */
let cursors = [];
let counts = {};
const classes = new WeakMap();
const sizes = new Map();

const count = (what, by = 1) => {
  counts[what] = (counts[what] ?? 0) + by;
};

/** Puts `around` in place of a method of all objects of this kind, once. */
function wrap(object, method, around) {
  const prototype = Object.getPrototypeOf(object);
  const own = prototype[method];
  if (own.isMetered) return;
  prototype[method] = function (...args) {
    return around(this, () => own.apply(this, args), args);
  };
  prototype[method].isMetered = true;
}

const metered = (name, Class) =>
  class extends Class {
    constructor(state, env) {
      const { sql } = state.storage;
      classes.set(sql, name);
      classes.set(state.storage, name);
      wrap(sql, "exec", (self, exec, [query]) => {
        const cursor = exec();
        cursors.push({ of: classes.get(self) ?? "?", query, cursor });
        return cursor;
      });
      wrap(state.storage, "setAlarm", (self, set) => {
        count(`${classes.get(self) ?? "?"}: setAlarm`);
        return set();
      });
      sizes.set(`${name} ${state.id}`, sql);
      meterBindings(env);
      super(state, env);
    }

    ask(call) {
      count(`${name}: call`);
      count(`${name}: call ${JSON.parse(call).request}`);
      return super.ask(call);
    }

    alarm() {
      count(`${name}: alarm`);
      return super.alarm();
    }
  };

function meterBindings(env) {
  wrap(env.KEYS, "get", (_, get) => {
    count("kv: read");
    return get();
  });
  wrap(env.DB, "batch", async (_, batch) => {
    count("d1: batch");
    const results = await batch();
    for (const { meta } of results) {
      count("d1: statement");
      count("d1: rows read", meta.rows_read);
      count("d1: rows written", meta.rows_written);
    }
    return results;
  });
}

export const Account = metered("account", built.Account);
export const Carrier = metered("carrier", built.Carrier);
export const Webhook = metered("webhook", built.Webhook);

export default class extends worker {
  constructor(ctx, env) {
    meterBindings(env);
    super(ctx, env);
  }

  fetch(request) {
    if (new URL(request.url).pathname === "/meter") return Response.json(taken());
    count("worker: request");
    return super.fetch(request);
  }
}

/** The counts since the last time, and the statements by what they read and wrote. */
function taken() {
  const statements = {};
  for (const { of, query, cursor } of cursors) {
    const { rowsRead, rowsWritten } = cursor;
    count(`${of}: rows read`, rowsRead);
    count(`${of}: rows written`, rowsWritten);
    const name = `${of}: ${query.replace(/\s+/g, " ").slice(0, 60)}`;
    statements[name] ??= { times: 0, rowsRead: 0, rowsWritten: 0 };
    statements[name].times += 1;
    statements[name].rowsRead += rowsRead;
    statements[name].rowsWritten += rowsWritten;
  }
  const bytes = Object.fromEntries([...sizes].map(([name, sql]) => [name, sql.databaseSize]));
  const answer = { counts, statements, bytes };
  cursors = [];
  counts = {};
  return answer;
}
