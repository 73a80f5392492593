import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "./client.mjs";
import { Failure } from "./fail.mjs";

export const carrierName = "smpp-demo";

/** Reads the demo's keys, and fails with instructions unless the service runs. */
export async function readDemo(stateDir) {
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
export async function connectCarrier({ baseUrl, adminKey, accountId }, smpp, number) {
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
const change = (admin, path, { name, kind, number, ...changes }) => admin("PATCH", path, changes);
