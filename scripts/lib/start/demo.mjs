// The demo's data of a state directory, and the file that has its keys.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, say } from "../base/command.mjs";
import { writeSecret } from "../base/keys.mjs";
import { makeDemo, makeTestKey } from "../serve/demo.mjs";
import { operatorKey } from "./state.mjs";

const demoFile = (stateDir) => join(stateDir, "demo.json");

/** Returns the demo data of a state directory. Makes it once; later calls only update the address. */
export async function ensureDemo(stateDir, baseUrl) {
  const file = demoFile(stateDir);
  const made = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : await create(stateDir, baseUrl);
  // Demo data of earlier versions has none.
  const testKey = made.testKey ?? (await makeTestKey(made, baseUrl));
  const demo = { ...made, testKey, baseUrl };
  writeSecret(file, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

async function create(stateDir, baseUrl) {
  say("creating demo data …");
  return makeDemo(baseUrl, await operatorKey(stateDir));
}

/** The demo data of a state directory, if the demo serves at this address. Otherwise fails with what to do. */
export function demoAt(stateDir, baseUrl) {
  const file = demoFile(stateDir);
  const demo = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (demo?.baseUrl === baseUrl) return demo;
  const { port } = new URL(demo?.baseUrl ?? baseUrl);
  const found = demo ? `the demo serves on ${demo.baseUrl} (set PORT=${port})` : "no demo data";
  throw new Failure(`there is no --key, and ${found}: name a key, or start Peyk with \`npm start\``);
}
