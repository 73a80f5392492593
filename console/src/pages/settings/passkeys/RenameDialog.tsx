import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../base/messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { type Passkey, passkeysQuery, rename } from "./queries.ts";
import { TitleField } from "./TitleField.tsx";

export function RenameDialog({ of, onClose }: { of: Passkey; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [title, setTitle] = useState(of.title);
  const save = useMutation({
    mutationFn: () => rename(of.id, title.trim()),
    onSuccess: () => {
      void queryClient.invalidateQueries(passkeysQuery);
      onClose();
    },
  });
  const submit = () => {
    if (title.trim() !== "") save.mutate();
  };
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <ConfirmDialog
      title={t.passkeys.renameTitle}
      submit={t.passkeys.renameSubmit}
      keep={t.form.cancel}
      kind="main"
      isPending={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submitForm} noValidate>
        <TitleField value={title} isTried onChange={setTitle} />
        <input type="submit" hidden />
      </form>
    </ConfirmDialog>
  );
}
