// What is about to be imported into a phonebook. It stands beside the answers of the API, so it goes as they do when another account
// signs in. A browser can't keep a file over a reload.
import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Landlines } from "../compose/numbers.ts";
import type { Mended } from "./entries.ts";
import type { Read } from "./file.ts";
import { guess, type Mapping } from "./mapping.ts";
import type { Table } from "./table.ts";

export type Draft = {
  name: string;
  table: Table;
  /** The sheet that was read of a workbook with several. */
  sheet: string | null;
  mapping: Mapping;
  mended: Mended;
  landlines: Landlines;
};

const draftQuery = (id: string) =>
  queryOptions<Draft | null>({
    queryKey: ["import", id],
    queryFn: skipToken,
    initialData: null,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  });

export const draftOf = (name: string, { table, sheet }: Read): Draft => ({
  name,
  table,
  sheet,
  mapping: guess(table),
  mended: {},
  landlines: "out",
});

export function useDraft(id: string) {
  const queryClient = useQueryClient();
  const query = draftQuery(id);
  const { data: draft } = useQuery(query);
  return { draft, set: (next: Draft | null) => queryClient.setQueryData(query.queryKey, next) };
}
