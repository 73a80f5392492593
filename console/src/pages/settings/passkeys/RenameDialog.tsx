import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { useMessages } from "../../../base/messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { type Passkey, passkeysQuery, rename } from "./queries.ts";
import { TitleField } from "./TitleField.tsx";

export function RenameDialog({ of, onClose }: { of: Passkey; onClose: () => void }) {
  const t = useMessages();
  const [title, setTitle] = useState(of.title);
  const save = useChange(() => rename(of.id, title.trim()), { stale: [passkeysQuery.queryKey], onDone: onClose });
  const submit = () => {
    if (title.trim() !== "") save.mutate();
  };
  return (
    <ConfirmDialog
      title={t.passkeys.renameTitle}
      submit={t.passkeys.renameSubmit}
      change={save}
      onSubmit={submit}
      isForm
      onClose={onClose}
    >
      <TitleField value={title} isTried onChange={setTitle} />
    </ConfirmDialog>
  );
}
