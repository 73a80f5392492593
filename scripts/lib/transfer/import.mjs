import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { checkArchive, itemsOf } from "./archive.mjs";
import { Moving } from "./service.mjs";
import { differing, Sums, storeName } from "./sums.mjs";

/** Stores and tables that the target has rows in already, to which those of the archive are added. */
const isAdded = (store, table) => store === "ACCOUNT operator" || (store === "DIRECTORY" && addedTables.has(table));
const addedTables = new Set(["audit", "member"]);

/** Brings an archive into an empty service or, without `go`, says what it would do. */
export async function importService({ from, to, key, go, say }) {
  const archive = await checkArchive(from);
  const moving = new Moving({ url: to, key, print: say });
  await ensureFit(moving, archive.head, { from, to });
  say(`${from} has the service ${archive.head.from} of ${archive.head.at}:\n  ${archive.found}`);
  if (!go) return say(`nothing was changed; --go brings it into ${to}`);
  await moving.turn("IN");
  await freezeAll(moving, archive.objects);
  say("the new service is ready to take rows");
  for await (const { page } of itemsOf(from)) if (page) await moving.insert(page);
  say("all rows are in; they are read again and compared");
  await compare(moving, from, archive);
  say(`the sums of ${archive.sums.size} stores agree`);
  writeFileSync(markOf(from), agreement(to, archive));
  await thawAll(moving, archive.objects);
  rmSync(markOf(from));
  say(`${to} serves and sends. ${archive.head.from} must stay frozen: both would send the same messages.`);
}

/** A file beside the archive while a service is let go on with which its sums have agreed. */
const markOf = (from) => `${from}.agreed`;
const agreement = (to, { head }) => JSON.stringify({ to, head });

/** Lets a service go on whose import broke off after its sums agreed. */
export async function thawImported({ from, to, key, say }) {
  const archive = await checkArchive(from);
  const hasAgreed = existsSync(markOf(from)) && readFileSync(markOf(from), "utf8") === agreement(to, archive);
  if (!hasAgreed)
    throw new Failure(
      `the sums of ${from} and ${to} have not agreed. Run the import again: with --go, without --thaw.`,
    );
  await thawAll(new Moving({ url: to, key, print: say }), archive.objects);
  rmSync(markOf(from));
  say(`${to} serves and sends`);
}

async function ensureFit(moving, head, { from, to }) {
  const { version, secret, direction, found } = await moving.state();
  if (version !== head.peyk)
    throw new Failure(
      `${from} was made by Peyk ${head.peyk}, and ${to} is ${version}. Import it into the same version.`,
    );
  if (secret !== head.secret)
    throw new Failure(
      `${to} has another SECRET_KEY than the service that was exported, and could open none of its secrets.`,
    );
  if (direction === "OUT" || (direction === "NONE" && found.accounts > 0))
    throw new Failure(`${to} is not empty. Import into a new service.`);
}

async function freezeAll(moving, objects) {
  const groups = Map.groupBy(objects, ({ store, parts }) => JSON.stringify([store, parts]));
  for (const [group, members] of groups) {
    const [store, parts] = JSON.parse(group);
    await moving.set(
      store,
      members.map(({ object }) => object),
      "FROZEN",
      { parts },
    );
  }
}

/** Accounts come last: then carriers and webhooks are there for what they send. */
async function thawAll(moving, objects) {
  for (const store of ["CARRIER", "WEBHOOK", "ACCOUNT"]) {
    const own = objects.filter((object) => object.store === store);
    await moving.set(
      store,
      own.map(({ object }) => object),
      "THAWED",
    );
  }
  await moving.turn("NONE");
}

/** Reads all rows of the new service, and fails where they are not those of the archive. */
async function compare(moving, from, { sums }) {
  const missing = await addedRows(from);
  for (const { store, object, tables } of sums.values()) {
    const name = storeName({ store, object });
    const own = new Sums();
    for await (const page of moving.pages(store, object)) {
      own.add(page);
      for (const { table, rows } of page.tables)
        if (isAdded(name, table)) for (const row of rows) missing.delete(nameOf(name, table, row));
    }
    const exact = (all) => Object.fromEntries(Object.entries(all).filter(([table]) => !isAdded(name, table)));
    const table = differing(exact(tables), exact(own.get()));
    if (table) throw new Failure(differs(name, table));
  }
  if (missing.size > 0) throw new Failure(differs(...missing.values().next().value));
}

const differs = (store, table) =>
  `the rows of ${table} in ${store} are not those of the archive. The new service stays frozen: start another one, and import again.`;

/** Names a row. Those of the operators' object are known by their first column: a key changes as it is used. */
function nameOf(store, table, row) {
  const known = store === "ACCOUNT operator" ? JSON.stringify(JSON.parse(row)[0]) : row;
  return createHash("sha256").update([store, table, known].join("\n")).digest("base64");
}

/** The rows of the archive that the new service must have beside its own: by their names, where each belongs. */
async function addedRows(from) {
  const missing = new Map();
  for await (const { page } of itemsOf(from))
    for (const { table, rows } of page?.tables ?? []) {
      const store = storeName(page);
      if (isAdded(store, table)) for (const row of rows) missing.set(nameOf(store, table, row), [store, table]);
    }
  return missing;
}
