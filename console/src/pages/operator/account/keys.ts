import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type NewKey = Schemas["NewKey"];
export type AccountScope = Schemas["AccountScope"];

const at = (id: string) => ({ path: { id } });

export const keysQuery = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["keys", "account", id, { cursor }],
    queryFn: ({ signal }) => {
      const params = { ...at(id), query: cursor ? { cursor } : {} };
      return answer(client.GET("/admin/accounts/{id}/keys", { params, signal }));
    },
  });

export const issueKey = async (id: string, body: NewKey) =>
  (await answer(client.POST("/admin/accounts/{id}/keys", { params: at(id), body }))).data.key;

export async function revokeKey(id: string, key: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  return (await answer(client.DELETE("/admin/accounts/{id}/keys/{key}", { params: { path: { id, key }, query } })))
    ?.data;
}

export const rotateKey = async (id: string, key: string, graceSeconds: number) =>
  (
    await answer(
      client.POST("/admin/accounts/{id}/keys/{key}/rotate", { params: { path: { id, key } }, body: { graceSeconds } }),
    )
  ).data.key;
