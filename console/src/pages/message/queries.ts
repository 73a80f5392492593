import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";

/** How often a message is looked at while it is sent, and while it waits for its time, ms. */
const waits = { sent: 3_000, scheduled: 30_000 };

function again(message: Schemas["MessageDetail"] | undefined): number | false {
  if (!message || message.status === "DONE" || message.status === "CANCELED") return false;
  return message.status === "SCHEDULED" ? waits.scheduled : waits.sent;
}

export const messageQuery = (uid: string) =>
  dataQuery(
    ["messages", "one"],
    "/messages/{uid}",
    { path: { uid } },
    { refetchInterval: ({ state }) => again(state.data) },
  );
