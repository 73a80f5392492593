import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type PendingVersion = Schemas["PendingVersion"];
export type Variable = Schemas["Variable"];

export const pendingQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["patterns", "pending", { cursor }],
    queryFn: ({ signal }) =>
      answer(client.GET("/admin/patterns", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export async function approve({ account, slug, version }: PendingVersion) {
  const path = { id: account, slug, n: version.version };
  await answer(client.POST("/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", { params: { path } }));
}
