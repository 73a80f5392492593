import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../base/command.mjs";
import { called } from "../base/packed.mjs";
import { format, writeArchive } from "./archive.mjs";
import { Moving } from "./service.mjs";
import { inAdvance } from "./side_by_side.mjs";
import { Found, Sums } from "./sums.mjs";

/** How long what is under way may take to end, ms. A call of a carrier takes 28 s at most. The session with an SMSC never ends. */
const patience = { ACCOUNT: 60_000, WEBHOOK: 35_000, CARRIER: 3_000 };

/** How long a request of a customer may still write into the directory after its account is frozen, ms. */
const settleMs = 30_000;

/** Says what an export would write. */
export async function tellExport({ from, key, say }) {
  const { found, version, direction } = await new Moving({ url: from, key }).state({ counts: true });
  say(`${from} is Peyk ${version}${direction === "NONE" ? "" : `, and moves already (${direction})`}`);
  say(
    `an export would freeze it and write ${found.accounts} accounts (available ${found.available}, locked ${found.locked} ` +
      `${found.unit}), ${found.messages} messages, ${found.patterns} patterns, ${found.phonebooks} phonebooks with ` +
      `${found.numbers} numbers; the directory alone has ${found.bytes} bytes`,
  );
  say("nothing was changed");
}

/** Freezes a service, and writes all that it has into a new file. The service stays frozen. `settled` resolves when no request is under way. */
export async function exportService({ from, to, key, say, settled = () => sleep(settleMs) }) {
  const moving = new Moving({ url: from, key, print: say });
  const found = new Found();
  const bytes = await writeArchive(to, itemsOf(moving, { from, found, say, settled }));
  say(`${to} has the service, in ${bytes} bytes:\n  ${found}`);
  say(`${from} stays frozen: it answers 503 and sends nothing. docs/moving-a-service.md says what comes next.`);
}

async function* itemsOf(moving, { from, found, say, settled }) {
  const { version, secret, direction } = await moving.state();
  if (direction === "IN") throw new Failure(`${from} takes the data of another service, and gives none`);
  const { since } = await moving.turn("OUT");
  await ensurePaused(moving, direction);
  const last = await endOfLog(moving);
  yield { head: { format, peyk: version, secret, at: new Date().toISOString(), from } };
  const objects = await freezeAll(moving, say);
  await settled();
  for (const object of objects) yield { object };
  for await (const [of, first] of inAdvance(objects, moving.page)) yield* storeOf(moving, of, first, found);
  for (const of of [{ store: "ACCOUNT", object: "operator" }, { store: "DIRECTORY" }])
    yield* storeOf(moving, of, await moving.page(of), found);
  await ensureUnchanged(moving, last);
  const now = await moving.state();
  if (now.direction !== "OUT" || now.since !== since)
    throw new Failure(`${from} was let go on meanwhile, so the file was not written.`);
}

/** What leaves while its carrier's object freezes would be in doubt, so nothing may leave. Otherwise the service does not move. */
async function ensurePaused(moving, before) {
  const sending = [];
  for await (const [name, kind, active, paused] of moving.rowsOf("carrier", ["name", "kind", "active", "paused"]))
    if (kind !== "sandbox" && active && !paused) sending.push(name);
  if (sending.length === 0) return;
  if (before === "NONE") await moving.turn("NONE");
  throw new Failure(
    `the carriers ${sending.join(", ")} would be cut while they send. Pause them (\`PATCH /admin/carriers/NAME {"paused": true}\`), wait until nothing is ` +
      "on its way (`inWindow` is 0), and export again.",
  );
}

/** The key of the last entry of the log. */
async function endOfLog(moving) {
  let last = null;
  for await (const key of moving.rowsOf("audit", ["id", "part"])) last = JSON.stringify(key);
  return last;
}

/** The directory is not frozen. But each change of an operator is in the log. What the export itself freezes is there too. */
async function ensureUnchanged(moving, last) {
  for await (const [operation, after] of moving.rowsOf("audit", ["operation", "after"], last)) {
    if (operation === "AdminChangeObjects" && JSON.parse(after).state === "FROZEN") continue;
    throw new Failure("an operator has changed something meanwhile, so the file was not written. Export it again.");
  }
}

/** Accounts come first: then carriers' objects get nothing more, and tell what becomes of what they have when the service goes on. */
async function freezeAll(moving, say) {
  const objects = [];
  // An account that an operator makes from now on has an entry in the log, which fails the export.
  const accounts = await moving.accounts();
  objects.push(...(await moving.freeze("ACCOUNT", accounts, patience.ACCOUNT)));
  say(`${accounts.length} accounts are frozen`);
  objects.push(...(await moving.freeze("CARRIER", await moving.carrierObjects(accounts), patience.CARRIER)));
  objects.push(...(await moving.freeze("WEBHOOK", accounts, patience.WEBHOOK)));
  say("carriers and webhooks are frozen");
  return objects;
}

async function* storeOf(moving, { store, object }, first, found) {
  const sums = new Sums();
  for await (const { tables, keys } of moving.pagesFrom({ store, object }, first)) {
    const page = { store, object, tables, keys };
    sums.add(page);
    found.add(page);
    yield { page };
  }
  yield { sums: { store, object, tables: sums.get() } };
}

/** Lets a service go on that was exported. */
export async function thawService({ from, key, say }) {
  const moving = new Moving({ url: from, key, print: say });
  const { direction } = await moving.state();
  if (direction === "IN")
    throw new Failure(`${from} takes the data of another service: \`${called("import")} --thaw\` lets it go on`);
  // Rows are read while the service moves only.
  if (direction === "NONE") await moving.turn("OUT");
  const accounts = await moving.accounts();
  await moving.set("CARRIER", await moving.carrierObjects(accounts), "THAWED");
  await moving.set("WEBHOOK", accounts, "THAWED");
  await moving.set("ACCOUNT", accounts, "THAWED");
  await moving.turn("NONE");
  say(
    `${from} serves and sends again. Import its archive nowhere any more: both services would send the same messages.`,
  );
}
