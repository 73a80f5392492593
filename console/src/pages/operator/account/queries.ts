import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Account = Schemas["Account"];
export type AccountChange = Schemas["AccountChange"];
export type PendingCredit = Schemas["PendingCredit"];

const at = (id: string) => ({ params: { path: { id } } });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ["accounts", "one", id],
    queryFn: async ({ signal }) => (await answer(client.GET("/admin/accounts/{id}", { ...at(id), signal }))).data,
  });

export const lowBalanceQuery = (id: string) =>
  queryOptions({
    queryKey: ["accounts", "one", id, "low-balance"],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/accounts/{id}/low-balance", { ...at(id), signal }))).data,
  });

/** How often it is counted again what has not left, ms. */
const unsentEvery = 15_000;

export const unsentQuery = (id: string) =>
  queryOptions({
    queryKey: ["accounts", "one", id, "unsent"],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/accounts/{id}/unsent", { ...at(id), signal }))).data,
    // A dialog that says what it will do needs the numbers of now.
    staleTime: 0,
    refetchInterval: unsentEvery,
  });

/** The lines that an account may use, of the first 200. */
export const linesQuery = (id: string) =>
  queryOptions({
    queryKey: ["lines", "of", id],
    queryFn: async ({ signal }) => {
      const { data } = await answer(client.GET("/admin/lines", { params: { query: { limit: 200 } }, signal }));
      return data.filter(({ shared, accounts }) => shared || accounts.includes(id));
    },
  });

export const changeAccount = async (id: string, body: AccountChange) =>
  (await answer(client.PATCH("/admin/accounts/{id}", { ...at(id), body }))).data;

export const setLowBalance = async (id: string, lowBalance: number | null) =>
  (await answer(client.PUT("/admin/accounts/{id}/low-balance", { ...at(id), body: { lowBalance } }))).data;

export type CreditOrder = { amount: number; note: string; idempotencyKey: string };

/** The answer is a wallet; above the limit of the service it is a credit that waits for a second operator. */
export async function addCredit(id: string, { amount, note, idempotencyKey }: CreditOrder) {
  const { data } = await answer(
    client.POST("/admin/accounts/{id}/credit", {
      params: { path: { id }, header: { "Idempotency-Key": idempotencyKey } },
      body: { amount, ...(note && { note }) },
    }),
  );
  return data;
}

/** One request may be too little for all of it. The rest does not leave meanwhile, so the next one goes on. */
export async function cancelAll(id: string) {
  let canceled = 0;
  for (;;) {
    const { data } = await answer(client.POST("/admin/accounts/{id}/cancel", at(id)));
    canceled += data.canceled;
    if (data.complete) return { canceled, withCarriers: data.withCarriers };
  }
}
