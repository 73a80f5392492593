import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Estimate = Schemas["Estimate"];
export type Send = { message: string; recipients: string[]; sourceNumber: string };

/** How long nobody has typed before the service is asked, ms. */
const rest = 400;

/** Ends early when the query is no longer wanted: so only the last of several keystrokes asks the service. */
const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, rest);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export const linesQuery = queryOptions({
  queryKey: ["lines"],
  queryFn: async ({ signal }) =>
    (await answer(client.GET("/lines", { params: { query: { limit: 200 } }, signal }))).data,
  staleTime: 60_000,
});

export const estimateQuery = (send: Send) =>
  queryOptions({
    queryKey: ["estimate", send],
    queryFn: async ({ signal }) => {
      await pause(signal);
      return (await answer(client.POST("/sms/estimate", { body: { send }, signal }))).data;
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export async function send(body: Send, idempotencyKey: string) {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  return (await answer(client.POST("/sms/send", { params, body }))).data;
}
