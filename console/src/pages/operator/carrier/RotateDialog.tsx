import { client, dataOf } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { carrierQuery } from "../queries.ts";

/** The new address for messages from phones stands among the settings afterwards. */
export function RotateDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const o = useOperatorMessages();
  return (
    <Confirm
      title={o.carrier.rotateTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.rotate}
      ask={() => dataOf(client.POST("/admin/carriers/{name}/rotate-callback", { params: { path: { name } } }))}
      replaces={carrierQuery(name)}
      onClose={onClose}
    >
      <p>{o.carrier.rotateText}</p>
    </Confirm>
  );
}
