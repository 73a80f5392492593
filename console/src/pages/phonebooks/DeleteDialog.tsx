import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { type Phonebook, remove } from "./queries.ts";

type Props = { of: Phonebook; onClose: () => void };

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
      ask={() => remove(of.id)}
      deletes={{ queryKey: ["phonebooks", "one", of.id] }}
      onClose={onClose}
    >
      <p>{t.phonebooks.deleteText(count)}</p>
    </Confirm>
  );
}
