import { useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../../api/queries.ts";

/** Wallets tell the currency of the service, and prices and sums do not. It is the same for all accounts. */
const unitQuery = dataQuery(["unit"], "/admin/accounts", { query: { limit: 1 } }, { staleTime: Infinity });

export const useUnit = (): string => useQuery(unitQuery).data?.[0]?.wallet.unit ?? "IRR";
