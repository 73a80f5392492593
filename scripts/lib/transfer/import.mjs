import { Failure } from "../base/command.mjs";
import { checkArchive, itemsOf } from "./archive.mjs";
import { conflicts, missing, Operators } from "./operators.mjs";
import { Moving } from "./service.mjs";
import { inAdvance, Lanes } from "./side_by_side.mjs";
import { differing, operatorsName, Sums, storeName } from "./sums.mjs";

/** Tables of the directory that the target has rows in already, to which those of the archive are added. */
const addedTables = new Set(["audit", "member"]);

/** Brings an archive into an empty service or, without `go`, says what it would do. */
export async function importService({ from, to, key, go, say }) {
  const archive = await checkArchive(from);
  const moving = new Moving({ url: to, key, print: say });
  const hasAgreed = await ensureFit(moving, archive, { from, to });
  await ensureNoConflict(moving, archive, to);
  say(`${from} has the service ${archive.head.from} of ${archive.head.at}:\n  ${archive.found}`);
  if (!go) return say(`nothing was changed; --go brings it into ${to}`);
  if (hasAgreed) say(`all of it is in ${to} already`);
  else await bringIn(moving, from, archive, say);
  await thawAll(moving, archive.objects);
  say(`${to} serves and sends. ${archive.head.from} must stay frozen: both would send the same messages.`);
}

async function bringIn(moving, from, archive, say) {
  await moving.turn("IN");
  await freezeAll(moving, archive.objects);
  say("the new service is ready to take rows");
  const lanes = new Lanes();
  for await (const { page } of itemsOf(from)) if (page) await lanes.add(storeName(page), () => moving.insert(page));
  await lanes.end();
  say("all rows are in; they are read again and compared");
  await compare(moving, from, archive);
  say(`the sums of ${archive.sums.size} stores agree`);
  // Before the first object goes on: whoever comes later, from wherever, sees that nothing more may be brought in.
  await moving.agree(archive.digest);
}

/** Lets a service go on whose import broke off after its sums agreed. */
export async function thawImported({ from, to, key, say }) {
  const archive = await checkArchive(from);
  const moving = new Moving({ url: to, key, print: say });
  const { agreed } = await moving.state();
  if (agreed !== archive.digest)
    throw new Failure(
      `the sums of ${from} and ${to} have not agreed, or it goes on already. Run the import again: with --go, without --thaw.`,
    );
  await thawAll(moving, archive.objects);
  say(`${to} serves and sends`);
}

/** Fails unless the archive may go into the service. Returns whether all of it is there already. */
async function ensureFit(moving, { head, digest }, { from, to }) {
  const { version, secret, direction, found, agreed } = await moving.state({ counts: true });
  if (version !== head.peyk)
    throw new Failure(
      `${from} was made by Peyk ${head.peyk}, and ${to} is ${version}. Import it into the same version.`,
    );
  if (secret !== head.secret)
    throw new Failure(
      `${to} has another SECRET_KEY than the service that was exported, and could open none of its secrets.`,
    );
  const isOther = agreed !== null && agreed !== digest;
  if (isOther || direction === "OUT" || (direction === "NONE" && found.accounts > 0))
    throw new Failure(`${to} is not empty. Import into a new service.`);
  return agreed === digest;
}

/** Fails if the operators of both services can't be those of one. */
async function ensureNoConflict(moving, { operators }, to) {
  const found = conflicts(operators, await operatorsOf(moving));
  if (found.length > 0) throw new Failure(`${to} can't take the operators of the archive:\n  ${found.join("\n  ")}`);
}

async function operatorsOf(moving) {
  const own = new Operators();
  for await (const page of moving.pages("ACCOUNT", "operator")) own.add(page);
  return own;
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
async function compare(moving, from, { objects, sums, operators }) {
  for await (const [of, own] of inAdvance(objects, (of) => sumsOf(moving, of))) {
    const table = differing(sums.get(storeName(of)).tables, own);
    if (table) throw differs(storeName(of), table);
  }
  const table = missing(operators, await operatorsOf(moving));
  if (table) throw differs(operatorsName, table);
  await compareDirectory(moving, from, sums.get("DIRECTORY").tables);
}

const differs = (store, table) =>
  new Failure(
    `the rows of ${table} in ${store} are not those of the archive. The new service stays frozen: start another one, and import again.`,
  );

async function sumsOf(moving, { store, object }) {
  const own = new Sums();
  for await (const page of moving.pages(store, object)) own.add(page);
  return own.get();
}

/** Where the new service has rows of its own, those of the archive are among them, in the same order. */
async function compareDirectory(moving, from, tables) {
  const added = addedRows(from);
  let { value: awaited } = await added.next();
  const own = new Sums();
  for await (const page of moving.pages("DIRECTORY")) {
    own.add(page);
    for (const { table, rows } of page.tables)
      for (const row of rows)
        if (awaited?.table === table && awaited.row === row) ({ value: awaited } = await added.next());
  }
  if (awaited) throw differs("DIRECTORY", awaited.table);
  const exact = (all) => Object.fromEntries(Object.entries(all).filter(([table]) => !addedTables.has(table)));
  const table = differing(exact(tables), exact(own.get()));
  if (table) throw differs("DIRECTORY", table);
}

/** The rows of the archive's directory that are added to what is there. */
async function* addedRows(from) {
  for await (const { page } of itemsOf(from)) {
    if (page?.store !== "DIRECTORY") continue;
    for (const { table, rows } of page.tables) if (addedTables.has(table)) for (const row of rows) yield { table, row };
  }
}
