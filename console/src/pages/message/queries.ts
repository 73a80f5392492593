import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type MessageDetail = Schemas["MessageDetail"];
export type RecipientStatus = Schemas["RecipientStatus"];

/** How often a message is looked at while it is sent, and while it waits for its time, ms. */
const waits = { sent: 3_000, scheduled: 30_000 };

function again(message: MessageDetail | undefined): number | false {
  if (!message || message.status === "DONE" || message.status === "CANCELED") return false;
  return message.status === "SCHEDULED" ? waits.scheduled : waits.sent;
}

export const messageQuery = (uid: string) =>
  queryOptions({
    queryKey: ["messages", "one", uid],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/messages/{uid}", { params: { path: { uid } }, signal }))).data,
    refetchInterval: ({ state }) => again(state.data),
  });

/** `state` changes whenever a recipient has moved: then the list is asked for again. */
export const recipientsQuery = (uid: string, status: string, cursor: string | undefined, state: string) =>
  queryOptions({
    queryKey: ["messages", "recipients", uid, { status, cursor, state }],
    queryFn: ({ signal }) => {
      const query = { ...(status && { status: status as RecipientStatus }), ...(cursor && { cursor }) };
      return answer(client.GET("/messages/{uid}/recipients", { params: { path: { uid }, query }, signal }));
    },
  });
