import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { type MessageDetail, messageQuery } from "./queries.ts";

/** Says in numbers what a cancel does before it is done. */
export function CancelDialog({ message, onClose }: { message: MessageDetail; onClose: () => void }) {
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
