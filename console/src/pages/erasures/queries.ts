import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Erasure = Schemas["Erasure"];

/** How often running orders are looked at, ms. They run for hours. */
const often = 60_000;

export const erasuresQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["erasures", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/erasures", { params: { query: cursor ? { cursor } : {} }, signal })),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === "RUNNING") ? often : false),
  });

export const erase = async (number: string) => (await answer(client.POST("/erasures", { body: { number } }))).data;
