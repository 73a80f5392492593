import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Key = Schemas["OwnKey"];
export type NewKey = Omit<Schemas["NewOwnKey"], "key">;
export type IssuedKey = Schemas["IssuedKey"];

export const keysQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["keys", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/keys", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const issue = async (body: NewKey) => (await answer(client.POST("/keys", { body }))).data;

export async function revoke(id: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  await answer(client.DELETE("/keys/{id}", { params: { path: { id }, query } }));
}
