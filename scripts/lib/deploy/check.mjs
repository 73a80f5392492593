// Asks a service that was just deployed whether it works: its health, and a message of a test key, which costs nothing and
// reaches no carrier.
import { readFileSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";
import { findAccount } from "../serve/demo.mjs";

/** An account and a line that exist for this check. No other account may use the line. */
const username = "deploy-check";
const line = "PeykCheck";
const recipient = "09121234567";
const keysPath = "/.well-known/jwks.json";
/** How often a state is looked for. A new address takes minutes to be known everywhere. */
const attempts = 120;
/** The same for a new key: KV may remember for a minute that it did not have it. */
const keyAttempts = 36;

/** How many looks in a row must show new secrets: each may reach another copy of the worker, and old ones end within minutes. */
const sameLooks = 3;

/** `request` calls the service; `pause` waits between two looks. */
export function checker({ request, pause }) {
  async function until(probe, what, times = attempts) {
    let last;
    for (let attempt = 0; attempt < times; attempt += 1) {
      if (attempt > 0) await pause();
      try {
        last = await probe();
        if (last.done) return last;
      } catch (error) {
        last = { text: String(error.cause ?? error) };
      }
    }
    throw new Failure(`${what}. The last answer was: ${last.status ?? ""} ${last.text}`);
  }

  async function published(baseUrl) {
    const answer = await request(baseUrl, "GET", keysPath);
    return { ...answer, keys: (answer.json?.keys ?? []).map(({ x }) => x) };
  }

  const admin = (baseUrl, key) => (method, path, body) => request(baseUrl, method, `/admin${path}`, { key, body });

  return {
    /** For some seconds after a deploy, the version before may still answer. */
    health(baseUrl) {
      const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
      return until(async () => {
        const answer = await request(baseUrl, "GET", "/health");
        const { status, version: answered } = answer.json?.data ?? {};
        return { ...answer, done: answer.status === 200 && status === "UP" && answered === version };
      }, `${baseUrl}/health does not say that version ${version} is up`);
    },

    /** The keys of proofs that the service publishes, the current one first. A secret that was just set takes a moment to show. */
    async proofKeys(baseUrl) {
      const { keys } = await until(async () => {
        const answer = await published(baseUrl);
        return { ...answer, done: answer.keys.length > 0 };
      }, `${baseUrl}${keysPath} has no key, so the service works without SECRET_KEY`);
      return keys;
    },

    /** Waits until the service publishes exactly these keys. */
    async publishes(baseUrl, keys) {
      let looks = 0;
      await until(async () => {
        const answer = await published(baseUrl);
        looks = answer.keys.join() === keys.join() ? looks + 1 : 0;
        return { ...answer, done: looks === sameLooks };
      }, `${baseUrl}${keysPath} does not show the new secret. Run the same command again`);
    },

    accepts: (baseUrl, key) =>
      until(async () => {
        const answer = await admin(baseUrl, key)("GET", "/plans?limit=1");
        return { ...answer, done: answer.status === 200 };
      }, "the service does not accept the operator key"),

    /** A key that never came in is not there; then there is nothing to revoke. */
    async revoke(baseUrl, key, id) {
      const answer = await admin(baseUrl, key)("DELETE", `/keys/${id}`);
      if (answer.status >= 300 && answer.status !== 404)
        throw refused("the key of a deploy that died is not revoked", answer);
    },

    /** Gives the account of the check this key, which a deploy that died may have given it already. */
    async admitTestKey(baseUrl, key, testKey) {
      const ask = admin(baseUrl, key);
      const id = (await made(ask, "/accounts", { username, fullName: "Deploy check" }))?.id;
      const account = id ?? (await findAccount(ask, username));
      await made(ask, "/lines", { number: line, carrier: "sandbox", operations: ["WEBSERVICE"], accounts: [account] });
      const scopes = ["sms:send", "sms:read"];
      await made(ask, `/accounts/${account}/keys`, { title: "npm run deploy", mode: "test", scopes, key: testKey });
    },

    async send(baseUrl, key, say) {
      const body = { message: "Deployed", recipients: [recipient], sourceNumber: line };
      const sent = await until(
        async () => {
          const answer = await request(baseUrl, "POST", "/sms/send", { key, body });
          return { ...answer, done: answer.status !== 401 };
        },
        "the service does not accept the test key. Set ADMIN_KEY to an operator key, and run the same command again",
        keyAttempts,
      );
      if (sent.json?.code === 3011) return say("an operator has switched sending off, so no message was sent.");
      if (sent.status !== 201) throw refused("the message of a test key was refused", sent);
      await until(async () => {
        const answer = await request(baseUrl, "GET", `/messages/${sent.json.data.uid}`, { key });
        return { ...answer, done: answer.json?.data?.recipients?.[0]?.status === "DELIVERED" };
      }, "the message of a test key does not end");
    },
  };
}

/** Makes something, and returns it, or nothing if it is there. */
async function made(ask, path, body) {
  const answer = await ask("POST", path, body);
  if (answer.status === 409) return undefined;
  if (answer.status !== 201) throw refused(`POST /admin${path} failed`, answer);
  return answer.json.data;
}

const refused = (what, { status, text }) => new Failure(`${what}: ${status} ${text}\nRun the same command again.`);
