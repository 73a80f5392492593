import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "../compose/numbers.ts";
import { type Attribute, AttributeFields, attributesOf } from "./AttributeFields.tsx";

export function EditDialog({
  phonebookId,
  of,
  onClose,
}: {
  phonebookId: string;
  of: Schemas["Number"];
  onClose: () => void;
}) {
  const t = useMessages();
  const [number, setNumber] = useState<string>(of.number);
  const [name, setName] = useState(of.name ?? "");
  const [attributes, setAttributes] = useState(
    Object.entries(of.attributes).map(([title, value], id): Attribute => ({ id, title, value })),
  );
  const isNumber = numberOf(number) !== null;
  const save = useChange(
    () => {
      const params = { path: { phonebookId, numberId: of.id } };
      const body = { number, name: name.trim() || null, attributes: attributesOf(attributes) };
      return answer(client.PUT("/phonebook/number/{phonebookId}/{numberId}", { params, body }));
    },
    { stale: [["phonebooks"]], onDone: onClose },
  );
  const submit = () => {
    if (isNumber) save.mutate();
  };
  return (
    <ConfirmDialog
      title={t.phonebook.editTitle}
      submit={t.phonebooks.save}
      change={save}
      onSubmit={submit}
      isForm
      onClose={onClose}
    >
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
    </ConfirmDialog>
  );
}
