import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type NewOperatorKey = Pick<Schemas["NewOperatorKey"], "title" | "scopes" | "expiresAt">;
export type OperatorScope = Schemas["OperatorScope"];
export type FoundKey = Schemas["FoundKey"];

export const operatorKeysQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["keys", "operators", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/admin/keys", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

/** Under which title an operator's key is known. There are at most a few pages of keys; the newest one names who acts now. */
export const operatorNamesQuery = queryOptions({
  queryKey: ["keys", "operators", "names"],
  queryFn: async ({ signal }) => {
    const { data } = await answer(client.GET("/admin/keys", { params: { query: { limit: 200 } }, signal }));
    return new Map(data.map(({ id, title }) => [id, title]));
  },
});

export const issueOperatorKey = async (body: NewOperatorKey) =>
  (await answer(client.POST("/admin/keys", { body }))).data;

export async function revokeOperatorKey(key: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  return (await answer(client.DELETE("/admin/keys/{key}", { params: { path: { key }, query } })))?.data;
}

export const rotateOperatorKey = async (key: string, graceSeconds: number) =>
  (await answer(client.POST("/admin/keys/{key}/rotate", { params: { path: { key } }, body: { graceSeconds } }))).data
    .key;

export const findKey = async (key: string) => (await answer(client.POST("/admin/keys/find", { body: { key } }))).data;
