import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "./client.mjs";
import { Failure, say } from "./fail.mjs";
import { writeSecret } from "./state.mjs";

/** Returns the key to send with. Refuses a key that is not known to be a test key, unless that is allowed. */
export async function findKey({ key, live, url }, stateDir) {
  if (key === undefined && live) throw new Failure("--live needs --key: the demo's key is a test key");
  if (key === undefined) return demoKey(stateDir, url);
  if (/[^\x21-\x7e]/.test(key) || key === "") throw new Failure("--key is not an API key");
  if (!live && !key.startsWith("peyk_test_"))
    throw new Failure(
      "the key is not a test key (peyk_test_…), so its messages would cost money and go to phones; --live allows it",
    );
  return key;
}

/** A test key of the demo's account. It is made once and kept beside the demo's data. */
async function demoKey(stateDir, url) {
  const demo = read(join(stateDir, "demo.json"));
  if (demo?.baseUrl !== url)
    throw new Failure(
      `there is no --key, and ${demo ? `the demo serves on ${demo.baseUrl}` : "no demo data"}: ` +
        "name a test key, or start Peyk with `npm start`",
    );
  const file = join(stateDir, "load-key.json");
  const kept = read(file);
  if (kept?.accountId === demo.accountId && (await isKnown(url, kept.key))) return kept.key;
  say("making a test key of the demo's account …");
  const path = `/admin/accounts/${demo.accountId}/keys`;
  const made = await reach(call(url, "POST", path, { key: demo.adminKey, body: { title: "load", mode: "test" } }), url);
  if (made.status !== 201) throw new Failure(`the test key could not be made: ${made.status} ${made.text}`);
  const { key } = made.json.data;
  writeSecret(file, `${JSON.stringify({ accountId: demo.accountId, key })}\n`);
  return key;
}

const isKnown = async (url, key) => (await reach(call(url, "GET", "/account/info", { key }), url)).status !== 401;

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

/** The answer, or a failure that says that nobody is there. */
export async function reach(pending, url) {
  try {
    return await pending;
  } catch (error) {
    throw new Failure(`${url} does not answer: ${error.cause?.code ?? error.cause?.message ?? error.message}`);
  }
}
