// What crosses between WebAssembly and JavaScript in one (src/platform/crossings.mjs). The other side of the statements is
// src/platform/crossing.rs, whose tests have the same texts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exec, respond, statement } from "../../src/platform/crossings.mjs";

/** The SQL of an object, which notes what it runs and gives these columns and rows. */
function sqlWith(columnNames, rows) {
  const ran = [];
  const run = (...words) => {
    ran.push(words);
    return { columnNames, raw: () => rows.values() };
  };
  return { ran, exec: run };
}

test("the parameters of a statement come as one text", () => {
  const sql = sqlWith([], []);
  statement(0, "INSERT");
  statement(1, "DELETE");
  assert.equal(exec(sql, 0, '-7,,"4,"7,\na,\n"سلام 😀'), undefined);
  assert.equal(exec(sql, 0, '"0,9007199254740991,\n'), undefined);
  assert.equal(exec(sql, 1, ""), undefined);
  assert.deepEqual(sql.ran, [["INSERT", -7, null, 'a,\n"', "سلام 😀"], ["INSERT", "", 9007199254740991], ["DELETE"]]);
});

test("the rows of a statement go as one text", () => {
  statement(0, "SELECT");
  const rows = [
    [1, "b"],
    [null, "😀"],
  ];
  assert.equal(exec(sqlWith(["a", "b"], rows), 0, ""), '2,1,"1,,"2,\nb😀');
  assert.equal(exec(sqlWith(["a", "b"], []), 0, ""), undefined);
});

test("an answer has each of several headers of one name", () => {
  const { status, headers } = respond(204, "Set-Cookie\na=1; Path=/\nSet-Cookie\nb=2\nX-A\ny", "");
  assert.deepEqual([status, headers.getSetCookie(), headers.get("x-a")], [204, ["a=1; Path=/", "b=2"], "y"]);
});

test("a number that is no value of Peyk goes as what it is, and Rust refuses it", () => {
  statement(0, "SELECT");
  assert.equal(
    exec(sqlWith(["a", "b", "c"], [[1.5, 1e21, new ArrayBuffer(1)]]), 0, ""),
    "3,1.5,1e+21,[object ArrayBuffer],\n",
  );
});

test("a number of a statement may be given anew", () => {
  statement(0, "DELETE");
  exec(sqlWith([], []), 0, "");
  statement(0, "SELECT");
  assert.equal(exec(sqlWith(["a"], [[1]]), 0, ""), "1,1,\n");
});

test("a response has its headers by their names and values, and no body for an empty text", async () => {
  const answer = respond(201, "Content-Type\napplication/json\nX-Request-Id\n7", "{}");
  assert.deepEqual([answer.status, await answer.text()], [201, "{}"]);
  assert.deepEqual(
    [...answer.headers],
    [
      ["content-type", "application/json"],
      ["x-request-id", "7"],
    ],
  );
  const empty = respond(204, "X-Request-Id\n7", "");
  assert.deepEqual([empty.status, empty.body, [...empty.headers]], [204, null, [["x-request-id", "7"]]]);
});
