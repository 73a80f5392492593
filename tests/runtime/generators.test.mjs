// What generators of clients make of openapi.json: it compiles, and it sends a text, a pattern and a code, and reads an error.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { runProgram } from "../support/client-libraries.mjs";
import { openFullShop, server } from "../support/client-tests.mjs";
import { clients } from "../support/generators/clients.mjs";
import { ensureGenerators } from "../support/generators/install.mjs";

before(ensureGenerators);

for (const [index, [name, make]] of Object.entries(clients).entries())
  test(`${name}: the client sends a text, a pattern and a code, and reads an error`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "peyk-generator-"));
    try {
      const [program, ...args] = await make(dir);
      const { key } = await openFullShop();
      // A number gets few codes in a day, so each client has one of its own.
      const number = `0912000000${index}`;
      const output = await runProgram(program, args, { env: { BASE: server.baseUrl, KEY: key, NUMBER: number } });
      assert.deepEqual(JSON.parse(output), {
        cost: 1000,
        to: `+98${number.slice(1)}`,
        type: "PATTERN",
        status: "PENDING",
        verified: false,
        code: 422,
        place: "/recipients/0",
      });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
