// How the console asks the API: the same routes that programs use, with the cookie of the session in the place of a key.
import createClient, { type Middleware } from "openapi-fetch";
import { currentSettings } from "../base/settings.ts";
import { problemOf } from "./problem.ts";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];

/** A body of a request. `openapi-fetch` takes a member that may only be `null` for one that only answers have, so it is left out. */
export type BodyOf<Schema> = Schema extends unknown
  ? { [Name in keyof Schema as [NonNullable<Schema[Name]>] extends [never] ? never : Name]: Schema[Name] }
  : never;

/** A form of another site can't send this header, so the service takes the cookie only beside it. */
const consoleHeader = "X-Peyk-Console";

const asThePerson: Middleware = {
  onRequest({ request }) {
    request.headers.set(consoleHeader, "1");
    request.headers.set("Accept-Language", currentSettings().language);
  },
  async onResponse({ request, response }) {
    if (!response.ok) throw await problemOf(response, request.method);
  },
};

export const client = createClient<paths, "application/json">({ baseUrl: location.origin });
client.use(asThePerson);

/** The body of an answer. An answer that is an error never comes here: it is thrown before. */
export async function answer<Body>(pending: Promise<{ data?: Body | undefined }>): Promise<Body> {
  return (await pending).data as Body;
}

/** The `data` of an answer alone. */
export async function dataOf<Data>(pending: Promise<{ data?: { data: Data } | undefined }>): Promise<Data> {
  return (await answer(pending)).data;
}
