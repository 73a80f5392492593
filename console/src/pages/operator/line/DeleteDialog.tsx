import { answer, client } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { lineQuery } from "../queries.ts";

export function DeleteDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  return (
    <Confirm
      title={o.line.removeTitle(`\u2066${format.digits(number)}\u2069`)}
      submit={o.line.remove}
      kind="danger"
      ask={() => answer(client.DELETE("/admin/lines/{number}", { params: { path: { number } } }))}
      deletes={lineQuery(number)}
      onClose={onClose}
    >
      <p>{o.line.removeText}</p>
    </Confirm>
  );
}
