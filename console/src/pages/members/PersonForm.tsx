import { type ReactNode, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
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
  const hasName = name.trim() !== "";
  const hasPhone = phone.trim() !== "";
  return (
    <ChangeForm
      title={t.members.addTitle}
      submit={t.members.addSubmit}
      isWhole={hasName && hasPhone && hasRights}
      ask={() => add({ name: name.trim(), phone: phone.trim() })}
      stale={[["members"]]}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <TextField
            label={t.members.name}
            error={isTried && !hasName ? t.members.noName : undefined}
            value={name}
            onChange={setName}
            autoFocus
          />
          <TextField
            label={t.members.phone}
            error={isTried && !hasPhone ? t.members.noPhone : undefined}
            type="tel"
            isCode
            value={phone}
            onChange={setPhone}
          />
          {rights(isTried)}
        </>
      )}
    </ChangeForm>
  );
}
