import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";

export function ApproveDialog({ pending, onClose }: { pending: Schemas["PendingVersion"]; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const path = { id: pending.account, slug: pending.slug, n: pending.version.version };
  return (
    <Confirm
      title={o.patterns.approveTitle(pending.title)}
      submit={o.patterns.approve}
      ask={() =>
        answer(client.POST("/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", { params: { path } }))
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{o.patterns.approveText(format.number(pending.version.version))}</p>
      <p className="message-text" dir={directionOf(pending.version.text)}>
        {pending.version.text}
      </p>
    </Confirm>
  );
}
