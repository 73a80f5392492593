// What pages ask the API for. A query is told by its route: its key and its type follow from that.
import { type QueryKey, queryOptions, type UndefinedInitialDataOptions } from "@tanstack/react-query";
import { answer, client } from "./client.ts";
import type { paths } from "./schema.d.ts";

export type Route = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths];
type Operation<Path extends Route> = paths[Path] extends { get: infer Get } ? Get : never;
export type Body<Path extends Route> =
  Operation<Path> extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never;
type Data<Path extends Route> = Body<Path> extends { data: infer Data } ? Data : never;

/** A filter that was written into the address by hand may be none that there is: then the service says so. */
type Filters<Query> = { [Name in keyof Query]?: Query[Name] | string | null | undefined };
type QueryOf<Path extends Route> =
  Operation<Path> extends { parameters: { query?: infer Query } } ? { query?: Filters<Query> } : object;
type PathOf<Path extends Route> =
  Operation<Path> extends { parameters: { path: infer Names } } ? { path: Names } : object;
type Params<Path extends Route> = QueryOf<Path> & PathOf<Path>;

/** What else react-query takes, such as how often something is asked for again. */
type Options<Answer> = Omit<UndefinedInitialDataOptions<Answer>, "queryKey" | "queryFn">;
export type Rest<Path extends Route, Answer> =
  object extends Params<Path>
    ? [params?: Params<Path>, options?: Options<Answer>]
    : [params: Params<Path>, options?: Options<Answer>];

type AnyParams = { path?: Record<string, string | number>; query?: Record<string, unknown> };

/** A filter that is empty is none. */
export const filled = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "" && value != null));

/** A key has all that the answer depends on. It begins with a name, by which what has become old is asked for again. */
function keyOf(name: QueryKey, params: object): QueryKey {
  const { path = {}, query }: AnyParams = params;
  return [...name, ...Object.values(path), ...(query ? [filled(query)] : [])];
}

/** Reads a route once. */
export function read<Path extends Route>(path: Path, params: Params<Path>, signal: AbortSignal): Promise<Body<Path>> {
  const { path: names, query = {} }: AnyParams = params as object;
  const init = { params: { path: names, query: filled(query) }, signal };
  return answer(client.GET(path, init as never)) as Promise<Body<Path>>;
}

/** A list with the cursor of its next page. */
export function pageQuery<Path extends Route>(
  name: QueryKey,
  path: Path,
  ...[params = {} as Params<Path>, options]: Rest<Path, Body<Path>>
) {
  return queryOptions({
    ...options,
    queryKey: keyOf(name, params),
    queryFn: ({ signal }) => read(path, params, signal),
  });
}

/** The `data` of an answer alone. */
export function dataQuery<Path extends Route>(
  name: QueryKey,
  path: Path,
  ...[params = {} as Params<Path>, options]: Rest<Path, Data<Path>>
) {
  return queryOptions({
    ...options,
    queryKey: keyOf(name, params),
    queryFn: async ({ signal }): Promise<Data<Path>> => {
      const body: { data: Data<Path> } = (await read(path, params, signal)) as never;
      return body.data;
    },
  });
}
