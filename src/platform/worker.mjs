// The entry module of the worker. The runtime allows method calls only on classes that extend its own DurableObject.
// The classes that the build makes from Rust structs do not extend it, so the classes here wrap them. A method call
// costs half as much as a request with a response.
import { DurableObject, env, WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import { Apart } from "./apart.mjs";
import { Bodies } from "./bodies.mjs";
import { Calls } from "./calls.mjs";
import { askAll, d1Size, exec, head, respond, statement } from "./crossings.mjs";
import * as rust from "./index.js";
import { later } from "./later.mjs";
import { enter, lasting, wait } from "./restart.mjs";
import { utcOffset } from "./zones.mjs";

// Rust makes calls that travel together by this, see `runtime.rs`.
const calls = new Calls((name, list) => askAll(env.ACCOUNT.getByName(name), list), waitUntil);
globalThis.peykAskAccount = (name, call) => calls.ask(name, call);
// Rust asks this for room before it reads a large body, see `runtime.rs`.
const bodies = new Bodies();
globalThis.peykAdmitBody = (bytes) => bodies.admit(bytes);
globalThis.peykReleaseBody = (ticket) => bodies.release(ticket);
// Rust counts the bad keys of an address by this, see `runtime.rs`: `false` when there are too many.
globalThis.peykCountFailure = async (key) => (await env.STRANGERS?.limit({ key }))?.success ?? true;
// Rust writes the lines of some requests by this, see `runtime.rs`. The object is for nothing else, and has no storage.
const apart = new Apart((lines) => env.ACCOUNT.getByName("log").log(lines), waitUntil);
globalThis.peykLogApart = (line) => apart.write(line);
// Rust asks for this after a request, see `entry.rs`: a while later it tells what the isolate has counted, all at once.
globalThis.peykTellLater = (ms) =>
  later(
    ms,
    () => enter(() => rust.tell(env)),
    waitUntil,
    (line) => apart.write(line),
  );
// And these in place of several crossings, see `runtime.rs` and `sql.rs`.
Object.assign(globalThis, {
  peykAskAll: askAll,
  peykAwait: wait,
  peykD1Size: d1Size,
  peykExec: exec,
  peykHead: head,
  peykRespond: respond,
  peykStatement: statement,
  peykUtcOffset: utcOffset,
});

// Rust ends an object's session by this, see `sql.rs`. It happens a moment later: it ends all code of the object at once, and Rust
// that is in the middle of something would never come to the end of it, also for other objects in the same memory.
globalThis.peykEndSession = (state) => queueMicrotask(() => state.abort("the object goes back in time"));

/**
 * Marks what a call throws as a failure of our code, as `src/platform/js_error.rs` reads it. A failure that Rust throws is marked
 * already; a panic is not. What the runtime throws by itself never comes here.
 */
const marked = (error) =>
  String(error?.message).startsWith("peyk.") ? error : new Error(`peyk.failed: ${error?.message ?? "a thrown value"}`);

const callable = (Built) =>
  class extends DurableObject {
    #object;

    constructor(state, env) {
      super(state, env);
      this.#object = lasting(Built, state, env);
    }

    ask(call) {
      return this.#answer(() => this.#object.ask(call));
    }

    askAll(calls) {
      return this.#answer(() => this.#object.askAll(calls));
    }

    /** Writes lines of other requests: those of a call have no address beside them. */
    log(lines) {
      for (const line of lines) console.log(line);
    }

    #answer(ask) {
      try {
        const answer = enter(ask);
        return answer instanceof Promise
          ? answer.catch((error) => {
              throw marked(error);
            })
          : answer;
      } catch (error) {
        throw marked(error);
      }
    }

    alarm() {
      return enter(() => this.#object.alarm());
    }
  };

export const Account = callable(rust.Account);
export const Carrier = callable(rust.Carrier);
export const Webhook = callable(rust.Webhook);

export default class extends WorkerEntrypoint {
  fetch(request) {
    const { promise: answer, resolve } = Promise.withResolvers();
    enter(() => rust.fetch(request, this.env, resolve));
    // A client that hangs up would end its request at any await: others would wait for what it was to do for them, and the
    // memory of what Rust had begun would never be free again. So the request goes on to its end.
    this.ctx.waitUntil(answer);
    return answer;
  }

  scheduled(controller) {
    return enter(() => rust.scheduled(controller, this.env, this.ctx));
  }
}
