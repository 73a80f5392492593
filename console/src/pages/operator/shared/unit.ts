import { queryOptions, useQuery } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";

/** Wallets tell the currency of the service, and prices and sums do not. It is the same for all accounts. */
const unitQuery = queryOptions({
  queryKey: ["unit"],
  queryFn: async ({ signal }) => {
    const { data } = await answer(client.GET("/admin/accounts", { params: { query: { limit: 1 } }, signal }));
    return data[0]?.wallet.unit ?? "IRR";
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const useUnit = (): string => useQuery(unitQuery).data ?? "IRR";
