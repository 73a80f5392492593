import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "../compose/numbers.ts";
import { type Attribute, AttributeFields, attributesOf } from "./AttributeFields.tsx";
import { changeNumber, type SavedNumber } from "./queries.ts";

export function EditDialog({
  phonebookId,
  of,
  onClose,
}: {
  phonebookId: string;
  of: SavedNumber;
  onClose: () => void;
}) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [number, setNumber] = useState<string>(of.number);
  const [name, setName] = useState(of.name ?? "");
  const [attributes, setAttributes] = useState(
    Object.entries(of.attributes).map(([title, value], id): Attribute => ({ id, title, value })),
  );
  const isNumber = numberOf(number) !== null;
  const save = useMutation({
    mutationFn: () =>
      changeNumber(phonebookId, of.id, { number, name: name.trim() || null, attributes: attributesOf(attributes) }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["phonebooks"] });
      onClose();
    },
  });
  const submit = () => {
    if (isNumber) save.mutate();
  };
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <ConfirmDialog
      title={t.phonebook.editTitle}
      submit={t.phonebooks.save}
      keep={t.form.cancel}
      kind="main"
      isPending={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submitForm} noValidate>
        <TextField
          label={t.phonebook.number}
          error={isNumber ? undefined : t.phonebook.noNumber}
          isCode
          inputMode="tel"
          autoComplete="off"
          value={number}
          onChange={setNumber}
        />
        <TextField label={t.phonebook.name} maxLength={200} autoComplete="off" value={name} onChange={setName} />
        <AttributeFields value={attributes} onChange={setAttributes} />
        <input type="submit" hidden />
      </form>
    </ConfirmDialog>
  );
}
