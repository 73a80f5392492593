import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { approve, type PendingVersion } from "./queries.ts";

export function ApproveDialog({ pending, onClose }: { pending: PendingVersion; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  return (
    <Confirm
      title={o.patterns.approveTitle(pending.title)}
      submit={o.patterns.approve}
      ask={() => approve(pending)}
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
