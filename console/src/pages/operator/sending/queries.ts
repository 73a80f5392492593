import { queryOptions } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";

export const sendingQuery = queryOptions({
  queryKey: ["sending"],
  queryFn: async ({ signal }) => (await answer(client.GET("/admin/sending", { signal }))).data,
  refetchInterval: 15_000,
});
