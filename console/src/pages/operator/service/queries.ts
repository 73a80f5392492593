import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type UsageSum = Schemas["UsageSum"];
export type Health = Schemas["ServiceHealth"];

const waits = { health: 10_000, usage: 60_000, checks: 600_000 };
const all = 200;

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: async ({ signal }) => (await answer(client.GET("/admin/health", { signal }))).data,
  refetchInterval: waits.health,
});

const usage = async (by: UsageSum["by"], from: string, to: string, signal: AbortSignal) =>
  (await answer(client.GET("/admin/usage", { params: { query: { by, from, to, limit: all } }, signal }))).data;

export const usageQuery = (by: "day" | "carrier", from: string, to: string) =>
  queryOptions({
    queryKey: ["usage", "overview", by, from, to],
    queryFn: ({ signal }) => usage(by, from, to, signal),
    refetchInterval: waits.usage,
  });

/** How many recipients and how many accounts have sent to today, in UTC. */
export const todayQuery = queryOptions({
  queryKey: ["usage", "today"],
  queryFn: async ({ signal }) => {
    const today = new Date().toISOString().slice(0, 10);
    const sums = await usage("account", today, today, signal);
    return { recipients: sums.reduce((sum, { recipients }) => sum + recipients, 0), accounts: sums.length };
  },
});

/** Whether money and messages agree. Each look asks the accounts themselves, so it looks at a few and seldom. */
export const differencesQuery = queryOptions({
  queryKey: ["reconciliation", "overview"],
  queryFn: async ({ signal }) => {
    const { data } = await answer(client.GET("/admin/reconciliation", { params: { query: { limit: 20 } }, signal }));
    const differ = (report: Schemas["Report"] | null) => (report?.differences.length ?? 0) > 0;
    return data.filter(({ now, nightly }) => differ(now) || differ(nightly)).length;
  },
  staleTime: waits.checks,
});
