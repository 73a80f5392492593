// The client libraries take the proofs that the service makes, and nothing else. tests/it/auth/proofs.rs writes the vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { before, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { drive, libraries } from "../support/client-libraries.mjs";
import { ensurePythonOfProofs } from "../support/proofs/python.mjs";

const { keys, options, good, refused } = JSON.parse(readFileSync(inRoot("tests", "vectors", "proofs.json"), "utf8"));
const client = { baseUrl: "http://127.0.0.1", apiKey: "k" };
const callOf = ({ token, keys: own = keys, options: given = {} }) => ({
  method: "verifyProof",
  args: [token, own],
  options: { ...options, ...given },
});

before(async () => {
  process.env.PATH = `${dirname(await ensurePythonOfProofs())}${delimiter}${process.env.PATH}`;
});

for (const language of Object.keys(libraries)) {
  test(`${language}: a proof is taken for its account, and says what it says`, async () => {
    const outcomes = await drive(language, client, good.map(callOf));
    for (const [index, { name, content }] of good.entries())
      assert.deepEqual(outcomes[index].value, content, `${name}: ${JSON.stringify(outcomes[index])}`);
  });

  test(`${language}: everything else is refused, and the error says why`, async () => {
    const [{ token }] = good;
    const [key] = keys.keys;
    const others = [
      { name: "no keys", why: "kid", token, keys: { keys: [] } },
      { name: "another curve", why: "kid", token, keys: { keys: [{ ...key, crv: "X25519" }] } },
      { name: "the clock", why: "expired", token, options: { now: null } },
    ];
    const all = [...refused, ...others];
    const outcomes = await drive(language, client, all.map(callOf));
    for (const [index, { name, why }] of all.entries()) {
      const { value, error } = outcomes[index];
      const got = [value, error?.kind, error?.reason];
      assert.deepEqual(got, [undefined, "ProofError", why], `${name}: ${error?.message}`);
    }
    assert.ok(all.length > 50);
  });

  test(`${language}: a program that names no account or has no keys hears of its mistake`, async () => {
    const [{ token }] = good;
    const mistakes = [
      { token, options: { audience: "" } },
      { token, options: { audience: null } },
      { token, keys: {} },
      { token, keys: { data: keys } },
    ];
    for (const { value, error } of await drive(language, client, mistakes.map(callOf)))
      assert.deepEqual([value, error?.kind], [undefined, "argument"], error?.message);
  });
}
