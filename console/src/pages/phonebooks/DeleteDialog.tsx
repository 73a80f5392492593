import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { phonebookQuery } from "../queries.ts";

type Props = { of: Schemas["Phonebook"]; onClose: () => void };

export function DeleteDialog({ of, onClose }: Props) {
  const t = useMessages();
  const format = useFormat();
  const count = format.number(of.count);
  return (
    <Confirm
      title={t.phonebooks.deleteTitle(of.title)}
      submit={t.phonebooks.deleteSubmit(count)}
      keep={t.phonebooks.keep}
      kind="danger"
      ask={() => answer(client.DELETE("/phonebook/{id}", { params: { path: { id: of.id } } }))}
      deletes={phonebookQuery(of.id)}
      onClose={onClose}
    >
      <p>{t.phonebooks.deleteText(count)}</p>
    </Confirm>
  );
}
