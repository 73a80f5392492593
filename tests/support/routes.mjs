import { readFileSync } from "node:fs";
import { inRoot } from "../../scripts/lib/paths.mjs";

const scopes = {
  SEND: "sms:send",
  READ: "sms:read",
  ACCOUNT: "account:read",
  PHONEBOOK: "phonebook",
  PATTERN: "pattern",
  BLACKLIST: "blacklist",
  ADMIN: "admin",
};

const source = readFileSync(inRoot("src/routes.rs"), "utf8");

/** How many rows the table has, however they are written: none may be overlooked. */
export const rowsInSource = () => source.match(/^ {4}route\(/gm).length;

/** The service's own table of routes: a route that is added is tested, or the tests say that it is not. */
export function routes() {
  const rows = [
    ...source.matchAll(/^ {4}route\(\s*"([A-Z]+)",\s*"([^"]+)",\s*(\w+(?:::\w+)?),\s*Endpoint::(\w+),?\s*\),/gm),
  ];
  return rows.map(([, method, path, access, endpoint]) => ({
    method,
    path,
    endpoint,
    scope: access === "Access::Public" ? null : known(access),
  }));
}

function known(access) {
  if (!(access in scopes)) throw new Error(`src/routes.rs has an access that the tests do not know: ${access}`);
  return scopes[access];
}
