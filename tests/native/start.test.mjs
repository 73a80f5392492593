// `npm start`, before it builds anything.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { environment, Failure } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { plainHosts, privateEndings, specialAddresses } from "../../scripts/lib/start/plain-hosts.mjs";

test("a port that is none, and an address that the service could not answer at, are refused with what to do", () => {
  for (const [settings, told] of [
    [{ PORT: "87878" }, 'PORT must be a number from 1 to 65535, not "87878"'],
    [{ PEYK_HOST: "192.0.2.7" }, 'PEYK_HOST must be 127.0.0.1 or, in a container, 0.0.0.0, not "192.0.2.7"'],
    [{ PLAIN_HTTP_HOSTS: "peyk, peyk:8787" }, 'without scheme and port: "peyk:8787" is none'],
    [{ PLAIN_HTTP_HOSTS: "peyk, peyk.example.com" }, '"peyk.example.com", which is on the public internet'],
  ]) {
    const options = { env: environment(settings), encoding: "utf8" };
    const { status, stderr } = spawnSync(process.execPath, [inRoot("scripts/start.mjs")], options);
    assert.equal(status, 1, stderr);
    assert.ok(stderr.includes(told), stderr);
  }
});

test("the start takes the names of PLAIN_HTTP_HOSTS that the service takes, and no others", () => {
  for (const text of ["", "peyk", "peyk, peyk.internal,", "host.docker.internal", "10.0.0.5", "[::1],[fd00::1]"])
    assert.equal(plainHosts(text), text);
  const wrong = ["http://peyk", "peyk:8787", "peyk_1", "-peyk", "10.1", "[peyk]", "::1", "a b", "x".repeat(64)];
  for (const text of [...wrong, "peyk.example.com", "8.8.8.8", "[2606:4700::1]", Array(21).fill("a").join()])
    assert.throws(() => plainHosts(text), Failure, text);
});

test("the start knows the private names and addresses that the service knows", () => {
  const host = readFileSync(inRoot("src/base/host.rs"), "utf8");
  const tableOf = (name) => new RegExp(`const ${name}: [^=]*= &\\[([\\s\\S]*?)\\n\\];`).exec(host)[1];
  const endings = [...tableOf("PRIVATE_ENDINGS").matchAll(/"(\w+)"/g)].map(([, ending]) => ending);
  assert.deepEqual(privateEndings, endings);
  const v4 = [...tableOf("SPECIAL_V4").matchAll(/\(\[([\d, ]+)\], (\d+)\)/g)];
  assert.deepEqual(
    specialAddresses.ipv4,
    v4.map(([, first, length]) => `${first.replaceAll(", ", ".")}/${length}`),
  );
  const v6 = [...tableOf("SPECIAL_V6").matchAll(/\(\[0x(\w+), (?:0x)?(\w+)\], (\d+)\)/g)];
  const text = (segment) => Number.parseInt(segment, 16).toString(16);
  assert.deepEqual(
    specialAddresses.ipv6,
    v6.map(([, one, two, length]) => `${text(one)}${Number.parseInt(two, 16) ? `:${text(two)}` : ""}::/${length}`),
  );
});
