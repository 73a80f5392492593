import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { change, type Phonebook } from "./queries.ts";
import { hasTitle, TitleFields } from "./TitleFields.tsx";

export function RenameDialog({ of, onClose }: { of: Phonebook; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [titles, setTitles] = useState({ title: of.title, description: of.description ?? "" });
  const [isTried, setIsTried] = useState(false);
  const save = useMutation({
    mutationFn: () => change(of.id, titles),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["phonebooks"] });
      onClose();
    },
  });
  const submit = () => {
    setIsTried(true);
    if (hasTitle(titles)) save.mutate();
  };
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <ConfirmDialog
      title={t.phonebooks.renameTitle}
      submit={t.phonebooks.save}
      keep={t.form.cancel}
      kind="main"
      isPending={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submitForm} noValidate>
        <TitleFields value={titles} isTried={isTried} onChange={setTitles} />
        <input type="submit" hidden />
      </form>
    </ConfirmDialog>
  );
}
