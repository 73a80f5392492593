import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { sendingQuery } from "../queries.ts";

/** How many recipients and how many accounts have sent to today, in UTC. */
const todayQuery = queryOptions({
  queryKey: ["usage", "today"],
  queryFn: async ({ signal }) => {
    const today = new Date().toISOString().slice(0, 10);
    const { data } = await read(
      "/admin/usage",
      { query: { by: "account", from: today, to: today, limit: 200 } },
      signal,
    );
    return { recipients: data.reduce((sum, { recipients }) => sum + recipients, 0), accounts: data.length };
  },
});

/** Says what the switch does to everybody, and how much was sent today, before it is done. */
export function SwitchDialog({ enabled, onClose }: { enabled: boolean; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const [reason, setReason] = useState("");
  const today = useQuery(todayQuery);
  const body = { enabled: !enabled, ...(reason.trim() && { reason: reason.trim() }) };
  return (
    <Confirm
      title={enabled ? o.sending.offTitle : o.sending.onTitle}
      submit={enabled ? o.sending.switchOff : o.sending.switchOn}
      kind={enabled ? "danger" : "main"}
      ask={() => dataOf(client.PUT("/admin/sending", { body }))}
      replaces={sendingQuery}
      onClose={onClose}
    >
      <p>{enabled ? o.sending.offEffect : o.sending.onEffect}</p>
      {enabled && today.data && (
        <p>{o.sending.today(format.number(today.data.recipients), format.number(today.data.accounts))}</p>
      )}
      <TextField label={o.sending.why} hint={o.sending.whyHint} value={reason} onChange={setReason} />
    </Confirm>
  );
}
