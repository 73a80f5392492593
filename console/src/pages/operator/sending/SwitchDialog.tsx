import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { todayQuery } from "../service/queries.ts";
import { sendingQuery } from "./queries.ts";

/** Says what the switch does to everybody, and how much was sent today, before it is done. */
export function SwitchDialog({ enabled, onClose }: { enabled: boolean; onClose: () => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const today = useQuery(todayQuery);
  const change = useMutation({
    mutationFn: async () => {
      const body = { enabled: !enabled, ...(reason.trim() && { reason: reason.trim() }) };
      return (await answer(client.PUT("/admin/sending", { body }))).data;
    },
    onSuccess: (changed) => {
      queryClient.setQueryData(sendingQuery.queryKey, changed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={enabled ? o.sending.offTitle : o.sending.onTitle}
      submit={enabled ? o.sending.switchOff : o.sending.switchOn}
      keep={t.form.cancel}
      kind={enabled ? "danger" : "main"}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p>{enabled ? o.sending.offEffect : o.sending.onEffect}</p>
      {enabled && today.data && (
        <p>{o.sending.today(format.number(today.data.recipients), format.number(today.data.accounts))}</p>
      )}
      <TextField label={o.sending.why} hint={o.sending.whyHint} value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
