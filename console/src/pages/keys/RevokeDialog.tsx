import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { everything } from "../../api/change.ts";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

export function RevokeDialog({ of, onClose }: { of: Schemas["OwnKey"]; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const [cascade, setCascade] = useState(false);
  const used = of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed;
  return (
    <Confirm
      title={t.keys.revokeTitle(of.title)}
      submit={t.keys.revokeSubmit}
      keep={t.keys.keep}
      kind="danger"
      ask={() =>
        answer(
          client.DELETE("/keys/{id}", { params: { path: { id: of.id }, query: cascade ? { cascade: "true" } : {} } }),
        )
      }
      // Who revokes the key of the own session is out: this request notices it.
      stale={everything}
      onClose={onClose}
    >
      <p>{t.keys.revokeText}</p>
      <p>{t.keys.revokeLast(used)}</p>
      <Checkbox className="check" isSelected={cascade} onChange={setCascade}>
        <span className="box" />
        {t.keys.cascade}
      </Checkbox>
    </Confirm>
  );
}
