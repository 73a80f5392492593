import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Line = Schemas["Line"];
export type Route = Schemas["Route"];

export const linesQuery = (q: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["lines", "list", { q, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(q && { q }), ...(cursor && { cursor }) };
      return answer(client.GET("/admin/lines", { params: { query }, signal }));
    },
    refetchInterval: 15_000,
  });
