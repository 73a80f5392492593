import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type AccountSummary = Schemas["AccountSummary"];

export const accountsQuery = (q: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["accounts", "list", { q, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(q && { q }), ...(cursor && { cursor }) };
      return answer(client.GET("/admin/accounts", { params: { query }, signal }));
    },
  });

export const createAccount = async (body: Schemas["NewAccount"]) =>
  (await answer(client.POST("/admin/accounts", { body }))).data;
