import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { TitleField } from "./TitleField.tsx";

export function RenameDialog({ of, onClose }: { of: Schemas["Passkey"]; onClose: () => void }) {
  const t = useMessages();
  const [title, setTitle] = useState(of.title);
  const save = useChange(
    () =>
      answer(
        client.PATCH("/console/passkeys/{id}", { params: { path: { id: of.id } }, body: { title: title.trim() } }),
      ),
    { stale: [["passkeys"]], onDone: onClose },
  );
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
