import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { bodyOf, hasTitle, TitleFields } from "./TitleFields.tsx";

export function RenameDialog({ of, onClose }: { of: Schemas["Phonebook"]; onClose: () => void }) {
  const t = useMessages();
  const [titles, setTitles] = useState({ title: of.title, description: of.description ?? "" });
  const [isTried, setIsTried] = useState(false);
  const save = useChange(
    () => dataOf(client.PUT("/phonebook/{id}", { params: { path: { id: of.id } }, body: bodyOf(titles) })),
    { stale: [["phonebooks"]], onDone: onClose },
  );
  const submit = () => {
    setIsTried(true);
    if (hasTitle(titles)) save.mutate();
  };
  return (
    <ConfirmDialog
      title={t.phonebooks.renameTitle}
      submit={t.phonebooks.save}
      change={save}
      onSubmit={submit}
      isForm
      onClose={onClose}
    >
      <TitleFields value={titles} isTried={isTried} onChange={setTitles} />
    </ConfirmDialog>
  );
}
