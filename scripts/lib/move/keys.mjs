// Imports keys as they are. A key is never printed whole.
import { readFileSync } from "node:fs";
import { inRoot } from "../base/paths.mjs";
import { openTable, readRows } from "./table.mjs";

const columns = {
  account: "account, username, حساب, نام کاربری",
  key: "key, api key, کلید",
  title: "title, description, عنوان, شرح",
  scopes: "scopes, scope, دسترسی, دسترسی ها",
};
const keyForm = /^[\x21-\x7e]{16,512}$/;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestTitle = 200;

/** Of a key, at most a quarter. */
const hintOf = (key) => `${key.slice(0, 4)}… (${key.length} characters)`;

const allScopes = () => JSON.parse(readFileSync(inRoot("openapi.json"), "utf8")).components.schemas.AccountScope.enum;

/** Reads the keys of a table: `{keys, bad, unused}`. A key is `{line, account, key, title, scopes}`. */
export async function readKeys(file) {
  const { rows, bad, unused } = readRows(await openTable(file), columns, ["account", "key", "title"]);
  const [keys, lines, known] = [[], new Map(), allScopes()];
  for (const { line, values } of rows) {
    const { faults, ...own } = keyOf(values, known);
    const before = lines.get(own.key);
    if (before !== undefined) faults.push(`line ${before} has this key already: leave one of them out`);
    lines.set(own.key, line);
    // In a table whose cells are in the wrong places, the account may be a key.
    if (faults.length > 0) bad.push({ line, faults });
    else keys.push({ line, ...own });
  }
  return { keys, bad, unused };
}

function keyOf({ account, key, title, scopes: written = "" }, known) {
  const scopes = written.split(/[\s,;،|]+/).filter(Boolean);
  const faults = [];
  if (account === "") faults.push("the account is empty: its username or its id");
  if (!keyForm.test(key)) faults.push("the key must have 16 to 512 visible ASCII characters");
  if (title === "" || [...title].length > longestTitle)
    faults.push(`the title must have 1 to ${longestTitle} characters`);
  if (!scopes.every((scope) => known.includes(scope))) faults.push(`the scopes must be some of ${known.join(", ")}`);
  return { account, key, title, scopes, faults };
}

/** A step for each key. */
export function keySteps(service, keys) {
  const accounts = new Map();
  return keys.map((own) => ({ line: own.line, name: own.account, look: () => look(service, accounts, own) }));
}

async function look(service, accounts, { account, key, title, scopes }) {
  if (!accounts.has(account)) accounts.set(account, await accountOf(service, account));
  const id = accounts.get(account);
  const hint = hintOf(key);
  if (!id) return { kind: "BAD", note: `${hint}: there is no account "${account}"` };
  const found = await service.ask("POST", "/admin/keys/find", { body: { key }, missing: true, safe: true });
  if (found) return judged(found.data, { id, hint, scopes });
  const body = { title, key, ...(scopes.length > 0 && { scopes }) };
  return {
    kind: "MADE",
    note: `${hint} would be imported with ${scopes.length > 0 ? scopes.join(" ") : "the usual scopes"}`,
    act: async () => {
      await service.ask("POST", `/admin/accounts/${id}/keys`, { body });
      return { kind: "MADE", note: `${hint} imported` };
    },
  };
}

async function accountOf(service, name) {
  if (uuidForm.test(name)) return (await service.ask("GET", `/admin/accounts/${name}`, { missing: true }))?.data.id;
  const listed = await service.all(`/admin/accounts?q=${encodeURIComponent(name)}`);
  return listed.find(({ username }) => username === name)?.id;
}

/** What a key comes to that the service has. */
function judged({ account, username, status, scopes: has }, { id, hint, scopes }) {
  if (account !== id)
    return {
      kind: "BAD",
      note: `${hint} belongs to ${account === null ? "an operator" : `the account "${username}"`}`,
    };
  if (status !== "ACTIVE")
    return { kind: "BAD", note: `${hint} is there and ${status.toLowerCase()}: it does not come back` };
  const isSame = scopes.length === 0 || (scopes.length === has.length && scopes.every((scope) => has.includes(scope)));
  if (!isSame)
    return { kind: "BAD", note: `${hint} is there with other scopes, which do not change: ${has.join(" ")}` };
  return { kind: "SAME", note: `${hint} is there` };
}
