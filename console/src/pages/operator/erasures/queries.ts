import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Erasure = Schemas["Erasure"];

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

export const erasuresQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["erasures", { cursor }],
    queryFn: ({ signal }) =>
      answer(client.GET("/admin/erasures", { params: { query: cursor ? { cursor } : {} }, signal })),
    refetchInterval: often,
  });

export const startErasure = async (number: string) =>
  (await answer(client.POST("/admin/erasures", { body: { number } }))).data;
