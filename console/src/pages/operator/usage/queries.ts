import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type UsageSum = Schemas["UsageSum"];
export type By = UsageSum["by"];
export type Filters = Record<"by" | "from" | "to" | "account" | "line" | "carrier" | "mode", string>;

/** What was written into the address by hand may be none that there is: then the service says so. */
export const usageQuery = ({ by, mode, ...filters }: Filters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["usage", { by, mode, ...filters, cursor }],
    queryFn: ({ signal }) => {
      const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
      const query = { limit: 200, by: by as By, mode: mode as "live" | "test", ...set, ...(cursor && { cursor }) };
      return answer(client.GET("/admin/usage", { params: { query }, signal }));
    },
  });
