// A checkout from which a service is deployed to a stand-in for Cloudflare, for the tests of `npm run deploy` and `npm run rotate`.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { keyHandover } from "../../scripts/lib/base/key-handover.mjs";
import { deploy } from "../../scripts/lib/deploy/deploy.mjs";
import { rotate } from "../../scripts/lib/deploy/rotate.mjs";
import { Death, StandIn } from "./cloudflare.mjs";

/** Each program of tests has a folder, which goes when it ends. */
export const home = mkdtempSync(join(tmpdir(), "peyk-deploy-test-"));
after(() => rmSync(home, { recursive: true, force: true }));

/** A folder of its own, for what an operator keeps. */
export const newFolder = (name) => mkdtempSync(join(home, `${name}-`));

/** A checkout with a Cloudflare of its own. `run` deploys, `rotate` changes the secret; options go before these. */
export function checkout(cloudflare = new StandIn()) {
  const dir = newFolder("checkout");
  // Of its own, because other programs of tests deploy at the same time.
  const into = newFolder("build");
  const lines = [];
  const print = (line) => lines.push(line);
  const common = { environment: "production", run: cloudflare.run, request: cloudflare.request, pause: () => {}, dir };
  const handover = keyHandover([], { isTerminal: true, print });
  return {
    cloudflare,
    dir,
    lines,
    run: (options = {}) => deploy({ ...common, into, build: () => {}, print, handover, env: {}, ...options }),
    rotate: (options = {}) => rotate({ ...common, way: "change", print, env: {}, ...options }),
    /** The configuration that wrangler was given last. */
    config: () => readFileSync(join(into, "wrangler.production.json"), "utf8"),
    keys: () => lines.filter((line) => line.startsWith("peyk_")),
    said: () => lines.join("\n"),
  };
}

export const fails = async (pending, pattern) => {
  await assert.rejects(pending, (error) => {
    assert.ok(error instanceof Failure, error.stack);
    assert.match(error.message, pattern);
    return true;
  });
};

/**
 * No secret is on the terminal, in the arguments of a program or in a file, but the operator key that is shown, and the secret in
 * the operator's own file, which is beside nothing.
 */
export function assertNothingLeaks({ cloudflare, dir, lines, keys, config }, secretPath) {
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8"));
  const others = lines.filter((line) => !keys().includes(line));
  const seen = [...files, config(), ...others, ...cloudflare.commands.flat()].join("\n");
  for (const secret of [...cloudflare.secrets, ...keys()])
    assert.ok(!seen.includes(secret), "a secret is where it may not be");
  if (secretPath) assert.ok(!existsSync(`${secretPath}.unfinished`), "half a file is left");
}

/**
 * Lets each command and request of some work fail, and lets it die before and after each. `prepare` makes a world `{it, begin,
 * finish, check}`: `begin` meets the fault, `finish` is what a person does then, and `check` looks at what has become.
 */
export async function atEachMoment(prepare, atLeast) {
  for (const fault of ["error", "death", "death after"]) {
    let moment = 0;
    for (let over = false; !over; ) {
      moment += 1;
      const { it, begin, finish, check } = await prepare();
      const { cloudflare } = it;
      const first = cloudflare.moment;
      cloudflare.fault = (now) => (now === first + moment ? fault : undefined);
      const outcome = await begin().then(
        () => "finished",
        (error) => error,
      );
      over = cloudflare.moment < first + moment;
      const where = `${fault} at moment ${moment}, ${cloudflare.commands[first + moment - 1]}`;
      if (!over && outcome !== "finished")
        assert.ok(outcome instanceof (fault === "error" ? Failure : Death), `${where}: ${outcome.stack ?? outcome}`);
      cloudflare.fault = () => undefined;
      if (outcome !== "finished") await named(where, finish);
      await named(where, check);
    }
    assert.ok(moment > atLeast, `${moment} moments`);
  }
}

async function named(where, work) {
  try {
    await work();
  } catch (error) {
    error.message = `${where}: ${error.message}`;
    throw error;
  }
}
