import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Carrier = Schemas["Carrier"];
export type CarrierState = Schemas["CarrierHealth"]["state"];

/** How often the state of carriers is asked for while somebody looks, ms. */
export const live = 4_000;
/** There may be a hundred carriers, so a page has them all. */
const all = 200;

export const carriersQuery = (q: string) =>
  queryOptions({
    queryKey: ["carriers", "list", q],
    queryFn: async ({ signal }) => {
      const query = { limit: all, ...(q && { q }) };
      return (await answer(client.GET("/admin/carriers", { params: { query }, signal }))).data;
    },
    refetchInterval: live,
  });
