import { client, dataOf, type Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

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

/** Says in numbers what a cancel does before it is done. */
export function CancelDialog({ message, onClose }: { message: Schemas["MessageDetail"]; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const { uid } = message;
  const people = format.number(message.recipientCount);
  return (
    <Confirm
      title={t.message.cancelTitle}
      submit={t.message.cancelSubmit(people)}
      keep={t.message.keep}
      kind="danger"
      ask={() => dataOf(client.DELETE("/messages/{uid}", { params: { path: { uid } } }))}
      stale={[["account"], ["messages"]]}
      replaces={messageQuery(uid)}
      onClose={onClose}
    >
      <p>{t.message.cancelText(people, format.money(message.cost, message.unit))}</p>
    </Confirm>
  );
}
