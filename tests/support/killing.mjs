// `npm run serve` that is killed at any moment, as a whole or one of its runtimes. After each kill, none of its processes is left.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { until } from "./server.mjs";
import { childrenOf, demoIn, keyIn, startServing } from "./serving.mjs";

/** The variable by which the processes of a service are known, whoever their parent is. The gate has none, but the command's output. */
const markVariable = "PEYK_TEST_MARK";
/** How long the processes may take to end, ms. Only one that never ends takes so long. */
const END_WITHIN_MS = 60_000;

/** What can be killed, and the number of its process. */
const pids = {
  command: ({ child }) => child.pid,
  runtime: ({ child }) => only(childrenOf(child.pid, "--external-addr=loopback")),
  gate: ({ child }) => only(childrenOf(child.pid, "gate.capnp")),
};
export const targets = Object.keys(pids);

function only(found) {
  assert.equal(found.length, 1);
  return found[0];
}

/**
 * A service on the folder of a place, with more variables of its environment. When it has been started, it has `baseUrl` and
 * `adminKey`, and with the demo's data what `demoIn` returns.
 */
export class KillableServer {
  #place;
  #env;
  #mark = `${markVariable}=${randomUUID()}`;
  /** The pipe that the command writes to. */
  #pipe;
  #running;

  constructor(place, env = {}) {
    this.#place = place;
    const [name, value] = this.#mark.split("=");
    this.#env = { ...env, [name]: value };
  }

  /** What the command has said since its last start. */
  output() {
    return this.#running.output();
  }

  /** Starts it, and asserts that it serves. */
  async start(args = []) {
    assert.ok(await this.tryToStart(args), this.output());
    this.adminKey = keyIn(this.#place);
    if (args.includes("--demo")) Object.assign(this, demoIn(this.output()));
  }

  /** Starts it, and returns whether it serves. */
  async tryToStart(args = []) {
    this.#running = await this.#begin(args);
    this.baseUrl = this.#running.baseUrl;
    return this.baseUrl !== undefined;
  }

  #begin(args, began = () => {}) {
    const note = (child) => {
      this.#pipe = outputOf(child.pid);
      began(child);
    };
    return startServing(this.#place, { args, env: this.#env, began: note });
  }

  /** Kills one of `targets`, and asserts that all end. */
  async kill(target) {
    // A check that finds nobody finds nobody left.
    const known = this.#processes().map(({ pid }) => pid);
    for (const [what, of] of Object.entries(pids)) assert.ok(known.includes(of(this.#running)), `${what} is known`);
    process.kill(pids[target](this.#running), "SIGKILL");
    await this.#assertNobodyLeft();
    const wanted = target === "command" ? { code: null, signal: "SIGKILL" } : { code: 1, signal: null };
    assert.deepEqual(await this.#running.exited, wanted, this.output());
  }

  /** Begins a start, kills the command when the promise of `moment()` resolves, or as it serves, and returns whether it served. */
  async killInStart(moment) {
    let child;
    const starting = this.#begin([], (one) => (child = one));
    await Promise.race([moment(), starting]);
    child.kill("SIGKILL");
    await this.#assertNobodyLeft();
    this.#running = await starting;
    return this.#running.baseUrl !== undefined;
  }

  async #assertNobodyLeft() {
    const deadline = Date.now() + END_WITHIN_MS;
    const isOver = () => this.#processes().length === 0 || Date.now() > deadline;
    await until(isOver, { interval: 20, what: "the end of all processes" });
    const left = this.#processes().map(({ pid, command }) => `${pid} ${command}`);
    assert.deepEqual(left, [], "processes are left behind");
  }

  /** Kills what is left of it. */
  async end() {
    for (const { pid } of this.#processes()) process.kill(pid, "SIGKILL");
    await this.#running?.exited;
  }

  /** The processes that have the mark, or write to the command's pipe. Only Linux shows them. */
  #processes() {
    return readdirSync("/proc").flatMap((pid) => {
      try {
        const isOwn =
          /^\d+$/.test(pid) && (textsIn(pid, "environ").includes(this.#mark) || outputOf(pid) === this.#pipe);
        return isOwn ? [{ pid: Number(pid), command: textsIn(pid, "cmdline").join(" ").slice(0, 200) }] : [];
      } catch {
        // It is gone, or belongs to somebody else.
        return [];
      }
    });
  }
}

const outputOf = (pid) => readlinkSync(`/proc/${pid}/fd/1`);
const textsIn = (pid, file) => readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
