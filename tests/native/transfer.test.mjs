// What the move of a service decides by itself: whether the operators of two services can be those of one, and what is done side by side.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conflicts, missing, Operators } from "../../scripts/lib/transfer/operators.mjs";
import { inAdvance, Lanes } from "../../scripts/lib/transfer/side_by_side.mjs";

const columns = {
  api_key: ["id", "digest", "phone", "session_of", "revoked_ms", "role", "used_ms", "address"],
  erasure: ["seq", "id", "done_ms"],
  key_maker: ["key", "maker", "replaced"],
  member_rule: ["one", "only_passkeys"],
  passkey: ["id", "credential"],
};

function operators(rows, keys = []) {
  const own = new Operators();
  const tables = Object.entries(rows).map(([table, values]) => ({
    table,
    columns: columns[table],
    rows: values.map((row) => JSON.stringify(row)),
  }));
  own.add({ tables, keys });
  return own;
}

const key = (id, more = {}) => {
  const row = { id, digest: `digest ${id}`, phone: null, session_of: null, revoked_ms: null, role: null, ...more };
  return columns.api_key.map((column) => row[column] ?? null);
};

test("operators of two services can be those of one, unless both have a row that is not the same", () => {
  const full = {
    api_key: [key("a"), key("b", { phone: 989121234567 })],
    erasure: [[1, "x", null]],
    key_maker: [["b", "a", 0]],
    member_rule: [[1, 1]],
    passkey: [["p", "c"]],
  };
  const records = [{ digest: "digest a", record: "{}" }];
  const theirs = operators(full, records);
  assert.deepEqual(conflicts(theirs, operators({})), []);
  assert.deepEqual(conflicts(theirs, operators(full, records)), [], "an import that is run again");
  const used = { api_key: [key("a", { used_ms: 5, address: "192.0.2.1" })] };
  assert.deepEqual(conflicts(theirs, operators(used)), [], "a key changes as it is used");
  const others = {
    "api_key with id a,": { api_key: [key("a", { digest: "other" })] },
    "api_key with digest digest a,": { api_key: [key("c", { digest: "digest a" })] },
    "phone +989121234567 in both": { api_key: [key("c", { phone: 989121234567 })] },
    "erasure with seq 1,": { erasure: [[1, "y", null]] },
    "erasure with id x,": { erasure: [[2, "x", null]] },
    "key_maker with key b, maker a,": { key_maker: [["b", "a", 1]] },
    "member_rule with one 1,": { member_rule: [[1, 0]] },
    "passkey with credential c,": { passkey: [["q", "c"]] },
  };
  for (const [said, rows] of Object.entries(others)) {
    const [found, ...more] = conflicts(theirs, operators(rows));
    assert.deepEqual([found?.includes(said), more], [true, []], `${said}: ${found}`);
  }
  const record = [{ digest: "digest a", record: '{"scopes":[]}' }];
  assert.match(conflicts(theirs, operators({}, record)).join(), /keys in KV with digest digest a,/);
  const gone = { api_key: [key("c", { phone: 989121234567, revoked_ms: 1 })] };
  assert.deepEqual(conflicts(theirs, operators(gone)), [], "a member that was let go");
});

test("each column of the operators' rows is compared, but for those that change with each use", () => {
  const theirs = operators({ api_key: [key("a")], erasure: [[1, "x", null]] }, [{ digest: "d", record: "{}" }]);
  const own = (role, done, record) =>
    operators(
      { api_key: [key("a", { role, used_ms: 7 }), key("own")], erasure: [[1, "x", done]] },
      record ? [{ digest: "d", record }] : [],
    );
  assert.equal(missing(theirs, own(null, null, "{}")), undefined);
  assert.equal(missing(theirs, own("ADMIN", null, "{}")), "api_key");
  assert.equal(missing(theirs, own(null, 5, "{}")), "erasure");
  assert.equal(missing(theirs, own(null, null, '{"v":1}')), "keys in KV");
  assert.equal(missing(theirs, own(null, null)), "keys in KV");
});

/** Work that ends when it is told to. `under` has what is under way. */
function workshop() {
  const under = new Map();
  const ended = [];
  const work = (name) => () => {
    const done = new Promise((resolve, reject) => {
      const end = () => resolve(ended.push(name));
      under.set(name, { end, fail: () => reject(new Error(name)) });
    });
    return done.finally(() => under.delete(name));
  };
  return { under, ended, work };
}

/** Lets all go on that may. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("work of one lane goes in its order, and no more than four are under way", async () => {
  const { under, ended, work } = workshop();
  const lanes = new Lanes();
  const names = ["a1", "a2", "b1", "c1", "d1"];
  const added = (async () => {
    for (const name of names) await lanes.add(name[0], work(name));
  })();
  await turn();
  assert.deepEqual([...under.keys()], ["a1", "b1", "c1"], "a2 waits for a1, and d1 for room");
  under.get("a1").end();
  await turn();
  assert.deepEqual([...under.keys()].sort(), ["a2", "b1", "c1", "d1"]);
  for (const { end } of [...under.values()]) end();
  await added;
  await lanes.end();
  assert.deepEqual(ended.toSorted(), names);
});

test("after a failure nothing more begins, and it is told", async () => {
  const { under, work } = workshop();
  const lanes = new Lanes();
  await lanes.add("a", work("a1"));
  await lanes.add("a", work("a2"));
  await turn();
  under.get("a1").fail();
  await turn();
  assert.equal(under.size, 0, "a2 has not begun");
  await assert.rejects(lanes.add("b", work("b1")), /a1/);
  await assert.rejects(lanes.end(), /a1/);
});

test("what is asked in advance is answered in its order, and four at most are asked", async () => {
  const asked = [];
  const ask = async (item) => {
    asked.push(item);
    if (item === 9) throw new Error("nine");
    return item * 2;
  };
  const found = [];
  const read = async () => {
    for await (const pair of inAdvance([1, 2, 3, 4, 5, 6, 7, 8, 9], ask)) {
      found.push(pair);
      assert.ok(asked.length <= found.length + 3, `${asked.length} after ${found.length}`);
    }
  };
  await assert.rejects(read(), /nine/);
  assert.deepEqual(
    found,
    [1, 2, 3, 4, 5, 6, 7, 8].map((item) => [item, item * 2]),
  );
});
