// `npm run listen`, as a developer runs it beside a program that takes webhooks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { verifyWebhook } from "../../clients/typescript/src/index.mjs";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { listen } from "../support/receiver.mjs";
import { sharedServer, until } from "../support/server.mjs";
import { all, issueKey, openShop, send } from "../support/shop.mjs";

const server = sharedServer();

/** Lets `use` work with the command while it runs: `{said(), stop()}`. */
async function listening(args, use, settings = {}) {
  const env = environment({ STATE_DIR: server.stateDir, ...settings });
  const child = spawn(process.execPath, [inRoot("scripts/listen.mjs"), ...args], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += piece));
  const ended = finished(child);
  const stop = async () => {
    child.kill("SIGINT");
    return (await ended).code;
  };
  try {
    await use({ said: () => output, stop, code: async () => (await ended).code });
  } finally {
    await stop();
  }
}

const secretIn = (text) => /secret {3}(whsec_\S+)/.exec(text)?.[1];

/** Lets `use` work with a program that takes webhooks, and breaks off what `breaks` says of a request. */
async function withProgram(breaks, use) {
  const receiver = await listen((_, hits) => (breaks(hits.length) ? null : 204));
  try {
    await use(receiver);
  } finally {
    await receiver.close();
  }
}

test("events reach a program on this machine with a good signature, once it answers, and the endpoint goes with the command", async () => {
  const { key } = await openShop(server, 10_000);
  await withProgram(
    (count) => count === 1,
    async (receiver) => {
      const args = ["--url", receiver.url("/peyk"), "--base", server.baseUrl, "--key", key];
      await listening(args, async ({ said, stop }) => {
        const secret = await until(() => secretIn(said()), { what: "the secret" });
        const { json } = await send(server, key, ["09121234567"]);
        const [broken, taken] = await until(() => receiver.hits.length === 2 && receiver.hits, { what: "the event" });
        assert.deepEqual(broken.body, taken.body);
        assert.equal(taken.path, "/peyk");
        assert.deepEqual([taken.event.type, taken.event.data.uid], ["message.status", json.data.uid]);
        assert.ok(await verifyWebhook(taken.body, taken.headers, secret));
        await until(() => said().includes("→ 204"), { what: "the line of the event" });
        assert.match(said(), /no answer .* it is tried again/);
        assert.equal((await all(server, key, "/webhook")).length, 1);
        assert.equal(await stop(), 0, said());
        assert.deepEqual(await all(server, key, "/webhook"), []);
      });
    },
  );
});

test("a test key hears of its own messages, signed by the secret that the program has", async () => {
  const { id } = await openShop(server, 0);
  const { key } = await issueKey(server, id, { mode: "test", scopes: ["sms:send", "sms:read", "webhook"] });
  const secret = `whsec_${Buffer.from("a secret of the program").toString("base64")}`;
  await withProgram(
    () => false,
    async (receiver) => {
      const args = ["--url", receiver.url(), "--key", key, "--secret", secret];
      await listening(
        args,
        async ({ said }) => {
          await until(() => said().includes("Ctrl-C"), { what: "the endpoint" });
          await send(server, key, ["09121234567"]);
          const [{ body, headers, event }] = await until(() => receiver.hits.length > 0 && receiver.hits, {
            what: "the event",
          });
          assert.equal(event.data.test, true);
          assert.ok(await verifyWebhook(body, headers, secret));
        },
        { PORT: new URL(server.baseUrl).port },
      );
    },
  );
});

test("a key that may not, and a service that is not there, are told", async () => {
  const { id } = await openShop(server, 0);
  const { key } = await issueKey(server, id, { scopes: ["sms:read"] });
  const receiver = await listen();
  const nowhere = receiver.url().replace(/\/$/, "");
  await receiver.close();
  const program = ["--url", nowhere];
  for (const [args, told] of [
    [["--base", server.baseUrl, "--key", key], /has refused GET \/webhook: 403 /],
    [["--base", nowhere, "--key", key], /http:\/\/127\.0\.0\.1:\d+ does not answer: ECONNREFUSED/],
    [["--base", nowhere], /there is no --key, and the demo serves on http/],
  ])
    await listening([...program, ...args], async ({ said, code }) => {
      assert.equal(await code(), 1, said());
      assert.match(said(), told);
    });
});
