import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/change.ts";
import { useSession } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { PasskeyProblem } from "../../../parts/PasskeyProblem.tsx";
import { add, type Member, type Passkey, passkeysQuery } from "./queries.ts";
import { TitleField } from "./TitleField.tsx";

type Props = { member: Member; known: Passkey[]; onClose: () => void };

/** Asks what the passkey is to be called, and then lets the device make it. */
export function AddForm({ member, known, onClose }: Props) {
  const t = useMessages();
  const { title: name } = useSession();
  const [title, setTitle] = useState("");
  const [isTried, setIsTried] = useState(false);
  const make = useChange(() => add(title.trim(), member, name, known), {
    stale: [passkeysQuery.queryKey],
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (title.trim() !== "") make.mutate();
  };
  return (
    <form className="stack narrow" onSubmit={submit} noValidate>
      <TitleField value={title} isTried={isTried} onChange={setTitle} />
      <p className="faint">{t.passkeys.addText}</p>
      {make.error && <PasskeyProblem error={make.error} />}
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {t.form.cancel}
        </Button>
        <Button type="submit" isPending={make.isPending}>
          {t.passkeys.addSubmit}
        </Button>
      </div>
    </form>
  );
}
