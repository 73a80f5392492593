// `npm start`, before it builds anything.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";

test("a port that is none, and an address that the service could not answer at, are refused with what to do", () => {
  for (const [settings, told] of [
    [{ PORT: "87878" }, 'PORT must be a number from 1 to 65535, not "87878"'],
    [{ PEYK_HOST: "192.0.2.7" }, 'PEYK_HOST must be 127.0.0.1 or, in a container, 0.0.0.0, not "192.0.2.7"'],
    [{ PLAIN_HTTP_HOSTS: "peyk, peyk:8787" }, 'without scheme and port, not "peyk, peyk:8787"'],
    [{ PLAIN_HTTP_HOSTS: "http://peyk" }, 'without scheme and port, not "http://peyk"'],
  ]) {
    const options = { env: environment(settings), encoding: "utf8" };
    const { status, stderr } = spawnSync(process.execPath, [inRoot("scripts/start.mjs")], options);
    assert.equal(status, 1, stderr);
    assert.ok(stderr.includes(told), stderr);
  }
});
