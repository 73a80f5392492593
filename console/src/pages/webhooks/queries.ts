import { answer, client, type Schemas } from "../../api/client.ts";
import { dataQuery, pageQuery } from "../../api/queries.ts";

export const endpointQuery = (id: string) => dataQuery(["webhooks", "one"], "/webhook/{id}", { path: { id } });

export const deliveriesQuery = (id: string, cursor: string | null) =>
  pageQuery(
    ["webhooks", "deliveries"],
    "/webhook/{id}/deliveries",
    { path: { id }, query: { cursor } },
    { refetchInterval: ({ state }) => waitFor(state.data?.data ?? []) },
  );

/** Sends a delivery once more. */
export const redeliver = (id: string, deliveryId: string) =>
  answer(client.POST("/webhook/{id}/deliveries/{deliveryId}/redeliver", { params: { path: { id, deliveryId } } }));

/** How often deliveries are looked at while one of them is about to be tried, and otherwise, ms. */
const waits = { soon: 3_000, later: 20_000 };

export function waitFor(deliveries: Schemas["Delivery"][]): number {
  const soon = Date.now() + waits.later;
  const isSoon = deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) < soon);
  return isSoon ? waits.soon : waits.later;
}
