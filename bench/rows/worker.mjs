// Peyk with a meter: it counts what Cloudflare bills. Statements, alarms and calls are counted where they cross from Peyk into
// the runtime, so nothing in Peyk knows of it. `GET /meter` gives what was counted since it was asked last.
import worker, * as built from "../../build/worker.mjs";

let counts = {};
/** By the storage of an object and by its SQL: the class, and the cursors, which know at their ends what they have done. */
const objects = new WeakMap();
/** The ids of the objects of each binding. Only an object itself may look at its cursors. */
const ids = new Map();

const count = (what, by = 1) => {
  if (by > 0) counts[what] = (counts[what] ?? 0) + by;
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

const metered = (name, binding, Class) =>
  class extends Class {
    #metered = { name, cursors: [] };
    #sql;

    constructor(state, env) {
      const { sql } = state.storage;
      wrap(sql, "exec", (self, exec, [query]) => {
        const cursor = exec();
        objects.get(self)?.cursors.push({ query, cursor });
        return cursor;
      });
      wrap(state.storage, "setAlarm", (self, set) => {
        count(`${objects.get(self)?.name ?? "?"}: setAlarm`);
        return set();
      });
      meterBindings(env);
      super(state, env);
      this.#sql = sql;
      objects.set(sql, this.#metered);
      objects.set(state.storage, this.#metered);
      ids.set(String(state.id), binding);
    }

    /** The statements since the last time, by what they read and wrote, and the size of the storage. */
    meter() {
      const statements = {};
      for (const { query, cursor } of this.#metered.cursors) {
        const key = `${name}: ${query.replace(/\s+/g, " ").slice(0, 60)}`;
        statements[key] ??= { times: 0, rowsRead: 0, rowsWritten: 0 };
        statements[key].times += 1;
        statements[key].rowsRead += cursor.rowsRead;
        statements[key].rowsWritten += cursor.rowsWritten;
      }
      this.#metered.cursors = [];
      return { name, statements, bytes: this.#sql.databaseSize };
    }

    ask(call) {
      count(`${name}: call`);
      count(`${name}: call ${JSON.parse(call).request}`);
      return super.ask(call);
    }

    /** Calls that travel together are one to the runtime. */
    askAll(calls) {
      count(`${name}: call`);
      count(`${name}: call of several`);
      for (const call of calls) count(`${name}: call ${JSON.parse(call).request}`);
      return super.askAll(calls);
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

export const Account = metered("account", "ACCOUNT", built.Account);
export const Carrier = metered("carrier", "CARRIER", built.Carrier);
export const Webhook = metered("webhook", "WEBHOOK", built.Webhook);

export default class extends worker {
  constructor(ctx, env) {
    meterBindings(env);
    super(ctx, env);
  }

  fetch(request) {
    if (new URL(request.url).pathname === "/meter") return taken(this.env);
    count("worker: request");
    return super.fetch(request);
  }
}

/** The counts since the last time. */
async function taken(env) {
  const all = {};
  const bytes = {};
  for (const [id, binding] of ids) {
    const own = await env[binding].get(env[binding].idFromString(id)).meter();
    bytes[`${own.name} ${id}`] = own.bytes;
    Object.assign(all, merged(all, own.statements));
    for (const { rowsRead, rowsWritten } of Object.values(own.statements)) {
      count(`${own.name}: rows read`, rowsRead);
      count(`${own.name}: rows written`, rowsWritten);
    }
  }
  const answer = { counts, statements: all, bytes };
  counts = {};
  return Response.json(answer);
}

/** The statements of one object, added to those of the others. */
function merged(all, own) {
  const sum = (key, member) => (all[key]?.[member] ?? 0) + own[key][member];
  return Object.fromEntries(
    Object.keys(own).map((key) => [
      key,
      {
        times: sum(key, "times"),
        rowsRead: sum(key, "rowsRead"),
        rowsWritten: sum(key, "rowsWritten"),
      },
    ]),
  );
}
