// What more than one file of the operators' pages asks for, and changes.
import { type BodyOf, client, dataOf, type Schemas } from "../../api/client.ts";
import { dataQuery, pageQuery } from "../../api/queries.ts";

/** So many of a list are read where all of it is needed. */
const limit = 200;

export const accountQuery = (id: string) => dataQuery(["accounts", "one"], "/admin/accounts/{id}", { path: { id } });

export const changeAccount = (id: string, body: Schemas["AccountChange"]) =>
  dataOf(client.PATCH("/admin/accounts/{id}", { params: { path: { id } }, body }));

/** What an account has not sent. A dialog that says what it will do needs the numbers of now. */
export const unsentQuery = (id: string) =>
  dataQuery(
    ["accounts", "unsent"],
    "/admin/accounts/{id}/unsent",
    { path: { id } },
    { staleTime: 0, refetchInterval: 15_000 },
  );

/** The first 200 lines. */
const someLinesQuery = (name: string, of: string) =>
  dataQuery(["lines", name, of], "/admin/lines", { query: { limit } });

/** The lines that an account may use. */
export const linesOfAccountQuery = (id: string) => ({
  ...someLinesQuery("of", id),
  select: (lines: Schemas["Line"][]) => lines.filter(({ shared, accounts }) => shared || accounts.includes(id)),
});

/** The lines that have a route to a carrier. */
export const linesOfCarrierQuery = (carrier: string) => ({
  ...someLinesQuery("of-carrier", carrier),
  select: (lines: Schemas["Line"][]) =>
    lines.filter(({ routes }) =>
      routes.some(({ carriers, backup }) => [...carriers, ...backup].some(({ name }) => name === carrier)),
    ),
});

/** How often the state of carriers is asked for while somebody looks, ms. */
const live = 4_000;

/** There may be a hundred carriers, so a page has them all. */
export const carriersQuery = (q: string | null) =>
  dataQuery(["carriers", "list"], "/admin/carriers", { query: { limit, q } }, { refetchInterval: live });

export const carrierQuery = (name: string) =>
  dataQuery(["carriers", "one"], "/admin/carriers/{name}", { path: { name } }, { refetchInterval: live });

/** Changes a carrier, and shows at once what has become of it. A change may have a password. */
export const carrierChange = (name: string, body: Schemas["CarrierChange"]) => ({
  ask: () => dataOf(client.PATCH("/admin/carriers/{name}", { params: { path: { name } }, body })),
  stale: [["carriers"]],
  replaces: carrierQuery(name),
  isSecret: true,
});

export const lineQuery = (number: string) =>
  dataQuery(["lines", "one"], "/admin/lines/{number}", { path: { number } }, { refetchInterval: 15_000 });

/** Changes a line, and shows at once what has become of it. */
export const lineChange = (number: string, body: BodyOf<Schemas["AnyLineChange"]>) => ({
  ask: () => dataOf(client.PATCH("/admin/lines/{number}", { params: { path: { number } }, body })),
  stale: [["lines"]],
  replaces: lineQuery(number),
});

/** Operators' keys. There are at most a few pages of keys; the newest one names who acts now. */
const newestKeysQuery = dataQuery(["keys", "operators", "names"], "/admin/keys", { query: { limit } });

/** Under which title an operator's key is known. */
export const operatorNamesQuery = {
  ...newestKeysQuery,
  select: (keys: Schemas["OperatorKey"][]) => new Map(keys.map(({ id, title }) => [id, title])),
};

/** What waits for an operator's approval. */
export const pendingQuery = (cursor?: string | null) =>
  pageQuery(["patterns", "pending"], "/admin/patterns", { query: { cursor } });

/** A list is asked for again while somebody looks at it. */
export const deadLettersQuery = (query: { account?: string; kind: string; cursor?: string | null }) =>
  pageQuery(["dead-letters", "list"], "/admin/dead-letters", { query }, { refetchInterval: 15_000 });

export const creditsQuery = (status: string, cursor?: string | null) =>
  pageQuery(
    ["credits"],
    "/admin/credits",
    { query: { limit: 20, status: status === "all" ? "" : status, cursor } },
    { refetchInterval: 30_000 },
  );

export const sendingQuery = dataQuery(["sending"], "/admin/sending", {}, { refetchInterval: 15_000 });
