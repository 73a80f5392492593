import { useState } from "react";
import { everything } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../parts/YesNo.tsx";

type Props = { of: { name: string }; remove: (query: { cascade?: "true" }) => Promise<unknown>; onClose: () => void };

export function RemoveDialog({ of, remove, onClose }: Props) {
  const t = useMessages();
  const [cascade, setCascade] = useState(false);
  return (
    <Confirm
      title={t.members.removeTitle(of.name)}
      submit={t.members.removeSubmit}
      keep={t.members.keep}
      kind="danger"
      ask={() => remove(cascade ? { cascade: "true" } : {})}
      // Others who were admitted by the person may be gone too, and the keys that the person has made.
      stale={everything}
      onClose={onClose}
    >
      <p>{t.members.removeText}</p>
      <YesNo label={t.members.cascade} hint={t.members.cascadeHint} value={cascade} onChange={setCascade} />
    </Confirm>
  );
}
