import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Reconciliation = Schemas["Reconciliation"];
export type Report = Schemas["Report"];

/** Each account of a page is checked when it is asked for, so a page has few of them, and is not asked for by itself. */
const aPage = 20;

export const reconciliationQuery = (account: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["reconciliation", { account, cursor }],
    queryFn: ({ signal }) => {
      const query = { limit: aPage, ...(account && { account }), ...(cursor && { cursor }) };
      return answer(client.GET("/admin/reconciliation", { params: { query }, signal }));
    },
    refetchOnWindowFocus: false,
  });
