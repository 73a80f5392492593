import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

export function RemoveDialog({
  phonebookId,
  of,
  onClose,
}: {
  phonebookId: string;
  of: Schemas["Number"];
  onClose: () => void;
}) {
  const t = useMessages();
  const format = useFormat();
  const who = [`\u2066${format.phone(of.number)}\u2069`, of.name && `\u2068${of.name}\u2069`]
    .filter(Boolean)
    .join(" · ");
  return (
    <Confirm
      title={t.phonebook.removeTitle}
      submit={t.phonebook.removeSubmit}
      keep={t.phonebooks.keep}
      kind="danger"
      ask={() =>
        answer(
          client.DELETE("/phonebook/number/{phonebookId}/{numberId}", {
            params: { path: { phonebookId, numberId: of.id } },
          }),
        )
      }
      stale={[["phonebooks"]]}
      onClose={onClose}
    >
      <p>{t.phonebook.removeText(who)}</p>
    </Confirm>
  );
}
