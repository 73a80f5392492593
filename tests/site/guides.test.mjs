// Every command and every program of the guides does what its guide says, against the running service.
import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { before, test } from "node:test";
import { guides } from "../../site/lib/build.mjs";
import { withReceiverOf } from "../support/client-libraries.mjs";
import { blocksOf, isRun, languagesOf, libraryOf, modeOf, Run } from "../support/guides.mjs";
import { ensurePythonOfProofs } from "../support/proofs/python.mjs";
import { listen } from "../support/receiver.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { issueKey, openShop, send } from "../support/shop.mjs";

// A guide checks a proof in Python.
before(async () => {
  process.env.PATH = `${dirname(await ensurePythonOfProofs())}${delimiter}${process.env.PATH}`;
});
const server = sharedServer();
const editions = ["en", "fa"];

for (const name of guides)
  for (const edition of editions) {
    const blocks = blocksOf(name, edition);
    // A run mostly waits for messages to end.
    test(`the code of the guide "${name}" (${edition}) does what the guide says`, { concurrency: true }, (context) =>
      Promise.all(languagesOf(blocks).map((language) => context.test(language, () => run(blocks, language)))),
    );
  }

/** Runs what a reader of this language runs of a guide, with an account of their own. */
async function run(blocks, language) {
  const { id, key: live } = await openShop(server, 1_000_000);
  const { key } = modeOf(blocks) === "test" ? await issueKey(server, id, { mode: "test" }) : { key: live };
  await listening(async (receiver) => {
    const run = new Run(server, key, { "https://shop.example.com/peyk": receiver.url("/peyk") });
    await run.all(blocks, language);
  });
}

test("what nothing runs of the guides says why", () => {
  for (const { flag, reason, code } of guides.flatMap((name) => blocksOf(name, "en")))
    if (flag === "not-run") assert.ok(reason.length > 10, code);
});

/** Lets `use` work with a receiver of webhooks. */
async function listening(use) {
  const receiver = await listen();
  try {
    return await use(receiver);
  } finally {
    await receiver.close();
  }
}

test("the event that the guide shows is what Peyk posts, and each receiver of the guide takes it and refuses a forged one", async () => {
  const blocks = blocksOf("webhooks", "en").filter((block) => !isRun(block));
  assert.deepEqual(
    blocks.map(({ language, flag }) => `${language} ${flag}`),
    ["json event", "ts receiver", "python receiver", "php receiver"],
  );
  const [shown, ...receivers] = blocks;
  const shop = await openShop(server, 1_000_000);
  const { hit, secret } = await listening(async (receiver) => {
    const body = { url: receiver.url(), events: ["message.status"] };
    const made = await api(server, "POST", "/webhook", { key: shop.key, body });
    assert.equal(made.status, 201, made.text);
    await send(server, shop.key, ["09121234567"], { clientRef: "order-7" });
    return { hit: await until(() => receiver.hits[0], { what: "the event" }), secret: made.json.data.secret };
  });
  const run = new Run(server, shop.key);
  assert.deepEqual(run.compare(JSON.parse(shown.code), hit.event, ""), []);
  const event = { body: hit.body.toString(), headers: signatureOf(hit) };
  for (const { language, code } of receivers)
    await withReceiverOf(libraryOf[language], code, secret, async (receive) => {
      assert.equal(await receive(event), 204, language);
      assert.equal(await receive({ ...event, body: event.body.replace("DELIVERED", "REJECTED!") }), 401, language);
    });
});

test("the event of a verification that the guide shows is what Peyk posts", async () => {
  const [shown] = blocksOf("login-codes", "en").filter(({ flag }) => flag === "event");
  const { key } = await openShop(server, 1_000_000);
  const post = async (path, body) => {
    const answer = await api(server, "POST", path, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json.data;
  };
  await listening(async (receiver) => {
    await post("/webhook", { url: receiver.url(), events: ["verify.status"] });
    // Nobody guesses so many digits.
    const order = { recipient: "09121234567", codeLength: 10, maxAttempts: 3, clientRef: "order-7" };
    const { id } = await post("/verify", order);
    for (const code of ["0000000001", "0000000002", "0000000003"]) await post("/verify/check", { id, code });
    const hit = await until(() => receiver.hits[0], { what: "the event" });
    assert.deepEqual(new Run(server, key).compare(JSON.parse(shown.code), hit.event, ""), []);
  });
});

const signatureOf = ({ headers }) =>
  Object.fromEntries(["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers[name]]));
