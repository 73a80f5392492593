import { type ReactNode, useState } from "react";
import { useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { TextField } from "../../parts/TextField.tsx";

type Props = {
  /** What the person may do, of which a role or some scopes are chosen. */
  rights: (isTried: boolean) => ReactNode;
  hasRights: boolean;
  add: (person: { name: string; phone: string }) => Promise<unknown>;
  onClose: () => void;
};

/** Admits a person who signs in by phone, to an account or to the service. */
export function PersonForm({ rights, hasRights, add, onClose }: Props) {
  const t = useMessages();
  const [name, setName] = useState("");
  const [phone, setPhone] = useState("");
  const [isTried, setIsTried] = useState(false);
  const make = useChange({
    ask: () => add({ name: name.trim(), phone: phone.trim() }),
    stale: [["members"]],
    onDone: onClose,
  });
  const submit = () => {
    setIsTried(true);
    if (name.trim() !== "" && phone.trim() !== "" && hasRights) make.mutate();
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{t.members.addTitle}</h2>
      <TextField
        label={t.members.name}
        error={isTried && name.trim() === "" ? t.members.noName : undefined}
        value={name}
        onChange={setName}
        autoFocus
      />
      <TextField
        label={t.members.phone}
        error={isTried && phone.trim() === "" ? t.members.noPhone : undefined}
        type="tel"
        isCode
        value={phone}
        onChange={setPhone}
      />
      {rights(isTried)}
      <FormActions submit={t.members.addSubmit} change={make} onCancel={onClose} />
    </Form>
  );
}
