import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";
import { leaveDeleted } from "../../../base/leave.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { lineQuery } from "./queries.ts";

export function DeleteDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => answer(client.DELETE("/admin/lines/{number}", { params: { path: { number } } })),
    onSuccess: () => leaveDeleted(queryClient, "lines", lineQuery(number).queryKey),
  });
  return (
    <ConfirmDialog
      title={o.line.removeTitle(`\u2066${format.digits(number)}\u2069`)}
      submit={o.line.remove}
      keep={t.form.cancel}
      kind="danger"
      isPending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{o.line.removeText}</p>
    </ConfirmDialog>
  );
}
