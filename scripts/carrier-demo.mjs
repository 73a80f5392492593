// `npm run carrier-demo` beside `npm start`: a local SMSC, to which Peyk binds by SMPP and sends what is sent from the
// demo's second line. It shows every `submit_sm`, reports each message as delivered, and sends what is typed as a reply
// from a phone.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { call } from "./lib/base/client.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { checkWords } from "./lib/base/options.mjs";
import { stateDir } from "./lib/base/paths.mjs";

const carrierName = "smpp-demo";
const line = "10002";
const systemId = "peyk";
const password = "demo";
const reportAfterMs = 1_000;

const help = `npm run carrier-demo

Starts a local SMSC beside \`npm start\`. Peyk binds to it by SMPP and sends through it what is sent from line ${line}. It shows every
submit_sm and reports each message as delivered. What you type is a reply from a phone. Ctrl-C ends it.

  --help             print this`;

await checkWords(process.argv.slice(2), { command: "carrier-demo", help });
await bootstrap();
await run(main);

async function main() {
  const demo = await readDemo(stateDir());
  // It imports an npm package, which `bootstrap` may just have installed.
  const { startSmsc } = await import("../tests/support/peers/smsc.mjs");
  const phone = { number: "989121234567" };
  const receipts = { state: "DELIVRD", where: "both", delayMs: reportAfterMs };
  const watch = (what, about) => show(what, about, phone);
  const smsc = await startSmsc({ systemId, password, receipts, receiptsToSender: true, watch });
  endWith(smsc);
  const settings = { host: "127.0.0.1", port: smsc.port, tls: false, systemId, password };
  await connectCarrier(demo, settings, line);
  introduce(demo, smsc.port);
  for await (const text of createInterface({ input: process.stdin })) reply(smsc, text, phone);
}

/**
 * Ends the session before the program, so that Peyk does not take it for a failure. A terminal and npm both pass Ctrl-C on, so
 * the signal comes twice: the second one must not end the program before the session has ended.
 */
function endWith(smsc) {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    say("stopping …");
    smsc.unbind();
    setTimeout(() => process.exit(0), 300);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
}

function introduce({ baseUrl, apiKey }, port) {
  const body = JSON.stringify({
    message: "سلام از پیک، از راه SMPP",
    recipients: ["09121234567"],
    sourceNumber: line,
  });
  console.log(`
A local SMSC listens on 127.0.0.1:${port}. The carrier "${carrierName}" binds to it, and line ${line} sends through it. Another carrier
may bind to it too, with the system_id "${systemId}", the password "${password}" and no TLS.

Send a message in another terminal:

curl -s ${baseUrl}/sms/send -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'

What you type here and end with Enter is sent to line ${line} as a reply from a phone. Read the replies:

curl -s ${baseUrl}/inbound -H 'Authorization: Bearer ${apiKey}'

Ctrl-C stops the SMSC.
`);
}

function show(what, about, phone) {
  const texts = {
    bind: () => `${about.command} from "${about.systemId}"`,
    gone: () => "the session has ended",
    submit: () => submitText(about),
    message: () => (about.parts > 1 ? `all ${about.parts} parts have arrived: ${about.text}` : null),
    acknowledged: () => `deliver_sm from ${about.source_addr} was acknowledged: ${deliveryText(about)}`,
    refused: () => `deliver_sm from ${about.source_addr} was refused, and is sent again`,
  };
  if (what === "submit") phone.number = about.to;
  const text = texts[what]();
  if (text) console.log(`${new Date().toISOString().slice(11, 23)}  ${text}`);
}

function submitText({ id, from, to, dataCoding, part, fault }) {
  const place = part && part.total > 1 ? `, part ${part.number} of ${part.total}` : "";
  const text = fault ? `can't be read: ${fault}` : part.text;
  return `submit_sm ${id}: ${from} → ${to}, data_coding ${dataCoding}${place}: ${text}`;
}

// A constant would not have its value yet: the program runs above this line until it ends.
function deliveryText({ receipted_message_id: id, message_state: state }) {
  return id === undefined ? "a message from a phone" : `the receipt for ${id}${state === 2 ? ", delivered" : ""}`;
}

function reply(smsc, text, phone) {
  if (text.trim()) smsc.inbound({ from: phone.number, to: line, text: text.trim() });
}

/** Reads the demo's keys, and fails with instructions unless the service runs. */
async function readDemo(stateDir) {
  const file = join(stateDir, "demo.json");
  const demo = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (!demo || !(await isHealthy(demo.baseUrl)))
    throw new Failure("Peyk does not run. Start it with `npm start` in another terminal, then run this again.");
  return demo;
}

async function isHealthy(baseUrl) {
  try {
    return (await call(baseUrl, "GET", "/health")).status === 200;
  } catch {
    return false;
  }
}

/**
 * Makes or changes the carrier, so that it binds to the SMSC of now, and ties a line of the demo to it. The line belongs to
 * the demo's account alone, so that the account gets what phones send to it.
 */
async function connectCarrier({ baseUrl, adminKey, accountId }, smpp, number) {
  const admin = (method, path, body) => call(baseUrl, method, `/admin${path}`, { key: adminKey, body });
  const carrier = { name: carrierName, kind: "smpp", active: true, paused: false, smpp };
  await createOrChange(admin, "/carriers", carrierName, carrier);
  const operations = ["WEBSERVICE", "PATTERN"];
  const line = { number, carrier: carrierName, operations, shared: false, accounts: [accountId] };
  await createOrChange(admin, "/lines", number, line);
}

async function createOrChange(admin, path, name, item) {
  const found = await admin("GET", `${path}/${name}`);
  const answer = found.status === 404 ? await admin("POST", path, item) : await change(admin, `${path}/${name}`, item);
  if (answer.status >= 300) throw new Failure(`${path}/${name} could not be made: ${answer.status} ${answer.text}`);
}

/** What identifies an item can't be changed. */
function change(admin, path, { name, kind, number, ...changes }) {
  return admin("PATCH", path, changes);
}
