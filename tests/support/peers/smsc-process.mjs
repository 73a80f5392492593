// An SMSC in a process of its own, so that its death is a real one and its work takes no time from the test. It ends with
// the process that started it.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRecord } from "./record.mjs";
import { startSmsc } from "./smsc.mjs";

const isChild = process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url);

/**
 * Starts an SMSC as a process. It has the methods of an SMSC (see smsc.mjs), as promises. `kill()` is SIGKILL, and
 * `restart()` starts it again on the same port with the same record. `record()` reads what it has noted, also after its
 * death. `exited()` resolves when the process of now has ended.
 */
export async function startSmscProcess(options = {}) {
  const dir = mkdtempSync(join(tmpdir(), "peyk-smsc-"));
  const file = join(dir, "record.jsonl");
  let child = await Child.start({ ...options, record: file });
  const port = child.port;
  const handle = {
    port,
    /** The process of now. */
    pid: () => child.process.pid,
    record: () => readRecord(file),
    exited: () => child.exited,
    async kill() {
      child.process.kill("SIGKILL");
      await child.exited;
    },
    async restart(changes = {}) {
      child = await Child.start({ ...options, ...changes, port, record: file });
    },
    async stop() {
      child.process.kill("SIGKILL");
      await child.exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
  for (const name of methods) handle[name] = (...args) => child.call(name, args);
  return handle;
}

const methods = [
  ...["set", "submits", "counts", "reported", "messages", "stats"],
  ...["release", "receipt", "reportAll", "inbound", "deliver", "raw", "enquire", "unbind", "closeBusiest", "close"],
];

class Child {
  #calls = new Map();
  #next = 1;

  static async start(options) {
    const child = new Child();
    child.process = fork(fileURLToPath(import.meta.url), [], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.exited = new Promise((resolve) => child.process.once("exit", resolve));
    child.exited.then(() => child.#fail("the SMSC's process has ended"));
    child.process.on("message", (answer) => child.#answered(answer));
    child.port = await child.call("start", [options]);
    return child;
  }

  call(name, args) {
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.process.send({ id, name, args }, (error) => error && this.#fail(error.message));
    });
  }

  #answered({ id, value, error }) {
    const { resolve, reject } = this.#calls.get(id) ?? {};
    this.#calls.delete(id);
    if (error === undefined) resolve?.(value);
    else reject?.(new Error(error));
  }

  #fail(reason) {
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
  }
}

function serveParent() {
  let smsc;
  const run = async (name, args) => {
    if (name !== "start") return smsc[name](...args);
    smsc = await startSmsc(...args);
    return smsc.port;
  };
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ id, name, args }) => {
    try {
      process.send({ id, value: await run(name, args) });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  });
}

if (isChild) serveParent();
