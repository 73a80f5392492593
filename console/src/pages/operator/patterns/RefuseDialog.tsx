import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";

/** Asks why a version is refused, which its owner is told. */
export function RefuseDialog({ pending, onClose }: { pending: Schemas["PendingVersion"]; onClose: () => void }) {
  const o = useOperatorMessages();
  const [reason, setReason] = useState("");
  const path = { id: pending.account, slug: pending.slug, n: pending.version.version };
  const isWhole = reason.trim() !== "";
  return (
    <Confirm
      title={o.patterns.refuseTitle(pending.title)}
      submit={o.patterns.refuse}
      kind="danger"
      isForm
      isWhole={isWhole}
      ask={() =>
        answer(
          client.POST("/admin/accounts/{id}/patterns/{slug}/versions/{n}/refuse", {
            params: { path },
            body: { reason: reason.trim() },
          }),
        )
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      {(isTried, error) => (
        <>
          <p>{o.patterns.refuseText}</p>
          <p className="message-text" dir={directionOf(pending.version.text)}>
            {pending.version.text}
          </p>
          <TextField
            label={o.patterns.reason}
            error={faultAt(error, "/reason") ?? (isTried && !isWhole ? o.patterns.noReason : undefined)}
            value={reason}
            onChange={setReason}
          />
        </>
      )}
    </Confirm>
  );
}
