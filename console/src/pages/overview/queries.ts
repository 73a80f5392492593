import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type UsageDay = Schemas["UsageDay"];

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async ({ signal }) => (await answer(client.GET("/account/info", { signal }))).data,
});

export type Outcomes = Schemas["Outcomes"];

export const outcomesQuery = queryOptions({
  queryKey: ["account", "outcomes"],
  queryFn: async ({ signal }) => (await answer(client.GET("/account/outcomes", { signal }))).data,
});

/** How often the overview looks whether something still waits, ms. */
const unsentEvery = 15_000;

export const unsentQuery = queryOptions({
  queryKey: ["account", "unsent"],
  queryFn: async ({ signal }) => (await answer(client.GET("/account/unsent", { signal }))).data,
  refetchInterval: unsentEvery,
});

export const lowBalanceQuery = queryOptions({
  queryKey: ["account", "low-balance"],
  queryFn: async ({ signal }) => (await answer(client.GET("/account/low-balance", { signal }))).data,
});

export const usageQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ["account", "usage", from, to],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/account/usage", { params: { query: { from, to } }, signal }))).data,
  });

export const scheduledQuery = queryOptions({
  queryKey: ["messages", "scheduled"],
  queryFn: async ({ signal }) =>
    (await answer(client.GET("/messages", { params: { query: { status: "SCHEDULED", limit: 5 } }, signal }))).data,
});

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks", "warnings"],
  queryFn: async ({ signal }) => (await answer(client.GET("/webhook", { signal }))).data,
});
