import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Endpoint = Schemas["Endpoint"];
export type EndpointWithSecret = Schemas["EndpointWithSecret"];
export type EventType = Schemas["EventType"];
export type Delivery = Schemas["Delivery"];
export type DeliveryWithRequest = Schemas["DeliveryWithRequest"];

/** How often deliveries are looked at while one of them is about to be tried, and otherwise, ms. */
const waits = { soon: 3_000, later: 20_000 };

function waitFor(deliveries: Delivery[]): number {
  const soon = Date.now() + waits.later;
  const isSoon = deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) < soon);
  return isSoon ? waits.soon : waits.later;
}

export const endpointsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["webhooks", "list", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/webhook", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", "one", id],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/webhook/{id}", { params: { path: { id } }, signal }))).data,
  });

export const deliveriesQuery = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["webhooks", "deliveries", id, { cursor }],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: cursor ? { cursor } : {} };
      return answer(client.GET("/webhook/{id}/deliveries", { params, signal }));
    },
    refetchInterval: ({ state }) => waitFor(state.data?.data ?? []),
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ["webhooks", "deliveries", id, "one", deliveryId],
    queryFn: async ({ signal }) => {
      const params = { path: { id, deliveryId } };
      return (await answer(client.GET("/webhook/{id}/deliveries/{deliveryId}", { params, signal }))).data;
    },
    refetchInterval: ({ state }) => waitFor(state.data ? [state.data] : []),
  });

/** What people set of an endpoint. */
export type Settings = { url: string; events: EventType[]; description: string | null; lowBalance: number | null };

export async function create(body: Settings) {
  return (await answer(client.POST("/webhook", { body: { ...body, active: true } }))).data;
}

export async function change(id: string, body: Partial<Settings> & { active?: boolean }) {
  return (await answer(client.PUT("/webhook/{id}", { params: { path: { id } }, body }))).data;
}

export async function rotate(id: string) {
  return (await answer(client.POST("/webhook/{id}/rotate", { params: { path: { id } } }))).data;
}

export async function sendTest(id: string) {
  await answer(client.POST("/webhook/{id}/test", { params: { path: { id } } }));
}

export async function remove(id: string) {
  await answer(client.DELETE("/webhook/{id}", { params: { path: { id } } }));
}

export async function redeliver(id: string, deliveryId: string) {
  const path = { id, deliveryId };
  await answer(client.POST("/webhook/{id}/deliveries/{deliveryId}/redeliver", { params: { path } }));
}
