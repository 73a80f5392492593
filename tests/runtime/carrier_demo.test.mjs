// `npm run carrier-demo` beside a running service, as a newcomer sees it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { root } from "../../scripts/lib/base/paths.mjs";
import { api, sharedServer, until } from "../support/server.mjs";

const server = sharedServer();
const started = [];
after(() => {
  for (const program of started) program.kill();
});

/** Starts a command in a group of its own, as a terminal does. */
function start(command, args, stateDir) {
  const env = { ...process.env, STATE_DIR: stateDir };
  const child = spawn(command, args, { cwd: root, env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const ended = once(child, "close").then(([code]) => code);
  const signal = (name) => child.exitCode === null && child.signalCode === null && process.kill(-child.pid, name);
  const program = {
    ended,
    output: () => output,
    /** Waits for a line. Fails at once when the program has ended without it. */
    async says(pattern) {
      let hasEnded = false;
      ended.then(() => {
        hasEnded = true;
      });
      const found = await until(() => pattern.exec(output) ?? (hasEnded ? "nothing more" : null), {
        what: `${pattern} in ${output}`,
      });
      assert.notEqual(found, "nothing more", `the program has ended without ${pattern}:\n${output}`);
      return found;
    },
    type: (line) => child.stdin.write(`${line}\n`),
    interrupt: () => signal("SIGINT"),
    kill: () => signal("SIGKILL"),
  };
  started.push(program);
  return program;
}

const carrierDemo = (stateDir) => start("npm", ["run", "carrier-demo"], stateDir);

/** Runs the `curl` command that the demo has printed, and returns the message's uid. */
async function sendAsPrinted(demo) {
  const [command] = await demo.says(/^curl .*$/m);
  const curl = start("sh", ["-c", command], server.stateDir);
  assert.equal(await curl.ended, 0, curl.output());
  const { data } = JSON.parse(curl.output());
  assert.match(data.uid, /^[0-9a-f-]{36}$/, curl.output());
  return data.uid;
}

async function isDelivered(uid) {
  const { json } = await api(server, "GET", `/messages/${uid}`, { key: server.apiKey });
  return json.data.counts.DELIVERED === 1;
}

test("a newcomer's message arrives as a Persian submit_sm and is delivered, and a reply comes back", async () => {
  const demo = carrierDemo(server.stateDir);
  const [, port] = await demo.says(
    /^A local SMSC listens on 127\.0\.0\.1:(\d+)\. The carrier "smpp-demo" binds to it/m,
  );
  assert.ok(Number(port) > 0);
  await demo.says(/^[\d:.]{12} {2}bind_transceiver from "peyk"$/m);
  const uid = await sendAsPrinted(demo);
  const [, id] = await demo.says(
    /^[\d:.]{12} {2}submit_sm (\S+): 10002 → 989121234567, data_coding 8: سلام از پیک، از راه SMPP$/m,
  );
  await demo.says(
    new RegExp(`^[\\d:.]{12}  deliver_sm from 989121234567 was acknowledged: the receipt for ${id}, delivered$`, "m"),
  );
  await until(() => isDelivered(uid), { what: "the end of the message" });

  demo.type("بله، رسید");
  await demo.says(/^[\d:.]{12} {2}deliver_sm from 989121234567 was acknowledged: a message from a phone$/m);
  const { json } = await api(server, "GET", "/inbound?line=10002", { key: server.apiKey });
  assert.deepEqual(
    json.data.map(({ from, text }) => [from, text]),
    [["+989121234567", "بله، رسید"]],
  );

  // As from a terminal and from npm.
  demo.interrupt();
  demo.interrupt();
  await demo.ended;
  assert.match(demo.output(), /^peyk: stopping …$/m);
  assert.equal(demo.output().match(/submit_sm/g).length, 1, demo.output());
});

/** Makes a carrier as the demo's text says, and a line that sends by it. */
async function bindAsPrinted(demo) {
  const [, port] = await demo.says(/listens on 127\.0\.0\.1:(\d+)/);
  const [, systemId, password] = await demo.says(/with the system_id "(\S+)", the password "(\S+)" and no TLS/);
  const smpp = { host: "127.0.0.1", port: Number(port), tls: false, systemId, password };
  for (const [path, body] of [
    ["/carriers", { name: "second", kind: "smpp", smpp }],
    ["/lines", { number: "10003", carrier: "second", operations: ["WEBSERVICE"], accounts: [server.accountId] }],
  ]) {
    const made = await api(server, "POST", `/admin${path}`, { key: server.adminKey, body });
    assert.equal(made.status, 201, made.text);
  }
}

test("the demo starts again on another port, and takes messages again, also of another carrier that binds to it", async () => {
  const demo = carrierDemo(server.stateDir);
  await demo.says(/^[\d:.]{12} {2}bind_transceiver from "peyk"$/m);
  const uid = await sendAsPrinted(demo);
  await demo.says(/submit_sm \S+: 10002 → 989121234567, data_coding 8: سلام از پیک، از راه SMPP$/m);
  await until(() => isDelivered(uid), { what: "the end of the message" });

  await bindAsPrinted(demo);
  const body = { message: "by the other carrier", recipients: ["09121234568"], sourceNumber: "10003" };
  const sent = await api(server, "POST", "/sms/send", { key: server.apiKey, body });
  assert.equal(sent.status, 201, sent.text);
  await until(() => isDelivered(sent.json.data.uid), { what: "the receipt of the other carrier's message" });
  demo.interrupt();
  await demo.ended;
});

test("without a service the demo says how to start one", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "peyk-test-"));
  try {
    const demo = carrierDemo(stateDir);
    assert.notEqual(await demo.ended, 0);
    assert.match(demo.output(), /^peyk: Peyk does not run\. Start it with `npm start` in another terminal/m);
  } finally {
    rmSync(stateDir, { recursive: true });
  }
});
