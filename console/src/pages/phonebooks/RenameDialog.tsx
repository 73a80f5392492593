import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { change, type Phonebook } from "./queries.ts";
import { hasTitle, TitleFields } from "./TitleFields.tsx";

export function RenameDialog({ of, onClose }: { of: Phonebook; onClose: () => void }) {
  const t = useMessages();
  const [titles, setTitles] = useState({ title: of.title, description: of.description ?? "" });
  const [isTried, setIsTried] = useState(false);
  const save = useChange(() => change(of.id, titles), { stale: [["phonebooks"]], onDone: onClose });
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
