// The receivers of the guide to frameworks take an event of Peyk, and nothing else.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { headersOf } from "../../scripts/lib/listen/forward.mjs";
import { ensureReceivers } from "../support/frameworks/install.mjs";
import { withReceivers } from "../support/frameworks/receivers.mjs";
import { blocksOf } from "../support/guides.mjs";

before(ensureReceivers);

const blocks = blocksOf("webhook-frameworks", "en").filter(({ flag }) => flag === "framework");
const secret = `whsec_${Buffer.from("a secret of a webhook").toString("base64")}`;

const body = JSON.stringify({ id: "evt_1", type: "webhook.test", createdAt: "…", data: { endpoint: "سلام" } });

/** What is not from Peyk, or not new: each with the body that comes. */
const strange = [
  [body.replace("test", "best"), headersOf("evt_1", body, secret)],
  [body, headersOf("evt_1", body, `whsec_${Buffer.from("another").toString("base64")}`)],
  [body, headersOf("evt_1", body, secret, Date.now() - 301_000)],
  [body, { ...headersOf("evt_1", body, secret), "webhook-timestamp": "now" }],
  [body, { "content-type": "application/json" }],
];

test("the guide has a receiver in each language that a framework needs", () =>
  assert.deepEqual(blocks.map(({ language }) => language).toSorted(), Object.keys(withReceivers).toSorted()));

for (const { language, code } of blocks)
  test(`${language}: the receiver takes an event, after a rotation too, and refuses what is not from Peyk`, () =>
    withReceivers[language](code, secret, async (receive) => {
      const headers = headersOf("evt_1", body, secret);
      assert.equal(await receive({ body, headers }), 204);
      const rotated = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
      assert.equal(await receive({ body, headers: rotated }), 204);
      for (const [index, [body, headers]] of strange.entries())
        assert.equal(await receive({ body, headers }), 401, `${index}`);
    }));
