// Debian's Kannel (bearerbox and smsbox) on free loopback ports, with a configuration of its own in a temporary directory.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { finished } from "../../../scripts/lib/base/command.mjs";
import { kannelPrograms } from "../../../scripts/lib/test/install.mjs";
import { until } from "../server.mjs";
import { freePorts } from "./ports.mjs";

const leash = fileURLToPath(new URL("../../../scripts/lib/start/leash.mjs", import.meta.url));
const attempts = 5;

/**
 * Starts a Kannel whose SMPP client is bound to the SMSC on `smsc.port`. `smsc` may change any directive of that group of
 * the configuration. Kannel asks `inboundUrl` for each inbound message, if it is set; Kannel's escape codes (`%p`, `%a`)
 * may stand in it. `store` is a `store-type` of Kannel, "file" or "spool": then what it has accepted and what it waits for
 * is on the disk. Messages of the log that are less than `verbosity` are left out: 1 is "info", 2 is "warning".
 */
export async function startKannel(options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const kannel = new Kannel(await freePorts(3), options);
    try {
      await kannel.start();
      return kannel;
    } catch (error) {
      const log = kannel.log();
      await kannel.stop();
      // A port may have been taken since it was found free.
      if (attempt === attempts) throw new Error(`${error.message}\n${log}`, { cause: error });
    }
  }
}

class Kannel {
  username = "tester";
  password = "kannel-secret";
  #dir = mkdtempSync(join(tmpdir(), "peyk-kannel-"));
  #ports;
  #boxes = [];
  #ended = false;
  #verbosity;

  constructor([admin, box, sendsms], { smsc = {}, inboundUrl, store, verbosity = 1 }) {
    this.#ports = { admin, box, sendsms };
    this.#verbosity = verbosity;
    writeFileSync(this.#path("kannel.conf"), this.#configuration(smsc, inboundUrl, store && this.#stores(store)));
    writeFileSync(this.#path("log"), "");
  }

  /** The address of smsbox's `sendsms`. */
  get url() {
    return `http://127.0.0.1:${this.#ports.sendsms}/cgi-bin/sendsms`;
  }

  /** The ids of the leashes, whose only children are the processes of Kannel. */
  get leashes() {
    return this.#boxes.map(({ child }) => child.pid);
  }

  log() {
    return readFileSync(this.#path("log"), "utf8");
  }

  async start() {
    this.#spawn(kannelPrograms.bearerbox);
    await this.#reaches("bearerbox", async () => (await this.status()) !== null);
    this.#spawn(kannelPrograms.smsbox);
    await this.#reaches("smsbox", async () => /<box>/.test(await this.status()) && (await answers(this.url)));
    await this.#reaches("the SMPP link", () => this.isOnline());
  }

  /** Asks the `sendsms` interface as a client does. Returns the status and the text of the answer. */
  async send(parameters) {
    const { username, password } = this;
    const response = await fetch(`${this.url}?${new URLSearchParams({ username, password, ...parameters })}`);
    return { status: response.status, text: await response.text() };
  }

  /** The document of Kannel's own state, or `null` while it does not answer. */
  async status() {
    try {
      return await (await fetch(`http://127.0.0.1:${this.#ports.admin}/status.xml?password=${this.password}`)).text();
    } catch {
      return null;
    }
  }

  /** Is the SMPP link bound? */
  async isOnline() {
    return /<status>online/.test(/<smscs>.*<\/smscs>/s.exec(await this.status())?.[0]);
  }

  /** SIGKILL to all its processes. */
  async kill() {
    this.#ended = true;
    for (const { child } of this.#boxes) signalGroup(child);
    await Promise.all(this.#boxes.map(({ exited }) => exited));
  }

  async stop() {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 10 });
  }

  #path(name) {
    return join(this.#dir, name);
  }

  /** The leash ends the box when this process ends, however that comes. */
  #spawn(program) {
    const output = openSync(this.#path("log"), "a");
    const args = [leash, program, "-v", String(this.#verbosity), this.#path("kannel.conf")];
    const child = spawn(process.execPath, args, { cwd: this.#dir, detached: true, stdio: ["pipe", output, output] });
    closeSync(output);
    const exited = finished(child);
    exited.then(() => (this.#ended = true));
    this.#boxes.push({ child, exited });
  }

  #reaches(what, probe) {
    const check = () => {
      if (this.#ended) throw new Error("a process of Kannel ended; its log says why");
      return probe();
    };
    return until(check, { what: `${what} of Kannel` });
  }

  /** The directives of the group `core` for accepted messages, and for those that wait for a receipt. */
  #stores(type) {
    const [messages, receipts] = ["store", "receipts"].map((name) => this.#path(name));
    if (type === "spool") mkdirSync(messages);
    mkdirSync(receipts);
    return { "store-type": type, "store-location": messages, "dlr-storage": "spool", "dlr-spool": receipts };
  }

  #configuration(smsc, inboundUrl, stores) {
    const { admin, box, sendsms } = this.#ports;
    const loopback = "127.0.0.1";
    const groups = [
      {
        group: "core",
        "admin-port": admin,
        "admin-interface": loopback,
        "admin-password": this.password,
        "smsbox-port": box,
        "smsbox-interface": loopback,
        "dlr-storage": "internal",
        "sms-resend-freq": 1,
        ...stores,
      },
      {
        group: "smsc",
        smsc: "smpp",
        "smsc-id": "link",
        host: loopback,
        "transceiver-mode": true,
        "smsc-username": "peyk",
        "smsc-password": "secret",
        "system-type": "test",
        "max-pending-submits": 50,
        "reconnect-delay": 1,
        ...smsc,
      },
      {
        group: "smsbox",
        "bearerbox-host": loopback,
        "bearerbox-port": box,
        "sendsms-port": sendsms,
        "sendsms-interface": loopback,
      },
      {
        group: "sendsms-user",
        username: this.username,
        password: this.password,
        "max-messages": 10,
        concatenation: true,
      },
      {
        group: "sms-service",
        keyword: "default",
        "catch-all": true,
        "max-messages": 0,
        ...(inboundUrl ? { "get-url": `"${inboundUrl}"` } : { text: '"none"' }),
      },
    ];
    const lines = (group) => Object.entries(group).map(([name, value]) => `${name} = ${value}`);
    return groups.map((group) => `${lines(group).join("\n")}\n`).join("\n");
  }
}

async function answers(url) {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

function signalGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
