import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";
import { timesOf } from "../../parts/days.ts";

export type Entry = Schemas["Transaction"];
export type Filters = { type: string; from: string; to: string };

/** An entry's kind that was written into the address by hand may be none that there is: then the service says so. */
const parametersOf = ({ type, from, to }: Filters) => ({
  ...(type && { type: type as Entry["type"] }),
  ...timesOf(from, to),
});

export const entriesQuery = (filters: Filters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["account", "transactions", { ...filters, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...parametersOf(filters), ...(cursor && { cursor }) };
      return answer(client.GET("/account/transactions", { params: { query }, signal }));
    },
  });

/** The same entries as a file. */
export async function entriesFile(filters: Filters): Promise<Blob> {
  const query = { ...parametersOf(filters), format: "csv" as const };
  return answer(client.GET("/account/transactions", { params: { query }, parseAs: "blob" }));
}
