import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";
import { leaveDeleted } from "../../../base/leave.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { carrierQuery, linesOfQuery } from "./queries.ts";

export function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const lines = useQuery(linesOfQuery(name)).data?.length ?? 0;
  const remove = useMutation({
    mutationFn: () => answer(client.DELETE("/admin/carriers/{name}", { params: { path: { name } } })),
    onSuccess: () => leaveDeleted(queryClient, "carriers", carrierQuery(name).queryKey),
  });
  return (
    <ConfirmDialog
      title={o.carrier.removeTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.remove}
      keep={t.form.cancel}
      kind="danger"
      isPending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{lines > 0 ? o.carrier.removeUsed(format.number(lines)) : o.carrier.removeText}</p>
    </ConfirmDialog>
  );
}
